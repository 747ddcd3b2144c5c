"""Who decides: the thesis's four benchmark players and its two CFR players.

All decide in their own view of the 4×4 board and know of the opponent what is public: where its
pieces are, and how many blues and reds are left. A move is ``5 · cell + way``, with the ways up,
right, down, left, escape.

References
----------
N. Kawakami, master's thesis, JAIST, 2021, section 6.2.1.
"""

from __future__ import annotations  # signatures show types by their names

from collections import namedtuple
from collections.abc import Sequence
from typing import Any

import numpy as np

from gamecore import check, rng
from gamecore.bits import lowest, popcount
from gamecore.contest import asked
from gamecore.game import Decider
from gamecore.geister.cfr import iterate
from gamecore.geister.leaves import Lookup, check_table, no_table, perfect_table
from gamecore.geister.rules import (
    DIRECTIONS,
    DISTANCE,
    ESCAPE,
    GOALS,
    WAYS,
    cell_name,
    cells_of,
    mask_of,
    near,
    target_of,
)
from gamecore.geister.search import ANY, BLUES, REDS, first_best
from gamecore.geister.state import State
from gamecore.geister.tree import LANES, PLIES, build, new_sketch, new_tree
from gamecore.geister.view import View
from gamecore.kernel import constant, kernel

#: The players of section 6.2.1: ランダム, 猪突猛進, 紫駒AI, 対紫駒, and the two proposed ones.
PLAYERS = ("random", "charge", "purple", "anti", "cfr-a", "cfr-b")
_RANDOM, CHARGE, _PURPLE, _ANTI, _CFR_A, _CFR_B = range(6)
DETERMINISTIC = ("charge", "purple", "anti")
_LEFT_RIGHT_UP_DOWN = constant([3, 1, 0, 2])
_SCANS, _HORIZONS = ("rows", "backwards", "board", "reds", "blues"), ("moves", "positions")
#: The most plies searched and iterations run for one move, which nothing can interrupt.
_DEEPEST, _MOST_ITERATIONS = 9, 100_000
#: A name of `PLAYERS`, or a function from a view and a generator to a move.
Player = str | Decider

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
        Plies searched by the purple AI and anti-purple, 1 to 9.
    iterations : int
        CFR iterations a move, 1 to 100,000.
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
    >>> match("purple", "random", 4, seed=1, settings=settings(depth=2)).games
    4
    """
    names = check.text(order, "order").split()
    if sorted(names) != sorted(DIRECTIONS):
        raise ValueError(
            f"order must name up, right, down and left once each, not {check.short(order)}"
        )
    check.one_of(colours, "colours", ("decision", "chance"))
    check.one_of(scan, "scan", _SCANS)
    check.one_of(horizon, "horizon", _HORIZONS)
    ways = [list(DIRECTIONS).index(name) for name in names]
    cells = list(range(15, -1, -1) if scan == "backwards" else range(16))
    seen = [(way + 2) % 4 for way in ways], cells[::-1]  # the same on a board turned by 180 degrees
    second = seen if scan == "board" else (ways, cells)
    return Settings(
        order=constant([ways, second[0]]),
        cells=constant([cells, second[1]]),
        first={"reds": REDS, "blues": BLUES}.get(scan, ANY),
        beyond=_HORIZONS.index(horizon),
        chosen=colours == "decision",
        **_checked(depth=depth, weights=weights, iterations=iterations, escape=escape),
    )


def _checked(**values: Any) -> dict[str, Any]:
    """Return some of a player's settings as kernels want them, or raise a ValueError."""
    most = {"depth": _DEEPEST, "iterations": _MOST_ITERATIONS}
    for name, value in values.items():
        if name in most:
            values[name] = check.whole(value, name, 1, most[name])
        elif name == "weights":
            if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != 3:
                raise ValueError("weights must be three whole numbers from 0 to 10,000")
            values[name] = tuple(check.whole(w, "each of weights", 0, 10_000) for w in value)
        elif name in ("chosen", "escape"):
            values[name] = check.flag(value, name)
        elif name in ("first", "beyond"):
            values[name] = check.whole(value, name, 0, BLUES if name == "first" else 1)
        else:  # in which order directions and cells are looked at, by each side
            numbers = 4 if name == "order" else 16
            found = check.instance(value, name, np.ndarray)
            is_right = found.shape == (2, numbers) and found.dtype.kind == "i"
            if not is_right or (np.sort(found) != np.arange(numbers)).any():
                raise ValueError(f"{name} must have the numbers 0 to {numbers - 1} in two orders")
            values[name] = constant(found, np.int64)
    return values


