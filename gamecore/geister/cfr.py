"""Counterfactual regret minimisation (CFR) on the public tree of a few plies of Geister.

The thesis's player (section 5.2) forgets past moves. From the pieces on the board it makes a tree:
both sides choose their colours, three plies follow, leaves are evaluated. CFR solves it, and
the mover plays its average strategy at its true colouring.

On the *public* tree (`gamecore.geister.tree`, about a hundred nodes) reach probabilities go down
and counterfactual values come up as vectors over colourings, so an iteration is some hundred small
matrix products, and the sum over histories that the definition asks for is never written out.
Doubles and no reordering of sums: regrets that are equal in theory decide between one action and
an even mixture, so the last bit matters.

From one iteration to the next most strategies stay, to the last bit: with the draws of CFR-A nine
nodes of ten are reached as before. What a node is worth to a side is computed again only if it is
*due*: if the other side comes to it otherwise, if its strategy has changed, or a child's worth.

References
----------
M. Zinkevich et al., "Regret minimization in games with incomplete information", NIPS 2007.
N. Kawakami, master's thesis, JAIST, 2021, sections 2.4, 5.2 and 5.3.
"""

import numpy as np

from gamecore.geister.tree import COLOURINGS, LANES
from gamecore.kernel import kernel

# Unsigned, as are the numbers of actions: an index that may be negative keeps loops from the
# processor's wide registers. Loops over all lanes of a node's actions at once use them.
_LANES = np.uint64(LANES)


@kernel
def iterate(tree, iterations, chosen, colours, full):
    """Run CFR from its beginning; see `go_on`."""
    begin(tree, colours)
    go_on(tree, iterations, chosen, colours, full)


@kernel
def begin(tree, colours):
    """Forget what was learnt: no regrets, and every type and action is equally likely."""
    regret, colour, colour_sum = colours[0], colours[1], colours[2]
    nodes, actions = tree.size[0], tree.start[tree.size[0]]
    for learnt in (tree.regret, tree.gain, tree.average, tree.weight):
        learnt[:actions] = 0.0
    tree.learns[:nodes] = True
    _learn(tree, tree.regret.reshape(-1), tree.gain.reshape(-1), True)
    for node in range(nodes):
        tree.learns[node] = False
        tree.due[node] = tree.live[node]
    for side in range(2):
        types = tree.size[1 + side]
        for i in range(LANES):
            regret[side, i] = 0.0
            colour[side, i] = 1.0 / types if i < types else 0.0
            colour_sum[side, i] = 0.0


@kernel
def go_on(tree, iterations, chosen, colours, full):
    """Run more iterations; `chosen` makes the types decisions (else uniform chance).

    Updates are simultaneous. `colours` holds, for both sides, the regrets, the shares and the
    summed shares of the types. With `full` averages are kept at every node, otherwise at the root
    alone, where they are played.
    """
    regret, colour, colour_sum = colours[0], colours[1], colours[2]
    values, payoffs = tree.value.reshape(-1), tree.payoff.reshape(-1)
    regrets, gains = tree.regret.reshape(-1), tree.gain.reshape(-1)
    for _ in range(iterations):
        for side in range(2):
            for i in range(LANES):
                colour_sum[side, i] += colour[side, i]
        _descend(tree, colour, full)
        _ascend(tree, -1, values, payoffs)
        _learn(tree, regrets, gains, False)
        if chosen:
            for side in range(2):
                types = tree.size[1 + side]
                choose_colours(tree.worth[0, side], regret[side], colour[side], types)


@kernel
def choose_colours(worth, regret, colour, types):
    """Update the choice of colours at the top of the tree, by the same rule."""
    value, total = 0.0, 0.0
    for i in range(types):
        value += colour[i] * worth[i]
    for i in range(types):
        regret[i] += worth[i] - value
        total += max(regret[i], 0.0)
    for i in range(types):
        colour[i] = max(regret[i], 0.0) / total if total > 0.0 else 1.0 / types


# The kernels below go over all nodes at once: a call costs as much as a node's work. Where lanes
# cannot be taken together, all six are written out: loops of six are not unrolled.


