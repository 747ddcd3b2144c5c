"""Pokémon: kernels against the plain rules, the solution against an independent one."""

import random
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import matrixgame
from gamecore.papers import published
from gamecore.pokemon import decode, encode, rules, solve
from gamecore.pokemon.draw import battle, type_chart
from gamecore.pokemon.parties import CLASSES, PAPER
from tests.reference import pokemon as plain

HP = st.integers(0, 5)
PARTY = st.tuples(HP, HP, HP).filter(any)
LEAD = st.integers(0, 2)


@pytest.fixture(scope="module")
def solution():
    return solve(20)


def random_state(generator, alive=True):
    while True:
        hp1, hp2 = (tuple(generator.randrange(6) for _ in range(3)) for _ in range(2))
        lead1, lead2 = generator.randrange(3), generator.randrange(3)
        if (hp1[lead1] and hp2[lead2]) or (not alive and (hp1[lead1] or hp2[lead2])):
            return plain.State(lead1, lead2, hp1, hp2)


def code(state):
    """The kernels' number of a reference state, also where the game is over."""
    return rules.number_of(*state, PAPER)


def legal(table, number, party):
    """Return the legal actions of party 1 or 2 by the kernels' table."""
    out = np.empty(5, np.int64)
    return out[: rules.legal_actions(table, number, party - 1, 5, out)].tolist()


def test_a_hundred_thousand_random_transitions(solution):
    generator = random.Random(1)
    checked = 0
    while checked < 100_000:
        state = random_state(generator)
        number = code(state)
        assert decode(number) == tuple(state)
        for a in range(5):
            for b in range(5):
                after = int(solution.table[number, 5 * a + b])
                legal = a in plain.legal_actions(state, 1) and b in plain.legal_actions(state, 2)
                assert (after >= 0) == legal
                if legal:
                    assert after == code(plain.step(state, a, b))
                    checked += 1


@given(LEAD, LEAD, PARTY, PARTY, st.data())
@settings(max_examples=200, deadline=None)
def test_one_turn_is_the_plain_one(solution, lead1, lead2, hp1, hp2, data):
    state = plain.State(lead1, lead2, hp1, hp2)
    number, table = code(state), solution.table
    if hp1[lead1] and hp2[lead2]:
        for party in (1, 2):
            assert legal(table, number, party) == plain.legal_actions(state, party)
        a = data.draw(st.sampled_from(plain.legal_actions(state, 1)))
        b = data.draw(st.sampled_from(plain.legal_actions(state, 2)))
        assert table[number, 5 * a + b] == code(plain.step(state, a, b))
        assert rules.turn(number, a, b, PAPER) == code(plain.step(state, a, b))
    elif hp1[lead1] or hp2[lead2]:
        assert solution.values[0, number] == plain.judge(state)
    assert rules.can_act(table, number) == bool(hp1[lead1] and hp2[lead2])


def test_whole_random_games_with_replacements(solution):
    generator, table = random.Random(2), solution.table
    ends = set()
    for _ in range(500):
        state = plain.initial_state(generator.randrange(3), generator.randrange(3))
        number, left = code(state), plain.TURNS
        while left and not plain.is_over(state):
            a, b = (generator.choice(plain.legal_actions(state, player)) for player in (1, 2))
            state, number, left = plain.step(state, a, b), int(table[number, 5 * a + b]), left - 1
            forced = plain.replacements(state) if not plain.is_over(state) else None
            assert max(rules.to_replace(table, number), -1) == (forced[0] - 1 if forced else -1)
            if forced:
                player, leads = forced
                able = [m for m in range(3) if rules.replaced(table, number, m) >= 0]
                assert able == leads
                chosen = generator.choice(leads)
                state = plain.replace(state, player, chosen)
                number = int(rules.replaced(table, number, chosen))
            assert number == code(state)
        assert solution.values[0, number] == plain.judge(state)
        assert rules.can_act(table, number) == (plain.winner(state) is None)
        ends.add(plain.judge(state))
    assert ends >= {0.0, 1.0}


def test_classes_of_actions_follow_the_multiplier():
    generator = random.Random(3)
    classes = PAPER.setup.classes, int(PAPER.setup.strides[1]), 3
    for _ in range(500):
        state = random_state(generator)
        for player in (1, 2):
            own = plain.PARTIES[player][plain.lead_of(state, player)]
            other = plain.PARTIES[3 - player][plain.lead_of(state, 3 - player)]
            for action in plain.legal_actions(state, player):
                found = CLASSES[rules.action_class(code(state), player - 1, action, *classes)]
                if action < 3:
                    factor = plain.multiplier(own.type, own.moves[action], other.type)
                    good = factor >= 1.5
                    expected = "effective" if good else "ordinary" if factor == 1 else "ineffective"
                else:
                    target = plain.switch_target(plain.lead_of(state, player), action)
                    kind = plain.PARTIES[player][target].type
                    good = plain.CHART[kind][other.type] == 1.5
                    expected = "advantageous switch" if good else "other switch"
                assert found == expected


def test_values_agree_with_an_independent_backward_induction(solution):
    """Small endgames at every depth, and whole parties over the last two turns."""
    generator = random.Random(4)
    samples = [
        (random_state(generator, alive=False), generator.choice((1, 1, 2))) for _ in range(20)
    ]
    uncertain = 0
    while len(samples) < 55:
        state, turns = random_state(generator, alive=False), generator.choice((3, 5, 8, 19))
        if plain.is_over(state) or sum(state.hp1) + sum(state.hp2) > 10:
            continue
        mixed = 0.01 < solution.value(*state, turns) < 0.99
        if mixed or generator.random() < 0.01:  # most endgames are won or lost
            samples.append((state, turns))
            uncertain += mixed
    assert uncertain >= 15
    memo = {}
    for state, turns in samples:
        if not plain.is_over(state):
            expected = plain.value(state, turns, memo)
            assert solution.value(*state, turns) == pytest.approx(expected, abs=1e-7)


