"""The claims of section 6.2 as tests on our games.

Their words and thresholds stand in ``data/published/geister.csv``, written before any result.
"""

import math
from collections.abc import Callable

import pandas as pd

from gamecore.geister.players import ENDINGS
from gamecore.geister.tally import BENCHMARKS, CFR, WON, Tally, against
from gamecore.stats import wilson

#: Does the claim hold, and what was found.
Finding = tuple[bool, str]


def _minima(tally: Tally, players: tuple[str, ...]) -> dict[str, tuple[float, float, float]]:
    """Return every player's lowest score and its interval."""
    found = {}
    for player in players:
        worst = tally.worst(player)
        found[player] = (tally.score(player, worst), *tally.ends(player, worst))
    return found


def _benchmarks_below_15(tally: Tally) -> Finding:
    minima = _minima(tally, BENCHMARKS)
    found = ", ".join(f"{player} {minima[player][0]:.3f}" for player in BENCHMARKS)
    return all(minima[player][2] < 0.15 for player in BENCHMARKS), f"minimum scores: {found}"


def _cfr_minimum_highest(tally: Tally) -> Finding:
    minima = _minima(tally, (*BENCHMARKS, *CFR))
    top = max(minima[player][0] for player in BENCHMARKS)
    low = ", ".join(f"{p} {minima[p][0]:.3f} (lower end {minima[p][1]:.3f})" for p in CFR)
    return all(minima[p][1] > top for p in CFR), f"{low}; best benchmark minimum {top:.3f}"


def _all_ends(questions: list[tuple[str, str]], low: float, high: float) -> Callable:
    """Return a test that the whole interval of each score lies strictly between two bounds."""

    def test(tally: Tally) -> Finding:
        ends = [tally.ends(*pair) for pair in questions]
        pairs = zip(questions, ends, strict=True)
        detail = ", ".join(f"{a} vs {b} {tally.score(a, b):.3f}" for (a, b), _ in pairs)
        return all(low < a and b < high for a, b in ends), detail

    return test


def _score_bounds(questions: list[tuple[str, str, float, float]]) -> Callable:
    """Return a test that each score (lower end, upper end) lies within closed bounds."""

    def test(tally: Tally) -> Finding:
        inside = [
            low <= tally.ends(a, b)[0] and tally.ends(a, b)[1] <= high
            for a, b, low, high in questions
        ]
        return all(inside), ", ".join(
            f"{a} vs {b} {tally.score(a, b):.3f}" for a, b, *_ in questions
        )

    return test


def _red_share(tally: Tally, player: str, other: str) -> float:
    row = tally.row(player, other)
    return row.red_adjacent / max(row.red_adjacent + row.blue_adjacent, 1)


def _purple_with_red(tally: Tally) -> Finding:
    shares = {other: 1 - _red_share(tally, "purple", other) for other in against("purple")}
    found = ", ".join(f"vs {other} {share:.3f}" for other, share in shares.items())
    return max(shares.values()) <= 0.15, f"blue share of its approaches: {found}"


def _cfr_not_mostly_red(tally: Tally) -> Finding:
    shares = {(p, o): _red_share(tally, p, o) for p in CFR for o in BENCHMARKS}
    found = f"red shares from {min(shares.values()):.2f} to {max(shares.values()):.2f}"
    return max(shares.values()) < 0.90, found


def _share(row: pd.Series, part: str, whole: str) -> float:
    return row[part] / max(row[whole], 1)


def _first_chaser_red(tally: Tally) -> Finding:
    share = _share(tally.row("purple", "anti"), "red_chases", "chases")
    return share >= 0.80, f"first chaser red in {share:.3f} of the games with a chase"


def _purple_loses_blues(tally: Tally) -> Finding:
    share = _share(tally.row("purple", "anti"), ENDINGS[3], "games")
    return 0.50 <= share <= 0.70, f"{share:.3f} of the games"


def _first_blue(tally: Tally) -> Finding:
    row = tally.row("charge", "anti")
    share = row[ENDINGS[4]] / max(row[list(WON)].sum(), 1)
    return share >= 0.80, f"{share:.3f} of charge's wins are escapes"


def _never_down(tally: Tally) -> Finding:
    steps = int(tally.pairs.charge_down.sum())
    return steps == 0, f"{steps} steps down"


def _purple_never_takes(tally: Tally) -> Finding:
    chances = int(tally.pooled("purple", "approached_last", against("purple")))
    taken = int(tally.pooled("purple", "taken_last", against("purple")))
    return chances >= 100 and taken == 0, f"{taken} of {chances} opportunities"


def _taken_last(tally: Tally) -> Finding:
    ends, found = [], []
    for player in CFR:
        chances = int(tally.pooled(player, "approached_last", BENCHMARKS))
        taken = int(tally.pooled(player, "taken_last", BENCHMARKS))
        ends.append(wilson(taken, max(chances, 1))[0])
        found.append(f"{player} {taken} of {chances}")
    return min(ends) > 0.02, ", ".join(found)


def _harder_to_escape(tally: Tally) -> Finding:
    shares = {
        player: sum(
            _share(tally.row(player, other), "red_taken_escaped", "red_taken")
            for other in against("purple")
        ) / 3
        for player in ("purple", *CFR)
    }  # fmt: skip
    found = ", ".join(f"{player} {share:.3f}" for player, share in shares.items())
    return all(shares[p] < shares["purple"] for p in CFR), f"lost by escape: {found}"


