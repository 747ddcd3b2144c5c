"""The five searches of table 1 as kernels: playouts spread over pairs of first moves.

A search works on a `World`: the moves of the player who thinks (the *own* ones, m of them), the
moves of the *other* player (n), and where a pair of them leads, which is a playout on the board or,
for the prisoner's dilemma, a draw from a table of payoffs. What it leaves is `Searched`: visits and
summed utilities of every pair, and the mixture by which the own move is to be chosen.

References
----------
The paper on MSUCB, figures 2 and 5, table 1, section 6.4; the UCB1 rule is Auer, Cesa-Bianchi and
Fischer's, "Finite-time analysis of the multiarmed bandit problem", 2002.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from gamecore import rng
from gamecore.bits import lowest, nth, popcount
from gamecore.kernel import kernel
from gamecore.triomineering import rules as r
from gamecore.triomineering.memory import make_memory
from gamecore.triomineering.nash import mix
from gamecore.triomineering.playouts import LITERAL, hindering, playout

MC, SIMPLE_HALF, SIMPLE, PAIRS, PAIRS_HALF = range(5)


class Settings(NamedTuple):
    """How a player searches, as numbers for kernels; `gamecore.triomineering.Player` in words."""

    method: int  # MC, SIMPLE_HALF, …
    playouts: int
    c: float
    draw: float  # utility of a draw to oneself …
    other_draw: float  # … and, in one's model, to the other
    nash: int  # an index of nash.READINGS
    step: float
    rounds: int
    final_rounds: int
    every: int  # playouts between two approximations
    filtering: int  # an index of playouts.FILTERS


class World(NamedTuple):
    """A position to search in, or a simulated table of payoffs."""

    free: np.uint64
    columns: int
    fits: np.uint64
    vertical: bool  # the own player is V
    images: np.ndarray  # [i, k]: cells where own move i may be played, each as good as the others
    sizes: np.ndarray  # how many such images move i has
    theirs: np.ndarray  # the other's moves, as cells
    payoffs: np.ndarray  # [player, i, j]: means of a simulated game; empty for a board


@lru_cache(maxsize=8)  # few, as they are large
def logarithms(count: int) -> np.ndarray:
    """Return ln k for k from 0 (where it is 0) below `count`, the same on every machine.

    Each follows from the one before, ln k = ln (k − 1) + 2 artanh(1/(2k − 1)), by a short series:
    arithmetic only, because libm's logarithm differs in the last bit between processors.

    Examples
    --------
    >>> bool(abs(logarithms(11)[10] - np.log(10)) < 1e-12)
    True
    """
    if count < 2:
        raise ValueError(f"a table of logarithms needs at least 2 entries, not {count}")
    table = np.zeros(count)
    _add_logarithms(table)
    table.setflags(write=False)
    return table


@kernel
def _add_logarithms(table):
    for k in range(2, len(table)):
        z = 1.0 / (2 * k - 1)
        square = z * z
        term, total, divisor = z, 0.0, 1.0
        while term > 1e-18 * divisor:
            total += term / divisor
            term *= square
            divisor += 2.0
        table[k] = table[k - 1] + 2.0 * total


@kernel
def cells_of(mask, out):
    """Write the numbers of a mask's cells into `out`, ascending."""
    for k in range(len(out)):
        out[k] = lowest(mask)
        mask &= mask - np.uint64(1)


@kernel
def world_of(free, columns, fits, vertical):
    """Return the world of a position in which both can move; no symmetries."""
    v, h = r.v_moves(free, columns), r.h_moves(free, fits)
    mine, others = (v, h) if vertical else (h, v)
    images = np.empty((popcount(mine), 1), np.int64)
    theirs = np.empty(popcount(others), np.int64)
    cells_of(mine, images[:, 0])
    cells_of(others, theirs)
    sizes = np.ones(len(images), np.int64)
    return World(free, columns, fits, vertical, images, sizes, theirs, np.empty((2, 0, 0)))


@kernel
def explore(world, settings, logs, stream):
    """Search and return what was `Searched`; `logs` are `logarithms` beyond the playouts."""
    bandits, arms = bandits_needed(world, settings)
    memory = make_memory(len(world.sizes), len(world.theirs), bandits, arms)
    search(world, settings, logs, stream, memory, 0, settings.playouts)
    conclude(settings, memory)
    return memory.found


