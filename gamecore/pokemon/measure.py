"""What the experiments share: the solved battle, win rates, and the shares of figures 2 to 4."""

import math

import numpy as np
import pandas as pd

from gamecore.pokemon import rules
from gamecore.pokemon.battle import Match
from gamecore.pokemon.solve import Solution, solve

DELTAS = (0.05, 0.1, 0.2)
BIASES = ("attack", "switch", "effective", "ineffective")


def tables() -> Solution:
    """Return the solved battle."""
    return solve(20)


def rates(results: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Return games, win rate and its standard error for every cell."""
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


def by_far(difference: float, *errors: float) -> bool:
    """Return whether a difference exceeds two standard errors."""
    return bool(difference > 2 * math.hypot(*errors))


def counts(outcome: Match) -> dict[str, int]:
    """Return a match as a row of results."""
    classes = dict(zip(rules.CLASSES, outcome.classes, strict=True))
    return {"win": outcome.win, "draw": outcome.draw, "loss": outcome.loss, **classes}
