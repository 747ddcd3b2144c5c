"""Every published number beside ours: the join of ``data/published`` and ``data/results``.

Chapters begin with `board`; the book's totals are `tally` of the board of all papers.
"""

import importlib
import math
from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

import pandas as pd

from gamecore import check
from gamecore.kernel import PACKAGE
from gamecore.papers import experiment, published, runner, stats, store

#: The practice "paper" of the tutorial; it has verdicts but is in no tally.
PRACTICE = "rps"


def ours(paper: str | None = None, scale: str = "stored") -> dict[str, tuple[stats.Ours, str]]:
    """Return our side of published rows, by id: the measurement and its experiment's name.

    Examples
    --------
    >>> found, source = ours("rps")["rps/theory/value"]
    >>> round(float(found.value), 6), source
    (0.0, 'rps/theory')
    """
    papers = experiment.games() if paper is None else [paper]
    return measured([judge for game in papers for judge in judges(game)], scale)


def measured(judges: Iterable[Any], scale: str = "stored") -> dict[str, tuple[stats.Ours, str]]:
    """Return what judges find, by id, each with the name of its experiment.

    Examples
    --------
    >>> len(measured(judges("rps"))) == len(published.load("rps"))
    True
    """
    check.one_of(scale, "scale", ("stored", "quick", "paper"))
    frames = cache(lambda name: runner.results(name, scale))
    found: dict[str, tuple[stats.Ours, str]] = {}
    for judge in judges:
        if scale == "stored" and not all(map(store.has_stored, judge.experiments)):
            continue
        for identity, one in judge(*map(frames, judge.experiments)):
            if identity in found:
                raise ValueError(f"{identity} is measured twice, also by {judge.__name__}")
            found[identity] = one, judge.experiments[0]
    return found


def judges(game: str, rooms: Iterable[str] = ("judges", "claims")) -> list[Any]:
    """Return the judges of a paper's numbers and of its sentences, in the order of writing.

    Parameters
    ----------
    game : str
        The paper's game.
    rooms : iterable of str
        Where they are; our own questions have their rules in ``questions``.

    Examples
    --------
    >>> [judge.__name__ for judge in judges("rps")]
    ['practice', 'theory']
    """
    check.one_of(game, "game", experiment.games())
    found: list[Any] = []
    for room in rooms:
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
    check.one_of(scale, "scale", ("stored", "quick", "paper"))
    rows, mine = published.load(paper), ours(paper, scale)
    if unknown := mine.keys() - {row.id for row in rows}:
        raise ValueError(f"measured but not in data/published: {', '.join(sorted(unknown))}")
    chances = _joint_chances(rows, mine)
    return pd.DataFrame([_judged(row, mine.get(row.id), chances.get(row.id)) for row in rows])


def rows_of(table: pd.DataFrame, *columns: str) -> pd.DataFrame:
    """Return a board, or rows of one, after checking that it is one and has these columns.

    Examples
    --------
    >>> rows_of(board("rps").drop(columns="was"), "id", "was")
    Traceback (most recent call last):
    ...
    ValueError: a board is needed, with the columns id, was
    """
    for column in columns:
        check.text(column, "a column")
    if not isinstance(table, pd.DataFrame) or not {*columns} <= {*table.columns}:
        raise ValueError(f"a board is needed, with the columns {', '.join(columns)}")
    return table


