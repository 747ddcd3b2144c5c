"""Made-up rows for the judges of the Pokémon battle.

Counts and probabilities are binary fractions wherever a statistic is put exactly on a threshold.
Blocks and rows that are alike have no error; their interval is a point.
"""

from collections.abc import Mapping

import pandas as pd

from gamecore.contest import wilson
from gamecore.papers.stats import Estimate
from tests.judging import Case

NONE: Mapping = {}
OPEN = "undecided"
DELTAS = (0.05, 0.1, 0.2)
A, B = ("a1", "a2", "a3", "a4", "a5"), ("b1", "b2", "b3", "b4", "b5")
HABITS = ("attack", "switch", "effective", "ineffective")


def share(wins, games=10_000):
    return Estimate.share(wins, games)


# matrix (1), and the strategies of table 3

NASH = dict.fromkeys(A + B, 0.0) | {"a2": 0.5, "a3": 0.5, "b2": 0.5, "b4": 0.5}


def exact(losses=NONE, played=NONE):
    """Matrix (1): what unplayed actions lose (1/4, else `losses`), and probabilities by turns."""
    loss = {name: 0.0 if p else 0.25 for name, p in NASH.items()} | losses
    entries = {f"{a}{b}": 0.5 - loss[a] + loss[b] for a in A for b in B}
    return pd.DataFrame([
        {"source": f"{turns} turns", "chunk": 0, "games": 1, **entries, **NASH,
         **played.get(turns, {}), "value": 0.5, "states": 8398080}
        for turns in (18, 19, 20)
    ])  # fmt: skip


def matrix(losses=NONE, **played):
    """The same, for judges of it alone; probabilities as ``a1=…`` are those with 18 turns left."""
    return lambda: (exact(losses, {18: played}),)


def with_turns(turns, **played):
    return lambda: (exact(played={turns: played}),)


NOISY = {"a1": 0.125, "a2": 0.25, "a3": 0.375, "a4": 0.125, "a5": 0.125,
         "b1": 0.0, "b2": 0.25, "b3": 0.0, "b4": 0.625, "b5": 0.125}  # fmt: skip


def noisy(changes=NONE, loss_a=0.03125, loss_b=0.03125, zeros=NONE, spread=0.0, rows=1024):
    """Table 3: sums of two chunks of rows; means are `NOISY` but for changes by payoffs and δ.

    `zeros` are the rows of zeros, by payoffs and δ; `spread` is that of every probability.
    """
    made = []
    for payoffs in ("clipped", "free"):
        for delta in DELTAS:
            mean = NOISY | changes.get((payoffs, delta), {})
            for chunk, part in enumerate((0.25, 0.75)):
                row = {"delta": delta, "payoffs": payoffs, "chunk": chunk, "games": rows // 2,
                       "zeros": zeros.get((payoffs, delta), rows) * part}  # fmt: skip
                for name, p in mean.items():
                    row |= {f"sum_{name}": rows * part * p,
                            f"squares_{name}": rows * part * (p * p + spread**2)}  # fmt: skip
                made.append(row | {"loss_a": rows * part * loss_a, "loss_b": rows * part * loss_b})
    return pd.DataFrame(made)


def table_3(payoffs="clipped", delta=0.05, spread=0.0, rows=1024, **mean):
    return lambda: (noisy({(payoffs, delta): mean}, spread=spread, rows=rows),)


def zeros(payoffs, delta, shown):
    """Rows that show 0.00 for both bad actions, of 1024."""
    return lambda: (noisy(zeros={(payoffs, delta): shown}),)


def path(name, *means, start=0.0, spread=0.0):
    """One action's mean probability at δ = 0.05, 0.1 and 0.2, and at 0."""
    changes = {("clipped", delta): {name: mean} for delta, mean in zip(DELTAS, means)}
    return lambda: (noisy(changes, spread=spread), exact(played={18: {name: start}}))


def varied(delta=0.05, loss_a=0.03125, loss_b=0.03125, **mean):
    return lambda: (noisy({("clipped", delta): mean}, loss_a, loss_b), exact())


def two_or_three(side, third):
    """The mean strategy of one side, as two actions and a third."""
    if side == "a":
        return {"a1": 0.0, "a2": 0.5, "a3": 0.5 - third, "a4": 0.0, "a5": third}
    return {"b1": 0.0, "b2": 0.5, "b3": 0.0, "b4": 0.5 - third, "b5": third}


