"""Matches of Goofspiel against what the same profiles are worth exactly."""

import math

import numpy as np
import pytest

from gamecore.goofspiel import CFR, Match, Profile, build, match, solve, train, uniform
from gamecore.goofspiel.tree import MOST_CARDS, rows

GAMES = 40_000


def worth(first, second, kind):
    """The exact worth to player 0 of `first`'s player 0 and `second`'s player 1.

    Both are put on a graph of the finer `kind`, where a Markov node's mixtures are its histories'.
    """
    tree = build(first.tree.cards, kind)
    found = []
    for player, profile in enumerate((first, second)):
        row = profile.rows[player]
        if profile.tree.kind == "markov":
            node = {int(state): v for v, state in enumerate(profile.tree.states)}
            row = row[[node[int(state)] for state in tree.states]]
        found.append((row, profile.policies[player]))
    rows_, policies = zip(*found)
    return Profile(tree, rows_, policies).expected_return()


def near(result, expected):
    """Whether the mean result of a match lies within four standard errors of what is expected."""
    games = sum(result)
    mean = (result.wins - result.losses) / games
    spread = math.sqrt((result.wins + result.losses) / games - mean**2)
    return abs(mean - expected) < 4 * spread / math.sqrt(games)


@pytest.mark.parametrize("cards", [2, 3, 4])
def test_trained_players_get_what_they_are_worth(cards):
    for features in ("", "CD", None):
        trained = train(cards, features, 200, 1)
        result = match(trained, trained, GAMES, 2)
        assert sum(result) == GAMES
        assert near(result, trained.expected_return())


def test_uniform_players_are_equals_and_seldom_draw():
    result = match(uniform(5), uniform(5), GAMES, 1)
    assert near(result, 0.0)
    assert 0 < result.draws < result.wins


@pytest.mark.parametrize("features", ["O", "CDP", None])
def test_graphs_of_different_kinds_are_walked_side_by_side(features):
    exact, trained = solve(4).profile, train(4, features, 300, 1)
    for first, second in ((exact, trained), (trained, exact), (uniform(4), trained)):
        assert first.tree.kind != second.tree.kind
        assert near(match(first, second, GAMES, 3), worth(first, second, "history"))


def test_every_pair_of_kinds_plays_the_same_game():
    """One policy, told on three graphs: the same draws, so the very same games."""
    policy = CFR(4, "CO").run(5).policies[0]
    told = []
    for kind in MOST_CARDS:
        row = rows(build(4, kind), "CO")  # the same rows for what looks the same
        told.append(Profile(build(4, kind), (row, row), (policy, policy)))
    assert len({match(first, second, 500, 4) for first in told for second in told}) == 1


def test_only_one_side_of_each_profile_plays():
    strong, weak = solve(4).profile, uniform(4)
    mixed = Profile(
        strong.tree, (strong.rows[0], rows(strong.tree, "")), (strong.policies[0], weak.policies[1])
    )
    assert match(mixed, mixed, 1000, 5) == match(strong, weak, 1000, 5)
    assert match(weak, strong, 1000, 5).wins < match(strong, weak, 1000, 5).wins


def test_fewer_games_are_the_first_of_more():
    first, second = uniform(4), train(4, "C", 100, 1)
    counts = np.array([match(first, second, games, 6) for games in range(1, 60)])
    steps = np.diff(counts, axis=0)
    assert (counts.sum(axis=1) == np.arange(1, 60)).all()
    assert (steps.sum(axis=1) == 1).all()
    assert (steps >= 0).all()
    assert match(first, second, 50, 7) != match(first, second, 50, 6)
    assert match(first, second, 50, np.random.SeedSequence(6)) == match(first, second, 50, 6)
    assert isinstance(match(first, second, 1, 6), Match)


def test_bad_matches_are_refused():
    four = uniform(4)
    with pytest.raises(ValueError, match="not for 4 and 3"):
        match(four, uniform(3), 10, 1)
    for nobody in ("nash", None, solve(4)):
        with pytest.raises(ValueError, match="two profiles"):
            match(four, nobody, 10, 1)
        with pytest.raises(ValueError, match="two profiles"):
            match(nobody, four, 10, 1)
    for games in (0, -1, 2.5, "10"):
        with pytest.raises(ValueError, match="at least 1"):
            match(four, four, games, 1)
    with pytest.raises(ValueError, match="seed"):
        match(four, four, 10, -1)
