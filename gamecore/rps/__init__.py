"""Rock-paper-scissors: the smallest game with every room, a template for the next paper."""

from gamecore.rps.players import PLAYERS, match
from gamecore.rps.rules import MOVES, payoff_matrix

__all__ = ["MOVES", "PLAYERS", "match", "payoff_matrix"]
