"""The measuring itself: intervals, missing peers, fits, counts, and what the page reads."""

import itertools
import sys

import numpy as np
import pandas as pd
import pytest

import benchmarks
from benchmarks import gather, growth, limits, side_by_side, startup
from benchmarks.__main__ import COLUMNS, MODULES
from book import performance
from gamecore.goofspiel import build
from gamecore.papers.experiment import games
from gamecore.papers.store import measured


def fake_clock(durations):
    """A clock that is asked before and after each piece of work, which takes the next duration."""
    ticks = itertools.accumulate(x for d in durations for x in (0.0, d))
    return lambda: next(ticks)


def test_ratio_and_interval_of_a_synthetic_pair():
    pairs = [(1, 10), (1, 12), (2, 22), (1, 9), (1, 30)]
    row = side_by_side(
        "work", lambda: 1, lambda: 1, against="a stone", unit="step", units=(1, 0.5), repeats=5,
        equal=lambda a, b: a == b, clock=fake_clock([t for pair in pairs for t in pair]),
    )  # fmt: skip
    assert (row["ratio"], row["low"], row["high"]) == (22, 18, 60)
    assert (row["ours_seconds"], row["peer_seconds"], row["peer"]) == (1, 24, "a stone")


def test_different_results_are_never_timed():
    with pytest.raises(AssertionError, match="results differ"):
        side_by_side("work", lambda: 1, lambda: 2, against="", unit="", equal=lambda a, b: a == b,
                     clock=lambda: pytest.fail("timed"))  # fmt: skip


def test_a_missing_peer_is_skipped_by_name_and_alone(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "nashpy", None)

    def missing():
        import nashpy  # noqa: F401

    assert gather(missing, lambda: {"name": "there"}) == [{"name": "there"}]
    assert "nashpy is not installed" in capsys.readouterr().err


def test_an_error_of_our_own_is_not_taken_for_a_missing_peer():
    def broken():
        from gamecore.goofspiel import nothing_of_that_name  # noqa: F401

    with pytest.raises(ImportError):
        gather(broken)
    with pytest.raises(ModuleNotFoundError):
        benchmarks.measure("no_such_module")


def test_versions_of_peers_are_named():
    assert benchmarks._versioned("numpy, by hand") == f"numpy {np.__version__}, by hand"
    assert benchmarks._versioned("memory, copied") == "memory, copied"


SMALL = {
    "positions": (3, 3, 1, 1), "move": (30,), "sampling": (200, 4), "matrices": (300,),
    "playouts": (500,),
}  # fmt: skip


@pytest.mark.skipif(limits.compiler() is None, reason="no C compiler (cc) for benchmarks/c")
@pytest.mark.parametrize("name", SMALL)
def test_kernels_and_c_find_the_same_to_the_last_bit(name):
    pair = getattr(limits, name)(*SMALL[name])
    for _ in range(2):  # tables and generators go on where they were
        assert np.array_equal(pair.ours(), pair.peer())
    assert np.any(pair.ours())


def test_without_a_compiler_the_c_programs_are_skipped_by_name(capsys, monkeypatch):
    monkeypatch.setattr(limits, "compiler", lambda: None)
    assert limits.compare() == []
    assert "benchmarks/c" in capsys.readouterr().err


def test_slope_of_synthetic_growth():
    n = np.array([10, 100, 1000, 10_000])
    rows = pd.DataFrame({"solver": "x", "kind": "measured", "n": n, "seconds": 3.0 * n**1.5})
    rows.loc[0, "seconds"] = 4000.0  # overhead: far below the largest, so not fitted
    law = performance.fit(rows, "x", "seconds")
    assert law.slope == pytest.approx(1.5)
    assert law.at(1e6) == pytest.approx(3e9)
    assert (law.points, str(law)) == (2, "1.50 (2 points)")
    assert str(performance.power_law([1, 2, 3, 4], [2, 4, 6, 8])) == "1.00"
    assert performance.power_law([5, 5], [1, 2]) is None


