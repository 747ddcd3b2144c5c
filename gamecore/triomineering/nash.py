"""Figure 3: approximating a Nash mixture (ナッシュ均衡の近似), in four readings.

The figure says that each player in turn raises the probability of the move with the highest
coefficient (利得係数) and lowers those with low ones, and that the mixtures are averaged; it does
not say by how much. Alternating *fictitious play* lets the n-th answer count one part in n; a
*constant step* takes the same part from all moves every time; *worst to best* takes it from the
move with the lowest coefficient alone; *regret matching+* is what the paper's future work asks for.

Fictitious play and regret matching+ of `gamecore.matrixgame` are for zero-sum games, which two
tables of UCB values are not, and a round of theirs on 24×24 tables takes 2.4 and 2.9 times as long
(``benchmarks/triomineering.py``). On zero-sum tables regret matching+ agrees to rounding; mixtures
of fictitious play are as near to equilibrium, but others: the uniform start weighs one round here.

The kernels take the own table transposed, ``own[j, i]``, and the other's as ``other[i, j]``: to
answer a move is then to add one row.

References
----------
G. W. Brown, "Iterative solution of games by fictitious play", 1951. O. Tammelin, "Solving large
imperfect information games using CFR+", 2014.
"""

from __future__ import annotations  # signatures show types by their names

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gamecore import check
from gamecore.kernel import kernel

#: The readings of figure 3, and how many rounds each takes in a search unless told otherwise.
READINGS = ("fictitious play", "constant step", "regret matching+", "worst to best")
ROUNDS = dict(zip(READINGS, (100, 200, 100, 200), strict=True))
FICTITIOUS, CONSTANT, REGRET, WORST = range(4)
#: Moves a player can have: their numbers share an integer with their payoff, in its low bits.
MOST_MOVES = 64
#: Rounds that an approximation may take, seconds at most.
MOST_ROUNDS = 10**5
_LOW = MOST_MOVES - 1
_ROOM = 2.0**55  # what is left of 61 bits for a sum of payoffs
_NEVER = np.int64(-(2**62))  # below every such sum
_ONE, _TWO, _THREE, _FOUR = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)


class Mixtures(NamedTuple):
    """Average mixtures of the own and of the other player.

    Attributes
    ----------
    own : numpy.ndarray
        Probabilities of the own moves.
    other : numpy.ndarray
        Probabilities of the other player's moves.

    Examples
    --------
    >>> own, other = approximate([[1, 0], [0, 1]])
    >>> own.tolist()
    [0.5, 0.5]
    """

    own: np.ndarray
    other: np.ndarray


def approximate(
    own: ArrayLike,
    other: ArrayLike | None = None,
    method: str = READINGS[0],
    rounds: int | None = None,
    step: float = 0.1,
) -> Mixtures:
    """Approximate an equilibrium as figure 3 does.

    Parameters
    ----------
    own : array_like
        The own payoffs, a row for each own move.
    other : array_like, optional
        The other player's payoffs, of the same shape; ``1 - own`` by default.
    method : str
        One of `READINGS`.
    rounds : int, optional
        How often both change their mixture, at most 100,000; see `ROUNDS`.
    step : float
        The size of a constant step, or what moves from the worst move to the best: above 0, up
        to 1.

    Returns
    -------
    Mixtures
        ``(own, other)``.

    References
    ----------
    Section 3.1 and figure 3 of the paper on MSUCB; see the module for the methods.

    Examples
    --------
    >>> approximate([[1, 0.5], [0.5, 0.75]], rounds=3000).own.round(2).tolist()
    [0.33, 0.67]
    """
    a = check.numbers(own, "own payoffs", (None, None))
    b = 1.0 - a if other is None else check.numbers(other, "the other's payoffs", a.shape)
    if max(a.shape) > MOST_MOVES:
        raise ValueError(f"a player has at most {MOST_MOVES} moves, not {max(a.shape)}")
    number, times, size = check_reading(method, rounds, step)
    bound = float(max(np.abs(a).max(), np.abs(b).max())) or 1.0
    # by a power of two, which changes no mixture, so that sums of huge payoffs stay finite
    bound, power = math.frexp(bound)
    own_t, other_t = np.ldexp(a.T, -power, order="C"), np.ldexp(b, -power, order="C")
    scratch = new_scratch(*a.shape)
    mix(number, own_t, other_t, bound, times, size, scratch)
    return Mixtures(scratch.p, scratch.q)


def check_reading(method: str, rounds: int | None, step: float) -> tuple[int, int, float]:
    """Return a reading's number, its rounds (by default its own), and the step, if all are such."""
    number = READINGS.index(check.one_of(method, "the reading of figure 3", READINGS))
    times = ROUNDS[method] if rounds is None else rounds
    return (
        number,
        check.whole(times, "rounds", 1, MOST_ROUNDS),
        check.real(step, "step", 1e-9, 1),
    )


