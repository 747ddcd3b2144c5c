"""Retrograde analysis (後退解析) of Geister with open colours: the solved game and its questions.

The work is done by the bit matrices of `gamecore.geister.bitmatrix`; here are the loop over depths,
the counts, and how to ask for a position's result and play it out.

References
----------
N. Kawakami, master's thesis, JAIST, 2021 (in Japanese), sections 5.3 and 6.1.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from math import comb
from typing import Any, NamedTuple

import numpy as np
import psutil

from gamecore.geister.bitmatrix import BLOCK, WORDS, Placements, end, layer, start
from gamecore.geister.rules import Move, Position, check, check_board, turn
from gamecore.kernel import threads

#: Bit matrices alive at once, apart from the depth planes: open, won, and two layers of losses.
_MATRICES = 4
_PLANES = 6  # depth planes to begin with: enough for depths up to 63


class Result(NamedTuple):
    """What perfect play gives the side to move, and in how many plies (None for a draw)."""

    outcome: str
    depth: int | None


class Line(NamedTuple):
    """Perfect play: the positions passed through, each in its mover's view, and the moves."""

    positions: list[Position]
    moves: list[Move]

    def __str__(self) -> str:
        pairs = zip(self.positions, self.moves, strict=False)
        return " ".join(position.name(move) for position, move in pairs)


