"""The thesis's tables as experiments, the judgement of its numbers and claims, and our questions.

Games are played between fixed pairs, the player named first being the one whose table it is. A pair
of deterministic players has only 72 games (36 pairs of placements, both ways round): each of
its chunks is the same complete enumeration, so its shares are exact.
"""

import math
from collections.abc import Callable, Iterator
from functools import cache
from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd

from gamecore import rng
from gamecore.experiment import Cell, experiment
from gamecore.geister.claims import ABOUT_BENCHMARKS, CLAIMS
from gamecore.geister.hidden import retrograde_hidden
from gamecore.geister.mixture import mixture, perfect_analysis
from gamecore.geister.players import COUNTS, DETERMINISTIC, ENDINGS, match, options
from gamecore.geister.rules import Position, cell_name
from gamecore.geister.solve import retrograde
from gamecore.geister.tally import BENCHMARKS, CFR, ORDERS, Tally, against
from gamecore.stats import Ours

Pairs = Iterator[tuple[str, Ours]]
#: Player and opponent of every cell; table 6.4 mirrors some.
PAIRS = (
    ("charge", "random"), ("anti", "random"), ("charge", "anti"),
    ("purple", "random"), ("purple", "charge"), ("purple", "anti"),
)  # fmt: skip
CFR_PAIRS = tuple((player, other) for player in CFR for other in BENCHMARKS)
ALL = 72  # games of a deterministic pair
_SUMS = COUNTS[1:9]  # counts that add up; the others are told apart below
_MEANS = ("plies", "red_adjacent", "blue_adjacent")  # their spread is needed too


@experiment(
    "geister/table-6.1", cells=[{"board": "4x4", "pieces": "2+2"}],
    games=1, quick=1, paper=1, fingerprint=1, prepare=perfect_analysis,
)  # fmt: skip
def positions(cell, seed, games, tables):
    """Retrograde analysis of 4×4: results and depths of 71 million positions."""
    return {
        "total": tables.total, "wins": tables.wins, "losses": tables.losses, "draws": tables.draws,
        **{f"win_{depth}": number for depth, number in tables.win_histogram.items()},
        **{f"loss_{depth}": number for depth, number in tables.loss_histogram.items()},
    }  # fmt: skip


@positions.judge
def _(results: pd.DataFrame) -> Pairs:
    row = results.iloc[0]
    for name in ("total", "wins", "losses", "draws"):
        yield f"geister/table-6.1/positions/{name}", Ours(row[name])
    for table, outcome in (("6.2", "win"), ("6.3", "loss")):
        depths = [int(name.split("_")[1]) for name in row.index if name.startswith(f"{outcome}_")]
        for depth in depths:
            yield f"geister/table-{table}/{outcome}/{depth}", Ours(row[f"{outcome}_{depth}"])
        yield f"geister/section-6.1/{outcome}/longest", Ours(max(depths))


@experiment(
    "geister/section-4.2",
    cells=[{"problem": "general-problem"}, {"problem": "full-information-problem"}],
    games=1, quick=1, paper=1, fingerprint=1,
)  # fmt: skip
def two_pieces(cell, seed, games, tables):
    """One blue and one red a side on 6×6, colours hidden or open."""
    if cell["problem"] == "general-problem":
        solved = retrograde_hidden(6, 6)
        wins, others, longest = solved.wins, solved.others, solved.longest
        names = [cell_name(c, 6) for c in range(36)]
        free = [name for name in names if name not in ("e1", "e2", "f3")]
        pairs = [(p, q) for i, p in enumerate(free) for q in free[i + 1 :]]
        walls = sum(solved.reply("f3", "e1", f"{p} {q}").outcome == "loss" for p, q in pairs)
    else:
        full = retrograde(6, 6, 1, 1)
        wins, others, walls = full.wins, full.losses + full.draws, 0
        longest = max(full.win_histogram)
    return {"wins": wins, "others": others, "longest": longest, "walls": walls}


@two_pieces.judge
def _(results: pd.DataFrame) -> Pairs:
    for _, row in results.iterrows():
        place = f"geister/section-4.2/{row.problem}"
        yield f"{place}/wins", Ours(row.wins)
        yield f"{place}/others", Ours(row.others)
        yield f"{place}/longest-win", Ours(row.longest)
        if row.walls:
            yield "geister/figure-3.4/winning-wall/placements", Ours(row.walls)


