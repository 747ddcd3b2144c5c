"""Triomineering in the page: exact values, matches, and searches of one move."""

import numpy as np

from gamecore import rng
from gamecore.kernel import kernel
from gamecore.live.boards import (
    boards_of,
    emptied,
    full,
    moves_of,
    new_stack,
    payoffs_of,
    tables_of,
    value_of,
)
from gamecore.live.seeds import spawn
from gamecore.matrixgame import gap
from gamecore.triomineering import nash, rules
from gamecore.triomineering.matches import _play_games
from gamecore.triomineering.rounds import bounds, h_shortfall, listed, v_shortfall
from gamecore.triomineering.search import Settings, World, _add_logarithms, explore
from gamecore.triomineering.solution import OUTCOMES

_ORDER = tuple(OUTCOMES)


@kernel
def outcome(start, stop, rows, columns, keys, known, used, mixed, values, row):
    """Solve a board: its class, as a place among `OUTCOMES`, and its value."""
    boards, stack = boards_of(rows, columns), new_stack()
    tables = emptied(keys, known, used, mixed, rows, columns)
    free = full(rows, columns)
    low, high = bounds(free, 0, 0, boards, tables, stack)
    for k in range(len(_ORDER)):
        if 2.0 * low == _ORDER[k][0] and 2.0 * high == _ORDER[k][1]:
            row[0] = k
    row[1] = value_of(free, boards, tables, stack, mixed, values)


@kernel
def first_moves(start, stop, rows, columns, keys, known, used, mixed, values, worth, logs):
    """Solve the board after each pair of first moves; make the table of logarithms."""
    boards, stack = boards_of(rows, columns), new_stack()
    tables = emptied(keys, known, used, mixed, rows, columns)
    free = full(rows, columns)
    v, h = moves_of(free, 0, 0, boards[0])
    A = payoffs_of(free, boards, tables, stack, mixed, values)
    for i in range(len(v)):
        for j in range(len(h)):
            worth[v[i], h[j]] = A[i, j]
    _add_logarithms(logs)


@kernel
def _settings(x, playouts):
    """Return a player's settings; `playouts` counts if it is not 0."""
    return Settings(
        int(x[0]), playouts if playouts else int(x[1]), x[2], x[3], x[4], int(x[5]), x[6],
        int(x[7]), int(x[8]), int(x[9]), int(x[10]),
    )  # fmt: skip


@kernel
def _world(rows, columns, vertical, images, sizes, theirs):
    board = boards_of(rows, columns)[0]
    free = full(rows, columns)
    none = np.empty((2, 0, 0))
    return World(free, columns, board.fits, vertical, images, sizes, theirs, none)


@kernel
def matches(
    start, stop, rows, columns, longest, v, v_images, v_sizes, v_theirs, h, h_images, h_sizes,
    h_theirs, worth, logs, s, row,
):  # fmt: skip
    """Play on; `row` counts results, and how games stood after the first pair of moves."""
    results, trail = np.empty(1, np.int8), np.empty((1, longest, 2), np.int8)
    first = _world(rows, columns, True, v_images, v_sizes, v_theirs)
    second = _world(rows, columns, False, h_images, h_sizes, h_theirs)
    for _ in range(start, stop):
        _play_games(first, second, _settings(v, 0), _settings(h, 0), logs, s, results, trail)
        row[1 - results[0]] += 1.0
        value = worth[trail[0, 0, 0], trail[0, 0, 1]]
        row[3] += value > 0.5
        row[4] += value < 0.5
        row[5] += value > 0.5 and results[0] > 0
        row[6] += value < 0.5 and results[0] < 0


@kernel
def visits(start, stop, rows, columns, v, v_images, v_sizes, v_theirs, worth, logs, words, s, row):
    """Search the empty 4×4 board; `row` sums visits of pairs, and shares of those not correct."""
    world = _world(rows, columns, True, v_images, v_sizes, v_theirs)
    settings, m, n = _settings(v, 0), len(v_sizes), len(v_theirs)
    own, others = moves_of(world.free, 0, 0, boards_of(rows, columns)[0])
    keeps, holds = np.ones(m, np.bool_), np.ones(n, np.bool_)  # a draw, whatever the reply
    for i in range(m):
        for other in others:
            keeps[i] &= worth[v_images[i, 0], other] >= 0.5
    for j in range(n):
        for mine in own:
            holds[j] &= worth[mine, v_theirs[j]] <= 0.5
    for game in range(start, stop):
        spawn(words, game, s)
        found = explore(world, settings, logs, s).visits
        wrong = 0
        for a in range(m):
            for b in range(n):
                row[n * a + b] += found[a, b]
                wrong += 0 if keeps[a] and holds[b] else found[a, b]
        share = wrong / settings.playouts
        row[m * n] += share
        row[m * n + 1] += share * share


