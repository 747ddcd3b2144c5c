"""Marginal strategies, replies and the reader, against plain Python and against games."""

import functools
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats as distributions

from gamecore import rng
from gamecore.pokemon import CHART, PARTIES, Battle, ask, player, rules, solve
from gamecore.pokemon.marginals import binomial, marginal, openings, playout_wins, sent
from gamecore.pokemon.montecarlo import playout
from gamecore.pokemon.players import bring_in, decide
from gamecore.pokemon.reading import FLOOR, _update, family, read
from gamecore.pokemon.replies import reply, row_of
from gamecore.pokemon.state import numbered

TURNS = 5
#: The paper's monsters with few HP, so that a short battle is open.
FRAIL = [
    [replace(monster, hp=hp) for monster in party]
    for party, hp in zip(PARTIES, (3, 3), strict=True)
]
BATTLE = Battle(FRAIL, CHART)


@functools.cache
def solved():
    return solve(TURNS, FRAIL)


@functools.cache
def table(name, party, turns=TURNS, slack=1.0, least=0.0):
    who = player(noise="uniform", delta=0.2) if name == "noisy" else player(name)
    return marginal(who, party, 8, least, slack, 5, solved(), turns)


@functools.cache
def answered(name, party, trust, turns=TURNS):
    return reply(table(name, party, turns), trust, solved())


def rows(found):
    """Return a table's rows by turns left and state."""
    left = np.repeat(np.arange(len(found.begins) - 1), np.diff(found.begins))
    return {(int(r), int(s)): k for k, (r, s) in enumerate(zip(left, found.states, strict=True))}


@pytest.mark.parametrize("p", [0.0, 1e-9, 0.3, 0.5, 0.999, 1.0])
@pytest.mark.parametrize("n", [1, 20, 500])
def test_binomial(n, p):
    out = np.empty(n + 1)
    binomial(n, p, out)
    np.testing.assert_allclose(out, distributions.binom.pmf(np.arange(n + 1), n, p), atol=1e-12)


