"""Markup of the pages: tables, and the names of places."""

import html
import re

from gamecore import check

#: A sign of each verdict beside its colour, for readers without it.
SIGNS = {
    "exact": "✓", "consistent": "≈", "holds": "✓", "fitted": "∘", "redrawn": "–",
    "differs": "✗", "fails": "✗", "undecided": "?", "not attempted": "…",
}  # fmt: skip
#: What each verdict says.
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


class Html(str):
    """Markup that a notebook shows as such.

    Examples
    --------
    >>> Html("<b>won</b>").upper()  # otherwise a string like any other
    '<B>WON</B>'
    """

    def _repr_html_(self) -> str:
        return str(self)


def anchor(*words: str) -> str:
    """Return the name by which pages link to a place: of a table, a claim or a study.

    Chapters label what no table stands for in the same way, for example
    ``(goofspiel-figure-1)=`` before a figure and ``(study-goofspiel-limits)=`` before a study.

    Examples
    --------
    >>> anchor("geister", "table 6.4")
    'geister-table-6-4'
    """
    words = tuple(check.text(word, "a word") for word in words)
    return re.sub(r"[^a-z0-9]+", "-", " ".join(words).lower()).strip("-")


def badge(verdict: str, mark: str = "") -> str:
    """Return a verdict in its colour, with its sign, and why it is counted nowhere, if so.

    Examples
    --------
    >>> badge("holds")
    '<span class="verdict v-holds" title="the claim passes its stated test">✓ holds</span>'
    """
    name = check.one_of(verdict, "verdict", tuple(SIGNS))
    words = f"{SIGNS[name]} {name}" + (f" ({mark})" if check.text(mark, "mark") else "")
    return f'<span class="verdict v-{anchor(name)}" title="{MEANINGS[name]}">{words}</span>'


def head(text: str, name: str = "") -> str:
    """Return the cell that heads a row of a `table`; `name` is for links to it.

    Examples
    --------
    >>> head("a & b")
    '<th scope="row">a &amp; b</th>'
    """
    start = f'<th scope="row" id="{name}">' if check.text(name, "name") else '<th scope="row">'
    return f"{start}{html.escape(check.text(text, 'text'))}</th>"


def cell(text: str, number: bool = False) -> str:
    """Return a cell of a `table`; numbers stand to the right.

    Examples
    --------
    >>> cell("3", number=True)
    '<td class="number">3</td>'
    """
    start = '<td class="number">' if check.flag(number, "number") else "<td>"
    return f"{start}{html.escape(check.text(text, 'text'))}</td>"


def table(heads: list[str], body: list[list[str]], caption: str) -> Html:
    """Return a table in the book's style, from heads of columns and rows of `head` and `cell`.

    Examples
    --------
    >>> table(["game", "wins"], [[head("one"), cell("3", number=True)]], "A match").count("<tr>")
    2
    """
    names = [check.text(name, "a head") for name in check.listed(heads, "heads")]
    top = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in names)
    rows = [check.listed(line, "a row of the body") for line in check.listed(body, "body")]
    cells = ["".join(check.text(each, "a cell") for each in row) for row in rows]
    lines, caption = "\n".join(f"<tr>{row}</tr>" for row in cells), check.text(caption, "caption")
    return Html(
        f'<div class="beside" tabindex="0"><table><caption>{html.escape(caption)}</caption>'
        f"<thead><tr>{top}</tr></thead><tbody>\n{lines}\n</tbody></table></div>"
    )
