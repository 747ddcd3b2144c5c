"""What chapter, covers and judges read off blocks of games: scores, first places, rises, distances.

A row of any frame is one block.
"""

from typing import Any

import numpy as np
import pandas as pd

from gamecore.daifugo.rules import SEATS
from gamecore.papers import published
from gamecore.papers.daifugo.experiments import BENEFICIARY, PLACES
from gamecore.papers.stats import Estimate

FIRSTS = [f"{seat} 1st" for seat in SEATS]


def scores(results: pd.DataFrame) -> pd.DataFrame:
    """Return each block's mean points per game (評価値), one column per seat.

    Parameters
    ----------
    results : pandas.DataFrame
        Rows of any experiment of this game.
    """
    points = {
        seat: results[[f"{seat} {place}" for place in PLACES]] @ [3, 2, 1, 0] for seat in SEATS
    }
    return pd.DataFrame(points).div(results.games, axis=0)


def first_places(results: pd.DataFrame) -> pd.DataFrame:
    """Return each block's share of first places, one column per seat."""
    return results[FIRSTS].div(results.games, axis=0).set_axis(SEATS, axis=1)


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
    half = groups.agg(lambda blocks: Estimate.of(blocks).high) - groups.mean()
    return groups.mean(), half.where(groups.count() > 1)


def all_random(table_2: pd.DataFrame, table_1: pd.DataFrame) -> pd.DataFrame:
    """Return the AllRandom blocks that table 2's scores are held against.

    They are the many of table 1, which are cheap; only a quick run of table 2, with too few for the
    test of the rises, takes its own.
    """
    own = table_2[table_2.game == "AllRandom"]
    enough = published.limits("daifugo/claim/order-of-rise").blocks
    return own if len(own) < enough else table_1


def rises(
    table_2: pd.DataFrame, table_1: pd.DataFrame, against: str = "ours"
) -> dict[str, pd.Series]:
    """Return the rise (上昇率) of the beneficiary's score in each game and block, in percent.

    Parameters
    ----------
    table_2, table_1 : pandas.DataFrame
        Rows of both experiments.
    against : {"ours", "block", "published"}
        The AllRandom score of the same seat: our mean over all blocks, that of the block with the
        same number (as noisy as the paper's), or the one the paper prints.
    """
    points = {game: scores(rows) for game, rows in table_2.groupby("game", sort=False)}
    mean = scores(all_random(table_2, table_1)).mean()
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
    sums = table.groupby(["variant", "game"], sort=False)[[*FIRSTS, "games"]].sum().reset_index()
    counts = [
        [printed[f"daifugo/table-2/{game.lower()}/{seat.lower()}"] for seat in SEATS]
        for game in sums.game
    ]
    ours = sums[FIRSTS].to_numpy(float)
    shares = pd.DataFrame(ours / sums.games.to_numpy()[:, None], columns=SEATS)
    return sums[["variant", "game"]].join(shares).assign(chi2=_pearson(np.array(counts), ours))


def own_chi_squares(results: pd.DataFrame) -> np.ndarray:
    """Return the chi-square distance of each of our own 1000-game blocks from the other blocks.

    This is the yardstick for `chi_squares`: how large the statistic gets when the reading is
    right and only chance is at work, with all its dependence between games.
    """
    table = results[results.game != "AllRandom"]
    counts = table[FIRSTS].to_numpy(float)
    others = table.groupby("game")[FIRSTS].transform("sum").to_numpy() - counts
    return _pearson(counts, others)


def _pearson(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the two-sample chi-square, row by row; who is never first in either adds nothing."""
    share = (first + second) / (first + second).sum(axis=1, keepdims=True)
    total = np.zeros(len(first))
    for counts in (first, second):
        expected = share * counts.sum(axis=1, keepdims=True)
        total += ((counts - expected) ** 2 / np.where(expected > 0, expected, 1)).sum(axis=1)
    return total
