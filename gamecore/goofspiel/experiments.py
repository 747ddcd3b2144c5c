"""The six figures as training curves, their limits, and the checks and questions around them."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from gamecore.experiment import experiment
from gamecore.goofspiel import claims, measure
from gamecore.goofspiel.claims import HAND, PLAYERS, SETS, features_of
from gamecore.goofspiel.players import Trainer
from gamecore.goofspiel.solve import CFR, solve
from gamecore.stats import Ours, block_interval

CARDS = 5
#: A "game" of a training experiment is this many iterations.
UNIT = 1000
SHORT = (1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)
LONG = (*SHORT, 200_000, 500_000, 1_000_000)
#: Where claims are judged.
JUDGED = 100_000
MEASURES = ("eps", "b0", "b1", "return")
#: Which curves stand in which pair of figures; the text names them.
FIGURES = {
    (1, 2): ("CDP", "COD", "CODP", "none"),
    (3, 4): ("C", "O", "D", "P", "hand"),
    (5, 6): ("CO", "CD", "CP", "OD", "OP", "DP", "COP", "ODP"),
}
#: Sets of features that differ even for a player who forgets nothing.
RECALLED = ("hand", "C", "O", "P", "CP", "OP", "CO")
#: Which experiment shows why a claim fails: training has no part in it, or memory has.
EXPLAINED = {
    "cdp-almost-full": "goofspiel/limits", "cod-almost-full": "goofspiel/limits",
    "correlated-add-little": "goofspiel/recall",
}  # fmt: skip


def _curve(trainer: Trainer, iterations: int, checkpoints: tuple[int, ...]) -> dict[str, float]:
    """Train to each checkpoint in turn; those beyond `iterations` are marked by −1."""
    out: dict[str, float] = {f"{name}@{t}": -1.0 for t in checkpoints for name in MEASURES}
    for t in checkpoints:
        if t <= iterations:
            for name, value in trainer.run(t - trainer.iterations).measures().items():
                out[f"{name}@{t}"] = value
    return out


@experiment(
    "goofspiel/curves",
    cells=[{"features": name} for name in PLAYERS],
    games=SHORT[-1] // UNIT, quick=1, paper=10, fingerprint=1,
)  # fmt: skip
def curves(cell, seed, games, tables):
    """Training curves to 100,000 iterations, one seed a chunk."""
    return _curve(Trainer(CARDS, features_of(cell["features"]), seed), games * UNIT, SHORT)


@experiment(
    "goofspiel/long",
    cells=[{"features": name} for name in PLAYERS],
    games=LONG[-1] // UNIT, quick=1, paper=3, fingerprint=1,
)  # fmt: skip
def long_curves(cell, seed, games, tables):
    """Training curves to a million iterations, one seed a chunk."""
    return _curve(Trainer(CARDS, features_of(cell["features"]), seed), games * UNIT, LONG)


@curves.judge
def _(results: pd.DataFrame) -> Iterator[tuple[str, Ours]]:
    tables = {name: claims.means(results, name) for name in MEASURES}
    seeds = int((results.features == HAND).sum())
    for figures, shown in FIGURES.items():
        for figure, column, name in zip(
            figures, ("exploitability", "return"), ("eps", "return"), strict=True
        ):
            for who in shown:
                place = {"hand": "hand-only", "none": "no-abstraction"}.get(who, "+".join(who))
                value = float(tables[name].loc[who, JUDGED])
                detail = f"{value:+.4f}" if name == "return" else f"{value:.4f}"
                if seeds > 1:
                    own = results.loc[results.features == who, f"{name}@{JUDGED}"]
                    low, high = block_interval(own)
                    detail += f", 95 % {low:.4f} to {high:.4f} over {seeds} seeds"
                identity = f"goofspiel/figure-{figure}/{place.lower()}/{column}"
                yield identity, Ours(value, n=seeds, detail=detail)
    for column, name in (("return", "return"), ("exploitability", "eps")):
        passing = claims.passing(results, name)
        beside = claims.judged(tables["b1"][JUDGED])
        for claim, (passes, words) in claims.judged(tables[name][JUDGED]).items():
            detail = f"{words}; {claims.where(passing.loc[claim])}"
            if name == "eps":
                detail += f"; b1 alone {'passes' if beside[claim][0] else 'fails'}: "
                detail += beside[claim][1]
            explained = "" if passes else EXPLAINED.get(claim, "")
            ours = Ours(holds=passes, detail=detail, explained_by=explained)
            yield f"goofspiel/claim/{claim}/{column}", ours
    yield from _codp_against_none(results, tables)


def _codp_against_none(results: pd.DataFrame, tables: dict) -> Iterator[tuple[str, Ours]]:
    found = claims.difference(results, "CODP", "none", "return")
    above = (found.low > 0).to_numpy()
    run = any(above[i : i + 3].all() for i in range(len(above) - 2))
    crossed = claims.crossing(found.difference)
    detail = "interval above 0: " + claims.where(found.low > 0).replace("passes ", "")
    if crossed:
        detail += f"; the curves cross between {crossed[0]:,} and {crossed[1]:,} iterations"
    explained = "" if run else "goofspiel/long"
    ours = Ours(holds=bool(run), detail=detail, explained_by=explained)
    yield "goofspiel/claim/codp-beats-none/return", ours
    below = {name: tables[name].loc["CODP"] < tables[name].loc["none"] for name in ("eps", "b1")}
    holds = bool(below["eps"].all())
    detail = "; ".join(
        f"{word}: {claims.where(below[name]).replace('passes', 'lower')}"
        for word, name in (("(b0 + b1)/2", "eps"), ("b1", "b1"))
    )
    explained = "" if holds else "goofspiel/opponent"
    ours = Ours(holds=holds, detail=detail, explained_by=explained)
    yield "goofspiel/claim/codp-learns-faster/exploitability", ours


def _limit(solver: CFR, iterations: int) -> dict[str, float]:
    """Run CFR+ and return the measures at the end, and half-way to show that they have settled."""
    half = max(iterations // 2, 1)
    before = solver.run(half).measures()
    after = solver.run(iterations - half).measures() if iterations > half else before
    return {**after, "half_b1": before["b1"], "half_return": before["return"]}


@experiment(
    "goofspiel/limits",
    cells=[{"features": name} for name in SETS],
    games=500, quick=1, paper=1, fingerprint=4,
)  # fmt: skip
def limits(cell, seed, games, tables):
    """Where each set of features leads: CFR+ on Markov states, a game being an iteration."""
    return _limit(CFR(CARDS, features_of(cell["features"])), games)


@experiment(
    "goofspiel/bids",
    cells=[{"features": name} for name in ("C", "D", "CODP")],
    games=500, quick=1, paper=1, fingerprint=4,
)  # fmt: skip
def bids(cell, seed, games, tables):
    """What limits play: mean cards by prize, and when the highest card is kept."""
    profile = CFR(CARDS, features_of(cell["features"])).run(games)
    first = {f"bid@{k + 1}": value for k, value in enumerate(measure.opening_bids(profile))}
    inside, outside = measure.highest_card_played(profile)
    return {**first, "with_5_in_deck": inside, "without_5_in_deck": outside}


@bids.judge
def _(results: pd.DataFrame) -> Iterator[tuple[str, Ours]]:
    found = results.set_index("features")
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


@experiment(
    "goofspiel/exact",
    cells=[{"cards": cards} for cards in (4, 5)],
    games=1, quick=1, paper=1, fingerprint=1, prepare=lambda: {n: solve(n) for n in (4, 5)},
)  # fmt: skip
def exact(cell, seed, games, tables):
    """Backward induction: value, symmetry, and what the four features leave out."""
    return measure.exact_facts(tables[cell["cards"]])


@exact.judge
def _(results: pd.DataFrame) -> Iterator[tuple[str, Ours]]:
    found = results.set_index("cards")
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


@experiment(
    "goofspiel/partitions",
    cells=[{"features": name} for name in SETS],
    games=1, quick=1, paper=1, fingerprint=1,
)  # fmt: skip
def partitions(cell, seed, games, tables):
    """How many information sets each set of features tells apart, without and with memory."""
    return measure.partition(CARDS, features_of(cell["features"]) or "")


@partitions.judge
def _(results: pd.DataFrame) -> Iterator[tuple[str, Ours]]:
    found = results.set_index("features")
    same = {name: int(found.loc[name, "recalled"]) for name in ("C", "D", "CD")}
    equal = found.loc[["C", "D", "CD"], "partition"].nunique() == 1
    detail = ", ".join(f"{name}: {n:,}" for name, n in same.items()) + " remembered sets"
    detail += ", the same partition" if equal else ", different partitions"
    yield "goofspiel/claim/c-d-inferable", Ours(holds=bool(equal), detail=detail)


@experiment(
    "goofspiel/recall",
    cells=[{"features": name} for name in RECALLED],
    games=150, quick=1, paper=1, fingerprint=1, extra=True,
)  # fmt: skip
def recall(cell, seed, games, tables):
    """The limits once more, for players who remember all they saw: CFR+ on the full tree."""
    return _limit(CFR(CARDS, features_of(cell["features"]), recall=True), games)


@experiment(
    "goofspiel/six-cards",
    cells=[{"features": name} for name in SETS],
    games=100, quick=1, paper=1, fingerprint=1, extra=True,
)  # fmt: skip
def six_cards(cell, seed, games, tables):
    """The limits at N = 6."""
    return _limit(CFR(6, features_of(cell["features"])), games)


@experiment(
    "goofspiel/opponent",
    cells=[{"features": name} for name in ("hand", "C", "CDP", "COD", "CODP", "none")],
    games=SHORT[-1] // UNIT, quick=1, paper=3, fingerprint=1, extra=True,
)  # fmt: skip
def opponent(cell, seed, games, tables):
    """The curves with player 1 on Markov states instead of histories."""
    trainer = Trainer(CARDS, features_of(cell["features"]), seed, opponent="CODP")
    return _curve(trainer, games * UNIT, SHORT)


@experiment(
    "goofspiel/histories",
    cells=[
        {"features": name, "method": method}
        for name in ("CODP", "none")
        for method in ("CFR", "CFR+")
    ],
    games=300, quick=1, paper=1, fingerprint=1, extra=True,
)  # fmt: skip
def histories(cell, seed, games, tables):
    """Full-width CFR with player 1 on histories: what sampling has no part in."""
    plus = cell["method"] == "CFR+"
    solver = CFR(CARDS, features_of(cell["features"]), plus=plus, histories=True)
    return _limit(solver, games)
