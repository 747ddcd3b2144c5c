"""What an experiment is: cells, chunks of games, and the seeds from which they are played.

An experiment has cells (their parameters) and, for each cell, numbered chunks of games. Chunk k of
a cell draws from a seed made of the root seed, the experiment's name, the cell's parameters and k,
so a number depends on nothing else: not on workers, order, interruptions or other cells.

Authors decorate a function with `experiment`. What runs it is in `gamecore.papers.runner`, what
keeps its rows in `gamecore.papers.store`; no change there can change a number.
"""

import difflib
import hashlib
import importlib
import json
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gamecore.kernel import PACKAGE, source_key

Cell = Mapping[str, Any]
Row = dict[str, Any]
#: The root seed of every stored result.
ROOT = 2026
REGISTRY: dict[str, "Experiment"] = {}
_preparing = threading.Lock()
_prepared: tuple["Experiment", Any] | None = None


@dataclass(frozen=True)
class Experiment:
    """One published table or figure (or one question of ours), as code.

    ``play(cell, seed, games, tables)`` plays `games` games of one cell and returns what happened
    as named numbers. It must play them one after the other from one stream, so that fewer games
    give the first outcomes of more. ``prepare()`` makes the read-only tables it needs.

    Examples
    --------
    >>> tried = find("rps/practice")
    >>> len(tried.cells), tried.games, tried.paper, len(tried.pairs("quick"))
    (3, 1000, 50, 15)
    """

    name: str
    play: Callable[[Cell, np.random.SeedSequence, int, Any], Mapping[str, Any]]
    cells: tuple[Cell, ...]
    games: int  # per chunk
    quick: int  # chunks per cell: the first of paper's
    paper: int
    prepare: Callable[[], Any] = lambda: None
    fingerprint: int = 4  # games that are replayed by every test run
    extra: bool = False  # a question of ours, not a table of the paper

    def __post_init__(self):
        if not 0 < self.quick <= self.paper or self.games < 1 or not self.cells:
            raise ValueError(f"{self.name}: needs cells, games and 1 ≤ quick ≤ paper chunks")
        if len({key(cell) for cell in self.cells}) < len(self.cells):
            raise ValueError(f"{self.name}: two cells have the same parameters")

    def __reduce__(self):
        return find, (self.name,)  # a worker elsewhere looks the experiment up by name

    def pairs(self, scale: str) -> list[tuple[Cell, int]]:
        """Return every (cell, chunk) of a scale, ``"quick"`` or ``"paper"``."""
        if scale not in ("quick", "paper"):
            raise ValueError(f"scale must be 'quick' or 'paper', not {scale!r}")
        chunks = self.quick if scale == "quick" else self.paper
        return [(cell, chunk) for cell in self.cells for chunk in range(chunks)]


def experiment(name: str, cells: Iterable[Cell], **settings: Any) -> Callable:
    """Decorate a ``play`` function: register it as the `Experiment` called `name`.

    Parameters
    ----------
    name : str
        The game's name, a slash, and the table's.
    cells : iterable of mappings
        Parameters to try, each a dictionary that JSON can write.
    **settings
        The other fields of `Experiment`: games, quick, paper, prepare, fingerprint, extra.

    Examples
    --------
    >>> @experiment("toy/coin", cells=[{"bias": 0.5}], games=10, quick=1, paper=2)
    ... def coin(cell, seed, games, tables):
    ...     "Heads of a coin."
    ...     return {"heads": np.random.default_rng(seed).binomial(games, cell["bias"])}
    >>> REGISTRY.pop("toy/coin") is coin  # an example must not stay
    True
    """

    def register(play: Callable) -> Experiment:
        REGISTRY[name] = Experiment(name, play, tuple(cells), **settings)
        return REGISTRY[name]

    return register


def games() -> list[str]:
    """Return the games whose papers are replicated.

    Examples
    --------
    >>> "rps" in games()
    True
    """
    return sorted(file.parent.name for file in (PACKAGE / "papers").glob("*/experiments.py"))


