"""Made-up rows for the judges of Goofspiel."""

import pandas as pd

from tests.judging import Case

POINTS = (1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)
#: The share of the gap from the hand only to all features that a set closes, so that all holds.
SHARES = {
    "hand": 0, "C": 3 / 8, "O": 1 / 32, "D": 3 / 8, "P": 1 / 32, "CO": 3 / 4, "CD": 13 / 32,
    "CP": 3 / 4, "OD": 3 / 4, "OP": 3 / 64, "DP": 3 / 4, "COD": 61 / 64, "COP": 15 / 16,
    "CDP": 61 / 64, "ODP": 15 / 16, "CODP": 1,
}  # fmt: skip


def rows(players, noise):
    """Rows of goofspiel/curves: per player the return and ε at each checkpoint, a row per seed.

    `noise` is what seeds differ by from those numbers, for all players, or by player.
    """
    return pd.DataFrame(
        {"features": name, "chunk": seed, "games": 100}
        | {f"{what}@{t}": value + step
           for t, gain, eps in zip(POINTS, gains, exploitabilities, strict=True)
           for what, value in (("eps", eps), ("b0", eps - 1 / 8), ("b1", eps + 1 / 8),
                               ("return", gain))}
        for name, (gains, exploitabilities) in players.items()
        for seed, step in enumerate(noise[name] if isinstance(noise, dict) else noise)
    )  # fmt: skip


def table(eps=None, noise=(-1 / 64, 1 / 64), **shares):
    """Curves that end where sets close shares of a gap of 1; `eps` has other shares for ε.

    The return of all features ends at 0 and that of the hand at −1, ε at 0 and 1. Before the end
    all is the other way round.
    """
    returns, other = SHARES | shares, SHARES | (shares if eps is None else eps)
    players = {
        s: ([-returns[s]] * 6 + [returns[s] - 1], [other[s]] * 6 + [1 - other[s]]) for s in SHARES
    }
    return lambda: (rows(players | {"none": ([0] * 6 + [-1 / 16], [0] * 6 + [1 / 8])}, noise),)


def sums(bonus, **weights):
    """Shares that add up, with a bonus for C and O together."""
    return {s: sum(weights.get(c, 0) for c in s) + bonus * ("C" in s and "O" in s) for s in SHARES}


def both(**given):
    """Say something of claims, written with _ for -, by the return and by exploitability."""
    return {
        f"claim/{name.replace('_', '-')}/{column}": x
        for name, x in given.items()
        for column in ("return", "exploitability")
    }