@kernel
def _descend(tree, colour, full):
    """Pass reach probabilities down to where they change, and add to average strategies."""
    reach, due, strategy, weight = tree.reach, tree.due, tree.strategy, tree.weight
    for side in range(2):
        for i in range(COLOURINGS):
            due[0, 1 - side] |= reach[0, side, i] != colour[side, i]
            reach[0, side, i] = colour[side, i]
    for node in range(tree.size[0]):
        side = tree.mover[node]
        other = 1 - side
        mine, theirs = due[node, other], due[node, side]  # whose reach can have changed
        if not (mine or theirs):
            continue
        for a in range(tree.start[node], tree.start[node + 1]):
            if mine:
                most = 0.0
                for i in range(COLOURINGS):
                    x = reach[node, side, i] * strategy[a, i]
                    weight[a, i] = x
                    most = max(most, x)
                tree.played[a] = most > 0.0
            for taken in range(2):
                c = tree.child[a, taken]
                if c < 0:
                    continue
                if mine:
                    changed = False
                    for i in range(COLOURINGS):
                        changed |= reach[c, side, i] != weight[a, i]
                        reach[c, side, i] = weight[a, i]
                    if changed:
                        due[c, other] = True
                if theirs:
                    changed = False
                    for j in range(COLOURINGS):
                        x = reach[node, other, j] * tree.possible[c, other, j]
                        changed |= reach[c, other, j] != x
                        reach[c, other, j] = x
                    if changed:
                        due[c, side] = True
    for a in range(tree.start[tree.size[0] if full else 1]):
        for i in range(COLOURINGS):
            tree.average[a, i] += weight[a, i]  # eq. 2.4


@kernel
def _ascend(tree, best, values, payoffs):
    """Compute what is due: the values of actions, and what nodes are worth to both sides.

    Side `best` (−1: neither) does not follow its strategy but takes the best action. `values` and
    `payoffs` are the tree's, in one row.
    """
    due, start, child, worth, reach = tree.due, tree.start, tree.child, tree.worth, tree.reach
    strategy, value, legal, gain = tree.strategy, tree.value, tree.legal, tree.gain
    weight, payoff, played = tree.weight, tree.payoff, tree.played
    plane = np.uint64(len(values))
    for node in range(tree.size[0] - 1, -1, -1):
        side = tree.mover[node]
        other = 1 - side
        first, last = start[node], start[node + 1]
        if due[node, side]:
            seen = False
            for k in range(first * _LANES, last * _LANES):
                values[k] = 0.0
            for j in range(tree.size[1 + other]):
                x = reach[node, other, j]
                if x > 0.0:
                    seen = True
                    row = np.uint64(j) * plane
                    for k in range(first * _LANES, last * _LANES):
                        values[k] += payoffs[row + k] * x
            v0, v1, v2, v3, v4, v5 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
            for a in range(first, last):
                for taken in range(2):
                    c = child[a, taken]
                    if c >= 0:
                        for i in range(COLOURINGS):
                            value[a, i] += worth[c, side, i]
                v0 += strategy[a, 0] * value[a, 0]
                v1 += strategy[a, 1] * value[a, 1]
                v2 += strategy[a, 2] * value[a, 2]
                v3 += strategy[a, 3] * value[a, 3]
                v4 += strategy[a, 4] * value[a, 4]
                v5 += strategy[a, 5] * value[a, 5]
            for a in range(first, last):
                gain[a, 0] = (value[a, 0] - v0) * legal[a, 0]
                gain[a, 1] = (value[a, 1] - v1) * legal[a, 1]
                gain[a, 2] = (value[a, 2] - v2) * legal[a, 2]
                gain[a, 3] = (value[a, 3] - v3) * legal[a, 3]
                gain[a, 4] = (value[a, 4] - v4) * legal[a, 4]
                gain[a, 5] = (value[a, 5] - v5) * legal[a, 5]
            tree.learns[node] = seen
            changed, v = False, (v0, v1, v2, v3, v4, v5)
            for i in range(COLOURINGS):
                x = v[i]
                if best == side:
                    x = -np.inf
                    for a in range(first, last):
                        if legal[a, i] > 0.0:
                            x = max(x, value[a, i])
                    x = x if x > -np.inf else 0.0
                changed |= x != worth[node, side, i]
                worth[node, side, i] = x
            if changed:
                due[tree.parent[node], side] = True
        if due[node, other]:
            v0, v1, v2 = worth[node, other, 0], worth[node, other, 1], worth[node, other, 2]
            v3, v4, v5 = worth[node, other, 3], worth[node, other, 4], worth[node, other, 5]
            for j in range(COLOURINGS):
                worth[node, other, j] = 0.0
            for a in range(first, last):
                if not played[a]:
                    continue
                if tree.ends[a]:
                    w0, w1, w2 = weight[a, 0], weight[a, 1], weight[a, 2]
                    w3, w4, w5 = weight[a, 3], weight[a, 4], weight[a, 5]
                    for j in range(tree.size[1 + other]):
                        worth[node, other, j] -= (
                            payoff[j, a, 0] * w0
                            + payoff[j, a, 1] * w1
                            + payoff[j, a, 2] * w2
                            + payoff[j, a, 3] * w3
                            + payoff[j, a, 4] * w4
                            + payoff[j, a, 5] * w5
                        )
                for taken in range(2):
                    c = child[a, taken]
                    if c >= 0:
                        for j in range(COLOURINGS):
                            worth[node, other, j] += worth[c, other, j] * tree.possible[c, other, j]
            changed, v = False, (v0, v1, v2, v3, v4, v5)
            for j in range(COLOURINGS):
                changed |= worth[node, other, j] != v[j]
            if changed:
                due[tree.parent[node], other] = True
        due[node, 0] = due[node, 1] = False


