"""The public tree of a small game of Geister, from the first move to a limit of plies.

What both sides see (where pieces are, which colours captures revealed) is a node; the colourings
that each side may have are its types. Any board of at most 36 cells, at most `TYPES` colourings a
side. (The tree of the thesis's players, `gamecore.geister.tree`, is of 4×4 and of three plies, in
arrays that fit a processor's cache.)
"""

from collections import namedtuple
from itertools import combinations

import numpy as np

from gamecore import check
from gamecore.bits import reversed_bits
from gamecore.geister.rules import WAYS, Position, cells_of, mask_of, steps
from gamecore.kernel import kernel

#: Most colourings of one side, and nodes of a tree.
TYPES, _NODES = 6, 12_000_000
_ESCAPE = WAYS.index("escape")

#: A public tree, nodes before their children. Of a node: its ply, its actions
#: ``start[n]:start[n + 1]`` and the types of side 0 and 1 that are possible, as bits. Of an action:
#: the piece's cell, the way, the mover's types that have it, the other's types against which it
#: wins and loses at once, and up to two children (a blue or nothing taken; a red; −1: a draw).
Tree = namedtuple("Tree", "ply start able cell way legal win loss child")
_OF_ACTIONS = ("cell", "way", "legal", "win", "loss")
_Pieces = namedtuple("_Pieces", "own other own_blue other_blue")


def grown(position: Position, limit: int, opening: str = "") -> Tree:
    """Return the public tree of a position, cut where nothing can be won or lost any more."""
    own, other = position.blue | position.red, position.their_blue | position.their_red
    mine, theirs = colourings(*position.masks[:2]), colourings(*position.masks[2:])
    board, goals = steps(position.width, position.height), 1 | 1 << position.width - 1
    room = 1 << 14
    while True:
        tree, pieces = _room(room)
        pieces.own[0], pieces.other[0] = own, other
        pieces.own_blue[0, : len(mine)], pieces.other_blue[0, : len(theirs)] = mine, theirs
        tree.able[0] = (1 << len(mine)) - 1, (1 << len(theirs)) - 1
        size = _grow(tree, pieces, limit, board, goals)
        if size >= 0:
            break
        room *= 4
        if room > 4 * _NODES:
            raise ValueError(f"more than {_NODES:,} nodes: a smaller limit is needed")
    if opening:
        _open_with(tree, opening, mine)
    return _cut(tree, size)


def colourings(blue: int, red: int) -> list[int]:
    """Return all ways to colour a side's pieces with as many blues."""
    return [mask_of(some) for some in combinations(cells_of(blue | red), blue.bit_count())]


def _room(nodes: int) -> tuple[Tree, _Pieces]:
    """Return an empty tree with room for so many nodes, and what its builder must know of them."""
    actions = 6 * nodes
    tree = Tree(
        ply=np.zeros(nodes, np.int64),
        start=np.zeros(nodes + 1, np.int64),
        able=np.zeros((nodes, 2), np.int64),
        cell=np.zeros(actions, np.int8),
        way=np.zeros(actions, np.int8),
        legal=np.zeros(actions, np.int8),
        win=np.zeros(actions, np.int8),
        loss=np.zeros(actions, np.int8),
        child=np.full((actions, 2), -1, np.int32),
    )
    return tree, _Pieces(
        own=np.zeros(nodes, np.int64),
        other=np.zeros(nodes, np.int64),
        own_blue=np.zeros((nodes, TYPES), np.int64),
        other_blue=np.zeros((nodes, TYPES), np.int64),
    )


@kernel
def _grow(tree, pieces, limit, board, goals):
    """Write the tree, ply after ply; return how many nodes it has, −1 if there is no room."""
    cells = len(board)
    nodes, actions, node = 1, 0, 0
    while node < nodes:
        if nodes + 64 > len(tree.ply) or actions + 64 > len(tree.cell):
            return -1
        tree.start[node] = actions
        mover = tree.ply[node] % 2
        own, able = pieces.own[node], tree.able[node, mover]
        escaping = 0
        for i in range(TYPES):
            if able >> i & 1 and pieces.own_blue[node, i] & goals:
                escaping |= 1 << i
        for cell in range(cells):
            if not own >> cell & 1:
                continue
            leaving = 0
            for i in range(TYPES):
                if escaping >> i & 1 and goals & pieces.own_blue[node, i] & 1 << cell:
                    leaving |= 1 << i
            if leaving:
                tree.cell[actions], tree.way[actions] = cell, _ESCAPE
                tree.legal[actions], tree.win[actions] = leaving, tree.able[node, 1 - mover]
                actions += 1
            if not able & ~escaping:
                continue
            for way in range(4):
                to = board[cell, way]
                if to >= 0 and not own >> to & 1:
                    tree.cell[actions], tree.way[actions] = cell, way
                    tree.legal[actions] = able & ~escaping
                    nodes = _step(tree, pieces, node, actions, cell, to, nodes, limit, cells)
                    actions += 1
        node += 1
    tree.start[nodes] = actions
    return nodes


