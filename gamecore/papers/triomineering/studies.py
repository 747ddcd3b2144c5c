"""Our own questions: what each decision that the paper leaves open does to its results.

Every change is made alone, on both sides, from the players of the main tables.
"""

from collections.abc import Iterable
from dataclasses import replace
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
from gamecore.papers.triomineering.policies import (
    PLACES,
    by_orbit,
    correct_moves,
    one_search,
    orbit_names,
    orbit_values,
    position_at,
)
from gamecore.triomineering.players import SYMMETRIES, Player, simulate, think
from gamecore.triomineering.playouts import FILTERS
from gamecore.triomineering.rules import Position

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
    "playouts not filtered": {"filtering": "none"},
    "no use of symmetry": {"symmetry": "none"},
    "naive quadrant": {"symmetry": "quadrant"},
}
#: H's players that take the opponent's moves for random, with their playouts.
ONE_SIDED = (("MC", 10_000), ("MC", 100_000), ("SimpleUCB0.5", 100_000))
#: The map of readings: figure 3, with as many rounds for the decision as in the search (steps 3 and
#: 7 of figure 2 say the same), crossed with the filters of playouts under which H's two best first
#: moves look nearly alike, and with the symmetry of first moves.
STEPS: dict[str, dict] = {
    "fictitious play": {},
    **{name: change for name, change in NASH.items() if "constant" in name},
    "worst to best 0.1": {"nash": "worst to best"},
}
ROUNDS = (50, 100, 200, 500, 2000)
LIKELY_FILTERS = ("hindering", "literal")
#: The tenth of the map whose expected first rounds are nearest to both printed scores (the sum of
#: two `policies.misfit`), nearest first; and of those the five that are nearest in 100 games of
#: either match, where later rounds count as well.
NEAR: list[tuple[str, str, str, int]] = [
    ("hindering", "none", "worst to best 0.1", 50),
    ("hindering", "none", "constant step 0.03", 200),
    ("hindering", "none", "constant step 0.1", 100),
    ("hindering", "none", "fictitious play", 100),
    ("hindering", "none", "constant step 0.1", 50),
    ("hindering", "none", "worst to best 0.1", 100),
    ("literal", "quadrant", "constant step 0.03", 50),
    ("hindering", "none", "constant step 0.03", 500),
    ("hindering", "none", "worst to best 0.1", 200),
    ("literal", "none", "worst to best 0.1", 50),
    ("literal", "quadrant", "constant step 0.03", 100),
    ("hindering", "none", "constant step 0.3", 50),
    ("hindering", "none", "constant step 0.1", 200),
    ("hindering", "none", "constant step 0.3", 100),
    ("literal", "none", "constant step 0.3", 500),
]
BEST: list[tuple[str, str, str, int]] = [
    ("hindering", "none", "constant step 0.3", 100),
    ("hindering", "none", "worst to best 0.1", 100),
    ("literal", "none", "constant step 0.3", 500),
    ("hindering", "none", "worst to best 0.1", 200),
    ("hindering", "none", "constant step 0.03", 500),
]
VARIANT = ("filtering", "symmetry", "step", "rounds")
#: Printed matches, and both of table 2.
FOUR_MATCHES = {**MATCHES, "MSUCB1 - MC 100,000": (Player("MSUCB1"), Player("MC", 100_000))}
GRID_R, GRID_P = (0.5, 0.6, 0.7, 0.8, 0.9), (0.1, 0.2, 0.3, 0.4)


def changed_match(name: str, change: dict, games: int, seed: Any, tables: np.ndarray) -> dict:
    """Play one of `FOUR_MATCHES` with the same change to both players."""
    v, h = (replace(player, **change) for player in FOUR_MATCHES[name])
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
    return changed_match(cell["match"], {"filtering": "none"}, games, seed, tables)


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


