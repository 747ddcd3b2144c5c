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
- **Mirror images share a row.** A position and its left-right mirror image have one result. Columns
  2k and 2k + 1 are each other's images: mirroring a row is swapping neighbouring bits, one row
  does for both, and transposing moves pairs of bits.
- **All piece counts run in lockstep** by depth 1, 2, 3, …, until nothing new appears. What is then
  still open is a draw.
- **Wins have odd depths, losses even ones**, so layers take turns. No side can be made to take the
  last red: pieces on less than all of a board always have two different cells to go to.
- **Only news is followed.** A layer looks at the rows that have something open and of which a reply
  has changed since the layer before; late ones are few.
- **Depths are bit-sliced**: plane k holds bit k of every depth, so that recording a layer is one OR
  a word as well.

Matrices are kept in blocks of 512 columns, ``[block, row, word]``: what a step reads at random
(a block, under half a MB) and what it writes (the transposed block) stay in the second-level cache,
and threads that work on different blocks write to different rows.

References
----------
N. Kawakami, master's thesis, JAIST, 2021 (in Japanese), sections 5.3 and 6.1.
"""

from collections import namedtuple
from itertools import combinations
from math import comb

import numpy as np

from gamecore.bits import lowest
from gamecore.geister.rules import steps
from gamecore.kernel import kernel
from gamecore.vector import WIDTH as WORDS
from gamecore.vector import count, load, some, spread, store

BLOCK = 64 * WORDS  # columns in a block
ROWS = BLOCK // 2  # rows of as many placements: mirror images share one
FEW = 8  # one in so many changed rows, or fewer: it pays to find out which others they concern
SPARSE = 256  # bits of a square that are quicker moved one by one
_EVERY, _EVEN = np.uint64(0xFFFFFFFFFFFFFFFF), np.uint64(0x5555555555555555)  # of a word's bits

#: One side's placements, as kernels need them. Of a row: the rows of its neighbours, read as they
#: are from ``starts[2 * row]`` and mirrored from ``starts[2 * row + 1]``; whether it `escapes`;
#: each piece's `cell`, and the column of the placement `without` it (−1 if it was a last one); for
#: how many placements it `stands`, 2 or 1. Of columns: those `on` a cell, as the row's side sees
#: it, ``[cell, block, word]``; those to be counted, ``each[block, word]``, since a placement that
#: is its own image has two.
Sides = namedtuple("Sides", "starts neighbours escapes cell without stands on each")


class Placements:
    """All ways to place one side's pieces, fewest pieces first, and how they hang together.

    They are numbered as combinations come in lexicographic order: of blues on all cells, then of
    reds on the others. So the number of any placement can be computed, for arrays of them at once.
    Where a placement is in bit matrices is another number, its column; half of that is its row.
    """

    def __init__(self, width: int, height: int, max_blue: int, max_red: int):
        self.width, self.height, self.cells = width, height, width * height
        sizes = [(b, r) for b in range(1, max_blue + 1) for r in range(1, max_red + 1)]
        self._first: dict[tuple[int, int], int] = {}  # the first number of each size
        total = 0
        for b, r in sorted(sizes, key=sum):
            self._first[b, r] = total
            total += comb(self.cells, b) * comb(self.cells - b, r)
        every = {size: self._combinations(*size) for size in self._first}
        kind = object if self.cells > 62 else np.int64
        bits = np.array([1 << cell for cell in range(self.cells)], kind)
        self.masks: list[tuple[int, int]] = []
        for pair in every.values():
            self.masks += zip(*(bits[cells].sum(1).tolist() for cells in pair), strict=True)
        self.index = {mask: i for i, mask in enumerate(self.masks)}
        self._mirror = np.arange(self.cells).reshape(height, width)[:, ::-1].ravel()
        mirrored = [[self._mirror[cells] for cells in pair] for pair in every.values()]
        image = np.concatenate([self._numbers(*pair) for pair in mirrored])
        #: The numbers of the placements that have a row: the first of each two images.
        self.rows = np.flatnonzero(np.arange(total) <= image)
        self.stands = 1 + (self.rows < image[self.rows])
        self.blocks = -(-len(self.rows) // ROWS)
        #: Where each number is: twice its row, or one more if it has its image's row.
        self.columns = np.empty(total, np.int64)
        self.columns[image[self.rows]] = 2 * np.arange(len(self.rows)) + 1
        self.columns[self.rows] = 2 * np.arange(len(self.rows))
        self._connect(every, max_blue + max_red)

    def _connect(self, every: dict, pieces: int) -> None:
        """Tell of each row what its pieces can do, and what is left when one is taken."""
        size = len(self.rows)
        self.cell = np.full((size, pieces), -1, np.int16)
        self.without = np.full((size, pieces), -1, np.int32)
        self.last_blue, self.last_red = np.full((2, size), -1, np.int16)
        self.escapes = np.zeros(size, bool)
        near = np.full((size, 4 * pieces), -1, np.int32)
        board = steps(self.width, self.height)
        for (b, r), first in self._first.items():
            begin, end = np.searchsorted(self.rows, (first, first + len(every[b, r][0])))
            rows = slice(begin, end)
            blue, red = (cells[self.rows[rows] - first] for cells in every[b, r])
            own = np.hstack([blue, red])
            self.cell[rows, : b + r] = own
            self.escapes[rows] = np.isin(blue, (0, self.width - 1)).any(1)
            if b == 1:
                self.last_blue[rows] = blue[:, 0]
            if r == 1:
                self.last_red[rows] = red[:, 0]
            for k in range(b + r):
                if (b if k < b else r) > 1:
                    rest, left = np.delete(own, k, 1), b - (k < b)
                    fewer = self._numbers(rest[:, :left], rest[:, left:])
                    self.without[rows, k] = self.columns[fewer]
                for way, target in enumerate(board[own[:, k]].T):
                    legal = np.flatnonzero((target >= 0) & (own != target[:, None]).all(1))
                    moved = own[legal]
                    moved[:, k] = target[legal]
                    to = self._numbers(moved[:, :b], moved[:, b:])
                    near[begin + legal, 4 * k + way] = self.columns[to]
        to = near[near >= 0]
        part = 2 * np.nonzero(near >= 0)[0] + to % 2  # of each row, then those to be mirrored
        self.neighbours = to[np.argsort(part, kind="stable")] // 2
        self.starts = np.concatenate([[0], np.cumsum(np.bincount(part, minlength=2 * size))])

    def _combinations(self, blues: int, reds: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the cells of all placements of so many blues and reds, a row for each."""
        blue = np.array([*combinations(range(self.cells), blues)])
        others = np.array([np.delete(np.arange(self.cells), cells) for cells in blue])
        red = others[:, np.array([*combinations(range(self.cells - blues), reds)])]
        return np.repeat(blue, red.shape[1], 0), red.reshape(-1, reds)

    def _numbers(self, blue: np.ndarray, red: np.ndarray) -> np.ndarray:
        """Return the numbers of placements, given by rows of cells."""
        (_, b), (_, r) = blue.shape, red.shape
        among_others = red - (blue[:, :, None] < red[:, None]).sum(1)
        rank = _rank(blue, self.cells) * comb(self.cells - b, r)
        return self._first[b, r] + rank + _rank(among_others, self.cells - b)

    def sides(self) -> Sides:
        """Return what kernels need of the placements."""
        on = np.zeros((self.cells, self.blocks * BLOCK), bool)
        row, piece = np.nonzero(self.cell >= 0)
        cell = self.cell[row, piece]  # the other side sees it turned by 180 degrees
        on[self.cells - 1 - cell, 2 * row] = True
        on[self.cells - 1 - self._mirror[cell], 2 * row + 1] = True
        each = np.zeros(self.blocks * BLOCK, bool)
        each[self.columns] = True
        on, each = (np.packbits(t, axis=-1, bitorder="little").view(np.uint64) for t in (on, each))
        return Sides(
            self.starts, self.neighbours, self.escapes, self.cell, self.without, self.stands,
            on.reshape(self.cells, self.blocks, WORDS), each.reshape(self.blocks, WORDS),
        )  # fmt: skip


