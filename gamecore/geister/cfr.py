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
And most nodes have learnt what they can: what they play gains nothing and all else loses, the same
in each iteration, so that only regrets fall which are below 0. Such a node rests until it is due,
and then first adds what it has missed, as often as it has missed it.

References
----------
M. Zinkevich et al., "Regret minimization in games with incomplete information", NIPS 2007.
N. Kawakami, master's thesis, JAIST, 2021, sections 2.4, 5.2 and 5.3.
"""

from gamecore.geister.sets import add, following, has, preceding, remove
from gamecore.geister.tree import COLOURINGS, LANES
from gamecore.kernel import kernel
from gamecore.vector import load, some, spread, store, where

_LOWEST = -1e9  # less than any payoff


@kernel
def iterate(tree, iterations, chosen, colours, full):
    """Run CFR from its beginning; see `go_on`."""
    begin(tree, colours)
    go_on(tree, iterations, chosen, colours, full)


@kernel
def begin(tree, colours):
    """Forget what was learnt: no regrets, and every type and action is equally likely."""
    regret, colour, colour_sum = colours[0], colours[1], colours[2]
    nodes, actions = tree.nodes, tree.start[tree.nodes]
    for learnt in (tree.regret, tree.average, tree.weight):
        learnt[:actions] = 0.0
    for node in range(nodes):
        able = spread(0.0)
        for a in range(tree.start[node], tree.start[node + 1]):
            able = able + load(tree.legal, a)
        even = spread(1.0) / where(able, able, spread(1.0))
        for a in range(tree.start[node], tree.start[node + 1]):
            store(tree.uniform, a, load(tree.legal, a) * even)
            store(tree.strategy, a, load(tree.uniform, a))
    tree.clock = 0
    tree.settled[:nodes] = 0
    tree.learns[:] = 0
    _all_due(tree)
    for side in range(2):
        types = tree.types[side]
        for i in range(LANES):
            regret[side, i] = 0.0
            colour[side, i] = 1.0 / types if i < types else 0.0
            colour_sum[side, i] = 0.0


@kernel
def _all_due(tree):
    """Have everything computed that can be worth something."""
    tree.due[:] = 0
    for node in range(tree.nodes):
        if tree.live[node]:
            add(tree.due, 2 * node)
            add(tree.due, 2 * node + 1)


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
        if chosen:
            for side in range(2):
                types = tree.types[side]
                choose_colours(tree.worth[side], regret[side], colour[side], types)


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


# Below, a side at a node is a *row*: two times the node, plus the side.


@kernel
def _descend(tree, colour, full):
    """Pass reach probabilities down to where they change, and add to average strategies."""
    due, start, reach, possible = tree.due, tree.start, tree.reach, tree.possible
    for side in range(2):
        if put(reach, side, load(colour, side)):
            add(due, 1 - side)
    row = following(due, 0)
    while row >= 0:
        node = row // 2
        mine = 2 * node + tree.mover[node]
        theirs = mine ^ 1
        passes, meets = has(due, theirs), has(due, mine)  # whose reach can have changed
        for a in range(start[node], start[node + 1]):
            if passes:
                weight = load(reach, mine) * load(tree.strategy, a)
                store(tree.weight, a, weight)
                tree.played[a] = some(weight)
            for taken in range(2):
                c = tree.child[a, taken]
                if c < 0:
                    continue
                my, their = 2 * c + mine % 2, 2 * c + theirs % 2
                if passes and put(reach, my, load(tree.weight, a)):
                    add(due, their)
                if meets and put(reach, their, load(reach, theirs) * load(possible, their)):
                    add(due, my)
        row = following(due, 2 * node + 2)
    for a in range(start[tree.nodes if full else 1]):
        store(tree.average, a, load(tree.average, a) + load(tree.weight, a))  # eq. 2.4


@kernel
def _ascend(tree, best):
    """Compute what is due: the values of actions, and what nodes are worth to both sides.

    Side `best` (−1: neither) does not follow its strategy but takes the best action.
    """
    due, start, child, ends, value = tree.due, tree.start, tree.child, tree.ends, tree.value
    reach, possible, worth, payoff = tree.reach, tree.possible, tree.worth, tree.payoff
    row = preceding(due, 2 * tree.nodes)
    while row >= 0:
        node, side = row // 2, row % 2
        first, last = start[node], start[node + 1]
        total = spread(0.0)
        if tree.mover[node] == side:
            for a in range(first, last):
                found = spread(0.0)
                if ends[a]:
                    found = _paid(payoff, 2 * a, reach, row ^ 1)
                for taken in range(2):
                    c = child[a, taken]
                    if c >= 0:
                        found = found + load(worth, 2 * c + side)
                store(value, a, found)
                total = total + load(tree.strategy, a) * found
            if not has(tree.learns, node):
                _settle(tree.regret, tree.gain, first, last, tree.clock - tree.settled[node])
                add(tree.learns, node)
            for a in range(first, last):
                store(tree.gain, a, (load(value, a) - total) * load(tree.legal, a))
            if best == side:
                total = _best(value, tree.legal, first, last)
        else:
            for a in range(first, last):
                if not tree.played[a]:
                    continue
                if ends[a]:
                    total = total + _paid(payoff, 2 * a + 1, tree.weight, a)
                for taken in range(2):
                    c = child[a, taken]
                    if c >= 0:
                        kept = load(worth, 2 * c + side) * load(possible, 2 * c + side)
                        total = total + kept
        if put(worth, row, total):
            add(due, 2 * tree.parent[node] + side)
        remove(due, row)
        row = preceding(due, row)


@kernel
def _paid(payoff, which, chances, row):
    """Return what an end pays the types of one side, by the chances of the other's."""
    total = spread(0.0)
    for k in range(COLOURINGS):
        x = chances[row, k]
        if x > 0.0:
            total = total + load(payoff, COLOURINGS * which + k) * spread(x)
    return total


