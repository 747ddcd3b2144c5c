"""Rock-paper-scissors in the page: rounds against a player that learns."""

import numpy as np

from gamecore.kernel import kernel
from gamecore.live.generator import decision, generator
from gamecore.live.plan import GameTable, Room
from gamecore.rps.lessons import MEMORY, TOLD, mixture, round_of


@kernel
def rps_begin(words, g, memory, played, told, last):
    """Begin anew, with a seed."""
    generator(words, g)
    memory[:] = 0.0
    played[:] = 0.0
    told[:] = 0.0
    last[0] = -1


@kernel
def rps_round(learner, move, g, s, memory, played, told, last):
    """Play a round."""
    decision(g, s)
    round_of(learner, move, last[0], memory, played, s, told)
    last[0] = move


@kernel
def rps_next(learner, memory, last, chances):
    """Say how the learner would mix now."""
    mixture(learner, memory, last[0], chances)


TABLE = GameTable(
    [rps_begin, rps_round, rps_next],
    {
        "learner": 0, "move": 0, "memory": Room(np.float64, MEMORY),
        "played": Room(np.float64, (2, 3)), "told": Room(np.float64, (TOLD,)),
        "last": Room(np.int64, (1,)), "chances": Room(np.float64, (3,)),
    },
)  # fmt: skip
