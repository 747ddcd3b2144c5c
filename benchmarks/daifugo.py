"""Random games and sontaku playouts of Daifugo, against the plain-Python rules of the tests."""

import random
import time
from collections.abc import Callable
from functools import partial

import numpy as np

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
    rows = []
    for name, ours, peer, share in (
        (
            f"Daifugo, {GAMES} games of four random players",
            lambda: series(GAMES, 1, ["random"] * 4),
            lambda: reference.play_series(PEER_GAMES, _chooser(1), random.Random(1)),
            GAMES / PEER_GAMES,
        ),
        (
            f"Daifugo, {PLAYOUTS} sontaku playouts from mid-game",
            lambda: _reward(table, 2),
            lambda: _peer_reward(state, PEER_PLAYOUTS, 2),
            PLAYOUTS / PEER_PLAYOUTS,
        ),
    ):
        seconds, peer_seconds = _best(ours), _best(peer) * share
        rows.append(
            {
                "name": name,
                "ours_seconds": seconds,
                "peer_seconds": peer_seconds,
                "ratio": peer_seconds / seconds,
            }
        )
    return rows


def playouts_per_second(games: int = 30) -> dict[str, float]:
    """Return how many playouts one core makes in a second of the sontaku experiments."""
    found = {}
    for game, beneficiary in (("SontakuA", 1), ("SontakuB", 2), ("SontakuC", 3)):
        play = partial(series, games, 1, sontaku=Sontaku(beneficiary))
        found[game] = play().playouts / _best(play)
    return found


def _best(run: Callable[[], object]) -> float:
    """Return the least processor time of three runs, after one to warm up."""
    run()
    times = []
    for _ in range(3):
        start = time.thread_time()
        run()
        times.append(time.thread_time() - start)
    return min(times)


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
    mind = Sontaku(BENEFICIARY, PLAYOUTS // options)
    return float(np.mean(list(rewards(table, seed, mind).values())))


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


if __name__ == "__main__":
    for row in compare():
        print(row)
    print(playouts_per_second())
