"""What a chapter shows: the book's figure style, and tables of published numbers beside ours."""

import html
import math
from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from gamecore import scoreboard
from gamecore.stats import VERDICTS

#: Okabe and Ito's palette, which colour-blind readers can tell apart.
COLOURS = {
    "ours": "#0072B2", "published": "#D55E00",
    "blue": "#0072B2", "orange": "#E69F00", "green": "#009E73", "red": "#D55E00",
    "purple": "#CC79A7", "sky": "#56B4E9", "yellow": "#F0E442", "grey": "#7F7F7F",
}  # fmt: skip
#: A sign beside the colour, for readers without it.
SIGNS = {
    "exact": "✓", "consistent": "≈", "holds": "✓", "fitted": "∘", "redrawn": "–",
    "differs": "✗", "fails": "✗", "pending": "…",
}  # fmt: skip
MEANINGS = {
    "exact": "equal at the printed precision",
    "consistent": "inside the 95 % prediction interval",
    "holds": "the claim passes its stated test",
    "fitted": "a decision of ours was chosen by this number",
    "redrawn": "lost with an image; ours alone",
    "differs": "not what we measure",
    "fails": "the claim does not pass its stated test",
    "pending": "not measured yet",
}


class Html(str):
    """Markup that a notebook shows as such."""

    def _repr_html_(self) -> str:
        return str(self)


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

    mpl.rcParams.update(
        {
            "figure.figsize": (7.0, 4.0), "figure.dpi": 110, "savefig.dpi": 110,
            "figure.facecolor": "white", "savefig.facecolor": "white",
            "figure.constrained_layout.use": True,
            "font.size": 10, "axes.titlesize": 11, "axes.titlelocation": "left",
            "axes.spines.top": False, "axes.spines.right": False,
            "axes.grid": True, "grid.alpha": 0.25, "axes.axisbelow": True,
            "axes.prop_cycle": cycler(
                color=[COLOURS[c] for c in ("blue", "red", "green", "orange", "purple", "sky")]
            ),
            "legend.frameon": False, "image.cmap": "cividis",
            "svg.hashsalt": "gamecore", "svg.fonttype": "path",
        }
    )  # fmt: skip
    if shell := get_ipython():
        shell.run_line_magic("config", "InlineBackend.figure_formats = {'svg', 'png'}")
        # the inline backend's own defaults would override part of the style
        shell.run_line_magic("config", "InlineBackend.rc = {}")


def svg(drawing: str) -> Html:
    """Show an SVG drawing inside the page, so that ``currentColor`` follows light and dark."""
    return Html(f'<div class="drawn">{drawing}</div>')


def box(board: pd.DataFrame) -> Html:
    """Return the verdict box of a chapter: how many rows of the paper got each verdict.

    Derived rows are not counted.
    """
    counts = board[~board.derived].verdict.value_counts()
    parts = [
        f'<span class="verdict v-{name}" title="{MEANINGS[name]}">{SIGNS[name]} {counts[name]} '
        f"{name}</span>"
        for name in VERDICTS
        if counts.get(name, 0)
    ]
    return Html(f'<div class="verdict-box">{" ".join(parts) or "nothing published"}</div>')


def beside(board: pd.DataFrame, locator: str, rows: Iterable[str] | None = None) -> Html:
    """Return a table of published numbers beside ours, coloured by verdict.

    Parameters
    ----------
    board : pandas.DataFrame
        What `gamecore.scoreboard.board` returns.
    locator : str
        The place in the paper, such as ``"table 4"``.
    rows : iterable of str, optional
        Only these row labels.

    Raises
    ------
    ValueError
        If nothing is published at that place.
    """
    chosen = board[(board.locator == locator) & (board.kind != "claim")]
    if rows is not None:
        chosen = chosen[chosen.row.isin(list(rows))]
    if chosen.empty:
        known = ", ".join(sorted(board.locator.unique()))
        raise ValueError(f"nothing is published at {locator!r}: known places are {known}")
    if chosen.column.nunique() > 1 and not chosen.duplicated(["row", "column"]).any():
        return _grid(chosen, locator)
    return _list(chosen, locator)


def claims(board: pd.DataFrame) -> Html:
    """Return the paper's claims, each with its test, what we found, and the verdict."""
    chosen = board[board.kind == "claim"]
    body = [
        [_th(row.row or row.id), _td(row.locator), _td(row.test),
         _td(row.detail or row.note), _badge(row.verdict)]
        for row in chosen.itertuples()
    ]  # fmt: skip
    return _table(["claim", "place", "test", "found", "verdict"], body, "The paper's claims")


def full(board: pd.DataFrame) -> Html:
    """Return the whole scoreboard: every published row, ours, interval, z and verdict."""
    table = _list(board, "Every published number and claim", paper=True)
    return Html(table.replace('<div class="beside">', '<div class="beside filterable">', 1))


