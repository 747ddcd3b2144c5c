"""What the paper leaves for later: larger games, and features that are learnt instead of chosen."""

from gamecore import rng
from gamecore.goofspiel.approximate import Learner, hidden
from gamecore.goofspiel.starts import Started
from gamecore.goofspiel.tree import FEATURES
from gamecore.papers.experiment import experiment
from gamecore.papers.goofspiel.experiments import CARDS, SETS, features_of

#: Iterations of CFR+ after which the sets are compared, for each number of cards.
DOUBLINGS = {
    4: (50, 100, 200, 400), 5: (50, 100, 200, 400), 6: (25, 50, 100, 200), 7: (5, 10, 20)
}  # fmt: skip
#: What the sets are compared by.
COMPARED = ("return", "b1")
#: Of every network: units, rows drawn in an iteration, step; chosen with four cards.
NETWORK = {"units": 128, "draws": 8000, "rate": 0.04}
#: Rows drawn for the policy network, for each iteration before.
DRAWS = 5000


def column(number: str, cards: int, iterations: int) -> str:
    """Return what a number is called in the rows of ``goofspiel/doublings``.

    Examples
    --------
    >>> column("b1", 6, 200)
    'b1:6@200'
    """
    return f"{number}:{cards}@{iterations}"


def doubled(features, seed, sizes, games):
    """Train with each of the first `games` numbers of cards; −1 for the others."""
    out = {column(x, n, t): -1.0 for n in sizes for t in DOUBLINGS[n] for x in COMPARED}
    for n in sizes[:games]:
        solver = Started(n, features, seed)
        for t in DOUBLINGS[n]:
            found = solver.run(t - solver.iterations).measures()
            out |= {column(x, n, t): found[x] for x in COMPARED}
    return out


@experiment(
    "goofspiel/doublings",
    cells=[{"features": name} for name in SETS],
    games=3, quick=1, paper=3, fingerprint=1, extra=True,
)  # fmt: skip
def doublings(cell, seed, games, tables):
    """CFR+ from a random start with four, five and six cards, each one game."""
    return doubled(features_of(cell["features"]), seed, (4, 5, 6), games)


@experiment(
    "goofspiel/seven",
    cells=[{"features": name} for name in SETS],
    games=2, quick=1, paper=1, fingerprint=1, extra=True,
)  # fmt: skip
def seven(cell, seed, games, tables):
    """The same with four cards, which every test run can repeat, and then with seven."""
    return doubled(features_of(cell["features"]), seed, (4, 7), games)


def shown(cards, features, seed, games, times=1):
    """Train networks that see `features`, and return what the policy network is worth.

    Both are fitted to so many `times` as many draws.
    """
    settings = NETWORK | {"draws": times * NETWORK["draws"]}
    learner = Learner(cards, features, seed, **settings)
    table = learner.run(games).measures()
    _, profile = learner.learnt(times * games * DRAWS)
    found = profile.measures()
    return {"b1": found["b1"], "return": found["return"], "table_b1": table["b1"]}


@experiment(
    "goofspiel/learnt",
    cells=[{"features": name} for name in SETS],
    games=100, quick=1, paper=4, fingerprint=1, extra=True,
)  # fmt: skip
def learnt(cell, seed, games, tables):
    """Networks that are shown a set of features, a game being an iteration; one seed a chunk."""
    return shown(CARDS, features_of(cell["features"]) or "", seed, games)


@experiment(
    "goofspiel/learnt-four",
    cells=[{"features": name} for name in SETS],
    games=100, quick=1, paper=4, fingerprint=1, extra=True,
)  # fmt: skip
def learnt_four(cell, seed, games, tables):
    """The same with four cards."""
    return shown(4, features_of(cell["features"]) or "", seed, games)


@experiment(
    "goofspiel/learnt-longer",
    cells=[{"features": name} for name in ("CDP", "CODP")],
    games=100, quick=1, paper=4, fingerprint=1, extra=True,
)  # fmt: skip
def learnt_longer(cell, seed, games, tables):
    """With five cards and four times the fitting, for two sets of features."""
    return shown(CARDS, cell["features"], seed, games, times=4)


def exchanged(cards, seed, games):
    """Train a network that sees everything; judge it with features outside each set exchanged."""
    first, second = seed.spawn(2)
    learner = Learner(cards, FEATURES, first, **NETWORK)
    learner.run(games)
    network, profile = learner.learnt(games * DRAWS)
    stream, donors = rng.state(second), 1 + games // 3
    out = {}
    for name in SETS:
        away = [letter for letter in FEATURES if letter not in name]
        found = hidden(network, profile, learner.seen, away, donors, stream).measures()
        out |= {f"{x}:{name}": found[x] for x in COMPARED}
    return out


@experiment(
    "goofspiel/hidden",
    cells=[{"features": "CODP"}],
    games=100, quick=1, paper=8, fingerprint=1, extra=True,
)  # fmt: skip
def hidden_five(cell, seed, games, tables):
    """A network that sees everything, with the features outside each set exchanged."""
    return exchanged(CARDS, seed, games)


@experiment(
    "goofspiel/hidden-four",
    cells=[{"features": "CODP"}],
    games=100, quick=1, paper=8, fingerprint=1, extra=True,
)  # fmt: skip
def hidden_four(cell, seed, games, tables):
    """The same with four cards."""
    return exchanged(4, seed, games)
