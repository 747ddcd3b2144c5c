"""Moves and their outcome. Knows nothing of players."""

import numpy as np

from gamecore.kernel import kernel

MOVES = ("rock", "paper", "scissors")


@kernel
def outcome(move, reply):
    """Return 1 if `move` beats `reply`, −1 if it is beaten, 0 for a draw."""
    return (move - reply + 4) % 3 - 1


@kernel
def beater(move):
    """Return the move that beats `move`."""
    return (move + 1) % 3


def payoff_matrix() -> np.ndarray:
    """Return the row player's payoffs, moves in the order of `MOVES`.

    Examples
    --------
    >>> payoff_matrix().astype(int).tolist()
    [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
    """
    return np.array([[outcome(i, j) for j in range(3)] for i in range(3)], float)
