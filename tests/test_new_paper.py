"""One more paper is forgotten nowhere: rock-paper-scissors under another name, in a new checkout.

The copy touches the files that CONTRIBUTING.md lists and no other.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
#: Where a paper has files of its own: its name stands for a star.
TOUCHED = [
    "gamecore/*/*.py", "gamecore/papers/*/*.py", "data/published/*.csv", "notebooks/*.md",
    "tests/reference/*.py", "tests/protocol/*.py", "tests/judged/*.py", "tests/plain/*.py",
    "book/api/*.md", "book/covers/*.py",
]  # fmt: skip


def told(folder: Path, *command: str) -> str:
    """Run a command there and return what it said."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def of_rps(pattern: str) -> list[Path]:
    """Return the files of rock-paper-scissors that a pattern stands for."""
    return sorted(ROOT.glob("rps".join(pattern.split("*", 1))))


@pytest.fixture(scope="module")
def checkout(tmp_path_factory) -> Path:
    """Copy what git has, then rock-paper-scissors as ``janken``, and store its results."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in told(ROOT, "git", "ls-files").splitlines():
        if (ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    for file in [file for pattern in TOUCHED for file in of_rps(pattern)]:
        renamed = file.relative_to(ROOT).as_posix().replace("rps", "janken")
        (folder / renamed).parent.mkdir(parents=True, exist_ok=True)
        text = re.sub(r"\brps\b", "janken", file.read_text(encoding="utf-8"))
        (folder / renamed).write_text(text, encoding="utf-8")
    contents = (folder / "_toc.yml").read_text()
    line = "      - file: notebooks/rps\n"
    assert line in contents
    (folder / "_toc.yml").write_text(contents.replace(line, line + line.replace("rps", "janken")))
    told(folder, sys.executable, "-m", "gamecore", "run", "janken")
    return folder


def test_every_pattern_has_a_file():
    assert all(of_rps(pattern) for pattern in TOUCHED)


def test_contributing_lists_every_file():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for pattern in TOUCHED:
        place = "<game>".join(pattern.split("*", 1)).removesuffix("*.py")
        assert f"`{place}`" in text, place
    header = (ROOT / "data/published/rps.csv").read_text(encoding="utf-8").splitlines()[0]
    assert not [column for column in header.split(",") if f"`{column}`" not in text]


def test_its_tests_are_green(checkout):
    """Conformance, the reference rules, doors, verdicts and stored rows: all find it by itself."""
    suites = ["conformance", "game", "doors", "results", "judges"]
    files = [f"tests/test_{suite}.py" for suite in suites]
    said = told(
        checkout, sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-v",
        "-m", "not browser and not slow", "-k", "janken", *files, "gamecore/janken",
    )  # fmt: skip
    for suite in suites:
        passed = re.findall(rf"^tests/test_{suite}\.py::.* PASSED", said, re.MULTILINE)
        assert passed, f"test_{suite}.py has not found the new game"
    assert "test_game.py::test_random_games_follow_the_reference_rules[janken]" in said


def test_it_is_on_the_front_page_in_readme_and_in_every_list(checkout):
    code = "from book import covers; print(covers.cards()); print(covers.readme())"
    said = told(checkout, sys.executable, "-c", code)
    assert ":link: /notebooks/janken\n" in said
    assert "| [janken](notebooks/janken.ipynb) |" in said
    assert "janken/practice" in told(checkout, sys.executable, "-m", "gamecore", "list", "janken")
    assert "consistent" in told(checkout, sys.executable, "-m", "gamecore", "scoreboard", "janken")
    code = "from benchmarks import startup; print(startup.games(), startup.first('janken'))"
    assert "match('nash'" in told(checkout, sys.executable, "-c", code).replace('"', "'")
    code = "from setuptools import find_packages; print(find_packages(include=['gamecore.*']))"
    assert "'gamecore.papers.janken'" in told(checkout, sys.executable, "-c", code)
