"""Two layers of 6×6 Geister, two blues and two reds a side: ``python -m benchmarks.streamed``.

99,487,717,560 positions are too many for memory, so the bit matrices of
`gamecore.geister.bitmatrix` must be streamed from disk. Half of them suffice: a position and its
left-right mirror image have one result. Placements are numbered so that mirroring is *swapping
halves*: first one of each mirror pair, then the others in the same order (a placement that is its
own mirror image is in both). Only rows of the first half are kept, all columns are; a column block
travels with its mirror block, so the row of a placement of the second half is the row of its mirror
image with the two blocks swapped, word for word. Transposing goes half by half.

The program takes every sixth pair of column blocks, writes it to a scratch file as it is before the
first layer, and solves two layers there for real: the wins in 1 ply, and, from all wins in 1, the
losses in 2. Each layer reads two files from disk, writes one back and a transposed one, all past
the page cache. Then it checks: what the wins' layer leaves open and what it writes transposed are,
bit for bit, what escapes and last blues say directly, and random positions follow from their
successors by the plain rules. Rates go into data/geister-6x6.csv.
"""

import argparse
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from benchmarks.growth import geister_positions, memory
from gamecore.bits import popcount
from gamecore.geister import Position, retrograde
from gamecore.geister.bitmatrix import BLOCK, WORDS, Placements, _transpose64
from gamecore.geister.rules import steps, turn
from gamecore.kernel import kernel
from gamecore.papers.published import data_folder
from gamecore.papers.store import machine

BOARD = (6, 6, 2, 2)
EVERY = 6  # of the pairs of column blocks, which are solved
SAMPLES = 3000
#: Boards that are small enough to be solved whole, for how the number of layers grows.
SMALLER = [(w, w, b, r) for b, r in ((1, 1), (2, 1), (1, 2)) for w in (4, 5, 6)]


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
    tile = np.zeros(64, np.uint64)
    rows = len(found)
    for base in range(0, half, 64):
        block, at = base // BLOCK, base % BLOCK // 64
        for part in range(2):
            for word in range(WORDS):
                for i in range(64):
                    tile[i] = found[base + i, part, word] if base + i < rows else np.uint64(0)
                _transpose64(tile)
                for i in range(64):
                    turned[block, word * 64 + i, part, at] = tile[i]


class Stream:
    """A file of equal pieces, read and written past the page cache; knows bytes and seconds."""

    def __init__(self, path: Path, piece: int):
        self.file, self.piece, self.bytes, self.seconds = (
            os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC), piece, 0, 0.0
        )  # fmt: skip
        os.unlink(path)  # gone with the process, whatever happens

    def read(self, number: int, array: np.ndarray) -> None:
        """Fill an array with a piece."""
        view, place = memoryview(array).cast("B"), number * self.piece
        self._timed(lambda: os.preadv(self.file, [view], place), array)

    def write(self, number: int, array: np.ndarray) -> None:
        """Write a piece."""
        view, place = memoryview(array).cast("B"), number * self.piece
        self._timed(lambda: os.pwrite(self.file, view, place), array)

    def flush(self) -> None:
        """Wait until all is on disk, and forget it."""
        start = time.perf_counter()
        os.fsync(self.file)
        os.posix_fadvise(self.file, 0, 0, os.POSIX_FADV_DONTNEED)
        self.seconds += time.perf_counter() - start

    def _timed(self, work: Callable[[], int], array: np.ndarray) -> None:
        start = time.perf_counter()
        done = work()
        self.seconds += time.perf_counter() - start
        self.bytes += done
        if done != array.nbytes:
            raise OSError(f"{done} of {array.nbytes} bytes")


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


