"""Two layers of 6×6 Geister, two blues and two reds a side: ``python -m benchmarks.streamed``.

99,487,717,560 positions are too many for memory, so the bit matrices of
`gamecore.geister.bitmatrix` must be streamed from disk. Its kernels work on a block of columns at a
time, so they need no more of them in memory.

The program takes every sixth block, writes it to a scratch file as it is before the first layer,
and solves two layers there for real: the wins in 1 ply, and, from all wins in 1, the losses in 2.
Each layer reads two files from disk, writes one back and a transposed one; between layers all is
flushed, and dropped from the page cache. Then it checks: what the wins' layer leaves open and what
it writes transposed are, bit for bit, what escapes and last blues say directly, and random
positions follow from their successors by the plain rules. Rates go into data/geister-6x6.csv.
"""

import argparse
import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.growth import geister_positions, memory
from gamecore.geister import Position, retrograde
from gamecore.geister.bitmatrix import BLOCK, ROWS, WORDS, Placements, end, layer, locate, start
from gamecore.geister.rules import steps, turn
from gamecore.papers import published
from gamecore.papers.published import data_folder
from gamecore.papers.store import machine

BOARD = (6, 6, 2, 2)
EVERY = 6  # of the blocks of columns, which are solved
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
        """Fill an array from a piece on."""
        self._move(os.preadv, number, array)

    def write(self, number: int, array: np.ndarray) -> None:
        """Write a piece."""
        self._move(os.pwritev, number, array)

    def flush(self) -> None:
        """Wait until all is on disk, and forget it."""
        clock = time.perf_counter()
        os.fsync(self.file)
        os.posix_fadvise(self.file, 0, 0, os.POSIX_FADV_DONTNEED)
        self.seconds += time.perf_counter() - clock

    def _move(self, way: Callable, number: int, array: np.ndarray) -> None:
        clock = time.perf_counter()
        done = way(self.file, [array], number * self.piece)
        self.seconds += time.perf_counter() - clock
        self.bytes += done
        if done != array.nbytes:
            raise OSError(f"{done} of {array.nbytes} bytes")


