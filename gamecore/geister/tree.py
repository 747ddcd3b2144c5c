"""The public tree of a few plies of Geister: what both sides see, with colours left open.

Both sides first choose, unseen, which of their pieces are blue; then come a few plies. A node is
what both see: where pieces are and which colours captures revealed. It carries for each side a
vector over its at most six colourings, its *types*, and a move that can end the game a matrix of
payoffs, one side's types against the other's. A tree is a set of flat arrays, nodes before their
children, so any game of the kind fits in (Kuhn poker in the tests).

References
----------
N. Kawakami, master's thesis, JAIST, 2021, sections 5.2 and 5.3.
"""

from collections import namedtuple

import numpy as np

from gamecore.geister.leaves import look
from gamecore.geister.rules import ESCAPE, GOALS, target_of, turned16
from gamecore.geister.sets import words
from gamecore.kernel import kernel

COLOURINGS = 6  # most colourings of one side: two blues among four pieces
LANES = 8  # their vectors, padded to what `gamecore.vector` takes together
PLIES = 3
# Four pieces have at most 14 steps, and a capture has two children: 1 + 28 + 28² nodes.
_NODES, _ACTIONS = 820, 820 * 16
_LINE = 64  # bytes that a processor fetches together, and a vector

#: A public tree, as one record: to pass on a tuple of arrays, numba counts references to each. Of
#: node n: who moves, its parent, its actions ``start[n]:start[n + 1]``. Of *row* 2n + side: which
#: types are possible. Of action a: the types that have it, up to two children (capturing a blue or
#: a red; −1 for none), whether it can end, and what it then pays the mover, row 12a + the other's
#: type, and the other side, row 12a + 6 + the mover's. The rest is CFR's memory.
TREE = np.dtype(
    (np.record, [
        *((name, np.float64, (2 * _NODES, LANES)) for name in ("possible", "reach", "worth")),
        *(
            (name, np.float64, (_ACTIONS, LANES))
            for name in (
                "legal", "uniform", "regret", "gain", "strategy", "average", "weight", "value",
            )
        ),
        ("payoff", np.float64, (2 * COLOURINGS * _ACTIONS, LANES)),
        ("nodes", np.int64), ("types", np.int64, 2), ("clock", np.int64),
        ("start", np.int64, _NODES + 1),
        *((name, np.int64, _NODES) for name in ("mover", "parent", "settled")),
        *((name, np.int64, _ACTIONS) for name in ("cell", "way")),
        ("child", np.int64, (_ACTIONS, 2)),
        ("due", np.int64, words(2 * _NODES)), ("learns", np.int64, words(_NODES)),
        ("live", np.int8, _NODES), ("ends", np.int8, _ACTIONS), ("played", np.int8, _ACTIONS),
    ])
)  # fmt: skip
#: What the builder needs to know of a node beyond the tree: pieces in the mover's view.
_Sketch = namedtuple("_Sketch", "own other own_blue other_blue")


def new_tree() -> np.ndarray:
    """Return an array of one empty tree, with room for any position, its vectors each in a line.

    In a kernel a record does not keep its array: whoever calls it must.
    """
    room = np.zeros(TREE.itemsize + _LINE, np.int8)
    first = -room.ctypes.data % _LINE
    return room[first : first + TREE.itemsize].view(TREE)


def new_sketch() -> _Sketch:
    """Return the builder's scratch space."""
    return _Sketch(
        own=np.zeros(_NODES, np.int64),
        other=np.zeros(_NODES, np.int64),
        own_blue=np.zeros((_NODES, COLOURINGS), np.int64),
        other_blue=np.zeros((_NODES, COLOURINGS), np.int64),
    )


