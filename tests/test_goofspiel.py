"""Goofspiel: kernels against the plain rules, sweeps against plain recursion, CFR against CFR."""

import random
import xml.etree.ElementTree as ElementTree
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore.goofspiel import (
    CFR,
    Profile,
    State,
    Trainer,
    build,
    decode,
    draw,
    encode,
    rules,
    solve,
    subsets,
    sweep,
    train,
    uniform,
)  # fmt: skip
from gamecore.goofspiel.strategy import row_sizes
from gamecore.goofspiel.tree import MOST_CARDS, check_features, policy_size, recalled_rows, rows
from gamecore.papers.goofspiel import facts
from tests.reference import goofspiel as plain


def packed(history):
    """The kernels' number of a reference history at which both players choose."""
    hands = (tuple(sorted(plain.hand(history, player))) for player in (0, 1))
    points = plain.scores(history)
    rest = tuple(sorted(plain.deck(history)))
    return encode(State(history.cards, tuple(hands), history.prize, rest, points[0] - points[1]))


def random_history(generator, cards):
    """A random decision: what came before, with at least two cards left."""
    history = plain.History(cards)
    for _ in range(generator.randrange(cards - 1)):
        history = generator.choice(plain.reveals(history))
        bids = (generator.choice(plain.legal_bids(history, player)) for player in (0, 1))
        history = plain.step(history, *bids)
    return generator.choice(plain.reveals(history))


def node_histories(cards, kind):
    """One reference history per node (all of them in the full tree), by walking side by side."""
    tree = build(cards, kind)
    found = dict(enumerate(plain.reveals(plain.History(cards))))
    for n in range(cards, 1, -1):
        level = tree.level(n)
        for node in range(level.start, level.stop):
            for a, bid0 in enumerate(plain.legal_bids(found[node], 0)):
                for b, bid1 in enumerate(plain.legal_bids(found[node], 1)):
                    link = tree.links[n] + (node - level.start) * n * n + a * n + b
                    then, kid = plain.step(found[node], bid0, bid1), int(tree.kids[link])
                    if plain.is_terminal(then):
                        assert kid - len(tree.states) - 1 == plain.final_return(then)
                        continue
                    for c, next_ in enumerate(plain.reveals(then)):
                        found.setdefault(kid + c, next_)
    return tree, found


@pytest.fixture(scope="module")
def full():
    return node_histories(4, "full")


def test_random_games_move_by_move():
    generator = random.Random(1)
    ends = set()
    for _ in range(2000):
        cards = generator.randrange(2, rules.MAX_CARDS + 1)
        history, state = plain.History(cards), rules.initial(cards)
        while not plain.is_terminal(history):
            history = generator.choice(plain.reveals(history))
            state = rules.reveal(state, history.prize)
            assert state == packed(history)
            bids = []
            for player in (0, 1):
                legal = plain.legal_bids(history, player)
                held = rules.hand(state, player)
                assert [rules.nth(held, k) for k in range(len(legal))] == legal
                bids.append(generator.choice(legal))
            history, state = plain.step(history, *bids), rules.play(state, *bids)
        assert rules.outcome(state) == plain.final_return(history)
        ends.add(plain.final_return(history))
    assert ends == {-1, 0, 1}


@given(st.integers(2, 8), st.randoms(use_true_random=False))
@settings(max_examples=300, deadline=None)
def test_a_position_survives_packing_and_features_are_the_plain_ones(cards, generator):
    history = random_history(generator, cards)
    state = decode(packed(history), cards)
    assert encode(state) == packed(history)
    seen = plain.feature_key(history, 0, "CODP")
    assert (frozenset(state.hand(0)), state.prize, frozenset(state.hand(1)), frozenset(state.deck),
            state.difference) == seen  # fmt: skip


@pytest.mark.parametrize("cards", [3, 4])
def test_graphs_have_as_many_nodes_as_there_are_keys(cards):
    keys = {
        "markov": lambda h, p: plain.feature_key(h, p, "CODP"),
        "history": plain.information_key,
        "full": plain.perfect_recall_key,
    }
    for kind in MOST_CARDS:
        tree, found = node_histories(cards, kind)
        assert len(found) == len(tree.states) == plain.count_keys(cards, 0, keys[kind])
        assert len({keys[kind](h, 0) for h in found.values()}) == len(tree.states)
        for node, history in found.items():
            assert tree.states[node] == packed(history)


