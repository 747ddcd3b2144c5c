"""Triomineering's Nash approximations, searches and matches against the plain-Python reference."""

import math
import os
import subprocess
import sys

import numpy as np
import pytest

from gamecore import matrixgame, rng
from gamecore.triomineering import nash
from gamecore.triomineering.matches import match
from gamecore.triomineering.players import (
    PLAYERS,
    SYMMETRIES,
    Player,
    first_world,
    orbits,
    settings_of,
    simulate,
    think,
)
from gamecore.triomineering.rules import Position
from gamecore.triomineering.search import bandits_needed, logarithms
from tests.reference import triomineering as reference

PLAIN = {
    "fictitious play": reference.fictitious_play,
    "constant step": reference.constant_step,
    "regret matching+": reference.regret_matching_plus,
    "worst to best": reference.worst_to_best,
}
DILEMMA = np.array([[0.8, 0.0], [1.0, 0.2]])


@pytest.mark.parametrize("method", nash.READINGS)
def test_nash_kernels_are_the_reference(method):
    dice = np.random.default_rng(1)
    for _ in range(25):
        m, n = dice.integers(1, 25, 2)
        own = dice.random((m, n))
        other = dice.random((m, n)) if dice.random() < 0.5 else 1 - own
        ours = nash.approximate(own, other, method, 60)
        for mixture, plain in zip(ours, PLAIN[method](own.tolist(), other.tolist(), 60)):
            np.testing.assert_allclose(mixture, plain, atol=1e-12)


def test_equal_answers_go_to_the_lowest_move():
    dice = np.random.default_rng(2)
    for _ in range(50):  # halves and whole numbers are summed exactly, by both
        m, n = 2 ** dice.integers(0, 4, 2)
        own, other = dice.integers(0, 3, (2, m, n)) / 2
        ours = nash.approximate(own, other, rounds=37)
        plain = reference.fictitious_play(own.tolist(), other.tolist(), 37)
        np.testing.assert_allclose(np.concatenate(ours), np.concatenate(plain), atol=1e-12)


@pytest.mark.parametrize("method", nash.READINGS)
@pytest.mark.parametrize("size", [(2, 2), (5, 9), (24, 24)])
def test_nash_approaches_the_linear_programme(method, size):
    """Within 0.05 of the value, and nearer with more rounds unless steps stay constant."""
    dice = np.random.default_rng(3)
    gaps = []
    for _ in range(10):
        table = dice.random(size)
        value = matrixgame.solve(table).value
        few, many = (nash.approximate(table, None, method, k) for k in (50, 5000))
        gaps.append([matrixgame.duality_gap(table, *found) for found in (few, many)])
        assert (many.own @ table).min() - 1e-9 <= value <= (table @ many.other).max() + 1e-9
    few, many = np.mean(gaps, axis=0)
    assert many <= 0.05
    assert many < few
    if method in ("fictitious play", "regret matching+"):
        assert many < 0.006


def test_logarithms_by_arithmetic():
    table = logarithms(20_001)
    exact = [0.0] + [math.log(k) for k in range(1, 20_001)]
    np.testing.assert_allclose(table, exact, rtol=1e-13)


class Dice:
    """The kernels' random numbers, in the shape of `random.Random`."""

    def __init__(self, seed):
        self.state = rng.state(seed)

    def randrange(self, n):
        return int(rng.below(self.state, n))

    def choice(self, items):
        if isinstance(items, tuple) and len(items) == 1:  # a move without mirror images
            return items[0]
        return items[self.randrange(len(items))]

    def choices(self, items, weights):
        sums = np.cumsum(weights)
        return [items[int(np.searchsorted(sums, rng.uniform(self.state) * sums[-1], "right"))]]


def plain_nash(own, other, rounds=100):
    return nash.approximate(own, other, rounds=rounds)  # equal to the reference's, see above


