"""Pictures of positions: both parties, their HP, who is active, and how the types stand."""

from gamecore.pokemon import rules
from gamecore.svg import drawing, text

_TYPE_COLOURS = {
    "fire": "#D55E00", "grass": "#009E73", "electric": "#E69F00", "water": "#0072B2",
}  # fmt: skip
_WIDTH, _CARD, _HEIGHT = 640, 188, 92


def battle(lead1: int, lead2: int, hp1: tuple, hp2: tuple, turns_left: int | None = None) -> str:
    """Return a position as SVG text; lines and letters take the page's colour.

    Parameters
    ----------
    lead1, lead2 : int
        The active monsters, 0 to 2.
    hp1, hp2 : sequence of three int
        HP of A, B, C and of D, E, F.
    turns_left : int, optional
        Written below, if given.

    Examples
    --------
    >>> battle(0, 0, (5, 5, 5), (5, 4, 4)).count("<circle")
    30
    """
    rules.encode(lead1, lead2, hp1, hp2)
    parts = []
    for party, (lead, hp) in enumerate(((lead1, hp1), (lead2, hp2))):
        top = 8 + party * (_HEIGHT + 40)
        parts.append(text(8, top + _HEIGHT / 2 + 4, f"party {party + 1}", size=13))
        for member in range(3):
            x = 70 + member * _CARD
            parts.append(_card(x, top, party, member, hp[member], member == lead))
    middle = 8 + _HEIGHT + 20
    parts.append(text(70, middle + 5, _matchup(lead1, lead2), size=13))
    if turns_left is not None:
        word = "turn" if turns_left == 1 else "turns"
        parts.append(text(_WIDTH - 8, middle + 5, f"{turns_left} {word} left", "end", 13))
    names = rules.NAMES[0][lead1], rules.NAMES[1][lead2]
    height = 2 * _HEIGHT + 56
    title = f"{names[0]} against {names[1]}"
    return drawing(_WIDTH, height, "".join(parts), title)


def type_chart() -> str:
    """Return table 1 as SVG text: how much a move's type (rows) does to a defender's (columns).

    Examples
    --------
    >>> "1.5" in type_chart()
    True
    """
    cell, left, top = 74, 150, 44
    parts = [text(left + 2 * cell, 16, "defender", "middle", 13)]
    parts.append(text(8, top + 2 * 34 + 4, "move", size=13))
    for i, name in enumerate(rules.TYPES):
        parts.append(text(left + (i + 0.5) * cell, top - 8, name, "middle", 13))
        parts.append(text(left - 10, top + 34 * i + 22, name, "end", 13))
        for j in range(4):
            factor = float(rules.CHART[i, j])
            shade = {0.5: 0.06, 1.0: 0.2, 1.5: 0.5}[factor]
            x, y = left + j * cell, top + 34 * i
            parts.append(
                f'<rect x="{x}" y="{y}" width="{cell - 3}" height="31" rx="4" '
                f'fill="{_TYPE_COLOURS[name]}" fill-opacity="{shade}"/>'
            )
            parts.append(text(x + cell / 2 - 1, y + 20, f"{factor:g}", "middle", 13))
    return drawing(460, 186, "".join(parts), "Table 1: damage factors")


def _card(x: float, y: float, party: int, member: int, hp: int, active: bool) -> str:
    """Return one monster: name, type, speed, moves and a row of HP."""
    kind = rules.TYPES[rules.TYPE[party, member]]
    colour, name = _TYPE_COLOURS[kind], rules.NAMES[party][member]
    faded = ' opacity="0.35"' if hp == 0 else ""
    stroke = f'stroke="{colour}" stroke-width="3"' if active else 'stroke="currentColor"'
    moves = " · ".join(rules.TYPES[move] for move in rules.MOVES[party, member])
    dots = "".join(
        f'<circle cx="{x + 18 + 16 * k}" cy="{y + 54}" r="6" stroke="{colour}" '
        f'fill="{colour if k < hp else "none"}"/>'
        for k in range(rules.MAX_HP)
    )
    label = f"{name} {kind}" + (" ◀ active" if active else " fainted" if hp == 0 else "")
    return (
        f"<g{faded}>"
        f'<rect x="{x}" y="{y}" width="{_CARD - 12}" height="{_HEIGHT - 8}" rx="8" '
        f'fill="{colour}" fill-opacity="{0.16 if active else 0.05}" {stroke}/>'
        + text(x + 10, y + 20, label, size=14, bold=active)
        + text(x + 10, y + 38, f"speed {rules.SPEED[party, member]}, HP {hp}", size=11)
        + dots
        + text(x + 10, y + 78, moves, size=11)
        + "</g>"
    )


def _matchup(lead1: int, lead2: int) -> str:
    """Return who strikes first and what the own type does either way."""
    faster = 0 if rules.SPEED[0, lead1] > rules.SPEED[1, lead2] else 1
    names = rules.NAMES[0][lead1], rules.NAMES[1][lead2]
    types = int(rules.TYPE[0, lead1]), int(rules.TYPE[1, lead2])
    there, back = float(rules.CHART[types]), float(rules.CHART[types[::-1]])
    return (
        f"{names[faster]} strikes first; {names[0]}'s type has ×{there:g} against {names[1]}'s, "
        f"{names[1]}'s ×{back:g} against {names[0]}'s"
    )
