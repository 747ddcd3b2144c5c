"""Made-up rows for the judges of Synchronized Triomineering.

Scores are V-D-H. That 4-996-0 is ahead and 3-997-0 is not, and other pairs on either side of a
threshold, follows from the normal intervals of the published tests. Where a statistic stands
exactly on its threshold, the limit is set to an end of that interval, or the numbers are such that
nothing is rounded.
"""

from itertools import product

import pandas as pd

from gamecore.papers.triomineering.estimates import Score
from tests.judging import Case


def matches(*cells):
    """Rows of matches, two chunks for each ``(cell, score)``."""
    rows = []
    for cell, score in cells:
        first = [n // 2 for n in score]
        for chunk, part in enumerate((first, [n - k for n, k in zip(score, first, strict=True)])):
            results = dict(zip("VDH", part, strict=True))
            rows.append({**cell, "chunk": chunk, "games": sum(part), **results})
    return pd.DataFrame(rows)


def by(key, scores):
    """Rows of matches that differ in one parameter."""
    return matches(*(({key: value}, score) for value, score in scores.items()))


def one(score, v="MSUCB1.5", h="MSUCB1"):
    """Rows of the only match of an experiment."""
    return lambda: (matches(({"v": v, "h": h}, score)),)


# ------------------------------------------------------------------------------ exact facts


def boards(four=None, six=None, eight=None):
    """Rows of ``solved``, as they would be if all that the paper says were true."""
    facts = [
        {"rows": 4, "columns": 4, "value": 0.5, "outcome": "D", "v_moves": 8, "h_moves": 9,
         "v_orbits": 2, "v_correct": "1 2 5 6", "h_correct": "4 5 8 9", "half": "False"},
        {"rows": 6, "columns": 6, "value": 0.5, "outcome": "D", "v_moves": 24, "h_moves": 24,
         "v_orbits": 6, "v_correct": "1 2", "h_correct": "6", "half": "False"},
        {"rows": 8, "columns": 4, "value": 0.75, "outcome": "VD", "v_moves": 24, "h_moves": 16,
         "v_orbits": 6, "v_correct": "", "h_correct": "", "half": "True"},
    ]  # fmt: skip
    changes = four or {}, six or {}, eight or {}
    return pd.DataFrame([a | b for a, b in zip(facts, changes, strict=True)])


def solved(**changes):
    return lambda: (boards(**changes),)


VALUES = {"V": 1.0, "D": 0.5, "H": 0.0, "VD": 0.75, "HD": 0.25, "VHD": 0.5}


def outcomes(*missing, **changes):
    """All boards to m + n = 14 but the missing ones: first one of each class, then draws."""
    values = VALUES | changes
    sizes = [(m, n) for m in range(1, 14) for n in range(1, 15 - m)]
    classes = [*values.items(), *[("D", 0.5)] * (len(sizes) - len(values))]
    return lambda: (
        pd.DataFrame(
            {"rows": m, "columns": n, "chunk": 0, "games": 1, "outcome": name, "value": x}
            for (m, n), (name, x) in zip(sizes, classes, strict=True)
            if (m, n) not in missing
        ),
    )


def classed(holds, *missing, **changes):
    return Case("outcomes", outcomes(*missing, **changes), {"claim/solved/to-14": holds})


EXACT = [
    Case("solved", solved(), {
        "claim/solved/4x4-v": True, "claim/solved/4x4-h": True, "claim/solved/6x6-draw": True,
        "claim/solved/6x6-no-mixing": True, "claim/solved/8x4-vd": True,
        "claim/solved/8x4-half": True,
    }, {"section-6.2/4x4/legal-v": 8, "section-6.2/4x4/legal-h": 9,
        "section-6.2/4x4/reduced-v": 2}),
    Case("solved", solved(four={"v_correct": "1 2 5"}),
         {"claim/solved/4x4-v": False, "claim/solved/4x4-h": True}),
    Case("solved", solved(four={"v_correct": "1 2 5 6 9"}), {"claim/solved/4x4-v": False}),
    Case("solved", solved(four={"h_correct": "4 5 9"}),
         {"claim/solved/4x4-v": True, "claim/solved/4x4-h": False}),
    Case("solved", solved(four={"h_correct": "4 6 8 9"}), {"claim/solved/4x4-h": False}),
    Case("solved", solved(six={"outcome": "VHD"}), {"claim/solved/6x6-draw": False}),
    Case("solved", solved(six={"value": 0.53125}), {"claim/solved/6x6-draw": False}),
    Case("solved", solved(six={"value": 0.46875}), {"claim/solved/6x6-draw": False}),
    Case("solved", solved(six={"v_correct": ""}), {"claim/solved/6x6-no-mixing": False}),
    Case("solved", solved(six={"h_correct": ""}), {"claim/solved/6x6-no-mixing": False}),
    Case("solved", solved(eight={"outcome": "VHD"}),
         {"claim/solved/8x4-vd": False, "claim/solved/8x4-half": True}),
    Case("solved", solved(eight={"value": 0.78125}),
         {"claim/solved/8x4-vd": True, "claim/solved/8x4-half": False}),
    Case("solved", solved(eight={"value": 0.71875}), {"claim/solved/8x4-half": False}),
    Case("solved", solved(eight={"half": "False"}), {"claim/solved/8x4-half": False}),
    classed(True),
    *(classed(False, board) for board in ((1, 13), (13, 1), (7, 7), (6, 6))),
    *(classed(False, V=x) for x in (0.96875, 1.03125)),
    *(classed(False, D=x) for x in (0.46875, 0.53125)),
    *(classed(False, H=x) for x in (-0.03125, 0.03125)),
    *(classed(True, VD=x) for x in (0.53125, 0.96875)),
    *(classed(False, VD=x) for x in (0.46875, 0.5, 1.0, 1.03125)),
    *(classed(True, HD=x) for x in (0.03125, 0.46875)),
    *(classed(False, HD=x) for x in (-0.03125, 0.0, 0.5, 0.53125)),
    *(classed(True, VHD=x) for x in (0.03125, 0.96875)),
    *(classed(False, VHD=x) for x in (-0.03125, 0.0, 1.0, 1.03125)),
]  # fmt: skip


# --------------------------------------------------------------------------------- figure 3


def gaps(**changes):
    """Mean gaps at 2×2, 8×8 and 24×24: fictitious at 2000 rounds, the others at 200."""
    found = {"fictitious": (0.01, 0.02, 0.03), "step": (0.01, 0.02, 0.04),
             "regret": (0.001, 0.002, 0.003)} | changes  # fmt: skip
    judged = {"fictitious play": ("fictitious", 2000), "constant step": ("step", 200),
              "regret matching+": ("regret", 200)}  # fmt: skip
    return lambda: (
        pd.DataFrame(
            {"method": method, "size": size, "rounds": rounds, "chunk": 0, "games": 100,
             "gap": found[short][k] if rounds == which else 0.9, "squares": 0.0}
            for method, (short, which) in judged.items()
            for k, size in enumerate((2, 8, 24))
            for rounds in (100, 200, 500, 2000)
        ),
    )  # fmt: skip


PLAY, STEP, PROVEN = (
    f"claim/nash/{x}" for x in ("fictitious-play", "constant-step", "proven-is-better")
)
NASH = [
    Case("nash", gaps(), {PLAY: True, STEP: True, PROVEN: True}),
    Case("nash", gaps(fictitious=(0.05, 0.05, 0.05)), {PLAY: True, STEP: True}),
    Case("nash", gaps(fictitious=(0.01, 0.01, 0.0501)), {PLAY: False, STEP: True}),
    Case("nash", gaps(fictitious=(0.0501, 0.01, 0.01)), {PLAY: False}),
    Case("nash", gaps(fictitious=(0.0499,) * 3), {PLAY: True}),
    Case("nash", gaps(step=(0.05, 0.05, 0.05)), {PLAY: True, STEP: True}),
    Case("nash", gaps(step=(0.01, 0.0501, 0.01)), {PLAY: True, STEP: False}),
    Case("nash", gaps(step=(0.0499,) * 3), {STEP: True}),
    Case("nash", gaps(regret=(0.009, 0.019, 0.039)), {PROVEN: True}),
    Case("nash", gaps(regret=(0.009, 0.019, 0.04)), {PROVEN: False}),
    Case("nash", gaps(regret=(0.011, 0.001, 0.001)), {PROVEN: False}),
]


# ---------------------------------------------------------------------------------- matches


def table_2(few=(4, 996, 0), many=(4, 996, 0)):
    return lambda: (by("mc", {10_000: few, 100_000: many}),)


FEW, MANY, GAIN = (f"claim/mc/{x}" for x in ("ahead-10000", "ahead-100000", "no-gain"))
#: Of 1000 games V wins 100, and 128, which is just significantly more.
WON, LESS = Score(128, 872, 0), Score(100, 900, 0)
MONTE_CARLO = [
    Case("table_2", table_2(), {FEW: True, MANY: True, GAIN: True}, {
        "table-2/mc-10000/v": 0.004, "table-2/mc-10000/d": 0.996, "table-2/mc-10000/h": 0.0}),
    Case("table_2", table_2(many=(300, 500, 200)), {}, {
        "table-2/mc-100000/v": 0.3, "table-2/mc-100000/d": 0.5, "table-2/mc-100000/h": 0.2}),
    Case("table_2", table_2(few=(3, 997, 0)), {FEW: False, MANY: True}),
    Case("table_2", table_2(many=(3, 997, 0)), {FEW: True, MANY: False}),
    Case("table_2", table_2(), {FEW: False, MANY: True},
         limits={FEW: {"least": Score(4, 996, 0).lead().low}}),
    Case("table_2", table_2(), {FEW: True, MANY: False},
         limits={MANY: {"least": Score(4, 996, 0).lead().low}}),
    # V loses 27, 28, 58, 59 of 1000 games: 1.90, 1.97, 3.88, 3.94 standard errors of the payoff
    *(Case("table_2", table_2(few=(v, 1000 - v, 0), many=LESS), {GAIN: holds})
      for v, holds in {127: True, 128: "undecided", 158: "undecided", 159: False}.items()),
    Case("table_2", table_2(few=LESS, many=(200, 800, 0)), {GAIN: True}),
    Case("table_2", table_2(), {GAIN: True}, limits={GAIN: {"errors": 0.0}}),
    # with four times the games: beyond the paper's band, by more than our own noise, or less
    *(Case("table_2", table_2(few=(v, 4000 - v, 0), many=(400, 3600, 0)), {GAIN: holds})
      for v, holds in {508: True, 514: "undecided", 600: False}.items()),
]  # fmt: skip

DEPTH, BEHIND = "claim/depth/msucb1.5-ahead", "claim/simple/ucb0.5-behind"
AHEAD = [
    Case("depth", one((4, 996, 0)), {DEPTH: True}),
    Case("depth", one((3, 997, 0)), {DEPTH: False}),
    Case("depth", one((4, 996, 0)), {DEPTH: False},
         limits={DEPTH: {"least": Score(4, 996, 0).lead().low}}),
    Case("depth", one((200, 700, 100)), {DEPTH: True}, {
        "section-6.3/msucb1.5-msucb1/v": 0.2, "section-6.3/msucb1.5-msucb1/d": 0.7,
        "section-6.3/msucb1.5-msucb1/h": 0.1}),
    Case("simple_half", one((4, 996, 0), h="SimpleUCB0.5"), {BEHIND: True}),
    Case("simple_half", one((3, 997, 0), h="SimpleUCB0.5"), {BEHIND: False}),
    Case("simple_half", one((4, 996, 0), h="SimpleUCB0.5"), {BEHIND: False},
         limits={BEHIND: {"least": Score(4, 996, 0).lead().low}}),
    Case("simple_half", one((200, 700, 100), h="SimpleUCB0.5"), {BEHIND: True}, {
        "section-6.6.1/msucb1.5-simpleucb0.5/v": 0.2,
        "section-6.6.1/msucb1.5-simpleucb0.5/d": 0.7,
        "section-6.6.1/msucb1.5-simpleucb0.5/h": 0.1}),
]  # fmt: skip


def table_4(scores=None):
    """V wins 100 games of 1000 for c from 0.3 to 0.7, and 75 outside, just significantly less."""
    settled = {c: (100, 900, 0) if 0.3 <= c <= 0.7 else (75, 925, 0)
               for c in (0.05, 0.1, 0.3, 0.5, 0.7, 1.0, 2.0)}  # fmt: skip
    return lambda: (by("c", settled | (scores or {})),)


FLAT, WORSE = "claim/c/flat", "claim/c/worse-outside"


def flat(holds, limits=None, **wins):
    """V's wins of 1000 games at c = 0.3, 0.5 and 0.7, called ``c3``, ``c5``, ``c7``."""
    scores = {int(c[1]) / 10: (v, 1000 - v, 0) for c, v in wins.items()}
    return Case("table_4", table_4(scores), {FLAT: holds}, limits={FLAT: limits or {}})


PARAMETER = [
    Case("table_4", table_4(), {FLAT: True, WORSE: True}, {
        "table-4/c-0.05/v": 0.075, "table-4/c-0.5/d": 0.9, "table-4/c-2/h": 0.0}),
    # one against 100, upwards and downwards: 1.90, 1.97, 3.88, 3.94, 1.90, 1.98, 3.86, 4.06 errors
    *(flat(holds, c7=v) for v, holds in {
        127: True, 128: "undecided", 158: "undecided", 159: False,
        76: True, 75: "undecided", 54: "undecided", 52: False}.items()),
    # each pair
    *(flat("undecided", **{low: 86, high: 114})
      for low, high in (("c3", "c5"), ("c3", "c7"), ("c5", "c7"), ("c7", "c3"))),
    flat(True, {"errors": 0.0}),
    *(Case("table_4", table_4({c: (76, 924, 0)}), {FLAT: True, WORSE: "undecided"})
      for c in (0.05, 0.1, 1.0, 2.0)),
    *(Case("table_4", table_4({c: (127, 873, 0)}), {WORSE: "undecided"}) for c in (0.05, 2.0)),
    *(Case("table_4", table_4({c: (128, 872, 0)}), {WORSE: False}) for c in (0.05, 0.1, 1.0, 2.0)),
    Case("table_4", table_4(), {WORSE: "undecided"},
         limits={WORSE: {"most": Score(75, 925, 0).payoff().minus(LESS.payoff()).high}}),
]  # fmt: skip


# ---------------------------------------------------------------------- what a draw is worth


def model():
    """Rows of ``draw-model``; they only matter for what is said in words."""
    return by("u", dict.fromkeys((0.0, 0.25, 0.6, 0.7, 0.75, 0.8, 0.9, 1.0), (100, 400, 100)))


def table_5(scores=None):
    """Draws rise and losses fall with U; V wins less below 0.5, and at 1 nine of ten are drawn."""
    settled = {0.0: (80, 500, 420), 0.25: (90, 550, 360), 0.5: (100, 600, 300),
               0.75: (90, 700, 210), 1.0: (50, 900, 50)}  # fmt: skip
    return lambda: (by("u", settled | (scores or {})), model())


def coarse(name, holds, scores=None, most=None):
    identity = f"claim/draw/{name}"
    changed = {identity: most} if most else {}
    return Case("table_5", table_5(scores), {identity: holds}, limits=changed)


HALF_DRAWN = Score(0, 500, 500)  # compared with it, 544 draws are significantly more, 543 are not
COARSE = [
    Case("table_5", table_5(), {
        "claim/draw/more-draws": True, "claim/draw/low-no-more-wins": True,
        "claim/draw/low-loses": True, "claim/draw/u1-draws": True,
    }, {"table-5/u-0/v": 0.08, "table-5/u-0.25/d": 0.55, "table-5/u-1/h": 0.05}),
    # each step: 544 of 1000 are significantly more than 500, 543 are not
    *(coarse("more-draws", holds, dict.fromkeys((0.25, 0.5, 0.75, 1.0), HALF_DRAWN)
             | {0.0: (0, 400, 600), u: (0, draws, 1000 - draws)})
      for u in (0.25, 0.5, 0.75) for draws, holds in ((543, True), (544, False))),
    coarse("more-draws", True, {0.0: (0, 543, 457), 0.25: HALF_DRAWN}),
    coarse("more-draws", False, {0.0: (0, 544, 456), 0.25: HALF_DRAWN}),
    # from 0 to 1
    *(coarse("more-draws", holds, {
        0.0: (0, first, 1000 - first), 0.25: (0, 510, 490), 0.5: (0, 520, 480),
        0.75: (0, 530, 470), 1.0: (0, last, 1000 - last)})
      for first, last, holds in ((500, 544, True), (500, 543, "undecided"), (543, 500, "undecided"),
                                 (544, 502, "undecided"), (544, 500, False))),
    coarse("more-draws", "undecided", {0.0: HALF_DRAWN, 1.0: (0, 900, 100)}, {
        "least": Score(0, 900, 100).share("D").minus(HALF_DRAWN.share("D")).low}),
    # wins against 100 of 1000
    coarse("low-no-more-wins", True, {0.0: (127, 500, 373)}),
    coarse("low-no-more-wins", False, {0.0: (128, 500, 372)}),
    coarse("low-no-more-wins", True, {0.25: (127, 550, 323)}),
    coarse("low-no-more-wins", False, {0.25: (128, 550, 322)}),
    coarse("low-no-more-wins", True, {0.0: (128, 500, 372)},
           {"most": Score(128, 500, 372).share("V").minus(LESS.share("V")).low}),
    # payoffs
    coarse("low-loses", False, {0.25: (80, 500, 420)}),  # as at 0
    coarse("low-loses", True, {0.25: (81, 500, 419)}),
    coarse("low-loses", False, {0.25: (100, 600, 300)}),  # as at 0.5
    coarse("low-loses", True, {0.25: (100, 599, 301)}),
    coarse("low-loses", True, {0.5: (100, 900, 0), 0.25: (99, 901, 0), 0.0: (75, 925, 0)}),
    coarse("low-loses", False, {0.5: (100, 900, 0), 0.25: (99, 901, 0), 0.0: (76, 924, 0)}),
    coarse("low-loses", False, {0.5: (100, 900, 0), 0.25: (99, 901, 0), 0.0: (75, 925, 0)},
           {"most": Score(75, 925, 0).payoff().minus(LESS.payoff()).high}),
    coarse("u1-draws", False, {1.0: (50, 899, 51)}),
    coarse("u1-draws", True, {1.0: (50, 901, 49)}),
]  # fmt: skip


def table_6(scores=None):
    """Draws rise, losses fall, wins stay up to 0.9, where the payoff is best; at 1 they drop."""
    settled = {0.5: (1000, 8000, 1000), 0.6: (1000, 8100, 900), 0.7: (1000, 8200, 800),
               0.8: (1000, 8300, 700), 0.9: (1000, 9000, 0), 1.0: (300, 9700, 0)}  # fmt: skip
    return lambda: (by("u", settled | (scores or {})), model())


def fine(name, holds, scores=None, most=None):
    identity = f"claim/draw/{name}"
    changed = {identity: most} if most else {}
    return Case("table_6", table_6(scores), {identity: holds}, limits=changed)


def steps(name, u, v, start, ends):
    """V's wins of 1000 games at `u`, and what must come out for each number of them at `v`."""
    for end, holds in ends.items():
        yield fine(name, holds, {u: (start, 1000 - start, 0), v: (end, 1000 - end, 0)})


FINE = [
    Case("table_6", table_6(), {
        "claim/draw/losses-fall": True, "claim/draw/wins-stay": True,
        "claim/draw/payoff-rises": True, "claim/draw/u1-wins-drop": True,
        "claim/draw/u1-payoff-drops": True, "claim/draw/best-below-win": True,
    }, {"table-6/u-0.5/v": 0.1, "table-6/u-0.7/d": 0.82, "table-6/u-0.6/h": 0.09}),
    # draws against 500, losses against 100 of 1000
    *(fine("losses-fall", holds, {0.5: (400, 500, 100), 0.9: (1000 - d - h, d, h)})
      for d, h, holds in ((544, 75, True), (543, 75, "undecided"), (544, 76, "undecided"),
                          (457, 75, "undecided"), (456, 75, False),
                          (544, 127, "undecided"), (544, 128, False))),
    # wins against 360, nine tenths of 400 of 1000
    *steps("wins-stay", 0.5, 0.9, 400, {401: True, 400: "undecided", 321: "undecided", 320: False}),
    # payoffs against 100-900-0
    *steps("payoff-rises", 0.5, 0.9, 100,
           {128: True, 127: "undecided", 76: "undecided", 75: False}),
    fine("payoff-rises", "undecided", {0.5: LESS, 0.9: WON},
         {"least": WON.payoff().minus(LESS.payoff()).low}),
    *steps("u1-payoff-drops", 0.9, 1.0, 100,
           {75: True, 76: "undecided", 127: "undecided", 128: False}),
    fine("u1-payoff-drops", "undecided", {0.9: LESS, 1.0: (75, 925, 0)},
         {"most": Score(75, 925, 0).payoff().minus(LESS.payoff()).high}),
    # wins against half of 400 of 1000
    *steps("u1-wins-drop", 0.9, 1.0, 400,
           {172: True, 173: "undecided", 230: "undecided", 231: False}),
    # the payoff's rise to 0.9, from 100 wins, and its fall after that
    *(fine("best-below-win", holds, {0.5: LESS, 0.9: (v, 1000 - v, 0), 1.0: (w, 1000 - w, 0)})
      for v, w, holds in ((200, 100, True), (110, 50, "undecided"), (200, 190, "undecided"),
                          (200, 300, False), (50, 10, False), (110, 109, "undecided"))),
]  # fmt: skip


# ------------------------------------------------------------------------------ simple UCB


def simple(few=(0, 400, 0), many=(0, 400, 0)):
    return by("simple", {20_000: few, 100_000: many})


def table_7(**scores):
    return lambda: (simple(**scores),)


EVEN, EVEN_MANY, HIGHER = (
    f"claim/simple/{x}" for x in ("ucb1-even-20000", "ucb1-even-100000", "ucb1-ahead-100000")
)
LEAD = Score(4, 396, 0)


def even(holds, score, **limits):
    """Both matches with the same 2000 games."""
    return Case("table_7", table_7(few=score, many=score), {EVEN: holds, EVEN_MANY: holds},
                limits={EVEN: limits, EVEN_MANY: limits})  # fmt: skip


TABLE_7 = [
    Case("table_7", table_7(many=(0, 399, 1)),
         {EVEN: True, EVEN_MANY: True, HIGHER: "undecided"}, {
        "table-7/simpleucb1-20000/d": 1.0, "table-7/simpleucb1-100000/h": 1 / 400,
        "table-7/simpleucb1-100000/v": 0.0}),
    *(Case("table_7", table_7(many=score), {HIGHER: holds}) for score, holds in (
        ((0, 1996, 4), True), ((0, 1997, 3), "undecided"), ((0, 2000, 0), "undecided"),
        ((3, 1997, 0), "undecided"), ((4, 1996, 0), False))),
    # in units of the error of 400 games: 1.96, 2.01, 2.82, 2.86, and 0.87 = 1.95996/√5 is our own
    *(even(holds, score)
      for k, holds in {19: True, 20: "undecided", 39: "undecided", 40: False}.items()
      for score in ((k, 2000 - k, 0), (0, 2000 - k, k))),
    even(True, (0, 2000, 0), errors=0.0),
    Case("table_7", table_7(few=(40, 1960, 0)), {EVEN: False, EVEN_MANY: True}),
    Case("table_7", table_7(many=(40, 1960, 0)), {EVEN: True, EVEN_MANY: False}),
]  # fmt: skip


def eight(score=(200, 200, 0), **scores):
    return lambda: (*one(score, h="SimpleUCB1")(), simple(**scores))


LEVEL, NONE = "claim/8x4/even", "claim/simple/no-advantage"
BEST = Score(220, 180, 0)
EIGHT = [
    Case("eight_by_four", eight(), {LEVEL: True, NONE: True}, {
        "section-6.6.2/msucb1.5-simpleucb1/v": 0.5, "section-6.6.2/msucb1.5-simpleucb1/d": 0.5,
        "section-6.6.2/msucb1.5-simpleucb1/h": 0.0}),
    Case("eight_by_four", eight((219, 181, 0)), {LEVEL: True, NONE: True}),
    Case("eight_by_four", eight(BEST), {LEVEL: False, NONE: False}),
    Case("eight_by_four", eight((181, 219, 0)), {LEVEL: True, NONE: True}),
    Case("eight_by_four", eight((180, 220, 0)), {LEVEL: False, NONE: True}),
    Case("eight_by_four", eight(BEST), {LEVEL: True, NONE: True}, limits={
        LEVEL: {"value": BEST.payoff().low}, NONE: {"payoff": BEST.payoff().low}}),
    Case("eight_by_four", eight(BEST), {LEVEL: True}, limits={
        LEVEL: {"value": BEST.payoff().high}}),
    Case("eight_by_four", eight(few=(3, 397, 0), many=(3, 397, 0)), {NONE: True}),
    Case("eight_by_four", eight(few=LEAD), {LEVEL: True, NONE: False}),
    Case("eight_by_four", eight(many=LEAD), {LEVEL: True, NONE: False}),
    Case("eight_by_four", eight(few=LEAD), {NONE: True}, limits={
        NONE: {"lead": LEAD.lead().low}}),
]  # fmt: skip


# --------------------------------------------------------------------------- search counts

REPLIES = ("(0,0)", "(0,1)", "(1,0)", "(1,1)", "(2,0)", "(2,1)", "(3,0)", "(3,1)")
PAIRS = [f"{v} {h}" for v in ("(0,0)", "(0,1)") for h in REPLIES]
CORRECT = [f"(0,1) {h}" for h in ("(1,0)", "(1,1)", "(2,0)", "(2,1)")]


def searches(method, c, others, visits=None, shares=None):
    """Rows of two searches: a share `others` of 10,000 playouts evenly on pairs not correct."""
    mean = {pair: 2500 * (1 - others) if pair in CORRECT else 10_000 * others / 12
            for pair in PAIRS} | (visits or {})  # fmt: skip
    one, two = shares or (others, others)
    return [
        {"method": method, "c": c, "chunk": k, "games": 1, **mean, "others": x, "squares": x * x}
        for k, x in enumerate((one, two))
    ]


def counts(mixed=0.5, simple=0.25, wide=0.75, visits=None, wide_shares=None, shares=None):
    """Shares on pairs that are not correct: of MSUCB1, of SimpleUCB1 with c = 0.5 and c = 1."""
    rows = [
        *searches("MSUCB1", 0.5, mixed, visits),
        *searches("SimpleUCB1", 0.5, simple, None, shares),
        *searches("SimpleUCB1", 1.0, wide, None, wide_shares),
    ]
    return lambda: (pd.DataFrame(rows), boards())


def rare(low, high=10.0, least=2000.0):
    """Mean visits of MSUCB1: of two pairs that are not correct, and of a correct one."""
    return {"(0,0) (0,0)": low, "(0,1) (3,1)": high, CORRECT[0]: least}


GATHER, NOTHING, SIMPLE, NEGLECT, SPREAD = (
    f"claim/search/{x}"
    for x in ("msucb1-concentrates", "msucb1-overlooks-nothing", "simpleucb1-concentrates",
              "simpleucb1-neglects", "simpleucb1-c-spreads")
)  # fmt: skip
#: Two values m ± d have the error d, and with the other search's 0 one degree of freedom: the t
#: quantile is tan(0.475 π) = 12.706.
SEARCH = [
    Case("search_counts", counts(),
         {GATHER: True, NOTHING: True, SIMPLE: True, NEGLECT: "undecided", SPREAD: True},
         {"table-3/msucb1/correct": 0.5, "table-8/simpleucb1-c-0.5/correct": 0.75,
          "table-8/simpleucb1-c-1/correct": 0.25}),
    Case("search_counts", counts(mixed=0.51, simple=0.49), {GATHER: False, SIMPLE: True}),
    Case("search_counts", counts(mixed=0.49, simple=0.51), {GATHER: True, SIMPLE: False}),
    Case("search_counts", counts(simple=0.5), {GATHER: True, SIMPLE: True}),
    Case("search_counts", counts(visits=rare(1.05)), {NOTHING: True}),
    Case("search_counts", counts(visits=rare(1.0)), {NOTHING: False}),
    Case("search_counts", counts(visits=rare(0.5)), {NOTHING: False}),
    Case("search_counts", counts(visits=rare(2.0, 1199.0, 1200.0)), {NOTHING: True}),
    Case("search_counts", counts(visits=rare(2.0, 1200.0, 1200.0)), {NOTHING: False}),
    Case("search_counts", counts(visits=rare(2.0, 1201.0, 1200.0)), {NOTHING: False}),
    Case("search_counts", counts(mixed=0.5, simple=0.26), {NEGLECT: False}),
    Case("search_counts", counts(mixed=0.5, simple=0.24), {NEGLECT: True}),
    *(Case("search_counts", counts(simple=mean, shares=(mean - d, mean + d)), {NEGLECT: holds})
      for mean, d, holds in ((0.24, 0.0007, True), (0.24, 0.0009, "undecided"),
                             (0.26, 0.0009, "undecided"), (0.26, 0.0007, False))),
    Case("search_counts", counts(wide=0.5, wide_shares=(0.5 - 0.019, 0.5 + 0.019)),
         {SPREAD: True}),
    Case("search_counts", counts(wide=0.5, wide_shares=(0.5 - 0.020, 0.5 + 0.020)),
         {SPREAD: False}),
    Case("search_counts", counts(wide=0.75), {SPREAD: False}, limits={SPREAD: {"least": 0.5}}),
    Case("search_counts", counts(wide=0.25), {SPREAD: False}),
]  # fmt: skip


# ------------------------------------------------------------------------ prisoner's dilemma

CORNERS = ("a1b1", "a1b2", "a2b1", "a2b2")


PAYOFFS = list(product((0.5, 0.6, 0.7, 0.8, 0.9), (0.1, 0.2, 0.3, 0.4)))


def grid(simple=None, mixed=None, some=PAYOFFS, pairs=PAYOFFS):
    """Rows of ``dilemma-grid``: other visits with `some` payoffs, two searches in two chunks."""
    settled = {"SimpleUCB1": (90_000, 2000, 2000, 6000), "MSUCB1": (10, 10, 10, 99_970)}
    others = settled | {name: visits for name, visits in
                        (("SimpleUCB1", simple), ("MSUCB1", mixed)) if visits}  # fmt: skip
    return pd.DataFrame(
        {"method": method, "R": R, "P": P, "chunk": chunk, "games": 1,
         **dict(zip(CORNERS, (others if (R, P) in some else settled)[method], strict=True))}
        for method in settled for R, P in pairs for chunk in range(2)
    )  # fmt: skip


def dilemma(elsewhere=None, **changes):
    """Rows of ``dilemma``: mean visits of the four pairs, ``simple_100``, …, ``mixed_100000``.

    `elsewhere` are the arguments of `grid`.
    """
    settled = {"simple_100": (30, 10, 20, 40), "simple_1000": (300, 100, 200, 400),
               "simple_10000": (3000, 1000, 2000, 4000),
               "simple_100000": (84_000, 4000, 4000, 8000),
               "mixed_100": (25, 25, 25, 25), "mixed_1000": (250, 250, 250, 250),
               "mixed_10000": (10, 11, 12, 9967),
               "mixed_100000": (100, 200, 300, 99_400)} | changes  # fmt: skip
    rows = []
    for name, method in {"simple": "SimpleUCB1", "mixed": "MSUCB1"}.items():
        for chunk, games in enumerate((1, 3)):
            visits = {
                f"{corner}@{t}": games * settled[f"{name}_{t}"][k]
                for t in (100, 1000, 10_000, 100_000)
                for k, corner in enumerate(CORNERS)
            }
            rows.append({"method": method, "R": 0.8, "P": 0.2, "chunk": chunk, "games": games,
                         **visits, "drifted": games})  # fmt: skip
    return lambda: (pd.DataFrame(rows), grid(**elsewhere or {}))


DRIFTS, CONCENTRATES, VISITS, SUITS = (
    f"claim/dilemma/{x}"
    for x in ("simpleucb1-drifts", "msucb1-concentrates", "msucb1-visits-others", "suits")
)
EQUAL = {"simple_100": (30, 20, 20, 30), "simple_1000": (300, 200, 200, 300),
         "simple_10000": (3000, 2000, 2000, 3000)}  # fmt: skip


def drifts(holds, end=84_000, elsewhere=None, **starts):
    """(a1,b1) has 3000 visits of 10,000, so that 84,000 of 100,000 are 90 % of those after."""
    rest = (100_000 - end) // 2
    frames = dilemma(elsewhere, simple_100000=(end, 0, rest, rest), **EQUAL | starts)
    return Case("dilemma", frames, {DRIFTS: holds})


ONE, ALL = PAYOFFS[:1], PAYOFFS
FIRST = {"simple_100": (29, 20, 20, 31)}
RARELY, SPREAD_OUT = (89_999, 10_001, 0, 0), (20_000, 20_000, 10_001, 49_999)


def nowhere(**visits):
    """The grid with other visits, for all payoffs, for all but one, and for one."""
    return ({**visits, "some": some} for some in (ALL, ALL[1:], ONE))


DILEMMA = [
    Case("dilemma", dilemma(),
         {DRIFTS: True, CONCENTRATES: True, VISITS: True, SUITS: True},
         {"table-10/simpleucb1-10000/a1b1": 0.3, "table-10/simpleucb1-10000/a2b2": 0.4,
          "table-10/simpleucb1-100000/a1b1": 0.84, "table-10/simpleucb1-100000/a2b1": 0.04,
          "table-10/msucb1-10000/a1b2": 0.0011, "table-10/msucb1-100000/a2b2": 0.994}),
    # with our payoffs; 90 % is met with all others
    drifts("undecided"),
    drifts("undecided", simple_100=(31, 20, 20, 29)),
    drifts(True, **FIRST),
    drifts(True, simple_1000=(299, 200, 200, 301)),
    drifts(True, simple_10000=(3000, 1999, 2000, 3001)),
    drifts("undecided", end=83_998, **FIRST),
    drifts(True, end=84_002, **FIRST),
    # with others: met with none, one, all but one; and one missing
    *(drifts(holds, elsewhere=other)
      for other, holds in zip(nowhere(simple=RARELY), (False, "undecided", "undecided"),
                              strict=True)),
    *(drifts("undecided", elsewhere=other, **FIRST) for other in nowhere(simple=RARELY)),
    drifts("undecided", elsewhere={"pairs": ALL[1:]}, **FIRST),
    drifts(False, elsewhere={"simple": (80_000, 20_000, 0, 0)}),
    *(Case("dilemma", dilemma(mixed_10000=few, mixed_100000=many), {CONCENTRATES: holds})
      for few, many, holds in (
          ((3000, 1000, 1000, 5000), (30_000, 10_000, 10_000, 50_000), True),
          ((3000, 1000, 1001, 4999), (20_000, 10_000, 10_000, 60_000), "undecided"),
          ((2000, 1000, 1000, 6000), (30_000, 10_000, 10_001, 49_999), "undecided"),
      )),
    Case("dilemma", dilemma({"mixed": (20_000, 20_000, 10_000, 50_000)}), {CONCENTRATES: True}),
    *(Case("dilemma", dilemma(other), {CONCENTRATES: "undecided"})
      for other in (*nowhere(mixed=SPREAD_OUT), {"pairs": ALL[1:]})),
    *(Case("dilemma", dilemma(other, mixed_10000=(3000, 1000, 1001, 4999)), {CONCENTRATES: holds})
      for other, holds in zip(nowhere(mixed=SPREAD_OUT), (False, "undecided", "undecided"),
                              strict=True)),
    Case("dilemma", dilemma(mixed_10000=(10, 10, 10, 9970)), {VISITS: True}),
    *(Case("dilemma", dilemma(mixed_10000=visits), {VISITS: "undecided"})
      for visits in ((9, 20, 20, 9951), (20, 9, 20, 9951), (20, 20, 9, 9951))),
    Case("dilemma", dilemma(mixed_100000=(20, 9, 20, 99_951)), {VISITS: "undecided"}),
    *(Case("dilemma", dilemma({"mixed": visits, "some": ONE}), {VISITS: "undecided"})
      for visits in ((9, 20, 20, 99_951), (20, 9, 20, 99_951), (20, 20, 9, 99_951))),
    Case("dilemma", dilemma({"pairs": ALL[1:]}), {VISITS: "undecided"}),
    *(Case("dilemma", dilemma(other, mixed_10000=(9, 20, 20, 9951)), {VISITS: holds})
      for other, holds in zip(nowhere(mixed=(9, 20, 20, 99_951)), (False, "undecided", "undecided"),
                              strict=True)),
    # the conjunction
    Case("dilemma", dilemma({"simple": RARELY, "some": ONE}), {SUITS: "undecided"}),
    Case("dilemma", dilemma({"simple": RARELY}, **EQUAL), {SUITS: False}),
    Case("dilemma", dilemma({"mixed": SPREAD_OUT, "some": ONE}), {SUITS: "undecided"}),
    Case("dilemma", dilemma({"mixed": SPREAD_OUT}, mixed_10000=(3000, 1000, 1001, 4999)),
         {SUITS: False}),
]  # fmt: skip


# ------------------------------------------------------------------------------ first moves


def firsts(most, games=40):
    """SimpleUCB1 as H takes one move in `most` of 2 × 40 searches, else another."""
    rows = []
    for method in ("SimpleUCB1", "MSUCB1.5"):
        for side in "VH":
            for chunk, often in enumerate((games - 2 * (games - most), games)):
                cells = dict.fromkeys((f"cell {k}" for k in range(32)), 0.0)
                judged = method == "SimpleUCB1" and side == "H"
                often = often if judged else games // 4
                cells |= {"cell 12": float(often), "cell 14": float(games - often)}
                rows.append({"method": method, "side": side, "chunk": chunk, "games": games,
                             **cells, "lost": 10.0, "squares": 2.5})  # fmt: skip
    return lambda: (pd.DataFrame(rows),)


CHANCY = "claim/8x4/simpleucb1-stochastic"
FIRSTS = [
    Case("first_moves", firsts(29), {CHANCY: True}),
    Case("first_moves", firsts(30), {CHANCY: True}),  # 60 of 80
    Case("first_moves", firsts(31), {CHANCY: False}),
]


# ------------------------------------------------------------------------------ quick runs

ENOUGH, SHORT = (1, 199, 0), (1, 198, 0)
DRAW = {f"claim/draw/{name}": holds for name, holds in (
    ("more-draws", "undecided"), ("low-no-more-wins", True), ("low-loses", False),
    ("u1-draws", True), ("losses-fall", "undecided"), ("wins-stay", "undecided"),
    ("payoff-rises", "undecided"), ("u1-wins-drop", "undecided"),
    ("u1-payoff-drops", "undecided"), ("best-below-win", "undecided"),
)}  # fmt: skip
COARSE_ROWS, FINE_ROWS = (dict(list(DRAW.items())[part]) for part in (slice(4), slice(4, None)))
ALIKE = dict.fromkeys((0.05, 0.1, 0.3, 0.5, 0.7, 1.0, 2.0), ENOUGH)
U_COARSE, U_FINE = (0.0, 0.25, 0.5, 0.75, 1.0), (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def swept(judge, us, rows, short=None):
    """A sweep of U(Draw) with 200 games each, or one fewer at `short`, where nothing is judged."""
    scores = {u: SHORT if u == short else ENOUGH for u in us}
    holds = rows if short is None else dict.fromkeys(rows)
    return Case(judge, lambda: (by("u", scores), model()), holds)


#: Without 200 games in each of its matches a sentence is not judged.
QUICK = [
    Case("depth", one(ENOUGH), {DEPTH: False}),
    Case("depth", one(SHORT), {DEPTH: None}),
    Case("simple_half", one(ENOUGH), {BEHIND: False}),
    Case("simple_half", one(SHORT), {BEHIND: None}),
    Case("table_2", table_2(ENOUGH, ENOUGH), {FEW: False, MANY: False, GAIN: True}),
    Case("table_2", table_2(SHORT, ENOUGH), {FEW: None, MANY: False, GAIN: None}),
    Case("table_2", table_2(ENOUGH, SHORT), {FEW: False, MANY: None, GAIN: None}),
    Case("table_4", table_4(ALIKE), {FLAT: True, WORSE: "undecided"}),
    Case("table_4", table_4(ALIKE | {2.0: SHORT}), {FLAT: None, WORSE: None}),
    swept("table_5", U_COARSE, COARSE_ROWS),
    *(swept("table_5", U_COARSE, COARSE_ROWS, u) for u in U_COARSE),
    swept("table_6", U_FINE, FINE_ROWS),
    *(swept("table_6", U_FINE, FINE_ROWS, u) for u in U_FINE),
    Case("table_7", table_7(few=ENOUGH, many=ENOUGH),
         {EVEN: True, EVEN_MANY: True, HIGHER: "undecided"}),
    Case("table_7", table_7(few=SHORT, many=ENOUGH),
         {EVEN: None, EVEN_MANY: True, HIGHER: "undecided"}),
    Case("table_7", table_7(few=ENOUGH, many=SHORT), {EVEN: True, EVEN_MANY: None, HIGHER: None}),
    Case("eight_by_four", eight(ENOUGH, few=ENOUGH, many=ENOUGH), {LEVEL: False, NONE: True}),
    Case("eight_by_four", eight(SHORT), {LEVEL: None, NONE: None}),
    Case("eight_by_four", eight(few=SHORT), {LEVEL: True, NONE: None}),
    Case("eight_by_four", eight(many=SHORT), {LEVEL: True, NONE: None}),
]  # fmt: skip

CASES = [
    *EXACT, *NASH, *MONTE_CARLO, *AHEAD, *PARAMETER, *COARSE, *FINE, *TABLE_7, *EIGHT, *SEARCH,
    *DILEMMA, *FIRSTS, *QUICK,
]  # fmt: skip