@pytest.mark.parametrize("side", ["V", "H"])
@pytest.mark.parametrize("method", PLAYERS)
@pytest.mark.parametrize(
    ("rows", "columns", "filtering"),
    [(4, 4, "hindering"), (5, 4, "hindering"), (5, 5, "hindering"), (4, 4, "literal")],
)
def test_searches_are_the_reference_playout_by_playout(method, rows, columns, filtering, side):
    """Fed with the same random numbers, both visit the same pairs and find the same utilities."""
    # utilities whose sums are exact, so that ties are ties on both sides
    player = Player(
        method, playouts=250, c=0.45, draw=0.75, other_draw=0.25, every=8, filtering=filtering
    )
    position = Position.empty(rows, columns)
    ours = think(position, player, 11, side)
    dice = Dice(11)
    legal = reference.legal_moves(rows, columns, reference.EMPTY, side)
    own = [tuple(o) for o in reference.orbits(rows, side)] if rows == columns else None
    own = own or [(move,) for move in legal]
    playout = reference.make_playout(
        rows, columns, reference.EMPTY, side, dice, own, player.draw, player.other_draw,
        literal=filtering == "literal",
    )  # fmt: skip
    m, n, budget, c = len(own), len(ours.replies), player.playouts, player.c
    if method == "MC":
        plain = reference.mc(m, n, budget, playout, dice)
    elif method.startswith("Simple"):
        plain = reference.simple_ucb(m, n, budget, playout, dice, c, method == "SimpleUCB1")
    else:
        deeper = method == "MSUCB1.5"
        plain = reference.msucb(m, n, budget, playout, dice, c, deeper, plain_nash, every=8)
    assert ours.moves == [orbit[0] for orbit in own]
    assert ours.visits.tolist() == plain.visits
    means = np.array(plain.own) / np.array(plain.visits).clip(1)
    np.testing.assert_allclose(np.nan_to_num(ours.means), means, atol=1e-12)
    shares = {move: p / len(o) for o, p in zip(own, plain.policy) for move in o}
    np.testing.assert_allclose(ours.policy, [shares[move] for move in legal], atol=1e-12)


def test_searches_in_mid_game_are_the_reference():
    """A position without symmetries, MSUCB1.5 as H, without the playout filter's help."""
    position = Position.empty(6, 6).play((0, 2), (4, 1))
    player = Player("MSUCB1.5", playouts=700, every=16)
    ours = think(position, player, 5, "H")
    dice = Dice(5)
    filled = reference.play(reference.EMPTY, (0, 2), (4, 1))
    own = [(move,) for move in reference.legal_moves(6, 6, filled, "H")]
    playout = reference.make_playout(6, 6, filled, "H", dice, own)
    shape = len(own), len(ours.replies)
    plain = reference.msucb(*shape, 700, playout, dice, 0.5, True, plain_nash, every=16)
    assert ours.visits.tolist() == plain.visits
    np.testing.assert_allclose(ours.policy, plain.policy, atol=1e-12)


@pytest.mark.parametrize("side", ["V", "H"])
@pytest.mark.parametrize("method", ["SimpleUCB1", "MSUCB1", "MSUCB1.5"])
def test_correct_first_moves_on_4x4(method, side):
    correct = reference.correct_moves(4, 4)[side == "H"]
    legal = reference.legal_moves(4, 4, reference.EMPTY, side)
    policies = [
        think(Position.empty(4, 4), Player(method, 10_000), seed, side).policy for seed in range(5)
    ]
    kept = [p for move, p in zip(legal, np.mean(policies, axis=0)) if move in correct]
    assert sum(kept) > 0.9


def test_first_move_symmetry():
    empty, mid = Position.empty(6, 6), Position.empty(6, 6).play((0, 0), (5, 0))
    assert [len(orbits(Position.empty(k, k), "V")) for k in (3, 4, 5, 6)] == [2, 2, 6, 6]
    for side in "VH":
        images = think(empty, Player("SimpleUCB1", 2000), 1, side)
        assert len(images.moves) == 6
        assert sorted(images.policy)[-5:] == [0, 0.25, 0.25, 0.25, 0.25]
        quadrant = think(empty, Player("SimpleUCB1", 2000, symmetry="quadrant"), 1, side)
        assert quadrant.moves == images.moves
        assert quadrant.policy.max() == 1
        for place, symmetry in ((empty, "none"), (mid, "images")):
            thought = think(place, Player("SimpleUCB1", 2000, symmetry=symmetry), 1, side)
            assert thought.moves == (place.v_moves() if side == "V" else place.h_moves())
    assert len(think(Position.empty(6, 5), Player("MC", 2000), 1).moves) == 20


#: In plain Python an index beyond an array is an error, which in a kernel damages memory.
EVERY_PLAYER = """
from itertools import product
from gamecore.triomineering import PLAYERS, SYMMETRIES, Player, Position, think
for size, playouts in (((4, 4), 200), ((5, 4), 200), ((6, 6), 700)):
    for method, symmetry, side in product(PLAYERS, SYMMETRIES, "VH"):
        player = Player(method, playouts, every=100, rounds=5, symmetry=symmetry)
        print(think(Position.empty(*size), player, 1, side).visits.sum())
"""


def test_no_search_leaves_its_arrays():
    off = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", EVERY_PLAYER]
    told = subprocess.run(command, env=off, capture_output=True, text=True, check=True).stdout
    assert told.split() == ["200"] * 60 + ["700"] * 30


@pytest.mark.parametrize("symmetry", SYMMETRIES)
@pytest.mark.parametrize("side", ["V", "H"])
@pytest.mark.parametrize("size", [(4, 4), (5, 5), (6, 6), (7, 7), (6, 5), (8, 4)])
def test_a_bandit_has_an_arm_for_every_second_move(size, side, symmetry):
    empty = Position.empty(*size)
    player = Player("MSUCB1.5", symmetry=symmetry)
    world = first_world(empty, player, side)
    bandits, arms = bandits_needed(world, settings_of(player))
    assert bandits == len(world.sizes) * len(world.theirs) * world.sizes.max()
    assert arms == (len(empty.v_moves()) if side == "V" else len(empty.h_moves()))


