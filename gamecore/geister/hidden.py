"""The general problem (一般問題): wins that hold whatever the colours of the opponent's pieces.

One blue and one red move against two pieces of unknown colour, one of each. To be sure of a win the
mover must treat them as *purple* (紫駒): red when taken, blue when escaping. Taking one would be
taking the last red, so it loses; a purple on its goal at its turn wins. The opponent wins by taking
the mover's blue and loses by taking its red.

The problem is small (706,860 positions on 6×6), so it is solved by plain sweeps over dense arrays:
an independent second method beside the bit matrices of `gamecore.geister.solution`.

References
----------
The counts that this reproduces are cited in N. Kawakami, master's thesis, JAIST, 2021, section 4.2.
"""

from __future__ import annotations  # signatures show types by their names

from dataclasses import dataclass
from itertools import combinations, count
from math import comb

import numpy as np
from tqdm import tqdm

from gamecore import check
from gamecore.geister.rules import cell_name, check_board, steps
from gamecore.geister.solution import Result
from gamecore.kernel import kernel


@dataclass(frozen=True, eq=False, repr=False)
class Hidden:
    """The solved general problem. Depths are signed: +d a win in d plies, −d a loss, 0 open.

    Attributes
    ----------
    width : int
        Columns of the board.
    height : int
        Rows of the board.
    knowing : numpy.ndarray
        ``[blue, red, pair]``, depths with the side of known colours to move, in its view.
    purple : numpy.ndarray
        The same cells with the purple side to move; the result is the purple side's.
    win_histogram : dict
        How many positions are sure wins in so many plies.
    total : int
        Number of positions.

    Examples
    --------
    >>> small = retrograde_hidden(3, 3)
    >>> small
    Hidden: 3×3, one blue and one red a side; 1,512 positions: 452 sure wins, the longest in 3 plies
    >>> small.reply("b2", "c3", "a3 a1")  # a purple stands on its goal, at its turn
    Result(outcome='win', depth=1)
    """

    width: int
    height: int
    knowing: np.ndarray
    purple: np.ndarray
    win_histogram: dict[int, int]
    total: int

    def __post_init__(self) -> None:
        check_board(self.width, self.height)
        cells = self.width * self.height
        for table, name in ((self.knowing, "knowing"), (self.purple, "purple")):
            if check.instance(table, name, np.ndarray).shape != (cells, cells, comb(cells, 2)):
                raise ValueError(f"{name} must have a depth for each blue, red and pair of cells")
        for positions in check.instance(self.win_histogram, "win_histogram", dict).values():
            check.whole(positions, "each of win_histogram", 0, 2**63 - 1)
        check.whole(self.total, "total")

    def __repr__(self) -> str:
        return (
            f"Hidden: {self.width}×{self.height}, one blue and one red a side; {self.total:,} "
            f"positions: {self.wins:,} sure wins, the longest in {self.longest} plies"
        )

    @property
    def wins(self) -> int:
        """Positions that the side to move wins whatever the opponent's colours are."""
        return sum(self.win_histogram.values())

    @property
    def others(self) -> int:
        """All other positions."""
        return self.total - self.wins

    @property
    def longest(self) -> int:
        """The longest win, in plies."""
        return max(self.win_histogram, default=0)

    def result(self, blue: str, red: str, purple: str) -> Result:
        """Return the result for the side with known colours to move, cells named as in a1.

        Examples
        --------
        >>> retrograde_hidden(4, 4).result("a1", "b4", "c1 d2")
        Result(outcome='win', depth=1)
        """
        return self._look(self.knowing, blue, red, purple)

    def reply(self, blue: str, red: str, purple: str) -> Result:
        """Return the result for the purple side to move, cells still in the other side's view."""
        return self._look(self.purple, blue, red, purple)

    def _look(self, table: np.ndarray, blue: str, red: str, purple: str) -> Result:
        names = [cell_name(cell, self.width) for cell in range(self.width * self.height)]
        pieces = [check.text(blue, "blue"), check.text(red, "red")]
        pieces += check.text(purple, "purple").split()
        if len(pieces) != 4 or len(set(pieces)) != 4 or not set(pieces) <= set(names):
            raise ValueError(
                f"{' '.join(pieces)[:60]}: needs a blue, a red and two purple pieces on four "
                f"different cells from a1 to {names[-1]}"
            )
        b, r, p, q = (names.index(piece) for piece in pieces)
        value = int(table[b, r, pair_index(min(p, q), max(p, q), len(names))])
        outcome = "win" if value > 0 else "loss" if value < 0 else "draw"
        return Result(outcome, abs(value) or None)


