"""Run every comparison, print the ratios, write data/benchmarks.csv.

A module of this folder offers ``compare() -> list[dict]`` with at least the keys name (what was
run, in words), ours_seconds, peer_seconds and ratio; `benchmarks.side_by_side` makes such a row and
adds an interval. Each module runs in a process of its own, both sides of a comparison in the same
one: warmed, on the same inputs, results asserted equal before the clock starts. A missing peer is
skipped by name.
"""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pandas as pd

from benchmarks import measure
from gamecore.papers.published import data_folder
from gamecore.papers.store import machine

COLUMNS = (
    "module", "name", "peer", "unit", "ours_seconds", "peer_seconds", "ratio", "low", "high",
    "repeats", "machine",
)  # fmt: skip
MODULES = sorted(
    file.stem
    for file in Path(__file__).parent.glob("[a-z]*.py")
    if "def compare(" in file.read_text()
)


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
    table = pd.DataFrame(rows).assign(machine=machine()).reindex(columns=COLUMNS)
    shown = table[["name", "peer", "ratio", "low", "high", "ours_seconds", "unit"]]
    print(shown.to_string(index=False, float_format="{:.3g}".format))
    print(f"ratio: peer's time / ours, median of pairs; low, high: their range; on {machine()}")
    file = data_folder() / "benchmarks.csv"
    if set(chosen) < set(MODULES) and file.exists():  # the other modules' rows stay
        kept = pd.read_csv(file)
        table = pd.concat([kept[~kept.module.isin(chosen)], table])
    table.sort_values("module", kind="stable").to_csv(
        file, index=False, float_format="{:.4g}".format
    )


if __name__ == "__main__":
    main()
