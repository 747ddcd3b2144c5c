"""Triomineering with one's own players: functions, names, replays, wrong answers, long calls."""

import inspect
import pickle
import signal
import subprocess
import sys
from dataclasses import FrozenInstanceError, replace
from itertools import pairwise

import numpy as np
import pytest

from gamecore import rps, triomineering
from gamecore.game import randomly
from gamecore.triomineering import (
    PLAYERS,
    SYMMETRIES,
    Player,
    Position,
    Solution,
    approximate,
    ask,
    force,
    match,
    players,
    simulate,
    solve,
    start,
    think,
    value,
)
from gamecore.triomineering.players import decider, explored, first_world, settings_of
from gamecore.triomineering.search import explore, logarithms
from tests.reference import triomineering as reference

#: What no count, size, number or choice may be.
HOSTILE = (None, True, -1, 2**63, 1.5, float("nan"), float("inf"), "x", [], (), {}, object())


def last(view, generator):
    """Play the last move."""
    return view.legal()[-1]


def quick(method, playouts=300):
    return Player(method, playouts)


# ---- matches ----


@pytest.mark.parametrize("method", PLAYERS)
def test_a_function_meets_every_player_from_either_seat(method):
    board = {"rows": 5, "columns": 5}
    there, back = (
        match(last, quick(method), 6, 1, **board),
        match(quick(method), last, 6, 1, **board),
    )
    for seat, played in enumerate((there, back)):
        for game in range(6):
            states = played.replay(game)
            assert states == played.replay(game)
            assert states[0] == start(5, 5)
            assert states[-1].returns()[0] == played.results[game]
            for before, after in pairwise(states):
                row, column = divmod(after.rounds[-1][seat], 5)
                assert f"{row},{column}" == before.legal(seat)[-1]
    assert match(last, quick(method), 3, 1, **board).results.tolist() == there.results[:3].tolist()


def test_names_are_players():
    by_name, by_object = (
        match("MC", "SimpleUCB1", 2, 5),
        match(Player("MC"), Player("SimpleUCB1"), 2, 5),
    )
    assert by_name.results.tolist() == by_object.results.tolist()
    assert by_name.replay(1) == by_object.replay(1)


def test_kernel_games_can_be_replayed_by_the_reference_rules():
    played = match(quick("SimpleUCB1"), quick("MC"), 40, 2, rows=7, columns=5)
    lengths = set()
    for game in range(40):
        filled, states = reference.EMPTY, played.replay(game)
        for v, h in states[-1].rounds:
            assert reference.result(7, 5, filled) is None
            filled = reference.play(filled, divmod(v, 5), divmod(h, 5))
        assert 2 * reference.result(7, 5, filled) - 1 == played.results[game]
        assert played.counts["openings"][game].tolist() == list(states[-1].rounds[0])
        lengths.add(len(states))
    assert len(lengths) > 1
    with pytest.raises(ValueError, match="from 0 to 39"):
        played.replay(40)


def test_in_python_players_decide_as_in_the_kernel():
    """With the kernel's stream instead of seeds of their own, games are the kernel's."""
    v, h = quick("MSUCB1.5", 700), quick("SimpleUCB0.5")
    kernel, stream, made = match(v, h, 4, 9), players.rng.state(9), []

    def drawing_from_the_stream(player):
        def decides(view, generator):
            world = first_world(view.state, player, "VH"[view.player])
            made.append(players.decided(world, player, stream))
            return ",".join(map(str, divmod(made[-1], 6)))

        return decides

    python = match(drawing_from_the_stream(v), drawing_from_the_stream(h), 4, 1)
    assert python.results.tolist() == kernel.results.tolist()
    assert made == [cell for k in range(4) for pair in kernel.replay(k)[-1].rounds for cell in pair]


def test_a_certain_player_ends_as_in_the_kernel():
    """One legal move at a time leaves nothing to chance."""
    kernel = match("MC", "MC", 3, 1, rows=3, columns=3)
    python = match(decider("MC"), "MC", 3, 1, rows=3, columns=3)
    assert kernel.results.tolist() == python.results.tolist() == [0, 0, 0]


@pytest.mark.parametrize("method", PLAYERS)
def test_searches_in_stretches_are_searches_at_once(method, monkeypatch):
    monkeypatch.setattr(players, "PLAYOUTS_AT_ONCE", 77)
    for position, side in ((start(4, 4), "V"), (start(6, 5).play("0,0", "5,0"), "H")):
        player = quick(method, 600)
        world, settings = first_world(position, player, side), settings_of(player)
        one, other = players.rng.state(3), players.rng.state(3)
        whole = explore(world, settings, logarithms(601), one)
        for a, b in zip(whole, explored(world, player, other), strict=True):
            assert (a == b).all()
        assert (one == other).all()


def test_long_matches_are_the_same_in_stretches(monkeypatch):
    v, h = quick("MSUCB1.5", 600), quick("MC", 600)
    whole = match(v, h, 5, 4)
    for length in (20_000, 100):  # of games, and inside of games
        monkeypatch.setattr(players, "PLAYOUTS_AT_ONCE", length)
        parts = match(v, h, 5, 4)
        assert parts.results.tolist() == whole.results.tolist()
        assert [parts.replay(k) for k in range(5)] == [whole.replay(k) for k in range(5)]