def test_machines_needed_by_memory_and_by_time():
    base = {"solver": "geister", "unit": "positions", "kind": "measured"}
    rows = [{**base, "size": f"{n}×1", "n": n, "seconds": n, "bytes": 2**24 * n} for n in (1, 2, 4)]
    next_ = {**base, "kind": "counted", "size": "9×1", "seconds": np.nan, "bytes": np.nan}
    by_memory = pd.DataFrame([*rows, {**next_, "n": 9.5 * performance.MEMORY / 2**24}])
    assert performance.next_sizes(by_memory).machines.tolist() == [10]
    week = performance.CORES * performance.DEADLINE
    by_time = pd.DataFrame([*rows, {**next_, "n": 2.5 * week, "bytes": 1.0}])
    assert performance.next_sizes(by_time).machines.tolist() == [3]


def test_counts_by_formula_are_the_solvers_own():
    for cards in range(2, 7):
        assert growth.goofspiel_states(cards) == len(build(cards, "markov").states)
    stored = measured("growth")
    boards = stored[(stored.solver == "geister") & (stored.kind == "measured")]
    for row in boards.itertuples():
        board, pieces = row.size.split(", ")
        size = [int(x) for x in (*board.split("×"), *pieces.split("+"))]
        assert row.n == growth.geister_positions(*size), row.size


def test_smallest_sizes_are_solved_from_nothing():
    for solver, counted in (("goofspiel", 57), ("geister", 3024)):
        assert getattr(growth, solver)(growth.SIZES[solver][0])[2] == counted


def test_only_the_next_size_is_extrapolated():
    """One size of a solver, beyond what was run."""
    stored = measured("growth")
    next_ = stored[stored.kind == "counted"]
    found = growth.next_sizes()
    assert next_.solver.is_unique
    assert set(next_["size"]) == {row["size"] for row in found}
    assert {row["size"] for row in found if row["solver"] == "goofspiel"} == {"N = 8"}
    shown = performance.next_sizes(stored)
    assert set(shown.solver) == set(next_.solver)
    assert (shown.points >= 2).all()


def test_stored_files_have_what_the_page_reads():
    table = measured("benchmarks")
    assert tuple(table.columns) == COLUMNS
    assert set(table.module) <= set(MODULES)
    assert (table.ratio > 0).all()
    known = table.dropna(subset=["low"])
    assert ((known.low <= known.ratio) & (known.ratio <= known.high)).all()
    stored = measured("growth")
    assert tuple(stored.columns) == growth.COLUMNS
    assert not stored.duplicated(["solver", "size"]).any()
    assert {"geister", "goofspiel", "pokemon", "playouts"} <= set(stored.solver)
    started = measured("startup")
    assert set(started.game) == set(games())
    assert all(startup.first(game) for game in games())
    assert {"warm_import", "warm_result", "cold_import", "cold_result"} <= set(started.columns)
    assert (started.warm_import < startup.IMPORT_BAR).all()
    assert {"game", "kernel", "seconds"} <= set(measured("kernels").columns)


def test_tables_of_the_page_show_every_row():
    table = measured("benchmarks")
    assert performance.ratios(table).count("<tr>") == len(table) + 1
    assert performance.next_table(measured("growth")).count("<tr>") == 3
    grown = measured("growth")
    slopes = performance.slopes(grown)
    assert "Pokémon" in slopes
    assert "1 turns" not in slopes
    sizes = [
        len(performance.fitted(grown, solver, cost))
        for solver in set(grown.solver) for cost in ("seconds", "bytes")
    ]  # fmt: skip
    assert slopes.count(" points)") == sum(2 <= size <= performance.FEW for size in sizes)
    assert performance.startup_table(measured("startup")).count("<tr>") > 3
    assert performance.kernel_table(measured("kernels")).count("<tr>") == 6