USUAL = settings()


def check_settings(how: Settings | None) -> Settings:
    """Return settings, perhaps changed since they were made, or raise a ValueError."""
    if how is None or how is USUAL:
        return USUAL
    return Settings(**_checked(**check.instance(how, "settings", Settings)._asdict()))


def known(player: str) -> int:
    """Return a player's place in `PLAYERS`, or raise a ValueError."""
    if not isinstance(player, str) or player not in PLAYERS:
        raise ValueError(
            f"unknown player {check.short(player)}: choose from {', '.join(PLAYERS)}, or a function"
        )
    return PLAYERS.index(player)


def scratch(players: Sequence[str], table: Lookup | None = None, most: int = 2) -> Scratch:
    """Return the memory that players need; CFR-B's table of solved positions is made if missing.

    A given table must have positions with `most` blues and reds a side.
    """
    if table is not None:
        check_table(table, most, most)
    else:
        table = perfect_table() if "cfr-b" in players else no_table()
    return Scratch(
        tree=new_tree(),
        sketch=new_sketch(),
        draws=no_table(),
        perfect=table,
        colours=np.zeros((3, 2, LANES)),
        weights=np.zeros(32),
    )


def ask(
    player: Player,
    state: State | View,
    seat: int | None = None,
    seed: check.Seed = 0,
    *,
    settings: Settings | None = None,
    table: Lookup | None = None,
) -> dict[str, float]:
    """Return what a player would do, with the probability of each move.

    Parameters
    ----------
    player : str or function
        One of `PLAYERS`, or a function from a view and a generator to a move.
    state : State or View
        Where to decide.
    seat : int, optional
        As whom; only whoever is to move can decide, and that is the default.
    seed : int or numpy.random.SeedSequence
        Decides what a function draws, whose choice then is certain.
    settings : Settings, optional
        How the players of the thesis play; see `settings`.
    table : Lookup, optional
        The positions solved with open colours, for CFR-B; made when needed.

    Examples
    --------
    >>> from gamecore.geister import Position
    >>> state = State.of(Position.of("b2 c4", "d2 d4", "a3 d3", "a1 b1"))
    >>> ask("charge", state)["b2 left"]
    1.0
    >>> chances = ask("cfr-a", state)
    >>> max(chances, key=chances.get), round(sum(chances.values()), 9)
    ('b2 up', 1.0)
    """
    view, seed, how = _seen(state, seat), check.seed(seed), check_settings(settings)
    legal = view.legal()
    if callable(player):
        return asked(player, view, seed)
    number, masks = known(player), _masks(view)
    escapes = [move for move in legal if move.endswith("escape")]
    if number == _RANDOM:
        some = escapes[:1] or legal
        return {move: (move in some) / len(some) for move in legal}
    memory = scratch([player], table, max(mask.bit_count() for mask in masks[:4]))
    if number < _CFR_A or (escapes and how.escape):
        move = decide(number, *masks, view.player, rng.state(0), how, memory)
        return {text: float(text == written(move)) for text in legal}
    chances = memory.weights[: think(number, *masks[:4], how, memory)]
    tree = memory.tree[0]
    moves = 5 * tree.cell[: len(chances)] + tree.way[: len(chances)]
    found = dict(zip(map(written, moves.tolist()), chances.tolist(), strict=True))
    total = sum(found.values())
    return {move: found[move] / total for move in legal}


