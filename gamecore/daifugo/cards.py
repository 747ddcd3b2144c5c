"""Cards and plays by name: reading them, writing them, and the legal plays of a position.

A card is its suit and rank, ``"S3"``, ``"HT"``, ``"D8"``; the joker is ``"JO"``. In a play the
joker is written with what it stands for, ``"JO=H7"``; on its own, and as the fifth of a kind, it
stands for nothing. No play at all is written ``"pass"``.
"""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import numpy as np

from gamecore import check
from gamecore.daifugo.plays import listed
from gamecore.daifugo.rules import JOKER, PASS, PLAIN, STAND_IN, STATE, Rules, shape

SUITS = "DCHS"
RANKS = "3456789TJQKA2"
#: All 53 cards from weak to strong, as bits from low to high.
DECK = (*(suit + rank for rank in RANKS for suit in SUITS), "JO")
POSITIONS = "-" + RANKS + "+"  # with the places beyond the ends, which only a joker can take
_INDEX = {name: index for index, name in enumerate(DECK)}
Cards = str | Iterable[str]


class Play(NamedTuple):
    """A play: its cards from weak to strong, and the card that its joker stands for.

    Attributes
    ----------
    cards : tuple of str
        Its cards, weak to strong.
    joker : str or None
        The card that its joker stands for; None without a joker, or where it stands for nothing.

    Examples
    --------
    >>> print(Play(("C4", "C6", "JO"), "C5"))
    C4 JO=C5 C6
    """

    cards: tuple[str, ...]
    joker: str | None = None

    def __str__(self) -> str:
        """Return the play as it lies on the field."""
        if not self.joker:
            return " ".join(self.cards)
        cards = [card for card in self.cards if card != "JO"] + [self.joker]
        cards.sort(key=lambda card: (POSITIONS.index(card[1]), SUITS.index(card[0])))
        return " ".join(f"JO={card}" if card == self.joker else card for card in cards)


def card_set(cards: Cards) -> int:
    """Return cards as a set of bits.

    Examples
    --------
    >>> card_set("D3 S3")
    9
    """
    found = 0
    for name in cards.split() if isinstance(cards, str) else check.listed(cards, "cards"):
        if not isinstance(name, str) or name not in _INDEX:
            raise ValueError(
                f"unknown card {check.short(name)}: a card is one of the suits D C H S and one "
                f"of the ranks {' '.join(RANKS)}, as in 'HT'; the joker is 'JO'"
            )
        if found >> _INDEX[name] & 1:
            raise ValueError(f"duplicate card {check.short(name)}: every card exists once")
        found |= 1 << _INDEX[name]
    return found


def card_names(cards: int) -> tuple[str, ...]:
    """Return a set of bits as card names, weak to strong.

    Examples
    --------
    >>> card_names(9)
    ('D3', 'S3')
    """
    return tuple(DECK[i] for i in range(53) if cards >> i & 1)


@cache
def decode(play: int) -> Play:
    """Return a kernel's play with names."""
    stands_for = (play >> STAND_IN) - 1
    joker = None if stands_for < 0 else SUITS[stands_for & 3] + POSITIONS[stands_for >> 2]
    return Play(card_names(play & (JOKER | PLAIN)), joker)


@cache
def written(play: int) -> str:
    """Return a kernel's play, or pass, as it is written.

    Examples
    --------
    >>> written(9), written(0)
    ('D3 S3', 'pass')
    """
    return "pass" if play == PASS else str(decode(play))


def code(play: Play) -> int:
    """Return a play as the kernels' integer.

    Examples
    --------
    >>> decode(code(Play(("C4", "C6", "JO"), "C5"))).joker
    'C5'
    """
    if play.joker is None:
        return card_set(play.cards)
    place = 4 * POSITIONS.index(play.joker[1]) + SUITS.index(play.joker[0])
    return card_set(play.cards) | (place + 1) << STAND_IN


