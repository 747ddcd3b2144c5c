"""What the experiments say on the paper's figures and sentences."""

import numpy as np
import pandas as pd

from gamecore.papers.goofspiel import claims
from gamecore.papers.goofspiel.experiments import CARDS, HAND, NONE
from gamecore.papers.stats import Judged, Ours, block_interval, judge

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
        for figure, column, name in zip(
            pair, ("exploitability", "return"), ("eps", "return"), strict=True
        ):
            table = claims.means(curves, name)[ITERATIONS]
            for who in shown:
                place = {HAND: "hand-only", NONE: "no-abstraction"}.get(who, "+".join(who))
                own = curves.loc[curves.features == who, f"{name}@{ITERATIONS}"]
                value, seeds = float(table[who]), len(own)
                detail = f"{value:+.4f}" if name == "return" else f"{value:.4f}"
                if seeds > 1:
                    low, high = block_interval(own)
                    detail += f", 95 % {low:.4f} to {high:.4f} over {seeds} seeds"
                identity = f"goofspiel/figure-{figure}/{place.lower()}/{column}"
                yield identity, Ours(value, n=seeds, detail=detail)


@judge("goofspiel/curves")
def sentences(curves: pd.DataFrame) -> Judged:
    """Judge what the text says of the figures, by the return and by exploitability."""
    beside = claims.judged(claims.means(curves, "b1")[ITERATIONS])
    for column, name in (("return", "return"), ("exploitability", "eps")):
        passing = claims.passing(curves, name)
        tested = claims.judged(claims.means(curves, name)[ITERATIONS])
        for claim, (passes, words) in tested.items():
            detail = f"{words}; {claims.where(passing.loc[claim])}"
            if name == "eps":
                detail += f"; b1 alone {'passes' if beside[claim][0] else 'fails'}: "
                detail += beside[claim][1]
            explained = "" if passes else EXPLAINED.get(claim, "")
            ours = Ours(holds=passes, detail=detail, explained_by=explained)
            yield f"goofspiel/claim/{claim}/{column}", ours


@judge("goofspiel/curves")
def all_features_beat_none(curves: pd.DataFrame) -> Judged:
    """Judge that C+O+D+P learns sooner than no abstraction, by return and by exploitability."""
    found = claims.difference(curves, "CODP", NONE, "return")
    above = (found.low > 0).to_numpy()
    run = any(above[i : i + 3].all() for i in range(len(above) - 2))
    crossed = claims.crossing(found.difference)
    detail = "interval above 0: " + claims.where(found.low > 0).replace("passes ", "")
    if crossed:
        detail += f"; the curves cross between {crossed[0]:,} and {crossed[1]:,} iterations"
    explained = "" if run else "goofspiel/long"
    ours = Ours(holds=bool(run), detail=detail, explained_by=explained)
    yield "goofspiel/claim/codp-beats-none/return", ours
    tables = {name: claims.means(curves, name) for name in ("eps", "b1")}
    below = {name: table.loc["CODP"] < table.loc[NONE] for name, table in tables.items()}
    holds = bool(below["eps"].all())
    detail = "; ".join(
        f"{word}: {claims.where(below[name]).replace('passes', 'lower')}"
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
    rising = bool((np.diff(cards) > 0).all())
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
    for claim, column in (("zero-at-nash", "eps"), ("value-zero", "value")):
        worst = float(found[column].abs().max())
        ours = Ours(holds=worst <= 1e-12, detail=f"at most {worst:.1e} at N = 4 and 5")
        yield f"goofspiel/claim/{claim}", ours
    five = found.loc[5]
    worst = float(five.asymmetry)
    ours = Ours(holds=worst <= 1e-12, detail=f"off by at most {worst:.1e}")
    yield "goofspiel/claim/symmetry", ours
    ours = Ours(holds=bool(five.b1_history <= 1e-12), detail=f"gets {five.b1_history:.1e}")
    yield "goofspiel/claim/codp-suffices", ours
    holds = bool(five.exceptions == 0 and five.feature_keys < five.information_sets)
    detail = f"{five.exceptions:.0f} exceptions; {five.feature_keys:,.0f} keys for "
    detail += f"{five.information_sets:,.0f} information sets"
    yield "goofspiel/claim/codp-same-state", Ours(holds=holds, detail=detail)


@judge("goofspiel/partitions")
def prize_and_deck_are_inferable(partitions: pd.DataFrame) -> Judged:
    """Judge that C and D can be inferred from each other, by a player who remembers."""
    found = partitions.set_index("features").loc[["C", "D", "CD"]]
    equal = found.partition.nunique() == 1
    detail = ", ".join(f"{name}: {int(n):,}" for name, n in found.recalled.items())
    detail += " remembered sets, " + ("the same partition" if equal else "different partitions")
    yield "goofspiel/claim/c-d-inferable", Ours(holds=bool(equal), detail=detail)
