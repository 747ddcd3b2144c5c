"""Who learns from round to round: a regret matcher, and a reader of habits.

References
----------
S. Hart and A. Mas-Colell, "A simple adaptive procedure leading to correlated equilibrium",
Econometrica 68(5), 2000.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gamecore import check, rng
from gamecore.kernel import kernel
from gamecore.matrixgame import gap
from gamecore.rps.rules import MOVES, beater, outcome

#: regret mixes by its regrets; habit beats what most often followed the opponent's last move.
LEARNERS = ("regret", "habit")
_REGRET = 0
#: What a learner remembers: a row of regrets, or one for what followed each move and for the start.
MEMORY = 4, 3
#: Numbers told of each round: the learner's move, its three chances, the points, the opponent's
#: regret (of its best move in hindsight), and the duality gap of what both played so far.
TOLD = 7


@kernel
def mixture(learner, memory, last, chances):
    """Write the learner's chance of each move; `last` is the opponent's move before, or −1."""
    total = 0.0
    most = max(memory[last, 0], memory[last, 1], memory[last, 2])
    for move in range(3):
        chances[move] = 0.0
    for move in range(3):
        if learner == _REGRET:
            chances[move] += max(memory[0, move], 0.0)
        elif most > 0.0 and memory[last, move] == most:
            chances[beater(move)] += 1.0
    for move in range(3):
        total += chances[move]
    for move in range(3):
        chances[move] = chances[move] / total if total > 0.0 else 1 / 3


@kernel
def round_of(learner, move, last, memory, played, s, told):
    """Play one round against `move`, and learn from it.

    `played` counts what the opponent and the learner have played; `told` takes what `TOLD` lists.
    """
    chances = np.empty(3)
    mixture(learner, memory, last, chances)
    mine = rng.choice(s, chances)
    if learner == _REGRET:
        for other in range(3):
            memory[0, other] += outcome(other, move) - outcome(mine, move)
    else:
        memory[last, move] += 1.0
    played[0, move] += 1.0
    played[1, mine] += 1.0
    told[0], told[4] = mine, told[4] + outcome(move, mine)
    payoffs, shares, best = np.empty((3, 3)), np.empty((2, 3)), -np.inf
    rounds = played[0, 0] + played[0, 1] + played[0, 2]
    for i in range(3):
        told[1 + i] = chances[i]
        against = 0.0
        for j in range(3):
            payoffs[i, j] = outcome(i, j)
            against += payoffs[i, j] * played[1, j]
        best = max(best, against)
        shares[0, i], shares[1, i] = played[0, i] / rounds, played[1, i] / rounds
    told[5] = best - told[4]
    told[6] = gap(payoffs, shares[0], shares[1])


class Lesson(NamedTuple):
    """Rounds against a learner.

    Attributes
    ----------
    replies : list of str
        What the learner played.
    chances : numpy.ndarray
        The mixture that each was drawn from.
    points : numpy.ndarray
        The opponent's, wins less losses, after each round.
    regret : numpy.ndarray
        What its best single move would have brought more.
    gap : numpy.ndarray
        The duality gap of what both have played so far, 0 if both mixed evenly.

    Examples
    --------
    >>> lesson("regret", ["rock", "rock"], seed=1).chances[0].round(2).tolist()
    [0.33, 0.33, 0.33]
    """

    replies: list[str]
    chances: np.ndarray
    points: np.ndarray
    regret: np.ndarray
    gap: np.ndarray


def lesson(learner: str, moves: Sequence[str], seed: int | np.random.SeedSequence) -> Lesson:
    """Play some moves, one a round, against a player that learns.

    Parameters
    ----------
    learner : str
        One of `LEARNERS`.
    moves : sequence of str
        What is played against it.
    seed : int or numpy.random.SeedSequence
        Of the learner's draws.

    Examples
    --------
    >>> found = lesson("habit", ["rock"] * 5, seed=1)
    >>> found.replies[2:], int(found.points[-1]) <= -1
    (['paper', 'paper', 'paper'], True)
    """
    known = LEARNERS.index(check.one_of(learner, "a learner", LEARNERS))
    numbers = [
        MOVES.index(check.one_of(move, "a move", MOVES)) for move in check.listed(moves, "moves")
    ]
    generator = np.random.default_rng(check.seed(seed))
    memory, played, told = np.zeros(MEMORY), np.zeros((2, 3)), np.zeros((len(numbers) + 1, TOLD))
    for k, move in enumerate(numbers):
        told[k + 1] = told[k]
        s = rng.state(int(generator.integers(2**63)))
        round_of(known, move, numbers[k - 1] if k else -1, memory, played, s, told[k + 1])
    replies = [MOVES[int(mine)] for mine in told[1:, 0]]
    return Lesson(replies, told[1:, 1:4].copy(), *(told[1:, j].copy() for j in (4, 5, 6)))