def test_a_solution_in_stretches_is_the_same(monkeypatch):
    whole = Solution(6, 6)
    monkeypatch.setattr(force, "POSITIONS_AT_ONCE", 50)
    parts = Solution(6, 6)
    assert (parts.positions, parts.value, parts.outcome) == (whole.positions, 0.5, "D")
    A, B = (x.payoff_matrix(start()) for x in (whole, parts))
    assert (A == B).all()
    assert parts.positions == whole.positions


# ---- ask ----


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("method", PLAYERS)
def test_what_players_say_is_what_they_do(method, seat):
    player, position = quick(method, 100), start(4, 4)
    said = [ask(player, position, seat, seed) for seed in range(60)]
    for chances in said:
        assert list(chances) == position.legal(seat)
        assert sum(chances.values()) == pytest.approx(1)
        assert min(chances.values()) >= 0
    assert ask(player, position.view(seat), seed=3) == said[3]
    thought = think(position, player, 3, "VH"[seat]).policy
    assert list(said[3].values()) == thought.tolist()
    played = match(*((player, last) if seat == 0 else (last, player)), 300, 1, rows=4, columns=4)
    first = [played.replay(k)[1].rounds[0][seat] for k in range(300)]
    for cell, move in enumerate(position.legal(seat)):
        row, column = map(int, move.split(","))
        mean = np.mean([chances[move] for chances in said])
        share = first.count(4 * row + column) / 300
        assert abs(share - mean) < 0.15, (cell, move)


def test_a_function_is_asked_too():
    assert ask(last, start(3, 4), seat=1)["2,1"] == 1
    drawn = [max(said := ask(randomly, start(3, 4), seed=k), key=said.get) for k in range(40)]
    assert set(drawn) == set(start(3, 4).legal(0))
    with pytest.raises(ValueError, match="'9'; legal: '0,0'"):
        ask(lambda view, generator: "9", start(3, 4))


def test_value_is_the_solution():
    after = start(8, 4).play("0,1", "3,0")
    assert value(start(8, 4)) == 0.5
    assert value(after) == -value(after, player=1) == 1
    end = next(p for p in match("MC", last, 1, 1, rows=5, columns=4).replay(0) if not p.movers)
    assert value(end) == end.returns()[0]


# ---- positions ----


def test_texts_round_trip():
    generator = np.random.default_rng(1)
    position = start(7, 8)
    while position.movers:
        position = position.play(*(generator.choice(position.legal(seat)) for seat in (0, 1)))
        again = Position.of(str(position))
        assert again == replace(position, rounds=())
        assert (again.legal(0), again.legal(1)) == (position.legal(0), position.legal(1))
        assert pickle.loads(pickle.dumps(position)) == position
        assert position.history()[-1] == position
    moved = [start(7, 8), *position.history()]
    assert [len(board.rounds) for board in moved] == list(range(len(moved)))


def test_history_begins_where_the_rounds_do():
    begun = Position.of("....#. ...... ...... ......")
    after = begun.play("0,0", "3,3").play("0,1", "2,2")
    assert after.history() == [begun.play("0,0", "3,3"), after]
    assert begun.history() == []


def test_positions_cannot_be_changed_or_made_wrong():
    position = start(4, 4).play("0,1", "1,0")
    with pytest.raises(FrozenInstanceError):
        position.free = 0
    for rounds in (None, 3, "ab", [3], [(1, 2, 3)], [(0, 0)], [(1, 4), (1, 4)], [(15, 0)], [(1, 6)],
                   [(True, 4)], [(1.0, 4)], [(2**70, 4)]):  # fmt: skip
        with pytest.raises(ValueError, match=r"round|cell"):
            replace(position, rounds=rounds)
    assert replace(position, rounds=[[1, 4]]) == position
    for text in ("", " ", "...\n..", "ab", None, 3, "." * 65, "\n".join(["." * 9] * 8)):
        with pytest.raises(ValueError, match=r"board|text|columns"):
            Position.of(text)
    for side in HOSTILE:
        for make in (start, Position.empty, solve):
            with pytest.raises(ValueError, match=r"rows must be a whole number"):
                make(side, 4)
            with pytest.raises(ValueError, match=r"columns must be a whole number"):
                make(4, side)


# ---- wrong answers ----


def test_an_illegal_move_is_refused_by_name():
    def cheat(view, generator):
        return "5,5"

    with pytest.raises(ValueError, match=r"cheat, as H, chose '5,5'.*\n\.\.\.\.\.\."):
        match("MC", cheat, 1, 1)


@pytest.mark.parametrize("nobody", ["UCT", "", "msucb1", *HOSTILE[:-1]])
def test_nobody_plays(nobody):
    for question in (
        lambda: match(nobody, "MC", 1, 1),
        lambda: match(last, nobody, 1, 1),
        lambda: ask(nobody, start()),
        lambda: think(start(), nobody, 1),
        lambda: decider(nobody),
        lambda: simulate([[1.0]], [[0.0]], nobody, 1),
    ):
        with pytest.raises(ValueError, match=r"a player .*must be"):
            question()


