"""Counterfactual regret minimisation (CFR) on the public tree of a few plies of Geister.

The thesis's player (section 5.2) forgets past moves. From the pieces on the board it makes a tree:
both sides choose their colours, three plies follow, leaves are evaluated. CFR solves it, and
the mover plays its average strategy at its true colouring.

On the *public* tree (`gamecore.geister.tree`, about eighty nodes) reach probabilities go down and
counterfactual values come up as vectors over colourings, so an iteration is some hundred small
matrix products, and the sum over histories that the definition asks for is never written out.
Doubles and no reordering of sums: regrets that are equal in theory decide between one action and
an even mixture, so the last bit matters.

References
----------
M. Zinkevich et al., "Regret minimization in games with incomplete information", NIPS 2007.
N. Kawakami, master's thesis, JAIST, 2021, sections 2.4, 5.2 and 5.3.
"""

import numpy as np

from gamecore.geister.tree import BY_BOTH, BY_OTHER, COLOURINGS, LANES
from gamecore.kernel import kernel


@kernel
def iterate(tree, iterations, chosen, colours, full):
    """Run CFR from its beginning; see `go_on`."""
    begin(tree, colours)
    go_on(tree, iterations, chosen, colours, full)


@kernel
def begin(tree, colours):
    """Forget what was learnt: no regrets, and every type and action is equally likely."""
    regret, colour, colour_sum = colours[0], colours[1], colours[2]
    for node in range(tree.size[0]):
        tree.due[node] = True
    for a in range(tree.start[tree.size[0]]):
        for i in range(LANES):
            tree.regret[a, i] = 0.0
            tree.average[a, i] = 0.0
    for side in range(2):
        for i in range(LANES):
            regret[side, i] = 0.0
            colour[side, i] = 1.0 / tree.size[1 + side] if i < tree.size[1 + side] else 0.0
            colour_sum[side, i] = 0.0
    _match_regrets(tree)


@kernel
def go_on(tree, iterations, chosen, colours, full):
    """Run more iterations; `chosen` makes the types decisions (else uniform chance).

    Updates are simultaneous. `colours` holds, for both sides, the regrets, the shares and the
    summed shares of the types. With `full` averages are kept at every node, otherwise at the root
    alone, where they are played.
    """
    regret, colour, colour_sum = colours[0], colours[1], colours[2]
    for _ in range(iterations):
        for side in range(2):
            for i in range(LANES):
                colour_sum[side, i] += colour[side, i]
        _descend(tree, colour, full)
        _ascend(tree, -1)
        _learn(tree)
        _match_regrets(tree)
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


# Each kernel below goes over all nodes at once, and writes its six lanes out: a call costs as much
# as a node's work, and inner loops of six are not unrolled.


@kernel
def _match_regrets(tree):
    """Set strategies from regrets (eq. 2.9) wherever regrets have changed."""
    regret, strategy, legal, start = tree.regret, tree.strategy, tree.legal, tree.start
    due = tree.due
    for node in range(tree.size[0]):
        if not due[node]:
            continue
        t0, t1, t2, t3, t4, t5 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for a in range(start[node], start[node + 1]):
            t0 += max(regret[a, 0], 0.0)
            t1 += max(regret[a, 1], 0.0)
            t2 += max(regret[a, 2], 0.0)
            t3 += max(regret[a, 3], 0.0)
            t4 += max(regret[a, 4], 0.0)
            t5 += max(regret[a, 5], 0.0)
        even0 = 0.0 if t0 > 0.0 else _even(legal, start[node], start[node + 1], 0)
        even1 = 0.0 if t1 > 0.0 else _even(legal, start[node], start[node + 1], 1)
        even2 = 0.0 if t2 > 0.0 else _even(legal, start[node], start[node + 1], 2)
        even3 = 0.0 if t3 > 0.0 else _even(legal, start[node], start[node + 1], 3)
        even4 = 0.0 if t4 > 0.0 else _even(legal, start[node], start[node + 1], 4)
        even5 = 0.0 if t5 > 0.0 else _even(legal, start[node], start[node + 1], 5)
        t0 = 1.0 / t0 if t0 > 0.0 else 0.0
        t1 = 1.0 / t1 if t1 > 0.0 else 0.0
        t2 = 1.0 / t2 if t2 > 0.0 else 0.0
        t3 = 1.0 / t3 if t3 > 0.0 else 0.0
        t4 = 1.0 / t4 if t4 > 0.0 else 0.0
        t5 = 1.0 / t5 if t5 > 0.0 else 0.0
        for a in range(start[node], start[node + 1]):
            strategy[a, 0] = max(regret[a, 0], 0.0) * t0 + legal[a, 0] * even0
            strategy[a, 1] = max(regret[a, 1], 0.0) * t1 + legal[a, 1] * even1
            strategy[a, 2] = max(regret[a, 2], 0.0) * t2 + legal[a, 2] * even2
            strategy[a, 3] = max(regret[a, 3], 0.0) * t3 + legal[a, 3] * even3
            strategy[a, 4] = max(regret[a, 4], 0.0) * t4 + legal[a, 4] * even4
            strategy[a, 5] = max(regret[a, 5], 0.0) * t5 + legal[a, 5] * even5


