"""Matches: whole battles between two players, and what Monte Carlo gets wrong in its own.

Everything random comes from one stream, game after game, so that fewer games are the first of more.
"""

from dataclasses import dataclass

import numpy as np

from gamecore import check, rng
from gamecore.contest import Match, meet
from gamecore.game import Decider, View
from gamecore.game import State as AnyState
from gamecore.kernel import kernel
from gamecore.matrixgame import equilibrium
from gamecore.pokemon import rules
from gamecore.pokemon.montecarlo import best_score, estimates
from gamecore.pokemon.parties import CLASSES, PAPER, Chart, Parties
from gamecore.pokemon.players import Player, bring_in, decide, decider, known, player
from gamecore.pokemon.solution import Solution, fitting, payoffs, solve
from gamecore.pokemon.state import State, numbered, start

Who = str | Player | Decider
_THINKER, _SOLVER = player("monte-carlo").settings, player("nash").settings


def match(
    first: Who,
    second: Who,
    games: int,
    seed: check.Seed,
    solution: Solution | None = None,
    *,
    turns: int = rules.TURNS,
    parties: Parties | None = None,
    chart: Chart | None = None,
) -> Match:
    """Play games with parties and leads dealt at random.

    Parameters
    ----------
    first, second : str, Player or function
        Of `PLAYERS`, made by `player`, or functions from a view and a generator to a move.
    games : int
        How many.
    seed : int or numpy.random.SeedSequence
        Decides everything that is random; fewer games are the first of more.
    solution : Solution, optional
        The solved battle, at least `turns` long; by default it is solved here, and kept.
    turns : int
        Action turns of a game.
    parties : two sequences of Monster, optional
        Those of the solution by default, else the paper's.
    chart : dict, optional
        That of the solution by default, else the paper's.

    Returns
    -------
    Match
        Its `counts` hold the ``"party"`` that the first player was dealt, 1 or 2, and how many of
        its actions were of each kind: ``"effective"``, ``"ordinary"`` and ``"ineffective"`` moves,
        ``"advantageous switch"`` and ``"other switch"``.

    Examples
    --------
    >>> match("nash", "random", 100, seed=1)
    Match: 97 wins, 0 draws, 3 losses; score 0.970 (95 % interval 0.915 to 0.990)

    A player of one's own, which never switches:

    >>> def steadfast(view, rng):
    ...     return view.legal()[0]
    >>> match(steadfast, "nash", 20, seed=1).wins < 10
    True
    """
    games, turns, seed = (
        check.whole(games, "games", 1),
        check.whole(turns, "turns", 1),
        check.seed(seed),
    )
    named = [known(who) for who in (first, second) if not callable(who)]
    base = solution.battle if isinstance(solution, Solution) else PAPER
    parties = base.parties if parties is None else parties
    chart = base.chart if chart is None else chart
    begin = start(turns, parties, chart)
    if solution is not None:
        fitting(solution, begin.battle, turns)
    elif named:
        solution = solve(turns, parties, chart)
    if solution is None or len(named) < 2:
        return _met(decider(first, solution), decider(second, solution), games, seed, begin)
    one, two = (who.settings for who in named)
    lookup, starts, s = solution.lookup, _openings(begin), rng.state(seed)
    check.memory(games * (1 + 8 * (1 + len(CLASSES)) + 32), f"what is kept of {games:,} games")
    results, counts = np.empty(games, np.int8), np.zeros((games, 1 + len(CLASSES)), np.int64)
    streams, trace = np.empty((games, 4), np.uint64), np.empty(1 + begin.longest(), np.int64)
    for first_game, end in check.stretches(games):
        part = slice(first_game, end)
        kept = results[part], counts[part], streams[part], trace
        _match(one, two, turns, starts, lookup, s, *kept)

    def replayed(game: int) -> list[State]:
        again = np.zeros(1 + len(CLASSES), np.int64)
        _, length = _game(one, two, turns, starts, lookup, streams[game].copy(), again, trace)
        states, left = [begin], turns
        for number in trace[:length]:
            states.append(numbered(int(number), left, begin.battle))
            if not states[-1].movers:
                break
            left -= len(states[-1].movers) == 2
        return states

    return Match(results, replayed, **_named(counts))


