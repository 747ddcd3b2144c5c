"""The project's own promises: dependency files agree, imports are quick, house rules hold."""

import os
import re
import runpy
import subprocess
import sys
import tomllib
import zipfile
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
EXACT = EXTRAS.pop("live")  # used from inside, so in one version
BOUNDS = {
    canonicalize_name(Requirement(line).name): Requirement(line)
    for line in sum(EXTRAS.values(), PROJECT["dependencies"])
}
#: A pin, with its hashes below it; some are for other systems.
LINES = [line.strip(" \\") for line in (ROOT / "requirements.lock").read_text().splitlines()]
LOCK = {
    canonicalize_name(Requirement(line).name): Requirement(line)
    for line in LINES
    if line and not line.startswith(("#", "--hash"))
}
HERE = {n: pin for n, pin in LOCK.items() if pin.marker is None or pin.marker.evaluate()}


def test_lock_pins_exactly_and_within_bounds():
    for name, pin in LOCK.items():
        assert re.fullmatch(r"==[\w.+!]+", str(pin.specifier)), name
    for name, bound in BOUNDS.items():
        pinned = str(LOCK[name].specifier).removeprefix("==")
        assert bound.specifier.contains(pinned, prereleases=True), name
        assert "<" in str(bound.specifier), f"{name} has no upper bound"


def test_lock_is_what_is_installed():
    wrong = {n: version(n) for n, pin in HERE.items() if not pin.specifier.contains(version(n))}
    assert not wrong


def test_lock_has_hashes_and_they_are_required():
    """Of every package, for all systems that it has files for, not only for this one."""
    counts, name = dict.fromkeys(LOCK, 0), ""
    for line in LINES:
        if line.startswith("--hash"):
            assert re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", line)
            counts[name] += 1
        elif line and not line.startswith("#"):
            name = canonicalize_name(Requirement(line).name)
    assert not [name for name, count in counts.items() if count == 0]
    assert counts["numba"] > 5
    installing = re.findall(r"pip install.*requirements\.lock", (ROOT / "Makefile").read_text())
    assert any("--require-hashes -r requirements.lock" in line for line in installing)
    assert not [line for line in installing if " -r " in line and "--require-hashes" not in line]


def test_pip_refuses_another_file_than_the_locked_one(tmp_path):
    """The hash of a package is what counts, not its name and version."""
    wheel = tmp_path / "absl_py-2.5.1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as made:
        made.writestr("absl/__init__.py", "")
        made.writestr("absl_py-2.5.1.dist-info/METADATA", "Name: absl-py\nVersion: 2.5.1\n")
        made.writestr("absl_py-2.5.1.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        made.writestr("absl_py-2.5.1.dist-info/RECORD", "")
    text = (ROOT / "requirements.lock").read_text()
    [pin] = re.findall(r"^absl-py==.*?(?=^\w)", text, re.DOTALL | re.MULTILINE)
    lock = tmp_path / "lock.txt"
    lock.write_text(re.sub(r"==[^ ]+", "==2.5.1", pin, count=1))
    told = subprocess.run(
        [sys.executable, "-m", "pip", "download", "--no-index", "--find-links", tmp_path,
         "--no-deps", "--require-hashes", "-r", lock, "-d", tmp_path / "got"],
        capture_output=True, text=True, env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
    )  # fmt: skip
    assert told.returncode != 0
    assert "DO NOT MATCH THE HASHES" in told.stderr


@pytest.mark.parametrize(
    ("packages", "code", "words"),
    [
        ([], 0, "SKIPPED"),
        ([{"name": "a", "skip_reason": "not found"}], 0, "SKIPPED"),
        ([{"name": "a", "version": "1", "vulns": []}], 0, "1 of 1 packages looked up: 0 compl"),
        ([{"name": "a", "version": "1", "vulns": [{"id": "X-1", "fix_versions": ["2"]}]}], 1,
         "a 1: X-1, mended in 2"),
        ([{"name": "a", "version": "1", "vulns": []}, {"name": "b", "skip_reason": "no"}], 1,
         "b: not looked up: no"),
    ],
)  # fmt: skip
def test_vulnerabilities_are_told_and_a_check_of_nothing_is_called_skipped(packages, code, words):
    told, text = runpy.run_path(str(ROOT / ".ci" / "vulnerabilities.py"))["verdict"](packages)
    assert told == code
    assert words in text


def test_lock_is_closed():
    """Everything that a pinned package requires here is pinned too."""
    from importlib.metadata import requires

    for name in HERE:
        for line in requires(name) or []:
            needed = Requirement(line)
            if needed.marker is None or needed.marker.evaluate({"extra": ""}):
                assert canonicalize_name(needed.name) in LOCK | {"pip": 0}, f"{name} needs {line}"


def test_what_is_used_from_inside_is_what_is_locked():
    for line in map(Requirement, EXACT):
        assert str(LOCK[canonicalize_name(line.name)].specifier) == str(line.specifier)


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
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert citation.startswith("cff-version: 1.2.0\n")  # of the format, not ours
    assert f"\nversion: {current}\n" in citation
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
        if file.suffix in {".png", ".svg", ".wasm"} or file == Path(__file__) or not file.exists():
            continue
        assert not re.search(pattern, file.read_text(encoding="utf-8")), name


def test_readme_is_as_the_covers_make_it():
    """The headline and the table of chapters; ``make notebooks`` writes them."""
    assert covers.readme() == (ROOT / "README.md").read_text(encoding="utf-8")
