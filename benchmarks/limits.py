"""How near to the limit: five hot kernels against the same algorithm in C, on the same data.

Each program of ``benchmarks/c`` does what a kernel does, in the same order on the same arrays and
with the same random numbers, so that results are equal to the last bit. It is compiled by whatever
``cc`` is found; without one all five are skipped.
"""

import ctypes
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks import side_by_side
from benchmarks.matrixgame import GAMES, _values
from benchmarks.triomineering import _sum_of_playouts
from gamecore import rng
from gamecore.geister import Position, retrograde
from gamecore.geister.bitmatrix import Placements
from gamecore.geister.cfr import begin, iterate
from gamecore.geister.leaves import no_table
from gamecore.geister.tree import LANES, PLIES, build, new_sketch, new_tree
from gamecore.goofspiel import Trainer
from gamecore.goofspiel.learn import _iterate
from gamecore.triomineering import rules

_FOLDER = Path(__file__).parent / "c"
#: No fused products and sums, which round once where kernels round twice.
_FLAGS = ("-O3", "-march=native", "-ffp-contract=off", "-shared", "-fPIC")
_DEPTHS = 256


class Pair(NamedTuple):
    """A kernel and its peer, each a call that does the same and returns what it found."""

    name: str
    ours: Callable[[], Any]
    peer: Callable[[], Any]
    unit: str
    units: int


def compare() -> list[dict]:
    """Return the times of kernels and of C; results are equal, bit for bit, first."""
    if compiler() is None:
        print("skipped: the five C programs of benchmarks/c, as there is no cc", file=sys.stderr)
        return []
    return [
        side_by_side(
            pair.name, pair.ours, pair.peer, against=f"C, cc {' '.join(_FLAGS[:2])}",
            unit=pair.unit, units=(pair.units, pair.units), equal=np.array_equal,
        )
        for pair in (positions(), move(), sampling(), matrices(), playouts())
    ]  # fmt: skip


def compiler() -> str | None:
    """Return the C compiler of this machine, if there is one."""
    return shutil.which("cc")


@cache
def library(name: str) -> ctypes.CDLL:
    """Compile a program of ``benchmarks/c`` and load it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{name}.so"
        command = [str(compiler()), *_FLAGS, str(_FOLDER / f"{name}.c"), "-o", str(file), "-lm"]
        subprocess.run(command, check=True)
        return ctypes.CDLL(str(file))


def _words(*values: Any) -> list[ctypes.c_int64]:
    """Return arguments of 64 bits: whole numbers, and where arrays begin."""
    return [
        ctypes.c_int64(value.ctypes.data if isinstance(value, np.ndarray) else int(value))
        for value in values
    ]


def _record(*values: Any) -> ctypes.Array:
    """Return a C structure of such words."""
    return (ctypes.c_int64 * len(values))(*(word.value for word in _words(*values)))


def positions(width: int = 4, height: int = 4, blues: int = 2, reds: int = 2) -> Pair:
    """Count wins and losses by depth; both sides number the placements anew."""
    analyse = library("retrograde").analyse
    total = retrograde(width, height, blues, reds, depths=False, workers=1).total

    def ours() -> np.ndarray:
        solved, counts = retrograde(width, height, blues, reds, depths=False, workers=1), _counts()
        for kind, histogram in enumerate((solved.win_histogram, solved.loss_histogram)):
            counts[kind, list(histogram)] = list(histogram.values())
        return counts

    def peer() -> np.ndarray:
        side, counts = Placements(width, height, blues, reds), _counts()
        arrays = *side.sides(), side.last_blue, side.last_red
        sides = _record(len(side.rows), side.blocks, blues + reds, *arrays)
        analyse(sides, *_words(_DEPTHS, counts))
        return counts

    name = f"retrograde analysis of {width}×{height} with {blues}+{reds} a side, counts by depth"
    return Pair(name, ours, peer, "position", total)


def _counts() -> np.ndarray:
    return np.zeros((2, _DEPTHS), np.int64)


def move(iterations: int = 1000) -> Pair:
    """Run CFR on one tree of each side, with the draws of CFR-A."""
    position, run = Position.of("a2 b3", "c3 d4", "c1 d1", "b1 a3"), library("cfr").iterate
    own, other = position.blue | position.red, position.their_blue | position.their_red
    trees, colours = [new_tree()[0], new_tree()[0]], np.zeros((2, 3, 2, LANES))
    for tree in trees:
        build(tree, new_sketch(), own, 2, other, 2, PLIES, no_table())
    moves, address = int(trees[0].start[1]), trees[1].possible.ctypes.data  # its first field

    def ours() -> np.ndarray:
        iterate(trees[0], iterations, True, colours[0], False)
        return trees[0].average[:moves]

    def peer() -> np.ndarray:
        begin(trees[1], colours[1])
        run(*_words(address, iterations, colours[1]))
        return trees[1].average[:moves]

    return Pair(f"a CFR-A move's {iterations} iterations", ours, peer, "iteration", iterations)


def sampling(iterations: int = 50_000, cards: int = 5) -> Pair:
    """Run external-sampling MCCFR on the tables of two trainers, which go on alike."""
    trainers, run = [Trainer(cards, None, 1) for _ in range(2)], library("goofspiel").iterate
    (graph, table, stream), (_, copy, others) = ((t._graph, t._table, t._random) for t in trainers)

    def ours() -> np.ndarray:
        _iterate(iterations, cards, graph, table, stream)
        return table

    def peer() -> np.ndarray:
        run(*_words(iterations, cards, graph, copy, others))
        return copy

    name = f"external-sampling MCCFR on Goofspiel {cards} without abstraction"
    return Pair(name, ours, peer, "iteration", iterations)


def matrices(count: int = len(GAMES)) -> Pair:
    """Solve the small matrix games of which the Pokémon solution has millions."""
    found, run = np.empty((2, count)), library("matrixgame").values

    def ours() -> np.ndarray:
        _values(GAMES[:count], found[0])
        return found[0]

    def peer() -> np.ndarray:
        run(*_words(count, GAMES.shape[1], GAMES, found[1]))
        return found[1]

    return Pair("exact values of random 5×5 matrix games", ours, peer, "matrix game", count)


def playouts(count: int = 200_000) -> Pair:
    """Play Triomineering at random, each side from its own generator of one seed."""
    free, fits, run = (
        rules.full_mask(6, 6),
        rules.fits_mask(6, 6),
        library("triomineering").playouts,
    )
    run.restype = ctypes.c_int64
    mine, theirs = rng.state(2), rng.state(2)
    return Pair(
        "Triomineering, random playouts from the empty 6×6 board",
        lambda: _sum_of_playouts(np.uint64(free), fits, count, mine),
        lambda: run(*_words(free, 6, fits, count, theirs)),
        "playout", count,
    )  # fmt: skip