def _named(counts: np.ndarray) -> dict[str, np.ndarray]:
    return dict(zip(("party", *CLASSES), counts.T, strict=True))


def _met(first: Decider, second: Decider, games: int, seed: check.Seed, begin: State) -> Match:
    """Play in Python; the kinds of the first player's actions are counted as it chooses."""
    check.memory(games * 8 * (1 + len(CLASSES)), f"what is kept of {games:,} games")
    counts = np.zeros((games + 1, 1 + len(CLASSES)), np.int64)  # the last row for games replayed
    row, is_over = 0, False

    def opening(game: int, generator: np.random.Generator, last: AnyState | None) -> tuple:
        nonlocal row
        row, side = games if is_over else game, int(generator.integers(2))
        counts[row, 0] = side + 1
        return begin, (side, 1 - side)

    def counted(view: View, generator: np.random.Generator) -> str:
        move, state = first(view, generator), view.state  # type: ignore[attr-defined]
        if len(state.movers) == 2 and move in view.legal():
            side, action = view.player, state._action(view.player, move)
            own, other = state.leads[side], state.leads[1 - side]
            counts[row, 1 + state.battle.setup.classes[side, own, action, other]] += 1
        return move

    counted.__name__ = getattr(first, "__name__", "the player")
    result = meet(opening, [counted, second], games, seed)
    is_over = True
    return Match(result.results, result.replay, **_named(counts[:games]))


def _openings(begin: State) -> np.ndarray:
    """Return the initial positions: all pairs of leads."""
    one, two = map(len, begin.battle.parties)
    leads = [(a, b) for a in range(one) for b in range(two)]
    return np.array([rules.encode(*pair, *begin.hp, begin.battle) for pair in leads])


@kernel
def _match(first, second, turns, starts, lookup, s, results, counts, streams, trace):
    """Play games one after the other; note results, actions and where the random stream was."""
    for game in range(len(results)):
        for k in range(4):
            streams[game, k] = s[k]
        result, _ = _game(first, second, turns, starts, lookup, s, counts[game], trace)
        results[game] = result


@kernel
def _game(first, second, turns, starts, lookup, s, counts, trace):
    """Play a game; count the first player's actions, and write down the states passed through.

    Returns its result, 1, 0 or −1, and how many states are written.
    """
    table, classes, actions = lookup.table, lookup.classes, lookup.actions
    stride, size2 = lookup.stride, lookup.sizes[1]
    side = rng.below(s, 2)  # the party that the first player is dealt
    state = starts[rng.below(s, len(starts))]
    counts[0] = side + 1
    left, length = turns, 1
    trace[0] = state
    while left > 0 and rules.can_act(table, state):
        mine = decide(state, side, left, first, lookup, s)
        theirs = decide(state, 1 - side, left, second, lookup, s)
        counts[1 + rules.action_class(state, side, mine, classes, stride, size2)] += 1
        state = _after(state, side, mine, theirs, table, actions)
        left -= 1
        trace[length] = state
        length += 1
        fainted = rules.to_replace(table, state)
        if fainted >= 0:
            who = first if fainted == side else second
            state = bring_in(state, fainted, left, who, lookup, s)
            trace[length] = state
            length += 1
    return int(2.0 * _from_side(lookup.values[0, state], side) - 1.0), length


@kernel
def _after(state, side, mine, theirs, table, actions):
    """Return the next state, given the actions of `side` and of the other party."""
    if side == 0:
        return np.int64(table[state, actions * mine + theirs])
    return np.int64(table[state, actions * theirs + mine])


@kernel
def _from_side(p, side):
    """Return party 1's win probability as the win probability of `side`."""
    return p if side == 0 else 1.0 - p