def tally(board: pd.DataFrame) -> Html:
    """Return the verdict counts per paper."""
    counts = scoreboard.tally(board)
    counts.loc["all"] = counts.sum()
    body = [
        [_th(paper), *(_td(str(value), number=True) for value in counts.loc[paper])]
        for paper in counts.index
    ]
    return _table(["paper", *counts.columns], body, "Verdicts per paper, derived rows not counted")


def compare(ax: Any, rows: pd.DataFrame, labels: Sequence[str] | None = None) -> None:
    """Draw published values as points over the intervals in which they would be consistent."""
    labels = list(labels or (rows.row + " " + rows.column).str.strip())
    blue, red = COLOURS["ours"], COLOURS["published"]
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


def _number(value: float, digits: int) -> str:
    if value is None or math.isnan(value):
        return ""
    text = f"{value:,.{max(digits, 0)}f}"
    return "0" + text[2:] if text.startswith("-0") and not text.strip("-0.,") else text


def _ours(row: Any) -> str:
    """Return our value with one digit more than the paper printed, where it was sampled."""
    if isinstance(row.ours, float) and math.isnan(row.ours):
        return ""
    if row.kind == "redrawn":  # nothing was printed, so nothing says how many digits
        return f"{row.ours:.3g}"
    sampled = row.kind in ("proportion", "mean", "multinomial")
    return _number(row.ours, row.digits + 1 if sampled else row.digits or 0)


def _hint(row: Any) -> str:
    """Return what a mouse pointer held over a cell says."""
    parts = [f"{row.verdict}: {MEANINGS[row.verdict]}"]
    if row.low < row.high:
        low, high = _number(row.low, row.digits + 1), _number(row.high, row.digits + 1)
        parts.append(f"consistent from {low} to {high}")
    if not math.isnan(row.z):
        parts.append(f"z = {row.z:+.2f}")
    return "; ".join(parts + ([row.note] if row.note else []))


def _grid(chosen: pd.DataFrame, caption: str) -> Html:
    columns = list(dict.fromkeys(chosen.column))
    cells = {(row.row, row.column): row for row in chosen.itertuples()}
    body = []
    for name in dict.fromkeys(chosen.row):
        line = [_th(name)]
        for column in columns:
            row = cells.get((name, column))
            if row is None:
                line.append("<td></td>")
                continue
            line.append(
                f'<td class="number v-{row.verdict}" title="{html.escape(_hint(row))}">'
                f"{_number(row.value, row.digits)} {SIGNS[row.verdict]}<br>"
                f'<span class="ours">{_ours(row)}</span></td>'
            )
        body.append(line)
    return _table(["", *columns], body, f"{caption.capitalize()}: published above, ours below")


def _list(chosen: pd.DataFrame, caption: str, paper: bool = False) -> Html:
    body = []
    for row in chosen.itertuples():
        where = f"{row.row} {row.column}".strip() or row.id
        interval = ""
        if row.low < row.high:
            interval = f"{_number(row.low, row.digits + 1)} – {_number(row.high, row.digits + 1)}"
        line = [_th(row.paper), _td(row.locator)] if paper else []
        line += [
            _th(where),
            _td(_number(row.value, row.digits), number=True),
            _td(_ours(row) or row.detail, number=not row.detail),
            _badge(row.verdict, _hint(row)),
            _td("" if math.isnan(row.z) else f"{row.z:+.2f}", number=True),
            _td(interval, number=True),
        ]
        if paper:
            line.append(_td(row.explained_by))
        body.append(line)
    heads = ["", "published", "ours", "verdict", "z", "consistent within"]
    heads = ["paper", "place", *heads, "explained by"] if paper else heads
    return _table(heads, body, caption if paper else caption.capitalize())


def _th(text: str) -> str:
    return f'<th scope="row">{html.escape(str(text))}</th>'


def _td(text: str, number: bool = False) -> str:
    start = '<td class="number">' if number else "<td>"
    return f"{start}{html.escape(str(text))}</td>"


def _badge(verdict: str, hint: str = "") -> str:
    title = html.escape(hint or MEANINGS[verdict])
    return f'<td class="v-{verdict}" title="{title}">{SIGNS[verdict]} {verdict}</td>'


def _table(heads: list[str], body: list[list[str]], caption: str) -> Html:
    head = "".join(f'<th scope="col">{html.escape(str(name))}</th>' for name in heads)
    lines = "\n".join(f"<tr>{''.join(line)}</tr>" for line in body)
    return Html(
        f'<div class="beside"><table><caption>{html.escape(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>\n{lines}\n</tbody></table></div>"
    )
