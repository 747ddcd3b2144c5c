"""How a node of a search tree picks a pair of moves, and what it learns: four selection rules.

A `Node` is a view of one position's statistics: for both players (0 is V, 1 is H) an array of
numbers for each move, and for each pair of moves its visits and V's summed score. `pick` chooses
the pair, `learn` adds a result to it, `mixture` says what a player should play there.

*MSUCB* mixes as the paper does: an approximate equilibrium of both players' UCB values of pairs.
*Regret matching* plays in proportion to positive regrets, *Exp3* by exponential weights; either
explores with probability γ. *DUCT* (decoupled UCT) lets both players follow their own UCB values.

References
----------
M. Lanctot, V. Lisý and M. Winands, "Monte Carlo tree search in simultaneous move games with
applications to Goofspiel", 2014; M. Tak, M. Lanctot and M. Winands, "Monte Carlo tree search
variants for simultaneous move games", 2014. P. Auer, N. Cesa-Bianchi, Y. Freund and R. Schapire,
"The nonstochastic multiarmed bandit problem", 2002 (Exp3).
"""

from __future__ import annotations  # signatures show types by their names

import math
from typing import NamedTuple

import numpy as np

from gamecore import rng
from gamecore.kernel import kernel
from gamecore.triomineering import nash
from gamecore.triomineering.nash import Scratch, mix
from gamecore.triomineering.rules import WIN
from gamecore.triomineering.search import draw_by

MSUCB, REGRET, EXP3, DUCT_MIX, DUCT_MAX = range(5)
#: Numbers kept for each move; what they are depends on the rule.
KEPT = 4
_LN2, _LN2_LOW = 0.693147180369123816490, 1.90821492927058770002e-10  # their sum is ln 2
_LEAST = -700.0  # exp of what is below counts as 0


class Choice(NamedTuple):
    """How nodes choose, as numbers for kernels."""

    rule: int
    c: float  # weight of the bonus in UCB values
    gamma: float  # chance of a uniform move
    reading: int  # of figure 3, an index of nash.READINGS
    rounds: int
    final_rounds: int
    every: int  # visits between two approximations


class Node(NamedTuple):
    """One position's statistics, as views of the tree's memory."""

    own: np.ndarray  # [kept, i]: V's moves
    other: np.ndarray  # [kept, j]: H's moves
    visits: np.ndarray  # [i, j]
    score: np.ndarray  # [i, j]: V's results in halves, 2 for a win


class Bench(NamedTuple):
    """Where tables of UCB values are laid out and mixed; for any size up to that of the root."""

    own: np.ndarray  # flat [j, i]
    other: np.ndarray  # flat [i, j]
    scratch: Scratch


def new_bench(m, n):
    """Return room for tables of up to `m` moves of V and `n` of H."""
    return Bench(np.zeros(n * m), np.zeros(m * n), nash.new_scratch(m, n))


@kernel
def exponential(x):
    """Return exp(x) for x ≤ 0 by arithmetic alone: libm's differs between processors.

    Examples
    --------
    >>> abs(exponential(-1.5) - 0.22313016014842982) < 1e-16
    True
    """
    if x < _LEAST:
        return 0.0
    power = math.floor(x / (_LN2 + _LN2_LOW) + 0.5)
    rest = (x - power * _LN2) - power * _LN2_LOW  # at most ln 2 / 2 away from 0
    total = 1.0
    for k in range(14, 0, -1):
        total = 1.0 + total * rest / k
    return math.ldexp(total, int(power))


@kernel
def pick(node, t, choice, logs, stream, bench):
    """Return the moves of V and of H for visit `t` of a node, counted from 0."""
    m, n = node.visits.shape
    if choice.rule == MSUCB:
        if t < m * n:
            return t // n, t % n
        if (t - m * n) % choice.every == 0:
            _mix_bounds(node, t, choice, logs, bench)
        return draw_by(node.own[0], stream), draw_by(node.other[0], stream)
    if choice.rule == REGRET:
        _match_regrets(node.own)
        _match_regrets(node.other)
    elif choice.rule == EXP3:
        _weigh_exponentially(node.own, choice.gamma)
        _weigh_exponentially(node.other, choice.gamma)
    else:
        factor = choice.c * np.sqrt(2.0 * logs[t])
        return _bound(node.own, t, factor), _bound(node.other, t, factor)
    return _explore(node.own[1], choice.gamma, stream), _explore(
        node.other[1], choice.gamma, stream
    )


@kernel
def learn(node, i, j, result, choice):
    """Add V's result, 0 to 2 halves, to a pair and to its two moves."""
    node.visits[i, j] += 1
    node.score[i, j] += result
    utility = result / WIN
    if choice.rule == REGRET:
        _regret(node, i, j, utility)
    elif choice.rule == EXP3:
        _reward(node.own, i, utility, choice.gamma)
        _reward(node.other, j, 1.0 - utility, choice.gamma)
    elif choice.rule != MSUCB:
        _average(node.own, i, utility)
        _average(node.other, j, 1.0 - utility)


@kernel
def mixture(node, t, choice, bench, p, q):
    """Write the mixtures of V and of H to which `t` visits of a node have come."""
    if choice.rule == MSUCB:
        scratch = _lay_out(node, 0.0, bench)
        m, n = node.visits.shape
        own, other = bench.own[: n * m].reshape(n, m), bench.other[: m * n].reshape(m, n)
        mix(choice.reading, own, other, 1.0, choice.final_rounds, 0.1, scratch)
        p[:], q[:] = scratch.p, scratch.q
    else:
        _one_mixture(node.own, t, choice, p)
        _one_mixture(node.other, t, choice, q)


