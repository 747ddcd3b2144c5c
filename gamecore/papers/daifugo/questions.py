"""What the rows answer to the questions beyond the paper, by the rules of ``data/questions``.

A gain is a score above 1.5, which symmetry gives every seat when all four play alike.
"""

import math

import numpy as np
import pandas as pd
from scipy import stats as distributions

from gamecore.contest import wilson
from gamecore.daifugo.rules import SEATS
from gamecore.daifugo.thinking import MODELS
from gamecore.papers.daifugo.beyond import CHANGES, FRONT, HELPER, WATCHED
from gamecore.papers.daifugo.blocks import first_places, scores
from gamecore.papers.daifugo.experiments import BENEFICIARY
from gamecore.papers.stats import Estimate, Judged, Ours, every, holm, judge

EVEN = 1.5
ENOUGH = 5  # blocks or games: with fewer, no interval is believed
#: Points, and a share of first places or of decisions, below which help is none.
MATTERS, MATTERS_FIRSTS, MATTERS_PLAYS = 0.1, 0.03, 0.05
TRUTHS = [name for name, seat in WATCHED.items() if seat is not None]
_WIDE = 1e6
_IN_FRONT, _NEXT = SEATS[FRONT], SEATS[1]
#: Everything that was tried to help CPUC, and the end of its question's id.
TRIED = {
    "1,000 playouts": "playouts-1000", "10,000 playouts": "playouts-10000",
    "matching model": "model",
    **dict(zip(CHANGES, (
        "reward-1000", "reward-1110", "reward-9410", "sees-beneficiary", "sees-everybody",
        "two-with-a", "two-with-b",
    ), strict=True)),
}  # fmt: skip


@judge("daifugo/among-greedy")
def among_greedy(rows: pd.DataFrame) -> Judged:
    """Answer what greedy opponents change."""
    yield from among("greedy", rows)
    yield from aimed("greedy", rows)


@judge("daifugo/among-thinkers")
def among_thinkers(rows: pd.DataFrame) -> Judged:
    """Answer what opponents that play for themselves change."""
    yield from among("thinkers", rows)
    yield from aimed("thinkers", rows)


@judge("daifugo/table-2")
def among_random(rows: pd.DataFrame) -> Judged:
    """Answer whether help is aimed in the paper's own games."""
    yield from aimed("random", rows)


@judge("daifugo/table-2", "daifugo/front", "daifugo/literal", "daifugo/playouts-1000",
       "daifugo/playouts-10000")  # fmt: skip
def in_front(table_2: pd.DataFrame, *rows: pd.DataFrame) -> Judged:
    """Answer what helps CPUC."""
    yield from helped(changes(*rows), table_2)


def changes(
    front: pd.DataFrame, literal: pd.DataFrame, thousand: pd.DataFrame, ten_thousand: pd.DataFrame
) -> dict[str, pd.DataFrame]:
    """Return the blocks of everything that was tried to help CPUC, by what it was."""
    found = {
        "1,000 playouts": thousand, "10,000 playouts": ten_thousand,
        "matching model": literal[literal.game == "SontakuC"],
    }  # fmt: skip
    return found | {change: front[front.change == change] for change in CHANGES}


def estimate(values: pd.Series | np.ndarray) -> Estimate:
    """Return a mean over blocks; of too few of them, one that decides nothing."""
    if len(values) < ENOUGH:
        return Estimate(float(np.mean(values)) if len(values) else 0.0, _WIDE)
    return Estimate.of(values)


def helps(found: Estimate, matters: float = MATTERS) -> bool | None:
    """Return whether a difference helps: above 0; not if it is below what matters; else None.

    Examples
    --------
    >>> [helps(Estimate(value, 0.03)) for value in (0.2, 0.0, 0.05)]
    [True, False, None]
    """
    return True if found.low > 0 else False if found.high < matters else None


def _words(found: Estimate, digits: int = 2) -> str:
    if found.error >= _WIDE:
        return f"{found.value:+.{digits}f} (too few games)"
    ends = f"{found.low:+.{digits}f} to {found.high:+.{digits}f}"
    return f"{found.value:+.{digits}f} ({ends})".replace("-", "−")


def _answer(holds: bool | None, detail: str, found: Estimate | None = None) -> Ours:
    """Return an answer as a sentence, with its main number."""
    return Ours(found.value if found else math.nan, holds=holds, detail=f"{detail}.")


def _own(rows: pd.DataFrame, game: str) -> pd.Series:
    """Return the beneficiary's scores in the blocks of a game of table 2."""
    return scores(rows[rows.game == game])[SEATS[BENEFICIARY[game]]].reset_index(drop=True)


