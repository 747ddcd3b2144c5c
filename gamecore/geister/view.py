"""What one player sees of a game of Geister.

Everything is in the player's own view, as `gamecore.geister.rules` says; of the opponent's pieces
it knows where they are, and how many are blue.
"""

from __future__ import annotations  # signatures show types by their names

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from gamecore import check, game
from gamecore.geister.rules import (
    cell_name,
    cells_of,
    check_board,
    lettered,
    mask_of,
    moves_of,
    turn,
)

if TYPE_CHECKING:
    from gamecore.geister.state import State

LIMIT = 200
_SEATS = game.State.seats
_Kind = TypeVar("_Kind")


@dataclass(frozen=True)
class View(game.View):
    """What one player sees: its own colours, and of the opponent whatever is open or was told.

    Cells are bit masks in the player's own view, where it plays up.

    Attributes
    ----------
    player : int
        Whose view it is.
    blue : int
        The cells of its blues; 0 if colours are not dealt yet.
    red : int
        The cells of its reds; all pieces if colours are not dealt yet.
    theirs : int
        The cells of the opponent's pieces.
    their_blues : int
        How many of them are blue.
    width : int
        Columns of the board.
    height : int
        Rows of the board.
    ply : int
        How many moves were made.
    limit : int
        After so many the game is a draw.
    chasers : tuple of int
        As in `State`: the player's own, then the opponent's.
    history : tuple of tuple
        Every move so far, in the view of whoever made it, and the colour that it took.
    ending : str
        How the game ended, said of the first player; empty before.
    deal : int
        As in `State`.

    Examples
    --------
    >>> from gamecore.geister import start
    >>> view = start(first_blue="a4 b4", second_blue="b4 c4").view(0)
    >>> print(view)
    u u u u
    . . . .
    . . . .
    B B R R
    ply 0 of 200: first to move, you are first; u are 2 blues and 2 reds
    >>> view.cells["a4"], view.cells["a1"], view.target("a4 up")
    ('B', 'u', 'a3')
    >>> View(0, blue=1 << 5, red=1 << 6, theirs=1 << 9 | 1 << 10, their_blues=1).legal()[0]
    'b2 up'
    """

    player: int
    blue: int
    red: int
    theirs: int
    their_blues: int
    width: int = 4
    height: int = 4
    ply: int = 0
    limit: int = LIMIT
    chasers: tuple[int, int] = (-1, -1)
    history: tuple[tuple[str, str], ...] = ()
    ending: str = ""
    deal: int = 0

    def __post_init__(self) -> None:
        check_board(self.width, self.height)
        check.whole(self.player, "player", 0, 1)
        every = (1 << self.width * self.height) - 1
        for name in ("blue", "red", "theirs"):
            object.__setattr__(self, name, check.whole(getattr(self, name), name, 0, every))
        count = self.theirs.bit_count()
        check.whole(self.their_blues, "their_blues", 0, count)
        if len(check.instance(self.chasers, "chasers", tuple)) != 2:
            raise ValueError("chasers must be a pair, the player's own and the opponent's")
        check.whole(self.chasers[1], "each of chasers", -1, every)
        lowest = mask_of(list(cells_of(self.theirs))[: self.their_blues])
        replace(self._coloured(lowest))  # which checks the rest

    def _coloured(self, their_blue: int) -> State:
        """Return the state in which these of the opponent's pieces are blue."""
        from gamecore.geister.state import State  # states make views: it would go round

        cells, chaser = self.width * self.height, self.chasers[1]
        pairs = {
            "blue": (self.blue, turn(their_blue, cells)),
            "red": (self.red, turn(self.theirs & ~their_blue, cells)),
            "chasers": (self.chasers[0], chaser if chaser < 0 else turn(chaser, cells)),
        }
        ordered = {name: pair[:: 1 - 2 * self.player] for name, pair in pairs.items()}
        return made(State, self, **ordered)

    @property
    def their_reds(self) -> int:
        """How many of the opponent's pieces are red."""
        return self.theirs.bit_count() - self.their_blues

    @property
    def cells(self) -> dict[str, str]:
        """What stands where, by the names of cells; letters as in `letters`."""
        rows = self.letters()
        return {
            cell_name(cell, self.width): rows[cell // self.width][cell % self.width]
            for cell in cells_of(self.blue | self.red | self.theirs)
        }

    @cached_property
    def _moves(self) -> dict[str, tuple[int, int]]:
        return moves_of(self.blue, self.red, self.width, self.height)

    def legal(self) -> list[str]:
        """Return the player's moves, cell by cell; empty if it is not its turn."""
        is_mine = self.ply % 2 == self.player and not self.ending and not self.deal
        return list(self._moves) if is_mine else []

    def target(self, move: str) -> str | None:
        """Return the name of the cell that a legal move leads to; None for an escape."""
        game.legal_move(move, self.legal(), "nothing is the target of")
        to = self._moves[move][1]
        return cell_name(to, self.width) if to >= 0 else None

    def guess(self, rng: np.random.Generator) -> State:
        """Return a state that looks like this to the player: hidden colours are drawn at random.

        Examples
        --------
        >>> from gamecore.geister import start
        >>> view = start(first_blue="a4 b4", second_blue="b4 c4").view(0)
        >>> imagined = view.guess(np.random.default_rng(1))
        >>> imagined.view(0) == view, imagined.position.their_blue.bit_count()
        (True, 2)
        """
        pieces = list(cells_of(self.theirs))
        chosen = check.instance(rng, "rng", np.random.Generator).permutation(len(pieces))
        return self._coloured(mask_of(pieces[i] for i in chosen[: self.their_blues]))

    def letters(self) -> list[list[str]]:
        """Return the board as the player sees it: ``B R``, U if not dealt yet, and ``u``."""
        own = "BR" if self.blue or not self.deal else "BU"
        sets = dict(zip(own + "u", (self.blue, self.red, self.theirs), strict=True))
        return lettered(sets, self.width, self.height)

    def svg(self) -> str:
        """Return a picture, as the player sees the board."""
        from gamecore.geister.draw import lettered_board  # drawing knows states, not the reverse

        return lettered_board(self.letters())

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        board = "\n".join(" ".join(row) for row in self.letters())
        counts = ((self.their_blues, "blue"), (self.their_reds, "red"))
        left = " and ".join(f"{n} {colour}{'s' * (n != 1)}" for n, colour in counts)
        mine = f"{told(self)}, you are {_SEATS[self.player]}"
        is_dealt = not self.deal or self.their_blues
        return f"{board}\n{mine}; u are {left if is_dealt else 'not coloured yet'}"


#: What states and views have by the same name.
_SHARED = [f.name for f in fields(View) if f.name not in ("player", "theirs", "their_blues")]


def made(kind: type[_Kind], known: State | View, **values: Any) -> _Kind:
    """Return a state or a view like another with some values changed, which are not checked."""
    found = object.__new__(kind)
    for name in _SHARED:
        found.__dict__[name] = known.__dict__[name]
    found.__dict__.update(values)
    return found


def told(seen: State | View) -> str:
    """Say how far a game is."""
    if seen.ending:
        plies = f"{seen.ply} {'ply' if seen.ply == 1 else 'plies'}"
        return f"the end after {plies}: {seen.ending} of {_SEATS[0]}"
    last = ""
    if seen.history:
        move, took = seen.history[-1]
        last = f", after {move}" + (f" took a {took}" if took else "")
    turn_of = "chance" if seen.deal else _SEATS[seen.ply % 2]
    return f"ply {seen.ply} of {seen.limit}{last}: {turn_of} to move"