@kernel
def _best(value, legal, first, last):
    """Return the value of each type's best action, 0 if it has none."""
    best = spread(_LOWEST)
    for a in range(first, last):
        more = load(value, a) - best
        best = where(load(legal, a), where(more, load(value, a), best), best)
    return where(best - spread(_LOWEST), best, spread(0.0))


@kernel
def _settle(regret, gain, first, last, missed):
    """Add the regrets of iterations in which a node was at rest."""
    for a in range(first, last):
        more = load(gain, a)
        if some(more):
            total = load(regret, a)
            for _ in range(missed):
                total = total + more
            store(regret, a, total)


@kernel
def _learn(tree):
    """Add this iteration's regrets (eq. 2.8), and match them (eq. 2.9) where that may matter.

    Strategies depend on the positive parts of regrets: if they stay, so does the strategy, and if
    nothing rises, they stay in iterations to come.
    """
    regret, gain, start, zero = tree.regret, tree.gain, tree.start, spread(0.0)
    node = following(tree.learns, 0)
    while node >= 0:
        first, last = start[node], start[node + 1]
        moves = rises = False
        for a in range(first, last):
            before, more = load(regret, a), load(gain, a)
            after = before + more
            store(regret, a, after)
            moves |= some(where(after, after, zero) - where(before, before, zero))
            rises |= some(where(more, more, zero))
        if moves:
            if _match(regret, tree.uniform, tree.strategy, first, last):
                add(tree.due, 2 * node)
                add(tree.due, 2 * node + 1)
        elif not rises:
            remove(tree.learns, node)
            tree.settled[node] = tree.clock + 1
        node = following(tree.learns, node + 1)
    tree.clock += 1


@kernel
def _match(regret, uniform, strategy, first, last):
    """Play in proportion to positive regrets; say whether that changes a strategy."""
    total, zero, changes = spread(0.0), spread(0.0), False
    for a in range(first, last):
        total = total + where(load(regret, a), load(regret, a), zero)
    share = spread(1.0) / where(total, total, spread(1.0))
    for a in range(first, last):
        matched = where(load(regret, a), load(regret, a), zero) * share
        changes |= put(strategy, a, where(total, matched, load(uniform, a)))
    return changes


@kernel
def put(matrix, row, vector):
    """Store a vector; say whether that changes anything."""
    changes = some(load(matrix, row) - vector)
    store(matrix, row, vector)
    return changes


@kernel
def best_response(tree, side, chosen, colour):
    """Return what `side` gets by a best response to the other side's average strategy."""
    _all_due(tree)
    for node in range(tree.nodes):
        first, last = tree.start[node], tree.start[node + 1]
        for i in range(tree.types[tree.mover[node]]):
            total = 0.0
            for a in range(first, last):
                total += tree.average[a, i]
            for a in range(first, last):
                came = total > 0.0
                share = tree.average[a, i] / total if came else tree.uniform[a, i]
                tree.strategy[a, i] = share
    _descend(tree, colour, False)
    _ascend(tree, side)
    value, best = 0.0, _LOWEST
    for i in range(tree.types[side]):
        value += tree.worth[side, i] / tree.types[side]
        best = max(best, tree.worth[side, i])
    return best if chosen else value
