"""Who decides: MC, SimpleUCB0.5, SimpleUCB1, MSUCB1 and MSUCB1.5 (table 1), and their games.

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
from gamecore.triomineering.rules import Position
from gamecore.triomineering.search import (
    PAIRS,
    PAIRS_HALF,
    Mind,
    World,
    choose,
    logarithms,
    search,
    world_of,
)

#: The players of table 1.
METHODS = ("MC", "SimpleUCB0.5", "SimpleUCB1", "MSUCB1", "MSUCB1.5")
#: First moves on a square board: a random image of one of each orbit; one of each orbit where it
#: lies (a naive reading); or all moves.
SYMMETRIES = ("images", "quadrant", "none")
SIDES = ("V", "H")
Seed = int | np.random.SeedSequence
Move = tuple[int, int]
_MOST_ROUNDS = 22


class Player(NamedTuple):
    """A player of table 1 with its parameters; the defaults are the paper's, or the settled ones.

    Examples
    --------
    >>> Player("MC", playouts=100_000).method, Player().c
    ('MC', 0.5)
    """

    method: str = "MSUCB1"
    """One of `METHODS`."""
    playouts: int = 10_000
    """Playouts of one decision."""
    c: float = 0.5
    """Weight of the bonus in the UCB value, mean + c √(2 ln t / n)."""
    draw: float = 0.5
    """Utility of a draw to oneself."""
    other_draw: float = 0.5
    """Utility of a draw to the opponent, as one models it."""
    nash: str = nash.METHODS[0]
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
    filtering: bool = True
    """Whether playouts leave out moves that hinder nobody."""


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


class Match(NamedTuple):
    """The games of a match.

    Examples
    --------
    >>> quick = Player("SimpleUCB0.5", playouts=200)
    >>> match(quick, quick, 3, seed=1, rows=4, columns=4).results.shape
    (3,)
    """

    results: np.ndarray
    """Of each game, 2 if V wins, 1 for a draw, 0 if H wins."""
    openings: np.ndarray
    """Cells of the first moves, a row for each game."""

    def counts(self) -> tuple[int, int, int]:
        """Return V's wins, draws and H's wins: the paper's V-D-H."""
        v, d, h = ((self.results == k).sum() for k in (r.WIN, r.DRAW, r.LOSS))
        return int(v), int(d), int(h)


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
    _check_playouts(player, len(world.sizes), len(world.theirs))
    tally = search(world, mind_of(player), logarithms(player.playouts + 1), rng.state(seed))
    with np.errstate(invalid="ignore"):
        means = tally.own / tally.visits
    cells = [divmod(int(cell), position.columns) for cell in world.images[:, 0]]
    replies = [divmod(int(cell), position.columns) for cell in world.theirs]
    return Thought(cells, replies, tally.visits, means, full_policy(world, tally.policy))


def match(v: Player, h: Player, games: int, seed: Seed, rows: int = 6, columns: int = 6) -> Match:
    """Play games of V against H from the empty board.

    Parameters
    ----------
    v, h : Player
        Who plays V and who H.
    games : int
        How many.
    seed : int or numpy.random.SeedSequence
        Decides everything that is random; fewer games are the first of more.
    rows, columns : int
        Size of the board.

    References
    ----------
    Section 6 of the paper on MSUCB.

    Examples
    --------
    >>> mixed, plain = Player("MSUCB1", playouts=500), Player("MC", playouts=500)
    >>> match(mixed, plain, 5, seed=1, rows=4, columns=4).counts()
    (0, 5, 0)
    """
    results, openings, _, _ = _play(v, h, games, seed, rows, columns)
    return Match(results, openings)


def replay(
    game: int, v: Player, h: Player, seed: Seed, rows: int = 6, columns: int = 6
) -> Position:
    """Return the end of one game of a `match`, counted from 0, with all its moves.

    Examples
    --------
    >>> end = replay(0, Player(playouts=500), Player("MC", playouts=500), 1, rows=4, columns=4)
    >>> end.result(), len(end.rounds)
    (0.5, 2)
    """
    if game < 0:
        raise ValueError(f"games are counted from 0, not {game}")
    *_, trail, rounds = _play(v, h, game + 1, seed, rows, columns)
    end = Position.empty(rows, columns)
    for cells in trail[:rounds]:
        i, j = (divmod(int(cell), columns) for cell in cells)
        end = end.play(i, j)
    return end


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
    if player.method == METHODS[PAIRS_HALF]:
        raise ValueError("a simulated game has one round: MSUCB1.5 cannot play it")
    mind, (_, m, n) = mind_of(player), payoffs.shape
    _check_playouts(player, m, n)
    ones, zero = np.ones(m, np.int64), np.uint64(0)
    images, theirs = np.zeros((m, 1), np.int64), np.zeros(n, np.int64)
    world = World(zero, 1, zero, True, images, ones, theirs, payoffs)
    return search(world, mind, logarithms(player.playouts + 1), rng.state(seed)).visits


