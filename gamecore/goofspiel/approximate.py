"""Regrets and policies by a small network instead of a table: Deep CFR with a perfect memory.

Deep CFR fits a network to regrets that were sampled and kept, over all iterations. With few cards
nothing needs to be sampled: the regrets of all public states are added up exactly, and one step of
fitting draws a row of that table as often as external sampling would have come there. So whatever
a network plays worse than a table is the network's own doing.

A network has one layer of ReLU units between bits and cards. The bits are the own hand and, if they
are seen, the prize (C), the other hand (O), the deck (D) and the difference in points (P), which
has one bit for each of its values. It is fitted by plain stochastic gradient descent. Nothing here
calls libm, and all chance comes from one seed.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from gamecore import check, rng
from gamecore.goofspiel import rules, sweep
from gamecore.goofspiel.rules import check_cards
from gamecore.goofspiel.strategy import Profile, graph, row_sizes
from gamecore.goofspiel.tree import FEATURES, MOST_CARDS, Tree, build, check_features, rows
from gamecore.kernel import kernel


class Rows(NamedTuple):
    """What a player can see apart: one row of a policy for each, with the bits that are on.

    Attributes
    ----------
    begins : numpy.ndarray
        Where each row's mixture begins in a policy.
    hands : numpy.ndarray
        The cards in hand, as bit masks.
    bits : numpy.ndarray
        One line for each row: the numbers of the bits that are on, −1 where there is none. Each
        feature has columns of its own, see `columns`.
    """

    begins: np.ndarray
    hands: np.ndarray
    bits: np.ndarray


class Network(NamedTuple):
    """A network's weights.

    Attributes
    ----------
    inner : numpy.ndarray
        From each bit to each unit; the last line is the units' bias.
    outer : numpy.ndarray
        From each unit to each card; the last line is the cards' bias.
    """

    inner: np.ndarray
    outer: np.ndarray


def columns(cards: int) -> dict[str, slice]:
    """Return which columns of ``Rows.bits`` belong to the own hand (V) and to each feature.

    Examples
    --------
    >>> columns(5)["O"], columns(5)["P"]
    (slice(6, 11, None), slice(16, 17, None))
    """
    places, at = {}, 0
    for letter, size in zip("VCODP", (cards, 1, cards, cards, 1), strict=True):
        places[letter] = slice(at, at + size)
        at += size
    return places


def seen_rows(tree: Tree, features: str) -> Rows:
    """Return the rows of `gamecore.goofspiel.tree.rows` with the bits that tell them apart.

    Examples
    --------
    >>> seen = seen_rows(build(3, "markov"), "C")
    >>> int(seen.hands[0]), seen.bits[0].tolist()  # cards 1, 2, 3; prize 1; nothing else is seen
    (7, [0, 1, 2, 3, -1, -1, -1, -1, -1, -1, -1])
    """
    cards, place = tree.cards, columns(tree.cards)
    begins, first = np.unique(rows(tree, features), return_index=True)
    states = tree.states[first]
    bits = np.full((len(begins), place["P"].stop), -1, np.int16)
    shifts = {"V": rules.OWN, "O": rules.OTHER, "D": rules.DECK}
    for number, letter in enumerate("VCODP"):
        if letter not in "V" + features:
            continue
        base, at = number * cards, place[letter].start
        if letter in shifts:
            for c in range(cards):
                held = states >> (shifts[letter] + c) & 1 == 1
                bits[held, at + c] = base + c
        elif letter == "C":
            bits[:, at] = base + (states >> rules.PRIZE & 15) - 1
        else:
            bits[:, at] = base + most_points(cards) + (states >> rules.SCORE & 127) - 64
    return Rows(begins, states >> rules.OWN & 255, bits)


def most_points(cards: int) -> int:
    """Return the largest difference in points that there can be."""
    return cards * (cards + 1) // 2


class Learner:
    """Linear CFR whose player 0 is a network, against a player 1 on a table.

    An iteration adds to each row, weighted by its number, the regrets against player 1's present
    policy, fits the network to the mean regret of each row, lets player 0 play by what the network
    says, and updates player 1 as CFR+ does.

    Parameters
    ----------
    cards : int
        Cards each, 2 to 6.
    features : str
        What player 0 sees beside the own hand: letters of ``"CODP"``.
    seed : int or numpy.random.SeedSequence
        Decides the first weights and what is drawn for fitting.
    units : int
        ReLU units.
    draws : int
        Rows drawn for fitting in each iteration; each is one step of descent.
    rate : float
        How far a step goes down the gradient.

    Attributes
    ----------
    tree : Tree
        The Markov states.
    seen : Rows
        What player 0 tells apart.
    network : Network
        Fitted to mean regrets.
    iterations : int
        How many have been run.

    References
    ----------
    * N. Brown, A. Lerer, S. Gross and T. Sandholm, "Deep counterfactual regret minimization",
      ICML 2019.
    * K. Waugh, D. Morrill, J. A. Bagnell and M. Bowling, "Solving games with functional regret
      estimation", AAAI 2015.

    Examples
    --------
    >>> learner = Learner(3, "CODP", seed=1)
    >>> learner.run(50).best_response_value(1) < 0.2
    True
    """

    def __init__(
        self,
        cards: int,
        features: str,
        seed: int | np.random.SeedSequence,
        units: int = 64,
        draws: int = 4000,
        rate: float = 0.02,
    ):
        cards = check_cards(cards, MOST_CARDS["history"])
        features = check_features(check.text(features, "features")) or ""
        self._draws = check.whole(draws, "draws", 1)
        self._rate = check.real(rate, "rate", 0.0, 1.0)
        self._random = rng.state(check.seed(seed))
        self.tree, self.iterations = build(cards, "markov"), 0
        self.seen = seen_rows(self.tree, features)
        self.network = self._fresh(check.whole(units, "units", 1, 4096))
        self._rows = rows(self.tree, features), rows(self.tree, None)
        self._sizes = row_sizes(self.tree, self._rows[0]), row_sizes(self.tree, self._rows[1])
        self._regrets, self._policies, self._sums = (
            [np.zeros(len(sizes)) for sizes in self._sizes] for _ in range(3)
        )
        for sizes, policy in zip(self._sizes, self._policies, strict=True):
            sweep.normalise(sizes, policy)
        self._weights = np.zeros(len(self.seen.begins))

    def _fresh(self, units: int) -> Network:
        cards = self.tree.cards
        bits = 4 * cards + 2 * most_points(cards) + 1
        inner, outer = np.zeros((bits + 1, units)), np.zeros((units + 1, cards))
        # At most 3N bits are on: sums of as many uniform numbers then have about variance 1.
        _scatter(self._random, np.sqrt(1.0 / cards), inner[:-1])
        _scatter(self._random, np.sqrt(1.0 / units), outer[:-1])
        return Network(inner, outer)

    def run(self, iterations: int) -> Profile:
        """Run more iterations and return the average profile so far, both sides as tables."""
        for _ in range(check.whole(iterations, "iterations", 1)):
            self._iterate()
        policies = []
        for sizes, sums in zip(self._sizes, self._sums, strict=True):
            policies.append(sums.copy())
            sweep.normalise(sizes, policies[-1])
        return Profile(self.tree, self._rows, (policies[0], policies[1]))

    def _iterate(self) -> None:
        self.iterations += 1
        shape, factor = graph(self.tree), float(self.iterations)
        (row, row1), (policy, policy1) = self._rows, self._policies
        nodes = len(row)
        values, means, weights = np.empty(nodes), np.empty(nodes + 3), np.empty(nodes)
        sweep.reach(*shape, 1, row1, policy1, weights)
        sweep._add_average(*shape[:2], row1, policy1, weights, factor, self._sums[1])
        weights *= factor
        sweep._add_regrets(
            *shape, 0, row, policy, row1, policy1, weights, values, means, self._regrets[0]
        )
        _gather(self.seen.begins, row, weights, self._weights)
        fit(
            self.network, self.seen, self._regrets[0], self._weights, self._draws, self._rate,
            self._random,
        )  # fmt: skip
        _play(*self.seen, *self.network, True, policy)
        sweep.reach(*shape, 0, row, policy, weights)
        sweep._add_average(*shape[:2], row, policy, weights, factor, self._sums[0])
        sweep._add_regrets(
            *shape, 1, row1, policy1, row, policy, weights, values, means, self._regrets[1]
        )
        sweep._match_regrets(self._sizes[1], self._regrets[1], policy1, True)

    def learnt(self, draws: int, rate: float | None = None) -> tuple[Network, Profile]:
        """Fit a second network to player 0's average policy, as Deep CFR does.

        Parameters
        ----------
        draws : int
            Steps of descent; the second half with a rate that falls to a tenth.
        rate : float, optional
            The step's size, by default as for regrets.

        Returns
        -------
        Network, Profile
            It, and the average profile with what it plays for player 0.
        """
        rate = self._rate if rate is None else check.real(rate, "rate", 0.0, 1.0)
        sums, network = self._sums[0], self._fresh(self.network.inner.shape[1])
        weights = np.add.reduceat(sums, self.seen.begins)
        steps = check.whole(draws, "draws", 2) // 2
        fit(network, self.seen, sums, weights, steps, rate, self._random)
        for k in range(1, 11):
            slower = rate * (1.0 - 0.09 * k)
            fit(network, self.seen, sums, weights, steps // 10, slower, self._random)
        other = self._sums[1].copy()
        sweep.normalise(self._sizes[1], other)
        policy = np.empty(len(sums))
        _play(*self.seen, *network, False, policy)
        return network, Profile(self.tree, self._rows, (policy, other))


def fit(
    network: Network, seen: Rows, sums: np.ndarray, weights: np.ndarray, draws: int, rate: float,
    stream: np.ndarray,
) -> None:  # fmt: skip
    """Fit a network, in place, to ``sums / weights`` of rows drawn in proportion to `weights`.

    Parameters
    ----------
    network : Network
        Changed by each step.
    seen : Rows
        The rows, with their bits.
    sums : numpy.ndarray
        Laid out as a policy.
    weights : numpy.ndarray
        One for each row; a row of weight 0 is never drawn.
    draws : int
        Steps of descent.
    rate : float
        The step's size.
    stream : numpy.ndarray
        The state of a random generator, see `gamecore.rng`.
    """
    _descend(*seen, sums, weights, np.cumsum(weights), draws, rate, *network, stream)


def hidden(
    network: Network, profile: Profile, seen: Rows, letters: Iterable[str], donors: int,
    stream: np.ndarray,
) -> Profile:  # fmt: skip
    """Let player 0 play by a network some of whose inputs come from another position.

    At each decision the bits of the features `letters` are taken together from a position with as
    many cards that is drawn as often as it comes up when `profile` is played. What is played then,
    on average over many such draws, is a policy of its own.

    Parameters
    ----------
    network : Network
        A policy network that sees every feature.
    profile : Profile
        On Markov states: how often positions come up, and what player 1 plays.
    seen : Rows
        The rows of all four features.
    letters : iterable of str
        What is exchanged, of ``"CODP"``.
    donors : int
        How many positions are drawn at each state.
    stream : numpy.ndarray
        The state of a random generator.

    Returns
    -------
    Profile
        With player 1's policy as it was.
    """
    place = columns(profile.tree.cards)
    taken = np.zeros(seen.bits.shape[1], np.bool_)
    for letter in letters:
        taken[place[check.one_of(letter, "each of letters", FEATURES)]] = True
    visits = np.empty(len(profile.tree.states))
    _visit(*graph(profile.tree), *profile.rows, *profile.policies, visits)
    often = np.zeros(len(seen.begins))
    _gather(seen.begins, profile.rows[0], visits, often)
    policy = np.zeros(len(profile.policies[0]))
    _play_hidden(*seen, *network, taken, np.cumsum(often), donors, stream, policy)
    return Profile(profile.tree, profile.rows, (policy, profile.policies[1]))


@kernel
def _scatter(s, width, weights):
    """Fill with uniform numbers of a variance of a third of `width` squared."""
    for i in range(weights.shape[0]):
        for j in range(weights.shape[1]):
            weights[i, j] = width * (2.0 * rng.uniform(s) - 1.0)


@kernel
def _gather(begins, rows, numbers, sums):
    """Add a number of each node to the row that the node belongs to."""
    place = np.empty(begins[-1] + 1, np.int64)
    for k in range(len(begins)):
        place[begins[k]] = k
    for v in range(len(rows)):
        sums[place[rows[v]]] += numbers[v]


@kernel
def _find(bounds, low, high, x):
    """Return the first place from `low` on whose bound lies above `x`, at most `high` − 1."""
    high -= 1
    while low < high:
        middle = (low + high) // 2
        if bounds[middle] > x:
            high = middle
        else:
            low = middle + 1
    return low


@kernel
def _answer(bits, inner, outer, units, out):
    """Write the units' and the cards' numbers for a position whose bits are given."""
    last = inner.shape[0] - 1
    for j in range(len(units)):
        units[j] = inner[last, j]
    for i in bits:
        if i >= 0:
            for j in range(len(units)):
                units[j] += inner[i, j]
    for c in range(len(out)):
        out[c] = outer[len(units), c]
    for j in range(len(units)):
        if units[j] > 0.0:
            for c in range(len(out)):
                out[c] += units[j] * outer[j, c]


@kernel
def _descend(begins, hands, bits, sums, weights, bounds, draws, rate, inner, outer, s):
    """Make `draws` steps of descent on half the squared error of the cards in hand."""
    units, out = np.empty(inner.shape[1]), np.empty(outer.shape[1])
    back, last = np.empty(len(units)), inner.shape[0] - 1
    for _ in range(draws):
        k = _find(bounds, 0, len(bounds), rng.uniform(s) * bounds[-1])
        _answer(bits[k], inner, outer, units, out)
        x = begins[k]
        for c in range(len(out)):
            if hands[k] >> c & 1:
                out[c] = rate * (out[c] - sums[x] / weights[k])
                x += 1
            else:
                out[c] = 0.0
            outer[len(units), c] -= out[c]
        for j in range(len(units)):
            back[j] = 0.0
            if units[j] > 0.0:
                for c in range(len(out)):
                    back[j] += out[c] * outer[j, c]
                    outer[j, c] -= out[c] * units[j]
            inner[last, j] -= back[j]
        for i in bits[k]:
            if i >= 0:
                for j in range(len(units)):
                    inner[i, j] -= back[j]


@kernel
def _mix(hand, out, highest, share, policy, x):
    """Add `share` of the mixture that numbers of cards call for to a row that begins at `x`.

    Without a positive one it is the highest card's number that counts, as in Deep CFR, or all
    alike.
    """
    total, n, best = 0.0, 0, -1
    for c in range(len(out)):
        if hand >> c & 1:
            total += max(out[c], 0.0)
            n += 1
            if best < 0 or out[c] > out[best]:
                best = c
    for c in range(len(out)):
        if hand >> c & 1:
            if total > 0.0:
                policy[x] += share * max(out[c], 0.0) / total
            elif not highest:
                policy[x] += share / n
            elif c == best:
                policy[x] += share
            x += 1


@kernel
def _play(begins, hands, bits, inner, outer, highest, policy):
    """Write what a network plays in every row."""
    units, out = np.empty(inner.shape[1]), np.empty(outer.shape[1])
    policy[:] = 0.0
    for k in range(len(begins)):
        _answer(bits[k], inner, outer, units, out)
        _mix(hands[k], out, highest, 1.0, policy, begins[k])


@kernel
def _play_hidden(begins, hands, bits, inner, outer, taken, bounds, donors, s, policy):
    """Add up what a network plays in every row when some columns come from drawn rows."""
    units, out = np.empty(inner.shape[1]), np.empty(outer.shape[1])
    line = np.empty(bits.shape[1], bits.dtype)
    low = high = size = 0
    for k in range(len(begins)):
        n = 0
        for c in range(len(out)):
            n += hands[k] >> c & 1
        if n != size:  # rows come level by level
            size, low = n, k
            high = k
            while high < len(begins):
                m = 0
                for c in range(len(out)):
                    m += hands[high] >> c & 1
                if m != n:
                    break
                high += 1
        below = bounds[low - 1] if low > 0 else 0.0
        for _ in range(donors):
            donor = _find(bounds, low, high, below + rng.uniform(s) * (bounds[high - 1] - below))
            for i in range(len(line)):
                line[i] = bits[donor, i] if taken[i] else bits[k, i]
            _answer(line, inner, outer, units, out)
            _mix(hands[k], out, False, 1.0 / donors, policy, begins[k])


@kernel
def _visit(cards, starts, links, kids, rows0, rows1, policy0, policy1, visits):
    """Fill with how likely each node comes up when both follow their policies."""
    visits[:] = 0.0
    visits[0] = 1.0
    for n in range(cards, 1, -1):
        stop = starts[n - 1] if n > 2 else len(rows0)
        for first in range(starts[n], stop, n):
            share = visits[first] / n
            for c in range(n):
                visits[first + c] = share
        if n == 2:
            break
        for v in range(starts[n], stop):
            link = links[n] + (v - starts[n]) * n * n
            for a in range(n):
                for b in range(n):
                    share = visits[v] * policy0[rows0[v] + a] * policy1[rows1[v] + b]
                    visits[kids[link + a * n + b]] += share
