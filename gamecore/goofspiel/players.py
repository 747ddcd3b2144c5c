"""Who decides: a mixture at every public state for each player, and what it is worth exactly.

Solutions and training both end in a `Profile`, so this room comes before theirs.
"""

import numpy as np

from gamecore.goofspiel import sweep
from gamecore.goofspiel.rules import check_cards
from gamecore.goofspiel.tree import Tree, build, policy_size, rows

#: One array per player.
Pair = tuple[np.ndarray, np.ndarray]


class Profile:
    """Both players' mixtures at every public state (戦略プロファイル).

    Attributes
    ----------
    tree : Tree
        The public states that the policies distinguish at most.
    rows : tuple of numpy.ndarray
        Per player, where each node's mixture begins in the policy.
    policies : tuple of numpy.ndarray
        Per player, all mixtures one after the other, cards in rising order.

    Examples
    --------
    >>> {name: round(value, 3) for name, value in uniform(3).measures().items()}
    {'eps': 0.667, 'b0': 0.667, 'b1': 0.667, 'return': 0.0}
    """

    def __init__(self, tree: Tree, rows: Pair, policies: Pair):
        self.tree, self.rows, self.policies = tree, rows, policies

    def expected_return(self) -> float:
        """Return player 0's expected result: wins less losses, between −1 and 1.

        Examples
        --------
        >>> abs(uniform(4).expected_return()) < 1e-12
        True
        """
        values, means = np.empty((2, len(self.tree.states) + 3))
        return float(sweep.expected(*graph(self.tree), *self.rows, *self.policies, values, means))

    def best_response_value(self, player: int) -> float:
        """Return what `player` gets by a best response (最適応答) that sees the whole game.

        Parameters
        ----------
        player : int
            0 or 1: who responds. ``best_response_value(1)`` is the paper's b₁: how much player 0's
            policy can be made to lose.

        Examples
        --------
        >>> round(uniform(4).best_response_value(1), 4)
        0.7465
        """
        if player not in (0, 1):
            raise ValueError(f"player must be 0 or 1, not {player!r}")
        other = 1 - player
        values, means = np.empty((2, len(self.tree.states) + 3))
        return float(
            sweep.best_response(
                *graph(self.tree), player, self.rows[other], self.policies[other], values, means
            )
        )

    def exploitability(self) -> float:
        """Return (b₀ + b₁)/2, the paper's exploitability (可搾取量): 0 exactly in equilibrium.

        Examples
        --------
        >>> round(uniform(4).exploitability(), 4)
        0.7465
        """
        return (self.best_response_value(0) + self.best_response_value(1)) / 2

    def measures(self) -> dict[str, float]:
        """Return exploitability, both best responses and the expected return."""
        b0, b1 = self.best_response_value(0), self.best_response_value(1)
        return {"eps": (b0 + b1) / 2, "b0": b0, "b1": b1, "return": self.expected_return()}


def uniform(cards: int) -> Profile:
    """Return the profile in which both play every card with the same probability.

    Parameters
    ----------
    cards : int
        Cards each, 2 to 7.

    Examples
    --------
    >>> round(uniform(3).exploitability(), 4)
    0.6667
    """
    tree = build(check_cards(cards, 7), "markov")
    row = rows(tree, "")
    policy = np.zeros(policy_size(tree, row))
    sweep.normalise(row_sizes(tree, row), policy)
    return Profile(tree, (row, row), (policy, policy))


def graph(tree: Tree) -> tuple[int, np.ndarray, np.ndarray, np.ndarray]:
    """Return the four arguments with which every sweep begins."""
    return tree.cards, tree.starts, tree.links, tree.kids


def row_sizes(tree: Tree, row: np.ndarray) -> np.ndarray:
    """Return an array as long as a policy that holds each row's length at the row's start."""
    sizes = np.zeros(policy_size(tree, row), np.int8)
    for n in range(2, tree.cards + 1):
        sizes[row[tree.level(n)]] = n
    return sizes