class Scratch(NamedTuple):
    """Memory of an approximation: the mixtures and what leads to them."""

    p: np.ndarray
    q: np.ndarray
    own: np.ndarray  # payoffs as integers
    other: np.ndarray
    x: np.ndarray  # sums of such payoffs, with the number of the move in the low bits
    y: np.ndarray
    gains: np.ndarray  # [0, :m] own, [1, :n] other: payoffs against the present mixture …
    present: np.ndarray  # … the present mixtures …
    regrets: np.ndarray  # … and regrets


def new_scratch(m, n):
    """Return fresh memory for `m` own and `n` other moves."""
    most, wide, high = max(m, n), (m + 3) // 4 * 4, (n + 3) // 4 * 4
    return Scratch(
        np.zeros(m), np.zeros(n),
        np.zeros((n, wide), np.int64), np.zeros((m, high), np.int64),
        np.zeros(wide, np.int64), np.zeros(high, np.int64),
        np.zeros((2, most)), np.zeros((2, most)), np.zeros((2, most)),
    )  # fmt: skip


make_scratch = kernel(new_scratch)


@kernel
def mix(method, own, other, bound, rounds, step, scratch):
    """Approximate the mixtures ``scratch.p`` and ``scratch.q``; payoffs lie within ±`bound`."""
    for k in range(len(scratch.p)):
        scratch.p[k] = 0.0
    for k in range(len(scratch.q)):
        scratch.q[k] = 0.0
    if method == FICTITIOUS:
        _play_fictitious(own, other, bound, rounds, scratch)
    elif method == CONSTANT:
        _step_constantly(own, other, rounds, step, scratch)
    elif method == REGRET:
        _match_regrets(own, other, rounds, scratch)
    else:
        _move_to_best(own, other, rounds, step, scratch)


@kernel
def _play_fictitious(own, other, bound, rounds, scratch):
    """Count best answers to the counts so far, the uniform mixture weighing one round.

    Payoffs are integers with room for the number of the move in their low bits: the largest sum
    then names the move (the lowest of equal ones), and a round is two rows added with a maximum.
    """
    n, m = own.shape
    # a power of two: sums that are equal stay equal, and are not told apart by rounding
    scale = math.ldexp(1.0, math.frexp(_ROOM / ((rounds + MOST_MOVES) * bound))[1] - 1)
    _to_integers(own, scale, scratch.own)
    _to_integers(other, scale, scratch.other)
    _start(scratch.own, m, scratch.x)
    _start(scratch.other, n, scratch.y)
    top = scratch.x[0]
    for k in range(1, m):
        top = max(top, scratch.x[k])
    i = np.uint64(_LOW - (top & _LOW))
    for _ in range(rounds):
        scratch.p[i] += 1.0
        j = _add(scratch.other, i, scratch.y)
        scratch.q[j] += 1.0
        i = _add(scratch.own, j, scratch.x)
    _average(scratch, m, n, float(rounds))


@kernel
def _average(scratch, m, n, weight):
    """Turn sums of mixtures, or counts, into mixtures."""
    for k in range(m):
        scratch.p[k] /= weight
    for k in range(n):
        scratch.q[k] /= weight


@kernel
def _to_integers(payoffs, scale, integers):
    rows, columns = payoffs.shape
    for row in range(rows):
        for k in range(columns):
            integers[row, k] = np.int64(payoffs[row, k] * scale) << 6


