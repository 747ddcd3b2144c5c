"""What is kept of experiments: finished chunks, stored rows, and whether they are still true.

`store` writes the rows of an experiment; `damage` says whether they are all there and untouched,
`check_fingerprints`, `differences` and `audit` whether they are still what code gives.
"""

import csv
import functools
import hashlib
import io
import json
import os
import platform
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

import pandas as pd
import platformdirs

from gamecore import check
from gamecore.kernel import NUMERICAL, PACKAGE
from gamecore.papers.experiment import (
    ROOT,
    Cell,
    Experiment,
    Row,
    as_json,
    code_of,
    compute,
    find,
    key,
    names,
)
from gamecore.papers.files import tidy, write_file
from gamecore.papers.published import INSTALLED, data_folder


def file_of(experiment: Experiment, suffix: str = ".csv") -> Path:
    """Return where the paper-scale rows (or, ``".json"``, their provenance) are stored.

    Examples
    --------
    >>> file_of(find("rps/theory")).name
    'theory.csv'
    """
    check.instance(experiment, "experiment", Experiment)
    return data_folder() / "results" / f"{experiment.name}{check.text(suffix, 'suffix')}"


def has_stored(name: str) -> bool:
    """Return whether an experiment has been run at the paper's scale and its rows stored.

    Examples
    --------
    >>> has_stored("rps/theory")
    True
    """
    return file_of(find(name)).exists()


def stored(name: str) -> pd.DataFrame:
    """Return an experiment's stored rows.

    Raises
    ------
    FileNotFoundError
        If it has not been run at the paper's scale.
    ValueError
        If the file or its provenance is damaged, or was changed since it was stored.

    Examples
    --------
    >>> stored("rps/practice").groupby(["first", "second"]).games.sum().tolist()
    [50000, 50000, 50000]
    """
    experiment = find(name)
    lines = _kept(experiment)[0]
    try:
        heads, *rows = csv.reader(lines, strict=True)
        columns = zip(*rows, strict=True)
        return pd.DataFrame({h: _read(texts) for h, texts in zip(heads, columns, strict=True)})
    except (ValueError, csv.Error) as error:
        raise ValueError(f"damaged file {file_of(experiment)}: {error}") from error


def _kept(experiment: Experiment) -> tuple[list[str], dict]:
    """Return the lines of an experiment's file and its provenance, or say what is wrong."""
    table, about = file_of(experiment), file_of(experiment, ".json")
    again = f"'gamecore run {experiment.name}' makes it anew"
    for file in (table, about):
        if not file.exists():
            raise FileNotFoundError(f"no stored results in {file}: {again}")
    try:
        provenance = json.loads(about.read_bytes())
        sealed, _ = provenance["sha256"], list(provenance["fingerprints"])
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"damaged provenance file {about} ({error!r}): {again}") from error
    content = table.read_bytes()
    if sealed != hashlib.sha256(content).hexdigest():
        raise ValueError(f"damaged file {table} (its sha256 is not {about.name}'s): {again}")
    try:
        return content.decode("utf-8").splitlines(), provenance
    except UnicodeDecodeError as error:
        raise ValueError(f"damaged file {table} ({error}): {again}") from error


def _read(texts: Sequence[str]) -> Sequence:
    """Return a column as whole numbers, else as numbers, bit for bit, else as it is written."""
    for kind in (int, float):
        with suppress(ValueError):
            return [kind(text) for text in texts]
    return texts


def measured(name: str, *columns: str) -> pd.DataFrame:
    """Return a table of times or sizes that the benchmarks measured, such as ``"growth"``.

    Columns that are named must be in it.

    Examples
    --------
    >>> "ratio" in measured("benchmarks")
    True
    """
    there = sorted(file.stem for file in data_folder().glob("*.csv"))
    file = data_folder() / f"{check.one_of(name, 'name', there)}.csv"
    named = [check.text(column, "the name of a column") for column in columns]
    try:
        table = pd.read_csv(file)
        table[named]  # a KeyError without them
        return table
    except (ValueError, KeyError, TypeError) as error:  # pandas' own kinds are ValueErrors
        raise ValueError(f"damaged file {file}: {error}") from error


