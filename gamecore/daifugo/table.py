"""The open part of a game, which states and views share: checked, as text, and for kernels."""

from __future__ import annotations  # signatures show types by their names

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Self

import numpy as np

from gamecore import check
from gamecore.daifugo import rules as r
from gamecore.daifugo.cards import DECK, Play, card_names, card_set, code, decode, encode, written
from gamecore.daifugo.plays import listed
from gamecore.daifugo.rules import SEATS, Rules

#: What happens now: chance draws the seat of the first card, deals, draws who leads; players play;
#: chance draws the ranks that are left; nothing.
STAGES = ("seat", "deal", "lead", "play", "lots", "over")
_BIT = {card: 1 << index for index, card in enumerate(DECK)}


@dataclass(frozen=True, kw_only=True)
class Table:
    """What everybody at the table sees: the fields that states and views share."""

    rules: Rules = Rules()  # noqa: RUF009 (immutable)
    ranks: tuple[int, ...] = ()
    stage: str = "play"
    turn: int = 0
    leader: int = 0
    field: Play | None = None
    owner: int | None = None
    locked: bool = False
    revolution: bool = False
    passed: tuple[int, ...] = ()
    passes: int = 0
    out: tuple[int, ...] = ()
    exchanged: tuple[tuple[int, int, str], ...] = ()
    history: tuple[tuple[int, str], ...] = ()

    @classmethod
    def _made(cls, before: Table, **changes: Any) -> Self:
        """Return one that is known to be in order: it comes of another by the rules."""
        made = object.__new__(cls)
        made.__dict__.update({name: before.__dict__[name] for name in SHARED}, **changes)
        return made

    def _hands(self) -> Sequence[tuple[str, ...]]:
        raise NotImplementedError

    def __post_init__(self) -> None:
        """Check what people write; states that follow from states are not checked again."""
        check.instance(self.rules, "rules", Rules)
        check.one_of(self.stage, "stage", STAGES)
        for name in ("ranks", "passed", "out"):
            _check_seats(getattr(self, name), name)
        for name in ("exchanged", "history"):
            if not isinstance(getattr(self, name), tuple):
                raise ValueError(f"{name} must be a tuple, not {check.short(getattr(self, name))}")
        for name in ("turn", "leader"):
            check.whole(getattr(self, name), name, 0, 3)
        for name in ("locked", "revolution"):
            check.flag(getattr(self, name), name)
        laid = 0
        if self.field is not None:
            laid = _laid(self.field)
            laid &= r.JOKER | r.PLAIN
            check.whole(self.owner, "owner", 0, 3)
        elif self.owner is not None or self.locked:
            raise ValueError("an empty field has no owner, and is not locked")
        for hand in self._hands():
            if hand != card_names(card_set(hand)):
                raise ValueError(
                    f"a hand is a tuple of cards, weak to strong, not {check.short(hand)}"
                )
            if both := card_names(laid & card_set(hand)):
                raise ValueError(f"duplicate card {check.short(both[0])}: every card exists once")
            laid |= card_set(hand)
        self._check_stage([len(hand) for hand in self._hands()])

    def _check_stage(self, sizes: list[int]) -> None:
        """Check that hands, ranks and passes are such as there can be at this stage."""
        if len(self.ranks) not in (0, 4):
            raise ValueError(f"ranks are the four seats or none, not {check.short(self.ranks)}")
        too_many = check.whole(self.passes, "passes") >= self.rules.pass_limit
        if self.stage in ("seat", "deal"):
            begun = self.field or self.out or self.passed or self.passes
            if max(sizes) - min(sizes) > 1 or sum(sizes) == len(DECK) or begun:
                raise ValueError("cards are dealt one by one, before anybody plays")
            return
        if len(self.out) not in ((4,) if self.stage == "over" else (0, 1, 2)):
            raise ValueError(f"{len(self.out)} players are out, which ends the game or follows it")
        if too_many != (self.stage == "lots") and self.stage != "over":
            raise ValueError(f"{self.passes} passes in a row: lots are drawn after the pass limit")
        for name, size, out in zip(SEATS, sizes, map(self.out.__contains__, range(4)), strict=True):
            if self.stage != "over" and (size == 0) != out:
                holds = "'s hand is empty" if size == 0 else " is out, but holds cards"
                raise ValueError(f"{name}{holds}: everybody holds cards until out")
        if self.stage == "play" and self.turn in (*self.out, *self.passed):
            raise ValueError(f"{SEATS[self.turn]} has passed or is out, and cannot be to move")

    @cached_property
    def _record(self) -> np.record:
        """The state as kernels take it; a view's has any hands that the player may imagine."""
        hands = [sum(map(_BIT.__getitem__, hand)) for hand in self._hands()]
        laid = code(self.field) if self.field else 0
        owner = -1 if self.owner is None else self.owner
        order = (*self.out, 0, 0, 0, 0)[:4]
        values = (
            hands, self.turn, self.leader, owner, laid, *(r.shape(laid) if laid else [0] * 5),
            self.locked, self.revolution, _bits(self.passed), self.passes, _bits(self.out),
            len(self.out), order,
        )  # fmt: skip
        return np.array([values], r.STATE)[0]

    @cached_property
    def _plays(self) -> dict[str, int]:
        """What the seat to move may do, with the kernels' integers."""
        plays = {written(play): play for play in listed(self._record, self.rules.numbers)}
        passes = self.field is not None or self.rules.pass_when_leading
        return {"pass": r.PASS, **plays} if passes else plays

    def _told(self, hands: Sequence[str]) -> str:
        """Return the table as text, given what is to be seen of the hands."""
        lines = []
        for place, (name, cards) in enumerate(zip(SEATS, hands, strict=True)):
            mark = "▸" if self.stage in ("deal", "play") and place == self.turn else " "
            note = f"  rank {self.out.index(place) + 1}" if place in self.out else ""
            note += "  passed" if place in self.passed else ""
            lines.append(f"{mark} {name:8}{cards}{note}".rstrip())
        waiting = {
            "seat": "the seat of the first card is drawn", "deal": "dealing",
            "lead": "who leads is drawn", "lots": "the remaining ranks are drawn",
            "over": "the game is over",
        }  # fmt: skip
        field = f"{self.field} by {SEATS[self.owner or 0]}" if self.field else "empty"
        words = [f"field: {field}", *self._marks()]
        return "\n".join([*lines, waiting.get(self.stage, ", ".join(words))])

    def _marks(self) -> list[str]:
        return [word for word in ("locked", "revolution") if getattr(self, word)]


SHARED = [each.name for each in fields(Table)]


def _laid(field: Any) -> int:
    """Return a play on the field as the kernels' integer; a tuple may hold anything."""
    try:
        text = str(check.instance(field, "field", Play))
    except (AttributeError, IndexError, TypeError, ValueError):
        text = ""
    if not text or field != decode(laid := encode(text)):
        raise ValueError(f"the field must be a Play or None, not {check.short(field)}")
    return laid


def _check_seats(seats: tuple[int, ...], name: str) -> None:
    if not isinstance(seats, tuple) or len({check.whole(each, name, 0, 3) for each in seats}) < len(
        seats
    ):
        raise ValueError(f"{name} must be a tuple of different seats, not {check.short(seats)}")


def _bits(seats: tuple[int, ...]) -> int:
    return sum(1 << place for place in seats)
