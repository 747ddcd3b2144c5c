"""Daifugo (大富豪) for four: state, transition, deal and exchange (legal plays: `plays`).

The rules are the UEC standard rules of the computer Daihinmin championship with the two changes
of Ohmuro and Yokoyama: four players in fixed seats, and the rich return their
weakest cards.

Card ``4 · rank + suit`` is one bit: ranks 0 (the 3) to 12 (the 2), suits ♦ ♣ ♥ ♠, the joker bit 52.
A *play* is one integer: its cards as bits, and above them what its joker stands for; everything is
a non-negative ``int64``, as numba turns a mixture of signed and unsigned into floats. A *state* is
a record of `STATE`. Positions of ranks run from 1 (the 3) to 13 (the 2), so that 0 and 14 are left
for a joker beyond the ends; a joker on its own stands at 99.

References
----------
H. Ohmuro and D. Yokoyama, "A study of a computer player that enable letting a specific opponent
win in Daifugo", IPSJ National Convention, 4S-04.
"""

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from gamecore import check, rng
from gamecore.bits import highest, lowest, nth, popcount
from gamecore.kernel import inlined, kernel

JOKER = 1 << 52
PLAIN = JOKER - 1  # the 52 cards that are not the joker
DIAMOND_THREE, SPADE_THREE = 1, 8

#: A state. Kernels take it as a record, which numba passes as a bare pointer: arrays would be
#: counted in and out of every call, and that took two thirds of the time. An ``np.record`` has its
#: fields as attributes in plain Python, too.
STATE = np.dtype(
    (
        np.record,
        [
            ("hands", np.int64, 4),
            ("turn", np.int64),
            ("leader", np.int64),
            ("owner", np.int64),  # who made the play on the field; −1 on an empty field
            ("field", np.int64),  # the play on the field, 0 for none; its shape follows
            ("kind", np.int64),
            ("length", np.int64),  # how many cards; a record has a ``size`` of its own
            ("low", np.int64),
            ("high", np.int64),
            ("suits", np.int64),
            ("locked", np.int64),
            ("revolution", np.int64),
            ("passed", np.int64),  # seats that passed in this trick, as bits
            ("passes", np.int64),  # in a row, across tricks
            ("finished", np.int64),  # seats that are out, as bits
            ("out", np.int64),  # and how many
            ("order", np.int64, 4),  # seats by rank
        ],
    )
)
MOST_PLAYS = 4096  # no hand, the whole deck included, has more
#: What a kernel works with besides the state: room for a list of plays, the random generator.
SCRATCH = np.dtype((np.record, [("plays", np.int64, MOST_PLAYS), ("random", np.uint64, 4)]))

PASS = 0
EMPTY, SINGLE, GROUP, SEQUENCE = range(4)
ALONE = 99  # the position of a single joker
STAND_IN = 53  # a play's bits from here: 0, or 1 + 4 · position + suit of its joker
EIGHT = 6


#: Seats clockwise, in the order of turns; the paper's sontaku player sits in seat 0.
SEATS = ("Sontaku", "CPUA", "CPUB", "CPUC")
#: Who leads the first trick. Ranks are those of the game before; without, the ♦3 decides.
STARTS = ("diamond three", "random", "poorest", "richest")
RANDOM_START, POOREST_START = 1, 2


@dataclass(frozen=True)
class Rules:
    """What the paper or the standard rules leave open; the defaults are the settled reading.

    Attributes
    ----------
    joker_each : bool
        In a group, every suit that the joker may stand for is a play of its own.
    joker_beyond : bool
        In a sequence, the joker may stand below the 3 and above the 2.
    pass_when_leading : bool
        Who leads an empty field may pass.
    self_follow : bool
        When all others have passed, the owner of the play on the field may play on it again.
    pass_limit : int
        After so many passes in a row, across tricks, the remaining ranks are drawn by lot; from 4
        to 1000.
    start : int
        Who leads the first trick, as an index of `STARTS`.

    Examples
    --------
    >>> from gamecore.daifugo import legal_plays
    >>> one, each = Rules(), Rules(joker_each=True)
    >>> [len(legal_plays("D4 JO", rules=rules)) for rules in (one, each)]
    [3, 5]
    """

    joker_each: bool = False
    joker_beyond: bool = False
    pass_when_leading: bool = True
    self_follow: bool = True
    pass_limit: int = 20
    start: int = 0

    def __post_init__(self) -> None:
        for name in ("joker_each", "joker_beyond", "pass_when_leading", "self_follow"):
            check.flag(getattr(self, name), name)
        check.whole(self.pass_limit, "pass_limit", 4, 1000)  # the log of a game must have room
        check.whole(self.start, "start", 0, len(STARTS) - 1)

    def __repr__(self) -> str:
        return brief(self)

    @cached_property
    def numbers(self) -> np.record:
        """The rules as kernels take them."""
        return numbers(self)[0]


def brief(settings: Any) -> str:
    """Return how a dataclass differs from its defaults."""
    values = {field.name: getattr(settings, field.name) for field in fields(settings)}
    said = [f"{field.name}={values[field.name]!r}" for field in fields(settings)
            if values[field.name] != field.default]  # fmt: skip
    return f"{type(settings).__name__}({', '.join(said)})"


def numbers(*settings: Any) -> np.ndarray:
    """Return dataclasses of one kind as records of whole numbers, for kernels."""
    names = [field.name for field in fields(settings[0])]
    rows = [tuple(int(getattr(each, name)) for name in names) for each in settings]
    return np.array(rows, np.dtype((np.record, [(name, np.int64) for name in names])))


