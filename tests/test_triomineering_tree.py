"""The growing tree against a plain one, against the flat searches, and against the solution."""

import math

import numpy as np
import pandas as pd
import pytest

from gamecore import rng
from gamecore.papers.store import stored
from gamecore.papers.triomineering import beyond, questions
from gamecore.triomineering import Player, Position, ask, match, solve, start, think
from gamecore.triomineering.selection import exponential
from gamecore.triomineering.tree import RULES, TreePlayer
from tests.reference import triomineering as plain
from tests.reference import triomineering_tree as reference


class Dice:
    """Our random numbers, one after the other, for the plain tree."""

    def __init__(self, seed):
        self.state = rng.state(seed)

    def uniform(self):
        return rng.uniform(self.state)

    def below(self, n):
        return rng.below(self.state, n)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("rows", "columns", "threshold"), [(4, 4, 3), (5, 4, 1), (4, 6, 7)])
def test_tree_is_the_plain_one(rule, rows, columns, threshold):
    settings = {"threshold": threshold, "c": 0.4, "gamma": 0.15, "every": 4}
    grown = TreePlayer(rule, 400, **settings).grow(Position.empty(rows, columns), seed=3)
    v, h, nodes = reference.grow(
        rows, columns, plain.EMPTY, rule, 400, **settings, dice=Dice(3)
    )  # fmt: skip
    assert grown.nodes == nodes > 1
    np.testing.assert_allclose(grown.v, v, atol=1e-9)
    np.testing.assert_allclose(grown.h, h, atol=1e-9)


@pytest.mark.parametrize(("rule", "player"), [("MSUCT", "MSUCB1"), ("DUCT(max)", "SimpleUCB1")])
def test_a_tree_that_never_grows_is_the_papers_player(rule, player):
    for position in (start(6, 6), start(8, 4), start(5, 5).play("0,0", "4,1")):
        grown = TreePlayer(rule, 2000, threshold=10**6).grow(position, seed=5)
        thought = think(position, Player(player, 2000, symmetry="none"), seed=5)
        assert grown.nodes == 1
        assert grown.v.tolist() == thought.policy.tolist()


@pytest.mark.parametrize("rule", RULES)
def test_checkpoints_are_shorter_searches(rule):
    position = start(6, 5)
    tree = TreePlayer(rule, threshold=4)
    few, more = tree.checkpoints(position, 7, [1500, 12_000])  # beyond one stretch of playouts
    for grown in (few, more):
        alone = TreePlayer(rule, grown.playouts, threshold=4).grow(position, 7)
        assert alone.nodes == grown.nodes
        assert alone.v.tolist() == grown.v.tolist()
        assert alone.h.tolist() == grown.h.tolist()
        assert math.isclose(alone.v.sum(), 1)
        assert math.isclose(alone.h.sum(), 1)
        assert min(alone.v.min(), alone.h.min()) >= 0


@pytest.mark.parametrize("rule", RULES[:4])
def test_mixtures_come_near_to_the_solution_where_mixing_is_needed(rule):
    """8×4 has a mixed equilibrium; what both sides lose falls with playouts."""
    place = beyond.placed(start(8, 4))
    lost = np.array([
        [beyond.exploitability(place, grown.v, grown.h)
         for grown in beyond.tree_of(rule).checkpoints(place.position, seed, [500, 20_000])]
        for seed in range(4)
    ])  # fmt: skip
    few, many = lost.mean(axis=0)
    assert many < few
    assert many < 0.125  # half of what every pure move loses there


def test_the_most_visited_move_alone_is_fully_exploitable_there():
    place = beyond.placed(start(8, 4))
    grown = TreePlayer("DUCT(max)", 5000).grow(place.position, seed=1)
    assert beyond.exploitability(place, grown.v, grown.h) == 0.25


def test_exploitability_is_that_of_the_solution():
    place, dice = beyond.placed(start(8, 4)), np.random.default_rng(1)
    v, h = dice.dirichlet(np.ones(24)), dice.dirichlet(np.ones(16))
    solution = solve(8, 4)
    mean = (solution.shortfall(place.position, v=v) + solution.shortfall(place.position, h=h)) / 2
    assert beyond.exploitability(place, v, h) == mean
    _, best_v, best_h = solution.equilibrium(place.position)
    assert beyond.exploitability(place, best_v, best_h) < 1e-12


def test_exponential_by_arithmetic():
    for x in (*np.linspace(-40, 0, 4001), -699.9, -1e-17):
        assert math.isclose(exponential(x), math.exp(x), rel_tol=1e-14)
    assert exponential(-1e6) == 0.0


def test_a_tree_plays_and_is_asked_like_any_player():
    tree = TreePlayer("regret matching", 300)
    assert match(tree, TreePlayer("Exp3", 300), 3, seed=1, rows=4, columns=4).games == 3
    assert sum(ask(tree, start(4, 4), seat=1, seed=2).values()) == 1
    again = [match(tree, "MC", 2, seed=4, rows=5, columns=5).results.tolist() for _ in range(2)]
    assert again[0] == again[1]


