"""Daifugo in the page: four at a table, one of whom helps another, and its decisions weighed.

The helper sits in seat 0, as in the paper. Every state of a game is kept, and the generator's state
at every decision, so that a page can go back to any turn and weigh again what was weighed there.
Sets of cards have more bits than a page's numbers: they come in halves of 26 and 27 bits, and a
play with what its joker stands for as a third number.
"""

from math import sqrt

import numpy as np

from gamecore.bits import nth, popcount
from gamecore.daifugo.players import Sontaku
from gamecore.daifugo.plays import draw_play, list_plays
from gamecore.daifugo.rules import (
    ALONE,
    EIGHT,
    EMPTY,
    JOKER,
    PASS,
    PLAIN,
    SCRATCH,
    SINGLE,
    STAND_IN,
    STATE,
    Rules,
    _finish,
    begin,
    deal,
    numbers,
    shape,
    take_turn,
)
from gamecore.daifugo.thinking import (
    THOUGHT,
    best_option,
    list_options,
    look,
    reward_of,
    sontaku_play,
)  # fmt: skip
from gamecore.kernel import kernel
from gamecore.live.generator import below, decision, generator
from gamecore.live.plan import GameTable, Room

HELPER = 0
#: Turns of the longest game, and plays of the richest hand: 13 cards of a suit and the joker, 512.
TURNS, PLAYS = 53 * Rules().pass_limit, 1024
#: Why cards may not be laid.
FINE, NOTHING, NOT_HELD, NO_PLAY, OVER_JOKER, KIND, SIZE, LOCKED, WEAK = range(9)
_CARDS, _HALF = JOKER | PLAIN, 26
_LOW = (1 << _HALF) - 1


@kernel
def _write(play, to, at):
    """Write a play in numbers of 32 bits."""
    to[at] = play & _LOW
    to[at + 1] = (play & _CARDS) >> _HALF
    to[at + 2] = play >> STAND_IN


@kernel
def daifugo_begin(words, helped, g, friend, states, now):
    """Begin a sitting, with a seed; whom the helper helps is drawn if `helped` is 0."""
    generator(words, g)
    friend[0] = helped if helped else 1 + below(g, 3)
    now[0] = states[0].out = 0


@kernel
def daifugo_deal(g, rules, scratch, states, now, swapped):
    """Deal the next game; after another one the richest comes first, and cards are exchanged."""
    ranks, deck, dealt = np.full(4, -1), np.empty(53, np.int64), np.empty(4, np.int64)
    if states[now[0]].out == 4:
        for place in range(4):
            ranks[place] = states[now[0]].order[place]
    first = ranks[0] if ranks[0] >= 0 else below(g, 4)
    left = _CARDS
    for i in range(53):
        deck[i] = nth(left, below(g, 53 - i))
        left ^= 1 << deck[i]
    now[0] = 0
    t = states[0]
    deal(t, deck, first)
    for seat in range(4):
        dealt[seat] = t.hands[seat]
    begin(t, ranks, rules[0], scratch[0])
    for seat in range(4):
        _write(dealt[seat] & ~t.hands[seat], swapped[seat], 0)
        _write(t.hands[seat] & ~dealt[seat], swapped[seat], 3)


@kernel
def daifugo_look(turn, states, rules, helpers, thought, scratch, seen, hands, offered):
    """Write what there is to see at a turn, and the legal plays of whoever is to move."""
    t = states[turn]
    number = 0
    if t.out < 4:
        number = list_options(t, helpers[HELPER], rules[0], thought[0], scratch[0])
    for i in range(number):
        _write(thought[0].options[i], offered[i], 0)
    seen[0], seen[1], seen[2], seen[3], seen[4] = t.turn, t.owner, t.kind, t.locked, t.revolution
    seen[5], seen[6], seen[7] = t.passed, t.out, number
    _write(t.field, seen, 8)
    for k in range(4):
        seen[11 + k] = t.order[k] if k < t.out else -1
        seen[15 + k] = popcount(t.hands[k])
        _write(t.hands[k], hands[k], 0)


@kernel
def _fits(t, cards, rules, scratch, judged):
    """List in `judged` which legal plays are of just these cards; return how many are."""
    count = 0
    for i in range(list_plays(t, rules, scratch)):
        if scratch.plays[i] & _CARDS == cards:
            judged[2 + count] = i + 1  # pass is first of what is offered
            count += 1
    return count


@kernel
def daifugo_judge(low, high, states, now, rules, tables, scratch, judged):
    """Find the legal plays of just these cards, by number; if there are none, say why."""
    t, w, cards = states[now[0]], tables[1], low | high << _HALF
    judged[0], judged[1] = FINE, _fits(t, cards, rules[0], scratch[0], judged)
    if judged[1]:
        return
    tables[1] = states[now[0]]
    w.hands[w.turn], w.kind, w.locked = cards, EMPTY, 0
    count = _fits(w, cards, rules[0], scratch[0], judged)
    if cards == 0:
        judged[0] = NOTHING
    elif cards & ~t.hands[t.turn]:
        judged[0] = NOT_HELD
    elif count == 0:
        judged[0] = NO_PLAY
    else:
        kind, size, _, _, _ = shape(scratch[0].plays[judged[2] - 1])
        w.kind = t.kind
        if t.kind == SINGLE and t.low == ALONE:
            judged[0] = OVER_JOKER
        elif kind != t.kind:
            judged[0] = KIND
        elif size != t.length:
            judged[0] = SIZE
        else:
            judged[0] = LOCKED if _fits(w, cards, rules[0], scratch[0], judged) else WEAK


