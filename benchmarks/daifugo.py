"""Random games and sontaku playouts of Daifugo, against the plain-Python rules of the tests."""

import random
from collections.abc import Callable
from functools import partial

import numpy as np

from benchmarks import side_by_side
from gamecore.daifugo import Sontaku, Table, replay, rewards, series
from gamecore.daifugo.cards import decode
from tests.reference import daifugo as reference

GAMES, PEER_GAMES = 5000, 40
PLAYOUTS, PEER_PLAYOUTS = 20_000, 60
BENEFICIARY = 2


def compare() -> list[dict]:
    """Return times for random games, and for the playouts of one decision in mid-game.

    Both sides are compared first: turn by turn through a recorded game, and by the mean reward of
    every option of the decision. The plain rules are timed on fewer games and playouts.
    """
    table, state = _agreeing_position()
    ours_mean, peer_mean = _reward(table, 1), _peer_reward(state, 10 * PEER_PLAYOUTS, 1)
    assert abs(ours_mean - peer_mean) < 5 * 1.2 / (10 * PEER_PLAYOUTS) ** 0.5
    return [
        side_by_side(
            "Daifugo, games of four random players, ranks carried over",
            lambda: series(GAMES, 1, ["random"] * 4),
            lambda: reference.play_series(PEER_GAMES, _chooser(1), random.Random(1)),
            against="plain Python", unit="game", units=(GAMES, PEER_GAMES),
        ),
        side_by_side(
            "Daifugo, playouts of a sontaku decision in mid-game",
            lambda: _reward(table, 2), lambda: _peer_reward(state, PEER_PLAYOUTS, 2),
            against="plain Python", unit="playout", units=(PLAYOUTS, PEER_PLAYOUTS),
        ),
    ]  # fmt: skip


def _chooser(seed: int) -> Callable:
    return partial(reference.random_player, rng=random.Random(seed))


def _agreeing_position() -> tuple[Table, reference.State]:
    """Play a recorded game on both sides, equal at every turn; return the middle of it."""
    record = replay(0, seed=5, players=["random"] * 4)
    table, middle = Table.of(record.opening), None
    lot = partial(reference.shuffled, rng=random.Random(1))
    hands = [set(hand) for hand in table.hands]
    state = reference.State(hands, table.turn, table.turn, lot, [])
    for number, play in enumerate(record.plays):
        written = {" ".join(x.on_field()): x for x in state.plays()}
        assert list(written) == [str(x) for x in table.legal_plays()]
        if number == len(record.plays) // 3:
            world = reference.redeal(state, state.turn, random.Random(1))
            middle = Table.of(table.state), world
        table.play(decode(play) if play else None)
        state.take_turn(written[str(decode(play))] if play else None)
    assert tuple(table.order) == state.finished
    assert middle
    return middle


def _reward(table: Table, seed: int) -> float:
    """Return the mean reward over all options, of `PLAYOUTS` playouts in all."""
    options = len(table.legal_plays()) + 1
    helper = Sontaku(BENEFICIARY, PLAYOUTS // options)
    return float(np.mean(list(rewards(table, seed, helper).values())))


def _peer_reward(state: reference.State, playouts: int, seed: int) -> float:
    dice, options = random.Random(seed), [None, *state.plays()]
    model = partial(reference.random_player, rng=dice, passes=True, passes_leading=True)
    total = 0
    for number in range(playouts):
        world = reference.redeal(state, state.turn, dice)
        world.take_turn(options[number % len(options)])
        while BENEFICIARY not in world.finished:
            world.take_turn(model(world, world.turn, world.plays()))
        total += 3 - world.finished.index(BENEFICIARY)
    return total / playouts
