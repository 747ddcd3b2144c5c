"""Slow, plain rules of Synchronized Triomineering: the reference of the fast kernels.

Written only from the paper (shared/papers/msucb-triomineering.txt) and its spec
(shared/specs/triomineering.md): rules in section 4, playouts and players in 6.1 and table 1, the
Nash approximation in 3.1 and figure 3, the UCB value in 6.4, outcome classes in 6.6.2.

A cell is (row, column), a position is the frozenset of filled cells, and a move is the top (V) or
left (H) cell of a piece of three.  Results and values are V's: win 1, draw 1/2, loss 0.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from itertools import product
from math import inf, log, sqrt
from random import Random
from typing import NamedTuple

Cell = tuple[int, int]
Cells = frozenset[Cell]
Matrix = list[list[float]]
HALF = Fraction(1, 2)
EMPTY: Cells = frozenset()


def piece(player: str, move: Cell) -> Cells:
    """The three cells of a move."""
    row, column = move
    if player == "V":
        return frozenset((row + k, column) for k in range(3))
    return frozenset((row, column + k) for k in range(3))


def board(rows: int, columns: int) -> Cells:
    return frozenset(product(range(rows), range(columns)))


def moves_in(free: Cells, player: str) -> list[Cell]:
    return sorted(cell for cell in free if piece(player, cell) <= free)


def legal_moves(rows: int, columns: int, filled: Cells, player: str) -> list[Cell]:
    """In order of row, then column."""
    return moves_in(board(rows, columns) - filled, player)


def play(filled: Cells, v: Cell, h: Cell) -> Cells:
    """Both pieces are placed at once; they may share a cell, as they never share two."""
    new = piece("V", v) | piece("H", h)
    assert not new & filled
    return filled | new


def outcome(v_can_move: bool, h_can_move: bool) -> Fraction | None:
    """A player who cannot move loses; if neither can, it is a draw; None while both can."""
    if v_can_move and h_can_move:
        return None
    return HALF if v_can_move == h_can_move else Fraction(v_can_move)


def result(rows: int, columns: int, filled: Cells) -> Fraction | None:
    v, h = (legal_moves(rows, columns, filled, player) for player in "VH")
    return outcome(bool(v), bool(h))


# Exact values.


class Solution(NamedTuple):
    """`low` is the best result V can force surely, `high` the best (lowest) H can force surely.

    Surely means with probability one.  If a mixed strategy forces a result surely, so does each
    move it mixes, so pure moves suffice: low is the maximum over V's moves of the minimum over
    H's moves of the low of the next position, and high the minimum over H's moves of the maximum
    over V's moves of the high of the next position; at the end both are the result.
    """

    value: Fraction
    low: Fraction
    high: Fraction


CLASSES = {
    (1, 1): "V",
    (0, 0): "H",
    (HALF, HALF): "D",
    (HALF, 1): "VD",
    (0, HALF): "HD",
    (0, 1): "VHD",
}


def combine(table: list[list[Solution]]) -> Solution:
    """The solution of a position from those of the positions after each pair of moves."""
    low = max(min(s.low for s in row) for row in table)
    high = min(max(s.high for s in column) for column in zip(*table, strict=True))
    if low == high:  # low <= value <= high
        return Solution(low, low, high)
    return Solution(matrix_value([[s.value for s in row] for row in table]), low, high)


def matrix_value(matrix: list[list[Fraction]]) -> Fraction:
    """A pure saddle point if there is one, else the linear programme."""
    lower = max(min(row) for row in matrix)
    upper = min(max(column) for column in zip(*matrix, strict=True))
    return lower if lower == upper else solve_matrix(matrix)[0]


def solve_matrix(matrix: list[list[Fraction]]) -> tuple[Fraction, list[Fraction], list[Fraction]]:
    """Value and one optimal mixture of each player, by the simplex method in exact fractions.

    With every payoff raised by one (so positive), the column player maximises sum(y) subject to
    matrix y <= 1 and y >= 0; the value is 1 / sum(y), and the dual solution is the row player's.
    Bland's rule (lowest index in, lowest index out) prevents cycling.
    """
    m, n = len(matrix), len(matrix[0])
    tableau = [
        [Fraction(x) + 1 for x in row] + [Fraction(k == i) for k in range(m)] + [Fraction(1)]
        for i, row in enumerate(matrix)
    ]
    cost = [Fraction(-1)] * n + [Fraction(0)] * (m + 1)
    basis = list(range(n, n + m))
    while any(x < 0 for x in cost[:-1]):
        enter = next(j for j, x in enumerate(cost) if x < 0)
        ratios = [
            (row[-1] / row[enter], basis[i], i) for i, row in enumerate(tableau) if row[enter] > 0
        ]
        leave = min(ratios)[2]
        pivot = tableau[leave][enter]
        tableau[leave] = [x / pivot for x in tableau[leave]]
        for row in [*tableau[:leave], *tableau[leave + 1 :], cost]:
            if factor := row[enter]:
                row[:] = [x - factor * y for x, y in zip(row, tableau[leave], strict=True)]
        basis[leave] = enter
    total = cost[-1]
    y = [Fraction(0)] * (n + m)
    for i, variable in enumerate(basis):
        y[variable] = tableau[i][-1]
    return 1 / total - 1, [x / total for x in cost[n : n + m]], [x / total for x in y[:n]]


@cache
def solve_plainly(rows: int, columns: int, filled: Cells) -> Solution:
    """No reduction at all: for small boards, and to check `solve`."""
    v, h = (legal_moves(rows, columns, filled, player) for player in "VH")
    end = outcome(bool(v), bool(h))
    if end is not None:
        return Solution(end, end, end)
    return combine([[solve_plainly(rows, columns, play(filled, i, j)) for j in h] for i in v])


Part = tuple[Cell, ...]  # the sorted cells of a canonical component


@cache
def parts(free: Cells) -> tuple[Part, ...]:
    """The components of the free cells, each moved to the origin and reflected to the least image.

    Cells that no piece can use are dropped; two cells are connected if a piece covers both.  No
    move touches two components and the result depends only on who can still move somewhere, so
    shifting or reflecting a component on its own changes nothing.  (Values of components do not
    add up: the components of a position are still solved together.)
    """
    pieces = [piece(player, move) for player in "VH" for move in moves_in(free, player)]
    components: list[Cells] = []
    for new in pieces:
        touching = [c for c in components if c & new]
        components = [c for c in components if not c & new] + [new.union(*touching)]
    return tuple(sorted(canonical(c) for c in components))


def canonical(component: Cells) -> Part:
    images = []
    for up, left in product((1, -1), repeat=2):
        image = [(up * row, left * column) for row, column in component]
        top, edge = min(row for row, _ in image), min(column for _, column in image)
        images.append(tuple(sorted((row - top, column - edge) for row, column in image)))
    return min(images)


@cache
def part_moves(part: Part, player: str) -> tuple[Cells, ...]:
    return tuple(piece(player, move) for move in moves_in(frozenset(part), player))


@cache
def solve_parts(position: tuple[Part, ...]) -> Solution:
    v, h = (
        [(k, new) for k, part in enumerate(position) for new in part_moves(part, player)]
        for player in "VH"
    )
    end = outcome(bool(v), bool(h))
    if end is not None:
        return Solution(end, end, end)

    def after(a: int, v_piece: Cells, b: int, h_piece: Cells) -> Solution:
        rest = [part for k, part in enumerate(position) if k not in (a, b)]
        if a == b:
            rest += parts(frozenset(position[a]) - v_piece - h_piece)
        else:
            rest += parts(frozenset(position[a]) - v_piece)
            rest += parts(frozenset(position[b]) - h_piece)
        return solve_parts(tuple(sorted(rest)))

    return combine([[after(*i, *j) for j in h] for i in v])


def solve(rows: int, columns: int, filled: Cells = EMPTY) -> Solution:
    return solve_parts(parts(board(rows, columns) - filled))


def value(rows: int, columns: int, filled: Cells = EMPTY) -> Fraction:
    return solve(rows, columns, filled).value


def outcome_class(rows: int, columns: int, filled: Cells = EMPTY) -> str:
    """Which results remain possible: all from what V can force surely to what H can."""
    solution = solve(rows, columns, filled)
    return CLASSES[solution.low, solution.high]


def value_table(rows: int, columns: int, filled: Cells = EMPTY) -> list[list[Fraction]]:
    """The values after each pair of legal moves: a row per move of V, a column per move of H."""
    v, h = (legal_moves(rows, columns, filled, player) for player in "VH")
    return [[value(rows, columns, play(filled, i, j)) for j in h] for i in v]


def correct_moves(rows: int, columns: int, filled: Cells = EMPTY) -> tuple[list[Cell], list[Cell]]:
    """The moves which alone, played surely, keep the value against every reply."""
    table, exact = value_table(rows, columns, filled), value(rows, columns, filled)
    v, h = (legal_moves(rows, columns, filled, player) for player in "VH")
    good_v = [move for move, row in zip(v, table, strict=True) if min(row) == exact]
    columns_ = zip(*table, strict=True)
    good_h = [move for move, column in zip(h, columns_, strict=True) if max(column) == exact]
    return good_v, good_h


# Playouts (section 6.1).


def hindering_moves(rows: int, columns: int, filled: Cells, player: str) -> list[Cell]:
    """The legal moves that touch a currently legal move of the opponent."""
    other = "H" if player == "V" else "V"
    theirs = EMPTY.union(
        *(piece(other, move) for move in legal_moves(rows, columns, filled, other))
    )
    moves = legal_moves(rows, columns, filled, player)
    return [move for move in moves if piece(player, move) & theirs]


def playout_moves(rows: int, columns: int, filled: Cells, player: str) -> list[Cell]:
    """The moves that hinder the opponent; all if none do."""
    moves = hindering_moves(rows, columns, filled, player)
    return moves or legal_moves(rows, columns, filled, player)


def random_playout(
    rows: int, columns: int, filled: Cells, rng: Random, literal: bool = False
) -> Fraction:
    """V's result of uniformly random filtered moves to the end.

    Taken literally, the filter leaves no move if none hinders the opponent: a draw.
    """
    while (end := result(rows, columns, filled)) is None:
        if literal and not hindering_moves(rows, columns, filled, "V"):
            return HALF
        v, h = (rng.choice(playout_moves(rows, columns, filled, player)) for player in "VH")
        filled = play(filled, v, h)
    return end


def orbits(size: int, player: str) -> list[list[Cell]]:
    """A player's first moves on a square board, by reflections; each starts with its least move.

    Turning by 90 degrees would exchange the players, so four symmetries remain.
    """
    last = [size - 3, size - 1] if player == "V" else [size - 1, size - 3]
    images = [
        sorted({(r, c), (last[0] - r, c), (r, last[1] - c), (last[0] - r, last[1] - c)})
        for r, c in legal_moves(size, size, EMPTY, player)
    ]
    return sorted(orbit for k, orbit in enumerate(images) if orbit not in images[:k])


Choose = Callable[[Cells, int], int]
Playout = Callable[[int, int, Choose | None], tuple[float, float]]


def make_playout(
    rows: int,
    columns: int,
    filled: Cells,
    player: str,
    rng: Random,
    own: list[list[Cell]] | None = None,
    draw: float = 0.5,
    other_draw: float = 0.5,
    literal: bool = False,
) -> Playout:
    """A playout after own move i and the opponent's move j: both utilities, own first.

    `own` lists orbits of which a random image is played (by default each move is alone).
    `choose` (MSUCB1.5) picks among all own legal moves of the second round, where the opponent's
    move is a playout move; it is not asked when the game is over, or is by the `literal` filter.
    """
    other = "H" if player == "V" else "V"
    own = own or [[move] for move in legal_moves(rows, columns, filled, player)]
    theirs = legal_moves(rows, columns, filled, other)

    def both(position: Cells, mine: Cell, reply: Cell) -> Cells:
        return play(position, *((mine, reply) if player == "V" else (reply, mine)))

    def playout(i: int, j: int, choose: Choose | None = None) -> tuple[float, float]:
        position = both(filled, rng.choice(own[i]), theirs[j])
        over = literal and not hindering_moves(rows, columns, position, player)
        if choose and not over and result(rows, columns, position) is None:
            moves = legal_moves(rows, columns, position, player)
            mine = moves[choose(position, len(moves))]
            position = both(
                position, mine, rng.choice(playout_moves(rows, columns, position, other))
            )
        end = random_playout(rows, columns, position, rng, literal)
        if end == HALF:
            return draw, other_draw
        won = float(end if player == "V" else 1 - end)
        return won, 1 - won

    return playout


# Nash approximations (figure 3).  Both tables are indexed [own move][opponent's move]; the own
# player moves first in each round and the opponent already answers the change.  Ties: lowest index.

Mixtures = tuple[list[float], list[float]]


def opposite(own: Matrix) -> Matrix:
    return [[1 - x for x in row] for row in own]


def coefficients(payoff: Iterable[Iterable[float]], weights: list[float]) -> list[float]:
    """The paper's coe(i) for every own move against the opponent's weights."""
    return [sum(x * w for x, w in zip(row, weights, strict=True)) for row in payoff]


def arg_max(values: list[float]) -> int:
    return max(range(len(values)), key=lambda k: values[k])


def fictitious_play(own: Matrix, other: Matrix, rounds: int = 100) -> Mixtures:
    """Each round adds one to the best answer to the opponent's counts so far.

    The uniform start weighs one round in the counts answered; it is no part of the output.
    """
    payoffs = own, list(zip(*other, strict=True))
    counts = [[0] * len(payoff) for payoff in payoffs]
    for _ in range(rounds):
        for me in (0, 1):
            answered = [1 / len(counts[1 - me]) + k for k in counts[1 - me]]
            counts[me][arg_max(coefficients(payoffs[me], answered))] += 1
    return [k / rounds for k in counts[0]], [k / rounds for k in counts[1]]


def constant_step(own: Matrix, other: Matrix, rounds: int = 200, step: float = 0.1) -> Mixtures:
    """Move the mixture by `step` towards the best answer to the opponent's current mixture.

    The output averages the mixtures after each round's step.
    """
    payoffs = own, list(zip(*other, strict=True))
    current = [[1 / len(payoff)] * len(payoff) for payoff in payoffs]
    sums = [[0.0] * len(payoff) for payoff in payoffs]
    for _ in range(rounds):
        for me in (0, 1):
            best = arg_max(coefficients(payoffs[me], current[1 - me]))
            current[me] = [(1 - step) * x + step * (k == best) for k, x in enumerate(current[me])]
            sums[me] = [s + x for s, x in zip(sums[me], current[me], strict=True)]
    return [s / rounds for s in sums[0]], [s / rounds for s in sums[1]]


def worst_to_best(own: Matrix, other: Matrix, rounds: int = 200, step: float = 0.1) -> Mixtures:
    """Move up to `step` from the worst move that still has a probability to the best answer.

    The output averages the mixtures after each round's step.
    """
    payoffs = own, list(zip(*other, strict=True))
    current = [[1 / len(payoff)] * len(payoff) for payoff in payoffs]
    sums = [[0.0] * len(payoff) for payoff in payoffs]
    for _ in range(rounds):
        for me in (0, 1):
            gains = coefficients(payoffs[me], current[1 - me])
            best = arg_max(gains)
            left = [k for k, x in enumerate(current[me]) if x > 0]
            worst = min(left, key=lambda k: gains[k])
            moved = min(step, current[me][worst]) if gains[worst] < gains[best] else 0
            current[me][best] += moved
            current[me][worst] -= moved
            sums[me] = [s + x for s, x in zip(sums[me], current[me], strict=True)]
    return [s / rounds for s in sums[0]], [s / rounds for s in sums[1]]


def regret_matching_plus(own: Matrix, other: Matrix, rounds: int = 100) -> Mixtures:
    """Alternating, regrets cut at zero, round t weighs t in the average (as in CFR+)."""
    payoffs = own, list(zip(*other, strict=True))
    current = [[1 / len(payoff)] * len(payoff) for payoff in payoffs]
    regrets, sums = ([[0.0] * len(payoff) for payoff in payoffs] for _ in range(2))
    for t in range(1, rounds + 1):
        for me in (0, 1):
            gains = coefficients(payoffs[me], current[1 - me])
            mean = sum(x * g for x, g in zip(current[me], gains, strict=True))
            regrets[me] = [max(0, r + g - mean) for r, g in zip(regrets[me], gains, strict=True)]
            if total := sum(regrets[me]):
                current[me] = [r / total for r in regrets[me]]
            sums[me] = [s + t * x for s, x in zip(sums[me], current[me], strict=True)]
    return [s / sum(sums[0]) for s in sums[0]], [s / sum(sums[1]) for s in sums[1]]


# Players (table 1): m own moves, n moves of the opponent, and a playout callback.


def ucb(total: float, visits: int, t: int, c: float) -> float:
    """mean + c sqrt(2 ln t / visits); infinite for what was never visited."""
    return total / visits + c * sqrt(2 * log(t) / visits) if visits else inf


class Search:
    """Visits and sums of both players' utilities for each pair of moves; the final mixture."""

    def __init__(self, m: int, n: int) -> None:
        self.visits = [[0] * n for _ in range(m)]
        self.own, self.other = ([[0.0] * n for _ in range(m)] for _ in range(2))
        self.policy: list[float] = []

    def add(self, i: int, j: int, utilities: tuple[float, float]) -> None:
        self.visits[i][j] += 1
        self.own[i][j] += utilities[0]
        self.other[i][j] += utilities[1]

    def choose_surely(self, scores: list[float]) -> "Search":
        self.policy = [float(k == arg_max(scores)) for k in range(len(scores))]
        return self

    def best_own(self, t: int, c: float) -> int:
        rows = zip(self.own, self.visits, strict=True)
        return arg_max([ucb(sum(total), sum(visits), t, c) for total, visits in rows])

    def best_other(self, t: int, c: float) -> int:
        columns = zip(zip(*self.other, strict=True), zip(*self.visits, strict=True), strict=True)
        return arg_max([ucb(sum(total), sum(visits), t, c) for total, visits in columns])

    def tables(self, t: int, c: float) -> tuple[Matrix, Matrix]:
        """Both players' UCB values of every pair; with c = 0 the means."""
        own, other = (
            [
                [ucb(x, k, t, c) for x, k in zip(row, counts, strict=True)]
                for row, counts in zip(sums, self.visits, strict=True)
            ]
            for sums in (self.own, self.other)
        )
        return own, other


