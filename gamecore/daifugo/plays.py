"""The legal plays (合法手) of a state: all of them in list order, or one drawn at random.

List order is singles, groups, sequences; then the lowest rank from 3 to 2 (the joker last, and the
same under revolution), size, plays without joker first, cards by rank and suit, and what the joker
stands for. It decides ties between plays, so it is part of the rules of the experiment.
"""

from itertools import combinations

import numpy as np

from gamecore import rng
from gamecore.bits import lowest, nth, popcount
from gamecore.daifugo import rules as r
from gamecore.kernel import constant, inlined, kernel

#: Repeats a set of suits at every rank.
EVERY_RANK = sum(1 << 4 * rank for rank in range(13))


def _subsets() -> tuple[np.ndarray, np.ndarray]:
    """Return the subsets of each set of suits by size, in list order, and their number."""
    listed, number = np.zeros((16, 5, 6), np.int64), np.zeros((16, 5), np.int64)
    for suits in range(16):
        held = [suit for suit in range(4) if suits >> suit & 1]
        for size in range(1, 5):
            for i, chosen in enumerate(combinations(held, size)):
                listed[suits, size, i] = sum(1 << suit for suit in chosen)
                number[suits, size] = i + 1
    return listed, number


SUBSETS, SUBSET_COUNT = map(constant, _subsets())


@kernel
def _stronger(g):
    """Return the cards but the joker that beat those on the field, in its suits if locked."""
    below, above = (1 << 4 * (g.low - 1)) - 1, r.PLAIN & ~((1 << 4 * g.high) - 1)
    cards = below if g.revolution else above
    return cards & g.suits * EVERY_RANK if g.locked else cards


@kernel
def _following(g):
    """Return the cards that may follow the single on the field."""
    return r.SPADE_THREE if g.low == r.ALONE else _stronger(g) | r.JOKER


@inlined
def idle(g, rules):
    """Return the seats that come, from the one to move on, before any that can follow a single."""
    cards, waiting, able = _following(g), r.waiting(g, rules), 0
    for seat in range(4):
        able |= (g.hands[seat] & cards != 0) << seat
    able &= waiting
    ahead = lowest((able | able << 4) >> g.turn | 16)
    seats = ((1 << ahead) - 1) << g.turn
    return (seats | seats >> 4) & waiting


@kernel
def _groups(g, hand, rules, scratch, n):
    """Append the groups of `hand` that may be laid: by rank, size, joker, suits."""
    joker, rest = hand & r.JOKER, hand & r.PLAIN
    smallest, largest, allowed = 2, 5, 15
    if g.kind == r.GROUP:
        smallest = largest = g.length
        rest &= _stronger(g)
        if g.locked:
            allowed = g.suits
    # How many cards of each rank, in its own four bits; 8 is reached where there are enough.
    number = rest - ((rest >> 1) & 5 * EVERY_RANK)
    number = (number & 3 * EVERY_RANK) + ((number >> 2) & 3 * EVERY_RANK)
    ranks = (number + (8 - smallest + (joker != 0)) * EVERY_RANK) & 8 * EVERY_RANK
    while ranks:
        rank = lowest(ranks) >> 2
        ranks &= ranks - 1
        held = (rest >> 4 * rank) & 15
        most = min(popcount(held) + (joker != 0), largest)
        for size in range(smallest, most + 1):
            if size <= 4:
                for i in range(SUBSET_COUNT[held, size]):
                    scratch.plays[n] = SUBSETS[held, size, i] << 4 * rank
                    n += 1
            if not joker:
                continue
            for i in range(SUBSET_COUNT[held, size - 1]):
                suits = SUBSETS[held, size - 1, i]
                cards = suits << 4 * rank | joker
                if suits == 15:  # the fifth of a kind stands for nothing
                    scratch.plays[n] = cards
                    n += 1
                    continue
                missing = allowed & ~suits
                while missing:
                    stands_for = 4 * (rank + 1) + lowest(missing)
                    scratch.plays[n] = cards | (stands_for + 1) << r.STAND_IN
                    n += 1
                    missing = missing & (missing - 1) if rules.joker_each else 0
    return n


