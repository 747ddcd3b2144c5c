"""Synchronized Triomineering (同時進行 Triomineering): boards as bit masks, moves, results.

V lays a piece of three cells vertically and H one horizontally, both at once; the two new pieces
may share one cell. A player who cannot move loses; if neither can, it is a draw. Results are V's:
2 for a win, 1 for a draw, 0 for a loss.

A board is one uint64 of free cells, bit ``row · columns + column``. A move is the bit of its
piece's first cell: the top one for V, the left one for H. So a set of moves is a mask as well, and
all legal moves are found by two shifts. `fits` is the mask of columns where a horizontal piece can
begin (`fits_mask`); it keeps rows apart.
"""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np

from gamecore import check, game
from gamecore.kernel import kernel

MAX_CELLS = 64
#: With more columns than this, 64 cells are fewer than three rows: V cannot move, and shifts by a
#: piece's height would leave the word.
MAX_COLUMNS = 21
LOSS, DRAW, WIN = 0, 1, 2
#: The row and column of a piece's first cell.
Move = tuple[int, int]
_ONE = np.uint64(1)
_TWO = np.uint64(2)
_THREE_CELLS = np.uint64(7)


@kernel
def v_moves(free, columns):
    """Return the mask of top cells where V can play."""
    if columns > MAX_COLUMNS:
        return np.uint64(0)
    c = np.uint64(columns)
    return free & (free >> c) & (free >> (c + c))


@kernel
def h_moves(free, fits):
    """Return the mask of left cells where H can play."""
    return free & (free >> _ONE) & (free >> _TWO) & fits


@kernel
def v_cover(moves, columns):
    """Return the cells that the pieces of a set of V's moves cover."""
    if not moves:
        return moves
    c = np.uint64(columns)
    return moves | (moves << c) | (moves << (c + c))


@kernel
def h_cover(moves):
    """Return the cells that the pieces of a set of H's moves cover."""
    return moves | (moves << _ONE) | (moves << _TWO)


@kernel
def v_piece(bit, columns):
    """Return the three cells of V's move on cell number `bit`."""
    c = np.uint64(columns)
    return (_ONE | (_ONE << c) | (_ONE << (c + c))) << np.uint64(bit)


@kernel
def h_piece(bit):
    """Return the three cells of H's move on cell number `bit`."""
    return _THREE_CELLS << np.uint64(bit)


@kernel
def step(free, v, h, columns):
    """Return the free cells after both moves, given as cell numbers; the pieces may overlap."""
    return free & ~(v_piece(v, columns) | h_piece(h))


@kernel
def result(can_v, can_h):
    """Return V's result, 2 win, 1 draw, 0 loss, or −1 while both can move."""
    if can_v and can_h:
        return -1
    return DRAW + (WIN - DRAW if can_v else 0) - (DRAW - LOSS if can_h else 0)


