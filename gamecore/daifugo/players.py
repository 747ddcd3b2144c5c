"""Who decides: the random, the greedy and the sontaku (忖度) player, and series of games.

The sontaku player is flat Monte-Carlo search for somebody else: for every legal play
it redeals the cards it does not see, lets everybody play at random until the *beneficiary* is out,
and chooses the play with the best mean reward of the beneficiary: 3, 2, 1, 0 points by rank.

References
----------
H. Ohmuro and D. Yokoyama, "A study of a computer player that enable letting a specific opponent
win in Daifugo", IPSJ National Convention, 4S-04.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gamecore import rng
from gamecore.bits import popcount
from gamecore.daifugo import rules as r
from gamecore.daifugo.cards import decode
from gamecore.daifugo.plays import draw_play, list_plays
from gamecore.daifugo.rules import Rules
from gamecore.daifugo.table import SEATS, Record, Table
from gamecore.kernel import kernel

PLAYERS = ("random", "greedy", "sontaku")
_RANDOM, _GREEDY, _SONTAKU = range(3)
#: How the sontaku player breaks ties; after the pass comes list order.
TIES = ("pass first", "pass last", "random")
_PASS_LAST, _RANDOM_TIES = 1, 2
#: What a sontaku player has in mind: its options, their rewards, the unseen cards, the sizes
#: of hands.
_THOUGHT = np.dtype(
    [
        ("options", np.int64, r.MOST_PLAYS + 1),
        ("rewards", np.int64, r.MOST_PLAYS + 1),
        ("unseen", np.int64, 53),
        ("count", np.int64),
        ("sizes", np.int64, 4),
    ]
)
_MOST_TURNS = 2048  # 53 plays with 19 passes before each are 1060 turns


class Sontaku(NamedTuple):
    """What a sontaku player does; the paper settles the first two, the others are readings.

    Examples
    --------
    >>> helper = Sontaku(beneficiary=2, playouts=50)
    >>> SEATS[helper.beneficiary], TIES[helper.ties]
    ('CPUB', 'pass first')
    """

    beneficiary: int = 1  # seat of the player to help; one's own seat makes it an ordinary player
    """The seat of the player to help; with the own seat it plays for itself."""
    playouts: int = 100  # for each legal play
    """Random games for each legal play."""
    passes_leading: bool = True  # considers a pass on an empty field too
    """Whether it also considers a pass on an empty field."""
    playout_passes: bool = True  # in playouts a pass is one more choice when following …
    """Whether in playouts a pass is one more choice of who follows."""
    playout_passes_leading: bool = True  # … and on an empty field
    """Whether in playouts a pass is one more choice of who leads."""
    ties: int = 0  # an index of TIES
    """How ties are broken, as an index of `TIES`."""


class Series(NamedTuple):
    """What happened in consecutive games.

    Examples
    --------
    >>> played = series(10, seed=1, players=["random"] * 4)
    >>> int(played.ranks[0].sum()), round(float(played.scores().sum()), 6)
    (10, 6.0)
    """

    ranks: np.ndarray  # [seat, place]: how often a seat came first, second, third, last
    """``[seat, place]``: how often a seat came first, second, third, last."""
    stays: int  # games whose first was first in the game before, too
    """Games whose first was first in the game before, too."""
    drawn: int  # games in which the pass limit drew ranks
    """Games in which the pass limit drew ranks."""
    turns: int
    """Turns, passes included."""
    playouts: int
    """Random games that sontaku players played in their heads."""

    def scores(self) -> np.ndarray:
        """Return the mean points (評価値) per game and seat: 3, 2, 1, 0 by rank."""
        return self.ranks @ np.array([3, 2, 1, 0]) / self.ranks[0].sum()


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
    return Record(dealt, opening, plays, final["order"].tolist(), ranks, rules)


def rewards(
    table: Table,
    seed: int | np.random.SeedSequence,
    sontaku: Sontaku = Sontaku(),  # noqa: B008
) -> dict[str, float]:
    """Return the beneficiary's mean reward for everything that the seat to move may do.

    Parameters
    ----------
    table : Table
        The position; cards that the seat to move does not see are redealt in every playout.
    seed : int or numpy.random.SeedSequence
        Decides the playouts.
    sontaku : Sontaku
        Whom to help, and how to search.

    Returns
    -------
    dict
        Mean points by play, in the order that decides ties; the sontaku player takes the largest.

    References
    ----------
    Section 3 of Ohmuro and Yokoyama (see the module).

    Examples
    --------
    >>> table = Table(["D3 S2", "H4 H5", "C9", "DK"], turn=0)
    >>> list(rewards(table, seed=1))
    ['pass', 'D3', 'S2']
    """
    _check(sontaku, table.rules)
    if table.state["finished"] >> sontaku.beneficiary & 1:
        raise ValueError(f"{SEATS[sontaku.beneficiary]} is out already: nothing to weigh")
    tables = np.zeros(2, r.STATE)
    tables[0] = table.state
    mind, rules = Sontaku._make(map(int, sontaku)), Rules._make(map(int, table.rules))
    thoughts, desk = np.zeros(1, _THOUGHT), np.zeros(1, r.DESK)
    desk["random"][0] = rng.state(seed)
    number = _options(tables[0], mind, rules, thoughts[0], desk[0])
    _weigh(tables, number, mind, rules, thoughts[0], desk[0])
    names = [str(decode(play)) if play else "pass" for play in thoughts["options"][0, :number]]
    means = thoughts["rewards"][0, :number] / sontaku.playouts
    return dict(zip(names, means.tolist(), strict=True))


def _check(sontaku: Sontaku, rules: Rules) -> None:
    if sontaku.beneficiary not in range(4) or sontaku.playouts < 1:
        raise ValueError("a sontaku player needs a beneficiary from 0 to 3 and 1 playout or more")
    if sontaku.ties not in range(len(TIES)) or rules.start not in range(len(r.STARTS)):
        raise ValueError(f"ties is an index of {TIES}, start one of {r.STARTS}")
    if rules.pass_limit < 4:
        raise ValueError(f"the pass limit must be at least 4, not {rules.pass_limit}")


def _run(games, seed, players, sontaku, rules, carry_over):
    """Check the arguments, play, and return all that the kernel leaves behind."""
    if games < 1:
        raise ValueError(f"games must be at least 1, not {games}")
    if len(players) != 4 or not set(players) <= set(PLAYERS):
        raise ValueError(f"players must be four of {', '.join(PLAYERS)}, not {players}")
    _check(sontaku, rules)
    seats = np.array([PLAYERS.index(player) for player in players], np.int64)
    counts, totals = np.zeros((4, 4), np.int64), np.zeros(4, np.int64)
    tables, log = np.zeros(4, r.STATE), np.empty(_MOST_TURNS, np.int64)
    ranks = np.full(4, -1, np.int64)
    thoughts, desk = np.zeros(1, _THOUGHT), np.zeros(1, r.DESK)
    desk["random"][0] = rng.state(seed)
    settings = Sontaku._make(map(int, sontaku)), Rules._make(map(int, rules)), int(carry_over)
    _series(games, seats, *settings, counts, totals, tables, log, ranks, thoughts, desk)
    return counts, totals, tables, log, ranks.tolist() if ranks[0] >= 0 else []


@kernel
def _greedy(g, rules, d):
    """Return the play whose rank is easiest to beat, first in list order; pass without any."""
    best, play = 1000, r.PASS
    for i in range(list_plays(g, rules, d)):
        _, _, low, high, _ = r.shape(d.plays[i])
        rank = -low if g.revolution and low < r.ALONE else high
        if rank < best:
            best, play = rank, d.plays[i]
    return play


@kernel
def _redeal(w, thought, player, d):
    """Deal the unseen cards to the opponents of `player` anew, keeping their numbers."""
    left = thought.count
    for seat in range(4):
        if seat != player:
            hand = 0
            for _ in range(thought.sizes[seat]):
                k = rng.below(d.random, left)
                left -= 1
                card = thought.unseen[k]
                thought.unseen[k] = thought.unseen[left]
                thought.unseen[left] = card
                hand |= card
            w.hands[seat] = hand


@kernel
def _playout(w, mind, rules, d):
    """Play on at random until the beneficiary is out; return its points."""
    while not w.finished >> mind.beneficiary & 1:
        passes = mind.playout_passes
        if w.kind == r.EMPTY:
            passes = mind.playout_passes_leading & rules.pass_when_leading
        r.take_turn(w, rules, draw_play(w, rules, passes, d), d)
    place = 0
    while w.order[place] != mind.beneficiary:
        place += 1
    return 3 - place


@kernel
def _options(g, mind, rules, thought, d):
    """List what the sontaku player may do, in the order that decides ties; return how many."""
    number = list_plays(g, rules, d)
    passes = g.kind != r.EMPTY or (mind.passes_leading and rules.pass_when_leading)
    shift = 1 if passes and mind.ties != _PASS_LAST else 0
    for i in range(number):
        thought.options[i + shift] = d.plays[i]
    if passes:
        thought.options[0 if shift else number] = r.PASS
        number += 1
    return number


@kernel
def _weigh(tables, number, mind, rules, thought, d):
    """Total the beneficiary's rewards over the playouts of each option."""
    g, w = tables[0], tables[1]
    player, hidden, count = g.turn, 0, 0
    for seat in range(4):
        thought.sizes[seat] = popcount(g.hands[seat])
        if seat != player:
            hidden |= g.hands[seat]
    while hidden:
        thought.unseen[count] = hidden & -hidden
        hidden &= hidden - 1
        count += 1
    thought.count = count
    for i in range(number):
        reward = 0
        for _ in range(mind.playouts):
            tables[1] = tables[0]
            _redeal(w, thought, player, d)
            r.take_turn(w, rules, thought.options[i], d)
            reward += _playout(w, mind, rules, d)
        thought.rewards[i] = reward


