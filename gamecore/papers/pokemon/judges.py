"""What the experiments say on the paper's numbers and sentences."""

import math
from collections.abc import Iterable

import pandas as pd

from gamecore.papers import published
from gamecore.papers.pokemon.experiments import DELTAS, ENTRIES, HABITS, PRINTED_TURNS, SIDES
from gamecore.papers.pokemon.summaries import by_far, mean_strategies, rates, shares
from gamecore.papers.stats import Judged, Ours, judge, wilson
from gamecore.pokemon import rules

_A, _B = SIDES[:5], SIDES[5:]
_UNUSED = 1e-6  # an action less likely than this is not played


@judge("pokemon/matrix-1")
def matrix_1(results: pd.DataFrame) -> Judged:
    """Judge the number of states, matrix (1), and its equilibrium in table 3."""
    ours = _as_printed(results)
    yield "pokemon/section-5.2/states/total", Ours(ours.states)
    for name in ENTRIES:
        yield f"pokemon/matrix-1/{name[:2]}/{name[2:]}", Ours(ours[name])
    for name in SIDES:
        yield f"pokemon/table-3/0/{name}", Ours(ours[name])


@judge("pokemon/matrix-1")
def dropped_actions(results: pd.DataFrame) -> Judged:
    """Judge whether equilibria mix two actions, and drop one that loses little."""
    used = results.set_index("source")[SIDES].iloc[:2] > _UNUSED
    counts = [int(used.loc[turns, side].sum()) for turns in used.index for side in (_A, _B)]
    detail = "actions used with 18 and 19 turns left, a and b: " + ", ".join(map(str, counts))
    yield "pokemon/claim/two-actions", Ours(holds=counts == [2] * 4, detail=detail)
    ours = _as_printed(results)
    A = ours[ENTRIES].to_numpy(float).reshape(5, 5)
    row, column = ours[_A].to_numpy(float), ours[_B].to_numpy(float)
    losses = dict(zip(SIDES, [*(ours.value - A @ column), *(row @ A - ours.value)], strict=True))
    unused = {name: loss for name, loss in losses.items() if ours[name] <= _UNUSED}
    cheapest = min(unused, key=lambda name: unused[name])
    detail = f"{cheapest} is never played and loses only {unused[cheapest]:.3f}"
    holds = bool(unused[cheapest] <= 0.05)
    yield "pokemon/claim/nash-drops-plausible", Ours(holds=holds, detail=detail)


def _as_printed(results: pd.DataFrame) -> pd.Series:
    """Return the row of ``pokemon/matrix-1`` whose horizon is matrix (1)'s."""
    return results.set_index("source").loc[f"{PRINTED_TURNS} turns"]


@judge("pokemon/table-3")
def table_3(results: pd.DataFrame) -> Judged:
    """Judge the rows of table 3 with noise."""
    total = mean_strategies(results)
    for delta in DELTAS:
        cell = total.loc["clipped", delta]
        for name in SIDES:
            variance = max(cell[f"squares_{name}"] / cell.games - cell[name] * cell[name], 0.0)
            rank = (cell[f"below_{name}"] + cell[f"equal_{name}"] / 2) / cell.games
            # one draw's spread: ten of them are averaged in a row
            ours = Ours(cell[name], n=int(10 * cell.games), sd=math.sqrt(10 * variance),
                        detail=f"printed at percentile {100 * rank:.0f} of our rows")  # fmt: skip
            yield f"pokemon/table-3/{delta}/{name}", ours


