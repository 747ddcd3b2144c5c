"""Geister with one's own players: functions beside the thesis's, replays, views, wrong answers."""

import dataclasses
import pickle
import signal
import subprocess
import sys
import time
from array import array
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from gamecore import geister, terminal
from gamecore.contest import playing
from gamecore.game import CHANCE, randomly
from gamecore.geister import (
    ENDINGS,
    PLAYERS,
    Hidden,
    Mixture,
    Move,
    Position,
    State,
    View,
    ask,
    best_move,
    match,
    mixture,
    retrograde,
    retrograde_hidden,
    settings,
    start,
    value,
)
from gamecore.geister.draw import board as drawn
from gamecore.geister.leaves import no_table, table_of
from gamecore.geister.matches import _recounted
from gamecore.geister.players import DETERMINISTIC, decider, written
from tests.refusing import ODD, refused

QUICK = settings(depth=2, iterations=10)
SWAPPED = (3, 2, 1, 0, 5, 4, 6)  # an ending said of the other player


def first_move(view, generator):
    """Play the first legal move: an escape if there is one on a1."""
    return view.legal()[0]


def bold(view, generator):
    """Take what can be taken, else go up if possible."""
    takes = [move for move in view.legal() if view.target(move) in view.cells]
    ups = [move for move in view.legal() if move.endswith("up")]
    return (takes or ups or view.legal())[0]


def middle(seed=1, plies=9):
    """Return a state within a random game."""
    generator = np.random.default_rng(seed)
    states = list(playing(start(), [randomly] * 2, generator))
    return states[min(plies + 2, len(states) - 2)]


def rng_of(seed):
    return np.random.default_rng(seed)


@pytest.fixture(scope="module")
def table():
    """The solved 4×4 board, for CFR-B."""
    return table_of(retrograde(4, 4, 2, 2))


def is_played(states, played, game):
    """Say whether states are a whole game, and end as a match says."""
    seat, end = game % 2, states[-1]
    assert [len(before.movers) for before in states] == [1] * (len(states) - 1) + [0]
    for before, after in pairwise(states):
        assert before.play(after.history[-1][0]) == after
    ending = ENDINGS.index(end.ending)
    return (
        end.returns()[seat] == played.results[game]
        and played.counts["plies"][game] == len(states) - 1 == end.ply
        and played.counts["ending"][game] == (SWAPPED[ending] if seat else ending)
    )


# ---- matches ----


@pytest.mark.parametrize("name", PLAYERS)
def test_a_function_meets_every_player_from_either_side(name, table):
    how = {"settings": QUICK, "table": table}
    for pair in ((bold, name), (name, bold)):
        played = match(*pair, 6, 1, **how)
        assert played.games == 6
        for game in range(6):
            states = played.replay(game)
            assert is_played(states, played, game)
            assert states == played.replay(game)
            seat = game % 2 if pair[0] is bold else 1 - game % 2
            for before, after in pairwise(states):
                if before.movers == (seat,):
                    assert after.history[-1][0] == bold(before.view(seat), None)
        fewer = match(*pair, 3, 1, **how)
        for name_of, values in fewer.counts.items():
            assert (values == played.counts[name_of][:3]).all()
        assert fewer.replay(2) == played.replay(2)


@pytest.mark.parametrize(
    "pair", [("random", "charge"), ("purple", "anti"), ("cfr-a", "random"), ("anti", "cfr-b")]
)
def test_kernel_games_can_be_replayed(pair, table):
    played = match(*pair, 20, 3, settings=QUICK, table=table)
    for game in range(20):
        assert is_played(played.replay(game), played, game)
    assert played.replay(7) == match(*pair, 8, 3, settings=QUICK, table=table).replay(7)
    with pytest.raises(ValueError, match="from 0 to 19"):
        played.replay(20)


@pytest.mark.parametrize("first", DETERMINISTIC)
@pytest.mark.parametrize("second", DETERMINISTIC)
def test_in_python_certain_players_play_the_kernels_games(first, second):
    """Anti-purple needs the first chasers: states must know them as the kernel does."""
    kernel = match(first, second, 72, 0, settings=QUICK)
    players = [decider(name, settings=QUICK) for name in (first, second)]
    for game in (0, 13, 38, 71):
        states = kernel.replay(game)
        seated = players if game % 2 == 0 else players[::-1]
        assert list(playing(states[0], seated, rng_of(1))) == states


