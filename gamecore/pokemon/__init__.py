"""The simplified Pokémon battle of Konishi, Ikeda and Hsueh: exact solution and δ-Nash players.

`solve` gives the value and the payoff matrix of every position, `player` describes a random, Monte
Carlo, Nash, δ-Nash or biased player, and `match` lets two of them play.

References
----------
K. Konishi, K. Ikeda and C.-H. Hsueh,
「不完全情報同時手番ゲームにおいて人間のような読み合いを演出するAIプレイヤ」,
IPSJ, 49th meeting of the SIG Game Informatics, 2023.
"""

from gamecore.pokemon.matches import Match, Misjudgements, match, misjudge
from gamecore.pokemon.players import Player, player, strategies
from gamecore.pokemon.rules import State, decode, encode
from gamecore.pokemon.solution import Solution, solve

__all__ = [
    "Match", "Misjudgements", "Player", "Solution", "State", "decode", "encode", "match",
    "misjudge", "player", "solve", "strategies",
]  # fmt: skip
