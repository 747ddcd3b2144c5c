"""Tables 3 and 8: where searches of the first move on 4×4 spend their playouts."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from gamecore.experiment import experiment
from gamecore.stats import Ours
from gamecore.triomineering import claims
from gamecore.triomineering.players import Player, think
from gamecore.triomineering.rules import Position
from gamecore.triomineering.solve import solve

BUDGET = 10_000
#: The pairs of table 3: V's moves, one of each orbit, and H's moves, as cells of 4×4.
REPRESENTATIVES, REPLIES = (0, 1), (0, 1, 4, 5, 8, 9, 12, 13)
SEARCHES = [("MSUCB1", 0.5), ("SimpleUCB1", 0.5), ("SimpleUCB1", 1.0)]


def pair_name(v: int, h: int) -> str:
    """Return a pair of first moves on 4×4 as ``"(row,column) (row,column)"``."""
    return " ".join(f"({cell // 4},{cell % 4})" for cell in (v, h))


def correct_moves(size: tuple[int, int]) -> tuple[list[int], list[int]]:
    """Return the cells of first moves that keep the value against every reply, of V and of H.

    Examples
    --------
    >>> correct_moves((4, 4))
    ([1, 2, 5, 6], [4, 5, 8, 9])
    """
    solution, empty = solve(*size), Position.empty(*size)
    table = solution.payoff_matrix(empty)
    v, h = ([a * size[1] + b for a, b in moves] for moves in (empty.v_moves(), empty.h_moves()))
    return (
        [cell for cell, row in zip(v, table, strict=True) if row.min() >= solution.value],
        [cell for cell, column in zip(h, table.T, strict=True) if column.max() <= solution.value],
    )


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
    right = np.isin(REPRESENTATIVES, correct[0])[:, None] & np.isin(REPLIES, correct[1])
    visits, others, squares = np.zeros((2, 8), np.int64), 0.0, 0.0
    for child in seed.spawn(games):
        found = think(Position.empty(4, 4), player, child).visits
        visits += found
        share = float(found[~right].sum()) / BUDGET
        others += share
        squares += share * share
    named = {
        pair_name(v, h): visits[i, j]
        for i, v in enumerate(REPRESENTATIVES)
        for j, h in enumerate(REPLIES)
    }
    return {**named, "others": others, "squares": squares}


def mean_visits(results: pd.DataFrame, method: str, c: float) -> np.ndarray:
    """Return the mean visits of the 2×8 pairs in one search, from ``search-counts``."""
    rows = results[(results.method == method) & (results.c == c)]
    names = [pair_name(v, h) for v in REPRESENTATIVES for h in REPLIES]
    return (rows[names].sum() / rows.games.sum()).to_numpy(float).reshape(2, 8)


@search_counts.judge
def _(results: pd.DataFrame) -> Iterator[tuple[str, Ours]]:
    v, h = correct_moves((4, 4))
    right = np.isin(REPRESENTATIVES, v)[:, None] & np.isin(REPLIES, h)
    shares = {}
    for method, c in SEARCHES:
        visits = mean_visits(results, method, c)
        shares[method, c] = share = float(visits[right].sum() / BUDGET)
        table = "table-3/msucb1" if method == "MSUCB1" else f"table-8/simpleucb1-c-{c:g}"
        yield f"triomineering/{table}/correct", Ours(share, n=int(results.games.sum() / 3))
        if c == 0.5:
            ours = Ours(holds=share >= 0.5, detail=f"{share:.3f} of the playouts on 4 of 16 pairs")
            yield f"triomineering/claim/search/{method.lower()}-concentrates", ours
    visits = mean_visits(results, "MSUCB1", 0.5)
    low, high, least = visits[~right].min(), visits[~right].max(), visits[right].min()
    detail = f"others from {low:.0f} to {high:.0f} visits, correct pairs from {least:.0f}"
    ours = Ours(holds=bool(low > 1 and high < least), detail=detail)
    yield "triomineering/claim/search/msucb1-overlooks-nothing", ours
    simple, mixed = 1 - shares["SimpleUCB1", 0.5], 1 - shares["MSUCB1", 0.5]
    ours = Ours(
        holds=simple <= mixed / 2,
        detail=f"{simple:.3f} against {mixed:.3f}",
        explained_by="triomineering/search-variants",
    )
    yield "triomineering/claim/search/simpleucb1-neglects", ours
    narrow, wide = (
        results[(results.method == "SimpleUCB1") & (results.c == c)] for c in (0.5, 1.0)
    )
    spread = claims.welch(wide, narrow)
    ours = Ours(holds=spread.low > 0, detail=f"share of other pairs {spread}")
    yield "triomineering/claim/search/simpleucb1-c-spreads", ours
