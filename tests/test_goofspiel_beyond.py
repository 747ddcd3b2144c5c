"""Goofspiel beyond the paper: networks against plain arithmetic, starts, the questions' rules."""

from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest

from gamecore import rng
from gamecore.goofspiel import CFR, Profile, build, decode, subsets, uniform
from gamecore.goofspiel import approximate as near
from gamecore.goofspiel.starts import Started
from gamecore.goofspiel.strategy import graph, row_sizes
from gamecore.goofspiel.tree import rows
from gamecore.papers import questions as asked
from gamecore.papers import runner
from gamecore.papers.goofspiel import beyond, questions, readings
from gamecore.papers.goofspiel.experiments import SETS
from tests.reference import goofspiel as plain


def answer(network, bits):
    """What a network says of a position, in plain Python: units, then one number for each card."""
    inner, outer = (part.tolist() for part in network)
    lines = [inner[i] for i in bits if i >= 0] + [inner[-1]]
    units = [max(sum(column), 0.0) for column in zip(*lines)]
    return [
        sum(u * line[c] for u, line in zip(units, outer)) + outer[-1][c]
        for c in range(len(outer[0]))
    ]


def network_of(cards, units, seed):
    """A network with random weights, biases too."""
    bits = 4 * cards + 2 * near.most_points(cards) + 1
    generator = np.random.default_rng(seed)
    return near.Network(
        generator.normal(size=(bits + 1, units)), generator.normal(size=(units + 1, cards))
    )


@pytest.mark.parametrize("features", ["", "C", "OP", "CODP"])
def test_bits_are_what_a_player_sees(features):
    tree = build(4, "markov")
    seen = near.seen_rows(tree, features)
    row, told = rows(tree, features), dict(zip(seen.begins.tolist(), seen.bits.tolist()))
    for node, packed in enumerate(tree.states.tolist()):
        state = decode(packed, 4)
        wanted = {card - 1 for card in state.hands[0]}
        wanted |= {3 + state.prize} if "C" in features else set()
        wanted |= {7 + card for card in state.hands[1]} if "O" in features else set()
        wanted |= {11 + card for card in state.deck} if "D" in features else set()
        wanted |= {26 + state.difference} if "P" in features else set()  # 16, and 10 for −10
        assert {i for i in told[int(row[node])] if i >= 0} == wanted
    assert len({tuple(line) for line in seen.bits.tolist()}) == len(seen.begins)


def test_a_step_goes_down_the_gradient_of_the_squared_error():
    """One draw of one row, against differences of the loss in plain Python."""
    seen = near.seen_rows(build(3, "markov"), "CODP")
    sums = np.random.default_rng(1).normal(size=seen.begins[-1] + 2)
    k = 40
    weights = np.zeros(len(seen.begins))
    weights[k] = 2.0  # the only row that can be drawn
    held = [c for c in range(3) if seen.hands[k] >> c & 1]
    target = dict(zip(held, sums[seen.begins[k] :] / 2.0))

    def loss(network):
        said = answer(network, seen.bits[k])
        return sum((said[c] - target[c]) ** 2 for c in held) / 2

    network = network_of(3, 5, 2)
    after = near.Network(*(part.copy() for part in network))
    near.fit(after, seen, sums, weights, 1, 1e-3, rng.state(1))
    for part in (0, 1):
        for place in np.ndindex(network[part].shape):
            nudged = [network[0].copy(), network[1].copy()]
            nudged[part][place] += 1e-6
            slope = (loss(near.Network(*nudged)) - loss(network)) / 1e-6
            step = after[part][place] - network[part][place]
            assert step == pytest.approx(-1e-3 * slope, abs=1e-7)


def test_rows_are_drawn_in_proportion_to_their_weights():
    bounds, stream = np.cumsum([1.0, 0.0, 2.0, 5.0]), rng.state(3)
    found = Counter(near._find(bounds, 0, 4, rng.uniform(stream) * 8.0) for _ in range(8000))
    assert 1 not in found
    assert [found[k] / 8000 for k in (0, 2, 3)] == pytest.approx([1 / 8, 2 / 8, 5 / 8], abs=0.02)
    assert {near._find(bounds, 2, 4, 1.0 + x) for x in (0.0, 1.9, 2.1, 6.9, 7.0)} == {2, 3}


