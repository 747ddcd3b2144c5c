"""A search tree for simultaneous moves, which grows where visits pass a threshold: MSUCT.

MSUCB looks at one pair of moves and then plays out. Its paper proposes as future work to let a tree
grow, as UCT does, with the same mixing at every node: a `TreePlayer` with the rule "MSUCT". The
rules of the literature on simultaneous moves work in the same tree, by the same playouts.

A pair of moves whose visits have reached the threshold gets a node of its own; a playout's result
counts at every node that it has passed.

References
----------
The paper on MSUCB, section 7; for the other rules see `gamecore.triomineering.selection`.
"""

from __future__ import annotations  # signatures show types by their names

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from gamecore import check, rng
from gamecore.bits import lowest, popcount
from gamecore.game import View
from gamecore.kernel import kernel
from gamecore.triomineering import nash
from gamecore.triomineering import rules as r
from gamecore.triomineering import selection as s
from gamecore.triomineering.players import MOST_PLAYOUTS, in_thread, position_of
from gamecore.triomineering.playouts import FILTERS, playout
from gamecore.triomineering.rules import Position
from gamecore.triomineering.search import logarithms

#: How nodes may choose: MSUCB's mixing, and the rules of the literature. Both DUCT search alike;
#: the one plays its moves as often as it visited them, the other the most visited one.
RULES = ("MSUCT", "regret matching", "Exp3", "DUCT(mix)", "DUCT(max)")
#: Playouts after which a search can be interrupted, about a fifth of a second of the slowest rule.
AT_ONCE = 10_000
_LONGEST = r.MAX_CELLS // 5 + 1  # rounds of a game: two pieces fill at least five cells


class Tree(NamedTuple):
    """All nodes; those of a node are views of the flat arrays, from its first move and pair on."""

    free: np.ndarray  # [node]
    size: np.ndarray  # [node, 2]: moves of V and of H
    first: np.ndarray  # [node, 2]: where its moves and its pairs begin
    passed: np.ndarray  # [node]: playouts
    used: np.ndarray  # nodes, moves and pairs so far
    cells: np.ndarray  # [move]
    kept: np.ndarray  # [move · KEPT]
    visits: np.ndarray  # [pair]
    score: np.ndarray
    child: np.ndarray  # the pair's node, 0 for none


class Ground(NamedTuple):
    """What stays the same during a search."""

    columns: int
    fits: np.uint64
    threshold: int
    filtering: int


class Grown(NamedTuple):
    """What a tree has come to.

    Attributes
    ----------
    playouts : int
        After so many.
    v : numpy.ndarray
        Probabilities of V's legal moves at the root, in order of cells.
    h : numpy.ndarray
        Those of H's.
    nodes : int
        How many positions have a node.

    Examples
    --------
    >>> grown = TreePlayer("regret matching", playouts=2000).grow(Position.empty(4, 4), seed=1)
    >>> grown.playouts, grown.v.shape, round(float(grown.v.sum()), 9)
    (2000, (8,), 1.0)
    """

    playouts: int
    v: np.ndarray
    h: np.ndarray
    nodes: int


