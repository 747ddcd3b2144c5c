"""What the experiments say on the paper's sentences: each passes its test, fails, or is undecided.

Thresholds come from the words of the tests in ``data/published``. A run with fewer games than a
test asks for is not judged by it.
"""

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pandas as pd
from scipy.special import entr

from gamecore.contest import wilson
from gamecore.papers import published
from gamecore.papers.pokemon.experiments import AVERAGED, DELTAS, ENTRIES, HABITS, SIDES
from gamecore.papers.pokemon.summaries import (
    as_printed,
    estimates,
    is_within,
    mean_probability,
    mean_strategies,
    played_enough,
    printed,
    raised_shares,
    rates,
    shares,
)
from gamecore.papers.stats import Estimate, Judged, Ours, every, judge
from gamecore.pokemon import CHART, PARTIES

_A, _B = SIDES[:5], SIDES[5:]
_ATTACKS = ["effective_share", "ordinary_share", "ineffective_share"]
_SWITCHES = ["advantageous_share", "other_share"]
#: Actions of matrix (1) that lose little, but that Nash does not play.
_PLAUSIBLE = ["a1", "a4", "a5", "b5"]


def _limits(claim: str) -> SimpleNamespace:
    return published.limits(f"pokemon/claim/{claim}")


def _claim(name: str, holds: bool | None, detail: str) -> tuple[str, Ours]:
    known = None if holds is None else bool(holds)  # numpy has truth values of its own
    return f"pokemon/claim/{name}", Ours(holds=known, detail=detail)


def _played(strategy: pd.Series, two_actions: SimpleNamespace) -> pd.Series:
    """Return which actions a strategy plays, its support, by the limits of that claim."""
    return strategy > two_actions.least


@judge("pokemon/matrix-1")
def dropped_actions(results: pd.DataFrame) -> Judged:
    """Judge whether equilibria mix two actions, and drop one that loses little."""
    two, rows = _limits("two-actions"), results.set_index("source")
    known = (rows.loc[turns, side] for turns in ("18 turns", "19 turns") for side in (_A, _B))
    counts = [int(_played(strategy, two).sum()) for strategy in known]
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
    limit, total = _limits("three-or-more"), mean_strategies(results)
    if not _drawn_enough(results):
        return
    thirds = []
    for payoffs in ("clipped", "free"):
        for side in (_A, _B):
            found = [mean_probability(total.loc[payoffs, 0.05], name) for name in side]
            thirds.append(sorted(found, key=lambda one: one.value)[-3])
    detail = ", ".join(f"{one.value:.4f}" for one in thirds)
    holds = every(one.above(limit.least) for one in thirds)
    yield _claim("three-or-more", holds, f"the third action, a and b, clipped and not: {detail}")
    limit = _limits("bad-stay-zero")
    shown = {at: Estimate.share(row.zeros, int(row.games)) for at, row in total.iterrows()}
    detail = ", ".join(f"{100 * share.value:.1f} % ({at[0]})" for at, share in shown.items())
    answers = {at: share.above(limit.share) for at, share in shown.items()}
    clipped = every(answers["clipped", delta] for delta in DELTAS)
    name, ours = _claim("bad-stay-zero", every(answers.values()), f"rows of zeros, {detail}")
    yield name, ours._replace(explained_by="pokemon/table-3" if clipped else "")


@judge("pokemon/table-3", "pokemon/matrix-1")
def varied_strategies(results: pd.DataFrame, exact: pd.DataFrame) -> Judged:
    """Judge whether plausible actions gain, and δ-Nash is more varied than Nash at a small loss."""
    limit = _limits("plausible-gain")
    mean, nash = mean_strategies(results).loc["clipped"], as_printed(exact)
    if not _drawn_enough(results):
        return
    gains, told = [], []
    for name in _PLAUSIBLE:
        path = [Estimate(float(nash[name]), 0.0)]
        path += [mean_probability(mean.loc[delta], name) for delta in DELTAS]
        gains += [after.minus(before).above(-limit.fall) for before, after in pairwise(path)]
        gains.append(path[-1].minus(path[0]).above(0.0))
        told.append(f"{name}: {', '.join(f'{x.value:.3f}' for x in path[1:])}")
    yield _claim("plausible-gain", every(gains), "; ".join(told))
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


