"""Training: a pair of policies by external-sampling MCCFR, with one side abstracted."""

import numpy as np

from gamecore import check, rng
from gamecore.goofspiel import sweep
from gamecore.goofspiel.rules import check_cards
from gamecore.goofspiel.strategy import Profile, row_sizes
from gamecore.goofspiel.tree import MOST_CARDS, Tree, build, check_features, policy_size, rows
from gamecore.kernel import kernel

_LOW32 = np.uint64(0xFFFFFFFF)
_UNIT = 1.0 / 4294967296.0
_ROOM = 24  # three mixtures of at most eight cards


class Trainer:
    """External-sampling MCCFR that goes on as long as it is asked to.

    Player 0 sees the own hand and `features`, player 1 the whole history. An iteration is one
    traversal for each player in turn. The other side's card and the next prize are drawn anew at
    every history, and the average policy is updated where the other side draws, as in OpenSpiel.

    Parameters
    ----------
    cards : int
        Cards each, 2 to 6.
    features : str or None
        Letters of ``"CODP"``, ``""`` for the hand only, None for no abstraction.
    seed : int or numpy.random.SeedSequence
        Decides everything that is random.
    opponent : str or None
        Player 1's features: None, as in the paper, or ``"CODP"``, which forgets the past.

    Attributes
    ----------
    tree : Tree
        The public states.
    rows : tuple of numpy.ndarray
        Per player, where each node's mixture begins, as in `Profile`.
    iterations : int
        How many have been run.

    References
    ----------
    * M. Lanctot, K. Waugh, M. Zinkevich and M. Bowling, "Monte Carlo sampling for regret
      minimization in extensive games", NeurIPS 22, 2009.
    * Marc Lanctot et al., "OpenSpiel: a framework for reinforcement learning in games", 2019.

    Examples
    --------
    >>> trainer = Trainer(4, "C", seed=1)
    >>> early, later = trainer.run(100), trainer.run(900)
    >>> trainer.iterations, later.best_response_value(1) < early.best_response_value(1)
    (1000, True)
    """

    def __init__(
        self,
        cards: int,
        features: str | None,
        seed: int | np.random.SeedSequence,
        opponent: str | None = None,
    ):
        check.one_of(opponent, "opponent", (None, "CODP"))
        cards = check_cards(cards, MOST_CARDS["history"])
        features = check_features(features)
        self._random = rng.state(check.seed(seed))
        self.tree = build(cards, "history")
        self.rows = rows(self.tree, features), rows(self.tree, opponent)
        # A row holds regrets, then sums of policies: one node of one player, one cache line.
        # Player 0's rows come first, then player 1's, then room for one path of the traversal.
        sizes = [2 * policy_size(self.tree, row) for row in self.rows]
        self._split = sizes[0]
        self._graph = _packed(self.tree, 2 * self.rows[0], sizes[0] + 2 * self.rows[1])
        self._table = np.zeros(sum(sizes) + _ROOM * (cards + 1))
        self.iterations = 0

    def run(self, iterations: int) -> Profile:
        """Run more iterations and return the average profile so far."""
        for begin, end in check.stretches(check.whole(iterations, "iterations", 1)):
            _iterate(end - begin, self.tree.cards, self._graph, self._table, self._random)
            self.iterations += end - begin  # also if Ctrl-C ends it here
        return self.average()

    def average(self) -> Profile:
        """Return the average profile so far, uniform where nobody has been."""
        tables = self._table[: self._split], self._table[self._split :]
        policies = []
        for row, table in zip(self.rows, tables, strict=True):
            sizes = row_sizes(self.tree, row)
            policy = np.empty(len(sizes))
            _read_sums(sizes, table, policy)
            sweep.normalise(sizes, policy)
            policies.append(policy)
        return Profile(self.tree, self.rows, (policies[0], policies[1]))


def train(
    cards: int, features: str | None, iterations: int, seed: int | np.random.SeedSequence
) -> Profile:
    """Train both players by external-sampling MCCFR, player 0 under an abstraction.

    Parameters
    ----------
    cards : int
        Cards each, 2 to 6; the paper plays with 5.
    features : str or None
        What player 0 sees beside the own hand: letters of ``"CODP"`` (current prize, other hand,
        deck, point difference), ``""`` for nothing, None for no abstraction.
    iterations : int
        Traversals for each player.
    seed : int or numpy.random.SeedSequence
        Decides everything that is random.

    Returns
    -------
    Profile
        The average policies, with exact ``expected_return()``, ``best_response_value(player)`` and
        ``exploitability()``.

    References
    ----------
    Fujii, sections 3 and 4.2; for the method see `Trainer`.

    Examples
    --------
    >>> trained = train(4, "CD", 2000, seed=1)
    >>> 0 < trained.best_response_value(1) < 0.5
    True
    """
    return Trainer(cards, features, seed).run(check.whole(iterations, "iterations", 1))


@kernel
def _read_sums(sizes, table, policy):
    """Copy the sums of policies out of a table whose rows hold regrets first."""
    row = 0
    while row < len(sizes):
        n = np.int64(sizes[row])
        for x in range(n):
            policy[row + x] = table[2 * row + n + x]
        row += n


