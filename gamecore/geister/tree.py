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
from gamecore.kernel import kernel

COLOURINGS = 6  # most colourings of one side: two blues among four pieces
LANES = 8  # their vectors, padded for the processor's wide registers
PLIES = 3
# Four pieces have at most 14 steps, and a capture has two children: 1 + 28 + 28² nodes.
_NODES, _ACTIONS = 820, 820 * 16
#: How an action's payoff matrix depends on the types: not there, on the other's alone, on both.
NOWHERE, BY_OTHER, BY_BOTH = range(3)

#: A public tree. Of node n: who moves, its actions ``start[n]:start[n + 1]``, and which types of
#: side 0 and 1 are possible. Of action a: the types that have it, up to two children (capturing a
#: blue or a red; −1 for none), and a payoff matrix ``[other's type, mover's type]`` if it can end.
#: From `live` on it is CFR's memory.
Tree = namedtuple(
    "Tree",
    "size mover start possible cell way legal child ends payoff live due regret strategy average "
    "weight heavy value reach seen worth",
)
#: What the builder needs to know of a node beyond the tree: pieces in the mover's view.
_Sketch = namedtuple("_Sketch", "own other own_blue other_blue")


def new_tree(nodes: int = _NODES, actions: int = _ACTIONS) -> Tree:
    """Return an empty tree with room for so many nodes and actions."""
    return Tree(
        size=np.zeros(3, np.int64),  # nodes, types of side 0, types of side 1
        mover=np.zeros(nodes, np.int64),
        start=np.zeros(nodes + 1, np.int64),
        possible=np.zeros((nodes, 2, LANES)),
        cell=np.zeros(actions, np.int64),
        way=np.zeros(actions, np.int64),
        legal=np.zeros((actions, LANES)),
        child=np.zeros((actions, 2), np.int64),
        ends=np.zeros(actions, np.int8),
        payoff=np.zeros((actions, COLOURINGS, LANES)),
        live=np.zeros(nodes, np.bool_),
        due=np.zeros(nodes, np.bool_),
        regret=np.zeros((actions, LANES)),
        strategy=np.zeros((actions, LANES)),
        average=np.zeros((actions, LANES)),
        weight=np.zeros((actions, LANES)),
        heavy=np.zeros(actions),
        value=np.zeros((actions, LANES)),
        reach=np.zeros((nodes, 2, LANES)),
        seen=np.zeros((nodes, 2), np.bool_),
        worth=np.zeros((nodes, 2, LANES)),
    )


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
    tree.size[1], tree.size[2] = sides, others
    tree.mover[0] = 0
    for i in range(LANES):
        tree.possible[0, 0, i] = 1.0 if i < sides else 0.0
        tree.possible[0, 1, i] = 1.0 if i < others else 0.0
    nodes, actions, level_end, level = 1, 0, 1, 1
    node = 0
    while node < nodes:
        if node == level_end:
            level, level_end = level + 1, nodes
        tree.start[node] = actions
        mover = tree.mover[node]
        pieces = sketch.own[node]
        for cell in range(16):
            if not pieces >> cell & 1:
                continue
            if GOALS >> cell & 1:
                escapes = False
                for i in range(tree.size[1 + mover]):
                    blue = sketch.own_blue[node, i] >> cell & 1
                    able = tree.possible[node, mover, i] if blue else 0.0
                    tree.legal[actions, i] = able
                    escapes = escapes or able > 0.0
                if escapes:
                    _add_escape(tree, actions, cell, mover)
                    actions += 1
            for way in range(4):
                target = target_of(cell, way)
                if target >= 0 and not pieces >> target & 1:
                    tree.cell[actions], tree.way[actions] = cell, way
                    nodes = _add_step(
                        tree, sketch, node, actions, cell, target, nodes, level == plies, table
                    )
                    actions += 1
        node += 1
    tree.start[nodes] = actions
    tree.size[0] = nodes
    prune(tree)


@kernel
def _add_escape(tree, action, cell, mover):
    tree.cell[action], tree.way[action] = cell, ESCAPE
    tree.child[action, 0] = tree.child[action, 1] = -1
    tree.ends[action] = BY_OTHER
    for j in range(tree.size[2 - mover]):
        for i in range(LANES):
            tree.payoff[action, j, i] = 1.0
    for i in range(tree.size[1 + mover], LANES):
        tree.legal[action, i] = 0.0


