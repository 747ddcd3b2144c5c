"""What a chapter shows: the book's figure style, and tables of published numbers beside ours.

Call `use_style` once, take a chapter's rows from `gamecore.papers.scoreboard.board`, and hand them
to the functions here, which return HTML that a notebook displays.
"""

import html
import math
from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from gamecore import check
from gamecore.papers import scoreboard
from gamecore.papers.markup import Html, anchor, cell, head, table
from gamecore.papers.published import APART
from gamecore.papers.scoreboard import rows_of
from gamecore.papers.stats import MISS, VERDICTS

#: Okabe and Ito's palette, which colour-blind readers can tell apart.
COLOURS = {
    "ours": "#0072B2", "published": "#D55E00",
    "blue": "#0072B2", "orange": "#E69F00", "green": "#009E73", "red": "#D55E00",
    "purple": "#CC79A7", "sky": "#56B4E9", "yellow": "#F0E442", "grey": "#7F7F7F",
}  # fmt: skip
#: The columns of a board that tables show.
_SHOWN = (
    "id", "paper", "locator", "row", "column", "kind", "value", "digits", "apart", "was",
    "revision", "note", "verdict", "low", "high", "z", "ours", "detail",
)  # fmt: skip
#: A sign beside the colour, for readers without it.
SIGNS = {
    "exact": "✓", "consistent": "≈", "holds": "✓", "fitted": "∘", "redrawn": "–",
    "differs": "✗", "fails": "✗", "undecided": "?", "not attempted": "…",
}  # fmt: skip
MEANINGS = {
    "exact": "equal at the printed precision",
    "consistent": "inside the 95 % prediction interval",
    "holds": "the claim passes its stated test",
    "fitted": "a decision of ours was chosen by this number",
    "redrawn": "lost with an image; ours alone",
    "differs": "not what we measure",
    "fails": "the claim does not pass its stated test",
    "undecided": "our sample cannot tell",
    "not attempted": "nothing of ours",
}


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
    """Show an SVG drawing inside the page, so that ``currentColor`` follows light and dark.

    Examples
    --------
    >>> from gamecore.daifugo import cards_svg
    >>> "<svg" in svg(cards_svg("S3 HT"))
    True
    """
    return Html(f'<div class="drawn" tabindex="0">{check.text(drawing, "drawing")}</div>')


def box(board: pd.DataFrame) -> Html:
    """Return the verdict box of a chapter: how many rows of the paper got each verdict.

    Rows apart are not counted, but those of them that miss are named.

    Examples
    --------
    >>> "✓ 1 holds" in box(scoreboard.board("rps"))
    True
    """
    rows_of(board, "apart", "verdict")
    verdicts = board[board.apart == ""].verdict
    counts = verdicts.value_counts()
    parts = [
        f'<span class="verdict v-{anchor(name)}" title="{MEANINGS[name]}">{SIGNS[name]} '
        f"{counts[name]} {name}</span>"
        for name in VERDICTS
        if counts.get(name, 0)
    ]
    if outside := ((board.apart != "") & board.verdict.isin(MISS)).sum():
        parts.append(
            f'<span class="verdict v-differs" title="derived or cited, and in no total">'
            f"✗ {outside} outside the count</span>"
        )
    words = f"<p>{scoreboard.Headline.of(verdicts)}.</p>"
    return Html(f'<div class="verdict-box">{words}{" ".join(parts) or "nothing published"}</div>')


def headline(board: pd.DataFrame) -> Html:
    """Return the totals of a board as the front page and the scoreboard show them.

    Examples
    --------
    >>> headline(scoreboard.board("rps").assign(paper="go"))[:42]
    '<p class="headline">13 legible numbers and'
    """
    first, *rest = map(html.escape, scoreboard.headline(board))
    return Html(f'<p class="headline">{first}</p><p>{" ".join(rest)}</p>')


def revisions(board: pd.DataFrame) -> Html:
    """Return the rows whose test or place in the count was revised: before, now, and why.

    Examples
    --------
    >>> revisions(scoreboard.board("rps")).count("<tr>")  # the head: none was
    1
    """
    rows_of(board, *_SHOWN)
    revised = board[board.was != ""]
    body = [
        [head(row.paper), f"<td>{_place(row)}</td>", cell(f"{row.row} {row.column}".strip()),
         cell(row.was), _badge(row.verdict, mark=row.apart), cell(row.revision)]
        for row in revised.itertuples()
    ]  # fmt: skip
    heads = ["paper", "place", "", "before", "now", "why"]
    shown = table(heads, body, "Rows revised when results were known")
    return Html(shown.replace('class="beside"', 'class="beside filterable"', 1))


