"""Triomineering on larger boards: ``python -m benchmarks.boards``.

All boards of 64 cells or fewer on which both can move, beyond the paper's m + n = 14. Each board
and its transpose are solved from nothing, apart from each other: V and H change roles, so values
must add up to 1 and classes be each other's image. Writes data/triomineering-larger.csv after each
pair; ``python -m benchmarks.boards 8x8 7x9`` solves some of them anew. The longest take minutes.

Columns
-------
rows, columns : the board; V places its pieces along the columns
outcome, value : its class and its value to V
positions : how many were stored to find them
error_bound : no value is farther than this from the exact one
seconds : processor time
machine : where it was measured
"""

import argparse
import time

import pandas as pd

from gamecore.papers.published import data_folder
from gamecore.papers.store import machine
from gamecore.triomineering.rules import MAX_CELLS
from gamecore.triomineering.solution import Solution

#: Outcome classes when V and H change roles.
IMAGE = {"V": "H", "H": "V", "D": "D", "VD": "HD", "HD": "VD", "VHD": "VHD"}
TOTAL = 14  # as far as the paper's own table
BOARDS = [(m, n) for m in range(3, 9) for n in range(m, MAX_CELLS // m + 1) if m + n > TOTAL]


def solved(rows: int, columns: int) -> dict:
    """Solve a board from nothing; return a row of the file."""
    start = time.process_time()
    found = Solution(rows, columns)
    return {
        "rows": rows, "columns": columns, "outcome": found.outcome, "value": found.value,
        "positions": found.positions, "error_bound": found.error_bound,
        "seconds": round(time.process_time() - start, 4), "machine": machine(),
    }  # fmt: skip


def main() -> None:
    """Solve, check, write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.boards")
    parser.add_argument("boards", nargs="*", help="such as 8x8; all by default")
    asked = [tuple(map(int, board.split("x"))) for board in parser.parse_args().boards]
    Solution(8, 4)  # loads the kernels
    file = data_folder() / "triomineering-larger.csv"
    for size in asked or BOARDS:
        rows = [solved(*board) for board in dict.fromkeys((size, size[::-1]))]
        one, other = rows[0], rows[-1]
        assert other["outcome"] == IMAGE[one["outcome"]], size
        assert abs(one["value"] + other["value"] - 1) <= one["error_bound"] + other["error_bound"]
        print("{rows}×{columns}: {outcome}, {value}, {seconds:.3f} s".format(**one), flush=True)
        kept = [pd.read_csv(file)] if file.exists() else []
        table = pd.concat([pd.DataFrame(rows), *kept]).drop_duplicates(["rows", "columns"])
        table.sort_values(["rows", "columns"]).to_csv(file, index=False)


if __name__ == "__main__":
    main()
