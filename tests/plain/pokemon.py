"""Small results of every room of pokemon; printed alike with numba's jit and without."""

import numpy as np

from gamecore import rng
from gamecore.pokemon import Solution, encode, match, player, rules, strategies
from gamecore.pokemon.montecarlo import estimates
from gamecore.pokemon.players import decide, favoured, mixture
from gamecore.pokemon.solution import _fill, _replace, _sweep

table = np.full((rules.STATES, rules.ACTIONS**2), -1, np.int32)
values, gaps = np.zeros((3, rules.STATES)), np.zeros(rules.STATES)
fresh = np.ones(rules.STATES, np.bool_)
layers = [{encode(a, b, rules.HP1, rules.HP2) for a in range(3) for b in range(3)}]
for _ in range(2):  # two turns: only what the nine openings lead to is filled in and solved
    found = set()
    for state in layers[-1]:
        _fill(state, state + 1, table)
        for after in table[state][table[state] >= 0].tolist():
            party = rules.to_replace(after)
            brought = [int(rules.replaced(after, party, m)) for m in range(3)] if party >= 0 else []
            found |= {after, *(state for state in brought if state >= 0)}
    layers.append(found)
for r, layer in enumerate(reversed(layers)):
    for state in layer:
        if r == 0:
            values[0, state] = rules.result(state)
        else:
            _sweep(state, state + 1, values[r - 1], values[r], table, fresh, gaps)
    for state in layer:
        _replace(state, state + 1, values[r])
solution, start = Solution(values, table, 0.0), (0, 0, rules.HP1, rules.HP2)
print([len(layer) for layer in layers], values.sum().hex(), table.sum(), gaps.max().hex())
A, state, s, scores = solution.payoff_matrix(*start, 2), encode(*start), rng.state(2), np.empty(5)
for noise in ("uniform", "variable", "normal"):
    a, b = strategies([[0.3, 0.7], [0.6, 0.2]], player(noise=noise, delta=0.1, average=3), 20, 1)
    print(noise, a.sum(0)[0].hex(), b.sum(0)[0].hex())
likes = player(noise="normal", delta=0.05, bias="switch", alpha=0.03, reverse=True)
print([float(p).hex() for p in mixture(A, favoured(state, 0, likes.bias), 0, likes, s)])
print(float(estimates(state, 0, 2, table, s, scores)).hex(), scores.tolist())
print([int(decide(state, 1, 2, likes, values, table, s)) for _ in range(10)])
noisy = player(noise="variable", delta=0.2, blur_replacement=True)
for first in (player(), player("random"), player("monte-carlo"), likes):
    for second in (noisy, player("monte-carlo")):
        result = match(first, second, 6, 3, solution, turns=2)
        print(result.win, result.draw, result.loss, result.classes.tolist())
print(s.tolist())
