"""States of rock-paper-scissors, and what the reference rules say of them."""

from gamecore import rps
from tests.reference import rps as plain

#: Where random games begin.
STARTS = [rps.start(), rps.start(("rock", "paper"))]


def legal(state):
    """Return the legal moves of everybody to move, by the reference rules."""
    return {player: list(plain.BEATS) for player in state.movers}


def follows(before, moves, after):
    """Say whether the reference rules lead from one state to the other."""
    return after.moves == moves and after.last == before.last


def returns(state):
    """Return the result by the reference rules."""
    won = {"win": 1.0, "draw": 0.0, "loss": -1.0}[plain.outcome(*state.moves)]
    return won, -won


def other_secrets(state, player, generator):
    """Return a state that differs in what `player` may not see; None if nothing is hidden."""
    return None