@experiment(
    "triomineering/6x6-first-moves",
    cells=[
        {"filtering": filtering, "symmetry": symmetry, "method": method, "playouts": playouts}
        for filtering in FILTERS
        for symmetry in ("images", "none")
        for method, playouts in ONE_SIDED
    ],
    games=50, quick=1, paper=4, fingerprint=2, extra=True,
)  # fmt: skip
def one_sided(cell, seed, games, tables):
    """First moves of MC and SimpleUCB0.5 as H, by orbits, and how much better than (2,1) is (2,0).

    The first is correct and the second is not; ``gap`` sums the differences of their playouts.
    """
    player = Player(cell["method"], cell["playouts"], symmetry=cell["symmetry"],
                    filtering=cell["filtering"])  # fmt: skip
    names = orbit_names("H")
    first, second = names.index("(2,0)"), names.index("(2,1)")
    chosen, gaps, squares = np.zeros(len(names)), 0.0, 0.0
    for child in seed.spawn(games):
        thought = think(Position.empty(6, 6), player, child, "H")
        values = orbit_values(thought, "H")
        gap = float(values[first] - values[second])
        chosen += by_orbit(thought.policy, "H")
        gaps += gap
        squares += gap * gap
    return {**dict(zip(names, chosen, strict=True)), "gap": gaps, "squares": squares}


def reading(filtering: str, symmetry: str, step: str, rounds: int) -> dict:
    """Return a variant of the map as a change to a player."""
    return {**STEPS[step], "rounds": rounds, "final_rounds": rounds,
            "symmetry": symmetry, "filtering": filtering}  # fmt: skip


@experiment(
    "triomineering/readings",
    cells=[
        {"filtering": filtering, "symmetry": symmetry, "step": step}
        for filtering in LIKELY_FILTERS
        for symmetry in SYMMETRIES
        for step in STEPS
    ],
    games=8 * len(ROUNDS), quick=1, paper=1, fingerprint=1, extra=True,
)  # fmt: skip
def readings(cell, seed, games, tables):
    """The map: first moves of MSUCB1.5 (V) and MSUCB1 (H) on 6×6, summed by orbits.

    The numbers of rounds take turns, a game being one search of either player.
    """
    empty, sums = Position.empty(6, 6), np.zeros((len(ROUNDS), 2, 6))
    for game, child in enumerate(seed.spawn(games)):
        turn = game % len(ROUNDS)
        change = reading(**cell, rounds=ROUNDS[turn])
        for k, (method, side) in enumerate((("MSUCB1.5", "V"), ("MSUCB1", "H"))):
            policy = think(empty, Player(method, **change), child.spawn(1)[0], side).policy
            sums[turn, k] += by_orbit(policy, side)
    return {
        f"{side} {name}@{rounds}": sums[turn, k, i]
        for turn, rounds in enumerate(ROUNDS)
        for k, side in enumerate("VH")
        for i, name in enumerate(orbit_names(side))
    }


def read_cells(variants: list[tuple[str, str, str, int]], matches: Iterable[str]) -> list[dict]:
    """Return a cell for each match of each variant of the map."""
    return [
        {"match": name, **dict(zip(VARIANT, variant, strict=True))}
        for variant in variants
        for name in matches
    ]


def read_match(cell: Any, games: int, seed: Any, tables: np.ndarray) -> dict:
    """Play one of `FOUR_MATCHES` by a variant of the map."""
    change = reading(**{name: cell[name] for name in VARIANT})
    return changed_match(cell["match"], change, games, seed, tables)


@experiment(
    "triomineering/near-readings",
    cells=read_cells(NEAR, ("MSUCB1.5 - MSUCB1", "MSUCB1.5 - SimpleUCB0.5")),
    games=20, quick=1, paper=5, fingerprint=1, extra=True, prepare=six,
)  # fmt: skip
def near_readings(cell, seed, games, tables):
    """Short matches of the readings that are nearest by their first rounds."""
    return read_match(cell, games, seed, tables)


@experiment(
    "triomineering/best-readings", cells=read_cells(BEST, FOUR_MATCHES),
    games=20, quick=1, paper=50, fingerprint=1, extra=True, prepare=six,
)  # fmt: skip
def best_readings(cell, seed, games, tables):
    """The printed matches, and both of table 2, by the five readings nearest in short matches."""
    return read_match(cell, games, seed, tables)
