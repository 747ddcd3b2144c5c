"""The practice experiments: three pairings, and theory.

The "paper" here is 300 rounds a pairing played by the plain-Python program in
``tests/reference/rps.py``: another program, another generator, a small sample, as in a real
replication. It is in no tally.
"""

import numpy as np

from gamecore.papers.experiment import experiment
from gamecore.rps.matches import match
from gamecore.rps.rules import payoff_matrix
from gamecore.rps.solution import solve

PAIRS = (("rocky", "nash"), ("copycat", "rocky"), ("copycat", "nash"))


@experiment(
    "rps/practice",
    cells=[{"first": first, "second": second} for first, second in PAIRS],
    games=1000, quick=5, paper=50, fingerprint=50,
)  # fmt: skip
def practice(cell, seed, games, tables):
    """Wins, draws and losses of three pairings."""
    played = match(cell["first"], cell["second"], games, seed)
    return {"win": played.wins, "draw": played.draws, "loss": played.losses}


@experiment("rps/theory", cells=[{"game": "rps"}], games=1, quick=1, paper=1, fingerprint=1)
def theory(cell, seed, games, tables):
    """The game's value, its equilibrium, and the worst case of rocky."""
    value, row, _ = solve()
    worst = (np.array([0.5, 0.25, 0.25]) @ payoff_matrix()).min()
    return {"value": value, "equilibrium": row.max(), "rocky_worst": worst}
