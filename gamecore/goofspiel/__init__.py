"""Goofspiel under abstraction (Fujii): MCCFR, exact best responses, limits and exact values."""

from gamecore.goofspiel.players import Trainer, train
from gamecore.goofspiel.profile import Profile, uniform
from gamecore.goofspiel.rules import State, decode, encode
from gamecore.goofspiel.solve import CFR, Solution, solve
from gamecore.goofspiel.tree import FEATURES, Tree, build, subsets

__all__ = [
    "CFR", "FEATURES", "Profile", "Solution", "State", "Trainer", "Tree", "build", "decode",
    "encode", "solve", "subsets", "train", "uniform",
]  # fmt: skip