def mind_of(player: Player) -> Mind:
    """Return a player's settings as numbers for kernels; a ValueError names what is not allowed."""
    for value, allowed in ((player.method, METHODS), (player.symmetry, SYMMETRIES)):
        if value not in allowed:
            raise ValueError(f"{value!r} is none of {', '.join(allowed)}")
    nash.check(player.nash, player.rounds, player.step)
    nash.check(player.nash, player.final_rounds, player.step)
    if player.playouts < 1 or player.every < 1:
        raise ValueError("playouts and every must be at least 1")
    if not 0 <= player.c <= 100 or not 0 <= min(player[3:5]) <= max(player[3:5]) <= 1:
        raise ValueError("c must lie from 0 to 100, and the utilities of a draw from 0 to 1")
    rounds = player.rounds or nash.ROUNDS[player.nash]
    return Mind(
        METHODS.index(player.method), int(player.playouts), float(player.c),
        float(player.draw), float(player.other_draw),
        nash.METHODS.index(player.nash), float(player.step),
        int(rounds), int(player.final_rounds), int(player.every), bool(player.filtering),
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
    mind_of(player)
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


def _check_playouts(player: Player, m: int, n: int) -> None:
    least = m * n if METHODS.index(player.method) >= PAIRS else m
    if player.playouts < least:
        raise ValueError(
            f"{player.method} first tries all {least} {'pairs of moves' if least > m else 'moves'}"
            f" here: {player.playouts} playouts are too few"
        )


def _play(v: Player, h: Player, games: int, seed: Seed, rows: int, columns: int) -> tuple:
    """Check the arguments, play, and return all that the kernel leaves behind."""
    if games < 1:
        raise ValueError(f"games must be at least 1, not {games}")
    empty = Position.empty(rows, columns)
    worlds = [first_world(empty, player, side) for player, side in ((v, "V"), (h, "H"))]
    moves = len(empty.v_moves()), len(empty.h_moves())
    _check_playouts(v, *moves)
    _check_playouts(h, *moves[::-1])
    logs = logarithms(max(v.playouts, h.playouts) + 1)
    results, openings = np.empty(games, np.int64), np.empty((games, 2), np.int64)
    trail = np.empty((_MOST_ROUNDS, 2), np.int64)
    rounds = _play_games(
        worlds[0], worlds[1], mind_of(v), mind_of(h), logs, rng.state(seed),
        results, openings, trail,
    )  # fmt: skip
    return results, openings, trail, rounds


@kernel
def _play_games(v_first, h_first, v_mind, h_mind, logs, stream, results, openings, trail):
    """Play all games; return the number of rounds of the last one, whose moves `trail` keeps."""
    columns, fits = v_first.columns, v_first.fits
    rounds = 0
    for game in range(len(results)):
        free, rounds, result = v_first.free, 0, -1
        while result < 0:
            v_world, h_world = v_first, h_first
            if rounds:
                v_world = world_of(free, columns, fits, True)
                h_world = world_of(free, columns, fits, False)
            i = decide(v_world, v_mind, logs, stream)
            j = decide(h_world, h_mind, logs, stream)
            trail[rounds, 0], trail[rounds, 1] = i, j
            rounds += 1
            free = r.step(free, i, j, columns)
            v, h = r.v_moves(free, columns), r.h_moves(free, fits)
            result = r.result(v != 0, h != 0)
        results[game] = result
        openings[game, 0], openings[game, 1] = trail[0, 0], trail[0, 1]
    return rounds


@kernel
def decide(world, mind, logs, stream):
    """Search, draw the move, and return its cell; a single move needs no search."""
    if len(world.sizes) == 1:
        return choose(world, np.ones(1), stream)
    return choose(world, search(world, mind, logs, stream).policy, stream)
