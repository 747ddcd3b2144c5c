"""Series of games between four players in which ranks carry over."""

from __future__ import annotations  # signatures show types by their names

from collections import deque
from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
from tqdm import tqdm

from gamecore import check, rng
from gamecore.contest import Contest, playing
from gamecore.daifugo.cards import DECK, written
from gamecore.daifugo.players import (
    GREEDY,
    QUICK,
    RANDOM,
    Player,
    considered,
    decider,
    known,
)
from gamecore.daifugo.plays import draw_play
from gamecore.daifugo.rules import (
    RANDOM_START,
    SEATS,
    STATE,
    Rules,
    begin,
    deal,
    new_scratch,
    numbers,
    take_turn,
)
from gamecore.daifugo.state import State, start
from gamecore.daifugo.thinking import THOUGHT, greedy_play, sontaku_play
from gamecore.kernel import kernel

#: What is kept of a game: the generator and the deck before it, so that it can be played again,
#: who was dealt the first card, who led, the seats by rank, and what was counted.
PLAYED = np.dtype(
    (
        np.record,
        [
            ("random", np.uint64, 4),
            ("turns", np.int64),
            ("playouts", np.int64),
            ("order", np.int8, 4),
            ("deck", np.int8, 53),
            ("first", np.int8),
            ("leader", np.int8),
            ("drawn", np.bool_),
        ],
    )
)
MOST_GAMES = 10**7  # a gigabyte of them


class Series(Contest):
    """What came of consecutive games between four players.

    Attributes
    ----------
    orders : numpy.ndarray
        ``[game, place]``: the seat that came first, second, third, last.
    games : int
        How many games were played.
    counts : dict
        What else is counted in every game, by name, as arrays: ``stays`` (whether the first was
        first in the game before, too), ``drawn`` (whether the pass limit drew ranks), ``turns``
        (passes included); without functions among the players also ``playouts`` (random games that
        sontaku players played in their heads).

    Examples
    --------
    >>> series(1000, seed=1, players=["random"] * 4)
    Series: 1,000 games; mean points Sontaku 1.43, CPUA 1.45, CPUB 1.63, CPUC 1.49
    """

    def __init__(
        self,
        orders: np.ndarray,
        replayed: Callable[[int], list] | None = None,
        **counts: np.ndarray,
    ):
        orders = check.numbers(orders, "orders", (None, 4)).astype(np.int8)
        if not (np.sort(orders, axis=1) == np.arange(4)).all():
            raise ValueError("orders must hold the four seats of every game, best rank first")
        super().__init__(len(orders), replayed, **counts)
        self.orders = orders

    @cached_property
    def points(self) -> np.ndarray:
        """``[game, seat]``: 3, 2, 1, 0 points by rank."""
        return 3 - np.argsort(self.orders, axis=1)

    @cached_property
    def ranks(self) -> np.ndarray:
        """``[seat, place]``: how often a seat came first, second, third, last."""
        places = 3 - self.points
        return np.array([np.bincount(places[:, seat], minlength=4) for seat in range(4)])

    def scores(self) -> np.ndarray:
        """Return the mean points (評価値) per game and seat.

        Examples
        --------
        >>> round(float(series(10, seed=1, players=["greedy"] * 4).scores().sum()), 6)
        6.0
        """
        return self.ranks @ np.array([3, 2, 1, 0]) / self.games

    def __repr__(self) -> str:
        scores = zip(SEATS, self.scores(), strict=True)
        words = ", ".join(f"{name} {score:.2f}" for name, score in scores)
        return f"Series: {self.games:,} game{'s' * (self.games != 1)}; mean points {words}"


