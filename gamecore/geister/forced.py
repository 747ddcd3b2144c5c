"""Forced wins by looking ahead: whether a side wins within so many plies, without a solved board.

For problems (詰めガイスター) on boards from 3×3 to 6×6, in the page too: an AND-OR search, deepened
two plies at a time, that remembers what it has proved. A side has at most two blues and two reds,
so that a position is a number below 2⁵⁰ and what is remembered is exact. Colours are open, or the
defence's two pieces are purple (紫駒, see `gamecore.geister.hidden`): red when taken, blue when
escaping.

A board is eight whole numbers: the masks of the attacker's blues and reds and of the defence's, all
in the attacker's view; whose turn it is, 0 the attacker's; width; height; 1 for purple pieces,
which then stand among the defence's blues, else 0. A move is ``5 · cell + way`` in the view of who
makes it; ways are up, right, down, left, escape.
"""

from __future__ import annotations  # signatures show types by their names

import numpy as np

from gamecore import check
from gamecore.bits import highest, lowest, popcount
from gamecore.geister.rules import WAYS, Position, cell_name
from gamecore.kernel import kernel

#: The most cells, and the most plies that are looked ahead.
CELLS, DEEPEST = 36, 60
#: How many positions are remembered, a power of two.
FACTS = 1 << 20
#: Places of a board.
BLUE, RED, THEIR_BLUE, THEIR_RED, TURN, WIDTH, HEIGHT, PURPLE = range(8)
#: Behind each cell's neighbours: the goals above, those below, and how many positions were met.
TOP, BOTTOM, MET = CELLS, CELLS + 1, CELLS + 2
NEAR = CELLS + 3
#: What a move leads to, said of its mover.
GOES_ON, WON, LOST, ILLEGAL = range(4)
_SPREAD = 0x2545F4914F6CDD1D  # Vigna's multiplier: nearby keys land far apart
_QUICK = 5  # plies within which the defence looks for a win of its own


@kernel
def surroundings(width, height, near):
    """Write the mask of each cell's neighbours, and of the goals."""
    for cell in range(width * height):
        x, y, here = cell % width, cell // width, 1 << cell
        near[cell] = 0
        if y > 0:
            near[cell] |= here >> width
        if y < height - 1:
            near[cell] |= here << width
        if x > 0:
            near[cell] |= here >> 1
        if x < width - 1:
            near[cell] |= here << 1
    near[TOP] = 1 | 1 << width - 1
    near[BOTTOM] = near[TOP] << width * (height - 1)


@kernel
def _pair(mask):
    """Return the cells of a set of at most two as a number; that of none is no set's."""
    return lowest(mask) << 6 | highest(mask) if mask else 1 << 6


