"""Small results of every room of goofspiel; printed alike with numba's jit and without."""

from zlib import crc32

from gamecore.goofspiel import (
    CFR,
    State,
    Trainer,
    build,
    encode,
    match,
    rules,
    solve,
    train,
    uniform,
)
from gamecore.goofspiel.tree import MOST_CARDS

state = rules.reveal(rules.initial(3), 2)
print(int(state), int(rules.outcome(rules.play(rules.reveal(rules.play(state, 3, 1), 1), 1, 3))))
print(encode(State((1, 2, 4), (1, 2, 5), 3, (1, 5), 2)))
for tree in (build(4, kind) for kind in MOST_CARDS):
    print(tree.kind, len(tree.states), crc32(tree.states.tobytes()), crc32(tree.kids.tobytes()))
exact = solve(4)
for profile in (
    uniform(4),
    exact.profile,
    CFR(4, "C").run(4),
    CFR(4, "O", recall=True).run(2),
    CFR(4, None, plus=False, histories=True).run(2),
    train(4, "CD", 50, seed=1),
    train(3, None, 50, seed=2),
    Trainer(4, None, 2, opponent="CODP").run(20),
):
    print(profile.measures(), *(crc32(policy.tobytes()) for policy in profile.policies))
print(crc32(exact.values.tobytes()), match(exact.profile, train(4, "O", 50, seed=1), 200, seed=1))
print(match(uniform(4), train(4, "CP", 20, seed=3), 100, seed=2))
