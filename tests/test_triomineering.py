"""Synchronized Triomineering: rules and exact solution against the plain-Python reference."""

import random
import time
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import matrixgame, rng
from gamecore.bits import nth
from gamecore.triomineering import draw, force, playouts, rules
from gamecore.triomineering.rules import Position
from gamecore.triomineering.solution import Solution, outcome_table, solve
from tests.reference import triomineering as reference


@st.composite
def positions(draw, most=64):
    """Any set of free cells on any board, mostly free ones so that there are moves."""
    rows = draw(st.integers(1, most))
    columns = draw(st.integers(1, most // rows))
    full = rules.full_mask(rows, columns)
    free = draw(st.integers(0, full)) | draw(st.integers(0, full)) | draw(st.integers(0, full))
    return Position(rows, columns, free)


def filled(position):
    cells = [divmod(bit, position.columns) for bit in range(position.rows * position.columns)]
    return frozenset(cell for bit, cell in enumerate(cells) if not position.free >> bit & 1)


def mask(cells, columns):
    return sum(1 << row * columns + column for row, column in cells)


# ---- rules ----


@settings(deadline=None)  # the first example compiles
@given(positions(), st.randoms())
def test_moves_and_results_equal_the_reference(position, chance):
    size = position.rows, position.columns
    v, h = (reference.legal_moves(*size, filled(position), player) for player in "VH")
    assert position.v_moves() == v
    assert position.h_moves() == h
    end = reference.result(*size, filled(position))
    assert position.result() == (None if end is None else float(end))
    if end is None:
        i, j = chance.choice(v), chance.choice(h)
        assert filled(position.play(i, j)) == reference.play(filled(position), i, j)


@settings(deadline=None)  # the first example compiles
@given(positions())
def test_filtered_moves_touch_an_opponents_move(position):
    """The spec's words, by sets of cells."""
    v, h = position.v_moves(), position.h_moves()
    v_pieces, h_pieces = ([reference.piece(p, m) for m in ms] for p, ms in (("V", v), ("H", h)))
    v_cells = frozenset().union(*v_pieces)
    h_cells = frozenset().union(*h_pieces)
    v_kept = [m for m, cells in zip(v, v_pieces) if cells & h_cells]
    h_kept = [m for m, cells in zip(h, h_pieces) if cells & v_cells]
    assert bool(v_kept) == bool(h_kept)
    c = position.columns
    masks = playouts.hindering(np.uint64(mask(v, c)), np.uint64(mask(h, c)), c)
    assert tuple(map(int, masks)) == (mask(v_kept, c), mask(h_kept, c))


@settings(deadline=None)  # the first example compiles
@given(st.integers(1, 2**64 - 1), st.data())
def test_bits(x, data):
    ones = [bit for bit in range(64) if x >> bit & 1]
    k = data.draw(st.integers(0, len(ones) - 1))
    assert nth(np.uint64(x), k) == ones[k]


def plain_playout(position, filtering, chance):
    """A playout by the reference's rules alone."""
    size, now = (position.rows, position.columns), filled(position)
    while (end := reference.result(*size, now)) is None:
        v, h = (reference.legal_moves(*size, now, player) for player in "VH")
        if filtering != "none":
            kept = [reference.hindering_moves(*size, now, player) for player in "VH"]
            if filtering == "literal" and not kept[0]:
                return 1
            v, h = (some or every for some, every in zip(kept, (v, h)))
        now = reference.play(now, v[chance.integers(len(v))], h[chance.integers(len(h))])
    return int(2 * end)


@pytest.mark.parametrize("filtering", playouts.FILTERS)
@pytest.mark.parametrize("size", [(4, 4), (5, 4)])
def test_playouts_have_the_distribution_of_plain_ones(size, filtering):
    """Counts of losses, draws and wins; a chi-square of 20 with two degrees has p = 5e-5."""
    start, n = Position.empty(*size), 1000
    chance, stream = np.random.default_rng(5), rng.state(5)
    slow = np.bincount([plain_playout(start, filtering, chance) for _ in range(n)], minlength=3)
    free, fits = np.uint64(start.free), rules.fits_mask(*size)
    many = 20 * n
    code = playouts.FILTERS.index(filtering)
    fast = np.bincount(
        [playouts.playout(free, size[1], fits, stream, code) for _ in range(many)], minlength=3
    )
    pooled = (slow + fast) / (n + many)
    kept = pooled > 0
    square = ((slow - n * pooled)[kept] ** 2 / (n * pooled)[kept]).sum()
    square += ((fast - many * pooled)[kept] ** 2 / (many * pooled)[kept]).sum()
    assert square < 20


def test_bad_boards_and_moves_are_refused():
    for size in ((0, 3), (1, 65), (9, 8), (3.0, 3), (True, 3)):
        with pytest.raises(ValueError, match=r"from 1 to 64|at most 64 cells"):
            Position.empty(*size)
    for move in ((2, 0), "2,0", "0", None, (0,), (True, 0), 0):
        with pytest.raises(ValueError, match=r"V cannot play|a move must be"):
            Position.empty(4, 4).play(move, (0, 0))
    with pytest.raises(ValueError, match="H cannot play '1,2'; legal: '0,0', '0,1'"):
        Position.empty(4, 4).play((0, 1), (1, 2))  # the paper's misprint
    for free in (1 << 16, -1, 0.0, True, None, float("nan")):
        with pytest.raises(ValueError, match=r"free cells of a 4×4 board.* from 0 to 65,535"):
            Position(4, 4, free)


# ---- exact solution ----


def equal(ours, theirs):
    return abs(ours - float(theirs)) < 1e-12


def after_random_rounds(start, rounds, chance):
    for _ in range(rounds):
        if start.result() is None:
            start = start.play(chance.choice(start.v_moves()), chance.choice(start.h_moves()))
    return start


@pytest.mark.parametrize("rows", range(1, 26))
def test_every_board_up_to_25_cells_equals_brute_force(rows):
    for columns in range(1, 25 // rows + 1):
        solved = solve(rows, columns)
        assert equal(solved.value, reference.value(rows, columns)), (rows, columns)
        assert solved.outcome == reference.outcome_class(rows, columns), (rows, columns)


@pytest.mark.slow  # 20 seconds each
@pytest.mark.parametrize("size", [(8, 4), (4, 8), (9, 3), (5, 6)])
def test_bigger_boards_equal_brute_force(size):
    assert equal(solve(*size).value, reference.value(*size))
    assert solve(*size).outcome == reference.outcome_class(*size)


@settings(deadline=None, max_examples=150)
@given(positions(most=20))
def test_any_position_equals_brute_force_without_reductions(position):
    """Whatever cells are free, not only positions that play can reach."""
    size, solved = (position.rows, position.columns), solve(position.rows, position.columns)
    exact = reference.solve_plainly(*size, filled(position))
    assert equal(solved.value_of(position), exact.value)
    assert solved.outcome_of(position) == reference.CLASSES[exact.low, exact.high]


@pytest.mark.parametrize(
    ("size", "rounds", "number"),
    [
        ((5, 5), 1, 40), ((6, 4), 1, 40), ((8, 4), 2, 40), ((6, 6), 2, 12), ((7, 7), 4, 40),
        ((8, 8), 6, 100), ((4, 16), 6, 12),
    ],
)  # fmt: skip
def test_reachable_positions_equal_the_reference(size, rounds, number):
    chance, solved, gaps = random.Random(7), solve(*size), 0
    for _ in range(number):
        position = after_random_rounds(Position.empty(*size), rounds, chance)
        exact = reference.solve(*size, filled(position))
        assert equal(solved.value_of(position), exact.value), position
        assert solved.outcome_of(position) == reference.CLASSES[exact.low, exact.high], position
        gaps += exact.low < exact.high
    assert gaps or size not in ((8, 4), (7, 7), (8, 8))  # between the sure results too


def test_what_the_paper_says_of_its_boards():
    assert (solve(6, 6).outcome, solve(6, 6).value) == ("D", 0.5)
    assert (solve(8, 4).outcome, solve(8, 4).value) == ("VD", 0.75)
    value, row, column = solve(8, 4).equilibrium(Position.empty(8, 4))
    assert value == 0.75
    for mixture in (row, column):
        assert mixture[mixture > 0].tolist() == [0.5, 0.5]


def test_correct_first_moves_on_4x4():
    start, solved = Position.empty(4, 4), solve(4, 4)
    A = solved.payoff_matrix(start)
    good_v = [m for m, row in zip(start.v_moves(), A) if row.min() == solved.value]
    good_h = [m for m, column in zip(start.h_moves(), A.T) if column.max() == solved.value]
    assert (good_v, good_h) == reference.correct_moves(4, 4)
    assert good_v == [(0, 1), (0, 2), (1, 1), (1, 2)]
    assert good_h == [(1, 0), (1, 1), (2, 0), (2, 1)]  # the paper prints an illegal (1, 2)


@pytest.mark.parametrize(
    ("size", "rounds"),
    [((6, 6), 1), ((7, 7), 2), ((8, 4), 1), ((5, 7), 1), ((8, 8), 4), ((9, 7), 4)],
)
def test_images_have_the_same_value_and_transposed_positions_the_opposite(size, rounds):
    (rows, columns), chance = size, random.Random(3)
    solved, over = solve(rows, columns), solve(columns, rows)
    swapped = {"V": "H", "H": "V", "D": "D", "VD": "HD", "HD": "VD", "VHD": "VHD"}
    for _ in range(15):
        position = after_random_rounds(Position.empty(*size), rounds, chance)
        grid = np.array([position.free >> bit & 1 for bit in range(rows * columns)])
        grid = grid.reshape(size)
        images = [int(mask(np.argwhere(image).tolist(), columns)) for image in (
            grid[::-1], grid[:, ::-1], grid[::-1, ::-1])]  # fmt: skip
        value = solved.value_of(position)
        assert all(equal(solved.value_of(image), value) for image in images)
        turned = int(mask(np.argwhere(grid.T).tolist(), rows))
        assert turned == force.transposed(np.uint64(position.free), rows, columns)
        assert equal(over.value_of(turned), 1 - value)
        assert over.outcome_of(turned) == swapped[solved.outcome_of(position)]


def test_matrices_of_a_square_board_are_antisymmetric():
    start, A = Position.empty(6, 6), solve(6, 6).payoff_matrix(Position.empty(6, 6))
    place = {move: i for i, move in enumerate(start.v_moves())}
    image = [place[column, row] for row, column in start.h_moves()]  # of H's moves, as V's
    back = np.argsort(image)
    assert np.allclose(A + A[np.ix_(image, back)].T, 1, atol=1e-12)
    assert 0.25 in A  # not only sure results


def test_values_do_not_depend_on_the_order_of_questions():
    """To the last bit: stored results are compared for equality."""
    chance, start = random.Random(11), Position.empty(6, 6)
    asked = [after_random_rounds(start, 1, chance).free for _ in range(60)]
    one, other = Solution(6, 6), Solution(6, 6)
    values = {free: one.value_of(free) for free in asked}
    assert {free: other.value_of(free) for free in reversed(asked)} == values
    assert set(values.values()) - {0, 0.5, 1}


@settings(deadline=None, max_examples=100)
@given(positions(most=20))
def test_reduction_counts_runs_of_one_player(position):
    """By cells: runs in which the other player has no cell are a third as many spare moves."""
    shape = position.columns, rules.fits_mask(position.rows, position.columns)
    cells, *spares = force.reduced(np.uint64(position.free), 0, 0, *shape)
    pieces = {
        "V": [reference.piece("V", m) for m in position.v_moves()],
        "H": [reference.piece("H", m) for m in position.h_moves()],
    }
    left, counts = set(), []
    for player, other in ("VH", "HV"):
        runs, spare = [], 0
        for new in pieces[player]:
            joined = [run for run in runs if run & new]
            runs = [run for run in runs if not run & new] + [new.union(*joined)]
        for run in runs:
            if run & frozenset().union(*pieces[other]):
                left |= run
            else:
                spare += len(run) // 3
        counts.append(spare)
    assert (int(cells), list(spares)) == (mask(left, position.columns), counts)


def test_shortfall_is_the_loss_to_the_best_reply():
    solved, chance = solve(6, 6), random.Random(1)
    for _ in range(10):
        position = after_random_rounds(Position.empty(6, 6), 1, chance)
        A, value = solved.payoff_matrix(position), solved.value_of(position)
        v, h = (np.random.default_rng(1).dirichlet(np.ones(n)) for n in A.shape)
        assert equal(solved.shortfall(position, v=v), value - (v @ A).min())
        assert equal(solved.shortfall(position, h=h), (A @ h).max() - value)
        exact = solved.equilibrium(position)
        assert equal(exact.value, value)
        assert solved.shortfall(position, v=exact.row) < 1e-12
        assert solved.shortfall(position, h=exact.column) < 1e-12
        assert matrixgame.duality_gap(A, exact.row, exact.column) < 1e-12


def test_all_boards_of_the_paper_are_solved_in_time():
    Solution(8, 4)  # compiles
    begin = time.process_time()
    table = outcome_table(12)
    assert time.process_time() - begin < 15
    assert len(table) == 66
    assert solve(7, 7).outcome == "VHD"
    assert max(solve(m, n).error_bound for m, n in product((4, 6, 7, 8), (4, 6))) < 1e-12


@pytest.mark.slow  # 6 seconds, half a million positions
def test_the_first_round_on_7x7():
    solved = Solution(7, 7)
    assert equal(solved.equilibrium(Position.empty(7, 7)).value, 0.5)
    assert 100_000 < solved.positions < 2_000_000


def test_questions_the_solver_refuses():
    with pytest.raises(ValueError, match="at most 64 cells, and 9×8 has 72"):
        solve(9, 8)
    solve(4, 4)  # what is solved already does not hide a wrong size
    for rows in (-1, 4.0):
        with pytest.raises(ValueError, match="rows must be a whole number"):
            solve(rows, 4)
    with pytest.raises(ValueError, match="of a 4×4 board, not of 5×4"):
        solve(4, 4).value_of(Position.empty(5, 4))
    for position in (-1, 1 << 16, None, 0.5, True, "...."):
        with pytest.raises(ValueError, match="free cells of a 4×4 board"):
            solve(4, 4).value_of(position)
    with pytest.raises(ValueError, match="the game is over"):
        solve(4, 4).payoff_matrix(0)
    with pytest.raises(ValueError, match="v or h, not both"):
        solve(4, 4).shortfall(Position.empty(4, 4))
    nan = [float("nan")] * 8
    for mixture in ([1.0], [0.5] * 8, [-1, 2, 0, 0, 0, 0, 0, 0], nan, "mixture", [None] * 8):
        with pytest.raises(ValueError, match="v must be"):
            solve(4, 4).shortfall(Position.empty(4, 4), v=mixture)
    for total in (17, 1, True, 4.0, None):
        with pytest.raises(ValueError, match="from 2 to 16"):
            outcome_table(total)


# ---- pictures ----


def test_pictures_show_pieces_overlaps_and_unknown_cells():
    start = Position.empty(4, 5)
    after = start.play((0, 1), (1, 0))
    assert after._repr_svg_().count('fill="#222"') == 1
    assert start._repr_svg_().count("<rect") == 1
    unknown = replace(after, rounds=())
    assert draw.board(unknown).count("#7F7F7F") == 5
    assert draw.board(start, shades={(0, 0): 0.25, (0, 1): 0}).count("#009E73") == 1
    assert ">a &lt; b<" in draw.board(start, caption="a < b")
    assert draw.board(start, shades={"0,0": 0.25}) == draw.board(start, shades={(0, 0): 0.25})
    with pytest.raises(ValueError, match="no cell"):
        draw.board(start, shades={(4, 0): 0.5})
    for shades in ({"0,0": float("nan")}, {"0,0": 2}, {"0,0": None}, ["0,0"]):
        with pytest.raises(ValueError, match="shade"):
            draw.board(start, shades=shades)
    for options in ({"position": None}, {"caption": 3}, {"last": 1}):
        with pytest.raises(ValueError, match=next(iter(options))):
            draw.board(**{"position": start, **options})
    for positions in ([], None, [None], start):
        with pytest.raises(ValueError, match="position"):
            draw.strip(positions)
    for options in ({"captions": "one"}, {"captions": None}, {"columns": 0}):
        with pytest.raises(ValueError, match=next(iter(options))):
            draw.strip([start], **options)
