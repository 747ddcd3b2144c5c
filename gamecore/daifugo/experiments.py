"""AllRandom and SontakuA, B, C: tables 1 and 2, figures 1 and 2, and what our readings do to them.

Ranks carry over from game to game and cards are exchanged, so the games of a block of 1000 depend
on each other. A chunk is therefore one block, and every interval is taken over blocks.
"""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import stats as distributions

from gamecore import published
from gamecore.daifugo.players import Series, Sontaku, series
from gamecore.daifugo.rules import STARTS, Rules
from gamecore.daifugo.table import SEATS
from gamecore.experiment import experiment
from gamecore.experiment import results as stored
from gamecore.stats import LEVEL, Ours, block_interval

PLACES = ("1st", "2nd", "3rd", "4th")
_FIRSTS = [f"{seat} 1st" for seat in SEATS]
#: Each game of the paper and the seat of its beneficiary.
BENEFICIARY = {"SontakuA": 1, "SontakuB": 2, "SontakuC": 3}
GAMES = ("AllRandom", *BENEFICIARY)
_BLOCK = 1000
Blocks = dict[str, pd.DataFrame]
_ENOUGH = 10  # blocks that a claim's test asks for
#: For a quick run's single block: one game's spread of a difference of two rises, in points, each
#: the ratio of two scores; ranks drawn evenly have mean 1.5 and variance 1.25.
_RISE_SPREAD = 100 * math.sqrt(4 * 1.25) / 1.5

#: Readings of the paper other than ours: what each changes in the rules, in the sontaku player,
#: and whether ranks carry over.
VARIANTS: dict[str, tuple[dict, dict, bool]] = {
    "playouts without pass": ({}, {"playout_passes": False, "playout_passes_leading": False}, True),
    "playouts pass only when following": ({}, {"playout_passes_leading": False}, True),
    "no pass when leading": ({"pass_when_leading": False}, {}, True),
    "no carry-over": ({}, {}, False),
    "no self-follow": ({"self_follow": False}, {}, True),
    "random seat starts": ({"start": STARTS.index("random")}, {}, True),
    "poorest starts": ({"start": STARTS.index("poorest")}, {}, True),
    "ties: pass last": ({}, {"ties": 1}, True),
    "ties: random": ({}, {"ties": 2}, True),
    "server's joker": ({"joker_each": True, "joker_beyond": True}, {}, True),
}


def _counts(played: Series) -> dict[str, int]:
    """Return a block's counts by name, for example ``CPUA 1st``, and how it went."""
    counts = {
        f"{seat} {place}": played.ranks[i, j]
        for i, seat in enumerate(SEATS)
        for j, place in enumerate(PLACES)
    }
    more = ("stays", "drawn", "turns", "playouts")
    return counts | {name: getattr(played, name) for name in more}


def _play(game: str, games: int, seed: Any, rules: Rules, mind: dict, carry_over: bool) -> Series:
    if game == "AllRandom":
        return series(games, seed, ["random"] * 4, rules=rules, carry_over=carry_over)
    mind = {"beneficiary": BENEFICIARY[game], **mind}
    return series(games, seed, sontaku=Sontaku(**mind), rules=rules, carry_over=carry_over)


def scores(results: pd.DataFrame) -> pd.DataFrame:
    """Return each block's mean points per game (評価値), one column per seat.

    Parameters
    ----------
    results : pandas.DataFrame
        Rows of any experiment of this game.
    """
    return pd.DataFrame(
        {
            seat: sum((3 - j) * results[f"{seat} {place}"] for j, place in enumerate(PLACES))
            / results.games
            for seat in SEATS
        },
        index=results.index,
    )


def first_places(results: pd.DataFrame) -> pd.DataFrame:
    """Return each block's share of first places, one column per seat."""
    return results[_FIRSTS].div(results.games, axis=0).set_axis(SEATS, axis=1)