def among(opponents: str, rows: pd.DataFrame) -> Judged:
    """Answer whether help works among opponents that think, which model is best, and the order."""
    by_model = {
        model: pd.DataFrame({game: _own(rows[rows.model == model], game) for game in BENEFICIARY})
        for model in MODELS
    }
    usual = by_model["random"]
    gains = {game: estimate(usual[game] - EVEN) for game in BENEFICIARY}
    listed = "; ".join(f"{SEATS[BENEFICIARY[g]]} {_words(gain)}" for g, gain in gains.items())
    detail = f"Points above 1.5: {listed}"
    least = min(gains.values(), key=lambda gain: gain.low)
    yield (
        f"daifugo/{opponents}/helped",
        _answer(every(gain.above(MATTERS) for gain in gains.values()), detail, least),
    )
    for model in ("greedy", "mixed"):
        mean = estimate(by_model[model].mean(axis=1)).minus(estimate(usual.mean(axis=1)))
        yield (
            f"daifugo/{opponents}/model-{model}",
            _answer(mean.above(0.0), f"{_words(mean)} points", mean),
        )
    near, middle, far = (estimate(usual[game]) for game in BENEFICIARY)
    steps = [near.minus(middle), middle.minus(far)]
    detail = f"Points: A − B {_words(steps[0])}; B − C {_words(steps[1])}"
    yield (
        f"daifugo/{opponents}/order",
        _answer(every(step.above(0.0) for step in steps), detail, near.minus(far)),
    )


def meant(rows: pd.DataFrame) -> dict[str, Estimate]:
    """Return how much more a seat has when it is helped than when one of the other two is."""
    found = {}
    for game, place in BENEFICIARY.items():
        own, *others = (
            estimate(scores(rows[rows.game == each])[SEATS[place]])
            for each in sorted(BENEFICIARY, key=lambda each: each != game)
        )
        found[SEATS[place]] = own.minus(others[0].minus(others[1].times(-1.0)).times(0.5))
    return found


def aimed(opponents: str, rows: pd.DataFrame) -> Judged:
    """Answer whether help arrives at whom it is meant for, with random playouts."""
    more = meant(rows[rows.model == "random"] if "model" in rows else rows)
    listed = "; ".join(f"{seat} {_words(each)}" for seat, each in more.items())
    detail = f"Points more when meant: {listed}"
    least = min(more.values(), key=lambda each: each.low)
    yield (
        f"daifugo/{opponents}/meant",
        _answer(every(x.above(0.0) for x in more.values()), detail, least),
    )


def parts(table_2: pd.DataFrame, game: str) -> pd.Series:
    """Return the beneficiary's gain as a part of the helper's loss, block by block."""
    points = scores(table_2[table_2.game == game])
    return (points[SEATS[BENEFICIARY[game]]] - EVEN) / (EVEN - points[SEATS[HELPER]])


def stakes(watched: pd.DataFrame) -> pd.DataFrame:
    """Return what a decision is worth to each seat, in games of four random players."""
    games = watched[(watched.helped == "nobody") & (watched.open > 0)]
    return pd.DataFrame({name: games[f"stake {name}"] / games.open for name in TRUTHS})


@judge("daifugo/table-2", "daifugo/watched")
def why(table_2: pd.DataFrame, watched: pd.DataFrame) -> Judged:
    """Answer why CPUC is hard to help: what is at stake for it, and how much of a gift arrives."""
    stake = stakes(watched)
    less = estimate(stake[_IN_FRONT] - stake[_NEXT])
    points = f"{stake[_IN_FRONT].mean():.3f} points a decision against {stake[_NEXT].mean():.3f}"
    detail = f"{points}: {_words(less, 3)}"
    yield "daifugo/front/stake", _answer(less.below(0.0), detail, less)
    near, far = (estimate(parts(table_2, game)) for game in ("SontakuA", "SontakuC"))
    less = far.minus(near)
    detail = f"{far.value:.2f} against {near.value:.2f}: {_words(less)}"
    yield "daifugo/front/leak", _answer(less.below(0.0), detail, less)


@judge("daifugo/seats")
def seats(rows: pd.DataFrame) -> Judged:
    """Answer whether the helper's seat matters, the distance being the same."""
    cells = {
        ((helped - helper) % 4, helper): scores(blocks)[SEATS[helped]]
        for (helper, helped), blocks in rows.groupby(["helper", "helped"])
    }
    if min(map(len, cells.values())) < ENOUGH:
        yield "daifugo/front/seats", _answer(None, "Too few games")
        return
    chances = [
        distributions.f_oneway(*(cells[far, helper] for helper in range(4))).pvalue
        for far in (1, 2, 3)
    ]
    widest = max(each.high - each.value for each in map(Estimate.of, cells.values()))
    smallest = float(holm(chances).min())
    holds = True if smallest < 0.05 else False if widest <= 0.3 else None
    yield (
        "daifugo/front/seats",
        _answer(
            holds,
            f"The smallest corrected p is {smallest:.2f}, the widest half-interval {widest:.2f}",
        ),
    )


def gained(changed: dict[str, pd.DataFrame], table_2: pd.DataFrame) -> dict[str, Estimate]:
    """Return how many points CPUC has more than in table 2, by what was tried."""
    usual = estimate(_own(table_2, "SontakuC"))
    return {
        change: estimate(scores(rows)[_IN_FRONT]).minus(usual) for change, rows in changed.items()
    }


