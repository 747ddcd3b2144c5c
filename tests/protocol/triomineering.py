"""States of Triomineering, and what the reference rules say of them."""

from gamecore.triomineering import Position, start
from tests.reference import triomineering as plain

#: Where random games begin.
STARTS = [
    start(),
    start(8, 4),
    start(3, 21),
    start(8, 8),
    Position.of("......# .##.... ....... ...#... #......"),
    start(4, 4).play("0,1", "1,0"),
]


def filled(state):
    """Return the filled cells, as the reference has them."""
    cells = "".join(state.letters())
    return frozenset(divmod(k, state.columns) for k, mark in enumerate(cells) if mark != ".")


def pair(move):
    """Return a move as the reference writes it."""
    row, column = map(int, move.split(","))
    return row, column


def legal(state):
    """Return the legal moves of everybody to move, by the reference rules."""
    size, cells = (state.rows, state.columns), filled(state)
    if plain.result(*size, cells) is not None:
        return {}
    return {
        player: [f"{row},{column}" for row, column in plain.legal_moves(*size, cells, side)]
        for player, side in enumerate("VH")
    }


def follows(before, moves, after):
    """Say whether the reference rules lead from one state to the other."""
    v, h = map(pair, moves)
    cells = tuple(row * before.columns + column for row, column in (v, h))
    return (
        (after.rows, after.columns) == (before.rows, before.columns)
        and filled(after) == plain.play(filled(before), v, h)
        and after.rounds == (*before.rounds, cells)
    )


def returns(state):
    """Return the result by the reference rules."""
    won = float(2 * plain.result(state.rows, state.columns, filled(state)) - 1)
    return won, -won


def other_secrets(state, player, generator):
    """Return a state that differs in what `player` may not see; None if nothing is hidden."""
    return None
