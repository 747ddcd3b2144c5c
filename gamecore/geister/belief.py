"""Players that remember: a belief over the opponent's colours, from its moves, as CFR's weights.

The thesis's players forget past moves, which it names as its future work (chapter 7). Here a
player holds a probability for each of the opponent's six colourings. After every move of the
opponent it multiplies them by how likely a *model* of the opponent makes that move, and so the
piece that stood on a goal and did not escape becomes red, as the thesis wishes. CFR's tree then
begins differently: with the probability `trust` the opponent's colours are drawn from the
belief, else the opponent chooses them. Trust 0 is the thesis's player; the mixture of both is that
of Johanson, Zinkevich and Bowling, here at the choice of colours alone. The own colours stay a
choice.

References
----------
* N. Kawakami, master's thesis, JAIST, 2021, sections 5.2 and 5.3, chapter 7.
* M. Johanson, M. Zinkevich and M. Bowling, "Computing robust counter-strategies", NeurIPS 20, 2008
  (restricted Nash responses).
"""

from collections import namedtuple

import numpy as np

from gamecore.bits import lowest, popcount
from gamecore.geister.cfr import begin, choose_colours, go_on, iterate
from gamecore.geister.habits import HABITS, habitual
from gamecore.geister.leaves import Lookup, no_table
from gamecore.geister.players import PLAYERS, USUAL, Scratch, decide
from gamecore.geister.public import EVERY_MOVE, legal, normalise
from gamecore.geister.rules import ESCAPE, GOALS, near, turned16
from gamecore.geister.tree import COLOURINGS, LANES, PLIES, build, new_sketch, new_tree
from gamecore.kernel import kernel

#: Who plays or is a model, beyond the six players of the thesis: by habits, or by the other
#: colour's habits. And who only plays, in `gamecore.geister.response`.
MINDS = (*PLAYERS, "habits", "liar", "response", "blind")
RANDOM, CFR_A, CFR_B, HABIT, LIAR, RESPONSE, BLIND = 0, 4, 5, 6, 7, 8, 9
NOBODY = -1  # no model
#: How often a model's move is taken to be any legal move: no colouring is ever excluded by it.
SLIP = 0.1

#: What a side plays by: its kind, the model it believes in, and how far it trusts its belief.
Mind = namedtuple("Mind", "kind model trust")
#: What is needed to think: a CFR player's memory, the habits, weights of the opponent's colourings,
#: and its free choice of them with its regrets.
Thinking = namedtuple("Thinking", "memory how habits weights free regret")


def new_thought(table: Lookup | None = None, habits: np.ndarray = HABITS) -> Thinking:
    """Return what players need to think; `table` is CFR-B's."""
    memory = Scratch(
        tree=new_tree(), sketch=new_sketch(), draws=no_table(),
        perfect=no_table() if table is None else table,
        colours=np.zeros((3, 2, LANES)), weights=np.zeros(32),
    )  # fmt: skip
    lanes = [np.zeros(LANES) for _ in range(3)]
    return Thinking(memory, USUAL, habits.astype(np.float64), *lanes)


@kernel
def trusting(tree, iterations, trust, weights, free, regret, colours):
    """Run CFR with the opponent's colours drawn from `weights` as often as `trust` says."""
    begin(tree, colours)
    types = tree.types[1]
    for j in range(LANES):
        free[j] = 1.0 / types if j < types else 0.0
        regret[j] = 0.0
        colours[1, 1, j] = (1.0 - trust) * free[j] + trust * weights[j]
    for _ in range(iterations):
        go_on(tree, 1, False, colours, False)
        choose_colours(tree.worth[0], colours[0, 0], colours[1, 0], tree.types[0])
        choose_colours(tree.worth[1], regret, free, types)
        for j in range(types):
            colours[1, 1, j] = (1.0 - trust) * free[j] + trust * weights[j]