def same_partition(a, b):
    pairs = set(zip(a, b))
    return len(pairs) == len(set(a)) == len(set(b))


@pytest.mark.parametrize("features", subsets())
def test_rows_are_the_plain_feature_keys(full, features):
    tree, found = full
    keys = [plain.feature_key(found[node], 0, features) for node in range(len(found))]
    assert same_partition(rows(tree, features).tolist(), keys)

    def remembered(history):
        """All that was seen and played, from the first decision on."""
        told = []
        for k, (prize, bid0, _) in enumerate(history.rounds):
            past = plain.History(history.cards, history.rounds[:k], prize)
            told += [plain.feature_key(past, 0, features), bid0]
        return *told, plain.feature_key(history, 0, features)

    keys = [remembered(found[node]) for node in range(len(found))]
    assert same_partition(recalled_rows(tree, features).tolist(), keys)


def random_profile(tree, row, seed):
    """Two random policies, sparse ones at that."""
    generator = np.random.default_rng(seed)
    policies = []
    for _ in range(2):
        policy = generator.random(policy_size(tree, row)) * (generator.random(1) > 0.3)
        sweep.normalise(row_sizes(tree, row), policy)
        policies.append(policy)
    return Profile(tree, (row, row), tuple(policies))


@pytest.mark.parametrize("kind", MOST_CARDS)
@pytest.mark.parametrize("cards", [2, 3, 4])
def test_values_and_best_responses_are_those_of_plain_recursion(cards, kind):
    tree, found = node_histories(cards, kind)
    row = rows(tree, None)
    profile = random_profile(tree, row, cards)
    key = {
        "markov": lambda h: plain.feature_key(h, 0, "CODP"),
        "history": lambda h: plain.information_key(h, 0),
        "full": lambda h: plain.perfect_recall_key(h, 0),
    }[kind]
    node_of = {key(history): node for node, history in found.items()}

    def policy(history, player):
        start = row[node_of[key(history)]]
        return {
            bid: float(profile.policies[player][start + k])
            for k, bid in enumerate(plain.legal_bids(history, player))
        }

    start = plain.History(cards)
    expected = plain.expected_return(policy, policy, start)
    assert profile.expected_return() == pytest.approx(expected, abs=1e-12)
    for player in (0, 1):
        expected = plain.best_response_value(player, (policy, policy), start)
        assert profile.best_response_value(player) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("features", ["C", "CP", "CDP", "CODP"])
def test_cfr_is_the_plain_cfr(features):
    """Exact fractions on the plain side, so features without regrets of exactly zero on ours."""
    solver = CFR(3, features, plus=False)
    keys = (
        lambda h, p: plain.feature_key(h, p, features),
        lambda h, p: plain.feature_key(h, p, "CODP"),
    )
    _, found = node_histories(3, "markov")
    ours = solver.run(3)
    theirs = plain.cfr(3, 3, keys, Fraction(1))
    for player in (0, 1):
        for node, history in found.items():
            table = theirs[player][keys[player](history, player)]
            start = ours.rows[player][node]
            for k, bid in enumerate(plain.legal_bids(history, player)):
                found_here = ours.policies[player][start + k]
                assert found_here == pytest.approx(float(table[bid]), abs=1e-9)


def test_sampled_regrets_are_unbiased():
    """Over many seeds the first traversal's regrets average to the full-width ones."""
    for features in ("", "CD", "CODP"):
        exact = CFR(3, features, plus=False)
        exact.run(1)
        size = len(exact._regrets[0])
        samples = []
        for seed in range(3000):
            trainer = Trainer(3, features, seed)
            trainer.run(1)
            samples.append(_regrets(trainer, size))
        samples = np.array(samples)
        error = samples.std(axis=0) / np.sqrt(len(samples))
        assert (np.abs(samples.mean(axis=0) - exact._regrets[0]) < 5 * error + 1e-9).all()
        assert (error > 0).any()