SENTENCES = [
    Case("sentences", table(), both(
        cdp_almost_full=True, cod_almost_full=True, c_alone_matters=True, d_alone_matters=True,
        o_alone_hardly=True, p_alone_hardly=True, o_only_with_c_or_d=True,
        p_only_with_c_or_d=True, interaction=True, c_d_above_o_p=True, co_above_cd=True,
        cp_above_cd=True, correlated_add_little=True, more_is_nearer_zero=True)),
    # each number on its own side, and limits of one column alone
    Case("sentences", table(eps={"CDP": 0.5, "CO": 0.2, "CD": 0.6}),
         {"claim/cdp-almost-full/return": True, "claim/cdp-almost-full/exploitability": False,
          "claim/co-above-cd/return": True, "claim/co-above-cd/exploitability": False,
          "claim/correlated-add-little/return": True,
          "claim/correlated-add-little/exploitability": False,
          "claim/more-is-nearer-zero/return": True,
          "claim/more-is-nearer-zero/exploitability": False}),
    Case("sentences", table(),
         {"claim/cdp-almost-full/return": False, "claim/cdp-almost-full/exploitability": True},
         limits={"claim/cdp-almost-full/return": {"least": 0.97}}),
    Case("sentences", table(),
         {"claim/cdp-almost-full/return": True, "claim/cdp-almost-full/exploitability": False},
         limits={"claim/cdp-almost-full/exploitability": {"least": 0.97}}),
    # almost all, a lot, and little that C+D adds to the better of C and D
    Case("sentences", table(CDP=0.905, COD=0.895, C=0.305, D=0.295, CD=0.353),
         both(cdp_almost_full=True, cod_almost_full=False, c_alone_matters=True,
              d_alone_matters=False, correlated_add_little=True)),
    Case("sentences", table(CDP=0.895, COD=0.905, C=0.295, D=0.305, CD=0.353),
         both(cdp_almost_full=False, cod_almost_full=True, c_alone_matters=False,
              d_alone_matters=True, correlated_add_little=True)),
    Case("sentences", table(CD=0.428), both(correlated_add_little=False)),
    # hardly anything; then neither helps "only with C or D"
    Case("sentences", table(O=0.048, P=0.052, OP=0.053),
         both(o_alone_hardly=True, p_alone_hardly=False,
              o_only_with_c_or_d=True, p_only_with_c_or_d=False)),
    Case("sentences", table(O=0.052, P=0.048, OP=0.053),
         both(o_alone_hardly=False, p_alone_hardly=True,
              o_only_with_c_or_d=False, p_only_with_c_or_d=True)),
    # O adds something to C or to D: one of them is enough
    Case("sentences", table(C=0.375, D=0.375, CO=0.429, OD=0.415, CP=0.421, DP=0.415),
         both(o_only_with_c_or_d=True, p_only_with_c_or_d=False)),
    Case("sentences", table(C=0.375, D=0.375, CO=0.415, OD=0.429, CP=0.415, DP=0.421),
         both(o_only_with_c_or_d=True, p_only_with_c_or_d=False)),
    Case("sentences", table(C=0.375, D=0.375, CO=0.421, OD=0.415, CP=0.429, DP=0.415),
         both(o_only_with_c_or_d=False, p_only_with_c_or_d=True)),
    Case("sentences", table(C=0.375, D=0.375, CO=0.415, OD=0.421, CP=0.415, DP=0.429),
         both(o_only_with_c_or_d=False, p_only_with_c_or_d=True)),
    # … and nothing to P, though little by itself
    Case("sentences", table(O=0.01, P=0.02, OP=0.068),
         both(o_only_with_c_or_d=True, p_only_with_c_or_d=False)),
    Case("sentences", table(O=0.02, P=0.01, OP=0.068),
         both(o_only_with_c_or_d=False, p_only_with_c_or_d=True)),
    Case("sentences", table(O=0.01, P=0.01, OP=0.062),
         both(o_only_with_c_or_d=False, p_only_with_c_or_d=False)),
    # interaction of C and O; D and P add the same to every set
    Case("sentences", table(**sums(0.305, C=0.2, O=0.195, D=0.2, P=0.1)), both(interaction=True)),
    Case("sentences", table(**sums(0.295, C=0.2, O=0.205, D=0.2, P=0.1)), both(interaction=False)),
    Case("sentences", table(**sums(-0.305, C=0.5, O=0.505, D=0.2, P=0.1)), both(interaction=True)),
    # C and D above O and P: the lower of two above the higher of two
    Case("sentences", table(C=0.375, D=0.25, O=0.24, P=0.0), both(c_d_above_o_p=True)),
    Case("sentences", table(C=0.375, D=0.25, O=0.26, P=0.0), both(c_d_above_o_p=False)),
    Case("sentences", table(C=0.25, D=0.375, O=0.0, P=0.26), both(c_d_above_o_p=False)),
    Case("sentences", table(C=0.375, D=0.25, O=0.25, P=0.0), both(c_d_above_o_p=False)),
    # C+O and C+P against C+D: nearer to 0, from either side; C+D+P against D+P: hardly farther
    Case("sentences", table(CO=0.501, CP=0.499, CD=0.5, DP=0.75, CDP=0.7405),
         both(co_above_cd=True, cp_above_cd=False, more_is_nearer_zero=True)),
    Case("sentences", table(CO=0.499, CP=0.501, CD=0.5, DP=0.75, CDP=0.7395),
         both(co_above_cd=False, cp_above_cd=True, more_is_nearer_zero=False)),
    Case("sentences", table(CO=0.5, CP=0.5, CD=0.5), both(co_above_cd=False, cp_above_cd=False)),
    Case("sentences", table(eps={}, CO=1.09, CP=1.11, CD=0.9),
         {"claim/co-above-cd/return": True, "claim/cp-above-cd/return": False}),
    Case("sentences", table(eps={}, CO=0.91, CP=0.89, CD=1.1),
         {"claim/co-above-cd/return": True, "claim/cp-above-cd/return": False}),
    # a feature more than the hand, and beyond 0
    Case("sentences", table(O=-0.0105), both(more_is_nearer_zero=False)),
    Case("sentences", table(P=-0.0095), both(more_is_nearer_zero=True)),
    Case("sentences", table(eps={}, CP=0.9, CDP=1.12),
         {"claim/more-is-nearer-zero/return": False}),
    Case("sentences", table(eps={}, CP=1.1, CDP=1.05, COP=1.05),
         {"claim/more-is-nearer-zero/return": True}),
    # exactly on the thresholds
    Case("sentences", table(CDP=0.875, COD=0.875),
         both(cdp_almost_full=True, cod_almost_full=True, c_alone_matters=True,
              d_alone_matters=True, o_alone_hardly=True, p_alone_hardly=True,
              o_only_with_c_or_d=True, p_only_with_c_or_d=True, correlated_add_little=True),
         limits=both(cdp_almost_full={"least": 0.875}, cod_almost_full={"least": 0.875},
                     c_alone_matters={"least": 0.375}, d_alone_matters={"least": 0.375},
                     o_alone_hardly={"most": 1 / 32}, p_alone_hardly={"most": 1 / 32},
                     o_only_with_c_or_d={"most": 1 / 32}, p_only_with_c_or_d={"most": 1 / 32},
                     correlated_add_little={"most": 1 / 32})),
    Case("sentences", table(O=0, P=0, OP=1 / 32, CP=0.75, CDP=0.75 - 1 / 64),
         both(o_only_with_c_or_d=True, p_only_with_c_or_d=True, more_is_nearer_zero=True),
         limits=both(o_only_with_c_or_d={"most": 1 / 32}, p_only_with_c_or_d={"most": 1 / 32},
                     more_is_nearer_zero={"slack": 1 / 64})),
    Case("sentences", table(), both(o_only_with_c_or_d=False, p_only_with_c_or_d=False),
         limits=both(o_only_with_c_or_d={"least": 0.375}, p_only_with_c_or_d={"least": 0.375})),
    Case("sentences", table(**sums(5 / 16, C=1 / 4, O=3 / 16, D=1 / 8, P=1 / 8)),
         both(interaction=True), limits=both(interaction={"least": 5 / 16})),
]  # fmt: skip