@kernel
def _sequences(g, hand, rules, scratch, n):
    """Append the sequences of `hand` that may be laid: by lowest rank, size, joker, cards."""
    joker, held = hand & r.JOKER, (hand & r.PLAIN) << 4
    pairs = held & held >> 4
    triples = pairs & pairs >> 4
    if not (joker and (pairs or held & held >> 8)) and not triples:
        return n  # most hands: no three in a row, nor two that a joker completes
    following = g.kind == r.SEQUENCE
    first, last = (0, 14) if joker and rules.joker_beyond else (1, 13)
    bottom, top = first, last
    if following:
        if g.revolution:
            top = g.low - 1
        else:
            bottom = g.high + 1
    suits_allowed = g.suits if following and g.locked else 15
    for low in range(bottom, top - 1):
        if not (joker or triples >> 4 * low & 15):
            continue
        whole, gap = suits_allowed, 0  # suits in which no card, exactly one card is missing
        for high in range(low, top + 1):
            here = (held >> 4 * high) & 15
            gap = (gap & here) | (whole & ~here)
            whole &= here
            if not (whole or (joker and gap)):
                break
            size = high - low + 1
            if size < 3 or (following and size < g.length):
                continue
            run = 0  # the sequence's positions in suit 0
            for position in range(low, high + 1):
                run |= 1 << 4 * position
            for suit in range(4):
                if whole >> suit & 1:
                    scratch.plays[n] = (run << suit) >> 4
                    n += 1
            if joker:
                # List order compares the cards: a joker high up leaves the lowest cards. With the
                # joker at the bottom the cards start higher, so these come after all suits.
                for suit in range(4):
                    if (whole | gap) >> suit & 1:
                        for position in range(high, low, -1):
                            n = _with_joker(held, run << suit, 4 * position + suit, scratch, n)
                for suit in range(4):
                    if (whole | gap) >> suit & 1:
                        n = _with_joker(held, run << suit, 4 * low + suit, scratch, n)
            if following:
                break
    return n


@kernel
def _with_joker(held, run, place, scratch, n):
    """Append the sequence `run` with the joker at `place`, if all its other cards are held."""
    cards = run & ~(1 << place)
    if not cards & ~held:
        scratch.plays[n] = cards >> 4 | r.JOKER | (place + 1) << r.STAND_IN
        n += 1
    return n


@kernel
def larger_plays(g, rules, scratch):
    """List the legal plays of more than one card in `scratch`; return their number."""
    hand, kind, n = g.hands[g.turn], g.kind, 0
    if kind in (r.EMPTY, r.GROUP):
        n = _groups(g, hand, rules, scratch, n)
    if kind in (r.EMPTY, r.SEQUENCE):
        n = _sequences(g, hand, rules, scratch, n)
    return n


@kernel
def singles(g):
    """Return the cards that the seat to move may lay on their own, as a set."""
    hand = g.hands[g.turn]
    if g.kind == r.EMPTY:
        return hand
    return hand & _following(g) if g.kind == r.SINGLE else 0


@kernel
def list_plays(g, rules, scratch):
    """List all legal plays, pass excluded, in `scratch`; return their number."""
    larger = larger_plays(g, rules, scratch)
    cards = singles(g)
    number = popcount(cards)
    for i in range(larger - 1, -1, -1):
        scratch.plays[i + number] = scratch.plays[i]
    for i in range(number):
        scratch.plays[i] = cards & -cards
        cards &= cards - 1
    return number + larger


@inlined
def draw_play(g, rules, with_pass, scratch):
    """Draw uniformly from the legal plays, and pass if `with_pass`; without any, pass."""
    cards = singles(g)
    number = popcount(cards)
    total = number + with_pass
    if g.kind != r.SINGLE:
        total += larger_plays(g, rules, scratch)
    if total == 0:
        return r.PASS
    k = rng.below(scratch.random, total) if total > 1 else 0
    if k < with_pass:
        return r.PASS
    k -= with_pass
    return 1 << nth(cards, k) if k < number else scratch.plays[k - number]


def listed(g: np.record, rules: np.record) -> list[int]:
    """Return all legal plays of a state, pass excluded; `rules` as numbers."""
    scratch = np.zeros(1, r.SCRATCH)[0]
    return scratch.plays[: list_plays(g, rules, scratch)].tolist()
