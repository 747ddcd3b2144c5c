"""What stored runs say on the questions of ``data/questions/goofspiel.csv``."""

from collections.abc import Mapping
from itertools import combinations

import pandas as pd
from scipy.stats import spearmanr

from gamecore.goofspiel.tree import FEATURES
from gamecore.papers.goofspiel.beyond import COMPARED, DOUBLINGS, column
from gamecore.papers.goofspiel.experiments import HAND, NONE, SETS
from gamecore.papers.goofspiel.readings import shapley, share
from gamecore.papers.stats import Estimate, Judged, Ours, every, judge

#: How near to 1 rank correlations must be, and how many of the 120 pairs must be settled.
LEARNT, HIDDEN, SETTLED = 0.9, 0.8, 100
PAIRS = list(combinations(SETS, 2))
#: How far apart ends must be to be two, absolutely and in last movements.
APART, TIMES = 0.005, 5


def order(rows: pd.DataFrame, cards: int) -> pd.Series:
    """Return how each pair of sets is ordered: 1 if the first does better, −1 the second, 0 open.

    A pair is settled if at the last three checkpoints, in every start, the return and b₁ agree.

    Parameters
    ----------
    rows : pandas.DataFrame
        Of ``goofspiel/doublings``, or of ``goofspiel/seven``.
    cards : int
        With how many cards.

    Returns
    -------
    pandas.Series
        One number for each of `PAIRS`.
    """
    checked = {x: [column(x, cards, t) for t in DOUBLINGS[cards][-3:]] for x in COMPARED}
    better = rows[checked["return"]].join(-rows[checked["b1"]])
    numbers = {
        name: better.loc[own.sort_values("chunk").index].to_numpy()
        for name, own in rows.groupby("features")
    }
    found = {}
    for a, b in PAIRS:
        ahead = numbers[a] - numbers[b]
        found[a, b] = int((ahead > 0).all()) - int((ahead < 0).all())
    return pd.Series(found)


def ends(rows: pd.DataFrame, cards: int, number: str = "return", back: int = 1) -> dict:
    """Return a number of each set at the last checkpoint, or `back` − 1 before it, over starts."""
    last = column(number, cards, DOUBLINGS[cards][-back])
    return {str(name): Estimate.of(own[last]) for name, own in rows.groupby("features")}


def reversed_pairs(rows: pd.DataFrame, cards: int) -> list[tuple[str, str]]:
    """Return the pairs whose difference in return changes sides beyond chance at the last step."""
    before, after = (ends(rows, cards, back=back) for back in (2, 1))
    sides = {
        pair: [m[pair[0]].minus(m[pair[1]]).above(0.0) for m in (before, after)] for pair in PAIRS
    }
    return [pair for pair, (was, now) in sides.items() if None not in (was, now) and was != now]


def said(name: str) -> str:
    """Return a set of features as the text writes it.

    Examples
    --------
    >>> said("hand"), said("CDP"), said("none")
    ('hand only', 'C+D+P', 'no abstraction')
    """
    return {HAND: "hand only", NONE: "no abstraction"}.get(name) or "+".join(name)


def _fixed(rows: pd.DataFrame, cards: int) -> Ours:
    found, turned = order(rows, cards), reversed_pairs(rows, cards)
    m = ends(rows, cards)
    open_ = [
        f"{said(a)} and {said(b)} ({_plainly(m[a].minus(m[b]), 4)})"
        for (a, b), side in found.items()
        if not side
    ]
    words = f"{(found != 0).sum()} of {len(PAIRS)} pairs have a fixed order"
    names = ", ".join(f"{said(a)} and {said(b)}" for a, b in turned)
    if turned:  # which answers the question: the pairs that are only open need no names
        words += f"; changed places at the last doubling: {names}"
    elif open_:
        words += f"; open, with the difference in return: {', '.join(open_)}"
    return Ours(holds=True if not open_ else False if turned else None, detail=f"{words}.")


@judge("goofspiel/doublings")
def six(doublings: pd.DataFrame) -> Judged:
    """Say whether the order is fixed with six cards."""
    yield "goofspiel/six-settled", _fixed(doublings, 6)


