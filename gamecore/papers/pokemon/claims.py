"""What the experiments say on the paper's sentences: each passes its test, or fails.

Thresholds come from the words of the tests in ``data/published``.
"""

from itertools import pairwise
from types import SimpleNamespace

import pandas as pd
from scipy.special import entr

from gamecore.papers import published
from gamecore.papers.pokemon.experiments import DELTAS, ENTRIES, HABITS, SIDES
from gamecore.papers.pokemon.summaries import (
    as_printed,
    estimates,
    mean_strategies,
    printed,
    raised_shares,
    rates,
    shares,
)
from gamecore.papers.stats import Estimate, Judged, Ours, judge, wilson
from gamecore.pokemon import rules

_A, _B = SIDES[:5], SIDES[5:]
_ATTACKS = ["effective_share", "ordinary_share", "ineffective_share"]
#: Actions of matrix (1) that lose little, but that Nash does not play.
_PLAUSIBLE = ["a1", "a4", "a5", "b5"]


def _limits(claim: str) -> SimpleNamespace:
    return published.limits(f"pokemon/claim/{claim}")


def _claim(name: str, holds: bool, detail: str, explained_by: str = "") -> tuple[str, Ours]:
    ours = Ours(holds=bool(holds), detail=detail, explained_by=explained_by)
    return f"pokemon/claim/{name}", ours


def _played(strategy: pd.Series, two_actions: SimpleNamespace) -> pd.Series:
    """Return which actions a strategy plays, its support, by the limits of that claim."""
    return strategy > two_actions.least


@judge("pokemon/matrix-1")
def dropped_actions(results: pd.DataFrame) -> Judged:
    """Judge whether equilibria mix two actions, and drop one that loses little."""
    two, rows = _limits("two-actions"), results.set_index("source")
    counts = [
        int(_played(rows.loc[turns, side], two).sum())
        for turns in ("18 turns", "19 turns")
        for side in (_A, _B)
    ]
    detail = "actions used with 18 and 19 turns left, a and b: " + ", ".join(map(str, counts))
    yield _claim("two-actions", all(count == two.actions for count in counts), detail)
    limit, ours = _limits("nash-drops-plausible"), as_printed(results)
    A = ours[ENTRIES].to_numpy(float).reshape(5, 5)
    row, column = ours[_A].to_numpy(float), ours[_B].to_numpy(float)
    losses = pd.Series([*(ours.value - A @ column), *(row @ A - ours.value)], SIDES)
    unused = losses[~_played(ours[SIDES], two)]
    cheapest = unused.idxmin()
    detail = f"{cheapest} is never played and loses only {unused[cheapest]:.3f}"
    yield _claim("nash-drops-plausible", unused[cheapest] <= limit.most, detail)


@judge("pokemon/table-3")
def noise_on_actions(results: pd.DataFrame) -> Judged:
    """Judge how many actions noise brings in, and which stay at 0."""
    limit, mean = _limits("three-or-more"), mean_strategies(results)
    counted = [  # one after the other
        (mean.loc[(payoffs, 0.05), side] >= limit.least).cumsum()
        for payoffs in ("clipped", "free")
        for side in (_A, _B)
    ]
    used = ", ".join(str(count.iloc[-1]) for count in counted)
    holds = all((count == limit.actions).any() for count in counted)
    yield _claim("three-or-more", holds, f"actions used, a and b, clipped and not: {used}")
    limit, worst = _limits("bad-stay-zero"), mean[["b1", "b3"]].max(axis=1)
    detail = "; ".join(
        f"{payoffs}: " + ", ".join(f"{worst[payoffs, delta]:.4f}" for delta in DELTAS)
        for payoffs in ("clipped", "free")
    )
    yield _claim("bad-stay-zero", worst.max() < limit.most, detail, "pokemon/table-3")


