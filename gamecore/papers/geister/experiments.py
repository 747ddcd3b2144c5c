"""The thesis's tables as experiments.

Games are played between fixed pairs, the player named first being the one whose table it is. A pair
of deterministic players has only 72 games (36 pairs of placements, both ways round): each of
its chunks is the same complete enumeration, so its shares are exact.
"""

from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from gamecore.geister.hidden import retrograde_hidden
from gamecore.geister.leaves import Lookup, perfect_table
from gamecore.geister.matches import COUNTS, ENDINGS, match
from gamecore.geister.players import DETERMINISTIC, settings
from gamecore.geister.rules import Position, cell_name
from gamecore.geister.solution import retrograde
from gamecore.geister.strategy import mixture
from gamecore.papers.experiment import Cell, experiment

BENCHMARKS = ("random", "charge", "purple", "anti")
CFR = ("cfr-a", "cfr-b")
#: Player and opponent of every cell; table 6.4 mirrors some.
PAIRS = (
    ("charge", "random"), ("anti", "random"), ("charge", "anti"),
    ("purple", "random"), ("purple", "charge"), ("purple", "anti"),
)  # fmt: skip
CFR_PAIRS = tuple((player, other) for player in CFR for other in BENCHMARKS)
ALL = 72  # games of a deterministic pair
_SUMS = COUNTS[1:9]  # counts that add up; the others are told apart below
_MEANS = ("plies", "red_adjacent", "blue_adjacent")  # their spread is needed too


@experiment(
    "geister/table-6.1", cells=[{"board": "4x4", "pieces": "2+2"}],
    games=1, quick=1, paper=1, fingerprint=1, prepare=lambda: retrograde(4, 4, 2, 2, depths=False),
)  # fmt: skip
def positions(cell, seed, games, solved):
    """Retrograde analysis of 4×4: results and depths of 71 million positions."""
    return {
        "total": solved.total, "wins": solved.wins, "losses": solved.losses, "draws": solved.draws,
        **{f"win_{depth}": number for depth, number in solved.win_histogram.items()},
        **{f"loss_{depth}": number for depth, number in solved.loss_histogram.items()},
    }  # fmt: skip


@experiment(
    "geister/section-4.2",
    cells=[{"problem": "general-problem"}, {"problem": "full-information-problem"}],
    games=1, quick=1, paper=1, fingerprint=1,
)  # fmt: skip
def two_pieces(cell, seed, games, tables):
    """One blue and one red a side on 6×6, colours hidden or open."""
    if cell["problem"] == "general-problem":
        solved = retrograde_hidden(6, 6)
        wins, others, longest = solved.wins, solved.others, solved.longest
        names = [cell_name(c, 6) for c in range(36)]
        free = [name for name in names if name not in ("e1", "e2", "f3")]
        pairs = [(p, q) for i, p in enumerate(free) for q in free[i + 1 :]]
        walls = sum(solved.reply("f3", "e1", f"{p} {q}").outcome == "loss" for p, q in pairs)
    else:
        full = retrograde(6, 6, 1, 1)
        wins, others, walls = full.wins, full.losses + full.draws, 0
        longest = max(full.win_histogram)
    return {"wins": wins, "others": others, "longest": longest, "walls": walls}


@experiment(
    "geister/benchmarks", cells=[{"player": a, "opponent": b} for a, b in PAIRS],
    games=ALL, quick=4, paper=70, fingerprint=4,
)  # fmt: skip
def benchmark_pairs(cell, seed, games, table):
    """Tables 6.4 to 6.6 for the four benchmark players: results, approaches, plies, endings."""
    return played(cell, seed, games, table)


@experiment(
    "geister/matches", cells=[{"player": a, "opponent": b} for a, b in (*PAIRS, *CFR_PAIRS)],
    games=ALL, quick=1, paper=14, fingerprint=2, prepare=perfect_table,
)  # fmt: skip
def all_pairs(cell, seed, games, table):
    """Tables 6.4 and 6.7 to 6.11 for the CFR players, and all pairs for the claims."""
    return played(cell, seed, games, table)


@experiment(
    "geister/first-position",
    cells=[{"blues": pair} for pair in ("ab", "ac", "ad", "bc", "bd", "cd")],
    games=1, quick=1, paper=1, fingerprint=1,
)  # fmt: skip
def first_position(cell, seed, games, tables):
    """CFR-A before the first move: how far from even its strategy is, for each own colouring."""
    names = [f"{letter}4" for letter in cell["blues"]]
    reds = " ".join(f"{c}4" for c in "abcd" if f"{c}4" not in names)
    start = Position.of(" ".join(names), reds, "a1 b1", "c1 d1")
    moves = mixture(start, "draw", 1000).moves[start.blue]
    return {"moves": len(moves), "spread": max(moves.values()) - min(moves.values())}


def played(
    cell: Cell, seed: np.random.SeedSequence, games: int, table: Lookup | None, **how: Any
) -> dict[str, int]:
    """Play one chunk of a pair; `how` is what `gamecore.geister.settings` takes."""
    player, opponent = cell["player"], cell["opponent"]
    if player in DETERMINISTIC and opponent in DETERMINISTIC:
        return _enumerated(player, opponent, games, **how)
    how_they_play = settings(**how)
    return summary(match(player, opponent, games, seed, settings=how_they_play, table=table).counts)


@cache
def _enumerated(player: str, opponent: str, games: int, **how: Any) -> dict[str, int]:
    """Play a deterministic pair; every chunk asks for the same games, and there are no more."""
    found = match(player, opponent, min(games, ALL), 0, settings=settings(**how)).counts
    return summary({name: np.resize(values, games) for name, values in found.items()})


def summary(counts: dict[str, np.ndarray]) -> dict[str, int]:
    """Return the sums that tables and claims are made of."""
    table = pd.DataFrame(counts)
    won, lost = table.ending.isin([0, 2, 4]), table.ending.isin([1, 3, 5])
    after = table.red_taken == 1
    return {
        **{name: int((table.ending == i).sum()) for i, name in enumerate(ENDINGS)},
        **{name: int(table[name].sum()) for name in _SUMS},
        **{f"{name}_squared": int((table[name] ** 2).sum()) for name in _MEANS},
        "red_taken_points": int((2 * (won & after) + (after & ~won & ~lost)).sum()),
        "red_taken_escaped": int((after & (table.ending == 5)).sum()),
        "chases": int((table.chaser >= 0).sum()),
        "red_chases": int((table.chaser == 1).sum()),
        "charge_down": int(table.charge_down.sum()),
    }