def store(experiment: Experiment, rows: pd.DataFrame) -> None:
    """Write paper-scale rows to ``data/results``, and beside them their provenance.

    That is the sha256 of the file, what rows were computed with (commit, key of the code, versions,
    machines) and fingerprints, from which staleness is noticed.

    Examples
    --------
    >>> from unittest.mock import patch
    >>> tried = find("rps/theory")
    >>> rows = stored(tried.name)
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with patch.dict(os.environ, GAMECORE_DATA=folder):  # not where the real ones are
    ...         store(tried, rows)
    ...         differences(tried, rows)
    []
    """
    check.instance(experiment, "experiment", Experiment)
    check.instance(rows, "rows", pd.DataFrame)
    if data_folder() == INSTALLED:
        raise ValueError(
            "results that came with an installed gamecore are not overwritten: set GAMECORE_DATA "
            "to a folder of your own (finished chunks are kept)"
        )
    text = "\n".join(_lines(rows)) + "\n"
    provenance = {
        "experiment": experiment.name,
        "root": ROOT,
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
        "commit": commit(),
        "code": code_of(experiment)[1],
        "versions": {"python": platform.python_version(), **{p: version(p) for p in NUMERICAL}},
        "machines": rows.attrs.get("machines", [machine()]),
        "fingerprints": _lines(fingerprints(experiment)),
    }
    # A run that dies between the two leaves a file with another sha256, which is noticed.
    tidy(file_of(experiment).parent)
    write_file(file_of(experiment), text)
    about = json.dumps(provenance, indent=1, ensure_ascii=False)
    write_file(file_of(experiment, ".json"), about + "\n")


def commit() -> str:
    """Return the commit of the checkout that runs, and whether the package was changed since.

    Examples
    --------
    >>> commit() == "unknown" or len(commit().split()[0]) >= 40
    True
    """
    git = ["git", "-C", str(PACKAGE.parent)]
    try:
        asked = [[*git, "rev-parse", "HEAD"], [*git, "status", "--porcelain", "--", PACKAGE.name]]
        head, changes = (subprocess.check_output(c, stderr=subprocess.DEVNULL) for c in asked)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return head.decode().strip() + (" with changes" if changes else "")


def fingerprints(experiment: Experiment) -> pd.DataFrame:
    """Return every cell's first outcomes: cheap to recompute, changed by any change of rules.

    Examples
    --------
    >>> fingerprints(find("rps/practice")).games.tolist()
    [50, 50, 50]
    """
    check.instance(experiment, "experiment", Experiment)
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
    check.instance(experiment, "experiment", Experiment)
    try:
        stored = _kept(experiment)[1]["fingerprints"]
    except (OSError, ValueError) as error:
        return [f"{experiment.name}: {error}"]
    changed = sorted(set(_lines(fingerprints(experiment))) ^ set(stored))
    return [f"{experiment.name}: fingerprint changed: {line}" for line in changed]


def damage(experiment: Experiment) -> list[str]:
    """Return what is wrong with an experiment's stored rows, without computing any.

    Each chunk of each cell must be there once, with its number of games, and nothing else; the file
    must be the one that its provenance was written for.

    Examples
    --------
    >>> damage(find("rps/practice"))
    []
    """
    check.instance(experiment, "experiment", Experiment)
    try:
        lines, _ = _kept(experiment)
    except (OSError, ValueError) as error:
        return [f"{experiment.name}: {error}"]
    games = experiment.games
    asked = [{**cell, "chunk": c, "games": games} for cell, c in experiment.pairs("paper")]
    wanted = _begun(_lines(pd.DataFrame(asked)), len(asked[0]))
    there = _begun(lines, len(asked[0]))
    return _both_ways(experiment, Counter(wanted), Counter(there), "missing", "not asked for")


