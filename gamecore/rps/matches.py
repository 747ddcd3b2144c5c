"""Matches: two players meet again and again."""

import numpy as np

from gamecore import check, rng
from gamecore.contest import Match, meet
from gamecore.game import Decider
from gamecore.game import State as AnyState
from gamecore.kernel import kernel
from gamecore.rps.players import decide, decider, known
from gamecore.rps.rules import MOVES, State, outcome, start


def match(
    first: str | Decider, second: str | Decider, games: int, seed: int | np.random.SeedSequence
) -> Match:
    """Play a match; a player knows what both played in the game before.

    Parameters
    ----------
    first, second : str or function
        Of `PLAYERS`, or functions from a view and a generator to a move.
    games : int
        How often they meet.
    seed : int or numpy.random.SeedSequence
        Decides everything that is random; fewer games are the first of more.

    Examples
    --------
    >>> match("rocky", "nash", 300, seed=1)
    Match: 110 wins, 96 draws, 94 losses; score 0.527 (95 % interval 0.470 to 0.582)
    """
    games, seed = check.whole(games, "games", 1), check.seed(seed)
    if callable(first) or callable(second):
        return meet(_opening, [decider(first), decider(second)], games, seed)
    one, two = known(first), known(second)
    check.memory(17 * games, f"what is kept of {games:,} games")
    moves, results, s = np.empty((games, 2), np.int64), np.empty(games, np.int8), rng.state(seed)
    for begin, end in check.stretches(games):
        _match(one, two, begin, end, s, moves, results)

    def replayed(game: int) -> list[AnyState]:
        played = [(MOVES[i], MOVES[j]) for i, j in moves[max(game - 1, 0) : game + 1]]
        begun = start(played[0] if game else None)
        return [begun, begun.play(*played[-1])]

    return Match(results, replayed)


def _opening(game: int, generator: np.random.Generator, last: AnyState | None) -> tuple:
    return start(last.moves if isinstance(last, State) else None), (0, 1)


@kernel
def _match(first, second, begin, end, s, moves, results):
    """Play the games from `begin` to `end`."""
    last_first, last_second = -1, -1
    if begin > 0:
        last_first, last_second = moves[begin - 1, 0], moves[begin - 1, 1]
    for game in range(begin, end):
        move, reply = decide(first, last_second, s), decide(second, last_first, s)
        results[game] = outcome(move, reply)
        moves[game, 0], moves[game, 1] = move, reply
        last_first, last_second = move, reply
