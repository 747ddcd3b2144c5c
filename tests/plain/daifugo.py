"""Small results of every room of daifugo; printed alike with numba's jit and without."""

from gamecore.daifugo import Rules, Sontaku, State, ask, legal_plays, log, rewards, series
from gamecore.daifugo.observer import think

print([str(p) for p in legal_plays("C6 C7 C8 C9 H9 S9 D9 JO", rules=Rules(True, True))])
print([str(p) for p in legal_plays("C6 C7 C9 H9 S9 JO", "C4 H4", locked=True)])
print(legal_plays("C6 C9 JO S3", "DT", revolution=True), legal_plays("S3 H2", "JO"))
played = series(3, 1, ["random", "greedy", "random", "greedy"])
print(played.ranks, played.counts, played.replay(2)[-1])
for ties, rules in enumerate((Rules(), Rules(True, True, False, False, 4, 1), Rules(start=2))):
    helped = [Sontaku(2, 1, ties=ties), *["random"] * 3]
    print(series(2, 5 + ties, helped, rules).orders)
states = series(2, 7, [Sontaku(1, 1), *["random"] * 3]).replay(1)
print(log(states), rewards(states[105], 1, Sontaku(2, 3)))
print(ask(Sontaku(2, 3), states[105], seed=1), ask("greedy", states[105]))
print(rewards(states[105], 1, Sontaku(2, 3, model=2, reward=9410, information=1)))
print(think(states[105], Sontaku(playouts=2, model=1), 2, 1).totals.tolist())
print(series(1, 3, [lambda view, generator: view.legal()[-1], "random", "greedy", Sontaku(3, 1)]))
state = State.of(["D4 S9", "D5 HA", "C6 C7", "S3 HK"])
for _ in range(20):
    state = state.play("pass")  # the pass limit: ranks are drawn
print(state, state.legal(-1))
