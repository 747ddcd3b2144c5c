"""Start-up: from ``import`` to a first result, and what compiling the kernels costs.

``python -m benchmarks.startup`` writes data/startup.csv (each game's import and first result, with
an empty and with a filled compile cache) and data/kernels.csv (every kernel's own compile time).
Seconds are processor seconds. The tests print the slowest kernels of their own run.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

import pandas as pd
from numba.core import event

from gamecore.experiment import games, machine
from gamecore.published import data_folder

#: A first small result of each game.
FIRST = {
    "pokemon": "solve(1)",
    "geister": "retrograde(3, 3, 1, 1)",
    "triomineering": "solve(4, 4)",
    "goofspiel": "train(4, 'C', 1000, 1).exploitability()",
    "daifugo": "series(10, 1, ['random'] * 4)",
    "rps": "match('nash', 'rocky', 10, 1)",
}
IMPORT_BAR, COMPILE_BAR = 1.5, 60.0  # seconds: one game's warm import, the whole package
_WARM = 5  # warm starts, of which the quickest counts


class Clock(event.Listener):
    """Give each kernel its own time, without the kernels compiled on its behalf."""

    def __init__(self, game: str = "") -> None:
        self.game = game
        self.open: list[list] = []
        self.rows: list[dict] = []

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
        name = f"{function.__module__}.{function.__qualname__}"
        self.rows.append({"game": self.game, "kernel": name, "seconds": total - inner})


def start(game: str, cache: str) -> dict:
    """Return the seconds until a game is imported and until its first result, in a new process."""
    code = (
        f"import time; import gamecore.{game} as game; imported = time.process_time();"
        f"game.{FIRST[game]}; print(imported, time.process_time())"
    )
    words = _python("-c", code, cache=cache).split()
    return {"import": float(words[0]), "result": float(words[1])}


def compiled(game: str, cache: str) -> list[dict]:
    """Return the compile times of the kernels that a game's experiments use, in a new process."""
    return json.loads(_python("-m", __spec__.name, "--one", game, cache=cache).splitlines()[-1])


def _python(*arguments: str, cache: str) -> str:
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    command = [sys.executable, *arguments]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def _compile(game: str) -> list[dict]:
    """Compute each experiment's first outcomes; listen to what numba compiles meanwhile."""
    from gamecore.experiment import ROOT, compute, find, names

    clock = Clock(game)
    with event.install_listener("numba:compile", clock):
        for experiment in map(find, names(game)):
            tables, few = experiment.prepare(), experiment.fingerprint
            for cell in (experiment.cells[0], experiment.cells[-1]):
                compute(experiment, cell, 0, few, ROOT, tables)
    return clock.rows


def main() -> None:
    """Parse the command line, measure and report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.startup")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(_compile(options.one)))
        return
    with tempfile.TemporaryDirectory() as cache:  # one for all: shared rooms are compiled once
        found = [compiled(game, cache) for game in games()]
    kernels = pd.DataFrame([row for rows in found for row in rows])
    kernels = kernels.sort_values("seconds", ascending=False)
    total = kernels.seconds.sum()
    print(kernels.head(5).to_string(index=False, float_format="{:.2f}".format))
    print(f"{len(kernels)} kernels, {total:.1f} s in all ({COMPILE_BAR:.0f} s are allowed)")
    rows = []
    for game in (game for game in FIRST if game in games()):
        with tempfile.TemporaryDirectory() as cache:
            cold = start(game, cache)
            warm = [start(game, cache) for _ in range(_WARM)]
        rows.append(
            {"game": game, "first": FIRST[game]}
            | {f"cold_{key}": cold[key] for key in cold}
            | {f"warm_{key}": min(run[key] for run in warm) for key in cold}
            | {"compile": kernels.seconds[kernels.game == game].sum(), "machine": machine()}
        )
    table = pd.DataFrame(rows)
    print(table.to_string(index=False, float_format="{:.2f}".format))
    table.to_csv(data_folder() / "startup.csv", index=False, float_format="{:.3f}".format)
    kernels.to_csv(data_folder() / "kernels.csv", index=False, float_format="{:.3f}".format)


if __name__ == "__main__":
    main()
