"""Geister: rules, players and CFR against the plain-Python reference, retrograde analysis against
brute force, and errors."""

import dataclasses
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import geister
from gamecore.geister import cfr, leaves, players, sets, tree
from gamecore.geister.hidden import retrograde_hidden
from gamecore.geister.matches import ENDINGS, match
from gamecore.geister.rules import DIRECTIONS, Move, Position, cell_name, mask_of, turn
from gamecore.geister.state import State
from gamecore.geister.strategy import mixture
from tests.reference import geister as reference


def cells(mask):
    return frozenset(i for i in range(mask.bit_length()) if mask >> i & 1)


def plain(position):
    return reference.Position(*map(cells, position.masks))


def pair(move):
    """A move as the reference writes it."""
    return move.cell, move.direction


def rows_of(played):
    """The counts of a match, a row for each game."""
    return np.array([*played.counts.values()]).T


@st.composite
def positions(draw, width=4, height=4, most=2):
    counts = [draw(st.integers(1, most)) for _ in range(4)]
    order = draw(st.permutations(range(width * height)))
    masks, used = [], 0
    for count in counts:
        masks.append(mask_of(order[used : used + count]))
        used += count
    return Position(*masks, width, height)


# ---- rules ----


@given(st.integers(2, 5).flatmap(lambda w: positions(w, 4, 2 if w > 2 else 1)))
def test_moves_and_outcomes_equal_the_reference(position):
    board = reference.Board(position.width, position.height)
    moves = [pair(move) for move in position.moves()]
    assert moves == board.moves(plain(position))
    for move, after in board.outcomes(plain(position)):
        ours = position.play(Move(*move))
        assert (ours if isinstance(ours, str) else plain(ours)) == after


@given(positions())
def test_turning_twice_changes_nothing(position):
    assert position.turned().turned() == position
    assert turn(position.blue, 16) == position.turned().their_blue


@pytest.mark.parametrize(
    ("sides", "complaint"),
    [
        (("a4 a4", "b4", "a1", "b1"), "named twice"),
        (("a4", "a4", "a1", "b1"), "overlap"),
        (("", "a4", "a1", "b1"), "at least one blue"),
        (("e4", "a4", "a1", "b1"), "no cell 'e4'"),
    ],
)
def test_impossible_positions_are_refused(sides, complaint):
    with pytest.raises(ValueError, match=complaint):
        Position.of(*sides)


def test_an_illegal_move_is_refused():
    start = Position.of("a4 b4", "c4 d4", "a1 b1", "c1 d1")
    for move in (Move(12, "left"), "a4 left", "a4", "north"):
        with pytest.raises(ValueError, match="is not a move"):
            start.play(move)
    assert start.play("a4 up") == start.play(Move(12, "up"))


# ---- retrograde analysis ----


@pytest.mark.parametrize(
    "board",
    [
        (2, 2, 1, 1), (2, 3, 1, 1), (3, 2, 1, 1), (3, 3, 1, 1), (3, 3, 1, 2), (3, 3, 2, 1),
        (3, 4, 1, 1), (4, 3, 1, 1), (4, 4, 1, 1), (2, 4, 1, 1), (4, 2, 1, 1),
        *(pytest.param(more, marks=pytest.mark.slow) for more in (
            (2, 4, 2, 2), (4, 2, 2, 2), (3, 3, 2, 2), (3, 4, 2, 1), (3, 4, 1, 2),
        )),
    ],
)  # fmt: skip
def test_retrograde_analysis_equals_brute_force_on_every_position(board):
    solved, slow = geister.retrograde(*board), reference.brute_force_retrograde(*board)
    assert (solved.total, solved.wins, solved.losses, solved.draws) == (
        slow.total, slow.wins, slow.losses, slow.draws
    )  # fmt: skip
    assert solved.win_histogram == slow.histogram(reference.WIN)
    assert solved.loss_histogram == slow.histogram(reference.LOSS)
    every = list(slow.items())
    for position, result in random.Random(1).sample(every, min(400, len(every))):
        ours = Position(*map(mask_of, position), *board[:2])
        assert tuple(solved.result(ours)) == result


@pytest.mark.parametrize("board", [(2, 2), (3, 3), (3, 2), (4, 3), (3, 4)])
def test_general_problem_equals_brute_force_on_every_position(board):
    solved, slow = retrograde_hidden(*board), reference.brute_force_hidden(*board)
    assert (solved.wins, solved.others) == (slow.wins, slow.others)
    assert solved.win_histogram == slow.histogram(reference.WIN)
    for (blue, red, purple), result in slow.items():
        names = [cell_name(cell, board[0]) for cell in (*blue, *red, *sorted(purple))]
        assert tuple(solved.result(names[0], names[1], " ".join(names[2:]))) == result


