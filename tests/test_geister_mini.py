"""Small Geister with hidden colours: solved games, exact best responses, and what they answer."""

import numpy as np
import pandas as pd
import pytest

from benchmarks.growth import geister_positions
from benchmarks.streamed import Layers
from gamecore.geister import PLAYERS, Position
from gamecore.geister.bluff import solve
from gamecore.geister.exploit import best_values
from gamecore.geister.hulls import FLAT
from gamecore.papers import published
from gamecore.papers.geister import small_questions as rules
from gamecore.papers.geister.beyond_small import LIMITS, OPENINGS, STARTS
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
    one, two = (solve(each, 4, gap=1e-5).value for each in (position, mirror))
    assert one == pytest.approx(two, abs=1e-5)


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


def solved(**changes):
    """Rows of all solved games: worth 0.3, a pure first move 0.1 less, but for what is changed."""
    rows = []
    for start, (limits, _) in LIMITS.items():
        for limit in limits:
            for opening in ("any", *OPENINGS):
                value = changes.get(f"{start} {opening}", 0.3 if opening == "any" else 0.2)
                value = value(limit) if callable(value) else value
                low, high = value if isinstance(value, tuple) else (value - 1e-7, value + 1e-7)
                rows.append(
                    {"start": start, "limit": limit, "opening": opening, "low": low, "high": high}
                )
    return pd.DataFrame(rows)


def one(judged):
    [(_, ours)] = judged
    return ours.holds


def test_both_colours_must_go_only_if_both_pure_ways_fall_short_everywhere():
    assert one(rules.at_the_goal(solved())) is True
    reached = {"goal 6×6 red up": 0.29995}
    assert one(rules.at_the_goal(solved(**reached))) is False
    wide = {"goal 4×4, 2+2 blue up": (0.1, 0.4)}
    assert one(rules.at_the_goal(solved(**wide))) is None


def test_red_is_first_if_it_always_reaches_the_value_and_blue_does_not():
    board = "3 rows of 2"
    assert one(rules.red_first(solved())) is False
    right = {f"{board} red up": 0.3}
    assert one(rules.red_first(solved(**right))) is True
    both = right | {f"{board} blue up": 0.3}
    assert one(rules.red_first(solved(**both))) is None
    once = right | {f"{board} red up": lambda limit: 0.2998 if limit == 7 else 0.3}
    assert one(rules.red_first(solved(**once))) is False
    wide = right | {f"{board} red up": (0.2, 0.4)}
    assert one(rules.red_first(solved(**wide))) is None


def test_values_are_settled_if_none_of_the_last_differ():
    board = "3 rows of 2 any"
    assert one(rules.settled(solved())) is True
    assert one(rules.settled(solved(**{board: lambda limit: limit / 100}))) is False
    assert one(rules.settled(solved(**{board: lambda limit: (0.295, 0.306)}))) is None


def responses(**gains):
    usual = dict.fromkeys(PLAYERS, 0.99) | {"cfr-a": 0.6, "cfr-b": 0.5} | gains
    usual |= {"cfr-a": gains.get("cfr_a", 0.6), "cfr-b": gains.get("cfr_b", 0.5)}
    return pd.DataFrame(
        {"player": p, "first_200": usual[p] + 0.005, "second_200": usual[p] - 0.005}
        for p in PLAYERS
    )


@pytest.mark.parametrize(
    ("gains", "safer", "lost", "leaves"),
    [
        ({}, True, True, True),
        ({"random": 0.55}, False, True, True),
        ({"random": 0.6005}, None, True, True),
        ({"purple": 0.97}, True, False, True),
        ({"cfr_b": 0.7}, True, True, False),
        ({"cfr_b": 0.6004}, True, True, None),
    ],
)
def test_best_responses_answer_yes_no_and_cannot_tell(gains, safer, lost, leaves):
    found = {name: ours.holds for name, ours in rules.hardest(responses(**gains))}
    assert found == {
        "geister/mixing-safer": safer,
        "geister/rule-known-lost": lost,
        "geister/leaves-safer": leaves,
    }


def test_streamed_layers_are_those_of_the_thesis_and_of_the_plain_rules(tmp_path):
    printed = {row.id: row.value for row in published.load("geister")}
    small = Layers((4, 4, 2, 2), 1, tmp_path)
    assert small.begin() == geister_positions(4, 4, 2, 2)
    assert small.run(1)["new"] == printed["geister/table-6.2/win/1"]
    assert small.first_layer_differs() == 0
    assert small.run(2)["new"] == printed["geister/table-6.3/loss/2"]
    assert small.check(300) > 50
