"""What the practice experiments say on the practice report."""

import pandas as pd

from gamecore.contest import wilson
from gamecore.papers import published
from gamecore.papers.stats import Judged, Ours, judge


@judge("rps/practice")
def practice(results: pd.DataFrame) -> Judged:
    """Judge the report's counts, and its claim on copycat."""
    totals = results.groupby(["first", "second"])[["games", "win", "draw", "loss"]].sum()
    for (first, second), row in totals.iterrows():
        for outcome in ("win", "draw", "loss"):
            share = Ours(row[outcome] / row.games, n=int(row.games))
            yield f"rps/report/{first}-{second}/{outcome}", share
    row = totals.loc["copycat", "rocky"]
    low, high = wilson(row.win, row.win + row.loss)
    detail = f"{row.win / (row.win + row.loss):.4f} of decided rounds, 95 % {low:.4f} to {high:.4f}"
    holds = low > published.limits("rps/claim/copycat-beats-rocky").least
    yield "rps/claim/copycat-beats-rocky", Ours(holds=bool(holds), detail=detail)


@judge("rps/theory")
def theory(results: pd.DataFrame) -> Judged:
    """Judge what theory says exactly."""
    for name in ("value", "equilibrium", "rocky_worst"):
        yield f"rps/theory/{name}", Ours(results[name][0])