def helped(changed: dict[str, pd.DataFrame], table_2: pd.DataFrame) -> Judged:
    """Answer what helps CPUC, by everything that was tried."""
    before = table_2[table_2.game == "SontakuC"]
    for change, more in gained(changed, table_2).items():
        yield f"daifugo/front/{TRIED[change]}", _answer(helps(more), f"{_words(more)} points", more)
    firsts = [first_places(rows)[_IN_FRONT] for rows in (changed["reward 1-0-0-0"], before)]
    more = estimate(firsts[0]).minus(estimate(firsts[1]))
    yield (
        "daifugo/front/firsts",
        _answer(helps(more, MATTERS_FIRSTS), f"{_words(more, 3)} of the games", more),
    )
    scored = {change: estimate(scores(rows)[_IN_FRONT]) for change, rows in changed.items()}
    near = estimate(_own(table_2, "SontakuA"))
    above = {change: found.minus(near) for change, found in scored.items()}
    best = max(above, key=lambda change: above[change].value)
    halves = {
        change: float(distributions.t.isf(0.025 / len(above), each.degrees)) * each.error
        for change, each in above.items()
    }
    if any(above[change].value > half for change, half in halves.items()):
        holds: bool | None = True
    else:
        holds = False if all(above[c].value < -half for c, half in halves.items()) else None
    detail = f"The nearest is {best}, {_words(above[best])} points from CPUA's score"
    yield "daifugo/front/as-near", _answer(holds, detail, above[best])


def verdicts(watched: pd.DataFrame, together: int = 1) -> pd.DataFrame:
    """Return whom the observer names after so many games: `truth` and `named`, one row a group.

    Groups are of consecutive games and share none; what is left over is not used. Of equal
    likelihoods none is named.
    """
    found = []
    for truth in TRUTHS:
        games = watched[watched.helped == truth].sort_values("chunk")
        with np.errstate(
            divide="ignore"
        ):  # a pass may be impossible under a truth, and rule it out
            logs = np.log(games[[f"likelihood {name}" for name in TRUTHS]].to_numpy(float))
        whole = logs[: len(logs) // together * together].reshape(-1, together, len(TRUTHS))
        for total in whole.sum(axis=1):
            best = np.flatnonzero(total == total.max())
            found.append((truth, TRUTHS[best[0]] if len(best) == 1 else ""))
    return pd.DataFrame(found, columns=["truth", "named"])


def _share(successes: int, n: int, limit: float) -> Ours:
    """Answer whether a share is above a limit."""
    low, high = wilson(successes, n) if n else (0.0, 1.0)
    holds = True if low > limit else False if high < limit else None
    share = successes / n if n else math.nan
    detail = f"{successes} of {n}, {share:.2f} ({low:.2f} to {high:.2f})"
    return _answer(holds, detail, Estimate(share, 0.0))


def disagreement(watched: pd.DataFrame) -> pd.DataFrame:
    """Return, game by game, how often self-interested players decide otherwise, and apart."""
    games = watched[watched.decisions > 0]
    return pd.DataFrame({
        "helped": games.helped, "otherwise": games.against / games.votes,
        "apart": games.apart / games.pairs,
    })  # fmt: skip


@judge("daifugo/watched")
def noticed(watched: pd.DataFrame) -> Judged:
    """Answer whether help is noticed, and by how many games."""
    differ = disagreement(watched)
    excess = {
        SEATS[seat]: estimate((each.otherwise - each.apart).to_numpy())
        for seat in BENEFICIARY.values()
        for each in [differ[differ.helped == SEATS[seat]]]
    }
    listed = "; ".join(f"{seat} {_words(more)}" for seat, more in excess.items())
    detail = f"Share of decisions, for each beneficiary: {listed}"
    least = min(excess.values(), key=lambda more: more.low)
    holds = every(helps(more, MATTERS_PLAYS) for more in excess.values())
    yield "daifugo/noticed/differs", _answer(holds, detail, least)
    once, five = verdicts(watched), verdicts(watched, 5)
    yield "daifugo/noticed/one-game", _share((once.truth == once.named).sum(), len(once), 1 / 4)
    yield "daifugo/noticed/five-games", _share((five.truth == five.named).sum(), len(five), 0.9)
    innocent = once[once.truth == "itself"]
    accused = ~innocent.named.isin(["itself", ""])
    yield "daifugo/noticed/innocent", _share(accused.sum(), len(innocent), 0.1)


@judge("daifugo/watched-early")
def noticed_early(watched: pd.DataFrame) -> Judged:
    """Answer whether help is noticed by plays before anybody is out."""
    once, five = verdicts(watched), verdicts(watched, 5)
    yield (
        "daifugo/noticed/early-one-game",
        _share((once.truth == once.named).sum(), len(once), 1 / 4),
    )
    yield (
        "daifugo/noticed/early-five-games",
        _share((five.truth == five.named).sum(), len(five), 0.9),
    )