@judge("pokemon/table-3", "pokemon/matrix-1")
def varied_strategies(results: pd.DataFrame, exact: pd.DataFrame) -> Judged:
    """Judge whether plausible actions gain, and δ-Nash is more varied than Nash at a small loss."""
    limit = _limits("plausible-gain")
    mean, nash = mean_strategies(results).loc["clipped"], as_printed(exact)
    path, start = mean[_PLAUSIBLE], nash[_PLAUSIBLE].astype(float)
    steps = pd.concat([start.to_frame(0.0).T, path]).diff().iloc[1:]
    holds = (steps >= -limit.fall).all(axis=None) and (path.loc[0.2] > start).all()
    detail = "; ".join(f"{n}: {', '.join(f'{x:.3f}' for x in path[n])}" for n in path)
    yield _claim("plausible-gain", holds, detail)
    limit = _limits("delta-nash-varied")
    richer = all(
        entr(mean.loc[delta, side].to_numpy(float)).sum() > entr(nash[side].to_numpy(float)).sum()
        for delta in DELTAS
        for side in (_A, _B)
    )
    cell = mean.loc[0.05]
    losses = [cell.loss_a / cell.games, cell.loss_b / cell.games]
    detail = f"δ = 0.05 loses {losses[0]:.4f} (a) and {losses[1]:.4f} (b)"
    holds = richer and all(limit.least < loss <= limit.most for loss in losses)
    yield _claim("delta-nash-varied", holds, detail)


@judge("pokemon/example")
def example(results: pd.DataFrame) -> Judged:
    """Judge the text's example of a 50 % and a 45 % move."""
    limit, total = _limits("example-50-45"), results.groupby("delta")[["second", "games"]].sum()
    none, small, middle, large = share = (total.second / total.games).tolist()
    near = abs(small - limit.share) <= limit.within
    holds = none == limit.nash and near and small < middle < large
    detail = ", ".join(f"{s:.4f}" for s in share) + " at δ = 0, 0.05, 0.1, 0.2"
    yield _claim("example-50-45", holds, detail)


@judge("pokemon/nine-positions")
def nine_positions(results: pd.DataFrame) -> Judged:
    """Judge whether all initial positions show the tendency of table 3."""
    limit, two = _limits("all-nine-positions"), _limits("two-actions")
    exceptions, positions = [], results.groupby(["lead1", "lead2"])
    for (lead1, lead2), position in positions:
        path = position.set_index("delta")[SIDES]
        outside = path.loc[:, ~_played(path.loc[0.0], two)].sum(axis=1)
        rising = (outside.diff().iloc[1:] >= -limit.fall).all() and outside[0.2] >= limit.least
        rarest = path.loc[0.2].min()
        if not (rising and rarest < limit.most):
            names = f"{rules.NAMES[0][lead1]} against {rules.NAMES[1][lead2]}"
            exceptions.append(f"{names} (outside {outside[0.2]:.3f}, rarest action {rarest:.4f})")
    detail = f"{len(positions) - len(exceptions)} of {len(positions)} positions"
    detail += f"; not {', '.join(exceptions)}" if exceptions else ""
    yield _claim("all-nine-positions", not exceptions, detail, "pokemon/nine-positions")


@judge("pokemon/formulas")
def formulas(results: pd.DataFrame) -> Judged:
    """Judge what the text says of equation (2) and of the variable noise model."""

    def worst(name: str, middle: float, size: pd.Series) -> float:
        """Return how far a formula is from `size` at the ends and from a multiple between them."""
        wanted = {"0.0": size, "0.5": middle * size, "1.0": size}
        return max(float((results[f"{name}_{p}"] - w).abs().max()) for p, w in wanted.items())

    limit = _limits("bias-shift")
    off = worst("shift", limit.middle, results["size"])
    yield _claim("bias-shift", off <= limit.within, f"off by {off:.1e}")
    limit = _limits("variable-shape")
    off = worst("width", limit.middle, results["size"].abs())
    holds = off <= limit.within and (results.rising == limit.steps).all()
    yield _claim("variable-shape", holds, f"off by {off:.1e}")


