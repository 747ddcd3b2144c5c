"""Games between players, and what is counted in each.

References
----------
N. Kawakami, master's thesis, JAIST, 2021, sections 6.2.1 and 6.2.2.
"""

from __future__ import annotations  # signatures show types by their names

from array import array
from collections.abc import Iterable, Sequence
from threading import current_thread, main_thread

import numpy as np
from tqdm import tqdm

from gamecore import check, rng
from gamecore.bits import popcount
from gamecore.contest import Match, meet
from gamecore.game import CHANCE, Decider, View
from gamecore.game import State as AnyState
from gamecore.geister.leaves import Lookup
from gamecore.geister.players import (
    CHARGE,
    DETERMINISTIC,
    USUAL,
    Player,
    Settings,
    check_settings,
    decide,
    decider,
    known,
    scratch,
    written,
)
from gamecore.geister.rules import ESCAPE, approaches, names_of, near, target_of, turned16
from gamecore.geister.state import ENDINGS, State, start
from gamecore.geister.view import LIMIT
from gamecore.kernel import constant, kernel

#: What is counted in a game, all of the first named player unless said otherwise.
COUNTS = (
    "ending", "plies", "red_adjacent", "blue_adjacent",  # an ending is an index into ENDINGS
    "approached", "taken", "approached_last", "taken_last",  # …_last: one opposing red left
    "red_taken", "chaser",  # has it taken a red; colour of its first chaser: −1 none, 0 blue, 1 red
    "charge_down",  # steps down by charge, on either side
)  # fmt: skip
(
    _ENDING, _PLIES, _RED_ADJACENT, _BLUE_ADJACENT, _APPROACHED, _TAKEN,
    _APPROACHED_LAST, _TAKEN_LAST, _RED_TAKEN, _CHASER, _CHARGE_DOWN,
) = range(len(COUNTS))  # fmt: skip
_PLACEMENTS = constant([(1 << a | 1 << b) << 12 for a in range(4) for b in range(a + 1, 4)])
#: The first player's points by ending.
_POINTS = np.array([1, -1, 1, -1, 1, -1, 0], np.int8)
_NOBODY = -1  # a player without a place in `PLAYERS`
#: What a game is at between plies: both sides' blues, reds and first chasers in their own view, the
#: opponent's piece that has just approached in the first player's, and the blues at the start.
_PLACES, _APPROACHER, _BLUES = 9, 6, 7
_DRAWN = -1, -1
_BYTES = 300  # kept of a game, at most


