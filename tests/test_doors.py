"""Our games in other houses pass those houses' own tests."""

import importlib
import warnings

import pytest

from gamecore import goofspiel, rps
from tests.protocol import FOLLOWERS

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
pytest.importorskip("pettingzoo", reason="PettingZoo is not installed")

by_follower = pytest.mark.parametrize("name", FOLLOWERS)


def first(name):
    """Return where a game begins in the conformance test."""
    return importlib.import_module(f"tests.protocol.{name}").STARTS[0]


@by_follower
def test_openspiel_simulates(name):
    from gamecore.openspiel import load

    pyspiel.random_sim_test(load(first(name)), num_sims=2, serialize=False, verbose=False)


@by_follower
def test_pettingzoo_takes_turns(name):
    from pettingzoo.test import api_test

    from gamecore.pettingzoo import Environment

    with warnings.catch_warnings():  # of its own classic games, too: masks, and names of agents
        warnings.simplefilter("ignore")
        api_test(Environment(first(name)), num_cycles=40, verbose_progress=False)


@pytest.mark.parametrize("start", [rps.start(), goofspiel.start(4)], ids=["rps", "goofspiel"])
def test_pettingzoo_moves_at_once(start):
    from pettingzoo.test import parallel_api_test
    from pettingzoo.utils.conversions import aec_to_parallel

    from gamecore.pettingzoo import Environment

    parallel_api_test(aec_to_parallel(Environment(start)), num_cycles=40)


def test_openspiel_measures_a_profile_as_we_do():
    """Its best responses to our uniform player gain what ours do."""
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability

    from gamecore.openspiel import load

    game = pyspiel.convert_to_turn_based(load(goofspiel.start(3)))
    found = exploitability.nash_conv(game, policy.UniformRandomPolicy(game))
    assert found == pytest.approx(2 * goofspiel.uniform(3).exploitability())


def test_openspiel_solves_our_game():
    """Its CFR, on our states, comes to the value and the equilibrium."""
    from open_spiel.python.algorithms import cfr, exploitability

    from gamecore.openspiel import load

    game = pyspiel.convert_to_turn_based(load(goofspiel.start(3)))
    solver = cfr.CFRPlusSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    assert exploitability.nash_conv(game, solver.average_policy()) < 0.02
