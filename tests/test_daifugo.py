"""Daifugo: the kernels against the plain-Python rules, on positions, whole games and decisions."""

import random
from dataclasses import replace
from functools import cache, partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from gamecore import daifugo
from gamecore.daifugo import Rules, Sontaku, State, rules
from gamecore.daifugo.cards import card_names, card_set, decode, encode
from gamecore.daifugo.plays import draw_play, listed
from gamecore.daifugo.rules import new_scratch
from gamecore.daifugo.thinking import greedy_play
from gamecore.papers import published, scoreboard
from gamecore.papers.daifugo import blocks, judges
from gamecore.papers.runner import results
from tests.reference import daifugo as reference

BIT = {card: 1 << index for index, card in enumerate(reference.DECK)}
READINGS = [("first", False), ("each", True), ("each", False), ("first", True)]


@cache
def code(play):
    """A play of the reference, as the kernels' integer."""
    cards = sum(BIT[card] for card in play.cards)
    if play.joker is None:
        return cards
    place = 4 * reference.POSITIONS.index(play.joker[1]) + reference.SUITS.index(play.joker[0])
    return cards + (place + 1 << rules.STAND_IN)


def settings_of(reading=READINGS[0], **others):
    return Rules(reading[0] == "each", reading[1], **others).numbers


def kernel_plays(state, reading):
    return listed(state, settings_of(reading))


