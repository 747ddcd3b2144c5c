"""Moves, a round as a state, and who wins it. Knows nothing of players."""

from dataclasses import dataclass

import numpy as np

from gamecore import check, game
from gamecore.kernel import kernel

MOVES = ("rock", "paper", "scissors")


@kernel
def outcome(move, reply):
    """Return 1 if `move` beats `reply`, −1 if it is beaten, 0 for a draw."""
    return (move - reply + 4) % 3 - 1


@kernel
def beater(move):
    """Return the move that beats `move`."""
    return (move + 1) % 3


def payoff_matrix() -> np.ndarray:
    """Return the row player's payoffs, moves in the order of `MOVES`.

    Examples
    --------
    >>> payoff_matrix().astype(int).tolist()
    [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
    """
    return np.array([[outcome(i, j) for j in range(3)] for i in range(3)], float)


@dataclass(frozen=True)
class State(game.State):
    """One round, before or after both moved; made by `start`.

    Attributes
    ----------
    last : tuple or None
        What both played in the round before, if there was one.
    moves : tuple or None
        What both played in this round; None while they have not.

    Examples
    --------
    >>> print(start().play("rock", "paper"))
    rock - paper
    """

    last: tuple[str, str] | None = None
    moves: tuple[str, str] | None = None

    def __post_init__(self) -> None:
        for name in ("last", "moves"):
            if (pair := getattr(self, name)) is not None:
                first, second = check.listed(pair, name, 2)
                known = check.one_of(first, name, MOVES), check.one_of(second, name, MOVES)
                object.__setattr__(self, name, known)  # a list may be given

    @property
    def movers(self) -> tuple[int, ...]:
        """Who moves now, that is both, or nobody."""
        return (0, 1) if self.moves is None else ()

    def legal(self, player: int) -> list[str]:
        """Return the moves of a player; none once the round is over."""
        return list(MOVES) if check.whole(player, "player", game.CHANCE, 1) in self.movers else []

    def all_moves(self) -> list[str]:
        """Return the three moves."""
        return list(MOVES)

    def longest(self) -> int:
        """Return 1: there is one choice."""
        return 1

    def _after(self, moves: tuple[str, ...]) -> "State":
        return State(self.last, (moves[0], moves[1]))

    def returns(self) -> tuple[float, ...]:
        """Return 1 for a win, 0 for a draw, −1 for a loss."""
        if self.moves is None:
            raise ValueError("the round is not over")
        won = float(outcome(*map(MOVES.index, self.moves)))
        return won, 0.0 - won  # no −0 in a draw

    def svg(self) -> str:
        """Return a picture of both moves."""
        from gamecore.rps.draw import play_svg  # drawing knows states, not the reverse

        return play_svg(*self.moves) if self.moves else play_svg()

    def __str__(self) -> str:
        return " - ".join(self.moves) if self.moves else "both choose"


def start(last: tuple[str, str] | None = None) -> State:
    """Return the state before a round, given what both played in the round before.

    Examples
    --------
    >>> start().legal(1)
    ['rock', 'paper', 'scissors']
    """
    return State(last)
