"""Our own questions: what each decision that the paper leaves open does to its results.

Every change is made alone, on both sides, from the players of the main tables.
"""

from typing import Any

import numpy as np

from gamecore.papers.experiment import experiment
from gamecore.papers.triomineering.experiments import (
    BUDGET,
    COARSE,
    CORNERS,
    FINE,
    count_visits,
    dilemma_tables,
    draw_match,
    play,
    six,
)
from gamecore.papers.triomineering.policies import PLACES, correct_moves, one_search, position_at
from gamecore.triomineering.players import Player, simulate

#: Other readings of figure 3.
NASH: dict[str, dict] = {
    "constant step 0.1": {"nash": "constant step"},
    "constant step 0.03": {"nash": "constant step", "step": 0.03},
    "constant step 0.3": {"nash": "constant step", "step": 0.3},
    "regret matching+": {"nash": "regret matching+"},
}
#: The matches whose results are printed for 6×6, and the one of table 2.
MATCHES = {
    "MSUCB1 - MC": (Player("MSUCB1"), Player("MC")),
    "MSUCB1.5 - MSUCB1": (Player("MSUCB1.5"), Player("MSUCB1")),
    "MSUCB1.5 - SimpleUCB0.5": (Player("MSUCB1.5"), Player("SimpleUCB0.5", 100_000)),
}
#: Changes to MSUCB1 of which the shortfall is measured.
POLICIES: dict[str, dict] = {
    "as settled": {},
    **NASH,
    "every playout": {"every": 1},
    "every 16 playouts": {"every": 16},
    "every 64 playouts": {"every": 64},
    "20 rounds": {"rounds": 20},
    "500 rounds": {"rounds": 500},
    "playouts not filtered": {"filtering": False},
    "no use of symmetry": {"symmetry": "none"},
    "naive quadrant": {"symmetry": "quadrant"},
}
GRID_R, GRID_P = (0.5, 0.6, 0.7, 0.8, 0.9), (0.1, 0.2, 0.3, 0.4)


def changed_match(name: str, change: dict, games: int, seed: Any, tables: np.ndarray) -> dict:
    """Play one of `MATCHES` with the same change to both players."""
    v, h = (player._replace(**change) for player in MATCHES[name])
    return play(v, h, games, seed, tables)


@experiment(
    "triomineering/nash-variants",
    cells=[
        {"match": name, "variant": variant}
        for variant in NASH
        for name in ("MSUCB1.5 - MSUCB1", "MSUCB1.5 - SimpleUCB0.5")
    ],
    games=5, quick=1, paper=50, fingerprint=1, extra=True, prepare=six,
)  # fmt: skip
def nash_variants(cell, seed, games, tables):
    """The printed matches with other readings of figure 3."""
    return changed_match(cell["match"], NASH[cell["variant"]], games, seed, tables)


@experiment(
    "triomineering/search-variants",
    cells=[{"variant": variant} for variant in NASH],
    games=20, quick=1, paper=5, fingerprint=1, extra=True, prepare=lambda: correct_moves((4, 4)),
)  # fmt: skip
def search_variants(cell, seed, games, tables):
    """Table 3 with other readings of figure 3."""
    return count_visits(Player("MSUCB1", BUDGET, **NASH[cell["variant"]]), seed, games, tables)


@experiment(
    "triomineering/draw-model",
    cells=[{"u": u} for u in sorted({*COARSE, *FINE} - {0.5})],
    games=20, quick=1, paper=30, fingerprint=1, extra=True, prepare=six,
)  # fmt: skip
def draw_model(cell, seed, games, tables):
    """Tables 5 and 6 if a draw is worth 1 − U to the opponent in V's model."""
    return draw_match(cell["u"], round(1 - cell["u"], 10), games, seed, tables)


@experiment(
    "triomineering/symmetry",
    cells=[{"symmetry": symmetry} for symmetry in ("quadrant", "none")],
    games=20, quick=1, paper=25, fingerprint=1, extra=True, prepare=six,
)  # fmt: skip
def symmetry(cell, seed, games, tables):
    """Table 2 with a naive quadrant for the first move, and without any use of symmetry."""
    return changed_match("MSUCB1 - MC", dict(cell), games, seed, tables)


@experiment(
    "triomineering/filter",
    cells=[{"match": name} for name in MATCHES],
    games=20, quick=1, paper=15, fingerprint=1, extra=True, prepare=six,
)  # fmt: skip
def without_filter(cell, seed, games, tables):
    """Three matches with playouts that choose among all moves."""
    return changed_match(cell["match"], {"filtering": False}, games, seed, tables)


@experiment(
    "triomineering/recompute",
    cells=[{"every": every} for every in (1, 16)],
    games=10, quick=1, paper=40, fingerprint=1, extra=True, prepare=six,
)  # fmt: skip
def recompute(cell, seed, games, tables):
    """Table 2 with the equilibrium approximated anew at every playout, or at every sixteenth."""
    return changed_match("MSUCB1 - MC", dict(cell), games, seed, tables)


@experiment(
    "triomineering/policy-variants",
    cells=[
        {"place": place, "variant": variant}
        for place in list(PLACES)[:3]
        for variant in POLICIES
        if place.endswith("empty") or "symmetry" not in POLICIES[variant]
    ],
    games=10, quick=1, paper=30, fingerprint=1, extra=True,
)  # fmt: skip
def policy_variants(cell, seed, games, tables):
    """Exact shortfall of MSUCB1 with 10,000 playouts under one change at a time."""
    player, side = Player(**POLICIES[cell["variant"]]), PLACES[cell["place"]][1]
    lost, squares = 0.0, 0.0
    for child in seed.spawn(games):
        drawn, thought = child.spawn(2)
        value = one_search(position_at(cell["place"], drawn), player, side, thought)[1]
        lost += value
        squares += value * value
    return {"lost": lost, "squares": squares}


@experiment(
    "triomineering/dilemma-grid",
    cells=[
        {"method": method, "R": R, "P": P}
        for method in ("SimpleUCB1", "MSUCB1")
        for R in GRID_R
        for P in GRID_P
    ],
    games=5, quick=1, paper=8, fingerprint=1, extra=True,
)  # fmt: skip
def dilemma_grid(cell, seed, games, tables):
    """The dilemma with other rewards R and punishments P: shares of 100,000 playouts."""
    payoffs, player = dilemma_tables(cell["R"], cell["P"]), Player(cell["method"], 100_000)
    counts = sum(simulate(*payoffs, player, child).ravel() for child in seed.spawn(games))
    return dict(zip(CORNERS, counts, strict=True))
