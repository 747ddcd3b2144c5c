"""How a page recomputes the Geister experiments."""

from typing import Any

import numpy as np

from gamecore.geister.bitmatrix import ROWS, WORDS
from gamecore.geister.matches import COUNTS
from gamecore.geister.players import DETERMINISTIC, known, settings
from gamecore.geister.rules import steps
from gamecore.geister.state import ENDINGS
from gamecore.live.entries.geister import (
    CELLS,
    MEANS,
    counted,
    first_position,
    matches,
    mixtures,
    openings,
    placements,
    plies,
    purples,
    walls,
)
from gamecore.live.plan import Plan, Room, Step
from gamecore.papers.experiment import Cell
from gamecore.papers.geister.experiments import ALL

#: Of 4×4 with up to two blues and two reds a side: sets of cells of one colour, ways to place one
#: side's pieces (mirror images count once), steps that lead from one to another, and plies, the
#: last of which finds nothing.
SETS, SIDES, NEIGHBOURS, LONGEST = 136, 7_288, 66_432, 49
BLOCKS = -(-SIDES // ROWS)


def _solved(columns: list[str], *steps: Step, planes: int = 0, **values: Any) -> Plan:
    """Return a plan that needs all positions of 4×4."""
    words = (BLOCKS, BLOCKS * ROWS, WORDS)
    known_values: dict[str, Any] = {
        "rank": Room(np.int16, (1 << CELLS,)), "index": Room(np.int32, (SETS, SETS)),
        "blues": Room(np.int64, (SIDES,)), "reds": Room(np.int64, (SIDES,)),
        "cell": Room(np.int16, (SIDES, 4)), "without": Room(np.int32, (SIDES, 4)),
        "last_blue": Room(np.int16, (SIDES,)), "last_red": Room(np.int16, (SIDES,)),
        "neighbours": Room(np.int32, (NEIGHBOURS,)), "starts": Room(np.int64, (2 * SIDES + 1,)),
        "escapes": Room(np.bool_, (SIDES,)), "stands": Room(np.int64, (SIDES,)),
        "on": Room(np.uint64, (CELLS, BLOCKS, WORDS)),
        "each": Room(np.uint64, (BLOCKS, WORDS)), "open_": Room(np.uint64, words),
        "won": Room(np.uint64, words), "won_rows": Room(np.bool_, words[:2]),
        "lost": Room(np.uint64, words), "lost_rows": Room(np.bool_, words[:2]),
        "planes": Room(np.uint64, (planes, *words)), "found": Room(np.int64, (2, LONGEST + 1)),
    }  # fmt: skip
    prepare = [
        Step(placements, 1, 1, "placements"), Step(openings, BLOCKS, BLOCKS, "blocks"),
        Step(plies, LONGEST * BLOCKS, BLOCKS, "blocks of plies"),
    ]  # fmt: skip
    return Plan(columns, steps, known_values | values, prepare)


def _unsolved(columns: list[str], *steps: Step, **values: Any) -> Plan:
    """Return a plan for players that look nothing up."""
    none: dict[str, Any] = {
        "open_": Room(np.uint64, (0, 0, 0)), "planes": Room(np.uint64, (1, 0, 0, 0)),
        "rank": Room(np.int16, (0,)), "index": Room(np.int32, (0, 0)),
    }  # fmt: skip
    return Plan(columns, steps, none | values)


def _table_6_1(cell: Cell) -> Plan:
    wins = [f"win_{depth}" for depth in range(1, LONGEST - 1, 2)]
    losses = [f"loss_{depth}" for depth in range(2, LONGEST, 2)]
    columns = ["total", "wins", "losses", "draws", *wins, *losses]
    return _solved(columns, Step(counted, 1, 1, "counts"))


def _section_4_2(cell: Cell) -> Plan | None:
    if cell["problem"] != "general-problem":
        return None
    values = {
        "knowing": Room(np.int16, (36, 36, 630)), "purple": Room(np.int16, (36, 36, 630)),
        "pairs": np.array([(p, q) for p in range(36) for q in range(p + 1, 36)]),
        "board": steps(6, 6), "found": Room(np.int64, (2, LONGEST + 1)),
    }  # fmt: skip
    parts = [Step(purples, LONGEST, 1, "plies"), Step(walls, 1, 1, "walls")]
    return Plan(["wins", "others", "longest", "walls"], parts, values)


def _matches(cell: Cell, **changes: Any) -> Plan:
    pair = cell["player"], cell["opponent"]
    how = settings(**changes)
    squares = [f"{COUNTS[k]}_squared" for k in MEANS]
    columns = [
        *ENDINGS, *COUNTS[1:9], *squares, "red_taken_points", "red_taken_escaped", "chases",
        "red_chases", "charge_down",
    ]  # fmt: skip
    every = set(pair) <= set(DETERMINISTIC)
    slow = sum(who.startswith("cfr") for who in pair)
    values: dict[str, Any] = {
        "first": known(pair[0]), "second": known(pair[1]), "every": int(every),
        "order": np.array(how.order), "cells": np.array(how.cells),
        "how": np.array([how.first, how.depth, how.beyond, *how.weights, how.iterations,
                         how.chosen, how.escape], np.int64),
        "counts": Room(np.int64, (len(COUNTS),)),
    }  # fmt: skip
    step = Step(matches, stretch=1 if slow else ALL // 12)
    return (
        _solved(columns, step, planes=1, **values)
        if "cfr-b" in pair
        else _unsolved(columns, step, **values)
    )


def _readings(cell: Cell) -> Plan:
    how = {name: cell[name] for name in ("order", "scan", "horizon")}
    return _matches(cell, **how, weights=tuple(map(int, cell["weights"].split())))


def _exploitability(cell: Cell) -> Plan:
    values: dict[str, Any] = {
        "leaves": int(cell["leaves"] == "perfect"), "iterations": cell["iterations"],
        "chosen": int(cell["colours"] == "decision"), "gains": Room(np.float64, (40,)),
    }  # fmt: skip
    columns, step = ["nash_conv", "nash_conv_squared", "largest"], Step(mixtures, stretch=1)
    if values["leaves"]:
        return _solved(columns, step, planes=1, **values)
    return _unsolved(columns, step, **values)


PLANS = {
    "geister/table-6.1": _table_6_1,
    "geister/section-4.2": _section_4_2,
    "geister/benchmarks": _matches,
    "geister/matches": _matches,
    "geister/first-position": lambda cell: Plan(
        ["moves", "spread"], [Step(first_position, 1, 1, "position")],
        {"blue": sum(1 << 12 + "abcd".index(c) for c in cell["blues"]), "iterations": 1000},
    ),
    "geister/direction-orders": lambda cell: _matches(cell, order=cell["order"]),
    "geister/purple-readings": _readings,
    "geister/purple-best": _readings,
    "geister/colour-levels": lambda cell: _matches(cell, colours="chance"),
    "geister/escape-rule": lambda cell: _matches(cell, escape=False),
    "geister/exploitability": _exploitability,
}  # fmt: skip
