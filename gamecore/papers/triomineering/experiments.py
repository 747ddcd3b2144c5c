"""The paper's tables and figures: exact facts, figure 3, matches, search counts, the dilemma.

Tables 2 to 10 are lost with their images, so most of what is judged are sentences. Beyond them, the
exact shortfalls of the five players: a match only says who is better at beating the other.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from gamecore import rng
from gamecore.matrixgame import gap
from gamecore.papers.experiment import experiment
from gamecore.papers.triomineering.policies import (
    PLACES,
    correct_moves,
    half_and_half,
    move_cells,
    one_search,
    position_at,
)
from gamecore.triomineering import nash
from gamecore.triomineering.matches import match
from gamecore.triomineering.players import PLAYERS, Player, orbits, simulate, think
from gamecore.triomineering.rules import Position
from gamecore.triomineering.solution import solve

#: Columns of a match: games that V won, drawn ones, games that H won.
RESULTS = ("V", "D", "H")
#: Sizes of the random tables on which figure 3 is tried.
SIZES = (2, 8, 24)
MSUCB1, MSUCB15 = Player("MSUCB1"), Player("MSUCB1.5")
C_GRID = (0.05, 0.1, 0.3, 0.5, 0.7, 1.0, 2.0)
#: Utilities of a draw in table 5 and in table 6.
COARSE, FINE = (0.0, 0.25, 0.5, 0.75, 1.0), (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
#: The searches of tables 3 and 8, and their playouts.
SEARCHES, BUDGET = [("MSUCB1", 0.5), ("SimpleUCB1", 0.5), ("SimpleUCB1", 1.0)], 10_000
#: The pairs of table 3: V's moves, one of each orbit, and H's moves, as cells of 4×4.
REPRESENTATIVES, REPLIES = (0, 1), (0, 1, 4, 5, 8, 9, 12, 13)
CORNERS = ("a1b1", "a1b2", "a2b1", "a2b2")
CHECKPOINTS = (100, 1000, 10_000, 100_000)
DILEMMA = {"R": 0.8, "P": 0.2}
#: Playouts for which shortfalls are measured, and those of a first move on 8×4.
BUDGETS, FIRST_BUDGET = (1000, 3000, 10_000, 30_000, 100_000), 20_000


@experiment(
    "triomineering/solved",
    cells=[{"rows": m, "columns": n} for m, n in ((4, 4), (6, 6), (8, 4))],
    games=1, quick=1, paper=1, fingerprint=1,
)  # fmt: skip
def solved(cell, seed, games, tables):
    """Exact facts of the boards that the paper plays on."""
    size = cell["rows"], cell["columns"]
    solution, empty = solve(*size), Position.empty(*size)
    v, h = correct_moves(size)
    return {
        "value": solution.value, "outcome": solution.outcome,
        "v_moves": len(empty.v_moves()), "h_moves": len(empty.h_moves()),
        "v_orbits": len(orbits(empty, "V")),
        "v_correct": " ".join(map(str, v)), "h_correct": " ".join(map(str, h)),
        "half": half_and_half(solution.payoff_matrix(empty), solution.value),
    }  # fmt: skip


@experiment(
    "triomineering/outcomes",
    cells=[{"rows": m, "columns": n} for m in range(1, 14) for n in range(1, 15 - m)],
    games=1, quick=1, paper=1, fingerprint=1,
)  # fmt: skip
def outcomes(cell, seed, games, tables):
    """The class and value of every board with m + n ≤ 14."""
    solution = solve(cell["rows"], cell["columns"])
    return {"outcome": solution.outcome, "value": solution.value}


@experiment(
    "triomineering/nash",
    cells=[
        {"method": reading, "size": size, "rounds": rounds}
        for reading in nash.READINGS[:3]
        for size in SIZES
        for rounds in (100, 200, 500, 2000)
    ],
    games=100, quick=1, paper=1, fingerprint=5,
)  # fmt: skip
def nash_gaps(cell, seed, games, tables):
    """How near figure 3 comes to equilibrium, in three readings, on random tables."""
    stream, size, total, squares = rng.state(seed), cell["size"], 0.0, 0.0
    for _ in range(games):
        table = np.array([rng.uniform(stream) for _ in range(size * size)]).reshape(size, size)
        found = nash.approximate(table, None, cell["method"], cell["rounds"])
        open_gain = float(gap(table, found.own, found.other))
        total += open_gain
        squares += open_gain * open_gain
    return {"gap": total / games, "squares": squares / games}


def opening_values(rows: int, columns: int) -> np.ndarray:
    """Return the exact value after each pair of first moves, by the moves' cells."""
    empty = Position.empty(rows, columns)
    values = np.full((rows * columns, rows * columns), np.nan)
    pairs = np.ix_(move_cells(empty, "V"), move_cells(empty, "H"))
    values[pairs] = solve(rows, columns).payoff_matrix(empty)
    return values


