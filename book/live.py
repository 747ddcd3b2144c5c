"""What the page that computes needs beside its modules: stored rows, and tables about itself."""

import csv
import functools
import gzip
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from gamecore.papers import scoreboard
from gamecore.papers.experiment import find, names
from gamecore.papers.markup import Html, cell, head, table
from gamecore.papers.published import data_folder, load
from gamecore.papers.store import file_of

FOLDER = Path(__file__).parent / "_static" / "live"
#: Seconds, beyond which a panel offers a chunk's first games before the whole of it.
LONG = 20
#: What a kernel asks for if chance is in it: the generator, or what it is seeded with.
CHANCE = frozenset({"s", "words"})
#: Kinds of published numbers that were sampled.
SAMPLED = ("proportion", "mean", "multinomial")
#: Why experiments are not, or not all, in the page.
_WHY = {
    "the observer counts votes by NumPy, around the kernel":
        ["daifugo/watched", "daifugo/watched-early"],
    "beliefs and responses are kept by Python, around the kernels of the search":
        [f"geister/{name}" for name in ("habits", "liars", "mirror", "past-moves", "response")],
    "small games are solved by NumPy and linear programs, around the kernels":
        ["geister/best-response", "geister/bluff"],
    "with open colours it is table 6.1's solver on another board": ["geister/section-4.2"],
    "minutes a chunk; the same sweeps as in goofspiel/six-cards": ["goofspiel/doublings"],
    "more memory than a page may take: 4,909,473 states": ["goofspiel/seven"],
    "networks are fitted by kernels that the page does not have": [
        f"goofspiel/{name}"
        for name in ("hidden", "hidden-four", "learnt", "learnt-four", "learnt-longer")
    ],
    "counts by NumPy and a hash over the tree: nothing is sampled": ["goofspiel/partitions"],
    "tables of habits, which take half a minute and 300 MB to make, come first": [
        f"pokemon/{name}"
        for name in ("feigning", "reading", "reading-steady", "replies", "replies-monte-carlo",
                     "safety")
    ],
    "one matrix of nine numbers, solved in the chapter itself": ["rps/theory"],
    "sums over the board's symmetries by NumPy, around the kernel":
        ["triomineering/6x6-first-moves", "triomineering/readings"],
    "facts in words, written by Python from the solver of the outcomes": ["triomineering/solved"],
    "trees that grow in memory which Python enlarges, around the kernel":
        [f"triomineering/tree-{name}" for name in ("boards", "matches", "positions", "settings")],
}  # fmt: skip
REASONS = {name: reason for reason, names in _WHY.items() for name in names}


@functools.cache
def descriptions(folder: Path = FOLDER) -> dict[str, dict[str, Any]]:
    """Return what the page is told of each game: root seed, module, experiments."""
    return {file.stem: json.loads(file.read_bytes()) for file in sorted(folder.glob("*.json"))}


def drawn(told: Mapping[str, Any], entries: Mapping[str, Sequence[str]]) -> bool:
    """Return whether chance is in an experiment.

    Examples
    --------
    >>> told = {"shared": {}, "cells": [{"steps": [["practice", 0, 100, "games"]]}]}
    >>> drawn(told, {"practice": ["start", "stop", "s", "row"]})
    True
    """
    plan = told["shared"] | told["cells"][0]
    return any(CHANCE.intersection(entries[step[0]]) for step in plan["steps"])


def write_rows(folder: Path, target: Path) -> int:
    """Write what panels compare with as ``<game>/<table>.json``; return how many bytes."""
    total = 0
    for game in descriptions(folder).values():
        for name, told in game["experiments"].items():
            exact = not drawn(told, game["module"]["entries"])
            text = json.dumps(stored_rows(name, told, exact), separators=(",", ":"))
            file = target / f"{name}.json"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            total += len(text)
    return total


