"""A game as immutable states, from the first card dealt to the last rank, and what players see.

Chance deals card by card, and draws lots where the rules do; a player's move is a play as it lies
on the field, ``"C4 JO=C5 C6"``, or ``"pass"``.
"""

from __future__ import annotations  # signatures show types by their names

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any, ClassVar

import numpy as np

from gamecore import check, game
from gamecore.daifugo import rules as r
from gamecore.daifugo.cards import (
    DECK,
    Cards,
    Play,
    card_names,
    card_set,
    decode,
    kernel_plays,
    written,
)
from gamecore.daifugo.rules import SEATS, Rules
from gamecore.daifugo.table import Table
from gamecore.game import CHANCE

_SCRATCH = r.new_scratch(0)  # its draws are never used: chance is the caller's


@dataclass(frozen=True, kw_only=True)
class State(Table, game.State):
    """A position with open cards; made by `start`, or by `State.of` from hands.

    Attributes
    ----------
    hands : tuple of tuple
        The four hands, weak to strong.
    stage : str
        What happens now: ``"seat"`` (chance draws who is dealt the first card), ``"deal"``,
        ``"lead"`` (chance draws who leads), ``"play"``, ``"lots"`` (chance draws the remaining
        ranks) or ``"over"``.
    turn : int
        The seat to move, or to be dealt the next card.
    leader : int
        The seat that led, or leads, the trick.
    field : Play or None
        The play on the field (場); None when it is empty.
    owner : int or None
        Who made it.
    locked : bool
        Whether the suits are locked.
    revolution : bool
        Whether the ranks are upside down.
    passed : tuple of int
        The seats that have passed in this trick.
    passes : int
        How many passes there were in a row, across tricks.
    out : tuple of int
        The seats that are out, best rank first.
    ranks : tuple of int
        The seats by rank in the game before, best first; empty in a first game.
    exchanged : tuple of tuple
        Who gave whom which cards before the first trick.
    history : tuple of tuple
        Every turn so far: who did what.
    rules : Rules
        The reading of the rules.

    Examples
    --------
    >>> state = State.of(["D3 D8 H2", "D5 S4", "C6 JO", "S3 HQ"]).play("D3").play("D5")
    >>> state.locked, state.legal(2)
    (True, ['pass', 'JO'])
    """

    seats: ClassVar[tuple[str, ...]] = SEATS
    worth: ClassVar[tuple[float, float]] = (0.0, 3.0)

    hands: tuple[tuple[str, ...], ...]

    @classmethod
    def of(
        cls,
        hands: Sequence[Cards],
        turn: int = 0,
        rules: Rules = Rules(),  # noqa: B008 (immutable)
        revolution: bool = False,
    ) -> State:
        """Return the state in which a seat leads, given what everybody holds.

        Parameters
        ----------
        hands : sequence of str or of iterables of str
            Four hands, by seat, such as ``"S3 HT JO"``; no card twice.
        turn : int
            The seat that leads.
        rules : Rules
            The reading of the rules.
        revolution : bool
            Whether the ranks are upside down already.

        Examples
        --------
        >>> State.of(["D3", "D5 S4", "C6", "S3"], turn=1).legal(1)
        ['pass', 'S4', 'D5']
        """
        if not isinstance(hands, Sequence) or isinstance(hands, str):
            raise ValueError(f"hands are four, such as 'S3 HT JO', not {check.short(hands)}")
        named = tuple(card_names(card_set(hand)) for hand in hands)
        return cls(hands=named, turn=turn, leader=turn, rules=rules, revolution=revolution)

    def _hands(self) -> tuple[tuple[str, ...], ...]:
        if not isinstance(self.hands, tuple) or len(self.hands) != 4:
            raise ValueError(f"there are four hands, in a tuple, not {check.short(self.hands)}")
        return self.hands

    @property
    def movers(self) -> tuple[int, ...]:
        """Who moves now, that is one player, chance, or nobody."""
        if self.stage == "play":
            return (self.turn,)
        return () if self.stage == "over" else (CHANCE,)

    def legal(self, player: int) -> list[str]:
        """Return the moves of a player, pass first, then in list order; or those of chance."""
        if check.whole(player, "player", CHANCE, 3) not in self.movers:
            return []
        if player != CHANCE:
            return list(self._plays)
        if self.stage == "deal":
            dealt = {card for hand in self.hands for card in hand}
            return [card for card in DECK if card not in dealt]
        return [name for place, name in enumerate(SEATS) if place not in self.out]

    def all_moves(self) -> list[str]:
        """Return pass and every play of the whole deck, in list order."""
        every = Rules(joker_each=True, joker_beyond=self.rules.joker_beyond)  # a lock asks for each
        return ["pass", *map(written, kernel_plays(card_set(DECK), 0, False, False, every))]

    def longest(self) -> int:
        """Return how many moves, the deal and lots included, a game can have at most."""
        return 1 + len(DECK) + 1 + 52 * self.rules.pass_limit + 3  # the last card is never played

    def returns(self) -> tuple[float, ...]:
        """Return 3, 2, 1, 0 points by rank."""
        if self.stage != "over":
            raise ValueError("the game is not over")
        return tuple(3.0 - self.out.index(place) for place in range(4))

    def view(self, player: int) -> View:
        """Return what a player may see: its cards, and how many the others hold."""
        player = check.whole(player, "player", 0, 3)
        others = {card for at, hand in enumerate(self.hands) if at != player for card in hand}
        mine = {"_plays": self._plays} if player in self.movers else {}  # not to list them twice
        return View._made(
            self,
            **mine,
            player=player,
            hand=self.hands[player],
            sizes=tuple(map(len, self.hands)),
            unseen=tuple(card for card in DECK if card in others),
            exchanged=tuple(gift for gift in self.exchanged if player in gift[:2]),
        )

    def _but(self, **changes: Any) -> State:
        return State._made(self, **{"hands": self.hands, **changes})

    def _after(self, moves: tuple[str, ...]) -> State:
        [move] = moves
        if self.stage == "play":
            return self._turned(move)
        if self.stage == "deal":
            hands = list(self.hands)
            hands[self.turn] = card_names(card_set([*hands[self.turn], move]))
            after = self._but(hands=tuple(hands), turn=(self.turn + 1) % 4)
            return after if sum(map(len, hands)) < len(DECK) else after._begun()
        drawn = SEATS.index(move)
        if self.stage == "seat":
            return self._but(stage="deal", turn=drawn)
        if self.stage == "lead":
            return self._but(stage="play", turn=drawn, leader=drawn)
        out = (*self.out, drawn)
        left = [place for place in range(4) if place not in out]
        if len(left) > 1:
            return self._but(out=out)
        return self._but(out=(*out, *left), stage="over")

    def _begun(self) -> State:
        """Return the state after the deal: cards exchanged, and somebody to lead."""
        hands, gifts = self.hands, []
        for number, rich, poor in zip((2, 1), self.ranks, reversed(self.ranks), strict=False):
            best = hands[poor][-number:]
            worst = card_names(card_set((*hands[rich], *best)))[:number]  # perhaps one of these
            gifts += [(poor, rich, " ".join(best)), (rich, poor, " ".join(worst))]
        g, ranks = self._record.copy(), np.array(self.ranks or [-1] * 4)
        r.begin(g, ranks, self.rules.numbers, _SCRATCH)
        by_lot = self.rules.start == r.RANDOM_START
        leader = 0 if by_lot else int(g.turn)  # chance draws it next
        return self._but(
            hands=tuple(card_names(hand) for hand in g.hands.tolist()), exchanged=tuple(gifts),
            turn=leader, leader=leader, stage="lead" if by_lot else "play",
        )  # fmt: skip

    def _turned(self, move: str) -> State:
        """Return the state after a turn; unlike the kernels', it leaves the lots to chance."""
        play, history = self._plays[move], (*self.history, (self.turn, move))
        if play == r.PASS and self.passes + 1 == self.rules.pass_limit:
            passed = tuple(sorted((*self.passed, self.turn)))
            changes = {"passed": passed, "passes": self.passes + 1, "stage": "lots"}
            return self._but(history=history, **changes)
        g = self._record.copy()
        r.take_turn(g, self.rules.numbers, play, _SCRATCH)
        now = dict(zip(r.STATE.names or (), g.tolist(), strict=True))
        hands = list(self.hands)
        if play != r.PASS:
            laid = decode(play).cards
            hands[self.turn] = tuple(card for card in hands[self.turn] if card not in laid)
        return self._but(
            hands=tuple(hands), turn=now["turn"], leader=now["leader"],
            field=decode(now["field"]) if now["field"] else None,
            owner=None if now["owner"] < 0 else now["owner"],
            locked=bool(now["locked"]), revolution=bool(now["revolution"]),
            passed=tuple(place for place in range(4) if now["passed"] >> place & 1),
            passes=now["passes"], out=tuple(now["order"][: now["out"]].tolist()),
            stage="over" if now["out"] == 4 else "play", history=history,
        )  # fmt: skip

    def svg(self) -> str:
        """Return a picture of the table."""
        from gamecore.daifugo.draw import table_svg  # drawing knows cards, not the reverse

        to_move = self.turn if self.stage in ("deal", "play") else None
        names = [f"▸ {name}" if place == to_move else name for place, name in enumerate(SEATS)]
        on_field = str(self.field).split() if self.field else []
        hands = list(zip(names, self.hands, strict=True))
        return table_svg(hands, on_field, ", ".join(self._marks()))

    def __str__(self) -> str:
        return self._told([" ".join(hand) for hand in self.hands])