def test_payoff_matrix_is_the_plain_one(solution):
    state = plain.State(0, 2, (2, 0, 3), (1, 2, 2))
    expected = plain.payoff_matrix(state, 3, {})
    found = solution.payoff_matrix(*state, 3)
    assert found.shape == (4, 5)
    assert found == pytest.approx(np.array(expected), abs=1e-7)


def test_every_value_is_proved_to_a_billionth(solution):
    assert 0 < solution.error_bound < 1e-9
    assert solution.values.shape == (21, 419_904)
    assert np.nanmin(solution.values) == 0.0
    assert np.nanmax(solution.values) == 1.0


def test_only_impossible_states_have_no_value(solution):
    for number in np.flatnonzero(np.isnan(solution.values[19]))[::97]:
        lead1, lead2, hp1, hp2 = decode(int(number))
        assert hp1[lead1] == hp2[lead2] == 0


def test_matrix_1_to_two_decimals(solution):
    printed = [row.value for row in published.load("pokemon") if row.locator == "matrix (1)"]
    equal = {
        turns: int(sum(
            abs(ours - theirs) <= 0.005
            for ours, theirs in zip(
                solution.payoff_matrix(0, 0, (5, 5, 5), (5, 5, 5), turns).ravel(), printed
            )
        ))
        for turns in (18, 19, 20)
    }  # fmt: skip
    assert equal == {18: 25, 19: 24, 20: 24}


def test_row_delta_0_of_table_3_from_the_printed_matrix_and_from_ours(solution):
    rows = published.load("pokemon")
    printed = np.array([r.value for r in rows if r.locator == "matrix (1)"]).reshape(5, 5)
    expected = [r.value for r in rows if r.locator == "table 3" and r.row == "0"]
    for A in (printed, solution.payoff_matrix(0, 0, (5, 5, 5), (5, 5, 5), 18)):
        _, row, column = matrixgame.solve(A)
        assert [*row, *column] == pytest.approx(expected, abs=0.005)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((3, 0, (5, 5, 5), (5, 4, 4), 19), "lead1"),
        ((0, 0, (6, 5, 5), (5, 4, 4), 19), "0 to 5"),
        ((0, 0, (5, 5, 5), (5, -1, 4), 19), "0 to 5"),
        ((0, 0, (5, 5), (5, 4, 4), 19), "3 whole"),
        ((True, 0, (5, 5, 5), (5, 4, 4), 19), "lead1"),
        ((0, 0, 5, (5, 4, 4), 19), "hp1"),
        ((0, 0, (5, 5, 5), (5, float("nan"), 4), 19), "hp2"),
        ((0, 0, (5, 5, 5), (5, 4, 4), True), "turns_left"),
        ((0, 0, (0, 0, 0), (5, 4, 4), 19), "no live monster"),
        ((0, 0, (0, 5, 5), (0, 4, 4), 19), "both leads"),
        ((0, 0, (5, 5, 5), (5, 4, 4), 21), "turns_left"),
        ((0, 0, (5, 5, 5), (5, 4, 4), -1), "turns_left"),
        ((0, 0, (5, 5, 5), (5, 4, 4), 2.5), "turns_left"),
    ],
)
def test_bad_positions_are_refused(solution, arguments, words):
    for ask in (solution.value, solution.payoff_matrix):
        with pytest.raises(ValueError, match=words):
            ask(*arguments)


def test_bad_requests_are_refused(solution):
    with pytest.raises(ValueError, match="fainted lead"):
        solution.payoff_matrix(0, 0, (0, 5, 5), (5, 4, 4), 3)
    with pytest.raises(ValueError, match="turns_left"):
        solution.payoff_matrix(0, 0, (5, 5, 5), (5, 4, 4), 0)
    for turns in (-1, 2.5, True, 2**63):
        with pytest.raises(ValueError, match="turns"):
            solve(turns)
    with pytest.raises(ValueError, match="state must be a whole number"):
        decode(PAPER.states)


def test_a_fainted_lead_is_worth_its_best_replacement(solution):
    hp1, hp2 = (0, 3, 2), (4, 1, 4)
    options = [solution.value(lead, 0, hp1, hp2, 7) for lead in (1, 2)]
    assert solution.value(0, 0, hp1, hp2, 7) == max(options)
    options = [solution.value(1, lead, (0, 3, 2), (0, 1, 4), 7) for lead in (1, 2)]
    assert solution.value(1, 0, (0, 3, 2), (0, 1, 4), 7) == min(options)
    assert solution.value(0, 0, (5, 5, 5), (5, 4, 4), 0) == 1.0  # judged by HP


def test_pictures_are_well_formed():
    drawing = ElementTree.fromstring(battle(1, 2, (5, 2, 0), (5, 4, 1), 7))
    filled = [
        c for c in drawing.iter("{http://www.w3.org/2000/svg}circle") if c.get("fill") != "none"
    ]
    assert len(filled) == 5 + 2 + 5 + 4 + 1
    ElementTree.fromstring(type_chart())
    with pytest.raises(ValueError, match="lead2"):
        battle(0, 5, (5, 5, 5), (5, 4, 4))
    assert encode(0, 0, (5, 5, 5), (5, 4, 4)) < PAPER.states