@kernel
def _add_step(tree, sketch, node, action, cell, target, nodes, last, table):
    """Add a step: its payoff matrix, or its children; return the new number of nodes."""
    mover = tree.mover[node]
    for i in range(LANES):
        tree.legal[action, i] = tree.possible[node, mover, i]
    tree.child[action, 0] = tree.child[action, 1] = -1
    tree.ends[action] = NOWHERE
    taken = 1 << target if sketch.other[node] >> target & 1 else 0
    others = tree.size[2 - mover]
    if last:
        _leaf(tree, sketch, node, action, cell, target, table)
        return nodes
    for colour in range(2 if taken else 1):
        ended, matters = 0.0, False
        for j in range(others):
            blue = sketch.other_blue[node, j]
            if taken and (colour == 0) != (blue & taken != 0):
                continue
            if tree.possible[node, 1 - mover, j] == 0.0:
                continue
            matters = True
            if taken and blue == taken:
                ended = 1.0
            elif taken and sketch.other[node] & ~blue == taken:
                ended = -1.0
        if not matters:
            continue
        if ended != 0.0:
            if tree.ends[action] == NOWHERE:
                tree.ends[action] = BY_OTHER
                for j in range(COLOURINGS):
                    for i in range(LANES):
                        tree.payoff[action, j, i] = 0.0
            for j in range(others):
                if (colour == 0) == (sketch.other_blue[node, j] & taken != 0):
                    for i in range(LANES):
                        tree.payoff[action, j, i] = ended
            continue
        tree.child[action, colour] = nodes
        tree.mover[nodes] = 1 - mover
        step = 1 << cell | 1 << target
        sketch.other[nodes] = turned16(sketch.own[node] ^ step)
        sketch.own[nodes] = turned16(sketch.other[node] & ~taken)
        for i in range(tree.size[1 + mover]):
            blue = sketch.own_blue[node, i]
            sketch.other_blue[nodes, i] = turned16(blue ^ step if blue >> cell & 1 else blue)
        for j in range(others):
            sketch.own_blue[nodes, j] = turned16(sketch.other_blue[node, j] & ~taken)
        for i in range(LANES):
            tree.possible[nodes, mover, i] = tree.possible[node, mover, i]
            able = tree.possible[node, 1 - mover, i]
            if taken and i < others:
                blue = sketch.other_blue[node, i] & taken != 0
                able = able if blue == (colour == 0) else 0.0
            tree.possible[nodes, 1 - mover, i] = able
        nodes += 1
    return nodes


@kernel
def _leaf(tree, sketch, node, action, cell, target, table):
    """Write the payoffs of a last step: ended games, else what the table says (or 0)."""
    mover = tree.mover[node]
    step = 1 << cell | 1 << target
    taken = 1 << target if sketch.other[node] >> target & 1 else 0
    own_after = sketch.own[node] ^ step
    other_after = sketch.other[node] & ~taken
    some, both = False, False
    for j in range(tree.size[2 - mover]):
        blue = sketch.other_blue[node, j]
        ended = 0.0
        if taken and blue == taken:
            ended = 1.0
        elif taken and sketch.other[node] & ~blue == taken:
            ended = -1.0
        there = turned16(blue & ~taken)
        for i in range(tree.size[1 + mover]):
            value = ended
            if ended == 0.0 and len(table.open):
                here = sketch.own_blue[node, i]
                here = here ^ step if here >> cell & 1 else here
                if tree.possible[node, mover, i] * tree.possible[node, 1 - mover, j] > 0.0:
                    value = -look(
                        table, there, turned16(other_after) & ~there, here, own_after & ~here
                    )
            tree.payoff[action, j, i] = value
            some = some or value != 0.0
            both = both or value != tree.payoff[action, j, 0]
        for i in range(tree.size[1 + mover], LANES):
            tree.payoff[action, j, i] = 0.0
    tree.ends[action] = BY_BOTH if both else BY_OTHER if some else NOWHERE


@kernel
def prune(tree):
    """Cut subtrees in which nothing can ever be won or lost: they would only add zeros."""
    for node in range(tree.size[0] - 1, -1, -1):
        live = False
        for a in range(tree.start[node], tree.start[node + 1]):
            for colour in range(2):
                child = tree.child[a, colour]
                if child >= 0 and not tree.live[child]:
                    tree.child[a, colour] = -1
            live = live or tree.ends[a] != NOWHERE or tree.child[a, 0] >= 0 or tree.child[a, 1] >= 0
        tree.live[node] = live
    tree.live[0] = True
