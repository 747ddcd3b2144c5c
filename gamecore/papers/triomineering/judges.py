"""What the experiments say on the paper's three printed results, lost tables and sentences."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from gamecore.papers.stats import Judged, Ours, judge
from gamecore.papers.triomineering.claims import coarse_sweep, fine_sweep, limits
from gamecore.papers.triomineering.estimates import (
    Score,
    corner_shares,
    homogeneous,
    mean_of_sums,
    mean_policy,
    mean_visits,
    scores,
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

#: Games of a match below which sentences on it stay pending, as in a quick run.
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


def enough(*matches: Score) -> bool:
    """Say whether all matches have the games to test sentences on them."""
    return not [score for score in matches if score.games < ENOUGH]


def ahead(name: str, score: Score, explained_by: str) -> Judged:
    """Yield the claim that V is ahead: the interval of the lead lies above the limit."""
    if enough(score):
        lead = score.lead()
        holds = lead.low > limits(name).least
        yield claim(name, holds, f"{score}, lead {lead}", explained_by)


def cells(words: str) -> list[int]:
    """Return cells that an exact fact lists."""
    return [int(word) for word in str(words).split()]


@judge("triomineering/solved")
def solved(results: pd.DataFrame) -> Judged:
    """Judge what is said of 4×4, 6×6 and 8×4 under perfect play, and list what is not judged."""
    four, six, eight = (results.set_index("rows").loc[m] for m in (4, 6, 8))
    for name, column in (("legal-v", "v_moves"), ("legal-h", "h_moves"), ("reduced-v", "v_orbits")):
        yield f"triomineering/section-6.2/4x4/{name}", Ours(float(four[column]))
    words = "not rebuilt: the game is not described"
    yield "triomineering/section-6.6.2/card-game", Ours(detail=words)
    words = "not judged: a matter of program and machine"
    yield "triomineering/section-6.6.1/time", Ours(detail=words)
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
    """Judge that the value of every board to m + n = 14 agrees with its class."""
    classes = vars(limits("solved/to-14"))
    good = 0
    for row in results.itertuples():
        if row.outcome in classes:
            good += row.value == classes[row.outcome]
        else:
            low, high = (classes[f"{row.outcome}_{end}"] for end in ("low", "high"))
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
        yield from ahead(f"mc/ahead-{playouts}", score, "triomineering/symmetry")
    few, many = found[10_000], found[100_000]
    if enough(few, many):
        gain = few.payoff().minus(many.payoff())  # what V loses, H gains
        holds = gain.low <= limits("mc/no-gain").most
        detail = f"MC's payoff changes by {gain}"
        yield claim("mc/no-gain", holds, detail, "triomineering/exploitability")


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
    if not enough(found[0.5]):
        return
    p = homogeneous(found[c] for c in (0.3, 0.5, 0.7))
    shown = ", ".join(f"{c:g}: {found[c]}" for c in (0.3, 0.5, 0.7))
    flat = p >= limits("c/flat").least
    yield claim("c/flat", flat, f"{shown}; p = {p:.2g}", "triomineering/table-4")
    worse = {c: found[c].payoff().minus(found[0.5].payoff()) for c in (0.05, 0.1, 1.0, 2.0)}
    most = limits("c/worse-outside").most
    holds = all(estimate.high < most for estimate in worse.values())
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
    if not enough(found[0.5]):
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
        if enough(score):
            name, lead = f"simple/ucb1-even-{playouts}", score.lead()
            even = lead.low <= limits(name).value <= lead.high
            yield claim(name, even, f"{score}, lead {lead}")
    many = found[100_000]
    if enough(many):
        yield claim("simple/ucb1-ahead-100000", many.h > many.v, str(many), "triomineering/table-7")


@judge("triomineering/8x4", "triomineering/table-7")
def eight_by_four(results: pd.DataFrame, table_7: pd.DataFrame) -> Judged:
    """Judge the printed match on 8×4, and with table 7 that mixing is of no advantage."""
    (score,) = scores(results, "v").values()
    yield from shares("section-6.6.2/msucb1.5-simpleucb1", score)
    if not enough(score):
        return
    payoff = score.payoff()
    even = payoff.low <= limits("8x4/even").value <= payoff.high
    yield claim("8x4/even", even, f"{score}, payoff {payoff}")
    leads = {playouts: found.lead() for playouts, found in scores(table_7, "simple").items()}
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
    simple, mixed = (1 - correct[method, 0.5] for method in ("SimpleUCB1", "MSUCB1"))
    far, detail = limits("search/simpleucb1-neglects").most, f"{simple:.3f} against {mixed:.3f}"
    holds = simple <= far * mixed
    yield claim("search/simpleucb1-neglects", holds, detail, "triomineering/search-variants")
    other = dict(list(results[results.method == "SimpleUCB1"].groupby("c")))
    wide, narrow = (mean_of_sums(other[c], "others", "squares") for c in (1.0, 0.5))
    spread = wide.minus(narrow)
    holds = spread.low > limits("search/simpleucb1-c-spreads").least
    yield claim("search/simpleucb1-c-spreads", holds, f"share of other pairs {spread}")


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
    ended = results.groupby("method").drifted.sum()["SimpleUCB1"] / seeds
    leads = first if first else "no checkpoint"
    detail = f"(a2,b2) leads at {leads}, then (a1,b1) gets {later:.3f}; "
    detail += f"(a1,b1) ends ahead in {ended:.2f} of the searches"
    drifts = bool(first) and later >= limits("dilemma/simpleucb1-drifts").least
    yield claim("dilemma/simpleucb1-drifts", drifts, detail, "triomineering/dilemma-grid")
    few, many = (float(mixed.a2b2[t] / t) for t in (10_000, 100_000))
    holds = min(few, many) >= limits("dilemma/msucb1-concentrates").least
    detail = f"{few:.3f} of 10,000 and {many:.3f} of 100,000 playouts"
    yield claim("dilemma/msucb1-concentrates", holds, detail)
    fewest = float(mixed.loc[[10_000, 100_000], ["a1b1", "a1b2", "a2b1"]].min().min())
    holds = fewest >= limits("dilemma/msucb1-visits-others").least
    yield claim("dilemma/msucb1-visits-others", holds, f"at least {fewest:.0f} visits")
    worth = np.mean(dilemma_tables(**DILEMMA), axis=0).ravel()
    a, b = (float(table.loc[100_000] @ worth / 100_000) for table in (simple, mixed))
    suit = limits("dilemma/suits")
    holds = a >= suit.least and b <= suit.most
    yield claim("dilemma/suits", holds, f"mean payoff {a:.3f} and {b:.3f}")


@judge("triomineering/8x4-first-moves")
def first_moves(results: pd.DataFrame) -> Judged:
    """Judge that SimpleUCB1's first move on 8×4 varies from search to search."""
    found = mean_policy(results, "SimpleUCB1", "H")
    most, share = divmod(int(found.argmax()), 4), float(found.max())
    moves = np.count_nonzero(found)
    detail = f"{moves} moves, the most frequent {most} in {share:.3f} of the searches"
    holds = share <= limits("8x4/simpleucb1-stochastic").most
    yield claim("8x4/simpleucb1-stochastic", holds, detail)