def encode(text: str) -> int:
    """Return a play, written as it lies on the field, as the kernels' integer.

    A joker may be left without ``=`` where there is no doubt: alone, as fifth of a kind, in the
    gap of a sequence, and in a group, where it then takes the first missing suit.

    Examples
    --------
    >>> decode(encode("C4 JO C6"))
    Play(cards=('C4', 'C6', 'JO'), joker='C5')
    """
    if not isinstance(text, str):
        raise ValueError(f"a play is a text such as 'C4 JO=C5 C6', not {check.short(text)}")
    words = text.split()
    named = [word[3:] for word in words if word.startswith("JO=")]
    cards = card_set("JO" if word.startswith("JO=") else word for word in words)
    if not cards:
        raise ValueError("a play has at least one card; write None for an empty field")
    if named and (len(named[0]) != 2 or named[0][0] not in SUITS or named[0][1] not in POSITIONS):
        raise ValueError(
            f"unknown card {check.short(named[0])} behind 'JO=': write it as in 'JO=H7'"
        )
    meanings = [play for play in _readings(cards) if not named or play.joker == named[0]]
    if not named:  # beyond the ends only if it is said
        meanings = [play for play in meanings if not play.joker or play.joker[1] in RANKS]
    if not meanings:
        raise ValueError(
            f"{check.short(text)} is not a play: it must be one card, cards of one rank, or "
            "three or more neighbouring cards of one suit, the joker standing for one that is "
            "not there"
        )
    if len(meanings) > 1 and len({play.joker[1] for play in meanings if play.joker}) > 1:
        choices = " or ".join(f"JO={play.joker}" for play in meanings)
        raise ValueError(f"{check.short(text)} has two meanings: write the joker as {choices}")
    return code(meanings[0])


def _readings(cards: int) -> list[Play]:
    """Return every play of exactly these cards, in list order."""
    plays = map(decode, kernel_plays(cards, 0, False, False, Rules(True, True)))
    return [play for play in plays if len(play.cards) == cards.bit_count()]


def kernel_plays(hand: int, field: int, locked: bool, revolution: bool, rules: Rules) -> list[int]:
    """Return the kernels' legal plays of a hand on a field."""
    g = np.zeros(1, STATE)[0]
    g.hands[0], g.owner, g.revolution = hand, -1, revolution
    if field:
        g.field, g.locked, g.owner = field, locked, 1
        g.kind, g.length, g.low, g.high, g.suits = shape(field)
    return listed(g, rules.numbers)


def legal_plays(
    hand: Cards,
    field: str | None = None,
    locked: bool = False,
    revolution: bool = False,
    rules: Rules = Rules(),  # noqa: B008 (immutable)
) -> list[Play]:
    """Return the legal plays of a hand, pass excluded, in list order.

    Parameters
    ----------
    hand : str or iterable of str
        Cards, such as ``"S3 HT D8 JO"``.
    field : str, optional
        The play to follow, as it lies there: ``"C4 JO=C5 C6"``; None to lead.
    locked : bool
        Whether the suits are locked (スート縛り); without a field it means nothing.
    revolution : bool
        Whether a revolution (革命) has turned the ranks upside down.
    rules : Rules
        The reading of the rules; ``joker_each`` and ``joker_beyond`` matter here.

    Returns
    -------
    list of Play
        Singles, groups, sequences; then by lowest rank, size, plays without joker first, cards.

    Raises
    ------
    ValueError
        For an unknown or duplicate card, a card both in hand and on the field, or a field that
        is not a play.

    References
    ----------
    The UEC standard rules as changed by Ohmuro and Yokoyama, see ``gamecore.daifugo.rules``.

    Examples
    --------
    >>> [str(play) for play in legal_plays("C6 C7 C9 JO", field="D3 D4 D5")]
    ['C6 C7 JO=C8', 'C7 JO=C8 C9']
    >>> legal_plays("S3 H2", field="JO")
    [Play(cards=('S3',), joker=None)]
    """
    empty = field is None or (isinstance(field, str) and not field)
    held, laid = card_set(hand), 0 if empty else encode(str(check.text(field, "field")))
    if not held:
        raise ValueError("the hand is empty: it needs at least one card")
    if both := card_names(held & laid & (JOKER | PLAIN)):
        raise ValueError(f"{' '.join(both)} cannot be both in the hand and on the field")
    check.instance(rules, "rules", Rules)
    bent = check.flag(locked, "locked"), check.flag(revolution, "revolution")
    return [decode(play) for play in kernel_plays(held, laid, *bent, rules)]
