"""Goofspiel under abstraction (Fujii): MCCFR, exact best responses, limits and exact values.

`train` learns a pair of policies as the paper does, `Profile` measures it exactly, `solve` is the
equilibrium of the whole game, `CFR` finds where training under an abstraction must end, and `match`
lets two profiles meet.

``FEATURES``
    The letters C, O, D, P: what a player may see beside the own hand (current prize, other hand,
    deck, point difference).

References
----------
Kei Fujii, "Evaluation of feature importance in game states" (in Japanese).
"""

from gamecore.goofspiel.learn import Trainer, train
from gamecore.goofspiel.matches import Match, match
from gamecore.goofspiel.players import Profile, uniform
from gamecore.goofspiel.rules import State, decode, encode
from gamecore.goofspiel.solution import CFR, Solution, solve
from gamecore.goofspiel.tree import FEATURES, Tree, build, subsets

__all__ = [
    "CFR", "FEATURES", "Match", "Profile", "Solution", "State", "Trainer", "Tree", "build",
    "decode", "encode", "match", "solve", "subsets", "train", "uniform",
]  # fmt: skip
