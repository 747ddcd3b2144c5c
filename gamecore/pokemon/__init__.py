"""The simplified Pokémon battle of Konishi, Ikeda and Hsueh: exact solution and δ-Nash players.

`solve` gives the value and the payoff matrix of every position, `player` describes a random, Monte
Carlo, Nash, δ-Nash or biased player, and `match` lets two of them play, or a function of yours.
Parties and type chart are the paper's, or any others.

``CHART``
    The paper's type chart (table 1): by the move's type and the defender's, the factor of the
    damage.
``PARTIES``
    The paper's two parties of three monsters (table 2).
``PLAYERS``
    The players' names: random, monte-carlo and nash.

Examples
--------
>>> solve(1)
Solution: 419,904 states, 0 to 1 turns left; no value is off by more than 1.1e-16

References
----------
K. Konishi, K. Ikeda and C.-H. Hsueh,
「不完全情報同時手番ゲームにおいて人間のような読み合いを演出するAIプレイヤ」,
IPSJ, 49th meeting of the SIG Game Informatics, 2023.
"""

from gamecore.pokemon.matches import Misjudgements, match, misjudge
from gamecore.pokemon.parties import CHART, PARTIES, Battle, Monster
from gamecore.pokemon.players import PLAYERS, Player, ask, player, strategies
from gamecore.pokemon.rules import decode, encode
from gamecore.pokemon.solution import Solution, solve, value
from gamecore.pokemon.state import State, start

__all__ = [
    "CHART", "PARTIES", "PLAYERS", "Battle", "Misjudgements", "Monster", "Player", "Solution",
    "State", "ask", "decode", "encode", "match", "misjudge", "player", "solve", "start",
    "strategies", "value",
]  # fmt: skip
