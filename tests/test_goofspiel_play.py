"""Goofspiel with one's own players and strategies: functions, profiles, names, wrong answers."""

import copy
import math
import pickle
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from gamecore.contest import playing
from gamecore.game import CHANCE, randomly
from gamecore.goofspiel import (
    CFR,
    PLAYERS,
    Profile,
    Solution,
    State,
    Tree,
    ask,
    build,
    encode,
    match,
    solve,
    start,
    train,
    uniform,
    value,
)  # fmt: skip
from gamecore.goofspiel.players import decider
from gamecore.goofspiel.tree import MOST_CARDS, _built, rows
from tests.reference import goofspiel as plain
from tests.test_goofspiel import node_histories


def high(view, generator):
    """Play the highest card."""
    return view.legal()[-1]


def prize(state, player):
    return state.prize


def told(history):
    """The state of a reference history at which both choose, its past known."""
    hands = tuple(tuple(sorted(plain.hand(history, player))) for player in (0, 1))
    points, deck = plain.scores(history), tuple(sorted(plain.deck(history)))
    return State(
        history.cards, hands, history.prize, deck, points[0] - points[1], history.rounds
    )  # fmt: skip


# players


@pytest.mark.parametrize("name", PLAYERS)
def test_a_function_meets_every_player_from_either_seat(name):
    there, back = match(high, name, 40, 1, cards=4), match(name, high, 40, 1, cards=4)
    for played in (there, back):
        assert played.games == 40
        ends = [played.replay(k)[-1].returns()[0] for k in range(40)]
        assert ends == played.results.tolist()
        assert played.replay(3) == played.replay(3)
        assert all(state.cards == 4 for state in played.replay(0))
    assert match(high, name, 15, 1, cards=4).results.tolist() == there.results[:15].tolist()
    for states in map(there.replay, range(40)):
        for before, after in pairwise(states):
            if before.prize:
                assert after.rounds[len(before.rounds)][1] == max(before.hand(0))


@pytest.mark.parametrize("name", PLAYERS)
def test_kernel_games_can_be_replayed(name):
    played = match(name, "prize", 200, 3, cards=5)
    for game in range(200):
        states = played.replay(game)
        assert states[0] == start(5)
        assert len(states) == 1 + states[0].longest()
        assert states[-1].returns()[0] == played.results[game]
        for state in states[1:]:
            assert all(won == second for won, _, second in state.rounds)  # the prize player's cards
    with pytest.raises(ValueError, match="from 0 to 199"):
        played.replay(200)


def test_in_python_the_same_players_play_the_same_game():
    """Certain players: every game ends as the kernel's with the same prizes, and as exactly."""
    low = Profile.of(4, lambda state, player: state.hand(player)[0])
    kernel = match("prize", low, 300, 1)
    ends = {tuple(r[0] for r in kernel.replay(k)[-1].rounds): kernel.results[k] for k in range(300)}
    assert len(ends) == math.factorial(4)
    python = match(lambda v, g: str(v.state.prize), lambda v, g: v.legal()[0], 300, 2, cards=4)
    for k in range(300):
        assert ends[tuple(r[0] for r in python.replay(k)[-1].rounds)] == python.results[k]


@pytest.mark.parametrize("features", ["CD", None])
def test_profiles_play_alike_in_python_and_in_the_kernel(features):
    trained = train(3, features, 100, 1)
    mixed = match(trained, decider(trained), 3000, 2, cards=3)
    spread = mixed.results.std() / math.sqrt(mixed.games)
    assert abs(mixed.results.mean() - trained.expected_return()) < 4 * spread


def test_what_players_say_is_what_they_do():
    profiles = [*PLAYERS, train(4, "C", 300, 1), train(4, None, 300, 1), CFR(4, "O").run(20)]
    for player in profiles:
        played = match(player, player, 1000, 5, cards=4)
        opened = [played.replay(k)[2].rounds[0] for k in range(1000)]
        for seat in (0, 1):
            for shown in range(1, 5):
                state = start(4).play(str(shown))
                said = ask(player, state, seat)
                assert list(said) == state.legal(seat)
                assert sum(said.values()) == pytest.approx(1)
                assert ask(player, state.view(seat)) == said
                cards = [c[1 + seat] for c in opened if c[0] == shown]
                for card, chance in said.items():
                    spread = math.sqrt(chance * (1 - chance) / len(cards))
                    assert abs(cards.count(int(card)) / len(cards) - chance) <= 4.5 * spread + 1e-9


