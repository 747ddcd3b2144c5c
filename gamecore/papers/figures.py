"""The book's figures: one style, and drawings that follow a page's light and dark."""

import io
import re
from collections.abc import Sequence
from typing import Any

import pandas as pd

from gamecore import check
from gamecore.papers.markup import Html
from gamecore.papers.palette import GROUND, HUES, INK, colour
from gamecore.papers.scoreboard import rows_of

#: What a figure's colours become in a dark page.
_DARK = {INK: "#dfe3e8", GROUND: "#121212", HUES["blue"]: "#4aa3df", HUES["grey"]: "#a0a0a0"}


def use_style() -> None:
    """Set the one matplotlib style of the book; figures are kept as SVG and as PNG.

    Examples
    --------
    >>> use_style()
    >>> import matplotlib
    >>> matplotlib.rcParams["axes.grid"]
    True
    """
    import matplotlib as mpl
    from cycler import cycler
    from IPython import get_ipython
    from matplotlib.figure import Figure

    mpl.rcParams.update(
        {
            "figure.figsize": (7.0, 4.0), "figure.dpi": 110, "savefig.dpi": 110,
            "figure.facecolor": GROUND, "savefig.facecolor": GROUND, "axes.facecolor": "none",
            "text.color": INK, "axes.labelcolor": INK, "axes.edgecolor": INK,
            "xtick.color": INK, "ytick.color": INK, "patch.edgecolor": INK,
            "legend.labelcolor": INK, "hatch.color": INK,
            "figure.constrained_layout.use": True,
            "font.size": 10, "axes.titlesize": 11, "axes.titlelocation": "left",
            "axes.spines.top": False, "axes.spines.right": False,
            "axes.grid": True, "grid.alpha": 0.25, "axes.axisbelow": True,
            "axes.prop_cycle": cycler(
                color=[HUES[c] for c in ("blue", "red", "green", "orange", "purple", "sky")]
            ),
            "legend.frameon": False, "image.cmap": "cividis",
            "svg.hashsalt": "gamecore", "svg.fonttype": "path",
        }
    )  # fmt: skip
    if shell := get_ipython():
        shell.run_line_magic("matplotlib", "inline")  # now, since it sets formats when it begins
        shell.run_line_magic("config", "InlineBackend.figure_formats = {'svg', 'png'}")
        # the inline backend's own defaults would override part of the style
        shell.run_line_magic("config", "InlineBackend.rc = {}")
        shell.display_formatter.formatters["image/svg+xml"].for_type(Figure, themed)


def themed(figure: Any) -> str:
    """Return a figure as SVG whose ink, ground and blue follow light and dark.

    A browser shows an image in the colour scheme of the page around it.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> "prefers-color-scheme: dark" in themed(Figure(figsize=(1, 1)))
    True
    """
    check.function(getattr(figure, "savefig", None), "savefig of a figure")
    text = io.StringIO()
    figure.savefig(text, format="svg", bbox_inches="tight", metadata={"Date": None})
    drawing = text.getvalue()
    names = {hue.lower(): f"--{k}" for k, hue in enumerate(_DARK)}
    for hue, name in names.items():
        drawing = re.sub(hue, f"var({name})", drawing, flags=re.IGNORECASE)
    light = ";".join(f"{name}:{hue}" for hue, name in names.items())
    dark = ";".join(f"{name}:{_DARK[k]}" for k, name in zip(_DARK, names.values(), strict=True))
    scheme = f":root{{{light}}}@media (prefers-color-scheme: dark){{:root{{{dark}}}}}"
    return drawing.replace("<defs>", f"<defs><style>{scheme}</style>", 1)


def svg(drawing: str) -> Html:
    """Show an SVG drawing inside the page, so that ``currentColor`` follows light and dark.

    Examples
    --------
    >>> from gamecore.daifugo import cards_svg
    >>> "<svg" in svg(cards_svg("S3 HT"))
    True
    """
    return Html(f'<div class="drawn" tabindex="0">{check.text(drawing, "drawing")}</div>')


def compare(ax: Any, rows: pd.DataFrame, labels: Sequence[str] | None = None) -> None:
    """Draw published values as points over the intervals in which they would be consistent.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    rows : pandas.DataFrame
        Rows of a board, one below the other.
    labels : sequence of str, optional
        What to call them; by default the published row and column.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from gamecore.papers import scoreboard
    >>> ax = Figure(layout="constrained").add_subplot()
    >>> compare(ax, scoreboard.board("rps").query("row == 'copycat - nash'"))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['copycat - nash win', 'copycat - nash draw', 'copycat - nash loss']
    """
    check.function(getattr(ax, "set_yticks", None), "set_yticks of ax, the axes of a figure,")
    rows_of(rows, "row", "column", "low", "high", "ours", "value", "verdict")
    found = (rows.row + " " + rows.column).str.strip() if labels is None else labels
    labels = [check.text(each, "a label") for each in check.listed(found, "labels", len(rows))]
    blue, red = colour("ours"), colour("published")
    for i, row in enumerate(rows.itertuples()):
        wide = {"lw": 6, "alpha": 0.35, "solid_capstyle": "butt"}
        names = ("95 % prediction interval", "ours", "published") if i == 0 else (None,) * 3
        ax.plot([row.low, row.high], [i, i], color=blue, label=names[0], **wide)
        ax.plot(row.ours, i, "|", ms=12, color=blue, label=names[1])
        sign = "X" if row.verdict == "differs" else "o"
        ax.plot(row.value, i, sign, color=red, label=names[2])
    ax.set_yticks(range(len(rows)), labels)
    ax.invert_yaxis()
    ax.figure.legend(loc="outside lower center", ncols=3)
