"""The card of the chapter on Daifugo."""

import matplotlib as mpl
import numpy as np

from gamecore.papers.daifugo import blocks
from gamecore.papers.daifugo.experiments import BENEFICIARY
from gamecore.papers.palette import INK, colour
from gamecore.papers.runner import results

TITLE = "Daifugo: the sontaku player"
PAPER = '"sontaku": a Daifugo player that lets another win'
SHOWS = "who comes first, and who pays for it"
TEXT = """
Can you make somebody else win at cards, only by the way you play your own? {cite:t}`ohmuro` let a
computer do so in Daifugo: it plays each hand on at random a hundred times and does what serves
another player best. Whoever sits directly behind the helper then wins well over half of the games,
those further away two in five; the helper wins none. We find the same order, but also that the
method, read word by word, does not give the paper's table.
"""


def draw(ax: mpl.axes.Axes) -> str:
    """Draw who comes first when the sontaku player helps one of the others."""
    rows = results("daifugo/table-2")
    mean, half = blocks.block_means(100 * blocks.first_places(rows), rows.game)
    for i, seat in enumerate(mean):
        ax.bar(np.arange(len(mean)) + 0.2 * (i - 1.5), mean[seat], 0.18, yerr=half[seat],
               color=colour(seat), label="the helper" if seat == "Sontaku" else seat,
               error_kw={"lw": 1, "ecolor": INK})  # fmt: skip
    ax.axhline(25, color=INK, lw=0.8, ls=":")
    helped = [f"{mean.columns[seat]}\nis helped" for seat in BENEFICIARY.values()]
    ax.set_xticks(range(len(mean)), ["nobody\nis helped", *helped])
    ax.set(ylabel="first places (%)", ylim=(0, 80))
    ax.legend(ncols=4, loc="upper center", columnspacing=0.8, handlelength=0.8, handletextpad=0.4)
    return "First places of four Daifugo players: the helped one leads, the helper never wins"
