"""Searches for simultaneous moves, ours and OpenSpiel's: ``python -m benchmarks.simultaneous``.

Every search returns mixtures for both sides of a position, and the exact solution says how
exploitable they are (the mean of both shortfalls). Both sides of the comparison run in one process,
one after the other, timed in processor seconds; the table is data/simultaneous.csv.

OpenSpiel has no Monte Carlo tree search for simultaneous moves. What it has is for turns, and for
games with hidden information, of which a game of simultaneous moves becomes one if the second
player does not see the first one's move: `pyspiel.convert_to_turn_based`. On that run here

* its *IS-MCTS* (Python), with as much exploration as our DUCT(mix), of which it is the counterpart:
  a player's node is what the player knows, so both follow their own UCB values;
* its *outcome sampling MCCFR* (C++), regret matching on sampled games without a growing tree.

The rules that both play by are ours, through `gamecore.openspiel`: states are Python objects, and
most of their time goes there. Their playouts are uniformly random, ours leave out moves that hinder
nobody.

``--calibrate`` measures instead how many playouts each of our methods makes in 10 ms, on the
positions of matches, and writes data/equal-time.csv: stored results depend on it.
"""

import argparse
import math
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version

import numpy as np
import pandas as pd

from gamecore.papers.published import data_folder
from gamecore.papers.store import machine
from gamecore.papers.triomineering import beyond
from gamecore.triomineering import Player, think

#: Seconds of one move of a match.
MOVE = 0.01
OURS, THEIRS = (1000, 3000, 10_000, 30_000, 100_000), (300, 1000)
REPEATS = 3
#: How many of the mixed positions are searched.
MIXED = 9
COLUMNS = ("place", "program", "method", "playouts", "searches", "seconds", "lost", "error",
           "machine")  # fmt: skip
Both = tuple[np.ndarray, np.ndarray]


def ours(method: str) -> Callable[[beyond.Place, int, int], Both]:
    """Return one of our methods as a search."""

    def search(place: beyond.Place, playouts: int, seed: int) -> Both:
        if method == "MSUCB1.5":
            player = Player(method, playouts, symmetry="none")
            v, h = (think(place.position, player, seed, side).policy for side in "VH")
            return v, h
        grown = beyond.tree_of(method, playouts).grow(place.position, seed)
        return grown.v, grown.h

    return search


def is_mcts(place: beyond.Place, playouts: int, seed: int) -> Both:
    """Search by OpenSpiel's IS-MCTS; the mixtures are the shares of visits."""
    import pyspiel
    from open_spiel.python.algorithms import ismcts, mcts

    from gamecore import openspiel

    begun = pyspiel.convert_to_turn_based(openspiel.load(place.position)).new_initial_state()
    dice = np.random.RandomState(seed)
    # its values lie from −1 to 1 and its bonus has no factor 2 below the root
    c = 2 * math.sqrt(2) * beyond.CHOSEN["DUCT(mix)"][1]
    bot = ismcts.ISMCTSBot(
        begun.get_game(), mcts.RandomRolloutEvaluator(1, dice), c, playouts, random_state=dice,
        final_policy_type=ismcts.ISMCTSFinalPolicyType.NORMALIZED_VISITED_COUNT,
    )  # fmt: skip
    bot.set_resampler(lambda state, player: state.clone())  # nothing is hidden where V moves
    shares = [bot.get_policy(begun)]
    reply = begun.child(begun.legal_actions()[0])
    shares.append(bot.get_final_policy(reply, bot.lookup_node(reply)))
    return tuple(np.array([share for _, share in sorted(pairs)]) for pairs in shares)  # type: ignore[return-value]


def outcome_sampling(place: beyond.Place, playouts: int, seed: int) -> Both:
    """Search by OpenSpiel's outcome sampling MCCFR; the mixtures are its averages."""
    import pyspiel

    from gamecore import openspiel

    game = pyspiel.convert_to_turn_based(openspiel.load(place.position))
    solver = pyspiel.OutcomeSamplingMCCFRSolver(game, seed=seed)
    for _ in range(playouts // 2):  # an iteration is a sampled game for each player
        solver.run_iteration()
    begun, policy = game.new_initial_state(), solver.average_policy()
    found = []
    for state in (begun, begun.child(begun.legal_actions()[0])):
        chances = policy.action_probabilities(state)
        found.append(np.array([chances[action] for action in sorted(state.legal_actions())]))
    return found[0], found[1]


def measured(places: list[beyond.Place], search: Callable, playouts: int) -> dict:
    """Return mean seconds and mean exploitability of searches of some positions."""
    lost, seconds = [], 0.0
    for repeat in range(REPEATS if len(places) == 1 else 1):
        for place in places:
            start = time.process_time()
            v, h = search(place, playouts, repeat)
            seconds += time.process_time() - start
            lost.append(beyond.exploitability(place, v, h))
    n = len(lost)
    error = float(np.std(lost, ddof=1)) / math.sqrt(n)
    return {"playouts": playouts, "searches": n, "seconds": seconds / n,
            "lost": float(np.mean(lost)), "error": error}  # fmt: skip


def rows() -> Iterator[dict]:
    """Measure everything, place by place."""
    boards, mixed = beyond.empty_boards(), beyond.judged_sets()["mixed"]
    places = {name: [place] for name, place in boards.items()}
    places["mixed positions"] = mixed[:: len(mixed) // MIXED][:MIXED]
    spiel = f"OpenSpiel {version('open_spiel')}"
    for name, some in places.items():
        for method in beyond.METHODS:
            search = ours(method)
            search(some[0], 2000, 0)  # compiled
            for playouts in OURS:
                if method == "MSUCB1.5" and playouts < some[0].values.size:
                    continue
                found = measured(some, search, playouts)
                yield {"place": name, "program": "gamecore", "method": method, **found}
        for method, peer in (("IS-MCTS", is_mcts), ("outcome sampling", outcome_sampling)):
            for playouts in THEIRS:
                yield {"place": name, "program": spiel, "method": method,
                       **measured(some, peer, playouts)}  # fmt: skip


def calibrate() -> pd.DataFrame:
    """Return how many playouts each method makes in the time of a move, to two digits."""
    places = [place for some in beyond.judged_sets().values() for place in some]
    times = dict.fromkeys(beyond.METHODS, 0.0)
    for method in times:
        ours(method)(places[0], 2000, 0)  # compiled
    for place in places:
        for method in times:  # in turn, so that a busy machine favours nobody
            start = time.process_time()
            ours(method)(place, 5000, 1)
            times[method] += time.process_time() - start
    found = []
    for method, seconds in times.items():
        sides = 2 if method == "MSUCB1.5" else 1  # it was asked for both, a search each
        micro = 1e6 * seconds / (5000 * sides * len(places))
        playouts = int(float(f"{1e6 * MOVE / micro:.2g}"))
        found.append({"method": method, "microseconds": micro, "playouts": playouts,
                      "machine": machine()})  # fmt: skip
    return pd.DataFrame(found)


def main() -> None:
    """Parse the command line, measure, write the file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.simultaneous")
    parser.add_argument("--calibrate", action="store_true", help="write data/equal-time.csv")
    if parser.parse_args().calibrate:
        table, name = calibrate(), "equal-time.csv"
    else:
        table = pd.DataFrame(list(rows())).assign(machine=machine()).reindex(columns=COLUMNS)
        name = "simultaneous.csv"
    print(table.drop(columns="machine").to_string(index=False, float_format="{:.4g}".format))
    table.to_csv(data_folder() / name, index=False, float_format="{:.4g}".format)


if __name__ == "__main__":
    main()
