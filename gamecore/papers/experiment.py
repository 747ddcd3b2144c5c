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
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from gamecore import check
from gamecore.kernel import PACKAGE, source_file, source_key

Cell = Mapping[str, Any]
Row = dict[str, Any]
#: The root seed of every stored result.
ROOT = 2026
REGISTRY: dict[str, "Experiment"] = {}
_PLAIN = int | float | str
_preparing = threading.Lock()
_prepared: tuple["Experiment", Any] | None = None


@dataclass(frozen=True)
class Experiment:
    """One published table or figure (or one question of ours), as code.

    ``play(cell, seed, games, tables)`` plays `games` games of one cell and returns what happened
    as named numbers. It must play them one after the other from one stream, so that fewer games
    give the first outcomes of more. ``prepare()`` makes the read-only tables it needs.

    Attributes
    ----------
    name : str
        The game and the table, such as ``rps/practice``.
    play : typing.Callable
        Plays a chunk.
    cells : tuple of dict
        The parameters of each cell of the table.
    games : int
        How many games a chunk has.
    quick : int
        How many chunks a cell has at the quick scale: the first of the paper's.
    paper : int
        How many at the paper's scale.
    prepare : typing.Callable
        Makes the tables.
    fingerprint : int
        How many games of a chunk every run of the tests plays again.
    extra : bool
        Whether it is a question of ours and no table of the paper.

    Examples
    --------
    >>> tried = find("rps/practice")
    >>> len(tried.cells), tried.games, tried.paper, len(tried.pairs("quick"))
    (3, 1000, 50, 15)
    """

    name: str
    play: Callable[[Cell, np.random.SeedSequence, int, Any], Mapping[str, Any]]
    cells: tuple[Cell, ...]
    games: int
    quick: int
    paper: int
    prepare: Callable[[], Any] = lambda: None
    fingerprint: int = 4
    extra: bool = False

    def __post_init__(self):
        check.text(self.name, "an experiment's name")
        check.function(self.play, f"{self.name}: play")
        check.function(self.prepare, f"{self.name}: prepare")
        for field in ("games", "paper", "fingerprint"):
            check.whole(getattr(self, field), f"{self.name}: {field}", 1)
        check.whole(self.quick, f"{self.name}: quick", 1, self.paper)
        cells = check.listed(self.cells, f"{self.name}: cells")
        if len({tuple(check.instance(cell, f"{self.name}: a cell", dict)) for cell in cells}) != 1:
            raise ValueError(f"{self.name}: needs cells, all with the same parameters")
        if len({key(cell) for cell in self.cells}) < len(self.cells):
            raise ValueError(f"{self.name}: two cells are the same")

    def __reduce__(self):
        return find, (self.name,)  # a worker elsewhere looks the experiment up by name

    def pairs(self, scale: str) -> list[tuple[Cell, int]]:
        """Return every (cell, chunk) of a scale, ``"quick"`` or ``"paper"``."""
        check.one_of(scale, "scale", ("quick", "paper"))
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
    for paper in games() if game is None else [check.one_of(game, "game", games())]:
        for pattern in ("experiments.py", "studies.py", "beyond*.py"):
            for room in sorted((PACKAGE / "papers" / paper).glob(pattern)):
                importlib.import_module(f"gamecore.papers.{paper}.{room.stem}")
    return sorted(name for name in REGISTRY if game in (None, name.split("/")[0]))


def find(name: str) -> Experiment:
    """Return the experiment called `name`; a ValueError suggests near misses.

    Examples
    --------
    >>> find("rps/theory").cells
    ({'game': 'rps'},)
    """
    game = check.text(name, "an experiment's name").split("/")[0]
    if name not in REGISTRY and not (game in games() and name in names(game)):
        near = difflib.get_close_matches(name, names(), 3, 0.4)
        hint = f"did you mean {' or '.join(near)}?" if near else "see 'gamecore list'."
        raise ValueError(f"no experiment is called {check.short(name)}: {hint}")
    return REGISTRY[name]


def key(cell: Cell) -> str:
    """Return a cell's parameters as canonical text.

    Examples
    --------
    >>> key({"second": "nash", "first": "rocky"})
    '{"first": "rocky", "second": "nash"}'
    """
    return as_json(
        check.instance(cell, "a cell", dict), "a cell", sort_keys=True, ensure_ascii=False
    )


