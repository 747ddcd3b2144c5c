"""Board, positions and moves of Geister (ガイスター). Knows nothing of players.

Everything is seen by the side to move: it plays up, its goals are the two top corners, and after
its move the board is turned by 180 degrees. Cells are numbered row by row from the top left; the
thesis writes them a1 (top left) to d4 (bottom right). A set of cells is a bit mask.
"""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import numpy as np

from gamecore.kernel import constant, kernel

#: The order in which the thesis's players look at directions, as (rows, columns) of one step.
DIRECTIONS = {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}
ARROWS = {"up": "↑", "right": "→", "down": "↓", "left": "←", "escape": "!"}


class Move(NamedTuple):
    """A step of a piece, or its leaving the board.

    Examples
    --------
    >>> start = Position.of("a4 b4", "c4 d4", "a1 b1", "c1 d1")
    >>> start.name(Move(12, "up"))
    'a4↑'
    """

    cell: int
    """Where the piece stands; cells are counted row by row from the top left, from 0."""
    direction: str
    """One of ``"up"``, ``"right"``, ``"down"``, ``"left"`` and ``"escape"``."""


class Position(NamedTuple):
    """Both sides' pieces as bit masks, in the view of the side to move.

    Examples
    --------
    >>> start = Position.of(blue="a4 b4", red="c4 d4", their_blue="a1 b1", their_red="c1 d1")
    >>> print(start)
    b b r r
    . . . .
    . . . .
    B B R R
    """

    blue: int
    """The cells of the own blues; bit i is cell i, row by row from the top left."""
    red: int
    """The cells of the own reds."""
    their_blue: int
    """The cells of the opponent's blues."""
    their_red: int
    """The cells of the opponent's reds."""
    width: int = 4
    """Columns of the board."""
    height: int = 4
    """Rows of the board."""

    @classmethod
    def of(
        cls, blue: str, red: str, their_blue: str, their_red: str, width: int = 4, height: int = 4
    ) -> "Position":
        """Return the position with pieces on the named cells, such as ``"a4 b4"``.

        Raises
        ------
        ValueError
            If a cell is unknown, two pieces share one, or a side lacks a blue or a red.
        """
        sides = (blue, red, their_blue, their_red)
        b, r, their_b, their_r = (_mask(names, width, height) for names in sides)
        return check(cls(b, r, their_b, their_r, width, height))

    def __str__(self) -> str:
        return "\n".join(" ".join(row) for row in self.letters())

    def letters(self) -> list[list[str]]:
        """Return the board as rows of ``B R b r .``: capitals are the side to move."""
        sets = dict(zip("BRbr", self[:4], strict=True))
        cells = [
            next((letter for letter, mask in sets.items() if mask >> cell & 1), ".")
            for cell in range(self.width * self.height)
        ]
        return [cells[i : i + self.width] for i in range(0, len(cells), self.width)]

    def turned(self) -> "Position":
        """Return the same position in the view of the other side."""
        cells = self.width * self.height
        blue, red, their_blue, their_red = (turn(mask, cells) for mask in self[:4])
        return Position(their_blue, their_red, blue, red, self.width, self.height)

    def moves(self) -> list[Move]:
        """Return all moves, cell by cell; of one piece an escape first, then up, right, down, left.

        Examples
        --------
        >>> len(Position.of("a4 b4", "c4 d4", "a1 b1", "c1 d1").moves())
        4
        """
        board = steps(self.width, self.height)
        own, found = self.blue | self.red, []
        for cell in range(self.width * self.height):
            if not own >> cell & 1:
                continue
            if self.blue >> cell & 1 and cell in (0, self.width - 1):
                found.append(Move(cell, "escape"))
            for way, direction in enumerate(DIRECTIONS):
                target = int(board[cell, way])
                if target >= 0 and not own >> target & 1:
                    found.append(Move(cell, direction))
        return found

    def play(self, move: Move) -> "Position | str":
        """Return the next position, seen by the other side, or the mover's ``"win"``/``"loss"``.

        Raises
        ------
        ValueError
            If the move is not among `moves`.
        """
        if move not in self.moves():
            raise ValueError(f"{self.name(move)} is not a move of\n{self}")
        if move.direction == "escape":
            return "win"
        target = 1 << self.target(move)
        if target in (self.their_blue, self.their_red):  # a last piece is taken
            return "win" if target == self.their_blue else "loss"
        step = 1 << move.cell | target
        blue = self.blue ^ step if self.blue >> move.cell & 1 else self.blue
        red = self.red ^ step if self.red >> move.cell & 1 else self.red
        theirs = self.their_blue & ~target, self.their_red & ~target
        return Position(blue, red, *theirs, self.width, self.height).turned()

    def name(self, move: Move) -> str:
        """Return a move in the thesis's notation, such as ``b4↑`` or ``b2→(r)``."""
        text, target = cell_name(move.cell, self.width) + ARROWS[move.direction], self.target(move)
        for letter, mask in (("b", self.their_blue), ("r", self.their_red)):
            text += f"({letter})" if target >= 0 and mask >> target & 1 else ""
        return text

    def target(self, move: Move) -> int:
        """Return the cell that a move leads to, −1 off the board."""
        if move.direction == "escape":
            return -1
        way = list(DIRECTIONS).index(move.direction)
        return int(steps(self.width, self.height)[move.cell, way])

    def _repr_svg_(self) -> str:
        from gamecore.geister.draw import board  # drawing knows positions, not the reverse

        return board(self)


