"""What judges and the chapter make of rows: win rates, shares of actions, mean strategies."""

import math

import numpy as np
import pandas as pd

from gamecore.papers.pokemon.experiments import SIDES


def rates(results: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Return games, win rate (a draw is half a win) and its standard error for every cell."""
    total = results.groupby(by)[["games", "win", "draw", "loss"]].sum()
    total["rate"] = (total.win + total.draw / 2) / total.games
    total["error"] = np.sqrt(total.rate * (1 - total.rate) / total.games)
    return total


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


def mean_strategies(results: pd.DataFrame) -> pd.DataFrame:
    """Return the sums of ``pokemon/table-3`` by payoffs and δ; columns a1 to b5 are means."""
    total = results.groupby(["payoffs", "delta"]).sum(numeric_only=True)
    total[SIDES] = total[[f"sum_{name}" for name in SIDES]].div(total.games, axis=0).to_numpy()
    return total


def by_far(difference: float, *errors: float) -> bool:
    """Return whether a difference exceeds two standard errors."""
    return bool(difference > 2 * math.hypot(*errors))
