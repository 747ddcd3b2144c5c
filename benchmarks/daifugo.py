"""Random games and sontaku playouts of Daifugo, against the plain-Python rules of the tests."""

import random
from collections.abc import Callable
from functools import partial

import numpy as np

from benchmarks import side_by_side
from gamecore.daifugo import Sontaku, State, rewards, series
from tests.reference import daifugo as reference

GAMES, PEER_GAMES = 5000, 40
PLAYOUTS, PEER_PLAYOUTS = 20_000, 60
BENEFICIARY = 2


def compare() -> list[dict]:
    """Return times for random games, and for the playouts of one decision in mid-game.

    Both sides are compared first: turn by turn through a recorded game, and by the mean reward of
    every option of the decision. The plain rules are timed on fewer games and playouts.
    """
    state, peer = _agreeing_position()
    ours_mean, peer_mean = _reward(state, 1), _peer_reward(peer, 10 * PEER_PLAYOUTS, 1)
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
            lambda: _reward(state, 2), lambda: _peer_reward(peer, PEER_PLAYOUTS, 2),
            against="plain Python", unit="playout", units=(PLAYOUTS, PEER_PLAYOUTS),
        ),
    ]  # fmt: skip


def _chooser(seed: int) -> Callable:
    return partial(reference.random_player, rng=random.Random(seed))


def _agreeing_position() -> tuple[State, reference.State]:
    """Play a recorded game on both sides, equal at every turn; return the middle of it."""
    states = [s for s in series(1, 5, ["random"] * 4).replay(0) if s.stage in ("play", "over")]
    lot = partial(reference.shuffled, rng=random.Random(1))
    opening, end, middle = states[0], states[-1], len(states) // 3
    hands = [set(hand) for hand in opening.hands]
    peer, found = reference.State(hands, opening.turn, opening.turn, lot, []), None
    for number, (state, (_, move)) in enumerate(zip(states, end.history, strict=False)):
        written = {" ".join(x.on_field()): x for x in peer.plays()}
        assert ["pass", *written] == state.legal(state.turn)
        if number == middle:
            found = state, reference.redeal(peer, peer.turn, random.Random(1))
        peer.take_turn(written.get(move))
    assert end.out == peer.finished
    assert found
    return found


def _reward(state: State, seed: int) -> float:
    """Return the mean reward over all options, of `PLAYOUTS` playouts in all."""
    helper = Sontaku(BENEFICIARY, PLAYOUTS // len(state.legal(state.turn)))
    return float(np.mean(list(rewards(state, seed, helper).values())))


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
