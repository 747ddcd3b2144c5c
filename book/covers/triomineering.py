"""The card of the chapter on Triomineering."""

import matplotlib as mpl

from gamecore.papers.palette import HUES
from gamecore.papers.runner import results
from gamecore.papers.triomineering.estimates import mean_lost
from gamecore.papers.triomineering.experiments import BUDGETS

TITLE = "Triomineering: MSUCB"
PAPER = "MSUCB, Nash-aware UCB for Synchronized Triomineering"
SHOWS = "all matches, and what each player falls short of perfect play"
TEXT = """
{cite:t}`msucb`. A bandit that knows about Nash equilibria, on a game in which both sides move at
once, and how far it is from one.
"""


def draw(ax: mpl.axes.Axes) -> str:
    """Draw what each player falls short of the value, exactly, against its playouts."""
    rows = results("triomineering/exploitability")
    rows = rows[rows.place == "6×6 after a random round"]
    colours = ("grey", "green", "orange", "blue", "purple")
    for (method, part), colour in zip(rows.groupby("method", sort=False), colours, strict=True):
        found = [mean_lost(part, f"@{playouts}") for playouts in BUDGETS]
        mean, bars = [x.value for x in found], [x.high - x.value for x in found]
        ax.errorbar(BUDGETS, mean, bars, fmt="-o", ms=3, label=method, color=HUES[colour])
    ax.set(xscale="log", ylim=0, xlabel="playouts", ylabel="shortfall (win = 1)")
    ax.legend(fontsize=7)
    return "Shortfall of five Triomineering players against the number of their playouts"
