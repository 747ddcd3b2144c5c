"""Zero-sum matrix games: saddle points, exact equilibria, fictitious play, regret matching.

The row player maximises. Call `solve` for the exact solution. `fictitious_play` and
`regret_matching` are the iterative methods of the literature, `duality_gap` says how far a pair of
mixtures is from equilibrium. These functions check their argument and return plain NumPy results;
the kernels behind them (`saddle_point`, `equilibrium`, `play_fictitious`, `match_regrets`,
`regret_strategy`) are what games call from their own kernels.

References
----------
* John von Neumann, "Zur Theorie der Gesellschaftsspiele", Mathematische Annalen 100, 1928.
* G. B. Dantzig, A. Orden and P. Wolfe, "The generalized simplex method for minimizing a linear
  form under linear inequality restraints", Pacific Journal of Mathematics 5(2), 1955.
* G. W. Brown, "Iterative solution of games by fictitious play", Activity Analysis of Production
  and Allocation, 1951.
* S. Hart and A. Mas-Colell, "A simple adaptive procedure leading to correlated equilibrium",
  Econometrica 68(5), 2000.
* Oskari Tammelin, "Solving large imperfect information games using CFR+", 2014.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gamecore import check
from gamecore.kernel import kernel

_GOOD = 1e-10  # with a smaller duality gap, payoffs scaled to a range of 1, mixtures are exact
_LARGEST = 1e290  # payoffs beyond it could be summed up to infinity
_ZERO = 1e-12  # coefficients of the simplex method up to here count as zero
_TIE = 1e-15  # ratios this near to each other count as equal
_PIVOTS = 10**6  # far more than any game here needs


class Equilibrium(NamedTuple):
    """An exact solution: the game's value and one optimal mixture of each side.

    Attributes
    ----------
    value : float
        What the row player gets on average when both play well.
    row : numpy.ndarray
        The row player's probabilities.
    column : numpy.ndarray
        The column player's probabilities.

    Examples
    --------
    >>> solution = solve([[3, 0], [1, 2]])
    >>> solution.value, solution.row.round(3).tolist()
    (1.5, [0.25, 0.75])
    """

    value: float
    row: np.ndarray
    column: np.ndarray


class Approximation(NamedTuple):
    """Average strategies of an iterative method, and how far from equilibrium they are.

    Attributes
    ----------
    row : numpy.ndarray
        The row player's average strategy.
    column : numpy.ndarray
        The column player's average strategy.
    gap : float
        The `duality_gap` of the two.

    Examples
    --------
    >>> rough = fictitious_play([[2, 0], [0, 1]], 10)
    >>> fictitious_play([[2, 0], [0, 1]], 10_000).gap < rough.gap
    True
    """

    row: np.ndarray
    column: np.ndarray
    gap: float


def solve(A: ArrayLike) -> Equilibrium:
    """Solve a zero-sum matrix game exactly.

    A pure saddle point is looked for first (the one of lowest row, then column); otherwise the
    linear programme of von Neumann's minimax theorem (1928) is solved by the simplex method, with
    Dantzig's pivots and the lexicographic rule against cycling.

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
        If `A` is empty, not two-dimensional, or holds NaN, infinity, or payoffs so large that their
        sums would be infinite.

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
    A, rounds = _checked(A), check.whole(rounds, "rounds", 1)
    alternating, memory = check.flag(alternating, "alternating"), _zeros(A, 2)
    for begin, end in check.stretches(rounds):
        play_fictitious(A, begin, end, alternating, *memory)
    row, column = memory[0] / rounds, memory[1] / rounds
    return Approximation(row, column, float(gap(A, row, column)))


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
    A, rounds = _checked(A), check.whole(rounds, "rounds", 1)
    plus, memory = check.flag(plus, "plus"), _zeros(A, 3)
    for begin, end in check.stretches(rounds):
        match_regrets(A, begin, end, plus, *memory)
    row, column = _mixture(memory[0], False), _mixture(memory[1], False)
    return Approximation(row, column, float(gap(A, row, column)))


def duality_gap(A: ArrayLike, row: ArrayLike, column: ArrayLike) -> float:
    """Return what the two sides together could gain by best replies: 0 exactly in equilibrium.

    Examples
    --------
    >>> duality_gap([[1, 0], [0, 1]], [0.5, 0.5], [1, 0])
    0.5
    """
    A = _checked(A)
    row = check.probabilities(row, "row", A.shape[0])
    return float(gap(A, row, check.probabilities(column, "column", A.shape[1])))