@kernel
def _sontaku(tables, mind, rules, thought, d, totals):
    """Return the option with the best total reward of the beneficiary."""
    if tables[0].finished >> mind.beneficiary & 1:
        return draw_play(tables[0], rules, 0, d)
    number = _options(tables[0], mind, rules, thought, d)
    if number == 1:
        return thought.options[0]
    _weigh(tables, number, mind, rules, thought, d)
    totals[3] += number * mind.playouts
    best, ties = 0, 1
    for i in range(1, number):
        if thought.rewards[i] > thought.rewards[best]:
            best, ties = i, 1
        elif thought.rewards[i] == thought.rewards[best] and mind.ties == _RANDOM_TIES:
            ties += 1
            if rng.below(d.random, ties) == 0:
                best = i
    return thought.options[best]


@kernel
def _series(
    games, seats, mind, rules, carry_over, counts, totals, tables, log, ranks, thoughts, desk
):
    """Play; `tables` and `log` are left holding the last game, `ranks` those before it.

    Tables: the game, the playout, and for the record the deal, the opening.
    """
    g, d, thought = tables[0], desk[0], thoughts[0]
    deck = np.arange(53)
    for game in range(games):
        if game and carry_over:
            for place in range(4):
                ranks[place] = g.order[place]
        rng.shuffle(d.random, deck)
        first = ranks[0] if ranks[0] >= 0 else rng.below(d.random, 4)
        r.deal(g, deck, first)
        tables[2] = tables[0]
        r.begin(g, ranks, rules, d)
        tables[3] = tables[0]
        turn = 0
        while g.out < 4:
            player = seats[g.turn]
            if player == _RANDOM:
                play = draw_play(g, rules, 0, d)
            elif player == _GREEDY:
                play = _greedy(g, rules, d)
            else:
                play = _sontaku(tables, mind, rules, thought, d, totals)
            r.take_turn(g, rules, play, d)
            log[turn] = play
            turn += 1
        log[turn] = -1
        for place in range(4):
            counts[g.order[place], place] += 1
        totals[0] += g.order[0] == ranks[0]
        totals[1] += g.passes >= rules.pass_limit
        totals[2] += turn
