"""Pictures of positions as SVG: V's pieces upright, H's lying, cells that both filled hatched.

Lines and letters take the page's own colour, so boards read in light and in dark mode.
"""

from __future__ import annotations  # signatures show types by their names

from collections.abc import Iterable, Sequence
from itertools import islice

from gamecore import check, svg
from gamecore.triomineering.rules import Move, Position, text_of, written

_CELL, _EDGE, _INSET = 40, 24, 5
#: Fills of V's and H's pieces: colour-blind safe, and their direction says it too.
_V, _H = "#0072B2", "#E69F00"


def board(
    position: Position,
    *,
    last: bool = True,
    shades: dict[str, float] | dict[Move, float] | None = None,
    caption: str = "",
) -> str:
    """Return a position as SVG.

    Parameters
    ----------
    position : Position
        What to draw: pieces from its `rounds`, other filled cells in grey.
    last : bool
        Outline the pieces of the last round.
    shades : dict of moves to float, optional
        Green from 0 (none) to 1 (full) in single cells, to show how often a move that begins there
        is chosen, as `ask` returns it; numbers above 0 are written in.
    caption : str
        A line below the board.

    Examples
    --------
    >>> picture = board(Position.empty(4, 4).play("0,1", "1,0"), caption="after one round")
    >>> picture.startswith("<svg"), picture.count("<rect")
    (True, 4)
    """
    check.instance(position, "position", Position)
    check.text(caption, "caption")
    last = check.flag(last, "last")
    rows, columns, rounds = position.rows, position.columns, position.rounds
    parts = [_grid(rows, columns)]
    cells = {
        written((row, column)): (row, column) for row in range(rows) for column in range(columns)
    }
    for move, share in check.instance({} if shades is None else shades, "shades", dict).items():
        name = text_of(move)
        if name not in cells:
            raise ValueError(f"no cell {name:.60} on a {rows}×{columns} board to shade")
        if check.real(share, "a shade", 0, 1.000001) > 0:  # probabilities, up to rounding
            parts.append(_shade(*cells[name], share))
    marks = "".join(position.letters())  # "#": filled by no piece of the rounds
    parts += [_cell(cell, columns) for cell, mark in enumerate(marks) if mark == "#"]
    both = []
    for number, (v, h) in enumerate(rounds):
        outlined = last and number == len(rounds) - 1
        parts.append(_piece(v, columns, 1, 3, _V, outlined))
        parts.append(_piece(h, columns, 3, 1, _H, outlined))
        both += [cell for cell in range(h, h + 3) if cell in range(v, v + 3 * columns, columns)]
    parts += [_overlap(cell, columns) for cell in both]
    width = 2 * _EDGE + columns * _CELL
    height = 2 * _EDGE + rows * _CELL + (14 if caption else 0)
    if caption:
        parts.append(svg.text(width / 2, height - 8, caption, "middle"))
    return svg.drawing(
        width, height, "".join(parts), f"{rows}×{columns} board, round {len(rounds)}"
    )


def strip(positions: Sequence[Position], captions: Iterable[str] = (), columns: int = 5) -> str:
    """Return several boards as one SVG, a row of `columns` at a time.

    Parameters
    ----------
    positions : sequence of Position
        What to draw.
    captions : iterable of str
        Lines below the boards.
    columns : int
        Boards side by side.

    Examples
    --------
    >>> start = Position.empty(4, 4)
    >>> strip([start, start.play("0,1", "1,0")], ["start", "round 1"]).count("<rect")
    5
    """
    columns = check.whole(columns, "columns", 1)
    if not isinstance(positions, Sequence) or not len(positions):
        raise ValueError("a strip needs at least one position, in a list")
    for position in positions:
        check.instance(position, "each of positions", Position)
    if isinstance(captions, str) or not isinstance(captions, Iterable):
        raise ValueError("captions must be several texts, such as a list of them")
    words = [*islice(captions, len(positions)), *[" "] * len(positions)][: len(positions)]
    wide = 2 * _EDGE + max(p.columns for p in positions) * _CELL
    high = 2 * _EDGE + max(p.rows for p in positions) * _CELL + 14
    boards = [board(p, caption=words) for p, words in zip(positions, words, strict=True)]
    return svg.rows(boards, columns, (wide, high), f"{len(positions)} boards")


def _grid(rows: int, columns: int) -> str:
    """Return the frame, its lines, and the numbers of rows and columns, counted from 0."""
    right, bottom = _EDGE + columns * _CELL, _EDGE + rows * _CELL
    lines = "".join(f"M{_EDGE + i * _CELL} {_EDGE}V{bottom}" for i in range(columns + 1))
    lines += "".join(f"M{_EDGE} {_EDGE + i * _CELL}H{right}" for i in range(rows + 1))
    names = [svg.text(_EDGE + (i + 0.5) * _CELL, 17, str(i), "middle", 12) for i in range(columns)]
    names += [
        svg.text(12, _EDGE + (i + 0.5) * _CELL + 4, str(i), "middle", 12) for i in range(rows)
    ]
    frame = (
        f'<rect x="{_EDGE}" y="{_EDGE}" width="{columns * _CELL}" height="{rows * _CELL}" '
        'fill="none" stroke="currentColor" stroke-width="2"/>'
    )
    return f'<path d="{lines}" stroke="currentColor" opacity=".35"/>{frame}{"".join(names)}'


def _corner(cell: int, columns: int) -> tuple[int, int]:
    row, column = divmod(cell, columns)
    return _EDGE + column * _CELL, _EDGE + row * _CELL


def _piece(cell: int, columns: int, wide: int, high: int, colour: str, outlined: bool) -> str:
    x, y = _corner(cell, columns)
    stroke = 'stroke="currentColor" stroke-width="3"' if outlined else 'stroke="none"'
    return (
        f'<rect x="{x + _INSET}" y="{y + _INSET}" width="{wide * _CELL - 2 * _INSET}" '
        f'height="{high * _CELL - 2 * _INSET}" rx="9" fill="{colour}" fill-opacity=".85" {stroke}/>'
    )


def _cell(cell: int, columns: int) -> str:
    x, y = _corner(cell, columns)
    return f'<rect x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" fill="#7F7F7F" opacity=".6"/>'


def _overlap(cell: int, columns: int) -> str:
    """Return the dark, crossed cell in which the two pieces of a round overlap."""
    x, y = _corner(cell, columns)
    a, b = _INSET, _CELL - _INSET
    cross = f"M{x + a + 6} {y + a + 6}L{x + b - 6} {y + b - 6}M{x + b - 6} {y + a + 6}"
    return (
        f'<rect x="{x + a}" y="{y + a}" width="{b - a}" height="{b - a}" fill="#222"/>'
        f'<path d="{cross}L{x + a + 6} {y + b - 6}" stroke="#fff" stroke-width="3"/>'
    )


def _shade(row: int, column: int, share: float) -> str:
    x, y = _EDGE + column * _CELL, _EDGE + row * _CELL
    return (
        f'<rect x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" fill="#009E73" '
        f'fill-opacity="{min(max(share, 0.0), 1.0):.3f}"/>'
        + svg.text(x + _CELL / 2, y + _CELL / 2 + 4, f"{share:.2f}".lstrip("0"), "middle", 12)
    )
