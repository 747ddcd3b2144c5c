"""Small Geister with hidden colours, solved from the first move to a limit of plies.

Chance colours both sides' pieces, all ways equally likely; after `limit` plies the game is a draw.
What both sides see (where pieces are, which colours captures revealed) is a *public tree*. A node
of it carries for each side a vector over its colourings, its types, so the whole game with hidden
colours is a few vectors a node. Predictive CFR+ with averages weighted by the square of the
iteration solves it; best responses to both averages enclose the value between two bounds.

One cut is made, and it cannot change the value: a type that can escape does so, since nothing is
worth more. Where nothing can be won or lost before the limit the tree ends with a draw.

References
----------
* G. Farina, C. Kroer and T. Sandholm, "Faster game solving via predictive Blackwell
  approachability: connecting regret matching and mirror descent", AAAI 2021.
* N. Kawakami, master's thesis, JAIST, 2021, section 3.3 (red and blue at the goal).
"""

from __future__ import annotations  # signatures show types by their names

from collections import namedtuple
from itertools import combinations
from typing import NamedTuple

import numpy as np

from gamecore import check
from gamecore.bits import reversed_bits
from gamecore.geister.rules import WAYS, Position, cell_name, cells_of, mask_of, names_of, steps
from gamecore.kernel import kernel

#: Most colourings of one side, nodes of a tree, and plies.
_TYPES, _NODES, _LONGEST = 6, 12_000_000, 200
_ESCAPE = WAYS.index("escape")
_STRETCH = 50  # iterations between two looks at the bounds, to begin with

#: A public tree, nodes before their children. Of a node: its ply, its actions
#: ``start[n]:start[n + 1]`` and the types of side 0 and 1 that are possible, as bits. Of an action:
#: the piece's cell, the way, the mover's types that have it, the other's types against which it
#: wins and loses at once, and up to two children (a blue or nothing taken; a red; −1: a draw).
Tree = namedtuple("Tree", "ply start able cell way legal win loss child")
_OF_ACTIONS = ("cell", "way", "legal", "win", "loss")
_Pieces = namedtuple("_Pieces", "own other own_blue other_blue")


class Solved(NamedTuple):
    """A solved game: between which bounds its value is, and how to play the first move.

    Attributes
    ----------
    low : float
        What the first side's strategy gets for sure: its worth against a best response.
    high : float
        What the second side's strategy concedes at most.
    moves : dict
        For each colouring of the first side, named by its blues, the probability of every move.
    replies : dict
        For each first move and each colouring of the second side, in its own view, the probability
        of every reply; where the first side never plays the move, an answer to it all the same.
    nodes : int
        The public tree's size.
    iterations : int
        Iterations until the bounds were near enough.

    Examples
    --------
    >>> goal = Position.of(blue="a2", red="d2", their_blue="b1", their_red="c1")
    >>> found = solve(goal, limit=3)
    >>> f"{found.value:.4f}, {found.moves['a2']['a2 up']:.3f}"  # a third, by hand: see the chapter
    '0.3333, 0.333'
    """

    low: float
    high: float
    moves: dict[str, dict[str, float]]
    replies: dict[str, dict[str, dict[str, float]]]
    nodes: int
    iterations: int

    @property
    def value(self) -> float:
        """The middle of the bounds: what the game is worth to the first side."""
        return (self.low + self.high) / 2


