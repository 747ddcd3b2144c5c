"""What an experiment is; running, resuming, storing and auditing it.

An experiment has cells (their parameters) and, for each cell, numbered chunks of games. Chunk k of
a cell draws from a seed made of the root seed, the experiment's name, the cell's parameters and k,
so a number depends on nothing else: not on workers, order, interruptions or other cells.

Readers call `results`. Authors decorate a function with `experiment`, `run` it and `store` it;
`check_fingerprints`, `differences` and `audit` say whether stored rows are still what code gives.
"""

import csv
import difflib
import hashlib
import importlib
import io
import json
import os
import platform
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from tqdm import tqdm

from gamecore.kernel import PACKAGE, source_key
from gamecore.published import data_folder

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
    judges: list[Callable] = field(default_factory=list)

    def __post_init__(self):
        if not 0 < self.quick <= self.paper or self.games < 1 or not self.cells:
            raise ValueError(f"{self.name}: needs cells, games and 1 ≤ quick ≤ paper chunks")
        if len({key(cell) for cell in self.cells}) < len(self.cells):
            raise ValueError(f"{self.name}: two cells have the same parameters")

    def __reduce__(self):
        return find, (self.name,)  # a worker elsewhere looks the experiment up by name

    def judge(self, function: Callable) -> Callable:
        """Register ``function(results)``, which yields ``(published id, Ours)`` pairs."""
        self.judges.append(function)
        return function

    def pairs(self, scale: str) -> list[tuple[Cell, int]]:
        """Return every (cell, chunk) of a scale, ``"quick"`` or ``"paper"``."""
        if scale not in ("quick", "paper"):
            raise ValueError(f"scale must be 'quick' or 'paper', not {scale!r}")
        chunks = self.quick if scale == "quick" else self.paper
        return [(cell, chunk) for cell in self.cells for chunk in range(chunks)]

    def file(self, suffix: str = ".csv") -> Path:
        """Return where the paper-scale rows (or, ``".json"``, their provenance) are stored."""
        return data_folder() / "results" / f"{self.name}{suffix}"


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
    """Return the games: the sub-packages of gamecore that have experiments.

    Examples
    --------
    >>> "rps" in games()
    True
    """
    return sorted(file.parent.name for file in PACKAGE.glob("*/experiments.py"))


def names(game: str | None = None) -> list[str]:
    """Return the names of all experiments, or of one game's.

    Examples
    --------
    >>> names("rps")
    ['rps/practice', 'rps/theory']
    """
    for module in games() if game is None else [game]:
        importlib.import_module(f"gamecore.{module}.experiments")
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


def _timed(experiment: Experiment, cell: Cell, chunk: int, games: int, root: int) -> Row:
    """Return a chunk as it is kept: its row, and the processor time that it took."""
    tables, start = prepared(experiment), time.thread_time()
    row = compute(experiment, cell, chunk, games, root, tables)
    return {"row": row, "seconds": time.thread_time() - start}


