"""Who decides: an even mixture, a lover of rocks, and one who answers the last move."""

from gamecore import rng
from gamecore.kernel import kernel
from gamecore.rps.rules import beater

#: nash mixes evenly, rocky plays rock half the time, copycat beats the opponent's last move.
PLAYERS = ("nash", "rocky", "copycat")
_NASH, _ROCKY, _COPYCAT = range(3)


@kernel
def decide(player, last, s):
    """Return a move; `last` is the opponent's previous one, −1 in the first round."""
    if player == _ROCKY:
        return max(rng.below(s, 4) - 1, 0)
    if player == _COPYCAT and last >= 0:
        return beater(last)
    return rng.below(s, 3)