@kernel
def _one_mixture(kept, t, choice, out):
    """Write what one player has come to: kept[2] are sums of mixtures, or visits."""
    count, total = len(out), 0.0
    if choice.rule == DUCT_MAX:
        out[:] = 0.0
        out[np.argmax(kept[2])] = 1.0
        return
    less = choice.gamma / count if choice.rule == EXP3 else 0.0  # visits that only explored
    for k in range(count):
        out[k] = max(kept[2, k] / t - less, 0.0)
        total += out[k]
    for k in range(count):
        out[k] /= total


@kernel
def _lay_out(node, factor, bench):
    """Write both tables of UCB values; return scratch memory of their size."""
    m, n = node.visits.shape
    for i in range(m):
        for j in range(n):
            visits = node.visits[i, j]
            # a pair never tried counts as a draw
            mean = node.score[i, j] / WIN / visits if visits else 0.5
            rest = (visits - node.score[i, j] / WIN) / visits if visits else 0.5
            bonus = factor * (1.0 / np.sqrt(np.float64(max(visits, 1))))
            bench.own[j * m + i] = mean + bonus
            bench.other[i * n + j] = rest + bonus
    s, wide, high = bench.scratch, (m + 3) // 4 * 4, (n + 3) // 4 * 4
    own = s.own.ravel()[: n * wide].reshape(n, wide)
    other = s.other.ravel()[: m * high].reshape(m, high)
    own[:, m:], other[:, n:] = 0, 0  # beyond the moves, where a larger table may have been
    return Scratch(
        s.p[:m], s.q[:n], own, other, s.x[:wide], s.y[:high], s.gains, s.present, s.regrets
    )


@kernel
def _mix_bounds(node, t, choice, logs, bench):
    """Approximate the equilibrium of the UCB tables; keep both mixtures as running sums."""
    m, n = node.visits.shape
    factor = choice.c * np.sqrt(2.0 * logs[t])
    scratch = _lay_out(node, factor, bench)
    own, other = bench.own[: n * m].reshape(n, m), bench.other[: m * n].reshape(m, n)
    mix(choice.reading, own, other, 1.0 + factor, choice.rounds, 0.1, scratch)
    _sum_up(scratch.p, node.own[0])
    _sum_up(scratch.q, node.other[0])


@kernel
def _sum_up(weights, sums):
    total = 0.0
    for k in range(len(weights)):
        total += weights[k]
        sums[k] = total


@kernel
def _explore(present, gamma, stream):
    """Draw an index by a mixture, or with probability γ any."""
    if rng.uniform(stream) < gamma:
        return rng.below(stream, len(present))
    left, last = rng.uniform(stream), 0
    for k in range(len(present)):
        if present[k] > 0.0:
            last = k  # sums of rounded shares may end a little below 1
            left -= present[k]
            if left < 0.0:
                break
    return last


@kernel
def _match_regrets(kept):
    """Set kept[1] in proportion to the positive regrets kept[0], and add it to the sums kept[2]."""
    count, total = kept.shape[1], 0.0
    for k in range(count):
        total += max(kept[0, k], 0.0)
    for k in range(count):
        kept[1, k] = max(kept[0, k], 0.0) / total if total > 0.0 else 1.0 / count
        kept[2, k] += kept[1, k]


@kernel
def _regret(node, i, j, utility):
    """Add what each move would have brought on average against the other's move, less the result.

    A pair that was never tried counts as a draw.
    """
    m, n = node.visits.shape
    for k in range(m):
        if k != i:
            visits = node.visits[k, j]
            mean = node.score[k, j] / (WIN * visits) if visits else 0.5
            node.own[0, k] += mean - utility
    for k in range(n):
        if k != j:
            visits = node.visits[i, k]
            mean = node.score[i, k] / (WIN * visits) if visits else 0.5
            node.other[0, k] += utility - mean


@kernel
def _weigh_exponentially(kept, gamma):
    """Set kept[1] in proportion to exp(γ/K · kept[0]), of summed estimates of rewards."""
    count, top, total = kept.shape[1], kept[0, 0], 0.0
    for k in range(1, count):
        top = max(top, kept[0, k])
    for k in range(count):
        kept[1, k] = exponential((kept[0, k] - top) * gamma / count)
        total += kept[1, k]
    for k in range(count):
        kept[1, k] /= total


@kernel
def _reward(kept, k, utility, gamma):
    """Add a reward, by its chance, to the sum of a move, and count the visit."""
    kept[0, k] += utility / ((1.0 - gamma) * kept[1, k] + gamma / kept.shape[1])
    kept[2, k] += 1.0


@kernel
def _bound(kept, t, factor):
    """Return the move with the largest UCB value; first every move once, in turn."""
    count = kept.shape[1]
    if t < count:
        return t
    best, top = 0, -1.0
    for k in range(count):
        value = kept[1, k] + factor * kept[3, k]
        if value > top:
            best, top = k, value
    return best


@kernel
def _average(kept, k, utility):
    """Add a utility to a move: its sum, visits and mean, and the width of its bound."""
    kept[0, k] += utility
    kept[2, k] += 1.0
    kept[1, k] = kept[0, k] / kept[2, k]
    kept[3, k] = 1.0 / np.sqrt(kept[2, k])
