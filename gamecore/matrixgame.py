"""Zero-sum matrix games: saddle points, exact equilibria, fictitious play, regret matching.

The row player maximises. Call `solve` for the exact solution. `fictitious_play` and
`regret_matching` are the iterative methods of the literature, `duality_gap` says how far a pair of
mixtures is from equilibrium. These functions check their argument and return plain NumPy results;
the kernels behind them (`saddle_point`, `equilibrium`, `play_fictitious`, `match_regrets`,
`regret_strategy`) are what games call from their own kernels.

References
----------
* John von Neumann, "Zur Theorie der Gesellschaftsspiele", Mathematische Annalen 100, 1928.
* G. W. Brown, "Iterative solution of games by fictitious play", Activity Analysis of Production
  and Allocation, 1951.
* S. Hart and A. Mas-Colell, "A simple adaptive procedure leading to correlated equilibrium",
  Econometrica 68(5), 2000.
* Oskari Tammelin, "Solving large imperfect information games using CFR+", 2014.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from quantecon.optimize import minmax
from quantecon.optimize.linprog_simplex import PivOptions

from gamecore.kernel import kernel

#: A pair of mixtures with a smaller duality gap, payoffs scaled to a range of 1, is exact enough.
_GOOD = 1e-10


class Equilibrium(NamedTuple):
    """An exact solution: the game's value and one optimal mixture of each side.

    Examples
    --------
    >>> solution = solve([[3, 0], [1, 2]])
    >>> solution.value, solution.row.round(3).tolist()
    (1.5, [0.25, 0.75])
    """

    value: float
    """What the row player gets on average when both play well."""
    row: np.ndarray
    """The row player's probabilities."""
    column: np.ndarray
    """The column player's probabilities."""


class Approximation(NamedTuple):
    """Average strategies of an iterative method, and how far from equilibrium they are.

    Examples
    --------
    >>> rough = fictitious_play([[2, 0], [0, 1]], 10)
    >>> fictitious_play([[2, 0], [0, 1]], 10_000).gap < rough.gap
    True
    """

    row: np.ndarray
    """The row player's average strategy."""
    column: np.ndarray
    """The column player's average strategy."""
    gap: float
    """The `duality_gap` of the two."""


def solve(A: ArrayLike) -> Equilibrium:
    """Solve a zero-sum matrix game exactly.

    A pure saddle point is looked for first (the one of lowest row, then column); otherwise the
    linear programme of von Neumann's minimax theorem (1928) is solved by quantecon's simplex with
    tight pivot tolerances.

    Parameters
    ----------
    A : array_like
        The row player's payoffs, of any shape m × n with finite entries.

    Returns
    -------
    Equilibrium
        ``(value, row, column)``.

    Raises
    ------
    ValueError
        If `A` is empty, not two-dimensional, or holds NaN or infinity.

    Examples
    --------
    >>> value, row, column = solve([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    >>> abs(value) < 1e-12, row.round(3).tolist()
    (True, [0.333, 0.333, 0.333])
    """
    return Equilibrium(*equilibrium(_checked(A)))


def fictitious_play(A: ArrayLike, rounds: int, alternating: bool = True) -> Approximation:
    """Approximate an equilibrium by fictitious play (Brown 1951).

    Each side answers the other's average so far with a best reply (lowest index first), starting
    from the uniform mixture.

    Parameters
    ----------
    A : array_like
        The row player's payoffs.
    rounds : int
        Best replies of each side.
    alternating : bool
        The column player already sees the row player's reply of the same round.

    Examples
    --------
    >>> fictitious_play([[2, 0], [0, 1]], 1000).row.round(2).tolist()
    [0.33, 0.67]
    """
    A = _checked(A)
    return _approximation(A, *play_fictitious(A, _positive(rounds), alternating))


def regret_matching(A: ArrayLike, rounds: int, plus: bool = True) -> Approximation:
    """Approximate an equilibrium by regret matching.

    Plain (Hart and Mas-Colell 2000), or as regret matching+ (Tammelin 2014).

    Parameters
    ----------
    A : array_like
        The row player's payoffs.
    rounds : int
        Updates of each side, in turn.
    plus : bool
        Clip cumulative regrets at zero, and weight round t's strategy by t (regret matching+).

    Examples
    --------
    >>> regret_matching([[2, 0], [0, 1]], 1000).column.round(2).tolist()
    [0.33, 0.67]
    """
    A = _checked(A)
    return _approximation(A, *match_regrets(A, _positive(rounds), plus))


