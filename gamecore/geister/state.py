"""A game as immutable states, from the colouring of the pieces to the end, and what players see.

Chance colours both sides' pieces; a player's move is a cell and a direction in its own view, such
as ``"a4 up"``, or ``"a1 escape"``.
"""

from __future__ import annotations  # signatures show types by their names

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb

from gamecore import check, game
from gamecore.game import CHANCE
from gamecore.geister.rules import (
    Position,
    beside,
    cells_of,
    check_board,
    lettered,
    mask_of,
    moves_of,
    named,
    names_of,
    turn,
)
from gamecore.geister.view import LIMIT, View, made, told

#: How a game ends, said of the first player: 青取り勝ち, 赤取り負け, 赤取らせ勝ち, 青取られ負け,
#: 脱出勝ち, 脱出負け, and a draw after so many plies.
ENDINGS = (
    "blue-taking win", "red-taking loss", "red-giving win", "blue-taken loss",
    "escape win", "escape loss", "draw",
)  # fmt: skip
#: The longest limit, and the most ways to colour one side's pieces that chance chooses from.
_LONGEST, _COLOURINGS = 10**6, 20_000


@dataclass(frozen=True)
class State(game.State):
    """A position with open colours; made by `start`, or by `State.of` from a `Position`.

    Sides are the first and the second player, cells bit masks in each side's own view.

    Attributes
    ----------
    blue : tuple of int
        The cells of both sides' blues; 0 for a side whose colours are not dealt yet.
    red : tuple of int
        The cells of both sides' reds; all pieces of a side whose colours are not dealt yet.
    width : int
        Columns of the board.
    height : int
        Rows of the board.
    ply : int
        How many moves were made; the second player moves after an odd number.
    limit : int
        After so many the game is a draw.
    chasers : tuple of int
        Of each side the cell of the piece that first came near an opposing one, from afar and
        without taking: −1 if none has, 0 once it is off the board.
    history : tuple of tuple
        Every move so far, and the colour that it took: ``("a4 up", "")``, ``("b2 left", "red")``.
    ending : str
        How the game ended for the first player, one of `ENDINGS`; empty before.
    deal : int
        How many blues chance deals to a side without colours; 0 if there is none.

    Examples
    --------
    >>> state = start(first_blue="a4 b4", second_blue="b4 c4").play("a4 up")
    >>> print(state)
    r b b r
    . . . .
    B . . .
    . B R R
    ply 1 of 200, after a4 up: second to move
    >>> state.legal(1)
    ['a4 up', 'b4 up', 'c4 up', 'd4 up']
    """

    blue: tuple[int, int]
    red: tuple[int, int]
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
        every = (1 << self.width * self.height) - 1
        for name, least in (("blue", 0), ("red", 0), ("chasers", -1)):
            pair = check.instance(getattr(self, name), name, tuple)
            if len(pair) != 2:
                raise ValueError(f"{name} must be a pair, of the first and of the second side")
            whole = tuple(check.whole(mask, f"each of {name}", least, every) for mask in pair)
            object.__setattr__(self, name, whole)
        limit = check.whole(self.limit, "limit", 1, _LONGEST)
        check.whole(self.ply, "ply", 0, limit)
        check.whole(self.deal, "deal", 0, self.width * self.height)
        check.one_of(self.ending, "ending", ("", *ENDINGS))
        self._check_history()
        self._check_pieces()

    def _check_history(self) -> None:
        for event in check.instance(self.history, "history", tuple):
            if not isinstance(event, tuple) or list(map(type, event)) != [str, str]:
                raise ValueError(f"history holds pairs of a move and a colour, not {event!r:.60}")
        if len(self.history) > self.ply:
            raise ValueError(f"{len(self.history)} moves cannot have been made after {self.ply}")

    def _check_pieces(self) -> None:
        """Refuse pieces on one cell, and sides that lack a colour where no game has so ended."""
        for side, (blue, red) in enumerate(zip(self.blue, self.red, strict=True)):
            name, chaser = self.seats[side], self.chasers[side]
            if blue & red or (side and turn(blue | red, self._cells) & self._own(0)):
                raise ValueError(f"pieces of {name} overlap others: a cell holds at most one piece")
            if chaser > 0 and chaser not in (1 << cell for cell in cells_of(blue | red)):
                raise ValueError(f"the chaser of {name} must be one of its pieces")
            if not self.ending and not (blue or self.deal):
                raise ValueError(f"{name} needs at least one blue, or blues to be dealt")
            if not self.ending and red.bit_count() <= (0 if blue else self.deal):
                raise ValueError(f"{name} needs at least one red beside its blues")
        if self.deal and (all(self.blue) or self.ending or self.ply):
            raise ValueError("colours are dealt before the first ply, to a side without blues")
        gone = (self.blue[1], self.red[1], self.red[0], self.blue[0], 0, 0, self.limit - self.ply)
        if self.ending and gone[ENDINGS.index(self.ending)]:
            raise ValueError(f"such a game has not ended with a {self.ending}")
        if not self.ending and self.ply == self.limit:
            raise ValueError(f"after {self.limit} plies a game has ended")

    @classmethod
    def of(cls, position: Position, ply: int = 0, limit: int = LIMIT) -> State:
        """Return the state of a position, its past unknown; after an odd ply the second moves.

        Examples
        --------
        >>> print(State.of(Position.parse("b.r / B.. / ..R"), ply=7))
        r . .
        . . b
        R . B
        ply 7 of 200: second to move
        """
        theirs = check.instance(position, "position", Position).turned()
        sides = [(position.blue, position.red), (theirs.blue, theirs.red)]
        if check.whole(ply, "ply", 0, _LONGEST) % 2:
            sides.reverse()
        (blue, red), (their_blue, their_red) = sides
        board = position.width, position.height
        return cls((blue, their_blue), (red, their_red), *board, ply, limit)

    @property
    def _cells(self) -> int:
        return self.width * self.height

    def _own(self, side: int) -> int:
        return self.blue[side] | self.red[side]

    @property
    def position(self) -> Position:
        """The pieces in the view of the side to move; only while players move."""
        if self.deal or self.ending:
            raise ValueError("there is no position before colours are dealt, nor after the end")
        side = self.ply % 2
        theirs = turn(self.blue[1 - side], self._cells), turn(self.red[1 - side], self._cells)
        return Position(self.blue[side], self.red[side], *theirs, self.width, self.height)

    @property
    def movers(self) -> tuple[int, ...]:
        """Who moves now, that is one player, chance, or nobody."""
        if self.ending:
            return ()
        return (CHANCE,) if self.deal else (self.ply % 2,)

    @cached_property
    def _moves(self) -> dict[str, tuple[int, int]]:
        """The moves of the side to move, from which cell to which."""
        side = self.ply % 2
        return moves_of(self.blue[side], self.red[side], self.width, self.height)

    def legal(self, player: int) -> list[str]:
        """Return the moves of a player, cell by cell; or which cells chance can colour blue."""
        if check.whole(player, "player", CHANCE, 1) not in self.movers:
            return []
        if player != CHANCE:
            return list(self._moves)
        names = names_of(self.red[self.blue.index(0)], self.width).split()
        return [" ".join(some) for some in combinations(names, self.deal)]

    def all_moves(self) -> list[str]:
        """Return every move of the board, cell by cell."""
        cells = range(self._cells)
        alone = (moves_of(1 << cell, 0, self.width, self.height) for cell in cells)
        return [move for moves in alone for move in moves]

    def longest(self) -> int:
        """Return the limit, and twice more for the colours."""
        return self.limit + 2

    def returns(self) -> tuple[float, ...]:
        """Return 1 for a win, 0 for a draw, −1 for a loss."""
        if not self.ending:
            raise ValueError("the game is not over")
        won = float(self.ending.endswith("win") - self.ending.endswith("loss"))
        return won, -won

    def view(self, player: int) -> View:
        """Return what a player may see: of the opponent, where its pieces are and how many."""
        check.whole(player, "player", 0, 1)
        other = 1 - player
        chaser = self.chasers[other]
        seen = (self.chasers[player], chaser if chaser < 0 else turn(chaser, self._cells))
        known = {"_moves": self._moves} if player in self.movers else {}  # not to list them twice
        return made(
            View, self, **known, player=player, blue=self.blue[player], red=self.red[player],
            theirs=turn(self._own(other), self._cells), chasers=seen,
            their_blues=self.blue[other].bit_count(),
        )  # fmt: skip

    def _after(self, moves: tuple[str, ...]) -> State:
        [move] = moves
        if not self.deal:
            return self._moved(move)
        side = self.blue.index(0)
        blue = named(move, self.width, self.height)
        pairs = {"blue": _with(self.blue, side, blue), "red": self.red}
        pairs["red"] = _with(self.red, side, self.red[side] & ~blue)
        return made(State, self, **pairs, deal=0 if all(pairs["blue"]) else self.deal)

    def _moved(self, move: str) -> State:
        """Return the state after a player's move."""
        cell, target = self._moves[move]
        side, here, there = self.ply % 2, 1 << cell, 1 << target if target >= 0 else 0
        other = 1 - side
        step, back = here | there, turn(there, self._cells)
        took = "blue" if back & self.blue[other] else "red" if back & self.red[other] else ""
        blue, red = self.blue, self.red
        if blue[side] & here:
            blue = _with(blue, side, blue[side] ^ step)
        else:
            red = _with(red, side, red[side] ^ step)
        blue, red = (_with(pair, other, pair[other] & ~back) for pair in (blue, red))
        ending = ""
        if not there:
            ending = ENDINGS[4 + side]
        elif not blue[other]:
            ending = ENDINGS[0 if side == 0 else 3]
        elif not red[other]:
            ending = ENDINGS[1 if side == 0 else 2]
        elif self.ply + 1 == self.limit:
            ending = "draw"
        return made(
            State, self, blue=blue, red=red, ply=self.ply + 1, ending=ending,
            chasers=self._chasers(side, cell, target, back if took else 0),
            history=(*self.history, (move, took)),
        )  # fmt: skip

    def _chasers(self, side: int, cell: int, target: int, taken: int) -> tuple[int, int]:
        """Return where the chasers are after a move of a side, which perhaps took a piece."""
        chasers, other = self.chasers, 1 - side
        if chasers[side] == 1 << cell:
            chasers = _with(chasers, side, 1 << target if target >= 0 else 0)
        elif chasers[side] < 0 and target >= 0 and not taken:
            near, theirs = beside(self.width, self.height), turn(self._own(other), self._cells)
            if near[target] & theirs and not near[cell] & theirs:
                chasers = _with(chasers, side, 1 << target)
        return _with(chasers, other, 0) if taken and chasers[other] == taken else chasers

    def letters(self) -> list[list[str]]:
        """Return the board as the first player sees it: capitals are its own; U and u undealt."""
        blue, red = (turn(mask, self._cells) for mask in (self.blue[1], self.red[1]))
        own = "BR" if self.blue[0] or not self.deal else "BU"
        theirs = "br" if self.blue[1] or not self.deal else "bu"
        sets = zip(own + theirs, (self.blue[0], self.red[0], blue, red), strict=True)
        return lettered(dict(sets), self.width, self.height)

    def svg(self) -> str:
        """Return a picture, as the first player sees the board."""
        from gamecore.geister.draw import lettered_board  # drawing knows states, not the reverse

        return lettered_board(self.letters())

    def __str__(self) -> str:
        board = "\n".join(" ".join(row) for row in self.letters())
        return f"{board}\n{told(self)}"


