"""Judges on made-up rows: every claim on both sides of its threshold, and no mutant survives."""

import ast

import pytest

from gamecore.kernel import reached
from gamecore.papers import published, scoreboard
from gamecore.papers.experiment import find, games
from tests import judging

by_game = pytest.mark.parametrize("game", games())


@by_game
def test_cases_come_out_as_they_must(game):
    wrong = {i: judging.failures(game, case) for i, case in enumerate(judging.cases(game))}
    assert {i: words for i, words in wrong.items() if words} == {}


@by_game
def test_every_claim_is_tried_on_both_sides_of_its_threshold(game):
    claims = {row.id for row in published.load(game) if row.kind == "claim"}
    tried = [
        (f"{game}/{name}", x) for case in judging.cases(game) for name, x in case.holds.items()
    ]
    for side in (True, False):
        assert claims - {name for name, holds in tried if holds is side} == set(), side


@by_game
def test_every_judge_is_named_documented_and_tried(game):
    judges = scoreboard.judges(game)
    assert judges
    for judge in judges:
        assert judge.__name__ != "_"
        assert judge.__doc__
        assert all(find(name) for name in judge.experiments)
    assert {case.judge for case in judging.cases(game)} == {judge.__name__ for judge in judges}


@by_game
def test_judges_can_look_at_nothing_but_their_rows(game):
    """Nothing that they import, directly or not, knows what is stored or runs an experiment."""
    for module in judging.rooms(game).values():
        seen = reached(module.__name__)
        assert "gamecore.papers.stats" in seen
        assert not seen.keys() & {"gamecore.papers.store", "gamecore.papers.runner"}


@pytest.mark.parametrize(("identity", "name", "value"), list(judging.written_limits()))
def test_limits_are_watched(identity, name, value):
    """A written threshold 10 % higher or lower is noticed by some case."""
    assert judging.limit_is_watched(identity, name, value)


@by_game
def test_a_room_without_a_change_survives(game):
    """Otherwise a mutant could be killed by how it is tried."""
    for room, module in judging.rooms(game).items():
        same = judging.Mutant(game, room, 0, "nothing", ast.parse(judging.source(module)))
        assert not judging.is_killed(same)


@pytest.mark.slow
def test_no_mutant_survives(capsys):
    tried, survived = 0, []
    for game in games():
        texts = {room: judging.source(module) for room, module in judging.rooms(game).items()}
        for mutant in judging.mutants(game):
            tried += 1
            if not judging.is_killed(mutant):
                text = texts[mutant.room].splitlines()[mutant.line - 1].strip()
                survived.append(f"{game}/{mutant.room}.py:{mutant.line}: {mutant.words}: {text}")
    claims = sum(row.kind == "claim" for row in published.load())
    judges = sum(len(scoreboard.judges(game)) for game in games())
    with capsys.disabled():
        print(f"\n{judges} judges, {claims} claims, {tried} mutants, {len(survived)} survived")
    assert survived == []


@by_game
def test_thresholds_stand_in_the_published_tests_alone(game):
    """A number in a comparison needs a reason, ``# not a limit: why``, on its line."""
    for room, module in judging.rooms(game).items():
        lines = judging.source(module).splitlines()
        for node in ast.walk(ast.parse(judging.source(module))):
            sides = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
            for side in sides:
                if isinstance(side, ast.Constant) and type(side.value) in (int, float):
                    text = lines[side.lineno - 1]
                    assert "# not a limit: " in text, f"{game}/{room}.py:{side.lineno}: {text}"