TWO, DROPS = "claim/two-actions", "claim/nash-drops-plausible"
THREE, BAD = "claim/three-or-more", "claim/bad-stay-zero"
GAIN, VARIED = "claim/plausible-gain", "claim/delta-nash-varied"
STRATEGIES = [
    Case("matrix_1", matrix({"a4": 0.0625}, a1=0.125), {}, {
         "section-5.2/states/total": 8398080, "matrix-1/a2/b4": 0.5, "matrix-1/a4/b4": 0.4375,
         "matrix-1/a2/b5": 0.75, "table-3/0/a1": 0.125, "table-3/0/b4": 0.5}),
    Case("matrix_1", with_turns(19, a1=0.125), {}, {"table-3/0/a1": 0.0}),
    # two actions of each side, with 18 and with 19 turns left
    Case("dropped_actions", matrix({"a4": 0.048}), {TWO: True, DROPS: True}),
    *(Case("dropped_actions", with_turns(turns, **{name: 1.05e-6}), {TWO: False})
      for turns in (18, 19) for name in ("a1", "b3")),
    Case("dropped_actions", matrix(a1=0.95e-6, b3=0.95e-6), {TWO: True}),
    Case("dropped_actions", matrix(a2=0.0), {TWO: False}),
    Case("dropped_actions", with_turns(20, a1=0.5), {TWO: True}),
    Case("dropped_actions", matrix(a1=2**-20), {TWO: True}, limits={TWO: {"least": 2**-20}}),
    # an unplayed action that loses at most 0.05
    Case("dropped_actions", matrix({"a4": 0.052}), {TWO: True, DROPS: False}),
    Case("dropped_actions", matrix({"b5": 0.048}), {DROPS: True}),
    Case("dropped_actions", matrix({"b5": 0.052}), {DROPS: False}),
    Case("dropped_actions", matrix({"a4": 0.02}, a4=1.05e-6), {DROPS: False}),
    Case("dropped_actions", matrix({"a4": 0.02}, a4=0.95e-6), {DROPS: True}),
    Case("dropped_actions", matrix({"a4": 0.0625}), {DROPS: True},
         limits={DROPS: {"most": 0.0625}}),
    # table 3
    Case("table_3", table_3(delta=0.1, a1=0.25), {}, {"table-3/0.05/a1": 0.125,
         "table-3/0.1/a1": 0.25, "table-3/0.2/b4": 0.625}),
    Case("table_3", table_3("free", a1=0.25), {}, {"table-3/0.05/a1": 0.125}),
    *(Case("noise_on_actions", table_3(payoffs, **two_or_three(side, 0.0048)), {THREE: False})
      for payoffs in ("clipped", "free") for side in "ab"),
    Case("noise_on_actions", table_3(**two_or_three("a", 0.0052), **two_or_three("b", 0.0052)),
         {THREE: True}),
    Case("noise_on_actions", table_3(delta=0.1, **two_or_three("a", 0.0)), {THREE: True}),
    # a standard error of 1/320: the third may be there, or not
    Case("noise_on_actions", table_3(spread=0.1, **two_or_three("a", 0.0052)), {THREE: OPEN}),
    Case("noise_on_actions", table_3(spread=0.1, **two_or_three("a", 0.0048)), {THREE: OPEN}),
    Case("noise_on_actions", table_3(spread=0.1), {THREE: True}),
    # 10,240 draws, 9,500, and as many as are asked for
    Case("noise_on_actions", table_3(rows=950), {THREE: None, BAD: None}),
    Case("noise_on_actions", table_3(), {THREE: True, BAD: True}, limits={THREE: {"draws": 10240}}),
    # 544 of 1024 are more than half, 480 fewer, 512 neither
    *(Case("noise_on_actions", zeros(payoffs, delta, shown), {BAD: zero})
      for payoffs in ("clipped", "free") for delta in DELTAS
      for shown, zero in ((544, True), (512, OPEN), (480, False))),
    # plausible actions gain: larger at 0.2 than at 0, and no step falls by more than 0.01
    *(Case("varied_strategies", path(name, 0.125, 0.125, 0.125, start=start), {GAIN: gain})
      for name in ("a1", "a4", "a5", "b5")
      for start, gain in ((0.1245, True), (0.125, OPEN), (0.1295, False))),
    *(Case("varied_strategies", path(name, 0.125, 0.125, 0.1145), {GAIN: False})
      for name in ("a1", "a4", "a5", "b5")),
    Case("varied_strategies", path("b5", 0.125, 0.1145, 0.125), {GAIN: False}),
    Case("varied_strategies", path("b5", 0.125, 0.1155, 0.106), {GAIN: True}),
    Case("varied_strategies", path("b5", 0.125, 0.1155, 0.106, spread=0.1), {GAIN: OPEN}),
    Case("varied_strategies", path("a4", 0.125, 0.125, 0.25, start=0.1345), {GAIN: True}),
    Case("varied_strategies", path("a4", 0.125, 0.125, 0.25, start=0.1355), {GAIN: False}),
    Case("varied_strategies", lambda: (noisy(rows=950), exact()), {GAIN: None, VARIED: None}),
    # δ-Nash is more varied than Nash, at a small loss
    Case("varied_strategies", varied(), {GAIN: True, VARIED: True}),
    *(Case("varied_strategies", varied(delta, **two_or_three(side, 0.0)), {VARIED: False})
      for delta in DELTAS for side in "ab"),
    Case("varied_strategies", varied(0.1, **two_or_three("a", 0.001), **two_or_three("b", 0.001)),
         {VARIED: True}),
    *(Case("varied_strategies", varied(**{name: loss}), {VARIED: False})
      for name in ("loss_a", "loss_b") for loss in (0.0, 0.052)),
    Case("varied_strategies", varied(loss_a=0.001, loss_b=0.048), {VARIED: True}),
    Case("varied_strategies", varied(loss_a=0.048, loss_b=0.001), {VARIED: True}),
    Case("varied_strategies", varied(loss_b=0.0625), {VARIED: True},
         limits={VARIED: {"most": 0.0625}}),
]  # fmt: skip


