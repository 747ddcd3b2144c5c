"""How a page recomputes the rock-paper-scissors experiments."""

import numpy as np

from gamecore.live.entries.rps import practice
from gamecore.live.plan import Plan, Step
from gamecore.papers.experiment import Cell
from gamecore.rps.players import known


def _practice(cell: Cell) -> Plan:
    values = {
        "first": known(cell["first"]), "second": known(cell["second"]), "last": np.array([-1, -1])
    }  # fmt: skip
    return Plan(("win", "draw", "loss"), [Step(practice, stretch=100)], values)


PLANS = {"rps/practice": _practice}
