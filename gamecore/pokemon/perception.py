"""How a player sees the payoffs of a turn, and the strategy that follows.

A δ-Nash player (δ-ナッシュプレイヤ) solves a misperceived matrix: noise on every entry, and with a
bias also equation (2) on the entries of the actions it likes. Only the matrix of the turn is
misperceived; the values behind it are exact.
"""

from typing import NamedTuple

import numpy as np

from gamecore import rng
from gamecore.kernel import kernel
from gamecore.matrixgame import equilibrium
from gamecore.pokemon import rules
from gamecore.pokemon.parties import ADVANTAGEOUS, EFFECTIVE, INEFFECTIVE

NOISES = ("none", "uniform", "variable", "normal")
BIASES = ("none", "attack", "switch", "effective", "ineffective")
_NONE, _UNIFORM, _VARIABLE, _NORMAL = range(4)
_UNBIASED, _ATTACK, _SWITCH, _EFFECTIVE, _INEFFECTIVE = range(5)


class Settings(NamedTuple):
    """A player as numbers, for kernels; fields are those of `Player`, names their indices."""

    kind: int
    noise: int
    delta: float
    bias: int
    alpha: float
    average: int
    clip: bool
    reverse: bool
    blur_replacement: bool
    playout_replacement: bool


@kernel
def noise_width(p, delta):
    """Return δ(1 + 4p(1 − p)): the variable model's half-width, the normal one's deviation."""
    return delta * (1.0 + 4.0 * p * (1.0 - p))


@kernel
def shifted(p, alpha):
    """Return equation (2): a win probability as somebody sees it who likes the action."""
    return p + alpha * (1.0 + 20.0 * p * (1.0 - p))


@kernel
def seen(p, who, s):
    """Return one win probability with noise."""
    if who.noise == _UNIFORM:
        p += who.delta * (2.0 * rng.uniform(s) - 1.0)
    elif who.noise == _VARIABLE:
        p += noise_width(p, who.delta) * (2.0 * rng.uniform(s) - 1.0)
    elif who.noise == _NORMAL:
        p += noise_width(p, who.delta) * rng.normal(s)
    return min(max(p, 0.0), 1.0) if who.clip else p


@kernel
def _likes(bias, kind):
    """Return whether a bias applies to a class of actions."""
    if bias == _ATTACK:
        return kind <= INEFFECTIVE
    if bias == _SWITCH:
        return kind >= ADVANTAGEOUS
    if bias == _EFFECTIVE:
        return kind == EFFECTIVE
    return bias == _INEFFECTIVE and kind == INEFFECTIVE


@kernel
def _solved(A, reverse):
    """Return both equilibrium strategies, of the game with its actions numbered backwards if so."""
    rows, columns = A.shape
    B = np.empty((rows, columns))
    for i in range(rows):
        for j in range(columns):
            B[i, j] = A[rows - 1 - i, columns - 1 - j] if reverse else A[i, j]
    _, row, column = equilibrium(B)
    if reverse:
        for x in (row, column):
            for i in range(len(x) // 2):
                x[i], x[-1 - i] = x[-1 - i], x[i]
    return row, column


@kernel
def _perceived(A, liked, party, who, s):
    """Return the payoff matrix as a player sees it; `liked` marks its own favoured actions."""
    B = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            p = seen(A[i, j], who, s)
            if party == 0 and liked[i]:
                p = shifted(p, who.alpha)
            elif party == 1 and liked[j]:
                p = 1.0 - shifted(1.0 - p, who.alpha)
            B[i, j] = min(max(p, 0.0), 1.0) if who.clip else p
    return B


@kernel
def mixture(A, liked, party, who, s):
    """Return the strategy of a Nash, δ-Nash or biased player for one side of a payoff matrix."""
    total = np.zeros(A.shape[party])
    for _ in range(who.average):
        plain = (who.noise == _NONE or who.delta == 0.0) and who.bias == _UNBIASED
        row, column = _solved(A if plain else _perceived(A, liked, party, who, s), who.reverse)
        mine = row if party == 0 else column
        for k in range(len(total)):
            total[k] += mine[k]
    for k in range(len(total)):
        total[k] /= who.average
    return total


@kernel
def draw_strategies(A, who, a, b, s):
    """Write so many independent pairs of averaged strategies; see `players.strategies`."""
    unbiased = np.zeros(max(A.shape), np.bool_)
    for k in range(len(a)):
        for _ in range(who.average):
            row, column = _solved(_perceived(A, unbiased, 0, who, s), who.reverse)
            for i in range(len(row)):
                a[k, i] += row[i] / who.average
            for j in range(len(column)):
                b[k, j] += column[j] / who.average


@kernel
def favoured(state, party, bias, lookup):
    """Return which of a side's legal actions its bias applies to."""
    actions = lookup.actions
    liked = np.zeros(actions, np.bool_)
    if bias == _UNBIASED:
        return liked
    legal = np.empty(actions, np.int64)
    classes, stride, size2 = lookup.classes, lookup.stride, lookup.sizes[1]
    for k in range(rules.legal_actions(lookup.table, state, party, actions, legal)):
        kind = rules.action_class(state, party, legal[k], classes, stride, size2)
        liked[k] = _likes(bias, kind)
    return liked