# the example, the nine openings, the formulas


def example(*second, games=100_000):
    deltas = (0.0, *DELTAS)
    return lambda: (pd.DataFrame({"delta": deltas, "chunk": 0, "games": games, "second": second}),)


def nine(lead1=1, lead2=2, changes=NONE, zeros=1000, spread=0.0, games=10_000):
    """All openings alike, two blocks of each, with a4 outside the support and a1 always at 0.00.

    One of them is changed: by δ; in how many of 1000 rows at δ = 0.2 a1 is at 0.00; and by how much
    a4 is larger at δ = 0.2 in one block, and smaller in the other.
    """
    rows = []
    for first in range(3):
        for second in range(3):
            changed = (first, second) == (lead1, lead2)
            for delta, a4 in ((0.0, 0.0), (0.05, 0.125), (0.1, 0.25), (0.2, 0.25)):
                row = NASH | {"a4": a4} | (changes.get(delta, {}) if changed else {})
                shown = dict.fromkeys([f"zero_{name}" for name in NASH], 0)
                if delta == 0.2:
                    shown["zero_a1"] = (zeros if changed else 1000) // 2
                for chunk, sign in enumerate((1, -1)):
                    apart = sign * spread if changed and delta == 0.2 else 0.0
                    rows.append({"lead1": first, "lead2": second, "delta": delta, "chunk": chunk,
                                 "games": games // 2, **row, "a4": row["a4"] + apart,
                                 **shown})  # fmt: skip
    return lambda: (pd.DataFrame(rows),)


def outside(none, *a4, spread=0.0):
    """One opening whose probability outside the support is a4's, but for `none` at δ = 0."""
    changes = {delta: {"a4": p} for delta, p in zip((0.0, *DELTAS), (none, *a4))}
    return nine(changes=changes, spread=spread)


def formulas(column="shift_0.0", off=0.0, row=0, size=0.03):
    """Both formulas as they should be, but for one number."""
    found = pd.DataFrame([
        {"size": x, "chunk": 0, "games": 1, "shift_0.0": x, "shift_0.5": 6 * x, "shift_1.0": x,
         "width_0.0": size, "width_0.5": 2 * size, "width_1.0": size, "rising": 50}
        for x in (size, -size)
    ])  # fmt: skip
    found.loc[row, column] += off
    return lambda: (found,)


