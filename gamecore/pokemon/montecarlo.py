"""Primitive Monte Carlo (原始モンテカルロ): random playouts, and what they say on actions."""

import numpy as np

from gamecore import rng
from gamecore.kernel import kernel
from gamecore.pokemon import rules

#: Playouts for every pair of actions (section 5.1).
PLAYOUTS = 20


@kernel
def playout(state, turns, table, results, sizes, s):
    """Finish a game at random and return party 1's result."""
    while True:
        party = rules.to_replace(table, state)
        if party >= 0:
            after = np.int64(-1)
            while after < 0:
                after = rules.replaced(table, state, rng.below(s, sizes[party]))
            state = after
        if turns == 0 or not rules.can_act(table, state):
            return results[state]
        after = np.int64(-1)
        while after < 0:  # both sides uniform over their legal actions
            after = np.int64(table[state, rng.below(s, table.shape[1])])
        state = after
        turns -= 1


@kernel
def estimates(state, party, turns, lookup, s, scores):
    """Write Monte Carlo's score of each action of `party`: wins over all replies; return the mean.

    The mean result over all playouts (a draw one half) is what it believes the position is worth.
    An action that is not legal has the score −1.
    """
    table, results, sizes = lookup.table, lookup.values[0], lookup.sizes
    actions = lookup.actions
    mean, pairs = 0.0, 0
    for i in range(actions):
        scores[i] = -1.0
    for i in range(actions):
        for j in range(actions):
            after = np.int64(table[state, actions * i + j])
            if after < 0:
                continue
            own = i if party == 0 else j
            scores[own] = max(scores[own], 0.0)
            pairs += 1
            for _ in range(PLAYOUTS):
                result = playout(after, turns - 1, table, results, sizes, s)
                result = result if party == 0 else 1.0 - result
                mean += result
                scores[own] += result == 1.0
    return mean / (pairs * PLAYOUTS)


@kernel
def best_score(scores, reverse):
    """Return the first (or, numbered backwards, the last) action with the highest score."""
    best = 0
    for action in range(1, len(scores)):
        if scores[action] > scores[best] or (reverse and scores[action] == scores[best]):
            best = action
    return best
