"""Depth-limited minimax (MinMax法) of the purple AI and of anti-purple, on bit masks.

Both search in their own view without turning the board: the opponent's goals are the bottom
corners. The opponent's pieces are either purple (紫駒: red when taken, blue when escaping) or of
known colours. Values are whole numbers, so ties are ties.

References
----------
* N. Kawakami, master's thesis, JAIST, 2021, section 6.2.1.
* N. Kawakami, Naotti-2020, a program for 6×6, github.com/kawakami-naoto/Naotti-2020: the weights,
  and of equal moves the first, row by row and up, right, down, left.
"""

import numpy as np

from gamecore.bits import popcount
from gamecore.geister.rules import GOALS, distances, near, target_of, turned16
from gamecore.kernel import kernel

#: Which pieces are looked at before the others.
ANY, REDS, BLUES = range(3)
_WIN = 1_000_000
_FAR = 1 << 40
#: What the search remembers of a node it is in.
_FIELDS = 10
_BLUE, _RED, _THEIR_BLUE, _THEIR_RED, _LEFT, _LOW, _HIGH, _BEST, _CELL, _TARGETS = range(_FIELDS)


@kernel
def first_best(blue, red, their_blue, their_red, left, turned, how):
    """Return the first of the best moves, in the order in which `how` looks at pieces and ways.

    `left` is −1 if the opponent's colours are known. Otherwise its pieces are purple: all stand in
    its blue mask, and the searching side has lost once it has taken as many as were red (`left`).
    `turned` says whether the board is turned for this side, `how` is a player's settings.
    """
    depth, beyond, weights = how.depth, how.beyond, how.weights
    stack = np.zeros((depth + 1, _FIELDS), np.int64)
    own, best, chosen = blue | red, -_FAR, -1
    first = red if how.first == REDS else blue if how.first == BLUES else own
    for pieces in (first, own & ~first):
        for cell in how.cells[turned]:
            if not pieces >> cell & 1:
                continue
            for way in how.order[turned]:
                target = target_of(cell, way)
                if target >= 0 and not own >> target & 1:
                    _enter(stack, 0, blue, red, their_blue, their_red, left, best, _FAR)
                    value = _value(stack, 1 << cell, 1 << target, depth, beyond, weights)
                    if value > best:
                        best, chosen = value, 5 * cell + way
    return chosen


@kernel
def _enter(stack, level, blue, red, their_blue, their_red, left, low, high):
    """Open a node: the mover's pieces, the other's, and the window of values that matter."""
    node = stack[level]
    node[_BLUE], node[_RED], node[_THEIR_BLUE], node[_THEIR_RED] = blue, red, their_blue, their_red
    node[_LEFT], node[_LOW], node[_HIGH], node[_BEST] = left, low, high, -_FAR
    node[_CELL], node[_TARGETS] = -1, 0


@kernel
def _value(stack, cell, target, depth, beyond, weights):
    """Return the value of one move at the root for the side that makes it (alpha-beta).

    A loop over an explicit stack; even levels are the searching side's.
    """
    level = 0
    known, value = _step(stack, level, cell, target, depth, beyond, weights)
    if known:
        return value
    level = 1
    while True:
        # look for the next move of this node
        node = stack[level]
        mine = level % 2 == 0
        own = node[_BLUE] | node[_RED]
        done = False
        if node[_CELL] < 0 and node[_BLUE] & (GOALS if mine else GOALS << 12):
            node[_BEST] = _WIN + depth - level + beyond  # an escape; sooner is better
            done = True
        else:
            while node[_TARGETS] == 0 and node[_CELL] < 15:
                node[_CELL] += 1
                if own >> node[_CELL] & 1:
                    node[_TARGETS] = near(node[_CELL]) & ~own
            if node[_TARGETS] == 0:
                done = True
            else:
                target = node[_TARGETS] & -node[_TARGETS]
                node[_TARGETS] ^= target
                known, value = _step(stack, level, 1 << node[_CELL], target, depth, beyond, weights)
                if not known:
                    level += 1
                    continue
                node[_BEST] = max(node[_BEST], value)
                done = node[_BEST] >= node[_HIGH]
        while done:  # tell the node above
            value = -stack[level, _BEST]
            level -= 1
            if level == 0:
                return value
            stack[level, _BEST] = max(stack[level, _BEST], value)
            done = stack[level, _BEST] >= stack[level, _HIGH]


@kernel
def _step(stack, level, cell, target, depth, beyond, weights):
    """Make a move: return (True, its value) if it ends the game or the search, else open a node."""
    node = stack[level]
    blue, red, their_blue, their_red = node[_BLUE], node[_RED], node[_THEIR_BLUE], node[_THEIR_RED]
    left, mine, deep = node[_LEFT], level % 2 == 0, depth - level
    if target & (their_blue | their_red):
        if left >= 0 and mine:
            left -= 1
            if left == 0:
                return True, -_WIN - deep
        elif target == their_blue:
            return True, _WIN + deep
        elif target == their_red:
            return True, -_WIN - deep
        their_blue &= ~target
        their_red &= ~target
    if blue & cell:
        blue ^= cell | target
    else:
        red ^= cell | target
    if deep == 1 and beyond and their_blue & (GOALS << 12 if mine else GOALS):
        return True, -_WIN - 1  # the other side could escape
    if deep == 1 and mine:
        return True, _evaluate(blue, red, their_blue, their_red, left < 0, weights)
    if deep == 1:
        return True, -_evaluate(their_blue, their_red, blue, red, left < 0, weights)
    low = max(node[_LOW], node[_BEST])
    _enter(stack, level + 1, their_blue, their_red, blue, red, left, -node[_HIGH], -low)
    return False, 0


@kernel
def _evaluate(blue, red, their_blue, their_red, known, weights):
    """Blues (青の個数) and distances to the goals, for the searching side."""
    blues, own, theirs = weights
    value = (
        blues * popcount(blue)
        - own * distances(blue | red)
        + theirs * distances(turned16(their_blue | their_red))
    )
    return value - blues * popcount(their_blue) if known else value
