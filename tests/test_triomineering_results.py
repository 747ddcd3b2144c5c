"""Triomineering: tests of claims on made-up matches, and what the stored results must agree on."""

from functools import partial

import numpy as np
import pandas as pd
import pytest

from gamecore.papers import experiment, runner, scoreboard, store
from gamecore.papers.triomineering import claims, estimates, experiments, judges, policies
from gamecore.papers.triomineering.estimates import Score
from gamecore.papers.triomineering.experiments import COARSE, FINE, opening_values
from gamecore.triomineering.players import Player
from gamecore.triomineering.rules import Position
from gamecore.triomineering.solution import solve
from tests.judged import triomineering as made


def test_leads_and_payoffs_of_a_match():
    score = Score(30, 60, 10)
    assert score.lead().value == pytest.approx(0.2)
    assert score.payoff().value == pytest.approx(0.6)
    games = np.repeat([1, 0, -1], score)
    assert score.lead().error == pytest.approx(games.std() / 10)
    assert score.payoff().error == pytest.approx(games.std() / 20)
    assert score.share("D").low < 0.6 < score.share("D").high
    assert Score(0, 50, 0).lead().low < 0 < Score(0, 50, 0).lead().high
    difference = score.payoff().minus(Score(20, 60, 20).payoff())
    assert difference.value == pytest.approx(0.1)
    assert difference.error > score.payoff().error


def test_matches_are_summed_by_cell():
    rows = pd.DataFrame({"u": [0.0, 1.0, 0.0], "V": [1, 2, 3], "D": [4, 5, 6], "H": [7, 8, 9]})
    assert estimates.scores(rows, "u") == {0.0: Score(4, 10, 16), 1.0: Score(2, 5, 8)}


def test_homogeneity():
    assert estimates.homogeneous([Score(30, 60, 10)] * 3) == 1
    assert estimates.homogeneous([Score(30, 60, 10), Score(60, 30, 10)]) < 1e-3
    assert estimates.homogeneous([Score(0, 60, 0), Score(0, 30, 0)]) == 1


def as_the_paper_says(u):
    """Return a score that would bear out all of section 6.5."""
    draws = int(500 + 400 * u) + 60 * (u == 1)
    wins = int(250 * (1 - 0.2 * (u > 0.5) * (u - 0.5))) - 230 * (u == 1)
    wins = min(wins, int(250 - 100 * (0.5 - u))) if u < 0.5 else wins
    return Score(max(wins, 0), draws, 1000 - draws - max(wins, 0))


def test_claims_on_draws_can_hold_and_fail():
    coarse = {u: as_the_paper_says(u) for u in COARSE}
    fine = {u: as_the_paper_says(u) for u in FINE}
    found = {**claims.coarse_sweep(coarse), **claims.fine_sweep(fine)}
    assert [name for name, (holds, _) in found.items() if not holds] == []
    same = {u: Score(100, 800, 100) for u in (*COARSE, *FINE)}
    flat = {**claims.coarse_sweep(same), **claims.fine_sweep(same)}
    assert {name for name, (holds, _) in flat.items() if holds} == {"low-no-more-wins", "wins-stay"}
    turned = {1 - u: score for u, score in coarse.items()}
    assert not claims.coarse_sweep(turned)["more-draws"][0]


def test_sentences_on_few_games_stay_pending():
    """199 games are too few, and each match of a sentence counts; 200 are in the judges' cases."""

    def judged(judge, *frames):
        return {x.removeprefix("triomineering/claim/") for x, ours in judge(*frames)
                if ours.holds is not None}  # fmt: skip

    few, enough = (1, 198, 0), (1, 199, 0)
    model, alone = made.model(), made.one(few)
    assert judged(judges.depth, *alone()) == judged(judges.simple_half, *alone()) == set()
    assert judged(judges.table_2, *made.table_2(few, enough)()) == {"mc/ahead-100000"}
    assert judged(judges.table_2, *made.table_2(enough, few)()) == {"mc/ahead-10000"}
    assert judged(judges.table_4, *made.table_4({0.5: few})()) == set()
    assert judged(judges.table_5, made.by("u", dict.fromkeys(COARSE, few)), model) == set()
    assert judged(judges.table_6, made.by("u", dict.fromkeys(FINE, few)), model) == set()
    assert judged(judges.table_7, *made.table_7(many=few)()) == {"simple/ucb1-even-20000"}
    assert judged(judges.eight_by_four, *alone(), made.simple()) == set()


def test_numbers_carry_their_sample_sizes():
    rows = pd.DataFrame({"mc": [10_000, 100_000], "V": 30, "D": [60, 160], "H": 10})
    found = {x: ours for x, ours in judges.table_2(rows) if ours.holds is None}
    assert found["triomineering/table-2/mc-10000/v"].n == 100
    assert found["triomineering/table-2/mc-100000/h"].n == 200
    counts = dict(judges.search_counts(*made.counts()()))
    assert counts["triomineering/table-3/msucb1/correct"].n == 2
    visits = dict(judges.dilemma(*made.dilemma()()))
    assert visits["triomineering/table-10/msucb1-10000/a1b1"].n == 4