def check(position: Position) -> Position:
    """Return the position, or raise a ValueError that says what is wrong with it."""
    check_board(position.width, position.height)
    seen, names = 0, ("own blues", "own reds", "the opponent's blues", "the opponent's reds")
    for mask, name in zip(position[:4], names, strict=True):
        if not 0 < mask < 1 << position.width * position.height:
            raise ValueError(f"{name}: each side needs at least one blue and one red on the board")
        if mask & seen:
            raise ValueError(f"{name} overlap other pieces: a cell holds at most one piece")
        seen |= mask
    return position


def check_board(width: int, height: int) -> None:
    """Raise a ValueError unless the board has at least two columns, two rows and four cells."""
    if min(width, height) < 2 or width > 26:
        raise ValueError(f"a board needs 2 to 26 columns and at least 2 rows, not {width}×{height}")


def cell_name(cell: int, width: int = 4) -> str:
    """Return a cell's name in the thesis: columns a, b, …, rows 1, 2, … from the top."""
    return f"{chr(97 + cell % width)}{cell // width + 1}"


def _mask(names: str, width: int, height: int) -> int:
    check_board(width, height)
    cells = [cell_name(cell, width) for cell in range(width * height)]
    for name in names.split():
        if name not in cells:
            raise ValueError(f"no cell {name!r}: a {width}×{height} board has a1 to {cells[-1]}")
    return mask_of(cells.index(name) for name in names.split())


def mask_of(cells: Iterable[int]) -> int:
    """Return a set of cells as a bit mask."""
    mask = 0
    for cell in cells:
        if mask >> cell & 1:
            raise ValueError(f"cell {cell} is named twice: a cell holds at most one piece")
        mask |= 1 << cell
    return mask


def turn(mask: int, cells: int) -> int:
    """Return a set of cells after turning the board by 180 degrees."""
    return int(f"{mask:0{cells}b}"[::-1], 2)


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
_STEP = steps(4, 4)
_TURNED = constant([turn(mask, 16) for mask in range(1 << 16)], np.int64)
_NEAR = constant([sum(1 << int(t) for t in row if t >= 0) for row in _STEP], np.int64)
#: Of a cell, the Manhattan distance to the nearer goal of the side that plays up.
DISTANCE = constant([c // 4 + min(c % 4, 3 - c % 4) for c in range(16)], np.int64)


@kernel
def turned16(mask):
    """Return a 4×4 mask turned by 180 degrees."""
    return _TURNED[mask]


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
