"""Small results of every room of daifugo; printed alike with numba's jit and without."""

from gamecore.daifugo import Rules, Sontaku, Table, legal_plays, replay, rewards, series

print([str(p) for p in legal_plays("C6 C7 C8 C9 H9 S9 D9 JO", rules=Rules(True, True))])
print([str(p) for p in legal_plays("C6 C7 C9 H9 S9 JO", "C4 H4", locked=True)])
print(legal_plays("C6 C9 JO S3", "DT", revolution=True), legal_plays("S3 H2", "JO"))
print(*series(3, 1, ["random", "greedy", "random", "greedy"]))
for ties, rules in enumerate((Rules(), Rules(True, True, False, False, 4, 1), Rules(start=2))):
    print(*series(2, 5 + ties, sontaku=Sontaku(2, 1, ties=ties), rules=rules))
record = replay(1, 7, sontaku=Sontaku(1, 1))
print(record.dealt, record.opening, record.plays, record.order, record.before)
print(record.table().log, rewards(record.table(40), 1, Sontaku(2, 3)))
table = Table(["D4 S9", "D5 HA", "C6 C7", "S3 HK"])
for _ in range(20):
    table.play(None)  # the pass limit: ranks are drawn
print(table.order)
