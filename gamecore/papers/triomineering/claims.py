"""Tests that several of the paper's sentences share, and those on what a draw is worth (6.5)."""

from collections.abc import Iterable
from itertools import pairwise
from types import SimpleNamespace

import pandas as pd

from gamecore.papers import published
from gamecore.papers.stats import Estimate, every
from gamecore.papers.triomineering.estimates import Score

#: Sentences by name: whether each holds (None: undecided), and what was found, in words.
Tested = dict[str, tuple[bool | None, str]]


def limits(name: str) -> SimpleNamespace:
    """Return the thresholds of a sentence's test, such as ``draw/u1-draws``."""
    return published.limits(f"triomineering/claim/{name}")


def enough(name: str, matches: Iterable[Score]) -> bool:
    """Say whether every match has the games without which a sentence on it is not judged."""
    return min(score.games for score in matches) >= limits(name).enough


def at_most(difference: Estimate, band: float) -> bool | None:
    """Say whether a difference is no larger than what the paper's games cannot tell from 0.

    None if it is larger, but not by more than our own noise.
    """
    return True if difference.value <= band else False if difference.above(band) else None


def within(difference: Estimate, band: float) -> bool | None:
    """Say the same of a difference in either direction."""
    return every(at_most(difference.times(sign), band) for sign in (1.0, -1.0))


def payoff_band(name: str, a: Score, b: Score) -> float:
    """Return the largest difference of two payoffs that the paper's games cannot tell from 0."""
    limit = limits(name)
    return limit.errors * a.payoff(limit.games).minus(b.payoff(limit.games)).error


def throughout(own: bool, grid: pd.Series, payoffs: float) -> bool | None:
    """Say what holds whatever the lost payoffs were: with our own, and with all of the grid's.

    None if it is met with some of them only.
    """
    if own and grid.sum() == payoffs:
        return True
    return None if own or grid.any() else False


def coarse_sweep(at: dict[float, Score]) -> Tested:
    """Test what is claimed of table 5, by name; `at` holds the score at each U(Draw)."""
    order = (0.0, 0.25, 0.5, 0.75, 1.0)
    draws = [at[u].share("D") for u in order]
    rise, more_draws = draws[-1].minus(draws[0]), limits("draw/more-draws")
    steps = [after.minus(before).below(more_draws.fall) for before, after in pairwise(draws)]
    more = [at[u].share("V").minus(at[0.5].share("V")) for u in (0.0, 0.25)]
    most = limits("draw/low-no-more-wins").most
    payoffs = [at[u].payoff().value for u in (0.0, 0.25, 0.5)]
    loss = at[0.0].payoff().minus(at[0.5].payoff())
    falls = payoffs[0] < payoffs[1] < payoffs[2]
    drawn = draws[-1].value
    return {
        "more-draws": (
            every([rise.above(more_draws.least), True not in steps]),
            f"draws {_list(x.value for x in draws)}; from 0 to 1 {rise}",
        ),
        "low-no-more-wins": (
            all(estimate.low <= most for estimate in more),
            f"wins against U = 0.5: {more[0]} at 0, {more[1]} at 0.25",
        ),
        "low-loses": (
            falls and loss.high < limits("draw/low-loses").most,
            f"payoffs {_list(payoffs)}; from 0.5 to 0 {loss}",
        ),
        "u1-draws": (
            drawn >= limits("draw/u1-draws").least,
            f"{drawn:.3f} of the games are drawn",
        ),
    }


def fine_sweep(at: dict[float, Score]) -> Tested:
    """Test what is claimed of table 6, by name; `at` holds the score at each U(Draw)."""
    draws, losses = (at[0.9].share(x).minus(at[0.5].share(x)) for x in ("D", "H"))
    both, stay, drop = (limits(f"draw/{x}") for x in ("losses-fall", "wins-stay", "u1-wins-drop"))
    wins = {u: at[u].share("V") for u in at}
    kept = wins[0.9].minus(wins[0.5].times(stay.least))
    left = wins[1.0].minus(wins[0.9].times(drop.most))
    rise = at[0.9].payoff().minus(at[0.5].payoff())
    fall = at[1.0].payoff().minus(at[0.9].payoff())
    rises = rise.above(limits("draw/payoff-rises").least)
    falls = fall.below(limits("draw/u1-payoff-drops").most)
    shown = ", ".join(f"{u:g}: {score.payoff().value:.4f}" for u, score in at.items())
    return {
        "losses-fall": (
            every([draws.above(both.rise), losses.below(both.fall)]),
            f"draws {finely(draws)}, losses {finely(losses)}",
        ),
        "wins-stay": (
            kept.above(stay.side),
            f"wins {wins[0.5].value:.4f} and {wins[0.9].value:.4f}; beyond 90 % {finely(kept)}",
        ),
        "payoff-rises": (rises, finely(rise)),
        "u1-wins-drop": (
            left.below(drop.side),
            f"wins {wins[0.9].value:.4f} and {wins[1.0].value:.4f}; beyond half {finely(left)}",
        ),
        "u1-payoff-drops": (falls, finely(fall)),
        "best-below-win": (every([rises, falls]), f"payoffs {shown}"),
    }


def finely(estimate: Estimate) -> str:
    """Write an estimate with four decimals."""
    return f"{estimate.value:+.4f} ({estimate.low:+.4f} to {estimate.high:+.4f})"


def _list(values: Iterable[float]) -> str:
    return ", ".join(f"{x:.3f}" for x in values)