def test_the_memory_holds_what_cfr_adds_up():
    """The first iteration starts from even mixtures, as CFR does, and has weight 1."""
    learner, table = near.Learner(4, "CD", seed=1, draws=1), CFR(4, "CD", plus=False)
    learner.run(1)
    tree = table.tree
    table.run(1)
    assert learner._regrets[0] == pytest.approx(table._regrets[0], abs=1e-12)
    # Regrets of a row are weighted by how often external sampling comes there.
    per_level = Counter()
    for hand, weight in zip(learner.seen.hands.tolist(), learner._weights):
        per_level[bin(hand).count("1")] += weight
    assert per_level == pytest.approx({4: 1, 3: 4, 2: 12})
    assert tree.cards == 4


def test_a_network_that_can_be_exact_ends_where_a_table_does():
    """With the hand only there are few rows: fitted well, a network is a table."""
    learner = near.Learner(3, "", seed=1, units=32, draws=20_000, rate=0.05)
    found = learner.run(150).best_response_value(1)
    _, profile = learner.learnt(200_000)
    assert found == pytest.approx(CFR(3, "").run(1000).best_response_value(1), abs=0.02)
    assert profile.best_response_value(1) == pytest.approx(found, abs=0.02)


def test_a_network_beats_less_information():
    learners = {s: near.Learner(4, s, 1) for s in ("", "C", "CODP")}
    value = {s: learner.run(40).best_response_value(1) for s, learner in learners.items()}
    assert value["CODP"] < value["C"] < value[""]


def test_learning_depends_on_the_seed_alone():
    def learnt(seed):
        learner = near.Learner(3, "CODP", seed, units=8, draws=50)
        profile = learner.run(3)
        return (*learner.network, *profile.policies, *learner.learnt(40)[0])

    first, again, other = learnt(1), learnt(1), learnt(2)
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert not any(np.array_equal(a, b) for a, b in zip(first, other, strict=True))


def mixture(hand, said):
    """What is played by a policy network's numbers, as a list over the cards in hand."""
    own = [max(said[c], 0.0) for c in range(len(said)) if hand >> c & 1]
    return [x / sum(own) for x in own] if sum(own) else [1 / len(own)] * len(own)


def visits_of(cards):
    """How likely each Markov state comes up in uniform play, by plain recursion."""
    found = Counter()

    def walk(history, chance):
        if plain.is_terminal(history):
            return
        if history.prize is None:
            after = plain.reveals(history)
            for one in after:
                walk(one, chance / len(after))
            return
        found[plain.feature_key(history, 0, "CODP")] += chance
        pairs = list(product(*(plain.legal_bids(history, player) for player in (0, 1))))
        for bids in pairs:
            walk(plain.step(history, *bids), chance / len(pairs))

    walk(plain.History(cards), Fraction(1))
    return found


def key_of(state):
    return (
        frozenset(state.hands[0]), state.prize, frozenset(state.hands[1]), frozenset(state.deck),
        state.difference,
    )  # fmt: skip


def test_visits_are_those_of_plain_recursion():
    profile = uniform(4)
    visits = np.empty(len(profile.tree.states))
    near._visit(*graph(profile.tree), *profile.rows, *profile.policies, visits)
    wanted = visits_of(4)
    found = {key_of(decode(s, 4)): x for s, x in zip(profile.tree.states.tolist(), visits)}
    assert found == pytest.approx({key: float(x) for key, x in wanted.items()})


