"""Public states as a directed graph without cycles, packed into flat arrays.

Everything but the choice of the moment is public, so an information set of either player is a
public state. Three graphs of the same game differ in what they keep of the past:

``"markov"``
    Nothing: a state is hands, prize, deck and score difference (footnote 2 of the paper).
``"history"``
    The order of prizes and who won each: OpenSpiel's information state, "no abstraction".
``"full"``
    Every card ever played, a tree. Perfect recall (完全記憶) of any feature can be read off it.

Nodes are numbered level by level, most cards first. The prize that comes next makes neighbours:
a node's n² successors are kept as the number of the first of n − 1 nodes, one per next prize.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from gamecore import check
from gamecore.goofspiel import rules
from gamecore.kernel import kernel

FEATURES = "CODP"
_MASKS = {
    "C": 15 << rules.PRIZE, "O": 255 << rules.OTHER, "D": 255 << rules.DECK,
    "P": 127 << rules.SCORE,
}  # fmt: skip
#: Kinds of graph, each with the most cards that fit in memory and in 63 bits of state.
MOST_CARDS = {"markov": 7, "history": 6, "full": 5}
_MARKOV, _HISTORY, _FULL = range(3)


@dataclass(frozen=True, eq=False, repr=False)
class Tree:
    """The public states of a game, packed; made by `build`, and only by it.

    Attributes
    ----------
    cards : int
        Cards each, N.
    kind : str
        ``"markov"``, ``"history"`` or ``"full"``: what is kept of the past.
    states : numpy.ndarray
        ``int64[nodes]``: what `encode` gives.
    starts : numpy.ndarray
        ``starts[n]`` is the first node at which each player holds n cards.
    links : numpy.ndarray
        ``links[n]`` is where `kids` begins for those nodes, n² entries each.
    kids : numpy.ndarray
        ``int32``: the first successor after cards number a and b of the hands, at place n·a + b.
        With two cards left it is one of three places behind the last node: lost, drawn, won.

    Examples
    --------
    >>> tree = build(3, "markov")
    >>> tree.cards, tree.level(3)  # three prizes may come first
    (3, slice(0, 3, None))
    >>> tree
    Tree: 57 public states of 3 cards each, markov
    """

    cards: int
    kind: str
    states: np.ndarray
    starts: np.ndarray
    links: np.ndarray
    kids: np.ndarray

    def level(self, n: int) -> slice:
        """Return the nodes at which each player holds `n` cards."""
        rules.check_cards(n, self.cards)
        stop = self.starts[n - 1] if n > 2 else len(self.states)
        return slice(int(self.starts[n]), int(stop))

    def nodes(self, state: rules.State) -> np.ndarray:
        """Return the nodes of a state: one, or all that it may be if its past is not known.

        Examples
        --------
        >>> build(3, "history").nodes(rules.start(3).play("2").play("3", "1").play("1"))
        array([29])
        """
        if not isinstance(state, rules.State) or state.cards != self.cards:
            raise ValueError(
                f"a state of {self.cards} cards each is needed, not {check.short(state)}"
            )
        if state.movers != (0, 1):
            raise ValueError(f"nobody chooses a card here: {state}")
        if state.known_past:
            return np.array([self._after(state)])
        found = np.flatnonzero(self.states == rules.encode(state))
        if len(found) == 0:
            raise ValueError(f"with {self.cards} cards each this cannot arise: {state}")
        return found

    def _after(self, state: rules.State) -> int:
        """Return the node to which a state's rounds lead."""
        rest, *hands = (list(range(1, self.cards + 1)) for _ in range(3))
        node, n = 0, self.cards
        for prize, *played in state.rounds:
            node += rest.index(prize)
            a, b = (held.index(card) for held, card in zip(hands, played, strict=True))
            node = int(self.kids[self.links[n] + ((node - self.starts[n]) * n + a) * n + b])
            for some, card in zip((rest, *hands), (prize, *played), strict=True):
                some.remove(card)
            n -= 1
        return node + rest.index(state.prize)

    def is_built(self) -> bool:
        """Say whether it is as `build` makes it; two threads may have made two that are equal."""
        made = build(self.cards, self.kind)
        names = ("states", "starts", "links", "kids")
        return self is made or all(
            np.array_equal(getattr(self, name), getattr(made, name)) for name in names
        )

    def __reduce__(self) -> tuple:
        return build, (self.cards, self.kind)  # not its arrays: they are made as quickly

    def __repr__(self) -> str:
        number = f"{len(self.states):,} public states"
        return f"Tree: {number} of {self.cards} cards each, {self.kind}"


