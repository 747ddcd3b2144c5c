"""The experiments that play games: the pairings of section 5, tables 4 and 5, figures 2 to 4.

Win rates count a draw as half a win. Parties and leads are dealt at random in every game.
"""

import math
from collections.abc import Iterator
from typing import Any

import pandas as pd

from gamecore import published, rng
from gamecore.experiment import experiment
from gamecore.pokemon import rules
from gamecore.pokemon.battle import match, misjudge
from gamecore.pokemon.measure import BIASES, DELTAS, by_far, counts, rates, shares, tables
from gamecore.pokemon.players import Player, player, switch_probability
from gamecore.stats import Ours, wilson


@experiment(
    "pokemon/pairings",
    cells=[
        {"first": "monte-carlo", "second": "random"},
        {"first": "nash", "second": "random"},
        {"first": "nash", "second": "monte-carlo"},
    ],
    games=500, quick=1, paper=40, fingerprint=8, prepare=tables,
)  # fmt: skip
def pairings(cell, seed, games, tables):
    """Monte Carlo, Nash and random against each other (sections 5.1 and 5.2)."""
    return counts(match(player(cell["first"]), player(cell["second"]), games, seed, tables))


@pairings.judge
def _(results: pd.DataFrame) -> Iterator[tuple[str, Ours]]:
    total = rates(results, ["first", "second"])
    for first, second, place in (
        ("monte-carlo", "random", "section-5.1"),
        ("nash", "random", "section-5.2"),
        ("nash", "monte-carlo", "section-5.2"),
    ):
        row = total.loc[first, second]
        yield (
            f"pokemon/{place}/{first}/{second}",
            Ours(row.rate, n=int(row.games), explained_by="pokemon/sensitivity-monte-carlo"),
        )
    for claim, pair, least in (
        ("mc-beats-random", ("monte-carlo", "random"), 0.9),
        ("nash-beats-mc", ("nash", "monte-carlo"), 0.6),
    ):
        low, high = wilson(total.loc[pair].win, int(total.loc[pair].games))
        detail = f"95 % interval {low:.4f} to {high:.4f}"
        yield f"pokemon/claim/{claim}", Ours(holds=low > least, detail=detail)


@experiment(
    "pokemon/misjudgements", cells=[{"first": "monte-carlo", "second": "nash"}],
    games=500, quick=2, paper=40, fingerprint=8, prepare=tables,
)  # fmt: skip
def misjudgements(cell, seed, games, tables):
    """What Monte Carlo believes, and what its choices give away against Nash."""
    found = misjudge(games, seed, tables)
    out = {k: v for k, v in found._asdict().items() if k not in ("over", "under")}
    for name, extreme in (("over", found.over), ("under", found.under)):
        parts = zip(("error", "value", "state", "turns", "party"), extreme, strict=True)
        out |= {f"{name}_{key}": float(part) for key, part in parts}
    return out


@misjudgements.judge
def _(results: pd.DataFrame) -> Iterator[tuple[str, Ours]]:
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


@experiment(
    "pokemon/table-4",
    cells=[
        {"noise": "none", "delta": 0.0},
        *({"noise": noise, "delta": d} for noise in ("uniform", "variable") for d in DELTAS),
    ],
    games=5000, quick=1, paper=40, fingerprint=100, prepare=tables,
)  # fmt: skip
def table_4(cell, seed, games, tables):
    """δ-Nash players against Nash, by noise model and δ."""
    return counts(match(player(**cell), player(), games, seed, tables))


@table_4.judge
def _(results: pd.DataFrame) -> Iterator[tuple[str, Ours]]:
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
    above = [
        r for r in published.load("pokemon") if r.locator == "table 4" and (r.value or 0) > 0.5
    ]
    scores = []
    for row in above:
        p = rate[nash if row.column == "0" else (row.id.split("/")[2], float(row.column))]
        scores.append(((row.value or 0) - p) / math.sqrt(p * (1 - p) / (row.n or 1)))
    fair = abs(rate[nash] - 0.5) <= 3 * error[nash]
    holds = bool(max(map(abs, scores)) <= 2.58 and fair)
    detail = "z = " + ", ".join(f"{z:.2f}" for z in scores)
    detail += f"; Nash against itself {rate[nash]:.4f}"
    yield "pokemon/claim/seed-above-half", Ours(holds=holds, detail=detail)


#: Footnote 5 and section 6.1: the setting of table 5 and figures 2 to 4.
DELTA, ALPHA = 0.05, 0.03


