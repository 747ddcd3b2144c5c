"""The card of the chapter on Geister."""

import matplotlib as mpl
import pandas as pd

from gamecore.papers.geister.beyond import THESIS
from gamecore.papers.geister.experiments import CFR
from gamecore.papers.geister.pairings import Pairings
from gamecore.papers.geister.questions import Scores
from gamecore.papers.palette import colour
from gamecore.papers.runner import results

TITLE = "Geister: mixed strategies by CFR"
PAPER = "retrograde analysis and CFR players for 4×4 Geister"
SHOWS = "every position, six players against each other"
TEXT = """
{cite:t}`kawakami2021`. Geister hides the colours of its pieces, and who moves by a fixed rule can
be read: does it help to choose moves by lot? With open colours all 71 million positions of the 4×4
game are solved again, and every count is the thesis's. Its two players that mix, CFR-A and CFR-B,
keep more against the worst of four opponents than players that do not (if two things that the
thesis leaves open are read as its numbers ask). But an opponent that knows a player takes nearly
every game from each of them.
"""
_NAMES = {
    "random": "random", "charge": "charge", "purple": "purple AI", "anti": "anti-purple",
    "cfr-a": "CFR-A", "cfr-b": "CFR-B",
}  # fmt: skip


def draw(ax: mpl.axes.Axes) -> str:
    """Draw what each player keeps against the worst of four, and against one who knows it."""
    met = results("geister/matches")
    pairs = Pairings(pd.concat([results("geister/benchmarks"), met[met.player.isin(CFR)]]))
    answered = Scores(results("geister/response"))
    for y, player in enumerate(_NAMES):
        worst = pairs.score(player, pairs.worst(player))
        known = answered.of(player, THESIS, "response").value
        ax.plot(100 * worst, y + 0.12, "o", color=colour("worst of four"), clip_on=False)
        ax.plot(100 * known, y - 0.12, "D", ms=5, color=colour("response"), clip_on=False)
    ax.set_yticks(range(len(_NAMES)), _NAMES.values())
    ax.set(xlim=(0, 20), ylim=(5.6, -1.2), xlabel="points kept, of 100")
    ax.text(9, -0.6, "● worst of four others", color=colour("worst of four"), va="center")
    ax.text(0, -0.6, "◆ one who knows", color=colour("response"), va="center")
    return (
        "Points of 100 that six Geister players keep: the two that mix keep most against the worst "
        "of four opponents, and all keep next to nothing against one who knows them"
    )
