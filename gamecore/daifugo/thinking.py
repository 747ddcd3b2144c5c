"""How the sontaku player thinks: options, redeals, playouts, rewards.

The kernels behind `gamecore.daifugo.players`.
"""

import numpy as np

from gamecore import rng
from gamecore.bits import popcount
from gamecore.daifugo import rules as r
from gamecore.daifugo.plays import draw_play, idle, list_plays
from gamecore.kernel import kernel

#: How the sontaku player breaks ties; after the pass comes list order.
TIES = ("pass first", "pass last", "random")
_PASS_LAST, RANDOM_TIES = 1, 2
#: Who plays in playouts: everybody at random, everybody greedily, or either by the toss of a coin
#: at every turn.
MODELS = ("random", "greedy", "mixed")
_GREEDY, _MIXED = 1, 2
#: What the sontaku player sees: its own hand, the beneficiary's too, or everybody's.
INFORMATION = ("own", "beneficiary", "everybody")
ONLY_OWN, _BENEFICIARYS = 0, 1
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
def redeal(w, thought, player, scratch):
    """Deal the unseen cards to the opponents of `player` anew, keeping their numbers.

    A hand that is seen stays: its size is noted as −1.
    """
    left = thought.count
    for seat in range(4):
        if seat != player and thought.sizes[seat] >= 0:
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
def play_on(w, awaited, sontaku, rules, scratch):
    """Play until all of `awaited` (bits) are out, by the sontaku player's model of everybody."""
    while awaited & ~w.finished:
        model = sontaku.model
        if model == _MIXED:
            model = rng.below(scratch.random, 2)
        if model == _GREEDY:
            play = greedy_play(w, rules, scratch)
        else:
            passes = sontaku.playout_passes
            if w.kind == r.EMPTY:
                passes = sontaku.playout_passes_leading & rules.pass_when_leading
            play = draw_play(w, rules, passes, scratch)
        r.take_turn(w, rules, play, scratch)
        if w.kind == r.SINGLE and sontaku.model != _MIXED:
            # Most turns of a playout: who must pass draws nothing, so all of them pass at once.
            seats = idle(w, rules)
            if seats:
                r.pass_turns(w, rules, seats, scratch)


@kernel
def _playout(w, sontaku, rules, scratch):
    """Play on until the beneficiary is out; return what its rank is worth."""
    play_on(w, 1 << sontaku.beneficiary, sontaku, rules, scratch)
    place, worth = 0, sontaku.reward
    while w.order[place] != sontaku.beneficiary:
        place += 1
    for _ in range(3 - place):
        worth //= 10
    return worth % 10


@kernel
def list_options(g, sontaku, rules, thought, scratch):
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
def look(tables, thought):
    """Note the cards that the seat to move does not see, and how many everybody holds."""
    g = tables[0]
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


@kernel
def _peek(g, sontaku, thought):
    """Take the hands that are seen from the unseen cards; a second time changes nothing."""
    count = 0
    for seat in range(4):
        seen = sontaku.information != _BENEFICIARYS or seat == sontaku.beneficiary
        if seat != g.turn and seen:
            thought.sizes[seat] = -1
    for i in range(thought.count):
        card, hidden = thought.unseen[i], False
        for seat in range(4):
            hidden |= thought.sizes[seat] >= 0 and g.hands[seat] & card != 0
        if hidden:
            thought.unseen[count] = card
            count += 1
    thought.count = count


@kernel
def reward_of(tables, option, playouts, sontaku, rules, thought, scratch):
    """Return the beneficiary's rewards of so many more playouts of an option, added up."""
    w, player, reward = tables[1], tables[0].turn, 0
    if sontaku.information != ONLY_OWN:
        _peek(tables[0], sontaku, thought)
    for _ in range(playouts):
        tables[1] = tables[0]
        redeal(w, thought, player, scratch)
        r.take_turn(w, rules, thought.options[option], scratch)
        reward += _playout(w, sontaku, rules, scratch)
    return reward


@kernel
def _weigh(tables, number, sontaku, rules, thought, scratch):
    """Total the beneficiary's rewards over the playouts of each option."""
    look(tables, thought)
    for i in range(number):
        more = reward_of(tables, i, sontaku.playouts, sontaku, rules, thought, scratch)
        thought.rewards[i] = more


@kernel
def sontaku_play(tables, sontaku, rules, thought, scratch):
    """Return the option with the best total reward of the beneficiary."""
    if tables[0].finished >> sontaku.beneficiary & 1:
        return draw_play(tables[0], rules, 0, scratch)
    number = list_options(tables[0], sontaku, rules, thought, scratch)
    if number > 1:
        _weigh(tables, number, sontaku, rules, thought, scratch)
        thought.playouts += number * sontaku.playouts
    return best_option(number, sontaku, thought, scratch)


@kernel
def best_option(number, sontaku, thought, scratch):
    """Return the option of the best total; of several, by the player's rule for ties."""
    best, ties = 0, 1
    for i in range(1, number):
        if thought.rewards[i] > thought.rewards[best]:
            best, ties = i, 1
        elif thought.rewards[i] == thought.rewards[best] and sontaku.ties == RANDOM_TIES:
            ties += 1
            if rng.below(scratch.random, ties) == 0:
                best = i
    return thought.options[best]
