"""Intervals, prediction intervals, and the rules that turn two numbers into a verdict.

A paper's sampled number is itself random. The question is therefore not whether it lies in *our*
confidence interval but whether a new sample of *the paper's* size, drawn from what we measured,
would plausibly have given it: a prediction interval. An experiment's judge fills in `Ours`, and
`verdict` does the rest; the intervals are also for figures.

References
----------
* E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of
  the American Statistical Association 22, 1927.
* L. D. Brown, T. T. Cai and A. DasGupta, "Interval estimation for a binomial proportion",
  Statistical Science 16(2), 2001.
* Gerald J. Hahn and William Q. Meeker, Statistical Intervals, 1991 (prediction intervals).
* B. L. Welch, "The generalization of 'Student's' problem when several different population
  variances are involved", Biometrika 34, 1947.
* Sture Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
  Statistics 6(2), 1979.
* K. Pearson, "On the criterion that a given system of deviations …", Philosophical Magazine 50,
  1900 (the chi-square test).
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats as distributions

from gamecore import check
from gamecore.papers.published import KINDS

LEVEL = 0.95
#: Every verdict there is, by what it says of a published row.
AGREE, MISS = ("exact", "consistent", "holds"), ("differs", "fails")
_HUGE = 1e300  # no number that a paper prints, nor one of ours, is beyond it
VERDICTS = (*AGREE, *MISS, "undecided", "fitted", "redrawn", "not attempted")


class Ours(NamedTuple):
    """Our side of one published row: what an experiment measured for it.

    Attributes
    ----------
    value : float
        A share, mean or exact value.
    n : int
        The number of games behind it.
    sd : float
        The spread of one game (means only).
    blocks : list
        One value per block of games of the paper's size, where games depend on each other.
    holds : bool or None
        Whether a claim passes its test; None if our sample cannot tell, as the detail then
        says.
    detail : str
        What was found, in words.
    explained_by : str
        The experiment in which one reading of the paper gives the number that this does
        not.
    studied_by : str
        The experiment that looked for such a reading, and found none.

    Examples
    --------
    >>> Ours(0.6312, n=20_000).value  # a share of 20,000 games
    0.6312
    >>> Ours(holds=True, detail="7 of 7 pairs").holds  # a claim
    True
    """

    value: float = math.nan
    n: int = 0
    sd: float = math.nan
    blocks: Sequence[float] = ()
    holds: bool | None = None
    detail: str = ""
    explained_by: str = ""
    studied_by: str = ""


# Our side of published rows, by their ids; what a judge yields.
Judged = Iterator[tuple[str, Ours]]


def judge(*experiments: str) -> Callable:
    """Decorate a function that says what experiments have to say on published rows.

    Parameters
    ----------
    *experiments : str
        The experiments whose rows the function takes, one data frame each. What it yields is
        ascribed to the first.

    Examples
    --------
    >>> @judge("rps/theory")
    ... def value(theory):
    ...     yield "rps/theory/value", Ours(theory.value[0])
    >>> value.experiments
    ('rps/theory',)
    """
    for name in experiments:
        check.text(name, "an experiment's name")

    def mark(function: Callable[..., Judged]) -> Callable[..., Judged]:
        function.experiments = experiments  # type: ignore[attr-defined]
        return function

    return mark


class Verdict(NamedTuple):
    """A verdict, with the interval in which the published value would count as consistent.

    Attributes
    ----------
    verdict : str
        One of `VERDICTS`.
    low : float
        Where the interval begins, half a unit of rounding included …
    high : float
        … and where it ends.
    z : float
        How many standard deviations the published value is above ours.
    p : float
        How often chance alone would bring a sampled value as far from ours.

    Examples
    --------
    >>> judged = verdict("mean", 4.8, Ours(5.0, n=10_000, sd=2.0), digits=1, n=100)
    >>> judged.verdict, f"from {judged.low:.2f} to {judged.high:.2f}"
    ('consistent', 'from 4.56 to 5.44')
    """

    verdict: str
    low: float = math.nan
    high: float = math.nan
    z: float = math.nan
    p: float = math.nan


class Estimate(NamedTuple):
    """A measured number with its standard error; differences and their intervals follow from it.

    Attributes
    ----------
    value : float
        The number.
    error : float
        Its standard error.
    degrees : float
        Degrees of freedom of its t interval; infinite for a normal one.

    Examples
    --------
    >>> first, second = Estimate.of([5.0, 6.0, 7.0, 6.0]), Estimate.of([4.0, 4.5, 5.0])
    >>> print(first.minus(second))  # by Welch's t interval
    +1.500 (+0.208 to +2.792)
    """

    value: float
    error: float
    degrees: float = math.inf

    @classmethod
    def of(cls, values: ArrayLike) -> "Estimate":
        """Return the mean of independent values; a single one has no error that we could know."""
        found = check.numbers(values, "values", (None,))
        n = len(found)
        if n < 2:
            return cls(float(found.mean()), 0.0)
        return cls(float(found.mean()), float(found.std(ddof=1)) / math.sqrt(n), n - 1)

    @classmethod
    def of_sums(cls, total: float, squares: float, n: int) -> "Estimate":
        """Return the mean of `n` values, given their sum and the sum of their squares."""
        _check_number(total, "total")
        check.real(squares, "squares", 0, _HUGE)
        _check_n(n, "n")
        mean, less = total / n, max(n - 1, 1)
        return cls(mean, math.sqrt(max(squares / n - mean**2, 0.0) / less), less)

    @classmethod
    def share(cls, successes: float, n: int) -> "Estimate":
        """Return a proportion with its normal error."""
        _check_count(successes, n)
        p = successes / n
        return cls(p, math.sqrt(p * (1 - p) / n))

    @classmethod
    def mean(cls, found: "Iterable[Estimate]") -> "Estimate":
        """Return the mean of independent estimates, of which there must be one at least.

        Examples
        --------
        >>> Estimate.mean([Estimate(1.0, 0.3), Estimate(2.0, 0.4)])
        Estimate(value=1.5, error=0.25, degrees=inf)
        """
        listed = [
            check.instance(one, "an estimate", Estimate) for one in check.listed(found, "found")
        ]
        if not listed:
            raise ValueError("found must have one estimate at least")
        first, *others = listed
        total = reduce(lambda one, other: one.minus(other.times(-1.0)), others, first)
        return total.times(1 / (1 + len(others)))

    def minus(self, other: "Estimate") -> "Estimate":
        """Return the difference to an independent estimate (Welch 1947)."""
        for one in (self, check.instance(other, "other", Estimate)):
            if one.error == math.inf and one.value != one.value:
                continue  # from no games: it decides nothing
            _check_number(one.value, "value")
            check.real(one.error, "error", 0, 1e150)
            check.real(one.degrees, "degrees", 1e-9, math.inf)
        a, b = self.error**2, other.error**2
        spread = a**2 / self.degrees + b**2 / other.degrees
        degrees = (a + b) ** 2 / spread if spread > 0 else math.inf
        return Estimate(self.value - other.value, math.sqrt(a + b), degrees)

    def times(self, factor: float) -> "Estimate":
        """Return a multiple."""
        _check_number(factor, "factor")
        return Estimate(factor * self.value, abs(factor) * self.error, self.degrees)

    def above(self, limit: float) -> bool | None:
        """Say whether the 95 % interval lies above a limit; None if it reaches to both sides."""
        _check_number(limit, "limit")
        return True if self.low > limit else False if self.high < limit else None

    def below(self, limit: float) -> bool | None:
        """Say whether the 95 % interval lies below a limit; None if it reaches to both sides."""
        return self.times(-1.0).above(-_check_number(limit, "limit"))

    @property
    def z(self) -> float:
        """How many standard errors it is above 0; 0 without an error."""
        return self.value / self.error if self.error > 0 else 0.0

    @property
    def low(self) -> float:
        """The lower end of its 95 % interval."""
        return self.value - self._half()

    @property
    def high(self) -> float:
        """The upper end."""
        return self.value + self._half()

    def _half(self) -> float:
        return float(distributions.t.isf((1 - LEVEL) / 2, self.degrees)) * self.error

    def __str__(self) -> str:
        return f"{self.value:+.3f} ({self.low:+.3f} to {self.high:+.3f})"


def every(answers: Iterable[bool | None]) -> bool | None:
    """Return whether all of several answers are yes, None being one that cannot be given.

    Examples
    --------
    >>> every([True, None]), every([None, False]), every([True, True])
    (None, False, True)
    """
    found = _answers(answers)
    return False if False in found else None if None in found else True


def some(answers: Iterable[bool | None]) -> bool | None:
    """Return whether one of several answers is yes, None being one that cannot be given.

    Examples
    --------
    >>> some([True, None]), some([None, False]), some([False, False])
    (True, None, False)
    """
    found = _answers(answers)
    return True if True in found else None if None in found else False


def _answers(answers: Iterable[bool | None]) -> list[bool | None]:
    """Return yes, no, or None for an answer that cannot be given; a ValueError for all else."""
    found = check.listed(answers, "answers")
    for answer in found:
        if answer is not None:
            check.flag(answer, "an answer, if it can be given,")
    return found


def predict_proportion(
    successes: float, ours: int, n: int, level: float = LEVEL
) -> tuple[float, float]:
    """Return where a share of `n` new games would fall, given `successes` of `ours` games.

    The beta-binomial distribution with Jeffreys' prior (see Brown, Cai and DasGupta 2001): both our
    uncertainty and the paper's sampling noise are in it.

    Examples
    --------
    >>> low, high = predict_proportion(14_400, 20_000, 500)
    >>> round(low, 3), round(high, 3)
    (0.68, 0.76)
    """
    _check_count(successes, ours)
    _check_n(n, "n")
    check.real(n, "n, as the law of the paper's sample is added up,", 1, 10**7)
    _check_level(level)
    law = distributions.betabinom(n, successes + 0.5, ours - successes + 0.5)
    return float(law.ppf((1 - level) / 2) / n), float(law.isf((1 - level) / 2) / n)


def predict_mean(
    mean: float, sd: float, ours: int, n: int, level: float = LEVEL
) -> tuple[float, float]:
    """Return where the mean of `n` new games would fall, given our mean and spread per game.

    Both means are taken as normal (Hahn and Meeker 1991).

    Examples
    --------
    >>> low, high = predict_mean(5.0, 2.0, ours=10_000, n=100)
    >>> f"{low:.2f} to {high:.2f}"
    '4.61 to 5.39'
    """
    _check_number(mean, "mean")
    check.real(sd, "sd, the spread of one game,", 0, _HUGE)
    _check_n(ours, "ours")
    _check_n(n, "n")
    _check_level(level)
    half = distributions.norm.isf((1 - level) / 2) * sd * math.sqrt(1 / ours + 1 / n)
    return mean - half, mean + half


def predict_block(blocks: ArrayLike, level: float = LEVEL) -> tuple[float, float]:
    """Return where one more block of dependent games would fall, given ours (Hahn and Meeker 1991).

    Examples
    --------
    >>> low, high = predict_block([0.48, 0.52, 0.50, 0.54])
    >>> round(low, 3), round(high, 3)
    (0.418, 0.602)
    """
    values = check.numbers(blocks, "blocks", (None,))
    _check_level(level)
    if len(values) < 2:
        raise ValueError("a prediction by blocks needs at least two blocks")
    spread = values.std(ddof=1) * math.sqrt(1 + 1 / len(values))
    half = distributions.t.isf((1 - level) / 2, len(values) - 1) * spread
    return float(values.mean() - half), float(values.mean() + half)


def joint_test(published: ArrayLike, ours: ArrayLike) -> float:
    """Return the p-value that two rows of counts come from one distribution (Pearson 1900).

    Where an expected count is under 5 the chi-square law is a poor guide; then the statistic is
    compared with 20,000 rows drawn from the Dirichlet-multinomial that our counts predict.

    Examples
    --------
    >>> round(joint_test([48, 2], [960, 40]), 3)
    1.0
    >>> joint_test([20, 30], [960, 40]) < 1e-4
    True
    """
    a, b = (check.numbers(row, "a row of counts", (None,)) for row in (published, ours))
    possible = a.shape == b.shape and len(a) > 1 and min(a.min(), b.min()) >= 0
    if not possible or not 0 < min(a.sum(), b.sum()) <= max(a.sum(), b.sum()) < 1e18:
        raise ValueError("joint_test needs two rows of counts of one length, neither all zero")
    seen = a + b > 0
    a, b = a[seen], b[seen]
    if len(a) < 2:
        return 1.0
    n, ours_n = a.sum(), b.sum()

    def statistic(rows: np.ndarray) -> np.ndarray:
        expected = n * np.maximum(rows + b, 1e-12) / (n + ours_n)  # a category may be empty in both
        return ((rows - expected) ** 2 / expected).sum(-1) * (1 + n / ours_n)

    observed = statistic(a)
    if (n * (a + b) / (n + ours_n)).min() >= 5:
        return float(distributions.chi2.sf(observed, len(a) - 1))
    generator = np.random.default_rng(0)
    draws = generator.multinomial(round(n), generator.dirichlet(b + 0.5, 20_000))
    return float((1 + (statistic(draws) >= observed - 1e-9).sum()) / 20_001)


def holm(chances: ArrayLike) -> np.ndarray:
    """Return p-values corrected for their number by Holm's step-down rule (Holm 1979).

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    given = check.listed(chances, "chances")
    p = check.numbers(given, "chances", (None,)) if given else np.zeros(0)
    if ((p < 0) | (p > 1)).any():
        raise ValueError("chances must be p-values between 0 and 1")
    order = np.argsort(p)
    steps = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    corrected = np.empty(len(p))
    corrected[order] = np.minimum(steps, 1.0)
    return corrected


