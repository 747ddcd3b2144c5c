"""Made-up rows for the judges of Goofspiel."""

import pandas as pd

from tests.judging import Case

POINTS = (1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)
#: After how many iterations claims are judged.
T = 20_000
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


def noisy(player, step):
    """Two seeds of which only those of one player differ, by `step` either way.

    The mean of two such values has the error `step`, and its interval is ± 12.706 · `step`.
    """
    return dict.fromkeys([*SHARES, "none"], (0, 0)) | {player: (-step, step)}


def table(eps=None, noise=(0, 0), ahead=1 / 16, below=1 / 8, **shares):
    """Curves which at T are where sets close shares of a gap of 1; `eps` has other shares for ε.

    The return of all features is then 0 and that of the hand −1, ε 0 and 1; all features are
    `ahead` of no abstraction in return, and `below` it in ε. At all other checkpoints everything is
    the other way round.
    """
    returns, other = SHARES | shares, SHARES | (shares if eps is None else eps)
    players = {s: (at(returns[s] - 1, -returns[s]), at(1 - other[s], other[s])) for s in SHARES}
    return lambda: (rows(players | {"none": (at(-ahead, 0), at(below, 0))}, noise),)


def at(there, elsewhere):
    """Return numbers at each checkpoint, of which one counts."""
    return [there if t == T else elsewhere for t in POINTS]


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


