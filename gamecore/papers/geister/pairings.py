"""Sums over all games of every pair of players, asked from either side."""

import math

import pandas as pd

from gamecore.geister.matches import ENDINGS
from gamecore.geister.players import DETERMINISTIC
from gamecore.papers.geister.experiments import BENCHMARKS
from gamecore.papers.stats import Estimate, Ours, wilson

#: The experiment that shows why the purple AI's cell against anti-purple is what it is.
ORDERS = "geister/direction-orders"
WON, LOST = ENDINGS[0:6:2], ENDINGS[1:6:2]


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
        why = explanation(player, opponent)
        return Ours(100 * mean, n=games, sd=spread, explained_by=why)

    def mean(self, player: str, opponent: str, name: str) -> Ours:
        """Return the mean per game of something counted, with its spread from game to game."""
        row = self.row(player, opponent)
        mean = row[name] / row["games"]
        spread = _spread(mean, row[f"{name}_squared"] / row["games"])
        return Ours(mean, n=row["games"], sd=spread, explained_by=explanation(player, opponent))

    def taken(self, player: str, suffix: str) -> Ours:
        """Return the share of approaching pieces that are taken at once, of all or `_last`.

        The thesis does not print how many approached; ours per game stand in for it.
        """
        chances = self.pooled(player, f"approached{suffix}")
        theirs = 100 * len(against(player)) * chances / self.pooled(player, "games")
        n = max(chances, 1)
        share = self.pooled(player, f"taken{suffix}") / n
        return Ours(share, n=n, paper_n=max(round(theirs), 1))

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


def explanation(player: str, opponent: str) -> str:
    """Return the experiment that explains differences in a pair's games, if there is one."""
    return ORDERS if {player, opponent} == {"purple", "anti"} else ""


def _spread(mean: float, square: float) -> float:
    return math.sqrt(max(square - mean * mean, 0.0))