@kernel
def _start(rows, count, sums):
    """Put the mean of all rows into `sums`, with the number of the move in the low bits."""
    for k in range(len(sums)):
        sums[k] = 0 if k < count else _NEVER
    for row in range(len(rows)):
        for k in range(count):
            sums[k] += rows[row, k] >> 6
    for k in range(count):
        sums[k] = (sums[k] // len(rows)) << 6 | (_LOW - k)


@kernel
def _add(rows, row, sums):
    """Add a row of payoffs to the sums and return the number of the largest.

    By fours, with a maximum for each of four lanes: so the compiler uses vectors for short rows
    too. Rows are as long as a multiple of four; what is beyond the moves stays far below.
    """
    a = b = c = d = _NEVER
    k = np.uint64(0)
    while k < np.uint64(len(sums)):
        k1, k2, k3 = k + _ONE, k + _TWO, k + _THREE
        s0, s1 = sums[k] + rows[row, k], sums[k1] + rows[row, k1]
        s2, s3 = sums[k2] + rows[row, k2], sums[k3] + rows[row, k3]
        sums[k], sums[k1], sums[k2], sums[k3] = s0, s1, s2, s3
        a, b, c, d = max(a, s0), max(b, s1), max(c, s2), max(d, s3)
        k += _FOUR
    return np.uint64(_LOW - (max(max(a, b), max(c, d)) & _LOW))


@kernel
def _step_constantly(own, other, rounds, step, scratch):
    """Move each mixture by `step` towards the best answer to the other's, and average."""
    n, m = own.shape
    _uniform_start(own, other, scratch)
    i = _approach(scratch.gains[0], own[0], 0.0)
    for _ in range(rounds):
        _towards(scratch.present[0], i, step, scratch.p)
        j = _approach(scratch.gains[1], other[i], step)
        _towards(scratch.present[1], j, step, scratch.q)
        i = _approach(scratch.gains[0], own[j], step)
    _average(scratch, m, n, float(rounds))


@kernel
def _towards(present, best, step, total):
    """Move a mixture by `step` towards a move, and add it to the sum of mixtures."""
    before = total[best]
    for k in range(len(total)):
        present[k] -= step * present[k]
        total[k] += present[k]
    present[best] += step
    total[best] = before + present[best]


@kernel
def _approach(gains, row, step):
    """Move payoffs by `step` towards a row of a table; return the number of the largest.

    By fours, with a maximum for each of four lanes, as in `_add`.
    """
    a = b = c = d = -np.inf
    whole = len(row) // 4 * 4
    for k in range(0, whole, 4):
        gains[k] += step * (row[k] - gains[k])
        gains[k + 1] += step * (row[k + 1] - gains[k + 1])
        gains[k + 2] += step * (row[k + 2] - gains[k + 2])
        gains[k + 3] += step * (row[k + 3] - gains[k + 3])
        a, b = max(a, gains[k]), max(b, gains[k + 1])
        c, d = max(c, gains[k + 2]), max(d, gains[k + 3])
    for k in range(whole, len(row)):
        gains[k] += step * (row[k] - gains[k])
        a = max(a, gains[k])
    top, k = max(max(a, b), max(c, d)), 0
    while gains[k] < top:
        k += 1
    return k


@kernel
def _move_to_best(own, other, rounds, step, scratch):
    """Move up to `step` of each mixture from its worst move to the best answer, and average."""
    n, m = own.shape
    _uniform_start(own, other, scratch)
    a, b = scratch.gains[0], scratch.gains[1]
    for _ in range(rounds):
        _shift(a, scratch.present[0], step, scratch.p, other, b)
        _shift(b, scratch.present[1], step, scratch.q, own, a)
    _average(scratch, m, n, float(rounds))


@kernel
def _shift(gains, present, step, total, rows, answers):
    """Let one player shift probability; `rows` say what that changes in the other's `answers`."""
    high, low = -np.inf, np.inf
    for k in range(len(total)):
        high = max(high, gains[k])
        # only a move that still has a probability can lose it
        low = min(low, gains[k] if present[k] > 0.0 else np.inf)
    best = worst = 0
    while gains[best] < high:
        best += 1
    while gains[worst] != low or present[worst] == 0.0:
        worst += 1
    if low < high:
        moved = min(step, present[worst])
        present[worst] -= moved
        present[best] += moved
        for k in range(rows.shape[1]):
            answers[k] += moved * (rows[best, k] - rows[worst, k])
    for k in range(len(total)):
        total[k] += present[k]


@kernel
def _uniform_start(own, other, scratch):
    """Set both present mixtures uniform, and the gains against them."""
    n, m = own.shape
    for k in range(m):
        scratch.present[0, k] = 1.0 / m
    for k in range(n):
        scratch.present[1, k] = 1.0 / n
    _weigh(own, scratch.present[1], scratch.gains[0])
    _weigh(other, scratch.present[0], scratch.gains[1])


@kernel
def _weigh(rows, weights, gains):
    """Put the sum of rows by weights into `gains`."""
    for k in range(len(gains)):
        gains[k] = 0.0
    for row in range(len(rows)):
        if weights[row] > 0.0:
            for k in range(rows.shape[1]):
                gains[k] += weights[row] * rows[row, k]


@kernel
def _match_regrets(own, other, rounds, scratch):
    """Play in proportion to regrets cut at zero; round t weighs t in the average."""
    n, m = own.shape
    _uniform_start(own, other, scratch)
    for k in range(scratch.regrets.shape[1]):
        scratch.regrets[0, k] = scratch.regrets[1, k] = 0.0
    for t in range(rounds):
        _weigh(own, scratch.present[1], scratch.gains[0])
        _regret(scratch.gains[0], scratch.present[0], scratch.regrets[0], t + 1.0, scratch.p)
        _weigh(other, scratch.present[0], scratch.gains[1])
        _regret(scratch.gains[1], scratch.present[1], scratch.regrets[1], t + 1.0, scratch.q)
    weight = rounds * (rounds + 1) / 2.0
    _average(scratch, m, n, weight)


@kernel
def _regret(gains, present, regrets, weight, total):
    mean, left = 0.0, 0.0
    for k in range(len(total)):
        mean += present[k] * gains[k]
    for k in range(len(total)):
        regrets[k] = max(0.0, regrets[k] + gains[k] - mean)
        left += regrets[k]
    for k in range(len(total)):
        if left > 0.0:
            present[k] = regrets[k] / left
        total[k] += weight * present[k]
