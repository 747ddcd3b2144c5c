"""Moves and mixtures against the exact solution: which are correct, and what others lose.

At a position worth v to V, the *shortfall* of V's mixture p is v − min_j Σ_i p(i) A(i, j), where A
holds the exact values after each pair of moves (and likewise for H).
"""

from typing import Any

import numpy as np

from gamecore import rng
from gamecore.triomineering.players import Player, think
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
