"""Board, positions and moves of Geister (ガイスター). Knows nothing of players.

Everything is seen by the side to move: it plays up, its goals are the two top corners, and after
its move the board is turned by 180 degrees. Cells are numbered row by row from the top left; the
thesis writes them a1 (top left) to d4 (bottom right). A set of cells is a bit mask.
"""

from __future__ import annotations  # signatures show types by their names

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from gamecore import check
from gamecore.bits import popcount, reversed_bits
from gamecore.kernel import constant, kernel

#: The most columns of a board, and the most rows: the alphabet ends with z.
LARGEST = 26

#: The order in which the thesis's players look at directions, as (rows, columns) of one step.
DIRECTIONS = {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}
ARROWS = {"up": "↑", "right": "→", "down": "↓", "left": "←", "escape": "!"}
_SETS = {
    "blue": "own blues", "red": "own reds",
    "their_blue": "the opponent's blues", "their_red": "the opponent's reds",
}  # fmt: skip


@dataclass(frozen=True)
class Move:
    """A step of a piece, or its leaving the board.

    Attributes
    ----------
    cell : int
        Where the piece stands; cells are counted row by row from the top left, from 0.
    direction : str
        One of ``"up"``, ``"right"``, ``"down"``, ``"left"`` and ``"escape"``.

    Examples
    --------
    >>> start = Position.of("a4 b4", "c4 d4", "a1 b1", "c1 d1")
    >>> start.name(Move(12, "up")), start.text(Move(12, "up"))
    ('a4↑', 'a4 up')
    """

    cell: int
    direction: str

    def __post_init__(self) -> None:
        check.whole(self.cell, "cell", 0, LARGEST**2 - 1)
        check.one_of(self.direction, "direction", tuple(ARROWS))


