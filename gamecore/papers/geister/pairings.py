"""Sums over all games of every pair of players, asked from either side."""

import math
from collections.abc import Iterable
from typing import NamedTuple

import pandas as pd
from scipy import stats as distributions

from gamecore.contest import wilson
from gamecore.geister.matches import ENDINGS
from gamecore.geister.players import DETERMINISTIC
from gamecore.papers.geister.experiments import BENCHMARKS, benchmark_pairs
from gamecore.papers.published import Published
from gamecore.papers.stats import Estimate, Ours

#: The experiment that varied how the purple AI and anti-purple search.
ORDERS = "geister/purple-readings"
WON, LOST = ENDINGS[0:6:2], ENDINGS[1:6:2]
#: Where each player's means and endings stand.
_TABLES = {"purple": ("6.5", "6.6"), "cfr-a": ("6.7", "6.10"), "cfr-b": ("6.8", "6.11")}
#: How the tables of means call what we count.
MEANS = {"red": "red_adjacent", "blue": "blue_adjacent", "plies": "plies"}


class Pairings:
    """Sums over all games of every pair, asked from either side."""

    def __init__(self, results: pd.DataFrame):
        sums = results.drop(columns=["chunk"]).groupby(["player", "opponent"]).sum()
        self.rows: dict[tuple[str, str], dict[str, int]] = sums.to_dict("index")

    def row(self, player: str, opponent: str) -> dict[str, int]:
        """Return the sums of a pair in which `player` is the one counted."""
        return self.rows[player, opponent]

    def results(self, player: str, opponent: str) -> tuple[int, int, int, int]:
        """Return wins, losses, draws and games of a player, also of a mirrored pair."""
        mirrored = (player, opponent) not in self.rows
        row = self.row(opponent, player) if mirrored else self.row(player, opponent)
        won, lost = (sum(row[ending] for ending in endings) for endings in (WON, LOST))
        won, lost = (lost, won) if mirrored else (won, lost)
        return won, lost, row["draw"], row["games"]

    def points(self, player: str, opponent: str) -> Estimate:
        """Return the share of points, a draw counting one half."""
        won, _, drawn, games = self.results(player, opponent)
        return Estimate.share(won + drawn / 2, games)

    def score(self, player: str, opponent: str) -> float:
        """Return the share of points without its error."""
        return self.points(player, opponent).value

    def share(self, player: str, opponent: str, ending: str) -> Estimate:
        """Return the share of games that end in one way."""
        row = self.row(player, opponent)
        return Estimate.share(row[ending], row["games"])

    def ends(self, player: str, opponent: str) -> tuple[float, float]:
        """Return the 95 % interval of the score; a point for enumerated pairs."""
        share, games = self.score(player, opponent), self.results(player, opponent)[3]
        if player in DETERMINISTIC and opponent in DETERMINISTIC:
            return share, share
        return wilson(share * games, games)

    def percent(self, player: str, opponent: str) -> Ours:
        """Return the score in percent with its spread from game to game."""
        won, _, drawn, games = self.results(player, opponent)
        mean = self.score(player, opponent)
        spread = 100 * _spread(mean, (won + drawn / 4) / games)
        return Ours(100 * mean, n=games, sd=spread)

    def mean(self, player: str, opponent: str, name: str) -> Ours:
        """Return the mean per game of something counted, with its spread from game to game."""
        row = self.row(player, opponent)
        mean = row[name] / row["games"]
        spread = _spread(mean, row[f"{name}_squared"] / row["games"])
        return Ours(mean, n=row["games"], sd=spread)

    def taken(self, player: str, suffix: str) -> Ours:
        """Return the share of approaching pieces that are taken at once, of all or `_last`."""
        n = max(self.pooled(player, f"approached{suffix}"), 1)
        return Ours(self.pooled(player, f"taken{suffix}") / n, n=n)

    def worst(self, player: str) -> str:
        """Return the benchmark player against which `player` scores least."""
        others = [other for other in BENCHMARKS if other != player]
        return min(others, key=lambda other: self.score(player, other))

    def pooled(self, player: str, name: str) -> int:
        """Return a sum over all games against the opponents of a player's tables."""
        return sum(self.row(player, other)[name] for other in against(player))


