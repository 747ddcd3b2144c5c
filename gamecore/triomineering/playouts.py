"""Playouts (プレイアウト): random moves to the end, by the paper's heuristic if wanted."""

import numpy as np

from gamecore import rng
from gamecore.bits import nth, popcount
from gamecore.kernel import kernel
from gamecore.triomineering import rules

_ONE, _TWO = np.uint64(1), np.uint64(2)


@kernel
def filtered(v, h, columns):
    """Return the moves of V and of H that playouts choose from, given all legal ones.

    The paper's heuristic: moves which hinder no legal move of the opponent are dropped, unless
    nothing would remain. A piece hinders a move if the two share a cell.
    """
    c = np.uint64(columns)
    by_h, by_v = rules.h_cover(h), rules.v_cover(v, columns)
    hindering_v = v & (by_h | (by_h >> c) | (by_h >> (c + c)))
    hindering_h = h & (by_v | (by_v >> _ONE) | (by_v >> _TWO))
    return (hindering_v if hindering_v else v), (hindering_h if hindering_h else h)


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
    filtering : bool
        Whether moves are chosen from `filtered` ones or from all.
    """
    while True:
        v, h = rules.v_moves(free, columns), rules.h_moves(free, fits)
        if not v or not h:
            return rules.result(v != 0, h != 0)
        if filtering:
            v, h = filtered(v, h, columns)
        i = nth(v, rng.below(stream, popcount(v)))
        j = nth(h, rng.below(stream, popcount(h)))
        free = rules.step(free, i, j, columns)
