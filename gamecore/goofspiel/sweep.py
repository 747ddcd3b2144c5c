"""Exact sweeps over the public states: values, best responses, reach, and full-width CFR.

Each is one pass over a packed graph, from the last cards to the first or the other way round. A
mixture of a node is found through its row, so the same kernels serve every abstraction.
"""

import numpy as np

from gamecore.kernel import kernel


@kernel
def settle(nodes, sign, means):
    """Write the three results, as seen by a player, behind the nodes: leaves link there."""
    means[nodes], means[nodes + 1], means[nodes + 2] = -sign, 0.0, sign


@kernel
def block_means(n, start, stop, values, means):
    """Average over the next prize: one mean per n neighbours, kept at the first of them."""
    for first in range(start, stop, n):
        total = 0.0
        for c in range(n):
            total += values[first + c]
        means[first] = total / n


@kernel
def expected(cards, starts, links, kids, rows0, rows1, policy0, policy1, values, means):
    """Return player 0's expected result when both follow their policies.

    `values` and `means` are scratch, one number per node and three more.
    """
    settle(len(rows0), 1.0, means)
    for n in range(2, cards + 1):
        stop = starts[n - 1] if n > 2 else len(rows0)
        for v in range(starts[n], stop):
            link, r0, r1 = links[n] + (v - starts[n]) * n * n, rows0[v], rows1[v]
            value = 0.0
            for a in range(n):
                inner = 0.0
                for b in range(n):
                    kid = kids[link + a * n + b]
                    inner += policy1[r1 + b] * means[kid]
                value += policy0[r0 + a] * inner
            values[v] = value
        block_means(n, starts[n], stop, values, means)
    return means[0]


@kernel
def best_response(cards, starts, links, kids, player, other_rows, other_policy, values, means):
    """Return what `player`, seeing everything, can get against the other side's policy."""
    settle(len(other_rows), 1.0 if player == 0 else -1.0, means)
    for n in range(2, cards + 1):
        own, other = (n, 1) if player == 0 else (1, n)
        stop = starts[n - 1] if n > 2 else len(other_rows)
        for v in range(starts[n], stop):
            link, row = links[n] + (v - starts[n]) * n * n, other_rows[v]
            best = -np.inf
            for x in range(n):
                total = 0.0
                for y in range(n):
                    kid = kids[link + x * own + y * other]
                    total += other_policy[row + y] * means[kid]
                best = max(best, total)
            values[v] = best
        block_means(n, starts[n], stop, values, means)
    return means[0]


@kernel
def reach(cards, starts, links, kids, player, rows, policy, weights):
    """Fill `weights` with each node's reach by `player` and the deck, the other side passing all.

    Paths that meet at a node are added up: this is how often external sampling comes there.
    """
    for v in range(len(weights)):
        weights[v] = 0.0
    weights[0] = 1.0
    for n in range(cards, 1, -1):
        own, other = (n, 1) if player == 0 else (1, n)
        stop = starts[n - 1] if n > 2 else len(rows)
        for first in range(starts[n], stop, n):  # what came together is shared by the next prizes
            share = weights[first] / n
            for c in range(n):
                weights[first + c] = share
        if n == 2:
            break
        for v in range(starts[n], stop):
            link, row = links[n] + (v - starts[n]) * n * n, rows[v]
            for x in range(n):
                share = weights[v] * policy[row + x]
                for y in range(n):
                    weights[kids[link + x * own + y * other]] += share


@kernel
def _add_regrets(
    cards, starts, links, kids, player, rows, policy, other_rows, other_policy,
    weights, values, means, regrets,
):  # fmt: skip
    """Add every node's counterfactual regrets of `player`; `weights` is the other side's reach."""
    settle(len(rows), 1.0 if player == 0 else -1.0, means)
    gains = np.empty(cards)
    for n in range(2, cards + 1):
        own, other = (n, 1) if player == 0 else (1, n)
        stop = starts[n - 1] if n > 2 else len(rows)
        for v in range(starts[n], stop):
            link, row, other_row = links[n] + (v - starts[n]) * n * n, rows[v], other_rows[v]
            value = 0.0
            for x in range(n):
                total = 0.0
                for y in range(n):
                    kid = kids[link + x * own + y * other]
                    total += other_policy[other_row + y] * means[kid]
                gains[x] = total
                value += policy[row + x] * total
            values[v] = value
            if weights[v] > 0.0:
                for x in range(n):
                    regrets[row + x] += weights[v] * (gains[x] - value)
        block_means(n, starts[n], stop, values, means)


