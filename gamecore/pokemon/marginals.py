"""What a player does on average, as a table: its marginal strategy wherever it may have to choose.

A noisy player draws fresh noise at every decision, so that what it does in a state is drawn from
one mixture, the mean over its draws. Nash, biased players without noise, random and Monte Carlo
have it exactly; of a player with noise it is the mean of a stated number of draws. A table holds
the states that can arise while that player keeps to it and its opponent takes no action that loses
much at once, with more than a stated chance; whoever reads it takes the player for Nash elsewhere.
"""

from typing import NamedTuple

import numpy as np

from gamecore import check, rng
from gamecore.kernel import kernel
from gamecore.pokemon import rules
from gamecore.pokemon.montecarlo import PLAYOUTS
from gamecore.pokemon.parties import PAPER
from gamecore.pokemon.perception import favoured, mixture
from gamecore.pokemon.players import PLAYERS, Player, known
from gamecore.pokemon.solution import Solution, fitting, payoffs

_RANDOM, _MONTE_CARLO, _NASH = range(len(PLAYERS))


class Marginal(NamedTuple):
    """A player's marginal strategy as one party; made by `marginal`.

    Attributes
    ----------
    party : int
        As which party it plays, 0 or 1.
    kind : int
        Its place among `PLAYERS`, which says how it replaces a fainted monster.
    draws : int
        How many draws of noise a row is the mean of; 0 where it is exact.
    begins : numpy.ndarray
        Rows ``begins[r]`` to ``begins[r + 1]`` have `r` turns left.
    states : numpy.ndarray
        The state of every row, in order among those with as many turns left.
    mix : numpy.ndarray
        The probability of every action, by row.
    wins : numpy.ndarray
        What Monte Carlo's playouts win on average, by turns left and state; empty for others.

    Examples
    --------
    >>> table = marginal("nash", 0)
    >>> table.draws, bool(abs(table.mix.sum(axis=1) - 1).max() < 1e-12)
    (0, True)
    """

    party: int
    kind: int
    draws: int
    begins: np.ndarray
    states: np.ndarray
    mix: np.ndarray
    wins: np.ndarray


def marginal(
    who: str | Player, party: int, draws: int = 64, least: float = 0.001, slack: float = 0.1,
    seed: check.Seed = 0, solution: Solution | None = None, turns: int = rules.TURNS,
) -> Marginal:  # fmt: skip
    """Return what a player does on average, in every state that it lets arise.

    Parameters
    ----------
    who : str or Player
        Of `PLAYERS`, or made by `player`.
    party : int
        As which party, 0 or 1.
    draws : int
        Of so many draws of noise the mean is taken; exact players need none.
    least : float
        A state is left out if, times the chance with which such an opponent can bring it about, no
        more than this is left to be won there beyond its value.
    slack : float
        The opponent's actions count that lose no more, against this player on the true payoffs of
        the turn, than this beside the best; 1 for all.
    seed : int or numpy.random.SeedSequence
        Decides the noise.
    solution : Solution, optional
        The solved battle; by default the paper's.
    turns : int
        Action turns of a game.

    Examples
    --------
    >>> few, more = (marginal("nash", 1, slack=slack) for slack in (0.01, 0.1))
    >>> few.states.size < more.states.size
    True
    """
    player, party = known(who), check.whole(party, "party", 0, 1)
    draws, turns = check.whole(draws, "draws", 1), check.whole(turns, "turns", 1)
    least, slack = check.real(least, "least", 0, 1), check.real(slack, "slack", 0, 1)
    s = rng.state(check.seed(seed))
    base = solution.battle if isinstance(solution, Solution) else PAPER
    solved, settings = fitting(solution, base, turns), player.settings
    if player.blur_replacement or not player.playout_replacement:
        raise ValueError("no table is made of a player that replaces with noise or at random")
    is_exact = player.kind != "nash" or player.noise == "none" or player.delta == 0
    lookup, wins = solved.lookup, np.empty((0, 0))
    if player.kind == "monte-carlo":
        wins = playout_wins(solved, party, turns)
    last = np.zeros(len(lookup.table), np.int64), np.zeros((len(lookup.table), lookup.actions))
    chance, layers = np.zeros(len(lookup.table)), []
    chance[openings(solved)] = 1.0
    for left in range(turns, 0, -1):
        value = lookup.values[left] if party == 0 else 1.0 - lookup.values[left]
        states = np.flatnonzero((chance * value > least) & (lookup.table[:, 0] >= 0))
        mix, after = np.zeros((len(states), lookup.actions)), np.zeros(len(chance))
        for start, end in check.stretches(len(states)):
            part = slice(start, end)
            _average(states[part], left, party, settings, 1 if is_exact else draws, lookup, wins,
                     s, last, mix[part])  # fmt: skip
        _spread(states, left, party, settings.kind, slack, chance, mix, wins, lookup, after)
        layers.append((states, mix))
        chance = after
    layers.reverse()
    begins = np.cumsum([0, 0, *(len(states) for states, _ in layers)])
    states, mix = (np.concatenate(column) for column in zip(*layers, strict=True))
    return Marginal(
        party, settings.kind, 0 if is_exact else draws, begins, states.astype(np.int32), mix, wins
    )


