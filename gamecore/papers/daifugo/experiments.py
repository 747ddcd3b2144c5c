"""AllRandom and SontakuA, B, C: tables 1 and 2, figures 1 and 2.

Ranks carry over from game to game and cards are exchanged, so the games of a block of 1000 depend
on each other. A chunk is therefore one block, and every interval is taken over blocks.
"""

from dataclasses import replace
from typing import Any

from gamecore.daifugo.matches import Series, series
from gamecore.daifugo.players import Player, Sontaku
from gamecore.daifugo.rules import SEATS, Rules
from gamecore.papers.experiment import experiment

PLACES = ("1st", "2nd", "3rd", "4th")
#: Each game of the paper and the seat of its beneficiary.
BENEFICIARY = {"SontakuA": 1, "SontakuB": 2, "SontakuC": 3}
GAMES = ("AllRandom", *BENEFICIARY)
BLOCK = 1000  # games


def play_block(
    game: str,
    games: int,
    seed: Any,
    rules: Rules = Rules(),  # noqa: B008 (immutable)
    sontaku: Sontaku = Sontaku(),  # noqa: B008
    carry_over: bool = True,
) -> dict[str, int]:
    """Play one of the paper's `GAMES`; return counts by name, as ``CPUA 1st``, and how it went."""
    players: list[Player] = ["random"] * 4
    if game in BENEFICIARY:
        players[0] = replace(sontaku, beneficiary=BENEFICIARY[game])
    return counted(series(games, seed, players, rules, carry_over))


def counted(played: Series) -> dict[str, int]:
    """Return how often each seat came where, as ``CPUA 1st``, and how the games went."""
    counts = {
        f"{seat} {place}": played.ranks[i, j]
        for i, seat in enumerate(SEATS)
        for j, place in enumerate(PLACES)
    }
    more = ("stays", "drawn", "turns", "playouts")
    return counts | {name: int(played.counts[name].sum()) for name in more}


@experiment(
    "daifugo/table-1", cells=[{"game": "AllRandom"}],
    games=BLOCK, quick=100, paper=400, fingerprint=100,
)  # fmt: skip
def table_1(cell, seed, games, tables):
    """Table 1: places and scores when everybody plays at random, by blocks of 1000 games."""
    return play_block(cell["game"], games, seed)


@experiment(
    "daifugo/table-2", cells=[{"game": game} for game in GAMES],
    games=BLOCK, quick=1, paper=24, fingerprint=3,
)  # fmt: skip
def table_2(cell, seed, games, tables):
    """Table 2, figures 1 and 2: the four games of the paper, by blocks of 1000 games."""
    return play_block(cell["game"], games, seed)
