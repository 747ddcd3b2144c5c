"""The one protocol of all games: states that are played on, views of players, and matches.

A *state* is immutable. It says who moves now, what they may do, and what comes of it. A move is a
short text, such as ``"a4 up"`` or ``"S3 H3"``; what a player may see is a *view*. A *player* is the
name of one of a game's players, or any function from a view and a generator to a legal move:

>>> from gamecore import rps
>>> def stubborn(view, rng):
...     return "rock"
>>> rps.match("nash", stubborn, 100, seed=1).wins > 20
True

Every game has ``start`` (the first state), ``ask`` (what a player would do, and how likely) and
``match`` (games between two players; Daifugo's ``series`` takes four).
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from gamecore import check

#: Who moves when a card is turned up or a side is drawn; its moves are equally likely.
CHANCE = -1
#: Whoever decides, from a view and a generator to a move.
Decider = Callable[["View", np.random.Generator], str]


class State:
    """A position in a game, with all that is needed to play on; each game has its own.

    Attributes
    ----------
    seats : tuple of str
        What the players are called; a player is an index of it.
    movers : tuple of int
        Who moves now: one, several at once, ``(CHANCE,)``, or nobody once the game is over.
    worth : tuple of float
        The least and the most that a player can get.

    Examples
    --------
    >>> from gamecore import rps
    >>> state = rps.start()
    >>> state.movers, state.legal(0)
    ((0, 1), ['rock', 'paper', 'scissors'])
    >>> state.play("rock", "paper").returns()
    (-1.0, 1.0)
    """

    seats: ClassVar[tuple[str, ...]] = ("first", "second")
    worth: ClassVar[tuple[float, float]] = (-1.0, 1.0)

    @property
    def movers(self) -> tuple[int, ...]:
        """Who moves now."""
        raise NotImplementedError

    def legal(self, player: int) -> list[str]:
        """Return the moves of a player, or of `CHANCE`; empty if it is not its turn."""
        raise NotImplementedError

    def all_moves(self) -> list[str]:
        """Return every move that can occur in this game, for whoever needs to number them."""
        raise NotImplementedError

    def longest(self) -> int:
        """Return how many times `play` can be called at most, from the start of such a game."""
        raise NotImplementedError

    def returns(self) -> tuple[float, ...]:
        """Return what each player gets; only once the game is over."""
        raise NotImplementedError

    def view(self, player: int) -> "View":
        """Return what a player may see."""
        return Open(player, self)

    def svg(self) -> str:
        """Return a picture."""
        raise NotImplementedError

    def _after(self, moves: tuple[str, ...]) -> Self:
        """Return the next state; `moves` are legal ones, in the order of `movers`."""
        raise NotImplementedError

    def play(self, *moves: str) -> Self:
        """Return the state after the moves of all `movers`, in their order, if they are legal."""
        movers = self.movers
        if len(moves) != len(movers):
            whose = ", ".join(map(self.name, movers)) or "nobody: the game is over"
            raise ValueError(f"to move is {whose}; moves given: {len(moves)}")
        return self._after(tuple(
            legal_move(move, self.legal(player), f"{self.name(player)} cannot play")
            for player, move in zip(movers, moves, strict=True)
        ))  # fmt: skip

    def name(self, player: int) -> str:
        """Return what a player is called."""
        number = check.whole(player, "player", CHANCE, len(self.seats) - 1)
        return (*self.seats, "chance")[number]

    def save(self, file: str | Path) -> None:
        """Write the picture to a file."""
        Path(file).write_text(self.svg(), encoding="utf-8")

    def _repr_svg_(self) -> str:
        return self.svg()

    def __deepcopy__(self, memo: dict) -> Self:
        return self  # immutable


class View:
    """What one player may see of a state, and may do; games with secrets have their own.

    Examples
    --------
    >>> from gamecore import rps
    >>> view = rps.start().view(1)
    >>> view.player, view.legal()
    (1, ['rock', 'paper', 'scissors'])
    """

    player: int
    """Whose view it is."""

    def legal(self) -> list[str]:
        """Return the player's moves; empty if it is not its turn."""
        raise NotImplementedError

    def guess(self, rng: np.random.Generator) -> State:
        """Return a state that looks like this to the player, what is hidden drawn at random."""
        raise NotImplementedError


@dataclass(frozen=True)
class Open(View):
    """The view of a game without secrets: the ``state`` itself, and which ``player`` sees it.

    Examples
    --------
    >>> from gamecore import rps
    >>> rps.start().view(0).state == rps.start()
    True
    """

    player: int
    state: State

    def __post_init__(self) -> None:
        check.whole(
            self.player, "player", 0, len(check.instance(self.state, "state", State).seats) - 1
        )

    def legal(self) -> list[str]:
        """Return the player's moves; empty if it is not its turn."""
        return self.state.legal(self.player)

    def guess(self, rng: np.random.Generator) -> State:
        """Return the state: nothing is hidden."""
        return self.state

    def __str__(self) -> str:
        return str(self.state)


def legal_move(move: Any, legal: list[str], complaint: str) -> str:
    """Return a move that is legal, or raise a ValueError that lists some that are.

    Examples
    --------
    >>> legal_move("3", ["2", "3"], "first cannot play")
    '3'
    """
    moves = check.listed(legal, "legal")
    if isinstance(move, str) and str(move) in map(str, moves):
        return str(move)  # it may have been one of numpy's
    no_text = "" if isinstance(move, str) else ", which is no text"
    listed = ", ".join(map(repr, moves[:20])) + (", …" if len(moves) > 20 else "")
    raise ValueError(f"{complaint} {check.short(move)}{no_text}; legal: {listed}")


def randomly(view: View, rng: np.random.Generator) -> str:
    """Choose any legal move; a player for all games.

    Examples
    --------
    >>> from gamecore import rps
    >>> randomly(rps.start().view(0), np.random.default_rng(1))
    'paper'
    """
    legal = check.instance(view, "view", View).legal()
    return legal[check.instance(rng, "rng", np.random.Generator).integers(len(legal))]