@kernel
def colourings(pieces, blues, found, row):
    """Write all ways to colour so many of the pieces blue, in order; return their number.

    The order is that of combinations of cells in ascending order.
    """
    count = 0
    for first in range(16):
        if not pieces >> first & 1:
            continue
        if blues == 1:
            found[row, count] = 1 << first
            count += 1
        else:
            for second in range(first + 1, 16):
                if pieces >> second & 1:
                    found[row, count] = 1 << first | 1 << second
                    count += 1
    return count


@kernel
def build(tree, sketch, own, own_blues, other, other_blues, plies, table):
    """Make the tree of `plies` moves from the pieces on a 4×4 board, colours unknown."""
    sketch.own[0], sketch.other[0] = own, other
    sides = colourings(own, own_blues, sketch.own_blue, 0)
    others = colourings(other, other_blues, sketch.other_blue, 0)
    tree.types[0], tree.types[1] = sides, others
    tree.mover[0] = 0
    for i in range(LANES):
        tree.possible[0, i] = 1.0 if i < sides else 0.0
        tree.possible[1, i] = 1.0 if i < others else 0.0
    first, nodes, actions = 0, 1, 0
    for ply in range(plies):  # whole levels at a time: a call with so many arrays costs much
        last = nodes
        actions = _add_actions(tree, sketch, first, last, actions)
        if ply < plies - 1:
            nodes = _add_children(tree, sketch, first, last)
        else:
            _add_leaves(tree, sketch, first, last, table)
        first = last
    tree.nodes = nodes
    prune(tree)


@kernel
def _add_actions(tree, sketch, first, last, actions):
    """Add what the movers of these nodes can do, payoffs of escapes; return how many there are."""
    for node in range(first, last):
        tree.start[node] = actions
        mover, pieces = tree.mover[node], sketch.own[node]
        for cell in range(16):
            if not pieces >> cell & 1:
                continue
            for way in (ESCAPE, 0, 1, 2, 3):
                target, goes = -1, False
                if way != ESCAPE:
                    target = target_of(cell, way)
                    goes = target >= 0 and not pieces >> target & 1
                elif GOALS >> cell & 1:
                    for i in range(tree.types[mover]):
                        blue = sketch.own_blue[node, i] >> cell & 1
                        goes |= blue and tree.possible[2 * node + mover, i] > 0.0
                if not goes:
                    continue
                tree.cell[actions], tree.way[actions] = cell, way
                tree.child[actions, 0] = tree.child[actions, 1] = -1
                for i in range(COLOURINGS):
                    able = way != ESCAPE or sketch.own_blue[node, i] >> cell & 1
                    tree.legal[actions, i] = tree.possible[2 * node + mover, i] if able else 0.0
                actions += 1
    tree.start[last] = actions
    tree.payoff[2 * COLOURINGS * tree.start[first] : 2 * COLOURINGS * actions] = 0
    for node in range(first, last):
        mover = tree.mover[node]
        for action in range(tree.start[node], tree.start[node + 1]):
            tree.ends[action] = tree.way[action] == ESCAPE
            for j in range(tree.types[1 - mover] if tree.ends[action] else 0):
                for i in range(tree.types[mover]):
                    pay(tree.payoff, action, i, j, 1)
    return actions


@kernel
def pay(payoff, action, i, j, value):
    """Write what an action's end pays the mover, of type i, and the other side, of type j."""
    payoff[2 * COLOURINGS * action + j, i] = value
    payoff[(2 * action + 1) * COLOURINGS + i, j] = -value


