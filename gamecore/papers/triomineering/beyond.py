"""The paper's future work: a growing tree, by MSUCB's mixing and by the rules of the literature.

Everybody searches the same fixed positions, and what a search returns for both sides is held
against the exact solution: `exploitability` is the mean of V's and of H's shortfall.

Settings were chosen on boards that are not judged (``tree-settings``), by the least mean
exploitability after 10,000 playouts. Matches are at numbers of playouts that took the same time
when they were measured once (``data/equal-time.csv``, by ``benchmarks/simultaneous.py``).
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from gamecore import rng
from gamecore.contest import meet
from gamecore.game import Decider
from gamecore.papers.experiment import experiment
from gamecore.papers.published import data_folder
from gamecore.triomineering import rounds
from gamecore.triomineering.players import MOST_PLAYOUTS, Player, decider, think
from gamecore.triomineering.rules import Position
from gamecore.triomineering.solution import solve
from gamecore.triomineering.tree import RULES, TreePlayer

#: What may be tried: the visits after which a pair gets a node, and how much a rule explores.
THRESHOLDS = (32, 4, 256)
EXPLORATION = {
    "MSUCT": ("c", (0.5, 0.25, 0.1, 1.0)),
    "regret matching": ("gamma", (0.1, 0.02, 0.3, 0.6)),
    "Exp3": ("gamma", (0.1, 0.02, 0.3, 0.6)),
    "DUCT(mix)": ("c", (0.5, 0.25, 0.1, 1.0)),
    "DUCT(max)": ("c", (0.5, 0.25, 0.1, 1.0)),
}
#: MSUCT with the paper's c, for comparisons with the paper's players.
PAPERS = "MSUCT, c = 0.5"
#: What ``tree-settings`` has found best, threshold and exploration; of equals the first tried.
CHOSEN = {
    "MSUCT": (4, 0.25),
    "regret matching": (4, 0.1),
    "Exp3": (32, 0.3),
    "DUCT(mix)": (4, 0.25),
    "DUCT(max)": (256, 0.25),
    PAPERS: (32, 0.5),
}
#: Who is measured: the five rules in a tree, and the paper's two players without symmetries.
METHODS = (*RULES, PAPERS, "MSUCB1", "MSUCB1.5")
#: Who plays matches.
PLAYERS = (*RULES, "MSUCB1.5")
BOARDS = ((6, 6), (8, 4), (7, 7))
#: Boards on which settings were chosen.
OTHER_BOARDS = ((6, 7), (7, 6), (5, 8))
SETS = ("random", "mixed")
EACH = 20
BUDGETS = (1000, 3000, 10_000, 30_000, 100_000)
PAIRS = list(combinations(PLAYERS, 2))


class Place(NamedTuple):
    """A position with the exact values after each pair of moves, and its own."""

    position: Position
    values: np.ndarray
    value: float


def placed(position: Position) -> Place:
    """Return a position with its exact values."""
    solution = solve(position.rows, position.columns)
    return Place(position, solution.payoff_matrix(position), solution.value_of(position))


def exploitability(place: Place, v: np.ndarray, h: np.ndarray) -> float:
    """Return the mean of what V's mixture and H's fall short of the value against best replies.

    Examples
    --------
    >>> place, uniform = placed(Position.empty(8, 4)), np.full(24, 1 / 24)
    >>> exploitability(place, uniform, np.full(16, 1 / 16)) > 0.2
    True
    """
    short = rounds.v_shortfall(place.values, place.value, v)
    return float(short + rounds.h_shortfall(place.values, place.value, h)) / 2


def positions(kind: str, boards: tuple[tuple[int, int], ...]) -> list[Place]:
    """Return `EACH` positions of each board after two random rounds, all different.

    ``"random"`` takes any in which both can move, ``"mixed"`` only those in which neither side
    can force surely what the position is worth, so that somebody must mix.
    """
    found: list[Place] = []
    for rows, columns in boards:
        stream, seen = rng.state(np.random.SeedSequence([rows, columns])), set[int]()
        while len(seen) < EACH:
            position = Position.empty(rows, columns)
            for _ in range(2):
                v, h = position.v_moves(), position.h_moves()
                position = position.play(v[rng.below(stream, len(v))], h[rng.below(stream, len(h))])
                if not position.movers:
                    break
            fits = bool(position.movers) and position.free not in seen
            if fits and kind == "mixed":
                fits = len(solve(rows, columns).outcome_of(position)) > 1
            if fits:
                seen.add(position.free)
                found.append(placed(position))
    return found


def judged_sets() -> dict[str, list[Place]]:
    """Return both sets of positions on the boards of the paper and 7×7."""
    return {kind: positions(kind, BOARDS) for kind in SETS}


def other_sets() -> dict[str, list[Place]]:
    """Return both sets of positions on boards that are not judged."""
    return {kind: positions(kind, OTHER_BOARDS) for kind in SETS}


def empty_boards() -> dict[str, Place]:
    """Return the three empty boards by name."""
    return {f"{m}×{n}": placed(Position.empty(m, n)) for m, n in BOARDS}


def set_up(rule: str, playouts: int, threshold: int, amount: float) -> TreePlayer:
    """Return a tree whose rule explores by an amount, c or γ."""
    change: dict[str, Any] = {EXPLORATION[rule][0]: amount}
    return TreePlayer(rule, playouts, threshold, **change)


def tree_of(method: str, playouts: int = MOST_PLAYOUTS) -> TreePlayer:
    """Return the tree of a rule with its chosen settings; MSUCB1 is MSUCT that never grows."""
    if method == "MSUCB1":
        return TreePlayer("MSUCT", playouts, threshold=MOST_PLAYOUTS)
    threshold, amount = CHOSEN[method]
    rule = "MSUCT" if method == PAPERS else method
    return set_up(rule, playouts, threshold, amount)


def searched(
    method: str, place: Place, seed: np.random.SeedSequence, budgets: tuple[int, ...]
) -> Iterator[float]:
    """Give the exploitability of a method's mixtures after each number of playouts.

    A tree is one search for both sides. MSUCB1.5 looks further for its own side only, so it
    searches once for each side, with as many playouts.
    """
    if method != "MSUCB1.5":
        for grown in tree_of(method).checkpoints(place.position, seed, budgets):
            yield exploitability(place, grown.v, grown.h)
        return
    for playouts in budgets:
        player = Player(method, playouts, symmetry="none")
        v, h = (think(place.position, player, seed, side).policy for side in "VH")
        yield exploitability(place, v, h)


@cache
def equal_time() -> dict[str, int]:
    """Return how many playouts each method made in the same time when that was measured.

    Examples
    --------
    >>> equal_time()["DUCT(max)"] > equal_time()["MSUCT"]
    True
    """
    table = pd.read_csv(data_folder() / "equal-time.csv")
    return dict(zip(table.method, table.playouts.tolist(), strict=True))


def number_of(seed: np.random.SeedSequence) -> int:
    """Return a chunk's number, which ends its seed: chunk k is about the k-th position."""
    return int(np.asarray(seed.entropy)[-1])


