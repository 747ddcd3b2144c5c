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
from gamecore.papers.geister.experiments import CFR_PAIRS, PAIRS, summary
from gamecore.papers.geister.pairings import Pairings
from gamecore.papers.runner import results
from gamecore.papers.stats import Ours
from tests.judged import geister


@pytest.fixture(scope="module")
def judged():
    return scoreboard.board("geister")


def test_every_published_row_has_a_verdict(judged):
    assert judged[judged.verdict == "pending"].id.tolist() == []


def test_every_count_of_the_thesis_is_equal(judged):
    counts = judged[judged.kind == "exact"]
    assert len(counts) == 60
    assert set(counts.verdict) == {"exact"}


def test_every_claim_says_what_was_found(judged):
    claims = judged[judged.kind == "claim"]
    assert (claims.detail != "").all()
    assert set(claims.verdict) <= {"holds", "fails"}


def test_stored_games_add_up():
    for name in ("geister/benchmarks", "geister/matches"):
        rows = results(name)
        assert (rows[list(ENDINGS)].sum(axis=1) == rows.games).all()
        assert (rows.plies <= 200 * rows.games).all()
        assert (rows.taken <= rows.approached).all()
        assert (rows.taken_last <= rows.approached_last).all()
    assert len(results("geister/matches").groupby(["player", "opponent"])) == len(PAIRS + CFR_PAIRS)


def test_pairings_see_both_sides_of_a_pair():
    rows = match("purple", "random", 20, 5)
    frame = pd.DataFrame(
        [{"player": "purple", "opponent": "random", "chunk": 0, "games": 20, **summary(rows)}]
    )
    pairs = Pairings(frame)
    won, lost, drawn_games, games = pairs.results("purple", "random")
    assert pairs.results("random", "purple") == (lost, won, drawn_games, games)
    assert pairs.score("purple", "random") + pairs.score("random", "purple") == 1.0
    assert won == sum(int((rows[:, 0] == i).sum()) for i in (0, 2, 4))
    low, high = pairs.ends("purple", "random")
    assert low < pairs.score("purple", "random") < high


def test_pairings_measure_with_spread_size_and_explanation():
    """What verdicts need beside the values: of two chunks, by hand."""
    parts = [
        geister.row("purple anti", 4, 1, 2, plies=40, plies_squared=600),
        geister.row("purple anti", 4, 1, 2, chunk=1, plies=40, plies_squared=600, approached=2),
        *(geister.row(f"purple {other}", 100, 50, 0) for other in ("random", "charge")),
    ]
    pairs = Pairings(pd.DataFrame(parts))
    why = "geister/direction-orders"
    score = Ours(50.0, n=8, sd=100 * (1 / 8) ** 0.5, explained_by=why)  # two 1, four ½, two 0
    assert pairs.percent("purple", "anti") == pairs.percent("anti", "purple") == score
    plies = Ours(10.0, n=8, sd=50**0.5, explained_by=why)
    assert pairs.mean("purple", "anti", "plies") == plies
    assert pairs.percent("purple", "random") == Ours(50.0, n=100, sd=50.0)
    assert pairs.share("purple", "anti", "escape win") == (0.25, (0.1875 / 8) ** 0.5, math.inf)
    # 2 opportunities in 208 games: about 3 in the thesis's 300
    assert pairs.taken("purple", "") == Ours(0.0, n=2, paper_n=3)
    assert pairs.taken("purple", "_last") == Ours(0.0, n=1, paper_n=1)  # none: no division by 0


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
