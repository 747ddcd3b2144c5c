"""Two layers of 6×6 Geister, two blues and two reds a side: ``python -m benchmarks.streamed``.

99,487,717,560 positions are too many for memory, so the bit matrices of
`gamecore.geister.bitmatrix` must be streamed from disk. Half of them suffice, since a position and
its left-right mirror image have one result: see `benchmarks.halves`.

The program takes every sixth pair of column blocks, writes it to a scratch file as it is before the
first layer, and solves two layers there for real: the wins in 1 ply, and, from all wins in 1, the
losses in 2. Each layer reads two files from disk, writes one back and a transposed one; between
layers all is flushed, and dropped from the page cache. Then it checks: what the wins' layer leaves
open and what it writes transposed are, bit for bit, what escapes and last blues say directly, and
random positions follow from their successors by the plain rules. Rates go into
data/geister-6x6.csv.
"""

import argparse
import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.growth import geister_positions, memory
from benchmarks.halves import apart, blank, columns, counted, ended, halves, layer, transposed
from gamecore.geister import Position, retrograde
from gamecore.geister.bitmatrix import BLOCK, WORDS
from gamecore.geister.rules import steps, turn
from gamecore.papers import published
from gamecore.papers.published import data_folder
from gamecore.papers.store import machine

BOARD = (6, 6, 2, 2)
EVERY = 6  # of the pairs of column blocks, which are solved
SAMPLES = 3000
#: Boards that are small enough to be solved whole, for how the number of layers grows.
SMALLER = [(w, w, b, r) for b, r in ((1, 1), (2, 1), (1, 2)) for w in (4, 5, 6)]


class Stream:
    """A file of equal pieces, with the bytes that were read and written, and the seconds."""

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
        generator, done, lost, at = np.random.default_rng(1), 0, 0, 0
        for tried in range(samples):
            if tried % 100 == 0:
                at = int(generator.integers(len(self.chosen)))
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
    printed = {row.id: row.value for row in published.load("geister")}
    small = Layers((4, 4, 2, 2), 1, arguments.folder)  # loads the kernels, and is known
    assert small.begin() == geister_positions(4, 4, 2, 2)
    assert small.run(True)["new"] == printed["geister/table-6.2/win/1"]
    assert small.first_layer_differs() == 0
    assert small.run(False)["new"] == printed["geister/table-6.3/loss/2"]
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
