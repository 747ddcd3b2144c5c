"""Matrix games against scipy's HiGHS, theory, and each other."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy.optimize import linprog

from gamecore import matrixgame
from gamecore.kernel import kernel


def highs_value(A: np.ndarray) -> float | None:
    """max v subject to xA ≥ v, Σx = 1, by scipy."""
    m, n = A.shape
    answer = linprog(
        np.r_[np.zeros(m), -1.0],
        A_ub=np.c_[-A.T, np.ones(n)],
        b_ub=np.zeros(n),
        A_eq=np.r_[np.ones(m), 0.0][None],
        b_eq=[1.0],
        bounds=[(0, None)] * m + [(None, None)],
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    return -answer.fun if answer.status == 0 else None  # it gives up on a few


def check(A: np.ndarray) -> None:
    value, row, column = matrixgame.solve(A)
    assert row.shape == A.shape[:1]
    assert column.shape == A.shape[1:]
    for mixture in (row, column):
        assert (mixture >= 0).all()
        assert abs(mixture.sum() - 1) < 1e-12
    scale = max(1.0, np.abs(A).max())
    assert matrixgame.duality_gap(A, row, column) < 1e-9 * scale
    assert (row @ A).min() - 1e-12 * scale <= value <= (A @ column).max() + 1e-12 * scale
    peer = highs_value(A)
    assert peer is None or abs(value - peer) < 1e-9 * scale


MATRICES = array_shapes(min_dims=2, max_dims=2, max_side=6)
SHAPES = [(5, 5), (3, 8), (8, 3), (1, 7), (7, 1), (1, 1), (24, 24)]
MAKERS = {
    "random": lambda g, shape: g.random(shape),
    "integer": lambda g, shape: g.integers(-3, 4, shape).astype(float),
    "duplicated": lambda g, shape: g.random(shape)[g.integers(0, shape[0], shape[0])],
    "clipped": lambda g, shape: np.clip(g.normal(0.5, 0.5, shape), 0, 1),
    "constant": lambda g, shape: np.full(shape, g.random()),
    "far from zero": lambda g, shape: 1e3 + g.random(shape),
}


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("shape", SHAPES)
def test_agrees_with_highs(maker, shape):
    generator = np.random.default_rng([len(maker), *shape])
    for _ in range(10 if max(shape) < 20 else 3):
        check(MAKERS[maker](generator, shape))


@settings(max_examples=200, deadline=None)
@given(
    arrays(
        float,
        MATRICES,
        elements=st.one_of(
            st.floats(-10, 10, allow_subnormal=False),
            st.sampled_from([0.0, 1.0, 0.5, 1e-7, 1 - 1e-7]),
        ),
    )
)
def test_any_matrix(A):
    check(A)


def test_the_same_bits_as_quantecon():
    """Its simplex method makes the same pivots, so nothing but the order of sums could differ."""
    from quantecon.optimize import minmax
    from quantecon.optimize.linprog_simplex import PivOptions

    generator = np.random.default_rng(4)
    for k in range(3000):
        A = generator.random(generator.integers(1, 8, 2)) + 1.0
        if k % 3:  # with ties, or with equal rows
            A = np.round(A * 4) / 4 if k % 3 == 1 else A[generator.integers(len(A), size=len(A))]
        _, row, column = minmax(A, 10**6, PivOptions(1e-12, 1e-12, 1e-15))
        for ours, theirs in zip(matrixgame._simplex(A, 0), (row, column), strict=True):
            np.testing.assert_array_equal(ours, matrixgame._mixture(theirs, False))


def test_nearly_equal_rows_do_not_spoil_the_solution():
    """Of such matrices, one in three hundred cost the simplex alone its precision."""
    generator, pool = np.random.default_rng(2), np.array([0, 1, 0.5, 1e-7, 1 - 1e-7, 2, -3])
    for _ in range(3000):
        shape = generator.integers(2, 8, 2)
        A = generator.choice(pool, shape)
        mixed = np.where(generator.random(shape) < 0.5, A, generator.uniform(-10, 10, shape))
        for case in (A, mixed):
            _, row, column = matrixgame.solve(case)
            assert matrixgame.duality_gap(case, row, column) <= 1e-10 * np.ptp(case)


@settings(max_examples=100, deadline=None)
@given(arrays(float, (4, 5), elements=st.integers(-4, 4).map(float)))
def test_symmetries(A):
    value = matrixgame.solve(A).value
    assert matrixgame.solve(-A.T).value == pytest.approx(-value, abs=1e-10)
    assert matrixgame.solve(3 * A + 2).value == pytest.approx(3 * value + 2, abs=1e-10)
    assert matrixgame.solve(A[::-1, ::-1]).value == pytest.approx(value, abs=1e-10)


@settings(max_examples=200, deadline=None)
@given(arrays(float, MATRICES, elements=st.sampled_from([0.0, 1.0, 2.0])))
def test_saddle_point_is_the_first_one(A):
    brute = [
        (i, j)
        for i in range(A.shape[0])
        for j in range(A.shape[1])
        if A[i, j] == A[i].min() and A[i, j] == A[:, j].max()
    ]
    assert matrixgame.saddle_point(A) == (brute[0] if brute else (-1, -1))


@pytest.mark.parametrize(
    "bad",
    [[], [[]], [1, 2], [[[1.0]]], [[np.nan]], [[1, np.inf]], np.zeros((0, 3)), 4.0],
    ids=repr,
)
def test_bad_input(bad):
    with pytest.raises(ValueError, match="matrix game"):
        matrixgame.solve(bad)
    with pytest.raises(ValueError, match="matrix game"):
        matrixgame.fictitious_play(bad, 10)


def test_bad_rounds_and_mixtures():
    with pytest.raises(ValueError, match="rounds"):
        matrixgame.regret_matching([[1.0]], 0)
    with pytest.raises(ValueError, match="column must be an array of 2 numbers"):
        matrixgame.duality_gap([[1.0, 2.0]], [1.0], [1.0])


@pytest.mark.parametrize(
    ("method", "gap"),
    [
        (lambda A: matrixgame.fictitious_play(A, 20_000), 0.05),
        (lambda A: matrixgame.fictitious_play(A, 20_000, alternating=False), 0.05),
        (lambda A: matrixgame.regret_matching(A, 20_000, plus=False), 0.05),
        (lambda A: matrixgame.regret_matching(A, 20_000), 0.002),
    ],
    ids=["alternating", "simultaneous", "regret", "regret+"],
)
def test_iterative_methods_converge(method, gap):
    generator = np.random.default_rng(5)
    for shape in [(5, 5), (2, 6), (9, 4)]:
        A = generator.random(shape)
        row, column, found = method(A)
        assert row.sum() == pytest.approx(1)
        assert column.sum() == pytest.approx(1)
        assert 0 <= found < gap
        assert found == pytest.approx(matrixgame.duality_gap(A, row, column))
        assert abs(row @ A @ column - matrixgame.solve(A).value) <= found + 1e-12


def test_first_rounds_of_fictitious_play_by_hand():
    A = [[0, 3], [2, 1]]
    # Uniform start: both rows are worth 1.5, so row 0; then column 0 (0 < 3); then row 1 (2 > 0);
    # column sums become (2, 4), so column 0 again.
    row, column, _ = matrixgame.fictitious_play(A, 2)
    assert row.tolist() == [0.5, 0.5]
    assert column.tolist() == [1.0, 0.0]


@kernel
def _solve_all(games, values):
    for k in range(len(games)):
        values[k] = matrixgame.equilibrium(games[k])[0]


def test_500_times_linprog_from_a_kernel():
    """At least 500 times scipy's solves per second on 5×5 matrices, in one run."""
    games = np.random.default_rng(1).random((20_000, 5, 5))
    values = np.empty(len(games))
    _solve_all(games[:2], values)
    ratios = []
    for attempt in range(3):  # a shared machine may stall either side once
        start = time.perf_counter()
        _solve_all(games, values)
        ours = (time.perf_counter() - start) / len(games)
        start = time.perf_counter()
        for A in games[20 * attempt : 20 * attempt + 20]:
            highs_value(A)
        ratios.append((time.perf_counter() - start) / 20 / ours)
        if ratios[-1] >= 500:
            break
    assert max(ratios) >= 500, f"only {max(ratios):.0f} times as fast"
