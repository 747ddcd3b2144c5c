"""Questions of ours: memory, six cards, and how player 1 is represented."""

from gamecore.goofspiel.learn import Trainer
from gamecore.goofspiel.solution import CFR
from gamecore.papers.experiment import experiment
from gamecore.papers.goofspiel.experiments import (
    CARDS,
    SETS,
    SHORT,
    UNIT,
    features_of,
    limit,
    train_to,
)

#: Sets of features that differ even for a player who forgets nothing.
RECALLED = ("hand", "C", "O", "P", "CP", "OP", "CO")


@experiment(
    "goofspiel/recall",
    cells=[{"features": name} for name in RECALLED],
    games=150, quick=1, paper=1, fingerprint=1, extra=True,
)  # fmt: skip
def recall(cell, seed, games, tables):
    """The limits once more, for players who remember all they saw: CFR+ on the full tree."""
    return limit(CFR(CARDS, features_of(cell["features"]), recall=True), games)


@experiment(
    "goofspiel/six-cards",
    cells=[{"features": name} for name in SETS],
    games=100, quick=1, paper=1, fingerprint=1, extra=True,
)  # fmt: skip
def six_cards(cell, seed, games, tables):
    """The limits at N = 6."""
    return limit(CFR(6, features_of(cell["features"])), games)


@experiment(
    "goofspiel/opponent",
    cells=[{"features": name} for name in ("hand", "C", "CDP", "COD", "CODP", "none")],
    games=SHORT[-1] // UNIT, quick=1, paper=3, fingerprint=1, extra=True,
)  # fmt: skip
def opponent(cell, seed, games, tables):
    """The curves with player 1 on Markov states instead of histories."""
    trainer = Trainer(CARDS, features_of(cell["features"]), seed, opponent="CODP")
    return train_to(trainer, games * UNIT, SHORT)


@experiment(
    "goofspiel/histories",
    cells=[
        {"features": name, "method": method}
        for name in ("CODP", "none")
        for method in ("CFR", "CFR+")
    ],
    games=300, quick=1, paper=1, fingerprint=1, extra=True,
)  # fmt: skip
def histories(cell, seed, games, tables):
    """Full-width CFR with player 1 on histories: what sampling has no part in."""
    plus = cell["method"] == "CFR+"
    solver = CFR(CARDS, features_of(cell["features"]), plus=plus, histories=True)
    return limit(solver, games)
