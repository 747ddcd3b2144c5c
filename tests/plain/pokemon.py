"""Small results of every room of pokemon; printed alike with numba's jit and without."""

import numpy as np

from gamecore import rng
from gamecore.game import randomly
from gamecore.pokemon import Solution, ask, decode, encode, match, player, rules, strategies
from gamecore.pokemon.montecarlo import estimates
from gamecore.pokemon.parties import CLASSES, PAPER
from gamecore.pokemon.perception import favoured, mixture
from gamecore.pokemon.players import decide
from gamecore.pokemon.solution import _fill, _replace, _results, _sweep

states, setup = PAPER.states, PAPER.setup
table = np.full((states, setup.actions**2), -1, np.int32)
values, gaps = np.zeros((3, states)), np.zeros(states)
fresh = np.ones(states, np.bool_)
layers = [{encode(a, b, rules.HP1, rules.HP2) for a in range(3) for b in range(3)}]
for _ in range(2):  # two turns: only what the nine openings lead to is filled in and solved
    found = set()
    for state in layers[-1]:
        _fill(state, state + 1, table, setup)
        for after in table[state][table[state] >= 0].tolist():
            _fill(after, after + 1, table, setup)
            waits = rules.to_replace(table, after) >= 0
            found |= {after, *(table[after][table[after] >= 0].tolist() if waits else [])}
    layers.append(found)
for state in layers[-1]:
    _fill(state, state + 1, table, setup)
for r, layer in enumerate(reversed(layers)):
    for state in layer:
        if r == 0:
            _results(state, state + 1, values[0], setup)
        else:
            _sweep(state, state + 1, values[r - 1], values[r], table, setup.actions, fresh, gaps)
    for state in layer:
        _replace(state, state + 1, values[r], table, setup)
solution, start = Solution(values, table, 0.0), (0, 0, rules.HP1, rules.HP2)
print([len(layer) for layer in layers], values.sum().hex(), table.sum(), gaps.max().hex())
A, state, s, scores = solution.payoff_matrix(*start, 2), encode(*start), rng.state(2), np.empty(5)
for noise in ("uniform", "variable", "normal"):
    a, b = strategies([[0.3, 0.7], [0.6, 0.2]], player(noise=noise, delta=0.1, average=3), 20, 1)
    print(noise, a.sum(0)[0].hex(), b.sum(0)[0].hex())
likes = player(noise="normal", delta=0.05, bias="switch", alpha=0.03, reverse=True)
known, numbers = solution.lookup, likes.settings
liked = favoured(state, 0, numbers.bias, known)
print([float(p).hex() for p in mixture(A, liked, 0, numbers, s)])
print(float(estimates(state, 0, 2, known, s, scores)).hex(), scores.tolist())
print([int(decide(state, 1, 2, numbers, known, s)) for _ in range(10)])
noisy = player(noise="variable", delta=0.2, blur_replacement=True)
for first in (player(), player("random"), player("monte-carlo"), likes):
    for second in (noisy, player("monte-carlo")):
        result = match(first, second, 6, 3, solution, turns=2)
        print(result.results.tolist(), [result.counts[name].tolist() for name in CLASSES])
        print(result.replay(5)[-1])
        print(ask(first, result.replay(5)[1], 1, solution=solution))
print(match(randomly, likes, 3, 4, solution, turns=2).results.tolist(), decode(state))
print(s.tolist())
