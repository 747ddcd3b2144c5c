"""Running experiments: chunks on threads or on a cluster, resumed where an earlier run stopped.

Readers call `results`, which gives stored rows or computes them; authors `run` and then store.
"""

import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from queue import SimpleQueue

import pandas as pd
from tqdm import tqdm

from gamecore.check import whole
from gamecore.papers.experiment import ROOT, Cell, Experiment, Row, compute, find, prepared
from gamecore.papers.files import tidy
from gamecore.papers.store import keep_chunk, load_chunk, machine, runs_folder, stored

#: Seconds that Ctrl-C waits for chunks under way. A kernel cannot be stopped, only left behind.
PATIENCE = 1.0
#: Seconds of chunks that are played as one task where a task costs some milliseconds.
SPAN = 0.5


def _timed(experiment: Experiment, cell: Cell, chunk: int, games: int, root: int) -> Row:
    """Return a chunk as it is kept: its row, the processor time that it took, and where."""
    tables, start = prepared(experiment), time.thread_time()
    row = compute(experiment, cell, chunk, games, root, tables)
    return {"row": row, "seconds": time.thread_time() - start, "machine": machine()}


def _play(
    experiment: Experiment, pairs: Sequence[tuple[Cell, int]], games: int, root: int
) -> list[Row]:
    """Play chunks one after the other; leave off once they take longer than a task should.

    The first is not timed: it may be what a new worker loads its kernels with.
    """
    found: list[Row] = []
    for cell, chunk in pairs:
        found.append(_timed(experiment, cell, chunk, games, root))
        if len(found) == 1:
            begin = time.monotonic()
        spent = time.monotonic() - begin
        if spent > SPAN and spent * len(pairs) > 1.5 * SPAN * len(found):
            break  # unless the rest is not worth a task of its own
    return found


def run(
    experiment: Experiment,
    scale: str = "paper",
    *,
    root: int = ROOT,
    workers: int | None = None,
    executor: Executor | None = None,
) -> pd.DataFrame:
    """Run an experiment, going on from whatever chunks an earlier run finished.

    Ctrl-C keeps what is finished, and what finishes in the next second.

    Parameters
    ----------
    experiment : Experiment
        What to run; see `find`.
    scale : {"quick", "paper"}
        Quick chunks are the first of the paper's, so a quick run repeats stored numbers.
    root : int
        The root seed; stored results have `ROOT`.
    workers : int, optional
        Threads, all cores by default. The numbers do not depend on it.
    executor : concurrent.futures.Executor, optional
        Where chunks are computed instead, for example `gamecore.papers.cluster.connect`'s.

    Returns
    -------
    DataFrame
        One row per chunk; ``attrs["seconds"]`` is the processor time of all of them together,
        ``attrs["reused"]`` how many were finished before, ``attrs["machines"]`` who computed.

    Examples
    --------
    >>> rows = run(find("rps/theory"), "quick", workers=1)
    >>> round(float(rows.equilibrium[0]), 3)
    0.333
    """
    whole(root, "the root seed", 0, 2**63 - 1)
    threads = os.cpu_count() if workers is None else whole(workers, "workers", 1)
    pairs = experiment.pairs(scale)
    tidy(runs_folder() / experiment.name)
    done = [load_chunk(experiment, cell, chunk, root) for cell, chunk in pairs]
    missing = sorted((i for i, kept in enumerate(done) if kept is None), key=lambda i: pairs[i][1])
    if missing:
        if executor is None:
            prepared(experiment)  # in the main thread; workers elsewhere make their own
        pool = executor or ThreadPoolExecutor(threads)
        bar = tqdm(initial=len(done) - len(missing), total=len(done), desc=experiment.name, delay=1)
        futures: dict[Future, list[int]] = {}
        finished: SimpleQueue[Future] = SimpleQueue()
        over: list[Future] = []  # kept to the end: Dask loses a Ctrl-C where it discards a future

        def send(chunks: list[int], size: int) -> None:
            for k in range(0, len(chunks), size):
                group = chunks[k : k + size]
                task = experiment, [pairs[i] for i in group], experiment.games, root
                future = pool.submit(_play, *task)
                futures[future] = group
                future.add_done_callback(finished.put)

        def keep(future: Future) -> tuple[list[int], int]:
            """Keep a task's chunks; return those that it left, and how many make a task."""
            group, found = futures[future], future.result()
            for i, kept in zip(group, found, strict=False):
                done[i] = kept
                keep_chunk(experiment, *pairs[i], root, kept)
                bar.update()
            over.append(future)
            del futures[future]
            return group[len(found) :], 1 + int(SPAN / (found[-1]["seconds"] + SPAN / len(done)))

        try:
            send(missing, getattr(pool, "share", lambda chunks: 1)(len(missing)))
            while futures:
                send(*keep(finished.get()))
        except KeyboardInterrupt:
            patience = getattr(pool, "hold", lambda: PATIENCE)()  # a cluster asks what has begun
            left = [future for future in futures if not future.cancel()]
            print(f"\nwaiting {patience:g} s for chunks under way", file=sys.stderr)
            for future in wait(left, patience).done:
                keep(future)
            raise
        finally:
            bar.close()
            for future in futures:
                future.cancel()
            if executor is None:
                pool.shutdown(wait=False)
    rows = pd.DataFrame([kept["row"] for kept in done if kept])
    rows.attrs["seconds"] = sum(kept["seconds"] for kept in done if kept)
    rows.attrs["reused"] = len(done) - len(missing)
    rows.attrs["machines"] = sorted({kept["machine"] for kept in done if kept})
    return rows


def results(name: str, scale: str = "stored") -> pd.DataFrame:
    """Return an experiment's rows: the stored ones, or computed now at ``quick`` or ``paper``.

    Examples
    --------
    >>> results("rps/practice").groupby(["first", "second"]).games.sum().tolist()
    [50000, 50000, 50000]
    """
    return stored(name) if scale == "stored" else run(find(name), scale)
