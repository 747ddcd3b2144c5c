"""Small results of every room of rps; printed alike with numba's jit and without."""

from gamecore.rps import PLAYERS, match, payoff_matrix, solve

print(payoff_matrix().tolist(), [x.tolist() for x in solve()[1:]])
for first in PLAYERS:
    for second in PLAYERS:
        print(first, second, match(first, second, 200, seed=1).results.tolist())