BEATS, FASTER = "claim/codp-beats-none/return", "claim/codp-learns-faster/exploitability"
#: Seeds whose mean has the error 0.03 / √3.
SEEDS = (-0.03, 0, 0.03)
NAMES = [
    BEATS, FASTER, "claim/more-is-nearer-zero",
    *both(cdp_almost_full=0, cod_almost_full=0, c_alone_matters=0, d_alone_matters=0,
          o_alone_hardly=0, p_alone_hardly=0, o_only_with_c_or_d=0, p_only_with_c_or_d=0,
          interaction=0, c_d_above_o_p=0, co_above_cd=0, cp_above_cd=0, correlated_add_little=0,
          more_is_nearer_zero=0),
]  # fmt: skip
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
          "claim/more-is-nearer-zero": False,
          "claim/more-is-nearer-zero/return": True,
          "claim/more-is-nearer-zero/exploitability": False}),
    Case("sentences", table(),
         {"claim/cdp-almost-full/return": False, "claim/cdp-almost-full/exploitability": True},
         limits={"claim/cdp-almost-full/return": {"least": 0.97}}),
    Case("sentences", table(),
         {"claim/cdp-almost-full/return": True, "claim/cdp-almost-full/exploitability": False},
         limits={"claim/cdp-almost-full/exploitability": {"least": 0.97}}),
    # almost all, and a lot
    Case("sentences", table(CDP=0.905, COD=0.895, C=0.305, D=0.295, CD=0.353),
         both(cdp_almost_full=True, cod_almost_full=False, c_alone_matters=True,
              d_alone_matters=False)),
    Case("sentences", table(CDP=0.895, COD=0.905, C=0.295, D=0.305, CD=0.353),
         both(cdp_almost_full=False, cod_almost_full=True, c_alone_matters=False,
              d_alone_matters=True)),
    # D adds less than half of what O adds to C, and of what P adds
    Case("sentences", table(C=0.25, CD=0.345, CO=0.45, CP=0.45), both(correlated_add_little=True)),
    Case("sentences", table(C=0.25, CD=0.355, CO=0.45, CP=0.49), both(correlated_add_little=False)),
    Case("sentences", table(C=0.25, CD=0.355, CO=0.49, CP=0.45), both(correlated_add_little=False)),
    Case("sentences", table(C=0.25, CD=0.4, CO=0.5, CP=0.5), both(correlated_add_little=False)),
    Case("sentences", table(C=0.25, CD=0.301, CO=0.5, CP=0.5, noise=noisy("CD", 0.003)),
         both(correlated_add_little=True)),
    Case("sentences", table(C=0.25, CD=0.35, CO=0.5, CP=0.46, noise=noisy("CD", 0.003)),
         both(correlated_add_little="undecided")),
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
    Case("sentences", table(C=0.375, D=0.25, O=0.25, P=0.0), both(c_d_above_o_p="undecided")),
    # C+O and C+P against C+D: nearer to 0, from either side; C+D+P against D+P: hardly farther
    Case("sentences", table(CO=0.501, CP=0.499, CD=0.5, DP=0.75, CDP=0.7405),
         both(co_above_cd=True, cp_above_cd=False, more_is_nearer_zero=True)),
    Case("sentences", table(CO=0.499, CP=0.501, CD=0.5, DP=0.75, CDP=0.7395),
         both(co_above_cd=False, cp_above_cd=True, more_is_nearer_zero=False)),
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
    # both numbers must come nearer to 0
    Case("sentences", table(), {"claim/more-is-nearer-zero": True}),
    Case("sentences", table(eps={}, O=-0.0105),
         {"claim/more-is-nearer-zero": False, "claim/more-is-nearer-zero/return": False,
          "claim/more-is-nearer-zero/exploitability": True}),
    # all features against none
    Case("sentences", table(ahead=0.001, below=0.001), {BEATS: True, FASTER: True}),
    Case("sentences", table(ahead=-0.001, below=0.001), {BEATS: False, FASTER: True}),
    Case("sentences", table(ahead=0.001, below=-0.001), {BEATS: True, FASTER: False}),
    Case("sentences", table(ahead=0, below=0), {BEATS: "undecided", FASTER: "undecided"}),
    # exactly on a threshold, nothing is decided
    Case("sentences", table(CDP=0.875, COD=0.875, CP=0.75, CD=0.75),
         both(cdp_almost_full="undecided", cod_almost_full="undecided",
              c_alone_matters="undecided", d_alone_matters="undecided",
              o_alone_hardly="undecided", p_alone_hardly="undecided",
              o_only_with_c_or_d="undecided", p_only_with_c_or_d="undecided",
              co_above_cd="undecided", cp_above_cd="undecided", correlated_add_little=False),
         limits=both(cdp_almost_full={"least": 0.875}, cod_almost_full={"least": 0.875},
                     c_alone_matters={"least": 0.375}, d_alone_matters={"least": 0.375},
                     o_alone_hardly={"most": 1 / 32}, p_alone_hardly={"most": 1 / 32},
                     o_only_with_c_or_d={"most": 1 / 32}, p_only_with_c_or_d={"most": 1 / 32})),
    Case("sentences", table(), both(o_only_with_c_or_d="undecided", p_only_with_c_or_d="undecided"),
         limits=both(o_only_with_c_or_d={"least": 0.375}, p_only_with_c_or_d={"least": 0.375})),
    Case("sentences", table(CO=0.375, OD=0.375, CP=0.75, DP=0.75),
         both(o_only_with_c_or_d=False, p_only_with_c_or_d="undecided"),
         limits=both(p_only_with_c_or_d={"least": 0.375})),
    Case("sentences", table(**sums(5 / 16, C=1 / 4, O=3 / 16, D=1 / 8, P=1 / 8)),
         both(interaction="undecided"), limits=both(interaction={"least": 5 / 16})),
    # noise decides less than 12.706 of its steps away from the threshold, on either side
    *(Case("sentences", table(CDP=share, COD=share, noise=noisy(player, 0.001)),
           both(**{f"{player.lower()}_almost_full": holds}))
      for player in ("CDP", "COD")
      for share, holds in ((0.9135, True), (0.912, "undecided"), (0.888, "undecided"),
                           (0.8865, False))),
    *(Case("sentences", table(C=share, D=share, noise=noisy(player, 0.001)),
           both(**{f"{player.lower()}_alone_matters": holds}))
      for player in "CD"
      for share, holds in ((0.3135, True), (0.312, "undecided"), (0.288, "undecided"),
                           (0.2865, False))),
    *(Case("sentences", table(O=share, P=share, noise=noisy(player, 0.001)),
           both(**{f"{player.lower()}_alone_hardly": holds,
                   f"{player.lower()}_only_with_c_or_d": holds}))
      for player in "OP"
      for share, holds in ((0.0365, True), (0.038, "undecided"), (0.062, "undecided"),
                           (0.0635, False))),
    Case("sentences", table(noise=noisy("C", 0.003)),
         both(c_d_above_o_p=True, more_is_nearer_zero=True)),
    Case("sentences", table(noise=noisy("C", 0.03)),
         both(c_d_above_o_p="undecided", more_is_nearer_zero="undecided")),
    *(Case("sentences", table(**sums(x, C=0.2, O=0.5 - x, D=0.2, P=0.1), noise=(-0.003, 0.003)),
           both(interaction=holds))
      for x, holds in ((0.35, True), (0.305, "undecided"), (0.295, "undecided"), (0.25, False))),
    Case("sentences", table(eps={}, noise=noisy("C", 0.03)),
         {"claim/more-is-nearer-zero": "undecided"}),
    Case("sentences", table(CO=0.52, CP=0.48, CD=0.5, noise=noisy("CD", 0.001)),
         both(co_above_cd=True, cp_above_cd=False)),
    Case("sentences", table(CO=0.52, CP=0.48, CD=0.5, noise=noisy("CD", 0.002)),
         both(co_above_cd="undecided", cp_above_cd="undecided")),
    # the noise of the ends counts as well: of the hand by 1 − G, of all features by G
    Case("sentences", table(CDP=0.91, COD=0.91, noise=noisy("hand", 0.008)),
         both(cdp_almost_full=True, o_alone_hardly="undecided")),
    Case("sentences", table(CDP=0.91, COD=0.91, noise=noisy("CODP", 0.0009)),
         both(cdp_almost_full="undecided", o_alone_hardly=True)),
    # of two players three seeds each (Welch): ± 2.7764 · √(2 · 0.03² / 3) = 0.06801
    *(Case("sentences", table(ahead=x, below=x, noise=SEEDS), {BEATS: holds, FASTER: holds})
      for x, holds in ((0.0681, True), (0.0679, "undecided"), (-0.0679, "undecided"),
                       (-0.0681, False))),
    # one seed has no interval, be it of one player alone
    Case("sentences", table(noise=(0,)), dict.fromkeys(NAMES)),
    Case("sentences", table(noise=noisy("none", 0) | {"P": (0,)}), dict.fromkeys(NAMES)),
    Case("sentences", table(noise=(0, 0, 0)), dict.fromkeys(NAMES, True)),
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


