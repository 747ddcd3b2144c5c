"""Small results of every room of goofspiel; printed alike with numba's jit and without."""

from zlib import crc32

from gamecore.game import randomly
from gamecore.goofspiel import (
    CFR,
    State,
    Trainer,
    ask,
    build,
    encode,
    match,
    rules,
    solve,
    start,
    train,
    uniform,
)
from gamecore.goofspiel.tree import MOST_CARDS

state = rules.reveal(rules.initial(3), 2)
print(int(state), int(rules.outcome(rules.play(rules.reveal(rules.play(state, 3, 1), 1), 1, 3))))
print(encode(State(5, ((1, 2, 4), (1, 2, 5)), 3, (1, 5), 2)))
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
print(crc32(exact.values.tobytes()))
for first, second in (
    ("nash", train(4, "O", 50, seed=1)),
    (uniform(4), train(4, "CP", 20, seed=3)),
):
    played = match(first, second, 200, seed=1)
    print(played, crc32(played.results.tobytes()), *played.replay(7))
print(match("prize", randomly, 20, seed=3, cards=4).results.tolist())
print(ask("nash", start(4).play("3"), seat=1))
