"""Run every comparison, print the ratios, write data/benchmarks.csv.

A module of this folder offers ``compare() -> list[dict]`` with the keys name (what was run, in
words), ours_seconds, peer_seconds and ratio. Each runs in a process of its own, both sides warmed,
on the same inputs, results asserted equal before the clock starts. A missing peer is skipped by
name.
"""

import argparse
import os
import platform
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pandas as pd

from benchmarks import measure
from gamecore.published import data_folder

MODULES = sorted(file.stem for file in Path(__file__).parent.glob("[a-z]*.py"))


def main() -> None:
    """Parse the command line, measure and report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("modules", nargs="*", default=MODULES, help=f"some of {', '.join(MODULES)}")
    chosen = parser.parse_args().modules
    if unknown := set(chosen) - set(MODULES):
        parser.error(f"no such comparison: {', '.join(unknown)}; there are {', '.join(MODULES)}")
    rows: list[dict] = []
    for module in chosen:
        print(f"measuring {module} …", file=sys.stderr)
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
            rows += process.submit(measure, module).result()
    table = pd.DataFrame(rows)
    print(table.to_string(index=False, float_format="{:.4g}".format))
    print(f"on {os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}")
    if set(chosen) == set(MODULES):
        table.to_csv(data_folder() / "benchmarks.csv", index=False, float_format="{:.4g}".format)


if __name__ == "__main__":
    main()
