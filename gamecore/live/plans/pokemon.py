"""How a page recomputes the Pokémon experiments."""

from typing import Any

import numpy as np

from gamecore.live.entries.pokemon import (
    battles,
    example,
    formulas,
    matrix,
    means_of_nine,
    misjudged,
    openings,
    rows_of_table_3,
    strategies,
    transitions,
    turns,
)
from gamecore.live.plan import Plan, Room, Step
from gamecore.papers.experiment import Cell
from gamecore.papers.pokemon import experiments as e
from gamecore.papers.pokemon import studies
from gamecore.pokemon import rules
from gamecore.pokemon.matches import _openings
from gamecore.pokemon.parties import CLASSES, PAPER
from gamecore.pokemon.players import Player, player
from gamecore.pokemon.state import start as opening

#: The largest number of turns left that is solved.
_TURNS = 20


def _plan(columns: list[str], *steps: Step, **values: Any) -> Plan:
    """Return a plan that needs the solution."""
    prepare = [
        Step(transitions, PAPER.states, PAPER.states // 8, "states"),
        Step(turns, _TURNS + 1, 1, "turns"),
    ]
    room = {
        "table": Room(np.int32, (PAPER.states, PAPER.setup.actions**2)),
        "values": Room(np.float64, (_TURNS + 1, PAPER.states)),
        "fresh": Room(np.bool_, (PAPER.states,)), "gaps": Room(np.float64, (PAPER.states,)),
    }  # fmt: skip
    return Plan(columns, steps, {**room, **values}, prepare)


def _numbers(who: Player) -> np.ndarray:
    return np.array(who.settings, float)


def _battles(
    first: Player, second: Player, stretch: int, turns: int = rules.TURNS, parties: Any = None
) -> Plan:
    begin = opening(turns, PAPER.parties if parties is None else parties, PAPER.chart)
    return _plan(
        ["win", "draw", "loss", *CLASSES], Step(battles, stretch=stretch),
        first=_numbers(first), second=_numbers(second), length=turns, starts=_openings(begin),
        counts=Room(np.int64, (1 + len(CLASSES),)), trace=Room(np.int64, (1 + begin.longest(),)),
    )  # fmt: skip


def _of_state(columns: list[str], *steps: Step, position: tuple, left: int, **values: Any) -> Plan:
    return _plan(columns, *steps, state=rules.encode(*position), left=left, **values)


_MATRIX_1 = (0, 0, rules.HP1, rules.HP2_SECTION_5_4)


def _table_3(cell: Cell) -> Plan:
    who = player(
        noise="uniform", delta=cell["delta"], average=e.AVERAGED, clip=cell["payoffs"] == "clipped"
    )
    sums = [f"{kind}_{name}" for name in e.SIDES for kind in ("sum", "squares")]
    return _of_state(
        ["zeros", *sums, "loss_a", "loss_b"],
        Step(strategies, stretch=50), Step(rows_of_table_3, 1, 1, "sums"),
        position=_MATRIX_1, left=e.PRINTED_TURNS,
        first=_numbers(who), drawn=Room(np.float64, (1000, len(e.SIDES))),
    )  # fmt: skip


def _nine(cell: Cell) -> Plan:
    who = player(noise="uniform", delta=cell["delta"])
    return _of_state(
        [*e.SIDES, *(f"zero_{name}" for name in e.SIDES)],
        Step(strategies, stretch=500), Step(means_of_nine, 1, 1, "sums"),
        position=(cell["lead1"], cell["lead2"], rules.HP1, rules.HP2_SECTION_5_4),
        left=rules.TURNS, first=_numbers(who), drawn=Room(np.float64, (1000, len(e.SIDES))),
    )  # fmt: skip


def _openings_plan(cell: Cell) -> Plan:
    return _of_state(
        ["switch1", "switch2"], Step(openings, stretch=500),
        position=(cell["lead1"], cell["lead2"], rules.HP1, rules.HP2), left=rules.TURNS,
        first=_numbers(e.habit("attack")), drawn=Room(np.float64, (5000, 2)),
    )  # fmt: skip


def _misjudgements(cell: Cell) -> Plan:
    names = ["positions", "live", "blunders", "given_away", "start_value", "wins", "draws"]
    for extreme in ("over", "under"):
        names += [f"{extreme}_{part}" for part in ("error", "value", "state", "turns", "party")]
    begin = opening(rules.TURNS, PAPER.parties, PAPER.chart)
    return _plan(
        names, Step(misjudged, stretch=5), starts=_openings(begin),
        counts=Room(np.int64, (5,)), sums=Room(np.float64, (2,)), extremes=Room(np.float64, (2, 5)),
    )  # fmt: skip


def _sensitivity(cell: Cell) -> Plan:
    arguments, options = studies.CHANGES[cell["change"]]
    second = player(reverse=bool(options.get("reverse")))
    if cell["pair"] == "nash - random":
        second = player("random")
    return _battles(studies._first(cell["pair"], options), second, 100, **arguments)


def _sensitivity_monte_carlo(cell: Cell) -> Plan:
    arguments, options = studies.MONTE_CARLO_CHANGES[cell["change"]]
    first, second = (player(cell[side], **options) for side in ("first", "second"))
    return _battles(first, second, 5, **arguments)


PLANS = {
    "pokemon/matrix-1": lambda cell: _of_state(
        [*e.ENTRIES, *e.SIDES, "value", "states"], Step(matrix, 1, 1, "matrix"),
        position=_MATRIX_1, left=int(cell["source"].split()[0]),
    ),
    "pokemon/table-3": _table_3,
    "pokemon/example": lambda cell: Plan(
        ["second"], [Step(example, stretch=10_000)],
        {"first": _numbers(player(noise="uniform", delta=cell["delta"]))},
    ),
    "pokemon/nine-positions": _nine,
    "pokemon/formulas": lambda cell: Plan(
        [*(f"{name}_{p}" for name in ("shift", "width") for p in (0.0, 0.5, 1.0)), "rising"],
        [Step(formulas, 1, 1, "formulas")], {"size": cell["size"]},
    ),
    "pokemon/pairings": lambda cell: _battles(
        player(cell["first"]), player(cell["second"]),
        5 if "monte-carlo" in cell.values() else 100,
    ),
    "pokemon/misjudgements": _misjudgements,
    "pokemon/table-4": lambda cell: _battles(player(**cell), player(), 200),
    "pokemon/biases": lambda cell: _battles(
        e.habit(cell["player"], clip=cell["payoffs"] == "clipped"), player(), 200
    ),
    "pokemon/openings": _openings_plan,
    "pokemon/sensitivity": _sensitivity,
    "pokemon/nash-control": lambda cell: _battles(player(), player(), 1000),
    "pokemon/sensitivity-monte-carlo": _sensitivity_monte_carlo,
}  # fmt: skip
