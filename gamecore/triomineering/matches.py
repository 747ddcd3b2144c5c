"""The paper's matches: tables 2, 4 to 7, the three printed results, and 8×4.

Besides V-D-H every match counts how many games were decided by the first pair of moves: after it
the exact value is no longer that of the empty board.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from gamecore import experiment as experiments
from gamecore.experiment import experiment
from gamecore.stats import Ours
from gamecore.triomineering import rules
from gamecore.triomineering.claims import (
    RESULTS,
    Judged,
    Score,
    coarse_sweep,
    fine_sweep,
    homogeneous,
    scores,
)
from gamecore.triomineering.players import Player, match
from gamecore.triomineering.rules import Position
from gamecore.triomineering.solve import solve

#: Games that a claim's test asks for; a quick run has fewer.
ENOUGH = 200
C_GRID = (0.05, 0.1, 0.3, 0.5, 0.7, 1.0, 2.0)
COARSE = (0.0, 0.25, 0.5, 0.75, 1.0)
FINE = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
MSUCB1, MSUCB15 = Player("MSUCB1"), Player("MSUCB1.5")
Pairs = Iterator[tuple[str, Ours]]


def opening_values(rows: int, columns: int) -> np.ndarray:
    """Return the exact value after each pair of first moves, by the moves' cells."""
    solution, empty = solve(rows, columns), Position.empty(rows, columns)
    values = np.full((rows * columns, rows * columns), np.nan)
    cells = [[a * columns + b for a, b in moves] for moves in (empty.v_moves(), empty.h_moves())]
    values[np.ix_(*cells)] = solution.payoff_matrix(empty)
    return values


def six() -> np.ndarray:
    """Return `opening_values` of the 6×6 board, on which most matches are played."""
    return opening_values(6, 6)


def play(v: Player, h: Player, games: int, seed: Any, values: np.ndarray, **board: int) -> dict:
    """Play a match and return V-D-H, and how games stood after the first pair of moves.

    ``V1`` and ``H1`` count games that were then worth more than 0.5 to V, or less; ``V2`` and
    ``H2`` those among them that V, or H, went on to win.
    """
    played = match(v, h, games, seed, **board)
    worth = values[played.openings[:, 0], played.openings[:, 1]]
    above, below = worth > 0.5, worth < 0.5
    return {
        **dict(zip(RESULTS, played.counts(), strict=True)),
        "V1": above.sum(), "H1": below.sum(),
        "V2": (above & (played.results == rules.WIN)).sum(),
        "H2": (below & (played.results == rules.LOSS)).sum(),
    }  # fmt: skip


def rows_of(place: str, score: Score, explained_by: str = "") -> Pairs:
    """Yield the shares of a match, for the published rows called ``place/v``, ``/d``, ``/h``."""
    for name in "vdh":
        share = getattr(score, name) / score.games
        yield f"triomineering/{place}/{name}", Ours(share, n=score.games, explained_by=explained_by)


def ahead(claim: str, score: Score, explained_by: str = "") -> Pairs:
    """Yield the claim that V is ahead: the interval of the lead lies above 0."""
    if score.games >= ENOUGH:
        lead = score.lead()
        why = "" if lead.low > 0 else explained_by
        ours = Ours(holds=lead.low > 0, detail=f"{score}, lead {lead}", explained_by=why)
        yield f"triomineering/claim/{claim}", ours


@experiment(
    "triomineering/table-2", cells=[{"mc": playouts} for playouts in (10_000, 100_000)],
    games=20, quick=1, paper=50, fingerprint=1, prepare=six,
)  # fmt: skip
def table_2(cell, seed, games, tables):
    """Table 2: MSUCB1 (V) against MC (H) with as many playouts and with ten times as many."""
    return play(MSUCB1, Player("MC", cell["mc"]), games, seed, tables)


@table_2.judge
def _(results: pd.DataFrame) -> Pairs:
    found = scores(results, "mc")
    for playouts, score in found.items():
        yield from rows_of(f"table-2/mc-{playouts}", score)
        yield from ahead(f"mc/ahead-{playouts}", score, "triomineering/symmetry")
    few, many = found[10_000], found[100_000]
    if min(few.games, many.games) >= ENOUGH:
        gain = few.payoff().minus(many.payoff())  # what V loses, H gains
        yield (
            "triomineering/claim/mc/no-gain",
            Ours(
                holds=gain.low <= 0,
                detail=f"MC's payoff changes by {gain}",
                explained_by="triomineering/exploitability",
            ),
        )


