"""Games between players that remember, liars, and responses, and the habits learnt from games.

Unlike `gamecore.geister.matches` a game here knows what each side's opponent may believe of it.
"""

from __future__ import annotations  # signatures show types by their names

from itertools import combinations_with_replacement

import numpy as np

from gamecore import check, rng
from gamecore.contest import Match
from gamecore.geister.belief import (
    MINDS,
    NOBODY,
    RESPONSE,
    Mind,
    believe,
    mixed,
    new_thought,
)  # fmt: skip
from gamecore.geister.habits import HABIT_CLASSES, class_of, fit
from gamecore.geister.leaves import Lookup
from gamecore.geister.public import (
    BLUE,
    EVERY_MOVE,
    NOTHING,
    RED,
    begin_public,
    legal,
    new_public,
    normalise,
    step_public,
)  # fmt: skip
from gamecore.geister.response import Depths, new_tries, no_depths, respond
from gamecore.geister.rules import ESCAPE, GOALS, target_of, turned16
from gamecore.geister.tree import COLOURINGS
from gamecore.geister.view import LIMIT
from gamecore.kernel import kernel

_PAIRS = tuple(combinations_with_replacement(range(6), 2))  # of the thesis's players


def mind(kind: str, model: str = "", trust: float = 0.0) -> Mind:
    """Return what a side plays by.

    Parameters
    ----------
    kind : str
        One of `gamecore.geister.belief.MINDS`.
    model : str
        Whose moves a CFR player takes the opponent's for: a kind, or nobody's, so that all
        colourings stay equally likely.
    trust : float
        How often CFR's opponent has colours from that belief; else it chooses them.

    Examples
    --------
    >>> mind("cfr-a", "habits", 0.5)
    Mind(kind=4, model=6, trust=0.5)
    """
    check.one_of(kind, "kind", MINDS)
    check.one_of(model, "model", ("", *MINDS[:RESPONSE]))
    check.real(trust, "trust", 0, 1)
    return Mind(MINDS.index(kind), MINDS.index(model) if model else NOBODY, float(trust))


def duel(
    first: Mind,
    second: Mind,
    games: int,
    seed: check.Seed,
    *,
    table: Lookup | None = None,
    solved: Depths | None = None,
) -> Match:
    """Play games in which two minds move first in turn; colours are drawn.

    Parameters
    ----------
    first, second : Mind
        Who plays; see `mind`. At most one is a response, to the other.
    games : int
        How many.
    seed : int or numpy.random.SeedSequence
        Decides everything that is random; fewer games are the first of more.
    table : Lookup, optional
        The positions solved with open colours, which CFR-B needs.
    solved : Depths, optional
        The same with depths, which a response needs; see `gamecore.geister.response.depths`.

    Returns
    -------
    Match
        Its `counts`: ``"plies"``; of the first player ``"decisions"``, and the probabilities, added
        up over these, that its belief gives to the opponent's true colours (``"believed"``) and
        that equal weights would give (``"even"``).

    Examples
    --------
    >>> bool(duel(mind("charge"), mind("random"), 100, seed=1).results.mean() > 0.5)
    True
    """
    check.whole(games, "games", 1)
    pair = [check.instance(one, "a player", Mind) for one in (first, second)]
    kinds = [MINDS[one.kind] for one in pair]
    responses = sum(one.kind >= RESPONSE for one in pair)
    if responses == 2 or (responses and solved is None):
        raise ValueError("a response needs another player to respond to, and solved positions")
    if "cfr-b" in [*kinds, *(MINDS[one.model] for one in pair if one.model >= 0)] and table is None:
        raise ValueError("CFR-B needs its table")
    thought, known = new_thought(table), no_depths() if solved is None else solved
    s, seen, tries = rng.state(check.seed(seed)), new_public(3), new_tries()
    moves = np.zeros(LIMIT, np.int64)
    results, plies, told = np.zeros(games, np.int8), np.zeros(games, np.int64), np.zeros((games, 3))
    for game in range(games):
        mine, theirs = rng.below(s, COLOURINGS), rng.below(s, COLOURINGS)
        results[game], plies[game] = _play(
            first, second, game % 2, mine, theirs, seen, moves, told[game], s, thought, tries, known
        )
    decisions, believed, even = told.T.copy()
    return Match(results, plies=plies, decisions=decisions, believed=believed, even=even)


