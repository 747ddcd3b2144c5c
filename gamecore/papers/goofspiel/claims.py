"""What the paper says of its figures, as tests on estimates of one number per set of features.

Each test has three outcomes: the 95 % interval over seeds lies on the side that the sentence names
(True), on the other (False), or reaches to both (None). The same tests judge the claims after the
number of iterations fixed in ``data/published``, show what comes of them at other checkpoints and
in single runs, and are put to the limits of full-width CFR+.
"""

import math
from collections import Counter
from collections.abc import Mapping
from types import SimpleNamespace

import pandas as pd
from scipy.stats import spearmanr

from gamecore.goofspiel.tree import FEATURES
from gamecore.papers import published
from gamecore.papers.goofspiel.experiments import BIDS, NONE, SETS
from gamecore.papers.goofspiel.readings import estimates, means, share, with_feature
from gamecore.papers.stats import Estimate, every, some

#: Under which heading ``data/published`` has the claims on a number.
COLUMNS = {"return": "return", "eps": "exploitability", "b1": "exploitability"}
#: The sentence that chooses after how many iterations all others are judged.
CHOOSES = "goofspiel/claim/codp-beats-none/return"
# Per claim whether it passes, and what was found.
Answers = dict[str, tuple[bool | None, str]]


def iterations() -> int:
    """Return after how many iterations curves are read and claims are judged.

    Examples
    --------
    >>> iterations()
    20000
    """
    return int(published.limits(CHOOSES).iterations)


def limits_of(number: str) -> dict[str, SimpleNamespace]:
    """Return the thresholds of the claims on a number, by claim.

    Parameters
    ----------
    number : {"return", "eps", "b1"}
        What the claims are about; ``b1`` has the thresholds of exploitability.

    Examples
    --------
    >>> limits_of("return")["c-alone-matters"].least
    0.3
    """
    asked = published.load("goofspiel")
    return {
        row.id.split("/")[2]: published.limits(row.id)
        for row in asked
        if row.limits and row.column == COLUMNS[number]
    }


def judged(m: Mapping[str, Estimate], limits: Mapping[str, SimpleNamespace]) -> Answers:
    """Put every claim about the figures to a table of one number per player.

    Parameters
    ----------
    m : mapping from player to estimate
        Expected return, or exploitability, of each of `SETS`, and perhaps of no abstraction.
    limits : mapping from claim to thresholds
        As `limits_of` returns them.

    Returns
    -------
    dict
        Per claim whether it passes (None: noise decides), and what was found.

    Examples
    --------
    >>> from gamecore.papers.goofspiel.readings import exactly
    >>> m = exactly(dict.fromkeys(SETS, -0.8) | {"C": -0.5, "CODP": 0.0})
    >>> judged(m, limits_of("return"))["c-alone-matters"]
    (True, '0.375 of the gap')
    """

    def gain(feature: str, base: str) -> Estimate:
        return share(m, {with_feature(base, feature): 1, base: -1})

    found: Answers = {}
    much = {"CDP": "almost-full", "COD": "almost-full", "C": "alone-matters", "D": "alone-matters"}
    for name, word in much.items():
        claim = f"{name.lower()}-{word}"
        G = share(m, {name: 1})
        found[claim] = G.above(limits[claim].least), f"{_interval(G)} of the gap"
    for name, other in ("OP", "PO"):
        claim = f"{name.lower()}-alone-hardly"
        G = share(m, {name: 1})
        found[claim] = G.below(limits[claim].most), f"{_interval(G)} of the gap"
        claim = f"{name.lower()}-only-with-c-or-d"
        gains, alone = [gain(name, base) for base in "CD"], [G, gain(name, other)]
        found[claim] = (
            every([some(x.above(limits[claim].least) for x in gains),
                   *(x.below(limits[claim].most) for x in alone)]),
            f"adds {gains[0].value:.3f} to C and {gains[1].value:.3f} to D, "
            f"{alone[0].value:.3f} to the hand and {alone[1].value:.3f} to {other}",
        )  # fmt: skip
    found["interaction"] = _interaction(m, limits["interaction"].least)
    above = limits["c-d-above-o-p"].least
    found["c-d-above-o-p"] = (
        every(share(m, {a: 1, b: -1}).above(above) for a in "CD" for b in "OP"),
        ", ".join(f"{name} {share(m, {name: 1}).value:.3f}" for name in FEATURES),
    )
    for name in ("CO", "CP"):
        claim = f"{name.lower()}-above-cd"
        words = f"{m[name].value:+.4f} against {m['CD'].value:+.4f}"
        found[claim] = _size(m["CD"]).minus(_size(m[name])).above(limits[claim].least), words
    little = limits["correlated-add-little"]
    half = {"C": little.factor - 1, "CD": 1}
    compared = [share(m, half | {pair: -little.factor}) for pair in ("CO", "CP")]
    found["correlated-add-little"] = (
        every(x.below(little.most) for x in compared),
        f"D adds {_interval(gain('D', 'C'))} to C, O adds {gain('O', 'C').value:.3f} and "
        f"P {gain('P', 'C').value:.3f}",
    )
    found["more-is-nearer-zero"] = _nearer_zero(m, limits["more-is-nearer-zero"].slack)
    if NONE in m:
        ahead = m["CODP"].minus(m[NONE])
        words = f"difference {_interval(ahead, 4)}"
        if "codp-beats-none" in limits:  # a claim on the return …
            found["codp-beats-none"] = ahead.above(limits["codp-beats-none"].least), words
        else:  # … and what follows from it, on exploitability
            found["codp-learns-faster"] = ahead.below(limits["codp-learns-faster"].most), words
    return found


