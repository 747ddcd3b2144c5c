"""What the exact solution says, how near figure 3 comes to equilibrium, and the dilemma.

The paper's matches are in `matches`, its tables of search counts in `visits`, exact exploitability
is in `exploit`, our own questions are in `sensitivity`. Tables 2 to 10 are lost with their images,
so most of what is judged are sentences.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from gamecore import rng
from gamecore.experiment import experiment
from gamecore.matrixgame import gap
from gamecore.stats import Ours
from gamecore.triomineering import claims, exploit, matches, nash, sensitivity, visits
from gamecore.triomineering.players import Player, orbits, simulate
from gamecore.triomineering.rules import Position
from gamecore.triomineering.solve import MAX_TOTAL, solve
from gamecore.triomineering.visits import correct_moves

__all__ = ["exploit", "matches", "sensitivity", "visits"]

CORNERS = ("a1b1", "a1b2", "a2b1", "a2b2")
CHECKPOINTS = (100, 1000, 10_000, 100_000)
DILEMMA = {"R": 0.8, "P": 0.2}
SIZES = (2, 8, 24)


@experiment(
    "triomineering/solved",
    cells=[{"rows": m, "columns": n} for m, n in ((4, 4), (6, 6), (8, 4))],
    games=1, quick=1, paper=1, fingerprint=1,
)  # fmt: skip
def solved(cell, seed, games, tables):
    """Exact facts of the boards that the paper plays on."""
    size = cell["rows"], cell["columns"]
    solution, empty = solve(*size), Position.empty(*size)
    table = solution.payoff_matrix(empty)
    v, h = correct_moves(size)
    return {
        "value": solution.value, "outcome": solution.outcome,
        "v_moves": len(empty.v_moves()), "h_moves": len(empty.h_moves()),
        "v_orbits": len(orbits(empty, "V")),
        "v_correct": " ".join(map(str, v)), "h_correct": " ".join(map(str, h)),
        "half": claims.half_and_half(table, solution.value),
    }  # fmt: skip


@solved.judge
def _(results: pd.DataFrame) -> Iterator[tuple[str, Ours]]:
    four, six, eight = (results[results["rows"] == m].iloc[0] for m in (4, 6, 8))
    for name, found in (("v", "v_moves"), ("h", "h_moves")):
        yield f"triomineering/section-6.2/4x4/legal-{name}", Ours(float(four[found]))
    yield "triomineering/section-6.2/4x4/reduced-v", Ours(float(four.v_orbits))
    words = "not rebuilt: the game is not described"
    yield "triomineering/section-6.6.2/card-game", Ours(detail=words)
    words = "not judged: a matter of program and machine"
    yield "triomineering/section-6.6.1/time", Ours(detail=words)
    expected = {"v": "1 2 5 6", "h": "4 5 8 9"}  # rows × 4 + columns of the moves in the test
    for name, cells in expected.items():
        found = str(four[f"{name}_correct"])
        words = " ".join(f"({int(cell) // 4},{int(cell) % 4})" for cell in found.split())
        yield f"triomineering/claim/solved/4x4-{name}", Ours(holds=found == cells, detail=words)
    facts = {
        "6x6-draw": (six.outcome == "D" and six.value == 0.5, six),
        "6x6-no-mixing": (bool(str(six.v_correct) and str(six.h_correct)), six),
        "8x4-vd": (eight.outcome == "VD", eight),
        "8x4-half": (eight.value == 0.75 and str(eight.half) == "True", eight),
    }
    for name, (holds, board) in facts.items():
        detail = f"class {board.outcome}, value {board.value:g}"
        if name == "6x6-no-mixing":
            kept = [len(str(board[x]).split()) for x in ("v_correct", "h_correct")]
            detail = f"{kept[0]} of {board.v_moves} moves of V and {kept[1]} of H keep 0.5"
        yield f"triomineering/claim/solved/{name}", Ours(holds=bool(holds), detail=detail)


@experiment(
    "triomineering/outcomes",
    cells=[
        {"rows": m, "columns": n} for m in range(1, MAX_TOTAL) for n in range(1, MAX_TOTAL + 1 - m)
    ],
    games=1, quick=1, paper=1, fingerprint=1,
)  # fmt: skip
def outcomes(cell, seed, games, tables):
    """The class and value of every board with m + n ≤ 14."""
    solution = solve(cell["rows"], cell["columns"])
    return {"outcome": solution.outcome, "value": solution.value}


@outcomes.judge
def _(results: pd.DataFrame) -> Iterator[tuple[str, Ours]]:
    ranges = {"V": (1, 1), "D": (0.5, 0.5), "H": (0, 0)}
    between = {"VD": (0.5, 1), "HD": (0, 0.5), "VHD": (0, 1)}
    good = 0
    for row in results.itertuples():
        if row.outcome in ranges:
            good += row.value == ranges[row.outcome][0]
        else:
            low, high = between[row.outcome]
            good += low < row.value < high
    counts = results.outcome.value_counts()
    detail = f"{good} of {len(results)} boards: "
    detail += ", ".join(f"{name} {n}" for name, n in counts.items())
    yield "triomineering/claim/solved/to-14", Ours(holds=good == len(results), detail=detail)


@experiment(
    "triomineering/nash",
    cells=[
        {"method": method, "size": size, "rounds": rounds}
        for method in nash.METHODS
        for size in SIZES
        for rounds in (100, 200, 500, 2000)
    ],
    games=100, quick=1, paper=1, fingerprint=5,
)  # fmt: skip
def nash_gaps(cell, seed, games, tables):
    """How near figure 3 comes to equilibrium, in three readings, on random tables."""
    stream, size, total, squares = rng.state(seed), cell["size"], 0.0, 0.0
    for _ in range(games):
        table = np.array([rng.uniform(stream) for _ in range(size * size)]).reshape(size, size)
        found = nash.approximate(table, None, cell["method"], cell["rounds"])
        open_gain = float(gap(table, found.own, found.other))
        total += open_gain
        squares += open_gain * open_gain
    return {"gap": total / games, "squares": squares / games}


@nash_gaps.judge
def _(results: pd.DataFrame) -> Iterator[tuple[str, Ours]]:
    gaps = results.set_index(["method", "rounds", "size"]).gap
    for name, method, rounds in (
        ("fictitious-play", "fictitious play", 2000),
        ("constant-step", "constant step", 200),
    ):
        found = gaps[method][rounds]
        detail = "mean gap " + ", ".join(f"{x:.4f} at {n}×{n}" for n, x in found.items())
        ours = Ours(holds=bool((found <= 0.05).all()), detail=detail)
        yield f"triomineering/claim/nash/{name}", ours
    plain, proven = gaps["constant step"][200], gaps["regret matching+"][200]
    detail = ", ".join(f"{proven[n]:.4f} against {plain[n]:.4f} at {n}×{n}" for n in SIZES)
    ours = Ours(holds=bool((proven < plain).all()), detail=detail)
    yield "triomineering/claim/nash/proven-is-better", ours


def dilemma_tables(R: float, P: float) -> tuple[np.ndarray, np.ndarray]:
    """Return both players' mean payoffs, T = 1 and S = 0; a1 and b1 are to cooperate."""
    own = np.array([[R, 0.0], [1.0, P]])
    return own, own.T


