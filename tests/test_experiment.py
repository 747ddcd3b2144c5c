"""Drills: workers, interruption, damage, failing disks, two processes, changed rules."""

import json
import os
import pickle
import signal
import subprocess
import sys
import time
from concurrent.futures import Future

import numpy as np
import pytest

from gamecore.papers import experiment as ex
from gamecore.papers import runner, store
from gamecore.papers.rps import experiments as rps

DRILL = """
import sys, time
from gamecore.papers import experiment as ex
from gamecore.papers import runner, store
from gamecore.papers.rps import experiments as rps

@ex.experiment("rps/drill", cells=rps.practice.cells, games=200, quick=2, paper=8)
def drill(cell, seed, games, tables):
    time.sleep(float(sys.argv[1]))
    return rps.practice.play(cell, seed, games, tables)

rows = runner.run(drill, workers=2)
store.store(drill, rows)
"""


@pytest.fixture
def data(tmp_path, monkeypatch):
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.setenv("GAMECORE_DATA", str(folder))
    return folder


@pytest.fixture
def toy(data):
    """A small experiment with a counter of how often it really played."""
    calls = []

    @ex.experiment("rps/toy", cells=rps.practice.cells, games=100, quick=2, paper=6)
    def toy(cell, seed, games, tables):
        """A toy."""
        calls.append(cell)
        return rps.practice.play(cell, seed, games, tables)

    yield toy, calls
    ex.REGISTRY.pop("rps/toy")


def kept_row(content):
    return json.loads(content.splitlines()[0])["row"]


def chunk_files(data):
    return sorted((data.parent / ".runs").rglob("*.json"))


def test_same_numbers_from_any_number_of_workers_and_order(toy, data):
    toy, _ = toy
    one = runner.run(toy, workers=1)
    for file in chunk_files(data):
        file.unlink()

    class Backwards:
        """An executor that computes in reverse order, when asked for the results."""

        def __init__(self):
            self.jobs = []

        def submit(self, function, *arguments):
            self.jobs.append((Future(), function, arguments))
            if len(self.jobs) == len(toy.pairs("paper")):
                for future, job, job_arguments in reversed(self.jobs):
                    future.set_result(job(*job_arguments))
            return self.jobs[-1][0]

    assert runner.run(toy, executor=Backwards()).equals(one)
    for file in chunk_files(data)[::3]:
        file.unlink()
    assert runner.run(toy, workers=2).equals(one)