def test_matches_depend_on_the_seed_alone_and_grow():
    v, h = Player("MSUCB1.5", 600), Player("SimpleUCB1", 300)
    few, many = match(v, h, 3, 7), match(v, h, 6, 7)
    openings = many.counts["openings"]
    assert (few.results == many.results[:3]).all()
    assert (few.counts["openings"] == openings[:3]).all()
    assert many.wins + many.draws + many.losses == 6
    assert (match(v, h, 6, 8).counts["openings"] != openings).any()
    for game in range(3):
        assert few.replay(game) == many.replay(game)
        end = few.replay(game)[-1]
        assert end.returns()[0] == few.results[game]
        assert end.rounds[0] == tuple(openings[game])


def test_wins_go_to_whom_they_belong():
    """On a high board H has more rows to play in, on a wide one V more columns."""
    strong, weak = Player("MSUCB1", 500), Player("MC", 500)
    assert match(weak, strong, 8, 1, rows=8, columns=3).losses == 8
    assert match(weak, strong, 8, 1, rows=3, columns=8).wins == 8


def test_simpleucb1_on_sure_payoffs_is_the_reference():
    dice = np.random.default_rng(4)
    for _ in range(5):
        own, other = dice.integers(0, 2, (2, 4, 5))
        ours = simulate(own, other, Player("SimpleUCB1", 3000), seed=1)
        plain = reference.simple_ucb(
            4, 5, 3000, lambda i, j, _, own=own, other=other: (own[i, j], other[i, j]), None
        )
        assert ours.tolist() == plain.visits


def test_prisoners_dilemma():
    cooperated = 0
    for seed in range(5):
        simple, mixed = (
            simulate(DILEMMA, DILEMMA.T, Player(method, 30_000), seed)
            for method in ("SimpleUCB1", "MSUCB1")
        )
        assert simple.sum() == mixed.sum() == 30_000
        assert mixed[1, 1] > 27_000
        assert mixed.min() >= 10
        cooperated += simple[0, 0] > 27_000
    assert 3 <= cooperated < 5  # SimpleUCB1 mostly drifts to cooperation, but not with every seed


def test_draw_utility_is_what_the_search_sees():
    """Where every game is drawn, the mean utility of each pair is that of a draw."""
    position = Position.empty(3, 3)
    for draw in (0.0, 0.3, 1.0):
        thought = think(position, Player("MSUCB1", 100, draw=draw), 1)
        assert position.play((0, 0), (0, 0)).result() == 0.5
        assert thought.means[0, 0] == pytest.approx(draw)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"method": "UCT"}, "one of MC, .* not 'UCT'"),
        ({"symmetry": "mirror"}, "one of images, quadrant, none"),
        ({"filtering": True}, "one of none, hindering, literal"),
        ({"nash": "simplex"}, "one of fictitious play"),
        ({"playouts": 0}, "playouts must be a whole number from 1 to 10,000,000"),
        ({"every": 0}, "every must be a whole number from 1"),
        ({"c": -1}, "c must be a number from 0"),
        ({"draw": 1.5}, "draw must be a number from 0 to 1"),
        ({"rounds": -5}, "rounds must be a whole number from 1"),
        ({"step": 0}, "step must be a number"),
        ({"playouts": 15}, "first tries all 16 pairs of moves here: 15 playouts are too few"),
    ],
)
def test_bad_players_are_refused(change, words):
    with pytest.raises(ValueError, match=words):
        think(Position.empty(4, 4), Player(**change), 1)


def test_other_bad_input_is_refused():
    empty = Position.empty(4, 4)
    with pytest.raises(ValueError, match="side must be one of V, H"):
        think(empty, Player(), 1, "X")
    with pytest.raises(ValueError, match="the game is over"):
        think(Position(4, 4, 0), Player(), 1)
    with pytest.raises(ValueError, match="games must be a whole number from 1"):
        match(Player(), Player(), 0, 1)
    with pytest.raises(ValueError, match="576 pairs of moves here: 200"):
        match(Player(playouts=200), Player(), 1, 1)
    with pytest.raises(ValueError, match="array of 1 × 2 numbers"):
        nash.approximate([[1, 2]], [[1], [2]])
    with pytest.raises(ValueError, match="finite"):
        nash.approximate([[1, math.nan]])
    with pytest.raises(ValueError, match="from 0 to 1"):
        simulate([[2.0]], [[0.0]], Player(), 1)
    with pytest.raises(ValueError, match=r"MSUCB1\.5 cannot play it"):
        simulate(DILEMMA, DILEMMA, Player("MSUCB1.5"), 1)