def six() -> np.ndarray:
    """Return `opening_values` of the 6×6 board, on which most matches are played."""
    return opening_values(6, 6)


def play(v: Player, h: Player, games: int, seed: Any, values: np.ndarray, **board: int) -> dict:
    """Play a match and return V-D-H, and how games stood after the first pair of moves.

    ``V1`` and ``H1`` count games that were then worth more than 0.5 to V, or less, by the exact
    `values`; ``V2`` and ``H2`` those among them that V, or H, went on to win.
    """
    played = match(v, h, games, seed, **board)
    worth = values[tuple(played.counts["openings"].T)]
    above, below = worth > 0.5, worth < 0.5
    return {
        **dict(zip(RESULTS, (played.wins, played.draws, played.losses), strict=True)),
        "V1": above.sum(), "H1": below.sum(),
        "V2": (above & (played.results > 0)).sum(),
        "H2": (below & (played.results < 0)).sum(),
    }  # fmt: skip


@experiment(
    "triomineering/table-2", cells=[{"mc": playouts} for playouts in (10_000, 100_000)],
    games=20, quick=1, paper=50, fingerprint=1, prepare=six,
)  # fmt: skip
def table_2(cell, seed, games, tables):
    """Table 2: MSUCB1 (V) against MC (H) with as many playouts and with ten times as many."""
    return play(MSUCB1, Player("MC", cell["mc"]), games, seed, tables)


@experiment(
    "triomineering/depth", cells=[{"v": "MSUCB1.5", "h": "MSUCB1"}],
    games=20, quick=1, paper=50, fingerprint=1, prepare=six,
)  # fmt: skip
def depth(cell, seed, games, tables):
    """Section 6.3: MSUCB1.5 (V) against MSUCB1 (H)."""
    return play(MSUCB15, MSUCB1, games, seed, tables)


@experiment(
    "triomineering/table-4", cells=[{"c": c} for c in C_GRID],
    games=20, quick=1, paper=200, fingerprint=1, prepare=six,
)  # fmt: skip
def table_4(cell, seed, games, tables):
    """Table 4: MSUCB1 (V) with different c against MC (H)."""
    return play(replace(MSUCB1, c=cell["c"]), Player("MC"), games, seed, tables)


def draw_match(u: float, other: float, games: int, seed: Any, tables: np.ndarray) -> dict:
    """Play MSUCB1.5 against itself, V's draw being worth `u` and, in its model, H's `other`."""
    return play(replace(MSUCB15, draw=u, other_draw=other), MSUCB15, games, seed, tables)


@experiment(
    "triomineering/table-5", cells=[{"u": u} for u in COARSE],
    games=20, quick=1, paper=50, fingerprint=1, prepare=six,
)  # fmt: skip
def table_5(cell, seed, games, tables):
    """Table 5: MSUCB1.5 against itself, V's utility of a draw from 0 to 1."""
    return draw_match(cell["u"], 0.5, games, seed, tables)


@experiment(
    "triomineering/table-6", cells=[{"u": u} for u in FINE],
    games=20, quick=1, paper=500, fingerprint=1, prepare=six,
)  # fmt: skip
def table_6(cell, seed, games, tables):
    """Table 6: the same from 0.5 to 1, with more games."""
    return draw_match(cell["u"], 0.5, games, seed, tables)


@experiment(
    "triomineering/simpleucb0.5", cells=[{"v": "MSUCB1.5", "h": "SimpleUCB0.5"}],
    games=20, quick=1, paper=50, fingerprint=1, prepare=six,
)  # fmt: skip
def simple_half(cell, seed, games, tables):
    """Section 6.6.1: MSUCB1.5 (V) against SimpleUCB0.5 (H) with ten times the playouts."""
    return play(MSUCB15, Player("SimpleUCB0.5", 100_000), games, seed, tables)


@experiment(
    "triomineering/table-7", cells=[{"simple": playouts} for playouts in (20_000, 100_000)],
    games=20, quick=1, paper=100, fingerprint=1, prepare=six,
)  # fmt: skip
def table_7(cell, seed, games, tables):
    """Table 7: MSUCB1.5 (V) with 20,000 playouts against SimpleUCB1 (H)."""
    h = Player("SimpleUCB1", cell["simple"])
    return play(replace(MSUCB15, playouts=20_000), h, games, seed, tables)


@experiment(
    "triomineering/8x4", cells=[{"v": "MSUCB1.5", "h": "SimpleUCB1"}],
    games=20, quick=1, paper=20, fingerprint=1, prepare=lambda: opening_values(8, 4),
)  # fmt: skip
def eight_by_four(cell, seed, games, tables):
    """Section 6.6.2: MSUCB1.5 (V) against SimpleUCB1 (H) on 8×4, 20,000 playouts each."""
    v, h = replace(MSUCB15, playouts=20_000), Player("SimpleUCB1", 20_000)
    return play(v, h, games, seed, tables, rows=8, columns=4)