@kernel
def _add_children(tree, sketch, first, last):
    """Add what follows these nodes' steps: the end of the game or nodes; return how many in all."""
    nodes = last
    for node in range(first, last):
        mover = tree.mover[node]
        others = tree.types[1 - mover]
        for action in range(tree.start[node], tree.start[node + 1]):
            if tree.ends[action]:
                continue
            step, taken = _step(tree.cell[action], tree.way[action], sketch.other[node])
            for colour in range(2 if taken else 1):
                ended, matters = 0.0, False
                for j in range(others):
                    blue = sketch.other_blue[node, j]
                    if taken and (colour == 0) != (blue & taken != 0):
                        continue
                    if tree.possible[2 * node + 1 - mover, j] > 0.0:
                        matters = True
                        ended = _result(sketch.other[node], blue, taken)
                if not matters:
                    continue
                if ended != 0.0:
                    tree.ends[action] = True
                    for j in range(others):
                        if (colour == 0) == (sketch.other_blue[node, j] & taken != 0):
                            for i in range(tree.types[mover]):
                                pay(tree.payoff, action, i, j, ended)
                    continue
                tree.child[action, colour] = nodes
                tree.mover[nodes] = 1 - mover
                sketch.other[nodes] = turned16(sketch.own[node] ^ step)
                sketch.own[nodes] = turned16(sketch.other[node] & ~taken)
                for i in range(tree.types[mover]):
                    sketch.other_blue[nodes, i] = turned16(_moved(sketch.own_blue[node, i], step))
                for j in range(others):
                    sketch.own_blue[nodes, j] = turned16(sketch.other_blue[node, j] & ~taken)
                for i in range(LANES):
                    tree.possible[2 * nodes + mover, i] = tree.possible[2 * node + mover, i]
                    able = tree.possible[2 * node + 1 - mover, i]
                    if taken and i < others:
                        blue = sketch.other_blue[node, i] & taken != 0
                        able = able if blue == (colour == 0) else 0.0
                    tree.possible[2 * nodes + 1 - mover, i] = able
                nodes += 1
    return nodes


@kernel
def _add_leaves(tree, sketch, first, last, table):
    """Write the payoffs of last steps: ended games, else what the table says (or 0)."""
    for node in range(first, last):
        mover = tree.mover[node]
        mine = 2 * node + mover
        for action in range(tree.start[node], tree.start[node + 1]):
            if tree.ends[action]:
                continue
            step, taken = _step(tree.cell[action], tree.way[action], sketch.other[node])
            if not taken and not len(table.open):
                continue
            own, other = sketch.own[node] ^ step, turned16(sketch.other[node] & ~taken)
            for j in range(tree.types[1 - mover]):
                blue = sketch.other_blue[node, j]
                ended, there = _result(sketch.other[node], blue, taken), turned16(blue & ~taken)
                for i in range(tree.types[mover]):
                    value = ended
                    if ended == 0.0 and len(table.open):
                        here = _moved(sketch.own_blue[node, i], step)
                        if tree.possible[mine, i] * tree.possible[mine ^ 1, j] > 0.0:
                            value = -look(table, there, other & ~there, here, own & ~here)
                    pay(tree.payoff, action, i, j, value)
                    tree.ends[action] |= value != 0.0


@kernel
def _step(cell, way, other):
    """Return the cells that a step leaves and enters, and the one of a piece that it takes."""
    target = 1 << target_of(cell, way)
    return 1 << cell | target, other & target


@kernel
def _moved(blue, step):
    """Return a side's blues after a step: one of its two cells is a piece's, the other is not."""
    return blue ^ step if blue & step else blue


@kernel
def _result(other, blue, taken):
    """Return 1 if the last blue of the other side was taken, −1 if the last red, else 0."""
    if taken == 0:
        return 0.0
    return 1.0 if blue == taken else -1.0 if other & ~blue == taken else 0.0


@kernel
def prune(tree):
    """Cut subtrees in which nothing can ever be won or lost: they would only add zeros."""
    for node in range(tree.nodes - 1, -1, -1):
        live = False
        for a in range(tree.start[node], tree.start[node + 1]):
            for colour in range(2):
                child = tree.child[a, colour]
                if child >= 0:
                    tree.parent[child] = node
                    if not tree.live[child]:
                        tree.child[a, colour] = -1
            live = live or tree.ends[a] or tree.child[a, 0] >= 0 or tree.child[a, 1] >= 0
        tree.live[node] = live
    tree.live[0] = True
