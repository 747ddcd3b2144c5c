"""Who decides: MC, SimpleUCB0.5, SimpleUCB1, MSUCB1 and MSUCB1.5 (table 1).

On the first move of a square board the paper's players do not tell mirrored own moves apart. Here
one of each orbit is searched, and it is played in a *random image*, in every playout and on the
board: so the modelled opponent cannot know in which quadrant the piece will lie.

References
----------
The paper on MSUCB, sections 3 and 6.1; simultaneous-move searches of this kind are compared by
Tak, Lanctot and Winands, "Monte Carlo tree search variants for simultaneous move games", 2014.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gamecore import rng
from gamecore.kernel import kernel
from gamecore.triomineering import nash
from gamecore.triomineering import rules as r
from gamecore.triomineering.playouts import FILTERS
from gamecore.triomineering.rules import Position
from gamecore.triomineering.search import (
    PAIRS,
    PAIRS_HALF,
    Settings,
    World,
    choose,
    explore,
    logarithms,
    world_of,
)

#: The players of table 1.
PLAYERS = ("MC", "SimpleUCB0.5", "SimpleUCB1", "MSUCB1", "MSUCB1.5")
#: First moves on a square board: a random image of one of each orbit; one of each orbit where it
#: lies (a naive reading); or all moves.
SYMMETRIES = ("images", "quadrant", "none")
SIDES = ("V", "H")
Seed = int | np.random.SeedSequence
Move = tuple[int, int]


class Player(NamedTuple):
    """A player of table 1 with its parameters; the defaults are the paper's, or the settled ones.

    Examples
    --------
    >>> Player("MC", playouts=100_000).method, Player().c
    ('MC', 0.5)
    """

    method: str = "MSUCB1"
    """One of `PLAYERS`."""
    playouts: int = 10_000
    """Playouts of one decision."""
    c: float = 0.5
    """Weight of the bonus in the UCB value, mean + c √(2 ln t / n)."""
    draw: float = 0.5
    """Utility of a draw to oneself."""
    other_draw: float = 0.5
    """Utility of a draw to the opponent, as one models it."""
    nash: str = nash.READINGS[0]
    """The reading of figure 3."""
    step: float = 0.1
    """Step of the reading with a constant step."""
    rounds: int | None = None
    """Rounds of each approximation during the search; by default the reading's own."""
    final_rounds: int = 2000
    """Rounds of the approximation that decides."""
    every: int = 8
    """Playouts between two approximations."""
    symmetry: str = "images"
    """One of `SYMMETRIES`."""
    filtering: str = "hindering"
    """How playouts leave out moves that hinder nobody, one of `FILTERS`."""


class Thought(NamedTuple):
    """What a search has found.

    Examples
    --------
    >>> thought = think(Position.empty(4, 4), Player("SimpleUCB1", playouts=500), seed=1)
    >>> len(thought.policy), thought.replies[:2]
    (8, [(0, 0), (0, 1)])
    """

    moves: list[Move]
    """Own moves that were searched, one of each orbit."""
    replies: list[Move]
    """The opponent's moves."""
    visits: np.ndarray
    """Playouts of each pair."""
    means: np.ndarray
    """Mean utility of each pair, NaN without a visit."""
    policy: np.ndarray
    """Probabilities of *all* own legal moves, in order of cells."""


def think(position: Position, player: Player, seed: Seed, side: str = "V") -> Thought:
    """Let a player search a position.

    Parameters
    ----------
    position : Position
        Where both sides can still move.
    player : Player
        Who thinks.
    seed : int or numpy.random.SeedSequence
        Decides the playouts.
    side : {"V", "H"}
        Whose move is decided.

    Returns
    -------
    Thought
        Search counts, mean utilities, and the probabilities with which the move is chosen.

    References
    ----------
    Figure 2 and table 1 of the paper on MSUCB.

    Examples
    --------
    >>> thought = think(Position.empty(4, 4), Player("MSUCB1", playouts=2000), seed=1)
    >>> thought.moves, thought.visits.shape, int(thought.visits.sum())
    ([(0, 0), (0, 1)], (2, 8), 2000)
    """
    world = first_world(position, player, side)
    check_playouts(player, len(world.sizes), len(world.theirs))
    found = explore(world, settings_of(player), logarithms(player.playouts + 1), rng.state(seed))
    with np.errstate(invalid="ignore"):
        means = found.own / found.visits
    cells = [divmod(int(cell), position.columns) for cell in world.images[:, 0]]
    replies = [divmod(int(cell), position.columns) for cell in world.theirs]
    return Thought(cells, replies, found.visits, means, full_policy(world, found.policy))


