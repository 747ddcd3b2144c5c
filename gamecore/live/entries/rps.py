"""Rock-paper-scissors in the page."""

from gamecore.kernel import kernel
from gamecore.rps.players import decide
from gamecore.rps.rules import outcome


@kernel
def practice(start, stop, first, second, last, s, row):
    """Play on; `last` is what both played in the game before."""
    for _ in range(start, stop):
        move, reply = decide(first, last[1], s), decide(second, last[0], s)
        row[1 - outcome(move, reply)] += 1.0
        last[0], last[1] = move, reply
