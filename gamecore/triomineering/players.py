"""Who decides: MC, SimpleUCB0.5, SimpleUCB1, MSUCB1 and MSUCB1.5 (table 1).

On the first move of a square board the paper's players do not tell mirrored own moves apart. Here
one of each orbit is searched, and it is played in a *random image*, in every playout and on the
board: so the modelled opponent cannot know in which quadrant the piece will lie.

References
----------
The paper on MSUCB, sections 3 and 6.1; simultaneous-move searches of this kind are compared by
Tak, Lanctot and Winands, "Monte Carlo tree search variants for simultaneous move games", 2014.
"""

from __future__ import annotations  # signatures show types by their names

from dataclasses import dataclass, fields
from threading import current_thread, main_thread
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from tqdm import tqdm

from gamecore import check, rng
from gamecore.contest import asked
from gamecore.game import Decider, Open, View
from gamecore.kernel import kernel
from gamecore.triomineering import nash
from gamecore.triomineering import rules as r
from gamecore.triomineering.memory import Searched, new_memory
from gamecore.triomineering.playouts import FILTERS
from gamecore.triomineering.rules import Move, Position
from gamecore.triomineering.search import (
    PAIRS,
    PAIRS_HALF,
    Settings,
    World,
    bandits_needed,
    choose,
    conclude,
    explore,
    logarithms,
    search,
)

#: The players of table 1.
PLAYERS = ("MC", "SimpleUCB0.5", "SimpleUCB1", "MSUCB1", "MSUCB1.5")
#: First moves on a square board: a random image of one of each orbit; one of each orbit where it
#: lies (a naive reading); or all moves.
SYMMETRIES = ("images", "quadrant", "none")
SIDES = Position.seats
#: As many playouts as a decision may take: a minute of them, and a table of as many logarithms.
MOST_PLAYOUTS = 10**7
#: Playouts that take about a fifth of a second; after so many a search can be interrupted.
PLAYOUTS_AT_ONCE = 100_000


@dataclass(frozen=True, repr=False)
class Player:
    """A player of table 1 with its parameters; the defaults are the paper's, or the settled ones.

    Attributes
    ----------
    method : str
        One of `PLAYERS`.
    playouts : int
        Playouts of one decision, at most ten million.
    c : float
        Weight of the bonus in the UCB value, mean + c √(2 ln t / n).
    draw : float
        Utility of a draw to oneself.
    other_draw : float
        Utility of a draw to the opponent, as one models it.
    nash : str
        The reading of figure 3, as for `approximate`.
    step : float
        Step of the reading with a constant step.
    rounds : int or None
        Rounds of each approximation during the search; by default the reading's own.
    final_rounds : int
        Rounds of the approximation that decides.
    every : int
        Playouts between two approximations.
    symmetry : str
        One of `SYMMETRIES`.
    filtering : str
        How playouts leave out moves that hinder nobody: "none", "hindering" or "literal".

    Examples
    --------
    >>> Player("MC", playouts=100_000)
    Player('MC', playouts=100000)
    >>> Player().c
    0.5
    """

    method: str = "MSUCB1"
    playouts: int = 10_000
    c: float = 0.5
    draw: float = 0.5
    other_draw: float = 0.5
    nash: str = nash.READINGS[0]
    step: float = 0.1
    rounds: int | None = None
    final_rounds: int = 2000
    every: int = 8
    symmetry: str = "images"
    filtering: str = "hindering"

    def __post_init__(self) -> None:
        settings_of(self)

    def __repr__(self) -> str:
        changed = [f for f in fields(self)[1:] if getattr(self, f.name) != f.default]
        words = [repr(self.method), *(f"{f.name}={getattr(self, f.name)!r}" for f in changed)]
        return f"Player({', '.join(words)})"


#: A name of `PLAYERS`, a `Player`, or a function from a view and a generator to a move.
AnyPlayer = str | Player | Decider


class Thought(NamedTuple):
    """What a search has found.

    Attributes
    ----------
    moves : list of tuple
        Own moves that were searched, one of each orbit, as (row, column).
    replies : list of tuple
        The opponent's moves.
    visits : numpy.ndarray
        Playouts of each pair.
    means : numpy.ndarray
        Mean utility of each pair, NaN without a visit.
    policy : numpy.ndarray
        Probabilities of *all* own legal moves, in order of cells.

    Examples
    --------
    >>> thought = think(Position.empty(4, 4), Player("SimpleUCB1", playouts=500), seed=1)
    >>> thought
    Thought: 500 playouts of 2 moves and 8 replies
    >>> len(thought.policy), thought.replies[:2]
    (8, [(0, 0), (0, 1)])
    """

    moves: list[Move]
    replies: list[Move]
    visits: np.ndarray
    means: np.ndarray
    policy: np.ndarray

    def __repr__(self) -> str:
        m, n = self.visits.shape
        some = f"{m} move{'s' * (m != 1)} and {n} repl{'y' if n == 1 else 'ies'}"
        return f"Thought: {self.visits.sum():,} playouts of {some}"