def test_quick_is_a_prefix_of_paper_and_seeds_depend_on_names_alone(toy):
    toy, calls = toy
    quick = runner.run(toy, "quick")
    paper = runner.run(toy, "paper")
    assert len(calls) == len(paper)  # the quick chunks were not played again
    merged = paper[paper.chunk < toy.quick].reset_index(drop=True)
    assert merged.equals(quick)
    fewer = ex.Experiment("rps/toy", toy.play, toy.cells[1:], 100, 2, 6)
    assert runner.run(fewer).equals(paper[len(paper) // 3 :].reset_index(drop=True))
    other = runner.run(toy, "quick", root=7)
    assert not other.win.equals(quick.win)


def test_stored_rows_read_back_and_differences_are_seen(toy, data):
    toy, _ = toy
    rows = runner.run(toy)
    store.store(toy, rows)
    assert runner.results("rps/toy").equals(rows)
    assert store.differences(toy, rows) == []
    assert store.audit(toy, 3, seed=1) == []
    changed = rows.copy()
    changed.loc[4, "win"] += 1
    assert len(store.differences(toy, changed)) == 1
    text = store.file_of(toy).read_text().splitlines()
    text[3] = text[3].replace(",100,", ",101,")
    store.file_of(toy).write_text("\n".join(text) + "\n")
    assert len(store.audit(toy, 18)) == 1
    store.file_of(toy, ".json").unlink()
    assert store.check_fingerprints(toy) == ["rps/toy: no stored results"]


def test_floats_are_stored_bit_for_bit(data):
    values = np.random.default_rng(0).random(50) ** 9

    @ex.experiment("rps/float", cells=[{"i": i} for i in range(50)], games=1, quick=1, paper=1)
    def floats(cell, seed, games, tables):
        return {"x": values[cell["i"]]}

    store.store(floats, runner.run(floats))
    assert (runner.results("rps/float").x.to_numpy() == values).all()
    assert store.differences(floats, runner.run(floats)) == []
    ex.REGISTRY.pop("rps/float")


def test_mutated_player_turns_fingerprints_red(toy, monkeypatch):
    """A changed rule of one player must not go unnoticed."""
    toy, _ = toy
    store.store(toy, runner.run(toy))
    assert store.check_fingerprints(toy) == []
    honest = rps.match

    def mutant(first, second, rounds, seed):
        return honest("nash" if first == "rocky" else first, second, rounds, seed)

    monkeypatch.setattr(rps, "match", mutant)
    complaints = store.check_fingerprints(toy)
    assert complaints
    assert all("rocky" in line for line in complaints)


@pytest.mark.parametrize("damage", ["truncate", "edit", "empty", "garbage"])
def test_damaged_chunk_is_noticed_reported_and_recomputed(toy, data, capsys, damage):
    toy, calls = toy
    rows = runner.run(toy)
    victim = chunk_files(data)[5]
    content = victim.read_text()
    harmed = {
        "truncate": content[: len(content) // 2],
        "edit": content.replace('"games": 100', '"games": 900'),
        "empty": "",
        "garbage": b"\xff\xfe\x00".decode("latin-1"),
    }[damage]
    victim.write_text(harmed)
    calls.clear()
    assert runner.run(toy).equals(rows)
    assert len(calls) == 1
    assert f"damaged chunk file, computed again: {victim}" in capsys.readouterr().err
    assert kept_row(victim.read_text()) == kept_row(content)


@pytest.mark.parametrize("step", ["mkstemp", "fdopen", "replace"])
def test_failing_write_is_a_clear_error_and_leaves_no_half_file(toy, data, monkeypatch, step):
    toy, _ = toy
    module = store.tempfile if step == "mkstemp" else os
    honest, countdown = getattr(module, step), [3]

    def failing(*arguments, **options):
        countdown[0] -= 1
        if countdown[0] < 0:
            raise OSError(28, "No space left on device")
        return honest(*arguments, **options)

    monkeypatch.setattr(module, step, failing)
    with pytest.raises(OSError, match=r"cannot write .*No space left on device"):
        runner.run(toy, workers=1)
    monkeypatch.undo()
    monkeypatch.setenv("GAMECORE_DATA", str(data))
    files = [file for file in (data.parent / ".runs").rglob("*") if file.is_file()]
    assert len(files) == 3
    assert all(store.load_chunk(file) is not None for file in files)
    assert len(runner.run(toy)) == 18


def test_control_c_keeps_what_is_finished_and_what_is_under_way(data, capsys):
    played = []

    @ex.experiment("rps/slow", cells=[{"a": 1}], games=1, quick=1, paper=40)
    def slow(cell, seed, games, tables):
        played.append(1)
        if len(played) == 6:
            os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.02)
        return {"x": 1}

    with pytest.raises(KeyboardInterrupt):
        runner.run(slow, workers=2)
    assert len(played) < 40
    assert len(chunk_files(data)) == len(played)  # nothing that was played is lost
    assert len(runner.run(slow)) == 40
    assert len(played) == 40
    ex.REGISTRY.pop("rps/slow")


def start(data, pause):
    environment = {**os.environ, "GAMECORE_DATA": str(data)}
    command = [sys.executable, "-c", DRILL, str(pause)]
    return subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)


def drill_result(data):
    return (data / "results" / "rps" / "drill.csv").read_bytes()


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole") / "data"
    folder.mkdir()
    assert start(folder, 0).wait(120) == 0
    return drill_result(folder)


def test_killed_run_resumes_to_the_identical_result(data, whole):
    first = start(data, 0.2)
    deadline = time.time() + 60
    while len(chunk_files(data)) < 5 and time.time() < deadline:
        time.sleep(0.02)
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    finished = {file: file.stat().st_mtime_ns for file in chunk_files(data)}
    assert 5 <= len(finished) < 24
    assert start(data, 0).wait(120) == 0
    assert drill_result(data) == whole
    assert all(file.stat().st_mtime_ns == time for file, time in finished.items())


def test_two_processes_at_once_end_with_one_correct_result(data, whole):
    both = [start(data, 0.05), start(data, 0.05)]
    assert [process.wait(120) for process in both] == [0, 0]
    assert drill_result(data) == whole
    assert not list(data.parent.rglob(".tmp-*"))


def test_runs_folder_can_be_chosen(toy, data, monkeypatch, tmp_path):
    """`make reproduce` starts from nothing in a folder of its own, and resumes in it."""
    toy, calls = toy
    runner.run(toy, "quick")
    monkeypatch.setenv("GAMECORE_RUNS", str(tmp_path / "elsewhere"))
    calls.clear()
    runner.run(toy, "quick")
    runner.run(toy, "quick")
    assert len(calls) == 6
    assert len(list((tmp_path / "elsewhere" / "rps" / "toy").iterdir())) == 6


def test_fingerprint_is_the_start_of_the_first_chunk():
    """Fewer games of a chunk are its first games."""
    cell = dict(rps.practice.cells[0])
    few, more = (ex.compute(rps.practice, cell, 0, n, ex.ROOT, None) for n in (50, 51))
    changed = [name for name in ("win", "draw", "loss") if few[name] != more[name]]
    assert len(changed) == 1
    assert more[changed[0]] - few[changed[0]] == 1


def test_names_are_found_and_misses_suggest():
    assert ex.find("rps/practice") is rps.practice
    assert pickle.loads(pickle.dumps(rps.practice)) is rps.practice
    with pytest.raises(ValueError, match=r"did you mean rps/practice"):
        ex.find("rps/practise")
    with pytest.raises(ValueError, match="gamecore list"):
        ex.find("zzz")
    with pytest.raises(ValueError, match="scale"):
        runner.results("rps/practice", "huge")


def test_bad_experiments_are_refused(data):
    for wrong in [{"quick": 3, "paper": 2}, {"games": 0}, {"cells": ()}, {"cells": ({}, {})}]:
        settings = {"cells": ({},), "games": 1, "quick": 1, "paper": 1, **wrong}
        with pytest.raises(ValueError, match="rps/bad"):
            ex.Experiment("rps/bad", lambda *a: {}, **settings)
    for wrong in [{"workers": 0}, {"root": -1}]:
        with pytest.raises(ValueError, match="must"):
            runner.run(rps.practice, "quick", **wrong)
    with pytest.raises(FileNotFoundError, match="gamecore run rps/practice"):
        runner.results("rps/practice")


def test_prepared_tables_reach_every_chunk(data):
    made = []

    def prepare():
        made.append(1)
        return {"table": 42}

    @ex.experiment("rps/tables", cells=[{"a": 1}], games=1, quick=1, paper=5, prepare=prepare)
    def tables(cell, seed, games, tables):
        return {"x": tables["table"]}

    assert set(runner.run(tables).x) == {42}
    assert made == [1]
    assert kept_row(chunk_files(data)[0].read_text())["x"] == 42
    ex.REGISTRY.pop("rps/tables")
