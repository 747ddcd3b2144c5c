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

from typing import NamedTuple

import numpy as np

from gamecore import check
from gamecore.geister.publictree import TYPES, Tree, colourings, grown, turned
from gamecore.geister.rules import WAYS, Position, cell_name, names_of
from gamecore.kernel import kernel

_LONGEST = 200  # plies
_STRETCH = 50  # iterations between two looks at the bounds, to begin with


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
    blues = [colourings(*position.masks[:2]), colourings(*position.masks[2:])]
    if max(map(len, blues)) > TYPES:
        raise ValueError(f"at most {TYPES} colourings a side are solved")
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
        seen = [int(turned(blue, cells)) for blue in blues[1]]

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
                int(tree.child[a, 0]), [names_of(blue, width) for blue in seen]
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
