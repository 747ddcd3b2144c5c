"""What our results say on the thesis's numbers, and on its sentences (`claims`)."""

import math

import pandas as pd

from gamecore.geister.matches import ENDINGS
from gamecore.papers.geister.claims import ON_BENCHMARKS, ON_CFR, Claim
from gamecore.papers.geister.experiments import BENCHMARKS, CFR
from gamecore.papers.geister.pairings import ORDERS, Pairings, against
from gamecore.papers.stats import Judged, Ours, judge


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
def benchmark_players(results: pd.DataFrame) -> Judged:
    """Judge tables and sentences about the benchmark players."""
    pairs = Pairings(results)
    yield from _table_4(pairs, BENCHMARKS)
    yield from _tables_of(pairs, "purple", "6.5", "6.6")
    yield from _sentences(pairs, ON_BENCHMARKS)


@judge("geister/matches")
def cfr_players(results: pd.DataFrame) -> Judged:
    """Judge tables and sentences about the CFR players."""
    pairs = Pairings(results)
    yield from _table_4(pairs, CFR)
    yield from _tables_of(pairs, "cfr-a", "6.7", "6.10")
    yield from _tables_of(pairs, "cfr-b", "6.8", "6.11")
    yield from _sentences(pairs, ON_CFR)


@judge("geister/first-position")
def first_position(results: pd.DataFrame) -> Judged:
    """Judge the claim that the first position's leaves say nothing."""
    worst = results.spread.max()
    found = f"largest difference of two moves' probabilities over six colourings: {worst:.1g}"
    yield "geister/claim/early-leaves-unresolved", Ours(holds=bool(worst <= 1e-12), detail=found)


def _sentences(pairs: Pairings, claims: dict[str, Claim]) -> Judged:
    for identity, claim in claims.items():
        holds, detail = claim(pairs)
        yield f"geister/claim/{identity}", Ours(holds=bool(holds), detail=detail)


def _table_4(pairs: Pairings, players: tuple[str, ...]) -> Judged:
    for player in players:
        for other in BENCHMARKS:
            if player == other:
                continue
            won, lost, drawn, games = pairs.results(player, other)
            why = pairs.percent(player, other).explained_by
            for name, number in (("win", won), ("loss", lost), ("draw", drawn)):
                ours = Ours(number / games, n=games, explained_by=why)
                yield f"geister/table-6.4/{player}-vs-{other}/{name}", ours
        least = pairs.percent(player, pairs.worst(player))
        yield f"geister/table-6.4/{player}/minimum-win-rate", least
        place = f"geister/section-6.2.2/{player}"
        if player in CFR:
            yield f"{place}/minimum-win-rate", least
            yield f"{place}-vs-random/win-rate", pairs.percent(player, "random")
        if player == "purple":
            for other in against(player):
                yield f"{place}-vs-{other}/win-rate", pairs.percent(player, other)


def _tables_of(pairs: Pairings, player: str, means: str, endings: str) -> Judged:
    for other in against(player):
        row = pairs.row(player, other)
        games = int(row.games)
        why = ORDERS if (player, other) == ("purple", "anti") else ""
        for label, name in (
            ("red", "red_adjacent"), ("blue", "blue_adjacent"), ("plies", "plies")
        ):  # fmt: skip
            mean = row[name] / games
            spread = math.sqrt(max(row[f"{name}_squared"] / games - mean * mean, 0.0))
            ours = Ours(mean, n=games, sd=spread, explained_by=why)
            yield f"geister/table-{means}/{label}/{other}", ours
        for name in ENDINGS[:6]:
            place = f"geister/table-{endings}/{player}-vs-{other}/{name.replace(' ', '-')}"
            yield place, Ours(row[name] / games, n=games, explained_by=why)
        if why:
            share = row[ENDINGS[3]] / games
            spread = 100 * math.sqrt(share * (1 - share))
            place = "geister/section-6.2.2/purple-vs-anti/lost-by-losing-its-blues"
            yield place, Ours(100 * share, n=games, sd=spread, explained_by=why)
    games = int(pairs.pooled(player, "games"))
    for label, suffix in (("all", ""), ("one-opposing-red-left", "_last")):
        chances = int(pairs.pooled(player, f"approached{suffix}"))
        taken = pairs.pooled(player, f"taken{suffix}")
        # the thesis's opportunities, which it does not print
        theirs = max(1, round(100 * len(against(player)) * chances / games))
        ours = Ours(taken / max(chances, 1), n=max(chances, 1), paper_n=theirs)
        yield f"geister/table-6.9/{label}/{player}", ours
        if suffix and player in CFR:
            yield f"geister/section-6.2.2/{player}/one-opposing-red-left", ours
