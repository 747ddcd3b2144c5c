"""A mixture at every public state for each player, and what it is worth exactly.

Solutions and training end in a `Profile`, and players are made of them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from numbers import Real

import numpy as np
from tqdm import tqdm

from gamecore import check
from gamecore.goofspiel import sweep
from gamecore.goofspiel.rules import State, check_cards, decode
from gamecore.goofspiel.tree import MOST_CARDS, Tree, build, policy_size, rows

#: One array per player.
Pair = tuple[np.ndarray, np.ndarray]
#: A card, or cards with their probabilities.
Answer = int | str | Mapping
#: How far from 1 the sum of a mixture may be.
_CRUMB = 1e-9


@dataclass(frozen=True, eq=False, repr=False)
class Profile:
    """Both players' mixtures at every public state (戦略プロファイル).

    It is a player too, of either seat: see `match` and `ask`. Its arrays cannot be changed.

    Attributes
    ----------
    tree : Tree
        The public states that the policies distinguish at most, made by `build`.
    rows : tuple of numpy.ndarray
        Per player, where each node's mixture begins in the policy. Nodes may share one.
    policies : tuple of numpy.ndarray
        Per player, all mixtures one after the other, cards in rising order.

    Raises
    ------
    ValueError
        If a size is wrong, a row lies outside its policy, or a mixture does not sum to 1.

    Examples
    --------
    >>> uniform(3)
    Profile: 57 public states of 3 cards each, markov
    >>> {name: round(value, 3) for name, value in uniform(3).measures().items()}
    {'eps': 0.667, 'b0': 0.667, 'b1': 0.667, 'return': 0.0}
    """

    tree: Tree
    rows: Pair
    policies: Pair

    def __post_init__(self) -> None:
        tree = self.tree
        if not isinstance(tree, Tree) or not tree.is_built():
            raise ValueError(f"tree must be made by build(cards, kind), not {check.short(tree)}")
        for name, pair in (("rows", self.rows), ("policies", self.policies)):
            if not isinstance(pair, tuple | list) or len(pair) != 2:
                raise ValueError(f"{name} must be two arrays, one for each player")
        sides = [_checked(tree, *side) for side in zip(self.rows, self.policies, strict=True)]
        object.__setattr__(self, "rows", (sides[0][0], sides[1][0]))
        object.__setattr__(self, "policies", (sides[0][1], sides[1][1]))

    @classmethod
    def of(cls, cards: int, function: Callable[[State, int], Answer]) -> "Profile":
        """Return the profile of a function, which is asked at every Markov state for both players.

        Parameters
        ----------
        cards : int
            Cards each, 2 to 7. With 5 there are 28,477 states, with 6 fourteen times as many.
        function : function
            From a state and a player, 0 or 1, to a card, or a dict from cards to probabilities;
            a card is a number or a text. What was played before is not in the state.

        Raises
        ------
        ValueError
            If probabilities are negative or do not sum to 1, or a card is not held. Where the
            function's own play never leads it may give any card: nothing depends on it, and the
            profile mixes evenly there.

        Examples
        --------
        Always bid the prize itself. Whoever knows that bids one more, and gives the highest away:

        >>> match_the_prize = Profile.of(4, lambda state, player: state.prize)
        >>> match_the_prize.exploitability()
        1.0
        >>> def high_or_low(state, player):
        ...     hand = state.hand(player)
        ...     return {hand[0]: 0.25, hand[-1]: 0.75}
        >>> round(Profile.of(4, high_or_low).exploitability(), 3)
        0.919
        """
        if not callable(function):
            raise ValueError(
                f"a function from a state and a player is needed, not {check.short(function)}"
            )
        tree = build(check_cards(cards, MOST_CARDS["markov"]), "markov")
        row = rows(tree, None)
        policies = np.empty((2, policy_size(tree, row)))
        wrong: tuple[dict[int, str], dict[int, str]] = {}, {}
        for node, packed in enumerate(tqdm(tree.states.tolist(), "states", delay=5, leave=False)):
            state, first = decode(packed, tree.cards), row[node]
            for player, hand in enumerate(state.hands):
                try:
                    mixture = _mixture(function(state, player), hand)
                except _NotHeld as error:
                    wrong[player][node] = f"{error}, as player {player} at {state}"
                    mixture = [1 / len(hand)] * len(hand)
                except ValueError as error:
                    raise ValueError(f"{error}, as player {player} at {state}") from None
                policies[player, first : first + len(hand)] = mixture
        weights = np.empty(len(tree.states))
        for player in (0, 1):
            sweep.reach(*graph(tree), player, row, policies[player], weights)
            for node, words in wrong[player].items():
                if weights[node] > 0:
                    raise ValueError(words)
        return cls(tree, (row, row), (policies[0], policies[1]))

    def mixture(self, state: State, player: int) -> dict[int, float]:
        """Return the probability of each card that a player holds.

        Parameters
        ----------
        state : State
            Where both choose. If its past is not known, nothing may depend on it here.
        player : int
            0 or 1.

        Examples
        --------
        >>> from gamecore.goofspiel import solve, start
        >>> solve(4).profile.mixture(start(4).play("4"), 0)
        {1: 0.0, 2: 0.0, 3: 0.0, 4: 1.0}
        """
        row = np.unique(self.rows[check.whole(player, "player", 0, 1)][self.tree.nodes(state)])
        if len(row) > 1:
            raise ValueError(f"what is played here depends on the past, which is not told: {state}")
        hand = state.hand(player)
        chances = self.policies[player][row[0] : row[0] + len(hand)]
        return dict(zip(hand, chances.tolist(), strict=True))

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
        other = 1 - check.whole(player, "player", 0, 1)
        values, means = np.empty((2, len(self.tree.states) + 3))
        return float(
            sweep.best_response(
                *graph(self.tree), 1 - other, self.rows[other], self.policies[other], values, means
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

    def __reduce__(self) -> tuple:
        return Profile, (self.tree, self.rows, self.policies)  # a copy is checked and fixed again

    def __repr__(self) -> str:
        return repr(self.tree).replace("Tree", "Profile", 1)


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
    tree = build(check_cards(cards, MOST_CARDS["markov"]), "markov")
    row = rows(tree, None)
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


def _checked(tree: Tree, row: np.ndarray, policy: np.ndarray) -> Pair:
    """Return one player's rows and policy as arrays that nobody can change, or raise ValueError."""
    row, policy = np.asarray(row), np.asarray(policy)
    if row.dtype.kind not in "iu" or row.shape != tree.states.shape:
        raise ValueError(f"rows must be {len(tree.states):,} whole numbers, one for each state")
    if policy.dtype.kind not in "fiu" or policy.ndim != 1:
        raise ValueError("a policy must be one row of numbers")
    for n in range(2, tree.cards + 1):
        level = row[tree.level(n)]
        if level.min() < 0 or level.max() > len(policy) - n:
            raise ValueError(
                f"a row of {n} cards lies outside its policy of {len(policy):,} numbers"
            )
    if row.dtype != np.int32 or row.flags.writeable or row.base is not None:
        row = row.astype(np.int32)
    policy = policy.astype(np.float64)
    row.flags.writeable = policy.flags.writeable = False
    if (node := sweep.unmixed(tree.cards, tree.starts, row, policy, _CRUMB)) >= 0:
        state = decode(int(tree.states[node]), tree.cards)
        raise ValueError(f"probabilities must be 0 or more and sum to 1, but not at {state}")
    return row, policy


class _NotHeld(ValueError):  # noqa: N818 (tolerated where play never leads)
    pass


def _mixture(answer: Answer, hand: tuple[int, ...]) -> list[float]:
    """Return a function's answer as probabilities of the cards in hand, or raise ValueError."""
    if isinstance(answer, bool) or not isinstance(answer, int | np.integer | str | Mapping):
        raise ValueError(f"a card or a dict of cards was expected, not {check.short(answer)}")
    chances = answer if isinstance(answer, Mapping) else {answer: 1.0}
    found = {str(card): 0.0 for card in hand}
    for card, chance in chances.items():
        if not isinstance(chance, Real) or not 0 <= float(chance) <= 1 + _CRUMB:
            raise ValueError(
                f"a probability lies between 0 and 1, not {check.short(chance)} "
                f"of card {check.short(card)}"
            )
        if str(card) in found:
            found[str(card)] += float(chance)
        elif float(chance) > 0:
            raise _NotHeld(f"card {check.short(card)} is not held")
    if abs(sum(found.values()) - 1) > _CRUMB:
        raise ValueError(
            f"probabilities must sum to 1, not {sum(found.values()):g}: {check.short(answer)}"
        )
    return list(found.values())
