"""Retrograde analysis (後退解析) of Geister with open colours, by bit matrices.

A position is a pair: where the pieces of the side to move stand, and where the other side's do.
One side alone has few placements (14,520 on 4×4 with up to two blues and two reds), so *the set of
all positions with some property is a bit matrix*, a row and a column for every placement, and
one ply of retrograde analysis is work on whole rows, 512 positions a `gamecore.vector`:

- **Turning the board is transposing.** Each side's placement is numbered in its own view. After a
  move the other side is to move and rows and columns change roles; no rotation is ever computed.
- **A move is an OR of rows.** The mover ``o`` wins against all columns in which some neighbouring
  placement ``o'`` leaves the other side lost, and loses where all of them leave it winning (AND).
- **Captures need no code of their own.** A step onto the other side's piece yields a pair whose
  placements overlap in exactly one cell: no position, so the entry is free. It holds the result
  of the pair without that piece, which is a position of fewer pieces. Whoever has no blue or no
  red left is lost or has won at depth 0: that is where everything starts.
- **All piece counts run in lockstep** by depth 1, 2, 3, …, until nothing new appears. What is then
  still open is a draw.
- **Wins have odd depths, losses even ones**, so layers take turns. No side can be made to take the
  last red: pieces on less than all of a board always have two different cells to go to.
- **Only news is followed.** A layer looks at the rows that have something open and of which a reply
  has changed since the layer before; late ones are few.
- **Depths are bit-sliced**: plane k holds bit k of every depth, so that recording a layer is one OR
  a word as well.

Matrices are kept in blocks of 512 columns, ``[block, row, word]``: what a step reads at random
(a block, under 1 MB) and what it writes (the transposed block) stay in the second-level cache,
and threads that work on different blocks write to different rows.

References
----------
N. Kawakami, master's thesis, JAIST, 2021 (in Japanese), sections 5.3 and 6.1.
"""

from itertools import combinations
from math import comb

import numpy as np

from gamecore.bits import lowest
from gamecore.geister.rules import steps
from gamecore.kernel import kernel
from gamecore.vector import WIDTH as WORDS
from gamecore.vector import count, load, some, spread, store

BLOCK = 64 * WORDS  # columns in a block
FEW = 8  # one in so many changed rows, or fewer: it pays to find out which others they concern
SPARSE = 1024  # bits of a square that are quicker moved one by one