@dataclass(frozen=True, kw_only=True)
class View(Table, game.View):
    """What one player sees: its own cards, and whatever is open or was told to all.

    Everybody sees ``stage``, ``turn``, ``leader``, ``field``, ``owner``, ``locked``, ``passed``,
    ``revolution``, ``passes``, ``out``, ``ranks``, ``history`` and ``rules``, as in `State`.

    Attributes
    ----------
    player : int
        Whose view it is.
    hand : tuple of str
        Its cards, weak to strong.
    sizes : tuple of int
        How many cards each of the four holds.
    unseen : tuple of str
        The cards that the others hold, weak to strong.
    exchanged : tuple of tuple
        Which cards the player gave and got before the first trick: from whom, to whom, what.

    Examples
    --------
    >>> view = State.of(["D3 D8 H2", "D5 S4", "C6 JO", "S3 HQ"]).play("D3").view(1)
    >>> view.hand, view.sizes, view.history
    (('S4', 'D5'), (2, 2, 2, 2), ((0, 'D3'),))
    >>> view.legal()
    ['pass', 'S4', 'D5']
    """

    player: int
    hand: tuple[str, ...]
    sizes: tuple[int, ...]
    unseen: tuple[str, ...]

    def __post_init__(self) -> None:
        check.whole(self.player, "player", 0, 3)
        for name in ("hand", "sizes", "unseen"):
            if not isinstance(getattr(self, name), tuple):
                raise ValueError(f"{name} must be a tuple, not {check.short(getattr(self, name))}")
        if len(self.sizes) != 4:
            raise ValueError(f"sizes are four numbers, not {check.short(self.sizes)}")
        others = sum(check.whole(size, "sizes") for size in self.sizes) - self.sizes[self.player]
        if (len(self.hand), len(self.unseen)) != (self.sizes[self.player], others):
            raise ValueError(
                f"{len(self.hand)} cards in hand, {len(self.unseen)} unseen: {self.sizes}?"
            )
        super().__post_init__()

    def _hands(self) -> tuple[tuple[str, ...], ...]:
        return self._dealt(self.unseen)

    def _dealt(self, cards: Sequence[str]) -> tuple[tuple[str, ...], ...]:
        """Return four hands: the player's own, and so many of the cards for each other."""
        rest = iter(cards)
        return tuple(
            self.hand if place == self.player else tuple(islice(rest, size))
            for place, size in enumerate(self.sizes)
        )

    def legal(self) -> list[str]:
        """Return the player's moves, pass first, then in list order; empty if not its turn."""
        return list(self._plays) if self.stage == "play" and self.turn == self.player else []

    def guess(self, generator: np.random.Generator) -> State:
        """Return a state that looks like this to the player: unseen cards are dealt at random.

        Examples
        --------
        >>> view = State.of(["D3 D8 H2", "D5 S4", "C6 JO", "S3 HQ"]).view(0)
        >>> imagined = view.guess(np.random.default_rng(1))
        >>> imagined.view(0) == view, imagined.hands[3]
        (True, ('C6', 'JO'))
        """
        check.instance(generator, "generator", np.random.Generator)
        cards = [self.unseen[i] for i in generator.permutation(len(self.unseen))]
        hands = tuple(card_names(card_set(hand)) for hand in self._dealt(cards))
        return State._made(self, hands=hands)

    def __str__(self) -> str:
        hands = [f"{size} card{'s' * (size != 1)}" for size in self.sizes]
        hands[self.player] = " ".join(self.hand)
        return self._told(hands)


