"""The Pokémon battle in the page: its solution, then battles and strategies drawn from it."""

import numpy as np

from gamecore.kernel import kernel
from gamecore.live.sums import fsum, fsum_products
from gamecore.matrixgame import equilibrium
from gamecore.papers.pokemon.experiments import AVERAGED, PRINTED_AS_0, SIDES
from gamecore.pokemon.matches import _game, _misjudge
from gamecore.pokemon.parties import PAPER
from gamecore.pokemon.perception import (
    Settings,
    draw_strategies,
    favoured,
    mixture,
    noise_width,
    shifted,
)
from gamecore.pokemon.solution import Lookup, _fill, _replace, _results, _sweep, payoffs

_SETUP = PAPER.setup
_STRIDE, _ACTIONS, _SIDES = int(_SETUP.strides[1]), _SETUP.actions, len(SIDES)


@kernel
def transitions(start, stop, table):
    """Write what follows each state."""
    for state in range(start, stop):
        for k in range(table.shape[1]):
            table[state, k] = -1
    _fill(start, stop, table, _SETUP)


@kernel
def turns(start, stop, table, values, fresh, gaps):
    """Solve the game with `start` turns left, given the values with fewer."""
    states = len(fresh)
    for left in range(start, stop):
        now = values[left]
        if left == 0:
            _results(0, states, now, _SETUP)
        else:
            _sweep(0, states, values[left - 1], now, table, _ACTIONS, fresh, gaps)
        _replace(0, states, now, table, _SETUP)
        for state in range(states):
            fresh[state] = left == 0 or now[state] != values[left - 1, state]


@kernel
def _lookup(values, table):
    return Lookup(values, table, _SETUP.classes, _SETUP.sizes, _STRIDE, _ACTIONS)


@kernel
def _settings(x):
    return Settings(
        int(x[0]), int(x[1]), x[2], int(x[3]), x[4], int(x[5]),
        x[6] != 0.0, x[7] != 0.0, x[8] != 0.0, x[9] != 0.0,
    )  # fmt: skip


@kernel
def battles(start, stop, first, second, length, starts, table, values, s, counts, trace, row):
    """Play on; `row` counts wins, draws and losses, then the first player's actions by kind."""
    lookup, one, two = _lookup(values, table), _settings(first), _settings(second)
    for _ in range(start, stop):
        for k in range(len(counts)):
            counts[k] = 0
        result, _ = _game(one, two, length, starts, lookup, s, counts, trace)
        row[1 - result] += 1.0
        for k in range(1, len(counts)):
            row[2 + k] += counts[k]


@kernel
def misjudged(start, stop, starts, table, values, s, counts, sums, extremes, row):
    """Play on as Monte Carlo against Nash, and hold its beliefs against the solution."""
    _misjudge(stop - start, starts, _lookup(values, table), s, counts, sums, extremes)
    for k in range(3):
        row[k] = counts[k]
    row[3], row[4], row[5], row[6] = sums[0], sums[1], counts[3], counts[4]
    for k in range(2):
        for part in range(5):
            row[7 + 5 * k + part] = extremes[k, part]


@kernel
def strategies(start, stop, state, left, first, table, values, s, drawn):
    """Draw δ-Nash strategies of both sides for the payoffs of a state."""
    A = payoffs(values[left - 1], table, state, _ACTIONS)
    m, n = A.shape
    a, b = np.zeros((stop - start, m)), np.zeros((stop - start, n))
    draw_strategies(A, _settings(first), a, b, s)
    for k in range(stop - start):
        for i in range(m):
            drawn[start + k, i] = a[k, i]
        for j in range(n):
            drawn[start + k, m + j] = b[k, j]


@kernel
def rows_of_table_3(start, stop, state, left, table, values, drawn, games, row):
    """Add up drawn strategies: printed zeros, sums, squares, and what they lose."""
    A = payoffs(values[left - 1], table, state, _ACTIONS)
    value, x, y = equilibrium(A)
    zeros = 0
    for k in range(games):
        zeros += drawn[k, 5] < PRINTED_AS_0 and drawn[k, 7] < PRINTED_AS_0
    row[0] = zeros
    for k in range(_SIDES):
        row[1 + 2 * k] = fsum(drawn[:games, k])
        row[2 + 2 * k] = fsum_products(drawn[:games, k], drawn[:games, k])
    against, lost = np.empty(5), np.empty(games)
    for side in range(2):
        for i in range(5):
            against[i] = fsum_products(A[i], y) if side == 0 else fsum_products(A[:, i], x)
        for k in range(games):
            lost[k] = fsum_products(drawn[k, 5 * side : 5 * side + 5], against)
        total = fsum(lost)
        row[-2 + side] = games * value - total if side == 0 else total - games * value


@kernel
def means_of_nine(start, stop, drawn, games, row):
    """Average drawn strategies; count averages of ten that would be printed as zero."""
    for k in range(_SIDES):
        row[k] = fsum(drawn[:games, k]) / games
        for i in range(0, games, AVERAGED):
            total = 0.0
            for j in range(AVERAGED):
                total += drawn[i + j, k]
            row[_SIDES + k] += total / AVERAGED < PRINTED_AS_0


@kernel
def example(start, stop, first, s, row):
    """Count how often a 45 % move is chosen beside a 50 % move."""
    a, b = np.zeros((stop - start, 2)), np.zeros((stop - start, 1))
    A = np.empty((2, 1))
    A[0, 0], A[1, 0] = 0.5, 0.45
    draw_strategies(A, _settings(first), a, b, s)
    for k in range(stop - start):
        row[0] += a[k, 1]


@kernel
def openings(start, stop, state, left, first, table, values, s, drawn, games, row):
    """Draw first turns of the attack-loving player as either party; average its switches."""
    A = payoffs(values[left - 1], table, state, _ACTIONS)
    lookup, who = _lookup(values, table), _settings(first)
    liked = favoured(state, 0, who.bias, lookup), favoured(state, 1, who.bias, lookup)
    for k in range(start, stop):
        for party in range(2):
            x = mixture(A, liked[party], party, who, s)
            drawn[k, party] = x[3] + x[4]
    if stop == games:
        for party in range(2):
            row[party] = fsum(drawn[:games, party]) / games


@kernel
def matrix(start, stop, state, left, table, values, row):
    """Write a state's payoffs, its equilibrium, its value, and how many states were solved."""
    A = payoffs(values[left - 1], table, state, _ACTIONS)
    value, x, y = equilibrium(A)
    for i in range(5):
        for j in range(5):
            row[5 * i + j] = A[i, j]
        row[25 + i], row[30 + i] = x[i], y[i]
    row[35], row[36] = value, values.size - values.shape[1]


@kernel
def formulas(start, stop, size, row):
    """Write equation (2) and the variable noise model at the ends and in the middle."""
    for k in range(3):
        row[k] = shifted(0.5 * k, size) - 0.5 * k
    before = noise_width(0.0, abs(size))
    row[3], row[4], row[5] = before, noise_width(0.5, abs(size)), noise_width(1.0, abs(size))
    for k in range(1, 51):
        width = noise_width(k * (0.5 / 50) if k < 50 else 0.5, abs(size))
        row[6] += width > before
        before = width