def beside(board: pd.DataFrame, locator: str, rows: Iterable[str] | None = None) -> Html:
    """Return a table of published numbers beside ours, coloured by verdict.

    Parameters
    ----------
    board : pandas.DataFrame
        What `gamecore.papers.scoreboard.board` returns.
    locator : str
        The place in the paper, such as ``"table 4"``.
    rows : iterable of str, optional
        Only these row labels.

    Raises
    ------
    ValueError
        If nothing is published at that place.

    Examples
    --------
    >>> table = beside(scoreboard.board("rps"), "theory")
    >>> "<caption>Theory" in table, table.count("<tr>")  # the head and three rows
    (True, 4)
    """
    rows_of(board, *_SHOWN)
    check.text(locator, "locator")
    chosen = board[(board.locator == locator) & (board.kind != "claim")]
    if rows is not None:
        names = {check.text(name, "each of rows") for name in check.listed(rows, "rows")}
        chosen = chosen[chosen.row.isin(names)]
    if chosen.empty:
        known = ", ".join(sorted(board.locator.unique()))
        raise ValueError(f"nothing is published at {locator!r}: known places are {known}")
    grid = chosen.column.nunique() > 1 and not chosen.duplicated(["row", "column"]).any()
    shown = _grid(chosen, locator) if grid else _list(chosen, locator)
    name = "" if rows is not None else f' id="{anchor(chosen.paper.iloc[0], locator)}"'
    return Html(shown.replace("<div", f"<div{name}", 1))


def claims(board: pd.DataFrame) -> Html:
    """Return the paper's claims, each with its test, what we found, and the verdict.

    Examples
    --------
    >>> claims(scoreboard.board("rps")).count("✓ holds")
    1
    """
    rows_of(board, *_SHOWN, "test")
    chosen = board[board.kind == "claim"]
    body = [
        [head(row.row or row.id, anchor(row.id)), cell(row.locator), cell(row.test),
         cell(row.detail or row.note), _badge(row.verdict, mark=row.apart)]
        for row in chosen.itertuples()
    ]  # fmt: skip
    return table(["claim", "place", "test", "found", "verdict"], body, "The paper's claims")


def answers(answered: pd.DataFrame) -> Html:
    """Return questions beyond a paper with their answers, a sentence each, and their rules folded.

    Parameters
    ----------
    answered : pandas.DataFrame
        What `gamecore.papers.questions.answered` returns, or some rows of it.

    Examples
    --------
    >>> row = {"id": "rps/why", "question": "Why?", "yes_if": "because", "size": "1 game"}
    >>> row |= {"asked": "before", "answer": "no", "detail": "Not at all."}
    >>> str(answers(pd.DataFrame([row])))[:53]
    '<ul class="answers"><li id="rps-why">Why? <b>No.</b> '
    """
    rows_of(answered, "id", "question", "yes_if", "size", "asked", "answer", "detail")
    lines, rules = [], []
    for row in answered.itertuples():
        question, found, rule = map(html.escape, (row.question, row.detail, row.yes_if))
        answer = f"{question} <b>{row.answer.capitalize()}.</b> {found}"
        lines.append(f'<li id="{anchor(row.id)}">{answer}</li>')
        when = html.escape(f"Size: {row.size}. Asked {row.asked}.")
        rules.append(f"<dt>{question}</dt><dd>{rule}. {when}</dd>")
    return Html(
        f'<ul class="answers">{"".join(lines)}</ul><details class="rules"><summary>What counts as '
        f"yes, and when it was asked</summary><dl>{''.join(rules)}</dl></details>"
    )


def full(board: pd.DataFrame) -> Html:
    """Return the whole scoreboard: every published row, ours, interval, z and verdict.

    Places link into the chapters, misses to the study that explains them.

    Examples
    --------
    >>> rows = scoreboard.board("rps")
    >>> full(rows).count("<tr>") == 1 + len(rows)
    True
    """
    rows_of(board, *_SHOWN, "study", "explained")
    shown = _list(board, "Every published number and claim", paper=True)
    return Html(shown.replace('class="beside"', 'class="beside filterable"', 1))


def tally(board: pd.DataFrame) -> Html:
    """Return the verdict counts per paper.

    Examples
    --------
    >>> tally(scoreboard.board("rps").assign(paper="go")).count("<tr>")  # head, paper, all
    3
    """
    counts = scoreboard.tally(board)
    counts.loc["all"] = counts.sum()
    legible = [name for name in VERDICTS if name not in ("redrawn", "not attempted")]
    counts.insert(0, "legible", counts[legible].sum(axis=1))
    body = [
        [head(paper), *(cell(str(value), number=True) for value in counts.loc[paper])]
        for paper in counts.index
    ]
    return table(["paper", *counts.columns], body, "Verdicts per paper")


