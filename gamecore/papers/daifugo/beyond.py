"""Beyond the paper: opponents that think, help for the player in front, and whether it shows.

The questions, with the rules that answer them, are in ``data/questions/daifugo.csv`` and were there
before these games were played; `questions` applies the rules. When all four play alike, every seat
has 1.5 points by symmetry, so gains need no games of their own to be held against.
"""

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from gamecore.daifugo.matches import series
from gamecore.daifugo.observer import decisions
from gamecore.daifugo.players import Player, Sontaku
from gamecore.daifugo.rules import SEATS
from gamecore.daifugo.thinking import INFORMATION, MODELS
from gamecore.papers.daifugo.experiments import BENEFICIARY, counted
from gamecore.papers.experiment import experiment

HELPER, FRONT = 0, 3  # the paper's helper, and the player in front of it, CPUC
#: What is changed to help CPUC, one thing at a time: helpers besides the first, its settings.
CHANGES: dict[str, tuple[tuple[int, ...], dict[str, Any]]] = {
    "reward 1-0-0-0": ((), {"reward": 1000}),
    "reward 1-1-1-0": ((), {"reward": 1110}),
    "reward 9-4-1-0": ((), {"reward": 9410}),
    "sees CPUC's hand": ((), {"information": INFORMATION.index("beneficiary")}),
    "sees all hands": ((), {"information": INFORMATION.index("everybody")}),
    "CPUA helps too": ((1,), {}),
    "CPUB helps too": ((2,), {}),
}
#: Whom the watched player plays for; nobody: at random.
WATCHED = {"nobody": None, "itself": HELPER, **{SEATS[seat]: seat for seat in (1, 2, 3)}}
TIMES = 20  # that the observer thinks a decision over
MODEL_GAMES = [{"model": model, "game": game} for model, game in product(MODELS, BENEFICIARY)]


def _helped(cell: Any, opponents: list[Player]) -> list[Player]:
    """Return the players of a game of table 2 with these opponents and a model of them."""
    helper = Sontaku(BENEFICIARY[cell["game"]], model=MODELS.index(cell["model"]))
    return [helper, *opponents]


def _among_random(helpers: dict[int, Sontaku]) -> list[Player]:
    """Return four players: helpers in their seats, and random ones."""
    return [helpers.get(seat, "random") for seat in range(4)]


def _in_front(cell: Any) -> list[Player]:
    """Return SontakuC's players, changed."""
    others, settings = CHANGES[cell["change"]]
    return _among_random(dict.fromkeys((HELPER, *others), replace(Sontaku(FRONT), **settings)))


#: Who plays in the cells of the experiments that count places.
PLAYING: dict[str, Callable[[Any], list[Player]]] = {
    "daifugo/among-greedy": lambda cell: _helped(cell, ["greedy"] * 3),
    "daifugo/among-thinkers": lambda cell: _helped(cell, [Sontaku(seat) for seat in (1, 2, 3)]),
    "daifugo/seats": lambda cell: _among_random({cell["helper"]: Sontaku(cell["helped"])}),
    "daifugo/front": _in_front,
    "daifugo/playouts-1000": lambda cell: _among_random({HELPER: Sontaku(FRONT, 1000)}),
    "daifugo/playouts-10000": lambda cell: _among_random({HELPER: Sontaku(FRONT, 10_000)}),
}


def _places(name: str, cell: Any, seed: Any, games: int) -> dict[str, int]:
    return counted(series(games, seed, PLAYING[name](cell)))


@experiment(
    "daifugo/among-greedy", cells=MODEL_GAMES,
    games=100, quick=1, paper=24, fingerprint=2, extra=True,
)  # fmt: skip
def among_greedy(cell, seed, games, tables):
    """Table 2 with greedy opponents, and three models of them in the helper's playouts."""
    return _places("daifugo/among-greedy", cell, seed, games)