@kernel
def mixed(kind, trust, seen, level, side, only, turned, iterations, thought, chances):
    """Write into ``chances[move, colouring]`` how a kind of player plays each possible colouring.

    With `only` ≥ 0 no other colouring is asked for, which spares those who search their time.
    """
    chances[:] = 0.0
    other = 1 - side
    own, theirs = seen.pieces[level, side], turned16(seen.pieces[level, other])
    if kind in (CFR_A, CFR_B):
        _mixed_by_cfr(kind, trust, seen, level, side, iterations, thought, chances)
        return
    their_blue, left = 0, theirs  # some colours: these players do not look at them
    for _ in range(seen.counts[level, other, 0]):
        their_blue |= left & -left
        left &= left - 1
    hunter = seen.chaser[level, other]
    hunter = turned16(hunter) if hunter >= 0 else -1
    s = np.zeros(4, np.uint64)
    for k in range(COLOURINGS):
        if seen.possible[level, side, k] == 0.0 or 0 <= only != k:
            continue
        blue = seen.blues[level, side, k]
        if kind in (HABIT, LIAR):
            habitual(own, blue, theirs, thought.habits, kind == LIAR, chances, k)
        elif kind == RANDOM and not blue & GOALS:
            moves = legal_moves(own, blue)
            for move in range(EVERY_MOVE):
                if legal(own, blue, move):
                    chances[move, k] = 1.0 / moves
        else:
            move = decide(
                kind, blue, own & ~blue, their_blue, left, hunter, turned, s, thought.how,
                thought.memory,
            )  # fmt: skip
            chances[move, k] = 1.0


@kernel
def _mixed_by_cfr(kind, trust, seen, level, side, iterations, thought, chances):
    """Solve the tree once: it has the strategies of all own colourings."""
    tree, sketch = thought.memory.tree[0], thought.memory.sketch
    table = thought.memory.draws if kind == CFR_A else thought.memory.perfect
    other = 1 - side
    own, theirs = seen.pieces[level, side], turned16(seen.pieces[level, other])
    blues, their_blues = seen.counts[level, side, 0], seen.counts[level, other, 0]
    build(tree, sketch, own, blues, theirs, their_blues, PLIES, table)
    if trust == 0.0:
        iterate(tree, iterations, True, thought.memory.colours, False)
    else:
        thought.weights[:] = 0.0
        for j in range(tree.types[1]):
            for k in range(COLOURINGS):
                same = turned16(seen.blues[level, other, k]) == sketch.other_blue[0, j]
                if same and seen.possible[level, other, k] > 0.0:
                    thought.weights[j] = seen.belief[level, other, k]
        normalise(thought.weights)
        trusting(
            tree, iterations, trust, thought.weights, thought.free, thought.regret,
            thought.memory.colours,
        )  # fmt: skip
    for k in range(COLOURINGS):
        if seen.possible[level, side, k] == 0.0:
            continue
        blue = seen.blues[level, side, k]
        if blue & GOALS:
            chances[5 * lowest(blue & GOALS) + ESCAPE, k] = 1.0
            continue
        i = 0
        while sketch.own_blue[0, i] != blue:
            i += 1
        total = 0.0
        for a in range(tree.start[1]):
            total += tree.average[a, i]
        for a in range(tree.start[1]):
            chances[5 * tree.cell[a] + tree.way[a], k] = tree.average[a, i] / total


@kernel
def believe(seen, level, side, move, chances):
    """Update what is believed of `side` by its move, given how a model plays each colouring."""
    own = seen.pieces[level, side]
    for k in range(COLOURINGS):
        blue = seen.blues[level, side, k]
        likely = 0.0
        if legal(own, blue, move):
            likely = (1.0 - SLIP) * chances[move, k] + SLIP / legal_moves(own, blue)
        seen.belief[level, side, k] *= likely
    normalise(seen.belief[level, side])


@kernel
def legal_moves(own, blue):
    """Return how many moves a side has."""
    moves = popcount(blue & GOALS)
    for cell in range(16):
        if own >> cell & 1:
            moves += popcount(near(cell) & ~own)
    return moves
