"""Small results of every room of triomineering; printed alike with numba's jit and without."""

import numpy as np

from gamecore import rng
from gamecore.triomineering import (
    PLAYERS,
    Player,
    Position,
    approximate,
    ask,
    match,
    outcome_table,
    playouts,
    rules,
    simulate,
    solve,
    think,
)

start, stream = np.uint64(Position.empty(5, 4).free), rng.state(3)
for filtering in (True, False) * 8:
    print(int(playouts.playout(start, 4, rules.fits_mask(5, 4), stream, filtering)))
print(outcome_table(8), solve(8, 4).value, solve(8, 4).outcome, solve(8, 4).positions)
mid, six = Position.empty(6, 6).play((1, 0), (3, 3)), solve(6, 6)
print(six.value_of(mid), six.payoff_matrix(mid).tolist())
print([x.tolist() for x in six.equilibrium(mid)[1:]])
for reading in ("fictitious play", "constant step", "regret matching+"):
    print([x.tolist() for x in approximate([[1, 0.5, 0.2], [0.5, 0.75, 0.9]], None, reading, 60)])
for method in PLAYERS:
    for side in "VH":
        found = think(Position.empty(4, 4), Player(method, 120), 1, side)
        print(method, side, found.visits.tolist(), found.policy.tolist())
        print(np.nan_to_num(found.means).tolist())
dilemma = np.array([[0.8, 0.0], [1.0, 0.2]])
print(simulate(dilemma, dilemma.T, Player("SimpleUCB1", 300), 1).tolist())
played = match(Player("MSUCB1.5", 80), Player("MC", 80), 3, 1, rows=4, columns=4)
print(played.wins, played.draws, played.losses, played.counts["openings"].tolist())
regret = Player(playouts=80, nash="regret matching+")
print(match(regret, Player("SimpleUCB1", 80), 3, 1, rows=4, columns=4).replay(2)[-1])
print(ask(regret, Position.of(".... .#.. .... ..#. ...."), seat=1, seed=2))