def verdict(
    kind: str,
    published: float | None,
    ours: Ours | None,
    *,
    digits: int = 0,
    n: int | None = None,
    fitted_by: str = "",
    p: float | None = None,
) -> Verdict:
    """Judge one published number or claim against ours.

    Parameters
    ----------
    kind : str
        One of `gamecore.papers.published.KINDS`.
    published : float or None
        The printed value (a count for a multinomial row); None for a claim or a value lost with
        an image.
    ours : Ours or None
        What we measured; None gives *not attempted*.
    digits : int
        Decimals printed: the published value stands for half a unit either way.
    n : int, optional
        The paper's sample size (needed for sampled kinds unless ours has blocks).
    fitted_by : str
        The decision of ours that was chosen to fit this number; the verdict is then *fitted*.
    p : float, optional
        For a multinomial row, the p-value of its whole group (`joint_test`).

    Examples
    --------
    >>> verdict("exact", 0.42, Ours(0.4166), digits=2).verdict
    'exact'
    >>> verdict("proportion", 0.64, Ours(0.6312, n=20_000), digits=3, n=500).verdict
    'consistent'
    >>> verdict("claim", None, Ours(holds=False, detail="3 of 9")).verdict
    'fails'
    """
    check.one_of(kind, "kind", KINDS)
    check.text(fitted_by, "fitted_by")
    digits = check.whole(digits, "digits", -20, 20)
    for name, number, most in (("published", published, _HUGE), ("p", p, 1.0)):
        if number is not None:
            check.real(number, name, 0 if name == "p" else -_HUGE, most)
    if n is not None:
        _check_n(n, "n")
    if ours is None:
        return Verdict("not attempted")
    check.instance(ours, "ours", Ours)
    if kind == "redrawn":
        return Verdict("redrawn")
    if kind == "claim":
        if ours.holds is None and not ours.detail:
            raise ValueError("a claim needs Ours(holds=…), or a detail that says why it is open")
        if ours.holds is not None:
            check.flag(ours.holds, "holds, if it can be said,")
        found = {True: "holds", False: "fails", None: "undecided"}[ours.holds]
        return Verdict("fitted" if fitted_by else found)
    if published is None:
        raise ValueError(f"a row of kind {kind!r} needs its published value")
    _check_number(ours.value, "our value")
    rounding = 0.5 * 10.0**-digits
    if kind == "exact":
        low, high, z, chance = ours.value, ours.value, math.nan, math.nan
        good = abs(ours.value - published) <= rounding * (1 + 1e-9)
    else:
        low, high, sd = _prediction(kind, ours, n)
        z = (published - ours.value) / sd if sd > 0 else math.nan
        law = distributions.t(len(ours.blocks) - 1) if len(ours.blocks) else distributions.norm
        chance = float(2 * law.sf(abs(z)))
        scale = n if kind == "multinomial" and n else 1  # such rows print counts
        low, high = low * scale - rounding, high * scale + rounding
        good = low <= published <= high
        if kind == "multinomial":
            if p is None:
                raise ValueError("a multinomial row is judged with its group: pass p")
            good, chance = p >= 1 - LEVEL, p
            z = float(distributions.norm.isf(p)) if p < 1 else math.nan
    name = ("exact" if kind == "exact" else "consistent") if good else "differs"
    return Verdict("fitted" if fitted_by else name, low, high, z, chance)


