"""Goofspiel: readings of curves, tests of claims, and what the stored results must agree on."""

import numpy as np
import pandas as pd
import pytest

from gamecore.goofspiel import Profile, Trainer, build
from gamecore.papers import published, runner
from gamecore.papers.goofspiel import claims, experiments, facts, readings
from gamecore.papers.stats import Estimate

LIMITS = {number: claims.limits_of(number) for number in ("return", "eps")}


@pytest.fixture(scope="module")
def curves():
    return runner.results("goofspiel/curves")


def test_shapley_values_add_up():
    generator = np.random.default_rng(1)
    m = dict(zip(experiments.SETS, generator.random(16)))
    assert readings.shapley(m).sum() == pytest.approx(m["CODP"] - m["hand"], abs=1e-12)
    m = {name: float("C" in name) for name in experiments.SETS}
    assert readings.shapley(m).tolist() == pytest.approx([1, 0, 0, 0])


def test_differences_and_crossings():
    rows_ = [
        {"features": name, "return@1000": x + noise, "return@2000": noise}
        for name, x in (("CODP", 0.2), ("none", 0.0))
        for noise in (0.0, 0.01, 0.02)
    ]
    found = readings.difference(pd.DataFrame(rows_), "CODP", "none", "return")
    assert found.difference.tolist() == pytest.approx([0.2, 0.0])
    assert 0 < found.low[1000] < 0.2 < found.high[1000]
    assert found.low[2000] < 0 < found.high[2000]
    assert readings.crossing(found.difference.round(9)) == (1000, 2000)
    assert readings.crossing(pd.Series([0.1, 0.2], [1, 2])) is None
    assert readings.crossing(pd.Series([0.1, 0.0, 0.0], [1, 2, 5])) == (1, 2)
    assert readings.crossing(pd.Series([0.1, -0.1, 0.1, -0.2, -0.1], [1, 2, 5, 10, 20])) == (5, 10)
    single = readings.difference(pd.DataFrame(rows_[2:4]), "CODP", "none", "return")
    assert single.low.tolist() == single.high.tolist() == single.difference.tolist()


def test_claims_pass_and_fail_where_they_should():
    weight = {"C": 0.4, "D": 0.35, "O": 0.0, "P": 0.0}
    m = {s: -0.8 + 0.8 * min(1.0, sum(weight.get(c, 0) for c in s)) for s in experiments.SETS}
    m |= {"CDP": -0.02, "COD": -0.03, "CODP": 0.0, "CO": -0.1, "CP": -0.1, "COP": -0.1}
    found = claims.judged(readings.exactly(m), LIMITS["return"])
    assert {claim for claim, (passes, _) in found.items() if not passes} == {
        "correlated-add-little"
    }
    m |= {"CDP": -0.1, "O": -0.65, "C": -0.7, "CD": -0.05}
    found = claims.judged(readings.exactly(m), LIMITS["return"])
    for claim in ("cdp-almost-full", "c-alone-matters", "o-alone-hardly", "o-only-with-c-or-d",
                  "c-d-above-o-p", "co-above-cd", "more-is-nearer-zero"):  # fmt: skip
        assert found[claim][0] is False, claim


def test_errors_of_shares_are_those_of_simulated_seeds():
    generator = np.random.default_rng(1)
    truth, error = {"hand": 0.85, "C": 0.6, "CD": 0.5, "CO": 0.4, "CODP": 0.3}, 0.004
    m = {name: Estimate(x, error) for name, x in truth.items()}
    drawn = {name: generator.normal(x, error, 20_000) for name, x in truth.items()}
    for weights in ({"CD": 1}, {"CD": 1, "C": -1}, {"C": -0.5, "CD": 1, "CO": -0.5}):
        found = readings.share(m, weights)
        gap = drawn["hand"] - drawn["CODP"]
        values = sum(w * (drawn["hand"] - drawn[s]) for s, w in weights.items()) / gap
        assert found.value == pytest.approx(values.mean(), abs=0.001)
        assert found.error == pytest.approx(values.std(), rel=0.03)
    for end, value in (("hand", 0), ("CODP", 1)):
        assert readings.share(m, {end: 1})[:2] == pytest.approx((value, 0), abs=1e-12)


@pytest.mark.parametrize("name", ["goofspiel/curves", "goofspiel/long"])
def test_the_iterations_are_those_that_the_sentence_chooses(name):
    limit = published.limits(claims.CHOOSES)
    ahead = readings.difference(runner.results(name), "CODP", "none", "return")
    assert readings.last_above(ahead, limit.least) == claims.iterations() == limit.iterations
    assert (ahead.low.loc[: claims.iterations()] > limit.least).all()


def test_every_test_on_training_names_the_iterations(curves):
    judged = claims.of_curves(curves, claims.iterations(), LIMITS)
    rows = {row.id: row for row in published.load("goofspiel")}
    judged.pop("goofspiel/claim/more-is-nearer-zero")  # refers to the two others
    for identity in [*judged, "goofspiel/claim/high-prize-high-bid"]:
        assert f"T = {claims.iterations():,} iterations" in rows[identity].test
    for row in rows.values():
        assert row.kind != "redrawn" or f"the {claims.iterations():,} iterations" in row.note


def test_fitted_is_what_depends_on_the_iterations(curves):
    """What comes out differently at the last checkpoint of the judged curves, and nothing else."""
    cards = runner.results("goofspiel/cards")
    points = claims.iterations(), experiments.SHORT[-1]
    there, later = (claims.of_training(curves, cards, t) for t in points)
    differs = {name for name, passes in there.items() if later[name] is not passes}
    fitted = {row.id for row in published.load("goofspiel") if row.fitted_by}
    assert fitted == differs | {claims.CHOOSES}


def test_each_sentence_counts_once():
    """By one measure; the other is shown apart."""
    rows = [row for row in published.load("goofspiel") if row.kind == "claim" and not row.apart]
    names = [row.id.split("/")[2] for row in rows]
    assert len(names) == len(set(names))


def test_single_runs_have_no_noise(curves):
    found = claims.single_runs(curves, runner.results("goofspiel/cards"), claims.iterations())
    assert found.shape[1] == curves.chunk.nunique()
    assert found.notna().all(axis=None)
    assert found.loc[claims.CHOOSES].all()


def test_cards_are_read_alike_on_histories_and_on_markov_states():
    profile = Trainer(5, "D", 1).run(500)
    markov = build(5, "markov")
    place = facts._places(profile.tree, markov)
    row = np.empty(len(markov.states), profile.rows[0].dtype)
    row[place] = profile.rows[0]
    same = Profile(markov, (row, row), (profile.policies[0], profile.policies[0]))
    found = [experiments.cards_played(p) for p in (profile, same)]
    assert found[0] == pytest.approx(found[1])
