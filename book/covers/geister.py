"""The card of the chapter on Geister."""

import matplotlib as mpl

from gamecore.papers.palette import HUES
from gamecore.papers.runner import results

TITLE = "Geister: mixed strategies by CFR"
PAPER = "retrograde analysis and CFR players for 4×4 Geister"
SHOWS = "every position, six players against each other"
TEXT = """
{cite:t}`kawakami2021`. Retrograde analysis of every position of 4×4 Geister, and players that
choose by counterfactual regret minimisation.
"""


def draw(ax: mpl.axes.Axes) -> str:
    """Draw how many positions are won and lost, by depth."""
    row = results("geister/table-6.1").iloc[0]
    for kind, colour in (("win", "blue"), ("loss", "orange")):
        counts = row[[name for name in row.index if name.startswith(f"{kind}_")]]
        depth = [int(name.partition("_")[2]) for name in counts.index]
        ax.bar(depth, counts.astype(float), width=0.9, color=HUES[colour], label=kind)
    ax.set(yscale="log", xlabel="plies to the end under perfect play", ylabel="positions")
    ax.set_title(f"{row.total:,} positions solved")
    ax.legend(fontsize=8)
    return "Numbers of won and lost Geister positions by depth, falling from millions to a handful"