def test_a_function_is_asked_too():
    state = start(3).play("2")
    assert ask(high, state, 1) == {"1": 0.0, "2": 0.0, "3": 1.0}
    drawn = [max(said := ask(randomly, state, seed=k), key=said.get) for k in range(50)]
    assert set(drawn) == {"1", "2", "3"}
    with pytest.raises(ValueError, match=r"'9'; legal: '1', '2', '3'"):
        ask(lambda view, generator: "9", state)


def test_an_illegal_card_is_refused_by_name():
    def cheat(view, generator):
        return "5"

    with pytest.raises(ValueError, match=r"cheat, as second, chose '5'.*\n.*prize"):
        match("uniform", cheat, 10, 1)
    with pytest.raises(ValueError, match="first cannot play '2'"):
        start(3).play("2").play("2", "1").play("3").play("2", "3")
    with pytest.raises(ValueError, match="chance cannot play '4'"):
        start(3).play("4")


def test_bad_questions_are_refused():
    state = start(3).play("2")
    for nobody in ("best", None, 3, solve(3)):
        with pytest.raises(ValueError, match=r"player|unknown"):
            ask(nobody, state)
    with pytest.raises(ValueError, match="with 3 cards"):
        ask(uniform(4), state)
    for over in (start(3), state.play("1", "2").play("3").play("3", "1")):
        with pytest.raises(ValueError, match="nobody chooses"):
            ask("uniform", over)
    for nothing in (None, "state", 5, state.view):
        with pytest.raises(ValueError, match="a state"):
            ask("uniform", nothing)
    for seat in (2, -1, True, "0", None):
        with pytest.raises(ValueError, match="from 0 to 1"):
            ask("uniform", state, seat)
        with pytest.raises(ValueError, match="from 0 to 1"):
            state.hand(seat)
        with pytest.raises(ValueError, match="from 0 to 1"):
            uniform(3).mixture(state, seat)
        with pytest.raises(ValueError, match="from 0 to 1"):
            value(state, seat)
    for seed in (-1, 0.5, "x"):
        with pytest.raises(ValueError, match="seed"):
            ask(high, state, seed=seed)
    for cards in (1, 9, 3.0, True, "3", None):
        with pytest.raises(ValueError, match="from 2 to 8"):
            start(cards)
    for left in (1, 4, -1, True, 2.0):
        with pytest.raises(ValueError, match="from 2 to 3"):
            build(3, "markov").level(left)
    with pytest.raises(ValueError, match="a state"):
        encode(None)


# states and nodes


@pytest.mark.parametrize("kind", MOST_CARDS)
def test_a_state_with_a_past_is_one_node(kind):
    tree, found = node_histories(4, kind)
    for node, history in found.items():
        assert tree.nodes(told(history)).tolist() == [node]
    generator = np.random.default_rng(1)
    for _ in range(50):
        for state in playing(start(4), [randomly, randomly], generator):
            if state.prize:
                [node] = tree.nodes(state)
                assert tree.states[node] == encode(state)


def test_without_a_past_a_player_answers_if_nothing_depends_on_it():
    played = start(4).play("3").play("2", "4").play("1").play("4", "3").play("4")
    bare = State(4, played.hands, played.prize, played.deck, played.difference)
    assert played.known_past
    assert not bare.known_past
    assert len(build(4, "history").nodes(bare)) > 1
    remembers, forgets = train(4, None, 500, 1), train(4, "CO", 500, 1)
    assert forgets.mixture(bare, 0) == forgets.mixture(played, 0)
    assert solve(4).profile.mixture(bare, 1) == solve(4).profile.mixture(played, 1)
    assert remembers.mixture(played, 0).keys() == {1, 3}
    with pytest.raises(ValueError, match="depends on the past"):
        remembers.mixture(bare, 0)
    for wrong in (start(4), start(3).play("1"), "state", None):
        with pytest.raises(ValueError, match=r"cards each|nobody"):
            remembers.mixture(wrong, 0)
    onward = bare.play("1", "1")
    assert onward.rounds == ((4, 1, 1), (2, 3, 2))  # what came before is not told
    assert not onward.movers


