"""A scheduler and workers as processes of their own: same rows, deaths, Ctrl-C, clear refusals."""

import importlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import gamecore
from gamecore import cli
from gamecore.papers import cluster, runner
from gamecore.papers import experiment as ex
from gamecore.papers.rps import experiments as rps

#: What tests and workers both register. Its tables cannot be pickled, and making them is recorded.
DRILL = """
import os, threading, time
from pathlib import Path
from gamecore.papers import experiment as ex
from gamecore.papers.rps import experiments as rps

def note(kind):
    Path(os.environ["DRILL"], f"{kind}-{os.getpid()}-{time.monotonic_ns()}").touch()

def prepare():
    note("prepared")
    return threading.Lock()

@ex.experiment("rps/drill", cells=rps.practice.cells, games=200, quick=2, paper=8, prepare=prepare)
def drill(cell, seed, games, tables):
    assert not tables.locked()
    note("begun")
    time.sleep(float(os.environ["PAUSE"]) if "PAUSE" in os.environ else 0)
    return rps.practice.play(cell, seed, games, tables)
"""
CHUNKS = 24
LIMIT = 60  # seconds, for a machine with other work


def wait_until(condition, what):
    deadline = time.monotonic() + LIMIT
    while not (found := condition()):
        assert time.monotonic() < deadline, what
        time.sleep(0.02)
    return found


class Processes:
    """A scheduler and the workers that a test starts, all ended with it."""

    def __init__(self, folder: Path):
        self.folder, self.started = folder, []
        self.drill = folder / "drill.py"
        self.drill.write_text(DRILL)
        file = folder / "scheduler.json"
        self.start("scheduler", "--port", "0", "--scheduler-file", str(file))
        # The file is written in place: read it when it is whole.
        self.address = wait_until(lambda: self.read(file), "no scheduler")

    @staticmethod
    def read(file):
        try:
            return json.loads(file.read_text())["address"]
        except (OSError, ValueError):
            return None

    def start(self, kind, *options, **environment):
        dask = str(Path(sys.executable).with_name("dask"))
        command = [dask, kind, *options, "--host", "127.0.0.1", "--no-dashboard"]
        environment = {**os.environ, "DRILL": str(self.folder), **environment}
        log = (self.folder / f"log-{len(self.started)}.txt").open("w")
        with log:
            process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        self.started.append(process)
        return process

    def worker(self, pause=0.0, **environment):
        options = (self.address, "--nthreads", "1", "--no-nanny", "--preload", str(self.drill))
        return self.start("worker", *options, PAUSE=str(pause), **environment)

    def notes(self, kind):
        """Return the process of every note of a kind."""
        return [int(file.name.split("-")[1]) for file in self.folder.glob(f"{kind}-*")]

    def stop(self):
        for process in self.started:
            process.kill()  # they have nothing to lose, and no children
            process.wait()


@pytest.fixture
def dask(tmp_path):
    processes = Processes(tmp_path)
    yield processes
    processes.stop()


@pytest.fixture
def drill(tmp_path, monkeypatch):
    """The drill as this process knows it, and its rows as threads compute them."""
    (tmp_path / "data").mkdir()
    (tmp_path / "drill.py").write_text(DRILL)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("GAMECORE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("GAMECORE_RUNS", str(tmp_path / "threads"))
    monkeypatch.setenv("DRILL", str(tmp_path / "data"))
    importlib.import_module("drill")
    found = ex.find("rps/drill")
    rows = runner.run(found)
    monkeypatch.setenv("GAMECORE_RUNS", str(tmp_path / "runs"))
    yield found, rows
    ex.REGISTRY.pop("rps/drill")
    sys.modules.pop("drill")


def test_a_run_waits_for_workers_and_a_killed_one_costs_its_chunk(dask, drill, tmp_path, capfd):
    """Same rows bit for bit, tables made once a worker, whatever happens to the workers."""
    drill, rows = drill
    found = {}

    def run():
        with cluster.connect(dask.address) as executor:
            found["rows"] = runner.run(drill, executor=executor)

    thread = threading.Thread(target=run)
    thread.start()
    printed = []

    def said():
        printed.append(capfd.readouterr().err)
        return f"dask worker {dask.address}" in "".join(printed)

    wait_until(said, "nothing was said of missing workers")
    assert not found
    workers = [dask.worker(pause=0.15) for _ in range(2)]
    busy = wait_until(lambda: [w for w in workers if dask.notes("begun").count(w.pid) > 2], "idle")
    kept = len(list((tmp_path / "runs").rglob("*.json")))
    busy[0].kill()
    busy[0].wait()
    started = len(dask.notes("begun"))
    thread.join(LIMIT)
    assert found["rows"].equals(rows)
    begun = dask.notes("begun")
    assert set(begun) == {worker.pid for worker in workers}
    assert len(begun) - CHUNKS <= started - kept  # only what was under way is played again
    assert sorted(dask.notes("prepared")) == sorted(worker.pid for worker in workers)


def test_control_c_keeps_what_has_begun(dask, drill, tmp_path, capfd):
    drill, rows = drill
    dask.worker(pause=0.15)

    def files():
        return list((tmp_path / "runs").rglob("*.json"))

    def interrupt():
        wait_until(lambda: len(files()) > 2, "no chunk is finished")
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt), cluster.connect(dask.address) as executor:
        runner.run(drill, executor=executor)
    thread.join()
    assert "chunks under way" in capfd.readouterr().err
    kept = len(files())
    assert kept == len(dask.notes("begun")) < CHUNKS  # nothing that was played is lost
    assert cli.main(["run", "rps/drill", "--dask", dask.address]) == 0
    assert f"{CHUNKS - kept} rows computed now, {kept} from" in capfd.readouterr().out
    assert len(dask.notes("begun")) == CHUNKS
    assert runner.results("rps/drill").equals(rows)


