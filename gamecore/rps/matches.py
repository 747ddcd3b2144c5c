"""Matches: two players meet again and again."""

import numpy as np

from gamecore import rng
from gamecore.kernel import kernel
from gamecore.rps.players import PLAYERS, decide
from gamecore.rps.rules import outcome


def match(first: str, second: str, rounds: int, seed: int | np.random.SeedSequence) -> np.ndarray:
    """Play a match and return the first player's wins, draws and losses.

    Parameters
    ----------
    first, second : str
        Two of `PLAYERS`.
    rounds : int
        How often they meet.
    seed : int or numpy.random.SeedSequence
        Decides everything that is random.

    Examples
    --------
    >>> match("rocky", "nash", 300, seed=1).sum()
    np.int64(300)
    """
    for player in (first, second):
        if player not in PLAYERS:
            raise ValueError(f"unknown player {player!r}: choose from {', '.join(PLAYERS)}")
    if rounds < 1:
        raise ValueError(f"rounds must be at least 1, not {rounds}")
    return _match(PLAYERS.index(first), PLAYERS.index(second), rounds, rng.state(seed))


@kernel
def _match(first, second, rounds, s):
    counts = np.zeros(3, np.int64)
    last_first, last_second = -1, -1
    for _ in range(rounds):
        move, reply = decide(first, last_second, s), decide(second, last_first, s)
        counts[1 - outcome(move, reply)] += 1
        last_first, last_second = move, reply
    return counts