@experiment(
    "triomineering/depth", cells=[{"v": "MSUCB1.5", "h": "MSUCB1"}],
    games=20, quick=1, paper=50, fingerprint=1, prepare=six,
)  # fmt: skip
def depth(cell, seed, games, tables):
    """Section 6.3: MSUCB1.5 (V) against MSUCB1 (H)."""
    return play(MSUCB15, MSUCB1, games, seed, tables)


@depth.judge
def _(results: pd.DataFrame) -> Pairs:
    (score,) = scores(results, "v").values()
    yield from rows_of("section-6.3/msucb1.5-msucb1", score, "triomineering/filter")
    yield from ahead("depth/msucb1.5-ahead", score, "triomineering/filter")


@experiment(
    "triomineering/table-4", cells=[{"c": c} for c in C_GRID],
    games=20, quick=1, paper=50, fingerprint=1, prepare=six,
)  # fmt: skip
def table_4(cell, seed, games, tables):
    """Table 4: MSUCB1 (V) with different c against MC (H)."""
    return play(MSUCB1._replace(c=cell["c"]), Player("MC"), games, seed, tables)


@table_4.judge
def _(results: pd.DataFrame) -> Pairs:
    found = scores(results, "c")
    for c, score in found.items():
        yield from rows_of(f"table-4/c-{c:g}", score)
    if found[0.5].games < ENOUGH:
        return
    p = homogeneous(found[c] for c in (0.3, 0.5, 0.7))
    shown = ", ".join(f"{c:g}: {found[c]}" for c in (0.3, 0.5, 0.7))
    why = "" if p >= 0.05 else "triomineering/table-4"
    yield (
        "triomineering/claim/c/flat",
        Ours(holds=p >= 0.05, detail=f"{shown}; p = {p:.2g}", explained_by=why),
    )
    worse = {c: found[c].payoff().minus(found[0.5].payoff()) for c in (0.05, 0.1, 1.0, 2.0)}
    holds = all(estimate.high < 0 for estimate in worse.values())
    detail = "; ".join(f"{c:g}: {estimate}" for c, estimate in worse.items())
    why = "" if holds else "triomineering/table-4"
    yield "triomineering/claim/c/worse-outside", Ours(holds=holds, detail=detail, explained_by=why)


def draw_match(u: float, other: float, games: int, seed: Any, tables: np.ndarray) -> dict:
    """Play MSUCB1.5 against itself, V's draw being worth `u` and, in its model, H's `other`."""
    return play(MSUCB15._replace(draw=u, other_draw=other), MSUCB15, games, seed, tables)


@experiment(
    "triomineering/table-5", cells=[{"u": u} for u in COARSE],
    games=20, quick=1, paper=50, fingerprint=1, prepare=six,
)  # fmt: skip
def table_5(cell, seed, games, tables):
    """Table 5: MSUCB1.5 against itself, V's utility of a draw from 0 to 1."""
    return draw_match(cell["u"], 0.5, games, seed, tables)


@experiment(
    "triomineering/table-6", cells=[{"u": u} for u in FINE],
    games=20, quick=1, paper=100, fingerprint=1, prepare=six,
)  # fmt: skip
def table_6(cell, seed, games, tables):
    """Table 6: the same from 0.5 to 1, with more games."""
    return draw_match(cell["u"], 0.5, games, seed, tables)


def _with_model(found: Judged, judge: Any, at: Mapping) -> Pairs:
    """Yield judged claims; the detail adds what the other model of the opponent gives, if stored.

    That model has the same player at U = 0.5, so those games are shared.
    """
    variant: Judged = {}
    other = experiments.find("triomineering/draw-model")
    if other.file().exists():
        model = scores(experiments.results(other.name), "u")
        if set(at) <= {*model, 0.5}:
            variant = judge({u: model.get(u, at[0.5]) for u in at})
    for name, (holds, detail) in found.items():
        if variant:
            detail += f" [model 1 − U: {'holds' if variant[name][0] else 'fails'}; "
            detail += f"{variant[name][1]}]"
        why = "" if holds else "triomineering/draw-model"
        ours = Ours(holds=holds, detail=detail, explained_by=why)
        yield f"triomineering/claim/draw/{name}", ours


