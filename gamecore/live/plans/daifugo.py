"""How a page recomputes the Daifugo experiments."""

from dataclasses import replace
from typing import Any

import numpy as np

from gamecore.daifugo.matches import PLAYED
from gamecore.daifugo.players import THOUGHT, Player, Sontaku, known
from gamecore.daifugo.rules import SCRATCH, SEATS, STATE, Rules, numbers
from gamecore.live.entries.daifugo import series
from gamecore.live.plan import Plan, Room, Step
from gamecore.papers.daifugo.experiments import BENEFICIARY, PLACES
from gamecore.papers.daifugo.studies import VARIANTS

_MORE = ("stays", "drawn", "turns", "playouts")


def _plan(
    game: str, stretch: int, rules: Rules = Rules(),  # noqa: B008 (immutable)
    sontaku: Sontaku = Sontaku(), carry_over: bool = True,  # noqa: B008
) -> Plan:  # fmt: skip
    players: list[Player] = ["random"] * 4
    if game in BENEFICIARY:
        players[0] = replace(sontaku, beneficiary=BENEFICIARY[game])
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


PLANS = {
    "daifugo/table-1": lambda cell: _plan(cell["game"], 100),
    "daifugo/table-2": lambda cell: _plan(cell["game"], 5),
    "daifugo/variants": lambda cell: _plan(cell["game"], 5, **VARIANTS[cell["variant"]]),
    "daifugo/literal": lambda cell: _plan(cell["game"], 5, **VARIANTS["playouts without pass"]),
}
