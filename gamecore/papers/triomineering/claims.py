"""Tests of the paper's sentences on what a draw is worth (section 6.5)."""

from collections.abc import Iterable

import numpy as np

from gamecore.papers.triomineering.estimates import Score

#: Sentences by name: whether each holds, and what was found, in words.
Tested = dict[str, tuple[bool, str]]


def coarse_sweep(at: dict[float, Score]) -> Tested:
    """Test what is claimed of table 5, by name; `at` holds the score at each U(Draw)."""
    draws = {u: score.share("D") for u, score in at.items()}
    steps = [draws[u].value for u in (0.0, 0.25, 0.5, 0.75, 1.0)]
    rise = draws[1.0].minus(draws[0.0])
    more = [at[u].share("V").minus(at[0.5].share("V")) for u in (0.0, 0.25)]
    payoffs = [at[u].payoff().value for u in (0.0, 0.25, 0.5)]
    loss = at[0.0].payoff().minus(at[0.5].payoff())
    return {
        "more-draws": (
            bool(np.all(np.diff(steps) > 0)) and rise.low > 0,
            f"draws {_list(steps)}; from 0 to 1 {rise}",
        ),
        "low-no-more-wins": (
            all(estimate.low <= 0 for estimate in more),
            f"wins against U = 0.5: {more[0]} at 0, {more[1]} at 0.25",
        ),
        "low-loses": (
            payoffs[0] < payoffs[1] < payoffs[2] and loss.high < 0,
            f"payoffs {_list(payoffs)}; from 0.5 to 0 {loss}",
        ),
        "u1-draws": (draws[1.0].value >= 0.9, f"{draws[1.0].value:.3f} of the games are drawn"),
    }


def fine_sweep(at: dict[float, Score]) -> Tested:
    """Test what is claimed of table 6, by name; `at` holds the score at each U(Draw)."""
    draws, losses = (at[0.9].share(x).minus(at[0.5].share(x)) for x in ("D", "H"))
    wins = {u: at[u].share("V").value for u in at}
    rise = at[0.9].payoff().minus(at[0.5].payoff())
    fall = at[1.0].payoff().minus(at[0.9].payoff())
    best = max(at, key=lambda u: at[u].payoff().value)
    shown = ", ".join(f"{u:g}: {score.payoff().value:.3f}" for u, score in at.items())
    return {
        "losses-fall": (draws.low > 0 and losses.high < 0, f"draws {draws}, losses {losses}"),
        "wins-stay": (wins[0.9] >= 0.9 * wins[0.5], f"wins {wins[0.5]:.3f} and {wins[0.9]:.3f}"),
        "payoff-rises": (rise.low > 0, str(rise)),
        "u1-wins-drop": (wins[1.0] <= 0.5 * wins[0.9], f"wins {wins[0.9]:.3f} and {wins[1.0]:.3f}"),
        "u1-payoff-drops": (fall.high < 0, str(fall)),
        "best-below-win": (best in (0.7, 0.8, 0.9), f"best at {best:g}; {shown}"),
    }


def _list(values: Iterable[float]) -> str:
    return ", ".join(f"{x:.3f}" for x in values)