@judge("goofspiel/doublings")
def beginnings(doublings: pd.DataFrame) -> Judged:
    """Say whether where training ends depends on where it begins."""
    widest, two = ("", 0, 0.0), []
    for n in (4, 5, 6):
        before, after = (column("b1", n, t) for t in DOUBLINGS[n][-2:])
        for name, own in doublings.groupby("features", sort=False):
            low, high = own.loc[own[after].idxmin()], own.loc[own[after].idxmax()]
            apart = high[after] - low[after]
            moved = max(abs(one[after] - one[before]) for one in (low, high))
            widest = max(widest, (str(name), n, apart), key=lambda found: found[2])
            if apart > max(APART, TIMES * moved):
                two.append(f"{said(str(name))} with {n} cards ({apart:.3f} apart)")
    words = f"The widest spread of b₁ over starts is {widest[2]:.4f}, of {said(widest[0])} with "
    words += f"{widest[1]} cards; ends that are two by this rule: {', '.join(two) or 'none'}."
    holds = False if two else True if widest[2] < APART else None
    yield "goofspiel/one-end", Ours(holds=holds, detail=words)


@judge("goofspiel/seven")
def seven(rows: pd.DataFrame) -> Judged:
    """Say whether the order is fixed with seven cards."""
    yield "goofspiel/seven-settled", _fixed(rows, 7)


@judge("goofspiel/doublings", "goofspiel/seven")
def sizes(doublings: pd.DataFrame, seven: pd.DataFrame) -> Judged:
    """Compare numbers of cards: the order of the sets, and what three features are worth."""
    sources = {4: doublings, 5: doublings, 6: doublings, 7: seven}
    found = pd.DataFrame({n: order(sources[n], n) for n in (5, 6, 7)})
    differ = [
        f"{said(a)} and {said(b)} ({n} and {m} cards)"
        for (a, b), row in found.iterrows()
        for n, m in combinations(found.columns, 2)
        if row[n] * row[m] < 0
    ]
    whole = int((found != 0).all(axis=1).sum())
    words = f"{whole} of {len(PAIRS)} pairs have a fixed order with five, six and seven cards; "
    words += f"in different orders: {', '.join(differ)}" if differ else "none is in another order"
    alike = False if differ else True if whole >= SETTLED else None
    yield "goofspiel/same-order", Ours(holds=alike, detail=f"{words}.")
    shares = {
        s: {n: share(ends(sources[n], n), {s: 1}) for n in sources} for s in SETS if len(s) == 3
    }
    falls = [shares[s][n + 1].minus(shares[s][n]).below(0.0) for s in shares for n in (4, 5, 6)]
    words = "; ".join(
        f"{said(s)} " + ", ".join(f"{100 * x.value:.1f} %" for x in of.values())
        for s, of in shares.items()
    )
    detail = f"The shares of the gap with 4, 5, 6 and 7 cards: {words}."
    yield "goofspiel/three-features-fall", Ours(holds=every(falls), detail=detail)


def _networks(learnt: pd.DataFrame, limits: pd.DataFrame) -> Ours:
    """Compare the order of networks with that of tables."""
    wanted = limits.set_index("features").b1
    ranks = _ranks(learnt.pivot(index="chunk", columns="features", values="b1"), wanted, SETS)
    m = learnt.groupby("features").b1.mean()
    detail = f"The rank correlation is {_plainly(ranks)}; b₁ goes from {m[HAND]:.3f} for the hand "
    detail += f"only to {m['CODP']:.3f} for all features, in tables from {wanted[HAND]:.3f} "
    detail += f"to {wanted['CODP']:.3f}."
    return Ours(holds=ranks.above(LEARNT), detail=detail)


def _exchanges(exchanged: pd.DataFrame, limits: pd.DataFrame) -> tuple[Ours, Ours]:
    """Compare what exchanging inputs costs with what abstraction does: by sets, by features."""
    table, wanted = of_sets(exchanged, "b1"), limits.set_index("features")
    lacking = [name for name in SETS if name != "CODP"]
    ranks = _ranks(table, wanted.b1, lacking)
    returns = _ranks(of_sets(exchanged, "return"), wanted["return"], lacking)
    detail = f"The rank correlation is {_plainly(ranks)} by b₁ and {_plainly(returns)} by the "
    detail += "return against the player 1 of the training."
    by_sets = Ours(holds=ranks.above(HIDDEN), detail=detail)
    costs, worth = single_costs(table), -shapley(wanted.b1)
    ranks = _ranks(costs, worth, list(FEATURES))
    words = ", ".join(f"{c} {costs[c].mean():.3f} (Shapley {worth[c]:.3f})" for c in FEATURES)
    detail = f"The rank correlation is {_plainly(ranks)}; b₁ rises, when one is exchanged, by: "
    return by_sets, Ours(holds=ranks.above(0.0), detail=f"{detail}{words}.")