def run(
    experiment: Experiment,
    scale: str = "paper",
    *,
    root: int = ROOT,
    workers: int | None = None,
    executor: Executor | None = None,
) -> pd.DataFrame:
    """Run an experiment, going on from whatever chunks an earlier run finished.

    Parameters
    ----------
    experiment : Experiment
        What to run; see `find`.
    scale : {"quick", "paper"}
        Quick chunks are the first of the paper's, so a quick run repeats stored numbers.
    root : int
        The root seed; stored results have `ROOT`.
    workers : int, optional
        Threads, all cores by default. The numbers do not depend on it.
    executor : concurrent.futures.Executor, optional
        Where chunks are computed instead, for example `gamecore.cluster.connect`'s.

    Returns
    -------
    DataFrame
        One row per chunk; ``attrs["seconds"]`` is the processor time of all of them together.

    Examples
    --------
    >>> rows = run(find("rps/theory"), "quick", workers=1)
    >>> round(float(rows.equilibrium[0]), 3)
    0.333
    """
    if root < 0 or (workers is not None and workers < 1):
        raise ValueError("the seed must not be negative, and workers must be at least 1")
    pairs = experiment.pairs(scale)
    files = [_chunk_file(experiment, cell, chunk, root) for cell, chunk in pairs]
    done = [_load_chunk(file) for file in files]
    missing = sorted((i for i, kept in enumerate(done) if kept is None), key=lambda i: pairs[i][1])
    if missing:
        if executor is None:
            prepared(experiment)  # in the main thread; workers elsewhere make their own
        pool = executor or ThreadPoolExecutor(workers or os.cpu_count())
        bar = tqdm(initial=len(done) - len(missing), total=len(done), desc=experiment.name, delay=1)
        futures = {
            pool.submit(_timed, experiment, *pairs[i], experiment.games, root): i for i in missing
        }

        def keep(future: Future) -> None:
            i = futures[future]
            done[i] = future.result()
            write_file(files[i], _sealed(json.dumps(done[i])))
            del futures[future]
            bar.update()

        try:
            for future in as_completed(list(futures)):
                keep(future)
        except KeyboardInterrupt:
            getattr(pool, "hold", lambda: None)()  # a cluster asks what has begun
            left = [future for future in futures if not future.cancel()]
            print(f"\nfinishing {len(left)} chunks under way …", file=sys.stderr)
            for future in left:
                keep(future)
            raise
        finally:
            bar.close()
            for future in futures:
                future.cancel()
            if executor is None:
                pool.shutdown()
    rows = pd.DataFrame([kept["row"] for kept in done if kept])
    rows.attrs["seconds"] = sum(kept["seconds"] for kept in done if kept)
    return rows


def results(name: str, scale: str = "stored") -> pd.DataFrame:
    """Return an experiment's rows: the stored ones, or computed now at ``quick`` or ``paper``.

    Examples
    --------
    >>> results("rps/practice").groupby(["first", "second"]).games.sum().tolist()
    [50000, 50000, 50000]
    """
    experiment = find(name)
    if scale != "stored":
        return run(experiment, scale)
    if not experiment.file().exists():
        raise FileNotFoundError(f"no stored results: make them with 'gamecore run {name}'")
    return pd.read_csv(experiment.file(), keep_default_na=False)


def store(experiment: Experiment, rows: pd.DataFrame) -> None:
    """Write paper-scale rows to ``data/results``, and beside them what they were made with.

    Examples
    --------
    >>> from unittest.mock import patch
    >>> tried = find("rps/theory")
    >>> rows = results(tried.name)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with patch.dict(os.environ, GAMECORE_DATA=folder):  # not where the real ones are
    ...         store(tried, rows)
    ...         differences(tried, rows)
    []
    """
    provenance = {
        "experiment": experiment.name,
        "root": ROOT,
        "source": source_key(experiment.name.split("/")[0]),
        "versions": {name: version(name) for name in ("numba", "numpy")},
        "fingerprints": _lines(fingerprints(experiment)),
    }
    write_file(experiment.file(), "\n".join(_lines(rows)) + "\n")
    text = json.dumps(provenance, indent=1, ensure_ascii=False)
    write_file(experiment.file(".json"), text + "\n")


def fingerprints(experiment: Experiment) -> pd.DataFrame:
    """Return every cell's first outcomes: cheap to recompute, changed by any change of rules.

    Examples
    --------
    >>> fingerprints(find("rps/practice")).games.tolist()
    [50, 50, 50]
    """
    tables, first = experiment.prepare(), experiment.fingerprint
    rows = [compute(experiment, cell, 0, first, ROOT, tables) for cell in experiment.cells]
    return pd.DataFrame(rows)


def check_fingerprints(experiment: Experiment) -> list[str]:
    """Return a complaint for each cell whose first outcomes are no longer the stored ones.

    Examples
    --------
    >>> check_fingerprints(find("rps/practice"))
    []
    """
    if not experiment.file(".json").exists():
        return [f"{experiment.name}: no stored results"]
    stored = json.loads(experiment.file(".json").read_text(encoding="utf-8"))["fingerprints"]
    changed = sorted(set(_lines(fingerprints(experiment))) ^ set(stored))
    return [f"{experiment.name}: fingerprint changed: {line}" for line in changed]


