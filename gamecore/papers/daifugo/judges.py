"""What our blocks say on tables 1 and 2, on figures 1 and 2, and on the paper's claims.

A claim is judged by the test that data/published states; a quick run has too few blocks for any.
What the paper says in one sentence of several experiments is judged for each, and counts once.
"""

import math
from collections.abc import Iterable, Iterator
from types import SimpleNamespace

import pandas as pd

from gamecore.daifugo.rules import SEATS
from gamecore.papers import published
from gamecore.papers.daifugo.blocks import first_places, rises, scores
from gamecore.papers.daifugo.experiments import BENEFICIARY, BLOCK, PLACES
from gamecore.papers.stats import Estimate, Judged, Ours, every, judge

#: For a quick run's single block: one game's spread of a difference of two rises, in points, each
#: the ratio of two scores; ranks drawn evenly have mean 1.5 and variance 1.25.
_RISE_SPREAD = 100 * math.sqrt(4 * 1.25) / 1.5
#: Where the player before the beneficiary does gain little: with playouts as the text has them.
_LITTLE = "daifugo/literal"


@judge("daifugo/table-1")
def places_at_random(table_1: pd.DataFrame) -> Judged:
    """Judge places and scores of table 1."""
    points = scores(table_1)
    for seat in SEATS:
        for place in PLACES:
            counts = table_1[f"{seat} {place}"]
            yield f"daifugo/table-1/{seat.lower()}/{place}", _mean_block(counts)
        yield f"daifugo/table-1/{seat.lower()}/score", _mean_block(points[seat])


@judge("daifugo/table-2")
def first_places_and_scores(table_2: pd.DataFrame) -> Judged:
    """Judge the first places of table 2; redraw the scores of figure 1."""
    for game, rows in table_2.groupby("game", sort=False):
        points = scores(rows)
        for seat in SEATS:
            if game in BENEFICIARY:
                counts = rows[f"{seat} 1st"]
                yield f"daifugo/table-2/{game.lower()}/{seat.lower()}", _mean_block(counts)
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
    yield name, _mean_block(difference, spread=_RISE_SPREAD)


@judge("daifugo/table-2", "daifugo/table-1")
def beneficiary_scores_more(table_2: pd.DataFrame, table_1: pd.DataFrame) -> Judged:
    """Judge whether the beneficiary's score is above that of its seat in AllRandom."""
    answers = []
    for name, limits, seat, rows in _claims("feasible", table_2, table_1):
        gain = _gain(scores(rows), scores(table_1), seat)
        answers.append(gain.above(limits.least))
        yield name, Ours(holds=answers[-1], detail=f"score {_words(gain)}")
    yield from _sentence("feasible", answers)


@judge("daifugo/table-2")
def beneficiary_scores_highest(table_2: pd.DataFrame) -> Judged:
    """Judge whether the beneficiary's score is above every other player's of the same game."""
    answers = []
    for name, limits, seat, rows in _claims("highest", table_2):
        points = scores(rows)
        leads = {x: Estimate.of(points[seat] - points[x]) for x in SEATS if x != seat}
        detail = "; ".join(f"above {other} by {_words(lead)}" for other, lead in leads.items())
        answers.append(every(lead.above(limits.least) for lead in leads.values()))
        yield name, Ours(holds=answers[-1], detail=detail)
    yield from _sentence("highest", answers)


@judge("daifugo/table-2", "daifugo/table-1")
def beneficiary_comes_first_more(table_2: pd.DataFrame, table_1: pd.DataFrame) -> Judged:
    """Judge whether the beneficiary comes first more often than its seat does in AllRandom."""
    for name, limits, seat, rows in _claims("first-places", table_2, table_1):
        gain = _gain(first_places(rows), first_places(table_1), seat)
        yield name, Ours(holds=gain.above(limits.least), detail=f"share {_words(gain)}")


