"""Answers to the questions beyond the paper: which search is harder to exploit, and by how much."""

import math
from itertools import combinations

import numpy as np
import pandas as pd

from gamecore.papers.stats import Estimate, Judged, Ours, every, judge
from gamecore.papers.triomineering.beyond import PAPERS, PLAYERS
from gamecore.triomineering.tree import RULES

#: What counts as little: a hundredth of a win.
LITTLE = 0.01


def lost(rows: pd.DataFrame, kind: str, method: str, at: str) -> np.ndarray:
    """Return a method's exploitability at each position of a set, in order."""
    chosen = rows[(rows.set == kind) & (rows.method == method)].sort_values("chunk")
    return chosen[f"lost@{at}"].to_numpy(float)


def more(rows: pd.DataFrame, kind: str, a: str, b: str, at: str) -> Estimate:
    """Return how much more exploitable one method is than another, position by position."""
    return _mean(lost(rows, kind, a, at) - lost(rows, kind, b, at))


def _mean(values: np.ndarray) -> Estimate:
    """Return the mean over positions; a single one, as at the quick scale, decides nothing."""
    return Estimate.of(values) if len(values) > 1 else Estimate(float(values.mean()), math.inf)


def _means(rows: pd.DataFrame, kind: str, methods: tuple[str, ...], at: str) -> str:
    return ", ".join(f"{name} {lost(rows, kind, name, at).mean():.4f}" for name in methods)


@judge("triomineering/tree-positions")
def trees(rows: pd.DataFrame) -> Judged:
    """Say whether the tree helps, and whose nodes choose best."""
    for identity, other in (("tree-helps", "MSUCB1"), ("tree-beats-half-a-ply", "MSUCB1.5")):
        gain = more(rows, "mixed", other, PAPERS, "30000")
        found = _means(rows, "mixed", (other, PAPERS), "30000")
        yield (
            f"triomineering/{identity}",
            Ours(holds=gain.above(0.0), detail=f"Exploitability: {found}; difference {gain}."),
        )
    others = tuple(rule for rule in RULES if rule != "MSUCT")
    gains = {rule: more(rows, "mixed", rule, "MSUCT", "time") for rule in others}
    shown = "; ".join(f"{rule} {gain}" for rule, gain in gains.items())
    yield (
        "triomineering/tree-mixing-best",
        Ours(
            holds=every(gain.above(0.0) for gain in gains.values()),
            detail=f"MSUCT {lost(rows, 'mixed', 'MSUCT', 'time').mean():.4f}; beyond it: {shown}.",
        ),
    )
    for identity, kind in (("tree-pure-enough", "random"), ("tree-pure-where-mixed", "mixed")):
        cost = more(rows, kind, "DUCT(max)", "MSUCT", "time")
        found = _means(rows, kind, ("DUCT(max)", "MSUCT"), "time")
        yield (
            f"triomineering/{identity}",
            Ours(holds=cost.below(LITTLE), detail=f"Exploitability: {found}; difference {cost}."),
        )


def score(matches: pd.DataFrame, kind: str, a: str, b: str) -> Estimate:
    """Return the first player's points per game, 1 for a win and 0.5 for a draw, over positions."""
    rows = matches[(matches.set == kind) & (matches["first"] == a) & (matches.second == b)]
    return _mean(((rows.win + rows.draw / 2) / rows.games).to_numpy(float))


@judge("triomineering/tree-positions", "triomineering/tree-matches")
def agreement(rows: pd.DataFrame, matches: pd.DataFrame) -> Judged:
    """Say in how many matches the less exploitable player leads."""
    found: list[bool | None] = []
    for a, b in combinations(PLAYERS, 2):
        safer = more(rows, "mixed", a, b, "time").below(0.0)
        if safer is not None:
            points = score(matches, "mixed", a, b)
            found.append(points.above(0.5) if safer else points.below(0.5))
    lead, behind, open_ = (found.count(answer) for answer in (True, False, None))
    detail = (
        f"Of {len(found)} pairs that exploitability tells apart, the safer player leads {lead} "
        f"matches and is behind in {behind}; {open_} are undecided."
    )
    holds = 2 * lead > len(found) if found else None
    yield "triomineering/tree-matches-agree", Ours(holds=holds, detail=detail)