def strays(game: str | None = None) -> list[str]:
    """Return a complaint for each stored file that belongs to no experiment (of a game).

    Examples
    --------
    >>> strays("rps")
    []
    """
    folder = data_folder() / "results"
    known = {file_of(find(name), end) for name in names(game) for end in (".csv", ".json")}
    files = (file for file in folder.glob(f"{game or '*'}/[!.]*") if file not in known)
    return [f"{file} belongs to no experiment" for file in sorted(files)]


def differences(experiment: Experiment, rows: pd.DataFrame) -> list[str]:
    """Return what is wrong with stored rows, and where they and these are not the same.

    Rows of the same cells and chunks are compared both ways, bit for bit: each must be stored, and
    each that is stored must be among them, once.

    Parameters
    ----------
    experiment : Experiment
        Whose rows they are.
    rows : pandas.DataFrame
        What was computed: all of it, or some cells and chunks.

    Examples
    --------
    >>> tried = find("rps/practice")
    >>> rows = stored(tried.name)
    >>> len(differences(tried, rows)), len(differences(tried, rows.assign(win=0)[:5]))
    (0, 10)
    """
    found = damage(experiment)
    check.instance(rows, "rows", pd.DataFrame)
    if not has_stored(experiment.name):
        return found
    kept = file_of(experiment).read_text(encoding="utf-8", errors="replace").splitlines()
    width = len(experiment.cells[0]) + 1
    computed = _lines(rows)
    asked = set(_begun(computed, width))  # the header too, which must be the same
    there = [line for line, begun in zip(kept, _begun(kept, width), strict=True) if begun in asked]
    words = "not stored", "stored, but not computed"
    return found + _both_ways(experiment, Counter(computed), Counter(there), *words)


def _begun(lines: list[str], width: int) -> list[tuple[str, ...]]:
    """Return the first fields of each line, which name its cell and chunk."""
    return [tuple(next(csv.reader([line]), ())[:width]) for line in lines]


def _both_ways(
    experiment: Experiment, ours: Counter, theirs: Counter, lost: str, extra: str
) -> list[str]:
    """Return a complaint for each thing that one side has oftener than the other."""
    found = [(lost, thing) for thing in (ours - theirs).elements()]
    found += [(extra, thing) for thing in (theirs - ours).elements()]
    texts = ((why, thing if isinstance(thing, str) else ",".join(thing)) for why, thing in found)
    return [f"{experiment.name}: {why}: {text}" for why, text in texts]


def audit(
    experiment: Experiment, chunks: int = 2, seed: int | None = None
) -> tuple[int, list[str]]:
    """Recompute fingerprints and random whole chunks; return how many, and what differs.

    Examples
    --------
    >>> audit(find("rps/practice"), chunks=1)
    (1, [])
    """
    check.whole(chunks, "chunks", 1)
    check.instance(experiment, "experiment", Experiment)
    if seed is not None:
        check.whole(seed, "seed", 0, 2**63 - 1)
    if not has_stored(experiment.name):
        return 0, damage(experiment)
    tables, pairs = experiment.prepare(), experiment.pairs("paper")
    chosen = random.Random(seed).sample(pairs, min(chunks, len(pairs)))
    size = experiment.games
    rows = [compute(experiment, cell, chunk, size, ROOT, tables) for cell, chunk in chosen]
    found = check_fingerprints(experiment) + differences(experiment, pd.DataFrame(rows))
    return len(rows), list(dict.fromkeys(found))  # a damaged file is noticed by both


