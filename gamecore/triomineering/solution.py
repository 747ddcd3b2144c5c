"""Exact values: what both players can force surely, and matrix games where that leaves a gap.

The best results that V and H can force surely enclose a position's value, and in most positions
they are equal. Only elsewhere are the values after each pair of moves needed as a matrix game, and
a linear programme only if it has no pure saddle point.
"""

from __future__ import annotations  # signatures show types by their names

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import RLock, current_thread, main_thread
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from tqdm import tqdm

from gamecore import check, matrixgame
from gamecore.triomineering import force, rounds, rules
from gamecore.triomineering.force import SPARE
from gamecore.triomineering.rules import Position

#: All boards with this many rows and columns together have few enough cells for `solve`.
MAX_TOTAL = 16
#: Outcome classes by twice the best sure result of V and of H.
OUTCOMES = {(2, 2): "V", (0, 0): "H", (1, 1): "D", (1, 2): "VD", (0, 1): "HD", (0, 2): "VHD"}


class Solution:
    """A solved board: its value and class, and those of every position on it.

    Values are V's: win 1, draw 0.5, loss 0. What is not known yet is worked out when asked for,
    and kept. Positions are given as `Position` or as a mask of free cells; mixtures and matrices
    follow the legal moves in the order of `Position.v_moves` and `Position.h_moves`.

    Attributes
    ----------
    rows : int
        Rows of the board.
    columns : int
        Columns of the board.
    value : float
        Value of the empty board.
    outcome : str
        Its class: which results remain if both play what they can force surely, ``"V"``, ``"H"``,
        ``"D"``, ``"VD"``, ``"HD"`` or ``"VHD"``.

    Examples
    --------
    >>> solved = solve(5, 4)
    >>> solved.value, solved.outcome
    (0.0, 'H')
    """

    def __init__(self, rows: int, columns: int):
        rows, columns = rules.check_board(rows, columns)
        self.rows, self.columns = rows, columns
        self._boards = tuple(
            force.Board(m, n, rules.fits_mask(m, n)) for m, n in ((rows, columns), (columns, rows))
        )
        mine = force.new_table()
        self._tables = (mine, mine if rows == columns else force.new_table())
        self._mixed: dict[tuple[int, int], float] = {}
        self._stack, self._lock = force.new_stack(), RLock()
        self._bar: tqdm | None = None
        self._gap = 0.0
        self.outcome = self.outcome_of(rules.full_mask(rows, columns))
        self.value = self.value_of(rules.full_mask(rows, columns))

    def value_of(self, position: Position | int) -> float:
        """Return a position's value to V.

        Examples
        --------
        >>> solve(8, 4).value_of(Position.empty(8, 4).play((0, 1), (3, 0)))
        1.0
        """
        with self._asked():
            return self._value(*self._reduced(self._mask(position), 0, 0))

    def outcome_of(self, position: Position | int) -> str:
        """Return a position's class: what V can force surely to what H can.

        Examples
        --------
        >>> solve(6, 6).outcome_of(Position.empty(6, 6))
        'D'
        """
        with self._asked():
            low, high = self._bounds(self._mask(position), 0, 0)
        return OUTCOMES[int(rules.WIN * low), int(rules.WIN * high)]

    def payoff_matrix(self, position: Position | int) -> np.ndarray:
        """Return the values after each pair of legal moves, a row for each move of V.

        Raises
        ------
        ValueError
            If the game is over.

        Examples
        --------
        >>> solve(4, 4).payoff_matrix(Position.empty(4, 4)).shape
        (8, 8)
        """
        free = self._mask(position)
        v, h = self._moves(free, 0, 0)
        if not len(v) or not len(h):
            raise ValueError("the game is over: a matrix of payoffs needs moves of both players")
        with self._asked():
            low, high = self._enclosed(free, v, 0, h, 0)
            return self._filled(free, v, 0, h, 0, low, high)

    def equilibrium(self, position: Position | int) -> matrixgame.Equilibrium:
        """Return ``(value, row, column)``: the value and optimal mixtures of V and of H.

        Examples
        --------
        >>> float(solve(8, 4).equilibrium(Position.empty(8, 4)).value)
        0.75
        """
        return matrixgame.solve(self.payoff_matrix(position))

    def shortfall(
        self, position: Position | int, v: ArrayLike | None = None, h: ArrayLike | None = None
    ) -> float:
        """Return what a mixture falls short of the value when the opponent replies in the best way.

        Parameters
        ----------
        position : Position or int
            Where it is played.
        v, h : array_like
            Probabilities of V's legal moves, or of H's: exactly one of the two.

        Examples
        --------
        >>> solve(4, 4).shortfall(Position.empty(4, 4), v=[0, 1, 0, 0, 0, 0, 0, 0])
        0.0
        """
        if (v is None) == (h is None):
            raise ValueError("a shortfall is of one player's mixture: give v or h, not both")
        A = self.payoff_matrix(position)
        name, number = ("h", A.shape[1]) if v is None else ("v", A.shape[0])
        mixture = check.probabilities(h if v is None else v, name, number)
        one_side = rounds.h_shortfall if v is None else rounds.v_shortfall
        return float(one_side(A, self.value_of(position), mixture))

    @property
    def positions(self) -> int:
        """How many positions are stored, searched for V, for H, and mixed ones together."""
        searched = {id(table): int(table.used[0]) for table in self._tables}
        return sum(searched.values()) + len(self._mixed)

    @property
    def error_bound(self) -> float:
        """No value is farther than this from the exact one (the worst duality gap, each round)."""
        return force.MAX_ROUNDS * self._gap

    def __repr__(self) -> str:
        return f"Solution: {self.rows}×{self.columns}, outcome {self.outcome}, value {self.value:g}"

    def _mask(self, position: Position | int) -> np.uint64:
        """Return the free cells of a position that is checked to be one of this board."""
        if not isinstance(position, Position):
            position = Position(self.rows, self.columns, position)
        if (position.rows, position.columns) != (self.rows, self.columns):
            size = f"{position.rows}×{position.columns}"
            raise ValueError(f"a position of a {self.rows}×{self.columns} board, not of {size}")
        return np.uint64(position.free)

    def _moves(self, free: np.uint64, v_spare: int, h_spare: int) -> tuple[np.ndarray, np.ndarray]:
        board = self._boards[0]
        v, h = rules.v_moves(free, board.columns), rules.h_moves(free, board.fits)
        return (
            rounds.listed(np.uint64(v), v_spare > 0),
            rounds.listed(np.uint64(h), h_spare > 0),
        )

    def _reduced(self, free: np.uint64, v_spare: int, h_spare: int) -> tuple[np.uint64, int, int]:
        board = self._boards[0]
        cells, v_spare, h_spare = force.reduced(free, v_spare, h_spare, board.columns, board.fits)
        return np.uint64(cells), v_spare, h_spare

    @contextmanager
    def _asked(self) -> Iterator[None]:
        """Answer one question at a time; a bar shows those that take long."""
        with self._lock:
            try:
                yield
            except SystemError as error:  # numba, interrupted as it hands over an array
                raise (error.__cause__ or error) from None
            finally:
                if self._bar is not None:
                    self._bar.close()
                    self._bar = None

    def _enlarge(self) -> None:
        if self._bar is None and current_thread() is main_thread():
            self._bar = tqdm(desc="positions", unit="", delay=5, leave=False)
        if self._bar is not None:
            self._bar.update(self.positions - self._bar.n)
        mine = force.enlarged(self._tables[0])
        self._tables = (
            mine,
            mine if self.rows == self.columns else force.enlarged(self._tables[1]),
        )

    def _bounds(self, free: np.uint64, v_spare: int, h_spare: int) -> tuple[float, float]:
        """Return the least and the greatest value possible, from what each side forces surely."""
        while True:
            low, high = rounds.bounds(
                free, v_spare, h_spare, self._boards, self._tables, self._stack
            )
            if low != force.FULL:
                return low, high
            self._enlarge()

    def _enclosed(
        self, free: np.uint64, v: np.ndarray, v_spare: int, h: np.ndarray, h_spare: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the bounds after each pair of moves."""
        low, high = np.empty((2, len(v), len(h)))
        while not rounds.enclose(
            free, v, v_spare, h, h_spare, self._boards, self._tables, self._stack, low, high
        ):
            self._enlarge()
        return low, high

    def _value(self, free: np.uint64, v_spare: int, h_spare: int) -> float:
        """Return the value of a reduced position."""
        low, high = self._bounds(free, v_spare, h_spare)
        return low if low == high else self._solve(free, v_spare, h_spare)

    def _solve(self, free: np.uint64, v_spare: int, h_spare: int) -> float:
        """Return the value of a reduced position whose bounds differ, as a matrix game.

        On a square board the transposed position is the same game with the players' roles, and
        so win and loss, exchanged: its value is 1 − v, and one that is its own image has 0.5. Of
        all its images only the one with the least key is solved, so that the last bit of a value
        does not depend on which was asked for first.
        """
        key = force.table_key(free, v_spare, h_spare, self._boards[0])
        if self.rows == self.columns:
            over = np.uint64(force.transposed(free, self.rows, self.columns))
            image = force.table_key(over, h_spare, v_spare, self._boards[1])
            if image == key:
                return 0.5
            if image < key:
                return 1.0 - self._solve(over, h_spare, v_spare)
        if key in self._mixed:
            return self._mixed[key]
        free = np.uint64(key[1])
        v, h = self._moves(free, v_spare, h_spare)
        low, high = self._enclosed(free, v, v_spare, h, h_spare)
        rows, columns = rounds.undominated(low, high)
        kept = np.ix_(rows, columns)
        A = self._filled(free, v[rows], v_spare, h[columns], h_spare, low[kept], high[kept])
        value, row, column = matrixgame.equilibrium(A)
        self._gap = max(self._gap, float((A @ column).max() - (row @ A).min()))
        self._mixed[key] = float(value)
        return self._mixed[key]

    def _filled(
        self, free: np.uint64, v: np.ndarray, v_spare: int, h: np.ndarray, h_spare: int,
        low: np.ndarray, high: np.ndarray,
    ) -> np.ndarray:  # fmt: skip
        """Return the values after each pair of moves, given their bounds."""
        A = low.copy()
        for i, j in zip(*np.nonzero(low < high), strict=True):
            after = np.uint64(rounds.laid(free, v[i], h[j], self.columns))
            left = v_spare - int(v[i] == SPARE), h_spare - int(h[j] == SPARE)
            A[i, j] = self._solve(*self._reduced(after, *left))
        return A


def solve(rows: int, columns: int) -> Solution:
    """Solve a board exactly.

    Parameters
    ----------
    rows, columns : int
        Its size, at most 64 cells. V places its pieces along the columns.

    Returns
    -------
    Solution
        Kept for the life of the process: a second call is free.

    References
    ----------
    Outcome classes after A. Cincotti and colleagues; the paper names one of them, VD, in section
    6.6.2.

    Examples
    --------
    >>> solve(8, 4).outcome, solve(8, 4).value
    ('VD', 0.75)
    """
    return _solved(*rules.check_board(rows, columns))  # to the cache 4.0 is the same as 4


def value(position: Position, player: int = 0) -> float:
    """Return what a position is worth to V (0) or to H (1), from −1 to 1; see `solve`.

    Examples
    --------
    >>> value(Position.empty(8, 4), player=1)
    -0.5
    """
    check.instance(position, "position", Position)
    side = check.whole(player, "player", 0, 1)
    worth = 2 * solve(position.rows, position.columns).value_of(position) - 1
    return worth if side == 0 else -worth


@cache
def _solved(rows: int, columns: int) -> Solution:
    return Solution(rows, columns)


class SolvedBoard(NamedTuple):
    """A row of `outcome_table`.

    Attributes
    ----------
    rows : int
        Rows of the board.
    columns : int
        Columns of the board.
    outcome : str
        Its class, as in `Solution`.
    value : float
        Its value to V.
    positions : int
        How many positions were stored to find them.

    Examples
    --------
    >>> outcome_table(2)
    [SolvedBoard(rows=1, columns=1, outcome='D', value=0.5, positions=0)]
    """

    rows: int
    columns: int
    outcome: str
    value: float
    positions: int


def outcome_table(total: int = 14) -> list[SolvedBoard]:
    """Solve every board with ``rows + columns ≤ total``, each from scratch.

    Parameters
    ----------
    total : int
        From 2 to 16, which takes a quarter of a minute.

    Returns
    -------
    list of SolvedBoard
        A row for each board, in order of rows and columns.

    Examples
    --------
    >>> [f"{board.rows}×{board.columns}" for board in outcome_table(8) if board.outcome == "D"]
    ['1×1', '1×2', '2×1', '2×2', '3×3', '4×4']
    """
    total = check.whole(total, "total", 2, MAX_TOTAL)
    sizes = [(m, n) for m in range(1, total) for n in range(1, total - m + 1)]
    solved = (Solution(*size) for size in tqdm(sizes, "boards", delay=5, leave=False))
    return [SolvedBoard(s.rows, s.columns, s.outcome, s.value, s.positions) for s in solved]
