"""Matches as numbers: leads, payoffs and their intervals, and the claims of section 6.5."""

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats as distributions

from gamecore.stats import LEVEL

RESULTS = ("V", "D", "H")
_Z = float(distributions.norm.isf((1 - LEVEL) / 2))


class Estimate(NamedTuple):
    """A number with its standard error."""

    value: float
    error: float

    @property
    def low(self) -> float:
        """The lower end of the normal 95 % interval."""
        return self.value - _Z * self.error

    @property
    def high(self) -> float:
        """The upper end of the normal 95 % interval."""
        return self.value + _Z * self.error

    def minus(self, other: "Estimate") -> "Estimate":
        """Return the difference to an independent estimate."""
        return Estimate(self.value - other.value, math.hypot(self.error, other.error))

    def __str__(self) -> str:
        return f"{self.value:+.3f} ({self.low:+.3f} to {self.high:+.3f})"


class Score(NamedTuple):
    """The results of a match."""

    v: int
    d: int
    h: int

    @property
    def games(self) -> int:
        """How many games there were."""
        return sum(self)

    def lead(self) -> Estimate:
        """Return V's wins less H's, per game.

        Examples
        --------
        >>> print(Score(30, 60, 10).lead())
        +0.200 (+0.082 to +0.318)
        """
        return self._mean(1.0, 0.0, -1.0)

    def payoff(self) -> Estimate:
        """Return V's mean result, with 1 for a win and 0.5 for a draw."""
        return self._mean(1.0, 0.5, 0.0)

    def share(self, result: str) -> Estimate:
        """Return how often a result, ``"V"``, ``"D"`` or ``"H"``, occurred, per game."""
        return self._mean(*(float(name == result) for name in RESULTS))

    def _mean(self, *worth: float) -> Estimate:
        """Return a mean over games; its error is never 0, even if all games end alike."""
        mean = sum(w * k for w, k in zip(worth, self, strict=True)) / self.games
        square = sum(w * w * k for w, k in zip(worth, self, strict=True)) / self.games
        spread = max(square - mean * mean, 0.25 / (self.games + 4))
        return Estimate(mean, math.sqrt(spread / self.games))

    def __str__(self) -> str:
        return f"{self.v}-{self.d}-{self.h}"


def scores(results: pd.DataFrame, by: str | list[str]) -> dict:
    """Return the summed `Score` of each cell of an experiment that plays matches.

    Parameters
    ----------
    results : pandas.DataFrame
        Rows of the experiment.
    by : str or list of str
        The cell's parameters; they become the keys.
    """
    sums = results.groupby(by, sort=False)[list(RESULTS)].sum()
    return {
        key: Score(*map(int, row)) for key, row in zip(sums.index, sums.to_numpy(), strict=True)
    }


def homogeneous(found: Iterable[Score]) -> float:
    """Return the p-value of the chi-square test that all matches have one distribution."""
    table = np.array(list(found))
    table = table[:, table.sum(axis=0) > 0]
    return float(distributions.chi2_contingency(table).pvalue) if table.shape[1] > 1 else 1.0


Judged = dict[str, tuple[bool, str]]


def coarse_sweep(at: dict[float, Score]) -> Judged:
    """Judge what is claimed of table 5, by name; `at` holds the score at each U(Draw)."""
    draws = {u: score.share("D") for u, score in at.items()}
    steps = [draws[u].value for u in (0.0, 0.25, 0.5, 0.75, 1.0)]
    rise = draws[1.0].minus(draws[0.0])
    more = [at[u].share("V").minus(at[0.5].share("V")) for u in (0.0, 0.25)]
    payoffs = [at[u].payoff().value for u in (0.0, 0.25, 0.5)]
    loss = at[0.0].payoff().minus(at[0.5].payoff())
    return {
        "more-draws": (
            bool(np.all(np.diff(steps) > 0)) and rise.low > 0,
            f"draws {_list(steps)}; from 0 to 1 {rise}",
        ),
        "low-no-more-wins": (
            all(estimate.low <= 0 for estimate in more),
            f"wins against U = 0.5: {more[0]} at 0, {more[1]} at 0.25",
        ),
        "low-loses": (
            payoffs[0] < payoffs[1] < payoffs[2] and loss.high < 0,
            f"payoffs {_list(payoffs)}; from 0.5 to 0 {loss}",
        ),
        "u1-draws": (draws[1.0].value >= 0.9, f"{draws[1.0].value:.3f} of the games are drawn"),
    }


def fine_sweep(at: dict[float, Score]) -> Judged:
    """Judge what is claimed of table 6, by name; `at` holds the score at each U(Draw)."""
    draws, losses = (at[0.9].share(x).minus(at[0.5].share(x)) for x in ("D", "H"))
    wins = {u: at[u].share("V").value for u in at}
    rise = at[0.9].payoff().minus(at[0.5].payoff())
    fall = at[1.0].payoff().minus(at[0.9].payoff())
    best = max(at, key=lambda u: at[u].payoff().value)
    shown = ", ".join(f"{u:g}: {score.payoff().value:.3f}" for u, score in at.items())
    return {
        "losses-fall": (draws.low > 0 and losses.high < 0, f"draws {draws}, losses {losses}"),
        "wins-stay": (wins[0.9] >= 0.9 * wins[0.5], f"wins {wins[0.5]:.3f} and {wins[0.9]:.3f}"),
        "payoff-rises": (rise.low > 0, str(rise)),
        "u1-wins-drop": (wins[1.0] <= 0.5 * wins[0.9], f"wins {wins[0.9]:.3f} and {wins[1.0]:.3f}"),
        "u1-payoff-drops": (fall.high < 0, str(fall)),
        "best-below-win": (best in (0.7, 0.8, 0.9), f"best at {best:g}; {shown}"),
    }


def _list(values: Iterable[float]) -> str:
    return ", ".join(f"{x:.3f}" for x in values)


def welch(first: pd.DataFrame, second: pd.DataFrame) -> Estimate:
    """Return the difference of two means from summed values and squares, by Welch's t interval.

    The error is scaled so that the estimate's interval is the t interval.
    """
    parts = []
    for rows in (first, second):
        n = int(rows.games.sum())
        mean = rows.others.sum() / n
        spread = max(rows.squares.sum() / n - mean**2, 0.0) * n / max(n - 1, 1)
        parts.append((mean, spread / n, n))
    (a, va, na), (b, vb, nb) = parts
    error = math.sqrt(va + vb)
    if error > 0:
        degrees = (va + vb) ** 2 / (va**2 / max(na - 1, 1) + vb**2 / max(nb - 1, 1))
        error *= float(distributions.t.isf((1 - LEVEL) / 2, degrees)) / _Z
    return Estimate(a - b, error)


def half_and_half(table: np.ndarray, value: float) -> bool:
    """Return whether two moves of each side, half and half, are optimal and split V from D.

    `table` holds the values of all pairs of moves; of the four pairs two must be worth 1 and two
    0.5.

    Examples
    --------
    >>> half_and_half(np.array([[1.0, 0.5], [0.5, 1.0]]), 0.75)
    True
    """
    v, h = table.shape
    own = [(a, b) for a in range(v) for b in range(a) if (table[a] + table[b]).min() / 2 >= value]
    other = [
        (a, b) for a in range(h) for b in range(a) if (table[:, a] + table[:, b]).max() / 2 <= value
    ]
    return any(
        sorted(table[np.ix_(rows, columns)].ravel().tolist()) == [0.5, 0.5, 1.0, 1.0]
        for rows in own
        for columns in other
    )
