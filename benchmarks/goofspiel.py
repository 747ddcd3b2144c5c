"""Goofspiel: MCCFR, CFR and exploitability, against OpenSpiel in one process."""

import numpy as np

from benchmarks import gather, side_by_side
from gamecore.goofspiel import CFR, Profile, Trainer, build, train
from gamecore.goofspiel.tree import policy_size, rows

CARDS = 5
OURS = 50_000  # iterations that are timed; the peers' are fewer


def compare() -> list[dict]:
    """Return the speed of iterations and of one exploitability, ours and OpenSpiel's."""
    return gather(_sampling, _sampling_in_python, _cfr, _exploitability)


def _game(cards: int = CARDS):
    import pyspiel

    return pyspiel.load_game(
        "turn_based_simultaneous_game(game=goofspiel("
        f"players=2,num_cards={cards},points_order=random,returns_type=win_loss,imp_info=False))"
    )


def _learn_alike(iterate, policy) -> None:
    """Assert that 1000 iterations with four cards leave about the same exploitability."""
    import pyspiel

    for _ in range(1000):
        iterate()
    theirs = pyspiel.exploitability(_game(4), policy())
    ours = np.mean([train(4, None, 1000, seed).exploitability() for seed in range(20)])
    assert abs(theirs - ours) < 0.2 * ours, (theirs, ours)


def _against_sampler(solver, peer: str, iterations: int) -> dict:
    trainer = Trainer(CARDS, None, 1)
    return side_by_side(
        f"external-sampling MCCFR on Goofspiel {CARDS} without abstraction",
        lambda: trainer.run(OURS), lambda: [solver() for _ in range(iterations)],
        against=peer, unit="iteration", units=(OURS, iterations),
    )  # fmt: skip


def _sampling() -> dict:
    from pyspiel import ExternalSamplingMCCFRSolver as Solver

    small = Solver(_game(4), 1)
    _learn_alike(small.run_iteration, small.average_policy)
    peer = Solver(_game(), 1).run_iteration
    return _against_sampler(peer, "open_spiel, ExternalSamplingMCCFRSolver in C++", 1000)


def _sampling_in_python() -> dict:
    from open_spiel.python.algorithms.external_sampling_mccfr import ExternalSamplingSolver
    from open_spiel.python.policy import python_policy_to_pyspiel_policy

    np.random.seed(1)  # noqa: NPY002 (the peer draws from the global generator)
    small = ExternalSamplingSolver(_game(4))
    tabular = small.average_policy
    _learn_alike(small.iteration, lambda: python_policy_to_pyspiel_policy(tabular().to_tabular()))
    peer = ExternalSamplingSolver(_game()).iteration
    return _against_sampler(peer, "open_spiel, ExternalSamplingSolver in Python", 50)


def _cfr() -> dict:
    """Time a full iteration for both players; player 1's average policies are the same first."""
    import pyspiel

    game = _game(4)  # pyspiel does not keep its arguments alive
    small = pyspiel.CFRSolver(game)
    for _ in range(10):
        small.evaluate_and_update_policy()
    average = small.tabular_average_policy()
    reply = pyspiel.TabularBestResponse(game, 0, average)
    ours = CFR(4, None, plus=False, histories=True)
    theirs = reply.value_from_state(game.new_initial_state())
    assert abs(ours.run(10).best_response_value(0) - theirs) < 1e-9
    ours, large = CFR(CARDS, None, plus=False, histories=True), _game()
    peer = pyspiel.CFRSolver(large)
    return side_by_side(
        f"a full CFR iteration on Goofspiel {CARDS} without abstraction",
        lambda: ours.run(20), peer.evaluate_and_update_policy,
        against="open_spiel, CFRSolver in C++", unit="iteration", units=(20, 1),
    )  # fmt: skip


def _exploitability(cards: int = 4) -> dict:
    """Time the uniform policy on the graph of histories, OpenSpiel's own information states.

    With four cards: with five the peer takes a minute each time.
    """
    import pyspiel

    game, tree = _game(cards), build(cards, "history")
    row = rows(tree, None)
    policy = np.empty(policy_size(tree, row))
    for n in range(cards, 1, -1):
        for k in range(n):
            policy[row[tree.level(n)] + k] = 1.0 / n
    profile = Profile(tree, (row, row), (policy, policy))
    return side_by_side(
        f"exploitability of the uniform policies of Goofspiel {cards}",
        lambda: [profile.exploitability() for _ in range(100)],
        lambda: pyspiel.exploitability(game, pyspiel.UniformRandomPolicy(game)),
        against="open_spiel, exploitability in C++", unit="exploitability", units=(100, 1),
        equal=lambda ours, theirs: abs(ours[0] - theirs) < 1e-12,
    )  # fmt: skip
