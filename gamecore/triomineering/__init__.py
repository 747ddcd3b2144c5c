"""Synchronized Triomineering (同時進行 Triomineering) and MSUCB: exact values, players, matches.

`solve` gives a board's exact value and the equilibrium of any position on it, `think` lets one of
the paper's players search a position, and `match` plays two of them.

``PLAYERS``
    The names of the five players of table 1.
``SYMMETRIES``
    What a first move on a square board makes of symmetry, "images" by default.

References
----------
The paper on MSUCB (in Japanese); A. Cincotti, S. Komori and H. Iida, "The Game of
Synchronized Triomineering and Synchronized Tridomineering", 2008.
"""

from gamecore.triomineering.draw import board, strip
from gamecore.triomineering.matches import Match, match, replay
from gamecore.triomineering.nash import approximate
from gamecore.triomineering.players import PLAYERS, SYMMETRIES, Player, Thought, simulate, think
from gamecore.triomineering.rules import Position
from gamecore.triomineering.solution import Solution, SolvedBoard, outcome_table, solve

__all__ = [
    "PLAYERS", "SYMMETRIES", "Match", "Player", "Position", "Solution", "SolvedBoard", "Thought",
    "approximate", "board", "match", "outcome_table", "replay", "simulate", "solve", "strip",
    "think",
]  # fmt: skip