@kernel
def _even(legal, first, last, i):
    """Return the probability of each legal action if all are equal."""
    able = 0.0
    for a in range(first, last):
        able += legal[a, i]
    return 1.0 / able if able > 0.0 else 0.0


@kernel
def _descend(tree, colour, full):
    """Pass reach probabilities down, and add to average strategies (eq. 2.4)."""
    reach, seen, strategy, average = tree.reach, tree.seen, tree.strategy, tree.average
    weight, heavy, possible = tree.weight, tree.heavy, tree.possible
    for side in range(2):
        seen[0, side] = True
        for i in range(LANES):
            reach[0, side, i] = colour[side, i]
    for node in range(tree.size[0]):
        if not tree.live[node]:
            continue
        side = tree.mover[node]
        own_seen, other_seen = seen[node, side], seen[node, 1 - side]
        keep = (full or node == 0) and own_seen
        for a in range(tree.start[node], tree.start[node + 1]):
            heavy[a] = 0.0
            if own_seen:
                for i in range(COLOURINGS):
                    weight[a, i] = reach[node, side, i] * strategy[a, i]
                    heavy[a] += weight[a, i]
            if keep:
                for i in range(COLOURINGS):
                    average[a, i] += weight[a, i]
            for taken in range(2):
                child = tree.child[a, taken]
                if child >= 0:
                    seen[child, side] = heavy[a] > 0.0
                    total = 0.0
                    if heavy[a] > 0.0:
                        for i in range(COLOURINGS):
                            reach[child, side, i] = weight[a, i]
                    if other_seen:
                        for j in range(COLOURINGS):
                            there = reach[node, 1 - side, j] * possible[child, 1 - side, j]
                            reach[child, 1 - side, j] = there
                            total += there
                    seen[child, 1 - side] = total > 0.0


