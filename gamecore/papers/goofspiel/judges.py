"""What the experiments say on the paper's figures and sentences."""

import pandas as pd

from gamecore.papers import published
from gamecore.papers.goofspiel import claims, readings
from gamecore.papers.goofspiel.experiments import CARDS, HAND, NONE
from gamecore.papers.stats import Estimate, Judged, Ours, judge

#: Which curves stand in which pair of figures; the text names them.
FIGURES = {
    (1, 2): ("CDP", "COD", "CODP", "none"),
    (3, 4): ("C", "O", "D", "P", "hand"),
    (5, 6): ("CO", "CD", "CP", "OD", "OP", "DP", "COP", "ODP"),
}
#: What a test with three outcomes says.
SAID = {True: "passes", False: "fails", None: "is undecided"}
#: Which experiment looked into a claim that does not hold.
STUDIED = {
    "cdp-almost-full": "goofspiel/limits", "cod-almost-full": "goofspiel/limits",
    "correlated-add-little": "goofspiel/recall", "codp-learns-faster": "goofspiel/opponent",
    "high-prize-high-bid": "goofspiel/bids",
}  # fmt: skip


@judge("goofspiel/curves")
def figures(curves: pd.DataFrame) -> Judged:
    """Read the curves of figures 1 to 6, which are lost, with their spread over seeds."""
    t = claims.iterations()
    for pair, shown in FIGURES.items():
        for figure, name, sign in zip(pair, ("eps", "return"), ("", "+"), strict=True):
            seeds = curves.groupby("features")[f"{name}@{t}"]
            for who in shown:
                place = {HAND: "hand-only", NONE: "no-abstraction"}.get(who, "+".join(who))
                own = seeds.get_group(who)
                spread = Estimate.of(own)
                detail = f"{spread.value:{sign}.4f}"
                if spread.error:  # a single seed has none
                    detail += f", 95 % {spread.low:.4f} to {spread.high:.4f} over {len(own)} seeds"
                identity = f"goofspiel/figure-{figure}/{place.lower()}/{claims.COLUMNS[name]}"
                yield identity, Ours(spread.value, n=len(own), detail=detail)


@judge("goofspiel/curves")
def sentences(curves: pd.DataFrame) -> Judged:
    """Judge what the text says of the figures, by the return and by exploitability."""
    if _single(curves):
        return
    t, returns = claims.iterations(), readings.means(curves, "return")
    last = returns.columns[-1]
    limits = {number: claims.limits_of(number) for number in ("return", "eps")}
    then = claims.of_curves(curves, last, limits)
    alone = claims.judged(readings.estimates(curves, "b1", t), limits["eps"])
    more = {}
    if crossed := readings.crossing(returns.loc["CODP"] - returns.loc[NONE]):
        words = f"; the curves cross between {crossed[0]:,} and {crossed[1]:,} iterations"
        more[claims.CHOOSES] = words
    for identity, (passes, words) in claims.of_curves(curves, t, limits).items():
        claim = identity.split("/")[2]
        detail = f"{words}; {SAID[then[identity][0]]} after {last:,} iterations"
        if identity.endswith("/exploitability"):
            also, words = alone[claim]
            detail += f"; b1 alone {SAID[also]}: {words}"
        yield identity, _claimed(claim, passes, detail + more.get(identity, ""))


@judge("goofspiel/cards")
def cards_for_prizes(cards: pd.DataFrame) -> Judged:
    """Judge that high prizes get high cards, and that high cards are saved for them."""
    if _single(cards):
        return
    for identity, (passes, words) in claims.of_cards(cards, claims.iterations()).items():
        yield identity, _claimed(identity.split("/")[2], passes, words)


def zero_or(value: float) -> str:
    """Return a number that should be 0, or that it is 0 but for rounding.

    Examples
    --------
    >>> zero_or(1.9e-16), zero_or(0.25)
    ('0 but for rounding', '0.25')
    """
    return "0 but for rounding" if abs(value) < 1e-12 else f"{value:.2g}"  # not a limit: words


def _single(results: pd.DataFrame) -> bool:
    """Say whether there is but one seed, of which nobody knows how far it is from another."""
    return results.groupby("features").size().min() == 1  # not a limit: no interval


def _claimed(claim: str, passes: bool | None, detail: str) -> Ours:
    """Return our side of a claim, with the study of one that does not hold."""
    study = "" if passes else STUDIED.get(claim, "")
    return Ours(holds=passes, detail=detail, studied_by=study)


@judge("goofspiel/exact")
def equilibrium(exact: pd.DataFrame) -> Judged:
    """Judge what the paper says of the equilibrium, and that four features suffice for it."""
    found = exact.set_index("cards")
    five = found.loc[CARDS]
    for claim, worst, words in (
        ("zero-at-nash", found.eps.abs().max(), "{} at N = 4 and 5"),
        ("value-zero", found.value.abs().max(), "{} at N = 4 and 5"),
        ("symmetry", five.asymmetry, "off by {}"),
        ("codp-suffices", five.b1_history, "gets {}"),
    ):
        identity = f"goofspiel/claim/{claim}"
        holds = bool(worst <= published.limits(identity).most)
        yield identity, Ours(holds=holds, detail=words.format(zero_or(worst)))
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