def _not_all(tally: Tally) -> Finding:
    beaten = {p: [o for o in BENCHMARKS if tally.ends(p, o)[1] < 0.5] for p in CFR}
    return all(beaten.values()), "; ".join(
        f"{p} loses to {', '.join(o)}" for p, o in beaten.items()
    )


def _z(share: float, n: float, other: float, m: float) -> float:
    spread = math.sqrt(share * (1 - share) / n + other * (1 - other) / m)
    return (share - other) / spread if spread > 0 else 0.0


def _compare(first: str, second: str, opponent: str) -> Callable:
    """Return a test that the first player scores better against an opponent."""

    def test(tally: Tally) -> Finding:
        a, b = tally.score(first, opponent), tally.score(second, opponent)
        n, m = tally.results(first, opponent)[3], tally.results(second, opponent)[3]
        return _z(a, n, b, m) > 1.96, f"{first} {a:.3f}, {second} {b:.3f}, z = {_z(a, n, b, m):.1f}"

    return test


def _takes_blues(tally: Tally) -> Finding:
    row = tally.row("cfr-b", "charge")
    share = row[ENDINGS[0]] / max(row[list(WON)].sum(), 1)
    return share > 0.5, f"{share:.3f} of CFR-B's wins"


def _takes_reds(tally: Tally) -> Finding:
    rows = [tally.row(player, "anti") for player in CFR]
    a, b = (_share(row, ENDINGS[1], "games") for row in rows)
    z = _z(b, rows[1].games, a, rows[0].games)
    return z > 1.96, f"CFR-A {a:.3f}, CFR-B {b:.3f}, z = {z:.1f}"


def _takes_eagerly(tally: Tally) -> Finding:
    n = [tally.pooled(player, "approached", BENCHMARKS) for player in CFR]
    a, b = (tally.pooled(p, "taken", BENCHMARKS) / m for p, m in zip(CFR, n, strict=True))
    return _z(b, n[1], a, n[0]) > 1.96, f"CFR-A {a:.3f}, CFR-B {b:.3f}"


def _half_by_reds(tally: Tally) -> Finding:
    rows = [tally.row(player, "purple") for player in CFR]
    lows = [wilson(row[ENDINGS[1]], int(row.games))[0] for row in rows]
    a, b = (_share(row, ENDINGS[1], "games") for row in rows)
    return min(lows) > 0.5, f"CFR-A {a:.3f}, CFR-B {b:.3f} of all games"


def _fewer_reds(tally: Tally) -> Finding:
    gaps = {}
    for player in CFR:
        differences = []
        for other in BENCHMARKS:
            row = tally.row(player, other)
            points = tally.score(player, other) * row.games
            with_red = row.red_taken_points / 2
            rest = (points - with_red) / max(row.games - row.red_taken, 1)
            differences.append(with_red / max(row.red_taken, 1) - rest)
        gaps[player] = sum(differences) / len(differences)
    found = ", ".join(f"{player} {gap:+.3f}" for player, gap in gaps.items())
    return max(gaps.values()) < 0, f"score with a red taken minus without: {found}"


def _not_stronger(tally: Tally) -> Finding:
    means = {
        player: sum(tally.score(player, other) for other in against("purple")) / 3
        for player in ("purple", *CFR)
    }
    found = ", ".join(f"{player} {mean:.3f}" for player, mean in means.items())
    return all(means[p] < means["purple"] for p in CFR), f"mean scores: {found}"


def _less_exploitable(tally: Tally) -> Finding:
    one, two = _cfr_minimum_highest(tally)[0], _cfr_not_mostly_red(tally)[0]
    return one and two, f"minima highest: {bool(one)}; not mostly red: {bool(two)}"


_OTHERS = ("charge", "purple", "anti", *CFR)
CLAIMS: dict[str, Callable] = {
    "benchmarks-below-15": _benchmarks_below_15,
    "cfr-minimum-highest": _cfr_minimum_highest,
    "purple-crushes-weak": _score_bounds(
        [("purple", "random", 0.80, 1), ("purple", "charge", 0.80, 1)]
    ),
    "purple-loses-to-anti": _score_bounds([("purple", "anti", 0, 0.30)]),
    "purple-approaches-with-red": _purple_with_red,
    "cfr-not-mostly-red": _cfr_not_mostly_red,
    "first-chaser-red": _first_chaser_red,
    "purple-loses-its-blues": _purple_loses_blues,
    "charge-crushes-anti": _score_bounds([("charge", "anti", 0.85, 1)]),
    "anti-cannot-stop-first-blue": _first_blue,
    "charge-strong-weak": lambda t: (
        t.score("charge", "purple") < 0.20 and t.score("charge", "anti") > 0.80,
        f"{t.score('charge', 'purple'):.3f} and {t.score('charge', 'anti'):.3f}",
    ),
    "charge-never-down": _never_down,
    "random-weak": _all_ends([("random", other) for other in _OTHERS], -1, 0.50),
    "purple-never-takes-last": _purple_never_takes,
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
#: Claims that the benchmark players' games alone decide; the others need the CFR players' too.
ABOUT_BENCHMARKS = frozenset(
    {
        "benchmarks-below-15", "purple-crushes-weak", "purple-loses-to-anti",
        "purple-approaches-with-red", "first-chaser-red", "purple-loses-its-blues",
        "charge-crushes-anti", "anti-cannot-stop-first-blue", "charge-strong-weak",
        "purple-never-takes-last",
    }
)  # fmt: skip