def differences(experiment: Experiment, rows: pd.DataFrame) -> list[str]:
    """Return a complaint for each row that is not, bit for bit, among the stored ones.

    Examples
    --------
    >>> tried = find("rps/practice")
    >>> rows = results(tried.name)
    >>> len(differences(tried, rows)), len(differences(tried, rows.assign(win=0)))
    (0, 150)
    """
    if not experiment.file().exists():
        return [f"{experiment.name}: no stored results"]
    stored = set(experiment.file().read_text(encoding="utf-8").splitlines())
    return [f"{experiment.name}: not stored: {line}" for line in _lines(rows) if line not in stored]


def audit(experiment: Experiment, chunks: int = 2, seed: int | None = None) -> list[str]:
    """Recompute fingerprints and random whole chunks; return what differs from the stored rows.

    Examples
    --------
    >>> audit(find("rps/practice"), chunks=1)
    []
    """
    tables, pairs = experiment.prepare(), experiment.pairs("paper")
    chosen = random.Random(seed).sample(pairs, min(chunks, len(pairs)))
    size = experiment.games
    rows = [compute(experiment, cell, chunk, size, ROOT, tables) for cell, chunk in chosen]
    return check_fingerprints(experiment) + differences(experiment, pd.DataFrame(rows))


def _lines(rows: pd.DataFrame) -> list[str]:
    """Return rows as lines of CSV; floats are written so that they read back bit for bit."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([rows.columns, *rows.itertuples(index=False)])
    return text.getvalue().splitlines()


def _sealed(text: str) -> str:
    return f"{text}\n{hashlib.sha256(text.encode()).hexdigest()}\n"


def code_of(experiment: Experiment) -> tuple[str, str]:
    """Return the game that an experiment belongs to ("" if none), and its `source_key`.

    Examples
    --------
    >>> code_of(find("rps/theory")) == ("rps", source_key("rps"))
    True
    """
    game = experiment.name.split("/")[0]
    game = game if game in games() else ""
    return game, source_key(game)


def _chunk_file(experiment: Experiment, cell: Cell, chunk: int, root: int) -> Path:
    """Return where a finished chunk is kept, named by all it depends on, the code included."""
    code = code_of(experiment)[1]
    words = f"timed|{code}|{experiment.name}|{key(cell)}|{chunk}|{experiment.games}|{root}"
    digest = hashlib.sha256(words.encode()).hexdigest()
    folder = os.environ.get("GAMECORE_RUNS") or data_folder().parent / ".runs"
    return Path(folder) / experiment.name / f"{digest[:32]}.json"


def _load_chunk(file: Path) -> Row | None:
    """Return a finished chunk; None if there is none, or if it is damaged (and say so)."""
    if not file.exists():
        return None
    content = file.read_text(encoding="utf-8", errors="replace")
    text = content.partition("\n")[0]
    if content == _sealed(text):
        return json.loads(text)
    print(f"damaged chunk file, computed again: {file}", file=sys.stderr)
    return None


def machine() -> str:
    """Return what this machine is, for reports of times.

    Examples
    --------
    >>> f"Python {platform.python_version()}" in machine()
    True
    """
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    name = models[0] if models else platform.processor() or platform.machine()
    return f"{name}, {os.cpu_count()} cores, Python {platform.python_version()}"


def write_file(file: Path, text: str) -> None:
    """Write a file whole or not at all: a temporary file first, then one atomic rename.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_file(Path(folder) / "new" / "note.txt", "kept")
    ...     (Path(folder) / "new" / "note.txt").read_text()
    'kept'
    """
    temporary = None
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=".tmp-")
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
        os.chmod(temporary, 0o644)  # mkstemp's files are private
        os.replace(temporary, file)
    except BaseException as error:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise OSError(f"cannot write {file}: {error.strerror or error}") from error
        raise
