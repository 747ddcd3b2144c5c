"""A table to play at by hand, or to watch a recorded game again: `Table`.

It holds one state, checks every play, keeps a readable log, and shows itself in a notebook.
"""

from collections.abc import Sequence

import numpy as np

from gamecore.daifugo import rules as r
from gamecore.daifugo.cards import Cards, Play, card_names, card_set, decode, encode
from gamecore.daifugo.plays import listed
from gamecore.daifugo.rules import Rules

#: Seats clockwise, in the order of turns; the paper's sontaku player sits in seat 0.
SEATS = ("Sontaku", "CPUA", "CPUB", "CPUC")


class Table:
    """Four players with open cards.

    Parameters
    ----------
    hands : sequence of str or of iterables of str
        Four hands, by seat; no card twice.
    turn : int
        The seat that leads.
    rules : Rules
        The reading of the rules.
    revolution : bool
        Whether the ranks are upside down already.
    seed : int
        Draws the remaining ranks if everybody keeps passing.

    Examples
    --------
    >>> table = Table(["D3 D8 H2", "D5 S4", "C6 JO", "S3 HQ"], turn=0)
    >>> table.play("D3")
    >>> table.play("D5")
    >>> table.locked, [str(play) for play in table.legal_plays()]
    (True, ['JO'])
    """

    def __init__(
        self,
        hands: Sequence[Cards],
        turn: int = 0,
        rules: Rules = Rules(),  # noqa: B008 (immutable)
        revolution: bool = False,
        seed: int = 0,
    ):
        sets = [card_set(hand) for hand in hands]
        if len(sets) != 4 or turn not in range(4):
            raise ValueError(f"a table has four hands and turn is 0 to 3: got {len(sets)}, {turn}")
        for i, cards in enumerate(sets):
            if not cards:
                raise ValueError(f"{SEATS[i]}'s hand is empty: everybody starts with cards")
            for other in sets[:i]:
                if both := card_names(cards & other):
                    raise ValueError(f"duplicate card {both[0]!r}: every card exists once")
        state = np.zeros(1, r.STATE)[0]
        state.hands, state.turn, state.leader = sets, turn, turn
        state.owner, state.revolution = -1, revolution
        self._start(state, rules, seed)

    @classmethod
    def of(cls, state: np.record, rules: Rules = Rules(), seed: int = 0) -> "Table":  # noqa: B008
        """Return a table in a kernel's state, for example a record's opening."""
        table = cls.__new__(cls)
        table._start(state.copy(), rules, seed)
        return table

    def _start(self, state: np.record, rules: Rules, seed: int) -> None:
        self.state, self.rules = state, Rules._make(map(int, rules))
        self._scratch = r.new_scratch(seed)
        self.log: list[str] = []

    @property
    def turn(self) -> int:
        """The seat to move."""
        return int(self.state.turn)

    @property
    def hands(self) -> list[tuple[str, ...]]:
        """The four hands, weak to strong."""
        return [card_names(int(hand)) for hand in self.state.hands]

    @property
    def field(self) -> Play | None:
        """The play on the field (場); None when it is empty."""
        return decode(int(self.state.field)) if self.state.field else None

    @property
    def locked(self) -> bool:
        """Whether the suits are locked."""
        return bool(self.state.locked)

    @property
    def revolution(self) -> bool:
        """Whether the ranks are upside down."""
        return bool(self.state.revolution)

    @property
    def order(self) -> list[int]:
        """The seats that are out, best rank first."""
        return self.state.order[: self.state.out].tolist()

    def _legal(self) -> list[int]:
        return listed(self.state, self.rules, self._scratch)

    def legal_plays(self) -> list[Play]:
        """Return the legal plays of the seat to move, in list order, pass excluded."""
        return [] if len(self.order) == 4 else [decode(play) for play in self._legal()]

    def play(self, play: str | Play | None) -> None:
        """Lay cards, or pass with None, for the seat to move.

        Raises
        ------
        ValueError
            If the game is over or the play is not legal; the message lists what is.
        """
        if len(self.order) == 4:
            raise ValueError("the game is over: nobody is to move")
        if play is None:
            if not r.may_pass(self.state, self.rules):
                raise ValueError("by these rules nobody may pass on an empty field")
            return self._take(r.PASS)
        legal, meant = self._legal(), encode(str(play))
        if meant not in legal and "JO" in str(play).split():  # a bare joker: whatever fits
            fitting = [x for x in legal if (x ^ meant) & (r.JOKER | r.PLAIN) == 0]
            meant = fitting[0] if len(fitting) == 1 else meant
        if meant not in legal:
            choices = ", ".join(str(decode(x)) for x in legal) or "none, only a pass"
            raise ValueError(f"{SEATS[self.turn]} may not play {play!s}; legal plays: {choices}")
        return self._take(meant)

    def _take(self, play: int) -> None:
        """Let the kernel move, and write down what happened."""
        seat, before = self.turn, self.state.copy()
        r.take_turn(self.state, self.rules, play, self._scratch)
        after, say = self.state, self.log.append
        if play == r.PASS:
            say(f"  {SEATS[seat]}: pass")
            if after.passes >= self.rules.pass_limit:
                say("Too many passes in a row: the remaining ranks are drawn")
        else:
            _, _, low, high, suits = r.shape(play)
            events = {
                "lock": before.kind != r.EMPTY and suits == before.suits,
                "revolution": before.revolution != after.revolution,
                "8-cut": low <= r.EIGHT <= high,
                "S3 over the joker": before.field == r.JOKER,
            }
            notes = ", ".join(name for name, happened in events.items() if happened)
            say(f"  {SEATS[seat]}: {decode(play)}  {notes}".rstrip())
            if not after.hands[seat]:
                say(f"  {SEATS[seat]} is out")
        if len(self.order) == 4:
            say("Ranks: " + ", ".join(SEATS[seat] for seat in self.order))
        elif after.kind == r.EMPTY and not after.passed:
            say(f"{SEATS[self.turn]} leads")

    def _repr_svg_(self) -> str:
        from gamecore.daifugo.draw import table_svg

        names = [f"▸ {name}" if seat == self.turn else name for seat, name in enumerate(SEATS)]
        marks = [word for word in ("locked", "revolution") if getattr(self.state, word)]
        on_field = str(self.field).split() if self.field else []
        return table_svg(list(zip(names, self.hands, strict=True)), on_field, ", ".join(marks))