def ask(
    player: AnyPlayer, state: Position | View, seat: int = 0, seed: check.Seed = 0
) -> dict[str, float]:
    """Return what a player would do, with the probability of each move.

    Parameters
    ----------
    player : str, Player or function
        One of `PLAYERS`, a player with its parameters, or a function from a view and a generator
        to a move.
    state : Position or View
        Where to decide.
    seat : int
        As whom, 0 for V or 1 for H, if a position is given.
    seed : int or numpy.random.SeedSequence
        Decides the playouts, after which a player of table 1 may still mix; and what a function
        draws, whose choice then is certain.

    Examples
    --------
    >>> from gamecore.triomineering import start
    >>> chances = ask("MSUCB1", start(4, 4), seat=1)
    >>> {move: round(chance, 2) for move, chance in chances.items() if chance > 0.01}
    {'1,0': 0.25, '1,1': 0.25, '2,0': 0.25, '2,1': 0.25}
    """
    view, seed = _seen(state, seat), check.seed(seed)
    legal = view.legal()
    if callable(player):
        return asked(player, view, seed)
    policy = think(position_of(view), player, seed, SIDES[view.player]).policy
    return dict(zip(legal, policy.tolist(), strict=True))


def decider(player: AnyPlayer) -> Decider:
    """Return a player as a function from a view and a generator to a move."""
    if callable(player):
        return player
    who = known(player)

    def decides(view: View, generator: np.random.Generator) -> str:
        position, s = position_of(view), rng.state(int(generator.integers(2**63)))
        cell = decided(first_world(position, who, SIDES[view.player]), who, s)
        return r.written(divmod(cell, position.columns))

    decides.__name__ = who.method
    return decides


def known(player: str | Player) -> Player:
    """Return a player by its name, or as it is; else raise a ValueError."""
    if isinstance(player, str):
        return Player(check.one_of(str(player), "the name of a player", PLAYERS))
    settings_of(check.instance(player, "a player that is no name and no function", Player))
    return player


def _seen(state: Position | View, seat: int) -> View:
    """Return the view of a seat that is to move."""
    seat = check.whole(seat, "seat", 0, 1)
    view = state.view(seat) if isinstance(state, Position) else state
    check.instance(view, "a state that is no position", View)
    if not position_of(view).movers:
        raise ValueError("the game is over: one of the players cannot move")
    return view


def position_of(view: View) -> Position:
    """Return the position that a view shows; else raise a ValueError."""
    if not isinstance(view, Open) or not isinstance(view.state, Position):
        raise ValueError("players of this game decide in its positions, not in another game's")
    return view.state


