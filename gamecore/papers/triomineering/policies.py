"""Moves and mixtures against the exact solution: which are correct, and what others lose.

At a position worth v to V, the *shortfall* of V's mixture p is v − min_j Σ_i p(i) A(i, j), where A
holds the exact values after each pair of moves (and likewise for H).
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.stats import chi2_contingency

from gamecore import rng
from gamecore.triomineering.players import Player, Thought, orbits, think
from gamecore.triomineering.rules import Position
from gamecore.triomineering.solution import solve

#: Where policies are measured: the board and the side.
PLACES = {
    "6×6, empty": ((6, 6), "V"),
    "6×6 after a random round": ((6, 6), "V"),
    "8×4, V": ((8, 4), "V"),
    "8×4, H": ((8, 4), "H"),
}


def move_cells(position: Position, side: str) -> list[int]:
    """Return the cells of a side's legal moves."""
    moves = position.v_moves() if side == "V" else position.h_moves()
    return [row * position.columns + column for row, column in moves]


def correct_moves(size: tuple[int, int]) -> tuple[list[int], list[int]]:
    """Return the cells of first moves that keep the value against every reply, of V and of H.

    Examples
    --------
    >>> correct_moves((4, 4))
    ([1, 2, 5, 6], [4, 5, 8, 9])
    """
    solution, empty = solve(*size), Position.empty(*size)
    table, value = solution.payoff_matrix(empty), solution.value
    v, h = (move_cells(empty, side) for side in "VH")
    return (
        [cell for cell, row in zip(v, table, strict=True) if row.min() >= value],
        [cell for cell, column in zip(h, table.T, strict=True) if column.max() <= value],
    )


def half_and_half(table: np.ndarray, value: float) -> bool:
    """Return whether two moves of each side, half and half, are optimal and split V from D.

    `table` holds the values of all pairs of moves; of the four pairs two must be worth 1 and two
    0.5.

    Examples
    --------
    >>> half_and_half(np.array([[1.0, 0.5], [0.5, 1.0]]), 0.75)
    True
    """
    v, h = table.shape
    own = [(a, b) for a in range(v) for b in range(a) if (table[a] + table[b]).min() / 2 >= value]
    other = [
        (a, b) for a in range(h) for b in range(a) if (table[:, a] + table[:, b]).max() / 2 <= value
    ]
    return any(
        sorted(table[np.ix_(rows, columns)].ravel().tolist()) == [0.5, 0.5, 1.0, 1.0]
        for rows in own
        for columns in other
    )


def position_at(place: str, seed: np.random.SeedSequence) -> Position:
    """Return an empty board, or a 6×6 board after one uniformly random round."""
    (rows, columns), _ = PLACES[place]
    empty = Position.empty(rows, columns)
    if not place.endswith("a random round"):
        return empty
    stream, v, h = rng.state(seed), empty.v_moves(), empty.h_moves()
    return empty.play(v[rng.below(stream, len(v))], h[rng.below(stream, len(h))])


def shortfall(position: Position, policy: np.ndarray, side: str) -> float:
    """Return the shortfall of a policy for all legal moves of a side.

    Examples
    --------
    >>> round(shortfall(Position.empty(8, 4), np.full(24, 1 / 24), "V"), 4)
    0.3958
    """
    solution = solve(position.rows, position.columns)
    return solution.shortfall(position, **{side.lower(): policy})


def one_search(position: Position, player: Player, side: str, seed: Any) -> tuple:
    """Return a player's policy and its shortfall."""
    policy = think(position, player, seed, side).policy
    return policy, shortfall(position, policy, side)


def orbit_names(side: str) -> list[str]:
    """Return the first move of each orbit on the empty 6×6 board, as ``"(row,column)"``.

    Examples
    --------
    >>> orbit_names("H")
    ['(0,0)', '(0,1)', '(1,0)', '(1,1)', '(2,0)', '(2,1)']
    """
    return [f"({orbit[0] // 6},{orbit[0] % 6})" for orbit in orbits(Position.empty(6, 6), side)]


def by_orbit(policy: np.ndarray, side: str) -> np.ndarray:
    """Return a first move on 6×6 as a share for each orbit.

    Examples
    --------
    >>> by_orbit(np.full(24, 1 / 24), "V").round(3).tolist()
    [0.167, 0.167, 0.167, 0.167, 0.167, 0.167]
    """
    empty = Position.empty(6, 6)
    share = dict(zip(move_cells(empty, side), policy, strict=True))
    return np.array([sum(share[cell] for cell in orbit) for orbit in orbits(empty, side)])


