"""Matrix games of one round: bounds of the values after each pair of moves, and best replies."""

import numpy as np

from gamecore.bits import lowest, popcount
from gamecore.kernel import kernel
from gamecore.triomineering.force import FULL, SPARE, piece, sure, transposed
from gamecore.triomineering.rules import WIN


@kernel
def listed(moves, spare):
    """Return a player's moves as an array of cell numbers, a spare move last."""
    listed = np.empty(popcount(moves) + spare, np.int64)
    for i in range(popcount(moves)):
        listed[i] = lowest(moves)
        moves &= moves - np.uint64(1)
    if spare:
        listed[-1] = SPARE
    return listed


@kernel
def laid(free, v, h, columns):
    """Return the free cells after two moves, of which each may be a spare one."""
    return free & ~(piece(v, columns) | piece(h, 1))


@kernel
def bounds(free, v_spare, h_spare, boards, tables, stack):
    """Return V's best sure result and H's as values, or `FULL` twice."""
    low = sure(free, v_spare, h_spare, boards[0], tables[0], stack)
    over = transposed(free, boards[0].rows, boards[0].columns)
    high = sure(over, h_spare, v_spare, boards[1], tables[1], stack)
    if low == FULL or high == FULL:
        return float(FULL), float(FULL)
    return low / WIN, (WIN - high) / WIN


@kernel
def enclose(free, v, v_spare, h, h_spare, boards, tables, stack, low, high):
    """Write the bounds after each pair of moves; return False if a table is full."""
    for i in range(len(v)):
        for j in range(len(h)):
            after = laid(free, v[i], h[j], boards[0].columns)
            v_left, h_left = v_spare - (v[i] == SPARE), h_spare - (h[j] == SPARE)
            low[i, j], high[i, j] = bounds(after, v_left, h_left, boards, tables, stack)
            if low[i, j] == FULL:
                return False
    return True


@kernel
def undominated(low, high):
    """Return which rows and columns remain when dominated ones are dropped one after the other.

    A row goes if another is at least as good for V in every column left, whatever the values
    between the bounds turn out to be; a column likewise for H. This keeps the value.
    """
    rows, columns = np.ones(low.shape[0], np.bool_), np.ones(low.shape[1], np.bool_)
    dropped = True
    while dropped:
        dropped = False
        for i in range(len(rows)):
            for k in range(len(rows)):
                if not rows[i] or not rows[k] or i == k:
                    continue
                better = True
                for j in range(len(columns)):
                    if columns[j] and low[k, j] < high[i, j]:
                        better = False
                        break
                if better:
                    rows[i] = False
                    dropped = True
        for j in range(len(columns)):
            for k in range(len(columns)):
                if not columns[j] or not columns[k] or j == k:
                    continue
                better = True
                for i in range(len(rows)):
                    if rows[i] and high[i, k] > low[i, j]:
                        better = False
                        break
                if better:
                    columns[j] = False
                    dropped = True
    return rows, columns


@kernel
def v_shortfall(A, value, mixture):
    """Return what V's mixture falls short of the matrix's value against H's best reply."""
    least = np.inf
    for j in range(A.shape[1]):
        total = 0.0
        for i in range(A.shape[0]):
            total += mixture[i] * A[i, j]
        least = min(least, total)
    return max(value - least, 0.0)


@kernel
def h_shortfall(A, value, mixture):
    """Return what H's mixture falls short of the matrix's value against V's best reply."""
    most = -np.inf
    for i in range(A.shape[0]):
        total = 0.0
        for j in range(A.shape[1]):
            total += A[i, j] * mixture[j]
        most = max(most, total)
    return max(most - value, 0.0)