def retrograde_hidden(width: int, height: int) -> Hidden:
    """Solve the general problem with one blue and one red a side.

    Parameters
    ----------
    width, height : int
        The board, 2×2 to 8×8 or as many cells.

    References
    ----------
    Kawakami, master's thesis, JAIST, 2021, section 4.2.

    Examples
    --------
    >>> small = retrograde_hidden(3, 3)
    >>> small.wins, small.others, small.longest
    (452, 1060, 3)
    """
    check_board(width, height)
    cells = width * height
    if cells > 64:
        raise ValueError(f"at most 64 cells are solved, and {width}×{height} are {cells}")
    check.memory(2 * cells**3 * (cells - 1), f"a {width}×{height} board")
    pairs = np.array(list(combinations(range(cells), 2)), np.int64)
    knowing, purple = (np.zeros((cells, cells, len(pairs)), np.int16) for _ in range(2))
    histogram: dict[int, int] = {}
    total = cells * (cells - 1) * (cells - 2) * (cells - 3) // 2
    for depth in tqdm(count(1), "plies", unit="", delay=5, leave=False):
        wins, others = _sweep(depth, knowing, purple, pairs, steps(width, height), width)
        if wins:
            histogram[depth] = wins
        if not wins and not others:
            break
    return Hidden(width, height, knowing, purple, histogram, total)


@kernel
def pair_index(p, q, cells):
    """Return the number of the pair p < q in lexicographic order."""
    return p * (2 * cells - p - 1) // 2 + q - p - 1


@kernel
def _sweep(depth, knowing, purple, pairs, steps, width):
    """Solve all positions of one depth; return wins of the knowing side and other new results."""
    cells = len(steps)
    wins, others = 0, 0
    for b in range(cells):
        for r in range(cells):
            if b == r:
                continue
            for i in range(len(pairs)):
                p, q = pairs[i]
                if p in (b, r) or q in (b, r):
                    continue
                if knowing[b, r, i] == 0:
                    value = _knowing_result(depth, purple, b, r, p, q, i, steps, width)
                    knowing[b, r, i] = value
                    wins += value > 0
                    others += value < 0
                if purple[b, r, i] == 0:
                    value = _purple_result(depth, knowing, b, r, p, q, steps, width)
                    purple[b, r, i] = value
                    others += value != 0
    return wins, others


@kernel
def _known(value, depth):
    """Return a reply's signed depth if it was known before this layer, else 0."""
    return value if -depth < value < depth else 0


@kernel
def _knowing_result(depth, purple, b, r, p, q, i, steps, width):
    if b == 0 or b == width - 1:
        return 1  # the blue escapes
    all_lose = True
    for way in range(4):
        for piece in range(2):
            target = steps[b if piece == 0 else r, way]
            if target < 0 or target in (b, r, p, q):
                continue  # off the board, blocked, or taking a purple, which loses
            reply = purple[target, r, i] if piece == 0 else purple[b, target, i]
            reply = _known(reply, depth)
            if reply < 0:
                return depth
            all_lose = all_lose and reply > 0
    return -depth if all_lose else 0


@kernel
def _purple_result(depth, knowing, b, r, p, q, steps, width):
    cells = len(steps)
    bottom = cells - width
    if p == bottom or p == cells - 1 or q == bottom or q == cells - 1:
        return 1  # a purple escapes: it is blue
    all_lose = True
    for way in range(4):
        for piece in range(2):
            cell, other = (p, q) if piece == 0 else (q, p)
            target = steps[cell, way]
            if target < 0 or target in (other, r):
                continue  # off the board, blocked, or taking the last red, which loses
            if target == b:
                return 1  # the last blue is taken
            pair = pair_index(min(target, other), max(target, other), cells)
            reply = _known(knowing[b, r, pair], depth)
            if reply < 0:
                return depth
            all_lose = all_lose and reply > 0
    return -depth if all_lose else 0
