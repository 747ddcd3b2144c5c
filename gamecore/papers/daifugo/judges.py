"""What our blocks say on tables 1 and 2, on figures 1 and 2, and on the paper's claims."""

import math

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import stats as distributions

from gamecore.daifugo.table import SEATS
from gamecore.papers.daifugo.blocks import ENOUGH, all_random, rises, scores
from gamecore.papers.daifugo.experiments import BENEFICIARY, BLOCK, PLACES
from gamecore.papers.stats import LEVEL, Judged, Ours, block_interval, judge

#: For a quick run's single block: one game's spread of a difference of two rises, in points, each
#: the ratio of two scores; ranks drawn evenly have mean 1.5 and variance 1.25.
_RISE_SPREAD = 100 * math.sqrt(4 * 1.25) / 1.5


@judge("daifugo/table-1")
def places_at_random(table_1: pd.DataFrame) -> Judged:
    """Judge places and scores of table 1."""
    points = scores(table_1)
    for seat in SEATS:
        for place in PLACES:
            yield f"daifugo/table-1/{seat.lower()}/{place}", _by_blocks(table_1[f"{seat} {place}"])
        yield f"daifugo/table-1/{seat.lower()}/score", _by_blocks(points[seat])


@judge("daifugo/table-2")
def first_places_and_scores(table_2: pd.DataFrame) -> Judged:
    """Judge the first places of table 2; redraw the scores of figure 1."""
    for game, rows in table_2.groupby("game", sort=False):
        points = scores(rows)
        for seat in SEATS:
            if game in BENEFICIARY:
                counts = rows[f"{seat} 1st"]
                yield f"daifugo/table-2/{game.lower()}/{seat.lower()}", _by_blocks(counts)
            score = Ours(points[seat].mean(), n=int(rows.games.sum()))
            yield f"daifugo/figure-1/{game.lower()}/{seat.lower()}", score


@judge("daifugo/table-2", "daifugo/table-1")
def rise_of_the_beneficiary(table_2: pd.DataFrame, table_1: pd.DataFrame) -> Judged:
    """Redraw the rises of figure 2; judge the difference of two that section 4.3 prints."""
    games = table_2.groupby("game").games.sum()
    theirs = rises(table_2, table_1, against="published")
    for game, rise in rises(table_2, table_1).items():
        seat = SEATS[BENEFICIARY[game]]
        detail = f"{theirs[game].mean():.1f} % against the published AllRandom score"
        ours = Ours(rise.mean(), n=int(games[game]), detail=detail)
        yield f"daifugo/figure-2/rise/{seat.lower()}", ours
    paired = rises(table_2, table_1, against="block")
    difference = paired["SontakuA"] - paired["SontakuC"]
    name = "daifugo/section-4.3/rise-difference/cpua-cpuc"
    yield name, _by_blocks(difference, spread=_RISE_SPREAD)


@judge("daifugo/table-2", "daifugo/table-1")
def claims(table_2: pd.DataFrame, table_1: pd.DataFrame) -> Judged:
    """Judge the claims by the tests that data/published states; a quick run has too few blocks."""
    blocks = dict(list(table_2.groupby("game", sort=False)))
    if min(map(len, blocks.values())) < ENOUGH:
        return
    blocks["AllRandom"] = all_random(table_2, table_1)
    points = {game: scores(rows) for game, rows in blocks.items()}
    everywhere = points["AllRandom"]
    for game, place in BENEFICIARY.items():
        letter, seat = game[-1].lower(), SEATS[place]
        score = points[game]
        holds, detail = _welch(score[seat], everywhere[seat])
        yield f"daifugo/claim/feasible-{letter}", Ours(holds=holds, detail=f"score {detail}")
        tests = [(x, *_above(score[seat] - score[x])) for x in SEATS if x != seat]
        detail = "; ".join(f"above {other} by {found}" for other, _, found in tests)
        highest = all(holds for _, holds, _ in tests)
        yield f"daifugo/claim/highest-{letter}", Ours(holds=highest, detail=detail)
        shares = (blocks[name][f"{seat} 1st"] / BLOCK for name in (game, "AllRandom"))
        holds, detail = _welch(*shares)
        yield f"daifugo/claim/first-places-{letter}", Ours(holds=holds, detail=f"share {detail}")
        firsts = blocks[game]["Sontaku 1st"]
        never = firsts.median() == 0 and firsts.mean() / BLOCK <= 0.003
        detail = f"{firsts.mean() / BLOCK:.5f} of games, median block {firsts.median():.0f}"
        yield f"daifugo/claim/never-first-{letter}", Ours(holds=bool(never), detail=detail)
        if place > 1:
            neighbour = SEATS[place - 1]
            holds, detail = _welch(score[neighbour], everywhere[neighbour])
            gains = [score[x].mean() - everywhere[x].mean() for x in (neighbour, seat)]
            detail = f"{detail}; the beneficiary's {gains[1]:.3f}"
            holds = holds and gains[0] < gains[1]
            yield f"daifugo/claim/before-{letter}", Ours(holds=bool(holds), detail=detail)
    rise, theirs = (rises(table_2, table_1, against) for against in ("ours", "published"))
    steps = [("SontakuA", "SontakuB"), ("SontakuB", "SontakuC")]
    ahead = [_above(rise[near] - rise[far]) for near, far in steps]
    signs = [theirs[near].mean() > theirs[far].mean() for near, far in steps]
    detail = "; ".join(f"{a} − {b} {t[1]}" for (a, b), t in zip(steps, ahead, strict=True))
    holds = all(test[0] for test in ahead) and all(signs)
    yield "daifugo/claim/order-of-rise", Ours(holds=bool(holds), detail=detail)


def _by_blocks(values: ArrayLike, spread: float = math.nan) -> Ours:
    """Return a mean over blocks; from a single block, its spread as if games were independent."""
    blocks = np.asarray(values, float)
    mean, n = float(blocks.mean()), BLOCK * len(blocks)
    if len(blocks) > 1:
        return Ours(mean, n=n, blocks=blocks.tolist())
    share = mean / BLOCK
    sd = BLOCK * math.sqrt(max(share * (1 - share), 0)) if math.isnan(spread) else spread
    return Ours(mean, n=n, sd=sd)


def _above(values: ArrayLike) -> tuple[bool, str]:
    """Return whether the mean over blocks is above 0, by its t interval, and the interval."""
    low, high = block_interval(values)
    return low > 0, f"{np.mean(np.asarray(values)):.3f} ({low:.3f} to {high:.3f})"


def _welch(first: pd.Series, second: pd.Series) -> tuple[bool, str]:
    """Return whether the first experiment's mean is above the second's (Welch's interval)."""
    test = distributions.ttest_ind(first, second, equal_var=False)
    low, high = test.confidence_interval(LEVEL)
    return low > 0, f"{first.mean() - second.mean():.3f} ({low:.3f} to {high:.3f})"
