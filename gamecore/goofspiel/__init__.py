"""Goofspiel under abstraction (Fujii): MCCFR, exact best responses, limits and exact values.

A game is a chain of states: `start` gives the first, chance turns up prizes, and both play a card
such as ``"5"`` at once. `match` lets two players meet, whom the paper or you wrote; `ask` says what
one of them would do. `Profile` is a strategy of both, measured exactly: `train` learns one as the
paper does, `solve` finds an equilibrium, `CFR` where training under an abstraction must end, and
``Profile.of`` makes one of any function.

``FEATURES``
    The letters C, O, D, P: what a player may see beside the own hand (current prize, other hand,
    deck, point difference).
``PLAYERS``
    The players' names: uniform plays any card, prize the card that equals the prize, nash an
    equilibrium (with 7 cards it takes minutes and gigabytes).

Examples
--------
>>> train(4, "C", 1000, seed=1)
Profile: 3,028 public states of 4 cards each, history

References
----------
Kei Fujii, "Evaluation of feature importance in game states" (in Japanese).
"""

from gamecore.goofspiel.learn import Trainer, train
from gamecore.goofspiel.matches import match
from gamecore.goofspiel.players import PLAYERS, ask
from gamecore.goofspiel.rules import State, decode, encode, start
from gamecore.goofspiel.solution import CFR, Solution, solve, value
from gamecore.goofspiel.strategy import Profile, uniform
from gamecore.goofspiel.tree import FEATURES, Tree, build, subsets

__all__ = [
    "CFR", "FEATURES", "PLAYERS", "Profile", "Solution", "State", "Trainer", "Tree", "ask", "build",
    "decode", "encode", "match", "solve", "start", "subsets", "train", "uniform", "value",
]  # fmt: skip