def race(ahead=(1,) * 7, noise=(0,), eps=(0.25,) * 7, b1=None):
    """Curves of all features and of none: by how much the first is ahead in return, and its ε.

    The return of no abstraction is 0 and its ε 0.5. `noise` is of all players, or by player.
    """

    def frames():
        frame = rows({"CODP": (ahead, eps), "none": ([0] * 7, [0.5] * 7),
                      "hand": ([-1] * 7, [1] * 7)}, noise)  # fmt: skip
        if b1 is not None:
            frame.loc[frame.features == "CODP", [f"b1@{t}" for t in POINTS]] = b1
        return (frame,)

    return frames


BEATS, FASTER = "claim/codp-beats-none/return", "claim/codp-learns-faster/exploitability"
#: Over three seeds each, Welch's interval of a difference is ± 2.7764 · √(2 · 0.03² / 3) = 0.06801.
SEEDS = (-0.03, 0, 0.03)
#: With no spread on one side there are two degrees of freedom: ± 4.3027 · 0.03 / √3 = 0.07452.
ONE_SIDED = {"CODP": SEEDS, "none": (0, 0, 0), "hand": (0, 0, 0)}
RACES = [
    Case("all_features_beat_none", race([-1, -1, *[0.0681] * 3, -1, -1], SEEDS), {BEATS: True}),
    Case("all_features_beat_none", race([-1, -1, *[0.0679] * 3, -1, -1], SEEDS), {BEATS: False}),
    Case("all_features_beat_none", race([-1, -1, *[0.0746] * 3, -1, -1], ONE_SIDED), {BEATS: True}),
    Case("all_features_beat_none", race([-1, -1, *[0.0744] * 3, -1, -1], ONE_SIDED),
         {BEATS: False}),
    # three in a row, wherever they are
    Case("all_features_beat_none", race([1, 1, 1, -1, -1, -1, -1]), {BEATS: True}),
    Case("all_features_beat_none", race([-1, -1, 1, -1, 1, 1, 1]), {BEATS: True}),
    Case("all_features_beat_none", race([1, 1, -1, 1, 1, -1, 1]), {BEATS: False}),
    Case("all_features_beat_none", race([1] * 7), {BEATS: True}),
    # above 0 is not 0
    Case("all_features_beat_none", race([0] * 7), {BEATS: False}),
    Case("all_features_beat_none", race([1 / 1024] * 7), {BEATS: True}),
    # ε below at every checkpoint, whatever b1 is, and on average over seeds
    Case("all_features_beat_none", race(eps=[0.499] * 7, b1=9), {FASTER: True}),
    Case("all_features_beat_none", race(eps=[0.25] * 6 + [0.5], b1=0), {FASTER: False}),
    Case("all_features_beat_none", race(eps=[0.501] + [0.25] * 6, b1=0), {FASTER: False}),
    Case("all_features_beat_none", race(eps=[0.499] * 7, noise=(-0.25, 0.25)), {FASTER: True}),
]  # fmt: skip


