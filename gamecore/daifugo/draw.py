"""Pictures of cards and tables, as SVG text. Lines and black suits take the page's colour."""

from collections.abc import Sequence

from gamecore import check
from gamecore.daifugo.cards import DECK, POSITIONS, SUITS
from gamecore.svg import drawing, text

_SIGNS = {"D": "♦", "C": "♣", "H": "♥", "S": "♠"}
_STAND_INS = [suit + rank for suit in SUITS for rank in POSITIONS]
WIDTH, HEIGHT, GAP = 34, 46, 4
RED = "#D55E00"


def _card(name: str, x: float, y: float) -> str:
    """Return one card; a joker that stands for another card shows it below a ★."""
    name = check.text(name, "a card")
    joker, stands_for = name.startswith("JO"), name.partition("=")[2]
    if name not in DECK and not (joker and stands_for in _STAND_INS):
        raise ValueError(
            f"unknown card {check.short(name)}: a card is such as 'HT', 'JO' or 'JO=H7'"
        )
    face = stands_for if joker else name
    colour = RED if face[:1] in ("D", "H") else "currentColor"
    rank = face[1:].replace("T", "10") if face else ""
    centre = x + WIDTH / 2
    dashes = ' stroke-dasharray="4 2"' if joker else ""
    frame = (
        f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="5" fill="none" '
        f'stroke="{colour}" stroke-width="{2 if joker else 1}"{dashes}/>'
    )
    top, bottom = (
        ("★", f"{_SIGNS[face[0]]}{rank}" if face else "") if joker else (rank, _SIGNS[face[0]])
    )
    return (
        frame
        + text(centre, y + 19, top, "middle", 17, colour=colour)
        + text(centre, y + 38, bottom, "middle", 14 if joker else 17, colour=colour)
    )


def _row(cards: Sequence[str], x: float, y: float) -> str:
    return "".join(_card(card, x + i * (WIDTH + GAP), y) for i, card in enumerate(cards))


def cards_svg(cards: str | Sequence[str]) -> str:
    """Return a picture of cards in a row.

    Parameters
    ----------
    cards : str or sequence of str
        Names such as ``"S3 HT JO=H7"``.

    Examples
    --------
    >>> cards_svg("S3 JO=H7").count("<rect")
    2
    """
    names = cards.split() if isinstance(cards, str) else check.listed(cards, "cards")
    width = max(len(names), 1) * (WIDTH + GAP) + 2
    return drawing(width, HEIGHT + 4, _row(names, 2, 2), " ".join(names))


def table_svg(
    hands: Sequence[tuple[str, Sequence[str]]], field: Sequence[str] = (), marks: str = ""
) -> str:
    """Return a picture of a table: named hands, one below the other, and the field.

    Parameters
    ----------
    hands : sequence of (name, cards)
        What everybody holds.
    field : sequence of str
        The play on the field, its joker as ``"JO=H7"``; empty for an empty field.
    marks : str
        Remarks beside the field, such as ``"locked"``.

    Examples
    --------
    >>> table_svg([("CPUA", ["S3"]), ("CPUB", ["HT", "JO"])], ["D4"]).count("<rect")
    4
    """
    body, y, step = "", 4, HEIGHT + 10
    longest = max([len(cards) for _, cards in hands] + [len(field) + 3])
    for name, cards in hands:
        body += text(2, y + 29, name, size=15) + _row(cards, 100, y)
        y += step
    body += text(2, y + 29, "field (場)", size=15)
    body += _row(field, 100, y) if field else text(100, y + 29, "empty", size=15)
    body += text(112 + max(len(field), 2) * (WIDTH + GAP), y + 29, marks, size=15) if marks else ""
    return drawing(104 + longest * (WIDTH + GAP), y + step, body, "Daifugo table")
