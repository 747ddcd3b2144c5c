"""Exact 5×5 matrix games from a kernel, against quantecon called from Python and scipy's HiGHS."""

import time

import numpy as np
from quantecon.optimize import minmax
from scipy.optimize import linprog

from gamecore.kernel import kernel
from gamecore.matrixgame import equilibrium


@kernel
def _values(games, values):
    for k in range(len(games)):
        values[k] = equilibrium(games[k])[0]


def _highs(A: np.ndarray) -> float:
    m, n = A.shape
    answer = linprog(
        np.r_[np.zeros(m), -1.0], A_ub=np.c_[-A.T, np.ones(n)], b_ub=np.zeros(n),
        A_eq=np.r_[np.ones(m), 0.0][None], b_eq=[1.0], bounds=[(0, None)] * m + [(None, None)],
    )  # fmt: skip
    return -answer.fun


def compare(count: int = 20_000) -> list[dict]:
    """Return seconds per solve for gamecore and for each peer."""
    games = np.random.default_rng(1).random((count, 5, 5))
    values = np.empty(count)
    _values(games[:10], values[:10])
    ours = min(_timed(lambda: _values(games, values)) for _ in range(3)) / count
    rows = []
    for name, solver, sample in [
        ("quantecon minmax, from Python", lambda A: minmax(A)[0], count),
        ("scipy linprog (HiGHS)", _highs, 200),
    ]:
        theirs = np.array([solver(A) for A in games[:100]])
        assert np.abs(theirs - values[:100]).max() < 1e-6
        peer = min(_timed(lambda s=solver, n=sample: [s(A) for A in games[:n]]) for _ in range(3))
        rows.append({"name": f"exact 5×5 matrix games: {name}", "ours_seconds": ours,
                     "peer_seconds": peer / sample, "ratio": peer / sample / ours})  # fmt: skip
    return rows


def _timed(work) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