def _prediction(kind: str, ours: Ours, n: int | None) -> tuple[float, float, float]:
    """Return the prediction interval of a sampled row and the standard deviation behind it."""
    if len(check.listed(ours.blocks, "blocks")):
        sd = float(np.std(ours.blocks, ddof=1)) * math.sqrt(1 + 1 / len(ours.blocks))
        return *predict_block(ours.blocks), sd
    if n is None or check.real(ours.n, "our n", 0, 1e18) < 1:
        raise ValueError(f"a row of kind {kind!r} needs the paper's n and ours")
    if kind == "mean":
        sd = ours.sd * math.sqrt(1 / ours.n + 1 / n)
        return *predict_mean(ours.value, ours.sd, ours.n, n), sd
    interval = predict_proportion(ours.value * ours.n, ours.n, n)
    share = (ours.value * ours.n + 0.5) / (ours.n + 1)
    return *interval, math.sqrt(share * (1 - share) * (1 / ours.n + 1 / n))


def _check_count(successes: float, n: int) -> None:
    _check_n(n, "n")
    if not 0 <= check.real(successes, "successes", -_HUGE, _HUGE) <= n:
        raise ValueError(f"{successes} successes of {n} games is not a proportion")


def _check_n(n: float, name: str) -> None:
    """Refuse what is no number of games; sums of tables may be whole numbers kept as floats."""
    if check.real(n, f"{name}, a number of games,", 1, 1e18) % 1:
        raise ValueError(f"{name} must be a whole number of games, not {n}")


def _check_number(value: float, name: str) -> float:
    return check.real(value, name, -_HUGE, _HUGE)


def _check_level(level: float) -> float:
    return check.real(level, "level", 1e-6, 1 - 1e-6)
