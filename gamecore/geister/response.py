"""A local best response, played: how much a known player loses to one who knows how it plays.

The response knows the strategy of its *target* for every colouring, and so has the exact
probability of each colouring after the target's moves. It tries every move of its own, every
reply of the target with the probability that the target gives it, and every move of its own
after that; what then stands is worth what the game with open colours says, sooner ends counting
more. It plays the best first move. What it wins in games is a lower bound of what a best response
would win, whatever the quality of its guesses. A *blind* response does the same but learns no
colours from the target's moves.

References
----------
V. Lisý and M. Bowling, "Equilibrium approximation quality of current no-limit poker bots", AAAI
Workshop on Computer Poker and Imperfect Information Games, 2017 (local best response).
"""

from collections import namedtuple

import numpy as np

from gamecore.bits import lowest
from gamecore.geister.belief import NOBODY, believe, mixed
from gamecore.geister.leaves import Lookup, spot, table_of
from gamecore.geister.public import BLUE, EVERY_MOVE, NOTHING, RED, legal, step_public
from gamecore.geister.rules import ESCAPE, GOALS, target_of, turned16
from gamecore.geister.solution import retrograde
from gamecore.geister.tree import COLOURINGS
from gamecore.kernel import kernel

#: How many CFR iterations the response grants a target in its look-ahead. The target itself plays
#: by its full number, and so does the response reckon when it has seen a move.
GLANCE = 100
#: A win in so many plies would count nothing: 0.53 is the least that a won position counts.
_FAR = 100.0

#: Solved positions with their depths, for kernels; see `gamecore.geister.leaves`.
Depths = namedtuple("Depths", "open planes rank index")
#: What the response writes its tries in: strategies of the two sides, and weights of colourings
#: now, after its own move, and after the reply.
Tries = namedtuple("Tries", "model target now after last")


def depths() -> tuple[Lookup, Depths]:
    """Solve 4×4 with open colours, for CFR-B and for the response."""
    solved = retrograde(4, 4, 2, 2)
    table = table_of(solved)
    return table, Depths(solved.open, solved.planes, table.rank, table.index)


def no_depths() -> Depths:
    """Return what stands for solved positions where nobody looks them up."""
    none = np.zeros((0, 0, 0), np.uint64)
    return Depths(none, none[None], np.zeros(0, np.int16), np.zeros((0, 0), np.int32))


def new_tries() -> Tries:
    """Return the response's memory."""
    return Tries(
        *(np.zeros((EVERY_MOVE, COLOURINGS)) for _ in range(2)), *np.zeros((3, COLOURINGS))
    )


@kernel
def worth(solved, blue, red, their_blue, their_red):
    """Return what an open position is worth to the side to move; all in their own view."""
    block, row, word, bit = spot(solved, blue, red, their_blue, their_red)
    if solved.open[block, row, word] >> bit & np.uint64(1):
        return 0.0
    depth = 0
    for plane in range(len(solved.planes)):
        if solved.planes[plane, block, row, word] >> bit & np.uint64(1):
            depth += 1 << plane
    return (1.0 if depth % 2 == 1 else -1.0) * (1.0 - depth / _FAR)


@kernel
def respond(seen, side, k, target, posterior, ply, thought, tries, solved):
    """Return the move of `side`, whose colouring is k, against a target of known strategy.

    `posterior` has the probabilities of the target's colourings. Level 0 of `seen` is the game;
    levels 1 and 2 are written over.
    """
    own, blue = seen.pieces[0, side], seen.blues[0, side, k]
    if blue & GOALS:
        return 5 * lowest(blue & GOALS) + ESCAPE
    if target.model != NOBODY:  # it will learn from this move
        full = thought.how.iterations
        mixed(target.model, 0.0, seen, 0, side, -1, ply % 2, full, thought, tries.model)
    best, chosen = -np.inf, -1
    for move in range(EVERY_MOVE):
        if legal(own, blue, move):
            value = _tried(seen, side, k, target, posterior, ply, move, thought, tries, solved)
            if value > best:
                best, chosen = value, move
    return chosen


@kernel
def _tried(seen, side, k, target, posterior, ply, move, thought, tries, solved):
    """Return what a first move is worth, on average over the target's colourings."""
    other = 1 - side
    there = turned16(1 << target_of(move // 5, move % 5))
    takes = seen.pieces[0, other] & there != 0
    value = 0.0
    for took in range(BLUE, RED + 1) if takes else range(NOTHING, NOTHING + 1):
        mass = 0.0
        for j in range(COLOURINGS):
            is_blue = seen.blues[0, other, j] & there != 0
            fits = not takes or is_blue == (took == BLUE)
            tries.now[j] = posterior[j] if fits else 0.0
            mass += tries.now[j]
        if mass == 0.0:
            continue
        if takes and seen.counts[0, other, took] == 1:
            value += mass if took == BLUE else -mass
            continue
        step_public(seen, 0, 1, side, move, took)
        if target.model != NOBODY:
            _learn(seen, side, move, tries.model)
        mixed(
            target.kind, target.trust, seen, 1, other, -1, (ply + 1) % 2, GLANCE, thought,
            tries.target,
        )  # fmt: skip
        for reply in range(EVERY_MOVE):
            value += _replied(seen, side, k, reply, tries, solved)
    return value


@kernel
def _learn(seen, side, move, chances):
    """Update at level 1 what the target believes, as it would at level 0 before the step."""
    kept = seen.belief[0, side].copy()
    believe(seen, 0, side, move, chances)
    for j in range(COLOURINGS):
        seen.belief[1, side, j] = seen.belief[0, side, j]
        seen.belief[0, side, j] = kept[j]


@kernel
def _replied(seen, side, k, reply, tries, solved):
    """Return what a reply of the target is worth to the response, times its probability."""
    other = 1 - side
    mass = 0.0
    for j in range(COLOURINGS):
        tries.after[j] = tries.now[j] * tries.target[reply, j]
        mass += tries.after[j]
    if mass == 0.0:
        return 0.0
    if reply % 5 == ESCAPE:
        return -mass
    there = turned16(1 << target_of(reply // 5, reply % 5))
    took = NOTHING
    if seen.pieces[1, side] & there:
        took = BLUE if seen.blues[1, side, k] & there else RED
        if seen.counts[1, side, took] == 1:
            return -mass if took == BLUE else mass
    step_public(seen, 1, 2, other, reply, took)
    own, blue = seen.pieces[2, side], seen.blues[2, side, k]
    if blue & GOALS:
        return mass
    best = -np.inf
    for move in range(EVERY_MOVE):
        if legal(own, blue, move):
            best = max(best, _ended(seen, side, own, blue, move, tries.after, solved))
    return best


@kernel
def _ended(seen, side, own, blue, move, weights, solved):
    """Return what a second move is worth: games that it ends, and open positions."""
    other = 1 - side
    cell = move // 5
    target = target_of(cell, move % 5)
    step, there = 1 << cell | 1 << target, turned16(1 << target)
    takes = seen.pieces[2, other] & there != 0
    mine = blue ^ step if blue >> cell & 1 else blue
    reds = (own ^ step) & ~mine
    value = 0.0
    for j in range(COLOURINGS):
        if weights[j] == 0.0:
            continue
        theirs = seen.blues[2, other, j]
        took = BLUE if theirs & there else RED
        if takes and seen.counts[2, other, took] == 1:
            value += weights[j] if took == BLUE else -weights[j]
        else:
            their_reds = seen.pieces[2, other] & ~theirs & ~there
            value -= weights[j] * worth(solved, theirs & ~there, their_reds, mine, reds)
    return value