def _checked(A: ArrayLike) -> np.ndarray:
    payoffs = np.ascontiguousarray(check.numbers(A, "a matrix game's payoffs", (None, None)))
    if np.abs(payoffs).max() > _LARGEST:
        raise ValueError(f"a matrix game's payoffs must be from {-_LARGEST:g} to {_LARGEST:g}")
    return payoffs


def _zeros(A: np.ndarray, times: int) -> list[np.ndarray]:
    """Return so many pairs of arrays, one number for each row and each column."""
    return [np.zeros(size) for _ in range(times) for size in A.shape]


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
        row[i] = column[j] = 1.0
        return A[i, j], row, column
    # Scaled to [1, 2], tolerances mean the same for every matrix. If nearly equal rows or columns
    # cost precision, another path is tried: the matrix reflected, then the other player's game.
    low, high = np.inf, -np.inf
    for i in range(rows):
        for j in range(columns):
            low, high = min(low, A[i, j]), max(high, A[i, j])
    scaled = np.empty((rows, columns))
    for i in range(rows):
        for j in range(columns):
            scaled[i, j] = (A[i, j] - low) / (high - low) + 1.0
    row, column = _simplex(scaled, 0)
    least = gap(scaled, row, column)
    for attempt in range(1, 8):
        if least < _GOOD:
            break
        x, y = _simplex(scaled, attempt)
        off = gap(scaled, x, y)
        if off < least:
            row, column, least = x, y, off
    value = 0.0
    for i in range(rows):
        for j in range(columns):
            value += row[i] * A[i, j] * column[j]
    return value, row, column


@kernel
def _simplex(A, how):
    """Return optimal mixtures of both sides of a matrix in [1, 2] by the simplex method.

    Bits of `how`: rows in reverse order, columns in reverse order, the other player's game.

    The tableau states the column player's programme, the least v with A y ≤ v for a mixture y:
    a line for each row of A, one for the sum of y, and the objective; a column for each y, for v,
    for each row's slack, and the right side. The row player's mixture is its dual, and stands
    under the slacks. Dantzig's rule chooses what enters, `_leaving` what leaves.
    """
    other = how >= 4
    rows, columns = A.shape[::-1] if other else A.shape
    tableau = np.zeros((rows + 2, columns + rows + 2))
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            up = A.shape[0] - 1 - i if how & 1 else i
            left = A.shape[1] - 1 - j if how & 2 else j
            if other:
                tableau[left, up] = 3.0 - A[i, j]
            else:
                tableau[up, left] = A[i, j]
    basis = np.empty(rows + 1, np.int64)
    highest = 0
    for i in range(rows):
        tableau[i, columns] = -1.0
        tableau[i, columns + 1 + i] = 1.0
        basis[i] = columns + 1 + i
        if tableau[i, 0] > tableau[highest, 0]:
            highest = i
    for j in range(columns):
        tableau[rows, j] = 1.0
    tableau[rows, -1], tableau[rows + 1, columns] = 1.0, -1.0
    pivot_line, ties = np.empty(columns + rows + 2), np.empty(rows + 1, np.int64)
    for step in range(_PIVOTS):
        if step == 0:  # the first two pivots lead to the vertex where the first column is played
            enters, leaves = columns, highest
        elif step == 1:
            enters, leaves = 0, rows
        else:
            enters, most = -1, _ZERO
            for j in range(columns + rows + 1):
                if tableau[rows + 1, j] > most:
                    enters, most = j, tableau[rows + 1, j]
            if enters < 0:
                break
            leaves = _leaving(tableau, enters, columns, ties)
            if leaves < 0:
                break
        _pivot(tableau, leaves, enters, pivot_line)
        basis[leaves] = enters
    x, y = np.empty(rows), np.zeros(columns)
    for i in range(rows):
        x[i] = 0.0 - tableau[rows + 1, columns + 1 + i]
    for i in range(rows + 1):
        if basis[i] < columns:
            y[basis[i]] = tableau[i, -1]
    row, column = (y, x) if other else (x, y)
    return _mixture(row, how & 1 == 1), _mixture(column, how & 2 == 2)