def _drawn_enough(results: pd.DataFrame) -> bool:
    """Return whether rows of table 3 average the draws that its claims ask for."""
    return played_enough(results, ["payoffs", "delta"], _limits("three-or-more").draws / AVERAGED)


@judge("pokemon/example")
def example(results: pd.DataFrame) -> Judged:
    """Judge the text's example of a 50 % and a 45 % move."""
    limit, total = _limits("example-50-45"), results.groupby("delta")[["second", "games"]].sum()
    if not played_enough(results, ["delta"], limit.draws):
        return
    none, small, middle, large = share = (total.second / total.games).tolist()
    near = abs(small - limit.share) <= limit.within
    holds = none == limit.nash and near and small < middle < large
    detail = ", ".join(f"{s:.4f}" for s in share) + " at δ = 0, 0.05, 0.1, 0.2"
    yield _claim("example-50-45", holds, detail)


@judge("pokemon/nine-positions")
def nine_positions(results: pd.DataFrame) -> Judged:
    """Judge whether all initial positions show the tendency of table 3."""
    limit, two = _limits("all-nine-positions"), _limits("two-actions")
    if not played_enough(results, ["lead1", "lead2", "delta"], limit.draws):
        return
    answers, told = [], []
    for (lead1, lead2), position in results.groupby(["lead1", "lead2"]):
        blocks = dict(iter(position.groupby("delta")))
        unused = ~_played(blocks[0.0][SIDES].mean(), two)
        path = [
            Estimate.of(rows.loc[:, unused.index[unused]].sum(axis=1)) for rows in blocks.values()
        ]
        last = blocks[0.2]
        zeros = last[[f"zero_{name}" for name in SIDES]].sum().max()
        shown = Estimate.share(zeros, int(last.games.sum()) // AVERAGED)
        steps = [after.minus(before).above(-limit.fall) for before, after in pairwise(path)]
        answer = every([*steps, path[-1].above(limit.least), shown.above(limit.share)])
        answers.append(answer)
        if answer is not True:
            names = f"{PARTIES[0][lead1].name} against {PARTIES[1][lead2].name}"
            told.append(f"{names} (outside {path[-1]}, an action at 0.00 in {shown})")
    detail = f"{answers.count(True)} of {len(answers)} positions"
    detail += f"; not {', '.join(told)}" if told else ""
    yield _claim("all-nine-positions", every(answers), detail)


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
    limit, share = _limits("mc-unnatural-moves"), Estimate.of(results.blunders / results.live)
    detail = f"{100 * share.value:.1f} % of {results.live.sum():,} live positions"
    yield _claim("mc-unnatural-moves", share.above(limit.least), detail)
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
    if not played_enough(results, ["noise", "delta"], _limits("win-rate-falls").games):
        return
    steps = [rate[m, a].minus(rate[m, b]) for m in models for a, b in pairwise(DELTAS)]
    told = "; ".join(f"{m} " + ", ".join(f"{rate[m, d].value:.4f}" for d in DELTAS) for m in models)
    yield _claim("win-rate-falls", every(step.above(0.0) for step in steps), told)
    weaker = [nash.minus(rate[m, d]).above(0.0) for m in models for d in (0.1, 0.2)]
    yield _claim("weaker-than-nash", every(weaker), f"Nash {nash.value:.4f}; {told}")
    gap = rate["uniform", 0.2].minus(rate["variable", 0.2])
    yield _claim("variable-weaker", gap.above(0.0), f"by {gap.value:.4f} at δ = 0.2")
    limit = _limits("delta-0.05-close")
    gaps = [rate[m, 0.05].minus(nash) for m in models]
    detail = f"differences {gaps[0].value:.4f} and {gaps[1].value:.4f}"
    yield _claim("delta-0.05-close", every(is_within(gap, limit.most) for gap in gaps), detail)
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
    if not played_enough(results, ["noise", "delta"], _limits("win-rate-falls").games):
        return
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
    if not _biased_enough(results):
        return
    rise = raised_shares(results)
    told = [
        ", ".join(f"{100 * rise[payoffs, name].value:+.1f}" for name in HABITS)
        for payoffs in ("clipped", "free")
    ]
    detail = f"points for {', '.join(HABITS)}: {told[0]}; not clipped: {told[1]}"
    yield _claim("biases-work", every(one.above(0.0) for one in rise.values()), detail)
    limit, rate = _limits("bias-win-rate"), estimates(results, ["payoffs", "player"])
    gaps = {name: rate["clipped", name].minus(rate["clipped", "delta-nash"]) for name in HABITS}
    detail = ", ".join(f"{name} {gap.value:+.4f}" for name, gap in gaps.items())
    yield _claim(
        "bias-win-rate", every(is_within(gap, limit.most) for gap in gaps.values()), detail
    )


@judge("pokemon/biases")
def figure_4(results: pd.DataFrame) -> Judged:
    """Judge what the text reads off figure 4, on Nash and on who likes effective attacks."""
    if not _biased_enough(results):
        return
    clipped = shares(results).query("payoffs == 'clipped'").set_index("player")
    kinds = [*_ATTACKS, *_SWITCHES]
    blocks = {x: clipped.loc[x, kinds].reset_index(drop=True) for x in ("nash", "effective")}
    nash, liker = (rows.mean() for rows in blocks.values())
    limit = _limits("nash-even")
    excess = []
    for sort in (_ATTACKS, _SWITCHES):
        most, least = nash[sort].idxmax(), nash[sort].idxmin()
        excess.append(Estimate.of(blocks["nash"][most] - limit.factor * blocks["nash"][least]))
    detail = "attacks " + ", ".join(f"{x:.3f}" for x in nash[_ATTACKS])
    detail += f"; advantageous switches {nash.advantageous_share:.3f}"
    yield _claim("nash-even", every(one.below(0.0) for one in excess), detail)
    limit, gap = _limits("effective-bias-like-human"), liker.effective_share - nash.effective_share
    holds = liker[_ATTACKS].idxmax() == "effective_share" and gap >= limit.least
    detail = f"{liker.effective_share:.3f} of its attacks, Nash {nash.effective_share:.3f}"
    yield _claim("effective-bias-like-human", holds, detail)
    limit = _limits("effective-bias-switches-like-nash")
    apart = blocks["effective"] - blocks["nash"]
    switched = apart.advantageous_share * np.sign(apart.advantageous_share.mean())
    farther = Estimate.of(switched - limit.most * apart.effective_share)
    detail = f"switches {liker.advantageous_share:.3f}, Nash {nash.advantageous_share:.3f}"
    detail += f"; attacks {liker.effective_share:.3f}, Nash {nash.effective_share:.3f}"
    yield _claim("effective-bias-switches-like-nash", farther.below(0.0), detail)


def _biased_enough(results: pd.DataFrame) -> bool:
    """Return whether biased players and the others have the games that their claims ask for."""
    return played_enough(results, ["payoffs", "player"], _limits("biases-work").games)


@judge("pokemon/openings")
def openings(results: pd.DataFrame) -> Judged:
    """Judge whether who likes attacks still leaves bad openings."""
    limit = _limits("attack-bias-still-switches")
    if not played_enough(results, ["lead1", "lead2"], limit.draws):
        return
    bad: list[Estimate] = []
    others: list[Estimate] = []
    for row in results.itertuples():
        leads = (row.lead1, row.lead2)
        for party, switched in ((0, row.switch1), (1, row.switch2)):
            own = PARTIES[party][leads[party]].type
            factor = CHART[PARTIES[1 - party][leads[1 - party]].type][own]
            # a drawn probability varies no more than the action drawn from it
            found = Estimate.share(switched * row.games, row.games)
            (bad if factor == limit.factor else others).append(found)
    mean_bad, mean_others = (Estimate.mean(found) for found in (bad, others))
    most = max(bad, key=lambda found: found.value)
    detail = f"{len(bad)} bad openings: mean {mean_bad.value:.3f}, at most {most.value:.3f}"
    detail += f"; {len(others)} others: mean {mean_others.value:.3f}"
    holds = every([mean_bad.minus(mean_others).above(0.0), most.above(limit.least)])
    yield _claim("attack-bias-still-switches", holds, detail)
