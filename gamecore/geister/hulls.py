"""What plans against a mixing player are worth: hulls of points, position by position.

A plan's worth against both colourings of the player is a point in the plane. See
`gamecore.geister.exploit`, which needs this where a player's moves tell a little of its colours.

References
----------
R. D. Smallwood and E. J. Sondik, "The optimal control of partially observable Markov processes over
a finite horizon", Operations Research 21(5), 1973.
"""

from collections import namedtuple

import numpy as np

from gamecore.geister.rules import ESCAPE, GOALS, near, target_of
from gamecore.kernel import kernel

#: How much a round may lose at any belief because corners of hulls are left out.
FLAT = 1e-5
STATES = 16**4 * 3
#: Where the two pieces of the side below begin, and those of the side above.
HOME, AWAY = (13, 14), (1, 2)
_MOST = 1 << 22  # corners of all hulls together, to begin with

#: Hulls of all positions, corners from left to right: where each begins, how many corners it has.
_Hulls = namedtuple("_Hulls", "first size x y")


def valued(
    states: np.ndarray, chances: np.ndarray, follows: bool, rounds: int, is_second: bool
) -> np.ndarray:
    """Return the mean value of the start for every number of rounds."""
    before, after = _blank(_MOST), _blank(_MOST)
    before.size[states] = 1
    before.first[states] = np.arange(len(states))
    values = np.zeros(rounds + 1)
    room = 4096
    for n in range(1, rounds + 1):
        last = is_second and n == 1  # after the last move of whoever goes second nobody replies
        while True:
            used = _layer(states, chances, follows, before, after, last, np.empty((6, room)))
            if used >= 0:
                break
            room *= 2
            after = _blank(2 * len(after.x))
        for b, r in (HOME, HOME[::-1]):
            values[n] += _at_start(b, r, chances, after, is_second, np.empty((6, room))) / 2
        before, after = after, before if len(before.x) == len(after.x) else _blank(len(after.x))
    return values


def _blank(room: int) -> _Hulls:
    return _Hulls(
        np.zeros(STATES, np.int64), np.zeros(STATES, np.int64), np.zeros(room), np.zeros(room)
    )


@kernel
def number_of(b, r, p, q, k):
    """Return a position's number: own blue and red, the player's pieces, and the own chaser.

    Cells are in the view of the best response; p < q. The chaser is 0 for none, 1 for the blue, 2.
    """
    return (((b * 16 + r) * 16 + p) * 16 + q) * 3 + k


@kernel
def parts_of(state):
    """Return what a position's number was made of."""
    return state // 12288, state // 768 % 16, state // 48 % 16, state // 3 % 16, state % 3


@kernel
def shown_to(b, r, p, q, k):
    """Return the number of what the player sees: it cannot tell blue from red."""
    if b < r:
        return number_of(b, r, p, q, k)
    return number_of(r, b, p, q, 3 - k if k else 0)


@kernel
def follow(cell, to, p, q, k, piece):
    """Return the chaser after a step of the blue (piece 0) or of the red."""
    theirs = 1 << p | 1 << q
    if k == 0 and near(to) & theirs and not near(cell) & theirs:
        return 1 + piece
    return k


@kernel
def _layer(states, chances, follows, before, after, last, work):
    """Write the hulls of all positions with one round more; −1 if there is no room."""
    used, room = 0, work.shape[1]
    for state in states:
        points = _position(state, chances, follows, before, last, work)
        if points < 0 or used + room > len(after.x):
            return -1
        after.first[state], after.size[state] = used, points
        for i in range(points):
            after.x[used + i], after.y[used + i] = work[4, i], work[5, i]
        used += points
    return used


@kernel
def _position(state, chances, follows, before, last, work):
    """Write the hull of a position over all moves into rows 4 and 5; return its size.

    Rows 0 and 1 hold a move's hull, 2 and 3 a sum in the making.
    """
    b, r, p, q, k = parts_of(state)
    room, points = work.shape[1], 0
    if GOALS >> b & 1:  # it escapes
        work[4, 0] = work[5, 0] = 1.0
        return 1
    gathered = np.empty((2, room))
    for piece in range(2):
        cell = b if piece == 0 else r
        for way in range(4):
            to = target_of(cell, way)
            if to < 0 or to in (b, r):
                continue
            size = 1
            if to in (p, q):  # it takes the blue if that is the one it takes for blue
                work[0, 0] = 1.0 if to == p else -1.0
                work[1, 0] = -work[0, 0]
            elif last:
                work[0, 0] = work[1, 0] = 0.0
            else:
                chased = follow(cell, to, p, q, k, piece) if follows else 0
                size = _sum(
                    to if piece == 0 else b, to if piece == 1 else r, p, q, chased, chances,
                    before, work,
                )  # fmt: skip
            if size < 0 or points + size > room:
                return -1
            for i in range(size):
                gathered[0, points], gathered[1, points] = work[0, i], work[1, i]
                points += 1
    return _hull(gathered, points, work)