def _wrong_or_missing(exchanged: pd.DataFrame, learnt: pd.DataFrame) -> Ours:
    """Compare a feature that is exchanged with one that was never shown."""
    wrong, seeds = of_sets(exchanged, "b1"), learnt.groupby("features").b1
    more = {}
    for feature in FEATURES:
        rest = FEATURES.replace(feature, "")
        missing = Estimate.of(seeds.get_group(rest))
        more[feature] = Estimate.of(wrong[rest]).minus(missing)
    words = ", ".join(f"{c} {_plainly(x)}" for c, x in more.items())
    holds = every(x.above(0.0) for x in more.values())
    return Ours(holds=holds, detail=f"b₁ is higher by: {words}.")


@judge("goofspiel/learnt", "goofspiel/hidden", "goofspiel/limits")
def networks(learnt: pd.DataFrame, exchanged: pd.DataFrame, limits: pd.DataFrame) -> Judged:
    """Compare networks of five cards with tables: shown a set, and with inputs exchanged."""
    yield "goofspiel/learnt-order", _networks(learnt, limits)
    by_sets, by_features = _exchanges(exchanged, limits)
    yield "goofspiel/hidden-order", by_sets
    yield "goofspiel/hidden-features", by_features
    yield "goofspiel/wrong-or-missing", _wrong_or_missing(exchanged, learnt)


@judge("goofspiel/learnt-four", "goofspiel/hidden-four", "goofspiel/doublings")
def smaller(learnt: pd.DataFrame, exchanged: pd.DataFrame, doublings: pd.DataFrame) -> Judged:
    """The same with four cards, whose tables are those of the doublings."""
    limits = four_cards(doublings)
    yield "goofspiel/learnt-order-four", _networks(learnt, limits)
    by_sets, by_features = _exchanges(exchanged, limits)
    yield "goofspiel/hidden-order-four", by_sets
    yield "goofspiel/hidden-features-four", by_features
    yield "goofspiel/wrong-or-missing-four", _wrong_or_missing(exchanged, learnt)


@judge("goofspiel/learnt-longer", "goofspiel/learnt")
def fitting(longer: pd.DataFrame, learnt: pd.DataFrame) -> Judged:
    """Say what four times the fitting does to networks of five cards."""
    after, before = (
        {str(name): Estimate.of(own) for name, own in rows.groupby("features").b1}
        for rows in (longer, learnt)
    )
    gain = after["CODP"].minus(before["CODP"])
    detail = f"b₁ of C+O+D+P goes from {before['CODP'].value:.3f} to {after['CODP'].value:.3f}, a "
    detail += f"difference of {_plainly(gain)}."
    yield "goofspiel/fitting-helps", Ours(holds=gain.below(0.0), detail=detail)
    ahead = {when: m["CODP"].minus(m["CDP"]) for when, m in (("now", after), ("was", before))}
    detail = f"b₁ of C+O+D+P less that of C+D+P is {_plainly(ahead['now'])}, and was "
    detail += f"{_plainly(ahead['was'])} before."
    yield "goofspiel/all-beat-three", Ours(holds=ahead["now"].below(0.0), detail=detail)


def four_cards(doublings: pd.DataFrame) -> pd.DataFrame:
    """Return the ends with four cards, means over starts, as rows of ``goofspiel/limits``."""
    found = {x: ends(doublings, 4, x) for x in COMPARED}
    return pd.DataFrame([{"features": s, **{x: found[x][s].value for x in found}} for s in SETS])


def of_sets(exchanged: pd.DataFrame, number: str) -> pd.DataFrame:
    """Return a number of ``goofspiel/hidden`` with a column for each set, a row for each seed."""
    return exchanged[[f"{number}:{s}" for s in SETS]].set_axis(SETS, axis="columns")


def single_costs(table: pd.DataFrame) -> pd.DataFrame:
    """Return by how much b₁ rises when one feature alone is exchanged, a row for each seed."""
    return pd.DataFrame({c: table[FEATURES.replace(c, "")] - table["CODP"] for c in FEATURES})


def _ranks(seeds: pd.DataFrame, limits: Mapping, names: list[str]) -> Estimate:
    """Return Spearman's correlation of each seed with the limits, over seeds."""
    wanted = [limits[name] for name in names]
    return Estimate.of([spearmanr(own[names], wanted).statistic for _, own in seeds.iterrows()])


def _plainly(x: Estimate, digits: int = 3) -> str:
    found = f"{x.value:.{digits}f}"
    return f"{found} ({x.low:.{digits}f} to {x.high:.{digits}f})" if x.error else found
