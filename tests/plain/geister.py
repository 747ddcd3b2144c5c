"""Small results of every room of geister; printed alike with numba's jit and without."""

from dataclasses import replace

import numpy as np

from gamecore.geister import (
    PLAYERS,
    Position,
    State,
    ask,
    best_move,
    match,
    mixture,
    retrograde,
    retrograde_hidden,
    settings,
    value,
)
from gamecore.geister.leaves import table_of
from gamecore.geister.rules import turn

solved, hidden = retrograde(3, 3, 1, 1), retrograde_hidden(3, 3)
print(solved.total, solved.wins, solved.losses, solved.draws, solved.win_histogram)
print(hidden.wins, hidden.others, hidden.win_histogram, hidden.knowing.sum(), hidden.purple.sum())
small = table_of(retrograde(4, 4, 1, 1))
print([int(np.sum(array)) for array in small])
close = Position.of("a3 b4", "c2 d4", "b2 b3", "a4 c4")
for colours in ("decision", "chance"):
    print(mixture(close, "draw", 5, colours=colours))
one, how = Position.of("b3", "c2", "a2", "d1"), settings(depth=2, iterations=3)
for player in PLAYERS:
    for chaser in (-1, turn(one.their_red, 16)):
        state = replace(State.of(one), chasers=(-1, chaser))
        print(player, ask(player, state, settings=how, table=small))
near = Position.parse("..b / B.. / r.R")
print(best_move(near), value(State.of(near)), value(State.of(near), 1))
for pair in (("random", "charge"), ("purple", "anti"), ("cfr-a", "random"), ("charge", "anti")):
    played = match(*pair, 2, seed=3, settings=settings(depth=2, iterations=2))
    print(*pair, played, [values.tolist() for values in played.counts.values()])
    print(played.replay(1)[-1])
