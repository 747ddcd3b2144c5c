"""Pictures of positions: both parties, their HP, who is active, and how the types stand."""

from collections.abc import Sequence

from gamecore.pokemon.parties import CHART, PAPER, Battle, Chart, Monster, whole_chart
from gamecore.pokemon.rules import encode
from gamecore.pokemon.state import State
from gamecore.svg import drawing, text

_COLOURS = {"fire": "#D55E00", "grass": "#009E73", "electric": "#E69F00", "water": "#0072B2"}
_OTHERS = ("#CC79A7", "#56B4E9", "#8C564B", "#7F7F7F")  # of types that are not the paper's
_LEFT, _CARD, _HEIGHT = 70, 188, 92
_DOTS = 10  # more HP than this are drawn as a bar


def battle(
    lead1: int, lead2: int, hp1: Sequence[int], hp2: Sequence[int], turns_left: int | None = None
) -> str:
    """Return a position of the paper's parties as SVG text; see `picture` for others.

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
    encode(lead1, lead2, hp1, hp2)
    return _drawn(PAPER, (lead1, lead2), (hp1, hp2), turns_left)


def picture(state: State) -> str:
    """Return a state of any parties as SVG text; lines and letters take the page's colour.

    Examples
    --------
    >>> from gamecore.pokemon.state import start
    >>> "leads are dealt" in picture(start())
    True
    """
    return _drawn(state.battle, state.leads, state.hp, state.turns)


def _drawn(
    of: Battle, leads: tuple[int, int] | None, hp: Sequence[Sequence[int]], turns: int | None
) -> str:
    parts = []
    width = _LEFT + 6 + _CARD * max(map(len, of.parties))
    for side, party in enumerate(of.parties):
        top = 8 + side * (_HEIGHT + 40)
        parts.append(text(8, top + _HEIGHT / 2 + 4, f"party {side + 1}", size=13))
        for member, monster in enumerate(party):
            x, active = _LEFT + member * _CARD, leads is not None and member == leads[side]
            parts.append(_card(x, top, monster, hp[side][member], of, side, active))
    middle, one, two = 8 + _HEIGHT + 25, *of.parties
    if leads is None:
        title = words = "leads are dealt"
    else:
        active1, active2 = one[leads[0]], two[leads[1]]
        title, words = f"{active1.name} against {active2.name}", _matchup(active1, active2, of)
    parts.append(text(_LEFT, middle, words, size=13))
    if turns is not None:
        left = f"{turns} turn{'s' * (turns != 1)} left"
        parts.append(text(width - 8, middle, left, "end", 13))
    return drawing(width, 2 * _HEIGHT + 56, "".join(parts), title)


def type_chart(chart: Chart = CHART) -> str:
    """Return a chart as SVG text: how much a move's type (rows) does to a defender's (columns).

    Examples
    --------
    >>> "1.5" in type_chart()
    True
    """
    factors = whole_chart(chart)
    cell, left, top, size = 74, 150, 44, len(factors)
    parts = [text(left + size * cell / 2, 16, "defender", "middle", 13)]
    parts.append(text(8, top + size * 17 + 4, "move", size=13))
    for i, name in enumerate(factors):
        parts.append(text(left + (i + 0.5) * cell, top - 8, name, "middle", 13))
        parts.append(text(left - 10, top + 34 * i + 22, name, "end", 13))
        for j, defender in enumerate(factors):
            factor = factors[name][defender]
            shade = 0.5 if factor > 1 else 0.2 if factor == 1 else 0.06
            x, y = left + j * cell, top + 34 * i
            parts.append(
                f'<rect x="{x}" y="{y}" width="{cell - 3}" height="31" rx="4" '
                f'fill="{_colour(name, factors)}" fill-opacity="{shade}"/>'
            )
            parts.append(text(x + cell / 2 - 1, y + 20, f"{factor:g}", "middle", 13))
    return drawing(164 + size * cell, 50 + size * 34, "".join(parts), "Damage factors")


def _colour(kind: str, types: Chart) -> str:
    return _COLOURS.get(kind) or _OTHERS[list(types).index(kind) % len(_OTHERS)]


def _card(
    x: float, y: float, monster: Monster, hp: int, of: Battle, side: int, active: bool
) -> str:
    """Return one monster: name, type, speed, moves and its HP as dots or as a bar."""
    colour, most = _colour(monster.type, of.factors), of.most_hp[side]
    faded = ' opacity="0.35"' if hp == 0 else ""
    stroke = f'stroke="{colour}" stroke-width="3"' if active else 'stroke="currentColor"'
    if most <= _DOTS:
        health = "".join(
            f'<circle cx="{x + 18 + 16 * k}" cy="{y + 54}" r="6" stroke="{colour}" '
            f'fill="{colour if k < hp else "none"}"/>'
            for k in range(most)
        )
    else:
        health = "".join(
            f'<rect x="{x + 12}" y="{y + 48}" width="{152 * share:g}" height="12" '
            f'stroke="{colour}" fill="{fill}"/>'
            for share, fill in ((1, "none"), (hp / most, colour))
        )
    mark = " ◀ active" if active else " fainted" if hp == 0 else ""
    return (
        f"<g{faded}>"
        f'<rect x="{x}" y="{y}" width="{_CARD - 12}" height="{_HEIGHT - 8}" rx="8" '
        f'fill="{colour}" fill-opacity="{0.16 if active else 0.05}" {stroke}/>'
        + text(x + 10, y + 20, f"{monster.name} {monster.type}{mark}", size=14, bold=active)
        + text(x + 10, y + 38, f"speed {monster.speed:g}, HP {hp}", size=11)
        + health
        + text(x + 10, y + 78, " · ".join(monster.moves), size=11)
        + "</g>"
    )


def _matchup(one: Monster, two: Monster, of: Battle) -> str:
    """Return who strikes first and what the own type does either way."""
    faster = one if one.speed > two.speed else two
    there, back = of.factors[one.type][two.type], of.factors[two.type][one.type]
    return (
        f"{faster.name} strikes first; {one.name}'s type has ×{there:g} against {two.name}'s, "
        f"{two.name}'s ×{back:g} against {one.name}'s"
    )