@dataclass(frozen=True, repr=False)
class TreePlayer:
    """A player who searches by a growing tree: a function from a view and a generator to a move.

    So `match` and `ask` take it as they take any player of one's own.

    Attributes
    ----------
    rule : str
        One of `RULES`.
    playouts : int
        Playouts of one decision, at most ten million.
    threshold : int
        Visits of a pair from which on it has a node. With more than there are playouts the tree
        is the root alone: "MSUCT" is then MSUCB1, and "DUCT(max)" SimpleUCB1, without symmetries.
    c : float
        Weight of the bonus in UCB values ("MSUCT" and both "DUCT").
    gamma : float
        How often "regret matching" and "Exp3" try any move.
    every : int
        Visits of a node between two approximations of its equilibrium ("MSUCT").

    Examples
    --------
    >>> from gamecore.triomineering import match
    >>> tree = TreePlayer("regret matching", playouts=300)
    >>> tree
    TreePlayer('regret matching', playouts=300)
    >>> match(tree, "MC", 2, seed=1, rows=4, columns=4).games
    2
    """

    rule: str = "MSUCT"
    playouts: int = 10_000
    threshold: int = 8
    c: float = 0.5
    gamma: float = 0.1
    every: int = 8

    def __post_init__(self) -> None:
        check.whole(self.playouts, "playouts", 1, MOST_PLAYOUTS)
        check.whole(self.threshold, "threshold", 1)
        self._choice()

    def __repr__(self) -> str:
        changed = [f for f in fields(self)[1:] if getattr(self, f.name) != f.default]
        words = [repr(self.rule), *(f"{f.name}={getattr(self, f.name)!r}" for f in changed)]
        return f"TreePlayer({', '.join(words)})"

    @property
    def __name__(self) -> str:
        return self.rule

    def __call__(self, view: View, generator: np.random.Generator) -> str:
        """Return the move for a view, drawn from the mixture to which the search comes."""
        position = position_of(view)
        legal, stream = view.legal(), rng.state(int(generator.integers(2**63)))
        if len(legal) == 1:
            return legal[0]
        (grown,) = self._grow(position, stream, [self.playouts])
        return legal[int(rng.choice(stream, grown.v if view.player == 0 else grown.h))]

    def grow(self, position: Position, seed: check.Seed) -> Grown:
        """Search a position in which both sides can move.

        Examples
        --------
        >>> grown = TreePlayer("MSUCT", playouts=3000).grow(Position.empty(4, 4), seed=1)
        >>> bool(grown.v[[1, 2, 5, 6]].sum() > 0.9)  # the correct first moves
        True
        """
        (grown,) = self.checkpoints(position, seed, [self.playouts])
        return grown

    def checkpoints(
        self, position: Position, seed: check.Seed, playouts: Iterable[int]
    ) -> list[Grown]:
        """Return what one search had come to after each of several numbers of playouts.

        Examples
        --------
        >>> found = TreePlayer("Exp3").checkpoints(Position.empty(4, 4), 1, [100, 1000])
        >>> found[1].nodes > found[0].nodes
        True
        """
        check.instance(position, "position", Position)
        if not position.movers:
            raise ValueError("the game is over: one of the players cannot move")
        each = check.listed(playouts, "playouts")
        ends = [check.whole(end, "each of playouts", 1, MOST_PLAYOUTS) for end in each]
        if not ends or sorted(set(ends)) != ends:
            raise ValueError("numbers of playouts must rise")
        return list(self._grow(position, rng.state(check.seed(seed)), ends))

    def _grow(self, position: Position, stream: np.ndarray, ends: list[int]) -> Iterator[Grown]:
        """Search on to each number of playouts, in stretches after which one can interrupt."""
        ground = Ground(
            position.columns, r.fits_mask(position.rows, position.columns), self.threshold,
            FILTERS.index("hindering"),
        )  # fmt: skip
        choice, logs = self._choice(), logarithms(ends[-1] + 1)
        m, n = len(position.v_moves()), len(position.h_moves())
        memory, bench = _new_memory(m + n, m * n), s.new_bench(m, n)
        path = np.zeros((3, _LONGEST), np.int64)
        add_node(memory, np.uint64(position.free), ground)
        quiet = ends[-1] <= AT_ONCE or in_thread()
        with tqdm(total=ends[-1], desc="playouts", delay=5, leave=False, disable=quiet) as bar:
            done = 0
            for end in ends:
                while done < end:
                    stop = min(end, done + AT_ONCE)
                    now = search(memory, ground, choice, logs, stream, bench, path, done, stop)
                    if now < stop:
                        memory = _enlarged(memory, m + n, m * n)
                    bar.update(now - done)
                    done = now
                v, h = np.zeros(m), np.zeros(n)
                s.mixture(node_of(memory, 0), end, choice, bench, v, h)
                yield Grown(end, v, h, int(memory.used[0]))

    def _choice(self) -> s.Choice:
        reading, rounds, _ = nash.check_reading(nash.READINGS[0], None, 0.1)
        return s.Choice(
            RULES.index(check.one_of(self.rule, "rule", RULES)),
            check.real(self.c, "c", 0, 100), check.real(self.gamma, "gamma", 1e-6, 1),
            reading, rounds, 2000, check.whole(self.every, "every", 1),
        )  # fmt: skip