@dataclass(frozen=True, repr=False)
class Position:
    """Both sides' pieces as bit masks, in the view of the side to move.

    In a mask bit i is cell i, row by row from the top left. `Position.of` takes names of cells,
    `Position.parse` a printed board.

    Attributes
    ----------
    blue : int
        The cells of the own blues.
    red : int
        The cells of the own reds.
    their_blue : int
        The cells of the opponent's blues.
    their_red : int
        The cells of the opponent's reds.
    width : int
        Columns of the board.
    height : int
        Rows of the board.

    Raises
    ------
    ValueError
        If two pieces share a cell, or a side lacks a blue or a red.

    Examples
    --------
    >>> start = Position.of(blue="a4 b4", red="c4 d4", their_blue="a1 b1", their_red="c1 d1")
    >>> print(start)
    b b r r
    . . . .
    . . . .
    B B R R
    >>> start
    Position.parse('b b r r / . . . . / . . . . / B B R R')
    """

    blue: int
    red: int
    their_blue: int
    their_red: int
    width: int = 4
    height: int = 4

    def __post_init__(self) -> None:
        check_board(self.width, self.height)
        seen, every = 0, (1 << self.width * self.height) - 1
        for field, name in _SETS.items():
            mask = check.whole(getattr(self, field), name, 0, every)
            if not mask:
                raise ValueError(f"{name}: each side needs at least one blue and one red")
            if mask & seen:
                raise ValueError(f"{name} overlap other pieces: a cell holds at most one piece")
            seen |= mask
            object.__setattr__(self, field, mask)  # a whole number of Python's own

    @classmethod
    def of(
        cls, blue: str, red: str, their_blue: str, their_red: str, width: int = 4, height: int = 4
    ) -> Position:
        """Return the position with pieces on the named cells, such as ``"a4 b4"``.

        Raises
        ------
        ValueError
            If a cell is unknown, two pieces share one, or a side lacks a blue or a red.
        """
        sides = zip(_SETS, (blue, red, their_blue, their_red), strict=True)
        b, r, their_b, their_r = (named(names, width, height, what) for what, names in sides)
        return cls(b, r, their_b, their_r, width, height)

    @classmethod
    def parse(cls, text: str) -> Position:
        """Return the position that a board shows, as it is printed: rows are lines, or end with /.

        Examples
        --------
        >>> print(Position.parse("b.r / ... / B.R"))
        b . r
        . . .
        B . R
        """
        rows = [
            "".join(row.split()) for row in check.text(text, "text").replace("/", "\n").split("\n")
        ]
        rows = [row for row in rows if row]
        if (
            not rows
            or len({len(row) for row in rows}) > 1
            or not set("".join(rows)) <= set("BRbr.")
        ):
            raise ValueError(
                f"a board has rows of B R b r . that are equally long, unlike\n{text[:999]}"
            )
        check_board(len(rows[0]), len(rows))
        board = "".join(rows)
        blue, red, their_blue, their_red = (
            mask_of(cell for cell, letter in enumerate(board) if letter == one) for one in "BRbr"
        )
        return cls(blue, red, their_blue, their_red, len(rows[0]), len(rows))

    @property
    def masks(self) -> tuple[int, int, int, int]:
        """The sets of cells of own blues, own reds, the opponent's blues and its reds."""
        return self.blue, self.red, self.their_blue, self.their_red

    def __str__(self) -> str:
        return "\n".join(" ".join(row) for row in self.letters())

    def __repr__(self) -> str:
        return f"Position.parse({' / '.join(str(self).splitlines())!r})"

    def letters(self) -> list[list[str]]:
        """Return the board as rows of ``B R b r .``: capitals are the side to move."""
        return lettered(dict(zip("BRbr", self.masks, strict=True)), self.width, self.height)

    def turned(self) -> Position:
        """Return the same position in the view of the other side."""
        cells = self.width * self.height
        blue, red, their_blue, their_red = (turn(mask, cells) for mask in self.masks)
        return Position(their_blue, their_red, blue, red, self.width, self.height)

    def moves(self) -> list[Move]:
        """Return all moves, cell by cell; of one piece an escape first, then up, right, down, left.

        Examples
        --------
        >>> len(Position.of("a4 b4", "c4 d4", "a1 b1", "c1 d1").moves())
        4
        """
        found = moves_of(self.blue, self.red, self.width, self.height)
        return [Move(cell, text.partition(" ")[2]) for text, (cell, _) in found.items()]

    def play(self, move: Move | str) -> Position | str:
        """Return the next position, seen by the other side, or the mover's ``"win"``/``"loss"``.

        Raises
        ------
        ValueError
            If the move, perhaps a text such as ``"a4 up"``, is not among `moves`.
        """
        text = move if isinstance(move, str) else self.text(check.instance(move, "move", Move))
        found = moves_of(self.blue, self.red, self.width, self.height)
        if text not in found:
            raise ValueError(f"{text[:60]} is not a move of\n{self}")
        cell, to = found[text]
        if to < 0:
            return "win"
        target = 1 << to
        if target in (self.their_blue, self.their_red):  # a last piece is taken
            return "win" if target == self.their_blue else "loss"
        step = 1 << cell | target
        blue = self.blue ^ step if self.blue >> cell & 1 else self.blue
        red = self.red ^ step if self.red >> cell & 1 else self.red
        theirs = self.their_blue & ~target, self.their_red & ~target
        return Position(blue, red, *theirs, self.width, self.height).turned()

    def text(self, move: Move) -> str:
        """Return a move as states write it, such as ``b4 up``."""
        return f"{cell_name(check.instance(move, 'move', Move).cell, self.width)} {move.direction}"

    def name(self, move: Move) -> str:
        """Return a move in the thesis's notation, such as ``b4↑`` or ``b2→(r)``."""
        target = self.target(check.instance(move, "move", Move))
        text = cell_name(move.cell, self.width) + ARROWS[move.direction]
        for letter, mask in (("b", self.their_blue), ("r", self.their_red)):
            text += f"({letter})" if target >= 0 and mask >> target & 1 else ""
        return text

    def target(self, move: Move) -> int:
        """Return the cell that a move leads to, −1 off the board."""
        if check.instance(move, "move", Move).cell >= self.width * self.height:
            raise ValueError(f"{move} is of a larger board")
        if move.direction == "escape":
            return -1
        way = list(DIRECTIONS).index(move.direction)
        return int(steps(self.width, self.height)[move.cell, way])

    def _repr_svg_(self) -> str:
        from gamecore.geister.draw import board  # drawing knows positions, not the reverse

        return board(self)


def check_board(width: int, height: int) -> None:
    """Raise a ValueError unless the board has 2 to 26 columns and rows."""
    check.whole(width, "the width of a board", 2, LARGEST)
    check.whole(height, "the height of a board", 2, LARGEST)


def cell_name(cell: int, width: int = 4) -> str:
    """Return a cell's name in the thesis: columns a, b, …, rows 1, 2, … from the top."""
    return f"{chr(97 + cell % width)}{cell // width + 1}"


def names_of(mask: int, width: int) -> str:
    """Return the names of a set's cells, row by row."""
    return " ".join(cell_name(cell, width) for cell in cells_of(mask))


