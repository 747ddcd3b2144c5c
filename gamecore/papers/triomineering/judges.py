"""What the experiments say on the paper's three printed results, lost tables and sentences."""

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pandas as pd

from gamecore.papers.stats import Judged, Ours, every, judge
from gamecore.papers.triomineering.claims import (
    at_most,
    coarse_sweep,
    enough,
    fine_sweep,
    finely,
    limits,
    payoff_band,
    throughout,
    within,
)
from gamecore.papers.triomineering.estimates import (
    Score,
    corner_shares,
    grid_visits,
    mean_of_sums,
    mean_policy,
    mean_visits,
    scores,
)
from gamecore.papers.triomineering.experiments import (
    BUDGET,
    CHECKPOINTS,
    CORNERS,
    SEARCHES,
    SIZES,
    correct_pairs,
    written,
)

#: The study that looked for readings of the paper which give its two printed scores on 6×6, and
#: that MC gains nothing.
READINGS = "triomineering/best-readings"
_ANSWERS = {True: "holds", False: "fails", None: "undecided"}


def claim(
    name: str, holds: bool | None, detail: str, explained_by: str = "", studied_by: str = ""
) -> tuple[str, Ours]:
    """Return our side of a sentence, undecided if `holds` is None; the rest is as in `Ours`."""
    ours = Ours(detail=detail, explained_by=explained_by, studied_by=studied_by)
    return f"triomineering/claim/{name}", ours._replace(
        holds=None if holds is None else bool(holds)
    )


def shares(place: str, score: Score, studied_by: str = "") -> Judged:
    """Yield the shares of a match, for the published rows called ``place/v``, ``/d``, ``/h``."""
    for name in "vdh":
        share = getattr(score, name) / score.games
        yield f"triomineering/{place}/{name}", Ours(share, n=score.games, studied_by=studied_by)


def ahead(name: str, score: Score) -> Judged:
    """Yield the claim that V is ahead: the interval of the lead lies above the limit."""
    if enough(name, [score]):
        lead = score.lead()
        yield claim(name, lead.low > limits(name).least, f"{score}, lead {lead}")


def cells(words: str) -> list[int]:
    """Return cells that an exact fact lists."""
    return [int(word) for word in str(words).split()]


@judge("triomineering/solved")
def solved(results: pd.DataFrame) -> Judged:
    """Judge what is said of 4×4, 6×6 and 8×4 under perfect play."""
    four, six, eight = (results.set_index("rows").loc[m] for m in (4, 6, 8))
    for name, column in (("legal-v", "v_moves"), ("legal-h", "h_moves"), ("reduced-v", "v_orbits")):
        yield f"triomineering/section-6.2/4x4/{name}", Ours(float(four[column]))
    for name, right in {"v": [1, 2, 5, 6], "h": [4, 5, 8, 9]}.items():  # rows × 4 + columns
        found = cells(four[f"{name}_correct"])
        yield claim(f"solved/4x4-{name}", found == right, written(*found))
    six_words, eight_words = (f"class {x.outcome}, value {x.value:g}" for x in (six, eight))
    drawn = six.outcome == "D" and six.value == limits("solved/6x6-draw").value
    yield claim("solved/6x6-draw", drawn, six_words)
    v, h = cells(six.v_correct), cells(six.h_correct)
    words = f"{len(v)} of {six.v_moves} moves of V and {len(h)} of H keep 0.5"
    yield claim("solved/6x6-no-mixing", bool(v and h), words)
    yield claim("solved/8x4-vd", eight.outcome == "VD", eight_words)
    mixed = eight.value == limits("solved/8x4-half").value and str(eight.half) == "True"
    yield claim("solved/8x4-half", mixed, eight_words)


@judge("triomineering/outcomes")
def outcomes(results: pd.DataFrame) -> Judged:
    """Judge that every board to m + n = 14 is there, and that its value agrees with its class."""
    classes = vars(limits("solved/to-14"))
    sides = range(1, int(classes["total"]))
    wanted = {(m, n) for m in sides for n in sides[: len(sides) + 1 - m]}
    missing = wanted - {*zip(results["rows"], results["columns"], strict=True)}
    good = 0
    for row in results.itertuples():
        if row.outcome in classes:
            good += row.value == classes[row.outcome]
        else:
            low, high = (classes[f"{row.outcome}_{end}"] for end in ("low", "high"))
            good += low < row.value < high
    detail = f"{good} of {len(results)} boards: "
    detail += ", ".join(f"{name} {n}" for name, n in results.outcome.value_counts().items())
    yield claim("solved/to-14", good == len(results) and not missing, detail)