def series(
    games: int,
    seed: check.Seed,
    players: Sequence[Player] = ("sontaku", "random", "random", "random"),
    rules: Rules = Rules(),  # noqa: B008 (immutable)
    carry_over: bool = True,
) -> Series:
    """Play consecutive games between four players.

    Parameters
    ----------
    games : int
        How many.
    seed : int or numpy.random.SeedSequence
        Decides everything that is random; fewer games are the first of more.
    players : sequence of str, Sontaku or functions
        Four, by seat: names of `PLAYERS`, sontaku players with their settings, or functions from a
        view and a generator to a move. Random players at the table pass only when they must.
    rules : Rules
        The reading of the rules.
    carry_over : bool
        Whether ranks carry over, so that cards are exchanged from the second game on. Games then
        depend on each other, and an interval over games would be too narrow.

    References
    ----------
    The experiments AllRandom and SontakuA, B, C of Ohmuro and Yokoyama (see the module).

    Examples
    --------
    >>> series(1000, seed=1, players=["random"] * 4).ranks.sum(axis=0).tolist()
    [1000, 1000, 1000, 1000]

    A player of one's own, that plays its last move, the strongest:

    >>> def bold(view, generator):
    ...     return view.legal()[-1]
    >>> series(20, seed=1, players=[bold, "random", "random", "random"]).games
    20
    """
    check.whole(games, "games", 1, MOST_GAMES)
    if isinstance(players, str) or not isinstance(players, Sequence) or len(players) != 4:
        raise ValueError(f"players must be four, by seat, not {check.short(players)}")
    check.instance(rules, "rules", Rules)
    carried, seed = check.flag(carry_over, "carry_over"), check.seed(seed)
    in_python = any(map(callable, players))
    played = (_in_python if in_python else _in_kernel)(int(games), seed, players, rules, carried)
    orders, replayed, counts = played
    stays = np.zeros(games, bool)
    stays[1:] = carried & (orders[1:, 0] == orders[:-1, 0])
    return Series(orders, replayed, stays=stays, **counts)


def _in_python(games, seed, players, rules, carry_over):
    """Play with functions among the players; return what a `Series` needs."""
    generator, deciders = np.random.default_rng(seed), [decider(player) for player in players]
    orders = np.zeros((games, 4), np.int8)
    drawn, turns, begun, ranks = np.zeros(games, bool), np.zeros(games, np.int64), [], None
    for game in tqdm(range(games), "games", delay=5, leave=False):
        begun.append((generator.bit_generator.state, ranks))
        [end] = deque(playing(start(ranks, rules), deciders, generator), maxlen=1)
        orders[game], turns[game] = end.out, len(end.history)
        drawn[game] = end.passes == rules.pass_limit
        ranks = end.out if carry_over else None

    def replayed(game):
        generator.bit_generator.state, ranks = begun[game]
        return list(playing(start(ranks, rules), deciders, generator))

    return orders, replayed, {"drawn": drawn, "turns": turns}


def _in_kernel(games, seed, players, rules, carry_over):
    """Play inside a kernel; return what a `Series` needs."""
    known_players = [known(player) for player in players]
    seats = np.array([number for number, _ in known_players])
    helpers = numbers(*(helper for _, helper in known_players))
    check.memory(games * PLAYED.itemsize, f"what is kept of {games:,} games")
    played, slow = np.zeros(games, PLAYED), any(who.playouts > QUICK for _, who in known_players)

    def run(played, deck, ranks, scratch):
        moves = np.empty(53 * rules.pass_limit, np.int64)  # at most 53 plays, passes before each
        tables, thought = np.zeros(2, STATE), np.zeros(1, THOUGHT)[0]
        players, room = (seats, helpers, rules.numbers), (tables, thought, scratch)
        for done, end in check.stretches(len(played)):
            if done and carry_over:
                ranks[:] = tables[0].order
            part = played[done:end]
            if not slow:
                _series(*players, int(carry_over), deck, ranks, part, moves, *room)
                continue
            for kept in part:  # where a decision takes long, turn by turn
                before, turn, g = int(thought.playouts), 0, tables[0]
                _begin(rules.numbers, deck, ranks, kept, tables, scratch)
                while g.out < 4:
                    if seats[g.turn] in (RANDOM, GREEDY):
                        turn = _turns(*players, turn, turn + 1, moves, *room)
                        continue
                    moves[turn] = considered(tables, helpers[g.turn], rules.numbers, *room[1:])
                    take_turn(g, rules.numbers, moves[turn], scratch)
                    turn += 1
                _end(rules.numbers, turn, before, kept, tables, thought)
                if carry_over:
                    ranks[:] = g.order
        return moves

    def replayed(game):
        once, ranks = played[game : game + 1], None
        scratch, deck = new_scratch(0), once["deck"][0].astype(np.int64)
        scratch.random = once["random"][0]
        if game and carry_over:
            ranks = played["order"][game - 1].tolist()
        moves = run(once.copy(), deck, np.array(ranks or [-1] * 4), scratch)
        return _states(once[0], deck, moves[: once["turns"][0]].tolist(), start(ranks, rules))

    run(played, np.arange(53), np.full(4, -1), new_scratch(seed))
    counts = {name: played[name].copy() for name in ("drawn", "turns", "playouts")}
    return played["order"].copy(), replayed, counts


