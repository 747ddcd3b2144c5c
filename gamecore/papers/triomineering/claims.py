"""Tests of the paper's sentences on what a draw is worth (section 6.5), and limits of all tests."""

from collections.abc import Iterable
from itertools import pairwise
from types import SimpleNamespace

import numpy as np

from gamecore.papers import published
from gamecore.papers.triomineering.estimates import Score

#: Sentences by name: whether each holds, and what was found, in words.
Tested = dict[str, tuple[bool, str]]


def limits(name: str) -> SimpleNamespace:
    """Return the thresholds of a sentence's test, such as ``draw/u1-draws``."""
    return published.limits(f"triomineering/claim/{name}")


def coarse_sweep(at: dict[float, Score]) -> Tested:
    """Test what is claimed of table 5, by name; `at` holds the score at each U(Draw)."""
    draws = {u: score.share("D") for u, score in at.items()}
    steps = [draws[u].value for u in (0.0, 0.25, 0.5, 0.75, 1.0)]
    rise = draws[1.0].minus(draws[0.0])
    rises = all(before < after for before, after in pairwise(steps))
    more = [at[u].share("V").minus(at[0.5].share("V")) for u in (0.0, 0.25)]
    most = limits("draw/low-no-more-wins").most
    payoffs = [at[u].payoff().value for u in (0.0, 0.25, 0.5)]
    loss = at[0.0].payoff().minus(at[0.5].payoff())
    falls = payoffs[0] < payoffs[1] < payoffs[2]
    drawn = draws[1.0].value
    return {
        "more-draws": (
            rises and rise.low > limits("draw/more-draws").least,
            f"draws {_list(steps)}; from 0 to 1 {rise}",
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
    sides = np.sign([draws.low, losses.high]).tolist()
    wins = {u: at[u].share("V").value for u in at}
    kept = limits("draw/wins-stay").least * wins[0.5]
    left = limits("draw/u1-wins-drop").most * wins[0.9]
    rise = at[0.9].payoff().minus(at[0.5].payoff())
    fall = at[1.0].payoff().minus(at[0.9].payoff())
    best = max(at, key=lambda u: at[u].payoff().value)
    high = limits("draw/best-below-win")
    shown = ", ".join(f"{u:g}: {score.payoff().value:.3f}" for u, score in at.items())
    return {
        "losses-fall": (sides == [1, -1], f"draws {draws}, losses {losses}"),
        "wins-stay": (wins[0.9] >= kept, f"wins {wins[0.5]:.3f} and {wins[0.9]:.3f}"),
        "payoff-rises": (rise.low > limits("draw/payoff-rises").least, str(rise)),
        "u1-wins-drop": (wins[1.0] <= left, f"wins {wins[0.9]:.3f} and {wins[1.0]:.3f}"),
        "u1-payoff-drops": (fall.high < limits("draw/u1-payoff-drops").most, str(fall)),
        "best-below-win": (
            best in (high.low, high.middle, high.high),
            f"best at {best:g}; {shown}",
        ),
    }


def _list(values: Iterable[float]) -> str:
    return ", ".join(f"{x:.3f}" for x in values)
