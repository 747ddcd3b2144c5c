"""Geister: the readings of the purple AI, how they are judged together, and which were chosen."""

import math

import pandas as pd
import pytest
from scipy.stats import chi2, chi2_contingency

from gamecore.geister.matches import ENDINGS
from gamecore.papers import published
from gamecore.papers.geister.experiments import ALL, benchmark_pairs
from gamecore.papers.geister.pairings import MEANS, JointFit, Pairings, joint_fit
from gamecore.papers.geister.studies import BEST, SEARCHES
from gamecore.papers.runner import results
from tests.judged import geister

PRINTED = {row.id: row for row in published.load("geister")}
HOW = ["order", "scan", "horizon", "weights"]
CHAPTER = ("up right down left", "rows", "moves", "1000 1 1")


def as_printed(player, opponent, means, endings, spread):
    """Return games that end as the thesis prints, with its means and a spread of our own."""
    place = f"geister/table-{endings}/{player}-vs-{opponent}"
    ends = {name: int(PRINTED[f"{place}/{name.replace(' ', '-')}"].value) for name in ENDINGS[:6]}
    counts = {}
    for short, name in MEANS.items():
        mean = PRINTED[f"geister/table-{means}/{short}/{opponent}"].value
        counts |= {name: 100 * mean, f"{name}_squared": 100 * (mean**2 + spread**2)}
    won = sum(ends[name] for name in ENDINGS[0:6:2])
    drawn = 100 - sum(ends.values())
    return geister.row(f"{player} {opponent}", 100, won, drawn, **counts) | ends


def fit_of(*rows):
    return joint_fit(Pairings(pd.DataFrame(rows)), PRINTED.values())


def test_what_is_printed_fits_and_has_all_degrees_of_freedom():
    rows = [
        as_printed("purple", "anti", "6.5", "6.6", 2.0),
        as_printed("cfr-a", "purple", "6.7", "6.10", 2.0),
        geister.row("cfr-a random", 100, 78, 0),  # no pairing of the purple AI
    ]
    fit = fit_of(*rows)
    assert fit.chi_square == pytest.approx(0.0, abs=1e-9)
    assert list(fit.parts) == [
        f"{what} of {pair}"
        for pair in ("cfr-a and purple", "purple and anti")
        for what in ("endings", *MEANS)
    ]
    # five kinds of ending each: four degrees of freedom, and one for each mean
    assert fit.degrees == 2 * (4 + 3)
    assert fit.p == 1.0


@pytest.mark.parametrize("pair", [("purple", "anti"), ("cfr-a", "purple")])
def test_a_difference_counts_by_the_size_of_both_samples(pair):
    tables = ("6.5", "6.6") if pair[0] == "purple" else ("6.7", "6.10")
    n = ALL * benchmark_pairs.paper if pair[0] == "purple" else 100  # enumerated, or sampled
    ours = as_printed(*pair, *tables, 2.0)
    printed = [ours[name] for name in ENDINGS]
    ours["plies"] += 100  # one more a game
    ours["plies_squared"] += 2 * ours["plies"] - 100
    ours["escape win"], ours["escape loss"] = ours["escape win"] - 3, ours["escape loss"] + 3
    fit, label = fit_of(ours), " and ".join(pair)
    plies, degrees = fit.parts[f"plies of {label}"]
    assert (plies, degrees) == (pytest.approx(1 / (2.0**2 * (1 / n + 1 / 100))), 1)
    rows = [(a, ours[name] * n / 100) for a, name in zip(printed, ENDINGS, strict=True) if a]
    endings, degrees = fit.parts[f"endings of {label}"]
    assert endings == pytest.approx(chi2_contingency(list(zip(*rows, strict=True))).statistic)
    assert degrees == len(rows) - 1
    assert fit.chi_square == pytest.approx(plies + endings)
    assert fit.p == pytest.approx(chi2.sf(plies + endings, fit.degrees))


def test_means_without_a_spread_are_equal_or_impossible():
    same = as_printed("purple", "charge", "6.5", "6.6", 0.0)
    assert fit_of(same).parts["blue of purple and charge"] == (0.0, 0)
    same["blue_adjacent"], same["blue_adjacent_squared"] = 100, 100
    assert fit_of(same).parts["blue of purple and charge"] == (math.inf, 0)
    assert JointFit({"one": (math.inf, 0), "two": (1.0, 3)}).p == 0.0


@pytest.fixture(scope="module")
def fits():
    """Return every reading's games and fit, the best first."""
    read = results("geister/purple-readings").groupby(HOW, sort=False)
    found = [(how, games, joint_fit(Pairings(games), PRINTED.values())) for how, games in read]
    assert len(found) == 24 * len(SEARCHES)
    return sorted(found, key=lambda reading: reading[2].chi_square)


def test_the_chapters_reading_is_the_best_and_the_next_met_the_cfr_players(fits):
    chosen, seen = [], []
    for how, games, _ in fits:
        exact = games[games.opponent != "random"].drop(columns=HOW).to_numpy().tolist()
        if exact not in seen:
            seen.append(exact)
            chosen.append(how)
    assert chosen[0] == CHAPTER
    best = [(order, "rows", horizon, weights) for order, horizon, weights in BEST]
    assert chosen[1:5] == best[:4]
    met = results("geister/purple-best").drop_duplicates(HOW)
    assert [tuple(how) for how in met[HOW].to_numpy().tolist()] == best


def test_readings_repeat_the_study_of_orders(fits):
    orders = results("geister/direction-orders").set_index("order")
    for (order, *how), games, _ in fits:
        if tuple(how) == CHAPTER[1:]:
            [row] = games[games.opponent == "anti"].to_dict("records")
            for name in (*ENDINGS, *MEANS.values()):
                assert row[name] == 5 * orders.loc[order, name]