@pytest.mark.parametrize(
    ("room", "old", "new"),
    [
        ("rps/rules.py", "+ 4", "+ 5"),
        ("papers/experiment.py", "[root, *words, chunk]", "[root, *words, chunk + 1]"),
    ],
)
def test_other_code_is_refused_before_any_chunk(dask, drill, tmp_path, capsys, room, old, new):
    """Also in the room that derives seeds."""
    copy = tmp_path / "other" / "gamecore"
    shutil.copytree(Path(gamecore.__file__).parent, copy, ignore=shutil.ignore_patterns("__pyc*"))
    text = (copy / room).read_text()
    assert old in text
    (copy / room).write_text(text.replace(old, new))
    dask.worker(PYTHONPATH=str(copy.parent))
    assert cli.main(["run", "rps/drill", "--dask", dask.address]) == 2
    text = capsys.readouterr().err
    assert "worker tcp://127.0.0.1" in text
    assert "has another drill" in text
    assert "Traceback" not in text
    assert not dask.notes("begun")


def test_a_worker_checks_each_task():
    """One that joins later has not been asked."""
    module, code = ex.code_of(rps.practice)
    assert cluster._checked((module, code), isinstance, rps.practice, ex.Experiment)
    with pytest.raises(ValueError, match=r"another gamecore.papers.rps.exp.*start it again"):
        cluster._checked((module, "0" * 16), isinstance, rps.practice, ex.Experiment)


@pytest.mark.parametrize(
    ("address", "complaint"),
    [
        ("tcp://127.0.0.1:1", "no Dask scheduler answers at tcp://127.0.0.1:1"),
        ("nonsense", "'nonsense' is no scheduler's address"),
        ("", "such as tcp://host:8786"),
        ("tls://127.0.0.1:1", "needs certificates, and Dask knows none"),
    ],
)
def test_wrong_address_is_one_clear_line_and_code_2(address, complaint, monkeypatch, capsys):
    monkeypatch.setattr(cluster, "PATIENCE", 1.0)
    start = time.monotonic()
    assert cli.main(["run", "rps/practice", "--scale", "quick", "--dask", address]) == 2
    assert time.monotonic() - start < 10
    text = capsys.readouterr().err
    assert complaint in text
    assert text.count("\n") == 1


@pytest.mark.parametrize("banner", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n" * 9])
def test_something_else_at_the_address_is_given_up(banner, monkeypatch, capsys):
    """A client of Dask would read an answer as the size of a message, and wait for the rest."""
    monkeypatch.setattr(cluster, "PATIENCE", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        held = []

        def answer():
            while True:
                try:
                    held.append(server.accept()[0])
                    held[-1].sendall(banner)
                except OSError:
                    return

        threading.Thread(target=answer, daemon=True).start()
        start = time.monotonic()
        assert cli.main(["run", "rps/practice", "--scale", "quick", "--dask", address]) == 2
        assert time.monotonic() - start < 8
        server.shutdown(socket.SHUT_RDWR)
    for connection in held:
        connection.close()
    assert capsys.readouterr().err.startswith("gamecore: no Dask scheduler answers at tcp://")


def test_a_worker_is_no_scheduler(dask, capsys):
    dask.worker()
    log = dask.folder / "log-1.txt"
    find = re.compile(r"Listening to: +(tcp://\S+)").search
    address = wait_until(lambda: log.exists() and find(log.read_text()), "no worker")[1]
    assert cli.main(["run", "rps/practice", "--scale", "quick", "--dask", address]) == 2
    assert f"no Dask scheduler answers at {address}" in capsys.readouterr().err


def test_without_dask_the_command_names_the_extra(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert cli.main(["run", "rps/practice", "--dask", "tcp://127.0.0.1:1"]) == 2
    assert "pip install 'gamecore[cluster]'" in capsys.readouterr().err
    assert cli.main(["run", "rps/practice", "--dask", "x", "--workers", "2"]) == 2
    assert "--workers" in capsys.readouterr().err
