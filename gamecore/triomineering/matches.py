"""Matches: games between two players, inside one kernel unless one of them is a function."""

from __future__ import annotations  # signatures show types by their names

import numpy as np
from tqdm import tqdm

from gamecore import check, rng
from gamecore.contest import Match, meet
from gamecore.game import State
from gamecore.kernel import kernel
from gamecore.triomineering import rules as r
from gamecore.triomineering.players import (
    PLAYOUTS_AT_ONCE,
    AnyPlayer,
    Player,
    check_playouts,
    decide,
    decided,
    decider,
    first_world,
    in_thread,
    known,
    settings_of,
    stretch,
)
from gamecore.triomineering.rules import Position, start
from gamecore.triomineering.search import logarithms, world_of


def match(
    first: AnyPlayer,
    second: AnyPlayer,
    games: int,
    seed: check.Seed,
    rows: int = 6,
    columns: int = 6,
) -> Match:
    """Play games of V against H from the empty board.

    Parameters
    ----------
    first, second : str, Player or function
        Who plays V and who H: names of `PLAYERS`, players with their parameters, or functions from
        a view and a generator to a move.
    games : int
        How many.
    seed : int or numpy.random.SeedSequence
        Decides everything that is random; fewer games are the first of more.
    rows, columns : int
        Size of the board.

    Returns
    -------
    Match
        Wins are V's. Without functions among the players its ``counts["openings"]`` are the cells
        of both first moves, a row for each game.

    References
    ----------
    Section 6 of the paper on MSUCB.

    Examples
    --------
    >>> mixed, plain = Player("MSUCB1", playouts=500), Player("MC", playouts=500)
    >>> match(mixed, plain, 5, seed=1, rows=4, columns=4)
    Match: 0 wins, 5 draws, 0 losses; score 0.500 (95 % interval 0.170 to 0.830)

    A player of one's own, that always plays its last move:

    >>> def last(view, generator):
    ...     return view.legal()[-1]
    >>> match("MSUCB1", last, 1, seed=1, rows=4, columns=4).replay(0)[1].letters()
    ['....', '.V..', '.V..', '.XHH']
    """
    games, seed = check.whole(games, "games", 1), check.seed(seed)
    begun = start(rows, columns)
    if not begun.movers:
        raise ValueError(f"on a {rows}×{columns} board the game is over before it begins")
    for player, seat in ((first, 0), (second, 1)):
        if not callable(player):
            check_playouts(known(player), len(begun.legal(seat)), len(begun.legal(1 - seat)))
    if callable(first) or callable(second):
        deciders = [decider(first), decider(second)]
        return meet(lambda game, generator, last: (begun, (0, 1)), deciders, games, seed)
    check.memory(games * (2 * begun.longest() + 20), f"a match of {games:,} games")
    results = np.empty(games, np.int8)
    trail = np.empty((games, begun.longest(), 2), np.int8)
    _play(begun, known(first), known(second), rng.state(seed), results, trail)

    def replayed(game: int) -> list[State]:
        states: list[State] = [begun]
        for pair in trail[game].tolist():
            if pair[0] >= 0:
                moves = (r.written(divmod(cell, begun.columns)) for cell in pair)
                states.append(states[-1].play(*moves))
        return states

    return Match(results, replayed, openings=trail[:, 0].astype(np.int64))


def _play(
    begun: Position, v: Player, h: Player, s: np.ndarray, results: np.ndarray, trail: np.ndarray
) -> None:
    """Play all games, in stretches after which one can interrupt."""
    worlds = first_world(begun, v, "V"), first_world(begun, h, "H")
    settings = settings_of(v), settings_of(h)
    logs = logarithms(max(v.playouts, h.playouts) + 1)
    # as many decisions as fit in some stretches of a search, the slower player's
    fit = min(
        5 * stretch(one, world) // one.playouts for one, world in zip(settings, worlds, strict=True)
    )
    step = max(1, min(fit // (2 * begun.longest()), PLAYOUTS_AT_ONCE))
    with tqdm(total=len(results), desc="games", delay=5, leave=False, disable=in_thread()) as bar:
        for begin in range(0, len(results), step):
            part = slice(begin, begin + step)
            if fit:
                _play_games(*worlds, *settings, logs, s, results[part], trail[part])
            else:
                results[begin] = _play_slowly(begun, v, h, s, trail[begin], bar)
            bar.update(len(results[part]))


def _play_slowly(
    position: Position, v: Player, h: Player, s: np.ndarray, trail: np.ndarray, bar: tqdm
) -> int:
    """Play one game as the kernel would, by searches that can be interrupted."""
    trail[:] = -1
    while position.movers:
        world = first_world(position, v, "V"), first_world(position, h, "H")
        i, j = decided(world[0], v, s), decided(world[1], h, s)
        trail[len(position.rounds)] = i, j
        columns = position.columns
        position = position.play(divmod(i, columns), divmod(j, columns))
        bar.update(0)  # shows it, once it is due
    return int(position.returns()[0])


@kernel
def _play_games(v_first, h_first, v_settings, h_settings, logs, stream, results, trail):
    """Play all games; write V's result of each, −1, 0 or 1, and the cells of its moves, then −1."""
    columns, fits = v_first.columns, v_first.fits
    for game in range(len(results)):
        free, rounds, result = v_first.free, 0, -1
        while result < 0:
            v_world, h_world = v_first, h_first
            if rounds:
                v_world = world_of(free, columns, fits, True)
                h_world = world_of(free, columns, fits, False)
            i = decide(v_world, v_settings, logs, stream)
            j = decide(h_world, h_settings, logs, stream)
            trail[game, rounds, 0], trail[game, rounds, 1] = i, j
            rounds += 1
            free = r.step(free, i, j, columns)
            v, h = r.v_moves(free, columns), r.h_moves(free, fits)
            result = r.result(v != 0, h != 0)
        results[game] = result - r.DRAW
        trail[game, rounds:] = -1
