"""The claims of section 6.2 as tests on our games.

Their words and thresholds stand in ``data/published/geister.csv``. Answers are yes, no, or None
where an interval reaches to both sides of a threshold.
"""

import math
from collections.abc import Callable
from types import SimpleNamespace

from gamecore.contest import wilson
from gamecore.geister.players import DETERMINISTIC
from gamecore.papers import published
from gamecore.papers.geister.experiments import BENCHMARKS, CFR
from gamecore.papers.geister.pairings import WON, Pairings, against
from gamecore.papers.stats import Estimate, Ours, every, some

#: The claim's id, whether it holds, and what was found.
Finding = tuple[str, Ours]
Claim = Callable[[Pairings], Finding]
Pair = tuple[str, str]
#: What is measured of a player.
Measure = Callable[[Pairings, str], Estimate]
#: Whom the mean scores and the escapes compare: the purple AI with the CFR players.
RIVALS = ("purple", *CFR)
_UNKNOWN = Estimate(math.nan, math.inf)


def _limits(name: str) -> SimpleNamespace:
    return published.limits(f"geister/claim/{name}")


def _finding(name: str, holds: bool | None, detail: str) -> Finding:
    return f"geister/claim/{name}", Ours(holds=holds, detail=detail)


def _listed(numbers: dict[str, float]) -> str:
    return ", ".join(f"{name} {number:.3f}" for name, number in numbers.items())


def _no(answer: bool | None) -> bool | None:
    return None if answer is None else not answer


def _reaches(ends: tuple[float, float], limit: float) -> bool | None:
    """Say whether what lies between two ends is at least a limit."""
    low, high = ends
    return True if low >= limit else False if high < limit else None


def _below(ends: tuple[float, float], limit: float) -> bool | None:
    return _no(_reaches(ends, limit))


def _exceeds(ends: tuple[float, float], limit: float) -> bool | None:
    """Say whether what lies between two ends is above a limit."""
    low, high = ends
    return True if low > limit else False if high <= limit else None


def _at_most(ends: tuple[float, float], limit: float) -> bool | None:
    return _no(_exceeds(ends, limit))


def _ahead(difference: Estimate, errors: float) -> bool | None:
    """Say whether a difference is so many standard errors above 0, or below it."""
    return True if difference.z > errors else False if difference.z < -errors else None


def _enumerated(pair: Pair) -> bool:
    return set(DETERMINISTIC).issuperset(pair)


def _measured(pair: Pair, part: float, whole: int) -> Estimate:
    """Return a share of a pair's games, without an error where all games are enumerated."""
    if not whole:
        return _UNKNOWN
    found = Estimate.share(part, whole)
    return found._replace(error=0.0) if _enumerated(pair) else found


def _points(pairs: Pairings, pair: Pair) -> Estimate:
    won, _, drawn, games = pairs.results(*pair)
    return _measured(pair, won + drawn / 2, games)


def _between(part: int, whole: int) -> tuple[float, float]:
    """Return Wilson's interval of a share: anything if there is nothing to share."""
    return wilson(part, whole) if whole else (0.0, 1.0)


def _benchmarks_below_15(pairs: Pairings) -> Finding:
    name = "benchmarks-below-15"
    most = _limits(name).most
    answers = (
        some(_below(pairs.ends(a, b), most) for b in BENCHMARKS if b != a) for a in BENCHMARKS
    )
    minima = {player: pairs.score(player, pairs.worst(player)) for player in BENCHMARKS}
    return _finding(name, every(answers), f"minimum scores: {_listed(minima)}")


def _cfr_minimum_highest(pairs: Pairings) -> Finding:
    name = "cfr-minimum-highest"
    minima = {p: _points(pairs, (p, pairs.worst(p))) for p in (*BENCHMARKS, *CFR)}
    gaps = [minima[player].minus(minima[other]) for player in CFR for other in BENCHMARKS]
    found = f"minimum scores: {_listed({p: minimum.value for p, minimum in minima.items()})}"
    return _finding(name, every(gap.above(_limits(name).least) for gap in gaps), found)


def _each(name: str, answer: Callable, *questions: Pair) -> Claim:
    """Return a test of each score by the one limit of a claim."""

    def test(pairs: Pairings) -> Finding:
        (limit,) = vars(_limits(name)).values()
        answers = (answer(pairs.ends(*pair), limit) for pair in questions)
        scores = _listed({f"{a} vs {b}": pairs.score(a, b) for a, b in questions})
        return _finding(name, every(answers), scores)

    return test


def _approaches(pairs: Pairings, pair: Pair, colour: str) -> tuple[float, tuple[float, float]]:
    """Return the share of a colour among a player's approaches, and its interval.

    Approaches of one game depend on each other: no more count as independent than there are games.
    """
    row = pairs.row(*pair)
    moves = row["red_adjacent"] + row["blue_adjacent"]
    share = row[f"{colour}_adjacent"] / moves if moves else math.nan
    if _enumerated(pair):
        return share, (share, share)
    n = min(moves, row["games"])
    return share, wilson(share * n, n) if moves else (0.0, 1.0)


