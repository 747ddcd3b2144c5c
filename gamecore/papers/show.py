"""What a chapter shows as tables: published numbers beside ours, and numbers of ours alone.

Take a chapter's rows from `gamecore.papers.scoreboard.board` and hand them to the functions here,
which return HTML that a notebook displays.
"""

import html
import math
from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from typing import Any

import pandas as pd

from gamecore import check
from gamecore.papers import scoreboard
from gamecore.papers.markup import SIGNS, Html, anchor, badge, cell, head, table
from gamecore.papers.published import APART
from gamecore.papers.scoreboard import rows_of
from gamecore.papers.stats import MISS, VERDICTS

#: The columns of a board that tables show.
_SHOWN = (
    "id", "paper", "locator", "row", "column", "kind", "value", "digits", "apart", "was",
    "revision", "note", "verdict", "low", "high", "z", "ours", "detail",
)  # fmt: skip


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
        badge(name).replace(f" {name}<", f" {counts[name]} {name}<")
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
         cell(row.was), f"<td>{badge(row.verdict, row.apart)}</td>", cell(row.revision)]
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


def claims(board: pd.DataFrame, *names: str) -> Html:
    """Return a paper's claims, a card each: the sentence, the verdict, what was found, the test.

    Parameters
    ----------
    board : pandas.DataFrame
        What `gamecore.papers.scoreboard.board` returns.
    *names : str
        Only the claims whose ids begin so; all by default.

    Examples
    --------
    >>> claims(scoreboard.board("rps")).count("✓ holds")
    1
    """
    needed = ("id", "kind", "row", "words", "locator", "apart", "test", "detail", "note", "was")
    rows_of(board, *needed, "would_change", "verdict")
    chosen = board[board.kind == "claim"]
    if names:
        names = tuple(check.text(name, "each of names") for name in names)
        chosen = chosen[chosen.id.str.startswith(names)]
    if chosen.empty:
        raise ValueError(f"no claims {', '.join(names)} on this board")
    return Html(f'<div class="claims">{"".join(map(_card, chosen.itertuples()))}</div>')


def _card(row: Any) -> str:
    lines = [f'<p class="said">{html.escape(row.row or row.id)}</p>']
    if row.words:
        lines.append(f'<p class="said" lang="ja">「{html.escape(row.words)}」</p>')
    where = f'<span class="where">{html.escape(row.locator)}</span>'
    lines.append(f"<p>{badge(row.verdict, row.apart)} {where}</p>")
    if row.detail:
        lines.append(f"<p>{html.escape(row.detail)}</p>")
    if row.would_change:
        lines.append(f"<p><b>What would change this:</b> {html.escape(row.would_change)}</p>")
    folded = [row.test, row.note, f"Before its revision: {row.was}." if row.was else ""]
    text = "".join(f"<p>{html.escape(part)}</p>" for part in folded if part)
    lines.append(f"<details><summary>The test</summary>{text}</details>")
    return f'<article class="claim" id="{anchor(row.id)}">{"".join(lines)}</article>'


def frame(
    numbers: pd.DataFrame | pd.Series,
    caption: str,
    name: str = "",
    formats: Mapping[str, str] | str = "",
    heat: tuple[float, float] | None = None,
) -> Html:
    """Return a table of our own numbers in the book's style; its index heads the rows.

    Parameters
    ----------
    numbers : pandas.DataFrame or pandas.Series
        What to show; whole numbers get thousands separators, others three decimals.
    caption : str
        What it shows, in words.
    name : str, optional
        By which pages link to it.
    formats : mapping or str, optional
        How to write the numbers, as in ``"{:.1%}"``: of all columns, or by column.
    heat : tuple of float, optional
        Shade numbers from the first, not at all, to the second.

    Examples
    --------
    >>> shown = frame(pd.DataFrame({"wins": [1234, 5]}, index=["a", "b"]), "Games won")
    >>> '<td class="number">1,234</td>' in shown
    True
    """
    if not isinstance(numbers, pd.DataFrame | pd.Series):
        raise ValueError("numbers must be a pandas DataFrame or Series")
    numbers = numbers.to_frame() if isinstance(numbers, pd.Series) else numbers
    how = formats if isinstance(formats, Mapping) else dict.fromkeys(numbers.columns, formats)
    how = {column: check.text(words, "each of formats") for column, words in how.items()}
    if heat is not None:
        low, high = (check.real(end, "an end of heat", -1e300, 1e300)
                     for end in check.listed(heat, "heat", 2))  # fmt: skip
        if not low < high:
            raise ValueError(f"heat must go from a lower to a higher number, not {low} to {high}")
    body = []
    for label, row in zip(numbers.index, numbers.itertuples(index=False), strict=True):
        cells = zip(numbers.columns, row, strict=True)
        body.append([head(_words(label)), *(_cell(x, how.get(c, ""), heat) for c, x in cells)])
    top = "" if numbers.index.names == [None] else _words([n or "" for n in numbers.index.names])
    shown = table([top, *map(_words, numbers.columns)], body, caption)
    name = anchor(name)
    return Html(shown.replace("<div", f'<div id="{name}"', 1) if name else shown)


