"""Playouts (プレイアウト): random moves to the end, by the paper's heuristic if wanted."""

import numpy as np

from gamecore import rng
from gamecore.bits import nth, popcount
from gamecore.kernel import kernel
from gamecore.triomineering import rules

#: Readings of the heuristic by which playouts leave out moves that hinder nobody: no such
#: heuristic; those moves are dropped as long as others remain; they are always dropped, so that a
#: playout in which no move hinders is over, and drawn, as neither player has a move left.
FILTERS = ("none", "hindering", "literal")
LITERAL = FILTERS.index("literal")
_ONE, _TWO = np.uint64(1), np.uint64(2)


@kernel
def hindering(v, h, columns):
    """Return those moves of V and of H which hinder a legal move of the opponent.

    A piece hinders a move if the two share a cell. Then that move hinders it, too: either both
    players have such moves or neither.
    """
    c = np.uint64(columns)
    by_h, by_v = rules.h_cover(h), rules.v_cover(v, columns)
    return (
        v & (by_h | (by_h >> c) | (by_h >> (c + c))),
        h & (by_v | (by_v >> _ONE) | (by_v >> _TWO)),
    )


@kernel
def playout(free, columns, fits, stream, filtering):
    """Play random moves to the end and return V's result.

    Parameters
    ----------
    free : uint64
        Free cells.
    columns : int
        Columns of the board.
    fits : uint64
        `gamecore.triomineering.rules.fits_mask` of the board.
    stream : uint64[4]
        State of the random generator, changed in place.
    filtering : int
        An index of `FILTERS`.
    """
    while True:
        v, h = rules.v_moves(free, columns), rules.h_moves(free, fits)
        if not v or not h:
            return rules.result(v != 0, h != 0)
        if filtering:
            hindering_v, hindering_h = hindering(v, h, columns)
            if hindering_v:
                v, h = hindering_v, hindering_h
            elif filtering == LITERAL:
                return rules.DRAW
        i = nth(v, rng.below(stream, popcount(v)))
        j = nth(h, rng.below(stream, popcount(h)))
        free = rules.step(free, i, j, columns)
