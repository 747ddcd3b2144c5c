"""Pictures of positions: both hands, the prize, the deck and the score, as somebody sees them."""

from gamecore import check
from gamecore.goofspiel.rules import State
from gamecore.goofspiel.tree import check_features
from gamecore.svg import drawing, text

_CARD, _HIGH, _GAP, _LEFT = 34, 46, 8, 112
_COLOURS = {"own": "#0072B2", "other": "#D55E00", "prize": "#E69F00", "deck": "#009E73"}


def position(state: State, features: str | None = None, title: str = "") -> str:
    """Return a position as SVG text, as player 0 sees it with some features only.

    Cards already gone are dashed. What a set of features hides is drawn as question marks.

    Parameters
    ----------
    state : State
        Hands, prize, deck and score difference.
    features : str, optional
        Letters of ``"CODP"``; None shows everything.
    title : str
        Written above.

    Examples
    --------
    >>> picture = position(State(5, ((1, 2, 4), (1, 2, 5)), 3, (1, 5), 2), features="C")
    >>> picture.count("?")  # the other hand's and the deck's five places, and the score
    11
    """
    if not isinstance(state, State):
        raise ValueError(f"a state is needed, not {check.short(state)}")
    seen = "CODP" if features is None else check_features(features) or ""
    lines = [
        ("own hand", "own", state.hands[0], True),
        ("O  other hand", "other", state.hands[1], "O" in seen),
        ("C  prize", "prize", (state.prize,) if state.prize else (), "C" in seen),
        ("D  deck", "deck", state.deck, "D" in seen),
    ]
    parts, y = [], 8
    if title:
        parts.append(text(8, y + 14, title, bold=True))
        y += 28
    for name, colour, held, visible in lines:
        parts.append(text(8, y + _HIGH / 2 + 5, name))
        places = [state.prize] if colour == "prize" else range(1, state.cards + 1)
        for k, card in enumerate(places):
            x = _LEFT + k * (_CARD + _GAP)
            parts.append(_card(x, y, str(card), _COLOURS[colour], card in held, visible))
        y += _HIGH + _GAP
    score = f"{state.difference:+d}" if "P" in seen else "?"
    parts.append(text(8, y + 16, f"P  score difference  {score}"))
    width, height = _LEFT + state.cards * (_CARD + _GAP) + 4, y + 28
    return drawing(width, height, "".join(parts), title or "a Goofspiel position")


def views(state: State, sets: list[str]) -> str:
    """Return one position side by side as several sets of features show it, as HTML text.

    Examples
    --------
    >>> views(State(5, ((1, 2, 4), (1, 2, 5)), 3, (1, 5), 2), ["", "CD"]).count("<svg")
    2
    """
    drawn = [
        position(state, features, "hand only" if not features else "+".join(features))
        for features in sets
    ]
    boxes = "".join(f'<div style="flex:1 1 260px;max-width:330px">{one}</div>' for one in drawn)
    return f'<div style="display:flex;flex-wrap:wrap;gap:24px">{boxes}</div>'


def _card(x: float, y: float, face: str, colour: str, held: bool, visible: bool) -> str:
    """Return one card: held, gone (dashed) or not to be seen (a question mark)."""
    if not visible:
        look = 'fill="none" stroke="currentColor" stroke-opacity="0.4"'
        face, faded = "?", 0.5
    elif held:
        look, faded = f'fill="{colour}" fill-opacity="0.22" stroke="{colour}" stroke-width="2"', 1.0
    else:
        look = 'fill="none" stroke="currentColor" stroke-opacity="0.35" stroke-dasharray="3 3"'
        face, faded = "", 1.0
    rectangle = f'<rect x="{x}" y="{y}" width="{_CARD}" height="{_HIGH}" rx="5" {look}/>'
    if not face:
        return rectangle
    return rectangle + text(x + _CARD / 2, y + _HIGH / 2 + 6, face, "middle", 17, opacity=faded)