def decider(
    player: Player, *, settings: Settings | None = None, table: Lookup | None = None
) -> Decider:
    """Return a player as a function from a view and a generator to a move.

    Examples
    --------
    >>> from gamecore.geister import start
    >>> view = start(first_blue="a4 b4", second_blue="b4 c4").view(0)
    >>> decider("charge")(view, np.random.default_rng(1))
    'a4 up'
    """
    if callable(player):
        return player
    number, how, memory = known(player), check_settings(settings), scratch([player], table)

    def decides(view: View, generator: np.random.Generator) -> str:
        masks, s = _masks(_seen(view, None)), rng.state(int(generator.integers(2**63)))
        return written(decide(number, *masks, view.player, s, how, memory))

    decides.__name__ = player
    return decides  # type: ignore[return-value]  # views of this game


def _seen(state: State | View, seat: int | None) -> View:
    """Return the view of whoever is to move, which must be `seat` if one is given."""
    if not isinstance(state, State | View):
        raise ValueError(f"a state or a view is needed, not {check.short(state)}")
    view = state if isinstance(state, View) else state.view(state.ply % 2)
    if not view.legal():
        raise ValueError(f"{State.seats[view.player]} is not to move in\n{view}")
    if seat is not None and check.whole(seat, "seat", 0, 1) != view.player:
        raise ValueError(f"only {State.seats[view.player]} is to move, seat {view.player}")
    return view


def _masks(view: View) -> tuple[int, int, int, int, int]:
    """Return what a kernel may know: own colours, and some colours for the opponent's pieces."""
    counts = view.blue.bit_count(), view.red.bit_count(), view.their_blues, view.their_reds
    if (view.width, view.height) != (4, 4) or max(counts) > 2:
        raise ValueError(
            f"{', '.join(PLAYERS)}: these players play on 4×4, with at most two blues and two reds "
            "a side"
        )
    blue = mask_of(list(cells_of(view.theirs))[: view.their_blues])
    return view.blue, view.red, blue, view.theirs & ~blue, view.chasers[1]


def written(move: int, width: int = 4) -> str:
    """Return a kernel's move as states write it."""
    cell, way = divmod(int(move), 5)
    return f"{cell_name(cell, width)} {WAYS[way]}"


@kernel
def decide(player, blue, red, their_blue, their_red, chaser, turned, s, settings, scratch):
    """Return a move, given both sides' pieces in the player's own view.

    `chaser` is the mask of the opponent's first chaser (0 once taken), −1 if nothing chased yet;
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
        return first_best(blue, red, theirs, 0, popcount(their_red), turned, settings)
    if player == _ANTI:
        theirs = their_blue | their_red
        return first_best(blue, red, theirs & ~chaser, chaser, -1, turned, settings)
    # A CFR player draws a move from its average strategy at its true colouring.
    moves = think(player, blue, red, their_blue, their_red, settings, scratch)
    a = rng.choice(s, scratch.weights[:moves])
    return 5 * scratch.tree[0].cell[a] + scratch.tree[0].way[a]


@kernel
def think(player, blue, red, their_blue, their_red, settings, scratch):
    """Weigh the moves of a CFR player's tree by its average strategy; return their number."""
    tree, sketch = scratch.tree[0], scratch.sketch
    table = scratch.draws if player == _CFR_A else scratch.perfect
    own, theirs = blue | red, their_blue | their_red
    build(tree, sketch, own, popcount(blue), theirs, popcount(their_blue), PLIES, table)
    iterate(tree, settings.iterations, settings.chosen, scratch.colours, False)
    i = 0
    while sketch.own_blue[0, i] != blue:
        i += 1
    moves = tree.start[1]
    for a in range(moves):
        scratch.weights[a] = tree.average[a, i]
    return moves


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
