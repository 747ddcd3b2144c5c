"""What the experiments say on the paper's three printed results, lost tables and sentences."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from gamecore.papers.stats import Judged, Ours, judge
from gamecore.papers.triomineering.claims import coarse_sweep, fine_sweep
from gamecore.papers.triomineering.estimates import (
    Score,
    corner_shares,
    homogeneous,
    mean_policy,
    mean_visits,
    scores,
    welch,
)
from gamecore.papers.triomineering.experiments import (
    BUDGET,
    CHECKPOINTS,
    CORNERS,
    DILEMMA,
    SEARCHES,
    SIZES,
    correct_pairs,
    dilemma_tables,
    written,
)
from gamecore.papers.triomineering.policies import correct_moves

#: Games that a claim's test asks for; a quick run has fewer.
ENOUGH = 200


def claim(name: str, holds: bool, detail: str, explained_by: str = "") -> tuple[str, Ours]:
    """Return our side of a sentence, and the experiment that explains it if it fails."""
    ours = Ours(holds=bool(holds), detail=detail, explained_by=explained_by)
    return f"triomineering/claim/{name}", ours


def shares(place: str, score: Score, explained_by: str = "") -> Judged:
    """Yield the shares of a match, for the published rows called ``place/v``, ``/d``, ``/h``."""
    for name in "vdh":
        share = getattr(score, name) / score.games
        yield f"triomineering/{place}/{name}", Ours(share, n=score.games, explained_by=explained_by)


def ahead(name: str, score: Score, explained_by: str) -> Judged:
    """Yield the claim that V is ahead: the interval of the lead lies above 0."""
    if score.games >= ENOUGH:
        lead = score.lead()
        yield claim(name, lead.low > 0, f"{score}, lead {lead}", explained_by)


@judge("triomineering/solved")
def solved(results: pd.DataFrame) -> Judged:
    """Judge what is said of 4×4, 6×6 and 8×4 under perfect play, and list what is not judged."""
    four, six, eight = (results[results["rows"] == m].iloc[0] for m in (4, 6, 8))
    for name, column in (("legal-v", "v_moves"), ("legal-h", "h_moves"), ("reduced-v", "v_orbits")):
        yield f"triomineering/section-6.2/4x4/{name}", Ours(float(four[column]))
    words = "not rebuilt: the game is not described"
    yield "triomineering/section-6.6.2/card-game", Ours(detail=words)
    words = "not judged: a matter of program and machine"
    yield "triomineering/section-6.6.1/time", Ours(detail=words)
    for name, cells in {"v": "1 2 5 6", "h": "4 5 8 9"}.items():  # rows × 4 + columns in the test
        found = str(four[f"{name}_correct"])
        yield claim(f"solved/4x4-{name}", found == cells, written(*map(int, found.split())))
    six_words, eight_words = (f"class {x.outcome}, value {x.value:g}" for x in (six, eight))
    yield claim("solved/6x6-draw", six.outcome == "D" and six.value == 0.5, six_words)
    v, h = (len(str(six[column]).split()) for column in ("v_correct", "h_correct"))
    words = f"{v} of {six.v_moves} moves of V and {h} of H keep 0.5"
    yield claim("solved/6x6-no-mixing", v > 0 and h > 0, words)
    yield claim("solved/8x4-vd", eight.outcome == "VD", eight_words)
    mixed = eight.value == 0.75 and str(eight.half) == "True"
    yield claim("solved/8x4-half", mixed, eight_words)


@judge("triomineering/outcomes")
def outcomes(results: pd.DataFrame) -> Judged:
    """Judge that the value of every board to m + n = 14 agrees with its class."""
    sure = {"V": 1, "D": 0.5, "H": 0}
    between = {"VD": (0.5, 1), "HD": (0, 0.5), "VHD": (0, 1)}
    good = 0
    for row in results.itertuples():
        if row.outcome in sure:
            good += row.value == sure[row.outcome]
        else:
            low, high = between[row.outcome]
            good += low < row.value < high
    detail = f"{good} of {len(results)} boards: "
    detail += ", ".join(f"{name} {n}" for name, n in results.outcome.value_counts().items())
    yield claim("solved/to-14", good == len(results), detail)


@judge("triomineering/nash")
def nash(results: pd.DataFrame) -> Judged:
    """Judge how near figure 3 comes to equilibrium, and what the paper hopes of proven methods."""
    gaps = results.set_index(["method", "rounds", "size"]).gap
    for reading, rounds in (("fictitious play", 2000), ("constant step", 200)):
        found = gaps[reading][rounds]
        detail = "mean gap " + ", ".join(f"{x:.4f} at {n}×{n}" for n, x in found.items())
        yield claim(f"nash/{reading.replace(' ', '-')}", (found <= 0.05).all(), detail)
    plain, proven = gaps["constant step"][200], gaps["regret matching+"][200]
    detail = ", ".join(f"{proven[n]:.4f} against {plain[n]:.4f} at {n}×{n}" for n in SIZES)
    yield claim("nash/proven-is-better", (proven < plain).all(), detail)


@judge("triomineering/table-2")
def table_2(results: pd.DataFrame) -> Judged:
    """Judge MSUCB1 against MC, and that MC gains nothing from ten times the playouts."""
    found = scores(results, "mc")
    for playouts, score in found.items():
        yield from shares(f"table-2/mc-{playouts}", score)
        yield from ahead(f"mc/ahead-{playouts}", score, "triomineering/symmetry")
    few, many = found[10_000], found[100_000]
    if min(few.games, many.games) >= ENOUGH:
        gain = few.payoff().minus(many.payoff())  # what V loses, H gains
        detail = f"MC's payoff changes by {gain}"
        yield claim("mc/no-gain", gain.low <= 0, detail, "triomineering/exploitability")


@judge("triomineering/depth")
def depth(results: pd.DataFrame) -> Judged:
    """Judge the printed match of MSUCB1.5 and MSUCB1."""
    (score,) = scores(results, "v").values()
    yield from shares("section-6.3/msucb1.5-msucb1", score, "triomineering/filter")
    yield from ahead("depth/msucb1.5-ahead", score, "triomineering/filter")


@judge("triomineering/table-4")
def table_4(results: pd.DataFrame) -> Judged:
    """Judge that c from 0.3 to 0.7 makes no difference, and that others are worse."""
    found = scores(results, "c")
    for c, score in found.items():
        yield from shares(f"table-4/c-{c:g}", score)
    if found[0.5].games < ENOUGH:
        return
    p = homogeneous(found[c] for c in (0.3, 0.5, 0.7))
    shown = ", ".join(f"{c:g}: {found[c]}" for c in (0.3, 0.5, 0.7))
    yield claim("c/flat", p >= 0.05, f"{shown}; p = {p:.2g}", "triomineering/table-4")
    worse = {c: found[c].payoff().minus(found[0.5].payoff()) for c in (0.05, 0.1, 1.0, 2.0)}
    holds = all(estimate.high < 0 for estimate in worse.values())
    detail = "; ".join(f"{c:g}: {estimate}" for c, estimate in worse.items())
    yield claim("c/worse-outside", holds, detail, "triomineering/table-4")


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
    if found[0.5].games < ENOUGH:
        return
    other = {**scores(model, "u"), 0.5: found[0.5]}
    variant = test({u: other[u] for u in found})
    for name, (holds, detail) in test(found).items():
        there, words = variant[name]
        detail += f" [model 1 − U: {'holds' if there else 'fails'}; {words}]"
        yield claim(f"draw/{name}", holds, detail, "triomineering/draw-model")


@judge("triomineering/simpleucb0.5")
def simple_half(results: pd.DataFrame) -> Judged:
    """Judge the printed match of MSUCB1.5 and SimpleUCB0.5."""
    (score,) = scores(results, "v").values()
    yield from shares("section-6.6.1/msucb1.5-simpleucb0.5", score, "triomineering/filter")
    yield from ahead("simple/ucb0.5-behind", score, "triomineering/nash-variants")


@judge("triomineering/table-7")
def table_7(results: pd.DataFrame) -> Judged:
    """Judge that SimpleUCB1 holds its own against MSUCB1.5, and with more playouts is ahead."""
    found = scores(results, "simple")
    for playouts, score in found.items():
        yield from shares(f"table-7/simpleucb1-{playouts}", score)
        if score.games >= ENOUGH:
            lead = score.lead()
            even = lead.low <= 0 <= lead.high
            yield claim(f"simple/ucb1-even-{playouts}", even, f"{score}, lead {lead}")
    many = found[100_000]
    if many.games >= ENOUGH:
        yield claim("simple/ucb1-ahead-100000", many.h > many.v, str(many), "triomineering/table-7")


@judge("triomineering/8x4", "triomineering/table-7")
def eight_by_four(results: pd.DataFrame, table_7: pd.DataFrame) -> Judged:
    """Judge the printed match on 8×4, and with table 7 that mixing is of no advantage."""
    (score,) = scores(results, "v").values()
    yield from shares("section-6.6.2/msucb1.5-simpleucb1", score)
    if score.games < ENOUGH:
        return
    payoff = score.payoff()
    even = payoff.low <= 0.75 <= payoff.high
    yield claim("8x4/even", even, f"{score}, payoff {payoff}")
    leads = {playouts: found.lead() for playouts, found in scores(table_7, "simple").items()}
    holds = all(lead.low <= 0 for lead in leads.values()) and payoff.low <= 0.75
    detail = "; ".join(f"{playouts:,}: lead {lead}" for playouts, lead in leads.items())
    yield claim("simple/no-advantage", holds, f"{detail}; 8×4: payoff {payoff}")


@judge("triomineering/search-counts")
def search_counts(results: pd.DataFrame) -> Judged:
    """Judge where MSUCB1 and SimpleUCB1 spend their playouts on 4×4 (tables 3 and 8)."""
    right = correct_pairs(correct_moves((4, 4)))
    other = {}
    for method, c in SEARCHES:
        share = float(mean_visits(results, method, c)[right].sum() / BUDGET)
        other[method, c] = 1 - share
        table = "table-3/msucb1" if method == "MSUCB1" else f"table-8/simpleucb1-c-{c:g}"
        yield f"triomineering/{table}/correct", Ours(share, n=int(results.games.sum() / 3))
        if c == 0.5:
            detail = f"{share:.3f} of the playouts on 4 of 16 pairs"
            yield claim(f"search/{method.lower()}-concentrates", share >= 0.5, detail)
    visits = mean_visits(results, "MSUCB1", 0.5)
    low, high, least = visits[~right].min(), visits[~right].max(), visits[right].min()
    detail = f"others from {low:.0f} to {high:.0f} visits, correct pairs from {least:.0f}"
    yield claim("search/msucb1-overlooks-nothing", low > 1 and high < least, detail)
    simple, mixed = other["SimpleUCB1", 0.5], other["MSUCB1", 0.5]
    half, detail = simple <= mixed / 2, f"{simple:.3f} against {mixed:.3f}"
    yield claim("search/simpleucb1-neglects", half, detail, "triomineering/search-variants")
    wide, narrow = (
        results[(results.method == "SimpleUCB1") & (results.c == c)] for c in (1.0, 0.5)
    )
    spread = welch(wide, narrow)
    yield claim("search/simpleucb1-c-spreads", spread.low > 0, f"share of other pairs {spread}")


@judge("triomineering/dilemma")
def dilemma(results: pd.DataFrame) -> Judged:
    """Judge how both searches visit the pairs of the prisoner's dilemma (table 10)."""
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
    ended = results[results.method == "SimpleUCB1"].drifted.sum() / seeds
    detail = f"(a2,b2) leads at {first or 'no checkpoint'}, then (a1,b1) gets {later:.3f}; "
    detail += f"(a1,b1) ends ahead in {ended:.2f} of the searches"
    drifts = bool(first) and later >= 0.9
    yield claim("dilemma/simpleucb1-drifts", drifts, detail, "triomineering/dilemma-grid")
    few, many = (float(mixed.a2b2[t] / t) for t in (10_000, 100_000))
    detail = f"{few:.3f} of 10,000 and {many:.3f} of 100,000 playouts"
    yield claim("dilemma/msucb1-concentrates", min(few, many) >= 0.5, detail)
    least = float(mixed.loc[[10_000, 100_000], ["a1b1", "a1b2", "a2b1"]].min().min())
    yield claim("dilemma/msucb1-visits-others", least >= 10, f"at least {least:.0f} visits")
    worth = np.mean(dilemma_tables(**DILEMMA), axis=0).ravel()
    a, b = (float(table.loc[100_000] @ worth / 100_000) for table in (simple, mixed))
    yield claim("dilemma/suits", a >= 0.6 and b <= 0.4, f"mean payoff {a:.3f} and {b:.3f}")


@judge("triomineering/8x4-first-moves")
def first_moves(results: pd.DataFrame) -> Judged:
    """Judge that SimpleUCB1's first move on 8×4 varies from search to search."""
    found = mean_policy(results, "SimpleUCB1", "H")
    most, share = divmod(int(found.argmax()), 4), float(found.max())
    detail = f"{(found > 0).sum()} moves, the most frequent {most} in {share:.3f} of the searches"
    yield claim("8x4/simpleucb1-stochastic", share <= 0.75, detail)
