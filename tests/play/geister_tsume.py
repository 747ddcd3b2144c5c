"""Tsume-Geister: problems, the page's judge and its defence."""

from functools import cache

from gamecore.geister import Position, best_move
from gamecore.geister.forced import board_of
from gamecore.geister.rules import WAYS, cell_name
from gamecore.papers.geister.tsume import load

TOLD, MOVES, BOARD = "tsume_told", "tsume_moves", "tsume_board"
PROBLEMS = load()
best = cache(best_move)


def named(move, width):
    return f"{cell_name(move // 5, width)} {WAYS[move % 5]}"


def walk(table, random):
    """Some problems: wrong moves are refuted, and the best ones make the stored solution."""
    seen = []
    for problem in random.sample([one for one in PROBLEMS if one.depth <= 9], 3):
        limit, board = {"tsume_limit": problem.limit}, board_of(problem.position).tolist()
        state = table.call("geister_tsume_begin", set={BOARD: board}, get=[TOLD, MOVES])
        width, legal = board[5], state[MOVES][: state[TOLD][4]]
        position = Position.parse(problem.position.replace("u", "b", 1).replace("u", "r"))
        assert [named(move, width) for move in legal] == [*map(position.text, position.moves())]
        first = problem.solution.split(", ")[0]
        for move in legal:
            table.put({BOARD: board})
            given = limit | {"tsume_move": move}
            seen.append(table.call("geister_tsume_move", given, get=[TOLD, BOARD]))
            left, reply, result, *_ = seen[-1][TOLD]
            assert (left > 0 or result > 0) == (named(move, width) == first)
            if reply >= 0 and problem.kind == "open" and width == 4 and left > 0:
                assert best(position.play(named(move, width))) == named(reply, width)
        table.put({BOARD: board})
        line, result = [], 0
        while not result:
            told = table.call("geister_tsume_best", limit, get=[TOLD, MOVES])
            seen.append(told)
            assert told[TOLD][0] == problem.depth - len(line)
            move = told[TOLD][1]
            told = table.call("geister_tsume_move", limit | {"tsume_move": move}, get=[TOLD, BOARD])
            seen.append(told)
            _, reply, result, *_ = told[TOLD]
            line += [named(move, width)] + [named(reply, width)] * (reply >= 0)
        assert ", ".join(line) == problem.solution
    return seen


def click(page, text, width):
    """Make a move on the board."""
    cell, way = text.split()
    at = ord(cell[0]) - 97 + (int(cell[1:]) - 1) * width
    page.locator(f'.cells [data-cell="{at}"]').click()
    if way == "escape":
        page.get_by_role("button", name=f"escape from {cell}").click()
    else:
        to = at + {"up": -width, "down": width, "left": -1, "right": 1}[way]
        page.locator(f'.cells [data-cell="{to}"]').click()


def solve(number):
    def play(page):
        """A wrong move first, which is refuted and taken back; both hints; then the solution."""
        problem = PROBLEMS[number - 1]
        width, line = int(problem.board[0]), problem.solution.split(", ")
        position = Position.parse(problem.position.replace("u", "b", 1).replace("u", "r"))
        wrong = next(t for t in map(position.text, position.moves()) if t != line[0])
        click(page, wrong, width)
        page.locator(".said", has_text="Take it back").wait_for()
        page.get_by_role("button", name="Take back").click()
        page.locator(".said", has_text="Back at the beginning").wait_for()
        page.get_by_role("button", name="Hint").click()
        page.locator(".said", has_text=line[0].split()[0]).wait_for()
        page.get_by_role("button", name="Hint").click()
        page.locator(".said", has_text=line[0]).wait_for()
        for k in range(0, len(line), 2):
            click(page, line[k], width)
            left = problem.depth - k - 2
            done = f"in {left} pl" if left > 0 else f"Solved: won in {problem.depth} plies"
            page.locator(".said", has_text=done).wait_for()

    return play


def _number(board, depth):
    return 1 + next(k for k, one in enumerate(PROBLEMS) if (one.board, one.depth) == (board, depth))


GAMES = {
    "geister-tsume": [
        (f"geister-tsume.problem={number}", solve(number))
        for number in (_number("4x4", 9), _number("5x5", 7), _number("6x6", 19))
    ]
}