@kernel
def _sum(b, r, p, q, k, chances, hulls, work):
    """Write the sum of the hulls that the player's replies lead to into rows 0 and 1.

    Returns its size, −1 if there is no room.
    """
    room, size, at, by = work.shape[1], 1, 0.0, 0.0  # a constant, and the sum so far
    work[0, 0] = work[1, 0] = 0.0
    shown = shown_to(b, r, p, q, k)
    for piece in range(2):
        for way in range(5):
            x, y = chances[shown, 0, piece, way], chances[shown, 1, piece, way]
            if x + y == 0.0:
                continue
            to = -1 if way == ESCAPE else target_of(p if piece == 0 else q, way)
            if to < 0 or to == b:
                at, by = at - x, by - y
                continue
            if to == r:
                at, by = at + x, by + y
                continue
            one, two = (to, q) if piece == 0 else (p, to)
            state = number_of(b, r, min(one, two), max(one, two), k)
            size = _add(hulls, state, one > two, x, y, size, room, work)
            if size < 0:
                return -1
    for i in range(size):
        work[0, i] += at
        work[1, i] += by
    return size


@kernel
def _corner(hulls, state, swapped, i, x, y):
    """Return a corner of a hull, its axes perhaps swapped, scaled by the chances of a reply."""
    first, size = hulls.first[state], hulls.size[state]
    if swapped:
        return x * hulls.y[first + size - 1 - i], y * hulls.x[first + size - 1 - i]
    return x * hulls.x[first + i], y * hulls.y[first + i]


@kernel
def _add(hulls, state, swapped, x, y, size, room, work):
    """Add a scaled hull to the one in rows 0 and 1, edge after edge by slope; return its size."""
    other = hulls.size[state]
    if size + other > room:
        return -1
    if x == 0.0:  # only what it is worth against the second colouring counts
        _, up = _corner(hulls, state, swapped, 0, x, y)
        for i in range(size):
            work[1, i] += up
        return size
    if y == 0.0:
        right, _ = _corner(hulls, state, swapped, other - 1, x, y)
        for i in range(size):
            work[0, i] += right
        return size
    i, j, total = 0, 0, 1
    at, by = _corner(hulls, state, swapped, 0, x, y)
    work[2, 0], work[3, 0] = work[0, 0] + at, work[1, 0] + by
    while i < size - 1 or j < other - 1:
        take = j == other - 1
        if i < size - 1 and j < other - 1:
            next_at, next_by = _corner(hulls, state, swapped, j + 1, x, y)
            left = (work[1, i + 1] - work[1, i]) * (next_at - at)
            take = left >= (next_by - by) * (work[0, i + 1] - work[0, i])
        if take:
            i += 1
        else:
            j += 1
            at, by = _corner(hulls, state, swapped, j, x, y)
        work[2, total], work[3, total] = work[0, i] + at, work[1, i] + by
        total += 1
    for i in range(total):
        work[0, i], work[1, i] = work[2, i], work[3, i]
    return total


@kernel
def _hull(gathered, points, work):
    """Write the upper right hull of points into rows 4 and 5, from left to right, and thin it."""
    order = np.argsort(gathered[0, :points])
    size = 0
    for index in order:
        x, y = gathered[0, index], gathered[1, index]
        while size and work[5, size - 1] <= y:  # nowhere better
            size -= 1
        if size and work[4, size - 1] == x:
            continue
        work[4, size], work[5, size] = x, y
        while size > 1 and _excess(work, size - 2, size - 1, size) <= 0.0:
            work[4, size - 1], work[5, size - 1] = x, y
            size -= 1
        size += 1
    return _thinned(work, size)


@kernel
def _excess(work, left, middle, right):
    """Return how far a corner is above the line between two others, at the belief of that line."""
    wide, high = work[4, right] - work[4, left], work[5, right] - work[5, left]
    across = (work[5, middle] - work[5, left]) * wide - high * (work[4, middle] - work[4, left])
    return across / (wide - high)


@kernel
def _thinned(work, size):
    """Leave out corners of the hull that are less than `FLAT` above what stays; return its size."""
    kept, last, right = 1, 0, 2
    while right < size:
        is_flat = True
        for middle in range(last + 1, right):
            is_flat = is_flat and _excess(work, last, middle, right) <= FLAT
        if not is_flat:
            last = right - 1
            work[2, kept], work[3, kept] = work[4, last], work[5, last]
            kept += 1
        right += 1
    if size == 1:
        return 1
    work[2, kept], work[3, kept] = work[4, size - 1], work[5, size - 1]
    for i in range(1, kept + 1):
        work[4, i], work[5, i] = work[2, i], work[3, i]
    return kept + 1


@kernel
def _at_start(b, r, chances, hulls, is_second, work):
    """Return what a colouring of the best response is worth at the start."""
    p, q = AWAY
    best = -np.inf
    if is_second:
        size = _sum(b, r, p, q, 0, chances, hulls, work)
        for i in range(size):
            best = max(best, (work[0, i] + work[1, i]) / 2)
        return best
    state = number_of(b, r, p, q, 0)
    for i in range(hulls.first[state], hulls.first[state] + hulls.size[state]):
        best = max(best, (hulls.x[i] + hulls.y[i]) / 2)
    return best
