"""One experiment per table or figure of the paper.

Parties and leads are dealt at random in every game.
"""

import math
from typing import Any

import numpy as np

from gamecore import matrixgame, rng
from gamecore.contest import Match
from gamecore.papers.experiment import experiment
from gamecore.pokemon import rules
from gamecore.pokemon.matches import match, misjudge
from gamecore.pokemon.parties import CLASSES
from gamecore.pokemon.perception import favoured, mixture, noise_width, shifted
from gamecore.pokemon.players import Player, player, strategies
from gamecore.pokemon.solution import Solution, solve

DELTAS = (0.05, 0.1, 0.2)
#: The likings of section 6.
HABITS = ("attack", "switch", "effective", "ineffective")
SIDES = [f"{side}{k}" for side in "ab" for k in range(1, 6)]
ENTRIES = [f"a{i}b{j}" for i in range(1, 6) for j in range(1, 6)]
#: Matrix (1): A against D, E and F with five HP. Its printed entries need 18 turns left.
PRINTED_TURNS = 18
#: Table 3 averages so many noisy equilibria in a row, and prints what is smaller than this as 0.00.
AVERAGED, PRINTED_AS_0 = 10, 0.005


def solved() -> Solution:
    """Return the battle solved for 20 turns, as section 5.2 counts its states."""
    return solve(20)


def counts(outcome: Match) -> dict[str, int]:
    """Return a match as a row of results."""
    classes = {name: int(outcome.counts[name].sum()) for name in CLASSES}
    return {"win": outcome.wins, "draw": outcome.draws, "loss": outcome.losses, **classes}


def matrix_1(solution: Solution, turns: int = PRINTED_TURNS) -> np.ndarray:
    """Return the position of matrix (1) as our payoff matrix."""
    return solution.payoff_matrix(0, 0, rules.HP1, rules.HP2_SECTION_5_4, turns)


@experiment(
    "pokemon/matrix-1",
    cells=[{"source": source} for source in ("18 turns", "19 turns", "20 turns")],
    games=1, quick=1, paper=1, fingerprint=1, prepare=solved,
)  # fmt: skip
def exact_matrix(cell, seed, games, solution):
    """Matrix (1) at three horizons, with its equilibrium."""
    A = matrix_1(solution, int(cell["source"].split()[0]))
    value, row, column = matrixgame.solve(A)
    return {
        **dict(zip(ENTRIES, A.ravel(), strict=True)),
        **dict(zip(SIDES, [*row, *column], strict=True)),
        "value": value,
        "states": solution.values[1:].size,
    }


@experiment(
    "pokemon/table-3",
    cells=[{"delta": d, "payoffs": p} for p in ("clipped", "free") for d in DELTAS],
    games=1000, quick=2, paper=10, fingerprint=20, prepare=solved,
)  # fmt: skip
def table_3(cell, seed, games, solution):
    """Rows of table 3 (each an average of 10 noisy equilibria) over many seeds."""
    A = matrix_1(solution)
    value, row, column = matrixgame.solve(A)
    clip = cell["payoffs"] == "clipped"
    who = player(noise="uniform", delta=cell["delta"], average=AVERAGED, clip=clip)
    a, b = strategies(A, who, games, seed)
    drawn = np.hstack([a, b])
    # rows that show 0.00 for both actions that the paper's rows show so
    out = {"zeros": int((b[:, [0, 2]] < PRINTED_AS_0).all(axis=1).sum())}
    for k, name in enumerate(SIDES):
        out[f"sum_{name}"] = math.fsum(drawn[:, k])
        out[f"squares_{name}"] = math.fsum(drawn[:, k] ** 2)
    # what the drawn strategies lose against the other side's equilibrium; no BLAS: its last bit
    # differs between machines
    against_b = [math.fsum(A[i] * column) for i in range(5)]
    against_a = [math.fsum(A[:, j] * row) for j in range(5)]
    out["loss_a"] = games * value - math.fsum(math.fsum(x * against_b) for x in a)
    out["loss_b"] = math.fsum(math.fsum(x * against_a) for x in b) - games * value
    return out


@experiment(
    "pokemon/example",
    cells=[{"delta": delta} for delta in (0.0, *DELTAS)],
    games=100_000, quick=1, paper=1, fingerprint=100,
)  # fmt: skip
def example(cell, seed, games, tables):
    """How often a 45 % move is chosen beside a 50 % move."""
    a, _ = strategies([[0.5], [0.45]], player(noise="uniform", delta=cell["delta"]), games, seed)
    return {"second": int(a[:, 1].sum())}


@experiment(
    "pokemon/nine-positions",
    cells=[
        {"lead1": lead1, "lead2": lead2, "delta": delta}
        for lead1 in range(3) for lead2 in range(3) for delta in (0.0, *DELTAS)
    ],
    games=1000, quick=10, paper=10, fingerprint=20, prepare=solved,
)  # fmt: skip
def nine_positions(cell, seed, games, solution):
    """Mean δ-Nash strategies in all nine initial positions of section 5.4."""
    A = solution.payoff_matrix(
        cell["lead1"], cell["lead2"], rules.HP1, rules.HP2_SECTION_5_4, rules.TURNS
    )
    a, b = strategies(A, player(noise="uniform", delta=cell["delta"]), games, seed)
    drawn = np.hstack([a, b])
    means = {name: math.fsum(drawn[:, k]) / games for k, name in enumerate(SIDES)}
    rows = drawn.reshape(-1, AVERAGED, len(SIDES)).mean(axis=1)
    zeros = (rows < PRINTED_AS_0).sum(axis=0)
    return means | {f"zero_{name}": int(zeros[k]) for k, name in enumerate(SIDES)}


