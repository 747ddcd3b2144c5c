"""Exact solution by backward induction (後退解析): every state at every number of turns left.

``V[r][s]`` is party 1's win probability (a draw counts one half) when both sides play an
equilibrium with `r` action turns to go. A state whose active monster has fainted holds the value
after its owner's best replacement, so that one table of transitions serves every turn.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from gamecore import check
from gamecore.game import CHANCE
from gamecore.kernel import in_threads, kernel
from gamecore.matrixgame import equilibrium, gap, saddle_point
from gamecore.pokemon import rules
from gamecore.pokemon.parties import CHART, PAPER, PARTIES, Battle, Chart, Parties
from gamecore.pokemon.state import State

_KEPT = 8  # solutions, each of 50 MB or more


class Lookup(NamedTuple):
    """A solution as kernels take it."""

    values: np.ndarray  # [turns left, state]
    table: np.ndarray  # [state, pair of actions]: see `rules.successors`
    classes: np.ndarray  # this and what follows: see `Setup`
    sizes: np.ndarray
    stride: int
    actions: int


class Solution:
    """Values and payoff matrices of the solved battle; made by `solve`.

    Attributes
    ----------
    battle : Battle
        What is solved.
    turns : int
        The largest number of turns left that is solved.
    values : numpy.ndarray
        ``float64[turns + 1, states]``, by turns left and a state's number (see `encode`). NaN where
        both leads have fainted, which cannot arise.
    table : numpy.ndarray
        ``int32[states, actions²]``: the next state for every state and pair of actions.
    error_bound : float
        No value is farther than this from the exact one: the largest duality gaps of the turns,
        added up.
    lookup : tuple
        The same for kernels.

    Examples
    --------
    >>> solution = solve(2)
    >>> solution.value(0, 0, (5, 5, 5), (5, 4, 4), 0)  # time is up, and party 1 ahead
    1.0
    >>> solution
    Solution: 419,904 states, 0 to 2 turns left; no value is off by more than 8.9e-16
    """

    def __init__(
        self, values: np.ndarray, table: np.ndarray, error_bound: float, battle: Battle = PAPER
    ):
        check.instance(battle, "battle", Battle)
        states, pairs = battle.states, battle.setup.actions**2
        for name, array, kind, lines, columns in (
            ("values", values, np.float64, 1, states),
            ("table", table, np.int32, states, pairs),
        ):
            if (
                not isinstance(array, np.ndarray) or array.dtype != kind or array.ndim != 2
                or len(array) < lines or array.shape[1] != columns or not array.flags.c_contiguous
            ):  # fmt: skip
                raise ValueError(f"{name} must be a {kind.__name__} array of {columns} columns")
        if len(table) > states or table.min() < -3 or table.max() >= states:
            raise ValueError(f"the table must lead from and to states from 0 to {states - 1}")
        if values.size and not (np.nanmin(values) >= 0 and np.nanmax(values) <= 1):
            raise ValueError("values must be win probabilities between 0 and 1")
        self.turns = len(values) - 1
        self.values, self.table = values, table
        self.error_bound = check.real(error_bound, "error_bound", 0, 1)
        self.battle = battle
        setup = battle.setup
        stride = int(setup.strides[1])
        self.lookup = Lookup(values, table, setup.classes, setup.sizes, stride, setup.actions)

    def value(
        self, lead1: int, lead2: int, hp1: Sequence[int], hp2: Sequence[int], turns_left: int
    ) -> float:
        """Return party 1's win probability; a fainted lead is replaced at once by its owner.

        Parameters
        ----------
        lead1, lead2 : int
            The active monsters, counted from 0.
        hp1, hp2 : sequence of int
            HP of each party's members.
        turns_left : int
            Action turns still to play, 0 to `turns`.

        Examples
        --------
        >>> solve(2).value(0, 0, (5, 0, 0), (1, 0, 0), 1)
        1.0
        """
        state = rules.encode(lead1, lead2, hp1, hp2, self.battle)
        return float(self.values[self._checked(turns_left, 0), state])

    def payoff_matrix(
        self, lead1: int, lead2: int, hp1: Sequence[int], hp2: Sequence[int], turns_left: int
    ) -> np.ndarray:
        """Return the matrix game of one turn: party 1's win probability for each pair of actions.

        Rows are the moves of party 1's active monster, then its switches; columns party 2's.
        Switches to fainted monsters are left out. Arguments are those of `value`, with at least
        one turn left and both leads alive.

        Examples
        --------
        >>> solve(2).payoff_matrix(0, 0, (5, 0, 0), (1, 5, 0), 1).shape
        (3, 4)
        """
        state = rules.encode(lead1, lead2, hp1, hp2, self.battle)
        turns_left = self._checked(turns_left, 1)
        if hp1[lead1] == 0 or hp2[lead2] == 0:
            raise ValueError("a fainted lead is replaced before anybody chooses: both need HP > 0")
        return payoffs(self.values[turns_left - 1], self.table, state, self.battle.setup.actions)

    def _checked(self, turns_left: int, least: int) -> int:
        return check.whole(turns_left, "turns_left, of those solved,", least, self.turns)

    def __repr__(self) -> str:
        return (
            f"Solution: {self.battle.states:,} states, 0 to {self.turns} turns left; "
            f"no value is off by more than {self.error_bound:.1e}"
        )


def solve(turns: int = rules.TURNS, parties: Parties = PARTIES, chart: Chart = CHART) -> Solution:
    """Solve the battle for every state with 0 to `turns` action turns left.

    Parameters
    ----------
    turns : int
        The paper judges the game on reaching turn 20: 19 action turns.
    parties : two sequences of Monster
        One to six monsters each.
    chart : dict
        By the move's type and the defender's, the factor of the damage.

    Returns
    -------
    Solution
        The last few are kept: a second call is free.

    Raises
    ------
    ValueError
        If parties or chart are not possible, or the solution does not fit in memory.

    References
    ----------
    Konishi, Ikeda and Hsueh, section 5.2.

    Examples
    --------
    >>> solution = solve(2)
    >>> solution.values.shape, solution.error_bound < 1e-12
    ((3, 419904), True)

    A duel, faster fire against stronger water:

    >>> from gamecore.pokemon import Monster
    >>> fire = Monster("Char", "fire", 6, 9, ["fire", "electric"])
    >>> water = Monster("Squirt", "water", 8, 3, ["water"])
    >>> solve(5, [[fire], [water]]).value(0, 0, [6], [8], 5)
    0.0
    """
    return _solved(check.whole(turns, "turns"), Battle(parties, chart))


def value(state: State, player: int = 0) -> float:
    """Return what a state is worth to a player, exactly: 1 for a win, −1 for a loss; see `solve`.

    Examples
    --------
    >>> from gamecore.pokemon import start
    >>> round(value(start(2).play("A against D"), player=1), 3)
    -0.385
    """
    sign = 1 - 2 * check.whole(player, "player", 0, 1)
    if not check.instance(state, "state", State).movers:
        return state.returns()[player]
    if state.leads is None:  # chance deals them
        dealt = [value(state.play(move), player) for move in state.legal(CHANCE)]
        return sum(dealt) / len(dealt)
    solution = fitting(None, state.battle, state.turns)
    return sign * (2 * solution.value(*state.leads, *state.hp, state.turns) - 1)


def fitting(solution: Solution | None, battle: Battle, turns: int) -> Solution:
    """Return a solution of a battle and so many turns: the given one after a check, or a new one.

    A solution also serves the same monsters with other HP at the start, if they are counted alike.
    """
    if solution is None:
        return _solved(max(turns, rules.TURNS), battle)
    check.instance(solution, "solution", Solution)
    check.whole(turns, "turns, of those solved,", 1, solution.turns)
    if battle != solution.battle and not solution.battle.fits(battle):
        raise ValueError("the solution is of other parties or another chart")
    return solution


def memory(turns: int, battle: Battle) -> int:
    """Return the bytes that a solution needs: values, transitions, gaps and what has changed."""
    return battle.states * (8 * (turns + 1) + 4 * battle.setup.actions**2 + 8 + 1)


@lru_cache(_KEPT)
def _table(battle: Battle) -> np.ndarray:
    table = np.full((battle.states, battle.setup.actions**2), -1, np.int32)
    in_threads(_fill, battle.states, table, battle.setup)
    table.flags.writeable = False
    return table


@lru_cache(_KEPT)
def _solved(turns: int, battle: Battle = PAPER) -> Solution:
    states = battle.states
    check.memory(memory(turns, battle), f"a table of {states:,} states and 0 to {turns} turns left")
    check.whole(states, "the number of states", 1, 2**31 - 1)
    table, bound = _table(battle), 0.0
    values, gaps = np.empty((turns + 1, states)), np.zeros(states)
    fresh = np.ones(states, np.bool_)
    in_threads(_results, states, values[0], battle.setup)
    in_threads(_replace, states, values[0], table, battle.setup)
    for r in range(1, turns + 1):
        in_threads(
            _sweep, states, values[r - 1], values[r], table, battle.setup.actions, fresh, gaps
        )
        in_threads(_replace, states, values[r], table, battle.setup)
        np.not_equal(values[r], values[r - 1], out=fresh)
        bound += float(gaps.max())
    values.flags.writeable = False
    return Solution(values, table, bound, battle)


@kernel
def _fill(start, stop, table, setup):
    hp = np.zeros(setup.moves.shape, np.int64)
    for state in range(start, stop):
        rules.successors(state, setup, hp, table[state])


@kernel
def payoffs(before, table, state, actions):
    """Return a state's payoff matrix, given the values with one turn less to play."""
    rows = columns = 0
    for action in range(actions):
        rows += table[state, actions * action] >= 0  # the move 0 of either side is legal
        columns += table[state, action] >= 0
    A = np.empty((rows, columns))
    i = 0
    for k in range(actions):
        if table[state, actions * k] < 0:
            continue
        j = 0
        for m in range(actions):
            after = table[state, actions * k + m]
            if after >= 0:
                A[i, j] = before[after]
                j += 1
        i += 1
    return A