def block_means(values: pd.DataFrame, by: Any) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return means over blocks and half the width of their 95 % t interval (NaN for one block).

    Parameters
    ----------
    values : pandas.DataFrame
        One row per block.
    by : pandas.Series or list of them
        The experiment that each block belongs to.
    """
    groups = values.groupby(by, sort=False)
    blocks = groups.size()
    factor = distributions.t.isf((1 - LEVEL) / 2, blocks - 1) / np.sqrt(blocks)
    return groups.mean(), groups.std(ddof=1).mul(factor, axis=0)


@experiment(
    "daifugo/table-1", cells=[{"game": "AllRandom"}],
    games=_BLOCK, quick=100, paper=400, fingerprint=100,
)  # fmt: skip
def table_1(cell, seed, games, tables):
    """Table 1: places and scores when everybody plays at random, by blocks of 1000 games."""
    return _counts(_play(cell["game"], games, seed, Rules(), {}, True))


@table_1.judge
def _(results: pd.DataFrame) -> Iterator[tuple[str, Ours]]:
    points = scores(results)
    for seat in SEATS:
        for place in PLACES:
            yield f"daifugo/table-1/{seat.lower()}/{place}", _by_blocks(results[f"{seat} {place}"])
        yield f"daifugo/table-1/{seat.lower()}/score", _by_blocks(points[seat])


@experiment(
    "daifugo/table-2", cells=[{"game": game} for game in GAMES],
    games=_BLOCK, quick=1, paper=24, fingerprint=3,
)  # fmt: skip
def table_2(cell, seed, games, tables):
    """Table 2, figures 1 and 2: the four games of the paper, by blocks of 1000 games."""
    return _counts(_play(cell["game"], games, seed, Rules(), {}, True))


@table_2.judge
def _(results: pd.DataFrame) -> Iterator[tuple[str, Ours]]:
    blocks = dict(list(results.groupby("game", sort=False)))
    points = {game: scores(rows) for game, rows in blocks.items()}
    for game, rows in blocks.items():
        for seat in SEATS:
            if game in BENEFICIARY:
                counts = rows[f"{seat} 1st"]
                yield f"daifugo/table-2/{game.lower()}/{seat.lower()}", _by_blocks(counts)
            score = Ours(points[game][seat].mean(), n=int(rows.games.sum()))
            yield f"daifugo/figure-1/{game.lower()}/{seat.lower()}", score
    theirs = rises(results, against="published")
    for game, rise in rises(results).items():
        seat = SEATS[BENEFICIARY[game]]
        detail = f"{theirs[game].mean():.1f} % against the published AllRandom score"
        ours = Ours(rise.mean(), n=int(blocks[game].games.sum()), detail=detail)
        yield f"daifugo/figure-2/rise/{seat.lower()}", ours
    paired = rises(results, against="block")
    difference = paired["SontakuA"].to_numpy() - paired["SontakuC"].to_numpy()
    yield (
        "daifugo/section-4.3/rise-difference/cpua-cpuc",
        _by_blocks(difference, spread=_RISE_SPREAD),
    )
    if min(map(len, blocks.values())) >= _ENOUGH:
        blocks["AllRandom"] = _all_random(results)
        points["AllRandom"] = scores(blocks["AllRandom"])
        yield from _claims(blocks, points, rises(results), theirs)


def _by_blocks(values: ArrayLike, spread: float = math.nan) -> Ours:
    """Return a mean over blocks; from a single block, its spread as if games were independent."""
    blocks = np.asarray(values, float)
    mean, n = float(blocks.mean()), _BLOCK * len(blocks)
    if len(blocks) > 1:
        return Ours(mean, n=n, blocks=blocks.tolist())
    share = mean / _BLOCK
    sd = _BLOCK * math.sqrt(max(share * (1 - share), 0)) if math.isnan(spread) else spread
    return Ours(mean, n=n, sd=sd)


def _all_random(results: pd.DataFrame) -> pd.DataFrame:
    """Return the AllRandom blocks that scores are held against.

    They are the many of table 1, which are cheap; only a quick run, which must not lean on what
    is stored, takes its own.
    """
    own = results[results.game == "AllRandom"]
    if len(own) < _ENOUGH or not table_1.file().exists():
        return own
    return stored(table_1.name)


def rises(results: pd.DataFrame, against: str = "ours") -> dict[str, pd.Series]:
    """Return the rise (上昇率) of the beneficiary's score in each game and block, in percent.

    Parameters
    ----------
    results : pandas.DataFrame
        Rows of ``daifugo/table-2``.
    against : {"ours", "block", "published"}
        The AllRandom score of the same seat: our mean over all blocks, that of the block with the
        same number (as noisy as the paper's), or the one the paper prints.
    """
    points = {game: scores(rows) for game, rows in results.groupby("game", sort=False)}
    mean = scores(_all_random(results)).mean()
    printed = {row.id: row.value for row in published.load("daifugo")}
    found = {}
    for game, place in BENEFICIARY.items():
        seat = SEATS[place]
        if against == "ours":
            baseline = mean[seat]
        elif against == "block":
            baseline = points["AllRandom"][seat].to_numpy()
        elif against == "published":
            baseline = printed[f"daifugo/table-1/{seat.lower()}/score"]
        else:
            raise ValueError(f"against must be 'ours', 'block' or 'published', not {against!r}")
        found[game] = (100 * (points[game][seat] / baseline - 1)).reset_index(drop=True)
    return found


def _above(values: ArrayLike) -> tuple[bool, str]:
    """Return whether the mean over blocks is above 0, by its t interval, and the interval."""
    low, high = block_interval(values)
    return low > 0, f"{np.mean(np.asarray(values)):.3f} ({low:.3f} to {high:.3f})"


def _welch(first: pd.Series, second: pd.Series) -> tuple[bool, str]:
    """Return whether the first experiment's mean is above the second's (Welch's interval)."""
    test = distributions.ttest_ind(first, second, equal_var=False)
    low, high = test.confidence_interval(LEVEL)
    return low > 0, f"{first.mean() - second.mean():.3f} ({low:.3f} to {high:.3f})"


def _claims(blocks: Blocks, points: Blocks, rise: dict, theirs: dict) -> Iterator[tuple[str, Ours]]:
    """Judge the claims by the tests that data/published states."""
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
        shares = (blocks[name][f"{seat} 1st"] / _BLOCK for name in (game, "AllRandom"))
        holds, detail = _welch(*shares)
        yield f"daifugo/claim/first-places-{letter}", Ours(holds=holds, detail=f"share {detail}")
        firsts = blocks[game]["Sontaku 1st"]
        never = firsts.median() == 0 and firsts.mean() / _BLOCK <= 0.003
        detail = f"{firsts.mean() / _BLOCK:.5f} of games, median block {firsts.median():.0f}"
        yield f"daifugo/claim/never-first-{letter}", Ours(holds=bool(never), detail=detail)
        if place > 1:
            neighbour = SEATS[place - 1]
            holds, detail = _welch(score[neighbour], everywhere[neighbour])
            gains = [score[x].mean() - everywhere[x].mean() for x in (neighbour, seat)]
            detail = f"{detail}; the beneficiary's {gains[1]:.3f}"
            holds = holds and gains[0] < gains[1]
            yield f"daifugo/claim/before-{letter}", Ours(holds=bool(holds), detail=detail)
    steps = [("SontakuA", "SontakuB"), ("SontakuB", "SontakuC")]
    ahead = [_above(rise[near] - rise[far]) for near, far in steps]
    signs = [theirs[near].mean() > theirs[far].mean() for near, far in steps]
    detail = "; ".join(f"{a} − {b} {t[1]}" for (a, b), t in zip(steps, ahead, strict=True))
    holds = all(test[0] for test in ahead) and all(signs)
    yield "daifugo/claim/order-of-rise", Ours(holds=bool(holds), detail=detail)


@experiment(
    "daifugo/variants",
    cells=[{"variant": variant, "game": game} for variant in VARIANTS for game in BENEFICIARY],
    games=100, quick=1, paper=12, fingerprint=1, extra=True,
)  # fmt: skip
def variants(cell, seed, games, tables):
    """Table 2 under other readings of the paper, one at a time, by blocks of 100 games."""
    rules, mind, carry_over = VARIANTS[cell["variant"]]
    return _counts(_play(cell["game"], games, seed, Rules(**rules), mind, carry_over))


def chi_squares(results: pd.DataFrame) -> pd.DataFrame:
    """Return the chi-square distance of table 2's columns from first places that we measured.

    Parameters
    ----------
    results : pandas.DataFrame
        Rows of ``daifugo/table-2`` or ``daifugo/variants``.

    Returns
    -------
    pandas.DataFrame
        One row per variant (``"settled"`` for table 2's own) and game: the shares of first
        places by seat, and ``chi2`` of the published and our counts as two samples from one
        distribution: 3 degrees of freedom if games were independent, but see
        `own_chi_squares`.
    """
    printed = {row.id: row.value for row in published.load("daifugo")}
    table = results[results.game != "AllRandom"]
    if "variant" not in table:
        table = table.assign(variant="settled")
    sums = table.groupby(["variant", "game"], sort=False)[[*_FIRSTS, "games"]].sum().reset_index()
    counts = [
        [printed[f"daifugo/table-2/{game.lower()}/{seat.lower()}"] for seat in SEATS]
        for game in sums.game
    ]
    ours = sums[_FIRSTS].to_numpy(float)
    shares = pd.DataFrame(ours / sums.games.to_numpy()[:, None], columns=SEATS)
    return sums[["variant", "game"]].join(shares).assign(chi2=_pearson(np.array(counts), ours))


def own_chi_squares(results: pd.DataFrame) -> np.ndarray:
    """Return the chi-square distance of each of our own 1000-game blocks from the other blocks.

    This is the yardstick for `chi_squares`: how large the statistic gets when the reading is
    right and only chance is at work, with all its dependence between games.
    """
    table = results[results.game != "AllRandom"]
    counts = table[_FIRSTS].to_numpy(float)
    others = table.groupby("game")[_FIRSTS].transform("sum").to_numpy() - counts
    return _pearson(counts, others)


def _pearson(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the two-sample chi-square, row by row; who is never first in either adds nothing."""
    share = (first + second) / (first + second).sum(axis=1, keepdims=True)
    total = np.zeros(len(first))
    for counts in (first, second):
        expected = share * counts.sum(axis=1, keepdims=True)
        total += ((counts - expected) ** 2 / np.where(expected > 0, expected, 1)).sum(axis=1)
    return total
