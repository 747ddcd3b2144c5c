"""What the paper says of its figures, as tests on a table of one number per set of features.

The same tests judge the claims after the number of iterations fixed in ``data/published``, show at
which other checkpoints they pass, and are put to the limits of full-width CFR+.
"""

from collections.abc import Mapping
from itertools import combinations
from math import factorial

import numpy as np
import pandas as pd
from scipy import stats as distributions

from gamecore.goofspiel.tree import FEATURES
from gamecore.papers.goofspiel.experiments import HAND, SETS, features_of

#: How much of the gap from the hand only to all four features counts as what.
ALMOST, A_LOT, HARDLY = 0.90, 0.30, 0.05
TOLERANCE = 0.01


def with_feature(player: str, feature: str) -> str:
    """Return the set of features that has one more."""
    return "".join(c for c in FEATURES if c == feature or c in (features_of(player) or ""))


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


def judged(m: Mapping[str, float]) -> dict[str, tuple[bool, str]]:
    """Put every claim about the figures to a table of one number per player.

    Parameters
    ----------
    m : mapping from player to number
        Expected return, or exploitability, of each of `SETS`.

    Returns
    -------
    dict
        Per claim whether it passes, and what was found.

    Examples
    --------
    >>> m = dict.fromkeys(SETS, -0.8) | {"C": -0.5, "CODP": 0.0}
    >>> judged(m)["c-alone-matters"]
    (True, '0.375 of the gap')
    """
    G = shares(m)
    found = {}

    def say(claim: str, passes: bool, words: str) -> None:
        found[claim] = bool(passes), words

    for name in ("CDP", "COD"):
        say(f"{name.lower()}-almost-full", G[name] >= ALMOST, f"{G[name]:.3f} of the gap")
    for name in "CD":
        say(f"{name.lower()}-alone-matters", G[name] >= A_LOT, f"{G[name]:.3f} of the gap")
    for name in "OP":
        say(f"{name.lower()}-alone-hardly", G[name] <= HARDLY, f"{G[name]:.3f} of the gap")
    for name, other in ("OP", "PO"):
        gains = [G[with_feature(base, name)] - G[base] for base in "CD"]
        alone = [G[name], G["OP"] - G[other]]
        say(
            f"{name.lower()}-only-with-c-or-d",
            max(gains) > HARDLY and max(alone) <= HARDLY,
            f"adds {gains[0]:.3f} to C and {gains[1]:.3f} to D, "
            f"{alone[0]:.3f} to the hand and {alone[1]:.3f} to {other}",
        )
    ranges = {}
    for name in FEATURES:
        gains = [G[with_feature(s, name)] - G[s] for s in SETS if name not in s]
        ranges[name] = max(gains) - min(gains)
    widest = max(ranges, key=lambda name: ranges[name])
    words = f"what {widest} adds varies by {ranges[widest]:.3f} of the gap"
    say("interaction", ranges[widest] >= A_LOT, words)
    words = ", ".join(f"{name} {G[name]:.3f}" for name in FEATURES)
    say("c-d-above-o-p", min(G["C"], G["D"]) > max(G["O"], G["P"]), words)
    for name in ("CO", "CP"):
        words = f"{m[name]:+.4f} against {m['CD']:+.4f}"
        say(f"{name.lower()}-above-cd", abs(m[name]) < abs(m["CD"]), words)
    added = G["CD"] - max(G["C"], G["D"])
    say("correlated-add-little", added <= HARDLY, f"{added:.3f} of the gap")
    pairs = [(s, with_feature(s, name)) for s in SETS for name in FEATURES if name not in s]
    worse = {f"{b} after {a}": abs(m[b]) - abs(m[a]) for a, b in pairs}
    bad = [f"{pair} by {x:.3f}" for pair, x in worse.items() if x > TOLERANCE]
    words = f"{len(bad)} of {len(pairs)} pairs worsen" + (f": {', '.join(bad)}" if bad else "")
    say("more-is-nearer-zero", not bad, words)
    return found


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


def passing(results: pd.DataFrame, number: str) -> pd.DataFrame:
    """Return which claims pass at which checkpoint: True or False, one row per claim."""
    table = means(results, number)
    return pd.DataFrame({t: {k: v[0] for k, v in judged(table[t]).items()} for t in table})


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


def difference(results: pd.DataFrame, first: str, second: str, number: str) -> pd.DataFrame:
    """Return the difference of two players' means at each checkpoint, with a 95 % interval.

    Welch's t interval over seeds; with a single seed each, no interval (low and high are equal).
    """
    points = means(results, number).columns
    table = []
    for t in points:
        a, b = (
            results.loc[results.features == name, f"{number}@{t}"].to_numpy(float)
            for name in (first, second)
        )
        d, half = a.mean() - b.mean(), 0.0
        if min(len(a), len(b)) > 1:
            va, vb = a.var(ddof=1) / len(a), b.var(ddof=1) / len(b)
            if va + vb > 0:
                degrees = (va + vb) ** 2 / (va**2 / (len(a) - 1) + vb**2 / (len(b) - 1))
                half = float(distributions.t.isf(0.025, degrees)) * np.sqrt(va + vb)
        table.append({"iterations": t, "difference": d, "low": d - half, "high": d + half})
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