def against(player: str) -> tuple[str, ...]:
    """Return whom a player meets in its tables."""
    return ("random", "charge", "anti") if player == "purple" else BENCHMARKS


class JointFit(NamedTuple):
    """How far the printed numbers of several pairings are from ours, all together.

    Examples
    --------
    >>> fit = JointFit({"endings of purple and anti": (9.0, 3), "plies of the same": (1.0, 1)})
    >>> fit.chi_square, fit.degrees, round(fit.p, 3)
    (10.0, 4, 0.04)
    """

    parts: dict[str, tuple[float, int]]
    """Of each row of a table, its chi-square and degrees of freedom."""

    @property
    def chi_square(self) -> float:
        """The sum over all rows."""
        return math.fsum(square for square, _ in self.parts.values())

    @property
    def degrees(self) -> int:
        """The degrees of freedom of all rows."""
        return sum(degrees for _, degrees in self.parts.values())

    @property
    def p(self) -> float:
        """How often chance alone would bring so much, were the rows independent.

        Rows of one pairing come from the same games. Of samples drawn from the chapter's own games
        5 % exceed 29 on 17 degrees of freedom, where the chi-square law says 27.6.
        """
        return float(distributions.chi2.sf(self.chi_square, self.degrees))


def joint_fit(pairs: Pairings, rows: Iterable[Published], player: str = "purple") -> JointFit:
    """Judge all that tables 6.5 to 6.8, 6.10 and 6.11 print on a player's pairings at once.

    Of each pairing of ours these are the endings, as one row of counts, and the means of approaches
    and plies. Table 6.4 sums the endings up; the approaches of table 6.9 have no number of games.

    Parameters
    ----------
    pairs : Pairings
        Our games; only pairings with `player` are judged.
    rows : iterable of Published
        The thesis's numbers.
    player : str
        Whose pairings.
    """
    printed = {row.id: row for row in rows}
    parts: dict[str, tuple[float, int]] = {}
    for pair in pairs.rows:
        if player not in pair:
            continue
        means, endings = (f"geister/table-{number}" for number in _TABLES[pair[0]])
        ours, label = pairs.row(*pair), " and ".join(pair)
        sure = set(DETERMINISTIC).issuperset(pair)
        n = benchmark_pairs.games * benchmark_pairs.paper if sure else ours["games"]
        names = [f"{endings}/{'-vs-'.join(pair)}/{e.replace(' ', '-')}" for e in ENDINGS[:6]]
        counts = [printed[name].value or 0.0 for name in names]
        counts.append((printed[names[0]].n or 0) - sum(counts))  # what is left out are draws
        shares = [ours[ending] / ours["games"] for ending in ENDINGS]
        parts[f"endings of {label}"] = _of_counts(counts, [n * share for share in shares])
        for short, name in MEANS.items():
            row = printed[f"{means}/{short}/{pair[1]}"]
            parts[f"{short} of {label}"] = _of_mean(row, pairs.mean(*pair, name)._replace(n=n))
    return JointFit(parts)


def _of_counts(printed: list[float], ours: list[float]) -> tuple[float, int]:
    """Return Pearson's chi-square of two rows of counts and its degrees of freedom."""
    seen = [(a, b) for a, b in zip(printed, ours, strict=True) if a + b > 0]
    n, m = sum(printed), sum(ours)
    square = math.fsum((a * m - b * n) ** 2 / (a + b) for a, b in seen) / (n * m)
    return square, len(seen) - 1


def _of_mean(row: Published, ours: Ours) -> tuple[float, int]:
    """Return the squared z-score of a printed mean; without a spread, of equal or unequal ones."""
    away = abs((row.value or 0.0) - ours.value)
    if ours.sd == 0:
        return (0.0 if away <= 0.5 * 10.0**-row.digits else math.inf), 0
    return away**2 / (ours.sd**2 * (1 / ours.n + 1 / (row.n or 1))), 1


def _spread(mean: float, square: float) -> float:
    return math.sqrt(max(square - mean * mean, 0.0))
