"""Replies to a player that is known, best and safe, and what the worst opponent makes of them.

All by backward induction over the rows of a player's marginal strategy, see
`gamecore.pokemon.marginals`. A reply that comes to a state outside of them plays Nash from there to
the end of the battle, which is worth the value of the state at least, whoever the opponent is, and
exactly that against the worst. So every number here is exact for the tabled strategy, or a bound
that holds.

A safe reply trusts the table with weight t: it is the equilibrium of the battle in which the
opponent, whenever it chooses, is bound to the table with probability t and free otherwise. With t =
1 it is the best reply, with t = 0 Nash. (The restricted Nash response binds the opponent once for
the whole game; bound anew at every decision, it is found turn by turn.)

References
----------
M. Johanson, M. Zinkevich and M. Bowling, "Computing robust counter-strategies", NIPS 2007.
"""

from typing import NamedTuple

import numpy as np

from gamecore import check
from gamecore.kernel import kernel
from gamecore.matrixgame import equilibrium
from gamecore.pokemon import rules
from gamecore.pokemon.marginals import Marginal, openings, sent
from gamecore.pokemon.solution import Solution, solve


class Reply(NamedTuple):
    """A reply to a `Marginal`, by its rows; made by `reply`. Values are the replier's.

    Attributes
    ----------
    trust : float
        How much the table is trusted.
    mix : numpy.ndarray
        The reply's probability of every action.
    scores : numpy.ndarray
        What every action is worth if the table is true and the reply goes on; −1 if not legal.
    value : numpy.ndarray
        What the reply believes a row to be worth; decides its replacements.
    against : numpy.ndarray
        What it wins against the table.
    worst : numpy.ndarray
        What it wins against the worst opponent …
    counter : numpy.ndarray
        … and that opponent's action.
    gain : float
        What it wins against the table more than Nash does against Nash, over all openings.
    risk : float
        What the worst opponent takes from it, likewise.

    Examples
    --------
    >>> from gamecore.pokemon import player
    >>> from gamecore.pokemon.marginals import marginal
    >>> table = marginal("random", 1)
    >>> best, nash = reply(table), reply(table, 0.0)
    >>> best.gain > 0.1, best.risk > 0, abs(nash.risk) < 1e-9
    (True, True, True)
    """

    trust: float
    mix: np.ndarray
    scores: np.ndarray
    value: np.ndarray
    against: np.ndarray
    worst: np.ndarray
    counter: np.ndarray
    gain: float
    risk: float


def reply(table: Marginal, trust: float = 1.0, solution: Solution | None = None) -> Reply:
    """Return the reply to a player that trusts a table of its marginal strategy so much.

    Parameters
    ----------
    table : Marginal
        What the opponent is believed to do.
    trust : float
        1 for the best reply, 0 for Nash; between them, safer the smaller it is.
    solution : Solution, optional
        The solved battle of the table; the paper's by default.

    Examples
    --------
    >>> from gamecore.pokemon.marginals import marginal
    >>> table = marginal("random", 0)
    >>> half, best = reply(table, 0.5), reply(table)
    >>> bool(half.gain <= best.gain), bool(half.risk <= best.risk)
    (True, True)
    """
    check.instance(table, "table", Marginal)
    trust, turns = check.real(trust, "trust", 0, 1), len(table.begins) - 2
    solved = solve(turns) if solution is None else check.instance(solution, "solution", Solution)
    lookup, rows = solved.lookup, len(table.states)
    mix, scores = np.zeros((rows, lookup.actions)), np.full((rows, lookup.actions), -1.0)
    value, against, worst = np.zeros(rows), np.zeros(rows), np.zeros(rows)
    counter = np.zeros(rows, np.int8)
    at = np.full(len(lookup.table), -1, np.int32)  # the rows of the turn after, by state
    for left in range(1, turns + 1):
        first, last = int(table.begins[left]), int(table.begins[left + 1])
        for start, end in check.stretches(last - first):
            part = first + start, first + end
            _reply(*part, left, table, at, trust, lookup, mix, scores, value, against, worst,
                   counter)  # fmt: skip
        at[:] = -1
        at[table.states[first:last]] = np.arange(first, last)
    starts, layer = openings(solved), table.states[table.begins[turns] : table.begins[turns + 1]]
    is_tabled = np.isin(starts, layer)  # the others are won for the replier
    places = table.begins[turns] + np.searchsorted(layer, starts[is_tabled])
    fair = solved.values[turns, starts[is_tabled]]
    fair = 1.0 - fair if table.party == 0 else fair
    gain, risk = (
        float(total.sum()) / len(starts) for total in (against[places] - fair, fair - worst[places])
    )
    return Reply(trust, mix, scores, value, against, worst, counter, gain, risk)