@kernel
def dilemma(start, stop, v, payoffs, checkpoints, drifts, logs, words, s, row):
    """Search the prisoner's dilemma; `row` sums visits of its four pairs at each checkpoint."""
    ones, zeros, none = np.ones(2, np.int64), np.zeros(2, np.int64), np.uint64(0)
    if start == 0:
        _add_logarithms(logs)
    world = World(none, 1, none, True, np.zeros((2, 1), np.int64), ones, zeros, payoffs)
    for game in range(start, stop):
        for k in range(len(checkpoints)):
            spawn(words, game, s)
            found = explore(world, _settings(v, checkpoints[k]), logs, s).visits
            for pair in range(4):
                row[4 * k + pair] += found[pair // 2, pair % 2]
        if drifts:
            row[4 * len(checkpoints)] += found[0, 0] > found[1, 1]


@kernel
def gaps(start, stop, reading, size, rounds, step, sums, s, games, row):
    """Approximate equilibria of random tables as figure 3 does; average what is left to gain."""
    table, own, other = np.empty((size, size)), np.empty((size, size)), np.empty((size, size))
    scratch = nash.make_scratch(size, size)
    for _ in range(start, stop):
        bound = 0.0
        for i in range(size):
            for j in range(size):
                table[i, j] = rng.uniform(s)
                own[j, i], other[i, j] = table[i, j], 1.0 - table[i, j]
                bound = max(bound, own[j, i], other[i, j])
        nash.mix(reading, own, other, bound, rounds, step, scratch)
        found = gap(table, scratch.p, scratch.q)
        sums[0] += found
        sums[1] += found * found
    row[0], row[1] = sums[0] / games, sums[1] / games


@kernel
def shortfalls(
    start, stop, rows, columns, v, v_images, v_sizes, v_theirs, vertical, random_round, nested,
    keys, known, used, mixed, values, logs, budgets, policy, words, s, row,
):  # fmt: skip
    """Search positions; `row` sums shortfalls of policies by budget, and their squares."""
    boards, stack = boards_of(rows, columns), new_stack()
    tables, free = tables_of(keys, known, used, rows, columns), full(rows, columns)
    empty = _world(rows, columns, vertical != 0, v_images, v_sizes, v_theirs)
    more = np.empty(len(words) + 1, np.uint32)
    for k in range(len(words)):
        more[k] = words[k]
    A = payoffs_of(free, boards, tables, stack, mixed, values)
    value = value_of(free, boards, tables, stack, mixed, values)
    for game in range(start, stop):
        more[len(words)] = game
        world = empty
        if random_round:
            spawn(more, 0, s)
            own, others = moves_of(free, 0, 0, boards[0])
            i = own[rng.below(s, len(own))]
            j = others[rng.below(s, len(others))]
            after = rules.step(free, i, j, columns)
            world = _plain_world(after, columns, boards[0].fits, vertical != 0)
            A = payoffs_of(after, boards, tables, stack, mixed, values)
            value = value_of(after, boards, tables, stack, mixed, values)
        for k in range(len(budgets)):
            if nested:
                spawn(more, 1 + k, s)
            else:
                spawn(words, game, s)
            found = explore(world, _settings(v, budgets[k]), logs, s)
            mixture = _all_moves(world, found.policy, A.shape[0 if vertical else 1])
            lost = v_shortfall(A, value, mixture) if vertical else h_shortfall(A, value, mixture)
            row[k] += lost
            row[len(budgets) + k] += lost * lost
            for i in range(len(mixture)):
                policy[i] += mixture[i]


@kernel
def _plain_world(free, columns, fits, vertical):
    """Return the world of a position without symmetries, as `first_world` makes it."""
    v, h = rules.v_moves(free, columns), rules.h_moves(free, fits)
    mine, theirs = (v, h) if vertical else (h, v)
    own = listed(mine, False)
    images = np.empty((len(own), 1), np.int64)
    for i in range(len(own)):
        images[i, 0] = own[i]
    sizes, none = np.ones(len(own), np.int64), np.empty((2, 0, 0))
    return World(free, columns, fits, vertical, images, sizes, listed(theirs, False), none)


@kernel
def _all_moves(world, policy, count):
    """Return the probabilities of all own legal moves; see `players.full_policy`."""
    v, h = rules.v_moves(world.free, world.columns), rules.h_moves(world.free, world.fits)
    legal, full = listed(v if world.vertical else h, False), np.zeros(count)
    for i in range(len(policy)):
        for k in range(world.sizes[i]):
            for place in range(count):
                if legal[place] == world.images[i, k]:
                    full[place] += policy[i] / world.sizes[i]
    return full


@kernel
def by_cells(start, stop, rows, columns, vertical, policy, row):
    """Write summed policies by cell, then the shortfalls that stand at the row's beginning."""
    lost, squares, cells = row[0], row[1], rows * columns
    v, h = moves_of(full(rows, columns), 0, 0, boards_of(rows, columns)[0])
    legal = v if vertical else h
    row[0] = row[1] = 0.0
    for i in range(len(legal)):
        row[legal[i]] = policy[i]
    row[cells], row[cells + 1] = lost, squares
