"""One test for all games: the plan of the house, one direction of imports, documented names."""

import ast
import doctest
import importlib
import inspect
import re
import zlib
from collections import defaultdict
from dataclasses import fields as dataclass_fields
from dataclasses import is_dataclass
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import gamecore
from gamecore.papers import experiment, published, scoreboard

PACKAGE = Path(gamecore.__file__).parent
GAMES = experiment.games()
FILES = sorted(PACKAGE.rglob("*.py"))
by_game = pytest.mark.parametrize("game", GAMES)
#: Rooms that every game has, in this order of imports, and every paper.
COMMON, COMMON_OF_PAPERS = ("rules", "players", "matches"), {"experiments", "judges"}
#: The command, which sees everything.
COMMAND = {"gamecore.arguments", "gamecore.cli", "gamecore.interrupt", "gamecore.__main__"}
TOC = (PACKAGE.parent / "_toc.yml").read_text(encoding="utf-8")
EXPORTS = [f"gamecore.{game}" for game in GAMES if f"notebooks/{game}\n" in TOC]
#: Types and constants that several games define, each with one meaning in all of them.
SHARED_WORDS = {
    "Lookup": "positions by number, and what is known of each",
    "Move": "one move of one player",
    "PATIENCE": "seconds to wait before giving up",
    "PLAYERS": "the names of a game's players",
    "Player": "a player with its parameters",
    "Position": "a board with what stands on it",
    "Scratch": "memory that kernels work in",
    "Settings": "how a player plays, as numbers for kernels",
    "Solution": "a solved game",
    "State": "a position in a game, with all that is needed to play on",
    "Tree": "nodes and successors, as arrays",
    "View": "what a player may see",
}


def name_of(file: Path) -> str:
    """Return a file's module."""
    parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def imports(file: Path, everywhere: bool = False) -> set[str]:
    """Return the modules that a file imports at its top, or also inside functions."""
    found = set()
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree) if everywhere else tree.body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            parts = {f"{node.module}.{alias.name}" for alias in node.names}
            modules = {part for part in parts if part in MODULES}
            found |= modules | ({node.module} if len(modules) < len(parts) else set())
    return found


MODULES = {name_of(file): file for file in FILES}


def floor(module: str) -> tuple[int, str]:
    """Return a module's floor of the house, and the game that it serves, if it is one game's.

    Games stand on what they share, papers on games, the command on all; ``live``, which makes the
    page's modules, is on top and nobody needs it.
    """
    _, *rooms = module.split(".")
    if module in COMMAND or rooms[:1] == ["live"]:
        return 4 + (module not in COMMAND), ""
    papers = rooms[:1] == ["papers"]
    game = rooms[papers] if len(rooms) > papers and rooms[papers] in GAMES else ""
    return 2 * papers + bool(game), game


#: Modules with public names: shared rooms, and the packages of games that have a chapter.
ROOMS = [
    name for name in MODULES if not floor(name)[1] and name.count(".") == 1 + (".papers." in name)
]
#: Without public names; ``live`` is for building the book, which has a page on it.
UNLISTED = "gamecore.papers", "gamecore.__main__", "gamecore.live"
by_module = pytest.mark.parametrize(
    "module",
    [name for name in ROOMS if name not in UNLISTED] + EXPORTS,
)


@by_game
def test_games_and_papers_have_the_same_rooms(game):
    assert (PACKAGE / game / "draw.py").exists()
    assert {f"gamecore.{game}.{room}" for room in COMMON} <= set(MODULES)
    assert {f"gamecore.papers.{game}.{room}" for room in COMMON_OF_PAPERS} <= set(MODULES)


@pytest.mark.parametrize("module", sorted(MODULES))
def test_imports_go_down(module):
    """A room sees its own floor and those below it, and of other games nothing."""
    level, game = floor(module)
    for name in imports(MODULES[module]) & set(MODULES):
        theirs, other = floor(name)
        assert theirs <= level, f"{module} imports {name}"
        assert other in ("", game) or not game, f"{module} imports {name}, of another game"


def test_imports_go_round_nowhere():
    graph = {name: imports(file) & set(MODULES) for name, file in MODULES.items()}
    order = list(TopologicalSorter(graph).static_order())
    for game in GAMES:  # and whoever decides comes after the rules, matches after those who decide
        places = [order.index(f"gamecore.{game}.{room}") for room in COMMON]
        assert places == sorted(places)


