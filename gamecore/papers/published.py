"""The papers' numbers and claims: ``data/published/*.csv``, loaded and checked.

Nothing that a paper prints is typed anywhere else; whoever needs it calls `load`.
"""

import csv
import os
import re
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

from gamecore import check
from gamecore.kernel import PACKAGE

#: The data that comes with an installed gamecore; a checkout has it beside the package.
INSTALLED = PACKAGE / "data"
#: What a row can be; `gamecore.papers.stats.verdict` judges each in its own way.
KINDS = ("exact", "proportion", "mean", "multinomial", "claim", "redrawn")
#: Why a row is shown with its verdict but counted nowhere.
APART = {
    "derived": "follows from other rows",
    "definition": "cannot fail",
    "cited": "quoted by the paper from elsewhere",
    "guessed": "a grid of ours; the paper may not have printed it",
}
#: What a row that was added to the count had been.
UNCOUNTED = "not counted"


class Published(NamedTuple):
    """One number or claim as a paper prints it.

    Attributes
    ----------
    id : str
        Its name here, which begins with the game's, such as ``rps/theory/value``.
    paper : str
        The game's name.
    locator : str
        Where in the paper it stands, such as ``table 4``.
    row : str
        The label of its row there.
    column : str
        The label of its column.
    kind : str
        One of `KINDS`.
    value : float or None
        The number; None for a claim, or a value that only an image showed.
    digits : int
        How many decimals are printed.
    n : int or None
        The paper's sample size, if it is sampled; the note says if it is not printed.
    sample : str
        The paper's games behind it; numbers from the same games are one comparison.
    apart : str
        Why it is counted nowhere, one of `APART`; empty for a row that counts.
    fitted_by : str
        The decision of ours that was chosen to fit it, if any.
    test : str
        What on our data makes a claim hold or fail.
    was : str
        The verdict before its test or its place in the count was revised, if it was.
    revision : str
        Why it was revised, with the results known.
    note : str
        Remarks.
    words : str
        The paper's own sentence behind a claim, in Japanese.
    would_change : str
        What would change the verdict of a claim that misses.
    limits : dict
        The thresholds of a claim's test, which the file marks among its words as
        ``{name=0.5}``.

    Examples
    --------
    >>> row = load("rps")[0]
    >>> row.id, row.kind
    ('rps/theory/value', 'exact')
    """

    id: str
    paper: str
    locator: str
    row: str
    column: str
    kind: str
    value: float | None
    digits: int
    n: int | None
    sample: str
    apart: str
    fitted_by: str
    test: str
    was: str
    revision: str
    note: str
    words: str
    would_change: str
    limits: dict[str, float] = {}  # noqa: RUF012 (never changed)


#: The columns of the files.
COLUMNS = Published._fields[:-1]
_LIMIT = re.compile(r"\{(\w+)=([^{}]+)\}")
#: Numbers that a test writes in letters.
_WORDS = {
    "none": 0.0,
    "no": 0.0,
    "negative": 0.0,
    "half": 0.5,
    "once": 1.0,
    "two": 2.0,
    "three": 3.0,
}


def data_folder() -> Path:
    """Return the folder of ``published/``, what papers print, and ``results/``, what we measured.

    It is ``GAMECORE_DATA`` if that is set, else what came with an installed gamecore, else ``data``
    in the checkout.

    Examples
    --------
    >>> (data_folder() / "published" / "rps.csv").exists()
    True
    """
    if chosen := os.environ.get("GAMECORE_DATA"):
        return Path(chosen)
    return INSTALLED if INSTALLED.is_dir() else PACKAGE.parent / "data"


def papers() -> list[str]:
    """Return the names of the papers that have published rows, sorted.

    Examples
    --------
    >>> "geister" in papers()
    True
    """
    folder = data_folder() / "published"
    if not folder.is_dir():
        raise FileNotFoundError(f"no data folder {folder}: GAMECORE_DATA must name one with it")
    return sorted(file.stem for file in folder.glob("*.csv"))


