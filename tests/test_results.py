"""What is stored is what the code gives: every fingerprint of every experiment, at every run."""

import json

import pytest

from gamecore import kernel
from gamecore.papers import experiment, published, scoreboard, stats, store

STORED = [name for name in experiment.names() if store.has_stored(name)]


@pytest.mark.parametrize("name", STORED)
def test_fingerprints_are_current(name):
    assert store.check_fingerprints(experiment.find(name)) == []


def test_every_experiment_is_stored_and_nothing_else():
    assert experiment.names() == STORED
    assert store.strays() == []


@pytest.mark.parametrize("name", STORED)
def test_provenance_fits_and_says_what_is_known(name):
    """Where it was not recorded it says so."""
    assert store.damage(experiment.find(name)) == []
    about = store.file_of(experiment.find(name), ".json")
    told = json.loads(about.read_text(encoding="utf-8"))
    assert told["experiment"] == name
    assert told["root"] == experiment.ROOT
    assert {"python", "llvmlite", *kernel.NUMERICAL} <= set(told["versions"])
    assert all(told[field] for field in ("sha256", "commit", "code", "machines"))


@pytest.mark.parametrize("name", STORED)
def test_stored_rows_are_complete_and_in_order(name):
    found = experiment.find(name)
    rows = store.stored(name)
    expected = [(experiment.key(cell), chunk) for cell, chunk in found.pairs("paper")]
    keys = list(found.cells[0])
    stored = [
        (experiment.key({k: type(found.cells[0][k])(row[k]) for k in keys}), int(row["chunk"]))
        for row in rows.to_dict("records")
    ]
    assert stored == expected
    assert (rows.games == found.games).all()


def test_scoreboard_has_every_published_row_once():
    table = scoreboard.board()
    assert table.id.tolist() == [row.id for row in published.load()]
    assert set(table.verdict) <= set(stats.VERDICTS)
    misses = table[table.verdict.isin([*stats.MISS, "undecided"])]
    assert (misses.explained != "").all()
    assert set(misses.study) <= {"", *experiment.names()}
    assert set(table.was) <= {"", *stats.VERDICTS, published.UNCOUNTED}


def test_tally_leaves_out_practice_rows_and_rows_apart():
    table = scoreboard.board()
    counted = scoreboard.tally(table)
    assert scoreboard.PRACTICE not in counted.index
    papers = table[table.paper != scoreboard.PRACTICE]
    assert counted[list(stats.VERDICTS)].to_numpy().sum() == (papers.apart == "").sum()
    assert counted.apart.sum() == (papers.apart != "").sum()


def test_headline_counts_every_row_once():
    table = scoreboard.board()
    counted = table[(table.apart == "") & (table.paper != scoreboard.PRACTICE)]
    found = scoreboard.Headline.of(counted.verdict)
    assert found.legible == found.agree + found.miss + found.undecided + found.fitted
    assert found.legible + found.redrawn + found.not_attempted == len(counted)
    assert str(found) in scoreboard.headline(table)[0]


def test_one_comparison_for_each_sample_of_games():
    rows = scoreboard.board("rps").assign(paper="go")
    sampled = rows[rows.z.notna()]
    assert scoreboard.comparisons(rows).id.tolist() == sampled.id.iloc[::3].tolist()
    same = rows.assign(sample="the same games")
    assert scoreboard.comparisons(same).id.tolist() == sampled.id.iloc[:1].tolist()
    assert scoreboard.comparisons(rows.assign(verdict="fitted")).empty
    assert scoreboard.comparisons(rows.assign(apart="derived")).empty


def test_totals_before_the_revisions_come_from_the_rows():
    rows = scoreboard.board("rps").assign(paper="go")
    rows.loc[0, ["was", "apart"]] = "differs", "derived"  # counted before, now apart
    rows.loc[1, "was"] = published.UNCOUNTED  # new in the count
    now, then = scoreboard.headline(rows)[0], scoreboard.headline(rows)[2]
    assert "12 legible numbers and claims: 9 agree, 3 miss" in now
    assert "2 rows" in then
    assert "12 legible numbers and claims: 8 agree, 4 miss" in then


def test_measured_but_unpublished_is_an_error(monkeypatch):
    monkeypatch.setattr(scoreboard, "ours", lambda *a: {"rps/nothing": (stats.Ours(1.0), "x")})
    with pytest.raises(ValueError, match="rps/nothing"):
        scoreboard.board("rps")