@by_game
def test_games_know_no_papers_and_no_tables(game):
    """Not even inside a function."""
    for file in (PACKAGE / game).glob("*.py"):
        seen = {name.split(".")[0] for name in imports(file, everywhere=True)}
        assert not seen & {"pandas", "scipy", "matplotlib", "IPython"}, file
        assert not any(n.startswith("gamecore.papers") for n in imports(file, everywhere=True)), (
            file
        )


def test_only_the_command_and_the_papers_import_papers():
    users = {n for n, f in MODULES.items() if any("gamecore.papers" in x for x in imports(f, True))}
    assert {name for name in users if floor(name)[0] < 2} == set()
    assert {name for name in users if floor(name)[0] == 4} == {"gamecore.cli"}


def test_no_module_is_shadowed():
    for name in MODULES:
        importlib.import_module(name)
    for name in MODULES:
        package, _, last = name.rpartition(".")
        if package and last != "__main__":
            assert inspect.ismodule(getattr(importlib.import_module(package), last)), name


def test_one_word_has_one_meaning():
    """Types and constants of one name in two rooms mean the same, and stand in the list above."""
    found = defaultdict(set)
    for name, file in MODULES.items():
        if len(name.split(".")) > 3:
            continue  # a paper's own rooms speak of its tables
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            targets = node.targets if isinstance(node, ast.Assign) else []
            words = [target.id for target in targets if isinstance(target, ast.Name)]
            words += [node.name] if isinstance(node, ast.ClassDef) else []
            for word in words:
                if not word.startswith("_") and word != "TYPE_CHECKING":
                    found[word].add(name)
    twice = {word: rooms for word, rooms in found.items() if len(rooms) > 1}
    assert set(twice) == set(SHARED_WORDS), twice


@by_game
def test_names_are_public(game):
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


@by_module
def test_help_describes_every_field(module):
    """Also those of named tuples, of which Python would say "alias for field number 4"."""
    for name, thing in public(module).items():
        fields = getattr(thing, "_fields", ())
        if is_dataclass(thing):
            fields = [field.name for field in dataclass_fields(thing)]
        about = inspect.getdoc(thing) or ""
        unsaid = [f for f in fields if not re.search(rf"^{f} : |``{f}``", about, re.MULTILINE)]
        assert not (inspect.isclass(thing) and unsaid), f"{name}: {unsaid}"


def test_examples_are_run(pytestconfig):
    """``make test`` collects them (jitted kernels included, as the test above has found)."""
    assert "--doctest-modules" in pytestconfig.getini("addopts")
    assert "gamecore" in pytestconfig.getini("testpaths")
    assert "gamecore.rng.below" in examples("gamecore.rng")


def api_page(module: str) -> Path:
    """Return the page of the book that shows a module: a game has its own."""
    book, name = PACKAGE.parent / "book", module.rpartition(".")[2]
    return book / "api" / f"{name}.md" if name in GAMES else book / "gamecore.md"


@by_module
def test_api_page_shows_all_of_a_module(module):
    """No list of members that could be forgotten: autodoc shows whatever has a docstring."""
    [block] = re.findall(rf"automodule:: {module}\n((?:   :.*\n)+)", api_page(module).read_text())
    assert "   :members:\n" in block
    assert "exclude-members" not in block
    assert ("   :imported-members:\n" in block) == (module in EXPORTS)


@pytest.mark.browser
@by_module
def test_built_api_page_has_every_name(module):
    inventory = (PACKAGE.parent / "_build" / "html" / "objects.inv").read_bytes()
    lines = zlib.decompress(inventory.split(b"\n", 4)[4]).decode().splitlines()
    page = api_page(module).relative_to(PACKAGE.parent).with_suffix(".html").as_posix()
    shown = {line.split()[0] for line in lines if " py:" in line and page in line}
    wanted = {f"{module}.{name}" for name, thing in public(module).items() if callable(thing)}
    assert wanted <= shown


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
    if game not in published.papers():
        pytest.fail(f"{game} has no data/published/{game}.csv")
    table = scoreboard.board(game)
    missing = table[(table.verdict == "not attempted") & (table.kind != "redrawn")]
    assert missing.id.tolist() == []