def _regrets(trainer, size):
    """Player 0's regrets out of the trainer's interleaved rows."""
    sizes = row_sizes(trainer.tree, trainer.rows[0])
    found, row = [], 0
    while row < size:
        n = int(sizes[row])
        found += trainer._table[2 * row : 2 * row + n].tolist()
        row += n
    return found


def test_training_approaches_equilibrium():
    for features in ("CODP", None):
        trainer = Trainer(4, features, 1)
        early, late = (trainer.run(n).exploitability() for n in (300, 100_000))
        assert late < 0.1
        assert late < early / 4
    assert trainer.iterations == 100_300


def test_training_depends_on_its_seed_alone():
    first = train(4, "CP", 500, 3).measures()
    assert train(4, "CP", 500, 3).measures() == first
    assert train(4, "CP", 500, 4).measures() != first
    trainer = Trainer(4, "CP", 3)
    trainer.run(200)
    assert trainer.run(300).measures() == first


@pytest.mark.parametrize("cards", [2, 3, 4, 5])
def test_backward_induction_cannot_be_exploited(cards):
    solution = solve(cards)
    assert abs(solution.profile.expected_return()) < 1e-12
    assert solution.profile.exploitability() < 1e-12
    found = facts.exact_facts(solution)
    assert found["b1_history"] < 1e-12
    assert found["asymmetry"] < 1e-12
    assert found["exceptions"] == 0


def test_cfr_plus_finds_the_value_of_positions():
    """Where play leads, the limit of C+O+D+P is worth what backward induction says."""
    profile = CFR(4, "CODP").run(1000)
    assert profile.exploitability() < 0.002
    solution = solve(4)
    state = State(4, ((1, 2, 4), (1, 3, 4)), 3, (2, 4), 1)
    assert -1 <= solution.value(state) <= 1
    mirrored = State(4, ((1, 3, 4), (1, 2, 4)), 3, (2, 4), -1)
    assert solution.value(mirrored) == pytest.approx(-solution.value(state), abs=1e-12)


def test_memory_makes_c_and_d_the_same():
    names = {f: facts.partition(5, f)["partition"] for f in subsets()}
    assert names["C"] == names["D"] == names["CD"]
    assert names["CP"] == names["DP"] == names["CDP"]
    assert len(set(names.values())) == 7  # the sets of the experiment goofspiel/recall
    assert names["CO"] == names["CODP"]


def test_with_memory_cfr_plus_approaches_the_abstract_game_s_value():
    """With perfect recall, the return lies between what either side can be held to."""
    gaps = []
    for iterations in (20, 200):
        profile = CFR(4, "C", recall=True).run(iterations)
        gaps.append(profile.best_response_value(1) + profile.expected_return())
    assert 0 <= gaps[1] < gaps[0] / 3


def test_markov_opponent_is_an_equal_opponent():
    trainer = Trainer(4, "CODP", 1, opponent="CODP")
    profile = trainer.run(50_000)
    assert profile.exploitability() < 0.05
    with pytest.raises(ValueError, match="opponent"):
        Trainer(4, "C", 1, opponent="C")


def test_full_width_cfr_on_histories_finds_the_equilibrium_too():
    assert CFR(4, None, histories=True).run(500).exploitability() < 0.005
    merged = CFR(4, "CODP", histories=True).run(500)
    assert merged.best_response_value(1) < 0.02
    assert len(merged.rows[1]) == 3028


@pytest.mark.parametrize("features", ["X", "CC", "C+D", "c", 5])
def test_unknown_features_are_refused(features):
    with pytest.raises(ValueError, match="'CODP'"):
        train(4, features, 10, 1)
    with pytest.raises(ValueError, match="'CODP'"):
        CFR(4, features)
    assert check_features("DOC") == "COD"


