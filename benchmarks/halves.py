"""Bit matrices of Geister with mirror images halved: numbering, and what a layer does to columns.

Placements are numbered so that mirroring is *swapping halves*: first one of each mirror pair, then
the others in the same order (a placement that is its own mirror image is in both). Only rows of the
first half are kept, all columns are; a column block travels with its mirror block, so the row of a
placement of the second half is the row of its mirror image with the two blocks swapped, word for
word. Transposing goes half by half. `benchmarks.streamed` runs it from disk to disk.
"""

from typing import NamedTuple

import numpy as np

from gamecore.bits import popcount
from gamecore.geister.bitmatrix import BLOCK, WORDS, Placements, _transpose_square
from gamecore.kernel import kernel


class Halves(NamedTuple):
    """All placements of one side, numbered so that mirroring is swapping halves.

    Numbers below `half` are rows; `half` more is the mirror image. Of a row: its neighbours
    ``starts[row]:starts[row + 1]``, as a row and whether that is to be read mirrored, its pieces'
    cells, the rows without each of them (−1 if it was a last one), where its last blue and red are
    (−1 if it has two), whether it can escape, and for how many placements it stands, 2 or 1.
    """

    half: int
    starts: np.ndarray
    neighbours: np.ndarray
    swaps: np.ndarray
    cell: np.ndarray
    without: np.ndarray
    without_swaps: np.ndarray
    last_blue: np.ndarray
    last_red: np.ndarray
    escapes: np.ndarray
    stands_for: np.ndarray


class Columns(NamedTuple):
    """Of a pair of column blocks, by cell as a row's side sees it: who stands there, in words.

    Any piece; the last blue; the last red; and who could escape if the piece there were gone.
    Then who can escape, which columns are placements at all, and those to be counted: a placement
    that is its own mirror image stands in both blocks.
    """

    on: np.ndarray
    last_blue: np.ndarray
    last_red: np.ndarray
    leaving: np.ndarray
    escapes: np.ndarray
    real: np.ndarray
    once: np.ndarray


