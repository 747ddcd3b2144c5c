"""Throughput of a Dask cluster on this machine: ``python -m benchmarks.cluster``.

Scheduler and workers are processes of their own, started by the commands that the book gives. Each
worker is warmed first (kernels loaded, tables made), which is timed too; then all processes are
left alone, to see what they use for nothing; then all chunks of an experiment are played from
nothing, several times, whole ones and small ones, and compared with rows computed without Dask. The
best run counts; the load of the machine before it is written down. Writes data/cluster.csv.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import psutil

from gamecore.kernel import PACKAGE
from gamecore.papers import cluster, experiment, runner, store
from gamecore.papers.published import data_folder

#: Workers and threads of each; no workers: the threads of one process, without Dask.
SETUPS = ((0, 1), (0, 2), (1, 1), (2, 1), (4, 1), (1, 2))
DASK = str(Path(sys.executable).with_name("dask"))
#: Seconds for which the processes are left alone.
PAUSE = 10.0


def main() -> None:
    """Measure every setup, print the table and store it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cluster", description=__doc__)
    parser.add_argument("--experiment", default="pokemon/table-4")
    parser.add_argument("--parts", nargs="+", type=int, default=(1, 5), help="of a chunk's games")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    whole, rows = experiment.find(options.experiment), []
    for part in options.parts:
        chosen = replace(whole, games=whole.games // part)
        expected = run(chosen, 2, None)[0]
        assert part > 1 or not store.differences(whole, expected), "rows are not the stored ones"
        for workers, threads in SETUPS:
            print(f"{chosen.games} games: {workers} workers × {threads} threads", file=sys.stderr)
            rows.append(measure(chosen, workers, threads, options.repeats, expected))
    table = pd.DataFrame(rows).assign(machine=store.machine())
    print(table.drop(columns="machine").to_string(index=False))
    table.to_csv(data_folder() / "cluster.csv", index=False, float_format="{:.4g}".format)


def measure(
    e: experiment.Experiment, workers: int, threads: int, repeats: int, expected: pd.DataFrame
) -> dict[str, Any]:
    """Return the best of some runs with a number of workers, each of some threads."""
    load, times = os.getloadavg()[0], []
    with (
        started(workers, threads) as (address, processes),
        cluster.connect(address) if workers else nullcontext() as executor,
    ):
        ready = warm(e, executor)
        before = processor_time(processes)
        time.sleep(PAUSE)
        idle = (processor_time(processes) - before) / PAUSE
        for _ in range(repeats):
            before = processor_time(processes)
            rows, wall = run(e, threads, executor)
            times.append((wall, rows.attrs["seconds"], processor_time(processes) - before))
            assert rows.equals(expected), "rows differ from those without Dask"
    wall, chunks, spent = min(times)
    return {
        "experiment": e.name, "workers": workers, "threads": threads, "chunks": len(rows),
        "games": rows["games"].sum(), "wall_seconds": wall, "chunk_seconds": chunks,
        "overhead_ms": 1000 * (spent - chunks) / len(rows), "idle_ms": 1000 * idle,
        "ready_seconds": max(ready), "repeats": repeats, "load": load,
    }  # fmt: skip


@contextmanager
def started(workers: int, threads: int) -> Iterator[tuple[str, list[psutil.Process]]]:
    """Start a scheduler and workers; give its address and all processes, this one included."""
    found = [psutil.Process()]
    if not workers:
        yield "", found
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "scheduler.json")
        common = ["--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(file)]
        size = ["--nworkers", str(workers), "--nthreads", str(threads)]
        environment = {**os.environ, "DASK_CONFIG": str(PACKAGE.parent / "book" / "dask.yaml")}
        with Path(folder, "log.txt").open("w") as log:
            commands = ["scheduler", "--port", "0", *common], ["worker", *common, *size]
            parts = []
            try:
                for command in commands:
                    process = subprocess.Popen(
                        [DASK, *command], env=environment, stdout=log, stderr=log
                    )
                    parts.append(process)
                    while not file.exists() or not file.read_text().strip().endswith("}"):
                        time.sleep(0.1)
                address = pd.read_json(file, typ="series")["address"]
                with cluster.connect(address) as executor:
                    executor.client.wait_for_workers(workers)
                for part in parts:
                    parent = psutil.Process(part.pid)
                    found += [parent, *parent.children(recursive=True)]
                yield address, found
            finally:
                for part in reversed(parts):
                    part.terminate()
                    part.wait()


def warm(e: experiment.Experiment, executor: Any) -> list[float]:
    """Make each process ready (kernels loaded, tables made); return the seconds that it took."""
    name = e.name

    def first() -> float:
        start = time.perf_counter()
        from gamecore.papers import experiment, runner

        found = experiment.find(name)
        for cell in found.cells:
            runner._timed(found, cell, 0, 1, experiment.ROOT)
        return time.perf_counter() - start

    return list(executor.client.run(first).values()) if executor else [first()]


def run(e: experiment.Experiment, threads: int, executor: Any) -> tuple[pd.DataFrame, float]:
    """Play all chunks from nothing; return their rows, and the seconds that it took."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GAMECORE_RUNS"] = folder
        start = time.perf_counter()
        return runner.run(e, workers=threads, executor=executor), time.perf_counter() - start


def processor_time(processes: list[psutil.Process]) -> float:
    """Return the processor time that some processes have used."""
    return sum(p.cpu_times().user + p.cpu_times().system for p in processes)


if __name__ == "__main__":
    main()
