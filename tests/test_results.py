"""What is stored is what the code gives: every fingerprint of every experiment, at every run."""

import pytest

from gamecore.papers import experiment, published, scoreboard, stats, store

STORED = [name for name in experiment.names() if store.has_stored(name)]


@pytest.mark.parametrize("name", STORED)
def test_fingerprints_are_current(name):
    assert store.check_fingerprints(experiment.find(name)) == []


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
    misses = table[table.verdict.isin(["differs", "fails"])]
    assert (misses.explained_by != "").all()
    assert set(misses.explained_by) <= {"unexplained", *experiment.names()}


def test_tally_leaves_out_practice_and_derived_rows():
    table = scoreboard.board()
    counted = scoreboard.tally(table)
    assert scoreboard.PRACTICE not in counted.index
    expected = (~table.derived & (table.paper != scoreboard.PRACTICE)).sum()
    assert counted.to_numpy().sum() == expected
    assert len(scoreboard.independent_z(table)) <= expected


def test_measured_but_unpublished_is_an_error(monkeypatch):
    monkeypatch.setattr(scoreboard, "ours", lambda *a: {"rps/nothing": (stats.Ours(1.0), "x")})
    with pytest.raises(ValueError, match="rps/nothing"):
        scoreboard.board("rps")
