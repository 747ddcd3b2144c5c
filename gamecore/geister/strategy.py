"""CFR's mixed strategy of one position, as plain Python objects.

References
----------
N. Kawakami, master's thesis, JAIST, 2021, sections 5.2 and 5.3.
"""

from __future__ import annotations  # signatures show types by their names

from dataclasses import dataclass

import numpy as np
from tqdm import tqdm

from gamecore import check
from gamecore.geister.cfr import begin, best_response, go_on
from gamecore.geister.leaves import no_table, perfect_table
from gamecore.geister.rules import DIRECTIONS, Move, Position
from gamecore.geister.tree import LANES, PLIES, build, new_sketch, new_tree

_STRETCH = 10_000  # iterations between two looks at the clock and at Ctrl-C


@dataclass(frozen=True)
class Mixture:
    """A CFR player's average strategy at the root, for every colouring it might have.

    Attributes
    ----------
    moves : dict
        For each own colouring (its blue mask), the probability of every `Move`.
    colours : tuple of dict
        How often each own and each opposing colouring is chosen on average (own view).
    nash_conv : float
        What both sides together could gain by best responses in this depth-limited tree (NashConv,
        twice the exploitability).

    Examples
    --------
    >>> near = Position.of("a2 b3", "c3 d4", "c1 d1", "b1 a3")
    >>> found = mixture(near, iterations=200)
    >>> len(found.moves)  # two of the four pieces are blue: six ways
    6
    >>> found.nash_conv < mixture(near, iterations=2).nash_conv
    True
    """

    moves: dict[int, dict[Move, float]]
    colours: tuple[dict[int, float], dict[int, float]]
    nash_conv: float

    def __post_init__(self) -> None:
        check.instance(self.moves, "moves", dict)
        if not isinstance(self.colours, tuple) or len(self.colours) != 2:
            raise ValueError("colours must be a pair, of the own side and of the opponent's")
        for chances in (*self.moves.values(), *self.colours):
            found = check.instance(chances, "each of moves and colours", dict).values()
            if abs(sum(check.real(p, "each probability", 0, 1 + 1e-9) for p in found) - 1) > 1e-9:
                raise ValueError("probabilities of moves and of colours must sum to 1")
        check.real(self.nash_conv, "nash_conv", -1e-9, 4)


def mixture(
    position: Position,
    leaves: str = "draw",
    iterations: int = 1000,
    *,
    colours: str = "decision",
    plies: int = PLIES,
) -> Mixture:
    """Solve the depth-limited game of a 4×4 position by CFR.

    Only what is public about the opponent is used: where its pieces are and how many are blue.

    Parameters
    ----------
    position : Position
        A 4×4 position with at most two blues and two reds a side.
    leaves : {"draw", "perfect"}
        Value of unresolved leaves: 0 (CFR-A), or the result with open colours (CFR-B).
    iterations : int
        CFR iterations; the thesis takes 1000.
    colours : {"decision", "chance"}
        Whether the two colour levels are decisions of the players or uniform chance.
    plies : int
        Moves before the leaves, 1 to 3.

    References
    ----------
    * Naoto Kawakami, master's thesis, JAIST, 2021, sections 5.2 and 5.3.
    * M. Zinkevich, M. Johanson, M. Bowling and C. Piccione, "Regret minimization in games with
      incomplete information", NeurIPS 20, 2008 (CFR).

    Examples
    --------
    >>> near = Position.of("a2 b3", "c3 d4", "c1 d1", "b1 a3")
    >>> [row] = [m for blue, m in mixture(near).moves.items() if blue == near.blue]
    >>> abs(sum(row.values()) - 1) < 1e-9
    True
    """
    counts = [mask.bit_count() for mask in check.instance(position, "position", Position).masks]
    if (position.width, position.height) != (4, 4) or max(counts) > 2:
        raise ValueError("the CFR player plays on 4×4 with at most two blues and two reds a side")
    check.one_of(leaves, "leaves", ("draw", "perfect"))
    check.one_of(colours, "colours", ("decision", "chance"))
    check.whole(iterations, "iterations", 1)
    check.whole(plies, "plies", 1, PLIES)
    tree, sketch = new_tree()[0], new_sketch()
    table = perfect_table() if leaves == "perfect" else no_table()
    own, other = position.blue | position.red, position.their_blue | position.their_red
    build(tree, sketch, own, counts[0], other, counts[2], plies, table)
    chosen, levels = colours == "decision", np.zeros((3, 2, LANES))
    begin(tree, levels)
    stretches = range(0, iterations, _STRETCH)
    is_short = len(stretches) == 1
    for done in tqdm(stretches, "iterations", delay=5, leave=False, disable=is_short):
        go_on(tree, min(_STRETCH, iterations - done), chosen, levels, True)
    shares = levels[2] / iterations
    gain = sum(best_response(tree, side, chosen, shares) for side in range(2))
    ways = (*DIRECTIONS, "escape")
    rows = range(tree.start[0], tree.start[1])
    moves = {
        int(sketch.own_blue[0, i]): {
            Move(int(tree.cell[a]), ways[tree.way[a]]): float(
                tree.average[a, i] / tree.average[: tree.start[1], i].sum()
            )
            for a in rows
            if tree.legal[a, i]
        }
        for i in range(tree.types[0])
    }
    mine = {int(sketch.own_blue[0, i]): float(shares[0, i]) for i in range(tree.types[0])}
    theirs = {int(sketch.other_blue[0, j]): float(shares[1, j]) for j in range(tree.types[1])}
    return Mixture(moves, (mine, theirs), float(gain))
