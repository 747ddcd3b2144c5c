"""The simplified Pokémon battle (簡易版ポケモンバトル): positions, legal actions, one turn.

Two parties of monsters, one of each active. In a turn both sides choose at once one of the active
monster's moves (ワザ) or a switch (交換) to a live member of the bench. Switches come first, then
the faster monster's move, then the slower's. A fainted active monster is replaced at once, which
takes no turn.

A position is one integer: both leads and all HP. It does not hold the turn; the number of turns
left travels beside it. An action is an integer too: the active monster's moves come first, then the
switches to the other members in party order. Kernels that play read what follows from a table of
`successors`; `gamecore.pokemon.state` has the same game as texts.

References
----------
K. Konishi, K. Ikeda and C.-H. Hsueh, section 3.1, tables 1 and 2.
"""

from collections.abc import Sequence

import numpy as np

from gamecore import check
from gamecore.kernel import kernel
from gamecore.pokemon.parties import PAPER, Battle

#: HP at the start in table 2, and section 5.4's of party 2 (footnote 3).
HP1, HP2, HP2_SECTION_5_4 = (5, 5, 5), (5, 4, 4), (5, 5, 5)
#: Action turns of a game that is judged on reaching turn 20.
TURNS = 19
_WAITING = -2  # and −3, in the place of a next state; see `successors`
#: Both leads, and both parties' HP.
Position = tuple[int, int, tuple[int, ...], tuple[int, ...]]


def encode(
    lead1: int, lead2: int, hp1: Sequence[int], hp2: Sequence[int], battle: Battle = PAPER
) -> int:
    """Return a position's number, after checking it.

    Parameters
    ----------
    lead1, lead2 : int
        Each party's active monster, counted from 0.
    hp1, hp2 : sequence of int
        HP of each party's members, 0 (fainted) to the most that one of the party has at the start.
    battle : Battle
        Whose positions are numbered.

    Raises
    ------
    ValueError
        If something is out of range, a party has no live monster, or both leads have fainted
        (whoever faints first does not strike, so that cannot arise).

    Examples
    --------
    >>> decode(encode(0, 2, (5, 5, 0), (5, 4, 4)))
    (0, 2, (5, 5, 0), (5, 4, 4))
    """
    check_position(lead1, lead2, hp1, hp2, battle)
    for name, hp in (("hp1", hp1), ("hp2", hp2)):
        if not any(hp):
            raise ValueError(f"{name} has no live monster, neither active nor on the bench")
    return number_of(lead1, lead2, hp1, hp2, battle)


def decode(state: int, battle: Battle = PAPER) -> Position:
    """Return a numbered position as ``(lead1, lead2, hp1, hp2)``; see `encode`.

    Examples
    --------
    >>> decode(encode(1, 0, (0, 3, 0), (5, 0, 0)))
    (1, 0, (0, 3, 0), (5, 0, 0))
    """
    check.instance(battle, "battle", Battle)
    rest, hp = check.whole(state, "state", 0, battle.states - 1), []
    for party in (1, 0):
        digits = []
        for _ in battle.parties[party]:
            rest, digit = divmod(rest, battle.most_hp[party] + 1)
            digits.append(digit)
        hp.append(tuple(reversed(digits)))
    return *divmod(rest, len(battle.parties[1])), hp[1], hp[0]


def check_position(
    lead1: int, lead2: int, hp1: Sequence[int], hp2: Sequence[int], battle: Battle
) -> None:
    """Refuse what is no position; a party may be gone, as at the end of a game."""
    check.instance(battle, "battle", Battle)
    for side, (lead, hp) in enumerate(((lead1, hp1), (lead2, hp2))):
        size, most = len(battle.parties[side]), battle.most_hp[side]
        check.whole(lead, f"lead{side + 1}", 0, size - 1)
        if not isinstance(hp, Sequence) or isinstance(hp, str) or len(hp) != size:
            raise ValueError(f"hp{side + 1} must be {size} whole numbers, not {check.short(hp)}")
        for member in hp:
            check.whole(member, f"each of hp{side + 1}", 0, most)
    if hp1[lead1] == 0 and hp2[lead2] == 0:
        raise ValueError("both leads have fainted, which cannot arise: at most one may have HP 0")


def number_of(
    lead1: int, lead2: int, hp1: Sequence[int], hp2: Sequence[int], battle: Battle
) -> int:
    """Return the number of a position that has been checked."""
    number = int(lead1) * len(battle.parties[1]) + int(lead2)
    for party, hp in enumerate((hp1, hp2)):
        for digit in hp:
            number = number * (battle.most_hp[party] + 1) + int(digit)
    return number


def turn(number: int, action1: int, action2: int, battle: Battle) -> int:
    """Return the position after one turn of two legal actions."""
    setup = battle.setup
    after = np.full(setup.actions**2, -1)
    successors(number, setup, np.zeros(setup.moves.shape, np.int64), after)
    return int(after[setup.actions * action1 + action2])


