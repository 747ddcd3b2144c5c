"""Exact and full-width solutions: backward induction by matrix games, CFR and CFR+."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from gamecore import check
from gamecore.game import CHANCE
from gamecore.goofspiel import sweep
from gamecore.goofspiel.rules import State, check_cards
from gamecore.goofspiel.strategy import Pair, Profile, graph, row_sizes
from gamecore.goofspiel.tree import MOST_CARDS, Tree, build, recalled_rows, rows
from gamecore.kernel import in_threads, kernel
from gamecore.matrixgame import equilibrium


@dataclass(frozen=True, eq=False, repr=False)
class Solution:
    """The solved game.

    Attributes
    ----------
    profile : Profile
        An equilibrium.
    values : numpy.ndarray
        What each public state of ``profile.tree`` is worth to player 0.

    Examples
    --------
    >>> solution = solve(3)
    >>> solution
    Solution: 57 public states of 3 cards each, markov
    >>> len(solution.values) == len(solution.profile.tree.states)
    True
    """

    profile: Profile
    values: np.ndarray

    def __post_init__(self) -> None:
        if not isinstance(self.profile, Profile):
            raise ValueError(f"profile must be a Profile, not {check.short(self.profile)}")
        check.numbers(
            self.values, "values, one for each public state,", self.profile.tree.states.shape
        )

    def value(self, state: State) -> float:
        """Return what a state is worth to player 0: exactly, before a prize or a choice or after.

        Examples
        --------
        >>> solution = solve(4)
        >>> abs(solution.value(State(4, ((1, 2, 3, 4), (1, 2, 3, 4)), 2, (1, 3, 4), 0))) < 1e-12
        True
        >>> solution.value(State(4, ((1, 2, 4), (1, 2, 3)), 0, (1, 2, 4), -3)) < 0
        True
        """
        if isinstance(state, State) and not state.movers:
            return state.returns()[0]
        if isinstance(state, State) and not state.prize:
            following = [self.value(state.play(card)) for card in state.legal(CHANCE)]
            return sum(following) / len(following)
        return float(self.values[self.profile.tree.nodes(state)[0]])

    def __repr__(self) -> str:
        return repr(self.profile).replace("Profile", "Solution", 1)


def solve(cards: int) -> Solution:
    """Solve the game by backward induction: one matrix game per Markov state.

    Parameters
    ----------
    cards : int
        Cards each, 2 to 7; 7 takes minutes and gigabytes.

    Returns
    -------
    Solution
        Kept for the life of the process.

    References
    ----------
    B. Bošanský, V. Lisý, M. Lanctot, J. Čermák and M. H. M. Winands, "Algorithms for computing
    strategies in two-player simultaneous move games", Artificial Intelligence 237, 2016.

    Examples
    --------
    >>> solve(4).profile.exploitability() < 1e-12
    True
    """
    return _solved(check_cards(cards, MOST_CARDS["markov"]))


def value(state: State, player: int = 0) -> float:
    """Return what a state is worth to a player, exactly; see `solve`.

    Examples
    --------
    >>> from gamecore.goofspiel import start
    >>> round(value(start(3).play("3").play("3", "1"), player=1), 3)
    -0.5
    """
    if not isinstance(state, State):
        raise ValueError(f"a state is needed, not {check.short(state)}")
    worth = solve(state.cards).value(state)
    return worth if check.whole(player, "player", 0, 1) == 0 else -worth


@cache
def _solved(cards: int) -> Solution:
    tree = build(cards, "markov")
    row = rows(tree, None)
    nodes = len(tree.states)
    values, means = np.empty(nodes), np.empty(nodes + 3)
    sweep.settle(nodes, 1.0, means)
    policies = np.empty((2, len(row_sizes(tree, row))))
    for n in range(2, cards + 1):
        level = tree.level(n)
        in_threads(
            _solve_level, level.stop - level.start,
            n, level.start, int(tree.links[n]), tree.kids, row, means, values, policies,
        )  # fmt: skip
        sweep.block_means(n, level.start, level.stop, values, means)
    return Solution(Profile(tree, (row, row), (policies[0], policies[1])), values)


@kernel
def _solve_level(begin, end, n, start, links, kids, row, means, values, policies):
    for i in range(begin, end):
        v = start + i
        A = np.empty((n, n))
        for a in range(n):
            for b in range(n):
                A[a, b] = means[kids[links + (i * n + a) * n + b]]
        value, first, second = equilibrium(A)
        values[v] = value
        for a in range(n):
            policies[0, row[v] + a] = first[a]
            policies[1, row[v] + a] = second[a]


class CFR:
    """Full-width counterfactual regret minimisation on the public states, going on as asked.

    Player 0 sees what `features` says, player 1 everything.

    Parameters
    ----------
    cards : int
        Cards each.
    features : str or None
        As in `gamecore.goofspiel.train`.
    plus : bool
        CFR+: regrets clipped at zero, iteration t weighted by t; otherwise CFR. Both update the
        players in turn.
    recall : bool
        Let player 0 also remember all that was seen and played (at most 5 cards).
    histories : bool
        Let player 1 tell histories apart, as in the paper's training (at most 6 cards), which a
        best response against an abstracted player never needs.

    Attributes
    ----------
    tree : Tree
        The public states.
    rows : tuple of numpy.ndarray
        Per player, where each node's mixture begins, as in `Profile`.
    plus : bool
        Whether it is CFR+.
    iterations : int
        How many have been run.

    References
    ----------
    * M. Zinkevich, M. Johanson, M. Bowling and C. Piccione, "Regret minimization in games with
      incomplete information", NeurIPS 20, 2008 (CFR).
    * Oskari Tammelin, "Solving large imperfect information games using CFR+", 2014.

    Examples
    --------
    >>> CFR(4, "CODP").run(300).exploitability() < 0.01
    True
    """

    def __init__(
        self,
        cards: int,
        features: str | None,
        plus: bool = True,
        recall: bool = False,
        histories: bool = False,
    ):
        for name, flag in (("plus", plus), ("recall", recall), ("histories", histories)):
            check.flag(flag, name)
        self.plus, self.iterations = bool(plus), 0
        kind = "full" if recall else "history" if histories else "markov"
        self.tree: Tree = build(cards, kind)
        remembers = recall and features is not None  # histories are remembered anyway
        row = recalled_rows(self.tree, features or "") if remembers else rows(self.tree, features)
        self.rows = row, rows(self.tree, None)
        self._sizes = row_sizes(self.tree, row), row_sizes(self.tree, self.rows[1])
        self._regrets, self._sums, self._policies = self._zeros(), self._zeros(), self._zeros()
        for sizes, policy in zip(self._sizes, self._policies, strict=True):
            sweep.normalise(sizes, policy)

    def _zeros(self) -> Pair:
        return np.zeros(len(self._sizes[0])), np.zeros(len(self._sizes[1]))

    def run(self, iterations: int) -> Profile:
        """Run more iterations and return the average profile so far."""
        before, memory = self.iterations, (*self._regrets, *self._policies, *self._sums)
        for begin, end in check.stretches(check.whole(iterations, "iterations", 1)):
            sweep.cfr(
                *graph(self.tree), *self.rows, *self._sizes, self.plus,
                before + begin, before + end, *memory,
            )  # fmt: skip
            self.iterations = before + end  # also if Ctrl-C ends it here
        return self.average()

    def average(self) -> Profile:
        """Return the average profile so far."""
        policies = self._sums[0].copy(), self._sums[1].copy()
        for sizes, policy in zip(self._sizes, policies, strict=True):
            sweep.normalise(sizes, policy)
        return Profile(self.tree, self.rows, policies)