def _words(label: Any) -> str:
    """Return a label of one or several levels."""
    parts = label if isinstance(label, tuple | list) else [label]
    return ", ".join(str(part) for part in parts if str(part))


def _cell(value: Any, written: str, heat: tuple[float, float] | None) -> str:
    """Return a cell: texts to the left, numbers to the right, no −0 and no NaN."""
    if not isinstance(value, Real) or isinstance(value, bool):
        return cell(str(value))
    if math.isnan(value):
        return cell("")
    text = (written or ("{:,}" if isinstance(value, Integral) else "{:,.3f}")).format(value)
    if text.startswith("-") and not text.strip("-0.,%"):
        text = text[1:]
    shown = cell(text, number=True)
    if heat is None:
        return shown
    share = min(max((float(value) - heat[0]) / (heat[1] - heat[0]), 0.0), 1.0)
    return shown.replace("<td", f'<td style="--heat:{share:.2f}"', 1)


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
    >>> heads = '<th scope="col">go</th><th scope="col">all</th>'
    >>> heads in tally(scoreboard.board("rps").assign(paper="go"))
    True
    """
    counts = scoreboard.tally(board)
    counts.loc["all"] = counts.sum()
    legible = [name for name in VERDICTS if name not in ("redrawn", "not attempted")]
    counts.insert(0, "legible", counts[legible].sum(axis=1))
    body = [
        [head(verdict), *(cell(str(value), number=True) for value in counts[verdict])]
        for verdict in counts.columns
    ]
    return table(["", *counts.index], body, "Verdicts per paper")


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


def _grid(chosen: pd.DataFrame, caption: str) -> Html:
    """Return a table with the paper's rows and columns; intervals and z are folded below it."""
    columns = list(dict.fromkeys(chosen.column))
    cells = {(row.row, row.column): row for row in chosen.itertuples()}
    body = []
    for name in dict.fromkeys(chosen.row):
        line = [head(name)]
        for column in columns:
            row = cells.get((name, column))
            line.append("<td></td>" if row is None else (
                f'<td class="number v-{anchor(row.verdict)}">'
                f"{_number(row.value, row.digits)} {SIGNS[row.verdict]}<br>"
                f'<span class="ours">{_ours(row)}</span></td>'
            ))  # fmt: skip
        body.append(line)
    top = table(["", *columns], body, f"{caption.capitalize()}: published above, ours below")
    numbers = _list(chosen, "Each number with its interval")
    return Html(
        f'{top}<details class="numbers"><summary>Intervals, z and remarks</summary>'
        f"{numbers}</details>"
    )


def _list(chosen: pd.DataFrame, caption: str, paper: bool = False) -> Html:
    remarks = {row.id: _remark(row) for row in chosen.itertuples()}
    body = []
    for row in chosen.itertuples():
        where = f"{row.row} {row.column}".strip() or row.id
        line = [
            f'<th scope="row">{_place(row)}: {html.escape(where)}</th>' if paper else head(where),
            cell(_number(row.value, row.digits), number=True),
            cell(_ours(row) or row.detail, number=not row.detail),
            f"<td>{badge(row.verdict, row.apart)}</td>",
            cell("" if math.isnan(row.z) else f"{row.z:+.2f}", number=True),
            cell(_interval(row), number=True),
        ]
        if paper:
            line += [cell(row.paper), f"<td>{_study(row)}</td>"]
        elif any(remarks.values()):
            line.append(cell(remarks[row.id]))
        body.append(line)
    heads = ["", "published", "ours", "verdict", "z", "consistent within"]
    if paper:
        heads += ["paper", "a miss is"]
    elif any(remarks.values()):
        heads.append("remarks")
    return table(heads, body, caption if paper else caption.capitalize())


def _interval(row: Any) -> str:
    if row.kind == "multinomial" or not row.low < row.high:  # a row of counts is judged as one
        return ""
    return f"{_number(row.low, row.digits + 1)} – {_number(row.high, row.digits + 1)}"


def _remark(row: Any) -> str:
    """Return what else there is to say of a row: why it is not counted, what it was, its note."""
    parts = [f"{row.apart}: {APART[row.apart]}"] if row.apart else []
    parts += ["judged with the other counts of its row"] if row.kind == "multinomial" else []
    parts += [f"before its revision: {row.was}"] if row.was else []
    return "; ".join(parts + ([row.note] if row.note else []))


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
