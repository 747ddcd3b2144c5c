"""How a page recomputes the Triomineering experiments."""

from dataclasses import replace
from typing import Any

import numpy as np

from gamecore.live.entries.triomineering import (
    by_cells,
    dilemma,
    first_moves,
    gaps,
    matches,
    outcome,
    shortfalls,
    visits,
)
from gamecore.live.plan import Plan, Room, Step
from gamecore.papers.experiment import Cell
from gamecore.papers.triomineering import experiments as e
from gamecore.papers.triomineering import studies
from gamecore.papers.triomineering.policies import PLACES
from gamecore.triomineering import nash
from gamecore.triomineering.players import Player, first_world, settings_of
from gamecore.triomineering.rules import Position
from gamecore.triomineering.solution import OUTCOMES

#: Room for positions: the 6×6 board with all first moves needs a third of it.
_ROOM, _MIXED = 1 << 15, 1 << 11
_LOGARITHMS = 100_002  # more than any player's playouts


def _board(rows: int, columns: int) -> dict[str, Any]:
    """Return a board and room for its solution."""
    return {
        "rows": rows, "columns": columns, "worth": Room(np.float64, (rows * columns,) * 2),
        "keys": Room(np.uint64, (2, _ROOM)), "known": Room(np.int16, (2, _ROOM)),
        "used": Room(np.int64, (2, 2)), "mixed": Room(np.uint64, (_MIXED,)),
        "values": Room(np.float64, (_MIXED,)), "logs": Room(np.float64, (_LOGARITHMS,)),
    }  # fmt: skip


_PREPARE = [Step(first_moves, 1, 1, "boards")]


def _player(player: Player, side: str, size: tuple[int, int], name: str = "v") -> dict[str, Any]:
    """Return a player as numbers, and what it may do first."""
    world = first_world(Position.empty(*size), player, side)
    return {
        name: np.array(settings_of(player), float), f"{name}_images": np.array(world.images),
        f"{name}_sizes": np.array(world.sizes), f"{name}_theirs": np.array(world.theirs),
    }  # fmt: skip


def _match(v: Player, h: Player, size: tuple[int, int] = (6, 6)) -> Plan:
    values = _board(*size) | _player(v, "V", size) | _player(h, "H", size, "h")
    values["longest"] = Position.empty(*size).longest()
    columns = [*e.RESULTS, "V1", "H1", "V2", "H2"]
    return Plan(columns, [Step(matches)], values, _PREPARE)


def _changed(name: str, change: dict) -> Plan:
    v, h = (replace(player, **change) for player in studies.FOUR_MATCHES[name])
    return _match(v, h)


def _draws(u: float, other: float = 0.5) -> Plan:
    return _match(replace(e.MSUCB15, draw=u, other_draw=other), e.MSUCB15)


def _visits(player: Player) -> Plan:
    values = _board(4, 4) | _player(player, "V", (4, 4))
    return Plan([*e.PAIRS, "others", "squares"], [Step(visits, stretch=5)], values, _PREPARE)


def _dilemma(cell: Cell, checkpoints: tuple[int, ...], columns: list[str]) -> Plan:
    values = {
        "v": np.array(settings_of(Player(cell["method"])), float),
        "payoffs": np.array(e.dilemma_tables(cell["R"], cell["P"])),
        "checkpoints": np.array(checkpoints), "drifts": int("drifted" in columns),
        "logs": Room(np.float64, (_LOGARITHMS,)),
    }  # fmt: skip
    return Plan(columns, [Step(dilemma)], values)


def _nash(cell: Cell) -> Plan:
    reading, rounds, step = nash.check_reading(cell["method"], cell["rounds"], 0.1)
    values = {
        "reading": reading, "size": cell["size"], "rounds": rounds, "step": step,
        "sums": Room(np.float64, (2,)),
    }  # fmt: skip
    return Plan(["gap", "squares"], [Step(gaps, stretch=10)], values)


