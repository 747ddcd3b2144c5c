"""One test for all games: the same rooms, one direction of imports, documented public names."""

import ast
import doctest
import importlib
import inspect
import re
import zlib
from functools import cache
from pathlib import Path

import pytest

import gamecore
from gamecore import experiment, published

PACKAGE = Path(gamecore.__file__).parent
GAMES = experiment.games()
FILES = sorted(PACKAGE.rglob("*.py"))
by_game = pytest.mark.parametrize("game", GAMES)
#: Modules with public names: shared rooms, and the packages of games that have a chapter.
ROOMS = sorted(f"gamecore.{file.stem}" for file in PACKAGE.glob("[!_]*.py"))
TOC = (PACKAGE.parent / "_toc.yml").read_text(encoding="utf-8")
EXPORTS = [f"gamecore.{game}" for game in GAMES if f"notebooks/{game}\n" in TOC]
by_module = pytest.mark.parametrize("module", [*ROOMS, *EXPORTS])
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
    assert importlib.import_module(f"gamecore.{game}").__all__


def public(module: str) -> dict[str, object]:
    """Return what a module offers: a game's ``__all__``, else whatever is defined in it."""
    found = importlib.import_module(module)
    if hasattr(found, "__all__"):
        return {name: getattr(found, name) for name in found.__all__}
    return {
        name: thing
        for name, thing in vars(found).items()
        if not name.startswith("_") and callable(thing) and thing.__module__ == module
    }


@cache
def examples(module: str) -> set[str]:
    """Return the full names in a module whose docstrings hold examples that doctest finds."""
    found = doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(module))
    return {test.name for test in found if test.examples}


@by_module
def test_public_names_have_a_docstring_with_an_example(module):
    """Constants are described in their game's docstring; functions and classes show their use."""
    about = importlib.import_module(module).__doc__
    assert about
    for name, thing in public(module).items():
        if not callable(thing):
            assert f"\n``{name}``\n    " in about, f"{module}.{name} is not described"
            continue
        text = inspect.getdoc(thing) or ""
        assert text, f"{module}.{name} has no docstring"
        assert not text.startswith(f"{name}("), f"{module}.{name} has only a made-up docstring"
        where = f"{thing.__module__}.{name}"
        assert where in examples(thing.__module__), f"{where} has no example that is run"


def test_examples_are_run(pytestconfig):
    """``make test`` collects them (jitted kernels included, as the test above has found)."""
    assert "--doctest-modules" in pytestconfig.getini("addopts")
    assert "gamecore" in pytestconfig.getini("testpaths")
    assert "gamecore.rng.below" in examples("gamecore.rng")


@by_module
def test_api_page_shows_all_of_a_module(module):
    """No list of members that could be forgotten: autodoc shows whatever has a docstring."""
    page = (PACKAGE.parent / "book" / "gamecore.md").read_text(encoding="utf-8")
    [block] = re.findall(rf"automodule:: {module}\n((?:   :.*\n)+)", page)
    assert "   :members:\n" in block
    assert "exclude-members" not in block
    assert ("   :imported-members:\n" in block) == (module in EXPORTS)


@pytest.mark.browser
@by_module
def test_built_api_page_has_every_name(module):
    inventory = (PACKAGE.parent / "_build" / "html" / "objects.inv").read_bytes()
    lines = zlib.decompress(inventory.split(b"\n", 4)[4]).decode().splitlines()
    shown = {line.split()[0] for line in lines if " py:" in line and "book/gamecore.html" in line}
    wanted = {f"{module}.{name}" for name, thing in public(module).items() if callable(thing)}
    assert wanted <= shown


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
    outside = len(text.splitlines()) - sum(map(doc_lines, ast.walk(ast.parse(text))))
    assert outside <= 320, "without docstrings"


def doc_lines(node: ast.AST) -> int:
    """Return how many lines a syntax node takes, if it is a docstring."""
    value = node.value if isinstance(node, ast.Expr) else None
    is_text = isinstance(value, ast.Constant) and isinstance(value.value, str)
    return node.end_lineno - node.lineno + 1 if is_text else 0


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
