"""Daifugo: one's own players in series, replays, what players would do, and bad input."""

import dataclasses
import pickle
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from gamecore import daifugo, rng
from gamecore.contest import playing
from gamecore.daifugo import Play, Rules, Series, Sontaku, State, View, ask, rewards, series, start
from gamecore.daifugo.players import decider
from gamecore.game import CHANCE, randomly
from tests.refusing import ODD, refused

HANDS = ["D3 D8 H2", "D5 S4", "C6 JO", "S3 HQ"]
RANDOM = ["random"] * 4


def weakest(view, generator):
    """Play the first in list order; pass only when there is nothing else."""
    return view.legal()[:2][-1]


def wild(view, generator):
    """Play anything, also a pass."""
    return randomly(view, generator)


def middle(seed=3, turns=25, **options):
    """Return a state in the midst of a random game."""
    states = series(1, seed, RANDOM, **options).replay(0)
    return next(state for state in states if len(state.history) == turns)


@pytest.mark.parametrize("other", ["random", "greedy", "sontaku", Sontaku(0, 3), weakest])
def test_a_function_plays_with_anybody(other):
    games = 1 if other == "sontaku" else 6
    played = series(games, 5, [wild, other, weakest, "random"])
    assert played.orders.shape == (games, 4)
    assert played.ranks.sum(axis=0).tolist() == [games] * 4
    assert played.points.sum(axis=1).tolist() == [6] * games
    assert set(played.counts) == {"stays", "drawn", "turns"}
    assert f"Series: {games} game" in repr(played)


def ended(states, played, game):
    """Check a replayed game against what was counted."""
    end = states[-1]
    assert end.out == tuple(played.orders[game])
    assert len(end.history) == played.counts["turns"][game]
    assert (end.passes == end.rules.pass_limit) == played.counts["drawn"][game]
    assert states[0].stage in ("seat", "deal")
    assert all(len(b.history) - len(a.history) in (0, 1) for a, b in pairwise(states))
    return True


@pytest.mark.parametrize("carry_over", [True, False])
@pytest.mark.parametrize("start_rule", range(4))
@pytest.mark.parametrize(
    "players", [RANDOM, ["greedy", "random", Sontaku(3, 2), Sontaku(2, 3, ties=2)], [wild] * 4]
)
def test_every_game_can_be_replayed(players, start_rule, carry_over):
    rules = Rules(start=start_rule, pass_limit=6)
    played = series(4, 8, players, rules, carry_over)
    before = ()
    for game in (0, 1, 2, 3):
        states = played.replay(game)
        assert ended(states, played, game)
        assert states[0] == start(before or None, rules)
        assert played.counts["stays"][game] == (before[:1] == states[-1].out[:1])
        opening = next(state for state in states if state.stage == "play")
        leads = {0: "D3" in opening.hands[opening.turn], 1: True}
        if before:
            leads |= {2: opening.turn == before[3], 3: opening.turn == before[0]}
            assert [gift[:2] for gift in opening.exchanged] == [
                (before[3], before[0]), (before[0], before[3]),
                (before[2], before[1]), (before[1], before[2]),
            ]  # fmt: skip
        assert leads.get(start_rule, leads[0])
        before = states[-1].out if carry_over else ()
    assert played.replay(2) == played.replay(2)  # in any order, as often as one likes


@pytest.mark.parametrize("players", [RANDOM, ["greedy", Sontaku(0, 2), "random", wild]])
def test_fewer_games_are_the_first_of_more(players):
    fewer, more = series(3, 7, players), series(6, 7, players)
    assert (fewer.orders == more.orders[:3]).all()
    for name, counted in fewer.counts.items():
        assert (counted == more.counts[name][:3]).all()
    assert fewer.replay(2) == more.replay(2)
    seed = np.random.SeedSequence(7)
    assert (series(3, seed, players).orders == fewer.orders).all()


def test_lots_are_replayed():
    """Somebody who never plays draws the lot; the kernels' own players come there seldom."""
    played = series(3, 2, [lambda view, generator: view.legal()[0]] * 4)
    assert played.counts["drawn"].all()
    assert played.counts["turns"].tolist() == [20] * 3
    kernel = series(300, 2, [Sontaku(1, 1), *["random"] * 3], Rules(pass_limit=4))
    [game, *_] = np.flatnonzero(kernel.counts["drawn"])
    states = kernel.replay(int(game))
    assert ended(states, kernel, game)
    assert {"lots", "over"} <= {state.stage for state in states}


def test_a_deterministic_player_ends_in_python_as_in_the_kernel():
    played = series(20, 4, ["greedy"] * 4)
    for game in range(20):
        states = played.replay(game)
        opening = next(state for state in states if state.stage == "play")
        [*_, end] = playing(opening, [decider("greedy")] * 4, np.random.default_rng(1))
        assert end == states[-1]