@kernel
def leads(state, stride, size2):
    """Return both leads; `stride` is what party 2's next member adds to a state's number."""
    pair = state // stride
    return pair // size2, pair % size2


@kernel
def unpack(state, setup, hp):
    """Write all HP, by party and member."""
    for party in (1, 0):
        base = setup.base[party]
        for member in range(setup.sizes[party] - 1, -1, -1):
            hp[party, member] = state % base
            state //= base


@kernel
def entering(lead, switch):
    """Return the member that switch 0, 1, … brings in."""
    return switch + (switch >= lead)


@kernel
def _active(hp, party, lead, moves, action, slots):
    """Return who is active after an action's switch, −1 if the action is not legal."""
    if action < slots:
        return lead if action < moves else -1
    member = entering(lead, action - slots)
    return member if member < hp.shape[1] and hp[party, member] > 0 else -1


@kernel
def _losses(hit1, hit2, hp1, hp2, is_first):
    """Return the HP that both actives lose; who is knocked out first does not strike."""
    lost1, lost2 = min(hit1, hp1), min(hit2, hp2)
    if is_first:
        return (lost1 if lost2 < hp2 else 0), lost2
    return lost1, (lost2 if lost1 < hp1 else 0)


@kernel
def successors(state, setup, hp, out):
    """Write what can follow a state into `out`, a row of a table, which is full of −1.

    For each pair of legal actions, ``actions × first + second``, the state after the turn; a
    knocked-out active stays in front, to be replaced. Where no turn can be played, the first entry
    is below zero: −1 if a party is gone; −2 or −3 if party 1 or 2 must replace its active, and then
    entry ``1 + member`` is the state with that one in front. `hp` is working space.
    """
    unpack(state, setup, hp)
    stride1, stride2 = setup.strides[0], setup.strides[1]
    lead1, lead2 = leads(state, stride2, setup.sizes[1])
    fainted1, fainted2 = hp[0, lead1] == 0, hp[1, lead2] == 0
    if fainted1 or fainted2:
        if hp[0].any() and hp[1].any():
            party, lead, stride = (0, lead1, stride1) if fainted1 else (1, lead2, stride2)
            out[0] = _WAITING - party
            for member in range(hp.shape[1]):
                if hp[party, member] > 0 and not (fainted1 and fainted2):  # both: cannot arise
                    out[1 + member] = state + (member - lead) * stride
        return
    # taken out of the tuple before the loops: numba counts references anew at every access
    damage, units, is_first = setup.damage, setup.units, setup.is_first
    slots, actions = setup.slots, setup.actions
    moves1, moves2 = setup.moves[0, lead1], setup.moves[1, lead2]
    for i in range(actions):
        active1 = _active(hp, 0, lead1, moves1, i, slots)
        if active1 < 0:
            continue
        for j in range(actions):
            active2 = _active(hp, 1, lead2, moves2, j, slots)
            if active2 < 0:
                continue
            hit1 = damage[1, active2, j, active1] if j < slots else 0
            hit2 = damage[0, active1, i, active2] if i < slots else 0
            hp1, hp2 = hp[0, active1], hp[1, active2]
            lost1, lost2 = _losses(hit1, hit2, hp1, hp2, is_first[active1, active2])
            after = state + (active1 - lead1) * stride1 - lost1 * units[0, active1]
            after += (active2 - lead2) * stride2 - lost2 * units[1, active2]
            out[actions * i + j] = after


@kernel
def can_act(table, state):
    """Return whether both sides choose actions: no party is gone, no active has fainted."""
    return table[state, 0] >= 0


@kernel
def to_replace(table, state):
    """Return the party (0 or 1) that must bring in a monster now, else a number below 0."""
    return _WAITING - table[state, 0]


@kernel
def replaced(table, state, member):
    """Return the state after a member was brought in, below 0 if that one has fainted."""
    return np.int64(table[state, 1 + member])


@kernel
def legal_actions(table, state, party, actions, out):
    """Write a side's legal actions into `out`, in order, and return how many there are."""
    count = 0
    for action in range(actions):
        # everybody has a move 0, so a legal action has a next state against it
        if table[state, actions * action if party == 0 else action] >= 0:
            out[count] = action
            count += 1
    return count


@kernel
def result(hp):
    """Return party 1's result when time is up or a party is gone: count, then HP, else a draw."""
    live = total = 0
    for member in range(hp.shape[1]):
        live += int(hp[0, member] > 0) - int(hp[1, member] > 0)
        total += hp[0, member] - hp[1, member]
    lead = live if live != 0 else total
    return 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5


@kernel
def action_class(state, party, action, classes, stride, size2):
    """Return the class of an action against the opposing active of this moment."""
    lead1, lead2 = leads(state, stride, size2)
    if party == 0:
        return classes[0, lead1, action, lead2]
    return classes[1, lead2, action, lead1]