def think(position: Position, player: str | Player, seed: check.Seed, side: str = "V") -> Thought:
    """Let a player search a position.

    Parameters
    ----------
    position : Position
        Where both sides can still move.
    player : str or Player
        Who thinks: one of `PLAYERS`, or a player with its parameters.
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
    who, seed = known(player), check.seed(seed)
    world = first_world(position, who, side)
    found = explored(world, who, rng.state(seed))
    with np.errstate(invalid="ignore"):
        means = found.own / found.visits
    cells = [divmod(int(cell), position.columns) for cell in world.images[:, 0]]
    replies = [divmod(int(cell), position.columns) for cell in world.theirs]
    policy = full_policy(_cells(position, side), world, found.policy)
    return Thought(cells, replies, found.visits, means, policy)


def simulate(
    own: ArrayLike, other: ArrayLike, player: str | Player, seed: check.Seed
) -> np.ndarray:
    """Search a simulated game and return how often each pair of moves was visited.

    Section 6.6.3's simulator: a pair pays 1 or 0 to each player, at random, with means from the
    two tables, so that the game need not be zero-sum.

    Parameters
    ----------
    own, other : array_like
        Mean payoffs, from 0 to 1, of both players; a row for each own move.
    player : str or Player
        Any but MSUCB1.5, which would need a second round.
    seed : int or numpy.random.SeedSequence
        Decides the payoffs.

    Examples
    --------
    >>> dilemma = [[0.8, 0.0], [1.0, 0.2]]
    >>> simulate(dilemma, np.transpose(dilemma), Player("MSUCB1", 1000), seed=1).argmax()
    np.int64(3)
    """
    mine = check.numbers(own, "own payoffs", (None, None))
    payoffs = np.array([mine, check.numbers(other, "the other's payoffs", mine.shape)])
    if max(mine.shape) > nash.MOST_MOVES:
        raise ValueError(f"a player has at most {nash.MOST_MOVES} moves, not {max(mine.shape)}")
    if not ((payoffs >= 0) & (payoffs <= 1)).all():
        raise ValueError("mean payoffs lie from 0 to 1")
    who, seed, (m, n) = known(player), check.seed(seed), mine.shape
    if who.method == PLAYERS[PAIRS_HALF]:
        raise ValueError("a simulated game has one round: MSUCB1.5 cannot play it")
    check_playouts(who, m, n)
    ones, zero = np.ones(m, np.int64), np.uint64(0)
    images, theirs = np.zeros((m, 1), np.int64), np.zeros(n, np.int64)
    world = World(zero, 1, zero, True, images, ones, theirs, payoffs)
    return explored(world, who, rng.state(seed)).visits


def settings_of(player: Player) -> Settings:
    """Return a player's settings as numbers for kernels; a ValueError names what is not allowed."""
    method = check.one_of(player.method, "method", PLAYERS)
    check.one_of(player.symmetry, "symmetry", SYMMETRIES)
    filtering = check.one_of(player.filtering, "filtering", FILTERS)
    reading, rounds, step = nash.check_reading(player.nash, player.rounds, player.step)
    return Settings(
        PLAYERS.index(method), check.whole(player.playouts, "playouts", 1, MOST_PLAYOUTS),
        check.real(player.c, "c", 0, 100),
        check.real(player.draw, "draw", 0, 1), check.real(player.other_draw, "other_draw", 0, 1),
        reading, step, rounds,
        check.whole(player.final_rounds, "final_rounds", 1, nash.MOST_ROUNDS),
        check.whole(player.every, "every", 1), FILTERS.index(filtering),
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
    check.instance(position, "position", Position)
    vertical = check.one_of(side, "side", SIDES) == "V"
    rows, columns = position.rows, position.columns
    if not position.movers:
        raise ValueError("the game is over: one of the players cannot move")
    fits, free = r.fits_mask(rows, columns), np.uint64(position.free)
    own, theirs = (
        np.array(_cells(position, side)) for side in (SIDES if vertical else SIDES[::-1])
    )
    ones, no_payoffs = np.ones(len(own), np.int64), np.empty((2, 0, 0))
    world = World(free, columns, fits, vertical, own[:, None], ones, theirs, no_payoffs)
    empty = position.free == r.full_mask(rows, columns)
    if rows == columns and empty and player.symmetry != "none":
        groups = orbits(position, side)
        width = 1 if player.symmetry == "quadrant" else max(map(len, groups))
        images = np.array([(group * width)[:width] for group in groups], np.int64)
        sizes = np.array([min(width, len(group)) for group in groups], np.int64)
        world = world._replace(images=images, sizes=sizes)
    check_playouts(player, len(world.sizes), len(world.theirs))
    return world


def _cells(position: Position, side: str) -> list[int]:
    """Return the cells of a side's legal moves."""
    moves = position.v_moves() if side == "V" else position.h_moves()
    return [row * position.columns + column for row, column in moves]


def full_policy(legal: list[int], world: World, policy: np.ndarray) -> np.ndarray:
    """Return the probabilities of all own legal moves from those of the searched ones."""
    place = {cell: k for k, cell in enumerate(legal)}
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


def decided(world: World, player: Player, stream: np.ndarray) -> int:
    """Return what `decide` does, by a search that can be interrupted."""
    if len(world.sizes) == 1:
        return int(choose(world, np.ones(1), stream))
    return int(choose(world, explored(world, player, stream).policy, stream))


def explored(world: World, player: Player, stream: np.ndarray) -> Searched:
    """Return what `explore` does, by a search that can be interrupted; a bar shows a long one."""
    settings, logs = settings_of(player), logarithms(player.playouts + 1)
    length, playouts = stretch(settings, world), settings.playouts
    pairs, needed = (len(world.sizes), len(world.theirs)), bandits_needed(world, settings)
    memory, quiet = new_memory(*pairs, *needed), playouts <= length or in_thread()
    with tqdm(total=playouts, desc="playouts", delay=5, leave=False, disable=quiet) as bar:
        for begin in range(0, playouts, length):
            end = min(begin + length, playouts)
            search(world, settings, logs, stream, memory, begin, end)
            bar.update(end - begin)
    conclude(settings, memory)
    return memory.found


def stretch(settings: Settings, world: World) -> int:
    """Return how many playouts a search makes before it can be interrupted."""
    pairs = len(world.sizes) * len(world.theirs)  # a round of an approximation takes at most these
    mixing = settings.rounds * pairs if settings.method >= PAIRS else 1
    return max(1, min(PLAYOUTS_AT_ONCE, settings.every * 10**9 // (2 * mixing)))


def in_thread() -> bool:
    """Return whether this is a worker's thread, where nobody looks at a bar."""
    return current_thread() is not main_thread()