@kernel
def _turn(play, g, rules, scratch, states, now, told):
    """Take a turn, and tell of it; where the rules draw lots, chance is the game's generator."""
    n = now[0]
    states[n + 1] = states[n]
    before, t = states[n], states[n + 1]
    seat = before.turn
    drawn = play == PASS and t.passes + 1 == rules.pass_limit
    if drawn:
        t.passed |= 1 << seat
        t.passes += 1
        while t.out < 4:
            left = 15 & ~t.finished
            _finish(t, nth(left, below(g, popcount(left))))
    else:
        take_turn(t, rules, play, scratch)
    now[0] = n + 1
    told[0] = seat
    _write(play, told, 1)
    told[4] = told[6] = told[7] = told[8] = 0
    if play != PASS:
        _, _, low, high, suits = shape(play)
        told[4] = before.kind != EMPTY and suits == before.suits
        told[6] = low <= EIGHT <= high
        told[7] = before.kind == SINGLE and before.low == ALONE
        told[8] = t.hands[seat] == 0
    told[5] = before.revolution != t.revolution
    told[9] = t.turn if t.kind == EMPTY and t.passed == 0 and t.out < 4 else -1
    told[10] = drawn


@kernel
def daifugo_play(option, g, rules, helpers, thought, scratch, states, now, told):
    """Whoever is to move makes a play of those offered, by number."""
    t = states[now[0]]
    if t.out == 4:
        raise ValueError("the game is over")
    number = list_options(t, helpers[HELPER], rules[0], thought[0], scratch[0])
    if not 0 <= option < number:
        raise ValueError("that is not among the legal plays")
    _turn(thought[0].options[option], g, rules[0], scratch[0], states, now, told)


@kernel
def daifugo_reply(
    g, s, rules, helpers, friend, tables, thought, scratch, states, drawn, now, told
):  # fmt: skip
    """Let whoever is to move decide: the helper for its friend, everybody else at random."""
    n = now[0]
    if states[n].out == 4:
        raise ValueError("the game is over")
    decision(g, s)
    for k in range(4):
        scratch[0].random[k] = drawn[n, k] = s[k]
    tables[0] = states[n]
    if states[n].turn == HELPER:
        play = sontaku_play(tables, helpers[friend[0]], rules[0], thought[0], scratch[0])
    else:
        play = draw_play(tables[0], rules[0], 0, scratch[0])
    _turn(play, g, rules[0], scratch[0], states, now, told)


@kernel
def daifugo_weigh(
    turn, whose, rules, helpers, tables, thought, scratch, states, drawn, weighed, best
):  # fmt: skip
    """Weigh a decision again, for the reward of seat `whose`: means, standard errors, the best.

    Playouts are the decision's own, one by one to have their squares. They draw the same numbers,
    so that for the friend the means are those that decided.
    """
    helper = helpers[whose]
    tables[0] = states[turn]
    for k in range(4):
        scratch[0].random[k] = drawn[turn, k]
    number = list_options(tables[0], helper, rules[0], thought[0], scratch[0])
    look(tables, thought[0])
    for i in range(number):
        total, squares = 0, 0
        for _ in range(helper.playouts):
            reward = reward_of(tables, i, 1, helper, rules[0], thought[0], scratch[0])
            total += reward
            squares += reward * reward
        thought[0].rewards[i] = total
        n = float(helper.playouts)
        weighed[i, 0] = total / n
        weighed[i, 1] = sqrt((squares - total * total / n) / (n * (n - 1.0)))
    play = best_option(number, helper, thought[0], scratch[0])
    for i in range(number):
        if thought[0].options[i] == play:
            best[0] = i


TABLE = GameTable(
    [daifugo_begin, daifugo_deal, daifugo_look, daifugo_judge, daifugo_play, daifugo_reply,
     daifugo_weigh],
    {
        "helped": 0, "turn": 0, "low": 0, "high": 0, "option": 0, "whose": 0,
        "rules": numbers(Rules()), "helpers": numbers(*map(Sontaku, range(4))),
        "friend": Room(np.int64, (1,)), "now": Room(np.int64, (1,)),
        "states": Room(STATE, (TURNS + 1,)), "drawn": Room(np.uint64, (TURNS, 4)),
        "tables": Room(STATE, (2,)), "thought": Room(THOUGHT, (1,)), "scratch": Room(SCRATCH, (1,)),
        "seen": Room(np.int32, (19,)), "hands": Room(np.int32, (4, 3)),
        "offered": Room(np.int32, (PLAYS, 3)), "swapped": Room(np.int32, (4, 6)),
        "judged": Room(np.int32, (8,)), "told": Room(np.int32, (11,)),
        "weighed": Room(np.float64, (PLAYS, 2)), "best": Room(np.int64, (1,)),
    },
)  # fmt: skip
