"""The six figures as training curves, their limits, and what the text says of the game itself."""

from collections.abc import Callable

from gamecore.goofspiel.learn import Trainer
from gamecore.goofspiel.solution import CFR, solve
from gamecore.goofspiel.strategy import Profile
from gamecore.goofspiel.tree import subsets
from gamecore.papers.experiment import experiment
from gamecore.papers.goofspiel import facts

CARDS = 5
#: Names of the seventeen players: sixteen sets of features, and no abstraction.
HAND, NONE = "hand", "none"
SETS = [name or HAND for name in subsets()]
PLAYERS = [*SETS, NONE]
#: A "game" of a training experiment is this many iterations.
UNIT = 1000
SHORT = (1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)
LONG = (*SHORT, 200_000, 500_000, 1_000_000)
#: What is read off a profile at each checkpoint.
NUMBERS = ("eps", "b0", "b1", "return")
#: The mean first card at each prize; with how likely the 5 is played, what is read off cards.
BIDS = tuple(f"bid@{k}" for k in range(1, CARDS + 1))
PLAYED = (*BIDS, "with_5_in_deck", "without_5_in_deck")


def features_of(player: str) -> str | None:
    """Return a player's features as `gamecore.goofspiel.train` takes them.

    Examples
    --------
    >>> features_of("hand"), features_of("CDP"), features_of("none")
    ('', 'CDP', None)
    """
    return {HAND: "", NONE: None}.get(player, player)


def train_to(
    trainer: Trainer,
    iterations: int,
    checkpoints: tuple[int, ...],
    read: Callable[[Profile], dict[str, float]] = Profile.measures,
    numbers: tuple[str, ...] = NUMBERS,
) -> dict[str, float]:
    """Train to each checkpoint in turn and read numbers off; −1 beyond `iterations`."""
    out: dict[str, float] = {f"{name}@{t}": -1.0 for t in checkpoints for name in numbers}
    for t in checkpoints:
        if t <= iterations:
            for name, value in read(trainer.run(t - trainer.iterations)).items():
                out[f"{name}@{t}"] = value
    return out


@experiment(
    "goofspiel/curves",
    cells=[{"features": name} for name in PLAYERS],
    games=SHORT[-1] // UNIT, quick=1, paper=10, fingerprint=1,
)  # fmt: skip
def curves(cell, seed, games, tables):
    """Training curves to 100,000 iterations, one seed a chunk."""
    return train_to(Trainer(CARDS, features_of(cell["features"]), seed), games * UNIT, SHORT)


@experiment(
    "goofspiel/long",
    cells=[{"features": name} for name in PLAYERS],
    games=LONG[-1] // UNIT, quick=1, paper=3, fingerprint=1,
)  # fmt: skip
def long_curves(cell, seed, games, tables):
    """Training curves to a million iterations, one seed a chunk."""
    return train_to(Trainer(CARDS, features_of(cell["features"]), seed), games * UNIT, LONG)


def limit(solver: CFR, iterations: int) -> dict[str, float]:
    """Return the numbers at the end of a run, and half-way to show that they have settled."""
    half = max(iterations // 2, 1)
    before = solver.run(half).measures()
    after = solver.run(iterations - half).measures() if iterations > half else before
    return {**after, "half_b1": before["b1"], "half_return": before["return"]}


@experiment(
    "goofspiel/limits",
    cells=[{"features": name} for name in SETS],
    games=500, quick=1, paper=1, fingerprint=4,
)  # fmt: skip
def limits(cell, seed, games, tables):
    """Where each set of features leads: CFR+ on Markov states, a game being an iteration."""
    return limit(CFR(CARDS, features_of(cell["features"])), games)


def cards_played(profile: Profile) -> dict[str, float]:
    """Return the mean first card at each prize, and how likely the 5 is played, and when."""
    inside, outside = facts.highest_card_played(profile)
    return {**dict(zip(BIDS, facts.opening_bids(profile), strict=True)),
            "with_5_in_deck": inside, "without_5_in_deck": outside}  # fmt: skip


@experiment(
    "goofspiel/cards",
    cells=[{"features": name} for name in ("C", "D", "CODP")],
    games=SHORT[-1] // UNIT, quick=1, paper=10, fingerprint=1,
)  # fmt: skip
def trained_cards(cell, seed, games, tables):
    """What is played along the training curves, one seed a chunk."""
    trainer = Trainer(CARDS, features_of(cell["features"]), seed)
    return train_to(trainer, games * UNIT, SHORT, cards_played, PLAYED)


@experiment(
    "goofspiel/bids",
    cells=[{"features": name} for name in ("C", "D", "CODP")],
    games=500, quick=1, paper=1, fingerprint=4,
)  # fmt: skip
def bids(cell, seed, games, tables):
    """What limits play: mean cards by prize, and when the highest card is kept."""
    return cards_played(CFR(CARDS, features_of(cell["features"])).run(games))


@experiment(
    "goofspiel/exact",
    cells=[{"cards": cards} for cards in (4, 5)],
    games=1, quick=1, paper=1, fingerprint=1, prepare=lambda: {n: solve(n) for n in (4, 5)},
)  # fmt: skip
def exact(cell, seed, games, tables):
    """Backward induction: value, symmetry, and what the four features leave out."""
    return facts.exact_facts(tables[cell["cards"]])


@experiment(
    "goofspiel/partitions",
    cells=[{"features": name} for name in SETS],
    games=1, quick=1, paper=1, fingerprint=1,
)  # fmt: skip
def partitions(cell, seed, games, tables):
    """How many information sets each set of features tells apart, without and with memory."""
    return facts.partition(CARDS, features_of(cell["features"]) or "")
