"""The claims of section 6.2 as tests on our games.

Their words and thresholds stand in ``data/published/geister.csv``, written before any result.
"""

import math
from collections.abc import Callable

import pandas as pd

from gamecore.geister.matches import ENDINGS
from gamecore.papers.geister.experiments import BENCHMARKS, CFR
from gamecore.papers.geister.pairings import WON, Pairings, against
from gamecore.papers.stats import wilson

#: Does the claim hold, and what was found.
Finding = tuple[bool, str]
Claim = Callable[[Pairings], Finding]


def _listed(numbers: dict[str, float]) -> str:
    return ", ".join(f"{name} {number:.3f}" for name, number in numbers.items())


def _minima(pairs: Pairings, players: tuple[str, ...]) -> dict[str, float]:
    return {player: pairs.score(player, pairs.worst(player)) for player in players}


def _benchmarks_below_15(pairs: Pairings) -> Finding:
    highs = [pairs.ends(player, pairs.worst(player))[1] for player in BENCHMARKS]
    return max(highs) < 0.15, f"minimum scores: {_listed(_minima(pairs, BENCHMARKS))}"


def _cfr_minimum_highest(pairs: Pairings) -> Finding:
    top, minima = max(_minima(pairs, BENCHMARKS).values()), _minima(pairs, CFR)
    lows = {player: pairs.ends(player, pairs.worst(player))[0] for player in CFR}
    found = ", ".join(f"{p} {minima[p]:.3f} (lower end {lows[p]:.3f})" for p in CFR)
    return min(lows.values()) > top, f"{found}; best benchmark minimum {top:.3f}"


def _all_ends(questions: list[tuple[str, str]], low: float, high: float) -> Claim:
    """Return a test that the whole interval of each score lies strictly between two bounds."""

    def test(pairs: Pairings) -> Finding:
        ends = [pairs.ends(*pair) for pair in questions]
        found = {f"{a} vs {b}": pairs.score(a, b) for a, b in questions}
        return all(low < a and b < high for a, b in ends), _listed(found)

    return test


def _score_bounds(questions: list[tuple[str, str, float, float]]) -> Claim:
    """Return a test that each score (lower end, upper end) lies within closed bounds."""

    def test(pairs: Pairings) -> Finding:
        inside = [
            low <= pairs.ends(a, b)[0] and pairs.ends(a, b)[1] <= high
            for a, b, low, high in questions
        ]
        return all(inside), _listed({f"{a} vs {b}": pairs.score(a, b) for a, b, *_ in questions})

    return test


def _red_share(pairs: Pairings, player: str, other: str) -> float:
    row = pairs.row(player, other)
    return row.red_adjacent / max(row.red_adjacent + row.blue_adjacent, 1)


def _purple_with_red(pairs: Pairings) -> Finding:
    shares = {f"vs {other}": 1 - _red_share(pairs, "purple", other) for other in against("purple")}
    return max(shares.values()) <= 0.15, f"blue share of its approaches: {_listed(shares)}"


def _cfr_not_mostly_red(pairs: Pairings) -> Finding:
    shares = {(p, o): _red_share(pairs, p, o) for p in CFR for o in BENCHMARKS}
    found = f"red shares from {min(shares.values()):.2f} to {max(shares.values()):.2f}"
    return max(shares.values()) < 0.90, found


def _share(row: pd.Series, part: str, whole: str) -> float:
    return row[part] / max(row[whole], 1)


def _first_chaser_red(pairs: Pairings) -> Finding:
    share = _share(pairs.row("purple", "anti"), "red_chases", "chases")
    return share >= 0.80, f"first chaser red in {share:.3f} of the games with a chase"


def _purple_loses_blues(pairs: Pairings) -> Finding:
    share = _share(pairs.row("purple", "anti"), ENDINGS[3], "games")
    return 0.50 <= share <= 0.70, f"{share:.3f} of the games"


def _first_blue(pairs: Pairings) -> Finding:
    row = pairs.row("charge", "anti")
    share = row[ENDINGS[4]] / max(row[WON].sum(), 1)
    return share >= 0.80, f"{share:.3f} of charge's wins are escapes"


def _charge_strong_weak(pairs: Pairings) -> Finding:
    weak, strong = pairs.score("charge", "purple"), pairs.score("charge", "anti")
    return weak < 0.20 and strong > 0.80, f"{weak:.3f} and {strong:.3f}"


def _never_down(pairs: Pairings) -> Finding:
    steps = int(pairs.sums.charge_down.sum())
    return steps == 0, f"{steps} steps down"


def _purple_never_takes(pairs: Pairings) -> Finding:
    chances = int(pairs.pooled("purple", "approached_last"))
    taken = int(pairs.pooled("purple", "taken_last"))
    return chances >= 100 and taken == 0, f"{taken} of {chances} opportunities"


def _taken_last(pairs: Pairings) -> Finding:
    ends, found = [], []
    for player in CFR:
        chances = int(pairs.pooled(player, "approached_last"))
        taken = int(pairs.pooled(player, "taken_last"))
        ends.append(wilson(taken, max(chances, 1))[0])
        found.append(f"{player} {taken} of {chances}")
    return min(ends) > 0.02, ", ".join(found)


def _harder_to_escape(pairs: Pairings) -> Finding:
    shares = {
        player: sum(
            _share(pairs.row(player, other), "red_taken_escaped", "red_taken")
            for other in against("purple")
        ) / 3
        for player in ("purple", *CFR)
    }  # fmt: skip
    return all(shares[p] < shares["purple"] for p in CFR), f"lost by escape: {_listed(shares)}"


