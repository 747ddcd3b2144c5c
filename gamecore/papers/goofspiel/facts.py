"""What experiments read off solutions: bids, symmetry, partitions of information."""

import hashlib

import numpy as np

from gamecore.goofspiel import rules, sweep
from gamecore.goofspiel.solution import Solution
from gamecore.goofspiel.strategy import Profile, graph
from gamecore.goofspiel.tree import Tree, build, recalled_rows, rows


def opening_bids(profile: Profile) -> list[float]:
    """Return the mean card that player 0 plays first at each prize, from 1 to N.

    Examples
    --------
    >>> from gamecore.goofspiel.strategy import uniform
    >>> opening_bids(uniform(3))
    [2.0, 2.0, 2.0]
    """
    cards, row, policy = profile.tree.cards, profile.rows[0], profile.policies[0]
    found = []
    for node in range(cards):  # the first nodes: one per prize
        mixture = policy[row[node] : row[node] + cards]
        found.append(float(sum((k + 1) * float(p) for k, p in enumerate(mixture))))
    return found


def highest_card_played(profile: Profile) -> tuple[float, float]:
    """Return how likely player 0 plays card N, with the N in the deck and without.

    Over all positions after the first round with N in hand, weighted by the reach of player 0 and
    the deck.

    Examples
    --------
    >>> from gamecore.goofspiel.strategy import uniform
    >>> inside, outside = highest_card_played(uniform(4))
    >>> round(inside, 3), round(outside, 3)
    (0.375, 0.417)
    """
    tree, row, policy = profile.tree, profile.rows[0], profile.policies[0]
    weights = np.empty(len(tree.states))
    sweep.reach(*graph(tree), 0, row, policy, weights)
    played, total = [0.0, 0.0], [0.0, 0.0]
    top, passed = 1 << (tree.cards - 1), 1
    for n in range(tree.cards - 1, 1, -1):
        passed *= n + 1  # `reach` counts every sequence of the other side's cards as one
        level = tree.level(n)
        states = tree.states[level]
        holds = (states >> rules.OWN & top) > 0
        inside = (states >> rules.DECK & top) > 0
        for side, chosen in enumerate((holds & inside, holds & ~inside)):
            pick = np.flatnonzero(chosen)
            w = weights[level][pick] / passed
            played[side] += _sum(w * policy[row[level][pick] + n - 1])  # N is the last card held
            total[side] += _sum(w)
    return played[0] / total[0], played[1] / total[1]


def exact_facts(solution: Solution) -> dict[str, float]:
    """Return what backward induction says of the paper's remarks on the game.

    Examples
    --------
    >>> from gamecore.goofspiel.solution import solve
    >>> facts = exact_facts(solve(4))
    >>> facts["information_sets"], facts["feature_keys"], facts["exceptions"]
    (3028, 1548, 0)
    """
    tree = solution.profile.tree
    history = build(tree.cards, "history")
    place = _places(history, tree)
    lifted = solution.profile.rows[0][place]
    told = Profile(history, (lifted, lifted), solution.profile.policies)
    return {
        "value": solution.profile.expected_return(),
        "eps": solution.profile.exploitability(),
        "b1_history": told.best_response_value(1),
        "asymmetry": _asymmetry(solution),
        "feature_keys": len(np.unique(tree.states)),
        "information_sets": len(history.states),
        "exceptions": _exceptions(history, tree, place),
    }


def _places(history: Tree, markov: Tree) -> np.ndarray:
    """Return the Markov node of each node that also knows its past."""
    order = np.argsort(markov.states)
    return order[np.searchsorted(markov.states, history.states, sorter=order)]


def _exceptions(history: Tree, markov: Tree, place: np.ndarray) -> int:
    """Count successors that are not the ones which the Markov state alone has."""
    ends = np.arange(3)  # the three results behind the last node
    where = np.concatenate([place, len(markov.states) + ends])
    wrong = 0
    for n in range(markov.cards, 1, -1):
        level = history.level(n)
        own = place[level]
        links = markov.links[n] + (own - markov.starts[n])[:, None] * n * n + np.arange(n * n)
        first = history.links[n]
        kids = history.kids[first : first + len(own) * n * n].reshape(-1, n * n)
        for c in range(n - 1 if n > 2 else 1):
            wrong += int((where[kids + c] != markov.kids[links] + c).sum())
    return wrong


def _asymmetry(solution: Solution) -> float:
    """Return how far a value is from the negative of that with the players exchanged."""
    states = solution.profile.tree.states
    hands = (states & 255) << rules.OTHER | states >> rules.OTHER & 255
    score = 128 - (states >> rules.SCORE & 127)  # 64 stands for 0
    middle = states & (255 << rules.DECK | 15 << rules.PRIZE)
    exchanged = hands | middle | score << rules.SCORE
    order = np.argsort(states)
    partner = order[np.searchsorted(states, exchanged, sorter=order)]
    assert (states[partner] == exchanged).all()
    return float(np.abs(solution.values + solution.values[partner]).max())


def partition(cards: int, features: str) -> dict[str, int]:
    """Count information sets without and with memory, and name the partition with memory.

    Two sets of features with the same name let a player who remembers tell the same histories
    apart.

    Examples
    --------
    >>> partition(4, "C")["partition"] == partition(4, "D")["partition"]
    True
    """
    full = build(cards, "full")
    remembered = recalled_rows(full, features)
    _, first, group = np.unique(remembered, return_index=True, return_inverse=True)
    names = np.argsort(np.argsort(first)).astype("<i4")[group]  # numbered by first appearance
    digest = hashlib.sha256(names.tobytes()).digest()
    return {
        "plain": len(np.unique(rows(build(cards, "markov"), features))),
        "recalled": len(first),
        "partition": int.from_bytes(digest[:6], "big"),
    }


def _sum(values: np.ndarray) -> float:
    """Add numbers one after the other, so that the last bit is the same on every machine."""
    return float(np.add.accumulate(values)[-1]) if len(values) else 0.0