def build(cards: int, kind: str) -> Tree:
    """Return the graph of all public states at which somebody has a choice.

    Parameters
    ----------
    cards : int
        Cards each, at least 2; the most depends on `kind`, see `MOST_CARDS`.
    kind : str
        One of `MOST_CARDS`.

    Examples
    --------
    >>> [len(build(5, kind).states) for kind in MOST_CARDS]
    [28477, 173905, 456505]
    """
    check.one_of(kind, "kind", MOST_CARDS)
    return _built(rules.check_cards(cards, MOST_CARDS[kind]), kind)


@cache
def _built(cards: int, kind: str) -> Tree:
    code = list(MOST_CARDS).index(kind)
    starts, links = np.zeros(cards + 2, np.int64), np.zeros(cards + 2, np.int64)
    levels, kids = [], []
    blocks = np.array([rules.initial(cards)], np.int64)
    nodes = places = 0
    for n in range(cards, 1, -1):
        level = np.empty(len(blocks) * n, np.int64)
        _reveal_all(blocks, n, level)
        starts[n], links[n] = nodes, places
        nodes += len(level)
        after = np.empty(len(level) * n * n, np.int64)
        _play_all(level, n, code, cards - n, after)
        if n > 2:
            blocks, place = np.unique(after, return_inverse=True)
            after = nodes + place * (n - 1)
        else:
            after += nodes + 1
        levels.append(level & ((1 << rules.BITS) - 1))
        kids.append(after.astype(np.int32))
        places += len(after)
    tree = Tree(cards, kind, np.concatenate(levels), starts, links, np.concatenate(kids))
    for array in (tree.states, tree.starts, tree.links, tree.kids):
        array.flags.writeable = False
    return tree


@kernel
def _reveal_all(blocks, n, level):
    """Turn up each card of each deck."""
    for i in range(len(blocks)):
        for c in range(n):
            level[i * n + c] = rules.reveal(blocks[i], rules.nth(rules.deck(blocks[i]), c))


@kernel
def _play_all(level, n, kind, rounds, after):
    """Play every pair of cards at every node; with two cards left, to the end."""
    for i in range(len(level)):
        state = level[i]
        for a in range(n):
            card0 = rules.nth(rules.hand(state, 0), a)
            for b in range(n):
                card1 = rules.nth(rules.hand(state, 1), b)
                then = rules.play(state, card0, card1)
                if n == 2:
                    then = rules.outcome(then)
                elif kind == _HISTORY:
                    winner = 1 if card0 > card1 else 2 if card0 < card1 else 0
                    told = (rules.prize(state) - 1) << 2 | winner
                    then |= told << (rules.BITS + 5 * rounds)
                elif kind == _FULL:
                    told = ((rules.prize(state) - 1) << 3 | card0 - 1) << 3 | card1 - 1
                    then |= told << (rules.BITS + 9 * rounds)
                after[(i * n + a) * n + b] = then


def check_features(features: str | None) -> str | None:
    """Return a set of features in the paper's order, or None for no abstraction.

    Examples
    --------
    >>> check_features("PDC")
    'CDP'
    """
    if features is None:
        return None
    known = isinstance(features, str) and set(features) <= set(FEATURES)
    if not known or len(set(features)) < len(features):
        raise ValueError(
            f"features must be letters of {FEATURES!r}, each at most once ('' for the hand only), "
            f"or None for no abstraction, not {check.short(features)}"
        )
    return "".join(letter for letter in FEATURES if letter in features)


