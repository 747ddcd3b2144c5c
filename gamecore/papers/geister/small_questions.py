"""What solved small games say on our questions: a bluff at the goal, 3×2, and best responses."""

import pandas as pd

from gamecore.geister.players import DETERMINISTIC, PLAYERS
from gamecore.papers.geister.beyond_small import LIMITS, OPENINGS
from gamecore.papers.geister.experiments import BENCHMARKS, CFR
from gamecore.papers.stats import Judged, Ours, every, judge

#: What counts as a difference of two values, of two best responses, and of settled values.
NEAR, SAME, SETTLED = 1e-4, 1e-3, 0.01
#: What a best response gets against a player that loses nearly every game.
LOST = 0.98
LONGEST = 200
_GOALS = [start for start in LIMITS if start.startswith("goal")]
_BOARD = "3 rows of 2"


@judge("geister/bluff")
def at_the_goal(rows: pd.DataFrame) -> Judged:
    """Answer whether both colours must go to the goal."""
    found, said = [], []
    for start in _GOALS:
        limit = LIMITS[start][1]
        any_, red, blue = (bounds(rows, start, limit, how) for how in ("any", *OPENINGS))
        found.append(every(more_than(any_, pure, NEAR) for pure in (red, blue)))
        said.append(
            f"{start} ({limit} plies): {_told(any_)}, always red {_told(red)}, "
            f"always blue {_told(blue)}"
        )
    yield "geister/goal-mixed", Ours(holds=every(found), detail=f"{'; '.join(said)}.")


@judge("geister/bluff")
def red_first(rows: pd.DataFrame) -> Judged:
    """Answer whether red steps up first on 3×2."""
    limits = [limit for limit in LIMITS[_BOARD][0] if limit <= LIMITS[_BOARD][1]]
    values = {how: {n: bounds(rows, _BOARD, n, how) for n in limits} for how in ("any", *OPENINGS)}
    short = {
        how: {n: more_than(values["any"][n], values[how][n], NEAR) for n in limits}
        for how in OPENINGS
    }
    red, blue = (list(short[how].values()) for how in OPENINGS)
    holds: bool | None = None
    if True in red:
        holds = False
    elif None not in red and True in blue:
        holds = True
    said = []
    for how, answers in zip(OPENINGS, (red, blue), strict=True):
        lacks = {n: values["any"][n][0] - values[how][n][1] for n in limits}
        worst = max(limits, key=lacks.__getitem__)
        said.append(
            f"always {how.split()[0]} falls short at {answers.count(True)} of {len(limits)} "
            f"limits, most at {worst} plies ({_told(values[how][worst])} of "
            f"{_told(values['any'][worst])})"
        )
    yield "geister/red-first", Ours(holds=holds, detail=f"{'; '.join(said).capitalize()}.")


@judge("geister/bluff")
def settled(rows: pd.DataFrame) -> Judged:
    """Answer whether the value of 3×2 settles."""
    limits = [limit for limit in LIMITS[_BOARD][0] if limit >= 14]
    found = {n: bounds(rows, _BOARD, n, "any") for n in limits}
    low, high = min(b[0] for b in found.values()), max(b[1] for b in found.values())
    least = max(b[0] for b in found.values()) - min(b[1] for b in found.values())
    holds = True if high - low < SETTLED else False if least >= SETTLED else None
    said = ", ".join(f"{n} plies {_told(b)}" for n, b in found.items())
    yield "geister/limit-settled", Ours(holds=holds, detail=f"{said.capitalize()}.")


@judge("geister/best-response")
def hardest(rows: pd.DataFrame) -> Judged:
    """Answer who is hard to exploit."""
    gains = gained(rows, LONGEST)
    most, least = max(gains[p] for p in CFR), min(gains[p] for p in BENCHMARKS)
    told = ", ".join(f"{player} {gains[player]:.4f}" for player in PLAYERS)
    yield (
        "geister/mixing-safer",
        Ours(
            holds=None if abs(most - least) <= SAME else bool(most < least),
            detail=f"A best response gets {told}.",
        ),
    )
    lost = min(gains[player] for player in DETERMINISTIC)
    told = ", ".join(f"{player} {gains[player]:.4f}" for player in DETERMINISTIC)
    yield (
        "geister/rule-known-lost",
        Ours(holds=bool(lost >= LOST), detail=f"A best response gets {told}."),
    )
    a, b = (gains[player] for player in CFR)
    yield (
        "geister/leaves-safer",
        Ours(
            holds=None if abs(a - b) <= SAME else bool(b < a),
            detail=f"A best response gets {a:.4f} against CFR-A and {b:.4f} against CFR-B.",
        ),
    )


def gained(rows: pd.DataFrame, limit: int) -> dict[str, float]:
    """Return what a best response to each player gets, mean of both seats."""
    by_player = rows.set_index("player")
    mean = (by_player[f"first_{limit}"] + by_player[f"second_{limit}"]) / 2
    return {str(player): float(value) for player, value in mean.items()}


def bounds(rows: pd.DataFrame, start: str, limit: int, opening: str) -> tuple[float, float]:
    """Return between which numbers a game's value is."""
    same = (rows.start == start) & (rows.limit == limit) & (rows.opening == opening)
    row = rows[same].iloc[0]
    return float(row.low), float(row.high)


def more_than(value: tuple[float, float], other: tuple[float, float], margin: float) -> bool | None:
    """Say whether a value is more than `margin` above another; None if bounds do not tell."""
    if value[0] - other[1] > margin:
        return True
    return False if value[1] - other[0] <= margin else None


def _told(value: tuple[float, float]) -> str:
    return f"{round((value[0] + value[1]) / 2, 4) + 0.0:.4f}"  # no −0
