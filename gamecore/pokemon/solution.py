"""Exact solution by backward induction (後退解析): every state at every number of turns left.

``V[r][s]`` is party 1's win probability (a draw counts one half) when both sides play an
equilibrium with `r` action turns to go. A state whose active monster has fainted holds the value
after its owner's best replacement, so that one table of transitions serves every turn.
"""

from functools import cache

import numpy as np

from gamecore.kernel import in_threads, kernel
from gamecore.matrixgame import equilibrium, gap, saddle_point
from gamecore.pokemon import rules

#: One turn's values take 3.4 MB; this many stay under half a gigabyte with the transitions.
MAX_TURNS = 100


class Solution:
    """Values and payoff matrices of the solved battle.

    Attributes
    ----------
    turns : int
        The largest number of turns left that is solved.
    values : numpy.ndarray
        ``float64[turns + 1, states]``; see `gamecore.pokemon.rules.encode` for a state's number.
        NaN where both leads have fainted, which cannot arise.
    table : numpy.ndarray
        The next state for every state and pair of actions.
    error_bound : float
        No value is farther than this from the exact one: the largest duality gaps of the turns,
        added up.

    Examples
    --------
    >>> solution = solve(2)
    >>> solution.value(0, 0, (5, 5, 5), (5, 4, 4), 0)  # time is up, and party 1 ahead
    1.0
    """

    def __init__(self, values: np.ndarray, table: np.ndarray, error_bound: float):
        self.turns = len(values) - 1
        self.values, self.table, self.error_bound = values, table, error_bound

    def value(self, lead1: int, lead2: int, hp1: tuple, hp2: tuple, turns_left: int) -> float:
        """Return party 1's win probability; a fainted lead is replaced at once by its owner.

        Parameters
        ----------
        lead1, lead2 : int
            The active monsters, 0 to 2.
        hp1, hp2 : sequence of three int
            HP of A, B, C and of D, E, F, 0 to 5.
        turns_left : int
            Action turns still to play, 0 to `turns`.

        Examples
        --------
        >>> solve(2).value(0, 0, (5, 0, 0), (1, 0, 0), 1)
        1.0
        """
        return float(
            self.values[self._checked(turns_left, 0), rules.encode(lead1, lead2, hp1, hp2)]
        )

    def payoff_matrix(
        self, lead1: int, lead2: int, hp1: tuple, hp2: tuple, turns_left: int
    ) -> np.ndarray:
        """Return the matrix game of one turn: party 1's win probability for each pair of actions.

        Rows are party 1's three moves in table 2's order, then its switches; columns party 2's.
        Switches to fainted monsters are left out. Arguments are those of `value`, with at least
        one turn left and both leads alive.

        Examples
        --------
        >>> solve(2).payoff_matrix(0, 0, (5, 0, 0), (1, 5, 0), 1).shape
        (3, 4)
        """
        state = rules.encode(lead1, lead2, hp1, hp2)
        turns_left = self._checked(turns_left, 1)
        if hp1[lead1] == 0 or hp2[lead2] == 0:
            raise ValueError("a fainted lead is replaced before anybody chooses: both need HP > 0")
        return payoffs(self.values[turns_left - 1], self.table, state)

    def _checked(self, turns_left: int, least: int) -> int:
        if turns_left not in range(least, self.turns + 1):
            allowed = f"a whole number from {least} to {self.turns}, the turns solved"
            raise ValueError(f"turns_left must be {allowed}, not {turns_left!r}")
        return int(turns_left)


def solve(turns: int = rules.TURNS) -> Solution:
    """Solve the battle for every state with 0 to `turns` action turns left.

    Parameters
    ----------
    turns : int
        The paper judges the game on reaching turn 20: 19 action turns.

    Returns
    -------
    Solution
        Kept for the life of the process: a second call is free.

    References
    ----------
    Konishi, Ikeda and Hsueh, section 5.2.

    Examples
    --------
    >>> solution = solve(2)
    >>> solution.values.shape, solution.error_bound < 1e-12
    ((3, 419904), True)
    """
    if turns not in range(MAX_TURNS + 1):
        raise ValueError(f"turns must be a whole number from 0 to {MAX_TURNS}, not {turns!r}")
    return _solved(int(turns))


@cache
def _table() -> np.ndarray:
    table = np.full((rules.STATES, rules.ACTIONS**2), -1, np.int32)
    in_threads(_fill, rules.STATES, table)
    table.flags.writeable = False
    return table


@cache
def _solved(turns: int) -> Solution:
    table, bound = _table(), 0.0
    values = np.empty((turns + 1, rules.STATES))
    gaps = np.zeros(rules.STATES)
    fresh = np.ones(rules.STATES, np.bool_)
    _results(values[0])
    in_threads(_replace, rules.STATES, values[0])
    for r in range(1, turns + 1):
        in_threads(_sweep, rules.STATES, values[r - 1], values[r], table, fresh, gaps)
        in_threads(_replace, rules.STATES, values[r])
        np.not_equal(values[r], values[r - 1], out=fresh)
        bound += float(gaps.max())
    values.flags.writeable = False
    return Solution(values, table, bound)


@kernel
def _fill(start, stop, table):
    for state in range(start, stop):
        rules.successors(state, table[state])


@kernel
def payoffs(before, table, state):
    """Return a state's payoff matrix, given the values with one turn less to play."""
    rows = columns = 0
    for action in range(rules.ACTIONS):
        rows += table[state, rules.ACTIONS * action] >= 0  # the move 0 of either side is legal
        columns += table[state, action] >= 0
    A = np.empty((rows, columns))
    i = 0
    for k in range(rules.ACTIONS):
        if table[state, rules.ACTIONS * k] < 0:
            continue
        j = 0
        for m in range(rules.ACTIONS):
            after = table[state, rules.ACTIONS * k + m]
            if after >= 0:
                A[i, j] = before[after]
                j += 1
        i += 1
    return A


@kernel
def _results(values):
    for state in range(rules.STATES):
        values[state] = rules.result(state)


@kernel
def _replace(start, stop, values):
    """Give every state with a fainted active the value of its owner's best replacement."""
    for state in range(start, stop):
        party = rules.to_replace(state)
        if party < 0:
            continue
        best = np.nan
        for member in range(3):
            after = rules.replaced(state, party, member)
            if after >= 0 and rules.to_replace(after) < 0:
                value = values[after]
                if np.isnan(best) or (value > best if party == 0 else value < best):
                    best = value
        values[state] = best


@kernel
def _sweep(start, stop, before, now, table, fresh, gaps):
    """Solve one turn; states are independent. `gaps` receives each solution's duality gap.

    `fresh` marks the values that changed in the turn before. A state that leads to none of them
    has the matrix it had, so its value and gap stay: most states are soon decided for good.
    """
    for state in range(start, stop):
        if table[state, 0] < 0:  # over for good, or waiting for a replacement
            now[state] = before[state]
            continue
        changed = False
        for k in range(rules.ACTIONS * rules.ACTIONS):
            after = table[state, k]
            if after >= 0 and fresh[after]:
                changed = True
                break
        if not changed:
            now[state] = before[state]
            continue
        A = payoffs(before, table, state)
        i, j = saddle_point(A)
        if i >= 0:
            now[state] = A[i, j]
            gaps[state] = 0.0
            continue
        value, row, column = equilibrium(A)
        now[state] = value
        gaps[state] = gap(A, row, column)