@pytest.fixture(scope="module")
def whole():
    return geister.retrograde(4, 4, 2, 2)


def test_stored_results_follow_from_their_successors(whole):
    assert whole.verify(300, seed=3) == 300


def test_verifier_notices_a_wrong_result():
    solved = geister.retrograde(3, 3, 1, 1)
    solved.planes[1] ^= ~np.uint64(0)  # every depth changes by 2
    with pytest.raises(AssertionError, match="successors say"):
        solved.verify(50)


def test_longest_wins_are_played_out_to_the_end(whole):
    longest = whole.positions(max(whole.win_histogram))
    assert len(longest) == whole.win_histogram[47] == 4
    for position in longest:
        line = whole.best_line(position)
        assert len(line.moves) == 47
        assert line.positions[-1].play(line.moves[-1]) == "win"
    lost = whole.positions(48)
    assert len(lost) == 2
    line = whole.best_line(lost[0])
    assert len(line.moves) == 48
    assert line.positions[-1].play(line.moves[-1]) == "win"


def test_analysis_does_not_depend_on_workers_or_on_keeping_depths():
    one, two = (geister.retrograde(3, 4, 2, 1, workers=w, depths=w == 1) for w in (1, 2))
    assert (one.win_histogram, one.loss_histogram) == (two.win_histogram, two.loss_histogram)
    position = Position.of("a4", "b4", "a1", "b1", 3, 4)
    assert two.result(position) == one.result(position)._replace(depth=None)
    assert one.verify(500) == two.verify(500) == 500
    with pytest.raises(ValueError, match="depths were not kept"):
        two.best_line(position)


def test_boards_that_make_no_sense_or_do_not_fit_are_refused(whole):
    with pytest.raises(ValueError, match=r"needs .* GB, more than the"):
        geister.retrograde(6, 6, 4, 4)
    with pytest.raises(ValueError, match="do not fit on 9 cells"):
        geister.retrograde(3, 3, 3, 2)
    with pytest.raises(ValueError, match="at least one, must be a whole number from 1"):
        geister.retrograde(4, 4, 0, 2)
    with pytest.raises(ValueError, match="the width of a board must be a whole number from 2"):
        geister.retrograde(1, 4, 1, 1)
    with pytest.raises(ValueError, match="at most 2 blues"):
        whole.result(Position.of("a4 b4 c4", "d4", "a1", "b1"))
    with pytest.raises(ValueError, match="4×4 board"):
        whole.result(Position.of("a3", "b3", "a1", "b1", 3, 3))
    with pytest.raises(ValueError, match="four different"):
        retrograde_hidden(3, 3).result("a1", "a1", "b2 c3")
    with pytest.raises(ValueError, match="at most 64 cells"):
        retrograde_hidden(9, 9)


# ---- players ----


@st.composite
def searches(draw):
    """Readings of the searching players: ours, and the reference's."""
    order = draw(st.permutations(tuple(DIRECTIONS)))
    scan = draw(st.sampled_from(["rows", "backwards", "reds", "blues"]))
    horizon = draw(st.sampled_from(["moves", "positions"]))
    weights = draw(st.sampled_from([(1000, 1, 1), (1000, 1, 0), (3, 2, 5)]))
    depth = draw(st.integers(2, 3))
    how = {"scan": scan, "horizon": horizon, "weights": weights}
    return (
        players.settings(" ".join(order), depth, **how),
        reference.Search(depth, tuple(order), **how),
    )


@settings(max_examples=24, deadline=None)
@given(positions(), st.integers(0, 3), searches())
def test_deterministic_players_decide_as_the_reference_does(position, place, readings):
    board, seen = reference.Board(4, 4), plain(position)
    how, same = readings

    def ours(name, chaser=-1):
        seen = dataclasses.replace(
            State.of(position), chasers=(-1, turn(chaser, 16)) if chaser >= 0 else (-1, -1)
        )
        return chosen(name, seen, settings=how)

    assert ours("charge") == reference.charge_player(board, seen, [], None)
    assert ours("purple") == reference.purple_player(board, seen, [], None, same)
    theirs = sorted(seen.their_blue | seen.their_red)
    red = frozenset(theirs[place : place + 1])  # none if it was taken
    believed = seen._replace(their_blue=frozenset(theirs) - red, their_red=red)
    if believed.their_blue:
        assert ours("anti", mask_of(red)) == reference.knowing_player(board, believed, same)


def chosen(name, state, **how):
    """What a player does that is sure of it, as the reference writes it."""
    [move] = [move for move, chance in geister.ask(name, state, **how).items() if chance == 1.0]
    cell, direction = move.split()
    return 4 * (int(cell[1]) - 1) + "abcd".index(cell[0]), direction


