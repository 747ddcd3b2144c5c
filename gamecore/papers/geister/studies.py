"""What the thesis leaves open: the order of directions, colours, escapes, and CFR's exactness."""

import math
from itertools import permutations

import numpy as np

from gamecore import rng
from gamecore.geister.leaves import perfect_table
from gamecore.geister.rules import DIRECTIONS, Position, mask_of
from gamecore.geister.strategy import mixture
from gamecore.papers.experiment import experiment
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