def halves(
    width: int, height: int, max_blue: int, max_red: int
) -> tuple[Halves, list[tuple[int, int]]]:
    """Number one side's placements for streaming; return them, and their blues and reds.

    Examples
    --------
    >>> sides, masks = halves(4, 4, 1, 1)
    >>> len(sides.escapes), sides.half, masks[0], masks[sides.half]
    (120, 512, (1, 2), (8, 4))
    """
    sides = Placements(width, height, max_blue, max_red)
    image = [_mirrored(cell, width) for cell in range(width * height)]

    def mirror(mask: int) -> int:
        return sum(1 << image[c] for c in range(len(image)) if mask >> c & 1)

    mirrors = {mask: mirror(mask) for pair in sides.masks for mask in pair}
    twin = np.array([sides.index[mirrors[blue], mirrors[red]] for blue, red in sides.masks])
    rows = np.flatnonzero(np.arange(len(twin)) <= twin)
    half = -(-len(rows) // BLOCK) * BLOCK
    number = np.empty(len(twin), np.int64)  # old number → row
    number[rows] = np.arange(len(rows))
    is_image = np.ones(len(twin), bool)
    is_image[rows] = False
    number[is_image] = number[twin[is_image]]
    lengths = np.diff(sides.starts)
    kept = np.repeat(~is_image, lengths)
    near = sides.neighbours[kept]
    without = sides.without[rows]
    masks: list[tuple[int, int]] = [(0, 0)] * (2 * half)
    for row, old in enumerate(rows.tolist()):
        blue, red = sides.masks[old]
        masks[row], masks[half + row] = (blue, red), (mirrors[blue], mirrors[red])
    numbered = Halves(
        half=half,
        starts=np.concatenate([[0], np.cumsum(lengths[rows])]),
        neighbours=number[near].astype(np.int32),
        swaps=is_image[near],
        cell=sides.cell[rows],
        without=np.where(without >= 0, number[without], -1).astype(np.int32),
        without_swaps=is_image[without] & (without >= 0),
        last_blue=sides.last_blue[rows],
        last_red=sides.last_red[rows],
        escapes=sides.escapes[rows],
        stands_for=np.where(twin[rows] == rows, 1, 2),
    )
    return numbered, masks


def _mirrored(cell: int, width: int) -> int:
    return cell // width * width + width - 1 - cell % width


def columns(masks: list[tuple[int, int]], block: int, width: int, height: int) -> Columns:
    """Return what rows must know of one pair of column blocks."""
    cells, goals, half = width * height, 1 | 1 << width - 1, len(masks) // 2
    on, last_blue, last_red, leaving = (np.zeros((cells, 2, BLOCK), bool) for _ in range(4))
    escapes, real, once = (np.zeros((2, BLOCK), bool) for _ in range(3))
    for part in range(2):
        for i in range(BLOCK):
            blue, red = masks[part * half + block * BLOCK + i]
            if not blue:
                continue
            real[part, i], escapes[part, i] = True, blue & goals != 0
            twin = masks[(1 - part) * half + block * BLOCK + i]
            once[part, i] = part == 0 or twin != (blue, red)
            for cell in range(cells):
                if (blue | red) >> cell & 1:
                    seen = cells - 1 - cell
                    on[seen, part, i] = True
                    last_blue[seen, part, i] = blue == 1 << cell
                    last_red[seen, part, i] = red == 1 << cell
                    leaving[seen, part, i] = blue & goals & ~(1 << cell) != 0
    tables = on, last_blue, last_red, leaving, escapes, real, once
    return Columns(*(np.packbits(t, axis=-1, bitorder="little").view(np.uint64) for t in tables))


@kernel
def blank(sides, near, columns, is_lost, source, left, solved):
    """Write what a pair of column blocks is known to be, by the rules alone.

    `source` gets the pairs that the column's side has lost, or won, when it is to move, after no
    layer or (`solved`) after the first; `left` the positions that are open when the row's side is.
    """
    for row in range(len(sides.escapes)):
        for part in range(2):
            for word in range(WORDS):
                free = columns.real[part, word]
                taken, twice, ended = np.uint64(0), np.uint64(0), np.uint64(0)
                near_blue, lost_red, beaten = np.uint64(0), np.uint64(0), np.uint64(0)
                for piece in range(sides.cell.shape[1]):
                    cell = sides.cell[row, piece]
                    if cell < 0:
                        continue
                    there = columns.on[cell, part, word]
                    twice |= taken & there
                    taken |= there
                    ended |= columns.last_blue[cell, part, word]
                    lost_red |= columns.last_red[cell, part, word]
                    for i in range(4):
                        if near[cell, i] >= 0:
                            beaten |= columns.last_blue[near[cell, i], part, word]
                free &= ~taken
                left[row, part, word] = free
                if is_lost:  # the row's side has just taken the last blue of the column's
                    source[row, part, word] = ended
                    continue
                won = lost_red
                if solved:
                    if sides.escapes[row]:
                        left[row, part, word] = np.uint64(0)
                    left[row, part, word] &= ~beaten
                    blue = sides.last_blue[row]
                    if blue >= 0:
                        for i in range(4):
                            if near[blue, i] >= 0:
                                near_blue |= columns.on[near[blue, i], part, word]
                    won |= free & (columns.escapes[part, word] | near_blue)
                    for piece in range(sides.cell.shape[1]):
                        cell = sides.cell[row, piece]
                        if cell < 0:
                            continue
                        # the row's side has just taken the piece there, neither a last blue nor red
                        here = columns.on[cell, part, word] & ~twice & ~ended & ~lost_red
                        others = columns.leaving[cell, part, word]
                        if blue >= 0:
                            for i in range(4):
                                if near[blue, i] >= 0 and near[blue, i] != cell:
                                    others |= columns.on[near[blue, i], part, word]
                        won |= here & others
                source[row, part, word] = won


@kernel
def layer(sides, columns, is_win, source, left, found):
    """Solve one layer in a pair of column blocks; return how many new positions it stands for.

    As `gamecore.geister.bitmatrix.layer`, on half of the rows. What is new also comes off `left`.
    """
    new = 0
    for row in range(len(sides.escapes)):
        for part in range(2):
            for word in range(WORDS):
                found[row, part, word] = left[row, part, word] if not is_win else np.uint64(0)
        if is_win and not sides.escapes[row]:
            for i in range(sides.starts[row], sides.starts[row + 1]):
                reply, swap = sides.neighbours[i], np.int64(sides.swaps[i])
                for part in range(2):
                    for word in range(WORDS):
                        found[row, part, word] |= source[reply, part ^ swap, word]
            for part in range(2):
                for word in range(WORDS):
                    found[row, part, word] &= left[row, part, word]
        elif is_win:
            for part in range(2):
                for word in range(WORDS):
                    found[row, part, word] = left[row, part, word]
        else:
            for i in range(sides.starts[row], sides.starts[row + 1]):
                reply, swap = sides.neighbours[i], np.int64(sides.swaps[i])
                for part in range(2):
                    for word in range(WORDS):
                        found[row, part, word] &= source[reply, part ^ swap, word]
        for part in range(2):
            for word in range(WORDS):
                left[row, part, word] ^= found[row, part, word]
                counted = popcount(found[row, part, word] & columns.once[part, word])
                new += counted * sides.stands_for[row]
        for piece in range(sides.cell.shape[1]):
            fewer, cell = sides.without[row, piece], sides.cell[row, piece]
            if fewer >= 0:
                swap = np.int64(sides.without_swaps[row, piece])
                for part in range(2):
                    for word in range(WORDS):
                        taken = found[fewer, part ^ swap, word] & columns.on[cell, part, word]
                        found[row, part, word] |= taken
    return new


@kernel
def transposed(found, half, turned):
    """Write a pair of column blocks as rows: [pair of blocks, row of this block, half, word]."""
    square = np.zeros((BLOCK, WORDS), np.uint64)
    for base in range(0, half, BLOCK):
        size = min(BLOCK, len(found) - base)
        for part in range(2):
            square[:size] = found[base : base + size, part]
            square[size:] = 0
            _transpose_square(square)
            turned[base // BLOCK, :, part] = square


@kernel
def counted(sides, columns, left):
    """Return for how many positions the open ones of a pair of column blocks stand."""
    total = 0
    for row in range(len(sides.escapes)):
        for part in range(2):
            for word in range(WORDS):
                found = popcount(left[row, part, word] & columns.once[part, word])
                total += found * sides.stands_for[row]
    return total


@kernel
def ended(sides, columns, found):
    """Write the pairs in which the column's side has just taken the last red of the row's."""
    for row in range(len(sides.escapes)):
        for part in range(2):
            for word in range(WORDS):
                red = sides.last_red[row]
                found[row, part, word] = columns.on[red, part, word] if red >= 0 else np.uint64(0)


@kernel
def apart(sides, columns, first, masks):
    """Write which pairs overlap in at most one cell: positions, and what captures look up."""
    for row in range(first, min(first + len(masks), len(sides.escapes))):
        for part in range(2):
            for word in range(WORDS):
                taken, twice = np.uint64(0), np.uint64(0)
                for piece in range(sides.cell.shape[1]):
                    if sides.cell[row, piece] >= 0:
                        there = columns.on[sides.cell[row, piece], part, word]
                        twice |= taken & there
                        taken |= there
                masks[row - first, part, word] = columns.real[part, word] & ~twice
