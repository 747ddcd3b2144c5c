"""How a page recomputes the Daifugo experiments."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from gamecore.daifugo.matches import PLAYED
from gamecore.daifugo.players import Player, Sontaku, known
from gamecore.daifugo.rules import SCRATCH, SEATS, STATE, Rules, numbers
from gamecore.daifugo.thinking import THOUGHT
from gamecore.live.entries.daifugo import series
from gamecore.live.plan import Plan, Room, Step
from gamecore.papers.daifugo.beyond import PLAYING
from gamecore.papers.daifugo.experiments import BENEFICIARY, PLACES
from gamecore.papers.daifugo.studies import VARIANTS
from gamecore.papers.experiment import Cell

_MORE = ("stays", "drawn", "turns", "playouts")


def _helped(game: str, rules: Rules = Rules(), sontaku: Sontaku = Sontaku(),  # noqa: B008
            carry_over: bool = True) -> Plan:  # fmt: skip
    """Return the plan of a game of the paper's tables."""
    players: list[Player] = ["random"] * 4
    if game in BENEFICIARY:
        players[0] = replace(sontaku, beneficiary=BENEFICIARY[game])
    return _plan(players, 5 if game in BENEFICIARY else 100, rules, carry_over)


def _plan(
    players: list[Player], stretch: int, rules: Rules = Rules(),  # noqa: B008 (immutable)
    carry_over: bool = True,
) -> Plan:  # fmt: skip
    found: list[Any] = [known(who) for who in players]  # type: ignore[arg-type]
    values = {
        "seats": np.array([number for number, _ in found]),
        "helpers": numbers(*(helper for _, helper in found)), "rules": numbers(rules),
        "carry_over": int(carry_over), "deck": np.arange(53), "ranks": np.full(4, -1),
        "played": Room(PLAYED, (stretch,)), "moves": Room(np.int64, (53 * rules.pass_limit,)),
        "tables": Room(STATE, (2,)), "thought": Room(THOUGHT, (1,)), "scratch": Room(SCRATCH, (1,)),
    }  # fmt: skip
    places = [f"{seat} {place}" for seat in SEATS for place in PLACES]
    return Plan([*places, *_MORE], [Step(series, stretch=stretch)], values)


def _beyond(name: str) -> Callable[[Cell], Plan]:
    return lambda cell: _plan(PLAYING[name](cell), 1)


PLANS = {
    "daifugo/table-1": lambda cell: _helped(cell["game"]),
    "daifugo/table-2": lambda cell: _helped(cell["game"]),
    "daifugo/variants": lambda cell: _helped(cell["game"], **VARIANTS[cell["variant"]]),
    "daifugo/literal": lambda cell: _helped(cell["game"], **VARIANTS["playouts without pass"]),
    **{name: _beyond(name) for name in PLAYING},
}
