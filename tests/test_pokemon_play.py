"""Pokémon: states, matches with players of one's own, questions to players, and other parties."""

import itertools
import random

import numpy as np
import psutil
import pytest
from scipy import stats

from gamecore import matrixgame, rng
from gamecore.contest import playing
from gamecore.game import CHANCE, randomly
from gamecore.pokemon import (
    CHART,
    PARTIES,
    PLAYERS,
    Battle,
    Monster,
    Player,
    Solution,
    State,
    ask,
    draw,
    encode,
    match,
    player,
    rules,
    solve,
    start,
)
from gamecore.pokemon.parties import CLASSES, PAPER, PARTIES_SECTION_5_4
from gamecore.pokemon.players import bring_in, decide, decider
from tests.reference.pokemon import matrix_value

NOISY = player(noise="normal", delta=0.1, bias="switch", alpha=0.03)
EVERYBODY = [*PLAYERS, NOISY, player("monte-carlo", playout_replacement=False)]
OPENING = start().play("A against D")
REPLACING = State.of("A 4, *B 0, C 3 - D 5, *E 2, F 0; 9 turns left")


def steadfast(view, generator):
    return view.legal()[0]


def reached(before, after):
    """Say whether some legal moves lead from one state to the next."""
    options = [before.legal(player) for player in before.movers]
    return any(before.play(*moves) == after for moves in itertools.product(*options))


def check_replay(result, game, first_wins):
    states = result.replay(game)
    assert states == result.replay(game)
    assert states[0].movers == (CHANCE,)
    assert not states[-1].movers
    assert all(reached(*pair) for pair in itertools.pairwise(states))
    assert states[-1].returns()[int(result.counts["party"][game]) - 1] == first_wins
    turns = sum(len(state.movers) == 2 for state in states)
    assert sum(result.counts[name][game] for name in CLASSES) == turns


@pytest.mark.parametrize("second", EVERYBODY, ids=str)
def test_a_function_meets_every_player(second):
    games = 6
    for result in (match(randomly, second, games, 1), match(second, steadfast, games, 1)):
        assert result.games == result.wins + result.draws + result.losses == games
        check_replay(result, 4, result.results[4])
    before = {name: count.tolist() for name, count in result.counts.items()}
    result.replay(0)
    assert {name: count.tolist() for name, count in result.counts.items()} == before


@pytest.mark.parametrize("first", EVERYBODY, ids=str)
def test_replays_of_games_in_the_kernel(first):
    result = match(first, "random", 12, 2)
    for game in range(12):
        check_replay(result, game, result.results[game])
    with pytest.raises(ValueError, match="from 0 to 11"):
        result.replay(12)


def test_fewer_games_are_the_first_of_more_in_python_too():
    few, more = (match(randomly, "nash", games, 3) for games in (5, 9))
    assert few.results.tolist() == more.results[:5].tolist()
    assert few.counts["effective"].tolist() == more.counts["effective"][:5].tolist()
    assert [str(s) for s in few.replay(3)] == [str(s) for s in more.replay(3)]


@pytest.mark.parametrize("pair", [("nash", NOISY), ("random", "monte-carlo"), (NOISY, "random")])
def test_the_kernels_decisions_through_python_give_the_kernels_game(pair):
    """Players that draw from the kernel's own stream: the same game, state for state."""
    lookup = solve(19).lookup
    numbers = [who.settings if isinstance(who, Player) else player(who).settings for who in pair]
    compared = 0
    for seed in range(12):
        s = rng.state(seed)
        if rng.below(s, 2):
            continue  # dealt party 2, the first player would have to decide second here
        lead1, lead2 = divmod(rng.below(s, 9), 3)

        def same(view, generator):
            state, side, who = view.state, view.player, numbers[view.player]
            position = encode(*state.position)
            if len(state.movers) == 1:
                after = bring_in(position, side, state.turns, who, lookup, s)  # noqa: B023
                return f"send {PARTIES[side][rules.leads(after, lookup.stride, 3)[side]].name}"
            action = decide(position, side, state.turns, who, lookup, s)  # noqa: B023
            [move] = [m for m in view.legal() if state.action(side, m) == action]
            return move

        begin = State(PAPER, (lead1, lead2), start().hp, 19)
        states = list(playing(begin, [same, same], np.random.default_rng(0)))
        assert states == match(*pair, 1, seed).replay(0)[1:]
        compared += 1
    assert compared >= 4