@kernel
def _match_regrets(sizes, regrets, policy, plus):
    """Turn regrets into the next policy, row by row; `sizes` holds each row's length at its start.

    With `plus`, negative regrets are forgotten (CFR+).
    """
    row = 0
    while row < len(sizes):
        n = np.int64(sizes[row])
        total = 0.0
        for x in range(row, row + n):
            if plus:
                regrets[x] = max(regrets[x], 0.0)
            total += max(regrets[x], 0.0)
        for x in range(row, row + n):
            policy[x] = max(regrets[x], 0.0) / total if total > 0.0 else 1.0 / n
        row += n


@kernel
def _add_average(cards, starts, rows, policy, weights, factor, sums):
    """Add the policy to its running average, weighted by the player's own reach."""
    for n in range(2, cards + 1):
        stop = starts[n - 1] if n > 2 else len(rows)
        for v in range(starts[n], stop):
            for x in range(n):
                sums[rows[v] + x] += factor * weights[v] * policy[rows[v] + x]


@kernel
def normalise(sizes, sums):
    """Turn sums into mixtures in place, row by row; a row never visited becomes uniform."""
    row = 0
    while row < len(sizes):
        n = np.int64(sizes[row])
        total = 0.0
        for x in range(row, row + n):
            total += sums[x]
        for x in range(row, row + n):
            sums[x] = sums[x] / total if total > 0.0 else 1.0 / n
        row += n


@kernel
def cfr(
    cards, starts, links, kids, rows0, rows1, sizes0, sizes1, plus, first, last,
    regrets0, regrets1, policy0, policy1, sums0, sums1,
):  # fmt: skip
    """Run iterations `first` + 1 to `last` of CFR or CFR+, alternating; all arrays go on changing.

    CFR+ clips regrets at zero and weights iteration t by t. As in external sampling, a policy is
    averaged while the other player updates.
    """
    nodes = len(rows0)
    values, means = np.empty(nodes), np.empty(nodes + 3)
    reach0, reach1 = np.empty(nodes), np.empty(nodes)
    reach(cards, starts, links, kids, 1, rows1, policy1, reach1)
    for t in range(first, last):
        factor = t + 1.0 if plus else 1.0
        _add_average(cards, starts, rows1, policy1, reach1, factor, sums1)
        _add_regrets(
            cards, starts, links, kids, 0, rows0, policy0, rows1, policy1,
            reach1, values, means, regrets0,
        )  # fmt: skip
        _match_regrets(sizes0, regrets0, policy0, plus)
        reach(cards, starts, links, kids, 0, rows0, policy0, reach0)
        _add_average(cards, starts, rows0, policy0, reach0, factor, sums0)
        _add_regrets(
            cards, starts, links, kids, 1, rows1, policy1, rows0, policy0,
            reach0, values, means, regrets1,
        )  # fmt: skip
        _match_regrets(sizes1, regrets1, policy1, plus)
        reach(cards, starts, links, kids, 1, rows1, policy1, reach1)


@kernel
def unmixed(cards, starts, rows, policy, crumb):
    """Return the first node whose mixture is none: a negative number, or a sum that is not 1; −1.

    Rows must lie inside the policy.
    """
    for n in range(cards, 1, -1):
        stop = starts[n - 1] if n > 2 else len(rows)
        for v in range(starts[n], stop):
            total = 0.0
            for x in range(rows[v], rows[v] + n):
                if not policy[x] >= 0.0:
                    return v
                total += policy[x]
            if not abs(total - 1.0) <= crumb:
                return v
    return -1