@pytest.mark.parametrize("pair", [("random", "charge"), ("cfr-a", "anti"), ("charge", "purple")])
def test_the_kernels_games_told_in_python_have_its_every_count(pair):
    kernel = match(*pair, 40, 5, settings=QUICK)
    number = {written(move): move for move in range(80)}
    games = [kernel.replay(game) for game in range(40)]
    told = [array("H", [number[move] for move, _ in states[-1].history]) for states in games]
    who = [PLAYERS.index(name) for name in pair]
    rows = _recounted(who, [states[0].blue for states in games], told)
    assert (np.array([*kernel.counts.values()]) == rows.T).all()


def test_games_in_python_are_counted_as_the_kernel_counts():
    """The same players, of which one hides in a function: every count has the same distribution."""
    kernel = match("charge", "random", 4000, 1)
    python = match("charge", decider("random"), 400, 2)
    assert list(kernel.counts) == list(python.counts)
    for name, values in python.counts.items():
        found = np.concatenate([kernel.counts[name], values])
        bins = np.unique(found)
        table = [[(part == one).sum() for one in bins] for part in (kernel.counts[name], values)]
        if len(bins) > 1:
            assert stats.chi2_contingency(np.array(table)).pvalue > 1e-4, name


def test_colours_are_dealt_evenly_in_python():
    played = match(first_move, bold, 720, 4)
    dealt = Counter(played.replay(game)[0].blue for game in range(720))
    assert len(dealt) == 36
    assert stats.chisquare(list(dealt.values())).pvalue > 1e-4


def test_matches_on_other_boards_and_from_other_positions():
    large = match(randomly, bold, 4, 1, state=start(6, 6, 4, 4, limit=60))
    assert list(large.counts) == ["ending", "plies"]
    for game in range(4):
        states = large.replay(game)
        assert is_played(states, large, game)
        assert (states[0].width, states[0].blue[0].bit_count()) == (6, 4)
    position = Position.parse("b..r / .B.. / ..r. / R...")
    played = match("cfr-a", "purple", 4, 1, settings=QUICK, state=State.of(position, ply=7))
    assert [len(played.replay(k)) - 1 for k in range(4)] == played.counts["plies"].tolist()
    with pytest.raises(ValueError, match="these players play on 4×4"):
        match("random", randomly, 1, 1, state=start(5, 5))
    with pytest.raises(ValueError, match="no game begins with its end"):
        match(randomly, randomly, 1, 1, state=large.replay(0)[-1])


def test_an_illegal_move_names_player_move_and_position():
    def cheat(view, generator):
        return "a1 escape"

    with pytest.raises(ValueError, match=r"cheat, as second, chose 'a1 escape'(.|\n)*B"):
        match("charge", cheat, 2, 1)
    with pytest.raises(ValueError, match="first cannot play 'a4 left'"):
        start(first_blue="a4 b4", second_blue="a4 b4").play("a4 left")
    with pytest.raises(ValueError, match="the player chose"):
        ask(cheat, middle())


# ---- what players say ----


def test_ask_says_how_likely_every_move_is(table):
    for seed in range(6):
        state = middle(seed, 8 + seed)
        for player in (*PLAYERS, bold, randomly):
            said = ask(player, state, settings=QUICK, table=table, seed=seed)
            assert list(said) == state.legal(state.ply % 2)
            assert sum(said.values()) == pytest.approx(1)
            assert all(type(chance) is float for chance in said.values())
            view = state.view(state.ply % 2)
            assert ask(player, view, view.player, seed, settings=QUICK, table=table) == said


@pytest.mark.parametrize("player", PLAYERS)
def test_players_do_what_they_say(player, table):
    state = State.of(Position.of("b2 c4", "d2 d4", "a3 d3", "a1 b1"), ply=5)
    how = {"settings": QUICK, "table": table}
    said, decides, generator = ask(player, state, **how), decider(player, **how), rng_of(1)
    seen = Counter(decides(state.view(1), generator) for _ in range(600))
    assert set(seen) <= {move for move, chance in said.items() if chance}
    likely = [move for move, chance in said.items() if chance > 0.01]
    if len(likely) > 1:
        expected = np.array([said[move] for move in likely])
        found = np.array([seen[move] for move in likely])
        assert stats.chisquare(found, expected / expected.sum() * found.sum()).pvalue > 1e-4