@kernel
def _learn(tree, regrets, gains, afresh):
    """Add this iteration's regrets (eq. 2.8), and match them (eq. 2.9) where that may matter.

    A type's strategy depends on the positive parts of its regrets: if they stay, so does it.
    `regrets` and `gains` are the tree's, in one row; `afresh` matches all.
    """
    regret, strategy, legal, start = tree.regret, tree.strategy, tree.legal, tree.start
    for node in range(tree.size[0]):
        if not tree.learns[node]:
            continue
        first, last = start[node], start[node + 1]
        lanes = np.uint64(255 if afresh else 0)
        for k in range(first * _LANES, last * _LANES):
            before, after = regrets[k], regrets[k] + gains[k]
            regrets[k] = after
            lanes |= np.uint64(max(before, 0.0) != max(after, 0.0)) << (k % _LANES)
        if not lanes:
            continue
        for i in range(COLOURINGS):
            if not lanes >> np.uint64(i) & np.uint64(1):
                continue
            total = 0.0
            for a in range(first, last):
                total += max(regret[a, i], 0.0)
            even = 0.0 if total > 0.0 else _even(legal, first, last, i)
            total = 1.0 / total if total > 0.0 else 0.0
            changed = False
            for a in range(first, last):
                share = max(regret[a, i], 0.0) * total + legal[a, i] * even
                changed |= share != strategy[a, i]
                strategy[a, i] = share
            if changed:
                tree.due[node, 0] = tree.due[node, 1] = True


@kernel
def _even(legal, first, last, i):
    """Return the probability of each legal action if all are equal."""
    able = 0.0
    for a in range(first, last):
        able += legal[a, i]
    return 1.0 / able if able > 0.0 else 0.0


@kernel
def best_response(tree, side, chosen, colour):
    """Return what `side` gets by a best response to the other side's average strategy."""
    for node in range(tree.size[0]):
        tree.due[node] = tree.live[node]
        first, last = tree.start[node], tree.start[node + 1]
        for i in range(tree.size[1 + tree.mover[node]]):
            total = 0.0
            for a in range(first, last):
                total += tree.average[a, i]
            even = _even(tree.legal, first, last, i)  # where it never came
            for a in range(first, last):
                share = tree.average[a, i] / total if total > 0.0 else tree.legal[a, i] * even
                tree.strategy[a, i] = share
    _descend(tree, colour, False)
    _ascend(tree, side, tree.value.reshape(-1), tree.payoff.reshape(-1))
    value, best = 0.0, -np.inf
    for i in range(tree.size[1 + side]):
        value += tree.worth[0, side, i] / tree.size[1 + side]
        best = max(best, tree.worth[0, side, i])
    return best if chosen else value
