"""The card of the chapter on Goofspiel."""

import matplotlib as mpl

from gamecore.papers.palette import HUES
from gamecore.papers.runner import results

TITLE = "Goofspiel: which features matter"
PAPER = "feature importance by abstraction, ES-MCCFR on Goofspiel"
SHOWS = "all curves, their limits, the ranking of features"
TEXT = """
{cite:t}`fujii`. How much a feature of the position is worth, measured by hiding it from a player
that learns by Monte-Carlo CFR.
"""


def draw(ax: mpl.axes.Axes) -> str:
    """Draw what is lost, in the limit, by each set of features a player does not see."""
    limits = results("goofspiel/limits").set_index("features")["return"].sort_values()
    names = ["hand only" if s == "hand" else "+".join(s) for s in limits.index]
    colours = [HUES["blue" if set(s) & set("CD") and s != "hand" else "grey"] for s in limits.index]
    ax.bar(range(len(limits)), -limits, color=colours)
    ax.set_xticks(range(len(limits)), names, rotation=90, fontsize=6)
    ax.grid(axis="x", visible=False)
    ax.set(ylabel="loss in the limit", title="features seen: C and D matter most (blue)")
    return "Loss of a Goofspiel player by the set of features it sees; sets with C or D lose less"
