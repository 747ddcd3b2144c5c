"""Sums over all games of every pair of players, asked from either side."""

import math

import pandas as pd

from gamecore.geister.players import DETERMINISTIC, ENDINGS
from gamecore.stats import Ours, wilson

BENCHMARKS = ("random", "charge", "purple", "anti")
CFR = ("cfr-a", "cfr-b")
#: The experiment that shows why the purple AI's cell against anti-purple is what it is.
ORDERS = "geister/direction-orders"
WON, LOST = (ENDINGS[0], ENDINGS[2], ENDINGS[4]), (ENDINGS[1], ENDINGS[3], ENDINGS[5])


class Tally:
    """Sums over all games of every pair, asked from either side."""

    def __init__(self, results: pd.DataFrame):
        numbers = results.drop(columns=["chunk"])
        self.pairs = numbers.groupby(["player", "opponent"]).sum()

    def row(self, player: str, opponent: str) -> pd.Series:
        """Return the sums of a pair in which `player` is the one counted."""
        return self.pairs.loc[player, opponent]

    def results(self, player: str, opponent: str) -> tuple[int, int, int, int]:
        """Return wins, losses, draws and games of a player, also of a mirrored pair."""
        mirrored = (player, opponent) not in self.pairs.index
        row = self.row(opponent, player) if mirrored else self.row(player, opponent)
        won, lost = int(row[list(WON)].sum()), int(row[list(LOST)].sum())
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

    def pooled(self, player: str, name: str, opponents: tuple[str, ...]) -> float:
        """Return a sum over all games against several opponents."""
        return float(sum(self.row(player, other)[name] for other in opponents))


def against(player: str) -> tuple[str, ...]:
    """Return whom a player meets in its tables."""
    return ("random", "charge", "anti") if player == "purple" else BENCHMARKS