class Retrograde:
    """The result of `retrograde`: counts, histograms, and every position's result.

    Attributes
    ----------
    total : int
        Number of positions.
    win_histogram : dict
        How many positions are won in so many plies.
    loss_histogram : dict
        How many positions are lost in so many plies.

    Examples
    --------
    >>> solved = retrograde(3, 3, 1, 1)
    >>> solved.result(Position.of("a1", "c3", "b1", "b2", 3, 3))  # a1 escapes
    Result(outcome='win', depth=1)
    >>> solved.wins == sum(solved.win_histogram.values()), solved.verify(100)
    (True, 100)
    """

    def __init__(self, placements: Placements, max_blue: int, max_red: int, depths: bool):
        self.width, self.height = placements.width, placements.height
        self.max_blue, self.max_red = max_blue, max_red
        self.placements = placements
        self.win_histogram: dict[int, int] = {}
        self.loss_histogram: dict[int, int] = {}
        self.total = 0
        shape = (placements.blocks, placements.blocks * BLOCK, WORDS)
        # Positions not yet solved, in the end the draws: rows are the side to move.
        self.open = _blank(*shape)
        # Positions that the side to move wins: rows are the side that has just moved.
        self.won = _blank(*shape)
        # Plane k holds bit k of the depths; more are added when a board needs them.
        self.planes = _blank(_PLANES if depths else 0, *shape)

    @property
    def wins(self) -> int:
        """Number of positions that the side to move wins."""
        return sum(self.win_histogram.values())

    @property
    def losses(self) -> int:
        """Number of positions that the side to move loses."""
        return sum(self.loss_histogram.values())

    @property
    def draws(self) -> int:
        """Number of positions in which neither side can force a win."""
        return self.total - self.wins - self.losses

    def result(self, position: Position) -> Result:
        """Return a position's result under perfect play, and its depth in plies if they were kept.

        Raises
        ------
        ValueError
            If the position is impossible, of another board, or has more pieces than analysed.
        """
        own, other = self._indices(position)
        if _bit(self.open, own, other):
            return Result("draw", None)
        depth = sum(_bit(plane, own, other) << k for k, plane in enumerate(self.planes))
        return Result("win" if _bit(self.won, other, own) else "loss", depth or None)

    def best_line(self, position: Position) -> Line:
        """Play a won or lost position out: the winner hurries, the loser delays.

        Examples
        --------
        >>> solved = retrograde(3, 3, 1, 1)
        >>> print(solved.best_line(Position.of("a2", "c3", "c1", "b1", 3, 3)))
        c3↑ b3↑ c2↑(b)
        """
        outcome, depth = self.result(position)
        if depth is None:
            raise ValueError("no best line: the position is drawn, or depths were not kept")
        line = Line([position], [])
        for left in range(depth - 1, -1, -1):
            wanted = Result("loss" if outcome == "win" else "win", left)
            position = line.positions[-1]
            move = next(m for m in position.moves() if self.reply(position, m) == wanted)
            line.moves.append(move)
            after = position.play(move)
            if isinstance(after, Position):
                line.positions.append(after)
            outcome = wanted.outcome
        return line

    def reply(self, position: Position, move: Move) -> Result:
        """Return the result of the other side after a move; the end of the game has depth 0."""
        after = position.play(move)
        if isinstance(after, Position):
            return self.result(after)
        return Result("loss" if after == "win" else "win", 0)

    def verify(self, samples: int = 1000, seed: int = 0) -> int:
        """Check on random positions that the stored result follows from the successors' results.

        Returns the number of positions checked.

        Raises
        ------
        AssertionError
            With the position, if one is wrong.
        """
        generator, checked = np.random.default_rng(seed), 0
        while checked < samples:
            own, other = generator.integers(len(self.placements.masks), size=2)
            position = self.position(int(own), int(other))
            if position is None:
                continue
            after = [self.reply(position, move) for move in position.moves()]
            lost = [depth or 0 for outcome, depth in after if outcome == "loss"]
            won = [depth or 0 for outcome, depth in after if outcome == "win"]
            expected = Result("draw", None)
            if lost:
                expected = Result("win", 1 + min(lost) if len(self.planes) else None)
            elif len(won) == len(after):
                expected = Result("loss", 1 + max(won) if len(self.planes) else None)
            found = self.result(position)
            if found != expected:
                raise AssertionError(f"stored {found}, successors say {expected}:\n{position}")
            checked += 1
        return checked

    def positions(self, depth: int) -> list[Position]:
        """Return all positions of one depth (few: meant for the longest wins and losses)."""
        if depth < 1 or not len(self.planes):
            raise ValueError("depths are 1, 2, 3, …, and must have been kept (depths=True)")
        found = []
        for block in range(self.placements.blocks):
            words = np.full(self.open[block].shape, ~np.uint64(0))
            for k, plane in enumerate(self.planes):
                words &= plane[block] if depth >> k & 1 else ~plane[block]
            for row, word in zip(*np.nonzero(words), strict=True):
                bits = int(words[row, word])
                columns = [b for b in range(64) if bits >> b & 1]
                base = block * BLOCK + int(word) * 64
                found += [self.position(int(row), base + column) for column in columns]
        return [position for position in found if position is not None]

    def matrix(self) -> np.ndarray:
        """Return the signed depth of every pair of placements: +d a win, −d a loss, 0 a draw.

        Rows are the side to move; pairs that overlap are NaN. For small boards: 8 bytes an entry.

        Examples
        --------
        >>> table = retrograde(3, 3, 1, 1).matrix()
        >>> table.shape, int((table > 0).sum()), int((table < 0).sum())
        ((72, 72), 2440, 584)
        """
        size = len(self.placements.masks)

        def bits(words: np.ndarray) -> np.ndarray:
            rows = np.ascontiguousarray(words.transpose(1, 0, 2)).view(np.uint8)
            flat = rows.reshape(words.shape[1], -1)
            return np.unpackbits(flat, axis=1, bitorder="little")[:size, :size].astype(bool)

        depth = sum(bits(plane) * float(1 << k) for k, plane in enumerate(self.planes))
        signed = np.where(bits(self.won).T, depth, -depth)
        return np.where((depth > 0) | bits(self.open), signed, np.nan)

    def position(self, own: int, other: int) -> Position | None:
        """Return the position of two placement numbers; None if the pieces overlap."""
        (blue, red), theirs = self.placements.masks[own], self.placements.masks[other]
        their_blue, their_red = (turn(mask, self.placements.cells) for mask in theirs)
        if (blue | red) & (their_blue | their_red):
            return None
        return Position(blue, red, their_blue, their_red, self.width, self.height)

    def _indices(self, position: Position) -> tuple[int, int]:
        if (position.width, position.height) != (self.width, self.height):
            raise ValueError(f"this analysis is of the {self.width}×{self.height} board")
        check(position)
        seen = position.turned()  # the other side's pieces in its own view
        own, other = (position.blue, position.red), (seen.blue, seen.red)
        for side in (own, other):
            if side not in self.placements.index:
                limits = f"{self.max_blue} blues and {self.max_red} reds"
                raise ValueError(f"this analysis covers at most {limits} a side")
        return self.placements.index[own], self.placements.index[other]