@dataclass(frozen=True, eq=False)
class Misjudgements:
    """What Monte Carlo believes and gives away against Nash, from its own side; see `misjudge`.

    Attributes
    ----------
    positions : int
        Positions in which it chose.
    live : int
        Those whose value is between 0.02 and 0.98.
    blunders : int
        Choices in live positions that give away 0.1 or more.
    given_away : float
        Win probability given away, summed over games.
    start_value : float
        The value of the initial positions, summed over games.
    wins : int
        Games won.
    draws : int
        Games drawn.
    over : numpy.ndarray
        The most overrated position as ``(belief − value, value, state, turns left, party)``.
    under : numpy.ndarray
        The most underrated one.

    Examples
    --------
    >>> seen = misjudge(2, seed=1)
    >>> seen.blunders <= seen.live <= seen.positions
    True
    """

    positions: int
    live: int
    blunders: int
    given_away: float
    start_value: float
    wins: int
    draws: int
    over: np.ndarray
    under: np.ndarray


def misjudge(games: int, seed: check.Seed, solution: Solution | None = None) -> Misjudgements:
    """Play Monte Carlo against Nash and compare every belief and every choice with the truth.

    A choice gives away what it loses against the opponent's equilibrium strategy of that turn. A
    position is live when its value is between 0.02 and 0.98, and a choice there a blunder when it
    gives away 0.1 or more. `given_away` and `start_value` are sums over games.

    Parameters
    ----------
    games : int
        How many, of 19 turns.
    seed : int or numpy.random.SeedSequence
        Decides everything that is random.
    solution : Solution, optional
        The solved battle, at least 19 turns long; the paper's by default.

    Examples
    --------
    >>> misjudge(2, seed=1).positions > 2
    True
    """
    games, s, battle = check.whole(games, "games", 1), rng.state(seed), PAPER
    if isinstance(solution, Solution):
        battle = solution.battle
    lookup = fitting(solution, battle, rules.TURNS).lookup
    starts = _openings(start(rules.TURNS, battle.parties, battle.chart))
    counts, sums, extremes = np.zeros(5, np.int64), np.zeros(2), np.zeros((2, 5))
    for begin, end in check.stretches(games):
        _misjudge(end - begin, starts, lookup, s, counts, sums, extremes)
    positions, live, blunders, wins, draws = (int(count) for count in counts)
    given_away, start_value = (float(total) for total in sums)
    return Misjudgements(
        positions, live, blunders, given_away, start_value, wins, draws, extremes[0], extremes[1]
    )


@kernel
def _misjudge(games, starts, lookup, s, counts, sums, extremes):
    values, table, actions = lookup.values, lookup.table, lookup.actions
    scores = np.empty(actions)
    legal = np.empty(actions, np.int64)
    for _ in range(games):
        side = rng.below(s, 2)
        state, left = starts[rng.below(s, len(starts))], rules.TURNS
        sums[1] += _from_side(values[left, state], side)
        while left > 0 and rules.can_act(table, state):
            value = _from_side(values[left, state], side)
            A = payoffs(values[left - 1], table, state, actions)
            _, row, column = equilibrium(A)
            error = estimates(state, side, left, lookup, s, scores) - value
            mine = best_score(scores, False)
            for k in range(2):  # the most overrated position, the most underrated one
                if (error > extremes[k, 0]) if k == 0 else (error < extremes[k, 0]):
                    extremes[k, 0], extremes[k, 1], extremes[k, 2] = error, value, state
                    extremes[k, 3], extremes[k, 4] = left, side
            rules.legal_actions(table, state, side, actions, legal)
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
            rules.legal_actions(table, state, 1 - side, actions, legal)
            theirs = legal[rng.choice(s, column if side == 0 else row)]
            state = _after(state, side, mine, theirs, table, actions)
            left -= 1
            state = _replace_and_count(state, left, side, lookup, s, sums)
        result = _from_side(values[0, state], side)
        counts[3] += result == 1.0
        counts[4] += result == 0.5


@kernel
def _replace_and_count(state, left, side, lookup, s, sums):
    """Replace a fainted monster (Monte Carlo's by playouts); add what that gives away."""
    fainted = rules.to_replace(lookup.table, state)
    if fainted < 0:
        return state
    before = _from_side(lookup.values[left, state], side)
    who = _THINKER if fainted == side else _SOLVER
    state = bring_in(state, fainted, left, who, lookup, s)
    sums[0] += before - _from_side(lookup.values[left, state], side)
    return state