@kernel
def _ascend(tree, best):
    """Compute the values of all actions, and what every node is worth to both sides.

    A side's values only count where the other side comes, so zero reach spares half of the work.
    Side `best` (−1: neither) does not follow its strategy but takes the best action.
    """
    reach, seen, strategy, payoff, value = (
        tree.reach, tree.seen, tree.strategy, tree.payoff, tree.value
    )  # fmt: skip
    worth, weight, heavy, ends, child = tree.worth, tree.weight, tree.heavy, tree.ends, tree.child
    for node in range(tree.size[0] - 1, -1, -1):
        if not tree.live[node]:
            continue
        side = tree.mover[node]
        other = 1 - side
        types = tree.size[1 + other]
        first, last = tree.start[node], tree.start[node + 1]
        v0, v1, v2, v3, v4, v5 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        if seen[node, other]:
            for a in range(first, last):
                c0, c1, c2, c3, c4, c5 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
                if ends[a] == BY_BOTH:
                    for j in range(types):
                        x = reach[node, other, j]
                        if x > 0.0:
                            c0 += payoff[a, j, 0] * x
                            c1 += payoff[a, j, 1] * x
                            c2 += payoff[a, j, 2] * x
                            c3 += payoff[a, j, 3] * x
                            c4 += payoff[a, j, 4] * x
                            c5 += payoff[a, j, 5] * x
                elif ends[a] == BY_OTHER:
                    for j in range(types):
                        c0 += payoff[a, j, 0] * reach[node, other, j]
                    c1, c2, c3, c4, c5 = c0, c0, c0, c0, c0
                for taken in range(2):
                    c = child[a, taken]
                    if c >= 0 and seen[c, other]:
                        c0 += worth[c, side, 0]
                        c1 += worth[c, side, 1]
                        c2 += worth[c, side, 2]
                        c3 += worth[c, side, 3]
                        c4 += worth[c, side, 4]
                        c5 += worth[c, side, 5]
                value[a, 0] = c0
                value[a, 1] = c1
                value[a, 2] = c2
                value[a, 3] = c3
                value[a, 4] = c4
                value[a, 5] = c5
                v0 += strategy[a, 0] * c0
                v1 += strategy[a, 1] * c1
                v2 += strategy[a, 2] * c2
                v3 += strategy[a, 3] * c3
                v4 += strategy[a, 4] * c4
                v5 += strategy[a, 5] * c5
        worth[node, side, 0] = v0
        worth[node, side, 1] = v1
        worth[node, side, 2] = v2
        worth[node, side, 3] = v3
        worth[node, side, 4] = v4
        worth[node, side, 5] = v5
        if side == best and seen[node, other]:
            for i in range(tree.size[1 + side]):
                top = -np.inf
                for a in range(first, last):
                    if tree.legal[a, i] > 0.0:
                        top = max(top, value[a, i])
                worth[node, side, i] = top if top > -np.inf else 0.0
        for j in range(types):
            worth[node, other, j] = 0.0
        if not seen[node, side]:
            continue
        for a in range(first, last):
            if heavy[a] == 0.0:
                continue
            if ends[a] == BY_BOTH:
                for j in range(types):
                    worth[node, other, j] -= (
                        payoff[a, j, 0] * weight[a, 0]
                        + payoff[a, j, 1] * weight[a, 1]
                        + payoff[a, j, 2] * weight[a, 2]
                        + payoff[a, j, 3] * weight[a, 3]
                        + payoff[a, j, 4] * weight[a, 4]
                        + payoff[a, j, 5] * weight[a, 5]
                    )
            elif ends[a] == BY_OTHER:
                for j in range(types):
                    worth[node, other, j] -= payoff[a, j, 0] * heavy[a]
            for taken in range(2):
                c = child[a, taken]
                if c >= 0:
                    for j in range(types):
                        worth[node, other, j] += worth[c, other, j] * tree.possible[c, other, j]


@kernel
def _learn(tree):
    """Add this iteration's regrets (eq. 2.8) wherever the other side comes."""
    regret, value, legal, worth = tree.regret, tree.value, tree.legal, tree.worth
    for node in range(tree.size[0]):
        side = tree.mover[node]
        due = tree.live[node] and tree.seen[node, 1 - side]
        tree.due[node] = due
        if due:
            v0, v1, v2 = worth[node, side, 0], worth[node, side, 1], worth[node, side, 2]
            v3, v4, v5 = worth[node, side, 3], worth[node, side, 4], worth[node, side, 5]
            for a in range(tree.start[node], tree.start[node + 1]):
                regret[a, 0] += (value[a, 0] - v0) * legal[a, 0]
                regret[a, 1] += (value[a, 1] - v1) * legal[a, 1]
                regret[a, 2] += (value[a, 2] - v2) * legal[a, 2]
                regret[a, 3] += (value[a, 3] - v3) * legal[a, 3]
                regret[a, 4] += (value[a, 4] - v4) * legal[a, 4]
                regret[a, 5] += (value[a, 5] - v5) * legal[a, 5]


@kernel
def best_response(tree, side, chosen, colour):
    """Return what `side` gets by a best response to the other side's average strategy."""
    for node in range(tree.size[0]):
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
    _ascend(tree, side)
    value, best = 0.0, -np.inf
    for i in range(tree.size[1 + side]):
        value += tree.worth[0, side, i] / tree.size[1 + side]
        best = max(best, tree.worth[0, side, i])
    return best if chosen else value