def solve(
    position: Position,
    limit: int,
    *,
    gap: float = 1e-6,
    most: int = 100_000,
    opening: str = "",
) -> Solved:
    """Solve a position whose colours are hidden, with a draw after `limit` plies.

    Only what is public is used: where pieces are, and how many of each side are blue.

    Parameters
    ----------
    position : Position
        Where the game begins, any board of at most 36 cells, at most six colourings a side.
    limit : int
        After so many plies the game is a draw.
    gap : float
        How far apart the bounds of the value may be.
    most : int
        Iterations after which it gives up, with the bounds that it has.
    opening : str
        Allow at the first move but one, such as ``"red up"``: a piece of that colour goes that way,
        where it can. The opponent knows.

    Examples
    --------
    >>> start = Position.parse("b r / . . / B R")
    >>> found = solve(start, limit=2)
    >>> round(found.value, 6), found.high - found.low <= 1e-6
    (0.0, True)
    """
    check.instance(position, "position", Position)
    check.whole(limit, "limit", 1, _LONGEST)
    check.whole(most, "most", 1)
    check.real(gap, "gap", 1e-12, 2.0)
    if position.width * position.height > 36:
        raise ValueError("a board of at most 36 cells is needed")
    blues = [_colourings(*position.masks[:2]), _colourings(*position.masks[2:])]
    if max(map(len, blues)) > _TYPES:
        raise ValueError(f"at most {_TYPES} colourings a side are solved")
    tree = grown(position, limit, opening)
    memory = _Memory(tree, len(blues[0]), len(blues[1]))
    stretch = _STRETCH
    while True:
        memory.go_on(min(stretch, most - memory.iterations))
        low, high = memory.bounds()
        if high - low <= gap or memory.iterations >= most:
            break
        stretch = max(_STRETCH, memory.iterations // 3)
    moves, replies = memory.told(position, blues)
    return Solved(low, high, moves, replies, len(tree.ply), memory.iterations)


def grown(position: Position, limit: int, opening: str = "") -> Tree:
    """Return the public tree of a position, cut where nothing can be won or lost any more."""
    own, other = position.blue | position.red, position.their_blue | position.their_red
    mine, theirs = _colourings(*position.masks[:2]), _colourings(*position.masks[2:])
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


def _colourings(blue: int, red: int) -> list[int]:
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
        own_blue=np.zeros((nodes, _TYPES), np.int64),
        other_blue=np.zeros((nodes, _TYPES), np.int64),
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
        for i in range(_TYPES):
            if able >> i & 1 and pieces.own_blue[node, i] & goals:
                escaping |= 1 << i
        for cell in range(cells):
            if not own >> cell & 1:
                continue
            leaving = 0
            for i in range(_TYPES):
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
            for j in range(_TYPES):
                is_blue = pieces.other_blue[node, j] & taken != 0
                if able >> j & 1 and is_blue != (red == 1):
                    types |= 1 << j
        for j in range(_TYPES):
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
        pieces.own[nodes] = _turned(pieces.other[node] & ~taken, cells)
        pieces.other[nodes] = _turned(pieces.own[node] ^ step, cells)
        for j in range(_TYPES):
            pieces.own_blue[nodes, j] = _turned(pieces.other_blue[node, j] & ~taken, cells)
            blue = pieces.own_blue[node, j]
            blue = blue ^ step if blue >> cell & 1 else blue
            pieces.other_blue[nodes, j] = _turned(blue, cells)
        nodes += 1
    return nodes


@kernel
def _turned(mask, cells):
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


class _Memory:
    """What predictive CFR+ knows of a tree: regrets, the last ones, strategies and their sums."""

    def __init__(self, tree: Tree, mine: int, theirs: int):
        self.tree, self.types, self.iterations = tree, (mine, theirs), 0
        width, actions = max(self.types), len(tree.cell)
        self.regret, self.summed = np.zeros((actions, width)), np.zeros((actions, width))
        self.strategy = np.zeros((actions, width))
        self.reach = np.zeros((len(tree.ply), 2, width))
        self.worth = np.zeros((len(tree.ply), width))
        for side, types in enumerate(self.types):
            self.reach[0, side, :types] = 1.0 / types
        _even(tree, self.strategy)

    def go_on(self, iterations: int) -> None:
        """Run more iterations; the two sides learn in turns."""
        for _ in range(iterations):
            self.iterations += 1
            weight = float(self.iterations) ** 2
            for side in range(2):
                _descend(self.tree, self.strategy, self.reach)
                _learn(
                    self.tree, side, weight, self.regret, self.strategy, self.summed, self.reach,
                    self.worth,
                )  # fmt: skip

    def bounds(self) -> tuple[float, float]:
        """Return what both averages guarantee, by best responses to them."""
        average = np.zeros_like(self.summed)
        _even(self.tree, average)
        _averaged(self.tree, self.summed, average)
        reach, found = self.reach.copy(), []
        _descend(self.tree, average, reach)
        for side in range(2):
            _respond(self.tree, side, average, reach, self.worth)
            found.append(float(self.worth[0, : self.types[side]].sum()) / self.types[side])
        return -found[1], found[0]

    def told(
        self, position: Position, blues: list[list[int]]
    ) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, dict[str, float]]]]:
        """Return the averages of the first move and of the reply to it, in words."""
        average = np.zeros_like(self.summed)
        _even(self.tree, average)
        _averaged(self.tree, self.summed, average)
        tree, width, cells = self.tree, position.width, position.width * position.height
        turned = [int(_turned(blue, cells)) for blue in blues[1]]

        def spoken(node: int, names: list[str]) -> dict[str, dict[str, float]]:
            actions = range(int(tree.start[node]), int(tree.start[node + 1]))
            return {
                name: {
                    f"{cell_name(int(tree.cell[a]), width)} {WAYS[tree.way[a]]}": float(
                        average[a, i]
                    )
                    for a in actions
                    if tree.legal[a] >> i & 1
                }
                for i, name in enumerate(names)
            }

        moves = spoken(0, [names_of(blue, width) for blue in blues[0]])
        replies = {
            f"{cell_name(int(tree.cell[a]), width)} {WAYS[tree.way[a]]}": spoken(
                int(tree.child[a, 0]), [names_of(blue, width) for blue in turned]
            )
            for a in range(int(tree.start[1]))
            if tree.child[a, 0] >= 0 and tree.child[a, 1] < 0
        }
        return moves, replies


