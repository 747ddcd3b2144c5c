"""What both sides see of a game of 4×4 Geister, and what each may believe of the other's colours.

A side begins with two blues among four pieces: six colourings. They are numbered once, at the
start, and followed through the game, so that a belief is a vector of six weights throughout. What
is seen is kept in *levels*, so that a player who looks ahead can write its tries beside the game.
"""

from collections import namedtuple

import numpy as np

from gamecore.geister.rules import ESCAPE, GOALS, approaches, near, target_of, turned16
from gamecore.geister.tree import COLOURINGS
from gamecore.kernel import constant, kernel

#: The six colourings of the bottom row, as masks of blues.
BOTTOM_ROW = constant(
    [(1 << a | 1 << b) << 12 for a in range(4) for b in range(a + 1, 4)], np.int64
)
EVERY_MOVE = 80  # a move is 5 · cell + way
BLUE, RED, NOTHING = 0, 1, -1  # what a step took

#: Of level and side, in the side's own view: its pieces; how many are blue and red; the blues of
#: each colouring; which colourings captures leave possible (1 or 0); what its opponent believes of
#: them; its first chaser, as in `gamecore.geister.players.decide`.
Public = namedtuple("Public", "pieces counts blues possible belief chaser")


def new_public(levels: int = 1) -> Public:
    """Return room for so many levels."""
    return Public(
        pieces=np.zeros((levels, 2), np.int64),
        counts=np.zeros((levels, 2, 2), np.int64),
        blues=np.zeros((levels, 2, COLOURINGS), np.int64),
        possible=np.zeros((levels, 2, COLOURINGS)),
        belief=np.zeros((levels, 2, COLOURINGS)),
        chaser=np.zeros((levels, 2), np.int64),
    )


@kernel
def begin_public(seen):
    """Set level 0 to the start of a game, where all colourings are equally likely."""
    for side in range(2):
        seen.pieces[0, side] = 0xF000
        seen.counts[0, side, BLUE] = seen.counts[0, side, RED] = 2
        seen.chaser[0, side] = -1
        for k in range(COLOURINGS):
            seen.blues[0, side, k] = BOTTOM_ROW[k]
            seen.possible[0, side, k] = 1.0
            seen.belief[0, side, k] = 1.0 / COLOURINGS


@kernel
def step_public(seen, level, to, side, move, took):
    """Write what is seen after a step of `side` from one level to another, perhaps the same.

    `took` is the colour of the piece that was taken, or NOTHING.
    """
    other = 1 - side
    cell = move // 5
    target = target_of(cell, move % 5)
    theirs = turned16(seen.pieces[level, other])
    taken = turned16(1 << target) if took != NOTHING else 0
    chaser, hunted = seen.chaser[level, side], seen.chaser[level, other]
    if chaser < 0:
        if approaches(target, theirs) and not near(cell) & theirs:
            chaser = 1 << target
    elif chaser == 1 << cell:
        chaser = 1 << target
    seen.chaser[to, side] = chaser
    seen.chaser[to, other] = 0 if took != NOTHING and hunted == taken else hunted
    both = 1 << cell | 1 << target
    seen.pieces[to, side] = seen.pieces[level, side] ^ both
    seen.pieces[to, other] = seen.pieces[level, other] & ~taken
    for colour in range(2):
        seen.counts[to, side, colour] = seen.counts[level, side, colour]
        seen.counts[to, other, colour] = seen.counts[level, other, colour] - (took == colour)
    for k in range(COLOURINGS):
        blue = seen.blues[level, side, k]
        seen.blues[to, side, k] = blue ^ both if blue >> cell & 1 else blue
        seen.possible[to, side, k] = seen.possible[level, side, k]
        seen.belief[to, side, k] = seen.belief[level, side, k]
        hidden = seen.blues[level, other, k]
        fits = took == NOTHING or (hidden & taken != 0) == (took == BLUE)
        seen.blues[to, other, k] = hidden & ~taken
        seen.possible[to, other, k] = seen.possible[level, other, k] if fits else 0.0
        seen.belief[to, other, k] = seen.belief[level, other, k] if fits else 0.0
    if took != NOTHING:
        normalise(seen.belief[to, other])


@kernel
def legal(own, blue, move):
    """Return whether a side with these pieces and blues may make a move."""
    cell, way = move // 5, move % 5
    if not own >> cell & 1:
        return False
    if way == ESCAPE:
        return (blue & GOALS) >> cell & 1 == 1
    target = target_of(cell, way)
    return target >= 0 and not own >> target & 1


@kernel
def normalise(weights):
    """Let weights sum to 1, if any is positive; they stay in place."""
    total = 0.0
    for k in range(len(weights)):
        total += weights[k]
    if total > 0.0:
        for k in range(len(weights)):
            weights[k] /= total