def test_cfr_says_what_its_mixture_is(table):
    state = middle(3, 6)
    position = state.position
    for player, leaves in (("cfr-a", "draw"), ("cfr-b", "perfect")):
        how = settings(iterations=40, escape=False)
        mixed = mixture(position, leaves, 40).moves[position.blue]
        said = ask(player, state, settings=how, table=table)
        assert said == pytest.approx({position.text(move): p for move, p in mixed.items()})


def test_players_know_nothing_that_is_hidden(table):
    """Other colours of the opponent's pieces change no decision."""
    for seed in range(4):
        state = middle(seed)
        other = state.view(state.ply % 2).guess(rng_of(seed))
        for player in PLAYERS:
            how = {"settings": QUICK, "table": table}
            assert ask(player, state, **how) == ask(player, other, **how)


def test_only_who_is_to_move_is_asked():
    state = start(first_blue="a4 b4", second_blue="a4 b4")
    for where, seat, words in (
        (state, 1, "only first is to move"),
        (state.view(1), None, "second is not to move"),
        (start(), None, "is not to move"),
        (start(5, 5, first_blue="b5 c5", second_blue="b5 c5"), None, "these players play on 4×4"),
    ):
        with pytest.raises(ValueError, match=words):
            ask("random", where, seat)


# ---- states and views ----


def test_views_hold_what_a_player_knows_and_no_more():
    for begin in (start(), start(5, 4, 2, 3, first_blue="b4 c4"), start(3, 3, 1, 1, limit=9)):
        for state in playing(begin, [randomly] * 2, rng_of(6)):
            for player in (0, 1):
                view = state.view(player)
                values = {f.name: getattr(view, f.name) for f in dataclasses.fields(view)}
                assert View(**values) == view
                assert View(**values).legal() == view.legal() == state.legal(player)
                guesses = [view.guess(rng_of(k)) for k in range(3)]
                for guess in guesses:
                    assert guess.view(player) == view
                    assert str(guess.view(player)) == str(view)
                    again = {f.name: getattr(guess, f.name) for f in dataclasses.fields(State)}
                    assert State(**again) == guess
                assert "b" not in str(view.letters())
                assert "r" not in str(view.letters())
                assert view.svg().startswith("<svg")


def test_guesses_are_even():
    view = start(first_blue="a4 b4", second_blue="a4 b4").view(1)
    generator = rng_of(2)
    seen = Counter(view.guess(generator).blue[0] for _ in range(600))
    assert len(seen) == 6
    assert stats.chisquare(list(seen.values())).pvalue > 1e-4


def test_states_of_any_game_are_as_if_set_up():
    for states in (list(playing(start(), [randomly] * 2, rng_of(seed))) for seed in range(5)):
        for state in states:
            values = {f.name: getattr(state, f.name) for f in dataclasses.fields(state)}
            assert State(**values) == state
            assert pickle.loads(pickle.dumps(state)) == state
            if state.movers and CHANCE not in state.movers:
                position = state.position
                assert Position.parse(str(position)) == position
                assert eval(repr(position)) == position
                assert dataclasses.replace(
                    State.of(position, state.ply), chasers=state.chasers, history=state.history
                ) == state  # fmt: skip


@pytest.mark.parametrize(
    ("board", "home"),
    [
        ((4, 4, 2, 2), "a4 b4 c4 d4"),
        ((6, 6, 4, 4), "b5 c5 d5 e5 b6 c6 d6 e6"),
        ((5, 5, 2, 2), "a5 b5 c5 d5"),
        ((3, 3, 2, 2), "c2 a3 b3 c3"),
        ((2, 2, 1, 1), "a2 b2"),
    ],
)
def test_where_pieces_begin(board, home):
    state = start(*board)
    assert geister.rules.names_of(state.red[0], board[0]) == home
    both = geister.rules.turn(state.red[1], board[0] * board[1])
    assert not state.red[0] & both
    assert len(state.legal(CHANCE)) == len(set(state.legal(CHANCE)))


