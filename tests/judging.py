"""Made-up rows for judges: what a case is, how it is tried, and what a mutant is.

``tests/judged/<game>.py`` has a list ``CASES`` for each paper. A case names a judge, makes the rows
that it gets, and says what must come out: which claims hold, which numbers are measured. Limits of
tests may be set for a case, so that a statistic can be put exactly on its threshold.
"""

import ast
import copy
import importlib
import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import NamedTuple
from unittest.mock import patch

import pandas as pd

from gamecore.kernel import PACKAGE
from gamecore.papers import published, scoreboard
from gamecore.papers.experiment import games

#: The rooms in which sentences are tested; each is re-read for every mutant, in this order.
ROOMS = ("claims", "judges")


class Case(NamedTuple):
    """One try of one judge."""

    judge: str
    """Its name in the paper's judges."""
    frames: Callable[[], tuple[pd.DataFrame, ...]]
    """Makes the rows, one data frame for each experiment that the judge names."""
    holds: Mapping[str, bool | str | None] = {}
    """Claims (by id, without the game's name): must they hold, fail, be ``"undecided"``, or (None)
    not be judged."""
    values: Mapping[str, float] = {}
    """Numbers that must be measured, by id without the game's name."""
    limits: Mapping[str, Mapping[str, float]] = {}
    """Other limits than the written ones, by claim."""


def cases(game: str) -> list[Case]:
    """Return the cases of a paper."""
    return importlib.import_module(f"tests.judged.{game}").CASES


def failures(game: str, case: Case) -> list[str]:
    """Try a case and say what did not come out as it must."""
    written = published.limits

    def limits(identity: str) -> SimpleNamespace:
        found = written(identity)
        found.__dict__.update(case.limits.get(identity.removeprefix(f"{game}/"), {}))
        return found

    judge = next(judge for judge in scoreboard.judges(game) if judge.__name__ == case.judge)
    with patch.object(published, "limits", limits):
        found = {
            identity.removeprefix(f"{game}/"): ours for identity, ours in judge(*case.frames())
        }
    answers = {name: "undecided" if x.holds is None else x.holds for name, x in found.items()}
    wrong = [
        f"{name}: {found.get(name, 'not judged')}, not {holds}"
        for name, holds in case.holds.items()
        if answers.get(name) is not holds and answers.get(name) != holds
    ]
    return wrong + [
        f"{name}: {found.get(name)} instead of {value}"
        for name, value in case.values.items()
        if name not in found or not math.isclose(found[name].value, value, rel_tol=1e-9)
    ]


class Mutant(NamedTuple):
    """A room with one change."""

    game: str
    room: str
    line: int
    words: str
    code: ast.Module


_OTHER = {ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE),
          ast.GtE: (ast.Gt, ast.Lt), ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,)}  # fmt: skip
_OPPOSITE = {"all": "any", "any": "all", "min": "max", "max": "min"}


def _changes(node: ast.AST) -> Iterator[tuple[str, Callable[[ast.AST], None]]]:
    """Yield what may be changed in a syntax node: in words, and as a function of a copy of it."""
    if isinstance(node, ast.Compare):
        for k, old in enumerate(node.ops):
            for new in _OTHER.get(type(old), ()):
                yield (f"{type(old).__name__} → {new.__name__}",
                       lambda n, k=k, new=new: n.ops.__setitem__(k, new()))  # fmt: skip
        for k, side in enumerate([node.left, *node.comparators]):
            if isinstance(side, ast.Constant) and type(side.value) in (int, float):
                more = side.value * 1.5 if side.value else 1
                yield (f"{side.value} → {more}", lambda n, k=k, more=more: setattr(
                    [n.left, *n.comparators][k], "value", more))  # fmt: skip
    elif isinstance(node, ast.BoolOp):
        new = ast.Or if isinstance(node.op, ast.And) else ast.And
        yield f"{type(node.op).__name__} → {new.__name__}", lambda n: setattr(n, "op", new())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield (
            "not x → not not x",
            lambda n: setattr(n, "operand", ast.UnaryOp(ast.Not(), n.operand)),
        )
    elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in _OPPOSITE:
        other = _OPPOSITE[node.func.id]
        yield f"{node.func.id} → {other}", lambda n: setattr(n.func, "id", other)
    elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in _OPPOSITE:
        other = _OPPOSITE[node.func.attr]
        yield f".{node.func.attr} → .{other}", lambda n: setattr(n.func, "attr", other)


def rooms(game: str) -> dict[str, ModuleType]:
    """Return a paper's rooms in which sentences are tested."""
    there = [room for room in ROOMS if (PACKAGE / "papers" / game / f"{room}.py").exists()]
    return {room: importlib.import_module(f"gamecore.papers.{game}.{room}") for room in there}


def source(module: ModuleType) -> str:
    """Return a module's text."""
    return Path(module.__file__).read_text(encoding="utf-8")


def mutants(game: str) -> Iterator[Mutant]:
    """Yield every mutant of a paper's rooms: comparisons, their constants, and, or, all, min."""
    for room, module in rooms(game).items():
        tree = ast.parse(source(module))
        for index, node in enumerate(ast.walk(tree)):
            for words, change in _changes(node):
                mutated = copy.deepcopy(tree)
                change(next(n for i, n in enumerate(ast.walk(mutated)) if i == index))
                code = ast.fix_missing_locations(mutated)
                yield Mutant(game, room, node.lineno, words, code)


def is_killed(mutant: Mutant) -> bool:
    """Say whether some case of its paper notices a mutant."""
    modules = rooms(mutant.game)
    try:
        _load(modules, mutant)
        return any(_noticed(mutant.game, case) for case in cases(mutant.game))
    finally:
        _load(modules, None)


def _load(modules: dict[str, ModuleType], mutant: Mutant | None) -> None:
    for room, module in modules.items():
        code = mutant.code if mutant and mutant.room == room else source(module)
        exec(compile(code, module.__file__, "exec"), module.__dict__)


def _noticed(game: str, case: Case) -> bool:
    try:
        return bool(failures(game, case))
    except Exception:
        return True


def written_limits() -> Iterator[tuple[str, str, float]]:
    """Yield every limit of every claim: the claim's id, the limit's name, its value."""
    for game in games():
        for row in published.load(game):
            for name, value in row.limits.items():
                yield row.id, name, value


def limit_is_watched(identity: str, name: str, value: float) -> bool:
    """Say whether cases notice that a written limit is a tenth larger, and that it is smaller."""
    game = identity.split("/")[0]
    written = published.limits

    def noticed(other: float) -> bool:
        def limits(asked: str) -> SimpleNamespace:
            found = written(asked)
            if asked == identity:
                setattr(found, name, other)
            return found

        with patch.object(published, "limits", limits):
            return any(_noticed(game, case) for case in tried)

    claim = identity.removeprefix(f"{game}/")
    tried = [case for case in cases(game) if claim in case.holds]
    step = abs(value) * 0.1 or 0.1
    return noticed(value + step) and noticed(value - step)
