"""One experiment per table or figure, each with its judge: here those about one payoff matrix.

Those that play games are in `matches`, our own questions in `sensitivity`.
"""

import math
from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd

from gamecore import matrixgame, published
from gamecore.experiment import experiment
from gamecore.pokemon import matches, rules, sensitivity
from gamecore.pokemon.measure import DELTAS, tables
from gamecore.pokemon.players import noise_width, player, shifted, strategies
from gamecore.pokemon.solve import Solution
from gamecore.stats import Ours

__all__ = ["matches", "sensitivity"]

SIDES = [f"{side}{k}" for side in "ab" for k in range(1, 6)]
ENTRIES = [f"a{i}b{j}" for i in range(1, 6) for j in range(1, 6)]
#: Matrix (1): A against D, E and F with five HP. Its printed entries need 18 turns left.
PRINTED_TURNS = 18


def matrix_1(solution: Solution, turns: int = PRINTED_TURNS) -> np.ndarray:
    """Return the position of matrix (1) as our payoff matrix."""
    return solution.payoff_matrix(0, 0, rules.HP1, rules.HP2_SECTION_5_4, turns)


def printed_matrix() -> np.ndarray:
    """Return matrix (1) as printed."""
    entries = [row.value for row in published.load("pokemon") if row.locator == "matrix (1)"]
    return np.array(entries, float).reshape(5, 5)


@experiment(
    "pokemon/matrix-1",
    cells=[{"source": source} for source in ("18 turns", "19 turns", "20 turns", "printed")],
    games=1, quick=1, paper=1, fingerprint=1, prepare=tables,
)  # fmt: skip
def exact_matrix(cell, seed, games, tables):
    """Matrix (1) at three horizons and as printed, with its equilibrium."""
    printed = cell["source"] == "printed"
    A = printed_matrix() if printed else matrix_1(tables, int(cell["source"].split()[0]))
    value, row, column = matrixgame.solve(A)
    return {
        **dict(zip(ENTRIES, A.ravel(), strict=True)),
        **dict(zip(SIDES, [*row, *column], strict=True)),
        "value": value,
        "states": tables.values[1:].size,
    }


@exact_matrix.judge
def _(results: pd.DataFrame) -> Iterator[tuple[str, Ours]]:
    found = results.set_index("source")
    ours = found.loc[f"{PRINTED_TURNS} turns"]
    yield "pokemon/section-5.2/states/total", Ours(ours.states)
    for name in ENTRIES:
        yield f"pokemon/matrix-1/{name[:2]}/{name[2:]}", Ours(ours[name])
    for name in SIDES:
        yield f"pokemon/table-3/0/{name}", Ours(ours[name])
    used = {turns: (found.loc[turns, SIDES].astype(float) > 1e-6) for turns in found.index[:2]}
    counts = [int(chosen[s].sum()) for chosen in used.values() for s in (SIDES[:5], SIDES[5:])]
    detail = "actions used with 18 and 19 turns left, a and b: " + ", ".join(map(str, counts))
    yield "pokemon/claim/two-actions", Ours(holds=counts == [2] * 4, detail=detail)
    A = ours[ENTRIES].to_numpy(float).reshape(5, 5)
    row, column = ours[SIDES[:5]].to_numpy(float), ours[SIDES[5:]].to_numpy(float)
    losses = dict(zip(SIDES, [*(ours.value - A @ column), *(row @ A - ours.value)], strict=True))
    unused = {name: loss for name, loss in losses.items() if ours[name] <= 1e-6}
    cheapest = min(unused, key=lambda name: unused[name])
    detail = f"{cheapest} is never played and loses only {unused[cheapest]:.3f}"
    yield (
        "pokemon/claim/nash-drops-plausible",
        Ours(holds=bool(unused[cheapest] <= 0.05), detail=detail),
    )


