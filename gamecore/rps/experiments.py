"""The practice experiment: three pairings, judged against the practice report.

The "paper" here is 300 rounds a pairing played by the plain-Python program in
``tests/reference/rps.py``: another program, another generator, a small sample, as in a real
replication. It is in no tally.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from gamecore import matrixgame
from gamecore.experiment import experiment
from gamecore.rps.players import match
from gamecore.rps.rules import payoff_matrix
from gamecore.stats import Ours, wilson

PAIRS = (("rocky", "nash"), ("copycat", "rocky"), ("copycat", "nash"))


@experiment(
    "rps/practice",
    cells=[{"first": first, "second": second} for first, second in PAIRS],
    games=1000, quick=5, paper=50, fingerprint=50,
)  # fmt: skip
def practice(cell, seed, games, tables):
    """Wins, draws and losses of three pairings."""
    wins, draws, losses = match(cell["first"], cell["second"], games, seed)
    return {"win": wins, "draw": draws, "loss": losses}


@practice.judge
def _(results: pd.DataFrame) -> Iterator[tuple[str, Ours]]:
    totals = results.groupby(["first", "second"])[["games", "win", "draw", "loss"]].sum()
    for (first, second), row in totals.iterrows():
        for outcome in ("win", "draw", "loss"):
            share = Ours(row[outcome] / row.games, n=int(row.games))
            yield f"rps/report/{first}-{second}/{outcome}", share
    row = totals.loc["copycat", "rocky"]
    low, high = wilson(row.win, row.win + row.loss)
    detail = f"{row.win / (row.win + row.loss):.4f} of decided rounds, 95 % {low:.4f} to {high:.4f}"
    yield "rps/claim/copycat-beats-rocky", Ours(holds=bool(low > 0.5), detail=detail)


@experiment("rps/theory", cells=[{"game": "rps"}], games=1, quick=1, paper=1, fingerprint=1)
def theory(cell, seed, games, tables):
    """The game's value, its equilibrium, and the worst case of rocky."""
    value, row, _ = matrixgame.solve(payoff_matrix())
    worst = (np.array([0.5, 0.25, 0.25]) @ payoff_matrix()).min()
    return {"value": value, "equilibrium": row.max(), "rocky_worst": worst}


@theory.judge
def _(results: pd.DataFrame) -> Iterator[tuple[str, Ours]]:
    for name in ("value", "equilibrium", "rocky_worst"):
        yield f"rps/theory/{name}", Ours(results[name][0])