def test_named_players_are_as_strong_in_python():
    def nash(view, generator):
        return decider("nash")(view, generator)

    wins = [match(who, "random", games, 5).wins for who, games in ((nash, 300), ("nash", 3000))]
    assert (
        stats.chi2_contingency([[wins[0], 300 - wins[0]], [wins[1], 3000 - wins[1]]]).pvalue > 0.01
    )


def test_illegal_moves_are_named():
    def cheat(view, generator):
        return "hyper beam" if len(view.state.movers) == 2 else view.legal()[0]

    for pair in ((cheat, "nash"), ("nash", cheat)):
        with pytest.raises(
            ValueError, match=r"cheat, as party [12], chose 'hyper beam'(.|\n)*A 5, "
        ):
            match(*pair, 3, 1)
    with pytest.raises(ValueError, match="party 2 cannot play 'switch D'"):
        OPENING.play("fire", "switch D")
    with pytest.raises(ValueError, match="party 2 cannot play 'send E'"):
        OPENING.play("fire", "send E")


def test_nash_is_asked_for_its_equilibrium():
    A = solve(19).payoff_matrix(*OPENING.position, 19)
    _, row, column = matrixgame.solve(A)
    assert list(ask("nash", OPENING).values()) == row.tolist()
    assert ask("nash", OPENING.view(1)) == ask("nash", OPENING, seat=1)
    assert list(ask("nash", OPENING, seat=1).values()) == column.tolist()
    values = [solve(19).value(lead, 1, (4, 0, 3), (5, 2, 0), 9) for lead in (0, 2)]
    assert values[0] < values[1]
    assert ask("nash", REPLACING) == {"send A": 0.0, "send C": 1.0}


@pytest.mark.parametrize("who", EVERYBODY, ids=str)
@pytest.mark.parametrize("state", [OPENING, REPLACING], ids=["opening", "replacing"])
def test_probabilities_are_those_of_what_is_played(who, state):
    solution, draws = solve(19), 200 if "monte-carlo" in str(who) else 2000
    said = ask(who, state, seed=6, draws=draws, solution=solution)
    assert list(said) == state.legal(0)
    assert sum(said.values()) == pytest.approx(1)
    decides, generator = decider(who, solution), np.random.default_rng(7)
    played = [decides(state.view(0), generator) for _ in range(draws)]
    for move, p in said.items():
        error = np.sqrt(max(p * (1 - p), 0.25 / draws) / draws)
        assert abs(played.count(move) / draws - p) < 6 * error


def test_one_draw_of_the_noise_follows_the_seed():
    one, again, other = (ask(NOISY, OPENING, seed=seed) for seed in (1, 1, 2))
    assert one == again != other
    assert ask("monte-carlo", OPENING, seed=1).keys() == one.keys()
    assert set(ask("monte-carlo", OPENING, seed=1).values()) == {0.0, 1.0}


def test_a_solution_serves_other_hp_at_the_start():
    solution = solve(19)
    assert match("nash", "random", 50, 1, solution, parties=PARTIES_SECTION_5_4).games == 50
    begins = match("nash", "nash", 5, 1, solution, parties=PARTIES_SECTION_5_4).replay(2)
    assert begins[1].hp == ((5, 5, 5), (5, 5, 5))


def test_texts_are_read_again():
    for states in (match("random", "random", 8, seed).replay(k) for seed in (1, 2) for k in (0, 7)):
        for state in states:
            assert State.of(str(state)) == state == eval(repr(state))


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "A 5",
        "*A 5, B 5, C 5 - D 5, E 4, F 4; 19 turns left",
        "*A 5, *B 5, C 5 - D 5, E 4, F 4; 3 turns left",
        "*B 5, A 5, C 5 - *D 5, E 4, F 4; 19 turns left",
        "*A 6, B 5, C 5 - *D 5, E 4, F 4; 19 turns left",
        "*A 0, B 5, C 5 - *D 0, E 4, F 4; 19 turns left",
        "A 0, B 5, C 5 - D 5, E 4, F 4; 19 turns left",
        "*A 5, B 5, C 5 - *D 5, E 4, F 4; -1 turns left",
    ],
)
def test_bad_texts_are_refused(text):
    with pytest.raises(ValueError, match=r"written like|0 to 5|fainted|pair"):
        State.of(text)


# ---- other parties, against plain rules for any sizes


def plain_legal(battle, state, side):
    lead, hp = state[side], state[2 + side]
    moves = [("move", move) for move in battle.parties[side][lead].moves]
    return moves + [("switch", k) for k, h in enumerate(hp) if h and k != lead]


