"""Geister: what is seen and believed, CFR with a belief, habits, responses, and their questions."""

import dataclasses
import random
from collections import defaultdict
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from gamecore import rng
from gamecore.geister import PLAYERS, Position, ask, match, retrograde, settings, start
from gamecore.geister.belief import (
    CFR_A,
    HABIT,
    LIAR,
    MINDS,
    SLIP,
    believe,
    mixed,
    new_thought,
    trusting,
)
from gamecore.geister.duels import _play, duel, learn_habits, mind
from gamecore.geister.habits import HABIT_CLASSES, HABITS, class_of, fit
from gamecore.geister.leaves import no_table, table_of
from gamecore.geister.matches import ENDINGS
from gamecore.geister.players import written
from gamecore.geister.public import (
    BOTTOM_ROW,
    COLOURINGS,
    EVERY_MOVE,
    begin_public,
    new_public,
    step_public,
)
from gamecore.geister.response import (
    GLANCE,
    Depths,
    _tried,
    new_tries,
    no_depths,
    respond,
)
from gamecore.geister.rules import cells_of, mask_of, names_of
from gamecore.geister.tree import LANES, build, new_sketch, new_tree
from gamecore.papers import experiment, questions
from gamecore.papers.geister import questions as rules
from gamecore.papers.geister.beyond import EVEN, FULL, HALF, THESIS
from gamecore.papers.geister.experiments import BENCHMARKS, CFR, CFR_PAIRS, PAIRS
from gamecore.papers.runner import results
from tests.judged import geister as judged
from tests.reference import geister as reference

NUMBER = {written(move): move for move in range(EVERY_MOVE)}
COLOUR = {"": -1, "blue": 0, "red": 1}


@pytest.fixture(scope="module")
def solved():
    return retrograde(4, 4, 2, 2)


@pytest.fixture(scope="module")
def table(solved):
    return table_of(solved)


def games(seed, plies):
    """Play at random; yield the state before each ply, and the levels of what is seen of it."""
    generator = random.Random(seed)
    first, second = (generator.randrange(COLOURINGS) for _ in range(2))
    blues = [names_of(int(BOTTOM_ROW[k]), 4) for k in (first, second)]
    state, seen = start(first_blue=blues[0], second_blue=blues[1]), new_public(3)
    begin_public(seen)
    for ply in range(plies):
        yield state, seen, (first, second)
        if ply == plies - 1:
            return  # what is seen is changed in place
        move = generator.choice(state.legal(state.ply % 2))
        state = state.play(move)
        if state.ending:
            return
        number, took = NUMBER[move], COLOUR[state.history[-1][1]]
        step_public(seen, 0, 0, (state.ply - 1) % 2, number, took)


def some(seed, plies):
    """Return the last state of a random game that goes on for so many plies."""
    found = list(games(seed, plies))
    return found[-1] if len(found) == plies else some(seed + 1000, plies)


def recoloured(state, side, blue):
    """Return the state in which these of a side's pieces are blue."""
    every = state.blue[side] | state.red[side]
    pairs = [list(state.blue), list(state.red)]
    pairs[0][side], pairs[1][side] = blue, every & ~blue
    return dataclasses.replace(state, blue=tuple(pairs[0]), red=tuple(pairs[1]))


# ---- what is seen ----


@pytest.mark.parametrize("seed", range(20))
def test_what_is_seen_is_the_state_without_colours(seed):
    for state, seen, truth in games(seed, 60):
        for side in range(2):
            own = state.blue[side] | state.red[side]
            assert seen.pieces[0, side] == own
            assert seen.blues[0, side, truth[side]] == state.blue[side]
            assert seen.counts[0, side].tolist() == [
                state.blue[side].bit_count(), state.red[side].bit_count()
            ]  # fmt: skip
            assert seen.chaser[0, side] == state.chasers[side]
            possible = {
                int(seen.blues[0, side, k]) for k in range(COLOURINGS) if seen.possible[0, side, k]
            }
            blues = state.blue[side].bit_count()
            assert possible == {mask_of(some) for some in combinations(cells_of(own), blues)}
            assert seen.belief[0, side] == pytest.approx(seen.possible[0, side] / len(possible))


# ---- how players play all colourings ----


