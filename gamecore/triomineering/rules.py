"""Synchronized Triomineering (同時進行 Triomineering): boards as bit masks, moves, results.

V lays a piece of three cells vertically and H one horizontally, both at once; the two new pieces
may share one cell. A player who cannot move loses; if neither can, it is a draw. Results are V's:
2 for a win, 1 for a draw, 0 for a loss.

A board is one uint64 of free cells, bit ``row · columns + column``. A move is the bit of its
piece's first cell: the top one for V, the left one for H. So a set of moves is a mask as well, and
all legal moves are found by two shifts. `fits` is the mask of columns where a horizontal piece can
begin (`fits_mask`); it keeps rows apart.
"""

from typing import NamedTuple

import numpy as np

from gamecore.kernel import kernel

MAX_CELLS = 64
#: With more columns than this, 64 cells are fewer than three rows: V cannot move, and shifts by a
#: piece's height would leave the word.
MAX_COLUMNS = 21
LOSS, DRAW, WIN = 0, 1, 2
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


class Position(NamedTuple):
    """A board with its free cells; draws itself in a notebook.

    Examples
    --------
    >>> after = Position.empty(4, 4).play((0, 1), (1, 0))
    >>> after.v_moves(), after.h_moves()
    ([(0, 3), (1, 3)], [(3, 0), (3, 1)])
    """

    rows: int
    """Rows of the board."""
    columns: int
    """Columns of the board."""
    free: int
    """Mask of free cells, bit ``row · columns + column``."""
    rounds: tuple[tuple[int, int], ...] = ()
    """The moves of V and H that led here, as cell numbers, for pictures; may be left out."""

    @classmethod
    def empty(cls, rows: int, columns: int) -> "Position":
        """Return the empty board.

        Examples
        --------
        >>> print(Position.empty(3, 4).play((0, 1), (2, 0)))
        .V..
        .V..
        HXH.
        """
        check_board(rows, columns)
        return cls(rows, columns, full_mask(rows, columns))

    def v_moves(self) -> list[tuple[int, int]]:
        """Return the (row, column) of the top cell of each legal move of V."""
        return self._cells(int(v_moves(np.uint64(self.free), self.columns)))

    def h_moves(self) -> list[tuple[int, int]]:
        """Return the (row, column) of the left cell of each legal move of H."""
        return self._cells(int(h_moves(np.uint64(self.free), fits_mask(self.rows, self.columns))))

    def play(self, v: tuple[int, int], h: tuple[int, int]) -> "Position":
        """Return the position after both moves, each the (row, column) of its first cell.

        Raises
        ------
        ValueError
            If a move is not legal.
        """
        for player, move, legal in (("V", v, self.v_moves()), ("H", h, self.h_moves())):
            if tuple(move) not in legal:
                raise ValueError(f"{player} cannot play {move} here; legal are {legal}")
        i, j = (row * self.columns + column for row, column in (v, h))
        free = int(step(np.uint64(self.free), i, j, self.columns))
        return self._replace(free=free, rounds=(*self.rounds, (i, j)))

    def result(self) -> float | None:
        """Return V's result as 1, 0.5 or 0, or None while both can move.

        Examples
        --------
        >>> Position.empty(3, 2).result()
        1.0
        """
        value = result(bool(self.v_moves()), bool(self.h_moves()))
        return None if value < 0 else value / WIN

    def history(self) -> list["Position"]:
        """Return the board after each of its rounds, this position last.

        Examples
        --------
        >>> end = Position.empty(4, 4).play((0, 1), (1, 0)).play((0, 3), (3, 0))
        >>> [len(position.rounds) for position in end.history()], end.history()[-1] == end
        ([1, 2], True)
        """
        boards = [self.empty(self.rows, self.columns)]
        for i, j in self.rounds:
            boards.append(boards[-1].play(divmod(i, self.columns), divmod(j, self.columns)))
        return boards[1:]

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

    def _cells(self, mask: int) -> list[tuple[int, int]]:
        return [divmod(bit, self.columns) for bit in range(mask.bit_length()) if mask >> bit & 1]

    def __str__(self) -> str:
        return "\n".join(self.letters())

    def _repr_svg_(self) -> str:
        from gamecore.triomineering.draw import board  # drawing knows positions, not the reverse

        return board(self)


def check_board(rows: int, columns: int) -> None:
    """Raise a ValueError unless the board has whole, positive sides and at most 64 cells.

    Examples
    --------
    >>> check_board(9, 9)
    Traceback (most recent call last):
    ...
    ValueError: a board has at most 64 cells, and 9×9 has 81
    """
    for name, side in (("rows", rows), ("columns", columns)):
        whole = isinstance(side, int | np.integer) and not isinstance(side, bool)
        if not whole or not 1 <= side <= MAX_CELLS:
            raise ValueError(f"{name} must be a whole number from 1 to {MAX_CELLS}, not {side!r}")
    if rows * columns > MAX_CELLS:
        raise ValueError(
            f"a board has at most {MAX_CELLS} cells, and {rows}×{columns} has {rows * columns}"
        )


def check(position: Position) -> Position:
    """Return the position, or raise a ValueError that says what is wrong with it."""
    check_board(position.rows, position.columns)
    cells = position.rows * position.columns
    if position.free < 0 or position.free >> cells:
        raise ValueError(
            f"free cells of a {position.rows}×{position.columns} board are a mask from 0 to "
            f"2**{cells} - 1, not {position.free}"
        )
    return position


def full_mask(rows: int, columns: int) -> int:
    """Return the mask of all cells of a board."""
    return (1 << rows * columns) - 1


def fits_mask(rows: int, columns: int) -> np.uint64:
    """Return the mask of cells with two more to their right, where a horizontal piece can begin.

    Examples
    --------
    >>> bin(fits_mask(2, 4))
    '0b110011'
    """
    row = (1 << max(columns - 2, 0)) - 1
    return np.uint64(sum(row << r * columns for r in range(rows)))
