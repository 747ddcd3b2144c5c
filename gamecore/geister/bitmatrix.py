"""Retrograde analysis (後退解析) of Geister with open colours, by bit matrices.

A position is a pair: where the pieces of the side to move stand, and where the other side's do.
One side alone has few placements (14,520 on 4×4 with up to two blues and two reds), so *the set of
all positions with some property is a bit matrix*, a row and a column for every placement, and
one ply of retrograde analysis is work on whole rows, 64 positions a machine word:

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

import numpy as np

from gamecore.bits import popcount
from gamecore.geister.rules import mask_of, steps
from gamecore.kernel import kernel

BLOCK = 512  # columns in a block
WORDS = BLOCK // 64


class Placements:
    """All ways to place one side's pieces, fewest pieces first, and how they hang together."""

    def __init__(self, width: int, height: int, max_blue: int, max_red: int):
        self.width, self.height, self.cells = width, height, width * height
        sizes = [(b, r) for b in range(1, max_blue + 1) for r in range(1, max_red + 1)]
        masks = [
            (blue, mask_of(red))
            for b, r in sorted(sizes, key=sum)
            for blues in combinations(range(self.cells), b)
            for blue in [mask_of(blues)]
            for red in combinations([c for c in range(self.cells) if not blue >> c & 1], r)
        ]
        self.masks = masks
        self.index = {mask: i for i, mask in enumerate(masks)}
        self.blocks = -(-len(masks) // BLOCK)
        board = [[int(t) for t in row if t >= 0] for row in steps(width, height)]
        pieces = max_blue + max_red
        neighbours: list[int] = []
        starts = [0]
        #: For each piece of a placement: its cell, and the placement without it (−1 if a last one).
        self.cell = np.full((len(masks), pieces), -1, np.int16)
        self.without = np.full((len(masks), pieces), -1, np.int32)
        self.last_blue = np.full(len(masks), -1, np.int16)
        self.last_red = np.full(len(masks), -1, np.int16)
        for i, (blue, red) in enumerate(masks):
            own = blue | red
            place = 0
            for cell in range(self.cells):
                bit = 1 << cell
                if not own & bit:
                    continue
                for target in board[cell]:
                    if not own >> target & 1:
                        to = 1 << target
                        moved = (blue ^ bit | to, red) if blue & bit else (blue, red ^ bit | to)
                        neighbours.append(self.index[moved])
                self.cell[i, place] = cell
                if blue == bit:
                    self.last_blue[i] = cell
                elif red == bit:
                    self.last_red[i] = cell
                else:
                    self.without[i, place] = self.index[blue & ~bit, red & ~bit]
                place += 1
            starts.append(len(neighbours))
        self.neighbours = np.array(neighbours, np.int32)
        self.starts = np.array(starts, np.int64)
        goals = 1 | 1 << width - 1
        self.escapes = np.array([blue & goals != 0 for blue, _ in masks])

    def on(self) -> np.ndarray:
        """Return ``[cell, block, word]``: the columns whose placement stands on a row's cell.

        The row's side sees the column's side turned by 180 degrees.
        """
        size = self.blocks * BLOCK
        table = np.zeros((self.cells, size), bool)
        for i, (blue, red) in enumerate(self.masks):
            for cell in range(self.cells):
                table[self.cells - 1 - cell, i] = (blue | red) >> cell & 1
        packed = np.packbits(table, axis=1, bitorder="little").view(np.uint64)
        return packed.reshape(self.cells, self.blocks, WORDS)

    def real(self) -> np.ndarray:
        """Return ``[block, word]``: the columns that are placements, not padding."""
        table = np.arange(self.blocks * BLOCK) < len(self.masks)
        return np.packbits(table, bitorder="little").view(np.uint64).reshape(self.blocks, WORDS)


@kernel
def start(block, open_, cell, on, real):
    """Mark every position of a block of columns as open: pairs that do not overlap."""
    positions = 0
    for row in range(len(cell)):
        for word in range(WORDS):
            free = real[block, word]
            for piece in range(cell.shape[1]):
                if cell[row, piece] >= 0:
                    free &= ~on[cell[row, piece], block, word]
            open_[block, row, word] = free
            positions += popcount(free)
    return positions


@kernel
def end(block, target, last, on):
    """Mark the pairs in which the column's side has just taken a last piece of the row's."""
    ended = np.zeros((target.shape[1], WORDS), np.uint64)
    for row in range(len(last)):
        if last[row] >= 0:
            for word in range(WORDS):
                ended[row, word] = on[last[row], block, word]
    _transpose(block, ended, np.ones(len(ended), np.bool_), target, False)
    return 0


@kernel
def layer(
    block, win, source, target, open_, depth, planes,
    starts, neighbours, escapes, cell, without, on,
):  # fmt: skip
    """Solve one layer in one block of columns; return how many positions are new.

    `source` tells where a reply is known to be lost (then some move must lead there) or won (then
    all moves must); what is found goes, transposed, to `target`.
    """
    found = np.zeros((source.shape[1], WORDS), np.uint64)
    some = np.zeros(len(found), np.bool_)  # rows with anything found: late layers are nearly empty
    replies, left = source[block], open_[block]
    new = 0
    for row in range(len(escapes)):
        if win and not escapes[row]:
            for i in range(starts[row], starts[row + 1]):
                reply = neighbours[i]
                for word in range(WORDS):
                    found[row, word] |= replies[reply, word]
            for word in range(WORDS):
                found[row, word] &= left[row, word]
        else:
            for word in range(WORDS):
                found[row, word] = left[row, word]
            if not win:
                for i in range(starts[row], starts[row + 1]):
                    reply = neighbours[i]
                    for word in range(WORDS):
                        found[row, word] &= replies[reply, word]
        fresh = np.uint64(0)
        for word in range(WORDS):
            left[row, word] ^= found[row, word]
            fresh |= found[row, word]
        if fresh:
            for word in range(WORDS):
                new += popcount(found[row, word])
            for k in range(len(planes)):
                if depth >> k & 1:
                    for word in range(WORDS):
                        planes[k, block, row, word] |= found[row, word]
        some[row] = fresh != 0
        for piece in range(cell.shape[1]):  # pairs in which the column has just taken this piece
            fewer, place = without[row, piece], cell[row, piece]
            if fewer >= 0 and some[fewer]:
                some[row] = True
                for word in range(WORDS):
                    found[row, word] |= found[fewer, word] & on[place, block, word]
    _transpose(block, found, some, target, win)
    return new


@kernel
def _transpose(block, found, some, target, add):
    """Write a block of columns into `target` as its rows, 64×64 bits at a time."""
    tile = np.empty(64, np.uint64)
    for base in range(0, len(found), 64):
        empty = True
        for i in range(64):
            empty = empty and not some[base + i]
        if empty and add:
            continue
        to_block, to_word = base // BLOCK, base % BLOCK // 64
        for word in range(WORDS):
            row = block * BLOCK + word * 64
            if empty:
                for i in range(64):
                    target[to_block, row + i, to_word] = 0
                continue
            for i in range(64):
                tile[i] = found[base + i, word]
            _transpose64(tile)
            for i in range(64):
                if add:
                    target[to_block, row + i, to_word] |= tile[i]
                else:
                    target[to_block, row + i, to_word] = tile[i]


@kernel
def _transpose64(tile):
    """Transpose a 64×64 bit matrix in place: swap off-diagonal halves, quarters, … bits."""
    half, mask = 32, np.uint64(0x00000000FFFFFFFF)
    while half:
        shift = np.uint64(half)
        for start in range(0, 64, 2 * half):
            for i in range(start, start + half):
                swap = ((tile[i] >> shift) ^ tile[i + half]) & mask
                tile[i] ^= swap << shift
                tile[i + half] ^= swap
        half >>= 1
        mask ^= mask << np.uint64(half)
