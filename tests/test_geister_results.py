"""Geister: every published row is judged, counts are exact, pairs and drawings are consistent."""

import math
import re

import pandas as pd
import pytest

from gamecore.geister import Position, match, retrograde
from gamecore.geister.draw import board as drawn
from gamecore.geister.draw import strip
from gamecore.geister.matches import ENDINGS
from gamecore.papers import scoreboard
from gamecore.papers.geister import claims
from gamecore.papers.geister.experiments import CFR, CFR_PAIRS, PAIRS, summary
from gamecore.papers.geister.pairings import Pairings, against
from gamecore.papers.runner import results
from gamecore.papers.stats import Ours
from tests.judged import geister


@pytest.fixture(scope="module")
def judged():
    return scoreboard.board("geister")


def test_every_published_row_has_a_verdict(judged):
    assert judged[judged.verdict == "not attempted"].id.tolist() == []


def test_every_count_of_the_thesis_is_equal(judged):
    counts = judged[judged.kind == "exact"]
    assert len(counts) == 60
    assert set(counts.verdict) == {"exact"}


def test_every_claim_says_what_was_found(judged):
    found = judged[judged.kind == "claim"]
    assert (found.detail != "").all()
    assert set(found.verdict) <= {"holds", "fails", "undecided", "fitted"}


def test_every_pairing_of_the_thesis_is_one_comparison(judged):
    sampled = judged[judged.kind.isin(["mean", "multinomial", "proportion"])]
    pairings = {"-".join(pair) for pair in PAIRS + CFR_PAIRS}
    reversed_ = {"charge-random": "random-charge", "anti-random": "random-anti"}
    assert set(sampled["sample"]) == {reversed_.get(pair, pair) for pair in pairings}
    alone = scoreboard.comparisons(judged)
    assert len(alone) == len(pairings) == alone["sample"].nunique()


def test_sizes_that_the_thesis_does_not_print_are_our_approaches_per_game(judged):
    sizes = judged.set_index("id").n
    for name, players in (("geister/benchmarks", ("purple",)), ("geister/matches", CFR)):
        pairs = Pairings(results(name))
        for player in players:
            games = pairs.pooled(player, "games")
            for label, suffix in (("all", ""), ("one-opposing-red-left", "_last")):
                ours = pairs.pooled(player, f"approached{suffix}") / games
                theirs = sizes[f"geister/table-6.9/{label}/{player}"]
                assert theirs == round(100 * len(against(player)) * ours)


def test_approaches_of_the_purple_ai_depend_on_each_other():
    """The note on table 6.9: by games its share spreads two and a half times as widely."""
    total, taken, games = 0.0, 0.0, []
    for other, played in (("random", 720), ("charge", 72), ("anti", 72)):
        rows = pd.DataFrame(match("purple", other, played, 1).counts)
        total, taken = total + rows.approached.mean(), taken + rows.taken.mean()
        games.append(rows)
    share = taken / total
    apart = sum((rows.taken - share * rows.approached).var(ddof=0) for rows in games) / total**2
    assert 2.2 < (apart / (share * (1 - share) / total)) ** 0.5 < 2.8


def test_claims_on_fitted_cells_are_fitted_if_another_reading_would_not_let_them_hold(judged):
    ours = results("geister/matches")
    cell = (ours.player == "purple") & (ours.opponent == "anti")
    readings = [pd.concat([ours[~ours.player.isin(CFR)], results("geister/colour-levels")])]
    orders = results("geister/direction-orders").drop(columns="order")
    readings += [pd.concat([ours[~cell], orders.iloc[[i]]]) for i in range(len(orders))]
    hanging = set()
    for reading in map(Pairings, readings):
        for claim in (*claims.ON_BENCHMARK_SCORES, *claims.ON_CFR_SCORES, *claims.ON_A_AND_B):
            name, found = claim(reading)
            hanging |= set() if found.holds else {name}
    fitted = judged[(judged.kind == "claim") & (judged.verdict == "fitted")]
    assert set(fitted.id) == hanging


def test_stored_games_add_up():
    for name in ("geister/benchmarks", "geister/matches"):
        rows = results(name)
        assert (rows[list(ENDINGS)].sum(axis=1) == rows.games).all()
        assert (rows.plies <= 200 * rows.games).all()
        assert (rows.taken <= rows.approached).all()
        assert (rows.taken_last <= rows.approached_last).all()
    assert len(results("geister/matches").groupby(["player", "opponent"])) == len(PAIRS + CFR_PAIRS)


def test_pairings_see_both_sides_of_a_pair():
    played = match("purple", "random", 20, 5)
    sums = summary(played.counts)
    frame = pd.DataFrame(
        [{"player": "purple", "opponent": "random", "chunk": 0, "games": 20, **sums}]
    )
    pairs = Pairings(frame)
    won, lost, drawn_games, games = pairs.results("purple", "random")
    assert pairs.results("random", "purple") == (lost, won, drawn_games, games)
    assert pairs.score("purple", "random") + pairs.score("random", "purple") == 1.0
    assert (won, lost, drawn_games) == (played.wins, played.losses, played.draws)
    low, high = pairs.ends("purple", "random")
    assert low < pairs.score("purple", "random") < high


def test_pairings_measure_with_spread_and_size():
    """What verdicts need beside the values: of two chunks, by hand."""
    parts = [
        geister.row("purple anti", 4, 1, 2, plies=40, plies_squared=600),
        geister.row("purple anti", 4, 1, 2, chunk=1, plies=40, plies_squared=600, approached=2),
        *(geister.row(f"purple {other}", 100, 50, 0) for other in ("random", "charge")),
    ]
    pairs = Pairings(pd.DataFrame(parts))
    score = Ours(50.0, n=8, sd=100 * (1 / 8) ** 0.5)  # two 1, four ½, two 0
    assert pairs.percent("purple", "anti") == pairs.percent("anti", "purple") == score
    plies = Ours(10.0, n=8, sd=50**0.5)
    assert pairs.mean("purple", "anti", "plies") == plies
    assert pairs.percent("purple", "random") == Ours(50.0, n=100, sd=50.0)
    assert pairs.share("purple", "anti", "escape win") == (0.25, (0.1875 / 8) ** 0.5, math.inf)
    assert pairs.taken("purple", "") == Ours(0.0, n=2)
    assert pairs.taken("purple", "_last") == Ours(0.0, n=1)  # none: no division by 0


def letters(svg):
    return sorted(re.findall(r'fill="#fff">([BRbru])</text>', svg))


def test_boards_show_every_piece_and_hide_colours():
    start = Position.of("a4 b4", "c4 d4", "a1 b1", "c1 d1")
    assert letters(drawn(start)) == sorted("BBRRbbrr")
    assert letters(drawn(start, hidden=True)) == sorted("BBRRuuuu")
    assert letters(drawn(start, turned=True)) == sorted("BBRRbbrr")
    assert start._repr_svg_() == drawn(start)


def test_a_line_is_drawn_from_one_side_throughout():
    solved = retrograde(3, 3, 1, 1)
    position = solved.positions(max(solved.win_histogram))[0]
    line = solved.best_line(position)
    pictures = strip(line).split('<g transform="translate')[1:]
    assert len(pictures) == len(line.moves) == 11
    for ply, picture in enumerate(pictures):
        at = line.positions[ply]
        own = at.blue | at.red if ply % 2 == 0 else at.their_blue | at.their_red
        capitals = [letter for letter in letters(picture) if letter.isupper()]
        assert len(capitals) == own.bit_count()
