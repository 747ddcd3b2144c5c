"""What the rows answer to our questions on section 7, by the rules of ``data/questions``.

A rule answers yes, no, or None where
the games cannot tell; its numbers stand here once, next to the comparison that they belong to.
"""

from collections.abc import Callable

import pandas as pd

from gamecore.papers.pokemon.experiments import HABITS
from gamecore.papers.pokemon.reading import (
    BATTLES,
    FAMILY,
    FEIGNED,
    NOISY,
    OUTSIDE,
)
from gamecore.papers.pokemon.summaries import estimates
from gamecore.papers.stats import Estimate, Judged, Ours, every, judge, some

#: Everybody in the family but Nash, of whom there is nothing to know.
KNOWABLE = tuple(name for name in FAMILY if name != "nash")


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
    reading, steady, feigning, replies, table_4, biases : pandas.DataFrame
        Rows of these experiments.
    """

    def __init__(
        self, reading: pd.DataFrame, steady: pd.DataFrame, feigning: pd.DataFrame,
        replies: pd.DataFrame, table_4: pd.DataFrame, biases: pd.DataFrame,
    ):  # fmt: skip
        self.series = dict(iter(pd.concat([reading, steady]).groupby(["opponent", "reader"])))
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
        return Estimate.mean([low, high])


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


def reads_steadily(found: Measured) -> bool | None:
    """Answer whether the steady reader wins more than Nash."""
    return every([found.read(h, "steady").minus(found.nash[h]).above(0.0) for h in KNOWABLE])


def outside(found: Measured) -> bool | None:
    """Answer whether reading does no harm against what it does not know."""
    return every([found.read(who).minus(found.nash[who]).above(-0.01) for who in OUTSIDE])


def feigned(found: Measured, reader: str = "bare") -> bool | None:
    """Answer whether feigning pays."""
    return some([rate(found.turned[h, reader, "watching"]).below(0.5) for h in FEIGNED])


def feigned_steadily(found: Measured) -> bool | None:
    """Answer whether it pays against the steady reader."""
    return feigned(found, "steady")


def safe(found: Measured) -> bool | None:
    """Answer whether the safe reader keeps half of the gain."""
    kept = Estimate.mean([found.read(h, "safe") for h in KNOWABLE])
    middle = Estimate.mean([found.half(found.nash[h], found.read(h)) for h in KNOWABLE])
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


def label(name: str) -> str:
    """Return what pages call a player of this chapter.

    Examples
    --------
    >>> label("uniform 0.05"), label("attack"), label("delta-nash")
    ('uniform noise, δ = 0.05', 'attack bias', 'δ-Nash')
    """
    if name in NOISY:
        noise, delta = NOISY[name]
        return f"{noise} noise, δ = {delta:g}"
    words = {"nash": "Nash", "delta-nash": "δ-Nash", "monte-carlo": "Monte Carlo"}
    return words.get(name, f"{name} bias" if name in HABITS else name)


def _range(found: dict[str, float], unit: str = " %", digits: int = 1, sign: str = "") -> str:
    """Return the smallest and the largest of several shares, in hundredths, and whose they are."""
    low, high = min(found, key=found.__getitem__), max(found, key=found.__getitem__)
    words = (f"{100 * found[who]:{sign}.{digits}f}{unit}".replace("-", "−") for who in (low, high))
    ends = (f"{word} ({label(who)})" for word, who in zip(words, (low, high), strict=True))
    return " to ".join(ends)


def _points(found: dict[str, float]) -> str:
    """Return a range of differences, negative ones too, in points."""
    return _range(found, " points", sign="+")


def said(name: str, found: Measured) -> str:
    """Return the numbers behind an answer, as a sentence."""
    series, best = found.series, {h: found.best[h].value for h in KNOWABLE}
    if name == "pokemon/known":
        shares = {h: share(series[h, "bare"], "known", 20).value for h in KNOWABLE}
        return f"Series in which it is known after 20 battles: {_range(shares)}."
    if name == "pokemon/reads":
        gaps = {h: found.read(h).minus(found.nash[h]).value for h in KNOWABLE}
        return f"Its rate over 50 battles less that of Nash: {_points(gaps)}."
    if name == "pokemon/reads-steadily":
        gaps = {h: found.read(h, "steady").minus(found.nash[h]).value for h in KNOWABLE}
        return f"Its rate over 50 battles less that of Nash: {_points(gaps)}."
    if name == "pokemon/ceiling":
        parts = {
            h: (found.read(h, first=41).value - found.nash[h].value)
            / (found.best[h].value - found.nash[h].value)
            for h in KNOWABLE
        }
        gone = _range(parts, digits=0)
        return f"Of the way from Nash to the best reply it goes {gone} in its last ten battles."
    if name == "pokemon/outside":
        gaps = {who: found.read(who).minus(found.nash[who]).value for who in OUTSIDE}
        return f"Its rate against them less that of Nash: {_points(gaps)}."
    if name in ("pokemon/feigned", "pokemon/feigned-steadily"):
        reader = "bare" if name == "pokemon/feigned" else "steady"
        rates = {h: rate(found.turned[h, reader, "watching"]).value for h in FEIGNED}
        after = {h: rate(found.turned[h, reader, "watching"], 21).value for h in FEIGNED}
        return (
            f"Over the series the {reader} reader still wins {_range(rates)}, and after the turn "
            f"{_range(after)}."
        )
    if name == "pokemon/safe":
        kept, bare, nash = (
            Estimate.mean(one).value
            for one in (
                [found.read(h, "safe") for h in KNOWABLE],
                [found.read(h) for h in KNOWABLE],
                [found.nash[h] for h in KNOWABLE],
            )
        )
        after = {h: rate(found.turned[h, "safe", "watching"], 21).value for h in FEIGNED}
        return (
            f"Over all habits Nash wins {100 * nash:.1f} %, the safe reader {100 * kept:.1f} and "
            f"the bare one {100 * bare:.1f}; after a turn the safe one wins {_range(after)}."
            + ("" if bare > nash else " Of the bare one's gain there is nothing to keep half of.")
        )
    if name == "pokemon/enjoyable":
        both = [
            f"{label(h)} ({100 * share(series[h, 'bare'], 'open', 5).value:.0f} % of the series "
            f"have ruled out Nash after 5 battles, its best reply wins {100 * best[h]:.1f} %)"
            for h in KNOWABLE
            if share(series[h, "bare"], "open", 5).below(0.5) and found.best[h].above(0.55)
        ]
        return f"Both: {'; '.join(both)}." if both else "None is both."
    costs = {h: found.best[h].minus(found.best["delta-nash"]).value for h in HABITS}
    return f"The rate of a bias's best reply less that of δ-Nash's: {_points(costs)}."


RULES: dict[str, Rule] = {
    "pokemon/known": known,
    "pokemon/reads": reads,
    "pokemon/ceiling": ceiling,
    "pokemon/outside": outside,
    "pokemon/feigned": feigned,
    "pokemon/safe": safe,
    "pokemon/enjoyable": enjoyable,
    "pokemon/biases-cost": biases_cost,
    "pokemon/reads-steadily": reads_steadily,
    "pokemon/feigned-steadily": feigned_steadily,
}


@judge("pokemon/reading", "pokemon/reading-steady", "pokemon/feigning", "pokemon/replies",
       "pokemon/table-4", "pokemon/biases")  # fmt: skip
def section_7(*rows: pd.DataFrame) -> Judged:
    """Answer every question."""
    found = Measured(*rows)
    for name, rule in RULES.items():
        yield name, Ours(holds=rule(found), detail=said(name, found))
