"""The simplified Pokémon battle (簡易版ポケモンバトル): state, legal actions, one turn.

Two parties of three monsters, one of each active. In a turn both sides choose at once one of three
moves (ワザ) or a switch (交換) to a live member of the bench. Switches come first, then the faster
monster's move, then the slower's. A state is one integer: both leads and the six HP. It does not
hold the turn; the number of turns left travels beside it.

References
----------
K. Konishi, K. Ikeda and C.-H. Hsueh, section 3.1, tables 1 and 2.
"""

from typing import NamedTuple

import numpy as np

from gamecore.kernel import constant, kernel

#: ほのお, くさ, でんき, みず in the order of table 1.
TYPES = ("fire", "grass", "electric", "water")
_FIRE, _GRASS, _ELECTRIC, _WATER = range(4)
#: Table 1: rows are the move's type, columns the defender's.
CHART = constant(
    [[0.5, 1.5, 1.0, 0.5], [0.5, 0.5, 1.5, 1.0], [1.0, 0.5, 0.5, 1.5], [1.5, 1.0, 0.5, 0.5]]
)
#: Table 2, by party and member: A, B, C and D, E, F.
NAMES = (("A", "B", "C"), ("D", "E", "F"))
TYPE = constant([[_GRASS, _WATER, _ELECTRIC], [_GRASS, _FIRE, _ELECTRIC]])
SPEED = constant([[5, 4, 10], [6, 7, 8]])
MOVES = constant(
    [
        [[_GRASS, _FIRE, _ELECTRIC], [_WATER, _FIRE, _ELECTRIC], [_ELECTRIC, _GRASS, _WATER]],
        [[_GRASS, _FIRE, _ELECTRIC], [_FIRE, _WATER, _GRASS], [_ELECTRIC, _GRASS, _WATER]],
    ]
)
HP1 = (5, 5, 5)
HP2 = (5, 4, 4)
#: Section 5.4 gives E and F five HP (footnote 3).
HP2_SECTION_5_4 = (5, 5, 5)
MAX_HP = 5
#: Action turns of a game that is judged on reaching turn 20.
TURNS = 19

_CODES = (MAX_HP + 1) ** 3  # of one party's three HP
STATES = 9 * _CODES * _CODES
ACTIONS = 5  # three moves, then the switches to the other two members in party order
#: What kind of action it was, against the opposing active monster at the time of choice.
CLASSES = ("effective", "ordinary", "ineffective", "advantageous switch", "other switch")
EFFECTIVE, ORDINARY, INEFFECTIVE, ADVANTAGEOUS, OTHER = range(5)

# [lead, k]: the member that switch k brings in.
_BENCH = constant([[1, 2], [0, 2], [0, 1]])
# By attacking party, attacker, move and defender: table 1's factor, 1.5 raised to 2 when the move
# has its user's own type, times the basic damage of 2; and the class of the attack.
_FACTOR = constant(CHART[MOVES[..., None], TYPE[::-1, None, None, :]])
_OWN_TYPE = constant((TYPE[..., None] == MOVES)[..., None])
_DAMAGE = constant(2 * np.where((_FACTOR == 1.5) & _OWN_TYPE, 2.0, _FACTOR), np.int64)
_CLASS = constant(
    np.select([_FACTOR == 1.5, _FACTOR == 1.0], [EFFECTIVE, ORDINARY], INEFFECTIVE), np.int64
)
# By party, member brought in and opposing active: does the member's type have 1.5 against it?
_IS_GOOD = constant(CHART[TYPE[..., None], TYPE[::-1, None, :]] == 1.5)
_SWITCH_CLASS = constant(np.where(_IS_GOOD, ADVANTAGEOUS, OTHER), np.int64)
_FIRST_IS_FASTER = constant(SPEED[0][:, None] > SPEED[1])


class State(NamedTuple):
    """A position, unpacked.

    Examples
    --------
    >>> start = State(0, 0, HP1, HP2)
    >>> decode(encode(*start)) == start
    True
    """

    lead1: int
    """Party 1's active monster; 0, 1, 2 stand for A, B, C."""
    lead2: int
    """Party 2's active monster; 0, 1, 2 stand for D, E, F."""
    hp1: tuple[int, int, int]
    """HP of A, B, C, 0 to 5."""
    hp2: tuple[int, int, int]
    """HP of D, E, F, 0 to 5."""


def encode(lead1: int, lead2: int, hp1: tuple, hp2: tuple) -> int:
    """Return a position's number, after checking it.

    Parameters
    ----------
    lead1, lead2 : int
        Each party's active monster, 0 to 2.
    hp1, hp2 : sequence of three int
        HP of A, B, C and of D, E, F, 0 (fainted) to 5.

    Raises
    ------
    ValueError
        If something is out of range, a party has no live monster, or both leads have fainted
        (whoever faints first does not strike, so that cannot arise).

    Examples
    --------
    >>> decode(encode(0, 2, (5, 5, 0), (5, 4, 4)))
    State(lead1=0, lead2=2, hp1=(5, 5, 0), hp2=(5, 4, 4))
    """
    for name, lead in (("lead1", lead1), ("lead2", lead2)):
        if lead not in (0, 1, 2):
            raise ValueError(f"{name} must be 0, 1 or 2, not {lead!r}")
    for name, hp in (("hp1", hp1), ("hp2", hp2)):
        if len(hp) != 3 or any(h not in range(MAX_HP + 1) for h in hp):
            raise ValueError(f"{name} must be three whole numbers from 0 to {MAX_HP}, not {hp!r}")
        if not any(hp):
            raise ValueError(f"{name} has no live monster, neither active nor on the bench")
    if hp1[lead1] == 0 and hp2[lead2] == 0:
        raise ValueError("both leads have fainted, which cannot arise: at most one may have HP 0")
    return int(pack(int(lead1), int(lead2), _code(hp1), _code(hp2)))


