"""Intervals by simulation, and every verdict rule."""

import math

import numpy as np
import pytest
from scipy.stats import binomtest, chi2_contingency, norm, ttest_1samp, ttest_ind

from gamecore import contest
from gamecore.papers import stats
from gamecore.papers.stats import Estimate, Ours, verdict


def test_wilson_agrees_with_scipy():
    for successes, n in [(0, 5), (3, 10), (10, 10), (486, 500)]:
        expected = binomtest(successes, n).proportion_ci(method="wilson")
        assert contest.wilson(successes, n) == pytest.approx((expected.low, expected.high))


@pytest.mark.parametrize(
    ("p", "ours", "n"), [(0.72, 20_000, 500), (0.97, 2_000, 500), (0.5, 100, 100)]
)
def test_prediction_interval_covers_95_percent(p, ours, n):
    generator = np.random.default_rng(1)
    covered = 0
    for _ in range(1000):
        low, high = stats.predict_proportion(generator.binomial(ours, p), ours, n)
        covered += low <= generator.binomial(n, p) / n <= high
    assert 0.93 <= covered / 1000 <= 0.985  # discreteness may only widen it


def test_mean_and_block_predictions_cover_95_percent():
    generator = np.random.default_rng(2)
    mean_hits = block_hits = inside = 0
    for _ in range(4000):
        sample = generator.normal(3, 2, 400)
        low, high = stats.predict_mean(sample.mean(), sample.std(), 400, 100)
        mean_hits += low <= generator.normal(3, 2, 100).mean() <= high
        blocks = generator.normal(3, 2, 12)
        low, high = stats.predict_block(blocks)
        block_hits += low <= generator.normal(3, 2) <= high
        mean = Estimate.of(blocks)
        inside += mean.low <= 3 <= mean.high
    for hits in (mean_hits, block_hits, inside):
        assert 0.94 <= hits / 4000 <= 0.96


def test_estimates_agree_with_scipy():
    a, b = [5.0, 6.0, 7.0, 6.5, 4.0], [4.0, 4.5, 5.5]
    expected = ttest_ind(a, b, equal_var=False).confidence_interval(0.95)
    found = Estimate.of(a).minus(Estimate.of(b))
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))
    sums = [(sum(x), sum(v * v for v in x), len(x)) for x in (a, b)]
    again = Estimate.of_sums(*sums[0]).minus(Estimate.of_sums(*sums[1]))
    assert tuple(again) == pytest.approx(tuple(found))
    alone = ttest_1samp(a, 0).confidence_interval(0.95)
    assert (Estimate.of(a).low, Estimate.of(a).high) == pytest.approx((alone.low, alone.high))
    assert Estimate.of(a).z == pytest.approx(ttest_1samp(a, 0).statistic)


def test_shares_have_normal_intervals_and_a_single_value_has_none():
    share = Estimate.share(30, 100)
    assert share.error == pytest.approx(math.sqrt(0.21 / 100))
    assert share.high - share.value == pytest.approx(1.959964 * share.error)
    gap = share.minus(Estimate.share(20, 50))
    assert gap.z == pytest.approx(-0.1 / math.sqrt(0.21 / 100 + 0.24 / 50))
    one = Estimate.of([3.0])
    assert (one.low, one.high, one.z) == (3.0, 3.0, 0.0)
    assert Estimate.of_sums(3.0, 9.0, 1) == (3.0, 0.0, 1)
    with pytest.raises(ValueError, match="not a proportion"):
        Estimate.share(3, 2)


@pytest.mark.parametrize("shares", [(0.5, 0.3, 0.2), (0.96, 0.03, 0.01)])
def test_joint_test_rejects_one_in_twenty(shares):
    generator = np.random.default_rng(3)
    chances = [
        stats.joint_test(generator.multinomial(100, shares), generator.multinomial(5000, shares))
        for _ in range(400)
    ]
    assert 0.02 <= np.mean(np.array(chances) < 0.05) <= 0.08
    rows = [60, 20, 20], [2000, 2000, 1000]
    assert stats.joint_test(*rows) == pytest.approx(chi2_contingency(rows).pvalue)
    assert stats.joint_test([3, 97, 0], [0, 980, 20]) < 0.05  # a category that we never saw
    assert stats.joint_test([100, 0], [5000, 0]) == 1.0


