"""Throughput of a Dask cluster on this machine: ``python -m benchmarks.cluster``.

Scheduler and workers are processes of their own, started by the commands that the book gives. Each
worker is warmed first (kernels loaded, tables made), which is timed too; then some chunks of one
experiment are played from nothing, several times, and compared with the stored rows. The best run
counts; the load of the machine before it is written down. Writes data/cluster.csv.
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

from gamecore.papers import cluster, experiment, runner, store
from gamecore.papers.published import data_folder

#: Workers and threads of each; no workers: the threads of one process, without Dask.
SETUPS = ((0, 1), (0, 2), (1, 1), (2, 1), (4, 1), (1, 2))
DASK = str(Path(sys.executable).with_name("dask"))


def main() -> None:
    """Measure every setup, print the table and store it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cluster", description=__doc__)
    parser.add_argument("--experiment", default="pokemon/table-4")
    parser.add_argument("--chunks", type=int, default=8, help="of each cell")
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    chosen = replace(experiment.find(options.experiment), quick=options.chunks)
    rows = []
    for workers, threads in SETUPS:
        print(f"measuring {workers} workers × {threads} threads …", file=sys.stderr)
        rows.append(measure(chosen, workers, threads, options.repeats))
    table = pd.DataFrame(rows).assign(machine=store.machine())
    print(table.drop(columns="machine").to_string(index=False))
    table.to_csv(data_folder() / "cluster.csv", index=False, float_format="{:.4g}".format)


def measure(e: experiment.Experiment, workers: int, threads: int, repeats: int) -> dict[str, Any]:
    """Return the best of some runs with a number of workers, each of some threads."""
    load, times = os.getloadavg()[0], []
    with (
        started(workers, threads) as (address, processes),
        cluster.connect(address) if workers else nullcontext() as executor,
    ):
        ready = warm(e, executor)
        for _ in range(repeats):
            before, start = processor_time(processes), time.perf_counter()
            rows = run(e, threads, executor)
            wall = time.perf_counter() - start
            spent = processor_time(processes) - before
            times.append((wall, rows.attrs["seconds"], spent))
    assert not store.differences(e, rows), "rows differ from the stored ones"
    wall, chunks, spent = min(times)
    return {
        "experiment": e.name, "workers": workers, "threads": threads, "chunks": len(rows),
        "games": rows["games"].sum(), "wall_seconds": wall, "chunk_seconds": chunks,
        "overhead_ms": 1000 * (spent - chunks) / len(rows), "ready_seconds": max(ready),
        "repeats": repeats, "load": load,
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
        with Path(folder, "log.txt").open("w") as log:
            commands = ["scheduler", "--port", "0", *common], ["worker", *common, *size]
            parts = []
            try:
                for command in commands:
                    parts.append(subprocess.Popen([DASK, *command], stdout=log, stderr=log))
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
        from gamecore.papers import experiment

        start, found = time.perf_counter(), experiment.find(name)
        tables = experiment.prepared(found)
        for cell in found.cells:
            experiment.compute(found, cell, 0, 1, experiment.ROOT, tables)
        return time.perf_counter() - start

    return list(executor.client.run(first).values()) if executor else [first()]


def run(e: experiment.Experiment, threads: int, executor: Any) -> pd.DataFrame:
    """Play the quick chunks from nothing."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GAMECORE_RUNS"] = folder
        return runner.run(e, "quick", workers=threads, executor=executor)


def processor_time(processes: list[psutil.Process]) -> float:
    """Return the processor time that some processes have used."""
    return sum(p.cpu_times().user + p.cpu_times().system for p in processes)


if __name__ == "__main__":
    main()