def tally(table: pd.DataFrame) -> pd.DataFrame:
    """Return how many rows of each paper got each verdict.

    Practice rows and rows apart are not among them. Of the last columns, ``revised`` counts those
    whose test or place was revised when results were known, ``apart`` the rows outside the count,
    and ``apart, miss`` those of these that miss.

    Parameters
    ----------
    table : pandas.DataFrame
        What `board` returns.

    Examples
    --------
    >>> rows = board("rps").assign(paper="go")
    >>> tally(rows).loc["go", ["exact", "differs", "apart"]].tolist()
    [3, 3, 0]
    """
    rows_of(table, "paper", "apart", "verdict", "was")
    table = table[table.paper != PRACTICE]
    counted = table[table.apart == ""]
    verdicts = pd.Categorical(counted.verdict, stats.VERDICTS)
    counts = pd.crosstab(counted.paper, verdicts, dropna=False).rename_axis(columns=None)
    apart = table[table.apart != ""]
    for name, rows in (
        ("revised", counted[counted.was != ""]),
        ("apart", apart),
        ("apart, miss", apart[apart.verdict.isin(stats.MISS)]),
    ):
        counts[name] = rows.groupby("paper").size().reindex(counts.index, fill_value=0)
    return counts


class Headline(NamedTuple):
    """The totals of several papers, in the words of front page, README, scoreboard and command.

    Attributes
    ----------
    legible : int
        Rows with something to compare.
    agree : int
        Exact, consistent, or holding.
    miss : int
        Differing or failing.
    undecided : int
        Beyond what our sample can tell.
    fitted : int
        Those by which a decision of ours was chosen.
    redrawn : int
        Lost with an image; there are ours alone.
    not_attempted : int
        Nothing of ours.

    Examples
    --------
    >>> print(Headline(9, 5, 1, 2, 1, 3, 0))
    9 legible numbers and claims: 5 agree, 1 misses, 2 undecided, 1 fitted; 3 lost ones redrawn
    """

    legible: int
    agree: int
    miss: int
    undecided: int
    fitted: int
    redrawn: int
    not_attempted: int

    @classmethod
    def of(cls, verdicts: pd.Series) -> "Headline":
        """Count verdicts."""
        counts = check.instance(verdicts, "verdicts", pd.Series).value_counts()

        def sum_of(*names: str) -> int:
            return int(sum(counts.get(name, 0) for name in names))

        agree, miss = sum_of(*stats.AGREE), sum_of(*stats.MISS)
        undecided, fitted = sum_of("undecided"), sum_of("fitted")
        legible = agree + miss + undecided + fitted
        lost = sum_of("redrawn"), sum_of("not attempted")
        return cls(legible, agree, miss, undecided, fitted, *lost)

    def __str__(self) -> str:
        parts = [f"{self.agree:,} agree", f"{self.miss:,} {'misses' if self.miss == 1 else 'miss'}"]
        parts += [f"{self.undecided:,} undecided"] if self.undecided else []
        parts += [f"{self.fitted:,} fitted"] if self.fitted else []
        words = f"{self.legible:,} legible numbers and claims: {', '.join(parts)}"
        words += f"; {self.redrawn:,} lost ones redrawn" if self.redrawn else ""
        return words + (f", {self.not_attempted:,} not attempted" if self.not_attempted else "")


def headline(table: pd.DataFrame) -> list[str]:
    """Return the totals of a board in sentences: now, independent misses, and before revisions.

    Examples
    --------
    >>> headline(board("rps").assign(paper="go"))[0]
    '13 legible numbers and claims: 10 agree, 3 miss.'
    """
    rows_of(table, "paper", "apart", "verdict", "was")
    table = table[table.paper != PRACTICE]
    counted, alone = table[table.apart == ""], comparisons(table)
    missed, expected = alone.miss.sum(), (1 - stats.LEVEL) * len(alone)
    words = [
        f"{Headline.of(counted.verdict)}.",
        f"Of {len(alone)} independent comparisons of sampled numbers {missed} miss; chance alone "
        f"would bring {expected:.0f}.",
    ]
    if revised := (table.was != "").sum():
        words.append(
            f"Tests or counting of {revised} rows were revised when results were known; "
            f"before, there were {Headline.of(before(table))}."
        )
    return words