def plain_turn(battle, state, choices):
    leads, hp = list(state[:2]), [list(state[2]), list(state[3])]
    for side, (what, which) in enumerate(choices):
        if what == "switch":
            leads[side] = which
    active = [battle.parties[side][leads[side]] for side in (0, 1)]
    for side in sorted((0, 1), key=lambda side: -active[side].speed):
        what, move = choices[side]
        if what == "move" and hp[side][leads[side]]:
            factor = dict(dict(battle.chart)[move])[active[1 - side].type]
            if factor > 1 and active[side].type == move:
                factor = factor * 4 / 3
            target = leads[1 - side]
            hp[1 - side][target] = max(hp[1 - side][target] - int(2 * factor), 0)
    return *leads, tuple(hp[0]), tuple(hp[1])


def plain_value(battle, state, turns, memo):
    hp = state[2:]
    if turns == 0 or not (any(hp[0]) and any(hp[1])):
        one, two = ((sum(h > 0 for h in members), sum(members)) for members in hp)
        return 0.5 + ((one > two) - (one < two)) / 2
    if (state, turns) not in memo:
        fainted = [side for side in (0, 1) if hp[side][state[side]] == 0]
        if fainted:
            [side] = fainted
            bench = [k for k, h in enumerate(hp[side]) if h]
            options = [(k, *state[1:]) if side == 0 else (state[0], k, *hp) for k in bench]
            best = (max, min)[side]
            memo[state, turns] = best(plain_value(battle, o, turns, memo) for o in options)
        else:
            memo[state, turns] = matrix_value([
                [plain_value(battle, plain_turn(battle, state, (a, b)), turns - 1, memo)
                 for b in plain_legal(battle, state, 1)] for a in plain_legal(battle, state, 0)
            ])  # fmt: skip
    return memo[state, turns]


def anything(generator, sizes):
    """Return random parties and a random chart."""
    types = ["mud", "sun", "ice"]
    speeds = generator.sample(range(50), sum(sizes))
    chart = {a: {b: generator.choice([0, 0.3, 0.5, 1, 1.25, 1.5, 2]) for b in types} for a in types}
    parties = [
        [
            Monster(f"{side}{k}", generator.choice(types), generator.randint(1, 3), speeds.pop(),
                    generator.sample(types, generator.randint(1, 3)))
            for k in range(size)
        ]
        for side, size in zip("XY", sizes, strict=True)
    ]  # fmt: skip
    return parties, chart


@pytest.mark.parametrize("sizes", [(1, 1), (2, 1), (1, 3), (2, 2), (3, 2), (1, 6)])
def test_any_parties_are_solved_as_by_plain_rules(sizes):
    generator = random.Random(sum(sizes))
    for _ in range(3):
        parties, chart = anything(generator, sizes)
        solution = solve(3, parties, chart)
        battle, memo = solution.battle, {}
        for _ in range(25):
            hp = [
                tuple(generator.randint(0, battle.most_hp[side]) for _ in range(size))
                for side, size in enumerate(sizes)
            ]
            state = (*(generator.randrange(size) for size in sizes), *hp)
            alive = [bool(hp[side][state[side]]) for side in (0, 1)]
            if any(alive) and all(map(any, hp)):
                expected = plain_value(battle, state, 3, memo)
                assert solution.value(*state, 3) == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("sizes", [(1, 1), (2, 4), (5, 2)])
def test_any_parties_are_played_as_by_plain_rules(sizes):
    generator = random.Random(sum(sizes))
    for _ in range(10):
        parties, chart = anything(generator, sizes)
        states = list(playing(start(15, parties, chart), [randomly] * 2, np.random.default_rng(1)))
        assert len(states) <= states[0].longest() + 1
        for before, after in itertools.pairwise(states[1:]):
            if len(before.movers) == 2:
                options = [plain_legal(before.battle, before.position, side) for side in (0, 1)]
                texts = [
                    [
                        w if what == "move" else f"switch {parties[side][w].name}"
                        for what, w in found
                    ]
                    for side, found in enumerate(options)
                ]
                assert texts == [before.legal(side) for side in (0, 1)]
                found = {
                    plain_turn(before.battle, before.position, c)
                    for c in itertools.product(*options)
                }
                assert after.position in found
            assert State.of(str(after), parties, chart) == after == eval(repr(after))
        states[-1].returns()
        states[-1].svg()


def test_any_parties_meet():
    parties, chart = anything(random.Random(1), (2, 4))
    for pair in (("nash", "random"), ("nash", randomly), (NOISY, "monte-carlo")):
        result = match(*pair, 20, 1, turns=9, parties=parties, chart=chart)
        check_replay(result, 11, result.results[11])
    solution = solve(9, parties, chart)
    kept = match("nash", "random", 20, 1, solution, turns=9)
    assert (
        kept.results.tolist()
        == match("nash", "random", 20, 1, turns=9, parties=parties, chart=chart).results.tolist()
    )
    opening = start(9, parties, chart).play("X0 against Y3")
    assert sum(ask(NOISY, opening, solution=solution).values()) == pytest.approx(1)