@pytest.mark.parametrize("field", list(Player.__dataclass_fields__))
def test_no_field_of_a_player_is_left_unchecked(field):
    words = "the reading of figure 3" if field == "nash" else field
    allowed = {"rounds": None, "c": 1.5}.get(field, "")
    for wrong in (wrong for wrong in HOSTILE if wrong != allowed):
        with pytest.raises(ValueError, match=f"{words} must be"):
            Player(**{field: wrong})
        forced = Player("MC", 100)
        object.__setattr__(forced, field, wrong)
        with pytest.raises(ValueError, match=f"{words} must be"):
            match(forced, "MC", 1, 1, rows=4, columns=4)


def test_hostile_arguments_are_refused():
    one, empty = Player("MC", 50), start(4, 4)
    for wrong in HOSTILE:
        for name, call in {
            "games": lambda w=wrong: match(one, one, w, 1),
            "rows": lambda w=wrong: match(one, one, 1, 1, rows=w),
            "columns": lambda w=wrong: match(one, last, 1, 1, columns=w),
            "position": lambda w=wrong: think(w, one, 1),
            "side": lambda w=wrong: think(empty, one, 1, w),
            "seat": lambda w=wrong: ask(one, empty, w),
            "state": lambda w=wrong: ask(one, w),
            "payoffs": lambda w=wrong: simulate(w, [[1.0]], one, 1),
            "own payoffs": lambda w=wrong: approximate(w),
            "reading": lambda w=wrong: approximate([[1.0]], None, w),
            "step": lambda w=wrong: approximate([[1.0]], step=w),
            "player": lambda w=wrong: value(empty, w),
        }.items():
            with pytest.raises(ValueError, match=name):
                call()
        if wrong != 2**63:
            for call in (
                lambda w=wrong: match(one, one, 1, w),
                lambda w=wrong: think(empty, one, w),
                lambda w=wrong: ask(one, empty, 0, w),
            ):
                with pytest.raises(ValueError, match="seed must be"):
                    call()
        if wrong is not None:
            with pytest.raises(ValueError, match="rounds must be"):
                approximate([[1.0]], rounds=wrong)
    with pytest.raises(ValueError, match="over before it begins"):
        match(last, last, 1, 1, rows=2, columns=2)
    with pytest.raises(ValueError, match="not in another game's"):
        ask("MC", rps.start().view(0))
    with pytest.raises(ValueError, match="at most 64 moves"):
        approximate(np.zeros((65, 2)))
    with pytest.raises(ValueError, match="from 0 to 1"):
        simulate([[1.5]], [[0.5]], one, 1)


def test_payoffs_of_any_size_are_mixed_alike():
    table = np.array([[1, 0.5], [0.5, 0.75]])
    expected = approximate(table, -table)
    for size in (2.0**1000, 2.0**-1000):
        for ours, theirs in zip(expected, approximate(size * table, -size * table)):
            assert ours.tolist() == theirs.tolist()
    assert approximate(np.zeros((2, 2))).own.sum() == 1


@pytest.mark.parametrize("symmetry", SYMMETRIES)
@pytest.mark.parametrize("method", PLAYERS)
def test_every_symmetry_plays_on_the_papers_board(method, symmetry):
    """MSUCB1.5 by quadrants once left its arrays here, and ended the process."""
    player = Player(method, 700, symmetry=symmetry)
    assert match(player, player, 2, 1).games == 2


LONG = """
from gamecore.triomineering import Player, match, solve, start, think
print("ready", flush=True)
{}
"""


@pytest.mark.slow  # ten seconds each
@pytest.mark.parametrize(
    "call",
    [
        'think(start(8, 8), Player("MSUCB1.5", 10**9), 1)',
        'match(Player("MC", 10**7), Player("MC", 10**7), 10, 1)',
        'match("MSUCB1", "MSUCB1.5", 10**6, 1)',
        'match("MSUCB1", lambda view, generator: view.legal()[0], 10**6, 1)',
        "solve(9, 6).payoff_matrix(start(9, 6))",
        "think(start(8, 8), Player(playouts=10**5, every=1, rounds=10**5), 1)",
    ],
)
def test_long_calls_can_be_interrupted(call):
    code = LONG.format(call)
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        process.stdout.readline()
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(12)  # compiled by then, and a bar is seen
        process.send_signal(signal.SIGINT)
        process.wait(3)
        said = process.stderr.read()
    assert "KeyboardInterrupt" in said
    assert "/s" in said or "s/" in said or "s]" in said  # the bar


def test_help_shows_every_field():
    for name in triomineering.__all__:
        thing = getattr(triomineering, name)
        known = getattr(thing, "_fields", None) or getattr(thing, "__dataclass_fields__", ())
        for field in known:
            assert f"\n{field} : " in inspect.getdoc(thing), (name, field)
        if inspect.isfunction(thing):
            assert len(str(inspect.signature(thing))) < 200, name
    assert repr(Player("MC", every=3)) == "Player('MC', every=3)"
