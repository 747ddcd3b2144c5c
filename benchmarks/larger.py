"""5×5 Geister with two blues and two reds a side, solved whole: ``python -m benchmarks.larger``.

Billions of positions, counts and depths only: about 4.2 GB and some minutes. It checks random
positions against their successors by the plain rules, and writes how many positions are won and
lost at each depth into data/geister-5x5.csv, the cost into data/growth.csv.
"""

import time

import pandas as pd

from benchmarks.growth import geister_positions, memory, store
from gamecore.geister import retrograde
from gamecore.papers.published import data_folder
from gamecore.papers.store import machine

BOARD = (5, 5, 2, 2)
SAMPLES = 20_000


def main() -> None:
    """Solve, check, write."""
    retrograde(3, 3, 1, 1, depths=False)  # loads the kernels
    start, wall = time.process_time(), time.perf_counter()
    solved = retrograde(*BOARD, depths=False)
    seconds, wall = time.process_time() - start, time.perf_counter() - wall
    assert solved.total == geister_positions(*BOARD)
    print(f"{solved.total:,} positions: {solved.wins:,} won, {solved.losses:,} lost, "
          f"{solved.draws:,} drawn; longest win {max(solved.win_histogram)} plies; "
          f"{seconds:.0f} s of processor time, {wall:.0f} s; "
          f"peak {memory('VmHWM') / 1e9:.2f} GB")  # fmt: skip
    print(f"{solved.verify(SAMPLES):,} random positions follow from their successors")
    depths = pd.DataFrame({"wins": solved.win_histogram, "losses": solved.loss_histogram})
    table = depths.fillna(0).astype(int).sort_index().rename_axis("depth").reset_index()
    table.to_csv(data_folder() / "geister-5x5.csv", index=False)
    row = {
        "solver": "geister", "size": "5×5, 2+2", "unit": "positions", "n": solved.total,
        "seconds": seconds, "bytes": memory("VmHWM"), "kind": "counts", "machine": machine(),
    }  # fmt: skip
    store([row])


if __name__ == "__main__":
    main()