def start(ranks: Sequence[int] | None = None, rules: Rules = Rules()) -> State:  # noqa: B008
    """Return the state before the deal, given the ranks of the game before.

    Parameters
    ----------
    ranks : sequence of int, optional
        The four seats by rank, best first, such as the end of a game has in ``out``: the first
        card is then dealt to the richest, and cards are exchanged after the deal. None: a first
        game, where the seat of the first card is drawn and nobody exchanges.
    rules : Rules
        The reading of the rules.

    Examples
    --------
    >>> start().legal(-1)
    ['Sontaku', 'CPUA', 'CPUB', 'CPUC']
    >>> start(ranks=[2, 0, 1, 3]).turn
    2
    """
    seats: tuple[int, ...] = ()
    if ranks is not None:
        if (
            not isinstance(ranks, Sequence | np.ndarray)
            or isinstance(ranks, str)
            or len(ranks) != 4
        ):
            raise ValueError(f"ranks are the four seats, best first, not {check.short(ranks)}")
        seats = tuple(check.whole(each, "each of ranks", 0, 3) for each in ranks)
    return State(
        hands=((),) * 4, stage="deal" if seats else "seat", turn=seats[0] if seats else 0,
        ranks=seats, rules=rules,
    )  # fmt: skip


def log(states: Sequence[State]) -> list[str]:
    r"""Tell a game, or a part of it, given its states: one line for each event.

    Examples
    --------
    >>> opening = State.of(["D3", "D5 S4", "C6", "S8"])
    >>> print("\n".join(log([opening, opening.play("D3"), opening.play("D3").play("D5")])))
      Sontaku: D3
      Sontaku is out
      CPUA: D5  lock
    """
    if not isinstance(states, Sequence) or not all(isinstance(each, State) for each in states):
        raise ValueError(f"a list of states is needed, not {check.short(states)}")
    return [line for before, after in pairwise(states) for line in _told_between(before, after)]


def _told_between(before: State, after: State) -> Iterator[str]:
    if before.stage == "play":
        place, move = after.history[-1]
        yield f"  {SEATS[place]}: {move}  {', '.join(_events(before, move, after))}".rstrip()
        if move != "pass" and not after.hands[place]:
            yield f"  {SEATS[place]} is out"
        if after.stage == "lots":
            yield "Too many passes in a row: the remaining ranks are drawn"
    if after.stage == "over":
        yield "Ranks: " + ", ".join(SEATS[place] for place in after.out)
    elif after.stage == "play" and after.field is None and not after.passed:
        yield f"{SEATS[after.turn]} leads"


def _events(before: State, move: str, after: State) -> list[str]:
    """Return what a play brought about."""
    if move == "pass":
        return []
    _, _, low, high, suits = r.shape(before._plays[move])
    events = {
        "lock": before.field is not None and suits == before._record.suits,
        "revolution": before.revolution != after.revolution,
        "8-cut": low <= r.EIGHT <= high,
        "S3 over the joker": before.field == Play(("JO",)),
    }
    return [name for name, happened in events.items() if happened]
