"""A paper's claims as cards: the sentence, the verdict, what was found, and the test folded."""

import html
from typing import Any

import pandas as pd

from gamecore.papers.markup import Html, anchor, badge
from gamecore.papers.scoreboard import rows_of


def claims(board: pd.DataFrame, *names: str) -> Html:
    """Return a paper's claims, a card each.

    Parameters
    ----------
    board : pandas.DataFrame
        What `gamecore.papers.scoreboard.board` returns.
    *names : str
        Only the claims whose ids begin so; all by default.

    Examples
    --------
    >>> from gamecore.papers import scoreboard
    >>> claims(scoreboard.board("rps")).count("✓ holds")
    1
    """
    needed = ("id", "kind", "row", "words", "locator", "apart", "test", "detail", "note", "was")
    rows_of(board, *needed, "would_change", "verdict")
    chosen = board[board.kind == "claim"]
    if names:
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