@judge("triomineering/nash")
def nash(results: pd.DataFrame) -> Judged:
    """Judge how near figure 3 comes to equilibrium, and what the paper hopes of proven methods."""
    gaps = results.set_index(["method", "rounds", "size"]).gap
    for reading, rounds in (("fictitious play", 2000), ("constant step", 200)):
        found = gaps[reading][rounds]
        detail = "mean gap " + ", ".join(f"{x:.4f} at {n}×{n}" for n, x in found.items())
        name = f"nash/{reading.replace(' ', '-')}"
        yield claim(name, (found <= limits(name).most).all(), detail)
    plain, proven = gaps["constant step"][200], gaps["regret matching+"][200]
    detail = ", ".join(f"{proven[n]:.4f} against {plain[n]:.4f} at {n}×{n}" for n in SIZES)
    yield claim("nash/proven-is-better", (proven < plain).all(), detail)


@judge("triomineering/table-2")
def table_2(results: pd.DataFrame) -> Judged:
    """Judge MSUCB1 against MC, and that MC gains nothing from ten times the playouts."""
    found = scores(results, "mc")
    for playouts, score in found.items():
        yield from shares(f"table-2/mc-{playouts}", score)
        yield from ahead(f"mc/ahead-{playouts}", score)
    few, many = found[10_000], found[100_000]
    if enough("mc/no-gain", found.values()):
        gain = few.payoff().minus(many.payoff())  # what V loses, H gains
        band = payoff_band("mc/no-gain", few, many)
        detail = f"MC's payoff changes by {gain}; the paper's games tell {band:.3f} from 0"
        yield claim("mc/no-gain", at_most(gain, band), detail, studied_by=READINGS)


@judge("triomineering/depth")
def depth(results: pd.DataFrame) -> Judged:
    """Judge the printed match of MSUCB1.5 and MSUCB1."""
    (score,) = scores(results, "v").values()
    yield from shares("section-6.3/msucb1.5-msucb1", score, READINGS)
    yield from ahead("depth/msucb1.5-ahead", score)


@judge("triomineering/table-4")
def table_4(results: pd.DataFrame) -> Judged:
    """Judge that c from 0.3 to 0.7 makes no difference, and that others are worse."""
    found = scores(results, "c")
    for c, score in found.items():
        yield from shares(f"table-4/c-{c:g}", score)
    if enough("c/flat", found.values()):
        answers, words = [], []
        for a, b in combinations((0.3, 0.5, 0.7), 2):
            difference = found[b].payoff().minus(found[a].payoff())
            band = payoff_band("c/flat", found[a], found[b])
            answers.append(within(difference, band))
            words.append(f"{a:g} to {b:g}: {difference}, within ±{band:.3f}")
        yield claim("c/flat", every(answers), "; ".join(words))
    if enough("c/worse-outside", found.values()):
        worse = {c: found[c].payoff().minus(found[0.5].payoff()) for c in (0.05, 0.1, 1.0, 2.0)}
        most = limits("c/worse-outside").most
        detail = "; ".join(f"{c:g}: {estimate}" for c, estimate in worse.items())
        yield claim("c/worse-outside", every(x.below(most) for x in worse.values()), detail)


@judge("triomineering/table-5", "triomineering/draw-model")
def table_5(results: pd.DataFrame, model: pd.DataFrame) -> Judged:
    """Judge what a draw is worth, in steps of 0.25."""
    yield from _sweep("table-5", coarse_sweep, results, model)


@judge("triomineering/table-6", "triomineering/draw-model")
def table_6(results: pd.DataFrame, model: pd.DataFrame) -> Judged:
    """Judge what a draw is worth, in steps of 0.1 from 0.5."""
    yield from _sweep("table-6", fine_sweep, results, model)


def _sweep(place: str, test: Callable, results: pd.DataFrame, model: pd.DataFrame) -> Judged:
    """Yield matches and sentences; details add what the other model of the opponent gives.

    That model has the same player at U = 0.5, so those games are shared.
    """
    found = scores(results, "u")
    for u, score in found.items():
        yield from shares(f"{place}/u-{u:g}", score)
    other = {**scores(model, "u"), 0.5: found[0.5]}
    variant = test({u: other[u] for u in found})
    for name, (holds, detail) in test(found).items():
        there, words = variant[name]
        detail += f" [model 1 − U: {_ANSWERS[there]}; {words}]"
        study = "triomineering/draw-model"
        if enough(f"draw/{name}", found.values()):
            yield claim(f"draw/{name}", holds, detail, study if there else "", study)