PLACES = {
    (1, 2): {"c+d+p": "CDP", "c+o+d": "COD", "c+o+d+p": "CODP"},
    (3, 4): {"c": "C", "o": "O", "d": "D", "p": "P", "hand-only": "hand"},
    (5, 6): {"c+o": "CO", "c+d": "CD", "c+p": "CP", "o+d": "OD", "o+p": "OP", "d+p": "DP",
             "c+o+p": "COP", "o+d+p": "ODP"},
}  # fmt: skip
UNLIKE = {name: k / 16 for k, name in enumerate(SHARES)} | {"CODP": 1}
DRAWN = {
    f"figure-{figure}/{place}/{column}": sign * (1 - UNLIKE[name])
    for figures, places in PLACES.items()
    for figure, column, sign in zip(figures, ("exploitability", "return"), (1, -1), strict=True)
    for place, name in places.items()
} | {"figure-1/no-abstraction/exploitability": 1 / 8, "figure-2/no-abstraction/return": -1 / 16}
FIGURES = [
    Case("figures", table(**UNLIKE), values=DRAWN),
    Case("figures", table(**UNLIKE, noise=(0,)), values=DRAWN),  # a single seed
    Case("figures", table(eps={"C": 0.25}, C=0.5),
         values={"figure-3/c/exploitability": 0.75, "figure-4/c/return": -0.5}),
]  # fmt: skip


def bids(c=(1, 2, 3, 4, 5), inside=0.125, outside=0.5):
    """Rows of goofspiel/bids: cards of who sees C, when who sees D plays the 5; others unlike."""
    falling, other = (5, 4, 3, 2, 1), (outside, inside)
    players = {"C": (c, other), "D": (falling, (inside, outside)), "CODP": (falling, other)}
    return lambda: (
        pd.DataFrame(
            {"features": name, "chunk": 0, "games": 500}
            | {f"bid@{k}": card for k, card in enumerate(cards, 1)}
            | {"with_5_in_deck": a, "without_5_in_deck": b}
            for name, (cards, (a, b)) in players.items()
        ),
    )


HIGH, SAVE = "claim/high-prize-high-bid", "claim/save-high-cards"
BIDS = [
    Case("cards_for_prizes", bids(), {HIGH: True, SAVE: True}),
    Case("cards_for_prizes", bids(c=(1, 1.001, 3, 3.001, 3.002)), {HIGH: True}),
    Case("cards_for_prizes", bids(c=(1, 2, 2, 4, 5)), {HIGH: False}),
    Case("cards_for_prizes", bids(c=(1, 2, 3, 4, 3.999)), {HIGH: False}),
    Case("cards_for_prizes", bids(c=(2, 1.999, 3, 4, 5)), {HIGH: False}),
    Case("cards_for_prizes", bids(inside=0.249, outside=0.25), {SAVE: True}),
    Case("cards_for_prizes", bids(inside=0.25, outside=0.25), {SAVE: False}),
    Case("cards_for_prizes", bids(inside=0.251, outside=0.25), {SAVE: False}),
]