def mc(m: int, n: int, playouts: int, playout: Playout, rng: Random) -> Search:
    """Own moves in turn, the opponent's uniformly; the best mean."""
    search = Search(m, n)
    for t in range(playouts):
        i, j = t % m, rng.randrange(n)
        search.add(i, j, playout(i, j, None))
    rows = zip(search.own, search.visits, strict=True)
    return search.choose_surely([sum(total) / sum(visits) for total, visits in rows])


def simple_ucb(
    m: int, n: int, playouts: int, playout: Playout, rng: Random, c: float = 0.5, both: bool = True
) -> Search:
    """SimpleUCB1: each player's best UCB value on its own moves; the most visited own move.

    With both = False SimpleUCB0.5: the opponent's moves are uniform.
    """
    search = Search(m, n)
    for t in range(playouts):
        i, j = search.best_own(t, c), search.best_other(t, c) if both else rng.randrange(n)
        search.add(i, j, playout(i, j, None))
    return search.choose_surely([sum(visits) for visits in search.visits])


def msucb(
    m: int,
    n: int,
    playouts: int,
    playout: Playout,
    rng: Random,
    c: float = 0.5,
    deeper: bool = False,
    nash: Callable[..., Mixtures] = fictitious_play,
    final_rounds: int = 2000,
    every: int = 1,
) -> Search:
    """MSUCB1; with deeper = True MSUCB1.5.

    Every pair once, then pairs sampled from the approximate equilibrium of both UCB tables, which
    is recomputed each `every` playouts; the policy is that of the means.  MSUCB1.5 adds, to each
    pair (and to each image of it, where orbits are used), a UCB bandit over own next moves.
    """
    search = Search(m, n)
    bandits: dict[tuple[int, int, Cells], Search] = {}
    for t in range(playouts):
        i, j = divmod(t, n)
        if t >= m * n:
            if (t - m * n) % every == 0:
                p, q = nash(*search.tables(t, c))
            i, j = rng.choices(range(m), p)[0], rng.choices(range(n), q)[0]
        used: list[tuple[Search, int]] = []

        def choose(position: Cells, count: int, i: int = i, j: int = j, used: list = used) -> int:
            bandit = bandits.setdefault((i, j, position), Search(count, 1))
            used.append((bandit, bandit.best_own(sum(map(sum, bandit.visits)), c)))
            return used[0][1]

        utilities = playout(i, j, choose if deeper else None)
        search.add(i, j, utilities)
        for bandit, arm in used:
            bandit.add(arm, 0, utilities)
    search.policy = nash(*search.tables(1, 0), rounds=final_rounds)[0]
    return search


def exploitability(policy: list, table: list[list[Fraction]], player: str) -> float:
    """What the best reply takes from the value of the table (V's values, V's moves in rows)."""
    exact = matrix_value(table)
    if player == "V":
        return exact - min(coefficients(zip(*table, strict=True), policy))
    return max(coefficients(table, policy)) - exact