def test_texts_and_pictures():
    state = start(first_blue="a4 b4", second_blue="b4 c4").play("a4 up").play("a4 up")
    assert str(state.view(1)).splitlines() == [
        "u u u .", ". . . u", "R . . .", ". B B R",
        "ply 2 of 200, after a4 up: first to move, you are second; u are 2 blues and 2 reds",
    ]  # fmt: skip
    assert state.view(1).cells["a3"] == "R"
    assert Position.parse("bb rr/..../..../BBRR").width == 4
    end = State.of(Position.parse("B.r / b.. / ..R")).play("a1 escape")
    assert str(end).endswith("the end after 1 ply: escape win of first")
    assert end.returns() == (1.0, -1.0)
    assert end.svg().count("<text") == 3 + 6
    with pytest.raises(ValueError, match="no position"):
        best_move(end)


# ---- exact play ----


def test_best_moves_and_values_are_those_of_the_solution():
    solved = retrograde(3, 4, 1, 1)
    generator = rng_of(1)
    seen = Counter()
    while min(seen[kind] for kind in ("win", "loss", "draw")) < 5:
        numbers = generator.integers(len(solved.placements.masks), size=2)
        position = solved.position(*map(int, numbers))
        if position is None:
            continue
        result, move = solved.result(position), best_move(position)
        seen[result.outcome] += 1
        worth = {"win": 1.0, "draw": 0.0, "loss": -1.0}[result.outcome]
        state = State.of(position, ply=int(numbers[0]) % 2)
        seat = state.ply % 2
        assert solved.value(position) == value(state, seat) == -value(state, 1 - seat) == worth
        assert best_move(state) == move == solved.best_move(position)
        after = position.play(move)
        if isinstance(after, str):
            assert result.depth == 1 or result.outcome == "loss"
        else:
            reply = solved.result(after)
            assert solved.value(after) == -worth
            assert (reply.depth or 0) == (result.depth or 1) - 1
    assert seen["draw"] >= 5


def test_values_before_the_colours_and_after_the_end():
    begin = start(3, 3, 1, 1)
    deals = [begin.play(a).play(b) for a in begin.legal(CHANCE) for b in begin.legal(CHANCE)]
    assert value(begin) == pytest.approx(sum(map(value, deals)) / 4)
    end = State.of(Position.parse("B.r / b.. / ..R")).play("a1 escape")
    assert (value(end), value(end, 1)) == (1.0, -1.0)


def test_perfect_play_from_states_wins_in_as_many_plies_as_it_says():
    solved = retrograde(4, 4, 1, 1)
    depth = max(solved.win_histogram)
    states = [State.of(solved.positions(depth)[0])]
    while states[-1].movers:
        states.append(states[-1].play(best_move(states[-1])))
    assert len(states) - 1 == depth
    assert states[-1].returns() == (1.0, -1.0)


def test_the_terminal_knows_the_value():
    said, words = [], ["value", "quit"]
    terminal.play("geister", "charge", read=lambda prompt: words.pop(0), write=said.append)
    assert any("on average over what is hidden" in line for line in said)


# ---- wrong input ----

SIDES = "a4 b4", "c4 d4", "a1 b1", "c1 d1"


