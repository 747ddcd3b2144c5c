"""The card of the chapter on Triomineering."""

import matplotlib as mpl

from gamecore.papers.palette import colour
from gamecore.papers.runner import results
from gamecore.papers.triomineering.estimates import mean_lost
from gamecore.papers.triomineering.experiments import BUDGETS

TITLE = "Triomineering: MSUCB"
PAPER = "MSUCB, Nash-aware UCB for Synchronized Triomineering"
SHOWS = "all matches, and what each player falls short of perfect play"
TEXT = """
When both players move at the same time, is a program safer if it rolls dice? The paper lets its
search mix its moves, and finds it far ahead of plain Monte Carlo but no better in matches than a
program that always plays its favourite move; so do we, though two of its three printed scores do
not come out. The solved game shows what matches hide: where one must mix, an opponent who knows the
program takes a quarter of a win from the one that does not, however long it thinks, and next to
nothing from the one that does.
"""
#: Whom the picture shows, and where its name stands.
SHOWN = {"SimpleUCB1": (3e4, 0.225), "MSUCB1": (3e4, 0.12), "MSUCB1.5": (4e3, 0.05)}


def draw(ax: mpl.axes.Axes) -> str:
    """Draw what a best reply takes from three players on 8×4, exactly, against their playouts."""
    rows = results("triomineering/exploitability")
    rows = rows[rows.place == "8×4, V"]
    for method, place in SHOWN.items():
        part = rows[rows.method == method]
        found = [mean_lost(part, f"@{playouts}") for playouts in BUDGETS]
        mean, bars = [x.value for x in found], [x.high - x.value for x in found]
        ax.errorbar(BUDGETS, mean, bars, fmt="-o", ms=3, color=colour(method))
        ax.text(*place, method, ha="center")
    ax.set(xscale="log", ylim=(0, 0.28), xlabel="playouts", ylabel="taken by the best reply")
    return (
        "What a best reply takes from three Triomineering players on the 8×4 board against their "
        "playouts: a quarter of a win from SimpleUCB1, ever less from MSUCB1 and MSUCB1.5"
    )
