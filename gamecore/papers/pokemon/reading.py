"""Section 7, which the paper sketches: habits recognised and punished, and what that risks.

Tables of habits are made once in a process, from seeds of their own: 32 draws of noise a state.
"""

import os
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

from gamecore.papers.experiment import experiment
from gamecore.papers.pokemon.experiments import DELTAS, HABITS, habit, solved
from gamecore.pokemon.marginals import Marginal, marginal
from gamecore.pokemon.players import Player, player
from gamecore.pokemon.reading import Family, Readings, family, read
from gamecore.pokemon.replies import Reply, reply

#: Table 4's players by noise and δ.
NOISY = {
    f"{noise} {delta}": (noise, delta) for noise in ("uniform", "variable") for delta in DELTAS
}
#: What a reader thinks possible: Nash, noise of both kinds, and the players of table 5.
FAMILY = ("nash", *NOISY, "delta-nash", *HABITS)
#: Habits that it has never heard of: anything goes; or every other move repeats the last one.
OUTSIDE = ("random", "stubborn")
STUBBORN = 0.5
BATTLES, TURNING = 50, 20
FEIGNED = ("variable 0.2", *HABITS)
#: Draws of noise a state, and what a safe reply may lose a battle against the worst opponent.
DRAWS, EPSILON = 32, 0.02
#: How much a reply may trust its table.
TRUSTS = tuple(k / 8 for k in range(9))
_SLACK = 0.05


def named(name: str) -> Player:
    """Return a player of the chapter by its name.

    Examples
    --------
    >>> named("variable 0.1").delta, named("attack").bias, named("random").kind
    (0.1, 'attack', 'random')
    """
    if name in NOISY:
        noise, delta = NOISY[name]
        return player(noise=noise, delta=delta)
    return player(name) if name in ("random", "monte-carlo") else habit(name)


def _least(name: str) -> float:
    """Return how small a stake is still tabled: smaller for who spreads over many states."""
    if name in ("random", "monte-carlo"):
        return 1e-5
    return 3e-3 if name in NOISY and NOISY[name][1] > DELTAS[0] else 1e-2


@lru_cache(64)
def tabled(name: str, party: int) -> Marginal:
    """Return a player's table as one party."""
    return marginal(named(name), party, DRAWS, _least(name), _SLACK, seed=party, solution=solved())


@lru_cache(256)
def trusting(name: str, party: int, trust: float) -> Reply:
    """Return the reply to a player's table that trusts it so much."""
    return reply(tabled(name, party), trust, solved())


def best(name: str, party: int) -> Reply:
    """Return the best reply to a player's table."""
    return trusting(name, party, 1.0)


def safest(name: str, party: int) -> Reply:
    """Return a reply that loses no more than ε to the worst opponent, of the most trust it can.

    By halving, for the more is trusted the more is risked; without trust it is Nash.
    """
    low, high = 0, len(TRUSTS) - 1
    while high - low > 1:
        middle = (low + high) // 2
        if trusting(name, party, TRUSTS[middle]).risk <= EPSILON:
            low = middle
        else:
            high = middle
    return trusting(name, party, TRUSTS[low])