@experiment(
    "triomineering/tree-settings",
    cells=[
        {"rule": rule, "threshold": threshold, "amount": amount}
        for rule in RULES
        for threshold in THRESHOLDS
        for amount in EXPLORATION[rule][1]
    ],
    games=2, quick=1, paper=EACH * len(OTHER_BOARDS), fingerprint=2, extra=True,
    prepare=other_sets,
)  # fmt: skip
def tree_settings(cell, seed, games, tables):
    """Exploitability after 10,000 playouts on other boards: a random position, a mixed one."""
    tree, lost = set_up(cell["rule"], 10_000, cell["threshold"], cell["amount"]), {}
    for kind, child in zip(SETS[:games], seed.spawn(games), strict=True):
        place = tables[kind][number_of(seed)]
        grown = tree.grow(place.position, child)
        lost[kind] = exploitability(place, grown.v, grown.h)
    return {kind: lost.get(kind, np.nan) for kind in SETS}


@experiment(
    "triomineering/tree-boards",
    cells=[{"board": f"{m}×{n}", "method": method} for m, n in BOARDS for method in METHODS],
    games=5, quick=1, paper=8, fingerprint=1, extra=True, prepare=empty_boards,
)  # fmt: skip
def tree_boards(cell, seed, games, tables):
    """Exploitability on the empty boards against playouts, one search a game."""
    budgets = BUDGETS[1:-1]  # MSUCB1.5 first tries every pair of moves, 1,225 of them on 7×7
    total, squares = np.zeros(len(budgets)), np.zeros(len(budgets))
    for child in seed.spawn(games):
        lost = np.array(list(searched(cell["method"], tables[cell["board"]], child, budgets)))
        total += lost
        squares += lost * lost
    named = {f"lost@{t}": total[k] for k, t in enumerate(budgets)}
    return named | {f"squares@{t}": squares[k] for k, t in enumerate(budgets)}


@experiment(
    "triomineering/tree-positions",
    cells=[{"set": kind, "method": method} for kind in SETS for method in METHODS],
    games=1, quick=1, paper=EACH * len(BOARDS), fingerprint=1, extra=True, prepare=judged_sets,
)  # fmt: skip
def tree_positions(cell, seed, games, tables):
    """Exploitability on fixed positions: against playouts, and for the time of a match's move."""
    place = tables[cell["set"]][number_of(seed)]
    timed = equal_time()[cell["method"]]
    budgets = tuple(sorted({*BUDGETS, timed}))
    found = dict(zip(budgets, searched(cell["method"], place, seed, budgets), strict=True))
    return {**{f"lost@{t}": found[t] for t in BUDGETS}, "lost@time": found[timed]}


def player_of(method: str) -> Decider:
    """Return a method as a player who takes the time of a match's move."""
    playouts = equal_time()[method]
    if method == "MSUCB1.5":
        return decider(Player(method, playouts, symmetry="none"))
    return tree_of(method, playouts)


@experiment(
    "triomineering/tree-matches",
    cells=[{"set": kind, "first": a, "second": b} for kind in SETS for a, b in PAIRS],
    games=2, quick=1, paper=EACH * len(BOARDS), fingerprint=1, extra=True, prepare=judged_sets,
)  # fmt: skip
def tree_matches(cell, seed, games, tables):
    """Matches at equal time from fixed positions, one game of each position on either side."""
    begun = tables[cell["set"]][number_of(seed)].position
    players = [player_of(cell["first"]), player_of(cell["second"])]
    played = meet(lambda game, _, last: (begun, ((0, 1), (1, 0))[game]), players, games, seed)
    return {"win": played.wins, "draw": played.draws, "loss": played.losses}
