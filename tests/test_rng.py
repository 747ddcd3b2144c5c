"""xoshiro256** against published output, and the distributions drawn from it."""

import numpy as np
import pytest
from scipy import stats

from gamecore import rng
from gamecore.kernel import kernel

# The first outputs from state (1, 2, 3, 4), as the authors' C code prints them; the same vector is
# used by the test suite of Rust's rand_xoshiro.
REFERENCE = [
    11520, 0, 1509978240, 1215971899390074240, 1216172134540287360, 607988272756665600,
    16172922978634559625, 8476171486693032832, 10595114339597558777, 2904607092377533576,
]  # fmt: skip


@kernel
def _fill(kind, s, n, out):
    for i in range(len(out)):
        if kind == 0:
            out[i] = rng.below(s, n)
        elif kind == 1:
            out[i] = rng.uniform(s)
        elif kind == 2:
            out[i] = rng.normal(s)
        else:
            out[i] = rng.bernoulli_exp(s, n)


def draws(kind, seed, size, n=1):
    out = np.empty(size)
    _fill(kind, rng.state(seed), n, out)
    return out


def test_published_reference_output():
    s = np.array([1, 2, 3, 4], np.uint64)
    assert [int(rng.next_uint64(s)) for _ in REFERENCE] == REFERENCE


def python_xoshiro(s):
    """The same recurrence in Python's integers."""
    mask = 2**64 - 1

    def rotl(x, k):
        return (x << k | x >> (64 - k)) & mask

    result = rotl(s[1] * 5 & mask, 7) * 9 & mask
    t = s[1] << 17 & mask
    s[2] ^= s[0]
    s[3] ^= s[1]
    s[1] ^= s[2]
    s[0] ^= s[3]
    s[2] ^= t
    s[3] = rotl(s[3], 45)
    return result


def test_long_run_equals_python_integers():
    s = rng.state(99)
    plain = [int(x) for x in s]
    for _ in range(10_000):
        assert int(rng.next_uint64(s)) == python_xoshiro(plain)
    numbers = np.empty(100, np.uint64)
    rng.fill(s, numbers)
    assert numbers.tolist() == [python_xoshiro(plain) for _ in numbers]
    assert s.tolist() == plain


def test_seeding_is_seed_sequence():
    expected = np.random.SeedSequence([1, 2]).generate_state(4, np.uint64)
    assert (rng.state(np.random.SeedSequence([1, 2])) == expected).all()
    assert (rng.state(7) == rng.state(np.random.SeedSequence(7))).all()
    with pytest.raises(ValueError, match="seed must be a whole number from 0"):
        rng.state(-1)


def test_below_is_unbiased():
    # 3·2³⁰ is the hardest case: a biased method gives a third of the values twice as often.
    n = 3 * 2**30
    values = draws(0, 1, 300_000, n)
    assert values.min() >= 0
    assert values.max() < n
    thirds = np.bincount((values // 2**30).astype(int), minlength=3)
    assert stats.chisquare(thirds).pvalue > 1e-4
    assert (draws(0, 1, 100, 1) == 0).all()
    for small in (2, 3, 6, 52):
        counts = np.bincount(draws(0, small, 100_000, small).astype(int), minlength=small)
        assert len(counts) == small
        assert stats.chisquare(counts).pvalue > 1e-4


def test_uniform_and_normal_have_their_distributions():
    u = draws(1, 2, 1_000_000)
    assert u.min() >= 0
    assert u.max() < 1
    assert stats.kstest(u, "uniform").pvalue > 1e-3
    z = draws(2, 3, 1_000_000)
    assert stats.kstest(z, "norm").pvalue > 1e-3
    for power, moment in [(1, 0), (2, 1), (3, 0), (4, 3), (6, 15)]:
        error = (z**power).std() / 1000
        assert abs((z**power).mean() - moment) < 4.5 * error


def test_bernoulli_exp():
    for x in (0.0, 0.2, 0.5, 1.0):
        assert draws(3, 4, 200_000, x).mean() == pytest.approx(np.exp(-x), abs=0.005)


def test_shuffle_reaches_every_order_evenly():
    s = rng.state(6)
    counts = {}
    for _ in range(24_000):
        items = np.arange(4)
        rng.shuffle(s, items)
        counts[tuple(items)] = counts.get(tuple(items), 0) + 1
    assert len(counts) == 24
    assert stats.chisquare(list(counts.values())).pvalue > 1e-4


def test_choice_follows_weights_and_never_takes_a_zero():
    s = rng.state(7)
    weights = np.array([0.0, 1.0, 3.0, 0.0, 4.0, 0.0])
    counts = np.bincount([rng.choice(s, weights) for _ in range(40_000)], minlength=6)
    assert (counts[weights == 0] == 0).all()
    assert stats.chisquare(counts[weights > 0], 40_000 * weights[weights > 0] / 8).pvalue > 1e-4


def test_choice_survives_rounding():
    # The largest uniform times the sum may leave a crumb after the last subtraction.
    weights = np.array([0.1] * 10 + [0.0])
    s = rng.state(8)
    assert max(rng.choice(s, weights) for _ in range(10_000)) <= 9