def _new_memory(moves: int, pairs: int, nodes: int = 64) -> Tree:
    """Return room for so many nodes as large as the root."""
    return Tree(
        np.zeros(nodes, np.uint64), np.zeros((nodes, 2), np.int64), np.zeros((nodes, 2), np.int64),
        np.zeros(nodes, np.int64), np.zeros(3, np.int64),
        np.zeros(nodes * moves, np.int8), np.zeros(nodes * moves * s.KEPT),
        np.zeros(nodes * pairs, np.int32), np.zeros(nodes * pairs, np.int32),
        np.zeros(nodes * pairs, np.int32),
    )  # fmt: skip


def _enlarged(memory: Tree, moves: int, pairs: int) -> Tree:
    """Return the same tree with twice the room of what is short of it."""
    short = lacking(memory, moves, pairs)
    needed = 3 * memory.visits.nbytes * int(short[2]) + memory.kept.nbytes * int(short[1])
    check.memory(needed, f"a tree of {memory.used[0]:,} nodes")
    groups = (0, 0, 0, 0, None, 1, 1, 2, 2, 2)  # which of nodes, moves and pairs an array holds
    return Tree(*(
        array if group is None or not short[group]
        else np.concatenate([array, np.zeros_like(array)])
        for array, group in zip(memory, groups, strict=True)
    ))  # fmt: skip


@kernel
def lacking(memory, moves, pairs):
    """Return whether a further node may find no room among nodes, moves and pairs."""
    return (
        memory.used[0] >= len(memory.free),
        memory.used[1] + moves > len(memory.cells),
        memory.used[2] + pairs > len(memory.visits),
    )


@kernel
def node_of(memory, k):
    """Return a node's statistics."""
    m, n = memory.size[k]
    move, pair = memory.first[k]
    end, middle = s.KEPT * (move + m + n), s.KEPT * (move + m)
    return s.Node(
        memory.kept[s.KEPT * move : middle].reshape(s.KEPT, m),
        memory.kept[middle:end].reshape(s.KEPT, n),
        memory.visits[pair : pair + m * n].reshape(m, n),
        memory.score[pair : pair + m * n].reshape(m, n),
    )


@kernel
def add_node(memory, free, ground):
    """Add a node for a position in which both can move, and return its number."""
    k, first, pair = memory.used
    v, h = r.v_moves(free, ground.columns), r.h_moves(free, ground.fits)
    m, n = popcount(v), popcount(h)
    memory.free[k] = free
    memory.size[k, 0], memory.size[k, 1] = m, n
    memory.first[k, 0], memory.first[k, 1] = first, pair
    for x in range(m):
        memory.cells[first + x] = lowest(v)
        v &= v - np.uint64(1)
    for x in range(n):
        memory.cells[first + m + x] = lowest(h)
        h &= h - np.uint64(1)
    memory.used[0] += 1
    memory.used[1] += m + n
    memory.used[2] += m * n
    return k


@kernel
def search(memory, ground, choice, logs, stream, bench, path, begin, end):
    """Go on from playout `begin` up to `end`, or until there is no room for a further node.

    Returns how many playouts have been made then; stretch by stretch is the same as all at once.
    """
    moves, pairs = memory.size[0, 0] + memory.size[0, 1], memory.size[0, 0] * memory.size[0, 1]
    for t in range(begin, end):
        no_node, no_moves, no_pairs = lacking(memory, moves, pairs)
        if no_node or no_moves or no_pairs:
            return t
        k, depth, deeper = 0, 0, True
        free = memory.free[0]
        while deeper:
            node = node_of(memory, k)
            i, j = s.pick(node, memory.passed[k], choice, logs, stream, bench)
            path[0, depth], path[1, depth], path[2, depth] = k, i, j
            depth += 1
            first = memory.first[k, 0]
            cell = memory.cells[first + memory.size[k, 0] + j]
            free = r.step(free, memory.cells[first + i], cell, ground.columns)
            pair = memory.first[k, 1] + i * memory.size[k, 1] + j
            if memory.child[pair] == 0 and memory.visits[pair] >= ground.threshold:
                both = r.v_moves(free, ground.columns) and r.h_moves(free, ground.fits)
                if both:
                    memory.child[pair] = add_node(memory, free, ground)
            k = memory.child[pair]
            deeper = k > 0
        result = playout(free, ground.columns, ground.fits, stream, ground.filtering)
        for level in range(depth):
            k = path[0, level]
            s.learn(node_of(memory, k), path[1, level], path[2, level], result, choice)
            memory.passed[k] += 1
    return end
