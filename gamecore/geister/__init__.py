"""Geister (ガイスター): retrograde analysis by bit matrices, and mixed strategies by CFR.

`retrograde` solves a board with open colours, `retrograde_hidden` the wins that hold whatever the
opponent's colours are, `mixture` is the CFR player's strategy in one position, and `match` lets
players meet.

``ENDINGS``
    How a game ends, said of the first player: the six kinds of win and loss, and a draw.
``PLAYERS``
    The players' names: random, charge, purple, anti, cfr-a, cfr-b.

References
----------
Naoto Kawakami, master's thesis on mixed-strategy AI for 4×4 Geister (in Japanese), JAIST, 2021.
"""

from gamecore.geister.hidden import Hidden, retrograde_hidden
from gamecore.geister.matches import ENDINGS, match
from gamecore.geister.players import PLAYERS, settings
from gamecore.geister.rules import Move, Position
from gamecore.geister.solution import Retrograde, retrograde
from gamecore.geister.strategy import Mixture, mixture

__all__ = [
    "ENDINGS",
    "PLAYERS",
    "Hidden",
    "Mixture",
    "Move",
    "Position",
    "Retrograde",
    "match",
    "mixture",
    "retrograde",
    "retrograde_hidden",
    "settings",
]
