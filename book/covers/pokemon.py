"""The card of the chapter on Pokémon."""

import matplotlib as mpl

from gamecore.papers.palette import INK, colour
from gamecore.papers.pokemon.experiments import HABITS
from gamecore.papers.pokemon.questions import label, rate
from gamecore.papers.pokemon.summaries import rates
from gamecore.papers.runner import results

TITLE = "Pokémon: the δ-Nash player"
PAPER = "δ-Nash players in a simplified Pokémon battle"
SHOWS = "the exact solution, noisy and biased players"
TEXT = """
{cite:t}`konishi2023` want an opponent whom people can read and beat, without stupid moves. In a
simplified Pokémon battle, solved here exactly, they let the perfect player misjudge its chances a
little, or like some actions too much. We find what they print: such a player stays nearly as strong
as a perfect one. Beyond the paper we measure what its habit costs: whoever knows it wins far more
than a perfect opponent does, but no habit is both hard to notice and easy to beat.
"""


def draw(ax: mpl.axes.Axes) -> str:
    """Draw what Nash and the best reply win against the noisy and the biased players."""
    played = results("pokemon/biases")
    own = rates(played[played.payoffs == "clipped"], ["player"]).rate
    replied = results("pokemon/replies").groupby("player")
    reply = {who: rate(rows, 1, 1).value for who, rows in replied}
    order = sorted(("delta-nash", *HABITS), key=reply.__getitem__)
    for place, who in enumerate(order):
        nash, best = 100 - 100 * own[who], 100 * reply[who]
        ax.plot([nash, best], [place, place], color=colour("best reply"), lw=2)
        ax.plot(best, place, "o", color=colour("best reply"))
        ax.plot(nash, place, "o", color=INK)
        if who == order[-1]:
            for x, words in ((nash, "perfect"), (best, "knows the habit")):
                ax.annotate(words, (x, place), (0, 6), textcoords="offset points", ha="center")
    ax.set_yticks(range(len(order)), [label(who) for who in order])
    ax.axvline(50, color=colour("reference"), lw=0.8)
    ax.set(xlabel="opponent wins (%)", xlim=(49, 70), ylim=(-0.5, len(order) - 0.2))
    return "A perfect opponent wins little more than half, one who knows the habit far more"