def _rank(chosen: np.ndarray, cells: int) -> np.ndarray:
    """Return the places of combinations, given by rows, among all of so many cells."""
    size = chosen.shape[1]
    above = np.zeros(len(chosen), np.int64)
    for i, column in enumerate(np.sort(chosen).T):  # who agrees before, then has a higher cell
        ways = np.array([comb(cells - 1 - cell, size - i) for cell in range(cells)])
        above += ways[column]
    return comb(cells, size) - 1 - above


@kernel
def locate(own, other):
    """Return where the bit of a pair is in a matrix: block, row, word, and the bit's place.

    Both are columns of placements, `own` of the side that has the rows. If its row is its image's,
    the other side's image is the column there.
    """
    column = other ^ own & 1
    return column // BLOCK, own >> 1, column % BLOCK // 64, np.uint64(column % 64)


@kernel
def _mirrored(row):
    """Return what is in the columns of the mirror images."""
    one, even = spread(np.uint64(1)), spread(_EVEN)
    return (row & even) << one | row >> one & even


@kernel
def start(block, sides, open_):
    """Mark every position of a block of columns as open: pairs that do not overlap."""
    positions, left, there, each = 0, open_[block], sides.on[:, block], load(sides.each, block)
    every = each | _mirrored(each)
    for row in range(len(sides.cell)):
        taken = spread(np.uint64(0))
        for piece in range(sides.cell.shape[1]):
            if sides.cell[row, piece] >= 0:
                taken = taken | load(there, sides.cell[row, piece])
        free = every & (every ^ taken)
        store(left, row, free)
        positions += count(free & each) * sides.stands[row]
    return positions


@kernel
def end(block, sides, last, target, touched):
    """Mark the pairs in which the column's side has just taken a last piece of the row's."""
    found, there = np.zeros((len(target) * ROWS, WORDS), np.uint64), sides.on[:, block]
    for row in range(len(last)):
        if last[row] >= 0:
            store(found, row, load(there, last[row]))
    _transpose(block, found, target, touched)
    return 0


