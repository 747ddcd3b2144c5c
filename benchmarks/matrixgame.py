"""Exact 5×5 matrix games: gamecore from a kernel, against four packages called from Python."""

from collections.abc import Callable

import numpy as np

from benchmarks import gather, side_by_side
from gamecore.kernel import kernel
from gamecore.matrixgame import equilibrium

COUNT = 20_000
GAMES = np.random.default_rng(1).random((COUNT, 5, 5))


def compare() -> list[dict]:
    """Return seconds per solve for gamecore and for each peer; the peers solve the first games."""
    return gather(_quantecon, _highs, _nashpy, _gambit)


@kernel
def _values(games, values):
    for k in range(len(games)):
        values[k] = equilibrium(games[k])[0]


def _ours() -> np.ndarray:
    values = np.empty(COUNT)
    _values(GAMES, values)
    return values


def _row(against: str, solve: Callable[[np.ndarray], float], sample: int) -> dict:
    def agree(ours: np.ndarray, theirs: list[float]) -> bool:
        return bool(np.abs(ours[:sample] - theirs).max() < 1e-6)

    return side_by_side(
        f"exact value and mixtures of random 5×5 matrix games, {sample} of {COUNT} by the peer",
        _ours, lambda: [solve(A) for A in GAMES[:sample]], against=against, unit="matrix game",
        units=(COUNT, sample), equal=agree,
    )  # fmt: skip


def _quantecon() -> dict:
    from quantecon.optimize import minmax

    return _row("quantecon, minmax from Python", lambda A: minmax(A)[0], COUNT)


def _highs() -> dict:
    from scipy.optimize import linprog

    def solve(A: np.ndarray) -> float:
        m, n = A.shape
        answer = linprog(
            np.r_[np.zeros(m), -1.0], A_ub=np.c_[-A.T, np.ones(n)], b_ub=np.zeros(n),
            A_eq=np.r_[np.ones(m), 0.0][None], b_eq=[1.0], bounds=[(0, None)] * m + [(None, None)],
        )  # fmt: skip
        return -answer.fun

    return _row("scipy, linprog by HiGHS", solve, 200)


def _nashpy() -> dict:
    import nashpy

    def solve(A: np.ndarray) -> float:
        row, column = nashpy.Game(A).linear_program()
        return float(row @ A @ column)

    return _row("nashpy, linear_program", solve, 100)


def _gambit() -> dict:
    import pygambit

    def solve(A: np.ndarray) -> float:
        game = pygambit.StrategicGame.from_arrays(A, -A)
        return pygambit.nash.lp_solve(game, rational=False).equilibrium.payoffs["1"]

    return _row("pygambit, lp_solve in floating point", solve, 200)
