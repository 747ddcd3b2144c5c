"""Retrograde analysis (後退解析) of Geister with open colours: the solved game and its questions.

The work is done by the bit matrices of `gamecore.geister.bitmatrix`; here are the loop over depths,
the counts, and how to ask for a position's result and play it out.

References
----------
N. Kawakami, master's thesis, JAIST, 2021 (in Japanese), sections 5.3 and 6.1.
"""

from __future__ import annotations  # signatures show types by their names

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from math import comb, prod
from typing import Any, NamedTuple

import numpy as np
from tqdm import tqdm

from gamecore import check
from gamecore.game import CHANCE
from gamecore.geister.bitmatrix import BLOCK, ROWS, WORDS, Placements, end, layer, locate, start
from gamecore.geister.rules import Move, Position, check_board, turn
from gamecore.geister.state import State
from gamecore.kernel import threads

#: Bit matrices alive at once, apart from the depth planes: open, won, and the last losses.
_MATRICES = 3
_PLANES = 6  # depth planes to begin with: enough for depths up to 63


class Result(NamedTuple):
    """What perfect play gives the side to move.

    Attributes
    ----------
    outcome : str
        ``"win"``, ``"loss"`` or ``"draw"``.
    depth : int or None
        In how many plies; None for a draw, or where depths were not kept.

    Examples
    --------
    >>> print(Result("win", 5), "-", Result("draw", None))
    win in 5 - draw
    """

    outcome: str
    depth: int | None

    def __str__(self) -> str:
        return self.outcome if self.depth is None else f"{self.outcome} in {self.depth}"


class Line(NamedTuple):
    """Perfect play.

    Attributes
    ----------
    positions : list of Position
        What is passed through, each in its mover's view.
    moves : list of Move
        What is played in each.
    """

    positions: list[Position]
    moves: list[Move]

    def __str__(self) -> str:
        pairs = zip(self.positions, self.moves, strict=False)
        return " ".join(position.name(move) for position, move in pairs)