@judge("triomineering/simpleucb0.5")
def simple_half(results: pd.DataFrame) -> Judged:
    """Judge the printed match of MSUCB1.5 and SimpleUCB0.5."""
    (score,) = scores(results, "v").values()
    yield from shares("section-6.6.1/msucb1.5-simpleucb0.5", score, READINGS)
    yield from ahead("simple/ucb0.5-behind", score)


@judge("triomineering/table-7")
def table_7(results: pd.DataFrame) -> Judged:
    """Judge that SimpleUCB1 holds its own against MSUCB1.5, and with more playouts is ahead."""
    found = scores(results, "simple")
    for playouts, score in found.items():
        yield from shares(f"table-7/simpleucb1-{playouts}", score)
        name, lead = f"simple/ucb1-even-{playouts}", score.lead()
        if enough(name, [score]):
            limit = limits(name)
            band = limit.errors * score.lead(limit.games).error
            detail = f"{score}, lead {lead}; the paper's games tell ±{band:.4f} from 0"
            yield claim(name, within(lead, band), detail)
    many, name = found[100_000], "simple/ucb1-ahead-100000"
    if enough(name, [many]):
        lead = many.lead()
        yield claim(name, lead.below(limits(name).most), f"{many}, lead {lead}")


@judge("triomineering/8x4", "triomineering/table-7")
def eight_by_four(results: pd.DataFrame, table_7: pd.DataFrame) -> Judged:
    """Judge the printed match on 8×4, and with table 7 that mixing is of no advantage."""
    (score,) = scores(results, "v").values()
    yield from shares("section-6.6.2/msucb1.5-simpleucb1", score)
    payoff, simple = score.payoff(), scores(table_7, "simple")
    if enough("8x4/even", [score]):
        even = payoff.low <= limits("8x4/even").value <= payoff.high
        yield claim("8x4/even", even, f"{score}, payoff {payoff}")
    if enough("simple/no-advantage", [score, *simple.values()]):
        leads = {playouts: found.lead() for playouts, found in simple.items()}
        most = limits("simple/no-advantage")
        holds = all(lead.low <= most.lead for lead in leads.values()) and payoff.low <= most.payoff
        detail = "; ".join(f"{playouts:,}: lead {lead}" for playouts, lead in leads.items())
        yield claim("simple/no-advantage", holds, f"{detail}; 8×4: payoff {payoff}")


@judge("triomineering/search-counts", "triomineering/solved")
def search_counts(results: pd.DataFrame, boards: pd.DataFrame) -> Judged:
    """Judge where MSUCB1 and SimpleUCB1 spend their playouts on 4×4 (tables 3 and 8)."""
    four = boards.set_index("rows").loc[4]
    right = correct_pairs((cells(four.v_correct), cells(four.h_correct)))
    correct = {}
    for method, c in SEARCHES:
        share = float(mean_visits(results, method, c)[right].sum() / BUDGET)
        correct[method, c] = share
        table = "table-3/msucb1" if method == "MSUCB1" else f"table-8/simpleucb1-c-{c:g}"
        yield f"triomineering/{table}/correct", Ours(share, n=int(results.games.sum() / 3))
    for method in ("MSUCB1", "SimpleUCB1"):
        name, share = f"search/{method.lower()}-concentrates", correct[method, 0.5]
        detail = f"{share:.3f} of the playouts on 4 of 16 pairs"
        yield claim(name, share >= limits(name).least, detail)
    visits = mean_visits(results, "MSUCB1", 0.5)
    low, high, least = visits[~right].min(), visits[~right].max(), visits[right].min()
    detail = f"others from {low:.0f} to {high:.0f} visits, correct pairs from {least:.0f}"
    name = "search/msucb1-overlooks-nothing"
    yield claim(name, low > limits(name).visits and high < least, detail)
    others = {
        key: mean_of_sums(rows, "others", "squares")
        for key, rows in results.groupby(["method", "c"])
    }
    simple, mixed = (others[method, 0.5] for method in ("SimpleUCB1", "MSUCB1"))
    few = limits("search/simpleucb1-neglects")
    beyond = simple.minus(mixed.times(few.most))
    detail = f"{simple.value:.4f} against {mixed.value:.4f}; beyond half {finely(beyond)}"
    study = "triomineering/search-variants"
    holds = beyond.below(few.side)
    yield claim("search/simpleucb1-neglects", holds, detail, explained_by=study)
    spread = others["SimpleUCB1", 1.0].minus(simple)
    holds = spread.low > limits("search/simpleucb1-c-spreads").least
    yield claim("search/simpleucb1-c-spreads", holds, f"share of other pairs {spread}")