@judge("daifugo/table-2", "daifugo/table-1")
def neighbour_scores_a_little_more(table_2: pd.DataFrame, table_1: pd.DataFrame) -> Judged:
    """Judge whether the player before the beneficiary gains, and little beside the beneficiary."""
    games = ("SontakuB", "SontakuC")  # before CPUA sits the sontaku player itself
    answers = []
    for name, limits, seat, rows in _claims("before", table_2, table_1, games=games):
        both, neighbour = (scores(rows), scores(table_1)), SEATS[SEATS.index(seat) - 1]
        before, gain = (_gain(*both, x) for x in (neighbour, seat))
        less = [pd.DataFrame({"excess": x[neighbour] - limits.most * x[seat]}) for x in both]
        excess = _gain(less[0], less[1], "excess")
        answers.append(every([before.above(limits.least), excess.below(0.0)]))
        detail = f"{_words(before)}, {100 * before.value / gain.value:.0f} % of the beneficiary's"
        yield name, Ours(holds=answers[-1], detail=detail, explained_by=_LITTLE)
    yield from _sentence("before", answers, _LITTLE)


@judge("daifugo/table-2")
def helper_never_comes_first(table_2: pd.DataFrame) -> Judged:
    """Judge whether the sontaku player has next to no first places."""
    for name, limits, _, rows in _claims("never-first", table_2):
        firsts = rows["Sontaku 1st"]
        share, median = firsts.sum() / rows.games.sum(), firsts.median()
        holds = bool(median == limits.median and share <= limits.most)
        yield name, Ours(holds=holds, detail=f"{share:.5f} of games, median block {median:.0f}")


@judge("daifugo/table-2", "daifugo/table-1")
def nearer_beneficiary_rises_more(table_2: pd.DataFrame, table_1: pd.DataFrame) -> Judged:
    """Judge whether the score rises more, the sooner the beneficiary's turn comes."""
    name = "daifugo/claim/order-of-rise"
    limits = published.limits(name)
    if not _enough(limits, table_2, table_1):
        return
    rise, theirs = (rises(table_2, table_1, against) for against in ("ours", "published"))
    steps = [("SontakuA", "SontakuB", limits.a_b), ("SontakuB", "SontakuC", limits.b_c)]
    ahead = [(Estimate.of(rise[near] - rise[far]), least) for near, far, least in steps]
    signs = [theirs[near].mean() > theirs[far].mean() for near, far, _ in steps]
    holds = every([*(lead.above(least) for lead, least in ahead), *signs])
    pairs = zip(steps, ahead, strict=True)
    detail = "; ".join(f"{near} − {far} {_words(lead)}" for (near, far, _), (lead, _) in pairs)
    yield name, Ours(holds=holds, detail=detail)


def _mean_block(values: pd.Series, spread: float | None = None) -> Ours:
    """Return a mean over blocks; from a single block, its spread as if games were independent."""
    mean, (first, *others) = float(values.mean()), values.tolist()
    if others:
        return Ours(mean, n=BLOCK * len(values), blocks=[first, *others])
    if spread is None:
        share = mean / BLOCK
        spread = BLOCK * math.sqrt(share * (1 - share))
    return Ours(mean, n=BLOCK, sd=spread)


def _claims(
    family: str, *tables: pd.DataFrame, games: Iterable[str] = tuple(BENEFICIARY)
) -> Iterator[tuple[str, SimpleNamespace, str, pd.DataFrame]]:
    """Yield each game's claim of a family that can be tested: id, limits, beneficiary, blocks.

    The blocks are those of the first table; all of them must have enough.
    """
    for game in games:
        name = f"daifugo/claim/{family}-{game[-1].lower()}"
        limits = published.limits(name)
        if _enough(limits, *tables):
            yield name, limits, SEATS[BENEFICIARY[game]], tables[0][tables[0].game == game]


def _sentence(family: str, answers: list[bool | None], explained_by: str = "") -> Judged:
    """Yield the sentence of which a family's claims are the parts, if they could be tested."""
    if answers:
        detail = f"true of {answers.count(True)} of {len(answers)} experiments"
        ours = Ours(holds=every(answers), detail=detail, explained_by=explained_by)
        yield f"daifugo/claim/{family}", ours


def _enough(limits: SimpleNamespace, *tables: pd.DataFrame) -> bool:
    """Return whether every game of every table has the blocks that a test asks for."""
    return all(table.groupby("game").size().min() >= limits.blocks for table in tables)


def _gain(points: pd.DataFrame, everywhere: pd.DataFrame, seat: str) -> Estimate:
    """Return by how much a seat's mean over blocks is above the other experiment's."""
    return Estimate.of(points[seat]).minus(Estimate.of(everywhere[seat]))


def _words(found: Estimate) -> str:
    return f"{found.value:.3f} ({found.low:.3f} to {found.high:.3f})"