@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_odd_values_are_refused_with_a_sentence(odd):
    position = Position.of(*SIDES)
    state, small = State.of(position), retrograde(2, 2, 1, 1)
    view, hidden = state.view(0), retrograde_hidden(2, 2)
    calls = [
        lambda: match("random", "charge", odd, 1),
        lambda: match(odd, "charge", 1, 1),
        lambda: match("random", odd, 1, 1),
        lambda: match("random", "charge", 3, 1).replay(odd),
        lambda: match(first_move, "random", odd, 1),
        lambda: match(first_move, odd, 1, 1),
        lambda: ask(odd, state),
        lambda: ask("random", odd),
        lambda: decider(odd),
        lambda: Move(odd, "up"),
        lambda: Move(1, odd),
        lambda: Position(odd, 1, 2, 4),
        lambda: Position(8, 1, 2, odd),
        lambda: Position(8, 1, 2, 4, odd),
        lambda: Position.of(odd, *SIDES[1:]),
        lambda: Position.of(*SIDES, odd),
        lambda: Position.of(*SIDES, 4, odd),
        lambda: Position.parse(odd),
        lambda: position.play(odd),
        lambda: position.target(odd),
        lambda: State.of(odd),
        lambda: State(odd, (1, 1)),
        lambda: State((odd, 1), (2, 2)),
        lambda: dataclasses.replace(state, width=odd),
        lambda: dataclasses.replace(state, history=odd),
        lambda: dataclasses.replace(state, chasers=odd),
        lambda: dataclasses.replace(state, ending=odd),
        lambda: dataclasses.replace(view, theirs=odd),
        lambda: dataclasses.replace(view, their_blues=odd),
        lambda: dataclasses.replace(view, chasers=odd),
        lambda: view.guess(odd),
        lambda: view.target(odd) if not isinstance(odd, list | dict) else view.target("x"),
        lambda: start(odd, 4),
        lambda: start(4, odd),
        lambda: start(4, 4, 2, odd) if odd is not True else start(4, 4, odd, 2),
        lambda: start(limit=odd),
        lambda: retrograde(odd, 4, 1, 1),
        lambda: retrograde(4, odd, 1, 1),
        lambda: retrograde(4, 4, odd, 1),
        lambda: retrograde(4, 4, 1, odd),
        lambda: retrograde_hidden(odd, 3),
        lambda: retrograde_hidden(3, odd),
        lambda: geister.Retrograde(odd, 1, 1, True),
        lambda: small.result(odd),
        lambda: small.value(odd),
        lambda: small.best_move(odd),
        lambda: small.best_line(odd),
        lambda: small.positions(odd),
        lambda: small.position(0, odd),
        lambda: small.verify(odd),
        lambda: hidden.result("a1", "b1", odd),
        lambda: hidden.result(odd, "b1", "a2 b2"),
        lambda: Hidden(2, 2, odd, hidden.purple, {}, 1),
        lambda: Hidden(2, 2, hidden.knowing, hidden.purple, {}, odd),
        lambda: Mixture(odd, ({}, {}), 0.0),
        lambda: Mixture({}, odd, 0.0),
        lambda: Mixture({1: odd}, ({1: 1.0}, {1: 1.0}), 0.0),
        lambda: mixture(odd),
        lambda: mixture(position, odd),
        lambda: mixture(position, iterations=odd) if odd != 2**63 else mixture(position, plies=odd),
        lambda: mixture(position, plies=odd),
        lambda: mixture(position, colours=odd),
        lambda: best_move(odd),
        lambda: value(odd),
        lambda: settings(order=odd),
        lambda: settings(depth=odd),
        lambda: settings(iterations=odd),
        lambda: settings(weights=odd),
        lambda: settings(weights=(1, 1, odd)),
        lambda: settings(scan=odd),
        lambda: drawn(odd),
    ]  # fmt: skip
    for field in ("order", "cells", "depth", "weights", "iterations"):
        how = settings()._replace(**{field: odd})
        calls += [lambda how=how: match("random", "charge", 1, 1, settings=how)]
        calls += [lambda how=how: ask("purple", state, settings=how)]
    if odd is not None:
        calls += [
            lambda: match("random", "charge", 1, 1, settings=odd),
            lambda: match("random", "charge", 1, 1, state=odd),
            lambda: match("random", "charge", 1, 1, table=odd),
            lambda: ask("cfr-b", state, table=odd),
            lambda: ask("random", state, odd) if odd is not True else ask("random", state, 1),
            lambda: start(first_blue=odd),
            lambda: retrograde(2, 2, 1, 1, workers=odd),
        ]  # fmt: skip
    if odd is not True:
        calls += [
            lambda: settings(escape=odd),
            lambda: retrograde(2, 2, 1, 1, depths=odd),
            lambda: drawn(position, turned=odd),
            lambda: value(state, odd),
            lambda: state.view(odd),
            lambda: State.of(position, odd),
            lambda: State.of(position, 0, odd),
        ]
    if not (isinstance(odd, int) and odd in (1, 2**63)) or odd is True:  # these are seeds
        calls += [
            lambda: match("random", "charge", 1, odd),
            lambda: match(first_move, "charge", 1, odd),
            lambda: ask("random", state, seed=odd),
            lambda: small.verify(1, odd),
        ]
    refused(calls)


