"""What the experiments say on the paper's numbers; the judges of its sentences are in `claims`."""

import math

import pandas as pd

from gamecore.papers.pokemon.experiments import AVERAGED, DELTAS, ENTRIES, HABITS, SIDES
from gamecore.papers.pokemon.summaries import (
    as_printed,
    mean_probability,
    mean_strategies,
    raised_shares,
    rates,
    shares,
)
from gamecore.papers.stats import Judged, Ours, judge


@judge("pokemon/matrix-1")
def matrix_1(results: pd.DataFrame) -> Judged:
    """Judge the number of states, matrix (1), and its equilibrium in table 3."""
    ours = as_printed(results)
    yield "pokemon/section-5.2/states/total", Ours(ours.states)
    for name in ENTRIES:
        yield f"pokemon/matrix-1/{name[:2]}/{name[2:]}", Ours(ours[name])
    for name in SIDES:
        yield f"pokemon/table-3/0/{name}", Ours(ours[name])


@judge("pokemon/table-3")
def table_3(results: pd.DataFrame) -> Judged:
    """Judge the rows of table 3 with noise."""
    total = mean_strategies(results)
    for delta in DELTAS:
        cell = total.loc["clipped", delta]
        for name in SIDES:
            row = mean_probability(cell, name)
            # one draw's spread: several of them are averaged in a row
            spread = row.error * math.sqrt(AVERAGED * row.degrees)
            ours = Ours(row.value, n=int(AVERAGED * cell.games), sd=spread)
            yield f"pokemon/table-3/{delta}/{name}", ours


@judge("pokemon/nine-positions")
def initial_positions(results: pd.DataFrame) -> Judged:
    """Judge how many initial positions there are."""
    count = results.groupby(["lead1", "lead2"]).ngroups
    yield "pokemon/section-5.4/initial-positions/count", Ours(count)


@judge("pokemon/pairings")
def pairings(results: pd.DataFrame) -> Judged:
    """Judge the win rates of Monte Carlo, Nash and random."""
    total = rates(results, ["first", "second"])
    for first, second, place in (
        ("monte-carlo", "random", "section-5.1"),
        ("nash", "random", "section-5.2"),
        ("nash", "monte-carlo", "section-5.2"),
    ):
        row = total.loc[first, second]
        yield f"pokemon/{place}/{first}/{second}", Ours(row.rate, n=int(row.games))


@judge("pokemon/table-4")
def table_4(results: pd.DataFrame) -> Judged:
    """Judge the win rates of table 4."""
    for (noise, delta), row in rates(results, ["noise", "delta"]).iterrows():
        place = "nash/0" if noise == "none" else f"{noise}/{delta}"
        yield f"pokemon/table-4/{place}", Ours(row.rate, n=int(row.games))


@judge("pokemon/biases")
def table_5(results: pd.DataFrame) -> Judged:
    """Judge the win rates of biased players."""
    total = rates(results, ["payoffs", "player"]).loc["clipped"]
    for name in ("delta-nash", *HABITS):
        ours = Ours(total.rate[name], n=int(total.games[name]))
        yield f"pokemon/table-5/win-rate/{name}", ours


@judge("pokemon/biases")
def rises(results: pd.DataFrame) -> Judged:
    """Judge how much more often biased players do what they like."""
    rise = raised_shares(results)
    games = results.groupby(["payoffs", "player"]).games.sum()
    for name in HABITS:
        at = ("clipped", name)
        sd = 100 * rise[at].error * math.sqrt(games[at])  # of a single game
        ours = Ours(100 * rise[at].value, n=int(games[at]), sd=sd)
        yield f"pokemon/section-6.1.1/rise/{name}", ours


@judge("pokemon/biases")
def figures_2_to_4(results: pd.DataFrame) -> Judged:
    """Give the heights of the bars that are lost with the figures."""
    clipped = shares(results).query("payoffs == 'clipped'").groupby("player")
    found, games = clipped.mean(numeric_only=True), clipped.games.sum()
    attacks, switches = ("effective", "ordinary", "ineffective"), ("advantageous", "other")
    for figure, names, kinds in (
        (2, ("delta-nash", "attack", "switch"), ("attack", "switch")),
        (3, ("delta-nash", "effective", "ineffective"), attacks),
        (4, ("nash", "effective"), attacks + switches),
    ):
        for name in names:
            row = f"{name}-bias" if name in HABITS else name
            for kind in kinds:
                label = f"{kind}-switch" if kind in switches else kind
                ours = Ours(found.loc[name, f"{kind}_share"], n=int(games[name]))
                yield f"pokemon/figure-{figure}/{row}/{label}", ours