def _purple_with_red(pairs: Pairings) -> Finding:
    name = "purple-approaches-with-red"
    found = {other: _approaches(pairs, ("purple", other), "blue") for other in against("purple")}
    answers = (_at_most(ends, _limits(name).most) for _, ends in found.values())
    shares = _listed({f"vs {other}": share for other, (share, _) in found.items()})
    return _finding(name, every(answers), f"blue share of its approaches: {shares}")


def _cfr_not_mostly_red(pairs: Pairings) -> Finding:
    name = "cfr-not-mostly-red"
    found = [_approaches(pairs, (player, other), "red") for player in CFR for other in BENCHMARKS]
    answers = (_below(ends, _limits(name).most) for _, ends in found)
    shares = sorted(share for share, _ in found)
    return _finding(name, every(answers), f"red shares from {shares[0]:.2f} to {shares[-1]:.2f}")


def _first_chaser_red(pairs: Pairings) -> Finding:
    name, row = "first-chaser-red", pairs.row("purple", "anti")
    share = _measured(("purple", "anti"), row["red_chases"], row["chases"])
    found = f"first chaser red in {share.value:.3f} of the games with a chase"
    return _finding(name, _reaches((share.low, share.high), _limits(name).least), found)


def _purple_loses_blues(pairs: Pairings) -> Finding:
    name = "purple-loses-its-blues"
    share, limits = pairs.share("purple", "anti", "blue-taken loss").value, _limits(name)
    return _finding(name, limits.low <= share <= limits.high, f"{share:.3f} of the games")


def _first_blue(pairs: Pairings) -> Finding:
    name, row = "anti-cannot-stop-first-blue", pairs.row("charge", "anti")
    share = _measured(("charge", "anti"), row["escape win"], sum(row[ending] for ending in WON))
    found = f"{share.value:.3f} of charge's wins are escapes"
    return _finding(name, _reaches((share.low, share.high), _limits(name).least), found)


def _charge_strong_weak(pairs: Pairings) -> Finding:
    name = "charge-strong-weak"
    weak, strong = pairs.score("charge", "purple"), pairs.score("charge", "anti")
    limits = _limits(name)
    holds = weak < limits.weak and strong > limits.strong
    return _finding(name, holds, f"{weak:.3f} and {strong:.3f}")


def _never_down(pairs: Pairings) -> Finding:
    steps = sum(row["charge_down"] for row in pairs.rows.values())
    name = "charge-never-down"
    return _finding(name, steps == _limits(name).most, f"{steps} steps down")


def _purple_never_takes(pairs: Pairings) -> Finding:
    name = "purple-never-takes-last"
    chances, taken = (pairs.pooled("purple", f"{what}_last") for what in ("approached", "taken"))
    limits = _limits(name)
    holds = chances >= limits.enough and taken == limits.most
    return _finding(name, holds, f"{taken} of {chances} opportunities")


def _taken_last(pairs: Pairings) -> Finding:
    name = "cfr-sometimes-takes-last"
    counts = {p: (pairs.pooled(p, "taken_last"), pairs.pooled(p, "approached_last")) for p in CFR}
    answers = (_exceeds(_between(*count), _limits(name).least) for count in counts.values())
    found = ", ".join(f"{player} {taken} of {all_}" for player, (taken, all_) in counts.items())
    return _finding(name, every(answers), found)


def _harder_to_escape(pairs: Pairings) -> Finding:
    name = "harder-to-escape"
    rows = {(a, b): pairs.row(a, b) for a in RIVALS for b in against("purple")}
    common = [b for b in against("purple") if all(rows[a, b]["red_taken"] for a in RIVALS)]
    shares = {k: _measured(k, r["red_taken_escaped"], r["red_taken"]) for k, r in rows.items()}
    means = {a: Estimate.mean(shares[a, b] for b in common) if common else _UNKNOWN for a in RIVALS}
    limit = _limits(name).below
    holds = every(means[player].minus(means["purple"]).below(limit) for player in CFR)
    escaped = _listed({player: mean.value for player, mean in means.items()})
    return _finding(name, holds, f"lost by escape against {' and '.join(common)}: {escaped}")


def _not_all(pairs: Pairings) -> Finding:
    name = "cfr-not-all-benchmarks"
    most = _limits(name).most
    beaten = {p: {o: _below(pairs.ends(p, o), most) for o in BENCHMARKS} for p in CFR}
    found = "; ".join(
        f"{p} loses to {', '.join(other for other, lost in answers.items() if lost)}"
        for p, answers in beaten.items()
    )
    return _finding(name, every(some(answers.values()) for answers in beaten.values()), found)


def _compare(name: str, first: str, second: str, measure: Measure) -> Claim:
    """Return a test that something is more for the first player than for the second."""

    def test(pairs: Pairings) -> Finding:
        a, b = measure(pairs, first), measure(pairs, second)
        found = f"{first} {a.value:.3f}, {second} {b.value:.3f}, z = {a.minus(b).z:.1f}"
        return _finding(name, _ahead(a.minus(b), _limits(name).errors), found)

    return test


