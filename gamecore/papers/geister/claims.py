"""The claims of section 6.2 as tests on our games.

Their words and thresholds stand in ``data/published/geister.csv``, written before any result.
"""

from collections.abc import Callable
from statistics import fmean
from types import SimpleNamespace

from gamecore.papers import published
from gamecore.papers.geister.experiments import BENCHMARKS, CFR
from gamecore.papers.geister.pairings import WON, Pairings, against
from gamecore.papers.stats import Estimate, Ours, wilson

#: The claim's id, whether it holds, and what was found.
Finding = tuple[str, Ours]
Claim = Callable[[Pairings], Finding]


def _limits(name: str) -> SimpleNamespace:
    return published.limits(f"geister/claim/{name}")


def _finding(name: str, holds: bool, detail: str) -> Finding:
    return f"geister/claim/{name}", Ours(holds=holds, detail=detail)


def _listed(numbers: dict[str, float]) -> str:
    return ", ".join(f"{name} {number:.3f}" for name, number in numbers.items())


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _minima(pairs: Pairings, players: tuple[str, ...]) -> dict[str, float]:
    return {player: pairs.score(player, pairs.worst(player)) for player in players}


def _benchmarks_below_15(pairs: Pairings) -> Finding:
    name = "benchmarks-below-15"
    highs = [pairs.ends(player, pairs.worst(player))[1] for player in BENCHMARKS]
    found = f"minimum scores: {_listed(_minima(pairs, BENCHMARKS))}"
    return _finding(name, max(highs) < _limits(name).most, found)


def _cfr_minimum_highest(pairs: Pairings) -> Finding:
    top, minima = max(_minima(pairs, BENCHMARKS).values()), _minima(pairs, CFR)
    lows = {player: pairs.ends(player, pairs.worst(player))[0] for player in CFR}
    found = ", ".join(f"{p} {minima[p]:.3f} (lower end {lows[p]:.3f})" for p in CFR)
    found += f"; best benchmark minimum {top:.3f}"
    return _finding("cfr-minimum-highest", min(lows.values()) > top, found)


def _scores(pairs: Pairings, questions: tuple[tuple[str, str], ...]) -> str:
    return _listed({f"{a} vs {b}": pairs.score(a, b) for a, b in questions})


def _at_least(name: str, *questions: tuple[str, str]) -> Claim:
    """Return a test that the lower end of each score reaches a bound."""

    def test(pairs: Pairings) -> Finding:
        lows = [pairs.ends(*pair)[0] for pair in questions]
        return _finding(name, min(lows) >= _limits(name).least, _scores(pairs, questions))

    return test


def _below(name: str, *questions: tuple[str, str]) -> Claim:
    """Return a test that the upper end of each score stays below a bound."""

    def test(pairs: Pairings) -> Finding:
        highs = [pairs.ends(*pair)[1] for pair in questions]
        return _finding(name, max(highs) < _limits(name).most, _scores(pairs, questions))

    return test


def _purple_loses_to_anti(pairs: Pairings) -> Finding:
    name, pair = "purple-loses-to-anti", ("purple", "anti")
    return _finding(name, pairs.score(*pair) <= _limits(name).most, _scores(pairs, (pair,)))


def _red_share(pairs: Pairings, player: str, other: str) -> float:
    row = pairs.row(player, other)
    return _share(row["red_adjacent"], row["red_adjacent"] + row["blue_adjacent"])


def _purple_with_red(pairs: Pairings) -> Finding:
    name = "purple-approaches-with-red"
    shares = {f"vs {other}": 1 - _red_share(pairs, "purple", other) for other in against("purple")}
    found = f"blue share of its approaches: {_listed(shares)}"
    return _finding(name, max(shares.values()) <= _limits(name).most, found)


def _cfr_not_mostly_red(pairs: Pairings) -> Finding:
    name = "cfr-not-mostly-red"
    shares = sorted(_red_share(pairs, player, other) for player in CFR for other in BENCHMARKS)
    found = f"red shares from {shares[0]:.2f} to {shares[-1]:.2f}"
    return _finding(name, shares[-1] < _limits(name).most, found)


def _first_chaser_red(pairs: Pairings) -> Finding:
    name, row = "first-chaser-red", pairs.row("purple", "anti")
    share = _share(row["red_chases"], row["chases"])
    found = f"first chaser red in {share:.3f} of the games with a chase"
    return _finding(name, share >= _limits(name).least, found)


def _purple_loses_blues(pairs: Pairings) -> Finding:
    name = "purple-loses-its-blues"
    share, limits = pairs.share("purple", "anti", "blue-taken loss").value, _limits(name)
    return _finding(name, limits.low <= share <= limits.high, f"{share:.3f} of the games")


def _first_blue(pairs: Pairings) -> Finding:
    name, row = "anti-cannot-stop-first-blue", pairs.row("charge", "anti")
    share = _share(row["escape win"], sum(row[ending] for ending in WON))
    found = f"{share:.3f} of charge's wins are escapes"
    return _finding(name, share >= _limits(name).least, found)


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
    taken, chances = (
        {player: pairs.pooled(player, f"{what}_last") for player in CFR}
        for what in ("taken", "approached")
    )
    lows = [wilson(taken[player], chances[player] or 1)[0] for player in CFR]
    found = ", ".join(f"{player} {taken[player]} of {chances[player]}" for player in CFR)
    return _finding(name, min(lows) > _limits(name).least, found)


def _harder_to_escape(pairs: Pairings) -> Finding:
    shares = {}
    for player in ("purple", *CFR):
        rows = [pairs.row(player, other) for other in against("purple")]
        shares[player] = fmean(_share(row["red_taken_escaped"], row["red_taken"]) for row in rows)
    holds = all(shares[player] < shares["purple"] for player in CFR)
    return _finding("harder-to-escape", holds, f"lost by escape: {_listed(shares)}")


