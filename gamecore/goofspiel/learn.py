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
        # Player 0's rows come first, then player 1's.
        sizes = [2 * policy_size(self.tree, row) for row in self.rows]
        self._split = sizes[0]
        self._graph = _packed(self.tree, 2 * self.rows[0], sizes[0] + 2 * self.rows[1])
        self._table = np.zeros(sum(sizes))
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
    """Return all that a traversal reads, one record per node: two rows, then successors.

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
        record = np.empty((level.stop - level.start, size[n]), np.uint32)
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
    """Run iterations, each a traversal for either player in turn.

    In theory a traversal walks depth first. Here it goes level by level, down with the other side's
    cards and the prizes, then up with the traverser's gains, so that memory is asked for many nodes
    at once. That is the same to the last bit: all walks draw equally many numbers, levels share no
    rows, nodes of a level keep their order, and the other side's regrets stand still.
    """
    when, draws = _drawing_times(cards)
    bits = np.empty(draws, np.uint64)
    nodes = np.empty(len(when), np.uint32)  # where records begin, level by level
    values = np.empty(3 * len(when))  # of nodes, then of both cards at the last ones
    mixture = np.empty(cards)
    size = 2 + cards * cards if cards > 2 else 3
    for _ in range(iterations):
        for player in range(2):
            nodes[0] = rng.below(s, cards) * size
            rng.fill(s, bits)
            start, stop = 0, 1
            for n in range(cards, 2, -1):
                _fetch(start, stop, graph, table, nodes, values)
                if n > 3:
                    _descend(n, player, start, stop, when, bits, graph, table, nodes, mixture)
                else:
                    _descend(None, player, start, stop, when, bits, graph, table, nodes, mixture)
                start, stop = stop, stop + n * (stop - start)
            _fetch(start, stop, graph, table, nodes, values)
            _end(player, start, stop, when, bits, graph, table, nodes, values)
            for n in range(3, cards + 1):
                start, stop = start - (stop - start) // n, start
                if n > 3:
                    _ascend(n, player, start, stop, graph, table, nodes, values, mixture)
                else:
                    _ascend(None, player, start, stop, graph, table, nodes, values, mixture)


@kernel
def _drawing_times(cards):
    """Return when a walk draws the number that leads to each node, and how many it draws."""
    nodes, draws = 1, 1
    for n in range(3, cards + 1):
        nodes, draws = 1 + n * nodes, n * (1 + draws)
    when = np.empty(nodes, np.int64)
    when[0] = -1
    start, stop, step = 0, 1, draws
    for n in range(cards, 2, -1):
        step //= n  # one number, and those below it
        for k in range(n * (stop - start)):
            when[stop + k] = when[start + k // n] + 1 + k % n * step
        start, stop, step = stop, stop + n * (stop - start), step - 1
    return when, draws


@kernel
def _fetch(start, stop, graph, table, nodes, values):
    """Touch the rows of a level, so that all are under way before the first is needed."""
    for i in range(start, stop):
        node = np.int64(nodes[i])
        values[i] = table[np.int64(graph[node])] + table[np.int64(graph[node + 1])]


@kernel
def _match_regrets(hand, row, table, mixture):
    """Write the mixture that the regrets of a row of `hand` cards call for.

    `hand` is None for three: a type of its own, compiled with loops of a known length, for most
    nodes have three cards, or two. Branches are avoided, as nobody could guess their outcome.
    """
    n = 3 if hand is None else hand
    total = 0.0
    for x in range(n):
        total += max(table[row + x], 0.0)
    some = total > 0.0
    scale = 1.0 / (total if some else n)
    for x in range(n):
        mixture[x] = (max(table[row + x], 0.0) if some else 1.0) * scale


@kernel
def _first_of_two(row, table):
    """Return how likely the regrets of two cards make the first."""
    a, b = max(table[row], 0.0), max(table[row + 1], 0.0)
    some = a + b > 0.0
    return (a if some else 1.0) / (a + b if some else 2.0)


@kernel
def _descend(hand, player, start, stop, when, bits, graph, table, nodes, mixture):
    """Go from a level to the next: draw cards of the other side, and prizes.

    The traverser tries every card. Player 0's card lies first, so player 1's is drawn anew for
    each of them; when player 1 traverses, the other card is drawn once.
    """
    n = 3 if hand is None else hand
    draws = n if player == 0 else 1
    own_step, other_step = (n, 1) if player == 0 else (1, n)
    size = (n - 1) * (n - 1) + 2 if n > 3 else 3
    kid = stop
    for i in range(start, stop):
        node = np.int64(nodes[i])
        row = np.int64(graph[node + 1 - player])
        _match_regrets(hand, row, table, mixture)
        for y in range(n):
            table[row + n + y] += draws * mixture[y]
        y = 0
        for x in range(n):
            drawn = bits[when[kid]]
            if player == 0 or x == 0:
                left = np.float64(drawn >> np.uint64(32)) * _UNIT
                y = 0
                for card in range(n - 1):
                    left -= mixture[card]
                    y += left >= 0.0
            prize = np.int64((drawn & _LOW32) * np.uint64(n - 1) >> np.uint64(32))
            first = np.int64(graph[node + 2 + x * own_step + y * other_step])
            nodes[kid] = first + prize * size
            kid += 1


@kernel
def _end(player, start, stop, when, bits, graph, table, nodes, values):
    """Do the same with two cards left, where all ends: first the other side's cards, then gains."""
    kid = stop
    for i in range(start, stop):
        node = np.int64(nodes[i])
        row, results = np.int64(graph[node + 1 - player]), np.int64(graph[node + 2])
        other = _first_of_two(row, table)
        drawn = bits[when[i] + 1]
        first = np.int64(np.float64(drawn >> np.uint64(32)) * _UNIT >= other)
        if player == 0:
            second = np.int64(np.float64(drawn & _LOW32) * _UNIT >= other)
            table[row + 2] += 2.0 * other
            table[row + 3] += 2.0 * (1.0 - other)
            values[kid] = (results >> 2 * first & 3) - 1
            values[kid + 1] = (results >> 4 + 2 * second & 3) - 1
        else:
            table[row + 2] += other
            table[row + 3] += 1.0 - other
            values[kid] = 1 - (results >> 4 * first & 3)
            values[kid + 1] = 1 - (results >> 4 * first + 2 & 3)
        kid += 2
    kid = stop
    for i in range(start, stop):
        row = np.int64(graph[np.int64(nodes[i]) + player])
        own, gain0, gain1 = _first_of_two(row, table), values[kid], values[kid + 1]
        value = own * gain0 + (1.0 - own) * gain1
        table[row] += gain0 - value
        table[row + 1] += gain1 - value
        values[i] = value
        kid += 2


@kernel
def _ascend(hand, player, start, stop, graph, table, nodes, values, mixture):
    """Come back to a level: add the traverser's regrets, and keep what each node is worth."""
    n = 3 if hand is None else hand
    kid = stop
    for i in range(start, stop):
        row = np.int64(graph[np.int64(nodes[i]) + player])
        _match_regrets(hand, row, table, mixture)
        value = 0.0
        for x in range(n):
            value += mixture[x] * values[kid + x]
        for x in range(n):
            table[row + x] += values[kid + x] - value
        values[i] = value
        kid += n
