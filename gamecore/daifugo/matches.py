"""Series of games between four players in which ranks carry over, and their records."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gamecore import rng
from gamecore.daifugo.cards import decode
from gamecore.daifugo.players import (
    GREEDY,
    PLAYERS,
    RANDOM,
    THOUGHT,
    Sontaku,
    greedy_play,
    settings,
    sontaku_play,
)
from gamecore.daifugo.plays import draw_play
from gamecore.daifugo.rules import STATE, Rules, begin, deal, new_scratch, take_turn
from gamecore.daifugo.table import Table
from gamecore.kernel import kernel


class Series(NamedTuple):
    """What happened in consecutive games.

    Examples
    --------
    >>> played = series(10, seed=1, players=["random"] * 4)
    >>> int(played.ranks[0].sum()), round(float(played.scores().sum()), 6)
    (10, 6.0)
    """

    ranks: np.ndarray
    """``[seat, place]``: how often a seat came first, second, third, last."""
    stays: int
    """Games whose first was first in the game before, too."""
    drawn: int
    """Games in which the pass limit drew ranks."""
    turns: int
    """Turns, passes included."""
    playouts: int
    """Random games that sontaku players played in their heads."""

    def scores(self) -> np.ndarray:
        """Return the mean points (評価値) per game and seat: 3, 2, 1, 0 by rank."""
        return self.ranks @ np.array([3, 2, 1, 0]) / self.ranks[0].sum()


class Record(NamedTuple):
    """One game of a series: everything that is needed to play it again.

    Examples
    --------
    >>> record = replay(0, seed=1, players=["random"] * 4)
    >>> record.table().order == record.order  # played again to the end
    True
    """

    dealt: np.record
    """The kernels' state before cards are exchanged."""
    opening: np.record
    """The state when the first trick begins; see `Table.of`."""
    plays: list[int]
    """What was played in each turn, as kernels write it; 0 is a pass."""
    order: list[int]
    """The seats by rank, best first."""
    before: list[int]
    """The seats by rank in the game before; empty in a first game."""
    rules: Rules
    """The reading of the rules."""

    def table(self, turns: int | None = None) -> Table:
        """Return the table after some turns, or at the end, with the log of how it came there."""
        table = Table.of(self.opening, self.rules)
        for play in self.plays[:turns]:
            table.play(decode(play) if play else None)
        return table


def series(
    games: int,
    seed: int | np.random.SeedSequence,
    players: Sequence[str] = ("sontaku", "random", "random", "random"),
    sontaku: Sontaku = Sontaku(),  # noqa: B008 (immutable)
    rules: Rules = Rules(),  # noqa: B008
    carry_over: bool = True,
) -> Series:
    """Play consecutive games and count who came where.

    Parameters
    ----------
    games : int
        How many.
    seed : int or numpy.random.SeedSequence
        Decides everything that is random; fewer games are the first of more.
    players : sequence of str
        Four of `PLAYERS`, by seat. Random players at the table pass only when they must.
    sontaku : Sontaku
        What players called ``"sontaku"`` do.
    rules : Rules
        The reading of the rules.
    carry_over : bool
        Whether ranks carry over, so that cards are exchanged from the second game on.

    References
    ----------
    The experiments AllRandom and SontakuA, B, C of Ohmuro and Yokoyama (see the module).

    Examples
    --------
    >>> everybody_random = series(1000, seed=1, players=["random"] * 4)
    >>> everybody_random.ranks.sum(axis=0).tolist()
    [1000, 1000, 1000, 1000]
    """
    counts, totals, *_ = _run(games, seed, players, sontaku, rules, carry_over)
    return Series(counts, *map(int, totals))


def replay(
    game: int,
    seed: int | np.random.SeedSequence,
    players: Sequence[str] = ("sontaku", "random", "random", "random"),
    sontaku: Sontaku = Sontaku(),  # noqa: B008
    rules: Rules = Rules(),  # noqa: B008
    carry_over: bool = True,
) -> Record:
    """Return the record of one game of a `series`, counted from 0; see there for the parameters.

    Examples
    --------
    >>> record = replay(0, seed=1, players=["greedy"] * 4)
    >>> sorted(record.order)
    [0, 1, 2, 3]
    """
    if game < 0:
        raise ValueError(f"games are counted from 0, not {game}")
    *_, tables, log, ranks = _run(game + 1, seed, players, sontaku, rules, carry_over)
    final, _, dealt, opening = tables
    plays = log[: np.argmax(log < 0)].tolist()
    return Record(dealt, opening, plays, final.order.tolist(), ranks, rules)


def _run(games, seed, players, sontaku, rules, carry_over):
    """Check the arguments, play, and return all that the kernel leaves behind."""
    if games < 1:
        raise ValueError(f"games must be at least 1, not {games}")
    if len(players) != 4 or not set(players) <= set(PLAYERS):
        raise ValueError(f"players must be four of {', '.join(PLAYERS)}, not {players}")
    sontaku, rules = settings(sontaku, rules)
    seats = np.array([PLAYERS.index(player) for player in players], np.int64)
    counts, totals = np.zeros((4, 4), np.int64), np.zeros(4, np.int64)
    log = np.empty(53 * rules.pass_limit + 1, np.int64)  # 53 plays, passes before each, the end
    tables, ranks = np.zeros(4, STATE), np.full(4, -1, np.int64)
    thought, scratch = np.zeros(1, THOUGHT)[0], new_scratch(seed)
    options = sontaku, rules, int(carry_over)
    _series(games, seats, *options, counts, totals, tables, log, ranks, thought, scratch)
    return counts, totals, tables, log, ranks.tolist() if ranks[0] >= 0 else []


@kernel
def _series(
    games, seats, sontaku, rules, carry_over, counts, totals, tables, log, ranks, thought, scratch
):
    """Play; `tables` and `log` are left holding the last game, `ranks` those before it.

    Tables: the game, the playout, and for the record the deal, the opening.
    """
    g = tables[0]
    deck = np.arange(53)
    for game in range(games):
        if game and carry_over:
            for place in range(4):
                ranks[place] = g.order[place]
        rng.shuffle(scratch.random, deck)
        first = ranks[0] if ranks[0] >= 0 else rng.below(scratch.random, 4)
        deal(g, deck, first)
        tables[2] = tables[0]
        begin(g, ranks, rules, scratch)
        tables[3] = tables[0]
        turn = 0
        while g.out < 4:
            player = seats[g.turn]
            if player == RANDOM:
                play = draw_play(g, rules, 0, scratch)
            elif player == GREEDY:
                play = greedy_play(g, rules, scratch)
            else:
                play = sontaku_play(tables, sontaku, rules, thought, scratch)
            take_turn(g, rules, play, scratch)
            log[turn] = play
            turn += 1
        log[turn] = -1
        for place in range(4):
            counts[g.order[place], place] += 1
        totals[0] += g.order[0] == ranks[0]
        totals[1] += g.passes >= rules.pass_limit
        totals[2] += turn
    totals[3] = thought.playouts