@experiment(
    "pokemon/formulas", cells=[{"size": 0.03}, {"size": -0.03}],
    games=1, quick=1, paper=1, fingerprint=1,
)  # fmt: skip
def formulas(cell, seed, games, tables):
    """Equation (2) and the variable noise model at the ends and in the middle."""
    size = cell["size"]
    width = [noise_width(p, abs(size)) for p in np.linspace(0.0, 0.5, 51)]
    return {
        **{f"shift_{p}": shifted(p, size) - p for p in (0.0, 0.5, 1.0)},
        "width_0.0": width[0], "width_0.5": width[-1], "width_1.0": noise_width(1.0, abs(size)),
        "rising": int((np.diff(width) > 0).sum()),
    }  # fmt: skip


@experiment(
    "pokemon/pairings",
    cells=[
        {"first": "monte-carlo", "second": "random"},
        {"first": "nash", "second": "random"},
        {"first": "nash", "second": "monte-carlo"},
    ],
    games=500, quick=1, paper=40, fingerprint=8, prepare=solved,
)  # fmt: skip
def pairings(cell, seed, games, solution):
    """Monte Carlo, Nash and random against each other (sections 5.1 and 5.2)."""
    return counts(match(player(cell["first"]), player(cell["second"]), games, seed, solution))


@experiment(
    "pokemon/misjudgements", cells=[{"first": "monte-carlo", "second": "nash"}],
    games=500, quick=2, paper=40, fingerprint=8, prepare=solved,
)  # fmt: skip
def misjudgements(cell, seed, games, solution):
    """What Monte Carlo believes, and what its choices give away against Nash."""
    found = misjudge(games, seed, solution)
    out = {k: v for k, v in vars(found).items() if k not in ("over", "under")}
    for name, extreme in (("over", found.over), ("under", found.under)):
        parts = zip(("error", "value", "state", "turns", "party"), extreme, strict=True)
        out |= {f"{name}_{key}": float(part) for key, part in parts}
    return out


@experiment(
    "pokemon/table-4",
    cells=[
        {"noise": "none", "delta": 0.0},
        *({"noise": noise, "delta": d} for noise in ("uniform", "variable") for d in DELTAS),
    ],
    games=5000, quick=1, paper=40, fingerprint=100, prepare=solved,
)  # fmt: skip
def table_4(cell, seed, games, solution):
    """δ-Nash players against Nash, by noise model and δ."""
    return counts(match(player(**cell), player(), games, seed, solution))


#: Footnote 5 and section 6.1: the setting of table 5 and figures 2 to 4.
DELTA, ALPHA = 0.05, 0.03


def habit(name: str, **options: bool) -> Player:
    """Return a player of table 5 by its name: ``"nash"``, ``"delta-nash"`` or a bias.

    Parameters
    ----------
    name : str
        ``"nash"``, ``"delta-nash"`` or one of `HABITS`.
    **options : bool
        More options of `gamecore.pokemon.player`, such as ``clip=False``.

    Examples
    --------
    >>> habit("attack").alpha
    0.03
    """
    described: dict[str, Any] = {**options}
    if name != "nash":
        described |= {"noise": "normal", "delta": DELTA}
    if name not in ("nash", "delta-nash"):
        described |= {"bias": name, "alpha": ALPHA}
    return player(**described)


@experiment(
    "pokemon/biases",
    cells=[
        {"player": "nash", "payoffs": "clipped"},
        *(
            {"player": name, "payoffs": payoffs}
            for payoffs in ("clipped", "free") for name in ("delta-nash", *HABITS)
        ),
    ],
    games=5000, quick=2, paper=40, fingerprint=100, prepare=solved,
)  # fmt: skip
def biases(cell, seed, games, solution):
    """Biased players against Nash: results and kinds of actions (table 5, figures 2 to 4)."""
    who = habit(cell["player"], clip=cell["payoffs"] == "clipped")
    return counts(match(who, player(), games, seed, solution))


@experiment(
    "pokemon/openings",
    cells=[{"lead1": lead1, "lead2": lead2} for lead1 in range(3) for lead2 in range(3)],
    games=5000, quick=1, paper=1, fingerprint=20, prepare=solved,
)  # fmt: skip
def openings(cell, seed, games, solution):
    """How likely the attack-loving player is to switch in its first turn, as either party."""
    position = (cell["lead1"], cell["lead2"], rules.HP1, rules.HP2)
    A, s = solution.payoff_matrix(*position, rules.TURNS), rng.state(seed)
    state, who = rules.encode(*position), habit("attack").settings
    liked = [favoured(state, party, who.bias, solution.lookup) for party in (0, 1)]
    # side by side, so that fewer draws are the first of more
    drawn = [[mixture(A, liked[party], party, who, s) for party in (0, 1)] for _ in range(games)]
    return {
        f"switch{party + 1}": math.fsum(row[party][3] + row[party][4] for row in drawn) / games
        for party in (0, 1)
    }