def stored_rows(name: str, told: Mapping[str, Any], exact: bool = False) -> dict[str, Any]:
    """Return what a panel compares with, for each cell that the page knows.

    Parameters
    ----------
    name : str
        The experiment's.
    told : mapping
        What the page is told of it.
    exact : bool
        Whether chance has no part in it: then numbers that the paper prints are given too.

    Returns
    -------
    dict
        ``rows``: for each cell and chunk the columns' values; ``first``: for each cell those of
        chunk 0's first games; ``seconds`` and ``seconds_first``: how long a browser takes, if that
        was measured; for exact ones ``printed``: for each cell the paper's numbers by column.

    Examples
    --------
    >>> told = {"shared": {"columns": ["win"]}, "cells": [{"cell": find("rps/practice").cells[0]}]}
    >>> found = stored_rows("rps/practice", told)
    >>> len(found["rows"][0]), len(found["first"])
    (50, 1)
    """
    experiment = find(name)
    lines = file_of(experiment).read_text(encoding="utf-8").splitlines()
    first = json.loads(file_of(experiment, ".json").read_bytes())["fingerprints"]
    found: dict[str, Any] = {"rows": [], "first": []}
    for one in told["cells"]:
        columns = {**told["shared"], **one}["columns"]
        found["rows"].append(_of_cell(lines, one["cell"], columns))
        [row] = _of_cell(first, one["cell"], columns)
        found["first"].append(row)
    if len(times := measured().get(name, [])) == len(told["cells"]):
        found["seconds"], found["seconds_first"] = map(list, zip(*times, strict=True))
    if exact:
        plans = [{**told["shared"], **one} for one in told["cells"]]
        found["printed"] = [printed(name, plan["cell"], plan["columns"]) for plan in plans]
    return found


def _of_cell(lines: Sequence[str], asked: Mapping[str, Any], columns: Sequence[str]) -> list[list]:
    """Return the values of some columns, chunk by chunk."""
    texts = {name: str(value) for name, value in asked.items()}
    rows = [row for row in csv.DictReader(lines) if texts.items() <= row.items()]
    return [[_value(row[name]) for name in columns] for row in rows]