def duality_gap(A: ArrayLike, row: ArrayLike, column: ArrayLike) -> float:
    """Return what the two sides together could gain by best replies: 0 exactly in equilibrium.

    Examples
    --------
    >>> duality_gap([[1, 0], [0, 1]], [0.5, 0.5], [1, 0])
    0.5
    """
    A, row, column = _checked(A), np.asarray(row, float), np.asarray(column, float)
    if row.shape != A.shape[:1] or column.shape != A.shape[1:]:
        raise ValueError(f"a {A.shape[0]}×{A.shape[1]} game has mixtures of those two lengths")
    return float(gap(A, row, column))


def _checked(A: ArrayLike) -> np.ndarray:
    A = np.array(A, dtype=np.float64, order="C")
    if A.ndim != 2 or A.size == 0:
        raise ValueError(f"a matrix game needs a non-empty two-dimensional array, not {A.shape}")
    if not np.isfinite(A).all():
        raise ValueError("a matrix game's payoffs must be finite: found NaN or infinity")
    return A


def _positive(rounds: int) -> int:
    if rounds < 1:
        raise ValueError(f"rounds must be at least 1, not {rounds}")
    return rounds


def _approximation(A: np.ndarray, row: np.ndarray, column: np.ndarray) -> Approximation:
    return Approximation(row, column, duality_gap(A, row, column))


@kernel
def saddle_point(A):
    """Return the lowest (row, column) that is a pure saddle point, or (−1, −1).

    Examples
    --------
    >>> saddle_point(np.array([[1.0, 3.0], [2.0, 4.0]])), saddle_point(np.eye(2))
    ((1, 0), (-1, -1))
    """
    rows, columns = A.shape
    for i in range(rows):
        worst = 0
        for j in range(1, columns):
            if A[i, j] < A[i, worst]:
                worst = j
        for j in range(worst, columns):  # every column where the row's minimum stands
            if A[i, j] == A[i, worst]:
                highest = True
                for k in range(rows):
                    if A[k, j] > A[i, j]:
                        highest = False
                        break
                if highest:
                    return i, j
    return -1, -1


@kernel
def equilibrium(A):
    """Return ``(value, row, column)`` of a float64 matrix: the kernel behind `solve`.

    Examples
    --------
    >>> value, row, column = equilibrium(np.eye(2))
    >>> value, row.tolist(), column.tolist()
    (0.5, [0.5, 0.5], [0.5, 0.5])
    """
    rows, columns = A.shape
    i, j = saddle_point(A)
    if i >= 0:
        row, column = np.zeros(rows), np.zeros(columns)
        row[i] = 1.0
        column[j] = 1.0
        return A[i, j], row, column
    # Scaled to [1, 2], the simplex's absolute tolerances mean the same for every matrix. Its
    # default feasibility tolerance of 1e-6 would be the error of the value.
    low, high = A.min(), A.max()
    scaled = (A - low) / (high - low) + 1.0
    row, column = _simplex(scaled, 0)
    least, attempt = gap(scaled, row, column), 1
    # Nearly equal rows or columns can cost the simplex its precision. Another order of them takes
    # another path, so a pair that is not good enough is tried again: reflected, then transposed.
    while least >= _GOOD and attempt < 8:
        x, y = _simplex(scaled, attempt)
        off = gap(scaled, x, y)
        if off < least:
            row, column, least = x, y, off
        attempt += 1
    value = 0.0
    for i in range(rows):
        for j in range(columns):
            value += row[i] * A[i, j] * column[j]
    return value, row, column


@kernel
def _simplex(A, attempt):
    """Return a pair of mixtures by the simplex method; bits of `attempt` say how A is turned."""
    if attempt == 0:
        _, row, column = minmax(A, 10**6, PivOptions(1e-12, 1e-12, 1e-15))
        return _mixture(row), _mixture(column)
    down, right = 1 - 2 * (attempt & 1), 1 - (attempt & 2)
    turned = np.ascontiguousarray(A[::down, ::right])
    if attempt < 4:
        _, row, column = minmax(turned, 10**6, PivOptions(1e-12, 1e-12, 1e-15))
    else:  # the other player's game
        turned = np.ascontiguousarray(3.0 - turned.T)
        _, column, row = minmax(turned, 10**6, PivOptions(1e-12, 1e-12, 1e-15))
    return _mixture(row)[::down].copy(), _mixture(column)[::right].copy()