@kernel
def _leaving(tableau, enters, first, ties):
    """Return the line of least ratio, or −1 if none or several are left.

    The columns from `first` on decide ties, so that no basis recurs: the lexicographic rule of
    Dantzig, Orden and Wolfe (1955). `ties` is working space.
    """
    count, test = len(ties), tableau.shape[1] - 1  # the right side comes first
    for i in range(count):
        ties[i] = i
    for following in range(first, tableau.shape[1]):
        least, candidates, count = np.inf, count, 0
        for k in range(candidates):
            i = ties[k]
            if tableau[i, enters] <= _ZERO:
                continue
            ratio = tableau[i, test] / tableau[i, enters]
            if ratio > least + _TIE:
                continue
            if ratio < least - _TIE:
                least, count = ratio, 0
            ties[count] = i
            count += 1
        if count <= 1:
            break
        test = following
    return ties[0] if count == 1 else -1


@kernel
def _pivot(tableau, leaves, enters, line):
    """Exchange two variables: Gauss-Jordan elimination of a column, in place."""
    lines, columns = tableau.shape
    pivot = tableau[leaves, enters]
    for j in range(columns):
        line[j] = tableau[leaves, j] / pivot
    for i in range(lines):
        factor = tableau[i, enters]
        if i == leaves:
            for j in range(columns):
                tableau[i, j] = line[j]
        elif factor != 0.0:
            for j in range(columns):
                tableau[i, j] -= line[j] * factor
        tableau[i, enters] = 0.0  # without the residue of rounding
    tableau[leaves, enters] = 1.0


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
def _mixture(weights, backwards):
    """Return weights with rounding below zero removed, summing to one, perhaps in reverse order.

    They are changed in place: kernels that solve millions of games feel every array.
    """
    total = 0.0
    for i in range(len(weights)):
        weights[i] = max(weights[i], 0.0)
        total += weights[i]
    for i in range(len(weights)):
        weights[i] /= total
    return weights[::-1].copy() if backwards else weights


@kernel
def play_fictitious(
    A, begin, end, alternating, row_counts, column_counts, row_payoffs, column_payoffs
):
    """Play the rounds from `begin` to `end`: the kernel behind `fictitious_play` (Brown 1951).

    Arrays are 0 at first. Payoffs are kept as unnormalised sums, so that a round is one row added
    and one argmax a side.

    Examples
    --------
    >>> row, column, *payoffs = (np.zeros(2) for _ in range(4))
    >>> play_fictitious(np.eye(2), 0, 1000, True, row, column, *payoffs)
    >>> row.tolist(), column.tolist()
    ([500.0, 500.0], [500.0, 500.0])
    """
    rows, columns = A.shape
    if begin == 0:
        for i in range(rows):
            for j in range(columns):
                row_payoffs[i] += A[i, j] / columns
                column_payoffs[j] += A[i, j] / rows
    for t in range(begin, end):
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


@kernel
def match_regrets(
    A, begin, end, plus, row_sum, column_sum, row_regrets, column_regrets, row, column
):
    """Play the rounds from `begin` to `end`: the kernel behind `regret_matching`.

    Hart and Mas-Colell (2000); with `plus`, Tammelin (2014). Arrays are 0 at first.

    Examples
    --------
    >>> row, column, *memory = (np.zeros(2) for _ in range(6))
    >>> match_regrets(np.array([[2.0, 0.0], [0.0, 1.0]]), 0, 1000, True, row, column, *memory)
    >>> (row / row.sum()).round(2).tolist(), (column / column.sum()).round(2).tolist()
    ([0.33, 0.67], [0.33, 0.67])
    """
    rows, columns = A.shape
    row_payoffs, column_payoffs = np.empty(rows), np.empty(columns)
    if begin == 0:
        row[:], column[:] = 1.0 / rows, 1.0 / columns
    for t in range(begin, end):
        weight = t + 1.0 if plus else 1.0
        for i in range(rows):
            row_payoffs[i] = 0.0
            for j in range(columns):
                row_payoffs[i] += A[i, j] * column[j]
        row[:] = _regret_step(row_regrets, row, row_payoffs, plus)
        row_sum += weight * row
        for j in range(columns):
            column_payoffs[j] = 0.0
            for i in range(rows):
                column_payoffs[j] -= A[i, j] * row[i]
        column[:] = _regret_step(column_regrets, column, column_payoffs, plus)
        column_sum += weight * column


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