def test_exact_verdict_uses_the_printed_precision():
    assert verdict("exact", 0.42, Ours(0.4249), digits=2).verdict == "exact"
    assert verdict("exact", 0.42, Ours(0.4251), digits=2).verdict == "differs"
    assert verdict("exact", 71001840, Ours(71001841)).verdict == "differs"
    assert verdict("exact", 0.09, Ours(0.08), digits=2, fitted_by="horizon").verdict == "fitted"


def test_sampled_verdicts():
    ours = Ours(0.72, n=20_000)
    low, high = stats.predict_proportion(14_400, 20_000, 500)
    inside = verdict("proportion", 0.700, ours, digits=3, n=500)
    assert inside.verdict == "consistent"
    assert (inside.low, inside.high) == pytest.approx((low - 0.0005, high + 0.0005))
    spread = math.sqrt(0.72 * 0.28 * (1 / 20_000 + 1 / 500))
    assert inside.z == pytest.approx((0.7 - 0.72) / spread, rel=1e-3)
    assert verdict("proportion", 0.67, ours, digits=3, n=500).verdict == "differs"
    assert verdict("proportion", 0.67, ours, digits=3, n=20).verdict == "consistent"
    assert inside.p == pytest.approx(2 * norm.sf(abs(inside.z)))
    assert verdict("mean", 5.0, Ours(4.0, n=1000, sd=2), digits=1, n=100).verdict == "differs"
    assert verdict("mean", 4.3, Ours(4.0, n=1000, sd=2), digits=1, n=100).verdict == "consistent"
    blocks = [250.0, 262, 240, 251, 259, 244]
    assert verdict("mean", 253, Ours(251, blocks=blocks)).verdict == "consistent"
    assert verdict("mean", 300, Ours(251, blocks=blocks)).verdict == "differs"


def test_multinomial_rows_share_the_verdict_of_their_group():
    ours = Ours(0.25, n=4000)
    judged = verdict("multinomial", 24, ours, n=100, p=0.01)
    assert judged.verdict == "differs"
    assert judged.low < 25 < judged.high  # counts of the paper's n
    assert judged.z == pytest.approx(2.326, abs=1e-3)
    assert verdict("multinomial", 24, ours, n=100, p=0.06).verdict == "consistent"
    with pytest.raises(ValueError, match="group"):
        verdict("multinomial", 24, ours, n=100)


def test_claims_lost_values_and_missing_results():
    assert verdict("claim", None, Ours(holds=True)).verdict == "holds"
    assert verdict("claim", None, Ours(holds=False)).verdict == "fails"
    assert verdict("claim", None, Ours(detail="12 of 25")).verdict == "undecided"
    assert verdict("claim", None, Ours(holds=True), fitted_by="clipping").verdict == "fitted"
    assert verdict("redrawn", None, Ours(3.0)).verdict == "redrawn"
    assert verdict("exact", 1.0, None).verdict == "not attempted"
    for bad in [
        lambda: verdict("claim", None, Ours()),
        lambda: verdict("exact", None, Ours(1.0)),
        lambda: verdict("proportion", 0.5, Ours(0.5, n=10)),
        lambda: contest.wilson(11, 10),
        lambda: stats.predict_mean(0, -1, 5, 5),
        lambda: stats.predict_block([1.0]),
        lambda: stats.joint_test([1, 2], [1, 2, 3]),
    ]:
        with pytest.raises(ValueError, match=r"\w{4}"):
            bad()


def test_answers_beyond_the_noise_only():
    sure, unsure = Estimate(1.0, 0.1), Estimate(0.1, 0.1)
    assert (sure.above(0.5), sure.below(0.5), unsure.above(0.0), unsure.below(0.0)) == (
        True, False, None, None,
    )  # fmt: skip
    assert Estimate(0.0, 0.0).above(0.0) is None  # on the limit is on neither side
    assert sure.times(-2.0) == Estimate(-2.0, 0.2)


def test_holm_rejects_what_bonferroni_does_and_more():
    p = np.array([0.001, 0.013, 0.2, 0.012])
    assert stats.holm(p).tolist() == pytest.approx([0.004, 0.036, 0.2, 0.036])
    assert (stats.holm(p) <= np.minimum(len(p) * p, 1)).all()
    assert stats.holm([]).size == 0