@dataclass(frozen=True)
class Position(game.State):
    """A board with its free cells: the game's state; draws itself in a notebook.

    `start` gives the first one, ``Position.of`` one from text. A move is the row and column of its
    piece's first cell, as text (``"0,1"``) or, where that is handier, as a pair.

    Attributes
    ----------
    rows : int
        Rows of the board.
    columns : int
        Columns of the board.
    free : int
        Mask of free cells, bit ``row · columns + column``.
    rounds : tuple of tuple
        The moves of V and H that led here, as cell numbers, for pictures; may be left out.

    Examples
    --------
    >>> after = start(4, 4).play("0,1", "1,0")
    >>> after.legal(0), after.legal(1)
    (['0,3', '1,3'], ['3,0', '3,1'])
    >>> after.v_moves(), after.h_moves()
    ([(0, 3), (1, 3)], [(3, 0), (3, 1)])
    """

    seats = ("V", "H")
    rows: int
    columns: int
    free: int
    rounds: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        rows, columns = check_board(self.rows, self.columns)
        free = check.whole(
            self.free, f"the mask of free cells of a {rows}×{columns} board", 0,
            full_mask(rows, columns),
        )  # fmt: skip
        rounds = _check_rounds(self.rounds, rows, columns, free)
        kept = {"rows": rows, "columns": columns, "free": free, "rounds": rounds}
        for name, value in kept.items():  # they may have been numpy's numbers, and lists
            object.__setattr__(self, name, value)

    @classmethod
    def empty(cls, rows: int, columns: int) -> "Position":
        """Return the empty board.

        Examples
        --------
        >>> print(Position.empty(3, 4).play("0,1", "2,0"))
        .V..
        .V..
        HXH.
        """
        rows, columns = check_board(rows, columns)
        return cls(rows, columns, full_mask(rows, columns))

    @classmethod
    def of(cls, text: str) -> "Position":
        """Return a position from lines of text: a dot is a free cell, ``#VHX`` are filled ones.

        Which pieces fill them, and so `rounds`, is not known.

        Examples
        --------
        >>> Position.of("..#. .... #..#").legal(0)
        ['0,1']
        """
        lines = check.text(text, "text").split()
        wide = len(lines[0]) if lines else 0
        if {len(line) for line in lines} != {wide} or not set("".join(lines)) <= set(".#VHX"):
            raise ValueError(
                f"a board is written in lines of one length of .#VHX, not {text!r:.60}"
            )
        check_board(len(lines), wide)
        cells = enumerate("".join(lines))
        return cls(len(lines), wide, sum(1 << cell for cell, mark in cells if mark == "."))

    @cached_property
    def _moves(self) -> tuple[int, int]:
        """The masks of V's moves and of H's."""
        free, fits = np.uint64(self.free), fits_mask(self.rows, self.columns)
        return int(v_moves(free, self.columns)), int(h_moves(free, fits))

    @property
    def movers(self) -> tuple[int, ...]:
        """Who moves now, that is both, or nobody."""
        return (0, 1) if all(self._moves) else ()

    def legal(self, player: int) -> list[str]:
        """Return the moves of V (0) or H (1), in order of cells; none once the game is over."""
        player = check.whole(player, "player", game.CHANCE, 1)
        return list(map(written, self._cells(self._moves[player]))) if player in self.movers else []

    def all_moves(self) -> list[str]:
        """Return every move of either player on such a board, in order of cells."""
        v, h = self.empty(self.rows, self.columns)._moves
        return list(map(written, self._cells(v | h)))

    def longest(self) -> int:
        """Return how many rounds there can be: two pieces fill at least five cells."""
        rows, columns = self.rows, self.columns
        return min(rows * columns // 5, rows // 3 * columns, columns // 3 * rows)

    def v_moves(self) -> list[Move]:
        """Return the (row, column) of the top cell of each move that V's pieces have room for."""
        return self._cells(self._moves[0])

    def h_moves(self) -> list[Move]:
        """Return the (row, column) of the left cell of each move that H's pieces have room for."""
        return self._cells(self._moves[1])

    def play(self, *moves: str | Move) -> "Position":
        """Return the position after V's move and H's, each the row and column of its first cell.

        Raises
        ------
        ValueError
            If a move is not legal.
        """
        return super().play(*map(text_of, moves))

    def _after(self, moves: tuple[str, ...]) -> "Position":
        v, h = (cell_of(move, self.columns) for move in moves)
        free = int(step(np.uint64(self.free), v, h, self.columns))
        return Position(self.rows, self.columns, free, (*self.rounds, (v, h)))

    def result(self) -> float | None:
        """Return V's result as 1, 0.5 or 0, or None while both can move.

        Examples
        --------
        >>> Position.empty(3, 2).result()
        1.0
        """
        v, h = self._moves
        value = result(v != 0, h != 0)
        return None if value < 0 else value / WIN

    def returns(self) -> tuple[float, ...]:
        """Return 1 to who won and −1 to who lost, 0 to both for a draw."""
        won = self.result()
        if won is None:
            raise ValueError("the game is not over: both can move")
        return 2 * won - 1, 1 - 2 * won

    def history(self) -> list["Position"]:
        """Return the board after each of its rounds, this position last.

        Examples
        --------
        >>> end = start(4, 4).play("0,1", "1,0").play("0,3", "3,0")
        >>> [len(position.rounds) for position in end.history()], end.history()[-1] == end
        ([1, 2], True)
        """
        boards = [self] * bool(self.rounds)
        for v, h in self.rounds[:0:-1]:
            last = boards[-1]
            free = last.free | _pieces(v, h, self.columns)
            boards.append(Position(self.rows, self.columns, free, last.rounds[:-1]))
        return boards[::-1]

    def letters(self) -> list[str]:
        """Return each row as text: ``.`` free, ``V`` and ``H`` filled by whom, ``X`` by both.

        Cells filled by moves not in `rounds` are ``#``.
        """
        marks = ["." if self.free >> cell & 1 else "#" for cell in range(self.rows * self.columns)]
        for i, j in self.rounds:
            ours = {i + k * self.columns for k in range(3)}
            theirs = {j + k for k in range(3)}
            for cell in ours | theirs:
                marks[cell] = "X" if cell in ours & theirs else "V" if cell in ours else "H"
        return ["".join(marks[r * self.columns : (r + 1) * self.columns]) for r in range(self.rows)]

    def svg(self) -> str:
        """Return a picture of the board and its pieces."""
        from gamecore.triomineering.draw import board  # drawing knows positions, not the reverse

        return board(self)

    def _cells(self, mask: int) -> list[Move]:
        return [divmod(bit, self.columns) for bit in range(mask.bit_length()) if mask >> bit & 1]

    def __str__(self) -> str:
        return "\n".join(self.letters())


def start(rows: int = 6, columns: int = 6) -> Position:
    """Return the first state, an empty board, the paper's by default.

    Parameters
    ----------
    rows, columns : int
        Its size, at most 64 cells. V places its pieces along the columns.

    Examples
    --------
    >>> start(3, 4).legal(1)
    ['0,0', '0,1', '1,0', '1,1', '2,0', '2,1']
    """
    return Position.empty(rows, columns)


def written(move: Move) -> str:
    """Return a move, the (row, column) of its first cell, as text.

    Examples
    --------
    >>> written((0, 1))
    '0,1'
    """
    return ",".join(map(str, move))


def text_of(move: str | Move) -> str:
    """Return a move as text, whichever way it is given.

    Examples
    --------
    >>> text_of("0,1") == text_of((0, 1))
    True
    """
    if isinstance(move, tuple) and all(isinstance(number, int | np.integer) for number in move):
        return written(move)
    return check.text(move, "a move")


def cell_of(move: str, columns: int) -> int:
    """Return the number of the cell that a move is written as.

    Examples
    --------
    >>> cell_of("1,2", columns=4)
    6
    """
    row, column = map(int, move.split(","))
    return row * columns + column


def _pieces(v: int, h: int, columns: int) -> int:
    """Return the cells of two moves."""
    return (1 | 1 << columns | 1 << 2 * columns) << v | 7 << h


def _check_rounds(rounds: Any, rows: int, columns: int, free: int) -> tuple[tuple[int, int], ...]:
    """Return rounds whose pieces lie on the board, on cells not free, apart from each other."""
    full, fits = full_mask(rows, columns), int(fits_mask(rows, columns))
    found, taken = [], free
    for pair in rounds if isinstance(rounds, list) else check.instance(rounds, "rounds", tuple):
        both = pair if isinstance(pair, list) else check.instance(pair, "a round", tuple)
        if len(both) != 2:
            raise ValueError(f"a round has two cells, of V's move and of H's, not {len(both)}")
        v, h = (check.whole(cell, "the cell of a move", 0, rows * columns - 1) for cell in both)
        cells = _pieces(v, h, columns)
        if cells & ~full or not fits >> h & 1 or cells & taken:
            raise ValueError(f"no pieces on cells {v} (V) and {h} (H) can have led to this board")
        found.append((v, h))
        taken |= cells
    return tuple(found)


def check_board(rows: int, columns: int) -> tuple[int, int]:
    """Return the sides of a board, if they are whole and positive and it has at most 64 cells.

    Examples
    --------
    >>> check_board(9, 9)
    Traceback (most recent call last):
    ...
    ValueError: a board has at most 64 cells, and 9×9 has 81
    """
    rows = check.whole(rows, "rows", 1, MAX_CELLS)
    columns = check.whole(columns, "columns", 1, MAX_CELLS)
    if rows * columns > MAX_CELLS:
        raise ValueError(
            f"a board has at most {MAX_CELLS} cells, and {rows}×{columns} has {rows * columns}"
        )
    return rows, columns


def full_mask(rows: int, columns: int) -> int:
    """Return the mask of all cells of a board."""
    return (1 << rows * columns) - 1


@cache
def fits_mask(rows: int, columns: int) -> np.uint64:
    """Return the mask of cells with two more to their right, where a horizontal piece can begin.

    Examples
    --------
    >>> bin(fits_mask(2, 4))
    '0b110011'
    """
    row = (1 << max(columns - 2, 0)) - 1
    return np.uint64(sum(row << r * columns for r in range(rows)))