def new_scratch(seed: check.Seed) -> np.record:
    """Return a `SCRATCH` whose generator starts at `seed`."""
    scratch = np.zeros(1, SCRATCH)[0]
    scratch.random = rng.state(check.seed(seed))
    return scratch


@kernel
def shape(play):
    """Return kind, size, lowest and highest position, and suits of a play."""
    cards = play & (JOKER | PLAIN)
    size = popcount(cards)
    if cards == JOKER:
        return SINGLE, size, ALONE, ALONE, 0
    named = (cards & PLAIN) << 4
    if play >> STAND_IN:
        named |= 1 << ((play >> STAND_IN) - 1)
    low, high = lowest(named) >> 2, highest(named) >> 2
    suits = named | named >> 32
    suits |= suits >> 16
    suits |= suits >> 8
    suits |= suits >> 4
    kind = SINGLE if size == 1 else GROUP if low == high else SEQUENCE
    return kind, size, low, high, suits & 15


@inlined
def take_turn(g, rules, play, scratch):
    """The seat to move lays a legal `play`, or passes."""
    seat = g.turn
    if play == PASS:
        pass_turns(g, rules, 1 << seat, scratch)
        return
    ends = _lay(g, seat, play)
    if g.hands[seat] == 0:
        _finish(g, seat)
        if g.out == 3:
            _finish(g, lowest(15 & ~g.finished))
            return
    _go_on(g, rules, ends)


@inlined
def pass_turns(g, rules, seats, scratch):
    """All of `seats` pass (bits): the seat to move, or those whose turns come first."""
    g.passed |= seats
    g.passes += popcount(seats)
    if g.passes >= rules.pass_limit:
        _draw_ranks(g, scratch)
    else:
        _go_on(g, rules, False)


@kernel
def waiting(g, rules):
    """Return the seats that may yet play in this trick."""
    seats = 15 & ~g.finished & ~g.passed
    if not rules.self_follow and g.owner >= 0:
        seats &= ~(1 << g.owner)
    return seats


@kernel
def _go_on(g, rules, ends):
    """Find who is to move next, on an empty field if the trick `ends` or nobody is left in it."""
    seats = waiting(g, rules)
    if ends or not seats:
        lead = g.leader if g.owner < 0 else g.owner
        g.turn = g.leader = _next_of(15 & ~g.finished, (lead + 3) & 3)
        g.owner, g.field, g.kind, g.locked, g.passed = -1, 0, EMPTY, 0, 0
    else:
        g.turn = _next_of(seats, g.turn)


@kernel
def _next_of(seats, seat):
    """Return the first of `seats` (bits, not empty) clockwise after `seat`, itself last."""
    twice = (seats | seats << 4) >> (seat + 1)
    return (seat + 1 + lowest(twice)) & 3


@inlined
def _lay(g, seat, play):
    """Put a play on the field; return whether it ends the trick by itself."""
    kind, size, low, high, suits = shape(play)
    g.hands[seat] &= ~play
    over_joker = g.kind == SINGLE and g.low == ALONE
    if g.kind != EMPTY and suits == g.suits:
        g.locked = 1
    if (kind == GROUP and size >= 4) or (kind == SEQUENCE and size >= 5):
        g.revolution ^= 1
    g.field, g.kind, g.length, g.low, g.high, g.suits = play, kind, size, low, high, suits
    g.owner, g.passes = seat, 0
    return over_joker or low <= EIGHT <= high


@kernel
def _finish(g, seat):
    g.order[g.out] = seat
    g.out += 1
    g.finished |= 1 << seat


@kernel
def _draw_ranks(g, scratch):
    """Nobody wants to play: the seats that are left finish in random order."""
    while g.out < 4:
        left = 15 & ~g.finished
        _finish(g, nth(left, rng.below(scratch.random, popcount(left))))


@kernel
def exchange(g, ranks):
    """The poor give their strongest cards, the rich then return their weakest.

    `ranks` holds the seats from daifugo to daihinmin (大貧民) of the game before.
    """
    for pair in range(2):
        rich, poor = ranks[pair], ranks[3 - pair]
        for _ in range(2 - pair):
            card = 1 << highest(g.hands[poor])
            g.hands[poor] ^= card
            g.hands[rich] ^= card
        for _ in range(2 - pair):
            card = g.hands[rich] & -g.hands[rich]
            g.hands[rich] ^= card
            g.hands[poor] ^= card


@kernel
def deal(g, deck, first):
    """Deal a shuffled `deck` one by one from seat `first`, which gets 14 cards, the others 13."""
    for seat in range(4):
        g.hands[seat] = 0
    g.turn = g.leader = g.field = g.kind = g.length = g.low = g.high = g.suits = 0
    g.locked = g.revolution = g.passed = g.passes = g.finished = g.out = 0
    g.owner = -1
    for i in range(53):
        g.hands[(first + i) & 3] |= 1 << deck[i]


@kernel
def begin(g, ranks, rules, scratch):
    """Exchange cards if there are ranks (else ``ranks[0]`` is −1), and find who leads.

    The holder of the ♦3 is sought after the exchange, in the hands that are played.
    """
    if ranks[0] >= 0:
        exchange(g, ranks)
    start = 0
    if rules.start == RANDOM_START:
        start = rng.below(scratch.random, 4)
    elif rules.start > RANDOM_START and ranks[0] >= 0:
        start = ranks[3] if rules.start == POOREST_START else ranks[0]
    else:
        while not g.hands[start] & DIAMOND_THREE:
            start += 1
    g.turn = g.leader = start