@judge("pokemon/pairings")
def who_beats_whom(results: pd.DataFrame) -> Judged:
    """Judge whether Monte Carlo beats random, and Nash Monte Carlo."""
    total = rates(results, ["first", "second"])
    for claim, pair in (
        ("mc-beats-random", ("monte-carlo", "random")),
        ("nash-beats-mc", ("nash", "monte-carlo")),
    ):
        low, high = wilson(total.win[pair], int(total.games[pair]))
        detail = f"95 % interval {low:.4f} to {high:.4f}"
        yield _claim(claim, low > _limits(claim).least, detail)


@judge("pokemon/misjudgements")
def misjudgements(results: pd.DataFrame) -> Judged:
    """Judge what the text says of Monte Carlo's errors, and that they are why it loses."""
    limit, total = _limits("mc-misjudges"), results.sum(numeric_only=True)
    over, under = results.over_error.max(), results.under_error.min()
    detail = f"errors from {under:+.2f} to {over:+.2f} over {results.positions.sum():,} positions"
    yield _claim("mc-misjudges", over >= limit.over and under <= limit.under, detail)
    limit, share = _limits("mc-unnatural-moves"), total.blunders / total.live
    detail = f"{100 * share:.1f} % of {results.live.sum():,} live positions"
    yield _claim("mc-unnatural-moves", share >= limit.least, detail)
    limit = _limits("nash-beats-mc-cause")
    given, start = total.given_away / total.games, total.start_value / total.games
    score = Estimate.share(total.wins + total.draws / 2, int(total.games))
    equal = abs(start - given - score.value) <= limit.errors * score.error
    detail = f"gives away {given:.4f} a game: {start:.4f} − {given:.4f}"
    detail += f" against {score.value:.4f} scored"
    yield _claim("nash-beats-mc-cause", given >= limit.least and equal, detail)


@judge("pokemon/table-4")
def weaker_with_noise(results: pd.DataFrame) -> Judged:
    """Judge how the win rate falls with δ, in both noise models."""
    rate, models = estimates(results, ["noise", "delta"]), ("uniform", "variable")
    nash = rate["none", 0.0]
    limit = _limits("win-rate-falls")
    steps = [rate[m, a].minus(rate[m, b]) for m in models for a, b in pairwise(DELTAS)]
    told = "; ".join(f"{m} " + ", ".join(f"{rate[m, d].value:.4f}" for d in DELTAS) for m in models)
    yield _claim("win-rate-falls", all(step.z > limit.errors for step in steps), told)
    limit = _limits("weaker-than-nash")
    weaker = [nash.minus(rate[m, d]).z > limit.errors for m in models for d in (0.1, 0.2)]
    weaker += [rate[m, 0.05].minus(nash).z <= limit.allowed for m in models]
    yield _claim("weaker-than-nash", all(weaker), f"Nash {nash.value:.4f}; {told}")
    limit, gap = _limits("variable-weaker"), rate["uniform", 0.2].minus(rate["variable", 0.2])
    yield _claim("variable-weaker", gap.z > limit.errors, f"by {gap.value:.4f} at δ = 0.2")
    limit = _limits("delta-0.05-close")
    gaps = [abs(rate[m, 0.05].minus(nash).value) for m in models]
    detail = f"differences {gaps[0]:.4f} and {gaps[1]:.4f}"
    yield _claim("delta-0.05-close", all(gap <= limit.most for gap in gaps), detail)
    limit = _limits("promising-range")
    small, *large = (rate["variable", delta].value for delta in DELTAS)
    holds = all(limit.low <= w <= limit.high and w < small for w in large)
    detail = f"{large[0]:.4f} and {large[1]:.4f}, after {small:.4f}"
    yield _claim("promising-range", holds, detail)