def openings(solution: Solution) -> np.ndarray:
    """Return the initial positions of a solved battle: all pairs of leads, nobody hurt.

    Examples
    --------
    >>> from gamecore.pokemon import solve
    >>> len(openings(solve(1)))
    9
    """
    parties = check.instance(solution, "solution", Solution).battle.parties
    one, two = ([monster.hp for monster in party] for party in parties)
    leads = [(a, b) for a in range(len(one)) for b in range(len(two))]
    return np.array([rules.encode(a, b, one, two, solution.battle) for a, b in leads])


def playout_wins(solution: Solution, party: int, turns: int) -> np.ndarray:
    """Return how likely a random playout is won by a party, by turns left and state, exactly.

    Examples
    --------
    >>> from gamecore.pokemon import solve
    >>> wins = playout_wins(solve(1), 0, 1)
    >>> wins.shape, bool(((wins >= 0) & (wins <= 1)).all())
    ((2, 419904), True)
    """
    lookup, target = solution.lookup, 1.0 - party
    wins = np.zeros((turns + 1, len(lookup.table)))
    wins[0] = lookup.values[0] == target
    for left in range(turns + 1):
        for start, end in check.stretches(len(lookup.table)):
            _at_random(start, end, left, lookup.table, lookup.sizes, wins)
    return wins


@kernel
def _at_random(start, end, left, table, sizes, wins):
    """Average over everything legal; replacements of one turn need its other states first."""
    for state in range(start, end):
        if rules.can_act(table, state) and left > 0:
            total, pairs = 0.0, 0
            for k in range(table.shape[1]):
                after = table[state, k]
                if after >= 0:
                    total += _settled(wins, left - 1, np.int64(after), table, sizes)
                    pairs += 1
            wins[left, state] = total / pairs
        elif left > 0:
            wins[left, state] = wins[0, state]


@kernel
def _settled(wins, left, state, table, sizes):
    """Return the wins of a state after a replacement at random, if one is due."""
    party = rules.to_replace(table, state)
    if party < 0:
        return wins[left, state]
    total, live = 0.0, 0
    for member in range(sizes[party]):
        after = rules.replaced(table, state, member)
        if after >= 0:
            total += wins[left, after]
            live += 1
    return total / live


@kernel
def _is_as_before(state, left, then, lookup):
    """Return whether a state has the payoff matrix that it had with more turns left."""
    if then == 0:
        return False
    for k in range(lookup.table.shape[1]):
        after = lookup.table[state, k]
        if after >= 0 and lookup.values[left - 1, after] != lookup.values[then - 1, after]:
            return False
    return True


@kernel
def _average(states, left, party, who, draws, lookup, wins, s, last, mix):
    """Write the mean strategy of every state of a layer.

    `last` has, by state, with how many turns left it was averaged before, and the result: a Nash
    player with the same payoffs does the same.
    """
    table, actions = lookup.table, lookup.actions
    legal = np.empty(actions, np.int64)
    for row in range(len(states)):
        state = states[row]
        count = rules.legal_actions(table, state, party, actions, legal)
        if who.kind == _RANDOM:
            for k in range(count):
                mix[row, legal[k]] = 1.0 / count
        elif who.kind == _MONTE_CARLO:
            _likeliest_action(state, left, party, lookup, wins, mix[row])
        elif _is_as_before(state, left, last[0][state], lookup):
            mix[row] = last[1][state]
        else:
            A = payoffs(lookup.values[left - 1], table, state, actions)
            liked = favoured(state, party, who.bias, lookup)
            for _ in range(draws):
                x = mixture(A, liked, party, who, s)
                for k in range(count):
                    mix[row, legal[k]] += x[k] / draws
            last[0][state], last[1][state] = left, mix[row]


@kernel
def binomial(n, p, out):
    """Write the chances of 0 to `n` successes, from the most likely number outwards.

    Ratios of neighbours need neither powers nor logarithms, and nothing overflows.

    Examples
    --------
    >>> out = np.empty(3)
    >>> binomial(2, 0.5, out)
    >>> out.tolist()
    [0.25, 0.5, 0.25]
    """
    for k in range(n + 1):
        out[k] = 0.0
    mode = min(int((n + 1) * p), n)
    out[mode], total = 1.0, 1.0
    for k in range(mode, n):
        out[k + 1] = out[k] * ((n - k) * p) / ((k + 1) * (1.0 - p)) if p < 1.0 else 0.0
        total += out[k + 1]
    for k in range(mode, 0, -1):
        out[k - 1] = out[k] * (k * (1.0 - p)) / ((n - k + 1) * p)
        total += out[k - 1]
    for k in range(n + 1):
        out[k] /= total


