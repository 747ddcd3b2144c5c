"""Pokémon: what the players do, and that stored numbers notice when they do otherwise."""

import random

import numpy as np
import pytest
from scipy import stats

from gamecore import matrixgame, rng
from gamecore.papers.experiment import find
from gamecore.papers.pokemon import experiments
from gamecore.papers.store import check_fingerprints
from gamecore.pokemon import CHART, PARTIES, encode, match, misjudge, player, solve, strategies
from gamecore.pokemon.montecarlo import PLAYOUTS, estimates, playout
from gamecore.pokemon.perception import favoured, mixture, noise_width, seen, shifted
from gamecore.pokemon.players import decide
from tests.reference import pokemon as plain

START = (0, 0, (5, 5, 5), (5, 4, 4))


@pytest.fixture(scope="module")
def solution():
    return solve(20)


def test_nash_plays_the_equilibrium_of_either_side(solution):
    A = solution.payoff_matrix(*START, 19)
    _, row, column = matrixgame.solve(A)
    nobody = np.zeros(5, bool)
    assert mixture(A, nobody, 0, player().settings, rng.state(1)).tolist() == row.tolist()
    assert mixture(A, nobody, 1, player().settings, rng.state(1)).tolist() == column.tolist()


def test_numbering_backwards_gives_another_equilibrium_of_the_same_value():
    A = np.array([[0.5, 0.5], [0.5, 0.5]])
    nobody = np.zeros(2, bool)
    assert mixture(A, nobody, 0, player().settings, rng.state(1)).tolist() == [1, 0]
    assert mixture(A, nobody, 0, player(reverse=True).settings, rng.state(1)).tolist() == [0, 1]


@pytest.mark.parametrize("bias", ["attack", "switch", "effective", "ineffective"])
def test_a_biased_party_2_is_a_biased_party_1_seen_from_the_other_side(bias):
    A = np.random.default_rng(5).random((5, 5))
    liked = np.array([True, False, True, False, False])
    who = player(bias=bias, alpha=0.03).settings
    one = mixture(A, liked, 0, who, rng.state(1))
    two = mixture(np.ascontiguousarray(1 - A.T), liked, 1, who, rng.state(1))
    assert two == pytest.approx(one, abs=1e-9)
    B = A.copy()
    B[[0, 2]] += 0.03 * (1 + 20 * B[[0, 2]] * (1 - B[[0, 2]]))
    assert one == pytest.approx(matrixgame.solve(B.clip(0, 1)).row, abs=1e-9)


def test_a_bias_marks_the_actions_it_names(solution):
    generator = random.Random(6)
    for _ in range(200):
        hp = [tuple(generator.randrange(1, 6) for _ in range(3)) for _ in range(2)]
        lead1, lead2 = generator.randrange(3), generator.randrange(3)
        state = encode(lead1, lead2, *hp)
        own, other = plain.PARTY_2[lead2], plain.PARTY_1[lead1]
        factors = [plain.multiplier(own.type, move, other.type) for move in own.moves]
        liked = [favoured(state, 1, bias, solution.lookup).tolist() for bias in range(5)]
        assert liked[:3] == [[False] * 5, [True] * 3 + [False] * 2, [False] * 3 + [True] * 2]
        assert liked[3] == [f >= 1.5 for f in factors] + [False] * 2
        assert liked[4] == [f == 0.5 for f in factors] + [False] * 2


def test_equation_2_and_the_noise_width():
    assert [shifted(p, 0.03) - p for p in (0.0, 0.5, 1.0)] == pytest.approx([0.03, 0.18, 0.03])
    assert [noise_width(p, 0.1) for p in (0.0, 0.5, 1.0)] == pytest.approx([0.1, 0.2, 0.1])


@pytest.mark.parametrize(
    ("noise", "law"),
    [
        ("uniform", stats.uniform(0.25 - 0.1, 0.2)),
        ("variable", stats.uniform(0.25 - 0.175, 0.35)),
        ("normal", stats.norm(0.25, 0.175)),
    ],
)
def test_noise_has_the_stated_law_and_clipping_its_bounds(noise, law):
    s = rng.state(7)
    free = player(noise=noise, delta=0.1, clip=False).settings
    drawn = [seen(0.25, free, s) for _ in range(4000)]
    assert stats.kstest(drawn, law.cdf).pvalue > 1e-3
    wide = player(noise=noise, delta=2.0).settings
    cut = [seen(0.25, wide, s) for _ in range(200)]
    assert (min(cut), max(cut)) == (0.0, 1.0)


def counted(who, A, state, solution, decisions=20_000):
    s = rng.state(8)
    chosen = [decide(state, 0, 18, who.settings, solution.lookup, s) for _ in range(decisions)]
    return np.bincount(chosen, minlength=5)


def test_an_average_of_ten_equilibria_plays_like_one(solution):
    """With fresh noise, a draw from a mean of strategies is a draw from one of them."""
    state = encode(0, 0, (5, 5, 5), (5, 5, 5))
    A = solution.payoff_matrix(0, 0, (5, 5, 5), (5, 5, 5), 18)
    one, ten, other = (
        counted(player(noise="uniform", delta=delta, average=average), A, state, solution)
        for delta, average in ((0.1, 1), (0.1, 10), (0.2, 10))
    )
    assert stats.chi2_contingency(np.array([one, ten]) + 1).pvalue > 0.01
    assert stats.chi2_contingency(np.array([one, other]) + 1).pvalue < 1e-6  # the test can tell
    a1, _ = strategies(A, player(noise="uniform", delta=0.1), 20_000, 9)
    a10, _ = strategies(A, player(noise="uniform", delta=0.1, average=10), 2000, 10)
    error = np.hypot(a1.std(0) / np.sqrt(20_000), a10.std(0) / np.sqrt(2000)) + 1e-12
    assert (np.abs(a1.mean(0) - a10.mean(0)) < 4 * error).all()
    assert a10.std(0)[1] < a1.std(0)[1] / 2  # what n does change: the spread of a printed row