def test_values_of_states_before_and_after_choices():
    generator = np.random.default_rng(2)
    solution = solve(4)
    assert value(start(4)) == pytest.approx(0, abs=1e-12)
    for _ in range(20):
        for state in playing(start(4), [randomly, randomly], generator):
            assert value(state) == -value(state, 1) == solution.value(state)
            if not state.movers:
                assert value(state) == state.returns()[0]
            elif state.movers == (CHANCE,):
                following = [value(state.play(card)) for card in state.legal(CHANCE)]
                assert value(state) == pytest.approx(np.mean(following))
    with pytest.raises(ValueError, match="a state"):
        value("state")
    with pytest.raises(ValueError, match="state"):
        solution.value(None)
    with pytest.raises(ValueError, match="from 2 to 7"):
        value(start(8))
    with pytest.raises(ValueError, match="one for each public state"):
        Solution(solution.profile, solution.values[1:])
    with pytest.raises(ValueError, match="a Profile"):
        Solution(None, solution.values)


# strategies of one's own


@pytest.mark.parametrize("cards", [2, 3, 4])
def test_matching_the_prize_is_worth_what_plain_recursion_says(cards):
    def policy(history, player):
        return {history.prize: Fraction(1)}

    profile, begin = Profile.of(cards, prize), plain.History(cards)
    assert profile.expected_return() == plain.expected_return(policy, policy, begin) == 0
    for player in (0, 1):
        expected = best_against_prize(player, begin)
        assert profile.best_response_value(player) == pytest.approx(float(expected), abs=1e-12)


def best_against_prize(player, history):
    """The most that a player gets from one who always bids the prize, which it always holds."""
    if plain.is_terminal(history):
        return plain.final_return(history) * (1 if player == 0 else -1)
    if history.prize is None:
        values = [best_against_prize(player, h) for h in plain.reveals(history)]
        return Fraction(sum(values)) / len(values)
    return max(
        best_against_prize(player, plain.step(history, *((own, history.prize)[:: 1 - 2 * player])))
        for own in plain.legal_bids(history, player)
    )


def test_a_function_gives_the_profile_that_it_describes():
    equal = Profile.of(
        4, lambda state, player: dict.fromkeys(state.hand(player), 1 / len(state.hand(0)))
    )
    assert equal.measures() == pytest.approx(uniform(4).measures(), abs=1e-12)
    exact = solve(4).profile
    again = Profile.of(4, exact.mixture)
    for player in (0, 1):
        assert (again.policies[player] == exact.policies[player]).all()
    answers = [
        Profile.of(3, lambda state, player, form=form: form(max(state.hand(player))))
        for form in (
            int, str, np.int64, lambda c: {c: 1}, lambda c: {str(c): Fraction(1)},
            lambda c: {c: 0.5, str(c): np.float32(0.5), 99: 0},
        )
    ]  # fmt: skip
    assert len({p.policies[0].tobytes() + p.policies[1].tobytes() for p in answers}) == 1


def test_symmetric_changes_leave_a_symmetric_profile():
    """Every state and player has a row of its own, and what is shared cannot be changed."""
    equal = uniform(4)
    for array in (*equal.policies, *equal.rows):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(AttributeError):
        equal.rows = equal.rows[::-1]
    assert len(np.unique(equal.rows[0])) == len(equal.tree.states)
    policies = [policy.copy() for policy in equal.policies]
    for player, policy in enumerate(policies):
        for node in equal.tree.nodes(start(4).play("4")):
            policy[equal.rows[player][node] :][:4] = [0, 0, 0, 1]
    changed = Profile(equal.tree, equal.rows, policies)
    assert changed.expected_return() == pytest.approx(0, abs=1e-12)
    assert changed.exploitability() < equal.exploitability()
    policies[0][:] = np.nan  # it keeps its own
    assert changed.mixture(start(4).play("4"), 0) == {1: 0, 2: 0, 3: 0, 4: 1}


