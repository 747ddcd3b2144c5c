"""Readings of curves and limits, for judges and for the chapter: means, gaps, crossings."""

from collections.abc import Mapping
from itertools import combinations
from math import factorial

import numpy as np
import pandas as pd

from gamecore.goofspiel.tree import FEATURES
from gamecore.papers import palette
from gamecore.papers.goofspiel.experiments import HAND, NONE, SETS
from gamecore.papers.stats import Estimate

#: The features in a word or two.
SEEN = {"C": "prize", "O": "other hand", "D": "deck", "P": "points"}


def with_feature(player: str, feature: str) -> str:
    """Return the set of features that has one more.

    Examples
    --------
    >>> with_feature("hand", "C"), with_feature("CD", "O")
    ('C', 'COD')
    """
    return "".join(c for c in FEATURES if c in player + feature)  # "hand" has no capital letter


def hue(player: str) -> str:
    """Return the colour of a player: by whether the prize (C) and the deck (D) are seen.

    Examples
    --------
    >>> hue("CDP") == hue("CD"), hue("hand") == hue("OP"), hue("C") == hue("D")
    (True, True, False)
    """
    kinds = {"": "neither C nor D", "C": "C, not D", "D": "D, not C", "CD": "C and D"}
    seen = "".join(c for c in "CD" if c in player)
    return palette.colour("no abstraction" if player == NONE else kinds[seen])


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


def share(m: Mapping[str, Estimate], weights: Mapping[str, float]) -> Estimate:
    """Return a weighted sum of shares of the gap, with its error.

    The error is that of the linearised quotient; players are taken as independent, as their seeds
    are.

    Parameters
    ----------
    m : mapping from player to estimate
        A number of each of `SETS`.
    weights : mapping from player to weight
        Which shares are added up: ``{"CD": 1, "C": -1}`` asks what D adds to C.

    Examples
    --------
    >>> m = exactly(dict.fromkeys(SETS, -0.8)) | {"C": Estimate(-0.4, 0.08), "CODP": Estimate(0, 0)}
    >>> found = share(m, {"C": 1})
    >>> round(found.value, 3), round(found.error, 3)
    (0.5, 0.1)
    """
    gap = m[HAND].value - m["CODP"].value
    value = sum(w * (m[HAND].value - m[name].value) for name, w in weights.items()) / gap
    slopes = {HAND: 0.0, "CODP": 0.0} | {name: -w / gap for name, w in weights.items()}
    slopes[HAND] += (sum(weights.values()) - value) / gap
    slopes["CODP"] += value / gap
    total = Estimate(0.0, 0.0)
    for name, slope in slopes.items():
        total = total.minus(m[name].times(-slope))
    return total._replace(value=value)


def exactly(m: Mapping[str, float]) -> dict[str, Estimate]:
    """Return numbers as estimates without an error: limits, or a single run.

    Examples
    --------
    >>> exactly({"C": 0.5})["C"].above(0.4)
    True
    """
    return {str(name): Estimate(float(value), 0.0) for name, value in m.items()}


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
        Rows of ``goofspiel/curves``, ``goofspiel/long`` or ``goofspiel/cards``.
    number : str
        What is averaged, such as ``"eps"``, ``"b1"``, ``"return"`` or ``"bid@5"``.
    """
    chosen = {c: int(c.rsplit("@", 1)[1]) for c in results if c.startswith(f"{number}@")}
    return results.groupby("features", sort=False)[list(chosen)].mean().rename(columns=chosen)


def estimates(results: pd.DataFrame, number: str, iterations: int) -> dict[str, Estimate]:
    """Return a number of each player at a checkpoint, as an estimate over seeds."""
    seeds = results.groupby("features", sort=False)[f"{number}@{iterations}"]
    return {str(name): Estimate.of(values) for name, values in seeds}


def last_above(found: pd.DataFrame, limit: float) -> int:
    """Return the last checkpoint at which the interval of a `difference` lies above a limit.

    Examples
    --------
    >>> last_above(pd.DataFrame({"low": [0.2, 0.1, -0.1]}, [1000, 2000, 5000]), 0.0)
    2000
    """
    return int(found.index[found.low > limit].max())


def difference(results: pd.DataFrame, first: str, second: str, number: str) -> pd.DataFrame:
    """Return the difference of two players' means at each checkpoint, with a 95 % interval.

    Welch's t interval over seeds; with a single seed each, no interval (low and high are equal).
    """
    table = []
    for t in means(results, number).columns:
        m = estimates(results, number, t)
        d = m[first].minus(m[second])
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
