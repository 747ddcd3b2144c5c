"""What V can force surely: a search with replies, on boards reduced to what still matters.

V forces a result surely if some move of V leads, whatever H plays in the same round, to a position
where V forces it again: the game in which H sees V's move before choosing. So the best sure result
is a plain maximin over wins, draws and losses, and needs no probabilities. What H can force is the
same question on the transposed board.
"""

from typing import NamedTuple

import numpy as np

from gamecore import check
from gamecore.bits import lowest, popcount, reversed_bits
from gamecore.hashtable import KNOWN, REST, TAKEN, enlarge, find_noted
from gamecore.kernel import kernel
from gamecore.triomineering import rules as r

#: Bits for a number of spare moves: each takes three cells of the board, so there are at most 21.
_SPARES = 5
#: Rounds that a game on such a board can last, with room to spare.
MAX_ROUNDS = 20
#: Answer of a search whose table is full: enlarge it and ask again, finished work is kept.
FULL = -1
#: A table counts as full after so many new positions, a second of searching at most, even if it is
#: not: so that a search can be interrupted.
POSITIONS_AT_ONCE = 15_000
#: A position whose answer must be searched for.
OPEN = -2
#: Stands for a spare move in a list of moves.
SPARE = 64
_ONE = np.uint64(1)
#: Numbers in a frame of the stack: spare moves, and moves and replies not yet tried.
_V_SPARE, _H_SPARE, _V_LEFT, _H_LEFT = range(4)


class Board(NamedTuple):
    """What kernels need to know of a board's shape."""

    rows: int
    columns: int
    fits: np.uint64


class Lookup(NamedTuple):
    """Reduced positions and what is known of each: a table of keys with notes.

    Cells may fill all 64 bits of a key, so the spare moves are its rest. What is known is the least
    sure result of V plus four times the greatest. `used` holds how many positions there are, and
    how many there may be before the table counts as full.
    """

    keys: np.ndarray
    known: np.ndarray
    used: np.ndarray


class Stack(NamedTuple):
    """Room for a search: a frame for each round of play."""

    free: np.ndarray
    key: np.ndarray
    frames: np.ndarray
    v: np.ndarray
    h: np.ndarray


@kernel
def packed(moves, across):
    """Return how many disjoint pieces fit: a third of each run of free cells, rounded down.

    `moves` are all legal moves of one player, `across` is the distance of a piece's cells
    (1 for H, the number of columns for V). A run of n cells has n − 2 moves, one after the other.
    """
    if not moves:
        return 0
    one, three = np.uint64(across), np.uint64(3 * across)
    begin = moves & ~(moves << one)
    number = 0
    while begin:
        number += popcount(begin)
        # three cells on is the same run, not the next row, only if the next cell is a move too
        begin = ((begin & (moves >> one)) << three) & moves
    return number


@kernel
def _reachable(moves, across, targets):
    """Return the cells of those runs (as in `packed`) that contain one of `targets`."""
    if not moves:
        return targets
    distance = np.uint64(across)
    link = moves | (moves << distance)  # a cell and its successor in the same run
    reach = targets
    while True:
        grown = reach | ((reach & link) << distance) | ((reach >> distance) & link)
        if grown == reach:
            return reach
        reach = grown


@kernel
def reduced(free, v_spare, h_spare, columns, fits):
    """Return the cells that matter, and the spare moves of V and of H.

    Cells that no piece can use are dropped. A vertical run none of whose cells H can use is V's
    alone, now and for ever, as cells only ever become filled. All it offers is moves that touch
    nothing else, ⌊n / 3⌋ of them if V wastes none; and wasting one never helps, for with a move
    more in hand V can play as if it were not there and at the end be no worse off. So the run is
    replaced by a number of spare moves, and horizontal runs of H's likewise.
    """
    v, h = r.v_moves(free, columns), r.h_moves(free, fits)
    by_v, by_h = r.v_cover(v, columns), r.h_cover(h)
    shared = by_v & by_h
    v_reach = _reachable(v, columns, shared)
    h_reach = _reachable(h, 1, shared)
    v_spare += packed(v & ~v_reach, columns)
    h_spare += packed(h & ~h_reach, 1)
    return v_reach | h_reach, v_spare, h_spare