def test_bad_requests_are_refused():
    for cards in (0, 1, 7, 2.5, -3, True):
        with pytest.raises(ValueError, match="from 2 to 6"):
            train(cards, "C", 10, 1)
    for cards in (1, 8):
        with pytest.raises(ValueError, match="from 2 to 7"):
            uniform(cards)
        with pytest.raises(ValueError, match="from 2 to 7"):
            solve(cards)
    for iterations in (0, -5, 2.0, True, "10", 2**63):
        with pytest.raises(ValueError, match="iterations"):
            train(4, "C", iterations, 1)
        with pytest.raises(ValueError, match="iterations"):
            CFR(3, "C").run(iterations)
    with pytest.raises(ValueError, match="seed"):
        train(4, "C", 10, -1)
    with pytest.raises(ValueError, match="player"):
        uniform(3).best_response_value(2)
    with pytest.raises(ValueError, match="kind"):
        build(4, "tree")
    with pytest.raises(ValueError, match="from 2 to 5"):
        CFR(6, "C", recall=True)
    with pytest.raises(ValueError, match="'full'"):
        recalled_rows(build(4, "markov"), "C")
    with pytest.raises(ValueError, match="cannot arise"):
        solve(4).value(State(4, ((1, 2, 3), (1, 2, 3)), 3, (2, 4), 40))


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ((9, ((1, 9), (1, 2)), 1, (2,), 0), "from 2 to 8"),
        ((True, ((1, 2), (1, 2)), 1, (2,), 0), "from 2 to 8"),
        ((4, ((1, 9), (1, 2)), 1, (2,), 0), "from 1 to 4"),
        ((4, ((1, 1), (1, 2)), 1, (2,), 0), "different"),
        ((4, ((1, 2.0), (1, 2)), 1, (2,), 0), "whole"),
        ((4, ((1, "2"), (1, 2)), 1, (2,), 0), "whole"),
        ((4, ((1, 2), (1, 2)), True, (2,), 0), "whole"),
        ((4, ((1, 2), (1, 2)), -1, (2,), 0), "from 1 to 4"),
        ((4, ((1, 2), (1, 2)), 1, (2,), 0.5), "whole"),
        ((4, ((1, 2), (1, 2)), 2, (2,), 0), "different"),
        ((4, ((2, 1), (1, 2)), 1, (2,), 0), "rising"),
        ((4, ([1, 2], (1, 2)), 1, (2,), 0), "rising"),
        ((4, [(1, 2), (1, 2)], 1, (2,), 0), "tuples"),
        ((4, ((1, 2),), 1, (2,), 0), "two hands"),
        ((4, None, 1, (2,), 0), "two hands"),
        ((4, ((1, 2, 3), (1, 2)), 1, (2,), 0), "as many"),
        ((4, ((1,), (2,)), 1, (), 0), "plays itself"),
        ((4, ((1, 2), (1, 2)), 1, (2,), 64), "difference"),
        ((4, ((1, 2, 4), (1, 3, 4)), 3, (2, 4), 2, ((1, 3, 2),)), "difference"),
        ((4, ((1, 2, 4), (1, 3, 4)), 3, (2, 4), 1, ((1, 4, 2),)), "different"),
        ((4, ((1, 2, 4), (1, 3, 4)), 3, (2, 4), 1, ((1, 3),)), "three"),
        ((4, ((1, 2, 4), (1, 3, 4)), 3, (2, 4), 1, ([1, 3, 2],)), "tuples"),
    ],
)
def test_impossible_positions_are_refused(parts, words):
    with pytest.raises(ValueError, match=words):
        State(*parts)


def test_pictures_are_well_formed():
    state = State(5, ((1, 2, 4), (1, 2, 5)), 3, (1, 5), 2)
    for features in (None, *subsets()):
        drawing = draw.position(state, features=features, title="what is seen")
        root = ElementTree.fromstring(drawing)
        hidden = sum(t.text == "?" for t in root.iter("{http://www.w3.org/2000/svg}text"))
        shown = "CODP" if features is None else features
        assert hidden == 5 * ("O" not in shown) + 5 * ("D" not in shown) + ("C" not in shown)
    assert draw.views(state, ["", "C", "CD"]).count("<svg") == 3
    with pytest.raises(ValueError, match="a state is needed"):
        draw.position("a state")
    with pytest.raises(ValueError, match="'CODP'"):
        draw.position(state, features="Q")
