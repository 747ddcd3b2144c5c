"""How cost grows: time and memory of the five solvers against size, into data/growth.csv.

``python -m benchmarks.growth`` measures everything, each size in a process of its own;
``python -m benchmarks.growth geister`` one solver. Rows that are not measured anew stay.

Columns
-------
solver : geister, triomineering, goofspiel, pokemon or playouts
size : in words, such as ``5×5, 2+2``
unit : what `n` counts (positions, states, turns, playouts)
n : the size as a number, the figures' horizontal axis; empty where nobody can count it
seconds : processor seconds of all threads, best of three where they are short; empty if not run
bytes : peak memory of the process above what it held before; by formula if not run
kind : ``measured``; ``counts`` for a measured Geister board whose depths were not kept, which takes
    less memory; ``counted`` for a next size, of which only `n` is known
machine : where it was measured
"""

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from itertools import combinations, product
from math import comb
from pathlib import Path

import pandas as pd

from gamecore.papers.published import data_folder
from gamecore.papers.store import machine

COLUMNS = ("solver", "size", "unit", "n", "seconds", "bytes", "kind", "machine")
_GEISTER = [
    (3, 3, 1, 1), (4, 4, 1, 1), (3, 3, 2, 2), (5, 5, 1, 1), (4, 4, 2, 1), (6, 6, 1, 1),
    (5, 5, 2, 1), (4, 4, 2, 2), (6, 6, 2, 1), (5, 5, 2, 2),
]  # fmt: skip
_TRIOMINEERING = [
    (5, 5), (5, 6), (6, 6), (6, 7), (6, 8), (7, 7), (6, 9), (8, 8), (6, 10), (7, 8), (3, 18),
]  # fmt: skip
_COUNTS = [5, 5, 2, 2]  # with depths it would take three times as much memory
SIZES: dict[str, list] = {
    "geister": _GEISTER,
    "goofspiel": [3, 4, 5, 6, 7],
    "pokemon": [1, 2, 5, 10, 20, 50, 100],
    "playouts": [10, 100, 1000, 10_000, 100_000],
    "triomineering": _TRIOMINEERING,
}
#: What is run first, to load the kernels: the smallest size, if nothing else is said.
WARM: dict[str, object] = {"triomineering": (8, 4)}  # a board with mixed positions
_LEAST = 0.2  # seconds; shorter work is repeated


def geister(board: list[int]) -> tuple[str, str, int]:
    """Solve a board by bit matrices, on one thread, depths kept unless it is the largest."""
    from gamecore.geister import retrograde

    total = retrograde(*board, workers=1, depths=board != _COUNTS).total
    return _board_name(board), "positions", total


def goofspiel(cards: int) -> tuple[str, str, int]:
    """Solve a game by backward induction: one matrix game a Markov state."""
    from gamecore.goofspiel.solution import _solved
    from gamecore.goofspiel.tree import _built, _rows

    for kept in (_solved, _rows, _built):
        kept.cache_clear()
    return f"N = {cards}", "states", len(_solved(cards).values)


def pokemon(turns: int) -> tuple[str, str, int]:
    """Solve the battle from nothing, transitions included."""
    from gamecore.pokemon.solution import _solved, _table

    _solved(turns)
    for kept in (_solved, _table):
        kept.cache_clear()
    return f"{turns} turn{'s' if turns > 1 else ''}", "turns", turns


def playouts(each: int) -> tuple[str, str, int]:
    """Judge every option of Daifugo's first decision by so many playouts."""
    from gamecore.daifugo import Sontaku, rewards, series

    dealt = series(1, seed=5, players=["random"] * 4).replay(0)
    options = rewards(next(s for s in dealt if s.stage == "play"), 1, Sontaku(2, each))
    return f"{each} for each option", "playouts", each * len(options)


def triomineering(board: list[int]) -> tuple[str, str, int]:
    """Solve a board from nothing; its size is the number of positions that had to be stored."""
    from gamecore.triomineering.solution import Solution

    return f"{board[0]}×{board[1]}", "positions", Solution(*board).positions


def next_sizes() -> list[dict]:
    """Return the next size of each solver that has not been run, with its exact number.

    Only the next one: laws of growth are fitted to few sizes, and say nothing of distant ones. Of
    Triomineering's next boards nobody can count the positions: that depends on who wins.
    """
    from gamecore.geister.solution import check_size

    large, cards = [6, 6, 2, 2], SIZES["goofspiel"][-1] + 1
    rows = [
        ("geister", _board_name(large), "positions", geister_positions(*large)),
        ("goofspiel", f"N = {cards}", "states", goofspiel_states(cards)),
    ]
    needed = {"geister": check_size(*large, depths=False)}
    return [
        {"solver": solver, "size": size, "unit": unit, "n": n, "bytes": needed.get(solver),
         "kind": "counted"}
        for solver, size, unit, n in rows
    ]  # fmt: skip


def geister_positions(width: int, height: int, max_blue: int, max_red: int) -> int:
    """Count the positions with at least one blue and one red a side: multinomial coefficients."""
    total = 0
    sides = [(b, r) for b in range(1, max_blue + 1) for r in range(1, max_red + 1)]
    for own in sides:
        for other in sides:
            free, ways = width * height, 1
            for pieces in (*own, *other):
                ways, free = ways * comb(free, pieces), free - pieces
            total += ways
    return total


