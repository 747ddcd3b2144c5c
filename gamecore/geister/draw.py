"""Pictures of positions as SVG, in the thesis's notation: a1 to d4, R B r b u.

Lines and letters take the page's own colour, so boards read in light and in dark mode.
"""

from gamecore import check
from gamecore.geister.rules import Move, Position
from gamecore.geister.solution import Line
from gamecore.svg import drawing, rows, text

_CELL, _EDGE = 44, 22
#: Fills of blue, red and purple pieces: colour-blind safe, and the letter says it too.
_FILL = {"b": "#0072B2", "r": "#D55E00", "u": "#8e6bb0"}


def board(
    position: Position, *, move: Move | None = None, turned: bool = False, hidden: bool = False
) -> str:
    """Return a board as SVG; capitals that point up are the side whose view it is.

    Parameters
    ----------
    position : Position
        What to draw.
    move : Move, optional
        An arrow for the move about to be made.
    turned : bool
        Take the view of the side that is not to move.
    hidden : bool
        Show the opponent's pieces as ``u``, colour unknown.

    Examples
    --------
    >>> picture = board(Position.of("a4 b4", "c4 d4", "a1 b1", "c1 d1"))
    >>> picture.startswith("<svg"), picture.count("<text")
    (True, 16)
    """
    letters = check.instance(position, "position", Position).letters()
    is_turned = check.flag(turned, "turned")
    if is_turned:
        letters = [[letter.swapcase() for letter in row[::-1]] for row in letters[::-1]]
    if check.flag(hidden, "hidden"):
        letters = [["u" if letter in "br" else letter for letter in row] for row in letters]
    arrow = "" if move is None else _arrow(position, move, is_turned)
    return lettered_board(letters, arrow)


def lettered_board(letters: list[list[str]], more: str = "") -> str:
    """Return a board, given as rows of letters, and something more on top."""
    width, height = len(letters[0]), len(letters)
    cells = enumerate(letter for row in letters for letter in row)
    pieces = [
        _piece(cell, letter, width, letter.isupper()) for cell, letter in cells if letter != "."
    ]
    total = 2 * _EDGE + width * _CELL, 2 * _EDGE + height * _CELL
    drawn = _grid(width, height) + "".join(pieces) + more
    return drawing(*total, drawn, f"{width}×{height} Geister position")


def strip(line: Line, *, columns: int = 8, every: int = 1) -> str:
    """Return the boards of a line of play as one SVG, all in the view of its first mover.

    Parameters
    ----------
    line : Line
        What `Retrograde.best_line` returns.
    columns : int
        Boards in a row.
    every : int
        Show only every so many plies.
    """
    check.whole(columns, "columns", 1)
    check.instance(line, "line", Line)
    chosen = range(0, len(line.positions), check.whole(every, "every", 1))
    one = line.positions[0]
    wide, high = 2 * _EDGE + one.width * _CELL, 2 * _EDGE + one.height * _CELL + 18
    boards = []
    for ply in chosen:
        position, move = line.positions[ply], line.moves[ply]
        drawn = board(position, move=move, turned=ply % 2 == 1)
        label = text(wide / 2, high - 8, f"{ply + 1}. {position.name(move)}", "middle", 15)
        boards.append(drawn.replace("</svg>", f"{label}</svg>"))
    return rows(boards, columns, (wide, high), f"a line of {len(line.moves)} plies", scale=0.5)


def _grid(width: int, height: int) -> str:
    """Cells, names of rows and columns, and arrows at the four goals."""
    right, bottom = _EDGE + width * _CELL, _EDGE + height * _CELL
    lines = [
        f'<path d="M{_EDGE + i * _CELL} {_EDGE}V{bottom}" stroke="currentColor" opacity=".5"/>'
        for i in range(width + 1)
    ] + [
        f'<path d="M{_EDGE} {_EDGE + i * _CELL}H{right}" stroke="currentColor" opacity=".5"/>'
        for i in range(height + 1)
    ]
    middle = [_EDGE + (i + 0.5) * _CELL for i in range(max(width, height))]
    names = [text(middle[i], bottom + 20, chr(97 + i), "middle", 12) for i in range(width)]
    names += [text(10, middle[i] + 5, str(i + 1), "middle", 12) for i in range(height)]
    goals = []
    for column in (0, width - 1):
        x = _EDGE + (column + 0.5) * _CELL
        goals.append(f"M{x - 5} {_EDGE - 2}l5 -7l5 7z")
        goals.append(f"M{x - 5} {bottom + 2}l5 7l5 -7z")
    marks = f'<path d="{"".join(goals)}" fill="currentColor" opacity=".3"/>'
    return "".join(lines + names) + marks


def _piece(cell: int, letter: str, width: int, up: bool) -> str:
    """A house shape that points to its side's goals, with its letter."""
    x, y = _EDGE + cell % width * _CELL + _CELL / 2, _EDGE + cell // width * _CELL + _CELL / 2
    tip = -1 if up else 1
    shape = f"M{x} {y + 18 * tip}l13 {-11 * tip}v{-20 * tip}h-26v{20 * tip}z"
    house = f'<path d="{shape}" fill="{_FILL[letter.lower()]}"/>'
    return house + text(x, y + 6, letter, "middle", 18, colour="#fff")


def _arrow(position: Position, move: Move, turned: bool) -> str:
    """A line from the moving piece to where it goes; an escape leaves the board."""
    target, last = position.target(move), position.width * position.height - 1
    start, end = (last - cell if turned else cell for cell in (move.cell, target))
    x, y = (start % position.width + 0.5) * _CELL, (start // position.width + 0.5) * _CELL
    if target < 0:
        outward = -1 if start < position.width else 1
        to_x, to_y = x, y + outward * 0.8 * _CELL
    else:
        to_x = (end % position.width + 0.5) * _CELL
        to_y = (end // position.width + 0.5) * _CELL
    ends = f'x1="{x + _EDGE}" y1="{y + _EDGE}" x2="{to_x + _EDGE}" y2="{to_y + _EDGE}"'
    dot = f'<circle cx="{to_x + _EDGE}" cy="{to_y + _EDGE}" r="6" fill="#E69F00"/>'
    return f'<line {ends} stroke="#E69F00" stroke-width="4"/>{dot}'
