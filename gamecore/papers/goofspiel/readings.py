"""Readings of curves and limits, for judges and for the chapter: means, gaps, crossings."""

from collections.abc import Mapping
from itertools import combinations
from math import factorial

import numpy as np
import pandas as pd

from gamecore.goofspiel.tree import FEATURES
from gamecore.papers.goofspiel.experiments import HAND, SETS
from gamecore.papers.stats import Estimate


def with_feature(player: str, feature: str) -> str:
    """Return the set of features that has one more.

    Examples
    --------
    >>> with_feature("hand", "C"), with_feature("CD", "O")
    ('C', 'COD')
    """
    return "".join(c for c in FEATURES if c in player + feature)  # "hand" has no capital letter


def shares(m: Mapping[str, float]) -> pd.Series:
    """Return which share of the gap from the hand only to all features each set closes.

    Examples
    --------
    >>> m = dict.fromkeys(SETS, -0.8) | {"C": -0.4, "CODP": 0.0}
    >>> float(shares(m)["C"])
    0.5
    """
    gap = m[HAND] - m["CODP"]
    return pd.Series({name: (m[HAND] - m[name]) / gap for name in SETS})


def shapley(m: Mapping[str, float]) -> pd.Series:
    """Return the four features' Shapley values: what each adds, averaged over all orders.

    Their sum is the number of all four features less that of the hand only.

    Examples
    --------
    >>> m = {name: 0.1 * len(name) * (name != "hand") for name in SETS}
    >>> shapley(m).round(3).tolist()
    [0.1, 0.1, 0.1, 0.1]
    """
    values = {}
    for feature in FEATURES:
        others = [c for c in FEATURES if c != feature]
        total = 0.0
        for size in range(4):
            weight = factorial(size) * factorial(3 - size) / factorial(4)
            for chosen in combinations(others, size):
                without = "".join(chosen) or HAND
                total += weight * (m[with_feature(without, feature)] - m[without])
        values[feature] = total
    return pd.Series(values)


def means(results: pd.DataFrame, number: str) -> pd.DataFrame:
    """Return seed means of a number: one row per player, one column per checkpoint.

    Parameters
    ----------
    results : pandas.DataFrame
        Rows of ``goofspiel/curves`` or ``goofspiel/long``.
    number : {"eps", "b0", "b1", "return"}
        What is averaged.
    """
    chosen = {c: int(c.split("@")[1]) for c in results if c.startswith(f"{number}@")}
    return results.groupby("features", sort=False)[list(chosen)].mean().rename(columns=chosen)


def difference(results: pd.DataFrame, first: str, second: str, number: str) -> pd.DataFrame:
    """Return the difference of two players' means at each checkpoint, with a 95 % interval.

    Welch's t interval over seeds; with a single seed each, no interval (low and high are equal).
    """
    table = []
    for t in means(results, number).columns:
        seeds = results.groupby("features")[f"{number}@{t}"]
        d = Estimate.of(seeds.get_group(first)).minus(Estimate.of(seeds.get_group(second)))
        table.append({"iterations": t, "difference": d.value, "low": d.low, "high": d.high})
    return pd.DataFrame(table).set_index("iterations")


def crossing(differences: pd.Series) -> tuple[int, int] | None:
    """Return the two checkpoints between which a difference last turns from positive to negative.

    Examples
    --------
    >>> crossing(pd.Series([0.2, 0.1, -0.1], [1000, 2000, 5000]))
    (2000, 5000)
    """
    points, signs = list(differences.index), np.sign(differences.to_numpy())
    for i in range(len(points) - 1, 0, -1):
        if signs[i - 1] > 0 >= signs[i]:
            return int(points[i - 1]), int(points[i])
    return None


def where(passes: pd.Series) -> str:
    """Return the checkpoints at which a claim passes, in words.

    Examples
    --------
    >>> where(pd.Series([False, True, True, False], [1000, 2000, 5000, 10000]))
    'passes from 2,000 to 5,000'
    """
    points = [int(t) for t in passes.index]
    flags = [bool(x) for x in passes]
    runs = []
    for i, flag in enumerate(flags):
        if flag and (i == 0 or not flags[i - 1]):
            runs.append([points[i], points[i]])
        elif flag:
            runs[-1][1] = points[i]
    if not runs:
        return "passes at no checkpoint"
    if all(flags):
        return "passes at every checkpoint"
    return "passes " + " and ".join(
        f"at {a:,}" if a == b else f"from {a:,} to {b:,}" for a, b in runs
    )
