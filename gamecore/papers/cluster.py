"""Chunks on the workers of a Dask cluster, behind the same loop as chunks on threads.

A task is an experiment's name, the parameters and numbers of some chunks, and a seed: a few hundred
bytes each. A worker looks the experiment up in its own gamecore and makes the experiment's tables
itself, once (see `gamecore.papers.experiment.prepared`). Making them takes seconds wherever it is
done, so sending the finished ones (Geister's, Pokémon's: tens of megabytes) would save nothing
while everybody waits for them, and a worker that joins late or comes back needs no help.
"""

import asyncio
import logging
import os
import pickle
import platform
import re
import sys
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from functools import cache, partial
from typing import Any
from uuid import uuid4
from weakref import WeakKeyDictionary

from gamecore.papers.experiment import Experiment, code_of, find

#: Seconds to wait for a scheduler's answer.
PATIENCE = 5.0
#: Seconds that Ctrl-C waits for the tasks that workers have.
HOLD = 2.0


def connect(address: str) -> "Cluster":
    """Return an executor for `gamecore.papers.runner.run` on the scheduler at `address`.

    Parameters
    ----------
    address : str
        What ``dask scheduler`` printed, for example ``tcp://192.168.0.10:8786``.

    Returns
    -------
    Cluster
        Use it in a ``with`` statement. While the scheduler has no workers, this waits for one.

    Examples
    --------
    Its workers would play what `gamecore.papers.runner.run` is given with ``executor=cluster``:

    >>> with connect("tcp://localhost") as cluster:
    ...     ...
    Traceback (most recent call last):
    ValueError: 'tcp://localhost' is no scheduler's address: use the address that ...
    """
    try:
        from distributed import Client, Security
    except ImportError:
        text = "a cluster needs Dask, which is not installed: pip install 'gamecore[cluster]'"
        raise ValueError(text) from None
    hint = "use the address that 'dask scheduler' printed, such as tcp://host:8786"
    if not re.fullmatch(r"((tcp|tls)://)?[^/\s]+:\d+", address):
        raise ValueError(f"{address!r} is no scheduler's address: {hint}")
    arguments = Security().get_connection_args("client")
    if address.startswith("tls://") and arguments.get("ssl_context") is None:
        how = "name them under distributed.comm.tls in Dask's configuration"
        raise ValueError(f"{address} needs certificates, and Dask knows none: {how}")
    for name in ("client", "comm", "core"):  # we say it in a sentence
        logging.getLogger(f"distributed.{name}").setLevel(logging.CRITICAL)
    try:
        asked = asyncio.wait_for(_ask(address, arguments), PATIENCE)
        with ThreadPoolExecutor(1) as thread:  # a notebook's own has a loop that runs
            thread.submit(asyncio.run, asked).result()
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except Exception as error:  # what listens there may answer anything
        raise OSError(f"no Dask scheduler answers at {address}: {hint}") from error
    try:
        if not client.nthreads():
            hint = f"start some with 'dask worker {address}' (Ctrl-C stops waiting)"
            print(f"waiting for workers: {hint}", file=sys.stderr, flush=True)
            client.wait_for_workers(1)
        return Cluster(client)
    except BaseException:
        client.close()
        raise


async def _ask(address: str, arguments: dict) -> None:
    """Ask for a scheduler's name: a client would wait minutes where something else listens."""
    from distributed import rpc

    async with rpc(address, connection_args=arguments) as there:
        answer = await there.identity()
    if answer.get("type") != "Scheduler":
        raise ValueError(f"{address} is a {answer.get('type')}")


class Cluster(Executor):
    """A Dask client's executor that computes nothing with other code than ours; see `connect`.

    A chunk whose worker dies is played by another (Dask gives up after
    ``distributed.scheduler.allowed-failures`` such deaths, three unless configured). A chunk that
    raises is not retried: it would raise again.

    Examples
    --------
    >>> issubclass(Cluster, Executor)  # so `gamecore.papers.runner.run` takes it
    True
    """

    def __init__(self, client: Any):
        self.client, self.address = client, client.scheduler.address
        self._executor = client.get_executor(pure=False, retries=0)
        self._keys: WeakKeyDictionary[Future, tuple] = WeakKeyDictionary()
        self._run = uuid4().hex
        self._agreed = cache(self._agreed)  # type: ignore[method-assign]

    def share(self, chunks: int) -> int:
        """Return how many chunks a first task has: four tasks for each thread of the workers.

        A worker leaves off when a task takes long, and the rest is cut to measure: see `run`.
        """
        return -(-chunks // (4 * sum(self.client.nthreads().values())))

    def submit(self, function: Any, experiment: Experiment, *rest: Any) -> Future:  # type: ignore[override]
        """Send one task; before an experiment's first, ask every worker for its code."""
        code = self._agreed(experiment.name, code_of(experiment))
        # One name for an experiment's tasks: Dask holds back what workers are not ready for.
        key = (f"{experiment.name}-{self._run}", uuid4().hex)
        task = pickle.dumps(partial(_checked, code, function, experiment, *rest))
        # A local function travels as code: the scheduler reads tasks too, and knows no gamecore.
        future = self._executor.submit(lambda: pickle.loads(task)(), key=key)
        self._keys[future] = key
        return future

    def _agreed(self, name: str, code: tuple[str, str]) -> tuple[str, str]:
        """Return an experiment's code if all workers have it; raise a ValueError otherwise."""
        for worker, theirs in self.client.run(_code_here, name, on_error="return").items():
            _compare(code, theirs, worker)
        return code

    def hold(self) -> float:
        """Mark what workers have begun as running, so that it is not cancelled.

        Returns the seconds in which a task ends, and one that a worker has just taken up.
        """
        begun = {key for keys in self.client.processing().values() for key in keys}
        for future, key in list(self._keys.items()):
            known = self.client.futures.get(key)
            if not future.done() and (key in begun or (known and known.status == "finished")):
                with suppress(RuntimeError):  # it has just finished
                    future.set_running_or_notify_cancel()
        return HOLD

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the scheduler; it drops what is unfinished and stays up, like its workers."""
        self.client.close()

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.shutdown()
        if isinstance(error, CancelledError):
            text = f"the scheduler at {self.address} has gone"
            raise OSError(f"{text}: finished chunks are kept, run it again to go on") from error
        if type(error).__name__ == "KilledWorker":
            text = "a chunk was lost with every worker that tried it (out of memory?)"
            raise OSError(f"{text}: finished chunks are kept, run it again to go on") from error


def _compare(code: tuple[str, str], theirs: Any, worker: str) -> None:
    if isinstance(theirs, Exception):
        raise ValueError(f"worker {worker} cannot run gamecore: {theirs}")
    if tuple(theirs) != code:
        raise ValueError(
            f"worker {worker} has another {code[0]} ({theirs[1]}, not {code[1]}), and its numbers"
            " could differ: give it this checkout and these versions, and start it again"
        )


def _code_here(name: str) -> tuple[str, str]:
    """Return what an experiment's code is in this process."""
    return code_of(find(name))


def _checked(code: tuple[str, str], function: Any, experiment: Experiment, *rest: Any) -> Any:
    """Do a task on a worker, which may have joined since all were asked."""
    _compare(code, code_of(experiment), f"{platform.node()}, process {os.getpid()}")
    return function(experiment, *rest)
