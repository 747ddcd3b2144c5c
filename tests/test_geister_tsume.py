"""Tsume-Geister: the search, the stored problems, and that anybody finds the same ones again."""

import subprocess
import sys
from collections import Counter

import numpy as np
import pytest

from gamecore.geister import Move, Position, retrograde, retrograde_hidden
from gamecore.geister.forced import GOES_ON, WON, Lookahead, board_of, text_of
from gamecore.geister.rules import WAYS, cell_name
from gamecore.papers.geister import tsume
from gamecore.papers.geister.tsume import PARTS, SEED, grade, load, mirrored, search
from tests.reference.geister import LOSS, WIN, Board, purple_outcomes
from tests.reference.geister import Position as Plain

PROBLEMS = load()
SHALLOW = 7  # plies that plain Python looks ahead in some seconds


@pytest.fixture(scope="module")
def solved():
    return retrograde(4, 4, 2, 2)


def coloured(text, colours="br"):
    return Position.parse(text.replace("u", colours[0], 1).replace("u", colours[1]))


# ---- the search against the solved boards ----


def board_for(position, turn):
    """A board of the search, with the side to move as attacker (0) or as defence (1)."""
    seen = position.turned() if turn else position
    return np.array([*seen.masks, turn, position.width, position.height, 0])


