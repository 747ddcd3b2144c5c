"""Drills: workers, interruption, damage, failing disks, two processes, changed rules."""

import hashlib
import json
import os
import pickle
import platform
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Future

import numpy as np
import pytest

from gamecore.papers import experiment as ex
from gamecore.papers import files, published, runner, store
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


@pytest.mark.parametrize(("span", "tasks"), [(60.0, [9, 9]), (0.0, [9, 9, *[1] * 16])])
def test_chunks_that_travel_together_are_cut_to_measure(toy, data, monkeypatch, span, tasks):
    """A task that takes long leaves the rest, of which each is then one; the rows are the same."""
    toy, calls = toy
    one = runner.run(toy, workers=1)
    files = {file.name for file in chunk_files(data)}
    for file in chunk_files(data):
        file.unlink()
    monkeypatch.setattr(runner, "SPAN", span)
    del calls[:]
    sent = []

    class Groups:
        def share(self, chunks):
            return chunks // 2

        def submit(self, function, experiment, pairs, *rest):
            sent.append(len(pairs))
            future = Future()
            future.set_result(function(experiment, pairs, *rest))
            return future

    assert runner.run(toy, executor=Groups()).equals(one)
    assert (sent, len(calls)) == (tasks, len(one))  # nothing is played twice
    assert {file.name for file in chunk_files(data)} == files


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
    assert store.audit(toy, 3, seed=1) == (3, [])
    changed = rows.copy()
    changed.loc[4, "win"] += 1
    assert len(store.differences(toy, changed)) == 2  # one is not stored, one not computed
    store.file_of(toy, ".json").unlink()
    [complaint] = store.check_fingerprints(toy)
    assert complaint.startswith(f"rps/toy: no stored results in {store.file_of(toy, '.json')}")


def reseal(toy):
    """Make the provenance fit the file, as somebody would who wants to deceive."""
    about = store.file_of(toy, ".json")
    told = json.loads(about.read_text())
    told["sha256"] = hashlib.sha256(store.file_of(toy).read_bytes()).hexdigest()
    about.write_text(json.dumps(told))


TAMPERED = {
    "a row of no cell": lambda lines: [*lines, "rocky,paper,0,100,1,2,97"],
    "a chunk too many": lambda lines: [*lines, lines[-1].replace(",5,100,", ",6,100,")],
    "a row twice": lambda lines: [*lines, lines[2]],
    "a row less": lambda lines: lines[:-1],
    "other games": lambda lines: [line.replace(",100,", ",101,") for line in lines],
    "another header": lambda lines: [lines[0].replace("win", "won"), *lines[1:]],
}


@pytest.mark.parametrize("sealed", [False, True])
@pytest.mark.parametrize("how", TAMPERED)
def test_rows_added_lost_or_changed_are_seen_by_every_check(toy, data, how, sealed):
    toy, _ = toy
    rows = runner.run(toy)
    store.store(toy, rows)
    file = store.file_of(toy)
    file.write_text("\n".join(TAMPERED[how](file.read_text().splitlines())) + "\n")
    if sealed:
        reseal(toy)
    else:
        with pytest.raises(ValueError, match=rf"damaged file {file} \(its sha256"):
            store.stored("rps/toy")  # so it cannot move the scoreboard
    quick = rows[rows.chunk < toy.quick]
    assert store.differences(toy, rows)
    assert store.differences(toy, quick)
    assert store.audit(toy, 1)[1]


def test_provenance_says_what_rows_were_computed_with(toy, data):
    toy, _ = toy
    store.store(toy, runner.run(toy))
    told = json.loads(store.file_of(toy, ".json").read_text())
    content = store.file_of(toy).read_bytes()
    assert told["sha256"] == hashlib.sha256(content).hexdigest()
    assert told["code"] == ex.code_of(toy)[1]
    assert told["machines"] == [store.machine()]
    assert set(told["versions"]) >= {"python", "numba", "llvmlite", "numpy"}
    assert told["commit"].split()[0] in (store.commit().split()[0], "unknown")


def harm(file, how):
    file.write_bytes({"empty": b"", "random": os.urandom(500), "text": b"{[oh\n"}[how])


@pytest.mark.parametrize("how", ["empty", "random", "text"])
@pytest.mark.parametrize("suffix", [".csv", ".json"])
def test_damaged_results_and_provenance_are_named(toy, data, suffix, how):
    toy, _ = toy
    store.store(toy, runner.run(toy))
    file = store.file_of(toy, suffix)
    harm(file, how)
    if suffix == ".csv":
        reseal(toy)  # even if the provenance fits
    [first, *_] = store.differences(toy, runner.run(toy))
    with pytest.raises(ValueError, match="damaged") as error:
        store.stored("rps/toy")
    assert str(file) in str(error.value)
    assert suffix == ".csv" or str(file) in first


@pytest.mark.parametrize("how", ["empty", "random"])
def test_damaged_published_and_measured_files_are_named(data, how):
    (data / "published").mkdir()
    for file, read in [
        (data / "published" / "rps.csv", lambda: published.load("rps")),
        (data / "growth.csv", lambda: store.measured("growth", "games")),
    ]:
        harm(file, how)
        with pytest.raises(ValueError, match=str(file)):
            read()


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


def chunk(toy, number):
    return toy, toy.cells[0], number, ex.ROOT


