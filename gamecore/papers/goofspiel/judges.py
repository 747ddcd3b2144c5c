"""What the experiments say on the paper's figures and sentences."""

from itertools import pairwise

import pandas as pd

from gamecore.papers import published
from gamecore.papers.goofspiel import claims, readings
from gamecore.papers.goofspiel.experiments import CARDS, HAND, NONE
from gamecore.papers.stats import Estimate, Judged, Ours, judge

#: After how many iterations curves are read and claims are judged.
ITERATIONS = 100_000
#: Which curves stand in which pair of figures; the text names them.
FIGURES = {
    (1, 2): ("CDP", "COD", "CODP", "none"),
    (3, 4): ("C", "O", "D", "P", "hand"),
    (5, 6): ("CO", "CD", "CP", "OD", "OP", "DP", "COP", "ODP"),
}
#: Which experiment shows why a claim fails: training has no part in it, or memory has.
EXPLAINED = {
    "cdp-almost-full": "goofspiel/limits", "cod-almost-full": "goofspiel/limits",
    "correlated-add-little": "goofspiel/recall",
}  # fmt: skip


@judge("goofspiel/curves")
def figures(curves: pd.DataFrame) -> Judged:
    """Read the curves of figures 1 to 6, which are lost, with their spread over seeds."""
    for pair, shown in FIGURES.items():
        for figure, name, sign in zip(pair, ("eps", "return"), ("", "+"), strict=True):
            table = readings.means(curves, name)[ITERATIONS]
            seeds = curves.groupby("features")[f"{name}@{ITERATIONS}"]
            for who in shown:
                place = {HAND: "hand-only", NONE: "no-abstraction"}.get(who, "+".join(who))
                value, own = float(table[who]), seeds.get_group(who)
                spread = Estimate.of(own)
                detail = f"{value:{sign}.4f}"
                if spread.error:  # a single seed has none
                    detail += f", 95 % {spread.low:.4f} to {spread.high:.4f} over {len(own)} seeds"
                identity = f"goofspiel/figure-{figure}/{place.lower()}/{claims.COLUMNS[name]}"
                yield identity, Ours(value, n=len(own), detail=detail)


@judge("goofspiel/curves")
def sentences(curves: pd.DataFrame) -> Judged:
    """Judge what the text says of the figures, by the return and by exploitability."""
    for name, beside in (("return", []), ("eps", ["b1"])):
        limits = claims.limits_of(name)
        passing = claims.passing(curves, name, limits)
        tested, *others = (
            claims.judged(readings.means(curves, number)[ITERATIONS], limits)
            for number in (name, *beside)
        )
        for claim, (passes, words) in tested.items():
            detail = f"{words}; {readings.where(passing.loc[claim])}"
            for number, other in zip(beside, others, strict=True):
                also, words = other[claim]
                detail += f"; {number} alone {'passes' if also else 'fails'}: {words}"
            explained = "" if passes else EXPLAINED.get(claim, "")
            ours = Ours(holds=passes, detail=detail, explained_by=explained)
            yield f"goofspiel/claim/{claim}/{claims.COLUMNS[name]}", ours


@judge("goofspiel/curves")
def all_features_beat_none(curves: pd.DataFrame) -> Judged:
    """Judge that C+O+D+P learns sooner than no abstraction, by return and by exploitability."""
    claim = "goofspiel/claim/codp-beats-none/return"
    limit = published.limits(claim)
    found = readings.difference(curves, "CODP", NONE, "return")
    above = found.low > limit.least
    run = above.groupby((~above).cumsum()).cumsum()  # counts what stands in a row
    holds = bool((run == limit.checkpoints).any())
    detail = f"interval above {limit.least:g}: "
    detail += readings.where(above).replace("passes ", "")
    if crossed := readings.crossing(found.difference):
        detail += f"; the curves cross between {crossed[0]:,} and {crossed[1]:,} iterations"
    explained = "" if holds else "goofspiel/long"
    yield claim, Ours(holds=holds, detail=detail, explained_by=explained)
    tables = {name: readings.means(curves, name) for name in ("eps", "b1")}
    below = {name: table.loc["CODP"] < table.loc[NONE] for name, table in tables.items()}
    holds = bool(below["eps"].all())
    detail = "; ".join(
        f"{word}: {readings.where(below[name]).replace('passes', 'lower')}"
        for word, name in (("(b0 + b1)/2", "eps"), ("b1", "b1"))
    )
    explained = "" if holds else "goofspiel/opponent"
    ours = Ours(holds=holds, detail=detail, explained_by=explained)
    yield "goofspiel/claim/codp-learns-faster/exploitability", ours


@judge("goofspiel/bids")
def cards_for_prizes(bids: pd.DataFrame) -> Judged:
    """Judge that high prizes get high cards, and that high cards are saved for them."""
    found = bids.set_index("features")
    cards = [float(found.loc["C", f"bid@{k}"]) for k in range(1, CARDS + 1)]
    detail = "mean cards at prizes 1 to 5: " + ", ".join(f"{x:.2f}" for x in cards)
    rising = all(a < b for a, b in pairwise(cards))
    detail += "; all features: "
    detail += ", ".join(f"{found.loc['CODP', f'bid@{k}']:.2f}" for k in range(1, CARDS + 1))
    ours = Ours(holds=rising, detail=detail, explained_by="" if rising else "goofspiel/bids")
    yield "goofspiel/claim/high-prize-high-bid", ours
    inside, outside = found.loc["D", "with_5_in_deck"], found.loc["D", "without_5_in_deck"]
    detail = f"the 5 is played with {inside:.3f} if a 5 is in the deck, else with {outside:.3f}"
    yield "goofspiel/claim/save-high-cards", Ours(holds=bool(inside < outside), detail=detail)


@judge("goofspiel/exact")
def equilibrium(exact: pd.DataFrame) -> Judged:
    """Judge what the paper says of the equilibrium, and that four features suffice for it."""
    found = exact.set_index("cards")
    five = found.loc[CARDS]
    for claim, worst, words in (
        ("zero-at-nash", found.eps.abs().max(), "at most {:.1e} at N = 4 and 5"),
        ("value-zero", found.value.abs().max(), "at most {:.1e} at N = 4 and 5"),
        ("symmetry", five.asymmetry, "off by at most {:.1e}"),
        ("codp-suffices", five.b1_history, "gets {:.1e}"),
    ):
        identity = f"goofspiel/claim/{claim}"
        holds = bool(worst <= published.limits(identity).most)
        yield identity, Ours(holds=holds, detail=words.format(worst))
    fewer = five.feature_keys < five.information_sets
    detail = f"{five.exceptions:.0f} exceptions; {five.feature_keys:,.0f} keys for "
    detail += f"{five.information_sets:,.0f} information sets"
    ours = Ours(holds=bool(fewer and not five.exceptions), detail=detail)
    yield "goofspiel/claim/codp-same-state", ours


@judge("goofspiel/partitions")
def prize_and_deck_are_inferable(partitions: pd.DataFrame) -> Judged:
    """Judge that C and D can be inferred from each other, by a player who remembers."""
    found = partitions.set_index("features").loc[["C", "D", "CD"]]
    equal = found.partition.nunique() == 1  # not a limit: one and the same
    detail = ", ".join(f"{name}: {int(n):,}" for name, n in found.recalled.items())
    detail += " remembered sets, " + ("the same partition" if equal else "different partitions")
    yield "goofspiel/claim/c-d-inferable", Ours(holds=bool(equal), detail=detail)
