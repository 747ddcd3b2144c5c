"""Matches: games between two players inside one kernel, and the replay of a single one."""

from typing import NamedTuple

import numpy as np

from gamecore import rng
from gamecore.kernel import kernel
from gamecore.triomineering import rules as r
from gamecore.triomineering.players import (
    Player,
    Seed,
    check_playouts,
    decide,
    first_world,
    settings_of,
)
from gamecore.triomineering.rules import Position
from gamecore.triomineering.search import logarithms, world_of

_MOST_ROUNDS = 22


class Match(NamedTuple):
    """The games of a match.

    Examples
    --------
    >>> quick = Player("SimpleUCB0.5", playouts=200)
    >>> match(quick, quick, 3, seed=1, rows=4, columns=4).results.shape
    (3,)
    """

    results: np.ndarray
    """Of each game, 2 if V wins, 1 for a draw, 0 if H wins."""
    openings: np.ndarray
    """Cells of the first moves, a row for each game."""

    def counts(self) -> tuple[int, int, int]:
        """Return V's wins, draws and H's wins: the paper's V-D-H."""
        v, d, h = ((self.results == k).sum() for k in (r.WIN, r.DRAW, r.LOSS))
        return int(v), int(d), int(h)


def match(v: Player, h: Player, games: int, seed: Seed, rows: int = 6, columns: int = 6) -> Match:
    """Play games of V against H from the empty board.

    Parameters
    ----------
    v, h : Player
        Who plays V and who H.
    games : int
        How many.
    seed : int or numpy.random.SeedSequence
        Decides everything that is random; fewer games are the first of more.
    rows, columns : int
        Size of the board.

    References
    ----------
    Section 6 of the paper on MSUCB.

    Examples
    --------
    >>> mixed, plain = Player("MSUCB1", playouts=500), Player("MC", playouts=500)
    >>> match(mixed, plain, 5, seed=1, rows=4, columns=4).counts()
    (0, 5, 0)
    """
    results, openings, _, _ = _play(v, h, games, seed, rows, columns)
    return Match(results, openings)


def replay(
    game: int, v: Player, h: Player, seed: Seed, rows: int = 6, columns: int = 6
) -> Position:
    """Return the end of one game of a `match`, counted from 0, with all its moves.

    Examples
    --------
    >>> end = replay(0, Player(playouts=500), Player("MC", playouts=500), 1, rows=4, columns=4)
    >>> end.result(), len(end.rounds)
    (0.5, 2)
    """
    if game < 0:
        raise ValueError(f"games are counted from 0, not {game}")
    *_, trail, rounds = _play(v, h, game + 1, seed, rows, columns)
    end = Position.empty(rows, columns)
    for cells in trail[:rounds]:
        i, j = (divmod(int(cell), columns) for cell in cells)
        end = end.play(i, j)
    return end


def _play(v: Player, h: Player, games: int, seed: Seed, rows: int, columns: int) -> tuple:
    """Check the arguments, play, and return all that the kernel leaves behind."""
    if games < 1:
        raise ValueError(f"games must be at least 1, not {games}")
    empty = Position.empty(rows, columns)
    worlds = [first_world(empty, player, side) for player, side in ((v, "V"), (h, "H"))]
    moves = len(empty.v_moves()), len(empty.h_moves())
    check_playouts(v, *moves)
    check_playouts(h, *moves[::-1])
    logs = logarithms(max(v.playouts, h.playouts) + 1)
    results, openings = np.empty(games, np.int64), np.empty((games, 2), np.int64)
    trail = np.empty((_MOST_ROUNDS, 2), np.int64)
    rounds = _play_games(
        worlds[0], worlds[1], settings_of(v), settings_of(h), logs, rng.state(seed),
        results, openings, trail,
    )  # fmt: skip
    return results, openings, trail, rounds


@kernel
def _play_games(v_first, h_first, v_settings, h_settings, logs, stream, results, openings, trail):
    """Play all games; return the number of rounds of the last one, whose moves `trail` keeps."""
    columns, fits = v_first.columns, v_first.fits
    rounds = 0
    for game in range(len(results)):
        free, rounds, result = v_first.free, 0, -1
        while result < 0:
            v_world, h_world = v_first, h_first
            if rounds:
                v_world = world_of(free, columns, fits, True)
                h_world = world_of(free, columns, fits, False)
            i = decide(v_world, v_settings, logs, stream)
            j = decide(h_world, h_settings, logs, stream)
            trail[rounds, 0], trail[rounds, 1] = i, j
            rounds += 1
            free = r.step(free, i, j, columns)
            v, h = r.v_moves(free, columns), r.h_moves(free, fits)
            result = r.result(v != 0, h != 0)
        results[game] = result
        openings[game, 0], openings[game, 1] = trail[0, 0], trail[0, 1]
    return rounds
