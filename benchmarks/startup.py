"""Start-up: from ``import`` to a first result, and what compiling the kernels costs.

``python -m benchmarks.startup`` writes data/startup.csv (each game's import and first result, with
an empty and with a filled compile cache) and data/kernels.csv (every kernel's own compile time).
Seconds are processor seconds, except for the whole package by ``gamecore compile``, which shares
it among all cores. The tests print the slowest kernels of their own run.
"""

import argparse
import doctest
import importlib
import json
import os
import subprocess
import sys
import tempfile
import time

import pandas as pd
from numba.core import event

from gamecore.papers.experiment import games, rehearse
from gamecore.papers.published import data_folder
from gamecore.papers.store import machine

IMPORT_BAR = 1.5  # seconds that a game's warm import may take
_WARM = 5  # warm starts, of which the quickest counts


class Clock(event.Listener):
    """Give each kernel its own time, without the kernels compiled on its behalf."""

    def __init__(self) -> None:
        self.open: list[list] = []
        self.seconds: dict[str, float] = {}  # in all, for a kernel compiled for several types

    def on_start(self, event):
        """Begin a kernel, perhaps inside another."""
        self.open.append([time.thread_time(), 0.0])

    def on_end(self, event):
        """End the kernel begun last."""
        began, inner = self.open.pop()
        total = time.thread_time() - began
        if self.open:
            self.open[-1][1] += total
        function = event.data["dispatcher"].py_func
        self.add({f"{function.__module__}.{function.__qualname__}": total - inner})

    def add(self, seconds: dict[str, float]) -> None:
        """Add times, perhaps those of another process."""
        for name, own in seconds.items():
            self.seconds[name] = self.seconds.get(name, 0.0) + own


def first(game: str) -> str:
    """Return a first small result of a game: the first example in its package's docstring."""
    about = importlib.import_module(f"gamecore.{game}").__doc__ or ""
    return doctest.DocTestParser().get_examples(about)[0].source.strip()


def start(game: str, cache: str) -> dict:
    """Return the seconds until a game is imported and until its first result, in a new process."""
    code = (
        f"import time; import gamecore.{game} as game; imported = time.process_time();"
        f"game.{first(game)}; print(imported, time.process_time())"
    )
    words = _python("-c", code, cache=cache).split()
    return {"import": float(words[0]), "result": float(words[1])}


def compiled(game: str, cache: str) -> dict[str, float]:
    """Return the compile times of the kernels that a game's experiments use, in a new process."""
    return json.loads(_python("-m", __spec__.name, "--one", game, cache=cache).splitlines()[-1])


def _python(*arguments: str, cache: str) -> str:
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    command = [sys.executable, *arguments]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def _compile(game: str) -> dict[str, float]:
    """Compute each experiment's first outcomes; listen to what numba compiles meanwhile."""
    clock = Clock()
    with event.install_listener("numba:compile", clock):
        rehearse(game)
    return clock.seconds


def whole() -> float:
    """Return the seconds on the wall in which all cores compile the whole package from nothing."""
    with tempfile.TemporaryDirectory() as cache:
        began = time.perf_counter()
        _python("-m", "gamecore", "compile", cache=cache)
        return time.perf_counter() - began


def main() -> None:
    """Parse the command line, measure and report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.startup")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(_compile(options.one)))
        return
    with tempfile.TemporaryDirectory() as cache:  # one for all: shared rooms are compiled once
        found = {game: compiled(game, cache) for game in games()}
    kernels = pd.DataFrame(
        [(game, *one) for game, every in found.items() for one in every.items()],
        columns=["game", "kernel", "seconds"],
    ).sort_values("seconds", ascending=False)
    total, wall = kernels.seconds.sum(), whole()
    print(kernels.head(5).to_string(index=False, float_format="{:.2f}".format))
    print(
        f"{len(kernels)} kernels, {total:.1f} s of one core; the whole package {wall:.1f} s on all"
    )
    rows = []
    for game in games():
        with tempfile.TemporaryDirectory() as cache:
            cold = start(game, cache)
            warm = [start(game, cache) for _ in range(_WARM)]
        rows.append(
            {"game": game, "first": first(game)}
            | {f"cold_{key}": cold[key] for key in cold}
            | {f"warm_{key}": min(run[key] for run in warm) for key in cold}
            | {"compile": kernels.seconds[kernels.game == game].sum()}
            | {"whole_wall": wall, "machine": machine()}
        )
    table = pd.DataFrame(rows)
    print(table.to_string(index=False, float_format="{:.2f}".format))
    table.to_csv(data_folder() / "startup.csv", index=False, float_format="{:.3f}".format)
    kernels.to_csv(data_folder() / "kernels.csv", index=False, float_format="{:.3f}".format)


if __name__ == "__main__":
    main()