@pytest.mark.parametrize("letters", ["C", "OP", "CODP"])
def test_exchanged_inputs_are_averaged_over_positions_of_as_many_cards(letters):
    """Against the sum over every position that could be drawn, in plain Python."""
    profile, network = uniform(3), network_of(3, 4, 7)
    seen, place = near.seen_rows(profile.tree, "CODP"), near.columns(3)
    found = near.hidden(network, profile, seen, letters, 4000, rng.state(5))
    often = visits_of(3)
    states = [decode(s, 3) for s in profile.tree.states.tolist()]
    line_of = dict(zip(seen.begins.tolist(), seen.bits.tolist()))
    lines = [line_of[int(row)] for row in profile.rows[0]]
    for node in (0, 2, 3, 20, 56):
        own, wanted = states[node], 0.0
        for other, line in zip(states, lines):
            if len(other.deck) == len(own.deck):
                bits = list(lines[node])
                for letter in letters:
                    bits[place[letter]] = line[place[letter]]
                hand = sum(1 << (card - 1) for card in own.hands[0])
                weight = float(often[key_of(other)])
                wanted = wanted + weight * np.array(mixture(hand, answer(network, bits)))
        begin, n = found.rows[0][node], len(own.hands[0])
        assert found.policies[0][begin : begin + n] == pytest.approx(wanted, abs=0.03)


def test_nothing_exchanged_is_the_network_itself():
    learner = near.Learner(3, "CODP", seed=4, units=8)
    learner.run(2)
    network, profile = learner.learnt(500)
    same = near.hidden(network, profile, learner.seen, "", 3, rng.state(1))
    assert same.policies[0] == pytest.approx(profile.policies[0], abs=1e-12)
    assert same.measures() == pytest.approx(profile.measures(), abs=1e-12)
    with pytest.raises(ValueError, match="letters"):
        near.hidden(network, profile, learner.seen, "CX", 3, rng.state(1))


def test_starts_are_random_mixtures_and_the_seed_decides():
    first, again, other = (Started(4, "CD", seed) for seed in (1, 1, 2))
    for solver in (first, other):
        for row, policy in zip(solver.rows, solver._policies, strict=True):
            sizes = row_sizes(solver.tree, row)
            totals = np.add.reduceat(policy, np.flatnonzero(sizes))
            assert totals == pytest.approx(np.ones(len(totals)))
            assert policy.std() > 0.1
    ends = [solver.run(20).measures() for solver in (first, again, other)]
    assert ends[0] == ends[1] != ends[2]
    assert abs(Started(3, "CODP", 5).run(400).expected_return()) < 0.01
    assert isinstance(Started(3, "C", 5).run(1), Profile)


# The rules of the questions, with rows made up for them.


def doubled(sizes, values, starts=3, noise=0.0, last=None):
    """Rows of doublings: `values` of the return per set, b₁ its negative, one row per start."""
    out = []
    for name, start in product(SETS, range(starts)):
        row = {"features": name, "chunk": start, "games": len(sizes)}
        for n in sizes:
            for t in beyond.DOUBLINGS[n]:
                at_end = last is not None and t == beyond.DOUBLINGS[n][-1]
                x = (last if at_end else values)[name] + noise * (start - 1)
                row |= {beyond.column("return", n, t): x, beyond.column("b1", n, t): -x}
        out.append(row)
    return pd.DataFrame(out)


RISING = {name: -0.8 + 0.05 * k for k, name in enumerate(SETS)} | {"CODP": 0.0}
SWAPPED = RISING | {"CO": RISING["CD"], "CD": RISING["CO"]}


def answers(judge, *frames):
    return {identity.split("/")[1]: ours for identity, ours in judge(*frames)}