class Retrograde:
    """The result of `retrograde`: counts, histograms, and every position's result.

    Attributes
    ----------
    width : int
        Columns of the board.
    height : int
        Rows of the board.
    max_blue : int
        Most blues of one side.
    max_red : int
        Most reds of one side.
    total : int
        Number of positions.
    win_histogram : dict
        How many positions are won in so many plies.
    loss_histogram : dict
        How many positions are lost in so many plies.
    placements : object
        All ways to place one side's pieces, by number; mirror images share a row of bit matrices.
    open : numpy.ndarray
        The draws, as a bit matrix: ``[block of columns, row, word]``, rows for the side to move.
    won : numpy.ndarray
        The wins of the side to move; here its placement is the column.
    planes : numpy.ndarray
        Plane k holds bit k of every depth, rows for the side to move; none if not kept.

    Examples
    --------
    >>> solved = retrograde(3, 3, 1, 1)
    >>> solved
    Retrograde: 3×3, up to 1 blue and 1 red a side; 3,024 positions: 2,440 wins, 584 losses, 0 draws
    >>> solved.result(Position.of("a1", "c3", "b1", "b2", 3, 3))  # a1 escapes
    Result(outcome='win', depth=1)
    >>> solved.wins == sum(solved.win_histogram.values()), solved.verify(100)
    (True, 100)
    """

    def __init__(self, placements: Placements, max_blue: int, max_red: int, depths: bool):
        check.instance(placements, "placements", Placements)
        check.flag(depths, "depths")
        check.whole(max_blue, "max_blue", 1)
        check.whole(max_red, "max_red", 1)
        self.width, self.height = placements.width, placements.height
        self.max_blue, self.max_red = max_blue, max_red
        self.placements = placements
        self.win_histogram: dict[int, int] = {}
        self.loss_histogram: dict[int, int] = {}
        self.total = 0
        shape = (placements.blocks, placements.blocks * ROWS, WORDS)
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

    def __repr__(self) -> str:
        def some(number: int, word: str) -> str:
            return f"{number} {word}{'s' * (number != 1)}"

        return (
            f"Retrograde: {self.width}×{self.height}, up to {some(self.max_blue, 'blue')} and "
            f"{some(self.max_red, 'red')} a side; {self.total:,} positions: {self.wins:,} wins, "
            f"{self.losses:,} losses, {self.draws:,} draws"
        )

    def value(self, position: Position) -> float:
        """Return what a position is worth to the side to move: 1 won, 0 drawn, −1 lost.

        Examples
        --------
        >>> retrograde(3, 3, 1, 1).value(Position.of("a1", "c3", "b1", "b2", 3, 3))
        1.0
        """
        return {"win": 1.0, "draw": 0.0, "loss": -1.0}[self.result(position).outcome]

    def result(self, position: Position) -> Result:
        """Return a position's result under perfect play, and its depth in plies if they were kept.

        Raises
        ------
        ValueError
            If the position is impossible, of another board, or has more pieces than analysed.
        """
        own, other = self._indices(position)
        if self._bit(self.open, own, other):
            return Result("draw", None)
        depth = sum(self._bit(plane, own, other) << k for k, plane in enumerate(self.planes))
        return Result("win" if self._bit(self.won, other, own) else "loss", depth or None)

    def best_line(self, position: Position) -> Line:
        """Play a won or lost position out: the winner hurries, the loser delays.

        Examples
        --------
        >>> solved = retrograde(3, 3, 1, 1)
        >>> print(solved.best_line(Position.of("a2", "c3", "c1", "b1", 3, 3)))
        c3↑ b3↑ c2↑(b)
        """
        depth = self.result(position).depth
        if depth is None:
            raise ValueError("no best line: the position is drawn, or depths were not kept")
        line = Line([position], [])
        for _ in range(depth):
            line.moves.append(self._best(line.positions[-1]))
            after = line.positions[-1].play(line.moves[-1])
            if isinstance(after, Position):
                line.positions.append(after)
        return line

    def best_move(self, position: Position) -> str:
        """Return the first of the best moves: the winner hurries, the loser delays.

        Examples
        --------
        >>> retrograde(3, 3, 1, 1).best_move(Position.of("a2", "c3", "c1", "b1", 3, 3))
        'c3 up'
        """
        self._indices(position)
        if not len(self.planes):
            raise ValueError("no best move: depths were not kept (depths=True)")
        return position.text(self._best(position))

    def _best(self, position: Position) -> Move:
        def worth(move: Move) -> tuple[int, int]:
            outcome, depth = self.reply(position, move)
            ours = {"loss": 1, "draw": 0, "win": -1}[outcome]
            return ours, -ours * (depth or 0)

        return max(position.moves(), key=worth)  # the first of equals

    def reply(self, position: Position, move: Move) -> Result:
        """Return the result of the other side after a move; the end of the game has depth 0."""
        after = check.instance(position, "position", Position).play(move)
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
        check.whole(samples, "samples", 1)
        generator, checked = np.random.default_rng(check.seed(seed)), 0
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
        """Return all positions of one depth (few: meant for the longest wins and losses).

        Examples
        --------
        >>> len(retrograde(3, 3, 1, 1).positions(11))
        2
        """
        if not len(self.planes):
            raise ValueError("depths must have been kept (depths=True)")
        check.whole(depth, "depth", 1, (1 << len(self.planes)) - 1)
        columns = self.placements.columns
        number = np.empty(self.placements.blocks * BLOCK, np.int64)  # of each column
        number[columns ^ 1] = np.arange(len(columns))  # for those that are their own images
        number[columns] = np.arange(len(columns))
        found = []
        for block in range(self.placements.blocks):
            words = np.full(self.open[block].shape, ~np.uint64(0))
            for k, plane in enumerate(self.planes):
                words &= plane[block] if depth >> k & 1 else ~plane[block]
            for row, word in np.argwhere(words).tolist():
                bits, base = int(words[row, word]), block * BLOCK + word * 64
                for column in (base + b for b in range(64) if bits >> b & 1):
                    found += [(2 * row, column), (2 * row + 1, column ^ 1)]  # it and its image
        every = dict.fromkeys(self.position(*number[[*pair]].tolist()) for pair in sorted(found))
        return [position for position in every if position is not None]

    def matrix(self) -> np.ndarray:
        """Return the signed depth of every pair of placements: +d a win, −d a loss, 0 a draw.

        Rows are the side to move; pairs that overlap are NaN. For small boards: 8 bytes an entry.

        Examples
        --------
        >>> table = retrograde(3, 3, 1, 1).matrix()
        >>> table.shape, int((table > 0).sum()), int((table < 0).sum())
        ((72, 72), 2440, 584)
        """
        columns = self.placements.columns
        check.memory(40 * len(columns) ** 2, f"a matrix of {len(columns):,}² depths")
        places = columns[:, None] // 2, columns ^ columns[:, None] % 2

        def bits(words: np.ndarray) -> np.ndarray:
            rows = np.ascontiguousarray(words.transpose(1, 0, 2)).view(np.uint8)
            flat = rows.reshape(words.shape[1], -1)
            return np.unpackbits(flat, axis=1, bitorder="little")[places].astype(bool)

        depth = sum(bits(plane) * float(1 << k) for k, plane in enumerate(self.planes))
        signed = np.where(bits(self.won).T, depth, -depth)
        return np.where((depth > 0) | bits(self.open), signed, np.nan)

    def position(self, own: int, other: int) -> Position | None:
        """Return the position of two placement numbers; None if the pieces overlap."""
        last = len(self.placements.masks) - 1
        check.whole(own, "own", 0, last)
        check.whole(other, "other", 0, last)
        (blue, red), theirs = self.placements.masks[own], self.placements.masks[other]
        their_blue, their_red = (turn(mask, self.placements.cells) for mask in theirs)
        if (blue | red) & (their_blue | their_red):
            return None
        return Position(blue, red, their_blue, their_red, self.width, self.height)

    def _indices(self, position: Position) -> tuple[int, int]:
        check.instance(position, "position", Position)
        if (position.width, position.height) != (self.width, self.height):
            raise ValueError(f"this analysis is of the {self.width}×{self.height} board")
        seen = position.turned()  # the other side's pieces in its own view
        own, other = (position.blue, position.red), (seen.blue, seen.red)
        for side in (own, other):
            if side not in self.placements.index:
                limits = f"{self.max_blue} blues and {self.max_red} reds"
                raise ValueError(f"this analysis covers at most {limits} a side")
        return self.placements.index[own], self.placements.index[other]

    def _bit(self, matrix: np.ndarray, row: int, column: int) -> int:
        """Return the bit of two placement numbers."""
        block, row, word, place = locate(*self.placements.columns[[row, column]])
        return int(matrix[block, row, word]) >> int(place) & 1


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
        The board, 2×2 to 26×26.
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
    check.memory(needed, f"a {width}×{height} board with {max_blue}+{max_red} pieces a side")
    workers = threads() if workers is None else check.whole(workers, "workers", 1, 1024)
    solved = Retrograde(Placements(width, height, max_blue, max_red), max_blue, max_red, depths)
    with ThreadPoolExecutor(workers) as pool:
        _solve(solved, pool)
    return solved


