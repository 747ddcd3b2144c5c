"""Our questions on section 7, fixed before they were run, and what the rows answer to them.

The words of every rule are in ``data/questions/pokemon.csv``. A rule answers yes, no, or None where
the games cannot tell; its numbers stand here once, next to the comparison that they belong to.
"""

import csv
from collections.abc import Callable

import pandas as pd

from gamecore.papers.pokemon.experiments import HABITS
from gamecore.papers.pokemon.reading import (
    BATTLES,
    FAMILY,
    FEIGNED,
    OUTSIDE,
)
from gamecore.papers.pokemon.summaries import estimates, mean_estimate
from gamecore.papers.published import data_folder
from gamecore.papers.stats import Estimate, every

#: Everybody in the family but Nash, of whom there is nothing to know.
KNOWABLE = tuple(name for name in FAMILY if name != "nash")


def asked() -> dict[str, str]:
    """Return the questions by their ids.

    Examples
    --------
    >>> asked()["pokemon/feigned"]
    'Does feigning a habit and then turning pay?'
    """
    file = data_folder() / "questions" / "pokemon.csv"
    with file.open(encoding="utf-8", newline="") as lines:
        return {row["id"]: row["question"] for row in csv.DictReader(lines)}


def some(answers: list[bool | None]) -> bool | None:
    """Return whether one of several answers is yes, None being one that cannot be given."""
    turned = every([None if answer is None else not answer for answer in answers])
    return None if turned is None else not turned


def rate(rows: pd.DataFrame, first: int = 1, last: int = BATTLES) -> Estimate:
    """Return the reader's win rate in some battles of its series, counted from 1."""
    columns = [f"points{battle}" for battle in range(first, last + 1)]
    return Estimate.share(rows[columns].to_numpy().sum() / 2, int(rows.games.sum()) * len(columns))


def share(rows: pd.DataFrame, what: str, battle: int) -> Estimate:
    """Return in which share of series something is so after a battle: ``known`` or ``open``."""
    return Estimate.share(float(rows[f"{what}{battle}"].sum()), int(rows.games.sum()))


class Measured:
    """What the questions need of the rows, by opponent.

    Parameters
    ----------
    reading, feigning, replies, table_4, biases : pandas.DataFrame
        Rows of these experiments.
    """

    def __init__(
        self, reading: pd.DataFrame, feigning: pd.DataFrame, replies: pd.DataFrame,
        table_4: pd.DataFrame, biases: pd.DataFrame,
    ):  # fmt: skip
        self.series = dict(iter(reading.groupby(["opponent", "reader"])))
        self.turned = dict(iter(feigning.groupby(["habit", "reader", "turncoat"])))
        self.best = {who: rate(rows, 1, 1) for who, rows in replies.groupby("player")}
        noisy = estimates(table_4, ["noise", "delta"])
        clipped = estimates(biases[biases.payoffs == "clipped"], ["player", "payoffs"])
        lost = {"nash": noisy["none", 0.0]}
        lost |= {f"{n} {d:g}": one for (n, d), one in noisy.items() if n != "none"}
        lost |= {who: one for (who, _), one in clipped.items() if who != "nash"}
        self.nash = {who: Estimate(1 - one.value, one.error) for who, one in lost.items()}
        for who in OUTSIDE:
            self.nash[who] = rate(self.series[who, "nash"])

    def read(self, who: str, reader: str = "bare", first: int = 1, last: int = BATTLES) -> Estimate:
        """Return a reader's rate against an opponent."""
        return rate(self.series[who, reader], first, last)

    def half(self, low: Estimate, high: Estimate) -> Estimate:
        """Return the middle of two independent rates."""
        return mean_estimate([low, high])


Rule = Callable[[Measured], bool | None]


def known(found: Measured) -> bool | None:
    """Answer whether every habit is known within 20 battles."""
    return every([share(found.series[h, "bare"], "known", 20).above(0.5) for h in KNOWABLE])


def reads(found: Measured) -> bool | None:
    """Answer whether reading wins more than Nash."""
    return every([found.read(h).minus(found.nash[h]).above(0.0) for h in KNOWABLE])


def ceiling(found: Measured) -> bool | None:
    """Answer whether the reader comes to win half of what there is to win."""
    gaps = [
        found.read(h, first=41, last=50).minus(found.half(found.nash[h], found.best[h]))
        for h in KNOWABLE
    ]
    return every([gap.above(0.0) for gap in gaps])


def outside(found: Measured) -> bool | None:
    """Answer whether reading does no harm against what it does not know."""
    return every([found.read(who).minus(found.nash[who]).above(-0.01) for who in OUTSIDE])


def feigned(found: Measured) -> bool | None:
    """Answer whether feigning pays."""
    return some([rate(found.turned[h, "bare", "watching"]).below(0.5) for h in FEIGNED])


def safe(found: Measured) -> bool | None:
    """Answer whether the safe reader keeps half of the gain."""
    kept = mean_estimate([found.read(h, "safe") for h in KNOWABLE])
    middle = mean_estimate([found.half(found.nash[h], found.read(h)) for h in KNOWABLE])
    return kept.minus(middle).above(0.0)


def enjoyable(found: Measured) -> bool | None:
    """Answer whether a habit is both hard to detect and easy to beat."""
    return some([
        every([share(found.series[h, "bare"], "open", 5).below(0.5), found.best[h].above(0.55)])
        for h in KNOWABLE
    ])  # fmt: skip


def biases_cost(found: Measured) -> bool | None:
    """Answer whether each bias costs more than its noise."""
    plain = found.best["delta-nash"]
    return every([found.best[h].minus(plain).above(0.0) for h in HABITS])


RULES: dict[str, Rule] = {
    "pokemon/known": known,
    "pokemon/reads": reads,
    "pokemon/ceiling": ceiling,
    "pokemon/outside": outside,
    "pokemon/feigned": feigned,
    "pokemon/safe": safe,
    "pokemon/enjoyable": enjoyable,
    "pokemon/biases-cost": biases_cost,
}


def answers(found: Measured) -> dict[str, str]:
    """Return the answer to every question in a word: yes, no or cannot tell."""
    words = {True: "yes", False: "no", None: "cannot tell"}
    return {name: words[rule(found)] for name, rule in RULES.items()}
