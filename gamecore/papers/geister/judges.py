"""What our results say on the thesis's numbers, and on its sentences (`claims`)."""

import math

import pandas as pd

from gamecore.geister.matches import ENDINGS
from gamecore.papers import published
from gamecore.papers.geister.claims import (
    ON_A_AND_B,
    ON_BENCHMARK_SCORES,
    ON_BENCHMARK_WAYS,
    ON_CFR_SCORES,
    ON_CFR_WAYS,
    Claim,
)
from gamecore.papers.geister.experiments import BENCHMARKS, CFR
from gamecore.papers.geister.pairings import MEANS, ORDERS, Pairings, against
from gamecore.papers.stats import Judged, Ours, judge

#: Reads the colour levels as chance. Of the numbers that decisions miss that gives one, in table
#: 6.9, and with it no row of endings.
LEVELS = "geister/colour-levels"
#: Reads the purple AI's search in other ways. Some give the length of CFR-A's games with it, and
#: then not how they end.
BEST = "geister/purple-best"


@judge("geister/table-6.1")
def solved_positions(results: pd.DataFrame) -> Judged:
    """Judge the counts of the retrograde analysis: tables 6.1 to 6.3."""
    row = results.iloc[0]
    for name in ("total", "wins", "losses", "draws"):
        yield f"geister/table-6.1/positions/{name}", Ours(row[name])
    for table, outcome in (("6.2", "win"), ("6.3", "loss")):
        depths = [int(name.split("_")[1]) for name in row.index if name.startswith(f"{outcome}_")]
        for depth in depths:
            yield f"geister/table-{table}/{outcome}/{depth}", Ours(row[f"{outcome}_{depth}"])
        yield f"geister/section-6.1/{outcome}/longest", Ours(max(depths))


@judge("geister/section-4.2")
def two_pieces(results: pd.DataFrame) -> Judged:
    """Judge the counts of the small problems on 6×6."""
    for _, row in results.iterrows():
        place = f"geister/section-4.2/{row.problem}"
        yield f"{place}/wins", Ours(row.wins)
        yield f"{place}/others", Ours(row.others)
        yield f"{place}/longest-win", Ours(row.longest)
        if row.walls:
            yield "geister/figure-3.4/winning-wall/placements", Ours(row.walls)


@judge("geister/benchmarks")
def benchmark_tables(results: pd.DataFrame) -> Judged:
    """Judge the tables of the benchmark players."""
    pairs = Pairings(results)
    yield from _table_4(pairs, BENCHMARKS)
    yield from _tables_of(pairs, "purple", "6.5", "6.6")
    for other in against("purple"):
        place = f"geister/section-6.2.2/purple-vs-{other}/win-rate"
        yield place, _linked(pairs.percent("purple", other), "purple", other)
    lost = pairs.share("purple", "anti", "blue-taken loss").value
    spread = 100 * math.sqrt(lost * (1 - lost))
    games = pairs.row("purple", "anti")["games"]
    place = "geister/section-6.2.2/purple-vs-anti/lost-by-losing-its-blues"
    yield place, _linked(Ours(100 * lost, n=games, sd=spread), "purple", "anti")


@judge("geister/matches")
def cfr_tables(results: pd.DataFrame) -> Judged:
    """Judge the tables of the CFR players."""
    pairs = Pairings(results)
    yield from _table_4(pairs, CFR)
    yield from _tables_of(pairs, "cfr-a", "6.7", "6.10")
    yield from _tables_of(pairs, "cfr-b", "6.8", "6.11")
    for player in CFR:
        place = f"geister/section-6.2.2/{player}"
        yield f"{place}/minimum-win-rate", _least(pairs, player)
        random = _linked(pairs.percent(player, "random"), player, "random")
        yield f"{place}-vs-random/win-rate", random
        yield f"{place}/one-opposing-red-left", _linked(pairs.taken(player, "_last"), player)


@judge("geister/benchmarks")
def benchmark_scores(results: pd.DataFrame) -> Judged:
    """Judge the sentences on how well the benchmark players score."""
    return _sentences(results, ON_BENCHMARK_SCORES)


@judge("geister/benchmarks")
def benchmark_ways(results: pd.DataFrame) -> Judged:
    """Judge the sentences on how the benchmark players play."""
    return _sentences(results, ON_BENCHMARK_WAYS)


@judge("geister/matches")
def cfr_scores(results: pd.DataFrame) -> Judged:
    """Judge the sentences on how well the CFR players score."""
    return _sentences(results, ON_CFR_SCORES)


@judge("geister/matches")
def cfr_ways(results: pd.DataFrame) -> Judged:
    """Judge the sentences on how the CFR players play."""
    return _sentences(results, ON_CFR_WAYS)


@judge("geister/matches")
def cfr_a_and_b(results: pd.DataFrame) -> Judged:
    """Judge the sentences on how CFR-A and CFR-B differ."""
    return _sentences(results, ON_A_AND_B)


@judge("geister/first-position")
def first_position(results: pd.DataFrame) -> Judged:
    """Judge the claim that the first position's leaves say nothing."""
    name, worst = "geister/claim/early-leaves-unresolved", results.spread.max()
    found = f"largest difference of two moves' probabilities over six colourings: {worst:.1g}"
    yield name, Ours(holds=bool(worst <= published.limits(name).most), detail=found)


def _sentences(results: pd.DataFrame, claims: tuple[Claim, ...]) -> Judged:
    pairs = Pairings(results)
    for claim in claims:
        yield claim(pairs)


def _table_4(pairs: Pairings, players: tuple[str, ...]) -> Judged:
    for player in players:
        for other in BENCHMARKS:
            if player == other:
                continue
            *numbers, games = pairs.results(player, other)
            for name, number in zip(("win", "loss", "draw"), numbers, strict=True):
                ours = _linked(Ours(number / games, n=games), player, other)
                yield f"geister/table-6.4/{player}-vs-{other}/{name}", ours
        yield f"geister/table-6.4/{player}/minimum-win-rate", _least(pairs, player)


def _tables_of(pairs: Pairings, player: str, means: str, endings: str) -> Judged:
    for other in against(player):
        for label, name in MEANS.items():
            ours = _linked(pairs.mean(player, other, name), player, other)
            yield f"geister/table-{means}/{label}/{other}", ours
        games = pairs.row(player, other)["games"]
        for name in ENDINGS[:6]:
            place = f"geister/table-{endings}/{player}-vs-{other}/{name.replace(' ', '-')}"
            share = pairs.share(player, other, name).value
            yield place, _linked(Ours(share, n=games), player, other)
    for label, suffix in (("all", ""), ("one-opposing-red-left", "_last")):
        ours = _linked(pairs.taken(player, suffix), player)
        yield f"geister/table-6.9/{label}/{player}", ours


def _least(pairs: Pairings, player: str) -> Ours:
    """Return a player's score, in percent, against the benchmark that it scores least against."""
    worst = pairs.worst(player)
    return _linked(pairs.percent(player, worst), player, worst)


def _linked(ours: Ours, *players: str) -> Ours:
    """Name the study that varied what a pair's games hang on; none gives all their numbers."""
    if players[0] in CFR:
        return ours._replace(studied_by=BEST if "purple" in players else LEVELS)
    return ours._replace(studied_by=ORDERS if "purple" in players else "")
