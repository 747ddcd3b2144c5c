"""One test for all games: the same rooms, one direction of imports, documented public names."""

import ast
import importlib
import inspect
from pathlib import Path

import pytest

import gamecore
from gamecore import experiment, published

PACKAGE = Path(gamecore.__file__).parent
GAMES = experiment.games()
FILES = sorted(PACKAGE.rglob("*.py"))
by_game = pytest.mark.parametrize("game", GAMES)
#: Who may import whom inside a game: a room sees only rooms before it.
ORDER = ("rules", "solve", "players", "experiments")


def imports(file: Path) -> set[str]:
    """Return the gamecore modules that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in found if name.startswith("gamecore.")}


@by_game
def test_rooms_exist_and_names_are_public(game):
    for room in ("rules", "players", "experiments", "__init__"):
        assert (PACKAGE / game / f"{room}.py").exists(), room
    module = importlib.import_module(f"gamecore.{game}")
    assert module.__doc__
    for name in module.__all__:
        thing = getattr(module, name)
        if callable(thing):
            assert inspect.getdoc(thing), f"{game}.{name} has no docstring"


@by_game
def test_rules_know_nothing_of_players(game):
    seen = imports(PACKAGE / game / "rules.py")
    for later in ORDER[1:]:
        assert f"gamecore.{game}.{later}" not in seen
    for early, *later in (ORDER[i:] for i in range(len(ORDER))):
        file = PACKAGE / game / f"{early}.py"
        if file.exists():
            assert not {f"gamecore.{game}.{room}" for room in later} & imports(file), early


@by_game
def test_games_do_not_import_each_other(game):
    others = {f"gamecore.{other}" for other in GAMES if other != game}
    for file in (PACKAGE / game).glob("*.py"):
        assert not any(name.startswith(tuple(others)) for name in imports(file)), file


def test_shared_rooms_do_not_import_games():
    for file in PACKAGE.glob("*.py"):
        assert not any(name.split(".")[1] in GAMES for name in imports(file)), file


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_modules_are_documented_and_short(file):
    text = file.read_text(encoding="utf-8")
    if text.strip():
        assert ast.get_docstring(ast.parse(text))
    assert text.count("\n") <= 360


@by_game
def test_experiments_describe_themselves(game):
    for name in experiment.names(game):
        found = experiment.find(name)
        assert name.startswith(f"{game}/")
        assert found.play.__doc__
        assert found.fingerprint <= found.games


@by_game
def test_every_published_row_is_measured(game):
    """Nothing that a paper prints is passed over, once the chapter's results are stored."""
    from gamecore import scoreboard

    if game not in published.papers():
        pytest.fail(f"{game} has no data/published/{game}.csv")
    table = scoreboard.board(game)
    pending = table[(table.verdict == "pending") & (table.kind != "redrawn")]
    assert pending.id.tolist() == []