@kernel
def _even(tree, strategy):
    """Make every type's legal actions equally likely."""
    for node in range(len(tree.ply)):
        for i in range(strategy.shape[1]):
            able = 0
            for a in range(tree.start[node], tree.start[node + 1]):
                able += tree.legal[a] >> i & 1
            for a in range(tree.start[node], tree.start[node + 1]):
                strategy[a, i] = 1.0 / able if tree.legal[a] >> i & 1 else 0.0


@kernel
def _averaged(tree, summed, average):
    """Write average strategies over even ones, wherever a side ever came."""
    for node in range(len(tree.ply)):
        for i in range(summed.shape[1]):
            total = 0.0
            for a in range(tree.start[node], tree.start[node + 1]):
                total += summed[a, i]
            if total > 0.0:
                for a in range(tree.start[node], tree.start[node + 1]):
                    average[a, i] = summed[a, i] / total


@kernel
def _descend(tree, strategy, reach):
    """Pass both sides' reach probabilities down."""
    width = strategy.shape[1]
    for node in range(len(tree.ply)):
        mover = tree.ply[node] % 2
        for a in range(tree.start[node], tree.start[node + 1]):
            for red in range(2):
                c = tree.child[a, red]
                if c >= 0:
                    for i in range(width):
                        reach[c, mover, i] = reach[node, mover, i] * strategy[a, i]
                        there = tree.able[c, 1 - mover] >> i & 1
                        reach[c, 1 - mover, i] = reach[node, 1 - mover, i] if there else 0.0


@kernel
def _value(tree, a, i, side, weights, worth):
    """Return what an action of `side` is worth to its type i, against the other's reach."""
    value = 0.0
    for j in range(len(weights)):
        value += weights[j] * ((tree.win[a] >> j & 1) - (tree.loss[a] >> j & 1))
    for red in range(2):
        c = tree.child[a, red]
        if c >= 0:
            value += worth[c, i]
    return value


@kernel
def _suffer(tree, node, side, strategy, reach, worth):
    """Write what a node of the other side's is worth to all types of `side`."""
    width, other = strategy.shape[1], 1 - side
    for i in range(width):
        worth[node, i] = 0.0
    for a in range(tree.start[node], tree.start[node + 1]):
        heavy = 0.0
        for j in range(width):
            heavy += reach[node, other, j] * strategy[a, j]
        for i in range(width):
            worth[node, i] += heavy * ((tree.loss[a] >> i & 1) - (tree.win[a] >> i & 1))
        for red in range(2):
            c = tree.child[a, red]
            if c >= 0:
                for i in range(width):
                    if tree.able[c, side] >> i & 1:
                        worth[node, i] += worth[c, i]


@kernel
def _learn(tree, side, weight, regret, strategy, summed, reach, worth):
    """Update one side: regrets, its average, and its next strategy, which foresees a repetition."""
    width = strategy.shape[1]
    values = np.zeros((64, width))
    for node in range(len(tree.ply) - 1, -1, -1):
        if tree.ply[node] % 2 != side:
            _suffer(tree, node, side, strategy, reach, worth)
            continue
        first, last = tree.start[node], tree.start[node + 1]
        for i in range(width):
            worth[node, i] = 0.0
            if not tree.able[node, side] >> i & 1:
                continue
            mean, total = 0.0, 0.0
            for a in range(first, last):
                if tree.legal[a] >> i & 1:
                    found = _value(tree, a, i, side, reach[node, 1 - side], worth)
                    values[a - first, i] = found
                    mean += strategy[a, i] * found
                    summed[a, i] += weight * reach[node, side, i] * strategy[a, i]
            worth[node, i] = mean
            able = 0
            for a in range(first, last):
                if tree.legal[a] >> i & 1:
                    gained = values[a - first, i] - mean
                    regret[a, i] = max(regret[a, i] + gained, 0.0)
                    strategy[a, i] = max(regret[a, i] + gained, 0.0)
                    total += strategy[a, i]
                    able += 1
            for a in range(first, last):
                if tree.legal[a] >> i & 1:
                    strategy[a, i] = strategy[a, i] / total if total > 0.0 else 1.0 / able


@kernel
def _respond(tree, side, strategy, reach, worth):
    """Write what every node is worth to `side` if it plays a best response."""
    width = strategy.shape[1]
    for node in range(len(tree.ply) - 1, -1, -1):
        if tree.ply[node] % 2 != side:
            _suffer(tree, node, side, strategy, reach, worth)
            continue
        for i in range(width):
            best = -np.inf
            for a in range(tree.start[node], tree.start[node + 1]):
                if tree.legal[a] >> i & 1:
                    best = max(best, _value(tree, a, i, side, reach[node, 1 - side], worth))
            worth[node, i] = best if best > -np.inf else 0.0