@judge("pokemon/table-4")
def above_half(results: pd.DataFrame) -> Judged:
    """Judge whether chance explains the printed rates above one half, as a footnote says."""
    limit, rate = _limits("seed-above-half"), estimates(results, ["noise", "delta"])
    nash = rate["none", 0.0]
    scores = []
    for row in printed("table 4").itertuples():
        if row.value > limit.above:
            noise = {"nash": "none"}.get(model := row.id.split("/")[2], model)
            p = rate[noise, float(row.column)].value
            chance = Estimate.share(p * row.n, row.n).error
            scores.append(Estimate(row.value - p, chance).z)
    fair = abs(nash.value - limit.even) <= limit.errors * nash.error
    detail = "z = " + ", ".join(f"{z:.2f}" for z in scores)
    detail += f"; Nash against itself {nash.value:.4f}"
    holds = all(abs(z) <= limit.deviations for z in scores) and fair
    yield _claim("seed-above-half", holds, detail)


@judge("pokemon/biases")
def habits(results: pd.DataFrame) -> Judged:
    """Judge whether all four likings show, and change the win rate little."""
    limit, rise = _limits("biases-work"), raised_shares(results)
    holds = all(one.z > limit.errors for one in rise.values())
    told = [
        ", ".join(f"{100 * rise[payoffs, name].value:+.1f}" for name in HABITS)
        for payoffs in ("clipped", "free")
    ]
    detail = f"points for {', '.join(HABITS)}: {told[0]}; not clipped: {told[1]}"
    yield _claim("biases-work", holds, detail)
    limit, rate = _limits("bias-win-rate"), rates(results, ["payoffs", "player"]).rate["clipped"]
    gaps = (rate[list(HABITS)] - rate["delta-nash"]).abs()
    largest = gaps.idxmax()
    detail = f"largest difference {gaps[largest]:.4f} ({largest})"
    yield _claim("bias-win-rate", gaps[largest] <= limit.most, detail)


@judge("pokemon/biases")
def figure_4(results: pd.DataFrame) -> Judged:
    """Judge what the text reads off figure 4, on Nash and on who likes effective attacks."""
    clipped = shares(results).query("payoffs == 'clipped'").groupby("player")
    found = clipped[[*_ATTACKS, "advantageous_share"]].mean()
    nash, liker = found.loc["nash"], found.loc["effective"]
    limit = _limits("nash-even")
    even = all(limit.low <= x <= limit.high for x in nash[_ATTACKS])
    holds = even and limit.least <= nash.advantageous_share <= limit.most
    detail = "attacks " + ", ".join(f"{x:.3f}" for x in nash[_ATTACKS])
    detail += f"; advantageous switches {nash.advantageous_share:.3f}"
    yield _claim("nash-even", holds, detail)
    limit, gap = _limits("effective-bias-like-human"), liker.effective_share - nash.effective_share
    holds = liker[_ATTACKS].idxmax() == "effective_share" and gap >= limit.least
    detail = f"{liker.effective_share:.3f} of its attacks, Nash {nash.effective_share:.3f}"
    yield _claim("effective-bias-like-human", holds, detail)
    limit = _limits("effective-bias-switches-like-nash")
    gap = abs(liker.advantageous_share - nash.advantageous_share)
    detail = f"{liker.advantageous_share:.3f}, Nash {nash.advantageous_share:.3f}"
    holds = gap <= limit.most
    yield _claim("effective-bias-switches-like-nash", holds, detail, "pokemon/sensitivity")


@judge("pokemon/openings")
def openings(results: pd.DataFrame) -> Judged:
    """Judge whether who likes attacks still leaves bad openings."""
    limit = _limits("attack-bias-still-switches")
    bad: list[float] = []
    others: list[float] = []
    for row in results.itertuples():
        leads = (row.lead1, row.lead2)
        for party, switched in ((0, row.switch1), (1, row.switch2)):
            own = rules.TYPE[party, leads[party]]
            factor = rules.CHART[rules.TYPE[1 - party, leads[1 - party]], own]
            (bad if factor == limit.factor else others).append(switched)
    mean_bad, mean_others, most = sum(bad) / len(bad), sum(others) / len(others), max(bad)
    detail = f"{len(bad)} bad openings: mean {mean_bad:.3f}, at most {most:.3f}"
    detail += f"; {len(others)} others: mean {mean_others:.3f}"
    holds = mean_bad > mean_others and most >= limit.least
    yield _claim("attack-bias-still-switches", holds, detail)