def test_who_moves_second_looks_at_one_board_the_other_way_round():
    def rows(order, scan):
        how = players.settings(order, 2, scan=scan)
        return rows_of(match("purple", "charge", 72, 0, settings=how))

    board, first = rows("up right down left", "board"), rows("up right down left", "rows")
    second = rows("down left up right", "backwards")
    assert (board[::2] == first[::2]).all()  # of two games the purple AI begins the first
    assert (board[1::2] == second[1::2]).all()
    assert (first != second).any(axis=1).reshape(-1, 2).any(axis=0).all()


def test_whole_games_equal_the_reference():
    board, shallow = reference.Board(4, 4), reference.Search(depth=2)
    plays = {
        "charge": reference.charge_player,
        "purple": lambda *a: reference.purple_player(*a, shallow),
        "anti": lambda *a: reference.anti_purple_player(*a, shallow),
    }
    for first, second in (("purple", "anti"), ("charge", "anti"), ("purple", "charge")):
        counts = match(first, second, 72, 0, settings=players.settings(depth=2)).counts
        for number in (0, 23, 38, 71):
            expected = reference_row(board, plays[first], plays[second], number)
            assert {name: counts[name][number] for name in expected} == expected


def reference_row(board, first, second, number):
    """Play game `number` of a deterministic pair with the reference; return the same counts."""
    mine, theirs = divmod(number // 2 % 36, 6)
    blues = [frozenset(c) for c in ((12, 13), (12, 14), (12, 15), (13, 14), (13, 15), (14, 15))]
    row = frozenset(range(12, 16))
    own = blues[mine], row - blues[mine]
    other = blues[theirs], row - blues[theirs]
    sides, order = ((own, other), (first, second)) if number % 2 == 0 else (
        (other, own), (second, first)
    )  # fmt: skip
    start = reference.Position(*sides[0], *map(board.turned, sides[1]))
    ended, game = reference.play_game(board, start, order, random.Random(0))
    me = number % 2
    counts = {
        "ending": ENDINGS.index(ended[me]) if ended else 6, "plies": len(game),
        "red_adjacent": 0, "blue_adjacent": 0, "approached": 0, "taken": 0,
        "approached_last": 0, "taken_last": 0,
    }  # fmt: skip
    for ply, (position, move) in enumerate(game):
        if ply % 2 == me and reference.approaches(board, position, move):
            counts["blue_adjacent" if move[0] in position.blue else "red_adjacent"] += 1
        if ply % 2 == me and ply:
            before, approach = game[ply - 1]
            if reference.approaches(board, before, approach):
                took = reference.takes_approacher(board, approach, move)
                last = len(position.their_red) == 1
                counts["approached"] += 1
                counts["taken"] += took
                counts["approached_last"] += last
                counts["taken_last"] += took and last
    return counts


def test_random_player_plays_every_move_and_always_escapes():
    start = geister.start(first_blue="a4 b4", second_blue="a4 b4")
    random = players.decider("random")
    seen = {random(start.view(0), np.random.default_rng(k)) for k in range(60)}
    assert seen == {"a4 up", "b4 up", "c4 up", "d4 up"}
    goal = State.of(Position.of("a1 b4", "c4 d4", "b1 c1", "d1 d2"))
    for name in players.PLAYERS:
        assert chosen(name, goal, settings=players.settings(iterations=10)) == (0, "escape")


def test_unknown_players_and_settings_are_refused():
    with pytest.raises(ValueError, match="unknown player 'magenta'"):
        match("magenta", "random", 1, 1)
    with pytest.raises(ValueError, match="order must name"):
        players.settings(order="up up down left")
    with pytest.raises(ValueError, match="scan must be one of rows, backwards"):
        players.settings(scan="columns")
    with pytest.raises(ValueError, match="horizon must be one of moves, positions"):
        players.settings(horizon="plies")
    with pytest.raises(ValueError, match="weights must be a whole number from 0 to 10,000"):
        players.settings(weights=(1000, 1, -1))
    with pytest.raises(ValueError, match="games must be a whole number from 1"):
        match("random", "charge", 0, 1)


# ---- CFR ----


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("colours", ["decision", "chance"])
def test_cfr_equals_plain_extensive_form_cfr(seed, colours):
    generator = random.Random(seed)
    counts = [generator.randint(1, 2) for _ in range(4)] if seed else [2, 2, 2, 2]
    order = generator.sample(range(16), sum(counts))
    masks = [mask_of([order.pop() for _ in range(count)]) for count in counts]
    position, rounds = Position(*masks), 2 if seed == 0 else 30
    plies = 3 if seed < 3 else 2
    slow = reference.cfr(
        reference.Board(4, 4), plain(position), plies, rounds, colours == "decision"
    )
    ours = mixture(position, "draw", rounds, colours=colours, plies=plies)
    for blue, moves in ours.moves.items():
        expected = slow[0, cells(blue), ()]
        assert {pair(move): p for move, p in moves.items()} == pytest.approx(expected, abs=1e-9)
    if colours == "decision":
        shares = {cells(blue): share for blue, share in ours.colours[0].items()}
        assert shares == pytest.approx(slow[0, "colours"], abs=1e-9)


def test_cfr_looks_leaves_up_in_the_solved_game(whole):
    position = Position.of("b3", "c2", "a2", "d1")

    def leaf(after):
        result = whole.result(Position(*map(mask_of, after)))
        return {"win": 1.0, "loss": -1.0, "draw": 0.0}[result.outcome]

    slow = reference.cfr(reference.Board(4, 4), plain(position), 3, 30, True, leaf)
    ours = mixture(position, "perfect", 30)
    for blue, moves in ours.moves.items():
        expected = slow[0, cells(blue), ()]
        assert {pair(move): p for move, p in moves.items()} == pytest.approx(expected, abs=1e-9)


@settings(deadline=None)
@given(st.lists(st.integers(0, 99)), st.lists(st.integers(0, 99)))
def test_sets_are_walked_in_order(members, gone):
    bits, left = np.zeros(sets.words(100), np.int64), sorted({*members} - {*gone})
    for x in members:
        sets.add(bits, x)
    for x in gone:
        sets.remove(bits, x)
    assert [x for x in range(100) if sets.has(bits, x)] == left
    for x in range(101):
        assert sets.following(bits, x) == min((y for y in left if y >= x), default=-1)
        assert sets.preceding(bits, x) == max((y for y in left if y < x), default=-1)


def kuhn():
    """Kuhn poker as a public tree: cards are types, equal cards pay nothing."""
    show = [[0, 1, 1], [-1, 0, 1], [-1, -1, 0]]  # [other's card][mover's card]
    sign = np.array(show, float)
    off = 1 - np.eye(3)
    poker = tree.new_tree()[0]
    # node 0: first checks or bets; 1: second after a check; 2: second after a bet;
    # 3: first after check-bet
    actions = [
        (0, 1, None), (0, 2, None), (1, -1, sign), (1, 3, None),
        (2, -1, -off), (2, -1, 2 * sign), (3, -1, -off), (3, -1, 2 * sign),
    ]  # fmt: skip
    poker.nodes, poker.types[:] = 4, 3
    poker.mover[:4] = 0, 1, 1, 0
    poker.possible[:8, :3] = 1.0
    for a, (node, child, pays) in enumerate(actions):
        poker.start[node + 1 :] = a + 1
        poker.child[a] = child, -1
        poker.legal[a, :3] = 1.0
        if pays is not None:
            poker.ends[a] = True
            poker.payoff[12 * a : 12 * a + 3, :3] = pays
            poker.payoff[12 * a + 6 : 12 * a + 9, :3] = -pays.T
    tree.prune(poker)
    return poker


def test_same_kernels_solve_kuhn_poker():
    poker, levels = kuhn(), np.zeros((3, 2, tree.LANES))
    cfr.iterate(poker, 20_000, False, levels, True)
    shares = levels[2] / 20_000
    # pairs of equal cards pay nothing but weigh a third: values are 2/3 of Kuhn's
    best = [1.5 * cfr.best_response(poker, side, False, shares) for side in range(2)]
    assert sum(best) < 0.01
    assert best[0] == pytest.approx(-1 / 18, abs=0.005)
    assert best[1] == pytest.approx(1 / 18, abs=0.005)


def test_nash_conv_falls_with_iterations():
    position = Position.of("b3 c4", "c3 a4", "b2 c1", "d2 a1")
    gains = [mixture(position, "draw", n).nash_conv for n in (10, 100, 1000)]
    assert gains[0] > gains[1] > gains[2]
    assert gains[2] < 0.1


def test_cfr_refuses_what_it_cannot_play():
    with pytest.raises(ValueError, match="at most two blues"):
        mixture(Position.of("a4 b4 c4", "d4", "a1", "b1"))
    with pytest.raises(ValueError, match="leaves must be one of draw, perfect"):
        mixture(Position.of("a4", "d4", "a1", "b1"), "guess")
    with pytest.raises(ValueError, match="4×4"):
        leaves.table_of(geister.retrograde(3, 3, 1, 1))


def test_a_finished_half_of_the_games_is_a_prefix():
    for player, games in (("purple", 9), ("cfr-a", 2)):
        more, fewer = (rows_of(match(player, "random", n, 9)) for n in (games, games // 2))
        assert (more[: len(fewer)] == fewer).all()