def match(
    first: Player,
    second: Player,
    games: int,
    seed: check.Seed,
    *,
    settings: Settings | None = None,
    table: Lookup | None = None,
    state: State | None = None,
) -> Match:
    """Play games in which the players move first in turn.

    Two players of the thesis play from the bottom rows: deterministic pairs go through all 36 pairs
    of placements, both ways round (72 games); otherwise placements are drawn.

    Parameters
    ----------
    first, second : str or function
        Of `PLAYERS`, or functions from a view and a generator to a move.
    games : int
        How many.
    seed : int or numpy.random.SeedSequence
        Decides everything that is random; fewer games are the first of more.
    settings : Settings, optional
        How the players of the thesis play; see `settings`.
    table : Lookup, optional
        The positions solved with open colours, for CFR-B; made when needed.
    state : State, optional
        Where every game begins, if not with `start`.

    Returns
    -------
    Match
        Its `counts`, all of the first player:

        - ``"ending"``, an index of `ENDINGS`, and ``"plies"``;
        - ``"red_adjacent"`` and ``"blue_adjacent"``: how often it brought a piece beside one of the
          opponent's without taking;
        - ``"approached"`` and ``"taken"``: how often the opponent did so, and how often that piece
          was taken at once; ``"approached_last"`` and ``"taken_last"`` with one opposing red left;
        - ``"red_taken"``: whether it took a red; ``"chaser"``: the colour of its first piece that
          came near from afar, 0 blue, 1 red, −1 none;
        - ``"charge_down"``: steps down of the player charge, on either side.

        Only the first two if games begin with a `state`.

    References
    ----------
    Kawakami, master's thesis, JAIST, 2021, section 6.2.

    Examples
    --------
    >>> match("charge", "random", 100, seed=1)
    Match: 92 wins, 0 draws, 8 losses; score 0.920 (95 % interval 0.850 to 0.959)

    A player of one's own, which takes whatever it can:

    >>> def greedy(view, rng):
    ...     takes = [move for move in view.legal() if view.target(move) in view.cells]
    ...     return (takes or view.legal())[0]
    >>> played = match(greedy, "cfr-a", 2, seed=1)
    >>> ENDINGS[played.counts["ending"][0]]
    'escape win'
    >>> print(played.replay(0)[-1])
    . . b r
    . . . b
    . . . .
    . R R B
    the end after 7 plies: escape win of first
    """
    games, seed, how = check.whole(games, "games", 1), check.seed(seed), check_settings(settings)
    if games > 10_000:
        check.memory(games * _BYTES, f"the counts of {games:,} games")
    if state is not None or callable(first) or callable(second):
        begin = start() if state is None else check.instance(state, "state", State)
        if not begin.movers:
            raise ValueError(f"no game begins with its end:\n{begin}")
        return _met((first, second), games, seed, begin, how, table)
    pair, memory = (known(first), known(second)), scratch([str(first), str(second)], table)
    every = first in DETERMINISTIC and second in DETERMINISTIC
    stretch = LIMIT if how.depth <= USUAL.depth and how.iterations <= USUAL.iterations else 1
    s, moves, board = rng.state(seed), np.empty(LIMIT, np.int64), np.empty(_PLACES, np.int64)
    rows, streams = np.zeros((games, len(COUNTS)), np.int64), np.empty((games, 4), np.uint64)

    def play(game: int, s: np.ndarray, row: np.ndarray) -> None:
        blues = _DRAWN
        if every:
            mine, theirs = divmod(game // 2 % 36, 6)
            blues = int(_PLACEMENTS[mine]), int(_PLACEMENTS[theirs])
        while not _play(*pair, False, game % 2, *blues, board, moves, row, stretch, s, how, memory):
            pass  # here Ctrl-C is heard

    in_thread = current_thread() is not main_thread()  # several bars at once would be a mess
    for game in tqdm(range(games), "games", delay=5, leave=False, disable=in_thread):
        streams[game] = s
        play(game, s, rows[game])

    def replayed(game: int) -> list[State]:
        row = np.zeros(len(COUNTS), np.int64)
        play(game, streams[game].copy(), row)
        return _states(board[_BLUES:].tolist(), game % 2, moves[: row[_PLIES]].tolist())

    return Match(
        _POINTS[rows[:, _ENDING]], replayed, **dict(zip(COUNTS, rows.T.copy(), strict=True))
    )


def _states(blues: Sequence[int], starts: int, moves: Iterable[int]) -> list[State]:
    """Return the states of a game that a kernel has played, from the first player's side."""
    one, two = (names_of(blue, 4) for blue in (blues if starts == 0 else blues[::-1]))
    states = [start(first_blue=one, second_blue=two)]
    for move in moves:
        states.append(states[-1].play(written(move)))
    return states


def _met(
    players: Sequence[Player], games: int, seed: check.Seed, begin: State, how: Settings,
    table: Lookup | None,
) -> Match:  # fmt: skip
    """Play in Python, and then count what was played."""
    told: list[array] = []  # of every game its moves, as kernels number them
    dealt: list[tuple[int, int]] = []  # and both sides' blues
    cells = range(begin.width * begin.height)
    number = {
        written(5 * cell + way, begin.width): 5 * cell + way for cell in cells for way in range(5)
    }

    def opening(game: int, generator: np.random.Generator, last: AnyState | None) -> tuple:
        state = begin
        while CHANCE in state.movers:
            colours = state.legal(CHANCE)
            state = state.play(colours[generator.integers(len(colours))])
        if game == len(told):  # else it is replayed
            told.append(array("H"))
            dealt.append(state.blue)
        return state, (game % 2, 1 - game % 2)

    def noted(player: Player) -> Decider:
        decides = decider(player, settings=how, table=table)

        def and_noted(view: View, generator: np.random.Generator) -> str:
            move = decides(view, generator)
            if move in view.legal():
                told[-1].append(number[move])
            return move

        and_noted.__name__ = getattr(decides, "__name__", "the player")
        return and_noted

    met = meet(opening, [noted(player) for player in players], games, seed)
    if begin == start():
        who = [_NOBODY if callable(player) else known(player) for player in players]
        rows = _recounted(who, dealt, told)
    else:
        rows = np.array([_ended(k, met.results[k], told[k], begin.ply) for k in range(games)])
    return Match(met.results, met.replay, **dict(zip(COUNTS, rows.T.copy(), strict=False)))


def _recounted(who: Sequence[int], dealt: Sequence[tuple], told: Sequence[array]) -> np.ndarray:
    """Return the counts of games that were played already, from the usual start."""
    rows, moves = np.zeros((len(told), len(COUNTS)), np.int64), np.empty(LIMIT, np.int64)
    board, s, memory = np.empty(_PLACES, np.int64), rng.state(0), scratch([])
    for game, (blues, played) in enumerate(zip(dealt, told, strict=True)):
        mine, theirs = blues if game % 2 == 0 else blues[::-1]
        moves[: len(played)] = played
        _play(
            who[0], who[1], True, game % 2, mine, theirs, board, moves, rows[game], LIMIT, s, USUAL,
            memory,
        )  # fmt: skip
    return rows


def _ended(game: int, result: int, played: array, ply: int) -> tuple[int, int]:
    """Return how a game ended for the first player, as an index of `ENDINGS`, and its plies."""
    last = (ply + len(played) - 1) % 2  # who made the last move
    if result == 0:
        ending = "draw"
    elif played[-1] % 5 == ESCAPE:
        ending = "escape win" if result > 0 else "escape loss"
    elif last == game % 2:
        ending = "blue-taking win" if result > 0 else "red-taking loss"
    else:
        ending = "red-giving win" if result > 0 else "blue-taken loss"
    return ENDINGS.index(ending), len(played)


@kernel
def _play(
    first, second, told, starts, mine, theirs, board, moves, row, stretch, s, settings, scratch
):
    """Play some plies, from the start if there were none; return whether the game is over.

    Side 0 is the first player, whose row of counts is filled in. Its blues are `mine`, or drawn if
    that is −1, as the other's then are. Moves are written down, or read if they were `told`.
    """
    blue, red, chaser = board[0:2], board[2:4], board[4:6]
    if row[_PLIES] == 0:
        for side in range(2):
            if mine < 0:
                blue[side] = _PLACEMENTS[rng.below(s, 6)]
            else:
                blue[side] = mine if side == 0 else theirs
            board[_BLUES + side] = blue[side]
            red[side] = 0xF000 & ~blue[side]
            chaser[side] = -1
        board[_APPROACHER] = 0
        row[_CHASER] = -1
        row[_ENDING] = 6
    approacher = board[_APPROACHER]
    for ply in range(row[_PLIES], min(row[_PLIES] + stretch, LIMIT)):
        row[_PLIES] = ply + 1
        side = (starts + ply) % 2
        other = 1 - side
        their_blue, their_red = turned16(blue[other]), turned16(red[other])
        hunter = turned16(chaser[other]) if chaser[other] >= 0 else -1
        player = first if side == 0 else second
        seen = blue[side], red[side], their_blue, their_red, hunter
        if not told:
            moves[ply] = decide(player, *seen, ply % 2, s, settings, scratch)
        move = moves[ply]
        cell, way = move // 5, move % 5
        row[_CHARGE_DOWN] += player == CHARGE and way == 2
        target = target_of(cell, way) if way != ESCAPE else -1
        if side == 0 and approacher:
            took = target >= 0 and approacher >> target & 1 == 1
            row[_APPROACHED] += 1
            row[_TAKEN] += took
            row[_APPROACHED_LAST] += popcount(red[1]) == 1
            row[_TAKEN_LAST] += took and popcount(red[1]) == 1
        if way == ESCAPE:
            row[_ENDING] = 4 + side
            return True
        theirs = their_blue | their_red
        taken = 1 << target & theirs
        if side == 0 and approaches(target, theirs):
            row[_BLUE_ADJACENT if blue[0] >> cell & 1 else _RED_ADJACENT] += 1
        if chaser[side] < 0:
            if approaches(target, theirs) and not near(cell) & theirs:
                chaser[side] = 1 << target
                if side == 0:
                    row[_CHASER] = red[0] >> cell & 1
        elif chaser[side] == 1 << cell:
            chaser[side] = 1 << target
        if taken:
            if side == 0 and their_red & taken:
                row[_RED_TAKEN] = 1
            if taken == their_blue:
                row[_ENDING] = 0 if side == 0 else 3
                return True
            if taken == their_red:
                row[_ENDING] = 1 if side == 0 else 2
                return True
            back = turned16(taken)
            blue[other] &= ~back
            red[other] &= ~back
            if chaser[other] == back:
                chaser[other] = 0
        step = 1 << cell | 1 << target
        if blue[side] >> cell & 1:
            blue[side] ^= step
        else:
            red[side] ^= step
        approacher = turned16(1 << target) if side == 1 and approaches(target, theirs) else 0
    board[_APPROACHER] = approacher
    return row[_PLIES] == LIMIT
