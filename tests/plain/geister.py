"""Small results of every room of geister; printed alike with numba's jit and without."""

from gamecore.geister import Position, match, mixture, retrograde, retrograde_hidden, settings
from gamecore.geister.leaves import table_of
from gamecore.geister.players import PLAYERS, choose

solved, hidden = retrograde(3, 3, 1, 1), retrograde_hidden(3, 3)
print(solved.total, solved.wins, solved.losses, solved.draws, solved.win_histogram)
print(hidden.wins, hidden.others, hidden.win_histogram, hidden.knowing.sum(), hidden.purple.sum())
small = table_of(retrograde(4, 4, 1, 1))
print([int(array.sum()) for array in small])
close = Position.of("a3 b4", "c2 d4", "b2 b3", "a4 c4")
for colours in ("decision", "chance"):
    print(mixture(close, "draw", 5, colours=colours))
one, how = Position.of("b3", "c2", "a2", "d1"), settings(depth=2, iterations=3)
for player in PLAYERS:
    for chaser in (-1, one.their_red):
        print(player, choose(player, one[:4], chaser, seed=2, settings=how, table=small))
for pair in (("random", "charge"), ("purple", "anti"), ("cfr-a", "random"), ("charge", "anti")):
    print(*pair, match(*pair, 2, seed=3, settings=settings(depth=2, iterations=2)).tolist())