def _not_all(pairs: Pairings) -> Finding:
    name = "cfr-not-all-benchmarks"
    most = _limits(name).most
    beaten = {p: [o for o in BENCHMARKS if pairs.ends(p, o)[1] < most] for p in CFR}
    found = "; ".join(f"{p} loses to {', '.join(o)}" for p, o in beaten.items())
    return _finding(name, all(beaten.values()), found)


def _compare(name: str, first: str, second: str, opponent: str) -> Claim:
    """Return a test that the first player scores better against an opponent."""

    def test(pairs: Pairings) -> Finding:
        a, b = pairs.points(first, opponent), pairs.points(second, opponent)
        z = a.minus(b).z
        found = f"{first} {a.value:.3f}, {second} {b.value:.3f}, z = {z:.1f}"
        return _finding(name, z > _limits(name).errors, found)

    return test


def _takes_blues(pairs: Pairings) -> Finding:
    name, row = "b-takes-charges-blues", pairs.row("cfr-b", "charge")
    share = _share(row["blue-taking win"], sum(row[ending] for ending in WON))
    return _finding(name, share > _limits(name).least, f"{share:.3f} of CFR-B's wins")


def _takes_reds(pairs: Pairings) -> Finding:
    name = "b-takes-antis-reds"
    a, b = (pairs.share(player, "anti", "red-taking loss") for player in CFR)
    z = b.minus(a).z
    found = f"CFR-A {a.value:.3f}, CFR-B {b.value:.3f}, z = {z:.1f}"
    return _finding(name, z > _limits(name).errors, found)


def _takes_eagerly(pairs: Pairings) -> Finding:
    name = "b-takes-eagerly"
    a, b = (
        Estimate.share(pairs.pooled(player, "taken"), pairs.pooled(player, "approached"))
        for player in CFR
    )
    found = f"CFR-A {a.value:.3f}, CFR-B {b.value:.3f}"
    return _finding(name, b.minus(a).z > _limits(name).errors, found)


def _half_by_reds(pairs: Pairings) -> Finding:
    name, rows = "half-lost-by-reds", [pairs.row(player, "purple") for player in CFR]
    lows = [wilson(row["red-taking loss"], row["games"])[0] for row in rows]
    a, b = (row["red-taking loss"] / row["games"] for row in rows)
    found = f"CFR-A {a:.3f}, CFR-B {b:.3f} of all games"
    return _finding(name, min(lows) > _limits(name).least, found)


def _with_red_taken(pairs: Pairings, player: str, other: str) -> float:
    """Return the score in games in which the player has taken a red minus that in the others."""
    row = pairs.row(player, other)
    points = row["red_taken_points"] / 2
    rest = pairs.score(player, other) * row["games"] - points
    return _share(points, row["red_taken"]) - _share(rest, row["games"] - row["red_taken"])


def _fewer_reds(pairs: Pairings) -> Finding:
    gaps = {p: fmean(_with_red_taken(pairs, p, other) for other in BENCHMARKS) for p in CFR}
    found = ", ".join(f"{player} {gap:+.3f}" for player, gap in gaps.items())
    name = "fewer-reds-risk"
    holds = max(gaps.values()) < _limits(name).below
    return _finding(name, holds, f"score with a red taken minus without: {found}")


def _not_stronger(pairs: Pairings) -> Finding:
    means = {
        player: fmean(pairs.score(player, other) for other in against("purple"))
        for player in ("purple", *CFR)
    }
    holds = all(means[player] < means["purple"] for player in CFR)
    return _finding("not-stronger-than-purple", holds, f"mean scores: {_listed(means)}")


def _less_exploitable(pairs: Pairings) -> Finding:
    one, two = _cfr_minimum_highest(pairs)[1].holds, _cfr_not_mostly_red(pairs)[1].holds
    found = f"minima highest: {one}; not mostly red: {two}"
    return _finding("less-exploitable", bool(one and two), found)


#: Claims that the benchmark players' games alone decide: how well they score …
ON_BENCHMARK_SCORES: tuple[Claim, ...] = (
    _benchmarks_below_15,
    _at_least("purple-crushes-weak", ("purple", "random"), ("purple", "charge")),
    _purple_loses_to_anti,
    _at_least("charge-crushes-anti", ("charge", "anti")),
    _charge_strong_weak,
)
#: … and how they play.
ON_BENCHMARK_WAYS: tuple[Claim, ...] = (
    _purple_with_red, _first_chaser_red, _purple_loses_blues, _first_blue, _purple_never_takes,
)  # fmt: skip
#: Claims that need the CFR players' games too: how well they score …
ON_CFR_SCORES: tuple[Claim, ...] = (
    _cfr_minimum_highest,
    _below("random-weak", *(("random", other) for other in (*BENCHMARKS[1:], *CFR))),
    _not_all,
    _below("both-weak-against-purple", *((player, "purple") for player in CFR)),
    _not_stronger,
    _less_exploitable,
)
#: … how they play …
ON_CFR_WAYS: tuple[Claim, ...] = (
    _cfr_not_mostly_red, _never_down, _taken_last, _harder_to_escape, _half_by_reds, _fewer_reds,
)  # fmt: skip
#: … and in what CFR-A and CFR-B differ.
ON_A_AND_B: tuple[Claim, ...] = (
    _compare("b-beats-a-against-charge", "cfr-b", "cfr-a", "charge"),
    _takes_blues,
    _compare("b-worse-against-anti", "cfr-a", "cfr-b", "anti"),
    _takes_reds,
    _takes_eagerly,
)
