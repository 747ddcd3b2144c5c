"""Who decides: an even mixture, a lover of rocks, and one who answers the last move."""

import numpy as np

from gamecore import check, rng
from gamecore.contest import asked
from gamecore.game import Decider, Open, View
from gamecore.kernel import kernel
from gamecore.rps.rules import MOVES, State, beater

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


def ask(player: str | Decider, state: State | View, seat: int = 0) -> dict[str, float]:
    """Return what a player would do, with the probability of each move.

    Parameters
    ----------
    player : str or function
        One of `PLAYERS`, or one's own.
    state : State or View
        Where to decide.
    seat : int
        As whom, if a state is given.

    Examples
    --------
    >>> from gamecore.rps import start
    >>> ask("copycat", start(last=("rock", "paper")), seat=1)
    {'rock': 0.0, 'paper': 1.0, 'scissors': 0.0}
    """
    seat = check.whole(seat, "seat", 0, 1)
    view = state.view(seat) if isinstance(state, State) else state
    if not isinstance(view, Open) or not isinstance(view.state, State):
        raise ValueError(f"a state or a view is needed, not {check.short(state)}")
    if not view.legal():
        raise ValueError("nobody chooses here: the round is over")
    if callable(player):
        return asked(player, view)
    chances = [1 / 3] * 3 if known(player) != _ROCKY else [0.5, 0.25, 0.25]
    if player == "copycat" and (last := _last(view)) >= 0:
        chances = [float(move == beater(last)) for move in range(3)]
    return dict(zip(MOVES, chances, strict=True))


def decider(player: str | Decider) -> Decider:
    """Return a player as a function from a view and a generator to a move."""
    if callable(player):
        return player
    number = known(player)

    def decides(view: View, generator: np.random.Generator) -> str:
        s = rng.state(int(generator.integers(2**63)))
        return MOVES[decide(number, _last(view), s)]

    decides.__name__ = player
    return decides


def known(player: str) -> int:
    """Return a player's place in `PLAYERS`, or raise a ValueError."""
    if not isinstance(player, str) or player not in PLAYERS:
        names = ", ".join(PLAYERS)
        raise ValueError(
            f"unknown player {check.short(player)}: choose from {names}, or a function"
        )
    return PLAYERS.index(player)


def _last(view: View) -> int:
    """Return the opponent's last move, −1 in the first round."""
    last = view.state.last  # type: ignore[attr-defined]
    return -1 if last is None else MOVES.index(last[1 - view.player])
