"""Who decides: the thesis's four benchmark players, its two CFR players, and games between them.

All decide in their own view of the 4×4 board and know of the opponent what is public: where its
pieces are, and how many blues and reds are left. A move is ``5 · cell + way``, with the ways up,
right, down, left, escape.

References
----------
N. Kawakami, master's thesis, JAIST, 2021, section 6.2.1.
"""

from collections import namedtuple
from collections.abc import Sequence

import numpy as np

from gamecore import rng
from gamecore.bits import lowest, popcount
from gamecore.geister import cfr, tree
from gamecore.geister.mixture import perfect_table
from gamecore.geister.rules import (
    DIRECTIONS,
    GOALS,
    approaches,
    near,
    target_of,
    turned16,
)
from gamecore.geister.rules import distance as distance_of
from gamecore.geister.search import best_move
from gamecore.kernel import kernel

#: The players of section 6.2.1: ランダム, 猪突猛進, 紫駒AI, 対紫駒, and the two proposed ones.
PLAYERS = ("random", "charge", "purple", "anti", "cfr-a", "cfr-b")
_RANDOM, _CHARGE, _PURPLE, _ANTI, _CFR_A, _CFR_B = range(6)
DETERMINISTIC = ("charge", "purple", "anti")
#: How a game ends, said of the player: 青取り勝ち, 赤取り負け, 赤取らせ勝ち, 青取られ負け,
#: 脱出勝ち, 脱出負け, and a draw after 200 plies.
ENDINGS = (
    "blue-taking win",
    "red-taking loss",
    "red-giving win",
    "blue-taken loss",
    "escape win",
    "escape loss",
    "draw",
)
#: What is counted in a game, all of the first named player unless said otherwise.
COUNTS = (
    "ending", "plies", "red_adjacent", "blue_adjacent",  # an ending is an index into ENDINGS
    "approached", "taken", "approached_last", "taken_last",  # …_last: one opposing red left
    "red_taken", "chaser",  # has it taken a red; colour of its first chaser: −1 none, 0 blue, 1 red
    "charge_down",  # steps down by charge, on either side
)  # fmt: skip
LIMIT = 200
DEPTH = 5
_ESCAPE = 4
_PLACEMENTS = [(1 << a | 1 << b) << 12 for a in range(4) for b in range(a + 1, 4)]
_LEFT_RIGHT_UP_DOWN = np.array([3, 1, 0, 2])

#: How the players play; see `options`.
Options = namedtuple("Options", "order depth iterations chosen escape")
#: What a CFR player needs to think with.
Mind = namedtuple("Mind", "tree sketch draws perfect colours weights")


def options(
    order: str = "up right down left",
    depth: int = DEPTH,
    iterations: int = 1000,
    colours: str = "decision",
    escape: bool = True,
) -> Options:
    """Return settings of the players; the defaults are those of the chapter.

    Parameters
    ----------
    order : str
        In which order the searching players look at directions; the first of equals is played.
    depth : int
        Plies searched by the purple AI and anti-purple.
    iterations : int
        CFR iterations a move.
    colours : {"decision", "chance"}
        What the two colour levels of CFR's tree are.
    escape : bool
        CFR players play an available escape without thinking.

    Examples
    --------
    >>> shallow = options(depth=2)
    >>> len(match("purple", "random", 4, seed=1, settings=shallow))
    4
    """
    names = order.split()
    if sorted(names) != sorted(DIRECTIONS):
        raise ValueError(f"order must name up, right, down and left once each, not {order!r}")
    if depth < 1 or iterations < 1 or colours not in ("decision", "chance"):
        raise ValueError("depth and iterations are at least 1; colours 'decision' or 'chance'")
    ways = np.array([list(DIRECTIONS).index(name) for name in names])
    return Options(ways, depth, iterations, colours == "decision", escape)


def mind(perfect: tree.Table | None = None) -> Mind:
    """Return scratch space for CFR players; CFR-B needs the table of solved positions."""
    return Mind(
        tree=tree.new_tree(),
        sketch=tree.new_sketch(),
        draws=tree.no_table(),
        perfect=tree.no_table() if perfect is None else perfect,
        colours=np.zeros((3, 2, tree.LANES)),
        weights=np.zeros(32),
    )


