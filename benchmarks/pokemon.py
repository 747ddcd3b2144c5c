"""The battle's full solution, against quantecon's minmax called from Python state by state."""

from functools import partial

import numpy as np
from quantecon.optimize import minmax
from quantecon.optimize.linprog_simplex import PivOptions

from benchmarks import side_by_side
from gamecore.matrixgame import saddle_point
from gamecore.pokemon import Solution, solve
from gamecore.pokemon.solution import _solved, _table, payoffs

TURNS = 20
SAMPLE = 4000  # states, whose time stands for all the others'
_TIGHT = PivOptions(1e-12, 1e-12, 1e-15)


def compare() -> list[dict]:
    """Return our time for every state and turn, and the peer's for the states that need a matrix.

    Once the peer solves every state with both actives alive, once only those without a pure saddle
    point. Either way its matrices are ready made, while ours holds everything: transitions,
    payoffs, saddle points, mixtures, replacements and the error bound. The peer is timed on a
    sample and extrapolated per state; it knows nothing of values that no longer change.
    """
    solution = solve(TURNS)
    matrices, values, share = _sample(solution)
    for A, value in zip(matrices, values, strict=True):
        assert abs(minmax(A, 10**6, _TIGHT)[0] - value) < 1e-9
    mixed = [A for A in matrices if saddle_point(A)[0] < 0]
    total = share * TURNS * solution.battle.states
    rows = []
    for words, chosen in (("with both actives alive", matrices), ("without a saddle point", mixed)):
        count = total * len(chosen) / len(matrices)
        rows.append(
            side_by_side(
                f"Pokémon, {TURNS} turns of {solution.battle.states:,} states; the peer solves the "
                f"{count / 1e6:.2f} million matrix games {words}, timed on {len(chosen)}",
                _solve_afresh,
                partial(_peer, chosen),
                against="quantecon, minmax from Python",
                unit="whole solution",
                units=(1, len(chosen) / count),
            )
        )
    return rows


def _solve_afresh() -> None:
    _table.cache_clear()
    _solved.__wrapped__(TURNS)


def _sample(solution: Solution) -> tuple[list[np.ndarray], list[float], float]:
    """Return random payoff matrices, their values, and the share of states that have one."""
    generator = np.random.default_rng(1)
    matrices, values, tried = [], [], 0
    actions = solution.lookup.actions
    while len(matrices) < SAMPLE:
        tried += 1
        state, turns = (
            int(generator.integers(solution.battle.states)),
            int(generator.integers(TURNS)) + 1,
        )
        if solution.table[state, 0] >= 0:
            matrices.append(payoffs(solution.values[turns - 1], solution.table, state, actions))
            values.append(float(solution.values[turns, state]))
    return matrices, values, len(matrices) / tried


def _peer(matrices: list[np.ndarray]) -> None:
    for A in matrices:
        minmax(A, 10**6, _TIGHT)