def _takes_blues(pairs: Pairings) -> Finding:
    name, row = "b-takes-charges-blues", pairs.row("cfr-b", "charge")
    taken, won = row["blue-taking win"], sum(row[ending] for ending in WON)
    holds = _exceeds(_between(taken, won), _limits(name).least)
    return _finding(name, holds, f"{taken} of CFR-B's {won} wins")


def _red_losses(pairs: Pairings, player: str) -> Estimate:
    return pairs.share(player, "anti", "red-taking loss")


def _eagerness(pairs: Pairings, player: str) -> Estimate:
    return Estimate.share(pairs.pooled(player, "taken"), pairs.pooled(player, "approached"))


def _half_by_reds(pairs: Pairings) -> Finding:
    name, rows = "half-lost-by-reds", [pairs.row(player, "purple") for player in CFR]
    lost = [_between(row["red-taking loss"], row["games"]) for row in rows]
    a, b = (row["red-taking loss"] / row["games"] for row in rows)
    found = f"CFR-A {a:.3f}, CFR-B {b:.3f} of all games"
    return _finding(name, every(_exceeds(ends, _limits(name).least) for ends in lost), found)


def _with_red_taken(pairs: Pairings, pair: Pair) -> Estimate:
    """Return the score in games in which the player has taken a red minus that in the others."""
    row, (won, _, drawn, games) = pairs.row(*pair), pairs.results(*pair)
    points = row["red_taken_points"] / 2
    after = _measured(pair, points, row["red_taken"])
    return after.minus(_measured(pair, won + drawn / 2 - points, games - row["red_taken"]))


def _fewer_reds(pairs: Pairings) -> Finding:
    name = "fewer-reds-risk"
    gaps = {
        p: Estimate.mean(_with_red_taken(pairs, (p, other)) for other in BENCHMARKS) for p in CFR
    }
    found = ", ".join(f"{player} {gap}" for player, gap in gaps.items())
    holds = every(gap.below(_limits(name).below) for gap in gaps.values())
    return _finding(name, holds, f"score with a red taken minus without: {found}")


def _not_stronger(pairs: Pairings) -> Finding:
    name = "not-stronger-than-purple"
    means = {
        p: Estimate.mean(_points(pairs, (p, other)) for other in against("purple")) for p in RIVALS
    }
    limit = _limits(name).below
    holds = every(means[player].minus(means["purple"]).below(limit) for player in CFR)
    scores = _listed({player: mean.value for player, mean in means.items()})
    return _finding(name, holds, f"mean scores: {scores}")


def _less_exploitable(pairs: Pairings) -> Finding:
    one, two = _cfr_minimum_highest(pairs)[1].holds, _cfr_not_mostly_red(pairs)[1].holds
    found = f"minima highest: {one}; not mostly red: {two}"
    return _finding("less-exploitable", every([one, two]), found)


#: Claims that the benchmark players' games alone decide: how well they score …
ON_BENCHMARK_SCORES: tuple[Claim, ...] = (
    _benchmarks_below_15,
    _each("purple-crushes-weak", _reaches, ("purple", "random"), ("purple", "charge")),
    _each("purple-loses-to-anti", _at_most, ("purple", "anti")),
    _each("charge-crushes-anti", _reaches, ("charge", "anti")),
    _charge_strong_weak,
)
#: … and how they play.
ON_BENCHMARK_WAYS: tuple[Claim, ...] = (
    _purple_with_red, _first_chaser_red, _purple_loses_blues, _first_blue, _purple_never_takes,
)  # fmt: skip
#: Claims that need the CFR players' games too: how well they score …
ON_CFR_SCORES: tuple[Claim, ...] = (
    _cfr_minimum_highest,
    _each("random-weak", _below, *(("random", other) for other in (*BENCHMARKS[1:], *CFR))),
    _not_all,
    _each("both-weak-against-purple", _below, *((player, "purple") for player in CFR)),
    _not_stronger,
    _less_exploitable,
)
#: … how they play …
ON_CFR_WAYS: tuple[Claim, ...] = (
    _cfr_not_mostly_red, _never_down, _taken_last, _harder_to_escape, _half_by_reds, _fewer_reds,
)  # fmt: skip
#: … and in what CFR-A and CFR-B differ.
ON_A_AND_B: tuple[Claim, ...] = (
    _compare("b-beats-a-against-charge", "cfr-b", "cfr-a", lambda p, who: p.points(who, "charge")),
    _takes_blues,
    _compare("b-worse-against-anti", "cfr-a", "cfr-b", lambda p, who: p.points(who, "anti")),
    _compare("b-takes-antis-reds", "cfr-b", "cfr-a", _red_losses),
    _compare("b-takes-eagerly", "cfr-b", "cfr-a", _eagerness),
)