@judge("triomineering/dilemma", "triomineering/dilemma-grid")
def dilemma(results: pd.DataFrame, grid: pd.DataFrame) -> Judged:
    """Judge how both searches visit the pairs of the prisoner's dilemma (table 10)."""
    found = {name: corner_shares(rows) for name, rows in results.groupby("method")}
    seeds = int(results.games.sum() / 2)
    for method, table in found.items():
        for t in (10_000, 100_000):
            for corner in CORNERS:
                identity = f"triomineering/table-10/{method.lower()}-{t}/{corner}"
                yield identity, Ours(float(table[corner][t] / t), n=seeds)
    simple, mixed = found["SimpleUCB1"], found["MSUCB1"]
    elsewhere, study = grid_visits(grid), "triomineering/dilemma-grid"
    simples, mixes = (elsewhere.loc[method] for method in ("SimpleUCB1", "MSUCB1"))

    first = [t for t in CHECKPOINTS[:3] if simple.a2b2[t] > simple.a1b1[t]]
    later = (simple.a1b1[100_000] - simple.a1b1[10_000]) / 90_000
    ended = results.groupby("method").drifted.sum()["SimpleUCB1"] / seeds
    limit = limits("dilemma/simpleucb1-drifts")
    met = simples.a1b1 / 100_000 >= limit.least
    drifts = throughout(bool(first) and later >= limit.least, met, limit.payoffs)
    leads = first if first else "no checkpoint"
    detail = f"(a2,b2) leads at {leads}, then (a1,b1) gets {later:.3f}; "
    detail += f"(a1,b1) ends ahead in {ended:.2f} of the searches; {_of(met)}"
    yield claim("dilemma/simpleucb1-drifts", drifts, detail, studied_by=study)

    limit = limits("dilemma/msucb1-concentrates")
    few, many = (float(mixed.a2b2[t] / t) for t in (10_000, 100_000))
    met = mixes.a2b2 / 100_000 >= limit.least
    gathers = throughout(min(few, many) >= limit.least, met, limit.payoffs)
    detail = f"{few:.3f} of 10,000 and {many:.3f} of 100,000 playouts; {_of(met)}"
    yield claim("dilemma/msucb1-concentrates", gathers, detail, studied_by=study)

    limit, others = limits("dilemma/msucb1-visits-others"), ["a1b1", "a1b2", "a2b1"]
    fewest = float(mixed.loc[[10_000, 100_000], others].min().min())
    least = mixes[others].min(axis=1)
    met = least >= limit.least
    visited = throughout(fewest >= limit.least, met, limit.payoffs)
    detail = f"at least {fewest:.0f} visits; {_of(met)} (fewest {sorted(least)[0]:.2f})"
    yield claim("dilemma/msucb1-visits-others", visited, detail, studied_by=study)

    detail = f"SimpleUCB1 drifts: {_ANSWERS[drifts]}; MSUCB1 concentrates: {_ANSWERS[gathers]}"
    yield claim("dilemma/suits", every([drifts, gathers]), detail, studied_by=study)


def _of(met: pd.Series) -> str:
    """Say with how many payoffs of the grid a condition is met."""
    return f"met with {met.sum()} of {len(met)} pairs of payoffs"


@judge("triomineering/8x4-first-moves")
def first_moves(results: pd.DataFrame) -> Judged:
    """Judge that SimpleUCB1's first move on 8×4 varies from search to search."""
    found = mean_policy(results, "SimpleUCB1", "H")
    most, share = divmod(int(found.argmax()), 4), float(found.max())
    moves = np.count_nonzero(found)
    detail = f"{moves} moves, the most frequent {most} in {share:.3f} of the searches"
    holds = share <= limits("8x4/simpleucb1-stochastic").most
    yield claim("8x4/simpleucb1-stochastic", holds, detail)
