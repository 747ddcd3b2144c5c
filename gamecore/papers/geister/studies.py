"""What the thesis leaves open: how purple searches, colours, escapes, and CFR's exactness."""

import math
from itertools import permutations
from typing import Any

import numpy as np

from gamecore import rng
from gamecore.geister.leaves import perfect_table
from gamecore.geister.rules import DIRECTIONS, Position, mask_of
from gamecore.geister.strategy import mixture
from gamecore.papers.experiment import Cell, experiment
from gamecore.papers.geister.experiments import ALL, CFR, CFR_PAIRS, played


@experiment(
    "geister/direction-orders",
    cells=[
        {"player": "purple", "opponent": "anti", "order": " ".join(order)}
        for order in permutations(DIRECTIONS)
    ],
    games=ALL, quick=1, paper=1, fingerprint=2, extra=True,
)  # fmt: skip
def direction_orders(cell, seed, games, table):
    """The purple AI against anti-purple for each order in which ties are broken."""
    return played(cell, seed, games, table, order=cell["order"])


#: What is varied of the purple AI and anti-purple for each order of directions: in which order they
#: look at their pieces, whether they see escapes at the last ply, and what they count.
SEARCHES = (
    *((scan, "moves", "1000 1 1") for scan in ("rows", "backwards", "board", "reds", "blues")),
    ("rows", "positions", "1000 1 1"),
    ("board", "positions", "1000 1 1"),
    *(("rows", "moves", weights) for weights in ("1000 1 0", "10 1 1", "1 1 1")),
)


@experiment(
    "geister/purple-readings",
    cells=[
        {"player": "purple", "opponent": opponent, "order": " ".join(order),
         "scan": scan, "horizon": horizon, "weights": weights}
        for scan, horizon, weights in SEARCHES
        for order in permutations(DIRECTIONS)
        for opponent in ("random", "charge", "anti")
    ],
    games=5 * ALL, quick=1, paper=1, fingerprint=1, extra=True,
)  # fmt: skip
def purple_readings(cell, seed, games, table):
    """The purple AI against the other benchmark players, for 240 readings of its search."""
    return _read(cell, seed, games, table)


#: The best of them beside the chapter's own, which comes first: least by `pairings.joint_fit`, and
#: one alone of those whose enumerated games agree in every count. The last is not chosen: so the
#: program searches that the author of the thesis published in 2020.
BEST = (
    ("up right left down", "moves", "1000 1 1"),
    ("right up down left", "moves", "10 1 1"),
    ("right up left down", "moves", "10 1 1"),
    ("right up down left", "positions", "1000 1 1"),
    ("up right down left", "positions", "1000 1 1"),
)


@experiment(
    "geister/purple-best",
    cells=[
        {"player": player, "opponent": "purple", "order": order,
         "scan": "rows", "horizon": horizon, "weights": weights}
        for order, horizon, weights in BEST
        for player in CFR
    ],
    games=ALL, quick=1, paper=5, fingerprint=1, prepare=perfect_table, extra=True,
)  # fmt: skip
def purple_best(cell, seed, games, table):
    """The CFR players against the purple AI, for the readings that fit it best without them."""
    return _read(cell, seed, games, table)


def _read(cell: Cell, seed: np.random.SeedSequence, games: int, table: Any) -> dict[str, int]:
    """Play one chunk of a pair whose searching players are read as the cell says."""
    how = {name: cell[name] for name in ("order", "scan", "horizon")}
    weights = tuple(map(int, cell["weights"].split()))
    return played(cell, seed, games, table, **how, weights=weights)


@experiment(
    "geister/colour-levels", cells=[{"player": a, "opponent": b} for a, b in CFR_PAIRS],
    games=ALL, quick=1, paper=3, fingerprint=1, prepare=perfect_table, extra=True,
)  # fmt: skip
def colour_levels(cell, seed, games, table):
    """The CFR players with uniform chance instead of decisions at the two colour levels."""
    return played(cell, seed, games, table, colours="chance")


@experiment(
    "geister/escape-rule", cells=[{"player": player, "opponent": "random"} for player in CFR],
    games=ALL, quick=1, paper=5, fingerprint=1, prepare=perfect_table, extra=True,
)  # fmt: skip
def escape_rule(cell, seed, games, table):
    """The CFR players against random, without playing an available escape at once."""
    return played(cell, seed, games, table, escape=False)


@experiment(
    "geister/exploitability",
    cells=[
        {"leaves": leaves, "colours": colours, "iterations": iterations}
        for leaves in ("draw", "perfect")
        for colours in ("decision", "chance")
        for iterations in (10, 30, 100, 300, 1000, 3000)
    ],
    games=40, quick=1, paper=1, fingerprint=1, prepare=perfect_table, extra=True,
)  # fmt: skip
def exploitability(cell, seed, games, table):
    """NashConv, what best responses gain, of CFR's depth-limited trees of the same positions."""
    s = rng.state(7)  # the same positions in every cell, so that curves can be compared
    found = []
    for _ in range(games):
        order = np.arange(16)
        rng.shuffle(s, order)
        start = Position(*(mask_of(order[i : i + 2].tolist()) for i in (0, 2, 4, 6)))
        solved = mixture(start, cell["leaves"], cell["iterations"], colours=cell["colours"])
        found.append(solved.nash_conv)
    squares = math.fsum(gain * gain for gain in found)
    return {"nash_conv": math.fsum(found), "nash_conv_squared": squares, "largest": max(found)}
