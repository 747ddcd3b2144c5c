"""Playing in a terminal against any player: the position as text, moves by name.

A game can be gone on with later: it follows from its seed and one's own moves, which are printed
when one leaves.
"""

import importlib
from collections.abc import Callable, Sequence
from types import ModuleType

import numpy as np

from gamecore.contest import playing
from gamecore.game import Decider, Open, State, View, randomly

#: Random games behind an estimated value; guesses of what is hidden behind a mean of exact ones.
ESTIMATE, GUESSES = 400, 60
HELP = "write a move; ? lists them, value asks what the position is worth, quit ends"


class _Left(Exception):  # noqa: N818 (no error: somebody stops playing)
    pass


def play(
    name: str,
    against: str,
    seat: int = 0,
    seed: int = 0,
    moves: Sequence[str] = (),
    read: Callable[[str], str] = input,
    write: Callable[[str], None] = print,
) -> State:
    """Play a game against a player and return its last state.

    Parameters
    ----------
    name : str
        The game.
    against : str
        One of the game's players, for all other seats.
    seat : int
        One's own seat.
    seed : int
        Decides chance and the other players.
    moves : sequence of str
        One's own moves so far.
    read, write : functions
        Where moves come from and words go to.

    Examples
    --------
    >>> end = play("rps", "rocky", moves=["paper"], write=lambda words: None)
    >>> end.movers
    ()
    """
    game = importlib.import_module(f"gamecore.{name}")
    players = importlib.import_module(f"gamecore.{name}.players")
    start = game.start()
    if seat not in range(len(start.seats)):
        raise ValueError(f"the seats of {name} are 0 to {len(start.seats) - 1}, not {seat}")
    made: list[str] = []
    left = list(moves)
    now = start
    heard: list[str] = []  # what the others chose in this turn, and what I may know of it by now
    known: list[str] = []

    def other(number: int) -> Decider:
        decides = players.decider(against)

        def chosen(view: View, generator: np.random.Generator) -> str:
            move = decides(view, generator)
            heard.append(f"{start.seats[number]}: {move}")
            return move

        return chosen

    def me(view: View, generator: np.random.Generator) -> str:
        legal = view.legal()
        numbered = not any(move.isdigit() for move in legal)  # a number could be a move
        write("\n".join(["", *known, str(view), ""]))
        known.clear()
        while True:
            said = left.pop(0) if left else read(f"{start.seats[seat]}> ").strip()
            if numbered and said.isdigit() and 1 <= int(said) <= len(legal):
                said = legal[int(said) - 1]
            if said in legal:
                made.append(said)
                return said
            if said in ("quit", "q"):
                raise _Left
            if said == "value":
                write(_worth(game, now, seat))
            elif said == "?":
                names = [f"{i}: {move}" for i, move in enumerate(legal, 1)] if numbered else legal
                write("  ".join(names))
            else:
                write(f"{said!r} is no move here: {HELP}")

    deciders = [other(number) for number in range(len(start.seats))]
    deciders[seat] = me
    write(f"you are {start.seats[seat]}, against {against}; {HELP}")
    generator = np.random.default_rng(seed)
    try:
        for state in playing(start, deciders, generator):
            now = state
            known.extend(heard)
            heard.clear()
    except (_Left, EOFError, KeyboardInterrupt):
        write(
            f"\nto go on: gamecore play {name} --against {against} --seat {seat} --seed {seed} "
            f'--moves "{"; ".join(made)}"'
        )
        return now
    write("\n" + "\n".join([*known, str(now)]))
    points = ", ".join(f"{s} {p:g}" for s, p in zip(now.seats, now.returns(), strict=True))
    write(f"the end: {points}")
    return now


def _worth(game: ModuleType, state: State, seat: int) -> str:
    """Say what a position is worth to a seat: exactly if the game knows, else by random games."""
    view, generator, total = state.view(seat), np.random.default_rng(0), 0.0
    if hasattr(game, "value"):
        if isinstance(view, Open):
            return f"worth {game.value(state, seat):.3f} to you, under perfect play of both"
        guesses = [view.guess(generator) for _ in range(GUESSES)]
        mean = np.mean([game.value(guess, seat) for guess in guesses])
        return f"worth {mean:.2f} to you if all could be seen, on average over what is hidden"
    for _ in range(ESTIMATE):
        *_, end = playing(view.guess(generator), [randomly] * len(state.seats), generator)
        total += end.returns()[seat]
    return f"worth about {total / ESTIMATE:.2f} to you, by {ESTIMATE} random games"