def test_welch_interval():
    dice = np.random.default_rng(1)
    samples = dice.random(40), 0.3 + 0.5 * dice.random(25)
    rows = [
        pd.DataFrame({"games": [len(x)], "others": [x.sum()], "squares": [(x**2).sum()]})
        for x in samples
    ]
    from scipy.stats import ttest_ind

    interval = ttest_ind(*samples, equal_var=False).confidence_interval(0.95)
    first, second = (estimates.mean_of_sums(x, "others", "squares") for x in rows)
    found = first.minus(second)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high))


def test_half_and_half():
    empty = Position.empty(8, 4)
    assert policies.half_and_half(solve(8, 4).payoff_matrix(empty), 0.75)
    assert not policies.half_and_half(np.array([[1.0, 0.5], [1.0, 0.5]]), 0.5)
    assert not policies.half_and_half(solve(6, 6).payoff_matrix(Position.empty(6, 6)), 0.5)


def test_opening_values_are_the_solver():
    values = opening_values(8, 4)
    assert np.isnan(values).sum() == 32 * 32 - 24 * 16
    assert values[1, 12] == solve(8, 4).value_of(Position.empty(8, 4).play((0, 1), (3, 0)))


def test_shortfall_of_the_equilibrium_is_zero():
    for place in policies.PLACES:
        position = policies.position_at(place, np.random.SeedSequence(3))
        solution = solve(position.rows, position.columns)
        _, v, h = solution.equilibrium(position)
        assert abs(policies.shortfall(position, v, "V")) < 1e-9
        assert abs(policies.shortfall(position, h, "H")) < 1e-9
        uniform = np.full(len(v), 1 / len(v))
        assert policies.shortfall(position, uniform, "V") == pytest.approx(
            solution.shortfall(position, v=uniform)
        )


@pytest.fixture(scope="module")
def stored():
    return {name: runner.results(name) for name in experiment.names("triomineering")}


def test_stored_games_add_up(stored):
    for name, rows in stored.items():
        if {"V", "D", "H"} <= set(rows):
            assert (rows[["V", "D", "H"]].sum(axis=1) == rows.games).all(), name
            assert (rows[["V", "V1"]].min(axis=1) >= rows.V2).all(), name
            assert (rows[["H", "H1"]].min(axis=1) >= rows.H2).all(), name


def test_stored_playouts_add_up(stored):
    counts = stored["triomineering/search-counts"]
    pairs = [column for column in counts if column.startswith("(")]
    assert len(pairs) == 16
    assert (counts[pairs].sum(axis=1) == 10_000 * counts.games).all()
    corners = [f"{x}@100000" for x in ("a1b1", "a1b2", "a2b1", "a2b2")]
    dilemma = stored["triomineering/dilemma"]
    assert (dilemma[corners].sum(axis=1) == 100_000 * dilemma.games).all()
    moves = stored["triomineering/8x4-first-moves"]
    cells = moves[[f"cell {k}" for k in range(32)]].sum(axis=1)
    np.testing.assert_allclose(cells, moves.games)


def test_paper_sizes(stored):
    """The paper's numbers of games; 2,000 for table 6."""
    for name, games in {
        "table-2": 1000, "depth": 1000, "table-4": 1000, "table-5": 1000, "table-6": 2000,
        "simpleucb0.5": 1000, "table-7": 400, "8x4": 400,
    }.items():  # fmt: skip
        rows = stored[f"triomineering/{name}"]
        cells = experiment.find(f"triomineering/{name}").cells
        assert rows.games.sum() == games * len(cells), name
        assert set(rows.groupby(list(cells[0])).games.sum()) == {games}, name


@pytest.mark.parametrize("change", [{"every": 9}, {"final_rounds": 1999}, {"filtering": False}])
def test_a_changed_player_changes_a_fingerprint(monkeypatch, change):
    """Search counts and exact shortfalls notice what a single drawn game would not."""
    sensitive = [
        experiment.find(f"triomineering/{x}") for x in ("search-counts", "8x4-first-moves")
    ]
    assert [store.check_fingerprints(x) for x in sensitive] == [[], []]
    monkeypatch.setattr(experiments, "Player", partial(Player, **change))
    assert any(store.check_fingerprints(x) for x in sensitive)


def test_misses_name_the_study_behind_them():
    board = scoreboard.board("triomineering")
    missed = board[board.verdict.isin(["differs", "fails"])]
    known = set(experiment.names("triomineering"))
    assert set(missed.explained_by) <= known | {"unexplained"}
    printed = board[board.kind == "multinomial"]
    assert set(printed.verdict) <= {"consistent", "differs"}
