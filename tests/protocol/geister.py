"""States of Geister, and what the reference rules say of them."""

from itertools import combinations

from gamecore.game import CHANCE
from gamecore.geister import Position, State, start
from tests.reference import geister as plain

#: Where random games begin: the thesis's, others, near the limit, and a position without a past.
STARTS = [
    start(),
    start(3, 3, 2, 1, first_blue="a3 b3"),
    start(6, 6, 4, 4, second_blue="b5 c5 d6 e6", limit=60),
    start(5, 4, 1, 3, limit=5),
    State.of(Position.parse("b..r / .B.. / ..r. / R..."), ply=7),
]


def board(state):
    return plain.Board(state.width, state.height)


def cells(mask):
    return frozenset(i for i in range(mask.bit_length()) if mask >> i & 1)


def name(cell, width):
    return f"{'abcdefghijklmnopqrstuvwxyz'[cell % width]}{cell // width + 1}"


def seen(state, side):
    """Return the reference's position in the view of a side."""
    own = cells(state.blue[side]), cells(state.red[side])
    theirs = cells(state.blue[1 - side]), cells(state.red[1 - side])
    return plain.Position(*own, *map(board(state).turned, theirs))


def text(state, move):
    return f"{name(move[0], state.width)} {move[1]}"


def legal(state):
    """Return the legal moves of whoever is to move, by the reference rules."""
    side = state.ply % 2
    if state.movers == (CHANCE,):
        home = sorted(cells(state.red[state.blue.index(0)]))
        names = [name(cell, state.width) for cell in home]
        return {CHANCE: [" ".join(some) for some in combinations(names, state.deal)]}
    return {side: [text(state, move) for move in board(state).moves(seen(state, side))]}


def follows(before, moves, after):
    """Say whether the reference rules lead from one state to the other."""
    if (before.width, before.height, before.limit) != (after.width, after.height, after.limit):
        return False
    side = before.ply % 2
    if before.movers == (CHANCE,):
        dealt = before.blue.index(0)
        same = before.blue[1 - dealt] == after.blue[1 - dealt]
        named = {name(cell, before.width) for cell in cells(after.blue[dealt])}
        pieces = [b.blue[dealt] | b.red[dealt] for b in (before, after)]
        return same and named == set(moves[0].split()) and pieces[0] == pieces[1]
    position = seen(before, side)
    [move] = [m for m in board(before).moves(position) if text(before, m) == moves[0]]
    took = plain.taken(position, board(before).step(*move)) or ""
    assert after.history == (*before.history, (moves[0], took))
    assert after.ply == before.ply + 1
    ended = plain.ending(board(before), position, move)
    if ended:
        return after.ending == ended[side]
    assert after.ending == ("draw" if after.ply == after.limit else "")
    assert seen(after, 1 - side) == board(before).play(position, move)
    return followed_chasers(before, position, move, after, side)


def followed_chasers(before, position, move, after, side):
    """Say whether both first chasers are where the reference finds them."""
    there = board(before)
    target = frozenset([there.step(*move)])
    own, other = before.chasers[side], cells(max(before.chasers[1 - side], 0))
    if own >= 0:
        mine = plain.moved(cells(own), move[0], target)
    else:
        mine = target if plain.chases(there, position, move) else None
    theirs = other - there.turned(target)
    return (
        (after.chasers[side] == -1 if mine is None else cells(after.chasers[side]) == mine)
        and (before.chasers[1 - side] == -1) == (after.chasers[1 - side] == -1)
        and cells(max(after.chasers[1 - side], 0)) == theirs
    )


def returns(state):
    """Return the result by the reference rules, from the name of the ending."""
    won = {"win": 1.0, "loss": -1.0, "draw": 0.0}[state.ending.split()[-1]]
    return won, -won


def other_secrets(state, player, generator):
    """Return a state in which the opponent's pieces have other colours."""
    return state.view(player).guess(generator)