def random_hand_and_field(dice, reading):
    """A hand and a field laid from other cards, rich in jokers, groups and sequences."""
    deck = list(reference.DECK)
    dice.shuffle(deck)
    if dice.random() < 0.4:
        ranks = dice.sample(reference.RANKS, 6)
        deck.sort(key=lambda card: card[1] not in ranks and card != "JO")
    elif dice.random() < 0.5:
        suits = dice.sample(reference.SUITS, 2)
        deck.sort(key=lambda card: card[0] not in suits and card != "JO")
    pool = deck[: dice.randint(2, 24)]
    if dice.random() < 0.5 and "JO" not in pool:
        pool[0] = "JO"
    dice.shuffle(pool)
    hand, others = pool[: len(pool) // 2 + 1], pool[len(pool) // 2 + 1 :]
    if not others or dice.random() < 0.15:
        return hand, None
    plays = reference.legal_plays(others, None, False, False, *reading)
    larger = [play for play in plays if len(play.cards) > 1]
    return hand, dice.choice(larger if larger and dice.random() < 0.8 else plays)


def test_legal_plays_agree_on_60000_made_up_positions():
    dice = random.Random(2026)
    kinds = dict.fromkeys(("empty", "single", "group", "sequence"), 0)
    for number in range(15_000):
        reading = READINGS[0] if number % 2 else READINGS[number // 2 % 4]
        hand, field = random_hand_and_field(dice, reading)
        state = np.zeros(1, rules.STATE)[0]
        state["hands"][0] = card_set(hand)
        if field:
            shape = rules.shape(code(field))
            state["kind"], state["length"], state["low"], state["high"], state["suits"] = shape
        for flags in range(4):
            state["locked"], state["revolution"] = flags & 1, flags >> 1
            lying = field and field.on_field()
            plays = reference.legal_plays(hand, lying, flags & 1, flags >> 1, *reading)
            assert kernel_plays(state, reading) == list(map(code, plays))  # in this order
            kinds[reference.form_of(field).kind if field else "empty"] += bool(plays)
    assert min(kinds.values()) > 500, kinds  # every kind of position was met


def mirror(ours, reading, passing, dice, scratch):
    """Choose at random for the reference, and let the kernels make the same turn after it."""

    def choose(state, player, plays):
        assert_same(ours, state)
        assert kernel_plays(ours, reading) == list(map(code, plays))
        play = dice.choice(plays) if plays and dice.random() >= passing else None
        rules.take_turn(ours, settings_of(reading), code(play) if play else rules.PASS, scratch)
        return play

    return choose


def test_whole_games_agree_turn_by_turn():
    """Some 550 games: 50,000 more positions, and every transition between them."""
    dice, scratch, before = random.Random(8), new_scratch(0), None
    positions = drawn = 0
    for number in range(550):
        reading = READINGS[0] if number % 2 else READINGS[number // 2 % 4]
        ours = np.zeros(1, rules.STATE)[0]
        deck, first = reference.shuffled(reference.DECK, dice), dice.randrange(4)
        cards = np.array([reference.DECK.index(card) for card in deck])
        rules.deal(ours, cards, before[0] if before else first)
        rules.begin(ours, np.array(before or [-1] * 4), settings_of(reading), scratch)
        choose = mirror(ours, reading, (0.0, 0.05, 0.3, 0.9)[number % 4], dice, scratch)
        how, lot = reference.Rules(*reading), partial(reference.shuffled, rng=dice)
        end = reference.play_game(deck, choose, lot, before, first, how)
        assert ours["passes"] == end.passes_in_row
        assert ours["out"] == 4
        if end.passes_in_row >= how.pass_limit:  # the rest is drawn, by two different lots
            drawn += 1
            assert sorted(ours["order"].tolist()) == [0, 1, 2, 3]
        else:
            assert tuple(ours["order"]) == end.finished
        positions += sum(": " in line and line.startswith("  ") for line in end.log)
        before = end.finished if number % 5 else None
    assert positions > 45_000
    assert 0 < drawn < 200


def assert_same(ours, state):
    """Every field of a kernel's state says what the reference's state says."""
    assert ours["hands"].tolist() == [sum(BIT[card] for card in hand) for hand in state.hands]
    assert ours["turn"] == state.turn
    assert ours["leader"] == state.leader
    assert ours["field"] == (code(state.field) if state.field else 0)
    assert ours["owner"] == (-1 if state.owner is None else state.owner)
    assert bool(ours["locked"]) == state.locked
    assert bool(ours["revolution"]) == state.revolution
    assert ours["passed"] == sum(1 << seat for seat in state.passed)
    assert ours["passes"] == state.passes_in_row
    assert tuple(ours["order"][: ours["out"]]) == state.finished


def random_position(dice, turns):
    """A state after some random turns of a game, with the reference's beside it."""
    hands = reference.deal(reference.shuffled(reference.DECK, dice), dice.randrange(4))
    turn = next(seat for seat in reference.SEATS if "D3" in hands[seat])
    ours = State.of(hands, turn)
    theirs = reference.State(hands, turn, turn, partial(reference.shuffled, rng=dice), [])
    for _ in range(turns):
        play = dice.choice(theirs.plays() or [None])
        ours = ours.play(" ".join(play.on_field()) if play else "pass")
        theirs.take_turn(play)
        if not ours.movers:
            return random_position(dice, turns)  # this game was over before
    assert_same(ours._record, theirs)
    return ours, theirs


def reference_rewards(state, dice, beneficiary, playouts, passes):
    """What the reference's sontaku player compares, by option: every playout's reward."""
    player, found = state.turn, {}
    model = partial(reference.random_player, rng=dice, passes=passes, passes_leading=passes)
    for option in [None, *state.plays()]:
        rewards = []
        for _ in range(playouts):
            world = reference.redeal(state, player, dice)
            world.take_turn(option)
            while beneficiary not in world.finished:
                world.take_turn(model(world, world.turn, world.plays()))
            rewards.append(3 - world.finished.index(beneficiary))
        found[" ".join(option.on_field()) if option else "pass"] = rewards
    return found


def test_rewards_agree_with_the_reference():
    """Mean rewards of every option: 20,000 playouts of ours against the reference's few."""
    dice, scores, number = random.Random(5), [], 0
    while len(scores) < 12:
        number += 1
        ours, state = random_position(dice, (45, 52, 58, 64)[number % 4])
        if len(state.plays()) not in range(2, 6):
            continue
        beneficiary = next(s for s in (1, 2, 3, 0) if s in state.live() and s != state.turn)
        passes = bool(number % 2)
        helper = Sontaku(beneficiary, 20_000, True, passes, passes)
        found = daifugo.rewards(ours, seed=number, sontaku=helper)
        theirs = reference_rewards(state, dice, beneficiary, 40, passes)
        assert list(found) == list(theirs)
        for option, rewards in theirs.items():
            spread = np.std(rewards, ddof=1) or 1.0
            scores.append((np.mean(rewards) - found[option]) * 40**0.5 / spread)
    assert np.abs(scores).max() < 4.5
    assert np.mean(np.square(scores)) < 2


def test_a_random_draw_is_uniform_over_the_legal_plays():
    dice, scratch = random.Random(3), new_scratch(9)
    checked = 0
    while checked < 12:
        state, _ = random_position(dice, dice.randrange(3, 40))
        g, how, with_pass = state._record, state.rules.numbers, checked % 2
        legal = [rules.PASS] * with_pass + listed(g, how)
        if len(legal) < 2:
            continue
        draws = [draw_play(g, how, with_pass, scratch) for _ in range(60 * len(legal))]
        assert set(draws) <= set(legal)
        counts = [draws.count(play) for play in legal]
        assert stats.chisquare(counts).pvalue > 1e-5
        checked += 1


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.booleans(), st.sampled_from(["random", "greedy", "wild"]))
def test_53_cards_always_and_every_game_ends(seed, server, player):
    """Conservation and termination, whoever plays and under both readings of the joker."""
    dice, scratch = random.Random(seed), new_scratch(seed)
    how = settings_of(READINGS[1] if server else READINGS[0])
    state = np.zeros(1, rules.STATE)[0]
    deck = np.array(dice.sample(range(53), 53))
    rules.deal(state, deck, dice.randrange(4))
    assert sorted(int(hand).bit_count() for hand in state["hands"]) == [13, 13, 13, 14]
    rules.begin(state, np.array(dice.sample(range(4), 4)), how, scratch)
    assert sorted(int(hand).bit_count() for hand in state["hands"]) == [13, 13, 13, 14]
    played = turns = 0
    while state["out"] < 4:
        seat, held = state["turn"], int(state["hands"][state["turn"]])
        if player == "greedy":
            play = greedy_play(state, how, scratch)
        else:  # the wild one passes whenever it feels like it
            play = draw_play(state, how, int(player == "wild"), scratch)
        rules.take_turn(state, how, play, scratch)
        cards = int(play) & (1 << 53) - 1
        assert held & cards == cards
        assert int(state["hands"][seat]) == held & ~cards
        played |= cards
        turns += 1
        hands = [int(hand) for hand in state["hands"]]
        assert sum(hand.bit_count() for hand in hands) + played.bit_count() == 53
        assert hands[0] | hands[1] | hands[2] | hands[3] | played == (1 << 53) - 1
        assert turns <= 53 * how.pass_limit
    assert sorted(state["order"].tolist()) == [0, 1, 2, 3]


def test_exchange_gives_the_strongest_for_the_weakest():
    hands = ["D3 H5 S9", "C3 H4 S2", "H3 DK CK", "S3 D2 JO"]
    state = np.zeros(1, rules.STATE)[0]
    state["hands"] = [card_set(hand) for hand in hands]
    rules.exchange(state, np.array([0, 1, 2, 3]))
    after = [" ".join(card_names(int(hand))) for hand in state["hands"]]
    # seat 0 keeps S9 with 2 and joker; between equal kings the club is the stronger
    assert after == ["S9 D2 JO", "H4 CK S2", "C3 H3 DK", "D3 S3 H5"]
    theirs = [set(hand.split()) for hand in hands]
    reference.exchange(theirs, (0, 1, 2, 3))
    assert [set(hand.split()) for hand in after] == theirs


def test_greedy_agrees_with_the_reference():
    dice, scratch = random.Random(11), new_scratch(0)
    for _ in range(200):
        ours, state = random_position(dice, dice.randrange(0, 60))
        theirs = reference.greedy_player(state, state.turn, state.plays())
        play = greedy_play(ours._record, ours.rules.numbers, scratch)
        assert play == (code(theirs) if theirs else rules.PASS)


def test_without_self_follow_the_trick_ends_when_all_others_have_passed():
    hands = ["D4 H9 HT", "H5 D3", "C6 D9", "S5 DT"]
    for self_follow in (True, False):
        state = State.of(hands, 0, Rules(self_follow=self_follow))
        for move in ("H9", "pass", "pass", "pass"):
            state = state.play(move)
        assert state.turn == 0
        assert (state.field is None) is not self_follow


def test_without_pass_when_leading_a_pass_is_refused():
    state = State.of(["D4", "H5", "C6", "S5"], 0, Rules(pass_when_leading=False))
    with pytest.raises(ValueError, match="Sontaku cannot play 'pass'; legal: 'D4'"):
        state.play("pass")
    helper = Sontaku(beneficiary=2, playouts=5)
    assert "pass" not in daifugo.rewards(state, 1, helper)
    assert "pass" in daifugo.rewards(State.of(["D4", "H5", "C6", "S5"], 0), 1, helper)


@pytest.mark.parametrize(("start", "leads"), [("poorest", 3), ("richest", 0)])
def test_who_starts(start, leads):
    """The option counts from the second game on; before, the ♦3 decides."""
    state = np.zeros(1, rules.STATE)[0]
    rules.deal(state, np.arange(53), 0)
    how = settings_of(start=daifugo.STARTS.index(start))
    rules.begin(state, np.array([0, 1, 2, 3]), how, new_scratch(0))
    assert state["turn"] == leads
    rules.deal(state, np.arange(53), 0)
    rules.begin(state, np.array([-1] * 4), how, new_scratch(0))
    assert state["turn"] == 0  # no ranks yet: who holds the ♦3


def test_ties_are_broken_as_named():
    """Whatever seat 0 does, seat 1 holds one card that goes out next: every option is a tie."""
    hands = ["D3 C3", "JO", "C6 H6", "S5 H5"]
    state = State.of(hands, 0)
    helper = Sontaku(1, 20, playout_passes=False, playout_passes_leading=False)
    values = daifugo.rewards(state, 1, helper)
    assert list(values) == ["pass", "D3", "C3", "D3 C3"]
    assert values["D3"] == values["C3"] == 3
    last = daifugo.rewards(state, 1, replace(helper, ties=1))
    assert list(last) == ["D3", "C3", "D3 C3", "pass"]


def test_helping_oneself_wins_more_than_chance():
    """With itself as beneficiary the sontaku player is an ordinary Monte-Carlo player."""
    helped = [Sontaku(beneficiary=0, playouts=50), *["random"] * 3]
    played = daifugo.series(60, 1, helped)
    assert played.ranks[0, 0] > 30


def judged(table_2, table_1):
    tables = {"daifugo/table-1": table_1, "daifugo/table-2": table_2}
    found = {}
    for judge in scoreboard.judges("daifugo"):
        found |= dict(judge(*(tables[name] for name in judge.experiments)))
    return found


def test_only_a_quick_run_is_held_against_its_own_random_blocks():
    table_1, table_2 = results("daifugo/table-1"), results("daifugo/table-2")
    quick, nearly = table_2[table_2.chunk == 0], table_2[table_2.chunk < 9]
    assert blocks.all_random(table_2, table_1) is table_1
    assert blocks.all_random(quick, table_1).equals(quick[quick.game == "AllRandom"])
    claims = [
        sum("/claim/" in name for name in judged(x, table_1)) for x in (quick, nearly, table_2)
    ]
    every = sum("/claim/" in row.id for row in published.load("daifugo"))
    assert claims == [0, 0, every]  # too few blocks for any test
    assert not judged(quick, table_1).keys() - judged(table_2, table_1).keys()


def test_what_is_said_to_explain_a_miss_does():
    """With playouts as the text has them the player before the beneficiary gains little."""
    missed = scoreboard.board("daifugo").set_index("id").loc["daifugo/claim/before"]
    assert (missed.verdict, missed.study) == ("fails", "daifugo/literal")
    table_1, table_2, literal = (
        results(f"daifugo/{name}") for name in ("table-1", "table-2", "literal")
    )
    played = pd.concat([table_2[table_2.game == "AllRandom"], literal])
    assert dict(judges.neighbour_scores_a_little_more(played, table_1))[missed.name].holds is True


def test_a_quick_run_has_the_spread_of_independent_games():
    table_1, table_2 = results("daifugo/table-1"), results("daifugo/table-2")
    quick, full = (judged(x, table_1) for x in (table_2[table_2.chunk == 0], table_2))
    firsts, difference = (
        "daifugo/table-2/sontakua/cpua",
        "daifugo/section-4.3/rise-difference/cpua-cpuc",
    )
    share = quick[firsts].value / 1000
    assert quick[firsts].sd == pytest.approx(1000 * (share * (1 - share)) ** 0.5)
    assert quick[difference].sd == pytest.approx(100 * 5**0.5 / 1.5)
    for name in (firsts, difference):
        assert quick[name].n == 1000
        assert len(quick[name].blocks) == 0
        assert full[name].n == 24_000
        assert np.mean(full[name].blocks) == pytest.approx(full[name].value)


def test_means_over_blocks_have_t_intervals_and_a_single_block_none():
    values = pd.DataFrame({"x": [5.0, 6.0, 7.0, 6.0, 3.0]})
    mean, half = blocks.block_means(values, pd.Series(["b", "b", "b", "b", "a"]))
    assert mean.x.to_dict() == {"b": 6.0, "a": 3.0}
    assert list(mean.index) == ["b", "a"]
    assert half.x["b"] == pytest.approx(3.182446 * (2 / 3) ** 0.5 / 2)
    assert np.isnan(half.x["a"])


@pytest.mark.parametrize(
    ("hand", "field", "message"),
    [
        ("S3 S3", None, "duplicate card 'S3'"),
        ("S1", None, "unknown card 'S1'"),
        ("s3", None, "unknown card"),
        ("", None, "hand is empty"),
        ("S3 H4", "H4", "both in the hand and on the field"),
        ("S3", "H4 C5", "not a play"),
        ("S3", "H4 H5", "not a play"),
        ("S3", "H4 H5 JO", "two meanings"),
        ("S3", "H4 JO=X9", "unknown card 'X9'"),
        ("S3", "H4 JO=H5", "not a play"),
        ("JO", "H4 JO", "both in the hand and on the field"),
    ],
)
def test_bad_cards_are_explained(hand, field, message):
    with pytest.raises(ValueError, match=message):
        daifugo.legal_plays(hand, field)


def test_a_bare_joker_on_the_field_is_understood_where_there_is_no_doubt():
    assert decode(encode("C4 C6 JO")).joker == "C5"
    assert decode(encode("C4 JO")).joker == "D4"
    assert decode(encode("JO")).joker is None
    assert decode(encode("D4 C4 H4 S4 JO")).joker is None
    assert decode(encode("D3 D4 JO")).joker == "D5"  # never beyond the ends unless written so
    assert decode(encode("D3 D4 JO=D-")).joker == "D-"