def test_the_kernels_decisions_played_again_by_a_function_give_the_kernels_game():
    played = series(2, 3, [Sontaku(1, 2), *["random"] * 3])
    states = played.replay(1)
    moves = iter([move for _, move in states[-1].history])
    opening = next(state for state in states if state.stage == "play")
    again = list(playing(opening, [lambda view, _: next(moves)] * 4, np.random.default_rng(0)))
    assert again == states[states.index(opening) :]


def test_random_games_in_python_are_those_of_the_kernel_by_distribution():
    """Independent first games: turns of the kernels', and of a function with the named ones."""

    def uniformly(view, generator):
        legal = view.legal()
        return str(generator.choice(legal[1:] or legal))

    kernel = series(20_000, 1, RANDOM, carry_over=False)
    python = series(160, 2, [uniformly, "random", "random", uniformly], carry_over=False)
    assert stats.ks_2samp(kernel.counts["turns"], python.counts["turns"]).pvalue > 1e-4
    assert stats.chisquare(python.ranks.ravel(), [40] * 16).pvalue > 1e-4


def test_ask_says_how_likely_every_move_is():
    state = middle()
    players = ["random", "greedy", "sontaku", Sontaku(2, 5), Sontaku(2, 5, ties=2), weakest, wild]
    for player in players:
        chances = ask(player, state, seed=1)
        assert list(chances) == state.legal(state.turn)
        assert sum(chances.values()) == pytest.approx(1)
        assert chances == ask(player, state.view(state.turn), seat=state.turn, seed=1)
    assert ask("greedy", state)[decider("greedy")(state.view(state.turn), rng_of(1))] == 1


def rng_of(seed):
    return np.random.default_rng(seed)


def test_ask_agrees_with_what_random_players_do():
    for turns in (4, 25, 26, 31):
        state = middle(turns=turns)
        view, generator, random = state.view(state.turn), rng_of(5), decider("random")
        seen = Counter(random(view, generator) for _ in range(1500))
        chances = ask("random", state)
        assert {move for move, chance in chances.items() if chance} == set(seen)
        if len(seen) > 1:
            assert stats.chisquare(list(seen.values())).pvalue > 1e-4


@pytest.mark.parametrize("ties", [0, 1, 2])
def test_ask_agrees_with_what_the_sontaku_player_does(ties):
    """Its kernel is seeded from the generator; the same seed gives the same rewards and choice."""
    helper, split = Sontaku(2, 4, ties=ties), 0
    decides = decider(helper)
    for seed in range(40):
        state = middle(turns=20 + seed % 6)
        view = state.view(state.turn)
        told = ask(helper, state, seed=int(rng_of(seed).integers(2**63)))
        likely = [move for move, chance in told.items() if chance]
        assert decides(view, rng_of(seed)) in likely
        values = rewards(state, int(rng_of(seed).integers(2**63)), helper)
        assert {values[move] for move in likely} == {max(values.values())}
        split += len(likely) > 1
    assert (split > 0) == (ties == 2)


def test_a_sontaku_player_whose_beneficiary_is_out_plays_at_random():
    state = State.of(["D3", "D5 H5 S4", "C6 JO", "S8 HQ"], 0).play("D3")
    assert state.out == (0,)
    assert ask(Sontaku(0), state) == ask("random", state)
    with pytest.raises(ValueError, match="Sontaku is out already"):
        rewards(state, 1, Sontaku(0))


def test_rewards_need_nothing_that_is_hidden():
    state = middle()
    imagined = state.view(state.turn).guess(rng_of(1))
    assert imagined != state
    for helper in (Sontaku(0, 20), Sontaku(3, 20)):
        assert rewards(state, 1, helper) == rewards(imagined, 1, helper)


@pytest.mark.parametrize("ranks", [None, (3, 1, 0, 2)])
def test_views_hold_what_a_player_knows_and_no_more(ranks):
    states = list(playing(start(ranks), [wild] * 4, rng_of(6)))
    for state in states:
        for player in range(4):
            view = state.view(player)
            values = {field.name: getattr(view, field.name) for field in dataclasses.fields(view)}
            assert View(**values) == view
            assert View(**values).legal() == state.legal(player)  # of what it knows alone
            assert view.hand == state.hands[player]
            assert sorted(view.unseen) == sorted(
                card for seat in range(4) if seat != player for card in state.hands[seat]
            )
            assert view.sizes == tuple(map(len, state.hands))
            assert view.guess(rng_of(1)).view(player) == view
            assert all(player in gift[:2] for gift in view.exchanged)
            assert (view.history, view.ranks, view.out) == (state.history, state.ranks, state.out)
    assert len(states[-1].exchanged) == (4 if ranks else 0)