@pytest.mark.parametrize("player", PLAYERS)
def test_strategies_of_all_colourings_are_what_players_say(player, table):
    thought, chances = new_thought(table), np.zeros((EVERY_MOVE, COLOURINGS))
    how = settings(iterations=30)
    for seed in range(5):
        state, seen, _ = some(seed, 8 + seed)
        side = state.ply % 2
        mixed(MINDS.index(player), 0.0, seen, 0, side, -1, state.ply % 2, 30, thought, chances)
        for k in range(COLOURINGS):
            if seen.possible[0, side, k]:
                other = recoloured(state, side, int(seen.blues[0, side, k]))
                said = ask(player, other, settings=how, table=table)
                ours = {move: chances[NUMBER[move], k] for move in said}
                assert ours == pytest.approx(said, abs=1e-12)
                assert chances[:, k].sum() == pytest.approx(1.0)
            else:
                assert not chances[:, k].any()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("trust", [0.0, 0.5, 1.0])
def test_cfr_with_a_belief_is_the_plain_cfr_with_one(seed, trust):
    generator = random.Random(seed)
    counts = [generator.randint(1, 2) for _ in range(4)]
    order = generator.sample(range(16), sum(counts))
    position = Position(*(mask_of([order.pop() for _ in range(count)]) for count in counts))
    tree, sketch, colours = new_tree()[0], new_sketch(), np.zeros((3, 2, LANES))
    own, theirs = position.blue | position.red, position.their_blue | position.their_red
    build(tree, sketch, own, counts[0], theirs, counts[2], 2, no_table())
    weights = np.zeros(LANES)
    weights[: tree.types[1]] = [generator.random() for _ in range(tree.types[1])]
    weights /= weights.sum()
    trusting(tree, 25, trust, weights, np.zeros(LANES), np.zeros(LANES), colours)
    board = reference.Board(4, 4)
    named = {
        board.turned(cells_of(int(sketch.other_blue[0, j]))): weights[j]
        for j in range(tree.types[1])
    }
    plain = reference.Position(*(frozenset(cells_of(mask)) for mask in position.masks))
    slow = reference.cfr(board, plain, 2, 25, trust=trust, belief=named)
    ways = (*reference.DIRECTIONS, reference.ESCAPE)
    for i in range(tree.types[0]):
        expected = slow[0, frozenset(cells_of(int(sketch.own_blue[0, i]))), ()]
        total = tree.average[: tree.start[1], i].sum()
        for a in range(tree.start[1]):
            if tree.legal[a, i]:
                action = int(tree.cell[a]), ways[tree.way[a]]
                assert tree.average[a, i] / total == pytest.approx(expected[action], abs=1e-9)


def test_a_certain_belief_takes_the_last_blue_and_leaves_the_last_red():
    """One piece stands beside: who believes it blue takes it and wins, who believes it red not."""
    thought, chances, seen = new_thought(), np.zeros((EVERY_MOVE, COLOURINGS)), new_public(1)
    begin_public(seen)
    seen.pieces[0] = mask_of([13, 15]), mask_of([6, 1])  # the other's cell 6 is our 9
    seen.counts[0] = 1
    seen.possible[0], seen.belief[0] = 0.0, 0.0
    seen.possible[0, :, :2] = 1.0
    seen.blues[0, 0, :2], seen.blues[0, 1, :2] = (1 << 13, 1 << 15), (1 << 6, 1 << 1)
    takes = NUMBER["b4 up"]
    for blue, expected in ((0, 1.0), (1, 0.0)):
        seen.belief[0, 1] = 0.0
        seen.belief[0, 1, blue] = 1.0
        mixed(CFR_A, 1.0, seen, 0, 0, -1, 0, 1000, thought, chances)
        # an own colouring that CFR would not choose keeps the even mixture of its first iteration
        found = chances[takes, :2]
        assert min(found, key=lambda p: abs(p - expected)) == pytest.approx(expected, abs=0.02)


# ---- beliefs ----


@pytest.mark.parametrize("model", ["habits", "cfr-a", "charge"])
def test_a_belief_is_updated_by_the_rule_of_bayes(model):
    thought, chances = new_thought(), np.zeros((EVERY_MOVE, COLOURINGS))
    for seed in range(6):
        state, seen, _ = some(seed, 6 + seed)
        side = state.ply % 2
        mixed(MINDS.index(model), 0.0, seen, 0, side, -1, 0, 50, thought, chances)
        move = random.Random(seed).choice(state.legal(side))
        before = seen.belief[0, side].copy()
        believe(seen, 0, side, NUMBER[move], chances)
        joint = []
        for k in range(COLOURINGS):
            legal = []
            if seen.possible[0, side, k]:
                legal = recoloured(state, side, int(seen.blues[0, side, k])).legal(side)
            slip = SLIP / len(legal) if move in legal else 0.0
            joint.append(before[k] * ((1 - SLIP) * chances[NUMBER[move], k] + slip))
        assert seen.belief[0, side] == pytest.approx(np.array(joint) / sum(joint))