@table_5.judge
def _(results: pd.DataFrame) -> Pairs:
    found = scores(results, "u")
    for u, score in found.items():
        yield from rows_of(f"table-5/u-{u:g}", score)
    if found[0.5].games >= ENOUGH:
        yield from _with_model(coarse_sweep(found), coarse_sweep, found)


@table_6.judge
def _(results: pd.DataFrame) -> Pairs:
    found = scores(results, "u")
    for u, score in found.items():
        yield from rows_of(f"table-6/u-{u:g}", score)
    if found[0.5].games >= ENOUGH:
        yield from _with_model(fine_sweep(found), fine_sweep, found)


@experiment(
    "triomineering/simpleucb0.5", cells=[{"v": "MSUCB1.5", "h": "SimpleUCB0.5"}],
    games=20, quick=1, paper=50, fingerprint=1, prepare=six,
)  # fmt: skip
def simple_half(cell, seed, games, tables):
    """Section 6.6.1: MSUCB1.5 (V) against SimpleUCB0.5 (H) with ten times the playouts."""
    return play(MSUCB15, Player("SimpleUCB0.5", 100_000), games, seed, tables)


@simple_half.judge
def _(results: pd.DataFrame) -> Pairs:
    (score,) = scores(results, "v").values()
    yield from rows_of("section-6.6.1/msucb1.5-simpleucb0.5", score, "triomineering/filter")
    yield from ahead("simple/ucb0.5-behind", score, "triomineering/nash-variants")


@experiment(
    "triomineering/table-7", cells=[{"simple": playouts} for playouts in (20_000, 100_000)],
    games=20, quick=1, paper=20, fingerprint=1, prepare=six,
)  # fmt: skip
def table_7(cell, seed, games, tables):
    """Table 7: MSUCB1.5 (V) with 20,000 playouts against SimpleUCB1 (H)."""
    h = Player("SimpleUCB1", cell["simple"])
    return play(MSUCB15._replace(playouts=20_000), h, games, seed, tables)


@table_7.judge
def _(results: pd.DataFrame) -> Pairs:
    found = scores(results, "simple")
    for playouts, score in found.items():
        yield from rows_of(f"table-7/simpleucb1-{playouts}", score)
        if score.games >= ENOUGH:
            lead = score.lead()
            ours = Ours(holds=lead.low <= 0 <= lead.high, detail=f"{score}, lead {lead}")
            yield f"triomineering/claim/simple/ucb1-even-{playouts}", ours
    if found[100_000].games >= ENOUGH:
        many = found[100_000]
        yield (
            "triomineering/claim/simple/ucb1-ahead-100000",
            Ours(holds=many.h > many.v, detail=str(many), explained_by="triomineering/table-7"),
        )


def eight() -> np.ndarray:
    """Return `opening_values` of the 8×4 board."""
    return opening_values(8, 4)


@experiment(
    "triomineering/8x4", cells=[{"v": "MSUCB1.5", "h": "SimpleUCB1"}],
    games=20, quick=1, paper=20, fingerprint=1, prepare=eight,
)  # fmt: skip
def eight_by_four(cell, seed, games, tables):
    """Section 6.6.2: MSUCB1.5 (V) against SimpleUCB1 (H) on 8×4, 20,000 playouts each."""
    v, h = MSUCB15._replace(playouts=20_000), Player("SimpleUCB1", 20_000)
    return play(v, h, games, seed, tables, rows=8, columns=4)


@eight_by_four.judge
def _(results: pd.DataFrame) -> Pairs:
    (score,) = scores(results, "v").values()
    yield from rows_of("section-6.6.2/msucb1.5-simpleucb1", score)
    if score.games < ENOUGH:
        return
    payoff = score.payoff()
    even = Ours(holds=payoff.low <= 0.75 <= payoff.high, detail=f"{score}, payoff {payoff}")
    yield "triomineering/claim/8x4/even", even
    if table_7.file().exists():  # the third match of the claim, together with those of table 7
        six_by_six = scores(experiments.results(table_7.name), "simple")
        leads = {playouts: found.lead() for playouts, found in six_by_six.items()}
        holds = all(lead.low <= 0 for lead in leads.values()) and payoff.low <= 0.75
        detail = "; ".join(f"{playouts:,}: lead {lead}" for playouts, lead in leads.items())
        ours = Ours(holds=holds, detail=f"{detail}; 8×4: payoff {payoff}")
        yield "triomineering/claim/simple/no-advantage", ours