def test_states_and_views_are_values():
    state = middle()
    for thing in (state, state.view(state.turn), Rules(pass_limit=7), Sontaku(3)):
        assert pickle.loads(pickle.dumps(thing)) == thing
        assert hash(pickle.loads(pickle.dumps(thing))) == hash(thing)
        with pytest.raises(dataclasses.FrozenInstanceError):
            thing.rules = 1
    assert dataclasses.replace(state) == state


def test_every_move_of_the_deck_is_numbered():
    for rules in (Rules(), Rules(True, True)):
        every = start(rules=rules).all_moves()
        assert len(every) == len(set(every))
        assert every[:3] == ["pass", "D3", "C3"]
        assert ("JO=D- D3 D4" in every) == rules.joker_beyond
    assert start().longest() == 1098


def test_texts_say_who_is_to_move_and_what_lies_there():
    state = State.of(HANDS).play("D3").play("D5")
    assert str(state).splitlines() == [
        "  Sontaku D8 H2", "  CPUA    S4", "▸ CPUB    C6 JO", "  CPUC    S3 HQ",
        "field: D5 by CPUA, locked",
    ]  # fmt: skip
    assert str(state.view(2)).splitlines() == [
        "  Sontaku 2 cards", "  CPUA    1 card", "▸ CPUB    C6 JO", "  CPUC    2 cards",
        "field: D5 by CPUA, locked",
    ]  # fmt: skip
    assert str(start()).endswith("the seat of the first card is drawn")


def test_pictures_show_every_card():
    drawing = State.of(HANDS).play("D8").play("D3").svg()
    assert drawing.count("<rect") == 1 + 2 + 2 + 2 + 1
    assert "currentColor" in drawing
    assert "▸ CPUA" in drawing
    assert "locked" not in drawing


def test_an_illegal_move_names_player_move_and_position():
    def cheat(view, generator):
        return "S2"

    with pytest.raises(ValueError, match=r"cheat, as CPU.|as Sontaku, chose 'S2'"):
        series(2, 1, [cheat] * 4)
    state = State.of(["D9 H9 C3", "H5 JO", "C6", "S5"])
    with pytest.raises(ValueError, match="Sontaku cannot play 'S2'; legal: 'pass', 'C3'"):
        state.play("S2")
    with pytest.raises(ValueError, match="CPUA cannot play 'H5 JO'; legal: 'pass'"):
        state.play("D9 H9").play("H5 JO")
    with pytest.raises(ValueError, match="the player chose 'S2'"):
        ask(cheat, state)