@kernel
def row_of(begins, states, left, state):
    """Return a state's row among those with so many turns left, −1 if it has none."""
    low, high = begins[left], begins[left + 1]
    while low < high:
        middle = (low + high) // 2
        if states[middle] < state:
            low = middle + 1
        else:
            high = middle
    return low if low < begins[left + 1] and states[low] == state else -1


@kernel
def _own(p, party):
    """Return party 1's win probability as the replier's, who is not `party`."""
    return 1.0 - p if party == 0 else p


@kernel
def _after(state, left, table, at, lookup, known):
    """Return what a state without a replacement due is worth, by its row or by the solution."""
    row = at[state]
    return known[row] if row >= 0 else _own(lookup.values[left, state], table.party)


@kernel
def _settled(state, left, table, at, trust, lookup, value, against, worst, weights, out):
    """Write what a state is worth: as believed, against the table, against the worst opponent."""
    party, moves = table.party, lookup.table
    fainted = rules.to_replace(moves, state)
    if fainted < 0:
        out[0] = _after(state, left, table, at, lookup, value)
        out[1] = _after(state, left, table, at, lookup, against)
        out[2] = _after(state, left, table, at, lookup, worst)
        return
    if fainted == party:
        sent(state, left, party, table.kind, lookup, table.wins, weights)
    best, least, bound = -1.0, 2.0, 0.0
    out[1], out[2] = 0.0, 2.0
    for member in range(lookup.sizes[fainted]):
        to = rules.replaced(moves, state, member)
        if to < 0:
            continue
        believed = _after(to, left, table, at, lookup, value)
        if fainted == party:
            least = min(least, believed)
            bound += weights[member] * believed
            out[1] += weights[member] * _after(to, left, table, at, lookup, against)
            out[2] = min(out[2], _after(to, left, table, at, lookup, worst))
        elif believed > best:
            best = believed
            out[1] = _after(to, left, table, at, lookup, against)
            out[2] = _after(to, left, table, at, lookup, worst)
    out[0] = trust * bound + (1.0 - trust) * least if fainted == party else best


@kernel
def _reply(
    start, end, left, table, at, trust, lookup, mix, scores, value, against, worst, counter
):  # fmt: skip
    party, actions = table.party, lookup.actions
    own, other = np.empty(actions, np.int64), np.empty(actions, np.int64)
    weights, three = np.empty(actions + 1), np.empty(3)
    C = np.empty((3, actions, actions))
    for row in range(start, end):
        state = np.int64(table.states[row])
        m = rules.legal_actions(lookup.table, state, 1 - party, actions, own)
        n = rules.legal_actions(lookup.table, state, party, actions, other)
        M = np.empty((m, n))
        top = 0
        for i in range(m):
            expected = 0.0
            for j in range(n):
                pair = actions * other[j] + own[i] if party == 0 else actions * own[i] + other[j]
                to = np.int64(lookup.table[state, pair])
                _settled(to, left - 1, table, at, trust, lookup, value, against, worst, weights,
                         three)  # fmt: skip
                for k in range(3):
                    C[k, i, j] = three[k]
                expected += table.mix[row, other[j]] * C[0, i, j]
            scores[row, own[i]] = expected
            for j in range(n):
                M[i, j] = trust * expected + (1.0 - trust) * C[0, i, j]
            if expected > scores[row, own[top]]:
                top = i
        x = np.zeros(m)
        if trust == 1.0:
            x[top] = 1.0
            value[row] = scores[row, own[top]]
        else:
            value[row], x, _ = equilibrium(M)
        worst[row] = 2.0
        for j in range(n):
            truly = lowest = 0.0
            for i in range(m):
                truly += x[i] * C[1, i, j]
                lowest += x[i] * C[2, i, j]
            against[row] += table.mix[row, other[j]] * truly
            if lowest < worst[row]:
                worst[row], counter[row] = lowest, other[j]
        for i in range(m):
            mix[row, own[i]] = x[i]
