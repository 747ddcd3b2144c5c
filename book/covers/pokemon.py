"""The card of the chapter on Pokémon."""

import matplotlib as mpl
import numpy as np
import pandas as pd

from gamecore.contest import wilson
from gamecore.papers.palette import HUES
from gamecore.papers.runner import results

TITLE = "Pokémon: the δ-Nash player"
PAPER = "δ-Nash players in a simplified Pokémon battle"
SHOWS = "the exact solution, noisy and biased players"
TEXT = """
{cite:t}`konishi2023`. A simplified Pokémon battle solved exactly, and players that misjudge it
the way people do: noise on the payoffs, then a bias for a style.
"""


def draw(ax: mpl.axes.Axes) -> str:
    """Draw how the noise of a δ-Nash player costs games."""
    table = results("pokemon/table-4").groupby(["noise", "delta"])[["games", "win", "draw"]].sum()
    rate = (table.win + table.draw / 2) / table.games
    for noise, colour in (("uniform", "blue"), ("variable", "orange")):
        line = pd.concat([rate["none"], rate[noise]])
        ends = [wilson(r * n, n) for r, n in zip(line, _games(table, noise), strict=True)]
        bars = np.abs(np.array(ends).T - line.to_numpy())
        style = {"color": HUES[colour], "fmt": "-o", "ms": 3}
        ax.errorbar(line.index, 100 * line, 100 * bars, label=noise, **style)
    ax.axhline(50, color=HUES["grey"], lw=0.8)
    ax.set(xlabel="noise δ on the payoffs", ylabel="win rate against Nash (%)")
    ax.legend(title="noise model", fontsize=8, title_fontsize=8)
    return "Win rate against Nash falls from one half as the noise delta grows"


def _games(table: pd.DataFrame, noise: str) -> list[int]:
    return [int(n) for n in pd.concat([table.games["none"], table.games[noise]])]
