"""Our own questions: what each decision that the paper leaves open does to its results.

Every change is made alone, from the players and rules of the main tables.
"""

from gamecore.papers.experiment import experiment
from gamecore.papers.pokemon.experiments import HABITS, counts, habit, solved
from gamecore.papers.pokemon.reading import NOISY
from gamecore.pokemon.matches import match
from gamecore.pokemon.parties import PARTIES_SECTION_5_4
from gamecore.pokemon.players import Player, player

#: What is changed: arguments of `gamecore.pokemon.match`, and options of the players.
CHANGES: dict[str, tuple[dict, dict]] = {
    "none": ({}, {}),
    "18 turns": ({"turns": 18}, {}),
    "20 turns": ({"turns": 20}, {}),
    "E and F with 5 HP": ({"parties": PARTIES_SECTION_5_4}, {}),
    "actions numbered backwards": ({}, {"reverse": True}),
    "payoffs not clipped": ({}, {"clip": False}),
    "noisy replacements": ({}, {"blur_replacement": True}),
    "average of 10 equilibria": ({}, {"average": 10}),
}
#: Changes of a player's noisy view, which a Nash player does not have.
_VIEWS = ("payoffs not clipped", "noisy replacements", "average of 10 equilibria")
#: Nash against random, and who plays against Nash in tables 4 and 5.
PAIRS = ("nash - random", "nash", *NOISY, "delta-nash", *HABITS)


def _first(pair: str, options: dict) -> Player:
    if pair == "nash - random":
        return player(**options)
    if pair in NOISY:
        noise, delta = NOISY[pair]
        return player(noise=noise, delta=delta, **options)
    return habit(pair, **options)


@experiment(
    "pokemon/sensitivity",
    cells=[
        {"change": change, "pair": pair}
        for change in CHANGES for pair in PAIRS
        if not (pair.startswith("nash") and change in _VIEWS)
    ],
    games=2500, quick=1, paper=20, fingerprint=20, prepare=solved, extra=True,
)  # fmt: skip
def sensitivity(cell, seed, games, solution):
    """Win rates and kinds of actions when one decision of ours is changed."""
    arguments, options = CHANGES[cell["change"]]
    first = _first(cell["pair"], options)
    if cell["pair"] == "nash - random":
        second = player("random")
    else:
        second = player(reverse=bool(options.get("reverse")))
    return counts(match(first, second, games, seed, solution, **arguments))


@experiment(
    "pokemon/nash-control", cells=[{"pair": "nash"}],
    games=50_000, quick=1, paper=200, fingerprint=100, prepare=solved, extra=True,
)  # fmt: skip
def nash_control(cell, seed, games, solution):
    """Nash against Nash, one half by symmetry, in fifty times the games of table 4's own cell."""
    return counts(match(player(), player(), games, seed, solution))


MONTE_CARLO_CHANGES: dict[str, tuple[dict, dict]] = {
    **{name: CHANGES[name] for name in list(CHANGES)[:5]},
    "Monte Carlo replaces at random": ({}, {"playout_replacement": False}),
}


@experiment(
    "pokemon/sensitivity-monte-carlo",
    cells=[
        {"change": change, "first": first, "second": second}
        for change in MONTE_CARLO_CHANGES
        for first, second in (("monte-carlo", "random"), ("nash", "monte-carlo"))
    ],
    games=500, quick=1, paper=20, fingerprint=4, prepare=solved, extra=True,
)  # fmt: skip
def sensitivity_monte_carlo(cell, seed, games, solution):
    """The Monte-Carlo pairings when one decision of ours is changed."""
    arguments, options = MONTE_CARLO_CHANGES[cell["change"]]
    first, second = (player(cell[side], **options) for side in ("first", "second"))
    return counts(match(first, second, games, seed, solution, **arguments))