def _shortfalls(
    place: str, player: Player, budgets: tuple[int, ...], columns: list[str], nested: bool = True
) -> Plan:
    size, side = PLACES[place]
    values = _board(*size) | _player(player, side, size)
    values |= {
        "vertical": int(side == "V"), "random_round": int(place.endswith("a random round")),
        "nested": int(nested), "budgets": np.array(budgets), "policy": Room(np.float64, (32,)),
    }  # fmt: skip
    return Plan(columns, [Step(shortfalls)], values, _PREPARE)


def _first_moves(cell: Cell) -> Plan:
    columns = [*(f"cell {k}" for k in range(32)), "lost", "squares"]
    found = _shortfalls(
        f"8×4, {cell['side']}", Player(cell["method"], e.FIRST_BUDGET), (e.FIRST_BUDGET,), columns,
        nested=False,
    )  # fmt: skip
    return found._replace(steps=[*found.steps, Step(by_cells, 1, 1, "cells")])


def _read(cell: Cell) -> Plan:
    change = studies.reading(**{name: cell[name] for name in studies.VARIANT})
    return _changed(cell["match"], change)


PLANS = {
    "triomineering/outcomes": lambda cell: Plan(
        ["outcome", "value"], [Step(outcome, 1, 1, "boards")],
        _board(cell["rows"], cell["columns"]) | {"worth": 0, "logs": 0},
        codes={"outcome": list(OUTCOMES.values())},
    ),
    "triomineering/nash": _nash,
    "triomineering/table-2": lambda cell: _match(e.MSUCB1, Player("MC", cell["mc"])),
    "triomineering/depth": lambda cell: _match(e.MSUCB15, e.MSUCB1),
    "triomineering/table-4": lambda cell: _match(replace(e.MSUCB1, c=cell["c"]), Player("MC")),
    "triomineering/table-5": lambda cell: _draws(cell["u"]),
    "triomineering/table-6": lambda cell: _draws(cell["u"]),
    "triomineering/simpleucb0.5": lambda cell: _match(e.MSUCB15, Player("SimpleUCB0.5", 100_000)),
    "triomineering/table-7": lambda cell: _match(
        replace(e.MSUCB15, playouts=20_000), Player("SimpleUCB1", cell["simple"])
    ),
    "triomineering/8x4": lambda cell: _match(
        replace(e.MSUCB15, playouts=20_000), Player("SimpleUCB1", 20_000), (8, 4)
    ),
    "triomineering/search-counts": lambda cell: _visits(
        Player(cell["method"], e.BUDGET, c=cell["c"])
    ),
    "triomineering/dilemma": lambda cell: _dilemma(
        cell, e.CHECKPOINTS,
        [*(f"{corner}@{t}" for t in e.CHECKPOINTS for corner in e.CORNERS), "drifted"],
    ),
    "triomineering/exploitability": lambda cell: _shortfalls(
        cell["place"], Player(cell["method"], e.BUDGETS[0]), e.BUDGETS,
        [f"{name}@{t}" for name in ("lost", "squares") for t in e.BUDGETS],
    ),
    "triomineering/8x4-first-moves": _first_moves,
    "triomineering/nash-variants": lambda cell: _changed(
        cell["match"], studies.NASH[cell["variant"]]
    ),
    "triomineering/search-variants": lambda cell: _visits(
        Player("MSUCB1", e.BUDGET, **studies.NASH[cell["variant"]])
    ),
    "triomineering/draw-model": lambda cell: _draws(cell["u"], round(1 - cell["u"], 10)),
    "triomineering/symmetry": lambda cell: _changed("MSUCB1 - MC", dict(cell)),
    "triomineering/filter": lambda cell: _changed(cell["match"], {"filtering": "none"}),
    "triomineering/recompute": lambda cell: _changed("MSUCB1 - MC", dict(cell)),
    "triomineering/policy-variants": lambda cell: _shortfalls(
        cell["place"], Player(**studies.POLICIES[cell["variant"]]), (10_000,), ["lost", "squares"]
    ),
    "triomineering/dilemma-grid": lambda cell: _dilemma(cell, (100_000,), list(e.CORNERS)),
    "triomineering/near-readings": _read,
    "triomineering/best-readings": _read,
}  # fmt: skip