def test_whether_the_order_is_fixed():
    assert answers(questions.six, doubled((4, 5, 6), RISING))["six-settled"].holds is True
    turned = answers(questions.six, doubled((4, 5, 6), RISING, last=SWAPPED))["six-settled"]
    assert turned.holds is False
    assert "118 of 120" not in turned.detail
    assert "119 of 120" in turned.detail
    assert "C+O and C+D" in turned.detail
    near_by = RISING | {"CO": RISING["CD"] + 1e-3}
    rows_ = doubled((4, 5, 6), near_by, noise=0.01)
    odd = (rows_.features == "CO") & (rows_.chunk == 1)
    for t in (100, 200):  # one start of three sees it the other way round
        rows_.loc[odd, beyond.column("return", 6, t)] -= 0.1
    open_ = answers(questions.six, rows_)["six-settled"]
    assert open_.holds is None
    assert "C+O and C+D" in open_.detail
    by_b1 = doubled((4, 5, 6), RISING)
    by_b1.loc[by_b1.features == "CO", beyond.column("b1", 6, 50)] = 0.0
    assert answers(questions.six, by_b1)["six-settled"].holds is None
    early = doubled((4, 5, 6), RISING)
    early.loc[early.features == "CO", beyond.column("b1", 6, 25)] = 0.0
    assert answers(questions.six, early)["six-settled"].holds is True
    assert answers(questions.seven, doubled((4, 7), RISING, 1))["seven-settled"].holds is True
    turned = answers(questions.seven, doubled((4, 7), RISING, 1, last=SWAPPED))["seven-settled"]
    assert turned.holds is False


def test_whether_training_has_one_end():
    def holds(apart, moved=0.0):
        """C ends so far apart in two starts of six cards, after so large a movement."""
        found = doubled((4, 5, 6), RISING)
        c = (found.features == "C") & (found.chunk == 2)
        found.loc[c, beyond.column("b1", 6, 200)] += apart
        found.loc[c, beyond.column("b1", 6, 100)] += apart - moved
        return answers(questions.beginnings, found)["one-end"]

    assert holds(0.004).holds is True
    assert holds(0.004, moved=0.004).holds is True
    assert holds(0.03, moved=0.003).holds is False
    assert "C with 6 cards (0.030 apart)" in holds(0.03).detail
    assert holds(0.03, moved=0.01).holds is None


def test_whether_sizes_have_one_order():
    five_six, seven = doubled((4, 5, 6), RISING), doubled((4, 7), RISING, 1)
    assert answers(questions.sizes, five_six, seven)["same-order"].holds is True
    other = answers(questions.sizes, five_six, doubled((4, 7), SWAPPED, 1))["same-order"]
    assert other.holds is False
    assert "C+O and C+D (5 and 7 cards)" in other.detail
    level = dict.fromkeys(SETS, -0.5) | {"CODP": 0.0, "hand": -0.8}  # nearly all pairs are open
    assert answers(questions.sizes, five_six, doubled((4, 7), level, 1))["same-order"].holds is None


def with_triples(rows_, shares):
    """Rows of doublings with shares of the gap, by number of cards, for sets of three features."""
    for n, x in shares.items():
        for name in ("COD", "COP", "CDP", "ODP"):
            for t in beyond.DOUBLINGS[n]:
                rows_.loc[rows_.features == name, beyond.column("return", n, t)] = -0.8 * (1 - x)
    return rows_


def test_whether_three_features_suffice_less_and_less():
    def holds(shares, wobble=0.0):
        first = with_triples(doubled((4, 5, 6), RISING), {n: shares[n] for n in (4, 5, 6)})
        start = first.chunk - 1.0
        for t in beyond.DOUBLINGS[5]:
            first[beyond.column("return", 5, t)] += wobble * start * (first.features == "COD")
        second = with_triples(doubled((4, 7), RISING, 1), {7: shares[7]})
        return answers(questions.sizes, first, second)["three-features-fall"].holds

    assert holds({4: 0.97, 5: 0.9, 6: 0.8, 7: 0.7}) is True
    assert holds({4: 0.97, 5: 0.9, 6: 0.8, 7: 0.85}) is False
    assert holds({4: 0.97, 5: 0.9, 6: 0.8, 7: 0.7}, wobble=0.2) is None


def limits_of(values):
    return pd.DataFrame([{"features": s, "b1": -x, "return": x} for s, x in values.items()])


def learnt_rows(seeds):
    return pd.DataFrame(
        [{"features": s, "chunk": k, "b1": -x} for k, m in enumerate(seeds) for s, x in m.items()]
    )


def hidden_rows(seeds):
    return pd.DataFrame(
        [{"chunk": k} | {f"{x}:{s}": sign * m[s] for x, sign in (("b1", -1), ("return", 1))
         for s in SETS} for k, m in enumerate(seeds)]
    )  # fmt: skip