def best_move(position: Position | State) -> str:
    """Return the first of the best moves of the side to move, if colours were open.

    The winner hurries, the loser delays; in a draw no win is given away. The board is solved by
    `retrograde`, within seconds on 4×4, and the last solution is kept.

    Parameters
    ----------
    position : Position or State
        Where to move.

    Examples
    --------
    >>> best_move(Position.parse("..b / B.. / r.R"))
    'a2 up'
    """
    if isinstance(position, State):
        position = position.position
    return _solution(check.instance(position, "position", Position)).best_move(position)


def value(state: State, player: int = 0) -> float:
    """Return what a state is worth to a player if colours were open, under perfect play of both.

    1 is a win, 0 a draw, −1 a loss; before colours are dealt, the mean over all deals. The limit of
    plies is not looked at.

    Parameters
    ----------
    state : State
        The state; its board is solved by `retrograde`, and the last solution is kept.
    player : int
        0 for the first player, 1 for the second.

    Examples
    --------
    >>> state = State.of(Position.parse("..b / B.. / r.R"))
    >>> value(state, player=0), value(state, player=1)
    (1.0, -1.0)
    """
    check.instance(state, "state", State)
    check.whole(player, "player", 0, 1)
    if state.ending:
        return state.returns()[player]
    if state.deal:
        after = [value(state.play(colours), player) for colours in state.legal(CHANCE)]
        return sum(after) / len(after)
    worth = _solution(state.position).value(state.position)
    return worth if state.movers == (player,) else -worth