def before(table: pd.DataFrame) -> pd.Series:
    """Return the verdicts that counted before any revision.

    Examples
    --------
    >>> rows = pd.DataFrame({"apart": ["", "derived", ""], "was": ["", "holds", "not counted"],
    ...                      "verdict": ["exact", "holds", "differs"]})
    >>> before(rows).tolist()
    ['exact', 'holds']
    """
    rows_of(table, "was", "apart", "verdict")
    kept = table[(table.was != published.UNCOUNTED) & ((table.apart == "") | (table.was != ""))]
    return kept.was.where(kept.was != "", kept.verdict)


def comparisons(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a board that are independent comparisons: one for each sample of games.

    Of several numbers from the same games the first in the file stands for all with its z. Its p is
    that of the farthest of them, times how many tests there were (Bonferroni), and ``miss`` says
    whether that is under 5 %. Exact numbers, claims, fitted rows and rows apart are not compared.

    Examples
    --------
    >>> rows = board("rps").assign(paper="go")
    >>> len(rows), len(comparisons(rows))  # three pairings of three counts each, and exact values
    (13, 3)
    """
    rows_of(table, "id", "paper", "locator", "row", "kind", "sample", "apart", "verdict", "z", "p")
    usable = table[(table.apart == "") & (table.verdict != "fitted") & table.z.notna()]
    usable = usable[usable.paper != PRACTICE]
    joint = usable.paper + "|" + usable.locator + "|" + usable.row
    games = usable["sample"].where(usable["sample"] != "", usable.id)
    games = games.mask((usable["sample"] == "") & (usable.kind == "multinomial"), joint)
    tests = usable.assign(games=games)[~joint.where(usable.kind == "multinomial").duplicated()
                                       | (usable.kind != "multinomial")]  # fmt: skip
    p = tests.groupby("games").p.agg(lambda found: min(1.0, found.min() * len(found)))
    alone = usable[~games.duplicated()].copy()
    alone["p"] = games[alone.index].map(p)
    alone["miss"] = alone.p < 1 - stats.LEVEL
    return alone


def excess(table: pd.DataFrame) -> pd.DataFrame:
    """Return what chance leaves over: independent misses of each paper beside the expected number.

    The column ``spread`` is the standard deviation of z, 1 if only chance is at work, and ``sure``
    counts the misses that remain at 5 % after Holm's correction for all comparisons of all papers.

    Examples
    --------
    >>> excess(board("rps").assign(paper="go")).loc["all", ["comparisons", "miss", "sure"]].tolist()
    [3.0, 1.0, 1.0]
    """
    alone = comparisons(table)
    alone["sure"] = stats.holm(alone.p) < 1 - stats.LEVEL
    rows = {
        name: {
            "comparisons": len(part), "miss": part.miss.sum(),
            "expected": (1 - stats.LEVEL) * len(part), "spread": part.z.std(),
            "sure": part.sure.sum(),
        }
        for name, part in [*alone.groupby("paper"), ("all", alone)]
    }  # fmt: skip
    return pd.DataFrame(rows).T


def _joint_chances(rows: list, mine: dict) -> dict[str, float]:
    """Return, for each multinomial row, the p-value of the whole row of the table it stands in."""
    groups: dict[tuple, list] = {}
    for row in rows:
        if row.kind == "multinomial" and row.id in mine:
            groups.setdefault((row.paper, row.locator, row.row), []).append(row)
    chances = {}
    for group in groups.values():
        total = group[0].n
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
        value *= row.n or 1
    missed = judged.verdict in (*stats.MISS, "undecided")
    study, state = "", ""
    if missed and measured:
        study = measured.explained_by or measured.studied_by
        state = "explained" if measured.explained_by else "studied" if study else "unexplained"
    return {
        **dict(zip(published.COLUMNS, row, strict=False)), **judged._asdict(),
        "ours": value, "ours_n": measured.n if measured else 0, "source": source,
        "detail": measured.detail if measured else "", "study": study, "explained": state,
    }  # fmt: skip
