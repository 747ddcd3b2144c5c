"""One conformance test for the states of all games, against kernels' rules and plain references."""

import importlib
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from gamecore.contest import playing
from gamecore.game import CHANCE, randomly
from tests.protocol import FOLLOWERS

by_game = pytest.mark.parametrize("name", FOLLOWERS)


def known(name):
    """Return what the test needs of a game."""
    return importlib.import_module(f"tests.protocol.{name}")


def walks(name, number=12, seed=1):
    """Yield random games: lists of states, from every start."""
    generator = np.random.default_rng(seed)
    for start in known(name).STARTS:
        for _ in range(number):
            yield list(playing(start, [randomly] * len(start.seats), generator))


@by_game
def test_random_games_follow_the_reference_rules(name):
    told, generator = known(name), np.random.default_rng(2)
    for start in told.STARTS:
        for _ in range(8):
            state, length = start, 0
            while state.movers:
                expected = told.legal(state)
                assert {p: sorted(state.legal(p)) for p in state.movers} == {
                    p: sorted(moves) for p, moves in expected.items()
                }
                moves = tuple(generator.choice(state.legal(player)) for player in state.movers)
                after = state.play(*map(str, moves))
                assert told.follows(state, tuple(map(str, moves)), after)
                state, length = after, length + 1
            assert length <= start.longest()
            assert state.returns() == pytest.approx(told.returns(state))


@by_game
def test_states_are_values(name):
    for states, again in zip(walks(name, 2), walks(name, 2), strict=True):
        assert states == again
        assert len({*states, *again}) == len(set(states))
        for state in states:
            before = str(state)
            for player in state.movers:
                if player != CHANCE:
                    view = state.view(player)
                    assert view.player == player
                    assert view.legal() == state.legal(player)
                    assert view == state.view(player)
            if state.movers:
                state.play(*(state.legal(player)[0] for player in state.movers))
            assert str(state) == before


@by_game
def test_moves_are_texts_of_one_list(name):
    for states in walks(name, 3):
        every = set(states[0].all_moves())
        for state in states:
            for player in (*range(len(state.seats)), CHANCE):
                legal = state.legal(player)
                assert bool(legal) == (player in state.movers)
                assert len(set(legal)) == len(legal)
                assert all(isinstance(move, str) and move == move.strip() for move in legal)
                assert player == CHANCE or set(legal) <= every


@by_game
def test_only_the_end_has_returns(name):
    for states in walks(name, 3):
        low, high = states[0].worth
        for state in states[:-1]:
            with pytest.raises(ValueError, match="not over"):
                state.returns()
        assert len(states[-1].returns()) == len(states[-1].seats)
        assert all(low <= points <= high for points in states[-1].returns())
        with pytest.raises(ValueError, match="over"):
            states[-1].play("anything")


@by_game
def test_illegal_moves_are_refused_by_name(name):
    [start, *_] = known(name).STARTS
    state = next(s for s in playing(start, [randomly] * len(start.seats), np.random.default_rng(3))
                 if s.movers and CHANCE not in s.movers)  # fmt: skip
    moves = ["not a move"] * len(state.movers)
    with pytest.raises(ValueError, match="not a move"):
        state.play(*moves)
    with pytest.raises(ValueError, match="moves"):
        state.play(*moves, "one too many")

    def cheat(view, generator):
        return "not a move"

    with pytest.raises(ValueError, match=r"cheat.*not a move"):
        list(playing(start, [cheat] * len(start.seats), np.random.default_rng(3)))


@by_game
def test_views_leak_nothing(name):
    told, generator = known(name), np.random.default_rng(4)
    for states in walks(name, 4):
        for state in states:
            for player in state.movers:
                if player == CHANCE:
                    continue
                other = told.other_secrets(state, player, generator)
                if other is not None:
                    assert other.view(player) == state.view(player)
                    assert str(other.view(player)) == str(state.view(player))
                    assert other.view(player).legal() == state.view(player).legal()


@by_game
def test_pictures_and_texts_render(name, tmp_path):
    for states in walks(name, 2):
        for state in states[:: max(len(states) // 5, 1)]:
            assert str(state).strip()
            state.save(tmp_path / "state.svg")
            ElementTree.parse(tmp_path / "state.svg")
            for player in state.movers:
                if player != CHANCE:
                    assert str(state.view(player)).strip()