def _states(played: np.record, deck: np.ndarray, plays: list[int], begun: State) -> list[State]:
    """Return the states of a game that a kernel has played."""
    moves = [] if begun.ranks else [SEATS[played.first]]
    moves += [DECK[card] for card in deck]
    moves += [SEATS[played.leader]] if begun.rules.start == RANDOM_START else []
    states = [begun]
    for move in [*moves, *map(written, plays)]:
        states.append(states[-1].play(move))
    while states[-1].stage == "lots":
        drawn = SEATS[played.order[len(states[-1].out)]]
        states.append(states[-1].play(drawn))
    return states


@kernel
def _series(
    seats, helpers, rules, carry_over, deck, ranks, played, moves, tables, thought, scratch
):
    """Play one game for each of `played`; `deck` and `moves` are left holding the last one's."""
    g = tables[0]
    for game in range(len(played)):
        before = thought.playouts
        if game and carry_over:
            for place in range(4):
                ranks[place] = g.order[place]
        _begin(rules, deck, ranks, played[game], tables, scratch)
        turn = _turns(seats, helpers, rules, 0, len(moves), moves, tables, thought, scratch)
        _end(rules, turn, before, played[game], tables, thought)


@kernel
def _begin(rules, deck, ranks, kept, tables, scratch):
    """Shuffle, deal and find who leads."""
    g = tables[0]
    for i in range(4):
        kept.random[i] = scratch.random[i]
    for i in range(53):
        kept.deck[i] = deck[i]
    rng.shuffle(scratch.random, deck)
    kept.first = ranks[0] if ranks[0] >= 0 else rng.below(scratch.random, 4)
    deal(g, deck, kept.first)
    begin(g, ranks, rules, scratch)
    kept.leader = g.turn


@kernel
def _turns(seats, helpers, rules, turn, last, moves, tables, thought, scratch):
    """Play on from a turn to the end of the game, or to turn `last`; return the turn reached."""
    g = tables[0]
    while g.out < 4 and turn < last:
        player = seats[g.turn]
        if player == RANDOM:
            play = draw_play(g, rules, 0, scratch)
        elif player == GREEDY:
            play = greedy_play(g, rules, scratch)
        else:
            play = sontaku_play(tables, helpers[g.turn], rules, thought, scratch)
        take_turn(g, rules, play, scratch)
        moves[turn] = play
        turn += 1
    return turn


@kernel
def _end(rules, turn, before, kept, tables, thought):
    """Note how a game went; `before` is the number of playouts before it."""
    g = tables[0]
    for place in range(4):
        kept.order[place] = g.order[place]
    kept.drawn = g.passes >= rules.pass_limit
    kept.turns = turn
    kept.playouts = thought.playouts - before