def simulate(own: ArrayLike, other: ArrayLike, player: Player, seed: Seed) -> np.ndarray:
    """Search a simulated game and return how often each pair of moves was visited.

    Section 6.6.3's simulator: a pair pays 1 or 0 to each player, at random, with means from the
    two tables, so that the game need not be zero-sum.

    Parameters
    ----------
    own, other : array_like
        Mean payoffs, from 0 to 1, of both players; a row for each own move.
    player : Player
        Any but MSUCB1.5, which would need a second round.
    seed : int or numpy.random.SeedSequence
        Decides the payoffs.

    Examples
    --------
    >>> dilemma = [[0.8, 0.0], [1.0, 0.2]]
    >>> simulate(dilemma, np.transpose(dilemma), Player("MSUCB1", 1000), seed=1).argmax()
    np.int64(3)
    """
    payoffs = np.array([own, other], np.float64)
    if payoffs.ndim != 3 or not 1 <= min(payoffs.shape) <= max(payoffs.shape) <= nash.MOST:
        raise ValueError("both players need a table of payoffs of one shape, up to 64 × 64")
    if not ((payoffs >= 0) & (payoffs <= 1)).all():
        raise ValueError("mean payoffs lie from 0 to 1")
    if player.method == PLAYERS[PAIRS_HALF]:
        raise ValueError("a simulated game has one round: MSUCB1.5 cannot play it")
    settings, (_, m, n) = settings_of(player), payoffs.shape
    check_playouts(player, m, n)
    ones, zero = np.ones(m, np.int64), np.uint64(0)
    images, theirs = np.zeros((m, 1), np.int64), np.zeros(n, np.int64)
    world = World(zero, 1, zero, True, images, ones, theirs, payoffs)
    return explore(world, settings, logarithms(player.playouts + 1), rng.state(seed)).visits


def settings_of(player: Player) -> Settings:
    """Return a player's settings as numbers for kernels; a ValueError names what is not allowed."""
    for value, allowed in (
        (player.method, PLAYERS), (player.symmetry, SYMMETRIES), (player.filtering, FILTERS),
    ):  # fmt: skip
        if value not in allowed:
            raise ValueError(f"{value!r} is none of {', '.join(allowed)}")
    nash.check(player.nash, player.rounds, player.step)
    nash.check(player.nash, player.final_rounds, player.step)
    if player.playouts < 1 or player.every < 1:
        raise ValueError("playouts and every must be at least 1")
    if not 0 <= player.c <= 100 or not 0 <= min(player[3:5]) <= max(player[3:5]) <= 1:
        raise ValueError("c must lie from 0 to 100, and the utilities of a draw from 0 to 1")
    rounds = player.rounds or nash.ROUNDS[player.nash]
    return Settings(
        PLAYERS.index(player.method), int(player.playouts), float(player.c),
        float(player.draw), float(player.other_draw),
        nash.READINGS.index(player.nash), float(player.step),
        int(rounds), int(player.final_rounds), int(player.every),
        FILTERS.index(player.filtering),
    )  # fmt: skip


def orbits(position: Position, side: str) -> list[list[int]]:
    """Return a side's moves as cells, grouped by what reflections of the empty board carry over.

    Turning the board by 90° would exchange the players, so there are four symmetries.

    Examples
    --------
    >>> orbits(Position.empty(4, 4), "V")
    [[0, 3, 4, 7], [1, 2, 5, 6]]
    """
    rows, columns = position.rows, position.columns
    down, across = (rows - 3, columns - 1) if side == "V" else (rows - 1, columns - 3)
    groups: dict[int, list[int]] = {}
    for a, b in position.v_moves() if side == "V" else position.h_moves():
        images = {(x, y) for x in (a, down - a) for y in (b, across - b)}
        group = sorted(x * columns + y for x, y in images)
        groups[group[0]] = group
    return list(groups.values())


def first_world(position: Position, player: Player, side: str = "V") -> World:
    """Return what a player searches: with symmetries on the empty square board, else without."""
    r.check(position)
    settings_of(player)
    if side not in SIDES:
        raise ValueError(f"side must be 'V' or 'H', not {side!r}")
    rows, columns = position.rows, position.columns
    if position.result() is not None:
        raise ValueError("the game is over: one of the players cannot move")
    fits, free = r.fits_mask(rows, columns), np.uint64(position.free)
    world = world_of(free, columns, fits, side == "V")._replace(free=free, fits=fits)
    empty = position.free == r.full_mask(rows, columns)
    if rows != columns or not empty or player.symmetry == "none":
        return world
    groups = orbits(position, side)
    width = 1 if player.symmetry == "quadrant" else max(map(len, groups))
    images = np.array([(group * width)[:width] for group in groups], np.int64)
    sizes = np.array([min(width, len(group)) for group in groups], np.int64)
    return world._replace(images=images, sizes=sizes)


def full_policy(world: World, policy: np.ndarray) -> np.ndarray:
    """Return the probabilities of all own legal moves from those of the searched ones."""
    legal = world_of(world.free, world.columns, world.fits, world.vertical).images[:, 0]
    place = {int(cell): k for k, cell in enumerate(legal)}
    full = np.zeros(len(legal))
    for share, cells, size in zip(policy, world.images, world.sizes, strict=True):
        for cell in cells[:size]:
            full[place[int(cell)]] += share / size
    return full


def check_playouts(player: Player, m: int, n: int) -> None:
    """Raise a ValueError if a player cannot try its `m` moves, or their pairs with `n`, once."""
    least = m * n if PLAYERS.index(player.method) >= PAIRS else m
    if player.playouts < least:
        raise ValueError(
            f"{player.method} first tries all {least} {'pairs of moves' if least > m else 'moves'}"
            f" here: {player.playouts} playouts are too few"
        )


@kernel
def decide(world, settings, logs, stream):
    """Search, draw the move, and return its cell; a single move needs no search."""
    if len(world.sizes) == 1:
        return choose(world, np.ones(1), stream)
    return choose(world, explore(world, settings, logs, stream).policy, stream)