@experiment(
    "triomineering/dilemma",
    cells=[{"method": method, **DILEMMA} for method in ("SimpleUCB1", "MSUCB1")],
    games=25, quick=1, paper=8, fingerprint=1,
)  # fmt: skip
def dilemma(cell, seed, games, tables):
    """Table 10: visits of the four pairs of the prisoner's dilemma, one search a game."""
    counts = np.zeros((len(CHECKPOINTS), 4), np.int64)
    drifted = 0
    payoffs = dilemma_tables(cell["R"], cell["P"])
    for child in seed.spawn(games):
        for k, playouts in enumerate(CHECKPOINTS):  # a shorter search is the start of a longer one
            player = Player(cell["method"], playouts)
            found = simulate(*payoffs, player, child).ravel()
            counts[k] += found
        drifted += bool(found[0] > found[3])
    named = {
        f"{corner}@{t}": counts[k, i]
        for k, t in enumerate(CHECKPOINTS)
        for i, corner in enumerate(CORNERS)
    }
    return {**named, "drifted": drifted}


def corner_shares(results: pd.DataFrame) -> pd.DataFrame:
    """Return the mean visits of each pair, a row per checkpoint, from one cell of ``dilemma``."""
    sums = results.sum(numeric_only=True) / results.games.sum()
    return pd.DataFrame(
        {corner: [sums[f"{corner}@{t}"] for t in CHECKPOINTS] for corner in CORNERS}, CHECKPOINTS
    )


@dilemma.judge
def _(results: pd.DataFrame) -> Iterator[tuple[str, Ours]]:
    found = {name: corner_shares(rows) for name, rows in results.groupby("method")}
    seeds = int(results.games.sum() / 2)
    for method, table in found.items():
        for t in (10_000, 100_000):
            for corner in CORNERS:
                identity = f"triomineering/table-10/{method.lower()}-{t}/{corner}"
                yield identity, Ours(float(table[corner][t] / t), n=seeds)
    simple, mixed = found["SimpleUCB1"], found["MSUCB1"]
    first = [t for t in CHECKPOINTS[:3] if simple.a2b2[t] > simple.a1b1[t]]
    later = (simple.a1b1[100_000] - simple.a1b1[10_000]) / 90_000
    detail = f"(a2,b2) leads at {first or 'no checkpoint'}, then (a1,b1) gets {later:.3f}; "
    share = results[results.method == "SimpleUCB1"].drifted.sum() / seeds
    detail += f"(a1,b1) ends ahead in {share:.2f} of the searches"
    holds = bool(first) and later >= 0.9
    explained = "" if holds else "triomineering/dilemma-grid"
    ours = Ours(holds=holds, detail=detail, explained_by=explained)
    yield "triomineering/claim/dilemma/simpleucb1-drifts", ours
    shares = [float(mixed.a2b2[t] / t) for t in (10_000, 100_000)]
    detail = f"{shares[0]:.3f} of 10,000 and {shares[1]:.3f} of 100,000 playouts"
    ours = Ours(holds=min(shares) >= 0.5, detail=detail)
    yield "triomineering/claim/dilemma/msucb1-concentrates", ours
    least = float(mixed.loc[[10_000, 100_000], ["a1b1", "a1b2", "a2b1"]].min().min())
    ours = Ours(holds=least >= 10, detail=f"at least {least:.0f} visits")
    yield "triomineering/claim/dilemma/msucb1-visits-others", ours
    own, other = dilemma_tables(**DILEMMA)
    worth = ((own + other) / 2).ravel()
    joint = [float(found[x].loc[100_000] @ worth / 100_000) for x in ("SimpleUCB1", "MSUCB1")]
    ours = Ours(
        holds=joint[0] >= 0.6 and joint[1] <= 0.4,
        detail=f"mean payoff {joint[0]:.3f} and {joint[1]:.3f}",
    )
    yield "triomineering/claim/dilemma/suits", ours