def habit(name: str, **options: bool) -> Player:
    """Return a player of table 5 by its name: ``"nash"``, ``"delta-nash"`` or a bias.

    Parameters
    ----------
    name : str
        ``"nash"``, ``"delta-nash"`` or one of `gamecore.pokemon.measure.BIASES`.
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
            for payoffs in ("clipped", "free") for name in ("delta-nash", *BIASES)
        ),
    ],
    games=5000, quick=2, paper=40, fingerprint=100, prepare=tables,
)  # fmt: skip
def biases(cell, seed, games, tables):
    """Biased players against Nash: results and kinds of actions (table 5, figures 2 to 4)."""
    who = habit(cell["player"], clip=cell["payoffs"] == "clipped")
    return counts(match(who, player(), games, seed, tables))


@biases.judge
def _(results: pd.DataFrame) -> Iterator[tuple[str, Ours]]:
    by = ["payoffs", "player"]
    total = rates(results, by).loc["clipped"]
    for name in ("delta-nash", *BIASES):
        ours = Ours(total.rate[name], n=int(total.games[name]))
        yield f"pokemon/table-5/win-rate/{name}", ours
    gaps = (total.rate[list(BIASES)] - total.rate["delta-nash"]).abs()
    detail = f"largest difference {gaps.max():.4f} ({gaps.idxmax()})"
    yield "pokemon/claim/bias-win-rate", Ours(holds=bool(gaps.max() <= 0.05), detail=detail)

    groups = shares(results).groupby(by)
    columns = [name for name in shares(results) if name.endswith("_share")]
    share, spread = groups[columns].mean(), groups[columns].std()
    blocks, size = groups.size(), int(results.games.iloc[0])
    rises = []
    for payoffs in ("clipped", "free"):
        for name in BIASES:
            at, base, column = (payoffs, name), (payoffs, "delta-nash"), f"{name}_share"
            rise = share.loc[at, column] - share.loc[base, column]
            deviation = math.hypot(spread.loc[at, column], spread.loc[base, column])
            rises.append((rise, deviation / math.sqrt(blocks[at])))
            if payoffs == "clipped":
                sd = 100 * deviation * math.sqrt(size)  # of a single game
                yield (
                    f"pokemon/section-6.1.1/rise/{name}",
                    Ours(100 * rise, n=int(size * blocks[at]), sd=sd),
                )
    holds = all(by_far(rise, error) for rise, error in rises)
    told = [", ".join(f"{100 * r:+.1f}" for r, _ in part) for part in (rises[:4], rises[4:])]
    detail = f"points for {', '.join(BIASES)}: {told[0]}; not clipped: {told[1]}"
    yield "pokemon/claim/biases-work", Ours(holds=holds, detail=detail)

    found = share.loc["clipped"]
    for figure, names, kinds in (
        (2, ("delta-nash", "attack", "switch"), ("attack", "switch")),
        (3, ("delta-nash", "effective", "ineffective"), ("effective", "ordinary", "ineffective")),
    ):
        for name in names:
            row = name if name == "delta-nash" else f"{name}-bias"
            for kind in kinds:
                value = found.loc[name, f"{kind}_share"]
                yield f"pokemon/figure-{figure}/{row}/{kind}", Ours(value, n=int(total.games[name]))
    for name, row in (("nash", "nash"), ("effective", "effective-bias")):
        for kind in ("effective", "ordinary", "ineffective", "advantageous", "other"):
            label = f"{kind}-switch" if kind in ("advantageous", "other") else kind
            value = found.loc[name, f"{kind}_share"]
            yield f"pokemon/figure-4/{row}/{label}", Ours(value, n=int(total.games[name]))
    attacks = ["effective_share", "ordinary_share", "ineffective_share"]
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
    yield (
        "pokemon/claim/effective-bias-switches-like-nash",
        Ours(holds=bool(gap <= 0.1), detail=detail, explained_by="pokemon/sensitivity"),
    )


@experiment(
    "pokemon/openings",
    cells=[{"lead1": lead1, "lead2": lead2} for lead1 in range(3) for lead2 in range(3)],
    games=5000, quick=1, paper=1, fingerprint=20, prepare=tables,
)  # fmt: skip
def openings(cell, seed, games, tables):
    """How likely the attack-loving player is to switch in its first turn, as either party."""
    position = (cell["lead1"], cell["lead2"], rules.HP1, rules.HP2)
    A, s = tables.payoff_matrix(*position, rules.TURNS), rng.state(seed)
    state, who = rules.encode(*position), habit("attack")
    # side by side, so that fewer draws are the first of more
    drawn = [[switch_probability(A, state, party, who, s) for party in (0, 1)]
             for _ in range(games)]  # fmt: skip
    return {
        f"switch{party + 1}": math.fsum(row[party] for row in drawn) / games for party in (0, 1)
    }


@openings.judge
def _(results: pd.DataFrame) -> Iterator[tuple[str, Ours]]:
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
    detail = (
        f"{len(bad)} bad openings: mean {mean_bad:.3f}, at most {max(bad):.3f}; "
        f"{len(others)} others: mean {mean_others:.3f}"
    )
    yield "pokemon/claim/attack-bias-still-switches", Ours(holds=holds, detail=detail)