BACKWARDS = dict(zip(SETS, list(RISING.values())[::-1]))


def of_networks(learnt, exchanged, tables=RISING):
    """The answers with five cards and with four, which must be the same for the same rows."""
    made = learnt_rows(learnt), hidden_rows(exchanged)
    found = answers(questions.networks, *made, limits_of(tables))
    four = answers(questions.smaller, *made, doubled((4, 5, 6), tables))
    assert {f"{name}-four": x.holds for name, x in found.items()} == {
        name: x.holds for name, x in four.items()
    }
    return found


def test_whether_networks_and_exchanges_rank_as_tables_do():
    for seeds, wanted in (
        ([RISING, RISING], True), ([BACKWARDS, BACKWARDS], False), ([RISING, BACKWARDS], None)
    ):  # fmt: skip
        found = of_networks(seeds, seeds)
        assert found["learnt-order"].holds is wanted
        assert found["hidden-order"].holds is wanted
    costs = dict(zip("CODP", (0.4, 0.1, 0.3, 0.2)))
    alone = {s: -0.1 - sum(costs[c] for c in "CODP" if c not in s) for s in SETS}
    against = {s: -0.1 - sum(0.5 - costs[c] for c in "CODP" if c not in s) for s in SETS}
    for seeds, wanted in (
        ([alone, alone], True), ([against, against], False), ([alone, against], None)
    ):  # fmt: skip
        found = of_networks(seeds, seeds, alone)
        assert found["hidden-features"].holds is wanted
        assert ("C 0.400 (Shapley 0.400)" in found["hidden-features"].detail) is (wanted is True)


def test_whether_wrong_costs_more_than_missing():
    def holds(wrong, missing):
        return of_networks(missing, wrong)["wrong-or-missing"].holds

    worse = {s: x - 0.5 for s, x in RISING.items()}
    assert holds([worse, worse], [RISING, RISING]) is True
    assert holds([RISING, RISING], [worse, worse]) is False
    one = worse | {"ODP": RISING["ODP"] + 0.1}  # what C alone does
    assert holds([one, one], [RISING, RISING]) is False
    assert holds([one, worse], [RISING, RISING]) is None


def test_whether_fitting_helps_and_more_features_do():
    def holds(longer):
        made = learnt_rows([{"CDP": -0.3, "CODP": x} for x in longer])
        before = learnt_rows([{"CDP": -0.35, "CODP": x} for x in (-0.41, -0.39)])
        found = answers(questions.fitting, made, before)
        return found["fitting-helps"].holds, found["all-beat-three"].holds

    assert holds([-0.2, -0.21]) == (True, True)
    assert holds([-0.345, -0.346]) == (None, False)
    assert holds([-0.6, -0.61]) == (False, False)
    assert holds([-0.1, -0.6]) == (None, None)


def test_sets_are_named_as_the_text_does():
    assert [s or "hand" for s in subsets()] == SETS
    assert len(questions.PAIRS) == 120


# What is stored must agree with what was known before.


def test_every_question_is_answered():
    table = asked.answered("goofspiel")
    assert len(table) == 15
    assert set(table.answer) <= {"yes", "no", "cannot tell"}
    assert table.detail.str.endswith(".").all()


def test_random_starts_end_where_an_even_one_does():
    """Five cards after 400 iterations, and six after 100, against runs from even mixtures."""
    doubled_ = runner.results("goofspiel/doublings")
    for cards, t, name in ((5, 400, "limits"), (6, 100, "six-cards")):
        even = runner.results(f"goofspiel/{name}").set_index("features")["return"]
        means = doubled_.groupby("features")[beyond.column("return", cards, t)].mean()
        assert (means - even).abs().max() < 0.02
        assert readings.shares(means).corr(readings.shares(even)) > 0.999
    # The return of averages is at most what their best response concedes.
    for cards in (4, 5, 6):
        for t in beyond.DOUBLINGS[cards]:
            lost = -doubled_[beyond.column("return", cards, t)]
            assert (lost <= doubled_[beyond.column("b1", cards, t)] + 1e-12).all()
