"""Goofspiel (ゴフスピール): states as packed integers, and the two things that happen to them.

A round reveals a prize from the deck, then both players play a card at once. The higher card takes
the prize's points, equal cards take nothing, all three leave the game. After N rounds the higher
total wins. The last card plays itself.

A state is one int64: three sets of cards as bit masks (bit i is card i + 1), the revealed prize
(0 while none is) and the score difference. What happened before is not in it: the bits above are
left to `gamecore.goofspiel.tree`, which distinguishes histories.
"""

from typing import NamedTuple

from gamecore import bits
from gamecore.kernel import kernel

MAX_CARDS = 8
#: Where each part of a state begins; a set has 8 bits, the prize 4, the difference 7.
OWN, OTHER, DECK, PRIZE, SCORE, BITS = 0, 8, 16, 24, 28, 35
_ZERO = 64  # stands for a score difference of 0


class State(NamedTuple):
    """A position before both players choose.

    Examples
    --------
    >>> State(hand0=(1, 3), hand1=(2, 3), prize=2, deck=(1,), difference=-3).prize
    2
    """

    hand0: tuple[int, ...]
    """Player 0's cards, in rising order."""
    hand1: tuple[int, ...]
    """Player 1's cards."""
    prize: int
    """The revealed card, which the higher card takes."""
    deck: tuple[int, ...]
    """The prizes still to come."""
    difference: int
    """Player 0's points less player 1's."""


@kernel
def initial(cards):
    """Return the state before the first prize is revealed."""
    full = (1 << cards) - 1
    return full << OWN | full << OTHER | full << DECK | _ZERO << SCORE


@kernel
def hand(state, player):
    """Return a player's cards as a bit mask."""
    return state >> (OWN if player == 0 else OTHER) & 255


@kernel
def deck(state):
    """Return the cards not yet revealed as a bit mask."""
    return state >> DECK & 255


@kernel
def prize(state):
    """Return the revealed prize, 0 while none is."""
    return state >> PRIZE & 15


@kernel
def difference(state):
    """Return player 0's points less player 1's."""
    return (state >> SCORE & 127) - _ZERO


@kernel
def nth(cards, k):
    """Return the k-th lowest card of a bit mask, counted from 0."""
    return bits.nth(cards, k) + 1


@kernel
def reveal(state, card):
    """Return the state with `card` turned up as the prize; it must be in the deck."""
    return state ^ (1 << (DECK + card - 1)) | card << PRIZE


@kernel
def play(state, card0, card1):
    """Return the state after both played; each must hold the card, and a prize must be up."""
    points = prize(state)
    state ^= 1 << (OWN + card0 - 1) | 1 << (OTHER + card1 - 1) | points << PRIZE
    if card0 > card1:
        state += points << SCORE
    elif card0 < card1:
        state -= points << SCORE
    return state


@kernel
def outcome(state):
    """Return 1, 0 or −1: player 0's result once at most one card is left, which plays itself."""
    if deck(state):
        state = reveal(state, nth(deck(state), 0))
    if prize(state):
        state = play(state, nth(hand(state, 0), 0), nth(hand(state, 1), 0))
    points = difference(state)
    return int(points > 0) - int(points < 0)


def encode(state: State) -> int:
    """Return a position as the packed integer that kernels use.

    Raises
    ------
    ValueError
        If the hands differ in size, a card is not 1 to 8, or the deck does not fit the hands.

    Examples
    --------
    >>> position = State((1, 2, 4), (1, 2, 5), 3, (1, 5), 2)
    >>> decode(encode(position)) == position
    True
    """
    for cards in (state.hand0, state.hand1, state.deck, (state.prize,)):
        if not set(cards) <= set(range(1, MAX_CARDS + 1)) or len(set(cards)) < len(cards):
            raise ValueError(f"cards are different whole numbers from 1 to {MAX_CARDS}: {cards}")
    if not len(state.hand0) == len(state.hand1) == len(state.deck) + 1:
        raise ValueError("both hands hold as many cards as the deck and the prize together")
    if state.prize in state.deck or abs(state.difference) >= _ZERO:
        raise ValueError("the prize has left the deck, and no score difference reaches 64")
    masks = [sum(1 << (card - 1) for card in c) for c in (state.hand0, state.hand1, state.deck)]
    return (
        masks[0] << OWN | masks[1] << OTHER | masks[2] << DECK
        | state.prize << PRIZE | (state.difference + _ZERO) << SCORE
    )  # fmt: skip


def decode(packed: int) -> State:
    """Return the position that a packed integer stands for; see `encode`.

    Examples
    --------
    >>> decode(encode(State((1, 3), (2, 3), 2, (1,), -3))).hand1
    (2, 3)
    """
    sets = (packed >> OWN & 255, packed >> OTHER & 255, packed >> DECK & 255)
    hand0, hand1, rest = (
        tuple(card for card in range(1, MAX_CARDS + 1) if cards >> (card - 1) & 1) for cards in sets
    )
    score = (packed >> SCORE & 127) - _ZERO
    return State(hand0, hand1, packed >> PRIZE & 15, rest, score)


def check_cards(cards: int, most: int = MAX_CARDS) -> int:
    """Return `cards` if it is a number of cards each that can be played, else raise ValueError."""
    if isinstance(cards, bool) or cards not in range(2, most + 1):
        raise ValueError(f"cards must be a whole number from 2 to {most}, not {cards!r}")
    return int(cards)
