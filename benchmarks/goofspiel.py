"""Goofspiel with five cards: MCCFR and exploitability, against OpenSpiel's C++ in one process.

Times are processor seconds of one thread, so that a busy machine does not favour either side.
"""

import time
from collections.abc import Callable

import numpy as np
import pyspiel

from gamecore.goofspiel import Profile, Trainer, build
from gamecore.goofspiel.tree import policy_size, rows

CARDS = 5
OURS, THEIRS = 50_000, 1000  # iterations that are timed


def compare() -> list[dict]:
    """Return the speed of an MCCFR iteration and of one exploitability, ours and OpenSpiel's."""
    game = pyspiel.load_game(
        "turn_based_simultaneous_game(game=goofspiel("
        f"players=2,num_cards={CARDS},points_order=random,returns_type=win_loss,imp_info=False))"
    )
    return [_training(game), _exploitability(game)]


def _training(game) -> dict:
    trainer = Trainer(CARDS, None, 1)
    trainer.run(OURS)
    solver = pyspiel.ExternalSamplingMCCFRSolver(game, 1)
    for _ in range(THEIRS):
        solver.run_iteration()
    ours = min(_time(lambda: trainer.run(OURS)) for _ in range(3)) / OURS
    theirs = [_time(lambda: [solver.run_iteration() for _ in range(THEIRS)]) for _ in range(3)]
    peer = min(theirs) / THEIRS
    return {
        "name": f"Goofspiel, N = {CARDS}: one iteration of external-sampling MCCFR without "
        "abstraction; peer: pyspiel.ExternalSamplingMCCFRSolver",
        "ours_seconds": ours, "peer_seconds": peer, "ratio": peer / ours,
    }  # fmt: skip


def _exploitability(game) -> dict:
    """Time the uniform policy on the graph of histories, OpenSpiel's own information states."""
    tree = build(CARDS, "history")
    row = rows(tree, None)
    policy = np.empty(policy_size(tree, row))
    for n in range(CARDS, 1, -1):
        for k in range(n):
            policy[row[tree.level(n)] + k] = 1.0 / n
    profile = Profile(tree, (row, row), (policy, policy))
    found = profile.exploitability()
    ours = min(_time(profile.exploitability) for _ in range(10))
    start = time.process_time()
    theirs = pyspiel.exploitability(game, pyspiel.UniformRandomPolicy(game))
    peer = time.process_time() - start  # once: it takes about a minute
    assert abs(theirs - found) < 1e-12
    return {
        "name": f"Goofspiel, N = {CARDS}: exploitability of a profile; peer: "
        "pyspiel.exploitability, timed once",
        "ours_seconds": ours, "peer_seconds": peer, "ratio": peer / ours,
    }  # fmt: skip


def _time(work: Callable) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start