EXAMPLE, ALL_NINE = "claim/example-50-45", "claim/all-nine-positions"
SHIFT, SHAPE = "claim/bias-shift", "claim/variable-shape"
EXACT_NUMBERS = [
    Case("example", example(0, 12_500, 28_000, 38_000), {EXAMPLE: True}),
    Case("example", example(1, 12_500, 28_000, 38_000), {EXAMPLE: False}),
    *(Case("example", example(0, second, 28_000, 38_000), {EXAMPLE: near})
      for second, near in ((11_980, False), (12_020, True), (12_980, True), (13_020, False))),
    Case("example", example(0, 17, 30, 40, games=128), {EXAMPLE: True},
         limits={EXAMPLE: {"within": 1 / 128, "draws": 128}}),
    Case("example", example(0, 11_875, 26_600, 36_100, games=95_000), {EXAMPLE: None}),
    Case("example", example(0, 12_500, 12_500, 38_000), {EXAMPLE: False}),
    Case("example", example(0, 12_500, 12_501, 12_502), {EXAMPLE: True}),
    Case("example", example(0, 12_500, 28_000, 28_000), {EXAMPLE: False}),
    Case("initial_positions", nine(), {}, {"section-5.4/initial-positions/count": 9}),
    Case("nine_positions", nine(), {ALL_NINE: True}),
    Case("nine_positions", nine(games=9_500), {ALL_NINE: None}),
    *(Case("nine_positions", outside(0.0, *a4), {ALL_NINE: same}) for a4, same in (
        ((0.25, 0.2405, 0.25), True), ((0.25, 0.2395, 0.25), False),
        ((0.25, 0.25, 0.2405), True), ((0.25, 0.25, 0.2395), False),
        ((0.01, 0.02, 0.052), True), ((0.01, 0.02, 0.048), False))),
    Case("nine_positions", outside(0.0, 0.01, 0.02, 0.052, spread=0.001), {ALL_NINE: OPEN}),
    Case("nine_positions", outside(0.0, 0.25, 0.25, 0.2405, spread=0.001), {ALL_NINE: OPEN}),
    Case("nine_positions", outside(0.95e-6, 0.125, 0.25, 0.25), {ALL_NINE: True}),
    Case("nine_positions", outside(1.05e-6, 0.125, 0.25, 0.25), {ALL_NINE: False}),
    # of 1000 rows, 536 are more than half
    *(Case("nine_positions", nine(zeros=zeros), {ALL_NINE: same})
      for zeros, same in ((536, True), (500, OPEN), (464, False))),
    *(Case("formulas", formulas(f"{name}_{p}", off, row), {claim: abs(off) < 1e-12, other: True})
      for name, claim, other in (("shift", SHIFT, SHAPE), ("width", SHAPE, SHIFT))
      for p, off, row in (("0.0", 1.05e-12, 0), ("0.5", -1.05e-12, 1), ("1.0", 1.05e-12, 1),
                          ("0.5", 0.95e-12, 0), ("1.0", -0.95e-12, 1))),
    *(Case("formulas", formulas(f"{name}_0.5", 2**-40, size=0.5), {claim: True},
           limits={claim: {"within": 2**-40}})
      for name, claim in (("shift", SHIFT), ("width", SHAPE))),
    Case("formulas", formulas("rising", -1, row=1), {SHIFT: True, SHAPE: False}),
]  # fmt: skip


# matches: sections 5.1 and 5.2, table 4

#: Kinds of actions, of which judges of win rates see nothing.
ACTIONS = {"effective": 30, "ordinary": 20, "ineffective": 30, "advantageous switch": 12,
           "other switch": 8}  # fmt: skip


