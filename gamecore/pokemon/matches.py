"""Matches: whole battles between two players, and what Monte Carlo gets wrong in its own.

Everything random comes from one stream, game after game, so that fewer games are the first of more.
"""

from typing import NamedTuple

import numpy as np

from gamecore import rng
from gamecore.kernel import kernel
from gamecore.matrixgame import equilibrium
from gamecore.pokemon import rules
from gamecore.pokemon.montecarlo import best_score, estimates
from gamecore.pokemon.players import Player, bring_in, decide, player
from gamecore.pokemon.solution import Solution, payoffs

_THINKER, _SOLVER = player("monte-carlo"), player("nash")


class Match(NamedTuple):
    """A match from the first player's side.

    Examples
    --------
    >>> from gamecore.pokemon import player, solve
    >>> one, other = player("random"), player("random")
    >>> result = match(one, other, 10, 1, solve(2), turns=2)
    >>> int(result.classes.sum())  # its actions: two turns in each of ten games
    20
    """

    win: int
    """Games won."""
    draw: int
    """Games drawn."""
    loss: int
    """Games lost."""
    classes: np.ndarray
    """How many of its actions were of each of `rules.CLASSES`."""


def match(
    first: Player,
    second: Player,
    games: int,
    seed: int | np.random.SeedSequence,
    solution: Solution,
    *,
    turns: int = rules.TURNS,
    hp2: tuple[int, int, int] = rules.HP2,
) -> Match:
    """Play games with parties and leads dealt at random, and count the first player's results.

    Parameters
    ----------
    first, second : Player
        See `player`.
    games : int
        How many.
    seed : int or numpy.random.SeedSequence
        Decides everything that is random; fewer games are the first of more.
    solution : Solution
        The solved battle, at least `turns` long.
    turns : int
        Action turns of a game.
    hp2 : tuple of int
        HP of D, E, F at the start.

    Examples
    --------
    >>> from gamecore.pokemon import player, solve
    >>> result = match(player("random"), player("random"), 100, 1, solve(2), turns=2)
    >>> result.win + result.draw + result.loss
    100
    """
    if games < 1:
        raise ValueError(f"games must be at least 1, not {games}")
    if turns not in range(1, solution.turns + 1):
        raise ValueError(f"turns must be from 1 to {solution.turns}, the turns solved, not {turns}")
    start = _openings(hp2)
    results, classes = np.zeros(3, np.int64), np.zeros(len(rules.CLASSES), np.int64)
    s = rng.state(seed)
    _match(first, second, games, turns, start, solution.values, solution.table, s, results, classes)
    win, draw, loss = (int(count) for count in results)
    return Match(win, draw, loss, classes)


def _openings(hp2: tuple[int, int, int]) -> np.ndarray:
    """Return the nine initial positions."""
    return np.array([rules.encode(a, b, rules.HP1, hp2) for a in range(3) for b in range(3)])


@kernel
def _match(first, second, games, turns, start, values, table, s, results, classes):
    """Play `games` games one after the other; count results and the first player's actions."""
    for _ in range(games):
        side = rng.below(s, 2)  # the party that the first player is dealt
        state = start[rng.below(s, len(start))]
        left = turns
        while left > 0 and not rules.is_over(state):
            mine = decide(state, side, left, first, values, table, s)
            theirs = decide(state, 1 - side, left, second, values, table, s)
            classes[rules.action_class(state, side, mine)] += 1
            state = _after(state, side, mine, theirs, table)
            left -= 1
            fainted = rules.to_replace(state)
            if fainted >= 0:
                who = first if fainted == side else second
                state = bring_in(state, fainted, left, who, values, table, s)
        result = _from_side(rules.result(state), side)
        results[0 if result == 1.0 else 2 if result == 0.0 else 1] += 1


@kernel
def _after(state, side, mine, theirs, table):
    """Return the next state, given the actions of `side` and of the other party."""
    if side == 0:
        return np.int64(table[state, rules.ACTIONS * mine + theirs])
    return np.int64(table[state, rules.ACTIONS * theirs + mine])


@kernel
def _from_side(p, side):
    """Return party 1's win probability as the win probability of `side`."""
    return p if side == 0 else 1.0 - p


