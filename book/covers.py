"""The front page's pictures: one per paper, drawn from the stored results."""

import io
from collections.abc import Callable

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from gamecore.papers import stats
from gamecore.papers.daifugo import blocks
from gamecore.papers.runner import results
from gamecore.papers.show import COLOURS, Html
from gamecore.papers.triomineering.estimates import mean_lost
from gamecore.papers.triomineering.experiments import BUDGETS

#: Drawn in place of the page's own text colour, which matplotlib cannot know.
INK = "#010203"
STYLE = {
    "font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "axes.titlesize": 9,
    "text.color": INK, "axes.labelcolor": INK, "axes.edgecolor": INK,
    "xtick.color": INK, "ytick.color": INK,
    "svg.fonttype": "none", "svg.hashsalt": "cover", "legend.frameon": False,
    "axes.grid": True, "grid.alpha": 0.25, "axes.axisbelow": True,
}  # fmt: skip


def cover(draw: Callable[[mpl.axes.Axes], str]) -> Html:
    """Return one picture as SVG in the page's colours, with what it shows as its alt text."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(3.6, 2.2), layout="constrained")
        words = draw(figure.subplots())
        text = io.StringIO()
        figure.savefig(text, format="svg", transparent=True, metadata={"Date": None})
    drawing = text.getvalue()
    drawing = drawing[drawing.index("<svg") :].replace(INK, "currentColor")
    drawing = drawing.replace("<svg", f'<svg role="img" aria-label="{words}"', 1)
    return Html(f'<div class="drawn cover">{drawing}</div>')


def pokemon(ax: mpl.axes.Axes) -> str:
    """Draw how the noise of a δ-Nash player costs games."""
    table = results("pokemon/table-4").groupby(["noise", "delta"])[["games", "win", "draw"]].sum()
    rate = (table.win + table.draw / 2) / table.games
    for noise, colour in (("uniform", "blue"), ("variable", "orange")):
        line = pd.concat([rate["none"], rate[noise]])
        ends = [stats.wilson(r * n, n) for r, n in zip(line, _games(table, noise), strict=True)]
        bars = np.abs(np.array(ends).T - line.to_numpy())
        style = {"color": COLOURS[colour], "fmt": "-o", "ms": 3}
        ax.errorbar(line.index, 100 * line, 100 * bars, label=noise, **style)
    ax.axhline(50, color=COLOURS["grey"], lw=0.8)
    ax.set(xlabel="noise δ on the payoffs", ylabel="win rate against Nash (%)")
    ax.legend(title="noise model", fontsize=8, title_fontsize=8)
    return "Win rate against Nash falls from one half as the noise delta grows"


def _games(table: pd.DataFrame, noise: str) -> list[int]:
    return [int(n) for n in pd.concat([table.games["none"], table.games[noise]])]


def geister(ax: mpl.axes.Axes) -> str:
    """Draw how many positions are won and lost, by depth."""
    row = results("geister/table-6.1").iloc[0]
    for kind, colour in (("win", "blue"), ("loss", "orange")):
        counts = row[[name for name in row.index if name.startswith(f"{kind}_")]]
        depth = [int(name.partition("_")[2]) for name in counts.index]
        ax.bar(depth, counts.astype(float), width=0.9, color=COLOURS[colour], label=kind)
    ax.set(yscale="log", xlabel="plies to the end under perfect play", ylabel="positions")
    ax.set_title(f"{row.total:,} positions solved")
    ax.legend(fontsize=8)
    return "Numbers of won and lost Geister positions by depth, falling from millions to a handful"


def triomineering(ax: mpl.axes.Axes) -> str:
    """Draw what each player falls short of the value, exactly, against its playouts."""
    rows = results("triomineering/exploitability")
    rows = rows[rows.place == "6×6 after a random round"]
    colours = ("grey", "green", "orange", "blue", "purple")
    for (method, part), colour in zip(rows.groupby("method", sort=False), colours, strict=True):
        found = [mean_lost(part, f"@{playouts}") for playouts in BUDGETS]
        mean, bars = [x.value for x in found], [x.high - x.value for x in found]
        ax.errorbar(BUDGETS, mean, bars, fmt="-o", ms=3, label=method, color=COLOURS[colour])
    ax.set(xscale="log", ylim=0, xlabel="playouts", ylabel="shortfall (win = 1)")
    ax.legend(fontsize=7)
    return "Shortfall of five Triomineering players against the number of their playouts"


def goofspiel(ax: mpl.axes.Axes) -> str:
    """Draw what is lost, in the limit, by each set of features a player does not see."""
    limits = results("goofspiel/limits").set_index("features")["return"].sort_values()
    names = ["hand only" if s == "hand" else "+".join(s) for s in limits.index]
    colours = [
        COLOURS["blue" if set(s) & set("CD") and s != "hand" else "grey"] for s in limits.index
    ]
    ax.bar(range(len(limits)), -limits, color=colours)
    ax.set_xticks(range(len(limits)), names, rotation=90, fontsize=6)
    ax.grid(axis="x", visible=False)
    ax.set(ylabel="loss in the limit", title="features seen: C and D matter most (blue)")
    return "Loss of a Goofspiel player by the set of features it sees; sets with C or D lose less"


def sontaku(ax: mpl.axes.Axes) -> str:
    """Draw who comes first when the sontaku player helps one of the others."""
    rows = results("daifugo/table-2")
    mean, half = blocks.block_means(100 * blocks.first_places(rows), rows.game)
    for i, (seat, colour) in enumerate(zip(mean, ("grey", "blue", "orange", "green"), strict=True)):
        ax.bar(np.arange(len(mean)) + 0.2 * (i - 1.5), mean[seat], 0.18, yerr=half[seat],
               color=COLOURS[colour], label=seat, error_kw={"lw": 1, "ecolor": INK})  # fmt: skip
    ax.axhline(25, color=COLOURS["grey"], lw=0.8, ls=":")
    ax.set_xticks(range(len(mean)), mean.index, fontsize=8)
    ax.set(ylabel="first places (%)", ylim=0)
    ax.legend(fontsize=7, ncols=2)
    return "First places of four Daifugo players: the helped one leads, the helper never wins"


COVERS = {
    "pokemon": pokemon, "geister": geister, "triomineering": triomineering,
    "goofspiel": goofspiel, "daifugo": sontaku,
}  # fmt: skip