def load(paper: str | None = None) -> list[Published]:
    """Return the published rows of one paper, or of all.

    Parameters
    ----------
    paper : str, optional
        A game's name, as in ``data/published/<paper>.csv``.

    Raises
    ------
    ValueError
        If a row is malformed; the message names file and line.

    Examples
    --------
    >>> load("rps")[0].locator
    'theory'
    """
    if paper is not None and (not isinstance(paper, str) or paper not in papers()):
        there = ", ".join(papers())
        raise ValueError(f"no published numbers for {check.short(paper)}: there are {there}")
    files = [data_folder() / "published" / f"{name}.csv" for name in papers()]
    wanted = [file for file in files if paper in (None, file.stem)]
    return [row for file in wanted for row in _rows(file, file.stat().st_mtime_ns)]


@cache
def _rows(file: Path, stamp: int) -> tuple[Published, ...]:
    """Return the rows of a file, read once while it does not change; `stamp` says since when."""
    rows: list[Published] = []
    seen: dict[str, str] = {}
    try:
        with file.open(encoding="utf-8", newline="") as lines:
            reader = csv.DictReader(lines, strict=True)
            if tuple(reader.fieldnames or ()) != COLUMNS:
                raise ValueError(f"{file}:1: the header must be {','.join(COLUMNS)}")
            for record in reader:
                place = f"{file}:{reader.line_num}"
                row = _parse(record, file.stem, place)
                if row.id in seen:
                    raise ValueError(f"{place}: id {row.id!r} was used before, at {seen[row.id]}")
                seen[row.id] = place
                rows.append(row)
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"damaged file {file}: {error}") from error
    return tuple(rows)


def _parse(record: dict, paper: str, place: str) -> Published:
    """Turn one CSV record into a `Published`, or raise a ValueError that names its place."""

    def fail(why: str) -> None:
        raise ValueError(f"{place}: {why}")

    if None in record or None in record.values():
        fail(f"expected {len(COLUMNS)} fields")
    text = {key: value.strip() for key, value in record.items()}
    kind = text["kind"]
    if kind not in KINDS:
        fail(f"unknown kind {kind!r}: allowed are {', '.join(KINDS)}")
    if not text["id"].startswith(f"{paper}/") or text["paper"] != paper:
        fail(f"id and paper must both name {paper!r}")
    if not text["locator"]:
        fail("the locator is missing: say where in the paper this stands")
    if kind == "claim" and not text["test"]:
        fail("a claim needs its test: what on our data would make it hold or fail")
    numeric = kind not in ("claim", "redrawn")
    if numeric != bool(text["value"]) or numeric != bool(text["digits"]):
        fail(f"a row of kind {kind!r} {'needs' if numeric else 'has no'} value and digits")
    try:
        value = float(text["value"]) if numeric else None
        digits = int(text["digits"]) if numeric else 0
        n = int(text["n"]) if text["n"] else None
    except ValueError as error:
        fail(f"not a number: {error}")
    if text["apart"] and text["apart"] not in APART:
        fail(f"unknown word {text['apart']!r} in apart: allowed are {', '.join(APART)}")
    if bool(text["was"]) != bool(text["revision"]):
        fail("a revised row says both what its verdict was and why it was revised")
    if (n is not None and n < 1) or digits < 0:
        fail("n must be positive and digits not negative")
    limits = {}
    for name, written in _LIMIT.findall(text["test"]):
        try:
            limits[name] = _WORDS[written] if written in _WORDS else _number(written)
        except ValueError:
            fail(f"the limit {name} of the test is no number: {written!r}")
    text["test"] = _LIMIT.sub(r"\2", text["test"])
    if "{" in text["test"] or "}" in text["test"]:
        fail("a limit in a test is written as {name=0.5}")
    parsed = {"value": value, "digits": digits, "n": n, "limits": limits}
    return Published(**{**text, **parsed})


def _number(written: str) -> float:
    """Return the number meant by ``20,000``, ``0.30``, ``1e-12``, ``−0.5`` or ``90 %``."""
    plain = written.replace(",", "").replace("−", "-")
    return float(plain.removesuffix("%")) / 100 if plain.endswith("%") else float(plain)


def limits(identity: str) -> SimpleNamespace:
    """Return the thresholds of a claim's test, as its words in ``data/published`` have them.

    Judges take them from here: what is tested is what is written.

    Examples
    --------
    >>> limits("rps/claim/copycat-beats-rocky").least
    0.5
    """
    rows = {row.id: row for row in load(check.text(identity, "identity").split("/")[0])}
    if identity not in rows or rows[identity].kind != "claim":
        raise ValueError(f"no claim is called {identity!r}")
    return SimpleNamespace(**rows[identity].limits)
