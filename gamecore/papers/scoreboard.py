"""Every published number beside ours: the join of ``data/published`` and ``data/results``.

Chapters begin with `board`; the book's totals are `tally` of the board of all papers.
"""

import importlib
import math
from functools import cache
from typing import Any

import pandas as pd

from gamecore.kernel import PACKAGE
from gamecore.papers import experiment, published, runner, stats, store

#: The practice "paper" of the tutorial; it has verdicts but is in no tally.
PRACTICE = "rps"


def ours(paper: str | None = None, scale: str = "stored") -> dict[str, tuple[stats.Ours, str]]:
    """Return our side of published rows, by id: the measurement and its experiment's name.

    Examples
    --------
    >>> measured, source = ours("rps")["rps/theory/value"]
    >>> round(float(measured.value), 6), source
    (0.0, 'rps/theory')
    """
    frames = cache(lambda name: runner.results(name, scale))
    found: dict[str, tuple[stats.Ours, str]] = {}
    for game in experiment.games() if paper is None else [paper]:
        for judge in judges(game):
            if scale == "stored" and not all(map(store.has_stored, judge.experiments)):
                continue
            for identity, measured in judge(*map(frames, judge.experiments)):
                if identity in found:
                    raise ValueError(f"{identity} is measured twice, also by {judge.__name__}")
                found[identity] = measured, judge.experiments[0]
    return found


def judges(game: str) -> list[Any]:
    """Return the judges of a paper's numbers and of its sentences, in the order of writing.

    Examples
    --------
    >>> [judge.__name__ for judge in judges("rps")]
    ['practice', 'theory']
    """
    found: list[Any] = []
    for room in ("judges", "claims"):
        if (PACKAGE / "papers" / game / f"{room}.py").exists():
            module = importlib.import_module(f"gamecore.papers.{game}.{room}")
            things = [x for x in vars(module).values() if hasattr(x, "experiments")]
            found += [thing for thing in things if thing.__module__ == module.__name__]
    return found


def board(paper: str | None = None, scale: str = "stored") -> pd.DataFrame:
    """Return the scoreboard: one row per published number or claim, with its verdict.

    Parameters
    ----------
    paper : str, optional
        One paper only, by its game's name.
    scale : {"stored", "quick", "paper"}
        Judge the stored results, or run every judged experiment now.

    Raises
    ------
    ValueError
        If an experiment measures an id that no paper publishes.

    Examples
    --------
    >>> board("rps").set_index("id").verdict["rps/claim/copycat-beats-rocky"]
    'holds'
    """
    rows, mine = published.load(paper), ours(paper, scale)
    if unknown := mine.keys() - {row.id for row in rows}:
        raise ValueError(f"measured but not in data/published: {', '.join(sorted(unknown))}")
    chances = _joint_chances(rows, mine)
    return pd.DataFrame([_judged(row, mine.get(row.id), chances.get(row.id)) for row in rows])


def tally(table: pd.DataFrame) -> pd.DataFrame:
    """Return how many rows of each paper got each verdict; derived and practice rows not counted.

    Parameters
    ----------
    table : pandas.DataFrame
        What `board` returns.

    Examples
    --------
    >>> rows = pd.DataFrame({"paper": "go", "derived": False, "verdict": ["exact"] * 3})
    >>> tally(rows).loc["go", ["exact", "differs"]].tolist()
    [3, 0]
    """
    counted = table[~table.derived & (table.paper != PRACTICE)]
    verdicts = pd.Categorical(counted.verdict, stats.VERDICTS)
    return pd.crosstab(counted.paper, verdicts, dropna=False).rename_axis(columns=None)


def independent_z(table: pd.DataFrame) -> pd.Series:
    """Return one z-score per independent comparison: a multinomial row of a table counts once.

    Examples
    --------
    >>> rows = pd.DataFrame({
    ...     "paper": "go", "locator": "table 1", "row": ["Black", "White", "White"],
    ...     "kind": ["mean", "multinomial", "multinomial"], "derived": False,
    ...     "verdict": "consistent", "z": [0.3, -1.2, -1.2]})
    >>> independent_z(rows).tolist()
    [0.3, -1.2]
    """
    usable = table[~table.derived & (table.verdict != "fitted") & table.z.notna()]
    usable = usable[usable.paper != PRACTICE]
    joint = usable.kind == "multinomial"
    once = usable[joint].drop_duplicates(["paper", "locator", "row"])
    return pd.concat([usable[~joint], once]).sort_index().z


def _joint_chances(rows: list, mine: dict) -> dict[str, float]:
    """Return, for each multinomial row, the p-value of the whole row of the table it stands in."""
    groups: dict[tuple, list] = {}
    for row in rows:
        if row.kind == "multinomial" and row.id in mine:
            groups.setdefault((row.paper, row.locator, row.row), []).append(row)
    chances = {}
    for group in groups.values():
        total = group[0].n or mine[group[0].id][0].paper_n
        theirs = [row.value for row in group]
        counts = [mine[row.id][0].value * mine[row.id][0].n for row in group]
        rest = total - sum(theirs), mine[group[0].id][0].n - sum(counts)
        if max(rest) > 0.5:  # the paper leaves one category unsaid
            theirs, counts = [*theirs, max(rest[0], 0)], [*counts, max(rest[1], 0)]
        chance = stats.joint_test(theirs, counts)
        chances.update({row.id: chance for row in group})
    return chances


def _judged(row: published.Published, found: tuple | None, chance: float | None) -> dict[str, Any]:
    measured, source = found or (None, "")
    judged = stats.verdict(
        row.kind, row.value, measured,
        digits=row.digits, n=row.n, fitted_by=row.fitted_by, p=chance,
    )  # fmt: skip
    value = measured.value if measured else math.nan
    if row.kind == "multinomial" and measured:
        value *= row.n or measured.paper_n or 1
    missed = judged.verdict in ("differs", "fails")
    why = (measured.explained_by or "unexplained") if missed and measured else ""
    return {
        **dict(zip(published.COLUMNS, row, strict=False)), **judged._asdict(),
        "ours": value, "ours_n": measured.n if measured else 0, "source": source,
        "detail": measured.detail if measured else "", "explained_by": why,
    }  # fmt: skip