def cards(c=((1, 2, 3, 4, 5),) * 2, inside=(0.125, 0.125), outside=0.5):
    """Rows of goofspiel/cards, one a seed: cards of who sees C, and when who sees D plays the 5.

    Other players and other checkpoints are unlike.
    """
    falling = [(5, 4, 3, 2, 1)] * len(c)
    kept, other = [(x, outside) for x in inside], [(outside, min(inside))] * len(c)
    players = {"C": (c, other), "D": (falling, kept), "CODP": (falling, other)}
    return lambda: (
        pd.DataFrame(
            {"features": name, "chunk": seed, "games": 100}
            | {f"bid@{k}@{t}": card if t == T else -card
               for t in POINTS for k, card in enumerate(bids, 1)}
            | {f"{word}_5_in_deck@{t}": x if t == T else -x
               for t in POINTS for word, x in zip(("with", "without"), fives, strict=True)}
            for name, (played, shares) in players.items()
            for seed, (bids, fives) in enumerate(zip(played, shares, strict=True))
        ),
    )  # fmt: skip


HIGH, SAVE = "claim/high-prize-high-bid", "claim/save-high-cards"
#: Rank correlations of 0.1 and −0.1, of 0.6 and −0.6, and of 0.9.
UP, DOWN, RISING, FALLING = (2, 5, 1, 4, 3), (4, 1, 5, 2, 3), (1, 2, 5, 4, 3), (5, 4, 1, 2, 3)
MOSTLY = (1, 2, 3, 5, 4)
CARDS = [
    Case("cards_for_prizes", cards(), {HIGH: True, SAVE: True}),
    Case("cards_for_prizes", cards(c=[UP] * 3, inside=[0.25] * 3), {HIGH: True, SAVE: True}),
    Case("cards_for_prizes", cards(c=[DOWN] * 2), {HIGH: False}),
    Case("cards_for_prizes", cards(c=[RISING, FALLING]), {HIGH: "undecided"}),
    # seeds that differ: 0.75 ± 12.706 · 0.15; of four, 0.825 ± 3.182 · 0.075
    Case("cards_for_prizes", cards(c=[RISING, MOSTLY]), {HIGH: "undecided"}),
    Case("cards_for_prizes", cards(c=[RISING, *[MOSTLY] * 3], inside=[0.25] * 4), {HIGH: True}),
    Case("cards_for_prizes", cards(inside=(0.45, 0.45)), {SAVE: True}),
    Case("cards_for_prizes", cards(inside=(0.5, 0.5)), {SAVE: "undecided"}),
    Case("cards_for_prizes", cards(inside=(0.55, 0.55)), {SAVE: False}),
    Case("cards_for_prizes", cards(inside=(0.44, 0.46)), {SAVE: "undecided"}),
    Case("cards_for_prizes", cards(inside=(0.54, 0.56)), {SAVE: "undecided"}),
    Case("cards_for_prizes", cards(inside=(0.37, 0.38)), {SAVE: True}),
    Case("cards_for_prizes", cards(c=[RISING], inside=[0.25]), {HIGH: None, SAVE: None}),
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
CASES = [*EXACT, *PARTITIONS, *CARDS, *SENTENCES, *FIGURES]