@kernel
def _flipped(mask, rows, columns):
    """Return the mask with its rows in reverse order."""
    c = np.uint64(columns)
    row = (_ONE << c) - _ONE
    flipped = np.uint64(0)
    for _ in range(rows):
        flipped = (flipped << c) | (mask & row)
        mask >>= c
    return flipped


@kernel
def canonical(mask, rows, columns):
    """Return the least of the four images of a set of cells under reflections of the board."""
    unused = np.uint64(64 - rows * columns)
    flipped = _flipped(mask, rows, columns)
    turned, mirrored = reversed_bits(mask) >> unused, reversed_bits(flipped) >> unused
    return min(min(mask, flipped), min(turned, mirrored))


@kernel
def transposed(mask, rows, columns):
    """Return the mask on the transposed board, where V and H change roles."""
    turned = np.uint64(0)
    for row in range(rows):
        for column in range(columns):
            bit = (mask >> np.uint64(row * columns + column)) & _ONE
            turned |= bit << np.uint64(column * rows + row)
    return turned


@kernel
def piece(move, across):
    """Return a move's cells; a spare move has none on the board."""
    if move == SPARE:
        return np.uint64(0)
    d = np.uint64(across)
    return (_ONE | (_ONE << d) | (_ONE << (d + d))) << np.uint64(move)


@kernel
def _sorted_moves(moves, spare, across, opponent, opponent_across, order):
    """Write a player's moves in `order`, those last that take most of the opponent's moves.

    Returns their number. A spare move takes none and comes first.
    """
    d = np.uint64(opponent_across)
    number = 0
    if spare:
        order[0] = SPARE
        number = 1
    while moves:
        move = lowest(moves)
        moves &= moves - _ONE
        cells = piece(move, across)
        hit = popcount(opponent & (cells | (cells >> d) | (cells >> (d + d))))
        entry = hit << 7 | move
        place = number
        while place > 0 and order[place - 1] > entry:
            order[place] = order[place - 1]
            place -= 1
        order[place] = entry
        number += 1
    for i in range(number):
        order[i] &= 127
    return number


@kernel
def table_key(free, v_spare, h_spare, board):
    """Return the spare moves and the cells of a reduced position, the same for mirror images."""
    return v_spare | h_spare << _SPARES, canonical(free, board.rows, board.columns)


@kernel
def _judged(free, v_spare, h_spare, least, board, table):
    """Return 1 or 0 if a reduced position needs no search, `FULL` or `OPEN`; and its key."""
    columns, fits = board.columns, board.fits
    v, h = r.v_moves(free, columns), r.h_moves(free, fits)
    can_v, can_h = v != 0 or v_spare > 0, h != 0 or h_spare > 0
    none = np.uint64(0)
    if not can_v or not can_h:
        return (1 if r.result(can_v, can_h) >= least else 0), none
    # V makes at least v_least moves, on cells that H cannot use, and at most v_most; H likewise.
    # Who surely makes a move more than the other at most wins; as many, and it is a draw or better.
    margin = least - r.DRAW
    v_least = v_spare + packed(r.v_moves(free & ~r.h_cover(h), columns), columns)
    if v_least - h_spare - packed(h, 1) >= margin:
        return 1, none
    h_least = h_spare + packed(r.h_moves(free & ~r.v_cover(v, columns), fits), 1)
    if v_spare + packed(v, columns) - h_least < margin:
        return 0, none
    spares, cells = table_key(free, v_spare, h_spare, board)
    known = table.known[find_noted(table.keys, table.known, cells, spares)]
    if not known:
        return (FULL if table.used[0] >= table.used[1] else OPEN), cells
    if known & 3 >= least:
        return 1, cells
    return (0 if (known & KNOWN) >> 2 < least else OPEN), cells


@kernel
def _note(table, spares, cells, least, answer):
    """Put the answer for a position and a result in the table."""
    place = find_noted(table.keys, table.known, cells, spares)
    known = table.known[place]
    low, high = known & 3, (known & KNOWN) >> 2
    if not known:
        low, high = r.LOSS, r.WIN
        table.keys[place] = cells
        table.used[0] += 1
    now = (least | high << 2) if answer else (low | (least - 1) << 2)
    table.known[place] = now | TAKEN | spares << REST