def orbit_values(thought: Thought, side: str) -> np.ndarray:
    """Return the mean utility of all playouts of each orbit, from a search of the empty 6×6 board.

    Examples
    --------
    >>> thought = think(Position.empty(6, 6), Player("MC", 10_000), 1, "H")
    >>> orbit_values(thought, "H").argsort()[-2:].tolist()
    [4, 5]
    """
    cells = [6 * row + column for row, column in thought.moves]
    totals, visits = np.nansum(thought.means * thought.visits, axis=1), thought.visits.sum(axis=1)
    groups = [np.isin(cells, orbit) for orbit in orbits(Position.empty(6, 6), side)]
    return np.array([totals[group].sum() / visits[group].sum() for group in groups])


def after_first_round(v: ArrayLike, h: ArrayLike, symmetry: str) -> np.ndarray:
    """Return the shares of 6×6 games that are won, drawn and lost for V after the first moves.

    Parameters
    ----------
    v, h : array_like
        V's first move and H's as shares of orbits (`by_orbit`).
    symmetry : str
        Of `gamecore.triomineering.SYMMETRIES`: by ``"quadrant"`` both play the first move of an
        orbit, otherwise any of its images, independently.

    Examples
    --------
    >>> after_first_round([0, 0, 1, 0, 0, 0], [0, 0, 0, 0, 0.9, 0.1], "images").tolist()
    [0.1, 0.9, 0.0]
    """
    decided = _first_results(symmetry == "quadrant")
    return np.einsum("rij,i,j->r", decided, np.asarray(v, float), np.asarray(h, float))


@cache
def _first_results(where_they_lie: bool) -> np.ndarray:
    """Return, for each pair of orbits, the shares of pairs that V wins, are drawn, and H wins."""
    empty = Position.empty(6, 6)
    worth = np.sign(solve(6, 6).payoff_matrix(empty) - 0.5)
    v, h = (
        [np.isin(move_cells(empty, side), orbit[:1] if where_they_lie else orbit)
         for orbit in orbits(empty, side)]
        for side in "VH"
    )  # fmt: skip
    return np.array(
        [[[(worth[np.ix_(i, j)] == x).mean() for j in h] for i in v] for x in (1, 0, -1)]
    )


def misfit(printed: Sequence[int], ours: ArrayLike) -> float:
    """Return Pearson's chi-square statistic of two scores, to say which of ours are nearest.

    Examples
    --------
    >>> round(misfit([30, 60, 10], [60, 120, 20]), 2), round(misfit([30, 60, 10], [20, 75, 5]), 2)
    (0.0, 5.33)
    """
    rows = np.array([printed, ours], float)
    return float(chi2_contingency(rows[:, rows.sum(axis=0) > 0], correction=False).statistic)


def first_rounds(readings: pd.DataFrame, one_sided: pd.DataFrame) -> pd.DataFrame:
    """Return what the map of readings lets expect of the first round of both printed matches.

    Parameters
    ----------
    readings : pandas.DataFrame
        Rows of ``triomineering/readings``.
    one_sided : pandas.DataFrame
        Rows of ``triomineering/6x6-first-moves``, for the moves of SimpleUCB0.5. It does not mix,
        so neither figure 3 nor which image of its move it searches matters to it.

    Returns
    -------
    pandas.DataFrame
        A row for each variant: columns (match, result) of shares of games.
    """
    h_names, found = orbit_names("H"), {}
    simple = one_sided[one_sided.method == "SimpleUCB0.5"].set_index(["filtering", "symmetry"])
    rounds = [name.removeprefix("V (0,0)@") for name in readings if name.startswith("V (0,0)@")]
    for row in readings.to_dict("records"):
        filtering, symmetry = row["filtering"], row["symmetry"]
        plain = simple.loc[(filtering, "none" if symmetry == "none" else "images"), h_names].sum()
        for at in rounds:
            v, h = (
                np.array([row[f"{side} {name}@{at}"] for name in orbit_names(side)])
                for side in "VH"
            )
            other = {"MSUCB1.5 - MSUCB1": h, "MSUCB1.5 - SimpleUCB0.5": plain.to_numpy(float)}
            found[filtering, symmetry, row["step"], int(at)] = {
                (match, result): share
                for match, mixture in other.items()
                for result, share in zip(
                    "VDH",
                    after_first_round(v / v.sum(), mixture / mixture.sum(), symmetry),
                    strict=True,
                )
            }
    return pd.DataFrame.from_dict(found, orient="index")