def chance(board: pd.DataFrame) -> Html:
    """Return independent misses beside those expected by chance, and where the excess comes from.

    Examples
    --------
    >>> chance(scoreboard.board("rps").assign(paper="go")).count("<tr>")  # head, paper, all
    3
    """
    found = scoreboard.excess(board)
    body = [
        [head(str(name)), *(cell(text, number=True) for text in (
            f"{row.comparisons:.0f}", f"{row.miss:.0f}", f"{row.expected:.1f}",
            "" if math.isnan(row.spread) else f"{row.spread:.2f}", f"{row.sure:.0f}"))]
        for name, row in found.iterrows()
    ]  # fmt: skip
    heads = ["paper", "comparisons", "miss", "expected", "spread of z", "miss after Holm"]
    every, papers = found.loc["all"], found.drop("all")
    over = (papers.miss - papers.expected).sort_values(ascending=False)
    words = (
        f"{every.miss - every.expected:+.0f} misses more than chance would bring; "
        f"{over.index[0]} alone has {over.iloc[0]:+.0f}, with a spread of z of "
        f"{papers.spread[over.index[0]]:.1f} where chance gives 1. After Holm's correction for the "
        f"number of comparisons {every.sure:.0f} remain beyond doubt."
    )
    shown = table(heads, body, "Independent comparisons of sampled numbers")
    return Html(f"{shown}<p>{words}</p>")


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
    >>> ax = Figure(layout="constrained").add_subplot()
    >>> compare(ax, scoreboard.board("rps").query("row == 'copycat - nash'"))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['copycat - nash win', 'copycat - nash draw', 'copycat - nash loss']
    """
    check.function(getattr(ax, "set_yticks", None), "set_yticks of ax, the axes of a figure,")
    rows_of(rows, "row", "column", "low", "high", "ours", "value", "verdict")
    found = (rows.row + " " + rows.column).str.strip() if labels is None else labels
    labels = [check.text(each, "a label") for each in check.listed(found, "labels", len(rows))]
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
    if row.apart:
        parts.append(f"{row.apart}, not counted: {APART[row.apart]}")
    if row.was:
        parts.append(f"before its revision: {row.was}")
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
        line = [head(name)]
        for column in columns:
            row = cells.get((name, column))
            if row is None:
                line.append("<td></td>")
                continue
            line.append(
                f'<td class="number v-{anchor(row.verdict)}" title="{html.escape(_hint(row))}">'
                f"{_number(row.value, row.digits)} {SIGNS[row.verdict]}<br>"
                f'<span class="ours">{_ours(row)}</span></td>'
            )
        body.append(line)
    return table(["", *columns], body, f"{caption.capitalize()}: published above, ours below")


def _list(chosen: pd.DataFrame, caption: str, paper: bool = False) -> Html:
    body = []
    for row in chosen.itertuples():
        where = f"{row.row} {row.column}".strip() or row.id
        interval = ""
        if row.low < row.high:
            interval = f"{_number(row.low, row.digits + 1)} – {_number(row.high, row.digits + 1)}"
        line = [head(row.paper), f"<td>{_place(row)}</td>"] if paper else []
        line += [
            head(where),
            cell(_number(row.value, row.digits), number=True),
            cell(_ours(row) or row.detail, number=not row.detail),
            _badge(row.verdict, _hint(row), row.apart),
            cell("" if math.isnan(row.z) else f"{row.z:+.2f}", number=True),
            cell(interval, number=True),
        ]
        if paper:
            line += [cell(row.was), f"<td>{_study(row)}</td>"]
        body.append(line)
    heads = ["", "published", "ours", "verdict", "z", "consistent within"]
    heads = ["paper", "place", *heads, "before revision", "a miss is"] if paper else heads
    return table(heads, body, caption if paper else caption.capitalize())


def _place(row: Any) -> str:
    """Return a link to where the chapter shows a published row."""
    place = anchor(row.id) if row.kind == "claim" else anchor(row.paper, row.locator)
    return f'<a href="../notebooks/{row.paper}.html#{place}">{html.escape(row.locator)}</a>'


def _study(row: Any) -> str:
    """Return a link to the study of a miss, or to what the chapter says is open."""
    if not row.explained:
        return ""
    place = anchor("study", row.study) if row.study else anchor(row.paper, "open")
    words = {"explained": f"explained by {row.study}", "studied": f"open: see {row.study}"}
    shown = html.escape(words.get(row.explained, "open"))
    return f'<a href="../notebooks/{row.paper}.html#{place}">{shown}</a>'


def _badge(verdict: str, hint: str = "", mark: str = "") -> str:
    title = html.escape(hint or MEANINGS[verdict])
    words = f"{SIGNS[verdict]} {verdict}" + (f" ({mark})" if mark else "")
    return f'<td class="v-{anchor(verdict)}" title="{title}">{words}</td>'