def test_the_search_finds_depths_and_best_moves_of_the_solved_board(solved):
    ahead, generator, compared = Lookahead(4, 4), np.random.default_rng(1), Counter()
    while min(compared["win"], compared["loss"]) < 150:
        position = solved.position(*map(int, generator.integers(14_520, size=2)))
        if position is None:
            continue
        outcome, depth = solved.result(position)
        board = board_for(position, int(outcome == "loss"))
        texts = [position.text(Move(m // 5, WAYS[m % 5])) for m in ahead.moves(board)]
        assert texts == [*map(position.text, position.moves())]
        if outcome == "draw" or depth > 11:
            assert ahead.plies(board_for(position, 0), 9) == 0
            continue
        assert ahead.plies(board, 11) == depth
        move = ahead.best(board, 11)
        assert position.text(Move(move // 5, WAYS[move % 5])) == solved.best_move(position)
        compared[outcome] += 1


def test_the_search_finds_all_wins_of_the_general_problem():
    solved, ahead, generator = retrograde_hidden(6, 6), Lookahead(6, 6), np.random.default_rng(2)
    for depth in (*solved.win_histogram, 0):
        found = np.argwhere(solved.knowing == depth)
        for blue, red, pair in found[generator.integers(len(found), size=200)].tolist():
            p, q = np.argwhere(np.triu(np.ones((36, 36)), 1))[pair].tolist()
            if len({blue, red, p, q}) == 4:
                board = np.array([1 << blue, 1 << red, 1 << p | 1 << q, 0, 0, 6, 6, 1])
                assert ahead.plies(board, 21) == depth


def test_boards_are_read_and_printed():
    text = "u . u / . . . / B . R"
    assert text_of(board_of(text)) == text
    for wrong in ("B.R / ... / uuu", "B.R", "BBB.R / ..... / b...r", "x.r / ... / B.R", "B" * 9):
        with pytest.raises(ValueError, match=r"."):
            board_of(wrong)


# ---- the stored problems ----


def test_there_are_many_of_each_kind_from_easy_to_hard():
    assert len(PROBLEMS) >= 60
    for part in PARTS:
        own = [one for one in PROBLEMS if one.board == part.board]
        assert len(own) >= 15
        assert {one.kind for one in own} == {part.kind}
        assert len({one.depth for one in own}) >= 4
    assert min(Counter(one.grade for one in PROBLEMS).values()) >= 8
    texts = [one.position for one in PROBLEMS]
    assert len({min(text, mirrored(text)) for text in texts}) == len(texts)


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda one: f"{one.board}-{one.position}")
def test_solutions_win_by_the_rules(problem):
    assert problem.grade == grade(problem.depth, problem.tries)
    line = problem.solution.split(", ")
    assert len(line) == problem.depth
    for colours in ("br", "rb") if problem.kind == "hidden" else ("",):
        position = coloured(problem.position, colours) if colours else coloured(problem.position)
        for move in line[:-1]:
            position = position.play(move)
        assert position.play(line[-1]) == "win"


def test_4x4_has_one_winning_move_and_the_depth_of_the_solved_board(solved):
    for problem in (one for one in PROBLEMS if one.board == "4x4"):
        position = coloured(problem.position)
        assert str(solved.result(position)) == f"win in {problem.depth}"
        lost = [move for move in position.moves() if solved.reply(position, move).outcome == "loss"]
        assert [position.text(move) for move in lost] == problem.solution.split(", ")[:1]


def test_6x6_has_one_winning_move_and_the_depth_of_the_solved_board():
    solved, ahead = retrograde_hidden(6, 6), Lookahead(6, 6)

    def cells(mask):
        return " ".join(cell_name(cell, 6) for cell in range(36) if int(mask) >> cell & 1)

    for problem in (one for one in PROBLEMS if one.board == "6x6"):
        board = board_of(problem.position)
        assert str(solved.result(*map(cells, board[:3]))) == f"win in {problem.depth}"
        winning = []
        for move in ahead.moves(board):
            ends, after = ahead.play(board, move)
            if ends == WON or (
                ends == GOES_ON and solved.reply(*map(cells, after[:3])).outcome == "loss"
            ):
                winning.append(f"{cell_name(move // 5, 6)} {WAYS[move % 5]}")
        assert winning == problem.solution.split(", ")[:1]


def wins(state, plies, outcomes, known):
    """AND-OR, plain: whether who is to move wins within so many plies."""
    if (state, plies) not in known:
        known[state, plies] = plies > 0 and any(
            loses(after, plies - 1, outcomes, known) for _, after in outcomes(state)
        )
    return known[state, plies]


def loses(after, plies, outcomes, known):
    """Whether the other side, after a move that led to this, loses within so many plies."""
    if isinstance(after, str):
        return after == WIN
    return plies > 0 and all(
        reply == LOSS if isinstance(reply, str) else wins(reply, plies - 1, outcomes, known)
        for _, reply in outcomes(after)
    )


@pytest.mark.parametrize(
    "problem", [one for one in PROBLEMS if one.depth <= SHALLOW], ids=lambda one: one.position
)
def test_a_slow_search_by_the_plain_rules_agrees(problem):
    """Won in the stored number of plies, not in fewer, and by no other first move in as many."""
    masks, (width, height) = board_of(problem.position)[:4].tolist(), problem.board.split("x")
    sets = [frozenset(cell for cell in range(36) if mask >> cell & 1) for mask in masks]
    board, known = Board(int(width), int(height)), {}
    state, outcomes = Plain(*sets), board.outcomes
    if problem.kind == "hidden":
        state, outcomes = (state, 1, False), lambda one: purple_outcomes(board, one)
    assert not wins(state, problem.depth - 2, outcomes, known)
    winning = [
        f"{cell_name(cell, int(width))} {way}"
        for (cell, way), after in outcomes(state)
        if loses(after, problem.depth - 1, outcomes, known)
    ]
    assert winning == problem.solution.split(", ")[:1]


# ---- how they are found ----


def test_4x4_is_found_again_up_to_seven_plies():
    assert search(PARTS[0], SEED, longest=7) == [
        one for one in PROBLEMS if one.board == "4x4" and one.depth <= 7
    ]


def test_6x6_is_found_again():
    assert search(PARTS[2], SEED) == [one for one in PROBLEMS if one.board == "6x6"]


@pytest.mark.slow
def test_4x4_is_found_again_whole():
    assert search(PARTS[0], SEED) == [one for one in PROBLEMS if one.board == "4x4"]


def test_the_page_has_the_same_problems():
    assert tsume.PAGE.read_text(encoding="utf-8") == tsume.page(PROBLEMS)


def test_the_command_explains_itself_and_refuses_other_boards():
    command = [sys.executable, "-m", "gamecore.papers.geister.tsume"]
    told = subprocess.run([*command, "--help"], capture_output=True, text=True, check=True)
    assert "--seed" in told.stdout
    told = subprocess.run([*command, "7x7"], capture_output=True, text=True)
    assert told.returncode == 2
    assert "no board 7x7" in told.stderr
