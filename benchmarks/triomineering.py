"""Playouts, decisions and exact values against plain Python, Nash mixtures against matrixgame."""

import random
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from benchmarks import side_by_side
from gamecore import matrixgame, rng
from gamecore.kernel import kernel
from gamecore.triomineering import Player, Position, Solution, nash, think
from gamecore.triomineering import rules as r
from gamecore.triomineering.playouts import playout
from tests.reference import triomineering as reference

PLAYOUTS, PEER_PLAYOUTS = 50_000, 200
DECISION, PEER_DECISION = 10_000, 400
#: MSUCB1 on the empty 6×6 board, all 24×24 pairs, and with one move of each orbit.
_PLAYER = Player("MSUCB1", DECISION, every=8)
#: Random tables of the size of that move, and rounds of an approximation in the search.
_TABLES, _ROUNDS = np.random.default_rng(1).random((1000, 24, 24)), nash.ROUNDS["fictitious play"]


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
        _mixtures(
            "fictitious play", nash.FICTITIOUS, "play_fictitious", _peer_fictitious,
            lambda a, b: abs(a.mean() - b.mean()) < 0.1 * b.mean(),  # as near to equilibrium
        ),
        _mixtures(
            "regret matching+", nash.REGRET, "match_regrets", _peer_regrets,
            lambda a, b: np.abs(a - b).max() < 1e-12,
        ),
    ]  # fmt: skip


def milliseconds(repeats: int = 20) -> dict[str, float]:
    """Return the least processor time of one 10,000-playout first move on 6×6, by player."""
    found = {}
    for name, player in (
        ("MSUCB1, 6×24 pairs", _PLAYER),
        ("MSUCB1, 24×24 pairs", replace(_PLAYER, symmetry="none")),
        ("MSUCB1.5, 24×24 pairs", replace(_PLAYER, method="MSUCB1.5", symmetry="none")),
        ("SimpleUCB1", replace(_PLAYER, method="SimpleUCB1")),
        ("MC", replace(_PLAYER, method="MC")),
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


def _mixtures(words: str, method: int, name: str, peer: Callable, agree: Callable) -> dict:
    """Return the time of a round on 24×24 tables, ours of two tables and matrixgame's of one."""
    transposed, others = np.ascontiguousarray(_TABLES.transpose(0, 2, 1)), 1.0 - _TABLES
    own, theirs = np.empty((2, len(_TABLES), 24, 2))
    rounds = len(_TABLES) * _ROUNDS

    def equal(_: object, __: object) -> bool:
        gaps = (
            np.array([matrixgame.gap(A, *x.T.copy()) for A, x in zip(_TABLES, side, strict=True)])
            for side in (own, theirs)
        )
        return bool(agree(*gaps))

    return side_by_side(
        f"Triomineering, {_ROUNDS} rounds of {words} on tables of 24×24",
        lambda: _mix_all(method, transposed, others, own), lambda: peer(_TABLES, theirs),
        against=f"gamecore, matrixgame.{name}", unit="round", units=(rounds, rounds), equal=equal,
    )  # fmt: skip


@kernel
def _mix_all(method, own, other, mixtures):
    scratch = nash.make_scratch(24, 24)
    for k in range(len(own)):
        nash.mix(method, own[k], other[k], 1.0, _ROUNDS, 0.1, scratch)
        mixtures[k, :, 0], mixtures[k, :, 1] = scratch.p, scratch.q


@kernel
def _peer_fictitious(tables, mixtures):
    for k in range(len(tables)):
        a, b, c, d = np.zeros(24), np.zeros(24), np.zeros(24), np.zeros(24)
        matrixgame.play_fictitious(tables[k], 0, _ROUNDS, True, a, b, c, d)
        mixtures[k, :, 0], mixtures[k, :, 1] = a / _ROUNDS, b / _ROUNDS


@kernel
def _peer_regrets(tables, mixtures):
    for k in range(len(tables)):
        a, b, c, d = np.zeros(24), np.zeros(24), np.zeros(24), np.zeros(24)
        matrixgame.match_regrets(
            tables[k], 0, _ROUNDS, True, a, b, c, d, np.zeros(24), np.zeros(24)
        )
        mixtures[k, :, 0], mixtures[k, :, 1] = a / a.sum(), b / b.sum()


def _peer_solution() -> object:
    for kept in (reference.parts, reference.part_moves, reference.solve_parts):
        kept.cache_clear()
    return reference.value(5, 5)


if __name__ == "__main__":
    for who, least in milliseconds().items():
        print(f"{who}: {least:.1f} ms")