def _summary(rows: np.ndarray) -> dict[str, int]:
    """Return the sums that tables and claims are made of."""
    table = pd.DataFrame(rows, columns=COUNTS)
    won, lost = table.ending.isin([0, 2, 4]), table.ending.isin([1, 3, 5])
    after = table.red_taken == 1
    return {
        **{name: int((table.ending == i).sum()) for i, name in enumerate(ENDINGS)},
        **{name: int(table[name].sum()) for name in _SUMS},
        **{f"{name}_squared": int((table[name] ** 2).sum()) for name in _MEANS},
        "red_taken_points": int((2 * (won & after) + (after & ~won & ~lost)).sum()),
        "red_taken_escaped": int((after & (table.ending == 5)).sum()),
        "chases": int((table.chaser >= 0).sum()),
        "red_chases": int((table.chaser == 1).sum()),
        "charge_down": int(table.charge_down.sum()),
    }


@cache
def _enumerated(player: str, opponent: str, games: int, order: str) -> dict[str, int]:
    """Play a deterministic pair; every chunk asks for the same games."""
    return _summary(match(player, opponent, games, 0, settings=options(order=order)))


def _played(
    cell: Cell, seed: np.random.SeedSequence, games: int, tables: Any, **settings: Any
) -> dict[str, int]:
    """Play one chunk of a pair."""
    player, opponent = cell["player"], cell["opponent"]
    if player in DETERMINISTIC and opponent in DETERMINISTIC:
        return _enumerated(player, opponent, games, settings.get("order", "up right down left"))
    how = options(**settings)
    table = tables.table if tables else None
    return _summary(match(player, opponent, games, seed, settings=how, table=table))


@experiment(
    "geister/benchmarks", cells=[{"player": a, "opponent": b} for a, b in PAIRS],
    games=ALL, quick=4, paper=70, fingerprint=4,
)  # fmt: skip
def benchmarks(cell, seed, games, tables):
    """Tables 6.4 to 6.6 for the four benchmark players: results, approaches, plies, endings."""
    return _played(cell, seed, games, tables)


@benchmarks.judge
def _(results: pd.DataFrame) -> Pairs:
    tally = Tally(results)
    yield from _table_4(tally, BENCHMARKS)
    yield from _tables_of(tally, "purple", "6.5", "6.6")
    yield from _claims(tally, lambda name: name in ABOUT_BENCHMARKS)


@experiment(
    "geister/matches", cells=[{"player": a, "opponent": b} for a, b in (*PAIRS, *CFR_PAIRS)],
    games=ALL, quick=1, paper=14, fingerprint=2, prepare=perfect_analysis,
)  # fmt: skip
def matches(cell, seed, games, tables):
    """Tables 6.4 and 6.7 to 6.11 for the CFR players, and all pairs for the claims."""
    return _played(cell, seed, games, tables)


@matches.judge
def _(results: pd.DataFrame) -> Pairs:
    tally = Tally(results)
    yield from _table_4(tally, CFR)
    yield from _tables_of(tally, "cfr-a", "6.7", "6.10")
    yield from _tables_of(tally, "cfr-b", "6.8", "6.11")
    yield from _claims(tally, lambda name: name not in ABOUT_BENCHMARKS)


def _claims(tally: Tally, chosen: Callable[[str], bool]) -> Pairs:
    for identity, claim in CLAIMS.items():
        if chosen(identity):
            holds, detail = claim(tally)
            yield f"geister/claim/{identity}", Ours(holds=bool(holds), detail=detail)


def _table_4(tally: Tally, players: tuple[str, ...]) -> Pairs:
    for player in players:
        for other in BENCHMARKS:
            if player == other:
                continue
            counts = dict(zip(("win", "loss", "draw"), tally.results(player, other), strict=False))
            games = tally.results(player, other)[3]
            why = tally.percent(player, other).explained_by
            for name, number in counts.items():
                ours = Ours(number / games, n=games, explained_by=why)
                yield f"geister/table-6.4/{player}-vs-{other}/{name}", ours
        least = tally.percent(player, tally.worst(player))
        yield f"geister/table-6.4/{player}/minimum-win-rate", least
        place = f"geister/section-6.2.2/{player}"
        if player in CFR:
            yield f"{place}/minimum-win-rate", least
            yield f"{place}-vs-random/win-rate", tally.percent(player, "random")
        if player == "purple":
            for other in against(player):
                yield f"{place}-vs-{other}/win-rate", tally.percent(player, other)


