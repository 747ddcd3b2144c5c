"""The project's own promises: dependency files agree, imports are quick, house rules hold."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import gamecore
from book import covers

ROOT = Path(__file__).parents[1]
TOML = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = TOML["project"]
EXTRAS = PROJECT["optional-dependencies"]
PEERS = EXTRAS.pop("bench")  # neither locked nor needed: what is missing is skipped
BOUNDS = {
    canonicalize_name(Requirement(line).name): Requirement(line)
    for line in sum(EXTRAS.values(), PROJECT["dependencies"])
}
LOCK = {
    canonicalize_name(Requirement(line).name): Requirement(line)
    for line in (ROOT / "requirements.lock").read_text().splitlines()
    if line and not line.startswith("#")
}


def test_lock_pins_exactly_and_within_bounds():
    for name, pin in LOCK.items():
        assert re.fullmatch(r"==[\w.+!]+", str(pin.specifier)), name
    for name, bound in BOUNDS.items():
        pinned = str(LOCK[name].specifier).removeprefix("==")
        assert bound.specifier.contains(pinned, prereleases=True), name
        assert "<" in str(bound.specifier), f"{name} has no upper bound"


def test_lock_is_what_is_installed():
    wrong = {n: version(n) for n, pin in LOCK.items() if not pin.specifier.contains(version(n))}
    assert not wrong


def test_lock_is_closed():
    """Everything that a pinned package requires here is pinned too."""
    from importlib.metadata import requires

    for name in LOCK:
        for line in requires(name) or []:
            needed = Requirement(line)
            if needed.marker is None or needed.marker.evaluate({"extra": ""}):
                assert canonicalize_name(needed.name) in LOCK | {"pip": 0}, f"{name} needs {line}"


def test_environment_has_the_same_bounds():
    listed = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    pip = listed.pop()["pip"]
    assert pip.pop() == "-e ."
    python = Requirement(next(line for line in listed if line.startswith("python")))
    assert str(python.specifier) == PROJECT["requires-python"]
    conda = {
        canonicalize_name(Requirement(line).name): Requirement(line)
        for line in [*listed, *pip]
        if not line.startswith(("python", "pip", "setuptools"))
    }
    assert {n: str(r.specifier) for n, r in conda.items()} == {
        n: str(r.specifier) for n, r in BOUNDS.items()
    }
    for card in ("jupyter", "jupyter-book", "numpy", "scipy", "matplotlib", "pandas", "numba"):
        assert card in conda


def test_every_dependency_says_why():
    text = (ROOT / "pyproject.toml").read_text()
    for name in [*BOUNDS, *(Requirement(line).name for line in PEERS)]:
        line = next(x for x in text.splitlines() if re.match(rf'\s+"{name}[><=]', x, re.IGNORECASE))
        assert re.search(r"# \w", line), name


def test_import_is_quick_and_games_are_lazy():
    """`import gamecore` takes under 0.3 s (best of five: a shared machine may stall)."""
    code = (
        "import sys, time; t = time.perf_counter(); import gamecore;"
        "print(time.perf_counter() - t, 'numba' in sys.modules, 'gamecore.rps' in sys.modules)"
    )
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        for _ in range(5)
    ]
    times = [run.stdout.split() for run in runs]
    assert min(float(t[0]) for t in times) < 0.3
    assert times[0][1:] == ["False", "False"]


def test_one_version_everywhere():
    current = gamecore.__version__
    assert version("gamecore") == current
    assert f"\nversion: {current}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\n## {current} (" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_make_lists_its_targets():
    text = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    listed = {line.split()[0]: line.split(None, 1)[1] for line in text.splitlines()}
    for target in ("book", "test", "lab", "notebooks", "reproduce", "reproduce-all", "audit",
                   "bench", "serve", "clean"):  # fmt: skip
        assert len(listed[target]) > 10


@pytest.mark.parametrize("pattern", [r"/(work|root|home)/", r"fastmath=True"])
def test_repository_speaks_of_the_project_alone(pattern):
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True).stdout
    for name in listed.splitlines():
        file = ROOT / name
        if file.suffix in {".png", ".svg"} or file == Path(__file__) or not file.exists():
            continue
        assert not re.search(pattern, file.read_text(encoding="utf-8")), name


def test_readme_is_as_the_covers_make_it():
    """The headline and the table of chapters; ``make notebooks`` writes them."""
    assert covers.readme() == (ROOT / "README.md").read_text(encoding="utf-8")