def exact(four=None, **five):
    """Rows of goofspiel/exact; `four` changes the row of four cards."""
    shown = {"value": 0.0, "eps": 0.0, "b1_history": 0.0, "asymmetry": 0.0}
    sizes = {4: {"feature_keys": 1548, "information_sets": 3028, "exceptions": 0},
             5: {"feature_keys": 28477, "information_sets": 173905, "exceptions": 0}}  # fmt: skip
    return lambda: (
        pd.DataFrame(
            {"cards": cards, "chunk": 0, "games": 1} | shown | sizes[cards] | changed
            for cards, changed in ((4, four or {}), (5, five))
        ),
    )


NASH, VALUE, SYMMETRY = "claim/zero-at-nash", "claim/value-zero", "claim/symmetry"
SUFFICE, STATE = "claim/codp-suffices", "claim/codp-same-state"
UNDER, ON, OVER = 0.95e-12, 1e-12, 1.05e-12
EXACT = [
    Case("equilibrium", exact(), dict.fromkeys((NASH, VALUE, SYMMETRY, SUFFICE, STATE), True)),
    *(Case("equilibrium", exact({"eps": x, "value": -x}, eps=x, value=x, asymmetry=x, b1_history=x),
           dict.fromkeys((NASH, VALUE, SYMMETRY, SUFFICE), holds))
      for x, holds in ((UNDER, True), (ON, True), (OVER, False))),
    # each on its own; the first two at four cards as at five, below 0 as above
    Case("equilibrium", exact(eps=OVER),
         {NASH: False, VALUE: True, SYMMETRY: True, SUFFICE: True, STATE: True}),
    Case("equilibrium", exact({"eps": OVER}), {NASH: False, VALUE: True}),
    Case("equilibrium", exact(value=-OVER),
         {NASH: True, VALUE: False, SYMMETRY: True, SUFFICE: True, STATE: True}),
    Case("equilibrium", exact({"value": OVER}), {NASH: True, VALUE: False}),
    Case("equilibrium", exact(asymmetry=OVER),
         {NASH: True, VALUE: True, SYMMETRY: False, SUFFICE: True, STATE: True}),
    Case("equilibrium", exact(b1_history=OVER),
         {NASH: True, VALUE: True, SYMMETRY: True, SUFFICE: False, STATE: True}),
    Case("equilibrium", exact({"asymmetry": 1, "b1_history": 1, "exceptions": 1}),
         {SYMMETRY: True, SUFFICE: True, STATE: True}),
    Case("equilibrium", exact(exceptions=1), {STATE: False}),
    Case("equilibrium", exact(feature_keys=173904), {STATE: True}),
    Case("equilibrium", exact(feature_keys=173905), {STATE: False}),
]  # fmt: skip


def partitions(**names):
    """Rows of goofspiel/partitions: C, D and C+D have one partition, the others their own."""
    named = {name: k for k, name in enumerate(SHARES)} | dict.fromkeys(("C", "D", "CD"), 99) | names
    return lambda: (
        pd.DataFrame(
            {"features": name, "chunk": 0, "games": 1, "plain": 130, "recalled": 8505,
             "partition": partition}
            for name, partition in named.items()
        ),
    )  # fmt: skip


INFERABLE = "claim/c-d-inferable"
PARTITIONS = [
    Case("prize_and_deck_are_inferable", partitions(), {INFERABLE: True}),
    Case("prize_and_deck_are_inferable", partitions(C=98), {INFERABLE: False}),
    Case("prize_and_deck_are_inferable", partitions(D=98), {INFERABLE: False}),
    Case("prize_and_deck_are_inferable", partitions(CD=98), {INFERABLE: False}),
]
CASES = [*EXACT, *PARTITIONS, *BIDS, *RACES, *SENTENCES, *FIGURES]