def test_playouts_are_those_of_the_plain_rules(solution):
    generator, results = random.Random(11), []
    for _ in range(3000):
        state, left = plain.initial_state(1, 2), 19
        while left and not plain.is_over(state):
            a, b = (generator.choice(plain.legal_actions(state, side)) for side in (1, 2))
            state, left = plain.step(state, a, b), left - 1
            if not plain.is_over(state) and (forced := plain.replacements(state)):
                state = plain.replace(state, forced[0], generator.choice(forced[1]))
        results.append(plain.judge(state))
    s, number = rng.state(12), encode(1, 2, (5, 5, 5), (5, 4, 4))
    known = solution.table, solution.values[0], solution.lookup.sizes
    ours = [playout(number, 19, *known, s) for _ in range(20_000)]
    error = np.hypot(np.std(results) / np.sqrt(3000), np.std(ours) / np.sqrt(20_000))
    assert abs(np.mean(results) - np.mean(ours)) < 4 * error


@pytest.mark.parametrize(
    ("position", "party", "winning"),
    [
        ((0, 1, (3, 0, 0), (0, 1, 0)), 1, 0),  # only E's fire knocks A out before A strikes
        ((2, 2, (0, 0, 1), (0, 0, 3)), 0, 1),  # only C's grass knocks F out before F strikes
    ],
)
def test_monte_carlo_takes_the_only_winning_move(solution, position, party, winning):
    state, scores = encode(*position), np.empty(5)
    belief = estimates(state, party, 5, solution.lookup, rng.state(13), scores)
    assert scores[winning] == 3 * PLAYOUTS > scores[[k for k in range(5) if k != winning]].max()
    assert 1 / 3 <= belief < 1
    who = player("monte-carlo").settings
    chosen = decide(state, party, 5, who, solution.lookup, rng.state(13))
    assert chosen == winning
    A = solution.payoff_matrix(*position, 5)
    assert ((A if party == 0 else 1 - A.T) == 1).all(axis=1).tolist() == [
        k == winning for k in range(3)
    ]


def test_matches_add_up_and_begin_alike(solution):
    few = match("nash", "random", 50, 14, solution)
    more = match("nash", player("random"), 80, 14, solution)
    assert few.wins + few.draws + few.losses == few.games == 50
    assert few.results.tolist() == more.results[:50].tolist()
    for name in few.counts:
        assert few.counts[name].tolist() == more.counts[name][:50].tolist()
    assert {*more.counts["party"]} == {1, 2}


def test_strength_is_ordered(solution):
    def rate(first, second, games, seed=15):
        return match(first, second, games, seed, solution).score

    assert abs(rate(player(), player(), 20_000) - 0.5) < 4 * 0.5 / np.sqrt(20_000)
    assert rate(player(), player("random"), 2000) > 0.95
    assert rate(player(), player("monte-carlo"), 200) > 0.6
    assert rate(player(noise="variable", delta=0.2), player(), 5000) < 0.42


def test_what_monte_carlo_gives_away_is_what_it_loses(solution):
    games = 400
    found = misjudge(games, 16, solution)
    score = (found.wins + found.draws / 2) / games
    error = np.sqrt(score * (1 - score) / games)
    assert abs((found.start_value - found.given_away) / games - score) < 4 * error
    assert 0 < found.blunders < found.live < found.positions
    assert found.over[0] > 0.2 > -0.2 > found.under[0]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"kind": "greedy"}, "kind must be one of"),
        ({"noise": "gaussian"}, "noise must be one of"),
        ({"bias": "defence"}, "bias must be one of"),
        ({"delta": -0.1}, "delta"),
        ({"delta": "0.1"}, "delta"),
        ({"delta": 1e308}, "delta"),
        ({"delta": float("nan")}, "delta"),
        ({"alpha": float("inf")}, "alpha"),
        ({"average": 0}, "average"),
        ({"average": True}, "average"),
        ({"average": 2**63}, "average"),
        ({"clip": 1}, "clip"),
    ],
)
def test_bad_players_are_refused(options, words):
    with pytest.raises(ValueError, match=words):
        player(**options)


def test_bad_matches_are_refused(solution):
    with pytest.raises(ValueError, match="games"):
        match(player(), player(), 0, 1, solution)
    for turns in (-1, 0, 21):
        with pytest.raises(ValueError, match="turns"):
            match(player(), player(), 1, 1, solution, turns=turns)
    with pytest.raises(ValueError, match="win probabilities"):
        strategies([[1.5]], player(), 1, 1)
    with pytest.raises(ValueError, match="rows"):
        strategies([[0.5]], player(), 0, 1)
    for games in (0, True, 1.5):
        with pytest.raises(ValueError, match="games"):
            misjudge(games, 1, solution)
    with pytest.raises(ValueError, match="turns"):
        misjudge(1, 1, solve(2))


def test_a_changed_player_turns_the_fingerprints_red(monkeypatch):
    tried = find("pokemon/biases")
    assert check_fingerprints(tried) == []
    monkeypatch.setattr(experiments, "ALPHA", 0.031)
    changed = check_fingerprints(tried)
    assert len(changed) >= 8  # four biases, clipped and not; more lines as old and new are named


def test_constants_are_tables_1_and_2():
    assert {move: dict(row) for move, row in CHART.items()} == plain.CHART
    for ours, theirs in zip(PARTIES, (plain.PARTY_1, plain.PARTY_2), strict=True):
        for monster, wanted in zip(ours, theirs, strict=True):
            assert vars(monster) == wanted._asdict()