def _tables_of(tally: Tally, player: str, means: str, endings: str) -> Pairs:
    for other in against(player):
        row = tally.row(player, other)
        games = int(row.games)
        why = ORDERS if (player, other) == ("purple", "anti") else ""
        for label, name in (
            ("red", "red_adjacent"), ("blue", "blue_adjacent"), ("plies", "plies")
        ):  # fmt: skip
            mean = row[name] / games
            spread = math.sqrt(max(row[f"{name}_squared"] / games - mean * mean, 0.0))
            ours = Ours(mean, n=games, sd=spread, explained_by=why)
            yield f"geister/table-{means}/{label}/{other}", ours
        for name in ENDINGS[:6]:
            place = f"geister/table-{endings}/{player}-vs-{other}/{name.replace(' ', '-')}"
            yield place, Ours(row[name] / games, n=games, explained_by=why)
        if why:
            share = row[ENDINGS[3]] / games
            spread = 100 * math.sqrt(share * (1 - share))
            place = "geister/section-6.2.2/purple-vs-anti/lost-by-losing-its-blues"
            yield place, Ours(100 * share, n=games, sd=spread, explained_by=why)
    others = against(player)
    games = int(tally.pooled(player, "games", others))
    for label, suffix in (("all", ""), ("one-opposing-red-left", "_last")):
        chances = int(tally.pooled(player, f"approached{suffix}", others))
        taken = tally.pooled(player, f"taken{suffix}", others)
        theirs = max(1, round(100 * len(others) * chances / games))  # the thesis's opportunities
        ours = Ours(taken / max(chances, 1), n=max(chances, 1), paper_n=theirs)
        yield f"geister/table-6.9/{label}/{player}", ours
        if suffix and player in CFR:
            yield f"geister/section-6.2.2/{player}/one-opposing-red-left", ours


@experiment(
    "geister/first-position",
    cells=[{"blues": pair} for pair in ("ab", "ac", "ad", "bc", "bd", "cd")],
    games=1, quick=1, paper=1, fingerprint=1,
)  # fmt: skip
def first_position(cell, seed, games, tables):
    """CFR-A before the first move: how far from even its strategy is, for each own colouring."""
    names = [f"{letter}4" for letter in cell["blues"]]
    reds = " ".join(f"{c}4" for c in "abcd" if f"{c}4" not in names)
    start = Position.of(" ".join(names), reds, "a1 b1", "c1 d1")
    moves = mixture(start, "draw", 1000).moves[start.blue]
    return {"moves": len(moves), "spread": max(moves.values()) - min(moves.values())}


@first_position.judge
def _(results: pd.DataFrame) -> Pairs:
    worst = results.spread.max()
    found = f"largest difference of two moves' probabilities over six colourings: {worst:.1g}"
    yield "geister/claim/early-leaves-unresolved", Ours(holds=bool(worst <= 1e-12), detail=found)


# ---- what the thesis leaves open ----


@experiment(
    "geister/direction-orders",
    cells=[
        {"player": "purple", "opponent": "anti", "order": " ".join(order)}
        for order in permutations(("up", "right", "down", "left"))
    ],
    games=ALL, quick=1, paper=1, fingerprint=2, extra=True,
)  # fmt: skip
def direction_orders(cell, seed, games, tables):
    """The purple AI against anti-purple for each order in which ties are broken."""
    return _played(cell, seed, games, tables, order=cell["order"])


@experiment(
    "geister/colour-levels",
    cells=[{"player": a, "opponent": b} for a in ("cfr-a", "cfr-b") for b in BENCHMARKS],
    games=ALL, quick=1, paper=3, fingerprint=1, prepare=perfect_analysis, extra=True,
)  # fmt: skip
def colour_levels(cell, seed, games, tables):
    """The CFR players with uniform chance instead of decisions at the two colour levels."""
    return _played(cell, seed, games, tables, colours="chance")


@experiment(
    "geister/escape-rule",
    cells=[{"player": a, "opponent": "random"} for a in ("cfr-a", "cfr-b")],
    games=ALL, quick=1, paper=5, fingerprint=1, prepare=perfect_analysis, extra=True,
)  # fmt: skip
def escape_rule(cell, seed, games, tables):
    """The CFR players against random, without playing an available escape at once."""
    return _played(cell, seed, games, tables, escape=False)


@experiment(
    "geister/exploitability",
    cells=[
        {"leaves": leaves, "colours": colours, "iterations": iterations}
        for leaves in ("draw", "perfect")
        for colours in ("decision", "chance")
        for iterations in (10, 30, 100, 300, 1000, 3000)
    ],
    games=40, quick=1, paper=1, fingerprint=1, prepare=perfect_analysis, extra=True,
)  # fmt: skip
def exploitability(cell, seed, games, tables):
    """What best responses gain in CFR's depth-limited trees of the same random positions."""
    s = rng.state(7)  # the same positions in every cell, so that curves can be compared
    gaps = []
    for _ in range(games):
        order = np.arange(16)
        rng.shuffle(s, order)
        masks = [sum(1 << int(c) for c in order[i : i + 2]) for i in (0, 2, 4, 6)]
        start = Position(masks[0], masks[1], masks[2], masks[3])
        solved = mixture(start, cell["leaves"], cell["iterations"], colours=cell["colours"])
        gaps.append(solved.exploitability)
    squares = math.fsum(gap * gap for gap in gaps)
    return {"gap": math.fsum(gaps), "gap_squared": squares, "largest": max(gaps)}
