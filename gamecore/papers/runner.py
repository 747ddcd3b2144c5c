"""Running experiments: chunks on threads or on a cluster, resumed where an earlier run stopped.

Readers call `results`, which gives stored rows or computes them; authors `run` and then store.
"""

import os
import sys
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor, as_completed, wait

import pandas as pd
from tqdm import tqdm

from gamecore.check import whole
from gamecore.papers.experiment import ROOT, Cell, Experiment, Row, compute, find, prepared
from gamecore.papers.files import tidy
from gamecore.papers.store import keep_chunk, load_chunk, machine, runs_folder, stored

#: Seconds that Ctrl-C waits for chunks under way. A kernel cannot be stopped, only left behind.
PATIENCE = 1.0


def _timed(experiment: Experiment, cell: Cell, chunk: int, games: int, root: int) -> Row:
    """Return a chunk as it is kept: its row, the processor time that it took, and where."""
    tables, start = prepared(experiment), time.thread_time()
    row = compute(experiment, cell, chunk, games, root, tables)
    return {"row": row, "seconds": time.thread_time() - start, "machine": machine()}


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
        futures = {
            pool.submit(_timed, experiment, *pairs[i], experiment.games, root): i for i in missing
        }

        def keep(future: Future) -> None:
            i = futures[future]
            done[i] = kept = future.result()
            keep_chunk(experiment, *pairs[i], root, kept)
            del futures[future]
            bar.update()

        try:
            for future in as_completed(list(futures)):
                keep(future)
        except KeyboardInterrupt:
            getattr(pool, "hold", lambda: None)()  # a cluster asks what has begun
            left = [future for future in futures if not future.cancel()]
            print(f"\nwaiting a second for {len(left)} chunks under way", file=sys.stderr)
            for future in wait(left, PATIENCE).done:
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
