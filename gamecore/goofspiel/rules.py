"""Goofspiel: states as packed integers, and the two things that happen to them.

A round reveals a prize from the deck, then both players play a card at once. The higher card takes
the prize's points, equal cards take nothing, all three leave the game. After N rounds the higher
total wins. The last card plays itself.

A state is one int64: three sets of cards as bit masks (bit i is card i + 1), the revealed prize
(0 while none is) and the score difference. What happened before is not in it: the bits above are
left to `gamecore.goofspiel.tree`, which distinguishes histories. `State` is the same for people.
"""

from dataclasses import dataclass
from functools import cached_property

from gamecore import bits, check, game
from gamecore.game import CHANCE
from gamecore.kernel import kernel

MAX_CARDS = 8
#: Where each part of a state begins; a set has 8 bits, the prize 4, the difference 7.
OWN, OTHER, DECK, PRIZE, SCORE, BITS = 0, 8, 16, 24, 28, 35
_ZERO = 64  # stands for a score difference of 0


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


@dataclass(frozen=True)
class State(game.State):
    """A position, made by `start` and played on from there, or set up.

    Everything is public but the two cards of the moment. The last card plays itself: with the
    second last the game is over.

    Attributes
    ----------
    cards : int
        Cards each at the start, N.
    hands : tuple of tuple of int
        Both players' cards, in rising order.
    prize : int
        The card turned up, which the higher card takes; 0 while none is.
    deck : tuple of int
        The prizes still to come, in rising order.
    difference : int
        The first player's points less the second's.
    rounds : tuple of tuple of int
        What was played since the start, or since a position that was set up: of every round the
        prize, the first player's card and the second's.

    Raises
    ------
    ValueError
        If no such cards can be left.

    Examples
    --------
    >>> state = State(5, hands=((1, 3, 5), (2, 3, 4)), prize=5, deck=(1, 4), difference=-1)
    >>> print(state)
    prize 5, deck 1 4; first 1 3 5, second 2 3 4; difference -1
    >>> print(state.play("3", "2"))
    no prize yet, deck 1 4; first 1 5, second 3 4; difference +4
    """

    cards: int
    hands: tuple[tuple[int, ...], tuple[int, ...]]
    prize: int
    deck: tuple[int, ...]
    difference: int
    rounds: tuple[tuple[int, int, int], ...] = ()

    def __post_init__(self) -> None:
        check_cards(self.cards)
        _check_position(self)

    def hand(self, player: int) -> tuple[int, ...]:
        """Return a player's cards, in rising order.

        Examples
        --------
        >>> start(4).hand(1)
        (1, 2, 3, 4)
        """
        return self.hands[check.whole(player, "player", 0, 1)]

    @property
    def known_past(self) -> bool:
        """Whether `rounds` goes back to the start of the game."""
        return len(self.rounds) + len(self.hands[0]) == self.cards

    @property
    def movers(self) -> tuple[int, ...]:
        """Who moves now, that is chance turns up a prize, then both players at once."""
        return (0, 1) if self.prize else (CHANCE,) if self.deck else ()

    def legal(self, player: int) -> list[str]:
        """Return a player's cards, or the prizes that can come; none if it is not its turn."""
        if check.whole(player, "player", CHANCE, 1) not in self.movers:
            return []
        return [str(card) for card in (self.deck if player == CHANCE else self.hands[player])]

    def all_moves(self) -> list[str]:
        """Return the cards that there are."""
        return [str(card) for card in range(1, self.cards + 1)]

    def longest(self) -> int:
        """Return how often a prize is turned up or cards are chosen; the last play themselves."""
        return 2 * (self.cards - 1)

    def _after(self, moves: tuple[str, ...]) -> "State":
        if not self.prize:
            return decode(reveal(self._packed, int(moves[0])), self.cards, self.rounds)
        card0, card1 = int(moves[0]), int(moves[1])
        packed, rounds = (
            play(self._packed, card0, card1),
            (*self.rounds, (self.prize, card0, card1)),
        )
        if len(self.deck) == 1:
            last = nth(deck(packed), 0), nth(hand(packed, 0), 0), nth(hand(packed, 1), 0)
            packed = play(reveal(packed, last[0]), last[1], last[2])
            rounds = (*rounds, last)
        return decode(packed, self.cards, rounds)

    def returns(self) -> tuple[float, ...]:
        """Return 1 for whoever has more points, −1 for the other, 0 for both if they are equal."""
        if self.movers:
            raise ValueError("the game is not over")
        won = float(outcome(self._packed))
        return won, 0.0 - won  # no −0 in a draw

    def svg(self) -> str:
        """Return a picture of both hands, the prize, the deck and the difference."""
        from gamecore.goofspiel.draw import position  # drawing knows states, not the reverse

        return position(self)

    def __str__(self) -> str:
        own, other, rest = (
            " ".join(map(str, some)) or "empty" for some in (*self.hands, self.deck)
        )
        prize = f"prize {self.prize}" if self.prize else "no prize yet" if self.deck else "the end"
        return f"{prize}, deck {rest}; first {own}, second {other}; difference {self.difference:+d}"

    @cached_property
    def _packed(self) -> int:
        return encode(self)


