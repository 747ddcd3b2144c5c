"""Who decides: the thesis's four benchmark players and its two CFR players.

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
from gamecore.geister.cfr import iterate
from gamecore.geister.leaves import Lookup, no_table, perfect_table
from gamecore.geister.rules import DIRECTIONS, DISTANCE, ESCAPE, GOALS, near, target_of
from gamecore.geister.search import ANY, BLUES, REDS, best_move
from gamecore.geister.tree import LANES, PLIES, build, new_sketch, new_tree
from gamecore.kernel import constant, kernel

#: The players of section 6.2.1: ランダム, 猪突猛進, 紫駒AI, 対紫駒, and the two proposed ones.
PLAYERS = ("random", "charge", "purple", "anti", "cfr-a", "cfr-b")
_RANDOM, CHARGE, _PURPLE, _ANTI, _CFR_A, _CFR_B = range(6)
DETERMINISTIC = ("charge", "purple", "anti")
_LEFT_RIGHT_UP_DOWN = constant([3, 1, 0, 2])
_SCANS, _HORIZONS = ("rows", "backwards", "board", "reds", "blues"), ("moves", "positions")

#: How the players play; see `settings`.
Settings = namedtuple("Settings", "order cells first depth beyond weights iterations chosen escape")
#: What a CFR player thinks in; see `scratch`.
Scratch = namedtuple("Scratch", "tree sketch draws perfect colours weights")


def settings(
    order: str = "up right down left",
    depth: int = 5,
    iterations: int = 1000,
    colours: str = "decision",
    escape: bool = True,
    *,
    scan: str = "rows",
    horizon: str = "moves",
    weights: tuple[int, int, int] = (1000, 1, 1),
) -> Settings:
    """Return how the players play; the defaults are those of the chapter.

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
    scan : {"rows", "backwards", "board", "reds", "blues"}
        In which order the searching players look at their pieces: row by row from the top left of
        their own view; from its bottom right (with reversed directions that is to play the last of
        equals); row by row on one board for both, which the second player sees turned; or row by
        row with one colour before the other.
    horizon : {"moves", "positions"}
        Whether the searching players must have a ply left to see an escape, or take a position
        with a blue on its goal at its turn for won, at the last ply too.
    weights : tuple of int
        What the searching players add for each own blue (and subtract for a blue that they know to
        be the opponent's), subtract for each step from own pieces to their goals, and add for each
        step of the opponent's.

    Examples
    --------
    >>> from gamecore.geister import match
    >>> len(match("purple", "random", 4, seed=1, settings=settings(depth=2)))
    4
    """
    names = order.split()
    if sorted(names) != sorted(DIRECTIONS):
        raise ValueError(f"order must name up, right, down and left once each, not {order!r}")
    if depth < 1 or iterations < 1 or colours not in ("decision", "chance"):
        raise ValueError("depth and iterations are at least 1; colours 'decision' or 'chance'")
    if scan not in _SCANS or horizon not in _HORIZONS:
        raise ValueError(f"scan is one of {', '.join(_SCANS)}; horizon 'moves' or 'positions'")
    if len(weights) != 3 or not all(0 <= weight <= 10_000 for weight in weights):
        raise ValueError(f"weights are three whole numbers from 0 to 10,000, not {weights}")
    ways = [list(DIRECTIONS).index(name) for name in names]
    cells = list(range(15, -1, -1) if scan == "backwards" else range(16))
    seen = [(way + 2) % 4 for way in ways], cells[::-1]  # the same on a board turned by 180 degrees
    second = seen if scan == "board" else (ways, cells)
    return Settings(
        order=constant([ways, second[0]]),
        cells=constant([cells, second[1]]),
        first={"reds": REDS, "blues": BLUES}.get(scan, ANY),
        depth=depth,
        beyond=_HORIZONS.index(horizon),
        weights=tuple(map(int, weights)),
        iterations=iterations,
        chosen=colours == "decision",
        escape=escape,
    )


USUAL = settings()


def scratch(players: Sequence[str], table: Lookup | None = None) -> Scratch:
    """Return the memory that players need; CFR-B's table of solved positions is made if missing.

    Raises
    ------
    ValueError
        If one of them is not among `PLAYERS`.
    """
    for player in players:
        if player not in PLAYERS:
            raise ValueError(f"unknown player {player!r}: choose from {', '.join(PLAYERS)}")
    if table is None:
        table = perfect_table() if "cfr-b" in players else no_table()
    return Scratch(
        tree=new_tree(),
        sketch=new_sketch(),
        draws=no_table(),
        perfect=table,
        colours=np.zeros((3, 2, LANES)),
        weights=np.zeros(32),
    )


def choose(
    player: str,
    masks: tuple[int, int, int, int],
    chaser: int = -1,
    *,
    seed: int = 0,
    settings: Settings | None = None,
    table: Lookup | None = None,
) -> tuple[int, int]:
    """Return one decision as (cell, way): own blue, red, and their blue, red, in the own view.

    `chaser` is the mask of the opponent's first chaser (0 once taken), −1 if nothing chased yet.
    """
    memory, s, how = scratch([player], table), rng.state(seed), settings or USUAL
    move = decide(PLAYERS.index(player), *masks, chaser, 0, s, how, memory)
    return divmod(int(move), 5)


@kernel
def decide(player, blue, red, their_blue, their_red, chaser, turned, s, settings, scratch):
    """Return a move; `chaser` is the mask of the opponent's first chaser, as in `choose`.

    `turned` is 1 for who moves second in the game, and so sees the board turned.
    """
    if player == CHARGE:
        return _charge(blue, red)
    if blue & GOALS and (settings.escape or player < _CFR_A):
        return 5 * lowest(blue & GOALS) + ESCAPE
    if player == _RANDOM:
        return _random(blue | red, s)
    if player == _PURPLE or (player == _ANTI and chaser < 0):
        theirs = their_blue | their_red
        return best_move(blue, red, theirs, 0, popcount(their_red), turned, settings)
    if player == _ANTI:
        theirs = their_blue | their_red
        return best_move(blue, red, theirs & ~chaser, chaser, -1, turned, settings)
    # A CFR player draws a move from its average strategy at its true colouring.
    tree, sketch, weights = scratch.tree, scratch.sketch, scratch.weights
    table = scratch.draws if player == _CFR_A else scratch.perfect
    own, theirs = blue | red, their_blue | their_red
    build(tree, sketch, own, popcount(blue), theirs, popcount(their_blue), PLIES, table)
    iterate(tree, settings.iterations, settings.chosen, scratch.colours, False)
    i = 0
    while sketch.own_blue[0, i] != blue:
        i += 1
    moves = tree.start[1]
    for a in range(moves):
        weights[a] = tree.average[a, i]
    a = rng.choice(s, weights[:moves])
    return 5 * tree.cell[a] + tree.way[a]


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
            if left >> cell & 1 and DISTANCE[cell] < nearest:
                chosen, nearest = cell, DISTANCE[cell]
        if nearest == 0:
            return 5 * chosen + ESCAPE
        best_way, best = -1, 99
        for i in range(4):
            way = _LEFT_RIGHT_UP_DOWN[i]
            target = target_of(chosen, way)
            if target >= 0 and not own >> target & 1 and DISTANCE[target] < best:
                best_way, best = way, DISTANCE[target]
        if best_way >= 0:
            return 5 * chosen + best_way
        left &= ~(1 << chosen)  # shut in by own pieces
    for cell in range(16):
        for way in range(4):
            target = target_of(cell, way)
            if own >> cell & 1 and target >= 0 and not own >> target & 1:
                return 5 * cell + way
    return -1
