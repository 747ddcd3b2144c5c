"""Games between players, one row of counts for each.

References
----------
N. Kawakami, master's thesis, JAIST, 2021, sections 6.2.1 and 6.2.2.
"""

import numpy as np

from gamecore import rng
from gamecore.bits import popcount
from gamecore.geister.leaves import Lookup
from gamecore.geister.players import (
    CHARGE,
    DETERMINISTIC,
    PLAYERS,
    USUAL,
    Settings,
    decide,
    scratch,
)
from gamecore.geister.rules import ESCAPE, approaches, near, target_of, turned16
from gamecore.kernel import kernel

#: How a game ends, said of the player: 青取り勝ち, 赤取り負け, 赤取らせ勝ち, 青取られ負け,
#: 脱出勝ち, 脱出負け, and a draw after 200 plies.
ENDINGS = (
    "blue-taking win", "red-taking loss", "red-giving win", "blue-taken loss",
    "escape win", "escape loss", "draw",
)  # fmt: skip
#: What is counted in a game, all of the first named player unless said otherwise.
COUNTS = (
    "ending", "plies", "red_adjacent", "blue_adjacent",  # an ending is an index into ENDINGS
    "approached", "taken", "approached_last", "taken_last",  # …_last: one opposing red left
    "red_taken", "chaser",  # has it taken a red; colour of its first chaser: −1 none, 0 blue, 1 red
    "charge_down",  # steps down by charge, on either side
)  # fmt: skip
(
    _ENDING, _PLIES, _RED_ADJACENT, _BLUE_ADJACENT, _APPROACHED, _TAKEN,
    _APPROACHED_LAST, _TAKEN_LAST, _RED_TAKEN, _CHASER, _CHARGE_DOWN,
) = range(len(COUNTS))  # fmt: skip
LIMIT = 200
_PLACEMENTS = [(1 << a | 1 << b) << 12 for a in range(4) for b in range(a + 1, 4)]


def match(
    first: str,
    second: str,
    games: int,
    seed: int | np.random.SeedSequence,
    *,
    settings: Settings | None = None,
    table: Lookup | None = None,
) -> np.ndarray:
    """Play games from the bottom rows and return one row of `COUNTS` for each, of the first player.

    The players move first in turn. Deterministic pairs go through all 36 pairs of placements, both
    ways round (72 games); otherwise placements are drawn.

    Parameters
    ----------
    first, second : str
        Two of `PLAYERS`.
    games : int
        How many.
    seed : int or numpy.random.SeedSequence
        Decides everything that is random; fewer games are the first of more.
    settings : Settings, optional
        How they play; see `settings`.
    table : Lookup, optional
        The positions solved with open colours, for CFR-B; made when needed.

    References
    ----------
    Kawakami, master's thesis, JAIST, 2021, section 6.2.

    Examples
    --------
    >>> rows = match("charge", "random", 100, seed=1)
    >>> int((rows[:, 0] == ENDINGS.index("escape win")).sum()) > 50
    True
    """
    if games < 1:
        raise ValueError(f"games must be at least 1, not {games}")
    memory, how, s = scratch([first, second], table), settings or USUAL, rng.state(seed)
    every = first in DETERMINISTIC and second in DETERMINISTIC
    pair = PLAYERS.index(first), PLAYERS.index(second)
    rows = np.zeros((games, len(COUNTS)), np.int64)
    for game in range(games):
        if every:
            mine, theirs = divmod(game // 2 % 36, 6)
        else:
            mine, theirs = rng.below(s, 6), rng.below(s, 6)
        blues = _PLACEMENTS[mine], _PLACEMENTS[theirs]
        _play(*pair, game % 2, *blues, rows[game], s, how, memory)
    return rows


@kernel
def _play(first, second, starts, mine, theirs, row, s, settings, scratch):
    """Play one game. Side 0 is the first player, whose row of counts is filled in."""
    blue, red, chaser = np.empty(2, np.int64), np.empty(2, np.int64), np.empty(2, np.int64)
    blue[0], blue[1] = mine, theirs
    for side in range(2):
        red[side] = 0xF000 & ~blue[side]
        chaser[side] = -1  # the first piece of each side that chased, in its own view
    for k in range(len(row)):
        row[k] = 0
    row[_CHASER] = -1
    row[_ENDING] = 6
    approacher = 0  # the opponent's piece that has just approached, in the first player's view
    for ply in range(LIMIT):
        row[_PLIES] = ply + 1
        side = (starts + ply) % 2
        other = 1 - side
        their_blue, their_red = turned16(blue[other]), turned16(red[other])
        hunter = turned16(chaser[other]) if chaser[other] >= 0 else -1
        player = first if side == 0 else second
        seen = blue[side], red[side], their_blue, their_red, hunter
        move = decide(player, *seen, ply % 2, s, settings, scratch)
        cell, way = move // 5, move % 5
        row[_CHARGE_DOWN] += player == CHARGE and way == 2
        target = target_of(cell, way) if way != ESCAPE else -1
        if side == 0 and approacher:
            took = target >= 0 and approacher >> target & 1 == 1
            row[_APPROACHED] += 1
            row[_TAKEN] += took
            row[_APPROACHED_LAST] += popcount(red[1]) == 1
            row[_TAKEN_LAST] += took and popcount(red[1]) == 1
        if way == ESCAPE:
            row[_ENDING] = 4 + side
            return
        theirs = their_blue | their_red
        taken = 1 << target & theirs
        if side == 0 and approaches(target, theirs):
            row[_BLUE_ADJACENT if blue[0] >> cell & 1 else _RED_ADJACENT] += 1
        if chaser[side] < 0:
            if approaches(target, theirs) and not near(cell) & theirs:
                chaser[side] = 1 << target
                if side == 0:
                    row[_CHASER] = red[0] >> cell & 1
        elif chaser[side] == 1 << cell:
            chaser[side] = 1 << target
        if taken:
            if side == 0 and their_red & taken:
                row[_RED_TAKEN] = 1
            if taken == their_blue:
                row[_ENDING] = 0 if side == 0 else 3
                return
            if taken == their_red:
                row[_ENDING] = 1 if side == 0 else 2
                return
            back = turned16(taken)
            blue[other] &= ~back
            red[other] &= ~back
            if chaser[other] == back:
                chaser[other] = 0
        step = 1 << cell | 1 << target
        if blue[side] >> cell & 1:
            blue[side] ^= step
        else:
            red[side] ^= step
        approacher = turned16(1 << target) if side == 1 and approaches(target, theirs) else 0