@experiment(
    "daifugo/among-thinkers", cells=MODEL_GAMES,
    games=100, quick=1, paper=24, fingerprint=1, extra=True,
)  # fmt: skip
def among_thinkers(cell, seed, games, tables):
    """Table 2 with opponents that play for themselves by the helper's own search."""
    return _places("daifugo/among-thinkers", cell, seed, games)


@experiment(
    "daifugo/seats",
    cells=[{"helper": h, "helped": (h + distance) % 4} for h in range(4) for distance in (1, 2, 3)],
    games=100, quick=1, paper=6, fingerprint=1, extra=True,
)  # fmt: skip
def seats(cell, seed, games, tables):
    """All three beneficiaries from all four seats, among random players."""
    return _places("daifugo/seats", cell, seed, games)


@experiment(
    "daifugo/front", cells=[{"change": change} for change in CHANGES],
    games=100, quick=1, paper=24, fingerprint=1, extra=True,
)  # fmt: skip
def front(cell, seed, games, tables):
    """SontakuC with another reward, with more information, or with a second helper."""
    return _places("daifugo/front", cell, seed, games)


@experiment(
    "daifugo/playouts-1000", cells=[{"game": "SontakuC"}],
    games=100, quick=1, paper=12, fingerprint=1, extra=True,
)  # fmt: skip
def playouts_1000(cell, seed, games, tables):
    """SontakuC with ten times the playouts."""
    return _places("daifugo/playouts-1000", cell, seed, games)


@experiment(
    "daifugo/playouts-10000", cells=[{"game": "SontakuC"}],
    games=25, quick=1, paper=20, fingerprint=1, extra=True,
)  # fmt: skip
def playouts_10000(cell, seed, games, tables):
    """SontakuC with a hundred times the playouts."""
    return _places("daifugo/playouts-10000", cell, seed, games)


@experiment(
    "daifugo/watched", cells=[{"helped": helped} for helped in WATCHED],
    games=1, quick=4, paper=100, fingerprint=1, extra=True,
)  # fmt: skip
def watched(cell, seed, games, tables):
    """First games of a player who helps somebody, itself or nobody, and what its plays tell."""
    seat, (playing, thinking) = WATCHED[cell["helped"]], seed.spawn(2)
    helpers = {} if seat is None else {HELPER: Sontaku(seat)}
    played = series(games, playing, _among_random(helpers), carry_over=False)
    made = [
        one for game in range(games)
        for one in decisions(played.replay(game), HELPER, Sontaku(), TIMES, thinking)
    ]  # fmt: skip
    return told(made)


def told(made: list) -> dict[str, float]:
    """Return what the decisions of a game tell: counts, and how likely they were.

    ``likelihood CPUA`` is the product of the chances of its plays, if it plays for CPUA. Of
    `votes` of self-interested players `against` were for something else than was played, and of
    `pairs` of them `apart` disagreed. ``stake CPUA`` adds up what choosing is worth to CPUA, in
    points, over the ``open`` decisions: before anybody is out.
    """
    row: dict[str, float] = {"decisions": len(made), "votes": 0, "against": 0, "pairs": 0}
    row |= {"apart": 0, "open": 0}
    likelihood, stake = np.ones(4), np.zeros(4)
    for decision, chosen in made:
        votes = decision.votes(HELPER)
        count = int(votes.sum())
        row["votes"] += count
        row["against"] += count - int(votes[chosen])
        row["pairs"] += count * (count - 1)
        row["apart"] += count * (count - 1) - int((votes * (votes - 1)).sum())
        likelihood *= [decision.chances(seat)[chosen] for seat in range(4)]
        if not decision.out:
            row["open"] += 1
            stake += [decision.stake(seat) / Sontaku().playouts for seat in range(4)]
    names = ["itself", *SEATS[1:]]
    row |= {f"likelihood {name}": value for name, value in zip(names, likelihood, strict=True)}
    return row | {f"stake {name}": value for name, value in zip(names, stake, strict=True)}
