"""What judges and the chapter make of rows: win rates, shares of actions, mean strategies."""

import numpy as np
import pandas as pd

from gamecore.papers import published
from gamecore.papers.pokemon.experiments import HABITS, PRINTED_TURNS, SIDES
from gamecore.papers.stats import Estimate, every


def played_enough(results: pd.DataFrame, by: list[str], least: float) -> bool:
    """Return whether every cell has the games, or the draws, that a test asks for."""
    return not (results.groupby(by).games.sum() < least).any()


def rates(results: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Return games, win rate (a draw is half a win) and its standard error for every cell."""
    total = results.groupby(by)[["games", "win", "draw", "loss"]].sum()
    found = [Estimate.share(row.win + row.draw / 2, row.games) for row in total.itertuples()]
    return total.assign(rate=[x.value for x in found], error=[x.error for x in found])


def estimates(results: pd.DataFrame, by: list[str]) -> dict[tuple, Estimate]:
    """Return the same win rates as estimates, by cell."""
    return {row.Index: Estimate(row.rate, row.error) for row in rates(results, by).itertuples()}


def is_within(gap: Estimate, most: float) -> bool | None:
    """Say whether a difference is no larger than a limit, either way; None if it may be either."""
    return every([gap.below(most), gap.above(-most)])


def shares(results: pd.DataFrame) -> pd.DataFrame:
    """Add to every row the shares that figures 2 to 4 show."""
    attacks = results.effective + results.ordinary + results.ineffective
    switches = results["advantageous switch"] + results["other switch"]
    return results.assign(
        attack_share=attacks / (attacks + switches),
        switch_share=switches / (attacks + switches),
        effective_share=results.effective / attacks,
        ordinary_share=results.ordinary / attacks,
        ineffective_share=results.ineffective / attacks,
        advantageous_share=results["advantageous switch"] / switches,
        other_share=results["other switch"] / switches,
    )


def raised_shares(results: pd.DataFrame) -> dict[tuple[str, str], Estimate]:
    """Return by how much habits raise the share of what they like, by payoffs and habit.

    Errors come from blocks of games: the actions of one game depend on each other.
    """
    blocks = dict(iter(shares(results).groupby(["payoffs", "player"])))

    def share(payoffs: str, player: str, kind: str) -> Estimate:
        return Estimate.of(blocks[payoffs, player][f"{kind}_share"])

    return {
        (payoffs, habit): share(payoffs, habit, habit).minus(share(payoffs, "delta-nash", habit))
        for payoffs in ("clipped", "free")
        for habit in HABITS
    }


def mean_strategies(results: pd.DataFrame) -> pd.DataFrame:
    """Return the sums of ``pokemon/table-3`` by payoffs and δ; columns a1 to b5 are means."""
    total = results.groupby(["payoffs", "delta"]).sum(numeric_only=True)
    total[SIDES] = total[[f"sum_{name}" for name in SIDES]].div(total.games, axis=0).to_numpy()
    return total


def mean_probability(cell: pd.Series, name: str) -> Estimate:
    """Return one action's mean probability in a row of `mean_strategies`."""
    return Estimate.of_sums(cell[f"sum_{name}"], cell[f"squares_{name}"], int(cell.games))


def as_printed(results: pd.DataFrame) -> pd.Series:
    """Return the row of ``pokemon/matrix-1`` whose horizon is matrix (1)'s."""
    return results.set_index("source").loc[f"{PRINTED_TURNS} turns"]


def printed(locator: str) -> pd.DataFrame:
    """Return what the paper prints in one place, such as ``"table 4"``."""
    rows = pd.DataFrame(published.load("pokemon"))
    return rows[rows.locator == locator]


def printed_matrix() -> np.ndarray:
    """Return matrix (1) as printed."""
    return printed("matrix (1)").value.to_numpy(float).reshape(5, 5)