@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_odd_values_are_refused_with_a_sentence(odd):
    state, series_of = State.of(HANDS), lambda **given: series(**{"games": 1, "seed": 1, **given})
    calls = [
        lambda: series_of(games=odd),
        lambda: series_of(players=odd),
        lambda: series_of(players=[odd, *["random"] * 3]),
        lambda: series_of(players=["random"] * 3 + [odd]),
        lambda: series_of(rules=odd, players=RANDOM),
        lambda: series(3, 1, RANDOM).replay(odd),
        lambda: Rules(pass_limit=odd),
        lambda: Sontaku(playouts=odd),
        lambda: Sontaku(beneficiary=odd),
        lambda: State.of(HANDS, turn=odd),
        lambda: State.of(HANDS, rules=odd),
        lambda: State.of(odd),
        lambda: State.of([odd, *HANDS[1:]]),
        lambda: State(hands=odd),
        lambda: state.view(odd),
        lambda: ask(odd, state),
        lambda: ask("random", odd),
        lambda: rewards(odd, 1),
        lambda: rewards(state, 1, odd),
        lambda: daifugo.legal_plays(odd),
        lambda: daifugo.legal_plays("S3", rules=odd),
        lambda: Series(odd),
    ]
    if not isinstance(odd, list | dict):  # nothing to draw, nothing to tell
        calls += [lambda: daifugo.cards_svg(odd), lambda: daifugo.log(odd)]
    if odd is not None:
        calls += [lambda: start(odd), lambda: start([0, 1, 2, odd])]
    if odd not in (None, True) and not isinstance(odd, list | dict):
        calls += [lambda: daifugo.legal_plays("S3", field=odd), lambda: series_of(carry_over=odd)]
    if not (isinstance(odd, int) and odd in (0, 1, 2**63)):  # these are seeds
        calls += [lambda: series_of(seed=odd), lambda: rewards(state, odd)]
        calls += [
            lambda: ask("random", state, seed=odd),
            lambda: series_of(seed=odd, players=RANDOM),
        ]
    if odd is not True:
        calls += [lambda: Rules(joker_each=odd), lambda: State.of(HANDS, revolution=odd)]
        calls += [lambda: Rules(start=odd), lambda: Sontaku(ties=odd), lambda: Sontaku(1, 1, odd)]
        calls += [lambda: daifugo.legal_plays("S3", locked=odd)]
    refused(calls)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"stage": "dealing"}, "stage must be one of"),
        ({"ranks": (0, 1)}, "four seats or none"),
        ({"ranks": (0, 1, 1, 2)}, "different seats"),
        ({"ranks": [0, 1, 2, 3]}, "must be a tuple"),
        ({"history": []}, "must be a tuple"),
        ({"leader": 4}, "leader must be a whole number from 0 to 3"),
        ({"locked": True}, "not locked"),
        ({"owner": 1}, "no owner"),
        ({"field": Play(("H9",))}, "owner must be a whole number from 0 to 3"),
        ({"field": "H9", "owner": 1}, "must be a Play"),
        ({"field": Play(("H9", "HT")), "owner": 1}, "not a play"),
        ({"field": Play(("C9", "JO")), "owner": 1}, "must be a Play"),
        ({"field": Play(("HQ",)), "owner": 1}, "duplicate card 'HQ'"),
        ({"passes": 20}, "lots are drawn"),
        ({"passes": -1}, "passes must be a whole number from 0"),
        ({"passed": (0,)}, "cannot be to move"),
        ({"out": (0,)}, "out, but holds cards"),
        ({"out": (0, 1, 2)}, "ends the game"),
        ({"stage": "over"}, "0 players are out"),
        ({"stage": "deal"}, "dealt one by one"),
        ({"stage": "lots"}, "0 passes in a row"),
        ({"hands": ((),) * 4}, "hand is empty"),
        ({"hands": (("D4", "D3"), ("S4",), ("S5",), ("S6",))}, "weak to strong"),
        ({"hands": (("D4",), ("D4",), ("S5",), ("S6",))}, "duplicate card 'D4'"),
        ({"hands": (("D4",),)}, "four hands"),
    ],
)
def test_impossible_states_are_refused(changes, message):
    state = State.of(["D3 D8 H2", "D5 S4", "C6", "S3 HQ"])
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(state, **changes)
    if message == "owner must be a whole number from 0 to 3":
        dataclasses.replace(state, **changes, owner=3)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"player": 4}, "player must be a whole number from 0 to 3"),
        ({"sizes": (3, 2, 2)}, "four numbers"),
        ({"sizes": (2, 2, 2, 2)}, "cards in hand"),
        ({"unseen": ("D5",)}, "unseen"),
        ({"hand": ["D3", "D8", "H2"]}, "must be a tuple"),
        ({"hand": ("D3", "S4", "D8")}, "duplicate card 'S4'"),
    ],
)
def test_impossible_views_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(State.of(HANDS).view(0), **changes)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"games": 0}, "games must be a whole number from 1"),
        ({"games": 10**8}, "to 10,000,000, not"),
        ({"players": ["random"] * 3}, "players must be four"),
        ({"players": ["random"] * 3 + ["clever"]}, "choose from random, greedy, sontaku"),
        ({"players": "sontaku"}, "players must be four"),
    ],
)
def test_bad_series_are_explained(arguments, message):
    with pytest.raises(ValueError, match=message):
        series(**{"games": 1, "seed": 1, **arguments})


def test_settings_out_of_range_are_explained():
    for call, message in (
        (lambda: Sontaku(beneficiary=4), "beneficiary must be a whole number from 0 to 3"),
        (lambda: Sontaku(playouts=0), "playouts must be a whole number from 1"),
        (lambda: Sontaku(playouts=10**12), "to 1,000,000"),
        (lambda: Sontaku(ties=3), "ties must be a whole number from 0 to 2"),
        (lambda: Rules(start=9), "start must be a whole number from 0"),
        (lambda: Rules(pass_limit=3), "from 4 to 1,000"),
        (lambda: Rules(pass_limit=10**9), "from 4 to 1,000"),
        (lambda: Series(np.array([[0, 1, 2, 2]])), "four seats of every game"),
        (
            lambda: Series(np.array([[0, 1, 2, 3]]), turns=np.arange(2)),
            "turns must be one for",
        ),
        (lambda: Series(np.array([[0, 1, 2, 3]])).replay(0), "to replay"),
        (lambda: ask("random", State.of(HANDS), seat=1), "only Sontaku is to move"),
        (lambda: ask("random", State.of(HANDS).view(1)), "only Sontaku is to move"),
        (lambda: ask("random", start()), "no player is to move"),
    ):
        with pytest.raises(ValueError, match=message):
            call()


def test_seeds_of_the_kernels_come_from_the_generator():
    """So that a series with functions is determined by its seed, whoever plays."""
    state = middle(turns=6)
    drawn = int(rng_of(9).integers(2**63))
    assert len(rng.state(drawn)) == 4
    assert decider("random")(state.view(state.turn), rng_of(9)) == decider("random")(
        state.view(state.turn), rng_of(9)
    )
    assert state.legal(CHANCE) == []
