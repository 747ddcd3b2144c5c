"""The card of the chapter on Daifugo."""

import matplotlib as mpl
import numpy as np

from gamecore.papers.daifugo import blocks
from gamecore.papers.palette import HUES
from gamecore.papers.runner import results

TITLE = "Daifugo: the sontaku player"
PAPER = '"sontaku": a Daifugo player that lets another win'
SHOWS = "who comes first, and who pays for it"
TEXT = """
{cite:t}`ohmuro`. A player of the card game Daifugo whose aim is that somebody else wins.
"""


def draw(ax: mpl.axes.Axes) -> str:
    """Draw who comes first when the sontaku player helps one of the others."""
    rows = results("daifugo/table-2")
    mean, half = blocks.block_means(100 * blocks.first_places(rows), rows.game)
    for i, (seat, colour) in enumerate(zip(mean, ("grey", "blue", "orange", "green"), strict=True)):
        ax.bar(np.arange(len(mean)) + 0.2 * (i - 1.5), mean[seat], 0.18, yerr=half[seat],
               color=HUES[colour], label=seat,
               error_kw={"lw": 1, "ecolor": mpl.rcParams["text.color"]})  # fmt: skip
    ax.axhline(25, color=HUES["grey"], lw=0.8, ls=":")
    ax.set_xticks(range(len(mean)), mean.index, fontsize=8)
    ax.set(ylabel="first places (%)", ylim=0)
    ax.legend(fontsize=7, ncols=2)
    return "First places of four Daifugo players: the helped one leads, the helper never wins"