def start(
    width: int = 4,
    height: int = 4,
    blues: int = 2,
    reds: int = 2,
    *,
    first_blue: str | None = None,
    second_blue: str | None = None,
    limit: int = LIMIT,
) -> State:
    """Return the first state; colours that are not chosen are dealt by chance, all equally likely.

    Both sides' pieces stand in the middle of as few bottom rows as hold them: all of the row on
    4×4, and b5 to e6 on 6×6 with four blues and four reds.

    Parameters
    ----------
    width, height : int
        The board, 2×2 to 26×26.
    blues, reds : int
        How many of each a side has.
    first_blue, second_blue : str, optional
        Which pieces of a side are blue, such as ``"a4 b4"``, in its own view.
    limit : int
        After so many plies the game is a draw.

    Examples
    --------
    >>> from gamecore.game import CHANCE
    >>> start().movers == (CHANCE,), start().legal(CHANCE)
    (True, ['a4 b4', 'a4 c4', 'a4 d4', 'b4 c4', 'b4 d4', 'c4 d4'])
    >>> print(start(3, 3, 1, 1, first_blue="a3", second_blue="b3").view(1))
    . u u
    . . .
    R B .
    ply 0 of 200: first to move, you are second; u are 1 blue and 1 red
    """
    check_board(width, height)
    cells = width * height
    blues, reds = (
        check.whole(number, name, 1, cells) for number, name in ((blues, "blues"), (reds, "reds"))
    )
    if 2 * (blues + reds) > cells:
        raise ValueError(f"{2 * (blues + reds)} pieces do not fit on {cells} cells")
    home, masks = _home(width, height, blues + reds), []
    for names, what in ((first_blue, "first_blue"), (second_blue, "second_blue")):
        mask = 0 if names is None else named(names, width, height, what)
        if names is not None and (mask & ~home or mask.bit_count() != blues):
            raise ValueError(
                f"{what} must name {blues} of the cells {names_of(home, width)}, not {names!r:.60}"
            )
        masks.append(mask)
    if not all(masks) and comb(blues + reds, blues) > _COLOURINGS:
        raise ValueError(
            f"{blues} blues and {reds} reds are too many for chance, which chooses from at most "
            f"{_COLOURINGS:,} ways to colour them: choose first_blue and second_blue"
        )
    red = home & ~masks[0], home & ~masks[1]
    deal = 0 if all(masks) else blues
    return State((masks[0], masks[1]), red, int(width), int(height), 0, limit, deal=deal)


def _home(width: int, height: int, pieces: int) -> int:
    """Return where a side's pieces begin, in its own view."""
    rows = -(-pieces // width)
    if 2 * rows > height:  # no room for both in whole rows: the last cells
        return (1 << pieces) - 1 << width * height - pieces
    wide = -(-pieces // rows)
    left = (width - wide) // 2
    places = [(height - 1 - row) * width + left + i for row in range(rows) for i in range(wide)]
    return mask_of(places[:pieces])


def _with(pair: tuple[int, int], side: int, value: int) -> tuple[int, int]:
    """Return a pair with one of its two values replaced."""
    return (value, pair[1]) if side == 0 else (pair[0], value)
