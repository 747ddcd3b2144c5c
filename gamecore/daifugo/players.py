"""Who decides: the random, the greedy and the sontaku (忖度) player.

The sontaku player is flat Monte-Carlo search for somebody else: for every legal play
it redeals the cards it does not see, lets everybody play at random until the *beneficiary* is out,
and chooses the play with the best mean reward of the beneficiary: 3, 2, 1, 0 points by rank.

References
----------
H. Ohmuro and D. Yokoyama, "A study of a computer player that enable letting a specific opponent
win in Daifugo", IPSJ National Convention, 4S-04.
"""

from typing import NamedTuple

import numpy as np

from gamecore import rng
from gamecore.bits import popcount
from gamecore.daifugo import rules as r
from gamecore.daifugo.cards import decode
from gamecore.daifugo.plays import draw_play, list_plays
from gamecore.daifugo.rules import Rules
from gamecore.daifugo.table import SEATS, Table
from gamecore.kernel import kernel

PLAYERS = ("random", "greedy", "sontaku")
RANDOM, GREEDY, SONTAKU = range(3)
#: How the sontaku player breaks ties; after the pass comes list order.
TIES = ("pass first", "pass last", "random")
_PASS_LAST, _RANDOM_TIES = 1, 2
#: What a sontaku player weighs: its options, their rewards, the unseen cards, the sizes
#: of hands, and how many playouts it has played so far.
THOUGHT = np.dtype(
    (
        np.record,
        [
            ("options", np.int64, r.MOST_PLAYS + 1),
            ("rewards", np.int64, r.MOST_PLAYS + 1),
            ("unseen", np.int64, 53),
            ("count", np.int64),
            ("sizes", np.int64, 4),
            ("playouts", np.int64),
        ],
    )
)


class Sontaku(NamedTuple):
    """What a sontaku player does; the paper settles the first two, the others are readings.

    Examples
    --------
    >>> helper = Sontaku(beneficiary=2, playouts=50)
    >>> SEATS[helper.beneficiary], TIES[helper.ties]
    ('CPUB', 'pass first')
    """

    beneficiary: int = 1
    """The seat of the player to help; with the own seat it plays for itself."""
    playouts: int = 100
    """Random games for each legal play."""
    passes_leading: bool = True
    """Whether it also considers a pass on an empty field."""
    playout_passes: bool = True
    """Whether in playouts a pass is one more choice of who follows."""
    playout_passes_leading: bool = True
    """Whether in playouts a pass is one more choice of who leads."""
    ties: int = 0
    """How ties are broken, as an index of `TIES`."""


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
    sontaku, rules = settings(sontaku, table.rules)
    if table.state.finished >> sontaku.beneficiary & 1:
        raise ValueError(f"{SEATS[sontaku.beneficiary]} is out already: nothing to weigh")
    tables = np.zeros(2, r.STATE)
    tables[0] = table.state
    thought, scratch = np.zeros(1, THOUGHT)[0], r.new_scratch(seed)
    number = _options(tables[0], sontaku, rules, thought, scratch)
    _weigh(tables, number, sontaku, rules, thought, scratch)
    plays = thought.options[:number].tolist()
    names = [str(decode(play)) if play else "pass" for play in plays]
    means = thought.rewards[:number] / sontaku.playouts
    return dict(zip(names, means.tolist(), strict=True))


def settings(sontaku: Sontaku, rules: Rules) -> tuple[Sontaku, Rules]:
    """Check how the sontaku player and the rules are set; return both as numbers for kernels."""
    if sontaku.beneficiary not in range(4) or sontaku.playouts < 1:
        raise ValueError("a sontaku player needs a beneficiary from 0 to 3 and 1 playout or more")
    if sontaku.ties not in range(len(TIES)) or rules.start not in range(len(r.STARTS)):
        raise ValueError(f"ties is an index of {TIES}, start one of {r.STARTS}")
    if rules.pass_limit < 4:
        raise ValueError(f"the pass limit must be at least 4, not {rules.pass_limit}")
    return Sontaku._make(map(int, sontaku)), Rules._make(map(int, rules))


@kernel
def greedy_play(g, rules, scratch):
    """Return the play whose rank is easiest to beat, first in list order; pass without any."""
    best, play = 1000, r.PASS
    for i in range(list_plays(g, rules, scratch)):
        _, _, low, high, _ = r.shape(scratch.plays[i])
        rank = -low if g.revolution and low < r.ALONE else high
        if rank < best:
            best, play = rank, scratch.plays[i]
    return play


@kernel
def _redeal(w, thought, player, scratch):
    """Deal the unseen cards to the opponents of `player` anew, keeping their numbers."""
    left = thought.count
    for seat in range(4):
        if seat != player:
            hand = 0
            for _ in range(thought.sizes[seat]):
                k = rng.below(scratch.random, left)
                left -= 1
                card = thought.unseen[k]
                thought.unseen[k] = thought.unseen[left]
                thought.unseen[left] = card
                hand |= card
            w.hands[seat] = hand


@kernel
def _playout(w, sontaku, rules, scratch):
    """Play on at random until the beneficiary is out; return its points."""
    while not w.finished >> sontaku.beneficiary & 1:
        passes = sontaku.playout_passes
        if w.kind == r.EMPTY:
            passes = sontaku.playout_passes_leading & rules.pass_when_leading
        r.take_turn(w, rules, draw_play(w, rules, passes, scratch), scratch)
    place = 0
    while w.order[place] != sontaku.beneficiary:
        place += 1
    return 3 - place


@kernel
def _options(g, sontaku, rules, thought, scratch):
    """List what the sontaku player may do, in the order that decides ties; return how many."""
    number = list_plays(g, rules, scratch)
    passes = g.kind != r.EMPTY or (sontaku.passes_leading and rules.pass_when_leading)
    shift = 1 if passes and sontaku.ties != _PASS_LAST else 0
    for i in range(number):
        thought.options[i + shift] = scratch.plays[i]
    if passes:
        thought.options[0 if shift else number] = r.PASS
        number += 1
    return number


@kernel
def _weigh(tables, number, sontaku, rules, thought, scratch):
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
        for _ in range(sontaku.playouts):
            tables[1] = tables[0]
            _redeal(w, thought, player, scratch)
            r.take_turn(w, rules, thought.options[i], scratch)
            reward += _playout(w, sontaku, rules, scratch)
        thought.rewards[i] = reward


@kernel
def sontaku_play(tables, sontaku, rules, thought, scratch):
    """Return the option with the best total reward of the beneficiary."""
    if tables[0].finished >> sontaku.beneficiary & 1:
        return draw_play(tables[0], rules, 0, scratch)
    number = _options(tables[0], sontaku, rules, thought, scratch)
    if number == 1:
        return thought.options[0]
    _weigh(tables, number, sontaku, rules, thought, scratch)
    thought.playouts += number * sontaku.playouts
    best, ties = 0, 1
    for i in range(1, number):
        if thought.rewards[i] > thought.rewards[best]:
            best, ties = i, 1
        elif thought.rewards[i] == thought.rewards[best] and sontaku.ties == _RANDOM_TIES:
            ties += 1
            if rng.below(scratch.random, ties) == 0:
                best = i
    return thought.options[best]
