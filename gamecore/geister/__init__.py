"""Geister (ガイスター): retrograde analysis by bit matrices, and mixed strategies by CFR."""

from gamecore.geister.hidden import Hidden, retrograde_hidden
from gamecore.geister.mixture import Mixture, mixture
from gamecore.geister.players import ENDINGS, PLAYERS, match, options
from gamecore.geister.rules import Move, Position
from gamecore.geister.solve import Retrograde, retrograde

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
    "options",
    "retrograde",
    "retrograde_hidden",
]