def matches(names, cells, games):
    """Return two chunks for each cell, given its wins and draws."""
    rows = []
    for cell, (win, draw) in cells.items():
        for chunk, (w, d) in enumerate(((win // 2, draw // 2), (win - win // 2, draw - draw // 2))):
            row = {"chunk": chunk, "games": games // 2, "win": w, "draw": d}
            loss = {"loss": games // 2 - w - d}
            rows.append(dict(zip(names, cell)) | row | loss | ACTIONS)
    return pd.DataFrame(rows)


def pairings(monte_carlo=(960, 0), nash=(700, 0)):
    cells = {("monte-carlo", "random"): monte_carlo, ("nash", "random"): (950, 20),
             ("nash", "monte-carlo"): nash}  # fmt: skip
    return lambda: (matches(("first", "second"), cells, 1000),)


def misjudged(over=0.5, under=-0.5, live=2000, blunders=100, given=0.25, start=0.5, wins=256,
              draws=0):  # fmt: skip
    """Monte Carlo against Nash: two chunks, together 1024 games; extremes in the second one."""
    return lambda: (pd.DataFrame([
        {"first": "monte-carlo", "second": "nash", "chunk": chunk, "games": 512,
         "positions": 4000, "live": live // 2, "blunders": blunders // 2 + chunk * (blunders % 2),
         "given_away": 512 * given, "start_value": 512 * start, "wins": wins // 2,
         "draws": draws // 2, "over_error": (0.0, over)[chunk], "under_error": (0.0, under)[chunk]}
        for chunk in (0, 1)
    ]),)  # fmt: skip


#: Win rates in ten thousandths.
WINS = {("none", 0.0): 5000, ("uniform", 0.05): 4950, ("uniform", 0.1): 4700,
        ("uniform", 0.2): 4300, ("variable", 0.05): 4900, ("variable", 0.1): 4500,
        ("variable", 0.2): 3800}  # fmt: skip


def table_4(changes=NONE, games=20_000, draws=0, short=NONE):
    """Table 4 with other rates: by noise and δ, or by noise alone for all three δ.

    With 20,000 games the 95 % interval of a difference is 98 ten thousandths either way. `short`
    are cells with fewer games.
    """
    rate = dict(WINS)
    for cell, w in changes.items():
        rate |= dict(zip([(cell, d) for d in DELTAS], w)) if isinstance(cell, str) else {cell: w}
    names = ("noise", "delta")
    cells = [(cell, short.get(cell, games)) for cell in rate]
    made = [matches(names, {cell: (rate[cell] * n // 10_000 - draws // 2, draws)}, n)
            for cell, n in cells]  # fmt: skip
    return lambda: (pd.concat(made, ignore_index=True),)


BEATS_RANDOM, BEATS_MC = "claim/mc-beats-random", "claim/nash-beats-mc"
MISJUDGES, UNNATURAL = "claim/mc-misjudges", "claim/mc-unnatural-moves"
CAUSE = "claim/nash-beats-mc-cause"
FALLS, WEAKER = "claim/win-rate-falls", "claim/weaker-than-nash"
VARIABLE, CLOSE = "claim/variable-weaker", "claim/delta-0.05-close"
RANGE, SEED = "claim/promising-range", "claim/seed-above-half"
N = ("none", 0.0)
U05, U1, U2 = (("uniform", delta) for delta in DELTAS)
V05, V1, V2 = (("variable", delta) for delta in DELTAS)
MATCHES = [
    Case("pairings", pairings((960, 10), (700, 50)), {}, {"section-5.1/monte-carlo/random": 0.965,
         "section-5.2/nash/random": 0.96, "section-5.2/nash/monte-carlo": 0.725}),
    # the lower end of Wilson's interval is just above, or just below; draws are not wins
    Case("who_beats_whom", pairings((919, 0), (631, 0)), {BEATS_RANDOM: True, BEATS_MC: True}),
    Case("who_beats_whom", pairings((918, 82), (631, 0)), {BEATS_RANDOM: False, BEATS_MC: True}),
    Case("who_beats_whom", pairings((919, 0), (630, 370)), {BEATS_RANDOM: True, BEATS_MC: False}),
    Case("who_beats_whom", pairings(), {BEATS_RANDOM: False, BEATS_MC: False}, limits={
         BEATS_RANDOM: {"least": wilson(960, 1000)[0]}, BEATS_MC: {"least": wilson(700, 1000)[0]}}),
    # Monte Carlo's errors
    Case("misjudgements", misjudged(), {MISJUDGES: True, UNNATURAL: True, CAUSE: True}),
    Case("misjudgements", misjudged(over=0.205, under=-0.205), {MISJUDGES: True}),
    Case("misjudgements", misjudged(over=0.195), {MISJUDGES: False}),
    Case("misjudgements", misjudged(under=-0.195), {MISJUDGES: False}),
    Case("misjudgements", misjudged(over=0.25, under=-0.125), {MISJUDGES: True},
         limits={MISJUDGES: {"over": 0.25, "under": -0.125}}),
    *(Case("misjudgements", misjudged(live=20_000, blunders=blunders), {UNNATURAL: seen})
      for blunders, seen in ((210, True), (200, OPEN), (190, False))),
    Case("misjudgements", misjudged(blunders=21), {UNNATURAL: OPEN}),  # 10 in one block, 11 in one
    Case("misjudgements", misjudged(given=0.105, start=0.355), {CAUSE: True}),
    Case("misjudgements", misjudged(given=0.095, start=0.345), {CAUSE: False}),
    Case("misjudgements", misjudged(given=0.125, start=0.375), {CAUSE: True},
         limits={CAUSE: {"least": 0.125}}),
    # a standard error of the result is 0.01353, and 1/64 where one half is scored
    *(Case("misjudgements", misjudged(start=0.5 + gap), {CAUSE: abs(gap) < 0.0406})
      for gap in (-0.0415, -0.0395, 0.0395, 0.0415)),
    Case("misjudgements", misjudged(start=0.75 + 3 / 64, wins=448, draws=128), {CAUSE: True}),
    Case("misjudgements", misjudged(start=0.75 - 3 / 64, wins=512), {CAUSE: True}),
    # table 4
    Case("table_4", table_4(draws=100), {}, {"table-4/nash/0": 0.5, "table-4/uniform/0.05": 0.495,
         "table-4/variable/0.2": 0.38}),
    Case("weaker_with_noise", table_4(),
         {FALLS: True, WEAKER: True, VARIABLE: True, CLOSE: True, RANGE: True}),
    *(Case("weaker_with_noise", table_4({noise: wins}), {FALLS: falls})
      for noise in ("uniform", "variable") for wins, falls in (
        ((4950, 4840, 4300), True), ((4950, 4860, 4300), OPEN), ((4950, 5060, 4300), False),
        ((4950, 4700, 4590), True), ((4950, 4700, 4610), OPEN), ((4950, 4700, 4810), False))),
    *(Case("weaker_with_noise", table_4({cell: wins}), {WEAKER: weaker})
      for cell in (U1, U2, V1, V2)
      for wins, weaker in ((4890, True), (4910, OPEN), (5110, False))),
    *(Case("weaker_with_noise", table_4({V2: wins}), {VARIABLE: weaker})
      for wins, weaker in ((4195, True), (4210, OPEN), (4405, False))),
    *(Case("weaker_with_noise", table_4({cell: wins}), {CLOSE: close})
      for cell in (U05, V05) for wins, close in (
        (4590, False), (4700, OPEN), (4810, True), (5190, True), (5300, OPEN), (5410, False))),
    # every player needs the games
    *(Case(judge, made, dict.fromkeys(claims))
      for made in (table_4(games=19_000), table_4(short={V1: 19_000}))
      for judge, claims in (("weaker_with_noise", (FALLS, WEAKER, VARIABLE, CLOSE, RANGE)),
                            ("above_half", (SEED,)))),
    *(Case("weaker_with_noise", table_4({"variable": wins}), {RANGE: good}) for wins, good in (
        ((5000, 4850, 3050), True), ((5000, 4850, 2950), False), ((5000, 4950, 3050), False),
        ((5000, 3050, 4850), True), ((5000, 2950, 4850), False), ((5000, 3050, 4950), False),
        ((4501, 4500, 3800), True), ((4500, 4500, 3800), False), ((4500, 3800, 4500), False))),
    Case("weaker_with_noise", table_4({V2: 2500}), {RANGE: True}, limits={RANGE: {"low": 0.25}}),
    Case("weaker_with_noise", table_4({V1: 4375}), {RANGE: True}, limits={RANGE: {"high": 0.4375}}),
    # printed above one half: 0.528 (Nash), 0.526 and 0.516 (δ = 0.05); 0.500 is not above
    Case("above_half", table_4(), {SEED: True}),
    Case("above_half", table_4({U1: 4000, U2: 3500, V1: 3500, V2: 3000}), {SEED: True}),
    *(Case("above_half", table_4({U05: wins}), {SEED: good})
      for wins, good in ((4680, False), (4690, True), (5820, True), (5840, False))),
    *(Case("above_half", table_4({V05: wins}), {SEED: good})
      for wins, good in ((4580, False), (4590, True), (5720, True), (5740, False))),
    *(Case("above_half", table_4({N: wins}, games=1000), {SEED: good},
           limits={FALLS: {"games": 1000}}) for wins, good in ((4710, True), (4690, False))),
    Case("above_half", table_4({N: 5000, U05: 5000, V05: 5000}), {SEED: True}, limits={
         SEED: {"deviations": Estimate(0.528 - 0.5, share(250, 500).error).z}}),
    *(Case("above_half", table_4({N: wins}), {SEED: abs(wins - 5000) < 106})
      for wins in (4888, 4900, 5100, 5112)),
    Case("above_half", table_4(games=4096), {SEED: True},
         limits={SEED: {"even": 0.5 - 3 / 128}, FALLS: {"games": 4096}}),
]  # fmt: skip


# biases: table 5, figures 2 to 4


def counts(effective, ordinary, ineffective, advantageous=250, other=250):
    return {"effective": effective, "ordinary": ordinary, "ineffective": ineffective,
            "advantageous switch": advantageous, "other switch": other}  # fmt: skip


def more_of(habit, more):
    """Kinds of 1000 actions when a habit takes so many more of what it likes."""
    if habit == "effective":
        return counts(200 + more, 150 - more, 150)
    if habit == "ineffective":
        return counts(200, 150 - more, 150 + more)
    attacks = 500 + more if habit == "attack" else 500 - more
    return counts(200, attacks - 350, 150, 250, 750 - attacks)


def biases(rise=NONE, wins=NONE, games=10_000, nash=None, liker=None):
    """Two chunks for each player.

    `rise` is by payoffs and habit: how many more actions of 1000 (attacks of 500) are what it
    likes, give or take a second number; δ-Nash's chunks are alike, so the second number is the
    standard error, and the interval of two blocks is 12.7 times as wide. `wins` are of 1000 games
    (100 more in one chunk, 100 fewer in the other);
    `nash` and `liker` are the actions of the Nash player and of who likes effective attacks.
    """
    rows = []
    for payoffs, player in [("clipped", "nash")] + [
        (payoffs, player) for payoffs in ("clipped", "free") for player in ("delta-nash", *HABITS)
    ]:
        middle, spread = rise.get((payoffs, player), (100, 5)) if player in HABITS else (0, 0)
        won = wins.get((payoffs, player), 480)
        for chunk, sign in enumerate((1, -1)):
            did = more_of(player, middle + sign * spread)
            if (payoffs, player) == ("clipped", "nash") and nash:
                did = nash
            if (payoffs, player) == ("clipped", "effective") and liker:
                did = liker
            win = (won + sign * 100) * games // 1000
            rows.append({"player": player, "payoffs": payoffs, "chunk": chunk, "games": games,
                         "win": win - 10, "draw": 20, "loss": games - win - 10, **did})  # fmt: skip
    return lambda: (pd.DataFrame(rows),)


WORK, RATE = "claim/biases-work", "claim/bias-win-rate"
EVEN, HUMAN = "claim/nash-even", "claim/effective-bias-like-human"
SWITCHES = "claim/effective-bias-switches-like-nash"
BIASES = [
    Case("table_5", biases(wins={("clipped", "attack"): 470, ("free", "attack"): 400}), {}, {
         "table-5/win-rate/delta-nash": 0.48, "table-5/win-rate/attack": 0.47}),
    Case("rises", biases({("clipped", "attack"): (50, 10), ("clipped", "ineffective"): (25, 5)}),
         {}, {"section-6.1.1/rise/attack": 5.0, "section-6.1.1/rise/switch": 10.0,
              "section-6.1.1/rise/effective": 20.0, "section-6.1.1/rise/ineffective": 5.0}),
    Case("figures_2_to_4", biases(nash=counts(250, 150, 100, 300, 200)), {}, {
         "figure-2/delta-nash/attack": 0.5, "figure-2/switch-bias/switch": 0.6,
         "figure-3/effective-bias/effective": 0.6, "figure-3/ineffective-bias/ineffective": 0.5,
         "figure-4/nash/ordinary": 0.3, "figure-4/nash/advantageous-switch": 0.6,
         "figure-4/effective-bias/other-switch": 0.5}),
    *(Case("habits", biases({(payoffs, habit): (middle, 3)}), {WORK: works, RATE: True})
      for payoffs in ("clipped", "free") for habit in HABITS
      for middle, works in ((39, True), (37, OPEN), (-37, OPEN), (-39, False))),
    # the interval of a difference of rates is 10 thousandths either way
    *(Case("habits", biases(wins={("clipped", habit): wins}), {RATE: little})
      for habit in HABITS for wins, little in (
        (419, False), (430, OPEN), (441, True), (519, True), (530, OPEN), (541, False))),
    Case("habits", biases(wins={("free", "attack"): 700}), {RATE: True}),
    *(Case(judge, biases(games=9_500), dict.fromkeys(claims)) for judge, claims in (
        ("habits", (WORK, RATE)), ("figure_4", (EVEN, HUMAN, SWITCHES)))),
    # figure 4
    *(Case("figure_4", biases(nash=counts(*attacks)), {EVEN: even}) for attacks, even in (
        ((205, 300, 405), True), ((405, 205, 300), True), ((300, 405, 205), True),
        ((205, 300, 415), False), ((415, 205, 300), False), ((300, 415, 205), False),
        ((256, 256, 512), OPEN))),
    *(Case("figure_4", biases(nash=counts(350, 325, 325, switches, 1000 - switches)), {EVEN: even})
      for switches, even in ((330, False), (340, True), (660, True), (670, False))),
    *(Case("figure_4", biases(nash=counts(nash, 900 - nash, 100), liker=counts(*liker)),
           {HUMAN: human}) for nash, liker, human in (
        (400, (555, 300, 145), True), (400, (545, 300, 155), False),
        (250, (430, 420, 150), True), (250, (420, 430, 150), False),
        (250, (430, 150, 420), True), (250, (420, 150, 430), False))),
    Case("figure_4", biases(nash=counts(384, 320, 320), liker=counts(512, 256, 256)), {HUMAN: True},
         limits={HUMAN: {"least": 0.125}}),
    *(Case("figure_4", biases(nash=counts(200, 150, 150, 500, 500),
                              liker=counts(300, 100, 100, switches, 1000 - switches)),
           {SWITCHES: abs(switches - 500) < 100}) for switches in (395, 405, 595, 605)),
    Case("figure_4", biases(nash=counts(200, 150, 150, 500, 500),
                            liker=counts(200, 150, 150, 510, 490)), {SWITCHES: False}),
    Case("figure_4", biases(nash=counts(256, 384, 384, 512, 512),
                            liker=counts(512, 256, 256, 640, 384)), {SWITCHES: OPEN}),
]  # fmt: skip


# openings

#: Leads and party where the other's type has 1.5 against the own one, and where it has 1.
BAD_OPENINGS = ((0, 1, 1), (0, 2, 2), (1, 1, 2), (1, 2, 1), (2, 0, 1))
EVEN_OPENINGS = ((1, 0, 1), (1, 0, 2), (2, 1, 1), (2, 1, 2))


def openings(bad, others=0.125, even=0.125, games=5000):
    """Probabilities of a switch, in the five bad openings and elsewhere.

    With 5000 draws the interval of one half is 0.014 either way, that of means half of that.
    """
    switch = dict.fromkeys(EVEN_OPENINGS, even) | dict(zip(BAD_OPENINGS, bad, strict=True))
    return lambda: (pd.DataFrame([
        {"lead1": a, "lead2": b, "chunk": 0, "games": games,
         **{f"switch{party}": switch.get((a, b, party), others) for party in (1, 2)}}
        for a in range(3) for b in range(3)
    ]),)  # fmt: skip


LEAVES = "claim/attack-bias-still-switches"
OPENINGS = [
    *(Case("openings", openings([most if k == i else 0.25 for k in range(5)]), {LEAVES: leaves})
      for i in range(5) for most, leaves in ((0.52, True), (0.5, OPEN), (0.48, False))),
    Case("openings", openings([0.45] * 5, even=0.52), {LEAVES: False}),
    *(Case("openings", openings([0.55] * 4 + [last], others=0.55, even=0.55), {LEAVES: leaves})
      for last, leaves in ((0.6, True), (0.55, OPEN), (0.5, False))),
    Case("openings", openings([0.75] * 5, games=2000), {LEAVES: True}),
    Case("openings", openings([0.75] * 5, games=1900), {LEAVES: None}),
]  # fmt: skip

CASES = STRATEGIES + EXACT_NUMBERS + MATCHES + BIASES + OPENINGS