def names(game: str | None = None) -> list[str]:
    """Return the names of all experiments, or of one game's.

    Examples
    --------
    >>> names("rps")
    ['rps/practice', 'rps/theory']
    """
    for paper in games() if game is None else [game]:
        for room in ("experiments", "studies"):
            if (PACKAGE / "papers" / paper / f"{room}.py").exists():
                importlib.import_module(f"gamecore.papers.{paper}.{room}")
    return sorted(name for name in REGISTRY if game in (None, name.split("/")[0]))


def find(name: str) -> Experiment:
    """Return the experiment called `name`; a ValueError suggests near misses.

    Examples
    --------
    >>> find("rps/theory").cells
    ({'game': 'rps'},)
    """
    game = name.split("/")[0]
    if name not in REGISTRY and not (game in games() and name in names(game)):
        near = difflib.get_close_matches(name, names(), 3, 0.4)
        hint = f"did you mean {' or '.join(near)}?" if near else "see 'gamecore list'."
        raise ValueError(f"no experiment is called {name!r}: {hint}")
    return REGISTRY[name]


def key(cell: Cell) -> str:
    """Return a cell's parameters as canonical text.

    Examples
    --------
    >>> key({"second": "nash", "first": "rocky"})
    '{"first": "rocky", "second": "nash"}'
    """
    return json.dumps(cell, sort_keys=True, ensure_ascii=False)


def compute(
    experiment: Experiment, cell: Cell, chunk: int, games: int, root: int, tables: Any
) -> Row:
    """Play one chunk and return its row. This is all that a worker does.

    Examples
    --------
    >>> tried = find("rps/practice")
    >>> few, more = (compute(tried, tried.cells[0], 0, games, ROOT, None) for games in (5, 50))
    >>> few["win"] <= more["win"], more["win"] + more["draw"] + more["loss"]
    (True, 50)
    """
    digest = hashlib.sha256(f"{experiment.name}|{key(cell)}".encode()).digest()
    words = np.frombuffer(digest, "<u4").tolist()
    seed = np.random.SeedSequence([root, *words, chunk])
    row = {**cell, "chunk": chunk, "games": games, **experiment.play(cell, seed, games, tables)}
    return {name: value.item() if hasattr(value, "item") else value for name, value in row.items()}


def prepared(experiment: Experiment) -> Any:
    """Return an experiment's tables, made once in a process; those of the last one are kept.

    Examples
    --------
    >>> tried = Experiment("toy/list", dict, ({},), 1, 1, 1, prepare=lambda: [1, 2, 3])
    >>> prepared(tried) is prepared(tried)
    True
    """
    global _prepared
    with _preparing:
        if _prepared is None or _prepared[0] is not experiment:
            _prepared = experiment, experiment.prepare()
        return _prepared[1]


def rehearse(game: str) -> str:
    """Compute the first outcomes of each of a game's experiments, which compiles its kernels.

    Examples
    --------
    >>> rehearse("rps")
    'rps'
    """
    for one in map(find, names(game)):
        tables = one.prepare()
        for cell in (one.cells[0], one.cells[-1]):
            compute(one, cell, 0, one.fingerprint, ROOT, tables)
    return game


def code_of(experiment: Experiment) -> tuple[str, str]:
    """Return the module that decides what an experiment computes, and its `source_key`.

    That is the module of its ``play`` function, with all that it imports; of one that was defined
    elsewhere, as in a notebook, the experiments of the game that it is named after.

    Examples
    --------
    >>> module, code = code_of(find("rps/theory"))
    >>> module, code == source_key(module)
    ('gamecore.papers.rps.experiments', True)
    """
    module, game = experiment.play.__module__, experiment.name.split("/")[0]
    if not module.startswith("gamecore."):
        module = f"{__package__}.{game}.experiments" if game in games() else __name__
    return module, source_key(module)