def test_the_damage_rule():
    chart = {"a": {"a": 1, "b": 1.5}, "b": {"a": 0.4, "b": 3}}
    parties = [[Monster("one", "a", 9, 2, ["a", "b"])], [Monster("two", "b", 9, 1, ["a", "b"])]]
    state = State.of("*one 9 - *two 9; 5 turns left", parties, chart)
    lost = [9 - state.play(move, "b").hp[1][0] for move in ("a", "b")]
    assert lost == [4, 6]  # 1.5 and the own type: 2 × 2; 3 without: 2 × 3
    assert [9 - state.play("a", move).hp[0][0] for move in ("a", "b")] == [2, 0]  # 2 × 1, 2 × 0.4
    assert draw.type_chart(chart).count("<rect") == 4


def test_large_battles_are_played_but_not_solved(monkeypatch):
    many = [Monster(f"m{k}", "fire", 20, k, ["fire"]) for k in range(6)]
    others = [Monster(f"n{k}", "water", 20, k + 0.5, ["water", "grass"]) for k in range(6)]
    battle = Battle([many, others])
    assert battle.states == 36 * 21**12
    with pytest.raises(
        ValueError, match=f"{36 * 21**12:,} states and 0 to 2 turns left needs .* GB"
    ):
        solve(2, [many, others])
    result = match(randomly, steadfast, 3, 1, parties=[many, others])
    assert result.games == 3
    assert 'height="12"' in result.replay(0)[-1].svg()
    with pytest.raises(ValueError, match="GB"):
        match("random", steadfast, 3, 1, parties=[many, others])
    memory = psutil.virtual_memory()
    monkeypatch.setattr(psutil, "virtual_memory", lambda: memory._replace(available=10**6))
    with pytest.raises(ValueError, match=r"419,904 states and 0 to 3 turns left needs .* 0.0 GB"):
        solve(3)


# ---- wrong input

HUGE = [Monster(f"m{k}", "fire", 10**6, k + 0.5, ["fire"]) for k in range(6)]
GOOD = {"name": "G", "type": "fire", "hp": 5, "speed": 1, "moves": ["fire"]}


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""}, {"name": "two words"}, {"name": "*"}, {"name": "-x"}, {"name": None},
        {"type": 3}, {"hp": 0}, {"hp": -1}, {"hp": True}, {"hp": 2.0}, {"hp": 2**63},
        {"speed": float("nan")}, {"speed": float("inf")}, {"speed": "fast"}, {"speed": 10**400},
        {"moves": []}, {"moves": "fire"}, {"moves": ["fire", "fire"]}, {"moves": None},
        {"moves": ["fire", "water", "grass", "electric", "air"]}, {"moves": [["fire"]]},
    ],
    ids=str,
)  # fmt: skip
def test_impossible_monsters_are_refused(wrong):
    with pytest.raises(ValueError, match=r"must be|needs"):
        Monster(**GOOD | wrong)


@pytest.mark.parametrize(
    ("parties", "chart", "words"),
    [
        (None, CHART, "sequence"),
        ([PARTIES[0]], CHART, "two parties"),
        ([PARTIES[0], []], CHART, "1 to 6 monsters"),
        ([PARTIES[0], "DEF"], CHART, "sequence"),
        ([PARTIES[0], ["D"]], CHART, "made of monsters"),
        ([PARTIES[0], PARTIES[0]], CHART, "both of speed 5"),
        ([PARTIES[0], PARTIES[1] * 3], CHART, "1 to 6"),
        ([PARTIES[0], PARTIES[1][:1] * 2], CHART, "different names"),
        ([PARTIES[0], [Monster(**GOOD | {"type": "fier"})]], CHART, "'fier' is no type"),
        ([PARTIES[0], [Monster(**GOOD | {"moves": ["gras"]})]], CHART, "'gras' is no type"),
        (PARTIES, None, "a chart goes"),
        (PARTIES, {"fire": 2}, "a chart goes"),
        (PARTIES, {"fire": {"gras": 2}}, "column 'gras'"),
        (PARTIES, {**CHART, "fire": {"fire": -1}}, "factor of fire"),
        (PARTIES, {**CHART, "fire": {"fire": float("nan")}}, "factor of fire"),
        (PARTIES, {**CHART, "fire": {"fire": 1e9}}, "factor of fire"),
        ([HUGE, PARTIES[1]], CHART, "too many"),
    ],
)  # fmt: skip
def test_impossible_parties_are_refused(parties, chart, words):
    for use in (Battle, lambda *a: solve(1, *a), lambda *a: start(1, *a)):
        with pytest.raises(ValueError, match=words):
            use(parties, chart)


