"""Rock-paper-scissors: the smallest game with every room, a template for the next paper.

``MOVES``
    Rock, paper, scissors, in the order of `payoff_matrix`.
``PLAYERS``
    The players' names: nash mixes evenly, rocky plays rock half the time, copycat beats the
    opponent's last move.
"""

from gamecore.rps.players import PLAYERS, match
from gamecore.rps.rules import MOVES, payoff_matrix

__all__ = ["MOVES", "PLAYERS", "match", "payoff_matrix"]