@kernel
def search(world, settings, logs, stream, memory, begin, end):
    """Go on from playout `begin` up to `end`; stretch by stretch is the same as all at once."""
    if settings.method >= PAIRS:
        _search_pairs(world, settings, logs, stream, memory, begin, end)
    else:
        _search_apart(world, settings, logs, stream, memory, begin, end)


@kernel
def conclude(settings, memory):
    """Write the policy to which a search has come."""
    policy = memory.found.policy
    if settings.method < PAIRS:
        visits, means = memory.own[0], memory.own[2]
        policy[np.argmax(means if settings.method == MC else visits)] = 1.0
        return
    mix(
        settings.nash, memory.own_tables[0], memory.tables[0], 1.0, settings.final_rounds,
        settings.step, memory.scratch,
    )  # fmt: skip
    for i in range(len(policy)):
        policy[i] = memory.scratch.p[i]


@kernel
def _after(world, i, j, stream):
    """Return the free cells after own move i, in a random image, and which image it was."""
    image = rng.below(stream, world.sizes[i]) if world.sizes[i] > 1 else 0
    mine, theirs = world.images[i, image], world.theirs[j]
    if world.vertical:
        return r.step(world.free, mine, theirs, world.columns), image
    return r.step(world.free, theirs, mine, world.columns), image


@kernel
def _utilities(world, settings, free, stream):
    """Play out and return the utilities of the own and of the other player."""
    result = playout(free, world.columns, world.fits, stream, settings.filtering)
    if result == r.DRAW:
        return settings.draw, settings.other_draw
    if (result == r.WIN) == world.vertical:
        return 1.0, 0.0
    return 0.0, 1.0


@kernel
def _try(world, settings, i, j, stream):
    """Return both utilities of one playout after own move i and the other's move j."""
    if world.payoffs.size:
        own = 1.0 if rng.uniform(stream) < world.payoffs[0, i, j] else 0.0
        return own, 1.0 if rng.uniform(stream) < world.payoffs[1, i, j] else 0.0
    free, _ = _after(world, i, j, stream)
    return _utilities(world, settings, free, stream)


@kernel
def _note(found, i, j, own, other):
    found.visits[i, j] += 1
    found.own[i, j] += own
    found.other[i, j] += other


@kernel
def _best(means, widths, factor, count):
    """Return the lowest index with the largest UCB value."""
    best, top = 0, means[0] + factor * widths[0]
    for k in range(1, count):
        value = means[k] + factor * widths[k]
        if value > top:
            best, top = k, value
    return best


@kernel
def _learn(visits, totals, means, widths, k, utility):
    """Add a utility to arm k: its mean, and the part of its UCB width that time leaves alone."""
    visits[k] += 1
    totals[k] += utility
    means[k] = totals[k] / visits[k]
    widths[k] = 1.0 / np.sqrt(np.float64(visits[k]))


@kernel
def _search_apart(world, settings, logs, stream, memory, begin, end):
    """MC, SimpleUCB0.5 and SimpleUCB1: own moves and the other's each have statistics apart."""
    found, (m, n) = memory.found, memory.found.visits.shape
    a, b = memory.own, memory.other
    a_visits, a_totals, a_means, a_widths = a[0], a[1], a[2], a[3]
    b_visits, b_totals, b_means, b_widths = b[0], b[1], b[2], b[3]
    for t in range(begin, end):
        factor = settings.c * np.sqrt(2.0 * logs[t])
        i, j = t % m, t % n  # what was never visited has an infinite UCB value
        if settings.method != MC and t >= m:
            i = _best(a_means, a_widths, factor, m)
        if settings.method != SIMPLE:
            j = rng.below(stream, n)
        elif t >= n:
            j = _best(b_means, b_widths, factor, n)
        own, other = _try(world, settings, i, j, stream)
        _learn(a_visits, a_totals, a_means, a_widths, i, own)
        _learn(b_visits, b_totals, b_means, b_widths, j, other)
        _note(found, i, j, own, other)


