"""Daifugo beyond the paper: models, rewards, information and the observer, against plain Python."""

import random
from dataclasses import replace
from functools import partial
from itertools import product

import numpy as np
import pytest
from scipy import stats

from gamecore.daifugo import MODELS, Sontaku, State, ask, rewards, series
from gamecore.daifugo.observer import Decision, decisions, think
from gamecore.papers.daifugo import beyond
from gamecore.papers.experiment import find
from tests.reference import daifugo as reference

RANDOM = ["random"] * 3
HANDS = ["D3 C7 H2", "D5 S4 HQ", "C6 JO D9", "S3 HK CT"]


def positions(count, seed):
    """Return states of random games in which whoever moves has a choice, few cards being left."""
    found = []
    for state in series(count, seed, ["random"] * 4).replay(0):
        choice = state.stage == "play" and len(state.legal(state.turn)) > 2
        if choice and not state.out and sum(map(len, state.hands)) <= 26:
            found.append(state)
    return found[:: max(len(found) // count, 1)][:count]


def plain(state):
    """Return a state for the reference rules; only what later turns need."""
    field = reference.Play(frozenset(state.field.cards), state.field.joker) if state.field else None
    return reference.State(
        hands=[set(hand) for hand in state.hands], turn=state.turn, leader=state.leader, draw=None,
        log=[], field=field, owner=state.owner, locked=state.locked, revolution=state.revolution,
        passed=state.passed, passes_in_row=state.passes, finished=state.out,
    )  # fmt: skip


def plain_rewards(state, helper, dice, count):
    """Return every option's rewards in `count` playouts, in slow plain Python."""
    begun, player = plain(state), state.turn
    seen = {0: {player}, 1: {player, helper.beneficiary}, 2: set(range(4))}[helper.information]
    worth = [int(digit) for digit in f"{helper.reward:04}"]
    uniform = partial(reference.random_player, rng=dice, passes=True, passes_leading=True)
    found = {}
    for option in [None, *begun.plays()]:
        values = []
        for _ in range(count):
            hidden = [seat for seat in range(4) if seat not in seen]
            cards = [card for seat in hidden for card in sorted(begun.hands[seat])]
            dice.shuffle(cards)
            hands = [set(hand) for hand in begun.hands]
            for seat in hidden:
                hands[seat] = {cards.pop() for _ in hands[seat]}
            shuffled = partial(reference.shuffled, rng=dice)
            world = replace(begun, hands=hands, log=[], draw=shuffled)
            world.take_turn(option)
            while helper.beneficiary not in world.finished:
                greedy = (False, True, dice.random() < 0.5)[helper.model]
                choose = reference.greedy_player if greedy else uniform
                world.take_turn(choose(world, world.turn, world.plays()))
            values.append(worth[world.finished.index(helper.beneficiary)])
        found[option] = values
    return found


@pytest.mark.parametrize(
    "settings",
    [{"model": model} for model in (1, 2)]
    + [{"reward": 9410}, {"reward": 1000, "information": 1}, {"information": 2, "model": 2}],
)
def test_settings_do_what_the_plain_rules_say(settings):
    """Mean rewards by the kernels and in plain Python agree within chance, option by option."""
    dice, count, chances = random.Random(5), 40, []
    for number, state in enumerate(positions(3, 4)):
        helper = Sontaku((state.turn + 1 + number) % 4, 4000, **settings)
        ours = list(rewards(state, 7, helper).values())
        slow = plain_rewards(state, helper, dice, count)
        assert len(ours) == len(slow)
        for mean, values in zip(ours, slow.values(), strict=True):
            if np.ptp(values):
                chances.append(stats.ttest_1samp(values, mean).pvalue)
            else:  # the kernels too find next to nothing else
                assert abs(mean - values[0]) < 0.6
    assert len(chances) > 6
    assert min(chances) > 1e-3 / len(chances)
    assert np.median(chances) > 0.05


def test_all_hands_seen_and_all_greedy_leave_nothing_to_chance():
    """One playout then tells as much as many, and what plain Python tells."""
    for state in positions(6, 9):
        helper = Sontaku(3, 1, model=1, information=2)
        once, often = rewards(state, 1, helper), rewards(state, 2, replace(helper, playouts=20))
        slow = plain_rewards(state, helper, random.Random(1), 1)
        assert once == often
        assert list(once.values()) == [values[0] for values in slow.values()]


def test_who_sees_a_hand_is_not_moved_by_who_holds_the_rest():
    """The beneficiary's hand counts if it is seen; how others hold the rest does not."""
    state = State.of(HANDS)
    swapped = State.of([HANDS[0], HANDS[2], HANDS[1], HANDS[3]])
    other = State.of([HANDS[0], HANDS[1], HANDS[3], HANDS[2]])
    sees = Sontaku(3, 50, information=1)
    assert rewards(state, 3, sees) == rewards(swapped, 3, sees)
    assert rewards(state, 3, sees) != rewards(other, 3, sees)
    everything = replace(sees, information=2)
    assert rewards(state, 3, everything) != rewards(swapped, 3, everything)
    blind = Sontaku(3, 50)
    assert rewards(state, 3, blind) == rewards(swapped, 3, blind) == rewards(other, 3, blind)


def test_information_needs_a_state():
    state, seer = State.of(HANDS), Sontaku(3, 5, information=1)
    assert sum(ask(seer, state).values()) == 1
    for call in (
        lambda: ask(seer, state.view(0)),
        lambda: rewards(state.view(0), 1, seer),
        lambda: series(1, 1, [seer, lambda view, rng: view.legal()[0], "random", "random"]),
        lambda: think(state, seer, 2, 1),
    ):
        with pytest.raises(ValueError, match=r"needs a state|information must be"):
            call()
    for settings in ({"model": 3}, {"reward": 10_000}, {"reward": -1}, {"information": 3}):
        with pytest.raises(ValueError, match=next(iter(settings))):
            Sontaku(**settings)


def test_a_reward_of_twice_the_points_changes_no_decision():
    for reward, same in ((6420, True), (123, False)):
        games = [series(3, 4, [Sontaku(2, 5, reward=r), *RANDOM]) for r in (3210, reward)]
        assert (games[0].orders == games[1].orders).all() == same


def test_four_alike_are_even_whatever_they_think_with():
    """Symmetry, on which every gain rests: nobody has more than 1.5 points."""
    for players in (["greedy"] * 4, [Sontaku(seat, 2, model=2) for seat in range(4)]):
        blocks = np.array([series(100, seed, players).scores() for seed in range(12)])
        assert stats.f_oneway(*blocks.T).pvalue > 1e-3


def test_to_play_for_oneself_is_to_win():
    points = series(200, 1, [Sontaku(0, 30), *RANDOM]).scores()
    assert points[0] > 2
    assert points[0] > series(200, 1, [Sontaku(1, 30), *RANDOM]).scores()[0] + 1


def test_playouts_to_the_end_tell_what_playouts_for_one_seat_tell():
    """The observer's totals are the sontaku player's rewards, for every seat at once."""
    for state in positions(3, 6):
        made = think(state, Sontaku(playouts=500), 8, 3)
        assert made.totals.sum(axis=2).tolist() == [[3000] * len(made.options)] * 8
        for seat in range(4):
            values = rewards(state, 5, Sontaku(seat, 4000))
            assert list(values) == made.options
            seen = made.totals[:, :, seat].sum(axis=0) / 4000
            assert np.abs(seen - list(values.values())).max() < 5 * np.sqrt(2 * 2.25 / 4000)


def test_votes_are_what_sontaku_players_do():
    [state, *_] = positions(1, 6)
    made, votes = think(state, Sontaku(playouts=20), 400, 3), {}
    for seed in range(400):
        told = ask(Sontaku(2, 20), state, seed=seed)
        votes[max(told, key=told.get)] = votes.get(max(told, key=told.get), 0) + 1
    table = np.array([made.votes(2), [votes.get(option, 0) for option in made.options]])
    table = table[:, table.sum(axis=0) > 0]
    assert stats.chi2_contingency(table).pvalue > 1e-3


TOTALS = np.array([  # [time, option, seat]
    [[30, 0, 10, 20], [20, 10, 10, 20]],
    [[30, 0, 10, 20], [20, 10, 20, 10]],
    [[10, 20, 10, 20], [20, 10, 20, 10]],
])  # fmt: skip


def test_chances_and_stakes_by_hand():
    made = Decision(["pass", "D3"], TOTALS)
    assert [made.votes(seat).tolist() for seat in range(4)] == [[2, 1], [1, 2], [1, 2], [3, 0]]
    assert made.chances(0).tolist() == [2.5 / 4, 1.5 / 4]
    assert replace(made, out=(0,)).chances(0).tolist() == [0, 1]
    # For seat 0 the choices are pass, pass, D3; the other times' totals 40:40, 40:40, 60:40.
    assert made.stake(0) == pytest.approx((0 + 0 + 40 - 50) / 6)
    assert made.stake(3) == pytest.approx((40 - 30 + 40 - 35 + 40 - 35) / 6)


def test_what_a_game_tells_by_hand():
    made = [(Decision(["pass", "D3"], TOTALS), 1), (Decision(["pass", "D3"], TOTALS, (2,)), 1)]
    row = beyond.told(made)
    assert (row["decisions"], row["open"], row["votes"], row["against"]) == (2, 1, 6, 4)
    assert (row["pairs"], row["apart"]) == (12, 8)
    chances = {"itself": 1.5 / 4, "CPUA": 2.5 / 4, "CPUC": 0.5 / 4}
    for name, chance in chances.items():
        assert row[f"likelihood {name}"] == pytest.approx(chance**2)
    assert row["likelihood CPUB"] == pytest.approx(2.5 / 4)  # out: then certain
    assert row["stake itself"] == pytest.approx(-10 / 6 / 100)


def test_an_observer_recognises_many_decisions():
    """With 2 games and few playouts, the truth is likelier than the opposite."""
    for seat in (0, 1):
        played = series(2, 3, [Sontaku(seat, 60), *RANDOM])
        made = decisions(played.replay(1), 0, Sontaku(playouts=60), 12, 1)
        odds = [decision.chances(seat)[k] / decision.chances(1 - seat)[k] for decision, k in made]
        assert np.prod(odds) > 20


def test_cells_are_what_the_questions_ask():
    models = find("daifugo/among-greedy").cells
    assert [(c["model"], c["game"][-1]) for c in models] == list(product(MODELS, "ABC"))
    assert len(find("daifugo/seats").cells) == 12
    assert len(find("daifugo/front").cells) == 7
    [deep] = find("daifugo/playouts-10000").cells
    row = find("daifugo/playouts-10000").play(deep, np.random.SeedSequence(1), 1, None)
    assert row["playouts"] > 10 * find("daifugo/playouts-1000").play(
        deep, np.random.SeedSequence(1), 1, None
    )["playouts"] / 2  # fmt: skip