def match(
    first: str,
    second: str,
    games: int,
    seed: int | np.random.SeedSequence,
    *,
    settings: Options | None = None,
    table: tree.Table | None = None,
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
    settings : Options, optional
        How they play; see `options`.
    table : Table, optional
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
    for player in (first, second):
        if player not in PLAYERS:
            raise ValueError(f"unknown player {player!r}: choose from {', '.join(PLAYERS)}")
    if games < 1:
        raise ValueError(f"games must be at least 1, not {games}")
    if table is None and "cfr-b" in (first, second):
        table = perfect_table()
    every = first in DETERMINISTIC and second in DETERMINISTIC
    pair = PLAYERS.index(first), PLAYERS.index(second)
    rows = np.zeros((games, len(COUNTS)), np.int64)
    s, how, thoughts = rng.state(seed), settings or options(), mind(table)
    for game in range(games):
        if every:
            mine, theirs = divmod(game // 2 % 36, 6)
        else:
            mine, theirs = rng.below(s, 6), rng.below(s, 6)
        blues = _PLACEMENTS[mine], _PLACEMENTS[theirs]
        _play(*pair, game % 2, *blues, rows[game], s, how, thoughts)
    return rows


def choose(
    player: str,
    masks: Sequence[int],
    chaser: int = -1,
    *,
    seed: int = 0,
    settings: Options | None = None,
    table: tree.Table | None = None,
) -> tuple[int, int]:
    """Return one decision as (cell, way): own blue, red, and their blue, red, in the own view.

    `chaser` is the mask of the opponent's first chaser (0 once taken), −1 if nothing chased yet.
    """
    if player not in PLAYERS:
        raise ValueError(f"unknown player {player!r}: choose from {', '.join(PLAYERS)}")
    number, chosen = PLAYERS.index(player), settings or options()
    if table is None and player == "cfr-b":
        table = perfect_table()
    blue, red, their_blue, their_red = masks
    sides = blue, red, their_blue, their_red
    move = _decide(number, *sides, chaser, rng.state(seed), chosen, mind(table))
    return divmod(int(move), 5)


@kernel
def _decide(player, blue, red, their_blue, their_red, chaser, s, options, mind):
    if player == _CHARGE:
        return _charge(blue, red)
    if blue & GOALS and (options.escape or player < _CFR_A):
        return 5 * lowest(blue & GOALS) + _ESCAPE
    if player == _RANDOM:
        return _random(blue | red, s)
    if player == _PURPLE or (player == _ANTI and chaser < 0):
        theirs = their_blue | their_red
        return best_move(blue, red, theirs, 0, popcount(their_red), options.order, options.depth)
    if player == _ANTI:
        theirs = their_blue | their_red
        return best_move(blue, red, theirs & ~chaser, chaser, -1, options.order, options.depth)
    # A CFR player draws a move from its average strategy at its true colouring.
    table = mind.draws if player == _CFR_A else mind.perfect
    own, theirs = blue | red, their_blue | their_red
    tree.build(
        mind.tree, mind.sketch, own, popcount(blue), theirs, popcount(their_blue), tree.PLIES, table
    )
    cfr.iterate(mind.tree, options.iterations, options.chosen, mind.colours, False)
    i = 0
    while mind.sketch.own_blue[0, i] != blue:
        i += 1
    moves = mind.tree.start[1]
    for a in range(moves):
        mind.weights[a] = mind.tree.average[a, i]
    a = rng.choice(s, mind.weights[:moves])
    return 5 * mind.tree.cell[a] + mind.tree.way[a]


@kernel
def _random(own, s):
    moves = 0
    for cell in range(16):
        if own >> cell & 1:
            moves += popcount(near(cell) & ~own)
    chosen = rng.below(s, moves)
    for cell in range(16):
        if own >> cell & 1:
            for way in range(4):
                target = target_of(cell, way)
                if target >= 0 and not own >> target & 1:
                    if chosen == 0:
                        return 5 * cell + way
                    chosen -= 1
    return -1


@kernel
def _charge(blue, red):
    """The blue nearest to a goal (topmost, then leftmost) goes as near as it can."""
    own, left = blue | red, blue
    while left:
        chosen, nearest = -1, 99
        for cell in range(16):
            if left >> cell & 1 and distance_of(cell) < nearest:
                chosen, nearest = cell, distance_of(cell)
        if nearest == 0:
            return 5 * chosen + _ESCAPE
        best_way, best = -1, 99
        for i in range(4):
            way = _LEFT_RIGHT_UP_DOWN[i]
            target = target_of(chosen, way)
            if target >= 0 and not own >> target & 1 and distance_of(target) < best:
                best_way, best = way, distance_of(target)
        if best_way >= 0:
            return 5 * chosen + best_way
        left &= ~(1 << chosen)  # shut in by own pieces
    for cell in range(16):
        for way in range(4):
            target = target_of(cell, way)
            if own >> cell & 1 and target >= 0 and not own >> target & 1:
                return 5 * cell + way
    return -1


@kernel
def _play(first, second, starts, mine, theirs, row, s, options, mind):
    """Play one game. Side 0 is the first player, whose row of counts is filled in."""
    blue, red, chaser = np.empty(2, np.int64), np.empty(2, np.int64), np.empty(2, np.int64)
    blue[0], blue[1] = mine, theirs
    for side in range(2):
        red[side] = 0xF000 & ~blue[side]
        chaser[side] = -1  # the first piece of each side that chased, in its own view
    for k in range(len(row)):
        row[k] = 0
    row[9] = -1
    row[0] = 6
    approacher = 0  # the opponent's piece that has just approached, in the first player's view
    for ply in range(LIMIT):
        row[1] = ply + 1
        side = (starts + ply) % 2
        other = 1 - side
        their_blue, their_red = turned16(blue[other]), turned16(red[other])
        hunter = turned16(chaser[other]) if chaser[other] >= 0 else -1
        player = first if side == 0 else second
        move = _decide(
            player, blue[side], red[side], their_blue, their_red, hunter, s, options, mind
        )
        cell, way = move // 5, move % 5
        row[10] += player == _CHARGE and way == 2
        target = target_of(cell, way) if way != _ESCAPE else -1
        if side == 0 and approacher:
            took = target >= 0 and approacher >> target & 1 == 1
            row[4] += 1
            row[5] += took
            row[6] += popcount(red[1]) == 1
            row[7] += took and popcount(red[1]) == 1
        if way == _ESCAPE:
            row[0] = 4 + side
            return
        theirs = their_blue | their_red
        taken = 1 << target & theirs
        if side == 0 and approaches(target, theirs):
            row[3 if blue[0] >> cell & 1 else 2] += 1
        if chaser[side] < 0:
            if approaches(target, theirs) and not near(cell) & theirs:
                chaser[side] = 1 << target
                if side == 0:
                    row[9] = red[0] >> cell & 1
        elif chaser[side] == 1 << cell:
            chaser[side] = 1 << target
        if taken:
            if side == 0 and their_red & taken:
                row[8] = 1
            if taken == their_blue:
                row[0] = 0 if side == 0 else 3
                return
            if taken == their_red:
                row[0] = 1 if side == 0 else 2
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