class Layers:
    """Two layers of some pairs of column blocks, streamed through files in a folder."""

    def __init__(self, board: tuple[int, int, int, int], every: int, folder: Path):
        self.width, self.height = board[:2]
        self.sides, self.masks = halves(*board)
        size = len(self.sides.escapes)
        self.blocks = self.sides.half // BLOCK
        self.chosen = list(range(0, self.blocks, every))
        self.columns = {b: columns(self.masks, b, *board[:2]) for b in self.chosen}
        shape = (size, 2, WORDS)
        self.source, self.left, self.found = (np.zeros(shape, np.uint64) for _ in range(3))
        self.turned = np.zeros((self.blocks, BLOCK, 2, WORDS), np.uint64)
        self.piece = np.zeros((BLOCK, 2, WORDS), np.uint64)
        self.near = steps(self.width, self.height)
        self.files = {
            "source": Stream(folder / "source", self.source.nbytes),
            "left": Stream(folder / "left", self.left.nbytes),
            "target": Stream(folder / "target", self.piece.nbytes),
        }

    def begin(self) -> int:
        """Write the state before the first layer; return how many positions are open."""
        positions = 0
        for k, block in enumerate(self.chosen):
            known = self.columns[block]
            blank(self.sides, self.near, known, True, self.source, self.left, False)
            positions += counted(self.sides, known, self.left)
            self.files["source"].write(k, self.source)
            self.files["left"].write(k, self.left)
            ended(self.sides, known, self.found)
            transposed(self.found, self.sides.half, self.turned)
            self._scatter(k, add=False)
        self._flush()
        return positions

    def run(self, is_win: bool) -> dict[str, float]:
        """Solve a layer from disk to disk; return counts, bytes and seconds."""
        for file in self.files.values():
            file.bytes, file.seconds = 0, 0.0
        new, wall, processor = 0, time.perf_counter(), 0.0
        for k, block in enumerate(self.chosen):
            self.files["source"].read(k, self.source)
            self.files["left"].read(k, self.left)
            start = time.process_time()  # others may use the machine
            new += layer(
                self.sides, self.columns[block], is_win, self.source, self.left, self.found
            )
            transposed(self.found, self.sides.half, self.turned)
            processor += time.process_time() - start
            self.files["left"].write(k, self.left)
            self._scatter(k, add=is_win)
        self._flush()
        files = self.files.values()
        return {
            "new": new, "bytes": sum(f.bytes for f in files), "solving": processor,
            "disk": sum(f.seconds for f in files), "wall": time.perf_counter() - wall,
        }  # fmt: skip

    def first_layer_differs(self) -> int:
        """Return in how many words the first layer is not what the rules say directly.

        What is left open, and what was written transposed. The sources become those of layer 2.
        """
        wrong = 0
        left, masks = np.zeros_like(self.left), np.zeros_like(self.piece)
        for k, block in enumerate(self.chosen):
            known = self.columns[block]
            blank(self.sides, self.near, known, False, self.source, left, True)
            self.files["left"].read(k, self.left)
            wrong += int((left != self.left).sum())
            self.files["source"].write(k, self.source)
            for other, row_block in enumerate(self.chosen):
                self.files["target"].read(block * len(self.chosen) + other, self.piece)
                first = row_block * BLOCK
                masks[:] = 0
                apart(self.sides, known, first, masks)
                rows = self.source[first : first + BLOCK]
                wrong += int(((self.piece[: len(rows)] ^ rows) & masks[: len(rows)] != 0).sum())
        self._flush()
        return wrong

    def check(self, samples: int) -> int:
        """Compare random positions of the chosen blocks with the plain rules; return how many."""
        generator, done = np.random.default_rng(1), 0
        lost = 0
        for _ in range(samples):
            k = int(generator.integers(len(self.chosen)))
            if done % 100 == 0 or done == 0:
                at = k
                self.files["left"].read(at, self.left)
            row = int(generator.integers(len(self.sides.escapes)))
            part, i = int(generator.integers(2)), int(generator.integers(BLOCK))
            column = part * self.sides.half + self.chosen[at] * BLOCK + i
            own, theirs = self.masks[row], self.masks[column]
            seen = tuple(turn(mask, self.width * self.height) for mask in theirs)
            if not theirs[0] or (own[0] | own[1]) & (seen[0] | seen[1]):
                continue
            position = Position(*own, *seen, self.width, self.height)
            is_open = int(self.left[row, part, i // 64]) >> i % 64 & 1
            is_lost = all(wins_in_one(position.play(move)) for move in position.moves())
            if bool(is_open) == (wins_in_one(position) or is_lost):
                raise ValueError(f"{position!r} is {'open' if is_open else 'decided'}")
            done, lost = done + 1, lost + is_lost
        print(f"{done:,} random positions, {lost:,} of them lost in 2, are as the plain rules say")
        return done

    def _scatter(self, k: int, add: bool) -> None:
        """Write the transposed pair of blocks, a piece to each pair of blocks of the target."""
        for block in range(self.blocks):
            number = block * len(self.chosen) + k
            if add:
                self.files["target"].read(number, self.piece)
                self.turned[block] |= self.piece
            self.files["target"].write(number, self.turned[block])

    def _flush(self) -> None:
        for file in self.files.values():
            file.flush()


def wins_in_one(position: Position | str) -> bool:
    """Say by the plain rules whether the side to move wins at once, or has won already.

    Examples
    --------
    >>> wins_in_one(Position.parse("B.b / ... / r.R"))
    True
    >>> wins_in_one(Position.parse("..b / B.. / r.R"))
    False
    """
    if isinstance(position, str):  # what the mover before got
        return position == "loss"
    return any(position.play(move) == "win" for move in position.moves())


def layers_of(board: tuple[int, int, int, int]) -> dict[str, object]:
    """Solve a smaller board whole, and say how many layers that took."""
    solved = retrograde(*board, depths=False)
    depth = max([*solved.win_histogram, *solved.loss_histogram])
    return {
        "board": f"{board[0]}×{board[1]}, {board[2]}+{board[3]}", "cells": board[0] * board[1],
        "positions": solved.total, "layers": depth,
    }  # fmt: skip


def main() -> None:
    """Measure, check, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--folder", type=Path, default=Path("/tmp"), help="of the scratch files")
    parser.add_argument("--every", type=int, default=EVERY, help="solve one of so many blocks")
    arguments = parser.parse_args()
    small = Layers((4, 4, 2, 2), 1, arguments.folder)  # loads the kernels, and is known
    assert small.begin() == geister_positions(4, 4, 2, 2)
    assert small.run(True)["new"] == 21_405_186
    assert small.first_layer_differs() == 0
    assert small.run(False)["new"] == 7_514_602
    start = time.perf_counter()
    work = Layers(BOARD, arguments.every, arguments.folder)
    print(f"{work.sides.half:,} rows, {work.blocks} pairs of blocks, {len(work.chosen)} of them; "
          f"{time.perf_counter() - start:.0f} s to number placements")  # fmt: skip
    start = time.perf_counter()
    positions = work.begin()
    print(f"{positions:,} positions; {time.perf_counter() - start:.0f} s to write them")
    rows = []
    for depth, is_win in ((1, True), (2, False)):
        found = work.run(is_win)
        print(depth, found)
        if is_win:
            assert work.first_layer_differs() == 0
        rows.append({
            "depth": depth, "kind": "wins" if is_win else "losses", "blocks": len(work.chosen),
            "all_blocks": work.blocks, "positions": positions,
            "all_positions": geister_positions(*BOARD), **found,
            "matrix": work.left.nbytes * work.blocks, "memory": memory("VmHWM"),
            "machine": machine(),
        })  # fmt: skip
    checked = work.check(SAMPLES * 2)
    table = pd.DataFrame(rows).assign(checked=checked)
    table.to_csv(data_folder() / "geister-6x6.csv", index=False)
    boards = [*SMALLER, (3, 3, 2, 2), (4, 4, 2, 2)]
    pd.DataFrame([layers_of(board) for board in boards]).to_csv(
        data_folder() / "geister-layers.csv", index=False
    )


if __name__ == "__main__":
    main()