def _lines(rows: pd.DataFrame) -> list[str]:
    """Return rows as lines of CSV; floats are written so that they read back bit for bit."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([rows.columns, *rows.itertuples(index=False)])
    return text.getvalue().splitlines()


def _words(experiment: Experiment, cell: Cell, chunk: int, root: int) -> str:
    """Return all that a chunk's row depends on, as text: the code too."""
    code = code_of(experiment)[1]
    check.whole(chunk, "chunk", 0, 2**32 - 1)
    check.whole(root, "root", 0, 2**63 - 1)
    return f"{experiment.name}|{key(cell)}|{chunk}|{experiment.games}|{root}|{code}"


def _sealed(words: str, text: str) -> str:
    """Return a chunk's text with its seal, which binds it to what it is."""
    return f"{text}\n{hashlib.sha256(f'{words}|{text}'.encode()).hexdigest()}\n"


def chunk_file(experiment: Experiment, cell: Cell, chunk: int, root: int) -> Path:
    """Return where a finished chunk is kept, named by all it depends on, the code included.

    Examples
    --------
    >>> tried = find("rps/theory")
    >>> first, other = (chunk_file(tried, {"game": "rps"}, 0, root) for root in (ROOT, 1))
    >>> first.parent == other.parent, first == other
    (True, False)
    """
    digest = hashlib.sha256(_words(experiment, cell, chunk, root).encode()).hexdigest()
    return runs_folder() / experiment.name / f"{digest[:32]}.json"


def runs_folder() -> Path:
    """Return where finished chunks are kept: ``GAMECORE_RUNS``, or ``.runs`` beside the data.

    Beside data that came with an installed gamecore nothing is written: then it is a folder of the
    user's own.

    Examples
    --------
    >>> from unittest.mock import patch
    >>> with patch.dict(os.environ, GAMECORE_RUNS="elsewhere"):
    ...     print(runs_folder())
    elsewhere
    """
    if chosen := os.environ.get("GAMECORE_RUNS"):
        return Path(chosen)
    if data_folder() == INSTALLED:
        return Path(platformdirs.user_data_dir("gamecore", appauthor=False)) / "runs"
    return data_folder().parent / ".runs"


def keep_chunk(experiment: Experiment, cell: Cell, chunk: int, root: int, kept: Row) -> None:
    """Write a finished chunk (``row``, ``seconds``, ``machine``) to its file, and seal it.

    Examples
    --------
    >>> from unittest.mock import patch
    >>> tried, row = find("rps/theory"), {"game": "rps", "chunk": 0, "games": 1, "value": 0.0}
    >>> one = tried, tried.cells[0], 0, ROOT
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with patch.dict(os.environ, GAMECORE_RUNS=folder):
    ...         keep_chunk(*one, {"row": row, "seconds": 0.1, "machine": "mine"})
    ...         load_chunk(*one)["row"] == row
    True
    """
    text = _sealed(_words(experiment, cell, chunk, root), as_json(kept, "a chunk"))
    write_file(chunk_file(experiment, cell, chunk, root), text)


def load_chunk(experiment: Experiment, cell: Cell, chunk: int, root: int) -> Row | None:
    """Return a finished chunk; None if there is none, or if it is damaged (and say so).

    A file that holds another chunk is damaged: its seal says whose it is, and its row must too.

    Examples
    --------
    >>> load_chunk(find("rps/theory"), {"game": "rps"}, 0, root=10**9) is None
    True
    """
    file = chunk_file(experiment, cell, chunk, root)
    if not file.exists():
        return None
    content = file.read_text(encoding="utf-8", errors="replace")
    text = content.partition("\n")[0]
    if content == _sealed(_words(experiment, cell, chunk, root), text):
        named = {**cell, "chunk": chunk, "games": experiment.games}
        with suppress(ValueError, TypeError, KeyError, AttributeError):  # of another shape
            kept = json.loads(text)
            float(kept["seconds"]), str(kept["machine"])
            if json.loads(json.dumps(named)).items() <= kept["row"].items():
                return kept
    print(f"damaged chunk file, computed again: {file}", file=sys.stderr)
    return None


@functools.cache
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
