"""Sums over all games of every pair of players, asked from either side."""

import math

import pandas as pd

from gamecore.geister.matches import ENDINGS
from gamecore.geister.players import DETERMINISTIC
from gamecore.papers.geister.experiments import BENCHMARKS
from gamecore.papers.stats import Ours, wilson

#: The experiment that shows why the purple AI's cell against anti-purple is what it is.
ORDERS = "geister/direction-orders"
WON, LOST = list(ENDINGS[0:6:2]), list(ENDINGS[1:6:2])


class Pairings:
    """Sums over all games of every pair, asked from either side."""

    def __init__(self, results: pd.DataFrame):
        numbers = results.drop(columns=["chunk"])
        self.sums = numbers.groupby(["player", "opponent"]).sum()

    def row(self, player: str, opponent: str) -> pd.Series:
        """Return the sums of a pair in which `player` is the one counted."""
        return self.sums.loc[player, opponent]

    def results(self, player: str, opponent: str) -> tuple[int, int, int, int]:
        """Return wins, losses, draws and games of a player, also of a mirrored pair."""
        mirrored = (player, opponent) not in self.sums.index
        row = self.row(opponent, player) if mirrored else self.row(player, opponent)
        won, lost = int(row[WON].sum()), int(row[LOST].sum())
        won, lost = (lost, won) if mirrored else (won, lost)
        return won, lost, int(row.draw), int(row.games)

    def score(self, player: str, opponent: str) -> float:
        """Return the share of points, a draw counting one half."""
        won, _, drawn, games = self.results(player, opponent)
        return (won + drawn / 2) / games

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
        square = (won + drawn / 4) / games
        explained = ORDERS if {player, opponent} == {"purple", "anti"} else ""
        spread = 100 * math.sqrt(max(square - mean * mean, 0.0))
        return Ours(100 * mean, n=games, sd=spread, explained_by=explained)

    def worst(self, player: str) -> str:
        """Return the benchmark player against which `player` scores least."""
        others = [other for other in BENCHMARKS if other != player]
        return min(others, key=lambda other: self.score(player, other))

    def pooled(self, player: str, name: str) -> float:
        """Return a sum over all games against the opponents of a player's tables."""
        return float(sum(self.row(player, other)[name] for other in against(player)))


def against(player: str) -> tuple[str, ...]:
    """Return whom a player meets in its tables."""
    return ("random", "charge", "anti") if player == "purple" else BENCHMARKS
