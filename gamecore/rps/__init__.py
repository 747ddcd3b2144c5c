"""Rock-paper-scissors: the smallest game with every room, a template for the next paper.

``MOVES``
    Rock, paper, scissors, in the order of `payoff_matrix`.
``LEARNERS``
    Players that learn, for `lesson`: a regret matcher, and one who reads habits.
``PLAYERS``
    The players' names: nash mixes evenly, rocky plays rock half the time, copycat beats the
    opponent's last move.

Examples
--------
>>> match("nash", "rocky", 10, seed=1)
Match: 4 wins, 2 draws, 4 losses; score 0.500 (95 % interval 0.237 to 0.763)
"""

from gamecore.rps.draw import play_svg
from gamecore.rps.lessons import LEARNERS, Lesson, lesson
from gamecore.rps.matches import match
from gamecore.rps.players import PLAYERS, ask
from gamecore.rps.rules import MOVES, State, payoff_matrix, start
from gamecore.rps.solution import solve

__all__ = [
    "LEARNERS",
    "MOVES",
    "PLAYERS",
    "Lesson",
    "State",
    "ask",
    "lesson",
    "match",
    "payoff_matrix",
    "play_svg",
    "solve",
    "start",
]