@kernel
def _results(start, stop, values, setup):
    hp = np.zeros(setup.moves.shape, np.int64)
    for state in range(start, stop):
        rules.unpack(state, setup, hp)
        values[state] = rules.result(hp)


@kernel
def _replace(start, stop, values, table, setup):
    """Give every state with a fainted active the value of its owner's best replacement."""
    for state in range(start, stop):
        party = rules.to_replace(table, state)
        if party < 0:
            continue
        best = np.nan
        for member in range(setup.sizes[party]):
            after = rules.replaced(table, state, member)
            if after >= 0:
                value = values[after]
                if np.isnan(best) or (value > best if party == 0 else value < best):
                    best = value
        values[state] = best


@kernel
def _sweep(start, stop, before, now, table, actions, fresh, gaps):
    """Solve one turn; states are independent. `gaps` receives each solution's duality gap.

    `fresh` marks the values that changed in the turn before. A state that leads to none of them
    has the matrix it had, so its value and gap stay: most states are soon decided for good.
    """
    for state in range(start, stop):
        if not rules.can_act(table, state):
            now[state] = before[state]
            continue
        changed = False
        for k in range(table.shape[1]):
            after = table[state, k]
            if after >= 0 and fresh[after]:
                changed = True
                break
        if not changed:
            now[state] = before[state]
            continue
        A = payoffs(before, table, state, actions)
        i, j = saddle_point(A)
        if i >= 0:
            now[state] = A[i, j]
            gaps[state] = 0.0
            continue
        value, row, column = equilibrium(A)
        now[state] = value
        gaps[state] = gap(A, row, column)