@kernel
def _steps_to(goals, blue, width):
    """Return how many steps the nearest blue is from a goal."""
    row, least = lowest(goals) // width, 2 * CELLS
    while blue:
        cell = lowest(blue)
        x = cell % width
        least = min(least, abs(cell // width - row) + min(x, width - 1 - x))
        blue &= blue - 1
    return least


@kernel
def _within(blue, red, their_blue, their_red, turn, purple, prover, plies, width, near, facts):
    """Return whether the prover wins within so many plies, whatever the other side does.

    The pieces are the mover's and the other's, all in the attacker's view. Who has another move
    never takes the last red, so a win takes as many plies as an escape or taking all blues needs.
    """
    near[MET] += 1
    proving = turn == prover
    if plies <= 0 or blue & near[TOP + turn]:
        return plies > 0 and proving
    if proving:
        least = 2 * _steps_to(near[TOP + turn], blue, width) + 1
        if not (purple and turn == 0):
            least = min(least, 2 * popcount(their_blue) - 1)
    else:
        least = 2 * _steps_to(near[BOTTOM - turn], their_blue, width) + 2
        if not (purple and turn == 1):
            least = min(least, 2 * popcount(blue))
    if least > plies:
        return False
    key = (_pair(blue) << 12 | _pair(red)) << 24 | _pair(their_blue) << 12 | _pair(their_red)
    key = key << 2 | turn << 1 | prover
    slot = (key * _SPREAD >> 24) & (len(facts) - 1)
    proved, refuted = 63, 0  # the fewest plies that are known to do, the most known not to
    if facts[slot] >> 12 == key:
        proved, refuted = facts[slot] >> 6 & 63, facts[slot] & 63
        if proved <= plies or refuted >= plies:
            return proved <= plies
    own, theirs = blue | red, their_blue | their_red
    found, pieces = not proving, own
    while pieces and found != proving:
        cell = lowest(pieces)
        here = 1 << cell
        pieces ^= here
        targets = near[cell] & ~own
        while targets and found != proving:
            there = targets & -targets
            targets ^= there
            if there & theirs and (there == their_red or (purple and turn == 0)):
                continue  # the last red: whoever takes it loses
            if there == their_blue:
                found = proving
                continue
            step = here | there
            found = _within(
                their_blue & ~there, their_red & ~there, blue ^ step if blue & here else blue,
                red ^ step if red & here else red, 1 - turn, purple, prover, plies - 1, width,
                near, facts,
            )  # fmt: skip
    if found:
        proved = plies
    else:
        refuted = plies
    facts[slot] = key << 12 | proved << 6 | refuted
    return found


@kernel
def plies_to(board, prover, limit, near, facts):
    """Return in how many plies the prover wins, at most `limit`; 0 if not within these."""
    turn = board[TURN]
    mine, other = 2 * turn, 2 - 2 * turn
    for plies in range(1 if turn == prover else 2, limit + 1, 2):
        if _within(
            board[mine], board[mine + 1], board[other], board[other + 1], turn, board[PURPLE],
            prover, plies, board[WIDTH], near, facts,
        ):  # fmt: skip
            return plies
    return 0


@kernel
def play(board, move, near, after):
    """Write the board after a move; return `GOES_ON`, `WON`, `LOST` or `ILLEGAL`."""
    turn, width, cells = board[TURN], board[WIDTH], board[WIDTH] * board[HEIGHT]
    mine, other = 2 * turn, 2 - 2 * turn
    cell, way = move // 5, move % 5
    if not 0 <= cell < cells:
        return ILLEGAL
    if turn:
        cell = cells - 1 - cell
    here, blue, own = 1 << cell, board[mine], board[mine] | board[mine + 1]
    for k in range(len(board)):
        after[k] = board[k]
    if way == 4:
        return WON if blue & here & near[TOP + turn] else ILLEGAL
    if turn:
        way = way + 2 & 3
    there = here << 1 if way == 1 else here >> 1
    if way % 2 == 0:
        there = here >> width if way == 0 else here << width
    there &= near[cell] & ~own
    if own & here == 0 or there == 0:
        return ILLEGAL
    colour = mine if blue & here else mine + 1
    after[colour] ^= here | there
    after[other] &= ~there
    after[other + 1] &= ~there
    after[TURN] = 1 - turn
    taken = (board[other] | board[other + 1]) & there
    if taken and ((board[PURPLE] and turn == 0) or taken == board[other + 1]):
        return LOST
    return WON if taken and taken == board[other] else GOES_ON


@kernel
def moves_of(board, near, after, moves):
    """Write the moves of who is to move, in the order of `Position.moves`; return how many."""
    count = 0
    for cell in range(board[WIDTH] * board[HEIGHT]):
        for k in range(5):  # an escape first
            move = 5 * cell + (k + 4) % 5
            if play(board, move, near, after) != ILLEGAL:
                moves[count] = move
                count += 1
    return count


@kernel
def choose(board, limit, near, facts, after, told):
    """Write the best move, and in how many plies the attacker wins, 0 if not within `limit`.

    The attacker hurries, the defence delays; the first of equals. A defence that holds first looks
    for a quick win of its own: its plies are told with a minus. The attacker's move is −1 if it
    does not win.
    """
    turn, best, chosen, quick = board[TURN], -1, -1, _QUICK + 1
    needed = plies_to(board, 0, limit, near, facts)
    for cell in range(board[WIDTH] * board[HEIGHT]):
        for k in range(5):
            move = 5 * cell + (k + 4) % 5
            ends = play(board, move, near, after)
            if ends == ILLEGAL:
                continue
            if turn == 0:
                wins = ends == WON and needed > 0
                if ends == GOES_ON and needed > 1:
                    wins = plies_to(after, 0, needed - 1, near, facts) > 0
                if wins:
                    told[0], told[1] = move, needed
                    return
            elif needed > 0:  # lost: the longest line
                lasts = 0 if ends == LOST else plies_to(after, 0, needed - 1, near, facts)
                if lasts > best:
                    best, chosen = lasts, move
            elif ends == WON:
                told[0], told[1] = move, -1
                return
            elif ends == GOES_ON and plies_to(after, 0, limit, near, facts) == 0:
                own = plies_to(after, 1, quick - 2, near, facts)
                if chosen < 0 or own > 0:
                    chosen = move
                if own > 0:
                    quick = own + 1
    told[0] = chosen
    told[1] = needed if needed > 0 or quick > _QUICK else -quick


class Lookahead:
    """The search on one board, with what it remembers; boards are arrays of eight whole numbers.

    Parameters
    ----------
    width, height : int
        The board, 3×3 to 6×6.

    Examples
    --------
    >>> ahead = Lookahead(3, 3)
    >>> board = board_of("..b / B.. / r.R")
    >>> ahead.plies(board, 5), ahead.line(board, 5)
    (3, ['a2 up', 'c1 down', 'a1 escape'])
    """

    def __init__(self, width: int, height: int):
        self.width = check.whole(width, "width", 3, 6)
        self.height = check.whole(height, "height", 3, 6)
        self._near, self._facts = np.zeros(NEAR, np.int64), np.zeros(FACTS, np.int64)
        self._room = np.zeros(5 * CELLS, np.int64)
        surroundings(self.width, self.height, self._near)

    @property
    def met(self) -> int:
        """How many positions were looked at since `forget`: the work, whatever the machine."""
        return int(self._near[MET])

    def forget(self) -> None:
        """Forget what was found, as a page does at the beginning of a problem."""
        self._facts.fill(0)
        self._near[MET] = 0

    def plies(self, board: np.ndarray, limit: int) -> int:
        """Return in how many plies the attacker wins, 0 if not within `limit`."""
        return int(plies_to(board, 0, limit, self._near, self._facts))

    def moves(self, board: np.ndarray) -> list[int]:
        """Return the moves of who is to move."""
        after = np.empty_like(board)
        return self._room[: moves_of(board, self._near, after, self._room)].tolist()

    def play(self, board: np.ndarray, move: int) -> tuple[int, np.ndarray]:
        """Return what a move leads to, said of its mover, and the board after it."""
        after = np.empty_like(board)
        return int(play(board, move, self._near, after)), after

    def best(self, board: np.ndarray, limit: int) -> int:
        """Return the first of the best moves: the attacker hurries, the defence delays."""
        told, after = np.zeros(2, np.int64), np.empty_like(board)
        choose(board, limit, self._near, self._facts, after, told)
        return int(told[0])

    def line(self, board: np.ndarray, limit: int) -> list[str]:
        """Return the moves of best play to the end of a won board, as `Position` takes them."""
        moves, ends = [], GOES_ON
        while ends == GOES_ON:
            move = self.best(board, limit)
            moves.append(f"{cell_name(move // 5, self.width)} {WAYS[move % 5]}")
            ends, board = self.play(board, move)
        return moves


def board_of(text: str) -> np.ndarray:
    """Return the board of a printed position, the attacker to move; u are purple pieces.

    Examples
    --------
    >>> board_of("u.u / ... / B.R").tolist()
    [64, 256, 5, 0, 0, 3, 3, 1]
    """
    rows = ["".join(row.split()) for row in check.text(text, "text").split("/")]
    letters, width, height = "".join(rows), len(rows[0]), len(rows)
    purple = "u" in letters
    if purple:  # which of the two is blue makes no difference here
        Position.parse(text.replace("u", "b", 1).replace("u", "r"))
    else:
        Position.parse(text)
    sets = ("B", "R", "u" if purple else "b", "r")
    masks = [sum(1 << k for k, one in enumerate(letters) if one == letter) for letter in sets]
    if max(width, height) > 6 or max(mask.bit_count() for mask in masks) > 2:
        raise ValueError("at most 6×6 cells, and two blues and two reds a side, are looked at")
    return np.array([*masks, 0, width, height, int(purple)], np.int64)


def text_of(board: np.ndarray) -> str:
    """Return a board as it is printed, in one line.

    Examples
    --------
    >>> text_of(board_of("u.u / ... / B.R"))
    'u . u / . . . / B . R'
    """
    width, cells = int(board[WIDTH]), int(board[WIDTH] * board[HEIGHT])
    letters = ["."] * cells
    for mask, letter in zip(board[:TURN], "BRur" if board[PURPLE] else "BRbr", strict=True):
        for cell in range(cells):
            if int(mask) >> cell & 1:
                letters[cell] = letter
    return " / ".join(" ".join(letters[k : k + width]) for k in range(0, cells, width))