class Misjudgements(NamedTuple):
    """What Monte Carlo believes and gives away against Nash, from its own side; see `misjudge`.

    Examples
    --------
    >>> from gamecore.pokemon import solve
    >>> seen = misjudge(2, 1, solve(19))
    >>> seen.blunders <= seen.live <= seen.positions
    True
    """

    positions: int
    """Positions in which it chose."""
    live: int
    """Those whose value is between 0.02 and 0.98."""
    blunders: int
    """Choices in live positions that give away 0.1 or more."""
    given_away: float
    """Win probability given away, summed over games."""
    start_value: float
    """The value of the initial positions, summed over games."""
    wins: int
    """Games won."""
    draws: int
    """Games drawn."""
    over: np.ndarray
    """The most overrated position as ``(belief − value, value, state, turns left, party)``."""
    under: np.ndarray
    """The most underrated one."""


def misjudge(games: int, seed: int | np.random.SeedSequence, solution: Solution) -> Misjudgements:
    """Play Monte Carlo against Nash and compare every belief and every choice with the truth.

    A choice gives away what it loses against the opponent's equilibrium strategy of that turn. A
    position is live when its value is between 0.02 and 0.98, and a choice there a blunder when it
    gives away 0.1 or more. `given_away` and `start_value` are sums over games.

    Parameters
    ----------
    games : int
        How many.
    seed : int or numpy.random.SeedSequence
        Decides everything that is random.
    solution : Solution
        The solved battle, at least 19 turns long.

    Examples
    --------
    >>> from gamecore.pokemon import solve
    >>> misjudge(2, 1, solve(19)).positions > 2
    True
    """
    if games < 1 or solution.turns < rules.TURNS:
        raise ValueError(f"misjudge needs at least one game and a solution of {rules.TURNS} turns")
    start = _openings(rules.HP2)
    counts, sums, extremes = np.zeros(5, np.int64), np.zeros(2), np.zeros((2, 5))
    s = rng.state(seed)
    _misjudge(games, start, solution.values, solution.table, s, counts, sums, extremes)
    positions, live, blunders, wins, draws = (int(count) for count in counts)
    given_away, start_value = (float(total) for total in sums)
    return Misjudgements(
        positions, live, blunders, given_away, start_value, wins, draws, extremes[0], extremes[1]
    )


@kernel
def _misjudge(games, start, values, table, s, counts, sums, extremes):
    scores = np.empty(rules.ACTIONS)
    legal = np.empty(rules.ACTIONS, np.int64)
    for _ in range(games):
        side = rng.below(s, 2)
        state, left = start[rng.below(s, len(start))], rules.TURNS
        sums[1] += _from_side(values[left, state], side)
        while left > 0 and not rules.is_over(state):
            value = _from_side(values[left, state], side)
            A = payoffs(values[left - 1], table, state)
            _, row, column = equilibrium(A)
            error = estimates(state, side, left, table, s, scores) - value
            mine = best_score(scores, False)
            for k in range(2):  # the most overrated position, the most underrated one
                if (error > extremes[k, 0]) if k == 0 else (error < extremes[k, 0]):
                    extremes[k, 0], extremes[k, 1], extremes[k, 2] = error, value, state
                    extremes[k, 3], extremes[k, 4] = left, side
            rules.legal_actions(state, side, legal)
            own = 0  # the place of my action among my legal ones
            while legal[own] != mine:
                own += 1
            kept = 0.0
            for k in range(A.shape[1 - side]):
                weight = column[k] if side == 0 else row[k]
                kept += weight * _from_side(A[own, k] if side == 0 else A[k, own], side)
            is_live = 0.02 < value < 0.98
            counts[0] += 1
            counts[1] += is_live
            counts[2] += is_live and value - kept >= 0.1
            sums[0] += value - kept
            rules.legal_actions(state, 1 - side, legal)
            theirs = legal[rng.choice(s, column if side == 0 else row)]
            state = _after(state, side, mine, theirs, table)
            left -= 1
            state = _replace_and_count(state, left, side, values, table, s, sums)
        result = _from_side(rules.result(state), side)
        counts[3] += result == 1.0
        counts[4] += result == 0.5


@kernel
def _replace_and_count(state, left, side, values, table, s, sums):
    """Replace a fainted monster (Monte Carlo's by playouts); add what that gives away."""
    fainted = rules.to_replace(state)
    if fainted < 0:
        return state
    before = _from_side(values[left, state], side)
    who = _THINKER if fainted == side else _SOLVER
    state = bring_in(state, fainted, left, who, values, table, s)
    sums[0] += before - _from_side(values[left, state], side)
    return state
