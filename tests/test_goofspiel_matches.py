"""Matches of Goofspiel against what the same profiles are worth exactly."""

import math

import numpy as np
import pytest

from gamecore.contest import Match
from gamecore.goofspiel import CFR, Profile, build, match, solve, train, uniform
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
    spread = result.results.std() / math.sqrt(result.games)
    return abs(result.results.mean() - expected) < 4 * spread


@pytest.mark.parametrize("cards", [2, 3, 4])
def test_trained_players_get_what_they_are_worth(cards):
    for features in ("", "CD", None):
        trained = train(cards, features, 200, 1)
        result = match(trained, trained, GAMES, 2)
        assert result.games == GAMES
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
    found = [match(first, second, 500, 4).results for first in told for second in told]
    assert len({results.tobytes() for results in found}) == 1


def test_only_one_side_of_each_profile_plays():
    strong, weak = solve(4).profile, uniform(4)
    mixed = Profile(strong.tree, strong.rows, (strong.policies[0], weak.policies[1]))
    mixed, apart = match(mixed, mixed, 1000, 5), match(strong, weak, 1000, 5)
    assert (mixed.results == apart.results).all()
    assert match(weak, strong, 1000, 5).wins < match(strong, weak, 1000, 5).wins


def test_fewer_games_are_the_first_of_more():
    first, second = uniform(4), train(4, "C", 100, 1)
    most = match(first, second, 60, 6)
    assert isinstance(most, Match)
    for games in range(1, 60):
        assert match(first, second, games, 6).results.tolist() == most.results[:games].tolist()
    other, same = (match(first, second, 60, seed) for seed in (7, np.random.SeedSequence(6)))
    assert other.results.tolist() != most.results.tolist() == same.results.tolist()


def test_bad_matches_are_refused():
    four = uniform(4)
    with pytest.raises(ValueError, match="not for 4 and 3"):
        match(four, uniform(3), 10, 1)
    for nobody in ("best", None, solve(4), 3):
        for players in ((four, nobody), (nobody, four), (nobody, nobody)):
            with pytest.raises(ValueError, match=r"player|unknown"):
                match(*players, 10, 1)
    for games in (0, -1, 2.5, "10", True, None, float("nan")):
        with pytest.raises(ValueError, match="games must be a whole number from 1"):
            match(four, four, games, 1)
    with pytest.raises(ValueError, match="to 1,000,000,000"):
        match(four, four, 2**63, 1)
    for seed in (-1, 1.5, "1", None, True):
        for second in (four, lambda view, rng: view.legal()[0]):
            with pytest.raises(ValueError, match="seed"):
                match(four, second, 10, seed)
    for cards in (1, 9, 4.0, True, "4"):
        with pytest.raises(ValueError, match="from 2 to 8"):
            match("uniform", "uniform", 10, 1, cards=cards)
    with pytest.raises(ValueError, match="from 2 to 7"):
        match("uniform", "uniform", 10, 1, cards=8)
    with pytest.raises(ValueError, match="no profile for 4"):
        match(four, "prize", 10, 1, cards=3)