def goofspiel_states(cards: int) -> int:
    """Count the Markov states of Goofspiel at which somebody has a choice, without building them.

    Which cards are gone decides how many rounds each player can have won; which prizes are gone,
    and those numbers, decide the possible score differences, kept as the bits of an integer.
    """
    total = 0
    for gone, ways in enumerate(_rounds_won(cards)):
        for prizes in combinations(range(1, cards + 1), gone):
            differences = _differences(prizes)
            for counts, pairs in ways.items():
                bits = 0
                for count in counts:
                    bits |= differences[count]
                total += (cards - gone) * pairs * bits.bit_count()
    return total


def _rounds_won(cards: int) -> list[Counter]:
    """Count the pairs of sets of cards gone, 0 to N − 2 each, by who can have won how many rounds.

    Cards are gone through in rising order: each meets a lower one of the other player's that has
    waited, and wins, or the other's equal one, or waits for a higher one.
    """
    level = Counter({(0, 0, frozenset([(0, 0, 0, 0)])): 1})
    for _ in range(cards):
        after: Counter = Counter()
        for (gone0, gone1, ends), pairs in level.items():
            for has0, has1 in product((0, 1), repeat=2):
                after[gone0 + has0, gone1 + has1, _meet(ends, has0, has1)] += pairs
        level = after
    found: list[Counter] = [Counter() for _ in range(cards - 1)]
    for (gone0, gone1, ends), pairs in level.items():
        if gone0 == gone1 < cards - 1:
            won = sorted(end[2:] for end in ends if end[:2] == (0, 0))
            exchanged = sorted((b, a) for a, b in won)  # as many differences
            found[gone0][tuple(min(won, exchanged))] += pairs
    return found


def _meet(ends: frozenset, has0: int, has1: int) -> frozenset:
    """Add a card higher than all before: one player's, both players', or nobody's.

    An end is the numbers of waiting cards of the two players and of the rounds that each has won.
    """
    found = set()
    for wait0, wait1, won0, won1 in ends:
        if has0 == has1:
            found.add((wait0, wait1, won0, won1))  # nothing, or the equal cards meet
        first = [(wait0 + has0, wait1, won0, won1)]
        first += [(wait0, wait1 - 1, won0 + 1, won1)] if has0 and wait1 else []
        for a, b, x, y in first if has0 or has1 else []:
            found.add((a, b + has1, x, y))
            if has1 and wait0:  # a card that waited before: an equal one is not beaten
                found.add((a - 1, b, x, y + 1))
    return frozenset(found)


def _differences(prizes: tuple[int, ...]) -> dict[tuple[int, int], int]:
    """Return the possible score differences, as bits, for each pair of numbers of rounds won."""
    table = {(0, 0): 1 << sum(prizes)}
    for prize in prizes:
        after = dict(table)
        for (won0, won1), bits in table.items():
            for key, moved in (
                ((won0 + 1, won1), bits << prize),
                ((won0, won1 + 1), bits >> prize),
            ):
                after[key] = after.get(key, 0) | moved
        table = after
    return table


def _board_name(board: list[int]) -> str:
    width, height, blue, red = board
    return f"{width}×{height}, {blue}+{red}"


def _measure(solver: str, size: object) -> dict:
    """Measure one size in this process, once its kernels are loaded."""
    work: Callable = globals()[solver]
    work(WARM.get(solver, SIZES[solver][0]))
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
    before, seconds = memory("VmRSS"), float("inf")
    for attempt in range(3):
        start = time.process_time()
        name, unit, n = work(size)
        seconds = min(seconds, time.process_time() - start)
        if attempt == 0:
            peak = memory("VmHWM") - before
        if seconds > _LEAST:
            break
    return {
        "solver": solver, "size": name, "unit": unit, "n": n, "seconds": seconds,
        "bytes": max(peak, 0), "kind": "counts" if size == _COUNTS else "measured",
        "machine": machine(),
    }  # fmt: skip


def memory(field: str) -> int:
    """Return a field of this process's memory in bytes: VmRSS now, VmHWM at its peak."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))


def main() -> None:
    """Parse the command line, measure each size in a fresh process, write the file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth")
    parser.add_argument("solvers", nargs="*", default=list(SIZES), help=f"of {', '.join(SIZES)}")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(_measure(*json.loads(options.one))))
        return
    rows: list[dict] = []
    for solver in options.solvers:
        for size in SIZES[solver]:
            command = [sys.executable, "-m", __spec__.name, "--one", json.dumps([solver, size])]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                print(f"{solver} {size}: {done.stderr.splitlines()[-1]}", file=sys.stderr)
                continue
            rows.append(json.loads(done.stdout))
            print("{solver:14}{size:24}{seconds:10.3f} s{bytes:16,} bytes".format(**rows[-1]))
    store(rows)


def store(rows: list[dict]) -> None:
    """Put rows into data/growth.csv, in the place of those of the same solver and size."""
    file = data_folder() / "growth.csv"
    kept = pd.read_csv(file) if file.exists() else pd.DataFrame(columns=COLUMNS)
    run = kept[kept.kind != "counted"]
    table = pd.concat([pd.DataFrame(rows), run, pd.DataFrame(next_sizes())])
    table = table.drop_duplicates(["solver", "size"]).reindex(columns=COLUMNS)
    table = table.astype({"n": "Int64", "bytes": "Int64"}).sort_values(["solver", "n"])
    table.to_csv(file, index=False, float_format="{:.4g}".format)


if __name__ == "__main__":
    main()