def as_json(value: Any, name: str, **options: bool) -> str:
    """Return a value as JSON's text, or raise a ValueError that names it.

    Examples
    --------
    >>> as_json({1, 2}, "a set")
    Traceback (most recent call last):
    ...
    ValueError: JSON must be able to write a set, not {1, 2}
    """
    flags: dict[str, Any] = {each: check.flag(options[each], each) for each in options}
    try:
        return json.dumps(value, **flags)
    except (TypeError, ValueError, RecursionError):
        raise ValueError(f"JSON must be able to write {name}, not {check.short(value)}") from None


def words_of(experiment: Experiment, cell: Cell) -> list[int]:
    """Return the eight words of a cell's hash, of which every chunk's seed is made.

    Examples
    --------
    >>> tried = find("rps/practice")
    >>> len(words_of(tried, tried.cells[0]))
    8
    """
    check.instance(experiment, "experiment", Experiment)
    if set(check.instance(cell, "a cell", dict)) != set(experiment.cells[0]):
        raise ValueError(f"a cell of {experiment.name} has {', '.join(experiment.cells[0])}")
    digest = hashlib.sha256(f"{experiment.name}|{key(cell)}".encode()).digest()
    return np.frombuffer(digest, "<u4").tolist()


def seed_of(
    experiment: Experiment, cell: Cell, chunk: int, root: int = ROOT
) -> np.random.SeedSequence:
    """Return the seed that a chunk of a cell is played with.

    Examples
    --------
    >>> tried = find("rps/practice")
    >>> seed_of(tried, tried.cells[0], 7).entropy[0::9]
    [2026, 7]
    """
    words = words_of(experiment, cell)
    chunk, root = (
        check.whole(chunk, "chunk", 0, 2**32 - 1), check.whole(root, "root", 0, 2**63 - 1)
    )  # fmt: skip
    return np.random.SeedSequence([root, *words, chunk])


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
    seed, games = seed_of(experiment, cell, chunk, root), check.whole(games, "games", 1)
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
    check.instance(experiment, "experiment", Experiment)
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
    """Return the module that decides what an experiment computes, and a hash of all its code.

    That is the `source_key` of the modules of its functions and of this one, which derives seeds.
    Functions that are in no file, as in a notebook, are hashed as they were compiled, together with
    what they call there; the experiments of the game that they are named after count too.

    Examples
    --------
    >>> module, code = code_of(find("rps/theory"))
    >>> module, code == source_key(module)
    ('gamecore.papers.rps.experiments', True)
    """
    check.instance(experiment, "experiment", Experiment)
    functions = experiment.play, experiment.prepare
    module, game = experiment.play.__module__, experiment.name.split("/")[0]
    if source_file(module) is None:
        module = f"{__package__}.{game}.experiments" if game in games() else __name__
    homes = {module, __name__}
    seen: dict[str, str] = {}
    for function in functions:
        if source_file(function.__module__):
            homes.add(function.__module__)
        else:
            _typed(function, seen)
    code = source_key(*sorted(homes))
    if seen:
        code = hashlib.sha256(f"{code}{sorted(seen.items())}".encode()).hexdigest()[:16]
    return module, code


def _typed(function: Callable, seen: dict[str, str]) -> None:
    """Note the compiled code of a function that is in no file, and of those that it calls."""
    function = getattr(function, "py_func", function)  # a kernel's
    if not isinstance(function, FunctionType) or function.__qualname__ in seen:
        return
    defaults = [value for value in function.__defaults__ or () if isinstance(value, _PLAIN)]
    seen[function.__qualname__] = f"{_plain(function.__code__)}{defaults}"
    for name in sorted(_names(function.__code__)):
        value = function.__globals__.get(name)
        if getattr(value, "__module__", None) == function.__module__ and callable(value):
            _typed(value, seen)
        elif isinstance(value, _PLAIN):
            seen[name] = repr(value)


def _plain(value: Any) -> str:
    """Return a constant of compiled code as text that is the same in every process."""
    if isinstance(value, CodeType):
        inner = [_plain(constant) for constant in value.co_consts]
        return f"{value.co_code.hex()} {value.co_names} {inner}"
    return str(sorted(map(repr, value))) if isinstance(value, frozenset) else repr(value)


def _names(code: CodeType) -> set[str]:
    """Return what compiled code may take from its module, inner functions included."""
    inner = [_names(constant) for constant in code.co_consts if isinstance(constant, CodeType)]
    return set(code.co_names).union(*inner)
