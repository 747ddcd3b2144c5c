"""Goofspiel against OpenSpiel: the same states, the same numbers."""

import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pyspiel
import pytest

from gamecore.contest import playing
from gamecore.game import CHANCE, randomly
from gamecore.goofspiel import Profile, build, start, train, uniform
from gamecore.goofspiel.tree import rows


def load(cards):
    inner = f"players=2,num_cards={cards},points_order=random,returns_type=win_loss,imp_info=False"
    return pyspiel.load_game(f"turn_based_simultaneous_game(game=goofspiel({inner}))")


def after(state, *actions):
    state = state.clone()
    for action in actions:
        state.apply_action(action)
    return state


def node_states(cards):
    """One OpenSpiel state for each node of our graph, found by walking both side by side."""
    tree = build(cards, "history")
    found = {c: after(load(cards).new_initial_state(), c) for c in range(cards)}
    for n in range(cards, 2, -1):
        level = tree.level(n)
        for node in range(level.start, level.stop):
            state = found[node]
            link = tree.links[n] + (node - level.start) * n * n
            for a, card0 in enumerate(state.legal_actions(0)):
                played = after(state, card0)
                for b, card1 in enumerate(played.legal_actions(1)):
                    chance = after(played, card1)
                    for c, prize in enumerate(chance.legal_actions()):
                        kid = after(chance, prize)
                        same = found.setdefault(int(tree.kids[link + a * n + b]) + c, kid)
                        assert same.information_state_string(0) == kid.information_state_string(0)
    return tree, found


@pytest.fixture(scope="module")
def four():
    return node_states(4)


@pytest.mark.parametrize("cards", [2, 3, 5, 8])
def test_states_side_by_side(cards):
    """The same moves, the same end with the second last card, the same result."""
    for seed in range(30):
        theirs = load(cards).new_initial_state()
        ours = list(playing(start(cards), [randomly] * 2, np.random.default_rng(seed)))
        for state, following in pairwise(ours):
            assert not theirs.is_terminal()
            if not state.prize:
                assert [str(card + 1) for card in theirs.legal_actions()] == state.legal(CHANCE)
                theirs.apply_action(following.prize - 1)
                continue
            for player, card in enumerate(following.rounds[len(state.rounds)][1:]):
                assert [str(card + 1) for card in theirs.legal_actions()] == state.legal(player)
                theirs.apply_action(card - 1)
        assert theirs.is_terminal()
        assert tuple(theirs.returns()) == ours[-1].returns()


def test_node_by_node_the_same_information_states_and_results(four):
    tree, found = four
    assert len(found) == len(tree.states)
    strings = {state.information_state_string(0) for state in found.values()}
    assert len(strings) == len(tree.states)
    level = tree.level(2)
    for node in range(level.start, level.stop):
        for a, card0 in enumerate(found[node].legal_actions(0)):
            for b, card1 in enumerate(after(found[node], card0).legal_actions(1)):
                kid = tree.kids[tree.links[2] + (node - level.start) * 4 + 2 * a + b]
                end = after(found[node], card0, card1)
                assert end.is_terminal()
                assert end.returns()[0] == kid - len(tree.states) - 1


@pytest.mark.parametrize(("cards", "sets"), [(3, 57), (4, 3028), (5, 173_905)])
def test_number_of_histories_and_information_sets(cards, sets):
    """Walk OpenSpiel's states level by level, counting the histories that lead to each."""
    level = {
        s.information_state_string(0): s
        for s in (after(load(cards).new_initial_state(), c) for c in range(cards))
    }
    ways, total = Counter(dict.fromkeys(level, 1)), 0
    for n in range(cards, 1, -1):
        total += len(level)
        following, leading = {}, Counter()
        for name, state in level.items():
            if n == 2:
                leading[""] += 4 * ways[name]  # every pair of cards ends the game
                continue
            for card0 in state.legal_actions(0):
                played = after(state, card0)
                for card1 in played.legal_actions(1):
                    chance = after(played, card1)
                    for prize in chance.legal_actions():
                        kid = after(chance, prize)
                        text = kid.information_state_string(0)
                        following.setdefault(text, kid)
                        leading[text] += ways[name]
        level, ways = following, leading
    assert total == sets == len(build(cards, "history").states)
    assert ways[""] == math.factorial(cards) ** 3


@pytest.mark.parametrize("cards", [3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_exploitability_of_the_uniform_policy(cards):
    game = load(cards)
    theirs = pyspiel.exploitability(game, pyspiel.UniformRandomPolicy(game))
    assert uniform(cards).exploitability() == pytest.approx(theirs, abs=1e-12)


def test_their_average_policy_evaluated_by_ours(four):
    tree, found = four
    game = load(4)
    solver = pyspiel.ExternalSamplingMCCFRSolver(game, 7)
    for _ in range(500):
        solver.run_iteration()
    average = solver.average_policy()
    row = rows(tree, None)
    policies = np.zeros((2, int(row.max()) + 2))
    for n in range(4, 1, -1):
        level = tree.level(n)
        for node in range(level.start, level.stop):
            state = found[node]
            for player in (0, 1):
                mixture = average.action_probabilities(state)
                legal = state.legal_actions(player)
                policies[player, row[node] : row[node] + n] = [mixture[card] for card in legal]
                state = after(state, legal[0])
    ours = Profile(tree, (row, row), (policies[0], policies[1]))
    theirs = pyspiel.exploitability(game, average)
    assert 0.01 < theirs < 0.7
    assert ours.exploitability() == pytest.approx(theirs, abs=1e-9)


def test_both_solvers_learn_alike():
    """At equal iterations and without abstraction, exploitabilities agree to a few per cent."""
    game = load(4)
    theirs = []
    for seed in range(3):
        solver = pyspiel.ExternalSamplingMCCFRSolver(game, seed)
        for _ in range(1000):
            solver.run_iteration()
        theirs.append(pyspiel.exploitability(game, solver.average_policy()))
    ours = [train(4, None, 1000, seed).exploitability() for seed in range(20)]
    assert np.mean(ours) == pytest.approx(np.mean(theirs), rel=0.1)
