"""What is kept of experiments: finished chunks, stored rows, and whether they are still true.

`store` writes the rows of an experiment; `check_fingerprints`, `differences` and `audit` say
whether they are still what code gives.
"""

import csv
import hashlib
import io
import json
import os
import platform
import random
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

import pandas as pd
import platformdirs

from gamecore.papers.experiment import ROOT, Cell, Experiment, Row, code_of, compute, find, key
from gamecore.papers.published import INSTALLED, data_folder


def file_of(experiment: Experiment, suffix: str = ".csv") -> Path:
    """Return where the paper-scale rows (or, ``".json"``, their provenance) are stored.

    Examples
    --------
    >>> file_of(find("rps/theory")).name
    'theory.csv'
    """
    return data_folder() / "results" / f"{experiment.name}{suffix}"


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

    Examples
    --------
    >>> stored("rps/practice").groupby(["first", "second"]).games.sum().tolist()
    [50000, 50000, 50000]
    """
    if not has_stored(name):
        raise FileNotFoundError(f"no stored results: make them with 'gamecore run {name}'")
    with file_of(find(name)).open(encoding="utf-8", newline="") as lines:
        heads, *rows = csv.reader(lines)
    columns = zip(*rows, strict=True)
    return pd.DataFrame({head: _read(texts) for head, texts in zip(heads, columns, strict=True)})


def _read(texts: Sequence[str]) -> Sequence:
    """Return a column as whole numbers, else as numbers, bit for bit, else as it is written."""
    for kind in (int, float):
        with suppress(ValueError):
            return [kind(text) for text in texts]
    return texts


def measured(name: str) -> pd.DataFrame:
    """Return a table of times or sizes that the benchmarks measured, such as ``"growth"``.

    Examples
    --------
    >>> "ratio" in measured("benchmarks")
    True
    """
    return pd.read_csv(data_folder() / f"{name}.csv")


def store(experiment: Experiment, rows: pd.DataFrame) -> None:
    """Write paper-scale rows to ``data/results``, and beside them what they were made with.

    Examples
    --------
    >>> from unittest.mock import patch
    >>> tried = find("rps/theory")
    >>> rows = stored(tried.name)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with patch.dict(os.environ, GAMECORE_DATA=folder):  # not where the real ones are
    ...         store(tried, rows)
    ...         differences(tried, rows)
    []
    """
    if data_folder() == INSTALLED:
        raise ValueError(
            "results that came with an installed gamecore are not overwritten: set GAMECORE_DATA "
            "to a folder of your own (finished chunks are kept)"
        )
    provenance = {
        "experiment": experiment.name,
        "root": ROOT,
        "versions": {name: version(name) for name in ("numba", "numpy")},
        "fingerprints": _lines(fingerprints(experiment)),
    }
    write_file(file_of(experiment), "\n".join(_lines(rows)) + "\n")
    text = json.dumps(provenance, indent=1, ensure_ascii=False)
    write_file(file_of(experiment, ".json"), text + "\n")


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
    if not file_of(experiment, ".json").exists():
        return [f"{experiment.name}: no stored results"]
    stored = json.loads(file_of(experiment, ".json").read_text(encoding="utf-8"))["fingerprints"]
    changed = sorted(set(_lines(fingerprints(experiment))) ^ set(stored))
    return [f"{experiment.name}: fingerprint changed: {line}" for line in changed]


def differences(experiment: Experiment, rows: pd.DataFrame, whole: bool = False) -> list[str]:
    """Return a complaint for each row that is not, bit for bit, among the stored ones.

    Parameters
    ----------
    experiment : Experiment
        Whose rows they are.
    rows : pandas.DataFrame
        What was computed.
    whole : bool
        Whether that is all of it: then a stored row that was not computed is a difference too.

    Examples
    --------
    >>> tried = find("rps/practice")
    >>> rows = stored(tried.name)
    >>> len(differences(tried, rows)), len(differences(tried, rows.assign(win=0)))
    (0, 150)
    >>> len(differences(tried, rows[:149], whole=True))
    1
    """
    if not file_of(experiment).exists():
        return [f"{experiment.name}: no stored results"]
    kept = file_of(experiment).read_text(encoding="utf-8").splitlines()
    lines = _lines(rows)
    known, computed = set(kept), set(lines)
    found = [f"{experiment.name}: not stored: {line}" for line in lines if line not in known]
    gone = [line for line in kept if line not in computed] if whole else []
    return found + [f"{experiment.name}: stored, but not computed: {line}" for line in gone]


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


def chunk_file(experiment: Experiment, cell: Cell, chunk: int, root: int) -> Path:
    """Return where a finished chunk is kept, named by all it depends on, the code included.

    Examples
    --------
    >>> tried = find("rps/theory")
    >>> first, other = (chunk_file(tried, {"game": "rps"}, 0, root) for root in (ROOT, 1))
    >>> first.parent == other.parent, first == other
    (True, False)
    """
    code = code_of(experiment)[1]
    words = f"timed|{code}|{experiment.name}|{key(cell)}|{chunk}|{experiment.games}|{root}"
    digest = hashlib.sha256(words.encode()).hexdigest()
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


def keep_chunk(file: Path, kept: Row) -> None:
    """Write a finished chunk to its file, which ends in its checksum.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     keep_chunk(Path(folder) / "chunk", {"win": 3})
    ...     load_chunk(Path(folder) / "chunk")
    {'win': 3}
    """
    write_file(file, _sealed(json.dumps(kept)))


def load_chunk(file: Path) -> Row | None:
    """Return a finished chunk; None if there is none, or if it is damaged (and say so).

    Examples
    --------
    >>> load_chunk(Path("never-kept")) is None
    True
    """
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