@kernel
def gap(A, row, column):
    """Return the duality gap of a float64 matrix: the kernel behind `duality_gap`.

    Examples
    --------
    >>> gap(np.eye(2), np.array([0.5, 0.5]), np.array([1.0, 0.0]))
    0.5
    """
    low, high = np.inf, -np.inf
    for i in range(len(row)):
        total = 0.0
        for j in range(len(column)):
            total += A[i, j] * column[j]
        high = max(high, total)
    for j in range(len(column)):
        total = 0.0
        for i in range(len(row)):
            total += A[i, j] * row[i]
        low = min(low, total)
    return high - low


@kernel
def _mixture(weights):
    """Return weights with rounding below zero removed, summing to one."""
    total = 0.0
    for i in range(len(weights)):
        weights[i] = max(weights[i], 0.0)
        total += weights[i]
    return weights / total


@kernel
def play_fictitious(A, rounds, alternating):
    """Return both average strategies: the kernel behind `fictitious_play` (Brown 1951).

    Payoffs are kept as unnormalised sums, so that a round is one row added and one argmax a side.

    Examples
    --------
    >>> row, column = play_fictitious(np.eye(2), 1000, True)
    >>> row.round(2).tolist(), column.round(2).tolist()
    ([0.5, 0.5], [0.5, 0.5])
    """
    rows, columns = A.shape
    row_counts, column_counts = np.zeros(rows), np.zeros(columns)
    row_payoffs, column_payoffs = np.zeros(rows), np.zeros(columns)
    for i in range(rows):
        for j in range(columns):
            row_payoffs[i] += A[i, j] / columns
            column_payoffs[j] += A[i, j] / rows
    for t in range(rounds):
        i = np.argmax(row_payoffs)
        if not alternating:
            j = np.argmin(column_payoffs)
        if t == 0:  # the uniform mixture only starts the play
            column_payoffs[:] = 0.0
        row_counts[i] += 1.0
        column_payoffs += A[i]
        if alternating:
            j = np.argmin(column_payoffs)
        if t == 0:
            row_payoffs[:] = 0.0
        column_counts[j] += 1.0
        row_payoffs += A[:, j]
    return row_counts / rounds, column_counts / rounds


@kernel
def match_regrets(A, rounds, plus):
    """Return both average strategies: the kernel behind `regret_matching`.

    Hart and Mas-Colell (2000); with `plus`, Tammelin (2014).

    Examples
    --------
    >>> row, column = match_regrets(np.array([[2.0, 0.0], [0.0, 1.0]]), 1000, True)
    >>> row.round(2).tolist(), column.round(2).tolist()
    ([0.33, 0.67], [0.33, 0.67])
    """
    rows, columns = A.shape
    row_regrets, column_regrets = np.zeros(rows), np.zeros(columns)
    row, column = regret_strategy(row_regrets), regret_strategy(column_regrets)
    row_sum, column_sum = np.zeros(rows), np.zeros(columns)
    row_payoffs, column_payoffs = np.empty(rows), np.empty(columns)
    for t in range(rounds):
        weight = t + 1.0 if plus else 1.0
        for i in range(rows):
            row_payoffs[i] = 0.0
            for j in range(columns):
                row_payoffs[i] += A[i, j] * column[j]
        row = _regret_step(row_regrets, row, row_payoffs, plus)
        row_sum += weight * row
        for j in range(columns):
            column_payoffs[j] = 0.0
            for i in range(rows):
                column_payoffs[j] -= A[i, j] * row[i]
        column = _regret_step(column_regrets, column, column_payoffs, plus)
        column_sum += weight * column
    return _mixture(row_sum), _mixture(column_sum)


@kernel
def _regret_step(regrets, strategy, payoffs, plus):
    """Add the regrets of one round in place and return the strategy that follows from them."""
    value = 0.0
    for i in range(len(regrets)):
        value += strategy[i] * payoffs[i]
    for i in range(len(regrets)):
        regrets[i] += payoffs[i] - value
        if plus:
            regrets[i] = max(regrets[i], 0.0)
    return regret_strategy(regrets)


@kernel
def regret_strategy(regrets):
    """Return the mixture proportional to positive regret, uniform where there is none.

    The rule of regret matching (Hart and Mas-Colell 2000).

    Examples
    --------
    >>> regret_strategy(np.array([3.0, -2.0, 1.0])).tolist()
    [0.75, 0.0, 0.25]
    """
    strategy = np.maximum(regrets, 0.0)
    total = strategy.sum()
    return strategy / total if total > 0.0 else np.full(len(regrets), 1.0 / len(regrets))