def test_who_stands_on_a_goal_and_does_not_escape_is_held_for_red():
    """The thesis's own example (chapter 7)."""
    thought, chances, seen = new_thought(), np.zeros((EVERY_MOVE, COLOURINGS)), new_public(1)
    begin_public(seen)
    first = BOTTOM_ROW & 1 << 12 != 0  # where the first piece is blue
    seen.pieces[0, 0] ^= 1 << 12 | 1
    seen.blues[0, 0, first] ^= 1 << 12 | 1
    for model in (CFR_A, HABIT):
        seen.belief[0, 0] = 1 / COLOURINGS
        mixed(model, 0.0, seen, 0, 0, -1, 0, 100, thought, chances)
        assert chances[NUMBER["a1 escape"], first] == pytest.approx(1.0)
        believe(seen, 0, 0, NUMBER["d4 up"], chances)
        assert seen.belief[0, 0, first].sum() < 0.2


# ---- habits ----


def test_habits_are_those_of_the_stored_games():
    rows = results("geister/habits")
    weights = rows[[f"class_{c}" for c in range(HABIT_CLASSES)]].mean()
    assert (1000 * weights).round().astype(int).tolist() == HABITS.tolist()


def test_classes_say_colour_capture_progress_and_neighbours():
    seen = set()
    for _, levels, truth in (one for seed in range(30) for one in games(seed, 80)):
        own, blue = int(levels.pieces[0, 0]), int(levels.blues[0, 0, truth[0]])
        theirs = int(f"{levels.pieces[0, 1]:016b}"[::-1], 2)
        board = reference.Board(4, 4)
        red = frozenset(cells_of(own & ~blue))
        others = frozenset(cells_of(theirs))
        plain = reference.Position(frozenset(cells_of(blue)), red, others, frozenset())
        for cell, way in board.moves(plain):
            to = board.step(cell, way)
            if to is None:
                continue
            kind = 2 if to in others else int(reference.approaches(board, plain, (cell, way)))
            gain = board.distance(cell) - board.distance(to)
            goes = 3 if board.distance(to) == 0 else 1 + gain
            expected = (cell in red, kind, goes, board.adjacent(cell, others))
            number = class_of(blue, theirs, NUMBER[written(5 * cell + _way(way))])
            found = number // 24, number // 8 % 3, number // 2 % 4, number % 2
            assert found == expected
            seen.add(number)
    assert len(seen) > 35  # eight have no moves: who takes stands beside


def _way(name):
    return (*reference.DIRECTIONS, reference.ESCAPE).index(name)


def test_fitted_weights_make_the_moves_as_frequent_as_they_were():
    """Where the likelihood is greatest, expected and made moves of a class are equally many."""
    generator = np.random.default_rng(1)
    truth = generator.uniform(0.2, 5.0, HABIT_CLASSES)
    offered = generator.integers(0, 3, (3000, HABIT_CLASSES)).astype(np.int8)
    made = np.array(
        [generator.choice(HABIT_CLASSES, p=row * truth / (row * truth).sum()) for row in offered],
        np.int8,
    )
    weights = np.ones(HABIT_CLASSES)
    fit(offered, made, weights)
    shares = offered * weights / (offered * weights).sum(1, keepdims=True)
    expected = shares.sum(0) + 2 * weights / (weights + 1)  # one won and one lost to a weight of 1
    assert expected == pytest.approx(np.bincount(made, minlength=HABIT_CLASSES) + 1.0, abs=0.1)
    assert np.corrcoef(np.log(weights), np.log(truth))[0, 1] > 0.9


def test_a_liar_moves_blues_as_reds():
    thought = new_thought()
    honest, lying = (np.zeros((EVERY_MOVE, COLOURINGS)) for _ in range(2))
    for seed in range(8):
        _, seen, _ = some(seed, 7)
        side = 1
        seen.pieces[0, side] &= ~0b1001  # no escapes
        mixed(HABIT, 0.0, seen, 0, side, -1, 0, 1, thought, honest)
        mixed(LIAR, 0.0, seen, 0, side, -1, 0, 1, thought, lying)
        if seen.pieces[0, side].bit_count() == 4:
            for k in range(COLOURINGS):
                swapped = int(seen.pieces[0, side] & ~seen.blues[0, side, k])
                [same] = np.flatnonzero(seen.blues[0, side] == swapped)
                assert lying[:, k] == pytest.approx(honest[:, same])