def subsets() -> list[str]:
    """Return the sixteen sets of features, from the hand alone to all four.

    Examples
    --------
    >>> subsets()[:6]
    ['', 'C', 'O', 'D', 'P', 'CO']
    """
    found = ["".join(c for i, c in enumerate(FEATURES) if k >> i & 1) for k in range(16)]
    return sorted(found, key=lambda s: (len(s), [FEATURES.index(c) for c in s]))


def rows(tree: Tree, features: str | None) -> np.ndarray:
    """Return where each node's mixture begins in a policy array of player 0.

    Nodes that look alike share a row of as many numbers as there are cards in hand.

    Parameters
    ----------
    tree : Tree
        Public states.
    features : str or None
        What player 0 sees beside the own hand; None gives every node a row of its own.

    Examples
    --------
    >>> tree = build(5, "markov")
    >>> len(set(rows(tree, "C").tolist()))  # 26 hands of two cards and more, 5 prizes
    130
    """
    tree = check.instance(tree, "tree", Tree)
    return _rows(tree.cards, tree.kind, check_features(features))


@cache
def _rows(cards: int, kind: str, features: str | None) -> np.ndarray:
    tree = build(cards, kind)
    if features is None:
        groups = {n: np.arange(_size(tree, n)) for n in _levels(tree)}
    else:
        seen = _seen(features)
        groups = {n: _group(tree.states[tree.level(n)] & seen) for n in _levels(tree)}
    return _numbered(tree, groups)


def _seen(features: str) -> int:
    """Return the bits of a state that player 0 sees."""
    return sum(_MASKS[letter] for letter in features) | 255 << rules.OWN


def recalled_rows(tree: Tree, features: str) -> np.ndarray:
    """Return rows like `rows`, for a player who also remembers all that was seen and played.

    Parameters
    ----------
    tree : Tree
        Of the kind ``"full"``: the only one that has a single past for each node.
    features : str
        What player 0 sees, and remembers having seen.

    Examples
    --------
    >>> tree = build(4, "full")  # with C: 4 prizes, then 4·12 and 12·24 own cards and prizes
    >>> [len(set(recalled_rows(tree, features).tolist())) for features in ("C", "D", "CD")]
    [340, 340, 340]
    """
    if check.instance(tree, "tree", Tree).kind != "full":
        raise ValueError(f"memory needs the graph of kind 'full', not {check.short(tree.kind)}")
    seen = _seen(check_features(features) or "")
    memory = np.zeros(1, np.int64)  # of the block a node belongs to
    groups = {}
    for n in _levels(tree):
        sights = _group(tree.states[tree.level(n)] & seen)
        groups[n] = _group(np.repeat(memory, n) * (sights.max() + 1) + sights)
        if n > 2:  # what is remembered, and the own card, of each block's one and only past
            first = tree.kids[tree.links[n] : tree.links[n - 1]]
            own = np.tile(np.repeat(np.arange(n), n), len(sights))
            past = np.repeat(groups[n], n * n) * n + own
            memory = np.empty(len(first), np.int64)
            memory[(first - tree.starts[n - 1]) // (n - 1)] = past
    return _numbered(tree, groups)


def _levels(tree: Tree) -> range:
    return range(tree.cards, 1, -1)


def _size(tree: Tree, n: int) -> int:
    return len(tree.states[tree.level(n)])


def _group(keys: np.ndarray) -> np.ndarray:
    return np.unique(keys, return_inverse=True)[1]


def _numbered(tree: Tree, groups: dict[int, np.ndarray]) -> np.ndarray:
    """Turn each level's group numbers into offsets, rows of n numbers one after the other."""
    found = np.empty(len(tree.states), np.int32)
    base = 0
    for n, group in groups.items():
        found[tree.level(n)] = base + group * n
        base += (int(group.max()) + 1) * n
    found.flags.writeable = False
    return found


def policy_size(tree: Tree, row: np.ndarray) -> int:
    """Return how many numbers a policy with these rows has."""
    return int(row[tree.level(2)].max()) + 2