@kernel
def _play(first, second, starts, mine, theirs, seen, moves, told, s, thought, tries, solved):
    """Play a game; return the first side's result, 1, 0 or −1, and the number of plies."""
    begin_public(seen)
    posterior = np.full(COLOURINGS, 1.0 / COLOURINGS)  # a response's, of its target
    chances = np.zeros((EVERY_MOVE, COLOURINGS))
    full = thought.how.iterations
    for ply in range(LIMIT):
        side = (starts + ply) % 2
        other = 1 - side
        k, hidden = (mine, theirs) if side == 0 else (theirs, mine)
        own, rival = (first, second) if side == 0 else (second, first)
        if side == 0:
            told[0] += 1.0
            told[1] += seen.belief[0, 1, theirs]
            told[2] += 1.0 / seen.possible[0, 1].sum()
        if own.kind >= RESPONSE:
            move = respond(seen, side, k, rival, posterior, ply, thought, tries, solved)
        else:
            only = -1 if rival.kind == RESPONSE else k
            mixed(own.kind, own.trust, seen, 0, side, only, ply % 2, full, thought, chances)
            move = rng.choice(s, chances[:, k])
            if rival.kind == RESPONSE:
                for j in range(COLOURINGS):
                    posterior[j] *= chances[move, j]
                normalise(posterior)
        moves[ply] = move
        won = 1 if side == 0 else -1
        if move % 5 == ESCAPE:
            return won, ply + 1
        if rival.model != NOBODY:
            mixed(rival.model, 0.0, seen, 0, side, -1, ply % 2, full, thought, chances)
            believe(seen, 0, side, move, chances)
        there = turned16(1 << target_of(move // 5, move % 5))
        took = NOTHING
        if seen.pieces[0, other] & there:
            took = BLUE if seen.blues[0, other, hidden] & there else RED
            if seen.counts[0, other, took] == 1:
                return (won if took == BLUE else -won), ply + 1
        if took != NOTHING and own.kind >= RESPONSE:
            for j in range(COLOURINGS):
                if (seen.blues[0, other, j] & there != 0) != (took == BLUE):
                    posterior[j] = 0.0
            normalise(posterior)
        step_public(seen, 0, 0, side, move, took)
    return 0, LIMIT


def learn_habits(
    games: int, seed: check.Seed, *, table: Lookup | None = None
) -> tuple[np.ndarray, int]:
    """Return the weights of the classes of moves, learnt from games of the six players.

    All 21 pairs meet in turn, players with themselves too; both sides' moves count, but for those
    with an escape at hand.

    Parameters
    ----------
    games : int
        How many games.
    seed : int or numpy.random.SeedSequence
        Decides everything that is random.
    table : Lookup, optional
        The positions solved with open colours, which CFR-B needs.

    Returns
    -------
    tuple
        The weights, and from how many moves they were learnt.

    Examples
    --------
    >>> weights, moves = learn_habits(1, seed=1)  # random against itself
    >>> len(weights), moves > 3
    (48, True)
    """
    check.whole(games, "games", 1)
    thought, seen, tries = new_thought(table), new_public(3), new_tries()
    s, solved, moves = rng.state(check.seed(seed)), no_depths(), np.zeros(LIMIT, np.int64)
    told = np.zeros(3)
    offered, made = (
        np.zeros((games * LIMIT, HABIT_CLASSES), np.int8),
        np.zeros(games * LIMIT, np.int8),
    )
    found = 0
    for game in range(games):
        one, two = (Mind(kind, NOBODY, 0.0) for kind in _PAIRS[game % len(_PAIRS)])
        starts = game // len(_PAIRS) % 2
        mine, theirs = rng.below(s, COLOURINGS), rng.below(s, COLOURINGS)
        _, plies = _play(
            one, two, starts, mine, theirs, seen, moves, told, s, thought, tries, solved
        )
        found = _note(starts, mine, theirs, moves[:plies], seen, offered, made, found)
    weights = np.ones(HABIT_CLASSES)
    fit(offered[:found], made[:found], weights)
    return weights, found


@kernel
def _note(starts, mine, theirs, moves, seen, offered, made, found):
    """Write down the classes of the moves that were offered and made in a game; return the end."""
    begin_public(seen)
    for ply in range(len(moves)):
        side = (starts + ply) % 2
        other = 1 - side
        k, hidden = (mine, theirs) if side == 0 else (theirs, mine)
        own, blue = seen.pieces[0, side], seen.blues[0, side, k]
        against = turned16(seen.pieces[0, other])
        if blue & GOALS:
            return found  # it escapes
        for move in range(EVERY_MOVE):
            if legal(own, blue, move):
                offered[found, class_of(blue, against, move)] += 1
        made[found] = class_of(blue, against, moves[ply])
        found += 1
        there = turned16(1 << target_of(moves[ply] // 5, moves[ply] % 5))
        took = NOTHING
        if seen.pieces[0, other] & there:
            took = BLUE if seen.blues[0, other, hidden] & there else RED
        if took == NOTHING or seen.counts[0, other, took] > 1:
            step_public(seen, 0, 0, side, moves[ply], took)
    return found