def retrograde(
    width: int,
    height: int,
    max_blue: int,
    max_red: int,
    *,
    depths: bool = True,
    workers: int | None = None,
) -> Retrograde:
    """Solve every position with at most so many blues and reds a side.

    All placements with at least one blue and one red a side count, blues on goals included. A blue
    on a goal at its own turn wins in 1 ply (the escape is a move), so does taking the last blue;
    taking the last red loses at once. The winner hurries, the loser delays; the rest are draws.

    Parameters
    ----------
    width, height : int
        The board, at least 2×2.
    max_blue, max_red : int
        Most blues and reds of one side.
    depths : bool
        Keep every position's depth, for `Retrograde.result`; otherwise only counts.
    workers : int, optional
        Threads; all cores by default. The result does not depend on it.

    Raises
    ------
    ValueError
        If the board or the limits are impossible, or the analysis would not fit in memory.

    References
    ----------
    Kawakami, master's thesis, JAIST, 2021, section 6.1 and tables 6.1 to 6.3.

    Examples
    --------
    >>> solved = retrograde(3, 3, 1, 1)
    >>> solved.total, solved.wins, solved.losses, solved.draws
    (3024, 2440, 584, 0)
    """
    needed = check_size(width, height, max_blue, max_red, depths)
    available = psutil.virtual_memory().available
    if needed > available:
        raise ValueError(
            f"a {width}×{height} board with {max_blue}+{max_red} pieces a side needs about "
            f"{needed / 2**30:.1f} GB, more than the {available / 2**30:.1f} GB available"
        )
    solved = Retrograde(Placements(width, height, max_blue, max_red), max_blue, max_red, depths)
    with ThreadPoolExecutor(workers or threads()) as pool:
        _solve(solved, pool)
    return solved


def check_size(width: int, height: int, max_blue: int, max_red: int, depths: bool = True) -> int:
    """Return the bytes that an analysis needs; a ValueError if it makes no sense.

    Examples
    --------
    >>> round(check_size(4, 4, 2, 2) / 2**20)  # MB
    268
    """
    check_board(width, height)
    cells = width * height
    if max_blue < 1 or max_red < 1:
        raise ValueError("each side needs at least one blue and one red")
    if 2 * (max_blue + max_red) > cells:
        raise ValueError(f"{2 * (max_blue + max_red)} pieces do not fit on {cells} cells")
    limits = [(b, r) for b in range(1, max_blue + 1) for r in range(1, max_red + 1)]
    placements = sum(comb(cells, b) * comb(cells - b, r) for b, r in limits)
    blocks = -(-placements // BLOCK)
    return (_MATRICES + _PLANES * depths) * blocks**2 * BLOCK**2 // 8 + 400 * placements


def _solve(solved: Retrograde, pool: ThreadPoolExecutor) -> None:
    """Fill in a `Retrograde`, depth by depth."""
    sides, blocks = solved.placements, range(solved.placements.blocks)
    on, real = sides.on(), sides.real()
    lost, newly_lost = _blank(*solved.open.shape), _blank(*solved.open.shape)

    def every_block(function: Callable, *arguments: Any) -> int:
        return int(sum(pool.map(lambda block: function(block, *arguments), blocks)))

    solved.total = every_block(start, solved.open, sides.cell, on, real)
    every_block(end, solved.won, sides.last_red, on)  # who took it has lost: the replier wins
    every_block(end, lost, sides.last_blue, on)
    tables = sides.starts, sides.neighbours, sides.escapes, sides.cell, sides.without, on
    wins = losses = 1  # new in the layer before; the ends of games are layer 0
    for depth in count(1):
        if depth >> len(solved.planes) and len(solved.planes):
            solved.planes = np.concatenate([solved.planes, np.zeros_like(solved.planes[:1])])
        store = solved.open, depth, solved.planes
        # Losses first: they must not see the wins of this very layer, nor these them.
        had_wins, had_losses, wins, losses = wins, losses, 0, 0
        if had_wins:
            losses = every_block(layer, False, solved.won, newly_lost, *store, *tables)
        if had_losses:
            wins = every_block(layer, True, lost, solved.won, *store, *tables)
        lost, newly_lost = newly_lost, lost
        solved.win_histogram.update({depth: wins} if wins else {})
        solved.loss_histogram.update({depth: losses} if losses else {})
        if not wins and not losses:
            return


def _blank(*shape: int) -> np.ndarray:
    """Return a matrix of zeros. NumPy asks for huge pages for ``empty``, not for ``zeros``."""
    words = np.empty(shape, np.uint64)
    words.fill(0)
    return words


def _bit(matrix: np.ndarray, row: int, column: int) -> int:
    word = matrix[column // BLOCK, row, column % BLOCK // 64]
    return int(word) >> column % 64 & 1
