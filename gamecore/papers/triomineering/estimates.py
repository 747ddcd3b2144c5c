"""Stored rows as numbers with their errors: results of matches, visits and losses of searches."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from gamecore.papers.stats import Estimate
from gamecore.papers.triomineering.experiments import CHECKPOINTS, CORNERS, PAIRS, RESULTS
from gamecore.papers.triomineering.policies import move_cells, shortfall
from gamecore.triomineering.rules import Position


class Score(NamedTuple):
    """The results of a match."""

    v: int
    d: int
    h: int

    @property
    def games(self) -> int:
        """How many games there were."""
        return sum(self)

    def lead(self, games: float | None = None) -> Estimate:
        """Return V's wins less H's, per game; if `games` is given, with the error of so many.

        Examples
        --------
        >>> print(Score(30, 60, 10).lead())
        +0.200 (+0.082 to +0.318)
        >>> print(Score(30, 60, 10).lead(400))
        +0.200 (+0.141 to +0.259)
        """
        return self._mean((1.0, 0.0, -1.0), games)

    def payoff(self, games: float | None = None) -> Estimate:
        """Return V's mean result, with 1 for a win and 0.5 for a draw; `games` as for `lead`."""
        return self._mean((1.0, 0.5, 0.0), games)

    def share(self, result: str) -> Estimate:
        """Return how often a result, ``"V"``, ``"D"`` or ``"H"``, occurred, per game."""
        return self._mean([float(name == result) for name in RESULTS])

    def _mean(self, worth: Sequence[float], games: float | None = None) -> Estimate:
        """Return a mean over games; its error is never 0, even if all games end alike."""
        mean = sum(w * k for w, k in zip(worth, self, strict=True)) / self.games
        square = sum(w * w * k for w, k in zip(worth, self, strict=True)) / self.games
        spread = max(square - mean * mean, 0.25 / (self.games + 4))
        return Estimate(mean, math.sqrt(spread / (games or self.games)))

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


def mean_of_sums(results: pd.DataFrame, total: str, squares: str) -> Estimate:
    """Return the mean over one cell's searches, from the columns of summed values and squares."""
    sums = results[[total, squares]].sum()
    return Estimate.of_sums(float(sums[total]), float(sums[squares]), int(results.games.sum()))


def mean_visits(results: pd.DataFrame, method: str, c: float) -> np.ndarray:
    """Return the mean visits of the 2×8 pairs in one search, from ``search-counts``."""
    rows = results[(results.method == method) & (results.c == c)]
    return (rows[PAIRS].sum() / rows.games.sum()).to_numpy(float).reshape(2, 8)


def corner_shares(results: pd.DataFrame) -> pd.DataFrame:
    """Return the mean visits of each pair, a row per checkpoint, from one cell of ``dilemma``."""
    sums = results.sum(numeric_only=True) / results.games.sum()
    return pd.DataFrame(
        {corner: [sums[f"{corner}@{t}"] for t in CHECKPOINTS] for corner in CORNERS}, CHECKPOINTS
    )


def grid_visits(results: pd.DataFrame) -> pd.DataFrame:
    """Return the mean visits of each pair, a row per method, R and P, from ``dilemma-grid``."""
    sums = results.groupby(["method", "R", "P"])[[*CORNERS, "games"]].sum()
    return sums[list(CORNERS)].div(sums.games, axis=0)


def mean_lost(results: pd.DataFrame, at: str = "") -> Estimate:
    """Return the mean shortfall of one cell's searches; `at` is for example ``"@1000"``."""
    return mean_of_sums(results, f"lost{at}", f"squares{at}")


def mean_policy(results: pd.DataFrame, method: str, side: str) -> np.ndarray:
    """Return a player's first move on 8×4, averaged over searches: a share for each cell."""
    rows = results[(results.method == method) & (results.side == side)]
    return (rows[[f"cell {k}" for k in range(32)]].sum() / rows.games.sum()).to_numpy(float)


def lost_on_average(policy: np.ndarray, side: str) -> float:
    """Return the shortfall of a mean policy on 8×4: the opponent does not know the seed."""
    empty = Position.empty(8, 4)
    return shortfall(empty, policy[move_cells(empty, side)], side)