@pytest.mark.parametrize(
    "fields",
    [
        (None, (0, 0), ((5, 5, 5), (5, 4, 4)), 19),
        (PAPER, (0,), ((5, 5, 5), (5, 4, 4)), 19),
        (PAPER, 0, ((5, 5, 5), (5, 4, 4)), 19),
        (PAPER, (), ((5, 5, 5), (5, 4, 4)), 19),
        (PAPER, (0, 3), ((5, 5, 5), (5, 4, 4)), 19),
        (PAPER, (0, 1.0), ((5, 5, 5), (5, 4, 4)), 19),
        (PAPER, (0, 0), ((5, 5, 5),), 19),
        (PAPER, (0, 0), None, 19),
        (PAPER, (0, 0), ((5, 5, 5), (5, 4, 2**63)), 19),
        (PAPER, (0, 0), ((5, 5, 5), (5, 4, 4)), -1),
        (PAPER, (0, 0), ((5, 5, 5), (5, 4, 4)), float("nan")),
        (PAPER, None, ((5, 5, 0), (5, 4, 4)), 19),
        (PAPER, None, ((), ()), 19),
    ],
)
def test_impossible_states_are_refused(fields):
    with pytest.raises(ValueError, match=r"must be|fainted"):
        State(*fields)


def test_wrong_requests_are_refused():
    with pytest.raises(ValueError, match="unknown player 'nahs'"):
        match("nahs", randomly, 1, 1)
    with pytest.raises(ValueError, match="unknown player 3"):
        match("nash", 3, 1, 1)
    for games in (0, -1, True, 1.5, None):
        for second in ("nash", randomly):
            with pytest.raises(ValueError, match="games"):
                match("nash", second, games, 1)
    for seed in (-1, 1.5, None):
        for use in (lambda s: match("nash", "nash", 1, s), lambda s: match("nash", randomly, 1, s),
                    lambda s: ask("nash", OPENING, seed=s)):  # fmt: skip
            with pytest.raises(ValueError, match="seed"):
                use(seed)
    for turns in (0, True, 2**63):
        with pytest.raises(ValueError, match="turns"):
            match("nash", "nash", 1, 1, turns=turns)
    with pytest.raises(
        ValueError, match="turns, of those solved, must be a whole number from 1 to 2"
    ):
        match("nash", randomly, 1, 1, solve(2))
    with pytest.raises(ValueError, match="of type Solution"):
        match("nash", "nash", 1, 1, 7)
    duel = [PARTIES[0][:1], PARTIES[1][:1]]
    with pytest.raises(ValueError, match="other parties"):
        match("nash", randomly, 1, 1, solve(19), parties=duel)
    with pytest.raises(ValueError, match="other parties"):
        ask("nash", OPENING, solution=solve(19, duel))
    with pytest.raises(ValueError, match="unknown player"):
        ask(7, OPENING)
    assert max(ask(randomly, OPENING).values()) == 1
    with pytest.raises(ValueError, match="draws"):
        ask("nash", OPENING, draws=0)
    with pytest.raises(ValueError, match="party 2 has nothing to choose"):
        ask("nash", REPLACING, seat=1)
    with pytest.raises(ValueError, match="has nothing to choose"):
        ask("nash", start())
    with pytest.raises(ValueError, match="a state or a view"):
        ask("nash", "A against D")
    with pytest.raises(ValueError, match="seat"):
        ask("nash", OPENING, seat=2)
    for use in (lambda: encode(*OPENING.position, 7), lambda: rules.decode(7, "paper")):
        with pytest.raises(ValueError, match="of type Battle"):
            use()
    with pytest.raises(ValueError, match="before the leads are dealt"):
        print(start().position)


def test_wrong_arrays_are_refused():
    good = solve(1)
    for values, table in (
        (good.values[:, :9], good.table),
        (good.values.astype(np.float32), good.table),
        (good.values, good.table[:, :9]),
        (good.values, good.table.astype(np.int64)),
        (good.values, good.table + 10**6),
        (None, good.table),
        (good.values + 1, good.table),
        (good.values, np.vstack([good.table, good.table])),
    ):
        with pytest.raises(ValueError, match="must"):
            Solution(values, table, 0.0)