@kernel
def layer(block, depth, sides, source, changed, target, touched, open_, planes):
    """Solve one layer in one block of columns; return how many positions are new.

    `source` tells where a reply was lost in the layer before (then some move must lead there) or
    is known to be won (then all moves must), and `changed` which of its rows are new. What is found
    goes, transposed, to `target`, and which rows that changes to `touched`.
    """
    replies, left, there, each = source[block], open_[block], sides.on[:, block], sides.each
    starts, neighbours, without = sides.starts, sides.neighbours, sides.without
    is_win, nothing, new = depth % 2 == 1, spread(np.uint64(0)), 0
    found = np.zeros(left.shape, np.uint64)
    for row in _waiting(depth, changed[block], left, starts, neighbours):
        still = load(left, row)
        first, images, last = starts[2 * row], starts[2 * row + 1], starts[2 * row + 2]
        fresh, mirrored = still, spread(_EVERY)
        if not is_win:
            for i in range(first, images):
                fresh = fresh & load(replies, neighbours[i])
            for i in range(images, last):
                mirrored = mirrored & load(replies, neighbours[i])
            fresh = fresh & _mirrored(mirrored)
        elif not sides.escapes[row]:
            fresh, mirrored = nothing, nothing
            for i in range(first, images):
                fresh = fresh | load(replies, neighbours[i])
            for i in range(images, last):
                mirrored = mirrored | load(replies, neighbours[i])
            fresh = (fresh | _mirrored(mirrored)) & still
        if some(fresh):
            new += count(fresh & load(each, block)) * sides.stands[row]
            store(found, row, fresh)
            store(left, row, still ^ fresh)
            for k in range(len(planes)):
                if depth >> k & 1:
                    plane = planes[k, block]
                    store(plane, row, load(plane, row) | fresh)
    for row in range(len(without)):
        if changed[block, row]:
            changed[block, row] = False
            if is_win:  # these losses have been used
                store(replies, row, nothing)
    if new:
        for row in range(len(without)):
            fresh = load(found, row)
            for piece in range(without.shape[1]):  # the column's side may have just taken it
                if without[row, piece] >= 0:
                    fewer = load(found, without[row, piece] >> 1)
                    if without[row, piece] & 1:
                        fewer = _mirrored(fewer)
                    fresh = fresh | fewer & load(there, sides.cell[row, piece])
            store(found, row, fresh)
        _transpose(block, found, target, touched)
    return new


@kernel
def _waiting(depth, changed, left, starts, neighbours):
    """Return the rows that have something open and of which a reply has changed: late, few."""
    size, some_changed = len(starts) // 2, np.sum(changed)
    ready = np.full(size, depth == 1 or some_changed > size // FEW)  # then it is most of them
    rows, found = np.empty(size, np.int32), 0
    if not ready[0] and some_changed:
        for row in range(size):
            if changed[row]:
                for i in range(starts[2 * row], starts[2 * row + 2]):  # any step can be taken back
                    ready[neighbours[i]] = True
    for row in range(size):
        rows[found] = row
        found += ready[row] and some(load(left, row))
    return rows[:found]


@kernel
def _transpose(block, found, target, touched):
    """Add a block of columns to `target` as its rows, 256×256 pairs of bits at a time."""
    one = np.uint64(1)
    for part in range(len(target)):
        square, rows, flags = found[part * ROWS : (part + 1) * ROWS], target[part], touched[part]
        bits = 0
        for i in range(ROWS):
            bits += count(load(square, i))
        if bits > SPARSE:
            _transpose_square(square)
            for i in range(ROWS):
                row, turned = block * ROWS + i, load(square, i)
                store(rows, row, load(rows, row) | turned)
                flags[row] |= some(turned)
        elif bits:
            for i in range(ROWS):
                if some(load(square, i)):
                    for word in range(WORDS):
                        rest = square[i, word]
                        while rest:
                            column = 64 * word + lowest(rest)
                            row, place = block * ROWS + column // 2, 2 * i + column % 2
                            rows[row, place // 64] |= one << np.uint64(place % 64)
                            flags[row] = True
                            rest &= rest - one


@kernel
def _transpose_square(square):
    """Transpose 256×256 pairs of bits in place: words of 32 rows each, then words themselves."""
    for base in range(0, ROWS, 32):
        half, mask = 16, np.uint64(0x00000000FFFFFFFF)
        while half:  # swap off-diagonal halves, quarters, … pairs
            shift, some_bits = spread(np.uint64(2 * half)), spread(mask)
            for first in range(base, base + 32, 2 * half):
                for i in range(first, first + half):
                    upper, lower = load(square, i), load(square, i + half)
                    swap = (upper >> shift ^ lower) & some_bits
                    store(square, i, upper ^ swap << shift)
                    store(square, i + half, lower ^ swap)
            half >>= 1
            mask ^= mask << np.uint64(2 * half)
    for i in range(32):
        for j in range(WORDS):
            for k in range(j):
                a, b = 32 * j + i, 32 * k + i
                square[a, k], square[b, j] = square[b, j], square[a, k]