def decode(state: int) -> State:
    """Return a packed position as leads and HP; see `encode`.

    Examples
    --------
    >>> decode(encode(1, 0, (0, 3, 0), (5, 0, 0))).hp1
    (0, 3, 0)
    """
    if not 0 <= state < STATES:
        raise ValueError(f"a state is a number from 0 to {STATES - 1}, not {state}")
    lead1, lead2, h1, h2 = (int(part) for part in unpack(state))
    return State(lead1, lead2, (h1 // 36, h1 // 6 % 6, h1 % 6), (h2 // 36, h2 // 6 % 6, h2 % 6))


def _code(hp: tuple) -> int:
    return int(36 * hp[0] + 6 * hp[1] + hp[2])


@kernel
def pack(lead1, lead2, h1, h2):
    """Return the number of a position; `h1` and `h2` are three base-6 digits each."""
    return ((lead1 * 3 + lead2) * _CODES + h1) * _CODES + h2


@kernel
def unpack(state):
    """Return ``(lead1, lead2, h1, h2)``."""
    h2 = state % _CODES
    state //= _CODES
    h1 = state % _CODES
    leads = state // _CODES
    return leads // 3, leads % 3, h1, h2


@kernel
def hp_of(h, member):
    """Return one member's HP from a party's code."""
    if member == 0:
        return h // 36
    return h // 6 % 6 if member == 1 else h % 6


@kernel
def live(h):
    """Return how many members of a party can still fight."""
    return int(h // 36 > 0) + int(h // 6 % 6 > 0) + int(h % 6 > 0)


@kernel
def _hurt(h, member, damage):
    """Return a party's code after `member` lost up to `damage` HP."""
    unit = 36 if member == 0 else 6 if member == 1 else 1
    return h - unit * min(damage, hp_of(h, member))


@kernel
def legal(state, party, action):
    """Return whether an action can be chosen: both actives alive, no switch to the fainted."""
    lead1, lead2, h1, h2 = unpack(state)
    if hp_of(h1, lead1) == 0 or hp_of(h2, lead2) == 0:
        return False
    if action < 3:
        return True
    return hp_of(h1 if party == 0 else h2, _BENCH[lead1 if party == 0 else lead2, action - 3]) > 0


@kernel
def legal_actions(state, party, out):
    """Write a side's legal actions into `out`, in order, and return how many there are."""
    count = 0
    for action in range(ACTIONS):
        if legal(state, party, action):
            out[count] = action
            count += 1
    return count


@kernel
def step(state, action1, action2):
    """Play one turn of two legal actions; a knocked-out active stays in front, to be replaced."""
    lead1, lead2, h1, h2 = unpack(state)
    if action1 >= 3:
        lead1 = _BENCH[lead1, action1 - 3]
    if action2 >= 3:
        lead2 = _BENCH[lead2, action2 - 3]
    first = 0 if _FIRST_IS_FASTER[lead1, lead2] else 1
    for party in (first, 1 - first):
        if party == 0 and action1 < 3 and hp_of(h1, lead1) > 0:
            h2 = _hurt(h2, lead2, _DAMAGE[0, lead1, action1, lead2])
        if party == 1 and action2 < 3 and hp_of(h2, lead2) > 0:
            h1 = _hurt(h1, lead1, _DAMAGE[1, lead2, action2, lead1])
    return pack(lead1, lead2, h1, h2)


@kernel
def is_over(state):
    """Return whether a party has no live monster."""
    _, _, h1, h2 = unpack(state)
    return h1 == 0 or h2 == 0


@kernel
def to_replace(state):
    """Return the party (0 or 1) that must bring in a monster now, else −1."""
    lead1, lead2, h1, h2 = unpack(state)
    if h1 == 0 or h2 == 0:
        return -1
    if hp_of(h1, lead1) == 0:
        return 0
    return 1 if hp_of(h2, lead2) == 0 else -1


@kernel
def replaced(state, party, member):
    """Return the state after `party` brought in a member; −1 if that one has fainted."""
    lead1, lead2, h1, h2 = unpack(state)
    if hp_of(h1 if party == 0 else h2, member) == 0:
        return -1
    return pack(member, lead2, h1, h2) if party == 0 else pack(lead1, member, h1, h2)


@kernel
def result(state):
    """Return party 1's result when time is up or a party is gone: count, then HP, else a draw."""
    _, _, h1, h2 = unpack(state)
    lead = live(h1) - live(h2)
    if lead == 0:
        lead = (h1 // 36 + h1 // 6 % 6 + h1 % 6) - (h2 // 36 + h2 // 6 % 6 + h2 % 6)
    return 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5


@kernel
def action_class(state, party, action):
    """Return the class of an action against the opposing active of this moment."""
    lead1, lead2, _, _ = unpack(state)
    own, other = (lead1, lead2) if party == 0 else (lead2, lead1)
    if action < 3:
        return _CLASS[party, own, action, other]
    return _SWITCH_CLASS[party, _BENCH[own, action - 3], other]


@kernel
def successors(state, out):
    """Write the next state for every pair of actions, 5 × first + second; illegal ones are left."""
    if not (legal(state, 0, 0) and legal(state, 1, 0)):
        return
    for i in range(ACTIONS):
        if i < 3 or legal(state, 0, i):
            for j in range(ACTIONS):
                if j < 3 or legal(state, 1, j):
                    out[ACTIONS * i + j] = step(state, i, j)