def _packed(tree: Tree, rows0: np.ndarray, rows1: np.ndarray) -> np.ndarray:
    """Return all that a traversal reads, one int32 record per node: two rows, then successors.

    A successor is the place of the first of its records, one per next prize. With two cards left
    all four results share one number, two bits each.
    """
    base: dict[int, int] = {}
    size: dict[int, int] = {}
    parts = []
    place = 0
    for n in range(tree.cards, 1, -1):
        size[n], base[n] = 2 + n * n if n > 2 else 3, place
        place += size[n] * len(tree.states[tree.level(n)])
    for n in range(tree.cards, 1, -1):
        level = tree.level(n)
        record = np.empty((level.stop - level.start, size[n]), np.int32)
        record[:, 0], record[:, 1] = rows0[level], rows1[level]
        stop = tree.links[n - 1] if n > 2 else len(tree.kids)
        kids = tree.kids[tree.links[n] : stop].reshape(-1, n * n)
        if n > 2:
            record[:, 2:] = base[n - 1] + (kids - tree.starts[n - 1]) * size[n - 1]
        else:
            record[:, 2] = (kids - len(tree.states)) @ np.array([1, 4, 16, 64], np.int32)
        parts.append(record.ravel())
    return np.concatenate(parts)


@kernel
def _iterate(iterations, cards, graph, table, s):
    size = 2 + cards * cards if cards > 2 else 3
    for _ in range(iterations):
        for player in range(2):
            _walk(rng.below(s, cards) * size, cards, player, graph, table, s)


@kernel
def _match_regrets(n, row, place, table):
    """Write the mixture that the regrets of `row` call for to `place`."""
    total = 0.0
    for x in range(n):
        regret = max(table[row + x], 0.0)
        table[place + x] = regret
        total += regret
    if total > 0.0:
        scale = 1.0 / total
        for x in range(n):
            table[place + x] *= scale
    else:
        for x in range(n):
            table[place + x] = 1.0 / n


@kernel
def _walk(node, n, player, graph, table, s):
    """Traverse below a record for `player` and return the sampled value to that player.

    The traverser tries every card. Player 0's card lies first, so player 1's is drawn anew for
    each of them; when player 1 traverses, the other card is drawn once.
    """
    if n == 2:
        return _walk_last(node, player, graph, table, s)
    own_row, other_row = np.int64(graph[node + player]), np.int64(graph[node + 1 - player])
    own = len(table) - _ROOM * (n + 1)
    other, gains = own + 8, own + 16
    _match_regrets(n, own_row, own, table)
    _match_regrets(n, other_row, other, table)
    draws = n if player == 0 else 1
    for y in range(n):
        table[other_row + n + y] += draws * table[other + y]
    own_step, other_step = (n, 1) if player == 0 else (1, n)
    size = (n - 1) * (n - 1) + 2 if n > 3 else 3
    value = 0.0
    y = 0
    for x in range(n):
        bits = rng.next_uint64(s)
        if player == 0 or x == 0:
            left = np.float64(bits >> np.uint64(32)) * _UNIT
            y = 0
            while y < n - 1:
                left -= table[other + y]
                if left < 0.0:
                    break
                y += 1
        prize = np.int64((bits & _LOW32) * np.uint64(n - 1) >> np.uint64(32))
        kid = np.int64(graph[node + 2 + x * own_step + y * other_step]) + prize * size
        if n == 3:
            gain = _walk_last(kid, player, graph, table, s)
        else:
            gain = _walk(kid, n - 1, player, graph, table, s)
        table[gains + x] = gain
        value += table[own + x] * gain
    for x in range(n):
        table[own_row + x] += table[gains + x] - value
    return value


@kernel
def _walk_last(node, player, graph, table, s):
    """Do the same with two cards left, where all ends."""
    own_row, other_row = np.int64(graph[node + player]), np.int64(graph[node + 1 - player])
    results = np.int64(graph[node + 2])
    a, b = max(table[own_row], 0.0), max(table[own_row + 1], 0.0)
    own = a / (a + b) if a + b > 0.0 else 0.5
    a, b = max(table[other_row], 0.0), max(table[other_row + 1], 0.0)
    other = a / (a + b) if a + b > 0.0 else 0.5
    bits = rng.next_uint64(s)
    first = 0 if np.float64(bits >> np.uint64(32)) * _UNIT < other else 1
    if player == 0:
        second = 0 if np.float64(bits & _LOW32) * _UNIT < other else 1
        table[other_row + 2] += 2.0 * other
        table[other_row + 3] += 2.0 * (1.0 - other)
        gain0 = np.float64((results >> 2 * first & 3) - 1)
        gain1 = np.float64((results >> 4 + 2 * second & 3) - 1)
    else:
        table[other_row + 2] += other
        table[other_row + 3] += 1.0 - other
        gain0 = np.float64(1 - (results >> 4 * first & 3))
        gain1 = np.float64(1 - (results >> 4 * first + 2 & 3))
    value = own * gain0 + (1.0 - own) * gain1
    table[own_row] += gain0 - value
    table[own_row + 1] += gain1 - value
    return value