def test_copies_are_profiles_again():
    for profile in (uniform(3), train(3, None, 50, 1)):
        for other in (
            copy.copy(profile),
            copy.deepcopy(profile),
            pickle.loads(pickle.dumps(profile)),
        ):
            assert other.tree is profile.tree
            assert other.measures() == profile.measures()
            assert not other.policies[1].flags.writeable
    solution = pickle.loads(pickle.dumps(solve(3)))
    assert solution.value(start(3)) == solve(3).value(start(3))


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (9, "9 is not held"),
        ("x", "'x' is not held"),
        (1, "1 is not held, as player 0 at prize"),  # after it has been played
        (None, "a card or a dict"),
        (True, "a card or a dict"),
        (2.0, "a card or a dict"),
        ([1, 2], "a card or a dict"),
        ({}, "sum to 1, not 0"),
        ({1: 0.5, 2: 0.4}, "sum to 1, not 0.9"),
        ({1: 0.5, 9: 0.5}, "9 is not held"),
        ({1: -0.5, 2: 1.5}, "between 0 and 1, not -0.5"),
        ({1: float("nan"), 2: 1}, "between 0 and 1, not nan"),
        ({1: "0.5", 2: 0.5}, "between 0 and 1, not '0.5'"),
        ({1: 1e300, 2: 1}, "between 0 and 1"),
    ],
)
def test_wrong_answers_are_refused(answer, words):
    with pytest.raises(ValueError, match=words):
        Profile.of(3, lambda state, player: answer)


def test_what_makes_no_profile_is_refused():
    for function in (None, "prize", uniform(3)):
        with pytest.raises(ValueError, match="a function"):
            Profile.of(3, function)
    for cards in (1, 8, 3.0, True, "3", None, 2**63):
        with pytest.raises(ValueError, match="from 2 to 7"):
            Profile.of(cards, prize)
    good = uniform(3)
    tree, (row, _), (policy, _) = good.tree, good.rows, good.policies
    own = Tree(3, "markov", tree.states, tree.starts, tree.links, tree.kids + 1000)
    for wrong in (None, 3, own):
        with pytest.raises(ValueError, match="made by build"):
            Profile(wrong, good.rows, good.policies)
    for wrong in (row[:-1], row.astype(float), row[:, None], None, "rows", []):
        with pytest.raises(ValueError, match="57 whole numbers"):
            Profile(tree, (row, wrong), (policy, policy))
    for wrong in (row - 1, row + 1, row.astype(np.int64) + 2**32, row.astype(np.uint64) + 2**40):
        with pytest.raises(ValueError, match="outside its policy"):
            Profile(tree, (wrong, row), (policy, policy))
    with pytest.raises(ValueError, match="outside its policy"):
        Profile(tree, (row, row), (policy, policy[:-1]))
    for wrong in (None, "policy", policy[:, None], policy.astype(complex)):
        with pytest.raises(ValueError, match="one row of numbers"):
            Profile(tree, (row, row), (wrong, policy))
    for wrong in (policy * 2, policy * np.nan, -policy, np.where(policy > 0.4, 2, -1)):
        with pytest.raises(ValueError, match="sum to 1, but not at prize"):
            Profile(tree, (row, row), (policy, wrong))
    for pair in ((row,), None, (row, row, row), row):
        with pytest.raises(ValueError, match="rows must be two arrays"):
            Profile(tree, pair, good.policies)
        with pytest.raises(ValueError, match="policies must be two arrays"):
            Profile(tree, good.rows, pair)
    with pytest.raises(ValueError, match="plus"):
        CFR(3, "C", plus=1)


def test_shared_rows_are_still_possible():
    """An abstraction is one: nodes that look alike share a row."""
    tree = build(3, "markov")
    row = rows(tree, "C")
    policy = CFR(3, "C").run(5).policies[0]
    shared = Profile(tree, (row, row), (policy, policy))
    assert Profile.of(3, shared.mixture).measures() == pytest.approx(shared.measures(), abs=1e-12)


def test_a_tree_made_twice_by_two_threads_is_as_good():
    twin = _built.__wrapped__(3, "markov")
    assert twin is not build(3, "markov")
    usual = uniform(3)
    assert Profile(twin, usual.rows, usual.policies).exploitability() > 0.6