def named(names: str, width: int, height: int, what: str = "cells") -> int:
    """Return the set of the named cells as a bit mask."""
    check_board(width, height)
    number = {cell_name(cell, width): cell for cell in range(width * height)}
    found = check.text(names, what).split()
    for name in found:
        if name not in number:
            last = cell_name(width * height - 1, width)
            raise ValueError(f"no cell {name[:20]!r}: a {width}×{height} board has a1 to {last}")
    return mask_of(number[name] for name in found)


def mask_of(cells: Iterable[int]) -> int:
    """Return a set of cells as a bit mask."""
    mask = 0
    for cell in cells:
        if mask >> cell & 1:
            raise ValueError(f"cell {cell} is named twice: a cell holds at most one piece")
        mask |= 1 << cell
    return mask


def cells_of(mask: int) -> Iterator[int]:
    """Yield the cells of a set in rising order."""
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def turn(mask: int, cells: int) -> int:
    """Return a set of cells after turning the board by 180 degrees."""
    return int(f"{mask:0{cells}b}"[::-1], 2)


def lettered(sets: dict[str, int], width: int, height: int) -> list[list[str]]:
    """Return a board as rows of letters: each set's where its cells are, else points."""
    cells = ["."] * (width * height)
    for letter, mask in sets.items():
        for cell in cells_of(mask):
            cells[cell] = letter
    return [cells[i : i + width] for i in range(0, len(cells), width)]


def moves_of(blue: int, red: int, width: int, height: int) -> dict[str, tuple[int, int]]:
    """Return a side's moves by their texts: from which cell, and to which (−1 for an escape)."""
    own, found, board = blue | red, {}, ways(width, height)
    for cell in cells_of(own):
        if blue >> cell & 1 and cell in (0, width - 1):
            found[f"{cell_name(cell, width)} escape"] = cell, -1
        for text, target in board[cell]:
            if not own >> target & 1:
                found[text] = cell, target
    return found


@cache
def ways(width: int, height: int) -> list[list[tuple[str, int]]]:
    """Return each cell's steps on the board, as a text and the cell that it leads to."""
    board = steps(width, height).tolist()
    return [
        [
            (f"{cell_name(cell, width)} {direction}", to)
            for direction, to in zip(DIRECTIONS, row, strict=True)
            if to >= 0
        ]
        for cell, row in enumerate(board)
    ]


@cache
def beside(width: int, height: int) -> list[int]:
    """Return the neighbours of each cell, as a mask."""
    return [mask_of(to for _, to in row) for row in ways(width, height)]


@cache
def steps(width: int, height: int) -> np.ndarray:
    """Return ``[cell, direction]`` → the cell one step away, −1 off the board."""
    table = np.full((width * height, 4), -1, np.int64)
    for cell in range(width * height):
        row, column = divmod(cell, width)
        for way, (down, right) in enumerate(DIRECTIONS.values()):
            if 0 <= row + down < height and 0 <= column + right < width:
                table[cell, way] = (row + down) * width + column + right
    return constant(table)  # shared by all who ask


# ---- kernels of the 4×4 board ----
# Players see a position as four masks of 16 bits in their own view.

GOALS = 0b1001
ESCAPE = 4  # the way after up, right, down, left
WAYS = (*DIRECTIONS, "escape")
_STEP = steps(4, 4)
_NEAR = constant([sum(1 << int(t) for t in row if t >= 0) for row in _STEP], np.int64)
#: Of a cell, the Manhattan distance to the nearer goal of the side that plays up.
DISTANCE = constant([c // 4 + min(c % 4, 3 - c % 4) for c in range(16)], np.int64)


@kernel
def turned16(mask):
    """Return a 4×4 mask turned by 180 degrees."""
    return reversed_bits(mask) >> 48 & 0xFFFF


@kernel
def distances(mask):
    """Return the sum of the distances, as in `DISTANCE`, of a set's cells: its rows and columns."""
    return popcount(mask & 0xF0F0) + 2 * popcount(mask & 0xFF00) + popcount(mask & 0x6666)


@kernel
def target_of(cell, way):
    """Return the cell one step away, −1 off the board."""
    return _STEP[cell, way]


@kernel
def near(cell):
    """Return the neighbours of a cell as a mask."""
    return _NEAR[cell]


@kernel
def approaches(target, theirs):
    """Return whether a step to `target` without capture ends beside one of `theirs`."""
    return not theirs >> target & 1 and _NEAR[target] & theirs != 0