def test_a_copied_chunk_is_noticed(toy, data, capsys):
    """Its seal is sound, but says what it is; once it cost one row and doubled another."""
    toy, calls = toy
    rows = runner.run(toy)
    first, second = (store.chunk_file(*chunk(toy, number)) for number in (0, 1))
    second.write_bytes(first.read_bytes())
    calls.clear()
    assert runner.run(toy).equals(rows)
    assert len(calls) == 1
    assert f"damaged chunk file, computed again: {second}" in capsys.readouterr().err


@pytest.mark.parametrize(
    "shape",
    [
        [], 3, None, "row", {}, {"row": 5, "seconds": 1, "machine": ""},
        {"row": {"win": 3}, "seconds": 1, "machine": ""},
        {"row": {"first": "rocky", "second": "nash", "chunk": 1, "games": 100}, "seconds": 1,
         "machine": ""},
        {"row": {"first": "rocky", "second": "nash", "chunk": 0, "games": 100}, "seconds": "long",
         "machine": ""},
    ],
)  # fmt: skip
def test_a_sealed_chunk_of_another_shape_is_damaged(toy, data, capsys, shape):
    toy, calls = toy
    rows = runner.run(toy)
    store.keep_chunk(*chunk(toy, 0), shape)
    assert store.load_chunk(*chunk(toy, 0)) is None
    assert "damaged chunk file" in capsys.readouterr().err
    calls.clear()
    assert runner.run(toy).equals(rows)
    assert len(calls) == 1


def test_the_key_of_a_chunk_sees_code_that_is_in_no_file(data):
    """As in a notebook: the function itself, what it calls there, its numbers."""

    def made(text):
        space = {"__name__": "typed", "step": 1}
        exec(text, space)
        return ex.code_of(ex.Experiment("rps/typed", space["play"], ({},), 1, 1, 1))[1]

    helper = "def help(x):\n    return x + {}\n"
    play = "def play(cell, seed, games, tables):\n    return {{'x': help(games) * {}}}\n"
    codes = [made(helper.format(a) + play.format(b)) for a, b in [(1, 1), (1, 1), (2, 1), (1, 2)]]
    assert codes[0] == codes[1]
    assert len(set(codes)) == 3
    assert made("step = 2\n" + play.format("step")) != made("step = 3\n" + play.format("step"))


def test_leftovers_of_killed_runs_are_removed_by_the_next(toy, data):
    toy, _ = toy
    folder = data.parent / ".runs" / "rps" / "toy"
    folder.mkdir(parents=True)
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    mine, theirs = (folder / f".tmp-{platform.node()}-{pid}-abc" for pid in (os.getpid(), gone.pid))
    other, old = folder / ".tmp-elsewhere-1-abc", folder / ".tmp-old"
    for file in (mine, theirs, other, old):
        file.touch()
    os.utime(old, (0, 0))
    runner.run(toy, "quick")
    assert sorted(folder.glob(".tmp-*")) == sorted([mine, other])  # those may still be written


def test_what_is_no_regular_file_is_never_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "kept").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "kept")
    (tmp_path / "trap").symlink_to(os.devnull)
    for name in ("pipe", "folder", "trap"):
        for attempt in (files.try_file, lambda file: files.write_file(file, "new")):
            with pytest.raises(OSError, match=f"cannot write .*{name}: it is there already"):
                attempt(tmp_path / name)
    files.try_file(tmp_path / "link")
    assert (tmp_path / "kept").read_text() == "old"
    files.write_file(tmp_path / "link", "new")
    assert (tmp_path / "kept").read_text() == "new"
    assert (tmp_path / "link").is_symlink()
    assert not list(tmp_path.glob(".tmp-*"))


@pytest.mark.parametrize("step", ["mkstemp", "fdopen", "replace"])
def test_failing_write_is_a_clear_error_and_leaves_no_half_file(toy, data, monkeypatch, step):
    toy, _ = toy
    module = files.tempfile if step == "mkstemp" else os
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
    left = [file for file in (data.parent / ".runs").rglob("*") if file.is_file()]
    assert len(left) == 3
    loaded = [store.load_chunk(toy, *pair, ex.ROOT) for pair in toy.pairs("paper")]
    assert sum(kept is not None for kept in loaded) == 3
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


def test_control_c_leaves_a_long_chunk_behind(data, capsys):
    """A kernel cannot be stopped: nobody waits for it."""
    free = threading.Event()

    @ex.experiment("rps/long", cells=[{"a": 1}], games=1, quick=1, paper=4)
    def long(cell, seed, games, tables):
        free.wait(30)
        return {"x": 1}

    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    start = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        runner.run(long, workers=2)
    assert time.monotonic() - start < 0.5 + 2
    free.set()
    ex.REGISTRY.pop("rps/long")


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
    for wrong in [{"quick": 3, "paper": 2}, {"games": 0}, {"cells": ()}, {"cells": ({}, {})},
                  {"games": 1.5}, {"paper": True}, {"cells": ({"a": 1}, {"b": 1})}]:  # fmt: skip
        settings = {"cells": ({},), "games": 1, "quick": 1, "paper": 1, **wrong}
        with pytest.raises(ValueError, match="rps/bad"):
            ex.Experiment("rps/bad", lambda *a: {}, **settings)
    for wrong in [{"workers": 0}, {"workers": 1.5}, {"root": -1}, {"root": True}]:
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