def written(*cells: int) -> str:
    """Return cells of 4×4 as ``"(row,column) (row,column)"``."""
    return " ".join(f"({cell // 4},{cell % 4})" for cell in cells)


#: Columns of search counts: the pairs of table 3, row by row.
PAIRS = [written(v, h) for v in REPRESENTATIVES for h in REPLIES]


def correct_pairs(correct: tuple[list, list]) -> np.ndarray:
    """Return which of the 2×8 pairs of table 3 consist of `correct_moves`."""
    return np.isin(REPRESENTATIVES, correct[0])[:, None] & np.isin(REPLIES, correct[1])


@experiment(
    "triomineering/search-counts",
    cells=[{"method": method, "c": c} for method, c in SEARCHES],
    games=50, quick=1, paper=8, fingerprint=2, prepare=lambda: correct_moves((4, 4)),
)  # fmt: skip
def search_counts(cell, seed, games, tables):
    """Tables 3 and 8: visits of the 2×8 pairs of first moves on 4×4, one search a game."""
    return count_visits(Player(cell["method"], BUDGET, c=cell["c"]), seed, games, tables)


def count_visits(
    player: Player, seed: np.random.SeedSequence, games: int, correct: tuple[list, list]
) -> dict:
    """Return summed visits of every pair, and the summed share (and square) of other pairs."""
    right = correct_pairs(correct)
    visits, others, squares = np.zeros((2, 8), np.int64), 0.0, 0.0
    for child in seed.spawn(games):
        found = think(Position.empty(4, 4), player, child).visits
        visits += found
        share = float(found[~right].sum()) / BUDGET
        others += share
        squares += share * share
    return {**dict(zip(PAIRS, visits.ravel(), strict=True)), "others": others, "squares": squares}


def dilemma_tables(R: float, P: float) -> tuple[np.ndarray, np.ndarray]:
    """Return both players' mean payoffs, T = 1 and S = 0; a1 and b1 are to cooperate."""
    own = np.array([[R, 0.0], [1.0, P]])
    return own, own.T


@experiment(
    "triomineering/dilemma",
    cells=[{"method": method, **DILEMMA} for method in ("SimpleUCB1", "MSUCB1")],
    games=25, quick=1, paper=8, fingerprint=1,
)  # fmt: skip
def dilemma(cell, seed, games, tables):
    """Table 10: visits of the four pairs of the prisoner's dilemma, one search a game."""
    counts = np.zeros((len(CHECKPOINTS), 4), np.int64)
    drifted = 0
    payoffs = dilemma_tables(cell["R"], cell["P"])
    for child in seed.spawn(games):
        for k, playouts in enumerate(CHECKPOINTS):  # a shorter search is the start of a longer one
            player = Player(cell["method"], playouts)
            found = simulate(*payoffs, player, child).ravel()
            counts[k] += found
        drifted += bool(found[0] > found[3])
    named = {
        f"{corner}@{t}": counts[k, i]
        for k, t in enumerate(CHECKPOINTS)
        for i, corner in enumerate(CORNERS)
    }
    return {**named, "drifted": drifted}


@experiment(
    "triomineering/exploitability",
    cells=[{"place": place, "method": method} for place in PLACES for method in PLAYERS],
    games=10, quick=1, paper=30, fingerprint=1,
)  # fmt: skip
def budgets(cell, seed, games, tables):
    """Exact shortfall of each player's policy against playouts, one position a game."""
    side = PLACES[cell["place"]][1]
    total, squares = np.zeros(len(BUDGETS)), np.zeros(len(BUDGETS))
    for child in seed.spawn(games):
        drawn, *thoughts = child.spawn(1 + len(BUDGETS))
        position = position_at(cell["place"], drawn)
        for k, playouts in enumerate(BUDGETS):
            player = Player(cell["method"], playouts)
            lost = one_search(position, player, side, thoughts[k])[1]
            total[k] += lost
            squares[k] += lost * lost
    named = {f"lost@{t}": total[k] for k, t in enumerate(BUDGETS)}
    return named | {f"squares@{t}": squares[k] for k, t in enumerate(BUDGETS)}


@experiment(
    "triomineering/8x4-first-moves",
    cells=[{"method": method, "side": side} for side in "VH" for method in PLAYERS],
    games=40, quick=1, paper=10, fingerprint=1,
)  # fmt: skip
def first_moves(cell, seed, games, tables):
    """First moves on 8×4 with 20,000 playouts over seeds: summed policies by cell."""
    empty, side = Position.empty(8, 4), cell["side"]
    cells = move_cells(empty, side)
    total, lost, squares = np.zeros(32), 0.0, 0.0
    for child in seed.spawn(games):
        policy, value = one_search(empty, Player(cell["method"], FIRST_BUDGET), side, child)
        total[cells] += policy
        lost += value
        squares += value * value
    named = {f"cell {k}": share for k, share in enumerate(total)}
    return {**named, "lost": lost, "squares": squares}
