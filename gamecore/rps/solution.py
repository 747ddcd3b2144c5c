"""The exact solution: one matrix game."""

from gamecore import matrixgame
from gamecore.rps.rules import payoff_matrix


def solve() -> matrixgame.Equilibrium:
    """Return the game's value and both players' equilibrium mixtures.

    Examples
    --------
    >>> solve().row.round(3).tolist()
    [0.333, 0.333, 0.333]
    """
    return matrixgame.solve(payoff_matrix())
