"""The battle as states of the one protocol of all games, with moves as texts.

A move is its type, such as ``"fire"``; a switch is ``"switch B"``, a replacement ``"send B"``.
"""

import re
from dataclasses import dataclass

from gamecore import check, game
from gamecore.pokemon import rules
from gamecore.pokemon.parties import CHART, PAPER, PARTIES, Battle, Chart, Parties


@dataclass(frozen=True)
class State(game.State):
    """A battle before a turn or a replacement, before the leads are dealt, or at its end.

    `start` gives the first one, ``State.of`` one from text.

    Attributes
    ----------
    battle : Battle
        Parties and type chart.
    leads : tuple of int, or None
        Each party's active monster, counted from 0; None before they are dealt.
    hp : tuple of tuple
        HP of each party's members, 0 for the fainted.
    turns : int
        Action turns left.

    Examples
    --------
    >>> state = start().play("A against D")
    >>> state.legal(0)
    ['grass', 'fire', 'electric', 'switch B', 'switch C']
    >>> print(state.play("fire", "switch E"))
    *A 5, B 5, C 5 - D 5, *E 3, F 4; 18 turns left
    """

    seats = ("party 1", "party 2")
    battle: Battle
    leads: tuple[int, int] | None
    hp: tuple[tuple[int, ...], tuple[int, ...]]
    turns: int

    def __post_init__(self) -> None:
        check.whole(self.turns, "turns")
        leads = (0, 0) if self.leads is None else self.leads
        for name, pair in (("leads", leads), ("hp", self.hp)):
            if not isinstance(pair, tuple) or len(pair) != 2:
                raise ValueError(
                    f"{name} must be a pair, one for each party, not {check.short(pair)}"
                )
        rules.check_position(*leads, *self.hp, self.battle)
        if self.leads is None and not all(map(all, self.hp)):
            raise ValueError("nobody has fainted before the leads are dealt")
        object.__setattr__(self, "hp", tuple(map(tuple, self.hp)))  # lists may be given

    @classmethod
    def of(cls, text: str, parties: Parties = PARTIES, chart: Chart = CHART) -> "State":
        """Return a state from the text that ``str`` gives: stars mark the active monsters.

        Examples
        --------
        >>> state = State.of("A 0, *B 3, C 1 - *D 0, E 4, F 4; 7 turns left")
        >>> state.movers, state.legal(1)
        ((1,), ['send E', 'send F'])
        """
        first = start(1, parties, chart)
        leads: list[int | None] = []
        hp: list[tuple[int, ...]] = []
        written = text.strip() if isinstance(text, str) else ""
        found = re.fullmatch(r"(.+) - (.+); (\d{1,9}) turns? left", written)
        for party, half in zip(first.battle.parties, found.groups() if found else (), strict=False):
            parts = [
                re.fullmatch(r"(\*?)(\S+) (\d{1,9})", part.strip()) for part in half.split(",")
            ]
            stars = [k for k, part in enumerate(parts) if part and part[1]]
            if [part and part[2] for part in parts] == [monster.name for monster in party]:
                hp.append(tuple(int(part[3]) for part in parts if part))
                leads += stars or [None]
        if not found or len(hp) != 2 or len(leads) != 2 or (leads[0] is None) != (leads[1] is None):
            raise ValueError(
                f"{check.short(text)} is not written like {str(first)!r}, leads with a star"
            )
        pair = None if leads[0] is None or leads[1] is None else (leads[0], leads[1])
        return cls(first.battle, pair, (hp[0], hp[1]), int(found[3]))

    @property
    def position(self) -> rules.Position:
        """Leads and HP, as `encode` and `Solution.value` take them; only once leads are dealt."""
        if self.leads is None:
            raise ValueError("there is no position before the leads are dealt")
        return *self.leads, *self.hp

    @property
    def movers(self) -> tuple[int, ...]:
        """Who moves now, that is both, who must replace a fainted monster, chance, or nobody."""
        if self.turns == 0 or not all(map(any, self.hp)):
            return ()
        if self.leads is None:
            return (game.CHANCE,)
        waiting = tuple(side for side in (0, 1) if self.hp[side][self.leads[side]] == 0)
        return waiting or (0, 1)

    def legal(self, player: int) -> list[str]:
        """Return a side's moves, then its switches; or whom it may send; or what can be dealt."""
        movers = self.movers
        if check.whole(player, "player", game.CHANCE, 1) not in movers:
            return []
        if self.leads is None:
            one, two = self.battle.parties
            return [f"{a.name} against {b.name}" for a in one for b in two]
        party, lead = self.battle.parties[player], self.leads[player]
        bench = [m.name for k, m in enumerate(party) if k != lead and self.hp[player][k] > 0]
        if len(movers) == 1:
            return [f"send {name}" for name in bench]
        return [*party[lead].moves, *(f"switch {name}" for name in bench)]

    def action(self, player: int, move: str) -> int:
        """Return the number of a legal move to kernels; of a replacement, the member's.

        Examples
        --------
        >>> start().play("A against D").action(0, "switch B")
        3
        """
        legal = self.legal(check.whole(player, "player", 0, 1))
        return self._action(player, check.one_of(move, "move", legal))

    def _action(self, player: int, move: str) -> int:
        party, lead = self.battle.parties[player], (self.leads or (0, 0))[player]
        word, _, name = move.partition(" ")
        if not name:
            return party[lead].moves.index(word)
        member = [monster.name for monster in party].index(name)
        if word == "send":
            return member
        return self.battle.setup.slots + member - (member > lead)

    def all_moves(self) -> list[str]:
        """Return all types that a move has, then all switches and replacements."""
        monsters = [monster for party in self.battle.parties for monster in party]
        types = dict.fromkeys(move for monster in monsters for move in monster.moves)
        names = dict.fromkeys(monster.name for monster in monsters)
        return [*types, *(f"{word} {name}" for word in ("switch", "send") for name in names)]

    def longest(self) -> int:
        """Return the turns, the deal, and a replacement for all but one monster of each party."""
        return self.turns + 1 + sum(len(party) - 1 for party in self.battle.parties)

    def _after(self, moves: tuple[str, ...]) -> "State":
        battle = self.battle
        if self.leads is None:
            place = self.legal(game.CHANCE).index(moves[0])
            return State(battle, divmod(place, len(battle.parties[1])), self.hp, self.turns)
        actions = [self._action(side, move) for side, move in zip(self.movers, moves, strict=True)]
        if len(actions) == 1:
            one, two = (actions[0] if side in self.movers else self.leads[side] for side in (0, 1))
            return State(battle, (one, two), self.hp, self.turns)
        number = rules.number_of(*self.position, battle)
        return numbered(rules.turn(number, actions[0], actions[1], battle), self.turns - 1, battle)

    def returns(self) -> tuple[float, ...]:
        """Return 1 for a win, 0 for a draw, −1 for a loss: live monsters count, then HP."""
        if self.movers:
            raise ValueError("the battle is not over")
        one, two = ((sum(h > 0 for h in hp), sum(hp)) for hp in self.hp)
        won = float((one > two) - (one < two))
        return won, -won

    def svg(self) -> str:
        """Return a picture of both parties."""
        from gamecore.pokemon.draw import picture  # drawing knows states, not the reverse

        return picture(self)

    def __repr__(self) -> str:
        battle = self.battle  # all of it: states of different battles must not look alike
        own = "" if battle == PAPER else f", {battle.parties!r}, {battle.chart!r}"
        return f"State.of({str(self)!r}{own})"

    def __str__(self) -> str:
        halves = []
        for side, party in enumerate(self.battle.parties):
            lead = self.leads[side] if self.leads else None
            marks = ["*" * (member == lead) for member in range(len(party))]
            words = zip(marks, party, self.hp[side], strict=True)
            halves.append(", ".join(f"{mark}{monster.name} {hp}" for mark, monster, hp in words))
        return f"{halves[0]} - {halves[1]}; {self.turns} turn{'s' * (self.turns != 1)} left"


def start(turns: int = rules.TURNS, parties: Parties = PARTIES, chart: Chart = CHART) -> State:
    """Return the state before the leads are dealt: chance deals them, all pairs equally likely.

    Parameters
    ----------
    turns : int
        Action turns of the game; the paper judges it on reaching turn 20.
    parties : two sequences of Monster
        One to six monsters each.
    chart : dict
        By the move's type and the defender's, the factor of the damage.

    Examples
    --------
    >>> from gamecore.game import CHANCE
    >>> start().movers == (CHANCE,), start().legal(CHANCE)[:2]
    (True, ['A against D', 'A against E'])
    """
    battle = Battle(parties, chart)
    one, two = (tuple(monster.hp for monster in party) for party in battle.parties)
    return State(battle, None, (one, two), check.whole(turns, "turns", 1))


def numbered(number: int, turns: int, battle: Battle) -> State:
    """Return the state of a position's number, with so many turns left."""
    lead1, lead2, hp1, hp2 = rules.decode(number, battle)
    return State(battle, (lead1, lead2), (hp1, hp2), turns)