def _not_all(pairs: Pairings) -> Finding:
    beaten = {p: [o for o in BENCHMARKS if pairs.ends(p, o)[1] < 0.5] for p in CFR}
    return all(beaten.values()), "; ".join(
        f"{p} loses to {', '.join(o)}" for p, o in beaten.items()
    )


def _z(share: float, n: float, other: float, m: float) -> float:
    spread = math.sqrt(share * (1 - share) / n + other * (1 - other) / m)
    return (share - other) / spread if spread > 0 else 0.0


def _compare(first: str, second: str, opponent: str) -> Claim:
    """Return a test that the first player scores better against an opponent."""

    def test(pairs: Pairings) -> Finding:
        a, b = pairs.score(first, opponent), pairs.score(second, opponent)
        n, m = pairs.results(first, opponent)[3], pairs.results(second, opponent)[3]
        return _z(a, n, b, m) > 1.96, f"{first} {a:.3f}, {second} {b:.3f}, z = {_z(a, n, b, m):.1f}"

    return test


def _takes_blues(pairs: Pairings) -> Finding:
    row = pairs.row("cfr-b", "charge")
    share = row[ENDINGS[0]] / max(row[WON].sum(), 1)
    return share > 0.5, f"{share:.3f} of CFR-B's wins"


def _takes_reds(pairs: Pairings) -> Finding:
    rows = [pairs.row(player, "anti") for player in CFR]
    a, b = (_share(row, ENDINGS[1], "games") for row in rows)
    z = _z(b, rows[1].games, a, rows[0].games)
    return z > 1.96, f"CFR-A {a:.3f}, CFR-B {b:.3f}, z = {z:.1f}"


def _takes_eagerly(pairs: Pairings) -> Finding:
    n = [pairs.pooled(player, "approached") for player in CFR]
    a, b = (pairs.pooled(p, "taken") / m for p, m in zip(CFR, n, strict=True))
    return _z(b, n[1], a, n[0]) > 1.96, f"CFR-A {a:.3f}, CFR-B {b:.3f}"


def _half_by_reds(pairs: Pairings) -> Finding:
    rows = [pairs.row(player, "purple") for player in CFR]
    lows = [wilson(row[ENDINGS[1]], int(row.games))[0] for row in rows]
    a, b = (_share(row, ENDINGS[1], "games") for row in rows)
    return min(lows) > 0.5, f"CFR-A {a:.3f}, CFR-B {b:.3f} of all games"


def _fewer_reds(pairs: Pairings) -> Finding:
    gaps = {}
    for player in CFR:
        differences = []
        for other in BENCHMARKS:
            row = pairs.row(player, other)
            points = pairs.score(player, other) * row.games
            with_red = row.red_taken_points / 2
            rest = (points - with_red) / max(row.games - row.red_taken, 1)
            differences.append(with_red / max(row.red_taken, 1) - rest)
        gaps[player] = sum(differences) / len(differences)
    found = ", ".join(f"{player} {gap:+.3f}" for player, gap in gaps.items())
    return max(gaps.values()) < 0, f"score with a red taken minus without: {found}"


def _not_stronger(pairs: Pairings) -> Finding:
    means = {
        player: sum(pairs.score(player, other) for other in against("purple")) / 3
        for player in ("purple", *CFR)
    }
    return all(means[p] < means["purple"] for p in CFR), f"mean scores: {_listed(means)}"


def _less_exploitable(pairs: Pairings) -> Finding:
    one, two = _cfr_minimum_highest(pairs)[0], _cfr_not_mostly_red(pairs)[0]
    return one and two, f"minima highest: {bool(one)}; not mostly red: {bool(two)}"


#: Claims that the benchmark players' games alone decide …
ON_BENCHMARKS: dict[str, Claim] = {
    "benchmarks-below-15": _benchmarks_below_15,
    "purple-crushes-weak": _score_bounds(
        [("purple", "random", 0.80, 1), ("purple", "charge", 0.80, 1)]
    ),
    "purple-loses-to-anti": _score_bounds([("purple", "anti", 0, 0.30)]),
    "purple-approaches-with-red": _purple_with_red,
    "first-chaser-red": _first_chaser_red,
    "purple-loses-its-blues": _purple_loses_blues,
    "charge-crushes-anti": _score_bounds([("charge", "anti", 0.85, 1)]),
    "anti-cannot-stop-first-blue": _first_blue,
    "charge-strong-weak": _charge_strong_weak,
    "purple-never-takes-last": _purple_never_takes,
}
_OTHERS = ("charge", "purple", "anti", *CFR)
#: … and those that need the CFR players' too.
ON_CFR: dict[str, Claim] = {
    "cfr-minimum-highest": _cfr_minimum_highest,
    "cfr-not-mostly-red": _cfr_not_mostly_red,
    "charge-never-down": _never_down,
    "random-weak": _all_ends([("random", other) for other in _OTHERS], -1, 0.50),
    "cfr-sometimes-takes-last": _taken_last,
    "harder-to-escape": _harder_to_escape,
    "cfr-not-all-benchmarks": _not_all,
    "b-beats-a-against-charge": _compare("cfr-b", "cfr-a", "charge"),
    "b-takes-charges-blues": _takes_blues,
    "b-worse-against-anti": _compare("cfr-a", "cfr-b", "anti"),
    "b-takes-antis-reds": _takes_reds,
    "b-takes-eagerly": _takes_eagerly,
    "both-weak-against-purple": _all_ends([(player, "purple") for player in CFR], -1, 0.35),
    "half-lost-by-reds": _half_by_reds,
    "fewer-reds-risk": _fewer_reds,
    "not-stronger-than-purple": _not_stronger,
    "less-exploitable": _less_exploitable,
}
