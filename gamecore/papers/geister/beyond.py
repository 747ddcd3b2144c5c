"""What the thesis leaves to the future: past moves; and what a response to each player wins.

Belief players and responses are in `gamecore.geister.belief` and `gamecore.geister.response`.
"""

import math
from typing import Any

import numpy as np

from gamecore.contest import Match
from gamecore.geister.belief import MINDS
from gamecore.geister.duels import duel, learn_habits, mind
from gamecore.geister.habits import HABIT_CLASSES
from gamecore.geister.leaves import perfect_table
from gamecore.geister.players import PLAYERS
from gamecore.geister.response import depths
from gamecore.papers.experiment import Cell, experiment
from gamecore.papers.geister.experiments import BENCHMARKS, CFR

#: How a CFR player that remembers weighs the opponent's colourings: by which model, and how often
#: they come from there. Without a model they are equally likely; trust 0 is the thesis's player.
THESIS, EVEN, FULL, HALF = ("", 0.0), ("", 1.0), ("habits", 1.0), ("habits", 0.5)
_CHUNK = 4  # games


def _cells(players: tuple, ways: tuple, opponents: tuple) -> list[dict[str, Any]]:
    return [
        {"player": player, "model": model, "trust": trust, "opponent": opponent}
        for player in players
        for model, trust in ways
        for opponent in opponents
    ]


@experiment(
    "geister/habits", cells=[{"players": "six"}],
    games=42, quick=1, paper=18, fingerprint=6, prepare=perfect_table, extra=True,
)  # fmt: skip
def habits(cell, seed, games, table):
    """The weights of 48 classes of moves, learnt from games of the six players in all pairs."""
    weights, moves = learn_habits(games, seed, table=table)
    return {"moves": moves, **{f"class_{c}": float(weights[c]) for c in range(HABIT_CLASSES)}}


@experiment(
    "geister/past-moves", cells=_cells(CFR, (EVEN, FULL, HALF), BENCHMARKS),
    games=_CHUNK, quick=1, paper=48, fingerprint=1, prepare=perfect_table, extra=True,
)  # fmt: skip
def past_moves(cell, seed, games, table):
    """CFR players that weigh the opponent's colourings by its habits, and by nothing."""
    return _points(_played(cell, seed, games, table))


@experiment(
    "geister/mirror",
    cells=[cell for player in CFR for cell in _cells((player,), ((player, 1.0),), BENCHMARKS)],
    games=_CHUNK, quick=1, paper=16, fingerprint=1, prepare=perfect_table, extra=True,
)  # fmt: skip
def mirror(cell, seed, games, table):
    """CFR players that take the opponent to play as they would themselves."""
    return _points(_played(cell, seed, games, table))


@experiment(
    "geister/liars", cells=_cells(CFR, (EVEN, FULL), ("habits", "liar")),
    games=_CHUNK, quick=1, paper=24, fingerprint=1, prepare=perfect_table, extra=True,
)  # fmt: skip
def liars(cell, seed, games, table):
    """CFR players against one who moves by those habits, and one who does with colours swapped."""
    return _points(_played(cell, seed, games, table))


#: Who is responded to: the six players, and those that remember.
TARGETS = (
    *((player, *THESIS) for player in PLAYERS),
    *((player, *way) for player in CFR for way in (EVEN, FULL, HALF, (player, 1.0))),
)


@experiment(
    "geister/response",
    cells=[
        {"player": player, "model": model, "trust": trust, "opponent": opponent}
        for player, model, trust in TARGETS
        for opponent in MINDS[-2:]
        if opponent == "response" or (model, trust) == THESIS
    ],
    games=_CHUNK, quick=1, paper=20, fingerprint=1, prepare=depths, extra=True,
)  # fmt: skip
def responses(cell, seed, games, tables):
    """All players against a response that knows how they play, and against a blind one."""
    table, solved = tables
    return _points(_played(cell, seed, games, table, solved=solved))


def _played(cell: Cell, seed: np.random.SeedSequence, games: int, table: Any, **more: Any) -> Match:
    player = mind(cell["player"], cell["model"], cell["trust"])
    return duel(player, mind(cell["opponent"]), games, seed, table=table, **more)


def _points(met: Match) -> dict[str, float]:
    """Return the player's wins and draws, plies, and how well it knew its opponent's colours."""
    return {
        "win": int((met.results > 0).sum()), "draw": int((met.results == 0).sum()),
        **{name: int(met.counts[name].sum()) for name in ("plies", "decisions")},
        **{name: math.fsum(met.counts[name]) for name in ("believed", "even")},
    }  # fmt: skip
