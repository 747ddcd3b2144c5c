"""Rules for the questions of ``data/questions/geister.csv``."""

import pandas as pd

from gamecore.geister.players import PLAYERS
from gamecore.papers.geister.beyond import EVEN, FULL, HALF, THESIS
from gamecore.papers.geister.experiments import BENCHMARKS, CFR
from gamecore.papers.geister.pairings import Pairings
from gamecore.papers.stats import Estimate, Judged, Ours, every, judge

Way = tuple[str, float]
NAMES = {"cfr-a": "CFR-A", "cfr-b": "CFR-B"}


class Scores:
    """The scores of players that remember, a draw counting one half."""

    def __init__(self, results: pd.DataFrame):
        keys = ["player", "model", "trust", "opponent"]
        self.sums = results.drop(columns="chunk").groupby(keys).sum()

    def of(self, player: str, way: Way, opponent: str) -> Estimate:
        """Return a player's score."""
        row = self.sums.loc[(player, *way, opponent)]
        return Estimate.share(row.win + row.draw / 2, row.games)


def lowest(pairs: Pairings, player: str) -> Estimate:
    """Return the lowest score of one of the thesis's players over the four opponents."""
    return pairs.points(player, pairs.worst(player))


def _rises(scores: Scores, pairs: Pairings, player: str, way: Way) -> Ours:
    """Say whether a player that remembers loses to nobody as much as the thesis's to its worst."""
    least = lowest(pairs, player)
    found = {other: scores.of(player, way, other) for other in BENCHMARKS}
    worst = min(found, key=lambda other: found[other].value)
    return Ours(
        holds=every(one.minus(least).above(0.0) for one in found.values()),
        detail=f"{NAMES[player]}'s worst score was {least.value:.3f}, against "
        f"{pairs.worst(player)}; now it is {found[worst].value:.3f}, against {worst}: "
        f"{found[worst].minus(least)}.",
    )


@judge("geister/past-moves", "geister/matches")
def minima(results: pd.DataFrame, matches: pd.DataFrame) -> Judged:
    """Answer whether the lowest of four scores rises with a belief by habits."""
    scores, pairs = Scores(results), Pairings(matches)
    for name, way in (("past-moves", FULL), ("half-trust", HALF)):
        for player in CFR:
            yield f"geister/{name}-{player[-1]}", _rises(scores, pairs, player, way)


@judge("geister/past-moves")
def belief(results: pd.DataFrame) -> Judged:
    """Answer whether it is the belief that does it, and whether it is right."""
    scores = Scores(results)
    gains = {
        player: Estimate.mean(
            scores.of(player, FULL, other).minus(scores.of(player, EVEN, other))
            for other in BENCHMARKS
        )
        for player in CFR
    }
    found = ", ".join(f"{NAMES[player]} {gain}" for player, gain in gains.items())
    answer = every(gain.above(0.0) for gain in gains.values())
    detail = f"Mean gain over equal weights: {found}."
    yield "geister/belief-itself", Ours(holds=answer, detail=detail)
    known = {other: _known(results, other) for other in BENCHMARKS}
    found = ", ".join(f"{other} {gain}" for other, gain in known.items())
    yield (
        "geister/colours-known",
        Ours(
            holds=every(gain.above(0.0) for gain in known.values()),
            detail=f"Probability of the true colours minus that of equal weights: {found}.",
        ),
    )


def _known(results: pd.DataFrame, opponent: str) -> Estimate:
    """Return how much more than equal weights a fully trusted belief gives to the true colours."""
    model, trust = FULL
    chosen = (results.model == model) & (results.trust == trust) & (results.opponent == opponent)
    rows = results[chosen]
    return Estimate.of((rows.believed - rows.even) / rows.decisions)


@judge("geister/mirror", "geister/matches")
def mirrored(results: pd.DataFrame, matches: pd.DataFrame) -> Judged:
    """Answer whether the lowest of four scores rises with CFR itself as the model."""
    scores, pairs = Scores(results), Pairings(matches)
    found = [_rises(scores, pairs, player, (player, 1.0)) for player in CFR]
    answer = every(one.holds for one in found)
    yield "geister/mirror", Ours(holds=answer, detail=" ".join(one.detail for one in found))


@judge("geister/liars")
def lies(results: pd.DataFrame) -> Judged:
    """Answer what a belief gains from the honest and loses to liars."""
    scores = Scores(results)
    for name, other, sign in (("honest", "habits", 1.0), ("liar", "liar", -1.0)):
        gains = [scores.of(p, FULL, other).minus(scores.of(p, EVEN, other)) for p in CFR]
        both = ", ".join(f"{NAMES[p]} {gain}" for p, gain in zip(CFR, gains, strict=True))
        answer = Estimate.mean(gains).times(sign).above(0.0)
        detail = f"Belief minus equal weights: {both}; on average {Estimate.mean(gains)}."
        yield f"geister/{name}", Ours(holds=answer, detail=detail)


def exploited(scores: Scores, pairs: Pairings, player: str) -> tuple[str, Estimate]:
    """Return who of all measured opponents takes most from a player of the thesis, and how much."""
    taken = {
        who: _lost(scores.of(player, THESIS, who))
        for who in ("response", "blind")
        if (player, *THESIS, who) in scores.sums.index
    }
    for other in PLAYERS:
        if (player, other) in pairs.rows or (other, player) in pairs.rows:
            taken[other] = _lost(pairs.points(player, other))
    worst = max(taken, key=lambda who: taken[who].value)
    return worst, taken[worst]


def _lost(score: Estimate) -> Estimate:
    return Estimate(1.0, 0.0).minus(score)


@judge("geister/response", "geister/matches")
def hardest(results: pd.DataFrame, matches: pd.DataFrame) -> Judged:
    """Answer who is hardest to exploit, and why."""
    scores, pairs = Scores(results), Pairings(matches)
    bounds = {player: exploited(scores, pairs, player) for player in PLAYERS}
    gaps = [bounds[p][1].minus(bounds[other][1]) for p in CFR for other in BENCHMARKS]
    order = sorted(bounds, key=lambda player: bounds[player][1].value)
    told = ", ".join(f"{p} {bounds[p][1].value:.3f} (by {bounds[p][0]})" for p in order)
    answer = every(gap.below(0.0) for gap in gaps)
    yield "geister/hardest-to-exploit", Ours(holds=answer, detail=f"Most taken: {told}.")

    more = [scores.of(p, THESIS, "response").minus(scores.of(p, FULL, "response")) for p in CFR]
    both = ", ".join(f"{NAMES[p]} {gap}" for p, gap in zip(CFR, more, strict=True))
    detail = f"What the response takes more: {both}; on average {Estimate.mean(more)}."
    yield "geister/memory-exploited", Ours(holds=Estimate.mean(more).above(0.0), detail=detail)

    leaks = [scores.of(p, THESIS, "blind").minus(scores.of(p, THESIS, "response")) for p in CFR]
    both = ", ".join(f"{NAMES[p]} {gap}" for p, gap in zip(CFR, leaks, strict=True))
    detail = f"What the response takes more than a blind one: {both}."
    answer = every(gap.above(0.0) for gap in leaks)
    yield "geister/colours-leak", Ours(holds=answer, detail=detail)
