"""Matches: two players meet again and again.

They may know the game through graphs of different kinds: a match walks both, side by side.
"""

from typing import NamedTuple

import numpy as np

from gamecore import rng
from gamecore.goofspiel.players import Profile, graph
from gamecore.kernel import kernel


class Match(NamedTuple):
    """How a match went for player 0.

    Examples
    --------
    >>> result = Match(wins=5, draws=2, losses=3)
    >>> (result.wins - result.losses) / sum(result)  # the mean result of a game
    0.2
    """

    wins: int
    """Games that player 0 won."""
    draws: int
    """Games that ended with equal points."""
    losses: int
    """Games that player 1 won."""


def match(first: Profile, second: Profile, games: int, seed: int | np.random.SeedSequence) -> Match:
    """Play a match, one game after the other: fewer games are the first of more.

    Parameters
    ----------
    first, second : Profile
        Player 0 follows `first`'s policy for player 0, player 1 follows `second`'s for player 1.
        Both are for the same number of cards.
    games : int
        How often they meet.
    seed : int or numpy.random.SeedSequence
        Decides everything that is random.

    Examples
    --------
    >>> from gamecore.goofspiel import solve, train
    >>> result = match(solve(4).profile, train(4, "O", 100, seed=1), 1000, seed=1)
    >>> sum(result), result.wins > result.losses
    (1000, True)
    """
    for profile in (first, second):
        if not isinstance(profile, Profile):
            raise ValueError(f"a match is played by two profiles, not by {profile!r}")
    if first.tree.cards != second.tree.cards:
        cards = f"{first.tree.cards} and {second.tree.cards}"
        raise ValueError(f"both profiles must be for the same number of cards, not for {cards}")
    if not isinstance(games, int | np.integer) or games < 1:
        raise ValueError(f"games must be a whole number, at least 1, not {games!r}")
    sides = [
        (*graph(profile.tree)[1:], profile.rows[player], profile.policies[player])
        for player, profile in enumerate((first, second))
    ]
    losses, draws, wins = _play(int(games), first.tree.cards, *sides[0], *sides[1], rng.state(seed))
    return Match(int(wins), int(draws), int(losses))


@kernel
def _play(
    games, cards, starts0, links0, kids0, rows0, policy0, starts1, links1, kids1, rows1, policy1, s
):
    """Return how many games ended in each of the three places behind the last node."""
    ends = np.zeros(3, np.int64)
    for _ in range(games):
        node0 = node1 = rng.below(s, cards)  # the first nodes: one per prize
        for n in range(cards, 1, -1):
            row0, row1 = rows0[node0], rows1[node1]
            a, b = rng.choice(s, policy0[row0 : row0 + n]), rng.choice(s, policy1[row1 : row1 + n])
            node0 = kids0[links0[n] + ((node0 - starts0[n]) * n + a) * n + b]
            node1 = kids1[links1[n] + ((node1 - starts1[n]) * n + a) * n + b]
            if n > 2:
                prize = rng.below(s, n - 1)
                node0, node1 = node0 + prize, node1 + prize
        ends[node0 - len(rows0)] += 1
    return ends
