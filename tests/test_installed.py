"""The package away from its checkout: as a wheel, with other versions, and without numba's jit."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
pytestmark = pytest.mark.slow


def environment(folder: Path, *packages: str) -> Path:
    """Make an empty environment, install packages, and return its Python."""
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*command, *packages], check=True)
    return python


def told(*command, **options) -> str:
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    for name in ("gamecore", "data"):  # building would leave files in the checkout
        shutil.copytree(ROOT / name, folder / name)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    told(sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--quiet",
         "--wheel-dir", folder, folder)  # fmt: skip
    [file] = folder.glob("*.whl")
    return file


def test_wheel_in_an_empty_environment_gives_all_of_it(wheel, tmp_path):
    python = environment(tmp_path / "env", str(wheel))
    gamecore = python.with_name("gamecore")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    home = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "PYTHONWARNINGS": "error"}
    here = {"cwd": elsewhere, "env": home}
    site = Path(told(python, "-c", "import gamecore; print(gamecore.__path__[0])", **here).strip())
    before = {file for file in site.rglob("*") if "__pycache__" not in file.parts}
    assert told(gamecore, "--version", **here) == told(
        python, "-m", "gamecore", "--version", **here
    )
    assert "geister/matches" in told(gamecore, "list", **here)
    assert "0 differ from stored" in told(gamecore, "run", "rps/practice", **here)
    assert "bit for bit" in told(gamecore, "audit", "rps", **here)
    board = json.loads(told(gamecore, "scoreboard", "--format", "json", **here))
    assert len(board) > 600
    missing = [row for row in board if row["verdict"] == "not attempted"]
    assert not [row for row in missing if row["kind"] != "redrawn"]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    snippets = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    assert len(snippets) == 2
    for snippet in snippets:
        told(python, "-c", snippet, **here)
    assert told(python, "-c", "import gamecore; print(gamecore.geister.PLAYERS[0])", **here)
    assert {file for file in site.rglob("*") if "__pycache__" not in file.parts} == before
    assert list((tmp_path / ".cache" / "gamecore" / "kernels").rglob("*.nbc"))
    assert not list(elsewhere.iterdir())


def lowest(requirement: str) -> str:
    """Return a requirement for the oldest version that another one allows."""
    name, bound = re.match(r"([\w-]+)>=([\w.]+)", requirement).groups()
    return f"{name}=={bound}.*"


@pytest.mark.parametrize("end", ["oldest", "newest"])
def test_fingerprints_and_golden_games_at_both_ends_of_the_bounds(end, tmp_path):
    needed = PROJECT["dependencies"]
    packages = [lowest(line) for line in needed] if end == "oldest" else needed
    python = environment(tmp_path / "env", "pytest", "hypothesis", *packages)
    print(told(python, "-m", "pip", "freeze"))
    told(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "filterwarnings=",
         "tests/test_results.py", "tests/test_daifugo_golden.py", cwd=ROOT,
         env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")})  # fmt: skip


@pytest.mark.parametrize(
    "file", sorted((ROOT / "tests" / "plain").glob("*.py")), ids=lambda f: f.stem
)
def test_plain_python_gives_the_same_results(file):
    """With NUMBA_DISABLE_JIT=1 kernels are what they are written as, and nothing warns."""
    plain, compiled = (
        told(sys.executable, "-W", "error", file, cwd=ROOT,
             env={**os.environ, "NUMBA_DISABLE_JIT": str(off), "PYTHONPATH": str(ROOT)})
        for off in (1, 0)
    )  # fmt: skip
    assert plain == compiled
    assert len(plain) > 200
