"""Small Geister with hidden colours: solved games, exact best responses, and what they answer."""

import numpy as np
import pandas as pd
import pytest

from gamecore.geister import PLAYERS, Position, best_move, retrograde
from gamecore.geister.bluff import solve
from gamecore.geister.exploit import FLAT, best_values
from gamecore.papers.geister import mini_questions as rules
from gamecore.papers.geister.mini import LIMITS, STARTS
from tests.reference.geister_mini import best_by_histories, program_value

GOAL = STARTS["goal 4×4"]


@pytest.mark.parametrize(
    ("start", "limit"),
    [
        ("3 rows of 2", 6), ("3 rows of 2", 9), ("2 rows of 3", 7), ("goal 4×4", 4),
        ("home 4×4", 5), ("goal 4×4, 2+2", 3),
    ],
)  # fmt: skip
def test_bounds_enclose_the_value_of_the_sequence_form(start, limit):
    found = solve(STARTS[start], limit)
    exact = program_value(STARTS[start], limit)
    assert found.low - 1e-8 <= exact <= found.high + 1e-8
    assert found.high - found.low <= 1e-6


def test_three_plies_at_the_goal_are_solved_by_hand():
    # blue goes with p: taking gives the second 2p − 1, waiting −p; so p = 1/3, and so is the value
    found = solve(GOAL, 3, gap=1e-7)
    assert found.value == pytest.approx(1 / 3, abs=1e-6)
    for blue, other in (("a2", "d2"), ("d2", "a2")):
        assert found.moves[blue][f"{blue} up"] == pytest.approx(1 / 3, abs=1e-4)
        assert found.moves[blue][f"{other} up"] == pytest.approx(2 / 3, abs=1e-4)
    taking = {"a2 up": "c4 right", "d2 up": "b4 left"}  # in the second's own view
    for move, reply in taking.items():
        taken = [chances[reply] for chances in found.replies[move].values()]
        assert np.mean(taken) == pytest.approx(1 / 3, abs=1e-4)
    assert solve(GOAL, 3, opening="blue up").value == pytest.approx(-1, abs=1e-6)
    assert solve(GOAL, 3, opening="red up").value == pytest.approx(0, abs=1e-6)


def test_a_mirrored_position_has_the_same_value():
    position = Position.of("a3", "c2", "b1", "d2")
    mirror = Position.of("d3", "b2", "c1", "a2")
    one, two = (solve(each, 6, gap=1e-5).value for each in (position, mirror))
    assert one == pytest.approx(two, abs=1e-5)


def test_a_side_with_one_colouring_known_plays_on_open_boards():
    # nobody has anything to hide once a blue can only escape or a last piece be taken
    won = Position.parse(". . b / B . . / r . R")
    assert retrograde(3, 3, 1, 1).result(won).outcome == "win"
    assert best_move(won) == "a2 up"
    assert -1 <= solve(won, 3).value <= 1


@pytest.mark.parametrize("limit", [0, 201, 2.5])
def test_impossible_limits_are_refused(limit):
    with pytest.raises(ValueError, match="limit"):
        solve(GOAL, limit)


def test_boards_and_openings_that_cannot_be_solved_are_refused():
    many = Position.of("a4 b4 c4", "d4 e4 f4", "a1 b1 c1", "d1 e1 f1", 6, 6)
    with pytest.raises(ValueError, match="colourings"):
        solve(many, 2)
    with pytest.raises(ValueError, match="cells"):
        solve(Position.of("a7", "b7", "a1", "b1", 7, 7), 2)
    with pytest.raises(ValueError, match="opening"):
        solve(GOAL, 2, opening="purple up")


@pytest.mark.parametrize("player", PLAYERS)
def test_best_responses_are_those_of_listed_histories(player):
    longest = 4 if player.startswith("cfr") or player == "random" else 6
    first, second = best_values(player, longest // 2)
    for limit in range(2, longest + 1, 2):
        found = first[limit // 2], second[limit // 2]
        lost = limit // 2 * FLAT if player.startswith("cfr") else 0.0  # thinned hulls
        for seat in (0, 1):
            listed = best_by_histories(player, limit, seat)
            assert listed - lost - 1e-12 <= found[seat] <= listed + 1e-12, (limit, seat)


def test_a_best_response_gets_no_less_than_the_value_and_never_less_with_more_time_than_a_loss():
    value = {n: solve(STARTS["home 4×4"], n, gap=1e-5) for n in (2, 4, 6)}
    for player in ("random", "charge", "purple", "anti"):
        first, second = best_values(player, 3)
        assert np.all(np.abs([first, second]) <= 1)
        for limit, game in value.items():
            assert first[limit // 2] >= game.low - 1e-9
            assert second[limit // 2] >= -game.high - 1e-9