@pytest.mark.parametrize(
    "wrong",
    [{"rule": "UCT"}, {"playouts": 0}, {"threshold": 0}, {"c": -1.0}, {"gamma": 0.0}, {"every": 0}],
)  # fmt: skip
def test_settings_that_are_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        TreePlayer(**wrong)


def test_searches_that_are_refused():
    with pytest.raises(ValueError, match="over"):
        TreePlayer().grow(start(2, 5), 1)
    with pytest.raises(ValueError, match="rise"):
        TreePlayer().checkpoints(start(4, 4), 1, [20, 10])


def rows_of(exploitability):
    """Return rows of ``tree-positions``, a list of values a method, the same at all budgets."""
    columns = [*(f"lost@{t}" for t in beyond.BUDGETS), "lost@time"]
    return pd.DataFrame([
        {"set": kind, "method": method, "chunk": chunk, "games": 1, **dict.fromkeys(columns, value)}
        for kind in beyond.SETS
        for method, values in exploitability.items()
        for chunk, value in enumerate(values)
    ])  # fmt: skip


def matches_of(points):
    """Return rows of ``tree-matches``: how many of two games the first wins in each position."""
    return pd.DataFrame([
        {"set": kind, "first": a, "second": b, "chunk": chunk, "games": 2,
         "win": p, "draw": 0, "loss": 2 - p}
        for kind in beyond.SETS
        for a, b in beyond.PAIRS
        for chunk, p in enumerate(points(a, b))
    ])  # fmt: skip


def answers(judge, *rows):
    return {identity.split("/")[1]: ours.holds for identity, ours in judge(*rows)}


def near(value):
    """Return four positions at which a method is about as exploitable as said."""
    return [value + 0.001, value, value - 0.001, value]


@pytest.mark.parametrize(
    ("msuct", "others", "expected"),
    [(0.02, 0.05, True), (0.05, 0.02, False), (0.02, 0.02, None)],
)
def test_answers_about_trees(msuct, others, expected):
    lost = {m: near(msuct if m.startswith("MSUCT") else others) for m in beyond.METHODS}
    if expected is None:
        lost["regret matching"] = [0.03, 0.01, 0.03, 0.01]
        lost["MSUCB1"] = lost["MSUCB1.5"] = lost["regret matching"]
    found = answers(questions.trees, rows_of(lost))
    assert [
        found[name] for name in ("tree-helps", "tree-beats-half-a-ply", "tree-mixing-best")
    ] == [expected] * 3
    assert found["tree-pure-enough"] is found["tree-pure-where-mixed"] is (not expected)


def test_a_small_cost_of_a_pure_move_may_stay_open():
    lost = {m: near(0.02) for m in beyond.METHODS} | {"DUCT(max)": [0.0, 0.06, 0.0, 0.06]}
    assert answers(questions.trees, rows_of(lost))["tree-pure-enough"] is None


def test_answers_about_matches():
    order = {m: near(0.01 * k) for k, m in enumerate(beyond.METHODS)}
    rows = rows_of(order)

    def agree(a, b):
        return [2, 2, 2, 2]

    def against(a, b):
        return [0, 0, 0, 0]

    def level(a, b):
        return [0, 2, 0, 2]

    for points, expected in ((agree, True), (against, False), (level, False)):
        found = answers(questions.agreement, rows, matches_of(points))
        assert found["tree-matches-agree"] is expected
    nobody = rows_of({m: near(0.01) for m in beyond.METHODS})
    assert answers(questions.agreement, nobody, matches_of(agree))["tree-matches-agree"] is None


def test_the_chosen_settings_are_those_of_the_stored_study():
    rows = stored("triomineering/tree-settings")
    cells = rows.groupby(["rule", "threshold", "amount"], sort=False)[["random", "mixed"]].mean()
    means = cells.mean(axis=1)
    for rule in RULES:
        assert means[rule].idxmin() == beyond.CHOSEN[rule]
    assert means["MSUCT"].xs(0.5, level="amount").idxmin() == beyond.CHOSEN[beyond.PAPERS][0]


def test_judged_positions_are_different_and_mixed_where_they_say_so():
    sets = beyond.judged_sets()
    for kind, places in sets.items():
        assert len({(p.position.rows, p.position.columns, p.position.free) for p in places}) == 60
        for place in places[20:40:4]:  # those on 8×4, by the plain rules
            free = place.position.free
            filled = frozenset(divmod(k, 4) for k in range(32) if not free >> k & 1)
            assert kind == "random" or len(plain.outcome_class(8, 4, filled)) > 1
    pure = {
        kind: sum(x.values.min(axis=1).max() == x.values.max(axis=0).min() for x in places)
        for kind, places in sets.items()
    }
    assert pure == {"random": 58, "mixed": 17}  # as the chapter says