@kernel
def _first_best(chances, count, out):
    """Write how likely each of `count` independent numbers is the largest, the first of equals."""
    top = chances.shape[1]
    for i in range(count):
        out[i] = 0.0
    below = np.zeros(count)  # how likely each is less than x
    for x in range(top):
        for i in range(count):
            p = chances[i, x]
            for k in range(count):
                if k != i:
                    p *= below[k] if k < i else below[k] + chances[k, x]
            out[i] += p
        for i in range(count):
            below[i] += chances[i, x]


@kernel
def _likeliest_action(state, left, party, lookup, wins, out):
    """Write how likely Monte Carlo takes each action: its scores are sums of binomials."""
    table, actions = lookup.table, lookup.actions
    size = PLAYOUTS * actions + 1
    chances, one, next_ = np.zeros((actions, size)), np.empty(PLAYOUTS + 1), np.empty(size)
    legal, best = np.empty(actions, np.int64), np.empty(actions)
    count = rules.legal_actions(table, state, party, actions, legal)
    for i in range(count):
        total = chances[i]
        total[0], top = 1.0, 0
        for j in range(actions):
            pair = actions * legal[i] + j if party == 0 else actions * j + legal[i]
            after = np.int64(table[state, pair])
            if after < 0:
                continue
            binomial(PLAYOUTS, _settled(wins, left - 1, after, table, lookup.sizes), one)
            for x in range(top + PLAYOUTS + 1):
                next_[x] = 0.0
            for x in range(top + 1):
                for y in range(PLAYOUTS + 1):
                    next_[x + y] += total[x] * one[y]
            top += PLAYOUTS
            total[: top + 1] = next_[: top + 1]
    _first_best(chances, count, best)
    for i in range(count):
        out[legal[i]] = best[i]


@kernel
def sent(state, left, party, kind, lookup, wins, out):
    """Write how likely a player replaces its fainted active monster by each member."""
    table, sizes = lookup.table, lookup.sizes
    live, best = 0, -1
    for member in range(sizes[party]):
        out[member] = 0.0
        after = rules.replaced(table, state, member)
        if after >= 0:
            live += 1
            p = lookup.values[left, after]
            top = lookup.values[left, rules.replaced(table, state, best)] if best >= 0 else p
            if best < 0 or (p > top if party == 0 else 1.0 - p > 1.0 - top):
                best = member
    if kind == _NASH or live == 1:
        out[best] = 1.0
        return
    tries = PLAYOUTS * table.shape[1]
    chances, first = np.zeros((live, tries + 1)), np.empty(live)
    k = 0
    for member in range(sizes[party]):
        after = rules.replaced(table, state, member)
        if after >= 0:
            if kind == _MONTE_CARLO:
                binomial(tries, wins[left, after], chances[k])
            k += 1
    if kind == _MONTE_CARLO:
        _first_best(chances, live, first)
    k = 0
    for member in range(sizes[party]):
        if rules.replaced(table, state, member) >= 0:
            out[member] = first[k] if kind == _MONTE_CARLO else 1.0 / live
            k += 1


@kernel
def _sensible(state, left, party, slack, mix, lookup, out):
    """Mark the opponent's actions that lose no more than `slack` beside its best reply."""
    table, actions = lookup.table, lookup.actions
    worth, best = np.full(actions, -1.0), -1.0
    for theirs in range(actions):
        if table[state, theirs if party == 0 else actions * theirs] < 0:
            continue
        worth[theirs] = 0.0
        for mine in range(actions):
            pair = actions * mine + theirs if party == 0 else actions * theirs + mine
            if mix[mine] > 0.0:
                p = lookup.values[left - 1, table[state, pair]]
                worth[theirs] += mix[mine] * (1.0 - p if party == 0 else p)
        best = max(best, worth[theirs])
    for theirs in range(actions):
        out[theirs] = worth[theirs] >= 0.0 and worth[theirs] >= best - slack


@kernel
def _spread(states, left, party, kind, slack, chance, mix, wins, lookup, after):
    """Write how likely the states of the next layer can be made by the best of opponents."""
    table, actions = lookup.table, lookup.actions
    weights, is_sensible = np.empty(actions + 1), np.empty(actions, np.bool_)
    for row in range(len(states)):
        state = states[row]
        _sensible(state, left, party, slack, mix[row], lookup, is_sensible)
        for mine in range(actions):
            p = chance[state] * mix[row, mine]
            if p == 0.0:
                continue
            for theirs in range(actions):
                if not is_sensible[theirs]:
                    continue
                pair = actions * mine + theirs if party == 0 else actions * theirs + mine
                to = np.int64(table[state, pair])
                fainted = rules.to_replace(table, to)
                if fainted < 0:
                    after[to] = max(after[to], p)
                    continue
                if fainted == party:
                    sent(to, left - 1, party, kind, lookup, wins, weights)
                for member in range(lookup.sizes[fainted]):
                    place = rules.replaced(table, to, member)
                    if place >= 0:
                        q = p * weights[member] if fainted == party else p
                        after[place] = max(after[place], q)