@lru_cache(1)
def whole_family() -> Family:
    """Return the family with its replies, made on all cores."""
    places = [(name, party) for name in FAMILY[1:] for party in (0, 1)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        made = list(pool.map(lambda at: (tabled(*at), best(*at), safest(*at)), places))
    return family(list(zip(made[::2], made[1::2], strict=True)))


def _alone(name: str) -> Family:
    """Return a family of one, to whom no safe reply is needed."""
    one, two = ((tabled(name, k), best(name, k), best(name, k)) for k in (0, 1))
    return family([(one, two)])


@experiment(
    "pokemon/replies",
    cells=[{"player": name} for name in (*FAMILY, "random")],
    games=20_000, quick=1, paper=10, fingerprint=100, extra=True,
)  # fmt: skip
def replies(cell, seed, games, tables):
    """The best reply to each player's table against the player itself; what the sweep expects."""
    name = cell["player"]
    found = read(named(name), _alone(name), games, 1, seed, solved(), "oracle", 1)
    return {
        "points1": int(found.points[0]),
        **{f"gain{k + 1}": best(name, k).gain for k in (0, 1)},
        **{f"rows{k + 1}": len(tabled(name, k).states) for k in (0, 1)},
    }


@experiment(
    "pokemon/replies-monte-carlo", cells=[{"player": "monte-carlo"}],
    games=2000, quick=1, paper=10, fingerprint=100, extra=True,
)  # fmt: skip
def replies_monte_carlo(cell, seed, games, tables):
    """The same against Monte Carlo, whose every decision takes 500 playouts."""
    return replies.play(cell, seed, games, tables)


@experiment(
    "pokemon/safety",
    cells=[{"player": name, "trust": trust} for name in FAMILY[1:] for trust in TRUSTS[::2]],
    games=1, quick=1, paper=1, fingerprint=1, extra=True,
)  # fmt: skip
def safety(cell, seed, games, tables):
    """What replies of more or less trust win against a table and may lose to the worst opponent."""
    found = [trusting(cell["player"], k, cell["trust"]) for k in (0, 1)]
    return {
        "gain": sum(one.gain for one in found) / 2, "risk": sum(one.risk for one in found) / 2,
        "chosen": sum(safest(cell["player"], k).trust for k in (0, 1)) / 2,
    }  # fmt: skip


def _columns(found: Readings) -> dict[str, int]:
    return {
        f"{name}{battle + 1}": int(count)
        for name, counts in found._asdict().items() for battle, count in enumerate(counts)
    }  # fmt: skip


@experiment(
    "pokemon/reading",
    cells=[
        *({"opponent": who, "reader": r} for who in (*FAMILY, *OUTSIDE) for r in ("bare", "safe")),
        *({"opponent": name, "reader": "nash"} for name in OUTSIDE),
    ],
    games=400, quick=1, paper=10, fingerprint=2, prepare=whole_family, extra=True,
)  # fmt: skip
def reading(cell, seed, games, habits):
    """Series of 50 battles of a reader that does not know its opponent; a game is a series."""
    name = cell["opponent"]
    stubborn = STUBBORN if name == "stubborn" else 0.0
    who = named("nash" if stubborn else name)
    truth = FAMILY.index(name) if name in FAMILY else -1
    return _columns(
        read(who, habits, games, BATTLES, seed, solved(), cell["reader"], truth, stubborn=stubborn)
    )


@experiment(
    "pokemon/reading-steady",
    cells=[{"opponent": who, "reader": "steady"} for who in (*FAMILY, *OUTSIDE)],
    games=400, quick=1, paper=10, fingerprint=2, prepare=whole_family, extra=True,
)  # fmt: skip
def reading_steady(cell, seed, games, habits):
    """The same of a reader that plays Nash, and no pure reply to it, where a table ends.

    Asked when the bare reader had been seen to lose to the effective bias.
    """
    return reading.play(cell, seed, games, habits)


@experiment(
    "pokemon/feigning",
    cells=[
        {"habit": name, "reader": reader, "turncoat": turncoat}
        for name in FEIGNED for reader in ("bare", "safe", "steady")
        for turncoat in ("once", "watching")
    ],
    games=250, quick=1, paper=4, fingerprint=2, prepare=whole_family, extra=True,
)  # fmt: skip
def feigning(cell, seed, games, habits):
    """Series of 50 battles against an opponent who shows a habit in 20 and then turns."""
    name = cell["habit"]
    return _columns(
        read(named(name), habits, games, BATTLES, seed, solved(), cell["reader"],
             FAMILY.index(name), turncoat=cell["turncoat"], turning=TURNING)
    )  # fmt: skip
