"""Small games of Geister, solved whole: what a bluff is worth, and what knowing a player is worth.

Nothing here is drawn. Of `geister/bluff` a chunk's games are the most iterations of the solver, of
`geister/best-response` half of the longest limit of plies, so that few of them are the beginning of
many.
"""

from gamecore.geister.bluff import solve
from gamecore.geister.exploit import best_values
from gamecore.geister.leaves import table_of
from gamecore.geister.players import PLAYERS
from gamecore.geister.rules import Position
from gamecore.geister.solution import retrograde
from gamecore.papers.experiment import experiment

#: Where the solved games begin; colours are hidden, only the numbers of blues and reds count.
#: Of 3×2 both readings, three rows of two and two rows of three; of figure 3.3 (own pieces under
#: both goals, the opponent's beside them) two boards, and one with two blues and two reds that
#: looks the same from both sides; and where 4×4 begins with one blue and one red.
STARTS = {
    "3 rows of 2": Position.parse("b r / . . / B R"),
    "2 rows of 3": Position.parse(". r b / B R ."),
    "goal 4×4": Position.of("a2", "d2", "b1", "c1"),
    "goal 6×6": Position.of("a2", "f2", "b1", "e1", 6, 6),
    "goal 4×4, 2+2": Position.of("a2 b4", "d2 c4", "b1 c1", "a3 d3"),
    "home 4×4": Position.of("b4", "c4", "b1", "c1"),
}
#: For each start the limits that are solved, and up to which limit with one first move only.
LIMITS = {
    "3 rows of 2": (range(2, 19), 16),
    "2 rows of 3": (range(2, 17), 16),
    "goal 4×4": (range(3, 9), 7),
    "goal 6×6": (range(3, 8), 7),
    "goal 4×4, 2+2": (range(3, 6), 5),
    "home 4×4": (range(2, 9), 0),
}
OPENINGS = ("red up", "blue up")
#: Where the two bounds of a value are near enough.
GAP = 1e-6


@experiment(
    "geister/bluff",
    cells=[
        {"start": start, "limit": limit, "opening": opening}
        for start, (limits, most) in LIMITS.items()
        for limit in limits
        for opening in ("any", *(OPENINGS if limit <= most else ()))
    ],
    games=3000, quick=1, paper=1, fingerprint=2, extra=True,
)  # fmt: skip
def bluff(cell, seed, games, tables):
    """Small boards with hidden colours, solved: bounds of the value, and how red and blue go up."""
    position = STARTS[cell["start"]]
    opening = "" if cell["opening"] == "any" else cell["opening"]
    found = solve(position, cell["limit"], gap=GAP, most=games, opening=opening)
    colourings = [name.split() for name in found.moves]
    ups = {"blue": 0.0, "red": 0.0}
    for blues in colourings:
        for move, chance in found.moves[" ".join(blues)].items():
            where, way = move.split()
            if way == "up" and _counts(cell["start"], where):
                ups["blue" if where in blues else "red"] += chance / len(colourings)
    return {
        "low": found.low, "high": found.high, "blue_up": ups["blue"], "red_up": ups["red"],
        "taken": _taken(cell["start"], found.replies), "nodes": found.nodes,
        "iterations": found.iterations,
    }  # fmt: skip


def _counts(start: str, cell: str) -> bool:
    """Say whether a step up from here is the one that a start is about: to the goal, if there."""
    return cell.endswith("2") if start.startswith("goal") else True


def _taken(start: str, replies: dict) -> float:
    """Return how often the piece that has just come to the goal a1 is taken; 0 for other starts."""
    if not start.startswith("goal") or "a2 up" not in replies:
        return 0.0
    taking = "c4 right" if "4×4" in start else "e6 right"
    chances = [moves.get(taking, 0.0) for moves in replies["a2 up"].values()]
    return sum(chances) / len(chances)


@experiment(
    "geister/best-response", cells=[{"player": player} for player in PLAYERS],
    games=100, quick=1, paper=1, fingerprint=1, extra=True,
    prepare=lambda: table_of(retrograde(4, 4, 1, 1)),
)  # fmt: skip
def best_response(cell, seed, games, table):
    """The exact best response to each player on 4×4 with one blue and one red, by limit."""
    first, second = best_values(cell["player"], games, table=table)
    limits = [n for n in (1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 75, 100) if n <= games]
    return {f"first_{2 * n}": first[n] for n in limits} | {
        f"second_{2 * n}": second[n] for n in limits
    }
