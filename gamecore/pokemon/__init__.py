"""The simplified Pokémon battle of Konishi, Ikeda and Hsueh: exact solution and δ-Nash players."""

from gamecore.pokemon.battle import Match, Misjudgements, match, misjudge
from gamecore.pokemon.players import Player, player, strategies
from gamecore.pokemon.rules import State, decode, encode
from gamecore.pokemon.solve import Solution, solve

__all__ = [
    "Match", "Misjudgements", "Player", "Solution", "State", "decode", "encode", "match",
    "misjudge", "player", "solve", "strategies",
]  # fmt: skip
