"""What a page computes, as data: memory, and kernels called on stretches of a range.

A `Plan` says how one cell of an experiment is recomputed. Its steps are taken one after the other;
a step calls its kernel on stretches of ``range(size)``, so that a page can show how far it is, and
stop. A kernel's arguments are found by their names among the plan's values, and these:

``start``, ``stop``
    The stretch.
``games``
    How many games are played in all.
``s``
    The generator's state, seeded for the chunk (`gamecore.live.seeds`).
``words``
    ``uint32[10]``: what that seed is made of, for those who spawn more of them.
``row``
    ``float64``: the result, one number for each of the plan's columns.

Steps of ``prepare`` make tables that depend on neither seed nor games: whoever recomputes several
cells takes them anew only if one of their arguments has changed. A kernel returns nothing, and
keeps nothing but what is in its arguments. `take` does here what a page does.
"""

import hashlib
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from gamecore.kernel import PACKAGE, _parsed, reached
from gamecore.live.generator import SIZE as GENERATOR
from gamecore.live.seeds import seed
from gamecore.papers.experiment import ROOT, Cell, Experiment, words_of

#: Games with a module.
GAMES = ("rps", "pokemon", "daifugo", "goofspiel", "geister", "triomineering")
#: The size of a step with an item for each game of the chunk.
EVERY_GAME = 0


class Room(NamedTuple):
    """An array of zeros to work in."""

    dtype: Any
    shape: tuple[int, ...]


class Step(NamedTuple):
    """A kernel, how many items it is called on, and how many at a time."""

    kernel: Callable
    size: int = EVERY_GAME
    stretch: int = 1
    says: str = "games"


class Plan(NamedTuple):
    """How a cell is recomputed: its columns, steps, values by name, and how to prepare."""

    columns: Sequence[str]
    steps: Sequence[Step]
    values: dict[str, Any]  # numbers, arrays, room
    prepare: Sequence[Step] = ()
    codes: Mapping[str, Sequence[str]] = MappingProxyType({})  # texts that stand for numbers


class GameTable(NamedTuple):
    """What is played at in a page: kernels, and all that they ask for by name.

    Beside the values there are ``g``, the generator of a game (`gamecore.live.generator`), ``s``,
    that of a decision, and ``words``, which a page fills with the seed: ``uint32[2]``.
    """

    kernels: Sequence[Callable]
    values: dict[str, Any]  # numbers, arrays, room

    def all(self) -> dict[str, Any]:
        """Return all that the kernels may ask for, by name."""
        return self.values | {
            "g": Room(np.uint64, (GENERATOR,)), "s": Room(np.uint64, (4,)),
            "words": Room(np.uint32, (2,)), "start": 0, "stop": 0,
        }  # fmt: skip


def source(game: str) -> str:
    """Return a hash of what decides a game's module: files with kernels, and how they are built.

    What a plan says is not in it: that can be compared with the description itself.
    """
    digest = hashlib.sha256((PACKAGE / "live" / "runtime.ll").read_bytes())
    for package in ("numba", "numpy"):
        digest.update(f"{package}={version(package)};".encode())
    found = reached(
        f"gamecore.live.entries.{game}", f"gamecore.live.tables.{game}", "gamecore.live.build"
    )
    for module, file in sorted(found.items()):
        has_kernels = re.search(
            r"^from gamecore.kernel import .*\bkernel\b", file.read_text(), re.M
        )
        if has_kernels or module in ("gamecore.live.build", "gamecore.live.link"):
            digest.update(f"{module}:{_parsed(file, module)[0]};".encode())
    return digest.hexdigest()[:16]


def arguments(kernel: Callable) -> list[str]:
    """Return the names of a kernel's arguments."""
    return list(inspect.signature(getattr(kernel, "py_func", kernel)).parameters)


def made(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values of their own to work on: room becomes zeros, arrays are copied."""
    return {
        name: np.zeros(value.shape, value.dtype)
        if isinstance(value, Room)
        else value.copy() if isinstance(value, np.ndarray) else value
        for name, value in values.items()
    }  # fmt: skip


def memory(plan: Plan, games: int) -> dict[str, Any]:
    """Return all that a plan's kernels may ask for, the generator not yet seeded."""
    return made(plan.values) | {
        "games": games, "s": np.zeros(4, np.uint64), "row": np.zeros(len(plan.columns)),
        "words": np.zeros(10, np.uint32), "start": 0, "stop": 0,
    }  # fmt: skip


def take(plan: Plan, at: Sequence[int], games: int) -> dict[str, Any]:
    """Take a plan's steps here; return its memory, with the result in ``row``.

    Parameters
    ----------
    plan : Plan
        What to compute.
    at : sequence of int
        The root seed, the cell's words, the chunk.
    games : int
        How many.
    """
    known = memory(plan, games)
    known["words"][:] = at
    seed(known["words"], known["s"])
    for step in (*plan.prepare, *plan.steps):
        size = step.size or games
        for start in range(0, size, step.stretch):
            known["start"], known["stop"] = start, min(start + step.stretch, size)
            step.kernel(*(known[name] for name in arguments(step.kernel)))
    return known


def row(
    plan: Plan, experiment: Experiment, cell: Cell, chunk: int, games: int | None = None
) -> dict[str, Any]:
    """Return a cell's row as a page computes it."""
    at = [ROOT, *words_of(experiment, cell), chunk]
    found = take(plan, at, experiment.games if games is None else games)["row"].tolist()
    return {
        name: plan.codes[name][int(value)] if name in plan.codes else value
        for name, value in zip(plan.columns, found, strict=True)
    }
