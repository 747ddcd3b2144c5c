"""Who fights: monsters, two parties of them and a type chart, and the same as arrays for kernels.

The paper's are `PARTIES` and `CHART`; any others may take their place. A move is known by its type.
It takes twice its factor in the chart from the defender's HP, and what is left after the point is
dropped. A move that is effective (factor above 1) and has its user's own type does a third more:
the paper's 1.5 becomes 2.

References
----------
K. Konishi, K. Ikeda and C.-H. Hsueh, section 3.1, tables 1 and 2.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from gamecore import check
from gamecore.kernel import constant

#: At most so many monsters in a party, moves of a monster, and HP.
MAX_MONSTERS, MAX_MOVES, MAX_HP = 6, 4, 10**6
BASE_DAMAGE = 2
#: What kind of action it was, against the opposing active monster at the time of choice.
CLASSES = ("effective", "ordinary", "ineffective", "advantageous switch", "other switch")
EFFECTIVE, ORDINARY, INEFFECTIVE, ADVANTAGEOUS, OTHER = range(5)

Chart = Mapping[str, Mapping[str, float]]


def _word(text: str, name: str) -> None:
    """Refuse what could not be read in a move or a position written as text."""
    if not isinstance(text, str) or not re.fullmatch(r"[^\s,;*-][^\s,;*]*", text):
        raise ValueError(
            f"{name} must be a word without spaces, commas or stars, not {check.short(text)}"
        )


@dataclass(frozen=True)
class Monster:
    """One monster.

    Attributes
    ----------
    name : str
        A word, such as ``"A"``.
    type : str
        A type of the chart.
    hp : int
        HP at the start.
    speed : float
        The faster of two strikes first. Monsters that can meet must differ in it: the paper has no
        ties, and who struck first would decide games.
    moves : tuple of str
        The types of its moves, one to four, all different.

    Examples
    --------
    >>> Monster("Char", "fire", 6, 9, ["fire", "electric"]).moves
    ('fire', 'electric')
    """

    name: str
    type: str
    hp: int
    speed: float
    moves: tuple[str, ...]

    def __post_init__(self) -> None:
        _word(self.name, "a monster's name")
        _word(self.type, f"{self.name}'s type")
        object.__setattr__(self, "hp", check.whole(self.hp, f"{self.name}'s hp", 1, MAX_HP))
        check.real(self.speed, f"{self.name}'s speed", -1e6, 1e6)
        moves = tuple(check.listed(self.moves, f"{self.name}'s moves"))
        for move in moves:
            _word(move, f"a move of {self.name}")
        if len({*moves}) != len(moves) or len(moves) not in range(1, MAX_MOVES + 1):
            raise ValueError(
                f"{self.name} needs 1 to {MAX_MOVES} moves of different types, "
                f"not {check.short(moves)}"
            )
        object.__setattr__(self, "moves", moves)  # a list may be given


Parties = Sequence[Sequence[Monster]]

#: Table 1 (ほのお, くさ, でんき, みず): rows are the move's type, columns the defender's.
CHART: Chart = MappingProxyType({
    "fire": MappingProxyType({"fire": 0.5, "grass": 1.5, "electric": 1.0, "water": 0.5}),
    "grass": MappingProxyType({"fire": 0.5, "grass": 0.5, "electric": 1.5, "water": 1.0}),
    "electric": MappingProxyType({"fire": 1.0, "grass": 0.5, "electric": 0.5, "water": 1.5}),
    "water": MappingProxyType({"fire": 1.5, "grass": 1.0, "electric": 0.5, "water": 0.5}),
})  # fmt: skip
#: Table 2: A, B, C and D, E, F.
PARTIES = (
    (
        Monster("A", "grass", 5, 5, ("grass", "fire", "electric")),
        Monster("B", "water", 5, 4, ("water", "fire", "electric")),
        Monster("C", "electric", 5, 10, ("electric", "grass", "water")),
    ),
    (
        Monster("D", "grass", 5, 6, ("grass", "fire", "electric")),
        Monster("E", "fire", 4, 7, ("fire", "water", "grass")),
        Monster("F", "electric", 4, 8, ("electric", "grass", "water")),
    ),
)
#: Section 5.4 gives E and F five HP (footnote 3).
PARTIES_SECTION_5_4 = (PARTIES[0], tuple(replace(monster, hp=5) for monster in PARTIES[1]))


class Setup(NamedTuple):
    """A battle as arrays, for kernels; made by `Battle`.

    Members are indexed by party and place. Where one party or monster has fewer members or moves
    than the other, arrays are padded with zeros.
    """

    sizes: np.ndarray  # [party]: members
    moves: np.ndarray  # [party, member]: how many it has
    damage: np.ndarray  # [party, attacker, move, defender]
    classes: np.ndarray  # [party, active, action, opposing active]: an index of CLASSES
    is_first: np.ndarray  # [member of party 1, member of party 2]: is the former the faster?
    base: np.ndarray  # [party]: the most HP of a member, plus 1
    units: np.ndarray  # [party, member]: what one HP of it adds to a state's number
    strides: np.ndarray  # [party]: what the next member as lead adds to a state's number
    slots: int  # actions below this are moves, those from it on switches
    actions: int


def _checked_party(party: Any, chart: dict[str, dict[str, float]]) -> tuple[Monster, ...]:
    members = tuple(check.listed(party, "a party"))
    for monster in members:
        if not isinstance(monster, Monster):
            raise ValueError(f"a party is made of monsters, not of {check.short(monster)}")
        for kind in (monster.type, *monster.moves):
            if kind not in chart:
                types = ", ".join(chart)
                raise ValueError(
                    f"{monster.name}'s {check.short(kind)} is no type of the chart: {types}"
                )
    if len(members) not in range(1, MAX_MONSTERS + 1):
        raise ValueError(f"a party has 1 to {MAX_MONSTERS} monsters, not {len(members)}")
    if len({monster.name for monster in members}) < len(members):
        raise ValueError("the monsters of a party must have different names")
    return members


def whole_chart(chart: Any) -> dict[str, dict[str, float]]:
    """Return a chart with every pair of its types, after checking it."""
    try:
        rows = {move: dict(row) for move, row in dict(chart).items()}
    except (TypeError, ValueError) as error:
        raise ValueError("a chart goes from a move's type to the defender's to a factor") from error
    for move, row in rows.items():
        _word(move, "a type of the chart")
        for kind, factor in row.items():
            if kind not in rows:
                raise ValueError(
                    f"the chart has a column {check.short(kind)}, but no row of that type"
                )
            check.real(factor, f"the factor of {move} against {kind}", 0, 1000)
    return {move: {kind: float(row.get(kind, 1)) for kind in rows} for move, row in rows.items()}


def _damage(factor: float, is_own_type: bool) -> int:
    return int(BASE_DAMAGE * (factor * 4 / 3 if factor > 1 and is_own_type else factor))


def _class(factor: float) -> int:
    return EFFECTIVE if factor > 1 else ORDINARY if factor == 1 else INEFFECTIVE


@dataclass(frozen=True)
class Battle:
    """Two parties and a type chart, checked; what `gamecore.pokemon.solve` solves.

    Attributes
    ----------
    parties : tuple of tuple
        One to six monsters each.
    chart : dict
        By the move's type and the defender's, the factor of the damage, 0 to 1000; what it does not
        name counts 1. Kept as pairs, which ``dict`` reads.

    Examples
    --------
    >>> slow = Monster("Slow", "water", 9, 1, ["water"])
    >>> Battle([[slow], PARTIES[1]])  # 3 leads, HP 0 to 9, and three times HP 0 to 5
    Battle: Slow against D, E, F; 6,480 states
    """

    parties: Parties
    chart: Chart = field(default_factory=lambda: CHART)

    def __post_init__(self) -> None:
        chart = whole_chart(self.chart)
        parties = tuple(
            _checked_party(party, chart) for party in check.listed(self.parties, "parties")
        )
        if len(parties) != 2:
            raise ValueError(f"a battle needs two parties, not {len(parties)}")
        for one in parties[0]:
            for two in parties[1]:
                if one.speed == two.speed:
                    raise ValueError(
                        f"{one.name} and {two.name} can meet and are both of speed {one.speed:g}: "
                        "one must be faster, if only by a half"
                    )
        object.__setattr__(self, "parties", parties)
        object.__setattr__(
            self, "chart", tuple((a, tuple(row.items())) for a, row in chart.items())
        )
        if self.states >= 2**63:
            raise ValueError(f"{self.states:.1e} positions are too many to be numbered")

    @property
    def states(self) -> int:
        """How many positions are counted, by pairs of leads, and the HP of every monster.

        HP go from 0 to the most that a monster of the party has.
        """
        one, two = map(len, self.parties)
        return one * two * (self.most_hp[0] + 1) ** one * (self.most_hp[1] + 1) ** two

    @cached_property
    def most_hp(self) -> tuple[int, ...]:
        """The most HP that a monster of each party has at the start."""
        return tuple(max(monster.hp for monster in party) for party in self.parties)

    @cached_property
    def factors(self) -> dict[str, dict[str, float]]:
        """The whole chart, by the move's type and the defender's."""
        return {move: dict(row) for move, row in dict(self.chart).items()}

    @cached_property
    def setup(self) -> Setup:
        """The same as arrays, for kernels."""
        sizes, base = [len(party) for party in self.parties], [most + 1 for most in self.most_hp]
        codes = [base[party] ** sizes[party] for party in (0, 1)]
        slots = max(len(monster.moves) for party in self.parties for monster in party)
        wide, actions = max(sizes), slots + max(sizes) - 1
        moves, units = np.zeros((2, wide), np.int64), np.zeros((2, wide), np.int64)
        damage = np.zeros((2, wide, slots, wide), np.int64)
        classes = np.zeros((2, wide, actions, wide), np.int64)
        is_first = np.zeros((wide, wide), np.bool_)
        for party, members in enumerate(self.parties):
            for own, monster in enumerate(members):
                moves[party, own] = len(monster.moves)
                units[party, own] = base[party] ** (sizes[party] - 1 - own)
                bench = [*members[:own], *members[own + 1 :]]
                for other, target in enumerate(self.parties[1 - party]):
                    if party == 0:
                        is_first[own, other] = monster.speed > target.speed
                    for k, move in enumerate(monster.moves):
                        factor = self.factors[move][target.type]
                        damage[party, own, k, other] = _damage(factor, move == monster.type)
                        classes[party, own, k, other] = _class(factor)
                    for k, comes in enumerate(bench):
                        good = self.factors[comes.type][target.type] > 1
                        classes[party, own, slots + k, other] = ADVANTAGEOUS if good else OTHER
        units[0] *= codes[1]
        strides = [sizes[1] * codes[0] * codes[1], codes[0] * codes[1]]
        return Setup(
            constant(sizes), constant(moves), constant(damage), constant(classes),
            constant(is_first), constant(base), constant(units), constant(strides), slots, actions,
        )  # fmt: skip

    def __repr__(self) -> str:
        sides = [", ".join(monster.name for monster in party) for party in self.parties]
        return f"Battle: {sides[0]} against {sides[1]}; {self.states:,} states"

    def fits(self, other: "Battle") -> bool:
        """Return whether another battle differs at most in names and in HP at the start.

        Examples
        --------
        >>> PAPER.fits(Battle(PARTIES_SECTION_5_4))
        True
        """
        check.instance(other, "other", Battle)
        mine, theirs = (map(np.asarray, battle.setup) for battle in (self, other))
        return all(map(np.array_equal, mine, theirs))


PAPER = Battle(PARTIES)