def _value(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def measured() -> dict[str, list[tuple[float, float]]]:
    """Return, for each experiment and cell, a browser's seconds for a chunk and its first games."""
    found: dict[str, list[tuple[float, float]]] = {}
    file = data_folder() / "live.csv"
    with file.open(encoding="utf-8", newline="") as opened:
        for row in csv.DictReader(opened):
            times = float(row["seconds"]), float(row["seconds_first"])
            found.setdefault(row["experiment"], []).append(times)
    return found


def printed(name: str, asked: Mapping[str, Any], columns: Sequence[str]) -> dict[str, float | None]:
    """Return the paper's own numbers that are columns of a cell of an exact experiment.

    A number is a column's if its row and column together name it, or if its row names the cell, or
    if no other number of the experiment has its column.

    Examples
    --------
    >>> printed("pokemon/matrix-1", {"source": "as printed"}, ["a5b4", "a5b5", "b5"])
    {'a5b4': 0.16, 'a5b5': 0.17}
    """
    game, place = name.split("/")
    rows = [row for row in load(game) if row.kind == "exact"]
    mine = [row for row in rows if row.id.split("/")[1] == place]
    named = Counter(row.column for row in mine)
    found: dict[str, float | None] = {}
    for row in rows:
        labels = {f"{row.row}{row.column}", f"{row.row}_{row.column}"}
        if row in mine and (row.row.replace(" ", "-") in asked.values() or named[row.column] == 1):
            labels.add(row.column)
        for label in labels.intersection(columns):
            if label in found:
                raise ValueError(f"two published numbers are called {label} in {name}")
            found[label] = row.value
    return found


def known() -> dict[str, dict[str, Any]]:
    """Return what the page is told of each experiment."""
    return {k: v for game in descriptions().values() for k, v in game["experiments"].items()}


def share() -> dict[str, int]:
    """Return how many experiments and sampled published numbers there are, and are in the page.

    A number is in the page if all cells of the experiment that measures it are; it is ``quick`` if
    a whole chunk of any of them takes no longer than `LONG`.
    """
    told, times, sources = known(), measured(), scoreboard.ours()
    whole = {name for name in told if len(told[name]["cells"]) == len(find(name).cells)}
    quick = {name for name in whole if max(time for time, _ in times[name]) <= LONG}
    sampled = [row for row in load() if row.kind in SAMPLED and row.paper != scoreboard.PRACTICE]
    found = [sources[row.id][1] for row in sampled if row.id in sources]
    return {
        "experiments": len(names()), "here": len(told), "numbers": len(found),
        "there": sum(name in whole for name in found),
        "quick": sum(name in quick for name in found),
    }  # fmt: skip


def experiments() -> Html:
    """Return a table of all experiments: what a reader can recompute in the page, or why not."""
    told, times, body = known(), measured(), []
    for name in names():
        cells = len(find(name).cells)
        there = len(told[name]["cells"]) if name in told else 0
        words = f"{there} of {cells}" if there else "no"
        chunk = [time for time, _ in times.get(name, [])]
        slow = sum(time > LONG for time in chunk)
        reason = f"whole chunks; first games offered first: {slow}" if slow else "whole chunks"
        if there < cells:
            reason = REASONS[name]
        shown = [f"{median(chunk):.1f}", f"{max(chunk):.1f}"] if chunk else ["", ""]
        body.append([head(name), cell(words), *(cell(s, number=True) for s in shown), cell(reason)])
    heads = ["experiment", "cells in the page", "seconds, median", "longest", "what, or why not"]
    return table(heads, body, "What can be recomputed in the page")


def sizes() -> Html:
    """Return a table of the modules: what a reader's browser downloads."""
    body = []
    for name, game in descriptions().items():
        about = game["module"]
        text = len(gzip.compress((FOLDER / f"{name}.json").read_bytes(), mtime=0))
        numbers = (
            len(about["entries"]), about["bytes"] / 1e3, about["gzipped"] / 1e3, text / 1e3
        )  # fmt: skip
        body.append([head(name), *(cell(f"{n:,.0f}", number=True) for n in numbers)])
    heads = ["game", "entry kernels", "module, KB", "gzipped, KB", "description, gzipped, KB"]
    return table(heads, body, "Modules")


#: Seconds natively, below which a time says more of a start than of a kernel.
SHORT = 0.01


def beside_native() -> list[dict[str, Any]]:
    """Return each entry kernel's best seconds in Chromium and natively, measured by turns."""
    with (data_folder() / "live-kernels.csv").open(encoding="utf-8", newline="") as opened:
        rows: list[dict[str, Any]] = list(csv.DictReader(opened))
    for row in rows:
        row |= {"page": float(row["page"]), "native": float(row["native"])}
        row["times"] = row["page"] / row["native"] if row["native"] >= SHORT else None
    return rows


def kernels() -> Html:
    """Return a table of the page's kernels beside the same kernels as machine code."""
    body = []
    for row in beside_native():
        times = "" if row["times"] is None else f"{row['times']:.2f}"
        numbers = f"{1000 * row['page']:,.1f}", f"{1000 * row['native']:,.1f}", times
        body.append(
            [
                head(f"{row['game']} {row['kernel']}"),
                cell(row["experiment"]),
                *(cell(text, number=True) for text in numbers),
            ]
        )
    heads = ["kernel", "measured in", "in the page, ms", "native, ms", "times as long"]
    return table(heads, body, "Entry kernels in Chromium and natively, one thread each")


def drawing() -> str:
    """Return the way from a kernel to the button, drawn."""
    boxes = [
        (8, 60, "a kernel", "Python source"), (150, 60, "numba", "LLVM's language"),
        (300, 12, "machine code", "gamecore run"), (300, 108, "WebAssembly", "one module a game"),
        (450, 12, "stored row", "data/results"), (450, 108, "the page's row", "your browser"),
        (590, 60, "equal?", "bit for bit"),
    ]  # fmt: skip
    arrows = [(0, 1), (1, 2), (1, 3), (2, 4), (3, 5), (4, 6), (5, 6)]
    width, height = {6: 92}, 46
    shapes = ""
    for k, (x, y, first, second) in enumerate(boxes):
        wide = width.get(k, 122)
        shapes += (
            f'<rect x="{x}" y="{y}" width="{wide}" height="{height}" rx="6" fill="none" '
            f'stroke="currentColor"/><text x="{x + wide / 2}" y="{y + 20}">{first}</text>'
            f'<text x="{x + wide / 2}" y="{y + 36}" font-size="11">{second}</text>'
        )
    for start, stop in arrows:
        x0, y0 = boxes[start][0] + 122, boxes[start][1] + height / 2
        x1, y1 = boxes[stop][0], boxes[stop][1] + height / 2
        shapes += (
            f'<line x1="{x0 + 2}" y1="{y0}" x2="{x1 - 3}" y2="{y1}" stroke="currentColor" '
            'marker-end="url(#live-arrow)"/>'
        )
    return (
        '<svg viewBox="0 0 690 166" width="690" role="img" font-size="13" fill="currentColor" '
        'text-anchor="middle"><title>From one Python source, numba makes machine code, which made '
        "the stored row, and WebAssembly, which makes the page's row; the two rows are compared."
        '</title><defs><marker id="live-arrow" viewBox="0 0 8 8" refX="7" refY="4" '
        'markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>'
        f"{shapes}</svg>"
    )