@kernel
def _search_pairs(world, settings, logs, stream, memory, begin, end):
    """MSUCB1 and MSUCB1.5: pairs drawn from the approximate equilibrium of both UCB tables."""
    found, (m, n) = memory.found, memory.found.visits.shape
    scratch, a, b = memory.scratch, memory.own_tables, memory.tables
    own_means, own_widths, own_table = a[0], a[1], a[2]
    means, widths, table = b[0], b[1], b[2]
    for t in range(begin, end):
        i, j = t // n, t % n
        if t >= m * n:
            if (t - m * n) % settings.every == 0:
                factor = settings.c * np.sqrt(2.0 * logs[t])
                _upper(own_means, own_widths, factor, own_table)
                _upper(means, widths, factor, table)
                bound = 1.0 + factor
                mix(settings.nash, own_table, table, bound, settings.rounds, settings.step, scratch)
                _accumulate(scratch.p)
                _accumulate(scratch.q)
            i, j = draw_by(scratch.p, stream), draw_by(scratch.q, stream)
        if settings.method == PAIRS_HALF:
            own, other = _try_deeper(world, settings, i, j, logs, stream, memory.bandits)
        else:
            own, other = _try(world, settings, i, j, stream)
        _note(found, i, j, own, other)
        visits = found.visits[i, j]
        own_means[j, i] = found.own[i, j] / visits
        means[i, j] = found.other[i, j] / visits
        own_widths[j, i] = widths[i, j] = 1.0 / np.sqrt(np.float64(visits))


@kernel
def _upper(means, widths, factor, table):
    """Write the UCB values of all pairs."""
    mean, width, out = means.ravel(), widths.ravel(), table.ravel()
    for k in range(len(out)):
        out[k] = mean[k] + factor * width[k]


@kernel
def _accumulate(weights):
    for k in range(1, len(weights)):
        weights[k] += weights[k - 1]


@kernel
def draw_by(sums, stream):
    """Draw an index by running sums of weights."""
    left = rng.uniform(stream) * sums[-1]
    k = 0
    while sums[k] <= left:
        k += 1
    return k


@kernel
def bandits_needed(world, settings):
    """Return how many bandits a search needs, and how many arms they have at most."""
    if settings.method != PAIRS_HALF:
        return 1, 1
    # legal moves, not the searched ones: no position later on has more
    v, h = r.v_moves(world.free, world.columns), r.h_moves(world.free, world.fits)
    count = len(world.sizes) * len(world.theirs) * world.images.shape[1]
    return count, popcount(v if world.vertical else h)


@kernel
def _try_deeper(world, settings, i, j, logs, stream, bandits):
    """Play out with the own second move chosen by UCB and the other's as in playouts."""
    free, image = _after(world, i, j, stream)
    v, h = r.v_moves(free, world.columns), r.h_moves(free, world.fits)
    hindering_v, hindering_h = hindering(v, h, world.columns)
    literally_over = settings.filtering == LITERAL and not hindering_v
    if not v or not h or literally_over:
        return _utilities(world, settings, free, stream)
    arms = v if world.vertical else h
    number = (i * len(world.theirs) + j) * world.images.shape[1] + image
    plays, count = bandits.plays[number], popcount(arms)
    if plays < count:
        arm = plays
    else:
        factor = settings.c * np.sqrt(2.0 * logs[plays])
        arm = _best(bandits.means[number], bandits.widths[number], factor, count)
    mine = nth(arms, arm)
    if settings.filtering and hindering_v:
        v, h = hindering_v, hindering_h
    replies = h if world.vertical else v
    theirs = nth(replies, rng.below(stream, popcount(replies)))
    if not world.vertical:
        mine, theirs = theirs, mine
    own, other = _utilities(world, settings, r.step(free, mine, theirs, world.columns), stream)
    bandits.plays[number] += 1
    _learn(
        bandits.visits[number], bandits.totals[number],
        bandits.means[number], bandits.widths[number], arm, own,
    )  # fmt: skip
    return own, other


@kernel
def choose(world, policy, stream):
    """Draw an own move by its policy, and one of its images; return its cell."""
    i = rng.choice(stream, policy)
    return world.images[i, rng.below(stream, world.sizes[i]) if world.sizes[i] > 1 else 0]
