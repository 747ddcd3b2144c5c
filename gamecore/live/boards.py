"""Triomineering's exact values by kernels alone: `gamecore.triomineering.solution` for a page.

There Python follows a position's matrix games down, and enlarges tables; here a kernel does, and
its tables have room for all that a page asks.
"""

import numpy as np

from gamecore.hashtable import EMPTY, find
from gamecore.kernel import kernel
from gamecore.matrixgame import equilibrium
from gamecore.triomineering import rules
from gamecore.triomineering.force import (
    MAX_ROUNDS,
    SPARE,
    Board,
    Lookup,
    Stack,
    reduced,
    table_key,
    transposed,
)
from gamecore.triomineering.rounds import bounds, enclose, laid, listed, undominated

#: Boards of a page leave the upper bits of a mask to spare moves.
_CELLS = np.uint64(54)
_ONE = np.uint64(1)


@kernel
def boards_of(rows, columns):
    """Return the board and its transpose, as the solver takes them."""
    fits, over = np.uint64(0), np.uint64(0)
    for row in range(rows):
        for column in range(columns):
            if column < columns - 2:
                fits |= _ONE << np.uint64(row * columns + column)
            if row < rows - 2:
                over |= _ONE << np.uint64(column * rows + row)
    return Board(rows, columns, fits), Board(columns, rows, over)


@kernel
def full(rows, columns):
    """Return the mask of all cells."""
    return (_ONE << np.uint64(rows * columns)) - _ONE


@kernel
def emptied(keys, known, used, mixed, rows, columns):
    """Empty the tables; return them as the solver takes them."""
    for table in range(2):
        used[table, 0], used[table, 1] = 0, 3 * keys.shape[1] // 4
        for k in range(keys.shape[1]):
            known[table, k] = 0
    for k in range(len(mixed)):
        mixed[k] = EMPTY
    return tables_of(keys, known, used, rows, columns)


@kernel
def tables_of(keys, known, used, rows, columns):
    """Return the tables of both sides, which share one on a square board."""
    mine = Lookup(keys[0], known[0], used[0])
    return (mine, mine) if rows == columns else (mine, Lookup(keys[1], known[1], used[1]))


@kernel
def new_stack():
    """Return room for a search."""
    return Stack(
        np.zeros(MAX_ROUNDS, np.uint64), np.zeros(MAX_ROUNDS, np.uint64),
        np.zeros((MAX_ROUNDS, 4), np.int64),
        np.zeros((MAX_ROUNDS, 65), np.int64), np.zeros((MAX_ROUNDS, 65), np.int64),
    )  # fmt: skip


@kernel
def moves_of(free, v_spare, h_spare, board):
    """Return the moves of V and of H as arrays of cells."""
    v, h = rules.v_moves(free, board.columns), rules.h_moves(free, board.fits)
    return listed(v, v_spare > 0), listed(h, h_spare > 0)


@kernel
def _key(free, v_spare, h_spare, board):
    """Return `table_key` in one number, of the same order."""
    spares, cells = table_key(free, v_spare, h_spare, board)
    return np.uint64(spares) << _CELLS | cells


@kernel
def _solve(free, v_spare, h_spare, boards, tables, stack, mixed, values):
    """Return the value of a reduced position whose bounds differ; see `Solution._solve`."""
    key = _key(free, v_spare, h_spare, boards[0])
    if boards[0].rows == boards[0].columns:
        over = transposed(free, boards[0].rows, boards[0].columns)
        image = _key(over, h_spare, v_spare, boards[1])
        if image == key:
            return 0.5
        if image < key:
            return 1.0 - _solve(over, h_spare, v_spare, boards, tables, stack, mixed, values)
    place = find(mixed, key)
    if mixed[place] != EMPTY:
        return values[place]
    free = key & ((_ONE << _CELLS) - _ONE)
    v, h = moves_of(free, v_spare, h_spare, boards[0])
    low, high = np.empty((len(v), len(h))), np.empty((len(v), len(h)))
    if not enclose(free, v, v_spare, h, h_spare, boards, tables, stack, low, high):
        raise MemoryError("a table of positions is full")
    rows, columns = undominated(low, high)
    A = np.empty((rows.sum(), columns.sum()))
    i = 0
    for a in range(len(v)):
        if not rows[a]:
            continue
        j = 0
        for b in range(len(h)):
            if not columns[b]:
                continue
            A[i, j] = low[a, b]
            if low[a, b] < high[a, b]:
                after = laid(free, v[a], h[b], boards[0].columns)
                cells, v_left, h_left = reduced(
                    after, v_spare - (v[a] == SPARE), h_spare - (h[b] == SPARE),
                    boards[0].columns, boards[0].fits,
                )  # fmt: skip
                A[i, j] = _solve(cells, v_left, h_left, boards, tables, stack, mixed, values)
            j += 1
        i += 1
    value, _, _ = equilibrium(A)
    place = find(mixed, key)  # deeper positions have come in between
    mixed[place] = key
    values[place] = value
    return value


@kernel
def value_of(free, boards, tables, stack, mixed, values):
    """Return the value of a position."""
    cells, v_spare, h_spare = reduced(free, 0, 0, boards[0].columns, boards[0].fits)
    low, high = bounds(cells, v_spare, h_spare, boards, tables, stack)
    if low < 0.0:
        raise MemoryError("a table of positions is full")
    if low == high:
        return low
    return _solve(cells, v_spare, h_spare, boards, tables, stack, mixed, values)


@kernel
def payoffs_of(free, boards, tables, stack, mixed, values):
    """Return the values after each pair of legal moves."""
    v, h = moves_of(free, 0, 0, boards[0])
    A = np.empty((len(v), len(h)))
    for i in range(len(v)):
        for j in range(len(h)):
            after = laid(free, v[i], h[j], boards[0].columns)
            A[i, j] = value_of(after, boards, tables, stack, mixed, values)
    return A