def start(cards: int = 5) -> State:
    """Return the state before the first prize is turned up.

    Parameters
    ----------
    cards : int
        Cards each, 2 to 8; the paper plays with 5.

    Examples
    --------
    >>> state = start(3).play("2")  # chance turns up the 2
    >>> state.movers, state.legal(0)
    ((0, 1), ['1', '2', '3'])
    >>> state.play("3", "1").play("1").play("1", "2").returns()
    (-1.0, 1.0)
    """
    full = tuple(range(1, check_cards(cards) + 1))
    return State(int(cards), (full, full), 0, full, 0)


def encode(state: State) -> int:
    """Return a position as the packed integer that kernels use.

    Examples
    --------
    >>> position = State(5, ((1, 2, 4), (1, 2, 5)), 3, (1, 5), 2)
    >>> decode(encode(position), 5) == position
    True
    """
    if not isinstance(state, State):
        raise ValueError(f"a state is needed, not {check.short(state)}")
    own, other, rest = (sum(1 << (c - 1) for c in some) for some in (*state.hands, state.deck))
    return (
        own << OWN | other << OTHER | rest << DECK
        | state.prize << PRIZE | (state.difference + _ZERO) << SCORE
    )  # fmt: skip


def decode(packed: int, cards: int, rounds: tuple[tuple[int, int, int], ...] = ()) -> State:
    """Return the position that a packed integer stands for, with `cards` each at the start.

    Examples
    --------
    >>> decode(encode(State(3, ((1, 3), (2, 3)), 2, (1,), -3)), 3).hands[1]
    (2, 3)
    """
    packed = check.whole(packed, "packed", 0, 2**63 - 1)
    hand0, hand1, rest = (_SETS[packed >> part & 255] for part in (OWN, OTHER, DECK))
    score = (packed >> SCORE & 127) - _ZERO
    return State(cards, (hand0, hand1), packed >> PRIZE & 15, rest, score, rounds)


#: The cards of every bit mask, in rising order.
_SETS = [tuple(c + 1 for c in range(MAX_CARDS) if mask >> c & 1) for mask in range(256)]


def _check_position(state: State) -> None:
    """Raise a ValueError unless such cards can be left; what led there is checked as far as told.

    Whether the points can come about is known to `gamecore.goofspiel.tree` only.
    """
    full = set(range(1, state.cards + 1))
    if not {type(state.prize), type(state.difference)} <= {int}:
        raise ValueError(f"prize and difference are whole numbers: {check.short(state)}")
    if not {type(some) for some in (state.hands, state.deck, state.rounds)} <= {tuple}:
        raise ValueError(f"two hands, a deck and rounds must be tuples: {check.short(state)}")
    turned = (state.prize,) if state.prize else ()
    try:
        told = [tuple(part) for part in zip(*state.rounds, strict=True)] or [(), (), ()]
        prizes, played0, played1 = told
        hand0, hand1 = state.hands
        sets = [(*state.deck, *turned, *prizes), (*hand0, *played0), (*hand1, *played1)]
        numbers = {type(card) for card in sum(sets, ())} <= {int}
        fixed = {type(some) for some in (*state.hands, *state.rounds)} <= {tuple}
    except (TypeError, ValueError):
        raise ValueError(
            f"two hands, a deck and rounds of three cards are needed: {check.short(state)}"
        ) from None
    if not numbers or any(not set(s) <= full or len(set(s)) < len(s) for s in sets):
        raise ValueError(
            f"cards are different whole numbers from 1 to {state.cards}: {check.short(state)}"
        )
    if not fixed or any(tuple(sorted(some)) != some for some in (*state.hands, state.deck)):
        raise ValueError(f"hands and deck are tuples in rising order: {check.short(state)}")
    if not len(hand0) == len(hand1) == len(state.deck) + len(turned) or len(hand0) == 1:
        raise ValueError(
            f"both hands hold as many cards as the deck and the prize together, and the last card "
            f"plays itself: {check.short(state)}"
        )
    points = sum(p if a > b else -p if a < b else 0 for p, a, b in state.rounds)
    if abs(state.difference) >= _ZERO or (state.known_past and points != state.difference):
        raise ValueError(f"no such difference in points can come about: {check.short(state)}")


def check_cards(cards: int, most: int = MAX_CARDS) -> int:
    """Return `cards` if it is a number of cards each that can be played, else raise ValueError."""
    return check.whole(cards, "cards", 2, most)
