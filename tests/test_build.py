"""`make book` builds when something changed, and executes again when code or data did."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from book import build

HERE = Path(__file__).parents[1]


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A small checkout; builds are recorded instead of run."""
    for name in ("gamecore/a.py", "data/results/toy.csv", "notebooks/toy.md", "book/intro.md",
                 "_toc.yml", "_config.yml", "requirements.lock"):  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    monkeypatch.setattr(build, "ROOT", tmp_path)
    monkeypatch.setattr(build, "BUILD", tmp_path / "_build")
    monkeypatch.setattr(build, "from_covers", lambda name: name)
    runs = []

    class Done:
        returncode = 0

    def run(command, cwd):
        runs.append([str(word) for word in command])
        (tmp_path / "_build" / ".jupyter_cache").mkdir(parents=True, exist_ok=True)
        return Done

    monkeypatch.setattr(build.subprocess, "run", run)
    return tmp_path, runs, Done


def test_second_build_does_nothing(tree):
    _, runs, _ = tree
    assert build.build()
    assert not build.build()
    assert len(runs) == 1
    assert runs[0][-3:] == ["-W", "-n", "--keep-going"]


@pytest.mark.parametrize(
    ("name", "executes"),
    [("gamecore/a.py", True), ("data/results/toy.csv", True), ("requirements.lock", True),
     ("notebooks/toy.md", False), ("book/intro.md", False), ("_toc.yml", False)],
)  # fmt: skip
def test_change_builds_and_code_or_data_drop_the_cache(tree, name, executes, monkeypatch):
    """A changed notebook is executed again by the cache itself, which compares its cells."""
    root, _, _ = tree
    build.build()
    (root / name).write_text("changed")
    dropped = []
    monkeypatch.setattr(build.shutil, "rmtree", lambda folder, **_: dropped.append(folder.name))
    assert build.build()
    assert dropped == ([".jupyter_cache"] if executes else [])
    assert not build.build()


def test_failed_build_is_tried_again(tree):
    _, runs, done = tree
    done.returncode = 1
    for _ in range(2):
        with pytest.raises(SystemExit, match="did not build"):
            build.build()
    assert len(runs) == 2


def test_twin_digest_sees_source_and_data_of_its_game_only(tree):
    root, _, _ = tree
    source = root / "notebooks" / "toy.md"
    before = build.twin_digest(source)
    (root / "data" / "results" / "toy").mkdir()
    assert build.twin_digest(source) == before
    (root / "data" / "results" / "toy" / "t.csv").write_text("1")
    assert build.twin_digest(source) != before


@pytest.mark.parametrize(
    ("file", "shown"),
    [("papers/rps/judges.py", True), ("papers/show.py", True), ("rps/draw.py", True),
     ("rng.py", True), ("pokemon/rules.py", False), ("cli.py", False)],
)  # fmt: skip
def test_twin_digest_sees_the_code_that_decides_what_is_shown(tmp_path, file, shown):
    """A changed threshold of a claim asks for `make notebooks`."""
    copy = tmp_path / "copy" / "gamecore"
    shutil.copytree(build.PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    code = "from pathlib import Path; from book import build; print(build.twin_digest(Path('rps')))"

    def digest():
        environment = {**os.environ, "PYTHONPATH": f"{copy.parent}{os.pathsep}{HERE}"}
        done = subprocess.run([sys.executable, "-c", code], env=environment, cwd=tmp_path,
                              capture_output=True, text=True, check=True)  # fmt: skip
        return done.stdout

    before = digest()
    (copy / file).write_text((copy / file).read_text(encoding="utf-8") + "\nMORE = 1\n")
    assert (digest() != before) == shown