_kept: list[Retrograde] = []


def _solution(position: Position) -> Retrograde:
    """Return a solved board with a position's pieces: the last one, or a new one in its place."""
    board, counts = (position.width, position.height), [m.bit_count() for m in position.masks]
    blues, reds = max(counts[0], counts[2]), max(counts[1], counts[3])
    for solved in _kept:
        has_room = solved.max_blue >= blues and solved.max_red >= reds
        if (solved.width, solved.height) == board and has_room:
            return solved
    _kept[:] = []  # its memory is needed
    _kept[:] = [solved := retrograde(*board, blues, reds)]
    return solved


def check_size(width: int, height: int, max_blue: int, max_red: int, depths: bool = True) -> int:
    """Return the bytes that an analysis needs; a ValueError if it makes no sense.

    Examples
    --------
    >>> round(check_size(4, 4, 2, 2) / 2**20)  # MB
    124
    """
    check_board(width, height)
    check.flag(depths, "depths")
    cells = width * height
    for most, name in ((max_blue, "max_blue"), (max_red, "max_red")):
        check.whole(most, f"{name}, since each side needs at least one,", 1, cells)
    if 2 * (max_blue + max_red) > cells:
        raise ValueError(f"{2 * (max_blue + max_red)} pieces do not fit on {cells} cells")
    limits = [(b, r) for b in range(1, max_blue + 1) for r in range(1, max_red + 1)]
    placements = sum(comb(cells, b) * comb(cells - b, r) for b, r in limits)
    middle = height * (width % 2)  # cells that a mirror leaves in place
    images = [
        sum(comb((cells - middle) // 2, i) * comb(middle, k - 2 * i) for i in range(k // 2 + 1))
        for k in range(max(max_blue, max_red) + 1)
    ]  # sets of so many cells that are their own mirror images
    rows = -(-(placements + sum(images[b] * images[r] for b, r in limits)) // 2)  # at most
    blocks = -(-rows // ROWS)
    needed = (_MATRICES + _PLANES * depths) * blocks**2 * ROWS * BLOCK // 8
    needed += 2 * blocks**2 * ROWS + 400 * placements  # which rows have changed; the placements
    return min(needed, 1 << 70)  # a number that can be told


def _solve(solved: Retrograde, pool: ThreadPoolExecutor) -> None:
    """Fill in a `Retrograde`, depth by depth."""
    placements, blocks = solved.placements, range(solved.placements.blocks)
    sides = placements.sides()
    lost = _blank(*solved.open.shape)  # in the layer before
    won_rows, lost_rows = (np.zeros(lost.shape[:2], bool) for _ in range(2))  # those that changed

    def every_block(function: Callable, *arguments: Any) -> int:
        return int(sum(pool.map(lambda block: function(block, *arguments), blocks)))

    solved.total = every_block(start, sides, solved.open)
    # Who took it has lost: the replier wins.
    every_block(end, sides, placements.last_red, solved.won, won_rows)
    every_block(end, sides, placements.last_blue, lost, lost_rows)
    for depth in (plies := tqdm(count(1), "plies", unit="", delay=5, leave=False)):
        if depth >> len(solved.planes) and len(solved.planes):
            solved.planes = np.concatenate([solved.planes, np.zeros_like(solved.planes[:1])])
        if depth % 2:  # wins have odd depths, losses even ones
            sets, histogram = (lost, lost_rows, solved.won, won_rows), solved.win_histogram
        else:
            sets, histogram = (solved.won, won_rows, lost, lost_rows), solved.loss_histogram
        new = every_block(layer, depth, sides, *sets, solved.open, solved.planes)
        if not new:
            return
        histogram[depth] = new
        plies.set_postfix_str(f"{new:,} new {'wins' if depth % 2 else 'losses'}", False)


def _blank(*shape: int) -> np.ndarray:
    """Return a matrix of zeros whose rows begin where lines of the cache do.

    NumPy asks for huge pages for ``empty``, not for ``zeros``.
    """
    size, spare = prod(shape), 64 // 8
    raw = np.empty(size + spare, np.uint64)
    words = raw[-raw.ctypes.data % 64 // 8 :][:size].reshape(shape)
    for part in words:  # of gigabytes, one after the other: so Ctrl-C is heard
        part.fill(0)
    return words