def _interaction(m: Mapping[str, Estimate], least: float) -> tuple[bool | None, str]:
    """Say whether what some feature adds depends on the others, and which one varies most."""
    ranges = {}
    for name in FEATURES:
        without = [s for s in SETS if name not in s]
        gains = {s: m[s].value - m[with_feature(s, name)].value for s in without}
        low, high = (chosen(without, key=gains.__getitem__) for chosen in (min, max))
        weights = Counter([with_feature(high, name), low])
        weights.subtract([high, with_feature(low, name)])
        ranges[name] = _size(share(m, weights))
    widest = max(ranges, key=lambda name: ranges[name].value)
    words = f"what {widest} adds varies by {_interval(ranges[widest])} of the gap"
    return ranges[widest].above(least), words


def _nearer_zero(m: Mapping[str, Estimate], slack: float) -> tuple[bool | None, str]:
    """Say whether each feature more brings a number nearer to 0, and where it does not."""
    pairs = [(s, with_feature(s, name)) for s in SETS for name in FEATURES if name not in s]
    worse = {f"{b} after {a}": _size(m[b]).minus(_size(m[a])) for a, b in pairs}
    below = {pair: x.below(slack) for pair, x in worse.items()}
    open_ = [pair for pair, passes in below.items() if passes is not True]
    bad = [f"{pair} by {worse[pair].value:+.3f}" for pair in open_]
    words = f"{len(bad)} of {len(pairs)} pairs worsen or may worsen"
    words += f": {', '.join(bad)}" if bad else ""
    return every(below.values()), words


def of_curves(
    curves: pd.DataFrame, t: int, limits: Mapping[str, Mapping[str, SimpleNamespace]]
) -> Answers:
    """Put all sentences on the figures to curves after `t` iterations, by published id.

    Parameters
    ----------
    curves : pandas.DataFrame
        Rows of ``goofspiel/curves`` or ``goofspiel/long``.
    t : int
        One of their checkpoints.
    limits : mapping from number to thresholds
        Of ``"return"`` and ``"eps"``, as `limits_of` returns them.
    """
    found: Answers = {}
    for number, own in limits.items():
        answers = judged(estimates(curves, number, t), own)
        found |= {f"goofspiel/claim/{name}/{COLUMNS[number]}": x for name, x in answers.items()}
    name = "goofspiel/claim/more-is-nearer-zero"
    parts = {column: found[f"{name}/{column}"] for column in ("return", "exploitability")}
    words = "; ".join(f"by {column}: {words}" for column, (_, words) in parts.items())
    found[name] = every(passes for passes, _ in parts.values()), words
    return found


def of_cards(cards: pd.DataFrame, t: int) -> Answers:
    """Put what the text says of the cards to those that trained players play."""
    seeing = cards.set_index("features")
    first = seeing.loc[["C"], [f"{bid}@{t}" for bid in BIDS]]
    order = range(len(BIDS))
    ranks = Estimate.of([spearmanr(order, bids).statistic for bids in first.to_numpy()])
    deck = seeing.loc[["D"]]
    inside, outside = (deck[f"{name}_5_in_deck@{t}"] for name in ("with", "without"))
    saved = Estimate.of(inside - outside)
    high, save = (f"goofspiel/claim/{x}" for x in ("high-prize-high-bid", "save-high-cards"))
    return {
        high: (
            ranks.above(published.limits(high).least),
            f"rank correlation {_interval(ranks)}; mean cards at prizes 1 to 5: "
            + ", ".join(f"{x:.2f}" for x in first.mean()),
        ),
        save: (
            saved.below(published.limits(save).most),
            f"the 5 is played with {inside.mean():.3f} if a 5 is in the deck, else with "
            f"{outside.mean():.3f}: difference {_interval(saved)}",
        ),
    }


def of_training(curves: pd.DataFrame, cards: pd.DataFrame, t: int) -> pd.Series:
    """Return what comes of every sentence on training after `t` iterations, by published id.

    Parameters
    ----------
    curves, cards : pandas.DataFrame
        Rows of ``goofspiel/curves`` and of ``goofspiel/cards``.
    t : int
        One of their checkpoints.

    Returns
    -------
    pandas.Series
        True, False or None.
    """
    limits = {number: limits_of(number) for number in ("return", "eps")}
    found = of_curves(curves, t, limits) | of_cards(cards, t)
    return pd.Series({name: passes for name, (passes, _) in found.items()}, dtype=object)


def single_runs(curves: pd.DataFrame, cards: pd.DataFrame, t: int) -> pd.DataFrame:
    """Return what `of_training` gives for each seed by itself, one column a seed."""
    seeds = zip(curves.groupby("chunk"), cards.groupby("chunk"), strict=True)
    return pd.DataFrame({k: of_training(own, played, t) for (k, own), (_, played) in seeds})


def passing(
    results: pd.DataFrame, number: str, limits: Mapping[str, SimpleNamespace]
) -> pd.DataFrame:
    """Return which claims pass at which checkpoint: True, False or None, one row per claim."""
    found = {t: judged(estimates(results, number, t), limits) for t in means(results, number)}
    answers = {t: {name: x for name, (x, _) in tests.items()} for t, tests in found.items()}
    return pd.DataFrame(answers, dtype=object)


def _size(x: Estimate) -> Estimate:
    """Return how far a number is from 0."""
    return x.times(math.copysign(1.0, x.value))


def _interval(x: Estimate, digits: int = 3) -> str:
    found = f"{x.value:.{digits}f}"
    return f"{found} ({x.low:.{digits}f} to {x.high:.{digits}f})" if x.error else found