def test_playouts_win_as_often_as_they_should():
    lookup, s = solved().lookup, rng.state(1)
    wins = playout_wins(solved(), 1, TURNS)
    states = table("random", 0).states
    for state in states[:: len(states) // 12]:
        args = lookup.table, lookup.values[0], lookup.sizes, s
        won = sum(playout(int(state), TURNS, *args) == 0.0 for _ in range(2000))
        assert abs(won / 2000 - wins[TURNS, state]) < 0.05


@pytest.mark.parametrize("party", [0, 1])
def test_monte_carlo_decides_as_often_as_its_table_says(party):
    found, lookup, s = table("monte-carlo", party), solved().lookup, rng.state(2)
    who, draws = player("monte-carlo").settings, 300
    mixed = [place for place, row in rows(found).items() if found.mix[row].max() < 0.8]
    assert len(mixed) > 15
    for left, state in mixed[:: len(mixed) // 15]:
        drawn = [decide(state, party, left, who, lookup, s) for _ in range(draws)]
        often = np.bincount(drawn, minlength=5) / draws
        assert abs(often - found.mix[rows(found)[left, state]]).max() < 0.13


@pytest.mark.parametrize("name", ["random", "monte-carlo", "nash"])
def test_replacements_are_as_often_as_said(name):
    lookup, s, out = solved().lookup, rng.state(3), np.empty(6)
    who, wins = player(name).settings, playout_wins(solved(), 1, TURNS)
    waiting = np.flatnonzero(lookup.table[:, 0] == -3)
    two = waiting[(lookup.table[waiting][:, 1:4] >= 0).sum(axis=1) == 2]
    for state in two[:: len(two) // 8]:
        sent(int(state), 2, 1, who.kind, lookup, wins, out)
        drawn = [
            rules.leads(bring_in(int(state), 1, 2, who, lookup, s), lookup.stride, 3)[1]
            for _ in range(200)
        ]
        assert abs(np.bincount(drawn, minlength=3) / 200 - out[:3]).max() < 0.17


def test_a_noisy_row_is_the_mean_of_draws():
    found = table("noisy", 0)
    for (left, state), row in list(rows(found).items())[-9:]:
        who, at = player(noise="uniform", delta=0.2), numbered(state, left, BATTLE)
        mean = ask(who, at, 0, 1, draws=400, solution=solved())
        played = [found.mix[row, at.action(0, move)] for move in mean]
        assert abs(np.array(played) - list(mean.values())).max() < 0.6
        assert sum(played) == pytest.approx(1)


def plainly(state, seat, mix_of):
    """Return what the best reply in `seat` wins, by recursion over states of the protocol.

    ``mix_of(state)`` is the other side's mixture, None where it is not tabled.
    """
    if not state.movers:
        return (state.returns()[seat] + 1) / 2
    if state.movers == (seat,):
        return max(plainly(state.play(move), seat, mix_of) for move in state.legal(seat))
    mix = mix_of(state)
    if mix is None:  # only where the replier has won, since nothing else was left out
        value = solved().value(*state.position, state.turns)
        assert (value if seat == 0 else 1 - value) == 1
        return 1.0
    if state.movers == (1 - seat,):
        return sum(p * plainly(state.play(move), seat, mix_of) for move, p in mix.items())
    return max(
        sum(p * plainly(state.play(*((own, m)[:: 1 - 2 * seat])), seat, mix_of)
            for m, p in mix.items())
        for own in state.legal(seat)
    )  # fmt: skip


@pytest.mark.parametrize("party", [0, 1])
@pytest.mark.parametrize("name", ["random", "noisy", "monte-carlo"])
def test_the_best_reply_is_that_of_plain_recursion(name, party):
    turns = 2 if name != "monte-carlo" else 1
    tabled, found = table(name, party, turns), answered(name, party, 1.0, turns)
    where, seen = rows(tabled), 0

    def mix_of(state):
        if len(state.movers) == 1:
            return ask("random" if name == "random" else "nash", state, party, solution=solved())
        place = where.get((state.turns, rules.number_of(*state.position, BATTLE)))
        if place is None:
            return None
        row = tabled.mix[place]
        moves = {move: row[state.action(party, move)] for move in state.legal(party)}
        return {move: p for move, p in moves.items() if p > 0}

    for state in openings(solved()):
        row = where.get((turns, int(state)))
        if row is None or seen == 3:
            continue
        seen += 1
        expected = plainly(numbered(int(state), turns, BATTLE), 1 - party, mix_of)
        assert found.value[row] == pytest.approx(expected, abs=1e-12)
        assert found.against[row] == pytest.approx(expected, abs=1e-12)
    assert seen == 3


@pytest.mark.parametrize("party", [0, 1])
def test_trust_buys_gain_with_risk(party):
    found = [answered("noisy", party, trust) for trust in (0.0, 0.25, 0.5, 0.75, 1.0)]
    gains, risks = [one.gain for one in found], [one.risk for one in found]
    assert gains == sorted(gains)
    assert risks == sorted(risks)
    assert abs(risks[0]) < 1e-9 < risks[-1]
    # without trust it is Nash, whose value the solution knows
    tabled = table("noisy", party)
    for (left, state), row in rows(tabled).items():
        fair = solved().values[left, state]
        assert found[0].value[row] == pytest.approx(fair if party == 1 else 1 - fair, abs=1e-9)


@pytest.mark.parametrize("party", [0, 1])
def test_nobody_gains_from_nash(party):
    assert abs(answered("nash", party, 1.0).gain) < 1e-9


def test_leaving_states_out_can_only_cost():
    for party in (0, 1):
        small = table("noisy", party, slack=0.02, least=0.02)
        assert len(small.states) < len(table("noisy", party).states)
        assert reply(small, 1.0, solved()).gain <= answered("noisy", party, 1.0).gain + 0.02


def test_rows_are_found_and_others_are_not():
    found = table("noisy", 1)
    where = rows(found)
    assert all(
        row_of(found.begins, found.states, left, state) == row
        for (left, state), row in list(where.items())[::50]
    )
    missing = [s for s in range(0, BATTLE.states, 97) if (1, s) not in where]
    assert missing
    assert all(row_of(found.begins, found.states, 1, state) == -1 for state in missing)


def whole(name):
    one, two = (
        (table(name, k), answered(name, k, 1.0), answered(name, k, 0.5)) for k in (0, 1)
    )  # fmt: skip
    return family([(one, two)], TURNS)


@pytest.mark.parametrize("name", ["random", "noisy"])
def test_games_are_won_as_the_sweep_expects(name):
    """The oracle against the player; a table of eight draws is not quite the noisy one."""
    games, who = 20_000, player(noise="uniform", delta=0.2) if name == "noisy" else name
    expected = 0.5 + sum(answered(name, k, 1.0).gain for k in (0, 1)) / 2
    found = read(who, whole(name), games, 1, 1, solved(), "oracle", 1)
    assert abs(found.points[0] / 2 / games - expected) < (0.015 if name == "random" else 0.06)


def test_the_worst_opponent_takes_what_the_sweep_says():
    games = 20_000
    expected = 0.5 - sum(answered("random", k, 1.0).risk for k in (0, 1)) / 2
    found = read("random", whole("random"), games, 1, 1, solved(), "oracle", 1, turncoat="once")
    assert found.points[0] / 2 / games == pytest.approx(expected, abs=0.015)


def test_a_safe_reader_is_never_taken_for_more_than_its_risk():
    games = 500
    risk = sum(answered("random", k, 0.5).risk for k in (0, 1)) / 2
    found = read(
        "random", whole("random"), games, 40, 1, solved(), "safe", 1, turncoat="watching", turning=5
    )
    rate = found.points[5:].sum() / 2 / games / 35
    assert rate > 0.5 - risk - 4 * 0.5 / np.sqrt(games * 35)
    assert found.open[5] > 0.5 * games  # so that it does reply


def test_posterior_is_bayes_rule():
    habits, generator = whole("random"), np.random.default_rng(1)
    for _ in range(50):
        w, plain, count = generator.dirichlet([1, 1]), generator.random(), 5
        row, action = int(generator.integers(len(habits.states))), int(generator.integers(3))
        likely = [plain, habits.mix[row, action]]
        expected = [a * ((1 - FLOOR) * p + FLOOR / count) for a, p in zip(w, likely, strict=True)]
        _update(w, np.array([-1, row]), habits, action, plain, count)
        assert w == pytest.approx(np.array(expected) / sum(expected))


def test_who_is_nash_is_taken_for_nash_and_who_is_not_is_found_out():
    habits = whole("random")
    args = 200, 20, 1, solved(), "bare"
    assert read("nash", habits, *args, 0).known[-1] > 150
    assert read("random", habits, *args, 1).known[-1] > 190


def test_fewer_series_are_the_first_of_more():
    args = whole("random"), 3
    one, two = (read("random", args[0], k, args[1], 1, solved()).points for k in (5, 6))
    assert (one <= two).all()
    assert (two - one <= 2).all()


@pytest.mark.parametrize(
    "wrong", [{"reader": "psychic"}, {"truth": 2}, {"reader": "oracle"}, {"turncoat": "once"}]
)
def test_wrong_arguments_are_refused(wrong):
    with pytest.raises(ValueError, match=r"must be|need a true"):
        read("random", whole("random"), 1, 1, 1, solved(), **wrong)


def test_no_table_of_blurred_replacements():
    with pytest.raises(ValueError, match="no table"):
        marginal(player(noise="uniform", delta=0.1, blur_replacement=True), 0)