def test_habits_learnt_from_random_games_know_no_colours(table):
    weights, moves = learn_habits(1, 5, table=table)
    assert moves > 5
    assert (weights > 0).all()


# ---- games and responses ----


@pytest.mark.parametrize("pair", [("charge", "purple"), ("anti", "charge")])
def test_games_of_sure_players_are_those_of_a_match(pair):
    known = match(*pair, 72, 0)
    memory = new_public(3), np.zeros(200, np.int64), np.zeros(3)
    rest = rng.state(0), new_thought(), new_tries(), no_depths()
    for game in range(0, 72, 5):
        mine, theirs = divmod(game // 2 % 36, 6)
        result = _play(*map(mind, pair), game % 2, mine, theirs, *memory, *rest)
        assert result == (known.results[game], known.counts["plies"][game])


def worth(solved, state):
    """What an open position counts for the side to move."""
    result = solved.result(state.position)
    if result.outcome == "draw":
        return 0.0
    return (1 if result.outcome == "win" else -1) * (1 - result.depth / 100)


def ended(state, side):
    won = state.ending.endswith("win") == (side == 0)
    return 1.0 if won else -1.0


def plainly(state, weights, target, move, solved, table):
    """What a first move is worth to a response, by states and what the target says."""
    side, how, value = state.ply % 2, settings(iterations=GLANCE), 0.0
    seen = defaultdict(dict)
    for blue, weight in weights.items():
        after = recoloured(state, 1 - side, blue).play(move)
        if after.ending:
            value += weight * ended(after, side)
        else:
            seen[after.history[-1][1]][blue] = weight, after
    for group in seen.values():
        replies = {b: ask(target, s, settings=how, table=table) for b, (_, s) in group.items()}
        for reply in {reply for said in replies.values() for reply in said}:
            left = [
                (weight * replies[b][reply], after.play(reply))
                for b, (weight, after) in group.items()
                if replies[b].get(reply, 0.0) > 0.0
            ]
            if left and left[0][1].ending:
                value += sum(weight for weight, _ in left) * ended(left[0][1], side)
            elif left:
                value += max(
                    sum(w * _last(s.play(second), side, solved) for w, s in left)
                    for second in left[0][1].legal(side)
                )
    return value


def _last(state, side, solved):
    return ended(state, side) if state.ending else -worth(solved, state)


@pytest.mark.parametrize("target", ["random", "purple", "anti", "cfr-a", "cfr-b"])
def test_the_response_values_moves_as_plain_python_does(target, solved, table):
    known = Depths(solved.open, solved.planes, table.rank, table.index)
    for seed in (1, 2):
        state, seen, truth = some(seed, 9 + 3 * seed)
        side = state.ply % 2
        if any(move.endswith("escape") for move in state.legal(side)):
            continue
        posterior = np.random.default_rng(seed).random(COLOURINGS) * seen.possible[0, 1 - side]
        posterior /= posterior.sum()
        weights = {int(seen.blues[0, 1 - side, k]): posterior[k] for k in np.flatnonzero(posterior)}
        args = seen, side, truth[side], mind(target), posterior, state.ply
        rest = new_thought(table), new_tries(), known
        values = {}
        for move in state.legal(side):
            values[move] = _tried(*args, NUMBER[move], *rest)
            expected = plainly(state, weights, target, move, solved, table)
            assert values[move] == pytest.approx(expected, abs=1e-9)
        best = max(values.values())
        assert values[written(respond(*args, *rest))] == best


def test_minds_and_duels_refuse_what_cannot_be_played():
    with pytest.raises(ValueError, match="kind must be one of"):
        mind("nobody")
    with pytest.raises(ValueError, match="trust"):
        mind("cfr-a", "habits", 2.0)
    with pytest.raises(ValueError, match="respond to"):
        duel(mind("response"), mind("random"), 1, 1)
    with pytest.raises(ValueError, match="CFR-B needs its table"):
        duel(mind("cfr-a", "cfr-b", 1.0), mind("random"), 1, 1)


def test_fewer_games_are_the_first_of_more():
    few, more = (duel(mind("habits"), mind("liar"), n, 3) for n in (5, 12))
    assert few.results.tolist() == more.results[:5].tolist()
    assert few.counts["believed"] == pytest.approx(few.counts["even"])  # it has no model


# ---- questions ----


def scored(keys, won, games=1000, **more):
    """Return rows of players that remember, in four chunks; `won` is how many of 100 they win."""
    return pd.DataFrame([
        {"player": p, "model": way[0], "trust": way[1], "opponent": o, "chunk": chunk,
         "games": games // 4, "win": games // 4 * won(p, way, o) // 100, "draw": 0,
         "decisions": 100, "believed": 30.0 + chunk, "even": 20.0, **more}
        for p, way, o in keys for chunk in range(4)
    ])  # fmt: skip


def every_way(ways, opponents):
    return [(p, way, o) for p in CFR for way in ways for o in opponents]


def answers(judge, *frames):
    return {name.partition("/")[2]: one.holds for name, one in judge(*frames)}


#: Games in which the purple AI leaves both CFR players 25 of 100.
[MATCHES] = judged.games((*PAIRS, *CFR_PAIRS), {})()


@pytest.mark.parametrize(("least", "answer"), [(60, True), (10, False), (27, None)])
def test_whether_a_minimum_rises(least, answer):
    def won(player, way, other):
        return least if way == FULL and other == "anti" else 80

    rows = scored(every_way((EVEN, FULL, HALF), BENCHMARKS), won)
    found = answers(rules.minima, rows, MATCHES)
    assert found == {
        "past-moves-a": answer, "past-moves-b": answer, "half-trust-a": True, "half-trust-b": True
    }  # fmt: skip
    rows = scored([(p, (p, 1.0), o) for p in CFR for o in BENCHMARKS], lambda p, way, o: least)
    assert answers(rules.mirrored, rows, MATCHES) == {"mirror": answer}


@pytest.mark.parametrize(("more", "answer"), [(10, True), (-10, False), (0, None)])
def test_whether_it_is_the_belief(more, answer):
    keys = every_way((EVEN, FULL, HALF), BENCHMARKS)
    rows = scored(keys, lambda p, way, o: 40 + more * (way == FULL))
    assert answers(rules.belief, rows)["belief-itself"] is answer
    keys = every_way((EVEN, FULL), ("habits", "liar"))
    rows = scored(keys, lambda p, way, o: 40 + more * (way == FULL))
    found = answers(rules.lies, rows)
    assert found["honest"] is answer
    assert found["liar"] is (None if answer is None else not answer)


@pytest.mark.parametrize(("even", "answer"), [(20.0, True), (50.0, False), (31.0, None)])
def test_whether_colours_are_known(even, answer):
    keys = every_way((EVEN, FULL, HALF), BENCHMARKS)
    rows = scored(keys, lambda p, way, o: 50, even=even)
    assert answers(rules.belief, rows)["colours-known"] is answer


@pytest.mark.parametrize(
    ("cfr", "benchmark", "memory", "blind", "answer"),
    [(60, 3, -20, 15, True), (3, 60, 20, -3, False), (50, 50, 0, 0, None)],
)
def test_who_is_hardest_to_exploit(cfr, benchmark, memory, blind, answer):
    """Against the thesis's own players everybody wins four of five here: the response decides."""
    rows = MATCHES.assign(**dict.fromkeys(ENDINGS, 0))
    rows["escape win"], rows["escape loss"] = rows.games * 4 // 5, rows.games // 5
    rows = pd.concat([rows, rows.assign(player=rows.opponent, opponent=rows.player)])
    keys = [(p, THESIS, o) for p in PLAYERS for o in ("response", "blind")]
    keys += [(p, FULL, "response") for p in CFR]

    def won(player, way, other):
        base = cfr if player in CFR else benchmark
        return base + blind * (other == "blind") + memory * (way == FULL)

    found = answers(rules.hardest, scored(keys, won), rows)
    assert set(found) == {"hardest-to-exploit", "memory-exploited", "colours-leak"}
    assert set(found.values()) == {answer}


def test_every_question_has_a_rule_and_every_rule_a_question():
    ids = set(questions.asked("geister").id)
    named = {"past-moves-a", "half-trust-b", "liar", "hardest-to-exploit", "colours-leak"}
    assert {f"geister/{name}" for name in named} <= ids
    assert {"geister/past-moves", "geister/response"} <= set(experiment.names("geister"))
