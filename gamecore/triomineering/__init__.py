"""Synchronized Triomineering (同時進行 Triomineering) and MSUCB: exact values, players, matches.

`start` gives an empty board; both sides move at once, by texts such as ``"0,1"``. `match` lets two
players meet, whom the paper or you wrote; `ask` says what one of them would do, and `think` what
its search has found. `solve` gives a board's exact value and the equilibrium of any position on it,
`value` what a position is worth.

A `TreePlayer` searches deeper, by a tree that grows; it plays as any player of one's own does.

``PLAYERS``
    The names of the five players of table 1; a `Player` is one of them with other parameters.
``SYMMETRIES``
    What a first move on a square board makes of symmetry, "images" by default.
``RULES``
    How the nodes of a tree may choose: MSUCT's mixing, and four rules of the literature.

Examples
--------
>>> solve(4, 4)
Solution: 4×4, outcome D, value 0.5

References
----------
The paper on MSUCB (in Japanese); A. Cincotti, S. Komori and H. Iida, "The Game of
Synchronized Triomineering and Synchronized Tridomineering", 2008.
"""

from gamecore.triomineering.draw import board, strip
from gamecore.triomineering.matches import match
from gamecore.triomineering.nash import Mixtures, approximate
from gamecore.triomineering.players import (
    PLAYERS,
    SYMMETRIES,
    Player,
    Thought,
    ask,
    simulate,
    think,
)
from gamecore.triomineering.rules import Position, start
from gamecore.triomineering.solution import Solution, SolvedBoard, outcome_table, solve, value
from gamecore.triomineering.tree import RULES, Grown, TreePlayer

__all__ = [
    "PLAYERS", "RULES", "SYMMETRIES", "Grown", "Mixtures", "Player", "Position", "Solution",
    "SolvedBoard", "Thought", "TreePlayer", "approximate", "ask", "board", "match", "outcome_table",
    "simulate", "solve", "start", "strip", "think", "value",
]  # fmt: skip