class Layers:
    """Two layers of some blocks of columns, streamed through files in a folder."""

    def __init__(self, board: tuple[int, int, int, int], every: int, folder: Path):
        self.placements = Placements(*board)
        self.sides, self.blocks = self.placements.sides(), self.placements.blocks
        self.chosen = range(0, self.blocks, every)
        # One block, and all that it writes when transposed: a piece for every block.
        self.source, self.left = np.zeros((2, 1, self.blocks * ROWS, WORDS), np.uint64)
        self.target = np.zeros((self.blocks, ROWS, WORDS), np.uint64)
        self.changed, self.touched = (np.zeros(t.shape[:2], bool) for t in (self.left, self.target))
        self.files = {
            "source": Stream(folder / "source", self.source.nbytes),
            "left": Stream(folder / "left", self.left.nbytes),
            "target": Stream(folder / "target", self.target[0].nbytes),
        }

    def begin(self) -> int:
        """Write the state before the first layer; return how many positions are open."""
        positions, last_blue, last_red = 0, self.placements.last_blue, self.placements.last_red
        for k, block in enumerate(self.chosen):
            self.source[:], self.target[:] = 0, 0
            positions += start(0, self._alone(block), self.left)
            end(0, self._alone(block), last_red, self.target, self.touched)
            here = last_blue[block * ROWS : (block + 1) * ROWS]
            for other in range(self.blocks):
                end(other, self.sides, here, self.source, self.changed)
            self.files["source"].write(k, self.source)
            self.files["left"].write(k, self.left)
            self._pieces(k, self.files["target"].write)
        self._flush()
        return positions

    def run(self, depth: int) -> dict[str, float]:
        """Solve a layer from disk to disk; return counts, bytes and seconds."""
        for file in self.files.values():
            file.bytes, file.seconds = 0, 0.0
        no_planes = np.zeros((0, *self.left.shape), np.uint64)
        new, wall, processor = 0, time.perf_counter(), 0.0
        for k, block in enumerate(self.chosen):
            self.files["source"].read(k, self.source)
            self.files["left"].read(k, self.left)
            self.target[:] = 0
            if depth % 2:  # wins are added to those before; losses are used once
                self._pieces(k, self.files["target"].read)
            self.changed[:] = True
            clock = time.process_time()  # others may use the machine
            new += layer(
                0, depth, self._alone(block), self.source, self.changed,
                self.target, self.touched, self.left, no_planes,
            )  # fmt: skip
            processor += time.process_time() - clock
            self.files["left"].write(k, self.left)
            self._pieces(k, self.files["target"].write)
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
        wrong, direct, size = 0, Direct(self.placements), len(self.sides.cell)
        rows = np.concatenate([np.arange(ROWS) + block * ROWS for block in self.chosen])
        rows = rows[rows < size]
        turned = np.zeros((len(rows), WORDS), np.uint64)  # their rows of a block
        for k, block in enumerate(self.chosen):
            left, won, apart = direct.after_one_layer(block)
            self.files["left"].read(k, self.left)
            wrong += np.count_nonzero(left != self.left[0, :size])
            self.files["target"].read(block * len(self.chosen), turned)
            wrong += np.count_nonzero((turned ^ won[rows]) & apart[rows])
            self.source[0, :size] = won
            self.files["source"].write(k, self.source)
        self._flush()
        return wrong

    def check(self, samples: int) -> int:
        """Compare random positions of the chosen blocks with the plain rules; return how many."""
        generator, done, lost = np.random.default_rng(1), 0, 0
        masks, columns = self.placements.masks, self.placements.columns
        for tried in range(samples):
            if tried % 100 == 0:
                k = int(generator.integers(len(self.chosen)))
                self.files["left"].read(k, self.left)
                here = np.flatnonzero(columns // BLOCK == self.chosen[k])
            own, other = int(generator.integers(len(masks))), int(generator.choice(here))
            seen = tuple(turn(mask, self.placements.cells) for mask in masks[other])
            if sum(masks[own]) & sum(seen):
                continue
            position = Position(*masks[own], *seen, self.placements.width, self.placements.height)
            _, row, word, place = locate(columns[own], columns[other])
            is_open = int(self.left[0, row, word]) >> int(place) & 1
            is_lost = all(wins_in_one(position.play(move)) for move in position.moves())
            if bool(is_open) == (wins_in_one(position) or is_lost):
                raise ValueError(f"{position!r} is {'open' if is_open else 'decided'}")
            done, lost = done + 1, lost + is_lost
        print(f"{done:,} random positions, {lost:,} of them lost in 2, are as the plain rules say")
        return done

    def _alone(self, block: int) -> tuple:
        """Return the `Sides` that kernels need where a block is alone: it is block 0."""
        on, each = self.sides.on[:, block : block + 1], self.sides.each[block : block + 1]
        return self.sides._replace(on=on.copy(), each=each)

    def _pieces(self, k: int, move: Callable[[int, np.ndarray], None]) -> None:
        """Read or write a transposed block, a piece of each block of the target."""
        for block, piece in enumerate(self.target):
            move(block * len(self.chosen) + k, piece)

    def _flush(self) -> None:
        for file in self.files.values():
            file.flush()


class Direct:
    """What the rules say of pairs of placements, by who stands where.

    All cells are as the row's side sees them; −1 is no cell, and nobody stands there.
    """

    def __init__(self, placements: Placements):
        self.cell, self.escapes = placements.cell, placements.escapes
        rows, cells, width = len(self.cell), placements.cells, placements.width
        near = np.vstack([steps(width, placements.height), np.full(4, -1)])
        self.beside = near[self.cell].reshape(rows, -1)
        own = np.zeros((rows, cells + 1), bool)
        np.put_along_axis(own, self.cell, True, 1)

        def not_own(others: np.ndarray) -> np.ndarray:
            return np.where(np.take_along_axis(own, others, 1), -1, others)

        self.beside_last_blue = not_own(near[placements.last_blue])
        self.their_goals = not_own(np.tile([cells - 1, cells - width], (rows, 1)))
        self.seen = np.array([*reversed(range(cells)), cells])[:, None]  # theirs, turned; no cell
        masks, columns = np.array(placements.masks), placements.columns
        self.columns = np.zeros((placements.blocks, BLOCK, 2), np.int64)
        for column in (columns ^ 1, columns):  # who is its own image has both
            self.columns[column // BLOCK, column % BLOCK] = masks

    def after_one_layer(self, block: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return three bit matrices of a block of columns.

        Which pairs are open with the row's side to move; which the column's side, to move, wins at
        once or has won; and which overlap in at most one cell: the others mean nothing.
        """
        blue, red = (mask >> self.seen & 1 for mask in self.columns[block].T)
        last_blue, last_red = (mine * (mine.sum(0) == 1) for mine in (blue, red))
        on, blue, last_blue, last_red = (
            np.packbits(table, axis=-1, bitorder="little").view(np.uint64)
            for table in (blue | red, blue, last_blue, last_red)
        )
        taken, twice = np.zeros((2, len(self.cell), WORDS), np.uint64)
        for cell in self.cell.T:
            twice |= taken & on[cell]
            taken |= on[cell]
        real = np.bitwise_or.reduce(on)
        left = real & ~taken & ~_any(last_blue, self.beside)
        left[self.escapes] = 0
        at_once = _any(blue, self.their_goals) | _any(on, self.beside_last_blue)
        won = _any(last_red, self.cell) | at_once & ~_any(last_blue, self.cell)
        return left, won, real & ~twice


def _any(table: np.ndarray, cells: np.ndarray) -> np.ndarray:
    """Return for each row of cells which columns a table has on one of them."""
    found = np.zeros((len(cells), WORDS), np.uint64)
    for cell in cells.T:
        found |= table[cell]
    return found


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
    assert small.run(1)["new"] == printed["geister/table-6.2/win/1"]
    assert small.first_layer_differs() == 0
    assert small.run(2)["new"] == printed["geister/table-6.3/loss/2"]
    clock = time.perf_counter()
    work = Layers(BOARD, arguments.every, arguments.folder)
    print(f"{len(work.sides.cell):,} rows, {work.blocks} blocks, {len(work.chosen)} of them; "
          f"{time.perf_counter() - clock:.0f} s to number placements")  # fmt: skip
    clock = time.perf_counter()
    positions = work.begin()
    print(f"{positions:,} positions; {time.perf_counter() - clock:.0f} s to write them")
    rows = []
    for depth, kind in ((1, "wins"), (2, "losses")):
        found = work.run(depth)
        print(depth, found)
        if depth == 1:
            assert work.first_layer_differs() == 0
        rows.append({
            "depth": depth, "kind": kind, "blocks": len(work.chosen),
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