class Placements:
    """All ways to place one side's pieces, fewest pieces first, and how they hang together.

    They are numbered as combinations come in lexicographic order: of blues on all cells, then of
    reds on the others. So the number of any placement can be computed, for arrays of them at once.
    """

    def __init__(self, width: int, height: int, max_blue: int, max_red: int):
        self.width, self.height, self.cells = width, height, width * height
        sizes = [(b, r) for b in range(1, max_blue + 1) for r in range(1, max_red + 1)]
        self._first: dict[tuple[int, int], int] = {}  # the first number of each size
        total = 0
        for b, r in sorted(sizes, key=sum):
            self._first[b, r] = total
            total += comb(self.cells, b) * comb(self.cells - b, r)
        self.blocks = -(-total // BLOCK)
        pieces = max_blue + max_red
        #: For each piece of a placement: its cell, and the placement without it (−1 if a last one).
        self.cell = np.full((total, pieces), -1, np.int16)
        self.without = np.full((total, pieces), -1, np.int32)
        self.last_blue = np.full(total, -1, np.int16)
        self.last_red = np.full(total, -1, np.int16)
        self.escapes = np.zeros(total, bool)
        self.masks: list[tuple[int, int]] = []
        near = np.full((total, 4 * pieces), -1, np.int32)
        kind = object if self.cells > 62 else np.int64
        bits = np.array([1 << cell for cell in range(self.cells)], kind)
        for (b, r), first in self._first.items():
            blue, red = self._combinations(b, r)
            own, rows = np.hstack([blue, red]), slice(first, first + len(blue))
            self.cell[rows, : b + r] = own
            masks = (bits[cells].sum(1).tolist() for cells in (blue, red))
            self.masks += zip(*masks, strict=True)
            self.escapes[rows] = np.isin(blue, (0, width - 1)).any(1)
            if b == 1:
                self.last_blue[rows] = blue[:, 0]
            if r == 1:
                self.last_red[rows] = red[:, 0]
            for k in range(b + r):
                if (b if k < b else r) > 1:
                    rest, left = np.delete(own, k, 1), b - (k < b)
                    self.without[rows, k] = self._numbers(rest[:, :left], rest[:, left:])
                for way, target in enumerate(steps(width, height)[own[:, k]].T):
                    legal = np.flatnonzero((target >= 0) & (own != target[:, None]).all(1))
                    moved = own[legal]
                    moved[:, k] = target[legal]
                    to = self._numbers(np.sort(moved[:, :b]), np.sort(moved[:, b:]))
                    near[first + legal, 4 * k + way] = to
        self.index = {mask: i for i, mask in enumerate(self.masks)}
        self.neighbours = near[near >= 0]
        self.starts = np.concatenate([[0], np.cumsum((near >= 0).sum(1))])

    def _combinations(self, blues: int, reds: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the cells of all placements of so many blues and reds, a row for each."""
        blue = np.array([*combinations(range(self.cells), blues)])
        others = np.array([np.delete(np.arange(self.cells), cells) for cells in blue])
        red = others[:, np.array([*combinations(range(self.cells - blues), reds)])]
        return np.repeat(blue, red.shape[1], 0), red.reshape(-1, reds)

    def _numbers(self, blue: np.ndarray, red: np.ndarray) -> np.ndarray:
        """Return the numbers of placements: rows of cells in rising order."""
        (_, b), (_, r) = blue.shape, red.shape
        among_others = red - (blue[:, :, None] < red[:, None]).sum(1)
        rank = _rank(blue, self.cells) * comb(self.cells - b, r)
        return self._first[b, r] + rank + _rank(among_others, self.cells - b)

    def on(self) -> np.ndarray:
        """Return ``[cell, block, word]``: the columns whose placement stands on a row's cell.

        The row's side sees the column's side turned by 180 degrees.
        """
        table = np.zeros((self.cells, self.blocks * BLOCK), bool)
        placement, piece = np.nonzero(self.cell >= 0)
        table[self.cells - 1 - self.cell[placement, piece], placement] = True
        packed = np.packbits(table, axis=1, bitorder="little").view(np.uint64)
        return packed.reshape(self.cells, self.blocks, WORDS)

    def real(self) -> np.ndarray:
        """Return ``[block, word]``: the columns that are placements, not padding."""
        table = np.arange(self.blocks * BLOCK) < len(self.masks)
        return np.packbits(table, bitorder="little").view(np.uint64).reshape(self.blocks, WORDS)


def _rank(chosen: np.ndarray, cells: int) -> np.ndarray:
    """Return the places of combinations, rows in rising order, among all of so many cells."""
    size = chosen.shape[1]
    above = np.zeros(len(chosen), np.int64)
    for i in range(size):  # those that agree before, and then have a higher cell
        ways = np.array([comb(cells - 1 - cell, size - i) for cell in range(cells)])
        above += ways[chosen[:, i]]
    return comb(cells, size) - 1 - above


@kernel
def start(block, open_, cell, on, real):
    """Mark every position of a block of columns as open: pairs that do not overlap."""
    positions, left, there, every = 0, open_[block], on[:, block], load(real, block)
    for row in range(len(cell)):
        taken = spread(np.uint64(0))
        for piece in range(cell.shape[1]):
            if cell[row, piece] >= 0:
                taken = taken | load(there, cell[row, piece])
        free = every & (every ^ taken)
        store(left, row, free)
        positions += count(free)
    return positions


@kernel
def end(block, target, touched, last, on):
    """Mark the pairs in which the column's side has just taken a last piece of the row's."""
    found, there = np.zeros((target.shape[1], WORDS), np.uint64), on[:, block]
    for row in range(len(last)):
        if last[row] >= 0:
            store(found, row, load(there, last[row]))
    _transpose(block, found, target, touched)
    return 0


@kernel
def layer(
    block, depth, source, changed, target, touched, open_, planes,
    starts, neighbours, escapes, cell, without, on,
):  # fmt: skip
    """Solve one layer in one block of columns; return how many positions are new.

    `source` tells where a reply was lost in the layer before (then some move must lead there) or
    is known to be won (then all moves must), and `changed` which of its rows are new. What is found
    goes, transposed, to `target`, and which rows that changes to `touched`.
    """
    replies, left, there = source[block], open_[block], on[:, block]
    is_win, nothing, new = depth % 2 == 1, spread(np.uint64(0)), 0
    found = np.zeros(left.shape, np.uint64)
    for row in _waiting(depth, changed[block], left, starts, neighbours):
        still = load(left, row)
        fresh = still
        if not is_win:
            for i in range(starts[row], starts[row + 1]):
                fresh = fresh & load(replies, neighbours[i])
        elif not escapes[row]:
            fresh = nothing
            for i in range(starts[row], starts[row + 1]):
                fresh = fresh | load(replies, neighbours[i])
            fresh = fresh & still
        if some(fresh):
            new += count(fresh)
            store(found, row, fresh)
            store(left, row, still ^ fresh)
            for k in range(len(planes)):
                if depth >> k & 1:
                    plane = planes[k, block]
                    store(plane, row, load(plane, row) | fresh)
    for row in range(len(escapes)):
        if changed[block, row]:
            changed[block, row] = False
            if is_win:  # these losses have been used
                store(replies, row, nothing)
    if new:
        for row in range(len(escapes)):
            fresh = load(found, row)
            for piece in range(cell.shape[1]):  # the column's side may have just taken it
                if without[row, piece] >= 0:
                    fewer = load(found, without[row, piece])
                    fresh = fresh | fewer & load(there, cell[row, piece])
            store(found, row, fresh)
        _transpose(block, found, target, touched)
    return new


@kernel
def _waiting(depth, changed, left, starts, neighbours):
    """Return the rows that have something open and of which a reply has changed: late, few."""
    size, some_changed = len(starts) - 1, np.sum(changed)
    ready = np.full(size, depth == 1 or some_changed > size // FEW)  # then it is most of them
    rows, found = np.empty(size, np.int32), 0
    if not ready[0] and some_changed:
        for row in range(size):
            if changed[row]:
                for i in range(starts[row], starts[row + 1]):  # any step can be taken back
                    ready[neighbours[i]] = True
    for row in range(size):
        rows[found] = row
        found += ready[row] and some(load(left, row))
    return rows[:found]


@kernel
def _transpose(block, found, target, touched):
    """Add a block of columns to `target` as its rows, 512×512 bits at a time."""
    one = np.uint64(1)
    for part in range(len(target)):
        square, rows, flags = found[part * BLOCK : (part + 1) * BLOCK], target[part], touched[part]
        bits = 0
        for i in range(BLOCK):
            bits += count(load(square, i))
        if bits > SPARSE:
            _transpose_square(square)
            for i in range(BLOCK):
                row, turned = block * BLOCK + i, load(square, i)
                store(rows, row, load(rows, row) | turned)
                flags[row] |= some(turned)
        elif bits:
            for i in range(BLOCK):
                if some(load(square, i)):
                    for word in range(WORDS):
                        rest = square[i, word]
                        while rest:
                            row = block * BLOCK + 64 * word + lowest(rest)
                            rows[row, i // 64] |= one << np.uint64(i % 64)
                            flags[row] = True
                            rest &= rest - one


@kernel
def _transpose_square(square):
    """Transpose 512×512 bits in place: words of 64 rows each, then words among each other."""
    for base in range(0, BLOCK, 64):
        half, mask = 32, np.uint64(0x00000000FFFFFFFF)
        while half:  # swap off-diagonal halves, quarters, … bits
            shift, some_bits = spread(np.uint64(half)), spread(mask)
            for first in range(base, base + 64, 2 * half):
                for i in range(first, first + half):
                    upper, lower = load(square, i), load(square, i + half)
                    swap = (upper >> shift ^ lower) & some_bits
                    store(square, i, upper ^ swap << shift)
                    store(square, i + half, lower ^ swap)
            half >>= 1
            mask ^= mask << np.uint64(half)
    for i in range(64):
        for j in range(WORDS):
            for k in range(j):
                a, b = 64 * j + i, 64 * k + i
                square[a, k], square[b, j] = square[b, j], square[a, k]