@kernel
def _forces(free, v_spare, h_spare, least, board, table, stack):
    """Return 1 if V surely gets at least the result `least`, 0 if not, `FULL` if out of room.

    Depth first, with a stack of its own: numba's cache cannot store functions that call
    themselves. Every round of play is one frame; the order of V's moves and of H's replies
    to the present one lies beside it.
    """
    columns, fits = board.columns, board.fits
    depth = 0
    while True:
        free, v_spare, h_spare = reduced(free, v_spare, h_spare, columns, fits)
        answer, key = _judged(free, v_spare, h_spare, least, board, table)
        if answer == FULL:
            return FULL
        if answer == OPEN:  # a new frame, about to try V's first move
            stack.free[depth], stack.key[depth] = free, key
            frame, v = stack.frames[depth], r.v_moves(free, columns)
            frame[_V_SPARE], frame[_H_SPARE] = v_spare, h_spare
            opponent = r.h_moves(free, fits)
            frame[_V_LEFT] = _sorted_moves(v, v_spare > 0, columns, opponent, 1, stack.v[depth])
            frame[_H_LEFT] = 0
        else:  # take the answer up until it leaves something to try
            depth -= 1
            while depth >= 0:
                frame = stack.frames[depth]
                if answer == 1 and frame[_H_LEFT] > 0:
                    break
                if answer == 0 and frame[_V_LEFT] > 0:
                    frame[_H_LEFT] = 0
                    break
                spares = frame[_V_SPARE] | frame[_H_SPARE] << _SPARES
                _note(table, spares, stack.key[depth], least, answer)
                depth -= 1
            if depth < 0:
                return answer
        # the next pair of moves: V's next one, if H's replies to the last are used up
        frame, free = stack.frames[depth], stack.free[depth]
        if frame[_H_LEFT] == 0:
            frame[_V_LEFT] -= 1
            # H moves in the same round, so with what was legal before V's piece lay there
            after = r.v_moves(free & ~piece(stack.v[depth, frame[_V_LEFT]], columns), columns)
            h, spare = r.h_moves(free, fits), frame[_H_SPARE] > 0
            frame[_H_LEFT] = _sorted_moves(h, spare, 1, after, columns, stack.h[depth])
        frame[_H_LEFT] -= 1
        i, j = stack.v[depth, frame[_V_LEFT]], stack.h[depth, frame[_H_LEFT]]
        free &= ~(piece(i, columns) | piece(j, 1))
        v_spare, h_spare = frame[_V_SPARE] - (i == SPARE), frame[_H_SPARE] - (j == SPARE)
        depth += 1


@kernel
def sure(free, v_spare, h_spare, board, table, stack):
    """Return the best result that V can force surely, or `FULL` if the table has no more room.

    Parameters
    ----------
    free, v_spare, h_spare : uint64, int, int
        The position: free cells and spare moves.
    board : Board
        Its shape.
    table : Lookup
        What is known already; grows.
    stack : Stack
        Room for the search.
    """
    for least in (r.DRAW, r.WIN):
        answer = _forces(free, v_spare, h_spare, least, board, table, stack)
        if answer != 1:
            return FULL if answer == FULL else least - 1
    return r.WIN


def new_stack() -> Stack:
    """Return room for a search."""
    masks, moves = np.zeros((2, MAX_ROUNDS), np.uint64), np.zeros((2, MAX_ROUNDS, 65), np.int64)
    return Stack(masks[0], masks[1], np.zeros((MAX_ROUNDS, 4), np.int64), moves[0], moves[1])


def new_table(capacity: int = 1 << 12) -> Lookup:
    """Return an empty table; `capacity` is a power of two."""
    used = np.array([0, 3 * capacity // 4])
    return Lookup(np.zeros(capacity, np.uint64), np.zeros(capacity, np.int16), used)


def enlarged(table: Lookup) -> Lookup:
    """Return the table with room for the next stretch: twice as large if three quarters full."""
    used, room = int(table.used[0]), 3 * len(table.keys) // 4
    if used >= room:
        check.memory(2 * (table.keys.nbytes + table.known.nbytes), "a table of positions")
        keys, known = enlarge(table.keys, table.known)
        table = Lookup(keys, known, table.used)
        room *= 2
    table.used[1] = min(room, used + POSITIONS_AT_ONCE)
    return table
