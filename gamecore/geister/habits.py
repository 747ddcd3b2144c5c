"""Habits: how readily players move blues and reds, learnt from games in which colours are known.

A step belongs to a class: the piece's colour, whether it takes, comes near or does neither, whether
it gets to a goal, nearer, neither or farther, and whether the piece stood beside one of the
opponent's. A move is made with a probability in proportion to the weight of its class. The weights
that make the games most likely are found by minorisation-maximisation, as those of the patterns of
Go moves were by Coulom, who puts one game won and one lost against a weight of 1 before the others.

References
----------
* D. R. Hunter, "MM algorithms for generalized Bradley-Terry models", The Annals of Statistics
  32(1), 2004.
* R. Coulom, "Computing Elo ratings of move patterns in the game of Go", ICGA Journal 30(4), 2007.
"""

import numpy as np

from gamecore.bits import lowest
from gamecore.geister.public import EVERY_MOVE, legal
from gamecore.geister.rules import DISTANCE, ESCAPE, GOALS, approaches, near, target_of
from gamecore.kernel import constant, kernel

HABIT_CLASSES = 48
_BLUES = 24  # the first so many classes are those of blues
_ROUNDS = 200


@kernel
def class_of(blue, theirs, move):
    """Return the class of a step, given the own blues and the opponent's pieces."""
    cell = move // 5
    target = target_of(cell, move % 5)
    colour = 0 if blue >> cell & 1 else 1
    takes = 2 if theirs >> target & 1 else 1 if approaches(target, theirs) else 0
    gain = DISTANCE[cell] - DISTANCE[target]
    goes = 3 if GOALS >> target & 1 else 1 + gain
    beside = 1 if near(cell) & theirs else 0
    return _BLUES * colour + 8 * takes + 2 * goes + beside


@kernel
def habitual(own, blue, theirs, weights, lies, chances, k):
    """Write the probability of each move into column k of `chances`; escapes are always played.

    A liar moves blues as the weights say of reds, and reds as they say of blues.
    """
    if blue & GOALS:
        chances[5 * lowest(blue & GOALS) + ESCAPE, k] = 1.0
        return
    total = 0.0
    for move in range(EVERY_MOVE):
        if legal(own, blue, move):
            found = class_of(blue, theirs, move)
            if lies:
                found = (found + _BLUES) % HABIT_CLASSES
            chances[move, k] = weights[found]
            total += weights[found]
    for move in range(EVERY_MOVE):
        chances[move, k] /= total


@kernel
def fit(offered, made, weights):
    """Find the weights of the classes, given how many moves of each were offered and which made.

    Position by position `offered` has a row of counts, `made` the class of the move.
    """
    weights[:] = 1.0
    wins = np.ones(HABIT_CLASSES)
    for position in range(len(made)):
        wins[made[position]] += 1.0
    for _ in range(_ROUNDS):
        chances = 2.0 / (weights + 1.0)
        for position in range(len(made)):
            total = 0.0
            for c in range(HABIT_CLASSES):
                total += offered[position, c] * weights[c]
            for c in range(HABIT_CLASSES):
                chances[c] += offered[position, c] / total
        for c in range(HABIT_CLASSES):
            weights[c] = wins[c] / chances[c]


#: The mean of what `fit` found in 18 chunks of games of the six players (``geister/habits``), in
#: thousandths. Rows: blues neither near nor taking, coming near, taking; then reds. In a row
#: farther from the goals, as far, nearer, on a goal, each from free cells and beside an opponent.
HABITS = constant([
    556, 2121, 572, 2067, 817, 2285, 8404, 7742,
    163, 772, 232, 913, 412, 633, 3144, 3298,
    1000, 565, 1000, 1122, 1000, 2111, 1000, 13513,
    1121, 1172, 671, 1109, 960, 910, 25547, 1929,
    746, 456, 1263, 1688, 2244, 1418, 3867, 4587,
    1000, 447, 1000, 821, 1000, 922, 1000, 414,
], np.int64)  # fmt: skip