def test_what_crashed_the_process_is_refused(table):
    position = Position.of(*SIDES)
    deep, twice = settings()._replace(depth=0), settings()._replace(order=np.ones((2, 4)))
    refused([
        lambda: mixture(position, plies=2.5),
        lambda: match("purple", "random", 1, 1, settings=deep),
        lambda: match("purple", "random", 1, 1, settings=settings()._replace(depth=10**9)),
        lambda: match("purple", "random", 1, 1, settings=settings()._replace(first=7)),
        lambda: match("purple", "random", 1, 1, settings=twice),
        lambda: match("cfr-b", "random", 1, 1, table=no_table()),
        lambda: match("cfr-b", "random", 1, 1, table=table._replace(rank=table.rank + 200)),
        lambda: match("cfr-b", "random", 1, 1, table=table._replace(odd=table.odd[:1])),
        lambda: match("cfr-b", "random", 1, 1, table=table_of(retrograde(4, 4, 1, 1))),
        lambda: match("random", "random", 10**9, 1),
    ])  # fmt: skip


def test_sizes_are_refused_before_anything_is_built():
    began = time.perf_counter()
    refused([
        lambda: Position.of(*SIDES, width=26, height=10**9),
        lambda: retrograde(26, 10**6, 1, 1),
        lambda: retrograde(26, 26, 100, 100),
        lambda: retrograde(6, 6, 4, 4),
        lambda: retrograde_hidden(26, 26),
        lambda: start(26, 10**9),
        lambda: start(26, 26, 100, 100),
        lambda: Position.parse("B" * 10**6),
        lambda: best_move(start(6, 6, 4, 4, first_blue="b5 c5 d5 e5", second_blue="b5 c5 d5 e5")),
        lambda: value(start(6, 6, 4, 4)),
    ])  # fmt: skip
    assert time.perf_counter() - began < 2


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"blue": (3 << 12, 0)}, "second needs at least one blue"),
        ({"blue": (3 << 12, 1 << 3)}, "overlap"),
        ({"red": (1 << 12, 3)}, "overlap"),
        ({"red": (0, 3)}, "first needs at least one red"),
        ({"chasers": (1, -1)}, "one of its pieces"),
        ({"ply": 200}, "has ended"),
        ({"ply": 201}, "ply must be"),
        ({"limit": 0}, "limit must be"),
        ({"ending": "draw"}, "not ended with a draw"),
        ({"ending": "blue-taking win"}, "not ended with a blue-taking win"),
        ({"history": (("a4 up", ""),)}, "cannot have been made"),
        ({"history": ("a4 up",), "ply": 1}, "pairs of a move and a colour"),
        ({"deal": 2}, "dealt before the first ply"),
    ],
)
def test_impossible_states_are_refused(changes, message):
    state = start(first_blue="a4 b4", second_blue="a4 b4")
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(state, **changes)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"first_blue": "a4"}, "must name 2 of the cells a4 b4 c4 d4"),
        ({"second_blue": "a1 b1"}, "must name 2 of the cells"),
        ({"first_blue": "a4 a4"}, "named twice"),
        ({"first_blue": "e9 a4"}, "no cell 'e9'"),
        ({"blues": 5, "reds": 4}, "18 pieces do not fit on 16 cells"),
        ({"blues": 0}, "blues must be a whole number from 1"),
    ],
)
def test_impossible_starts_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        start(**arguments)


def test_a_long_analysis_can_be_interrupted():
    """Solving 4×4 again and again ends within two seconds of Ctrl-C."""
    code = (
        "from gamecore.geister import retrograde\n"
        "retrograde(3, 3, 1, 1)\n"
        "print('ready', flush=True)\n"
        "while True: retrograde(4, 4, 2, 2)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout.readline() == "ready\n"
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    began = time.perf_counter()
    process.wait(20)
    process.stdout.close()
    assert process.returncode != 0
    assert time.perf_counter() - began < 2