@experiment(
    "pokemon/table-3",
    cells=[{"delta": d, "payoffs": p} for p in ("clipped", "free") for d in DELTAS],
    games=1000, quick=2, paper=10, fingerprint=20, prepare=tables,
)  # fmt: skip
def table_3(cell, seed, games, tables):
    """Rows of table 3 (each an average of 10 noisy equilibria) over many seeds."""
    A = matrix_1(tables)
    value, row, column = matrixgame.solve(A)
    who = player(
        noise="uniform", delta=cell["delta"], average=10, clip=cell["payoffs"] == "clipped"
    )
    a, b = strategies(A, who, games, seed)
    drawn = np.hstack([a, b])
    printed = {r.column: r.value for r in published.load("pokemon")
               if r.locator == "table 3" and float(r.row) == cell["delta"]}  # fmt: skip
    out = {}
    for k, name in enumerate(SIDES):
        rounded = np.round(drawn[:, k], 2)
        out[f"sum_{name}"] = math.fsum(drawn[:, k])
        out[f"squares_{name}"] = math.fsum(drawn[:, k] ** 2)
        out[f"below_{name}"] = int((rounded < printed[name] - 0.005).sum())
        out[f"equal_{name}"] = int((np.abs(rounded - printed[name]) < 0.005).sum())
    # what the drawn strategies lose against the other side's equilibrium; no BLAS: its last bit
    # differs between machines
    against_b = [math.fsum(A[i] * column) for i in range(5)]
    against_a = [math.fsum(A[:, j] * row) for j in range(5)]
    out["loss_a"] = games * value - math.fsum(math.fsum(x * against_b) for x in a)
    out["loss_b"] = math.fsum(math.fsum(x * against_a) for x in b) - games * value
    return out


@table_3.judge
def _(results: pd.DataFrame) -> Iterator[tuple[str, Ours]]:
    total = results.groupby(["payoffs", "delta"]).sum(numeric_only=True)
    mean = total[[f"sum_{name}" for name in SIDES]].div(total.games, axis=0)
    mean.columns = pd.Index(SIDES)
    for delta in DELTAS:
        cell = total.loc["clipped", delta]
        for name in SIDES:
            m = float(mean.loc[("clipped", delta), name])
            variance = max(cell[f"squares_{name}"] / cell.games - m * m, 0.0)
            rank = (cell[f"below_{name}"] + cell[f"equal_{name}"] / 2) / cell.games
            # one draw's spread: ten of them are averaged in a row
            ours = Ours(m, n=int(10 * cell.games), sd=math.sqrt(10 * variance),
                        detail=f"printed at percentile {100 * rank:.0f} of our rows")  # fmt: skip
            yield f"pokemon/table-3/{delta}/{name}", ours
    used = [
        int((mean.loc[(payoffs, 0.05), side] >= 0.005).sum())
        for payoffs in ("clipped", "free")
        for side in (SIDES[:5], SIDES[5:])
    ]
    detail = "actions used, a and b, clipped and not: " + ", ".join(map(str, used))
    yield "pokemon/claim/three-or-more", Ours(holds=min(used) >= 3, detail=detail)
    path = mean.loc["clipped", ["a1", "a4", "a5", "b5"]]
    steps = pd.concat([path.iloc[:1], path.diff().iloc[1:]])
    falls = [name for name in path if (steps[name] < -0.01).any() or path[name].iloc[-1] <= 0]
    detail = "; ".join(f"{n}: {', '.join(f'{x:.3f}' for x in path[n])}" for n in path)
    yield "pokemon/claim/plausible-gain", Ours(holds=not falls, detail=detail)
    worst = mean[["b1", "b3"]].max(axis=1)
    detail = "; ".join(
        f"{payoffs}: " + ", ".join(f"{worst[payoffs, delta]:.4f}" for delta in DELTAS)
        for payoffs in ("clipped", "free")
    )
    ours = Ours(holds=bool(worst.max() < 0.005), detail=detail, explained_by="pokemon/table-3")
    yield "pokemon/claim/bad-stay-zero", ours
    nash = matrixgame.solve(matrix_1(tables()))
    richer = all(
        _entropy(mean.loc[("clipped", delta), side]) > _entropy(base)
        for delta in DELTAS
        for side, base in ((SIDES[:5], nash.row), (SIDES[5:], nash.column))
    )
    cell = total.loc["clipped", 0.05]
    losses = [cell.loss_a / cell.games, cell.loss_b / cell.games]
    detail = f"δ = 0.05 loses {losses[0]:.4f} (a) and {losses[1]:.4f} (b)"
    holds = richer and all(0 < loss <= 0.05 for loss in losses)
    yield "pokemon/claim/delta-nash-varied", Ours(holds=bool(holds), detail=detail)