@judge("pokemon/table-3")
def noise_on_actions(results: pd.DataFrame) -> Judged:
    """Judge how many actions noise brings in, which of them gain, and which stay at 0."""
    mean = mean_strategies(results)
    used = [
        int((mean.loc[(payoffs, 0.05), side] >= 0.005).sum())
        for payoffs in ("clipped", "free")
        for side in (_A, _B)
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


@judge("pokemon/table-3", "pokemon/matrix-1")
def varied_strategies(results: pd.DataFrame, exact: pd.DataFrame) -> Judged:
    """Judge whether δ-Nash is more varied than Nash, at a small loss."""
    mean, nash = mean_strategies(results), _as_printed(exact)
    richer = all(
        _entropy(mean.loc[("clipped", delta), side]) > _entropy(nash[side])
        for delta in DELTAS
        for side in (_A, _B)
    )
    cell = mean.loc["clipped", 0.05]
    losses = [cell.loss_a / cell.games, cell.loss_b / cell.games]
    detail = f"δ = 0.05 loses {losses[0]:.4f} (a) and {losses[1]:.4f} (b)"
    holds = richer and all(0 < loss <= 0.05 for loss in losses)
    yield "pokemon/claim/delta-nash-varied", Ours(holds=bool(holds), detail=detail)


def _entropy(weights: Iterable[float]) -> float:
    return -sum(float(w) * math.log(w) for w in weights if w > 0)


@judge("pokemon/example")
def example(results: pd.DataFrame) -> Judged:
    """Judge the text's example of a 50 % and a 45 % move."""
    share = (results.second / results.games).tolist()
    holds = share[0] == 0 and abs(share[1] - 0.125) <= 0.005 and share[1] < share[2] < share[3]
    detail = ", ".join(f"{s:.4f}" for s in share) + " at δ = 0, 0.05, 0.1, 0.2"
    yield "pokemon/claim/example-50-45", Ours(holds=holds, detail=detail)


@judge("pokemon/nine-positions")
def nine_positions(results: pd.DataFrame) -> Judged:
    """Judge whether all initial positions show the tendency of table 3."""
    exceptions, positions = [], results.groupby(["lead1", "lead2"])
    for (lead1, lead2), position in positions:
        path = position.set_index("delta")[SIDES]
        outside = path.loc[:, path.loc[0.0] <= _UNUSED].sum(axis=1)
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


@judge("pokemon/formulas")
def formulas(results: pd.DataFrame) -> Judged:
    """Judge what the text says of equation (2) and of the variable noise model."""

    def worst(name: str, middle: int, size: pd.Series) -> float:
        """Return how far a formula is from `size` at the ends and from a multiple between them."""
        wanted = {"0.0": size, "0.5": middle * size, "1.0": size}
        return max(float((results[f"{name}_{p}"] - w).abs().max()) for p, w in wanted.items())

    off = worst("shift", 6, results["size"])
    yield "pokemon/claim/bias-shift", Ours(holds=off <= 1e-12, detail=f"off by {off:.1e}")
    off = worst("width", 2, results["size"].abs())
    holds = off <= 1e-12 and bool((results.rising == 50).all())
    yield "pokemon/claim/variable-shape", Ours(holds=holds, detail=f"off by {off:.1e}")


@judge("pokemon/pairings")
def pairings(results: pd.DataFrame) -> Judged:
    """Judge the win rates of Monte Carlo, Nash and random, and who beats whom."""
    total = rates(results, ["first", "second"])
    for first, second, place in (
        ("monte-carlo", "random", "section-5.1"),
        ("nash", "random", "section-5.2"),
        ("nash", "monte-carlo", "section-5.2"),
    ):
        row = total.loc[first, second]
        ours = Ours(row.rate, n=int(row.games), explained_by="pokemon/sensitivity-monte-carlo")
        yield f"pokemon/{place}/{first}/{second}", ours
    for claim, pair, least in (
        ("mc-beats-random", ("monte-carlo", "random"), 0.9),
        ("nash-beats-mc", ("nash", "monte-carlo"), 0.6),
    ):
        low, high = wilson(total.loc[pair].win, int(total.loc[pair].games))
        detail = f"95 % interval {low:.4f} to {high:.4f}"
        yield f"pokemon/claim/{claim}", Ours(holds=low > least, detail=detail)


@judge("pokemon/misjudgements")
def misjudgements(results: pd.DataFrame) -> Judged:
    """Judge what the text says of Monte Carlo's errors, and that they are why it loses."""
    over, under = results.over_error.max(), results.under_error.min()
    detail = f"errors from {under:+.2f} to {over:+.2f} over {results.positions.sum():,} positions"
    holds = bool(over >= 0.2 and under <= -0.2)
    yield "pokemon/claim/mc-misjudges", Ours(holds=holds, detail=detail)
    share = results.blunders.sum() / results.live.sum()
    detail = f"{100 * share:.1f} % of {results.live.sum():,} live positions"
    yield "pokemon/claim/mc-unnatural-moves", Ours(holds=bool(share >= 0.01), detail=detail)
    games = results.games.sum()
    given, start = results.given_away.sum() / games, results.start_value.sum() / games
    score = (results.wins.sum() + results.draws.sum() / 2) / games
    error = math.sqrt(score * (1 - score) / games)
    holds = bool(given >= 0.1 and abs(start - given - score) <= 3 * error)
    detail = f"gives away {given:.4f} a game: {start:.4f} − {given:.4f} against {score:.4f} scored"
    yield "pokemon/claim/nash-beats-mc-cause", Ours(holds=holds, detail=detail)


@judge("pokemon/table-4")
def table_4(results: pd.DataFrame) -> Judged:
    """Judge the win rates of table 4, and how they fall with δ."""
    total = rates(results, ["noise", "delta"])
    rate, error = total.rate, total.error
    nash = ("none", 0.0)
    yield "pokemon/table-4/nash/0", Ours(rate[nash], n=int(total.games[nash]))
    models, steps, weaker, close = ("uniform", "variable"), [], [], []
    for m in models:
        for delta in DELTAS:
            ours = Ours(rate[m, delta], n=int(total.games[m, delta]))
            yield f"pokemon/table-4/{m}/{delta}", ours
            gap, noise = rate[nash] - rate[m, delta], (error[nash], error[m, delta])
            weaker.append(by_far(gap, *noise) if delta > 0.05 else not by_far(-gap, *noise))
        for more, less in ((0.05, 0.1), (0.1, 0.2)):
            gap = rate[m, more] - rate[m, less]
            steps.append(by_far(gap, error[m, more], error[m, less]))
        close.append(abs(rate[m, 0.05] - rate[nash]))
    told = "; ".join(f"{m} " + ", ".join(f"{rate[m, d]:.4f}" for d in DELTAS) for m in models)
    yield "pokemon/claim/win-rate-falls", Ours(holds=all(steps), detail=told)
    detail = f"Nash {rate[nash]:.4f}; {told}"
    yield "pokemon/claim/weaker-than-nash", Ours(holds=all(weaker), detail=detail)
    gap = rate["uniform", 0.2] - rate["variable", 0.2]
    holds = by_far(gap, error["uniform", 0.2], error["variable", 0.2])
    yield "pokemon/claim/variable-weaker", Ours(holds=holds, detail=f"by {gap:.4f} at δ = 0.2")
    detail = f"differences {close[0]:.4f} and {close[1]:.4f}"
    yield "pokemon/claim/delta-0.05-close", Ours(holds=max(close) <= 0.03, detail=detail)
    small, *large = (rate["variable", delta] for delta in DELTAS)
    holds = all(0.30 <= w <= 0.49 and w < small for w in large)
    detail = f"{large[0]:.4f} and {large[1]:.4f}, after {small:.4f}"
    yield "pokemon/claim/promising-range", Ours(holds=holds, detail=detail)


@judge("pokemon/table-4")
def above_half(results: pd.DataFrame) -> Judged:
    """Judge whether chance explains the printed rates above one half, as a footnote says."""
    total = rates(results, ["noise", "delta"])
    nash = total.loc["none", 0.0]
    scores = []
    for row in published.load("pokemon"):
        if row.locator == "table 4" and (row.value or 0) > 0.5:
            at = ("none" if row.column == "0" else row.id.split("/")[2], float(row.column))
            p = total.rate[at]
            scores.append(((row.value or 0) - p) / math.sqrt(p * (1 - p) / (row.n or 1)))
    fair = abs(nash.rate - 0.5) <= 3 * nash.error
    holds = bool(max(map(abs, scores)) <= 2.58 and fair)
    detail = "z = " + ", ".join(f"{z:.2f}" for z in scores)
    detail += f"; Nash against itself {nash.rate:.4f}"
    yield "pokemon/claim/seed-above-half", Ours(holds=holds, detail=detail)


@judge("pokemon/biases")
def table_5(results: pd.DataFrame) -> Judged:
    """Judge the win rates of biased players."""
    total = rates(results, ["payoffs", "player"]).loc["clipped"]
    for name in ("delta-nash", *HABITS):
        ours = Ours(total.rate[name], n=int(total.games[name]))
        yield f"pokemon/table-5/win-rate/{name}", ours
    gaps = (total.rate[list(HABITS)] - total.rate["delta-nash"]).abs()
    detail = f"largest difference {gaps.max():.4f} ({gaps.idxmax()})"
    yield "pokemon/claim/bias-win-rate", Ours(holds=bool(gaps.max() <= 0.05), detail=detail)


@judge("pokemon/biases")
def rises(results: pd.DataFrame) -> Judged:
    """Judge how much more often biased players do what they like, and that all four do."""
    columns = [f"{name}_share" for name in HABITS]
    groups = shares(results).groupby(["payoffs", "player"])
    share, spread = groups[columns].mean(), groups[columns].std()
    blocks, size = groups.size(), int(results.games.iloc[0])
    found = []
    for payoffs in ("clipped", "free"):
        for name in HABITS:
            at, base, column = (payoffs, name), (payoffs, "delta-nash"), f"{name}_share"
            rise = share.loc[at, column] - share.loc[base, column]
            deviation = math.hypot(spread.loc[at, column], spread.loc[base, column])
            found.append((rise, deviation / math.sqrt(blocks[at])))
            if payoffs == "clipped":
                sd = 100 * deviation * math.sqrt(size)  # of a single game
                ours = Ours(100 * rise, n=int(size * blocks[at]), sd=sd)
                yield f"pokemon/section-6.1.1/rise/{name}", ours
    holds = all(by_far(rise, error) for rise, error in found)
    told = [", ".join(f"{100 * r:+.1f}" for r, _ in part) for part in (found[:4], found[4:])]
    detail = f"points for {', '.join(HABITS)}: {told[0]}; not clipped: {told[1]}"
    yield "pokemon/claim/biases-work", Ours(holds=holds, detail=detail)


@judge("pokemon/biases")
def figures_2_to_4(results: pd.DataFrame) -> Judged:
    """Give the heights of the bars that are lost with the figures."""
    clipped = shares(results).query("payoffs == 'clipped'").groupby("player")
    found, games = clipped.mean(numeric_only=True), clipped.games.sum()
    attacks, switches = ("effective", "ordinary", "ineffective"), ("advantageous", "other")
    for figure, names, kinds in (
        (2, ("delta-nash", "attack", "switch"), ("attack", "switch")),
        (3, ("delta-nash", "effective", "ineffective"), attacks),
        (4, ("nash", "effective"), attacks + switches),
    ):
        for name in names:
            row = f"{name}-bias" if name in HABITS else name
            for kind in kinds:
                label = f"{kind}-switch" if kind in switches else kind
                ours = Ours(found.loc[name, f"{kind}_share"], n=int(games[name]))
                yield f"pokemon/figure-{figure}/{row}/{label}", ours


@judge("pokemon/biases")
def figure_4(results: pd.DataFrame) -> Judged:
    """Judge what the text reads off figure 4, on Nash and on who likes effective attacks."""
    clipped = shares(results).query("payoffs == 'clipped'").groupby("player")
    attacks = ["effective_share", "ordinary_share", "ineffective_share"]
    found = clipped[[*attacks, "advantageous_share"]].mean()
    nash, liker = found.loc["nash"], found.loc["effective"]
    holds = nash[attacks].between(0.2, 0.5).all() and 0.3 <= nash.advantageous_share <= 0.7
    detail = "attacks " + ", ".join(f"{x:.3f}" for x in nash[attacks])
    detail += f"; advantageous switches {nash.advantageous_share:.3f}"
    yield "pokemon/claim/nash-even", Ours(holds=bool(holds), detail=detail)
    gap = liker.effective_share - nash.effective_share
    holds = liker[attacks].idxmax() == "effective_share" and gap >= 0.15
    detail = f"{liker.effective_share:.3f} of its attacks, Nash {nash.effective_share:.3f}"
    yield "pokemon/claim/effective-bias-like-human", Ours(holds=bool(holds), detail=detail)
    gap = abs(liker.advantageous_share - nash.advantageous_share)
    detail = f"{liker.advantageous_share:.3f}, Nash {nash.advantageous_share:.3f}"
    ours = Ours(holds=bool(gap <= 0.1), detail=detail, explained_by="pokemon/sensitivity")
    yield "pokemon/claim/effective-bias-switches-like-nash", ours


@judge("pokemon/openings")
def openings(results: pd.DataFrame) -> Judged:
    """Judge whether who likes attacks still leaves bad openings."""
    bad: list[float] = []
    others: list[float] = []
    for row in results.itertuples():
        leads = (row.lead1, row.lead2)
        for party, switched in ((0, row.switch1), (1, row.switch2)):
            own = rules.TYPE[party, leads[party]]
            factor = rules.CHART[rules.TYPE[1 - party, leads[1 - party]], own]
            (bad if factor == 1.5 else others).append(switched)
    mean_bad, mean_others = sum(bad) / len(bad), sum(others) / len(others)
    holds = mean_bad > mean_others and max(bad) >= 0.5
    detail = f"{len(bad)} bad openings: mean {mean_bad:.3f}, at most {max(bad):.3f}"
    detail += f"; {len(others)} others: mean {mean_others:.3f}"
    yield "pokemon/claim/attack-bias-still-switches", Ours(holds=holds, detail=detail)
