"""The card of the chapter on Goofspiel."""

import matplotlib as mpl

from gamecore.papers.goofspiel.readings import SEEN, hue
from gamecore.papers.runner import results

TITLE = "Goofspiel: which features matter"
PAPER = "feature importance by abstraction, ES-MCCFR on Goofspiel"
SHOWS = "all curves, their limits, the ranking of features"
TEXT = """
What do you have to look at to play a card game well? {cite:t}`fujii` hides parts of the table from
a player that learns by Monte-Carlo CFR, and sees what it loses. Most of what its text says holds:
the prize on the table and the deck matter most, the other hand and the points only beside them.
Yet three of the four are almost enough only in a small game, and only if one asks what the
player wins; by the exploitability that the paper defines they are not.
"""


def draw(ax: mpl.axes.Axes) -> str:
    """Draw what is lost, in the limit, by each set of features a player does not see."""
    lost = -results("goofspiel/limits").set_index("features")["return"]
    shown = {s: ", ".join(SEEN[c] for c in s) for s in ("OP", "D", "C", "CD", "CO", "CDP")}
    shown = {"hand": "own hand only", **shown, "CODP": "all four"}
    ax.barh(list(shown.values()), lost[list(shown)], color=[hue(s) for s in shown])
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
    ax.set(xlabel="loss per game", title="What is lost, by what is seen")
    return "Loss of a Goofspiel player by the features it sees: sets with prize or deck lose less"