@kernel
def _step(tree, pieces, node, action, cell, to, nodes, limit, cells):
    """Write what a step leads to, for both colours of a taken piece; return the number of nodes."""
    mover = tree.ply[node] % 2
    taken = 1 << to & pieces.other[node]
    able = tree.able[node, 1 - mover]
    for red in range(2 if taken else 1):
        types, some = able, -1
        if taken:
            types = 0
            for j in range(TYPES):
                is_blue = pieces.other_blue[node, j] & taken != 0
                if able >> j & 1 and is_blue != (red == 1):
                    types |= 1 << j
        for j in range(TYPES):
            if types >> j & 1:
                some = j
        if some < 0:
            continue
        if taken:
            blue = pieces.other_blue[node, some]
            if red == 0 and blue == taken:
                tree.win[action] = types
                continue
            if red == 1 and pieces.other[node] & ~blue == taken:
                tree.loss[action] = types
                continue
        if tree.ply[node] + 1 == limit:
            continue
        tree.child[action, red] = nodes
        tree.ply[nodes] = tree.ply[node] + 1
        tree.able[nodes, mover] = tree.legal[action]
        tree.able[nodes, 1 - mover] = types
        step = 1 << cell | 1 << to
        pieces.own[nodes] = turned(pieces.other[node] & ~taken, cells)
        pieces.other[nodes] = turned(pieces.own[node] ^ step, cells)
        for j in range(TYPES):
            pieces.own_blue[nodes, j] = turned(pieces.other_blue[node, j] & ~taken, cells)
            blue = pieces.own_blue[node, j]
            blue = blue ^ step if blue >> cell & 1 else blue
            pieces.other_blue[nodes, j] = turned(blue, cells)
        nodes += 1
    return nodes


@kernel
def turned(mask, cells):
    """Return a set of cells after turning the board by 180 degrees."""
    return reversed_bits(mask) >> (64 - cells) & ((1 << cells) - 1)


def _open_with(tree: Tree, opening: str, mine: list[int]) -> None:
    """Take all other first moves from every colouring that can make this one."""
    colour, _, direction = check.text(opening, "opening").partition(" ")
    check.one_of(colour, "the colour of an opening", ("blue", "red"))
    check.one_of(direction, "the way of an opening", WAYS)
    first = range(int(tree.start[1]))
    for i, blue in enumerate(mine):
        chosen = [
            a for a in first
            if tree.legal[a] >> i & 1
            and WAYS[tree.way[a]] == direction
            and (blue >> int(tree.cell[a]) & 1 == 1) == (colour == "blue")
        ]  # fmt: skip
        for a in first if chosen else ():
            if a not in chosen:
                tree.legal[a] &= ~(1 << i)


def _cut(tree: Tree, size: int) -> Tree:
    """Return the tree without nodes from which nothing can be won or lost before the limit."""
    start = tree.start[: size + 1]
    ends = int(start[-1])
    live = np.zeros(size, bool)
    _mark(start, tree.win, tree.loss, tree.child, live)
    live[0] = True
    number = np.where(live, np.cumsum(live) - 1, -1).astype(np.int32)
    kept = np.repeat(live, np.diff(start))
    child = tree.child[:ends][kept]
    child = np.where(child >= 0, number[child], np.int32(-1))
    lengths = np.diff(start)[live]
    actions = {name: getattr(tree, name)[:ends][kept] for name in _OF_ACTIONS}
    starts = np.concatenate([[0], np.cumsum(lengths)])
    return Tree(
        ply=tree.ply[:size][live], start=starts, able=tree.able[:size][live], child=child, **actions
    )


@kernel
def _mark(start, win, loss, child, live):
    for node in range(len(live) - 1, -1, -1):
        for a in range(start[node], start[node + 1]):
            if win[a] or loss[a]:
                live[node] = True
            for red in range(2):
                if child[a, red] >= 0 and live[child[a, red]]:
                    live[node] = True