def _entropy(weights: Iterable[float]) -> float:
    return -sum(float(w) * math.log(w) for w in weights if w > 0)


@experiment(
    "pokemon/example",
    cells=[{"delta": delta} for delta in (0.0, *DELTAS)],
    games=100_000, quick=1, paper=1, fingerprint=100,
)  # fmt: skip
def example(cell, seed, games, tables):
    """How often a 45 % move is chosen beside a 50 % move."""
    a, _ = strategies([[0.5], [0.45]], player(noise="uniform", delta=cell["delta"]), games, seed)
    return {"second": int(a[:, 1].sum())}


@example.judge
def _(results: pd.DataFrame) -> Iterator[tuple[str, Ours]]:
    share = (results.second / results.games).tolist()
    holds = share[0] == 0 and abs(share[1] - 0.125) <= 0.005 and share[1] < share[2] < share[3]
    detail = ", ".join(f"{s:.4f}" for s in share) + " at δ = 0, 0.05, 0.1, 0.2"
    yield "pokemon/claim/example-50-45", Ours(holds=holds, detail=detail)


@experiment(
    "pokemon/nine-positions",
    cells=[
        {"lead1": lead1, "lead2": lead2, "delta": delta}
        for lead1 in range(3) for lead2 in range(3) for delta in (0.0, *DELTAS)
    ],
    games=10_000, quick=1, paper=1, fingerprint=20, prepare=tables,
)  # fmt: skip
def nine_positions(cell, seed, games, tables):
    """Mean δ-Nash strategies in all nine initial positions of section 5.4."""
    A = tables.payoff_matrix(
        cell["lead1"], cell["lead2"], rules.HP1, rules.HP2_SECTION_5_4, rules.TURNS
    )
    a, b = strategies(A, player(noise="uniform", delta=cell["delta"]), games, seed)
    drawn = np.hstack([a, b])
    return {name: math.fsum(drawn[:, k]) / games for k, name in enumerate(SIDES)}


@nine_positions.judge
def _(results: pd.DataFrame) -> Iterator[tuple[str, Ours]]:
    exceptions, positions = [], results.groupby(["lead1", "lead2"])
    for (lead1, lead2), position in positions:
        path = position.set_index("delta")[SIDES]
        outside = path.loc[:, path.loc[0.0] <= 1e-6].sum(axis=1)
        rising = (outside.diff().iloc[1:] >= -0.01).all() and outside[0.2] >= 0.05
        rarest = path.loc[0.2].min()
        if not (rising and rarest < 0.01):
            names = f"{rules.NAMES[0][lead1]} against {rules.NAMES[1][lead2]}"
            exceptions.append(f"{names} (outside {outside[0.2]:.3f}, rarest action {rarest:.4f})")
    yield "pokemon/section-5.4/initial-positions/count", Ours(len(positions))
    detail = f"{len(positions) - len(exceptions)} of {len(positions)} positions"
    detail += f"; not {', '.join(exceptions)}" if exceptions else ""
    ours = Ours(holds=not exceptions, detail=detail, explained_by="pokemon/nine-positions")
    yield "pokemon/claim/all-nine-positions", ours


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


@formulas.judge
def _(results: pd.DataFrame) -> Iterator[tuple[str, Ours]]:
    size = results["size"]
    misses = [(results["shift_0.0"] - size), (results["shift_1.0"] - size)]
    misses += [results["shift_0.5"] - 6 * size]
    worst = max(float(miss.abs().max()) for miss in misses)
    yield "pokemon/claim/bias-shift", Ours(holds=worst <= 1e-12, detail=f"off by {worst:.1e}")
    misses = [results["width_0.0"] - size.abs(), results["width_1.0"] - size.abs()]
    misses += [results["width_0.5"] - 2 * size.abs()]
    worst = max(float(miss.abs().max()) for miss in misses)
    holds = worst <= 1e-12 and bool((results.rising == 50).all())
    yield "pokemon/claim/variable-shape", Ours(holds=holds, detail=f"off by {worst:.1e}")
