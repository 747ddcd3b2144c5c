"""Playouts, one MSUCB1 decision and exact values, against the plain-Python rules of the tests."""

import random
import time
from functools import partial

import numpy as np

from benchmarks import side_by_side
from gamecore import rng
from gamecore.kernel import kernel
from gamecore.triomineering import Player, Position, Solution, think
from gamecore.triomineering import rules as r
from gamecore.triomineering.playouts import playout
from tests.reference import triomineering as reference

PLAYOUTS, PEER_PLAYOUTS = 50_000, 200
DECISION, PEER_DECISION = 10_000, 400
#: MSUCB1 on the empty 6×6 board, all 24×24 pairs, and with one move of each orbit.
_PLAYER = Player("MSUCB1", DECISION, every=8)


def compare() -> list[dict]:
    """Return times for random playouts, for the search of a first move, and for exact values.

    The mean result of playouts and the value of 5×5 are compared first; that both searches visit
    the same pairs when fed with equal random numbers is in the tests. The plain rules are timed
    on fewer playouts.
    """
    ours, plain = _playouts_mean(100_000, 1), _peer_playouts(2000, 1)
    assert abs(ours - plain) < 5 * 0.5 / 2000**0.5
    return [
        side_by_side(
            "Triomineering, random playouts from the empty 6×6 board",
            lambda: _playouts_mean(PLAYOUTS, 2), lambda: _peer_playouts(PEER_PLAYOUTS, 2),
            against="plain Python", unit="playout", units=(PLAYOUTS, PEER_PLAYOUTS),
        ),
        side_by_side(
            "Triomineering, MSUCB1's first move on 6×6",
            partial(think, Position.empty(6, 6), _PLAYER, 1), lambda: _peer_search(PEER_DECISION),
            against="plain Python", unit="playout", units=(DECISION, PEER_DECISION),
        ),
        side_by_side(
            "Triomineering, exact solution of 5×5",
            lambda: Solution(5, 5).value, _peer_solution, against="plain Python", unit="board",
            equal=lambda a, b: a == float(b),
        ),
    ]  # fmt: skip


def milliseconds(repeats: int = 20) -> dict[str, float]:
    """Return the least processor time of one 10,000-playout first move on 6×6, by player."""
    found = {}
    for name, player in (
        ("MSUCB1, 6×24 pairs", _PLAYER),
        ("MSUCB1, 24×24 pairs", _PLAYER._replace(symmetry="none")),
        ("MSUCB1.5, 24×24 pairs", _PLAYER._replace(method="MSUCB1.5", symmetry="none")),
        ("SimpleUCB1", _PLAYER._replace(method="SimpleUCB1")),
        ("MC", _PLAYER._replace(method="MC")),
    ):
        times = []
        for seed in range(repeats + 1):
            start = time.thread_time()
            think(Position.empty(6, 6), player, seed)
            times.append(time.thread_time() - start)
        found[name] = 1000 * min(times[1:])
    return found


@kernel
def _sum_of_playouts(free, fits, count, stream):
    total = 0
    for _ in range(count):
        total += playout(free, 6, fits, stream, True)
    return total


def _playouts_mean(count: int, seed: int) -> float:
    free, fits = np.uint64(r.full_mask(6, 6)), r.fits_mask(6, 6)
    return _sum_of_playouts(free, fits, count, rng.state(seed)) / count / r.WIN


def _peer_playouts(count: int, seed: int) -> float:
    dice = random.Random(seed)
    return sum(
        float(reference.random_playout(6, 6, reference.EMPTY, dice)) for _ in range(count)
    ) / count  # fmt: skip


def _peer_search(playouts: int) -> reference.Search:
    dice, own = random.Random(1), reference.orbits(6, "V")
    playout = reference.make_playout(6, 6, reference.EMPTY, "V", dice, own)
    return reference.msucb(len(own), 24, playouts, playout, dice, every=_PLAYER.every)


def _peer_solution() -> object:
    for kept in (reference.parts, reference.part_moves, reference.solve_parts):
        kept.cache_clear()
    return reference.value(5, 5)


if __name__ == "__main__":
    for who, least in milliseconds().items():
        print(f"{who}: {least:.1f} ms")
