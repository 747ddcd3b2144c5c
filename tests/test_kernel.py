"""The compile cache never serves stale code, and leaves other packages' caches alone."""

import ast
import importlib
import inspect
import os
import shutil
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import numba
import numpy as np
import pytest

import gamecore
from gamecore import kernel
from gamecore.papers import experiment

PACKAGE = Path(gamecore.__file__).parent
HELPER = "from gamecore.kernel import kernel\n\n@kernel\ndef helper():\n    return {}\n"
CALLER = (
    "import {jit_module}\nfrom gamecore.toy.rules import helper\n\n"
    "@{jit}\ndef caller():\n    return helper() + 1\n"
)
OURS = CALLER.format(jit_module="gamecore.kernel", jit="gamecore.kernel.kernel")


def make_package(folder: Path, caller: str) -> None:
    target = folder / "gamecore"
    (target / "toy").mkdir(parents=True)
    for room in ("kernel", "__init__"):
        shutil.copy(PACKAGE / f"{room}.py", target)
    (target / "toy" / "__init__.py").touch()
    (target / "toy" / "rules.py").write_text(HELPER.format(1))
    (target / "toy" / "solution.py").write_text(caller)


def toy_environment(folder: Path) -> dict[str, str]:
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    return environment | {"NUMBA_CACHE_DIR": str(folder / "cache")}


def run_python(folder: Path, code: str) -> str:
    environment = toy_environment(folder) | {"PYTHONWARNINGS": "error"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, cwd=folder,
                          capture_output=True, text=True, check=True)  # fmt: skip
    return done.stdout


def answer(folder: Path) -> int:
    code = "import gamecore, gamecore.toy.solution as s; print(gamecore.__file__, s.caller())"
    origin, value = run_python(folder, code).split()
    assert Path(origin).is_relative_to(folder)  # the copy, not the real package
    return int(value)


def change_helper(folder: Path, value: int) -> None:
    (folder / "gamecore" / "toy" / "rules.py").write_text(HELPER.format(value))


def test_changed_helper_in_another_module_is_not_served_stale(tmp_path):
    make_package(tmp_path, OURS)
    assert answer(tmp_path) == 2
    assert answer(tmp_path) == 2  # from the cache
    assert list((tmp_path / "cache").rglob("*.nbc"))
    change_helper(tmp_path, 10)
    assert answer(tmp_path) == 11


def test_plain_numba_would_serve_it_stale(tmp_path):
    """The control: without our decorator on the caller, the change goes unnoticed."""
    make_package(tmp_path, CALLER.format(jit_module="numba", jit="numba.njit(cache=True)"))
    assert answer(tmp_path) == 2
    change_helper(tmp_path, 10)
    assert answer(tmp_path) == 2


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """Return a function that changes a copy of the package and tells which modules' keys differ."""
    copy = tmp_path / "gamecore"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(kernel, "PACKAGE", copy)

    def keys():
        kernel._parsed.cache_clear()
        files = copy.rglob("*.py")
        names = [".".join(("gamecore", *f.relative_to(copy).with_suffix("").parts)) for f in files]
        return {name: kernel.source_key.__wrapped__(name) for name in names}

    before = keys()

    def change(name, old, new):
        file = copy / name
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new), encoding="utf-8")
        after = keys()
        file.write_text(text, encoding="utf-8")
        return {name for name in before if before[name] != after[name]}

    yield change
    kernel._parsed.cache_clear()


def test_source_key_sees_code_but_not_comments(copied):
    assert copied("rng.py", "Draw 64 random bits", "Draw bits") == set()
    assert copied("rng.py", "import numpy", "# a remark\nimport numpy") == set()
    everywhere = copied("rng.py", "17", "18")
    assert {"gamecore.rps.matches", "gamecore.papers.rps.experiments"} <= everywhere
    assert "gamecore.bits" not in everywhere


def test_three_keys_see_what_they_must_and_no_more(copied):
    """Compiled kernels, finished chunks and executed notebooks each have their own."""
    kernels, chunks = "gamecore.rps.matches", "gamecore.papers.rps.experiments"
    rules = copied("rps/rules.py", "+ 4", "+ 5")
    assert {kernels, chunks} <= rules
    judged = copied("papers/rps/judges.py", "low > ", "low < ")
    assert judged == {"gamecore.papers.rps.judges"}
    played = copied("papers/rps/experiments.py", "games=1000", "games=1001")
    assert chunks in played
    assert kernels not in played
    seeds = copied("papers/experiment.py", "[root, *words, chunk]", "[root, *words, chunk + 1]")
    assert chunks in seeds
    assert kernels not in seeds
    for harmless in (
        ("papers/runner.py", "delay=1", "delay=2"), ("papers/figures.py", "7.0", "8.0"),
        ("rps/draw.py", "40", "41"), ("interrupt.py", "interrupted", "stopped"),
    ):  # fmt: skip
        assert not copied(*harmless) & {kernels, chunks}, harmless


def test_key_of_somebody_elses_kernels_follows_their_imports(tmp_path, monkeypatch):
    package = tmp_path / "theirs"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "rules.py").write_text("from gamecore.rng import below\n")
    (package / "players.py").write_text("from .rules import below\nfrom . import rules\n")
    monkeypatch.syspath_prepend(tmp_path)
    __import__("theirs")
    found = set(kernel.reached("theirs.players"))
    assert found >= {"theirs.players", "theirs.rules", "gamecore.rng", "gamecore.kernel"}


def double(x):
    return 2 * x


def test_decorator_restores_numba_configuration():
    before = numba.config.CACHE_DIR
    compiled = kernel.kernel(double)
    assert before == numba.config.CACHE_DIR
    assert compiled(21) == 42
    assert compiled.targetoptions.get("nogil")
    assert not compiled.targetoptions.get("fastmath")


def test_house_rules_of_kernels():
    """One decorator, no fastmath; threads only where exact solutions are computed."""
    for file in PACKAGE.rglob("*.py"):
        names = {
            node.attr if isinstance(node, ast.Attribute) else node.id
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
            if isinstance(node, ast.Attribute | ast.Name)
        }
        if file.name != "kernel.py":
            assert not names & {"njit", "jit"}, file
        assert not names & {"fastmath", "prange"}, file
        if file.name not in ("kernel.py", "solution.py"):
            assert "in_threads" not in names, file


@kernel.kernel
def raise_by(value, step):
    return value + step


@kernel.kernel
def raise_thrice(value):
    return raise_by(raise_by(raise_by(value, 1), 2), step=value)


def test_literals_are_not_compiled_apart():
    assert raise_thrice(4) == 11
    for number in (1, 2):  # as numba asks when it compiles a call with that number in it
        raise_by.get_call_template((numba.int64, numba.types.literal(number)), {})
    assert raise_by.signatures == [(numba.int64, numba.int64)]


def kernels_of(module):
    return [f for f in vars(module).values() if hasattr(f, "py_func") and callable(f)]


def captured(function):
    """Return, by name, everything that a function takes from its own module and from ours."""
    names = function.__code__.co_names
    taken = {name: function.__globals__[name] for name in names if name in function.__globals__}
    ours = [v for v in taken.values() if inspect.ismodule(v) and v.__name__.startswith("gamecore")]
    for module in ours:
        taken |= {name: vars(module)[name] for name in names if name in vars(module)}
    return taken


def test_no_kernel_takes_what_can_be_changed_from_a_module():
    """numba freezes such an array into compiled code; changed later, it would be ignored."""
    files = [f for f in PACKAGE.rglob("*.py") if f.name != "__main__.py"]
    count = 0
    for file in files:
        parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
        module = importlib.import_module(".".join(p for p in parts if p != "__init__"))
        for one in kernels_of(module):
            for name, value in captured(one.py_func).items():
                where = f"{module.__name__}.{one.py_func.__name__} takes {name}"
                if isinstance(value, np.ndarray):
                    count += 1
                    assert not value.flags.writeable, where
                assert not isinstance(value, list | dict | set | bytearray), where
    assert count > 10


@kernel.kernel
def visit(start, stop, seen):
    for i in range(start, stop):
        seen[i] += 1


@pytest.mark.parametrize("size", [0, 1, 7, 1000])
def test_in_threads_visits_everything_once(size):
    seen = np.zeros(size, np.int64)
    kernel.in_threads(visit, size, seen)
    assert (seen == 1).all()


def test_in_threads_raises_what_a_stretch_raises():
    def fail(start, stop):
        raise RuntimeError(f"from {start}")

    with pytest.raises(RuntimeError, match="from 0"):
        kernel.in_threads(fail, 5)


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home of one's own, in which kernels may be kept."""
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr(kernel.platformdirs, "user_cache_dir", lambda *a, **k: str(tmp_path / "c"))
    return tmp_path / "c" / "kernels"


def test_kernels_are_kept_in_a_private_folder_of_the_user(home, monkeypatch):
    assert kernel.cache_folder() == home
    assert home.stat().st_mode & 0o777 == 0o700
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(home.parent))
    assert kernel.cache_folder() == home.parent


CASES = ["writable by others", "owned by another", "read-only", "a file", "full"]


@pytest.mark.parametrize("case", CASES)
def test_a_folder_that_cannot_be_trusted_is_refused_in_a_sentence(home, monkeypatch, case):
    kernel.cache_folder()
    if case == "writable by others":
        home.chmod(0o777)
    elif case == "owned by another":
        monkeypatch.setattr(os, "getuid", lambda: 12345)
    elif case == "read-only":
        monkeypatch.setattr(kernel.tempfile, "TemporaryFile", raiser(OSError(30, "Read-only")))
    elif case == "full":
        monkeypatch.setattr(kernel.shutil, "disk_usage", lambda *a: Room(10**9, 10**9, 4096))
    else:
        home.rmdir()
        home.write_text("not a folder")
    with pytest.warns(RuntimeWarning, match="compiled kernels are not kept in .*NUMBA_CACHE_DIR"):
        assert kernel.cache_folder() is None


def raiser(error):
    def fail(*arguments, **options):
        raise error

    return fail


Room = namedtuple("Room", "total used free")


@pytest.mark.parametrize("case", ["read-only", "full"])
def test_a_chosen_folder_is_trusted_if_it_can_be_used(tmp_path, monkeypatch, case):
    """One that cannot be would, without a word, make numba keep kernels beside the source."""
    tmp_path.chmod(0o777)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert kernel.cache_folder() == tmp_path
    if case == "full":
        monkeypatch.setattr(kernel.shutil, "disk_usage", lambda *a: Room(10**9, 10**9, 4096))
    else:
        monkeypatch.setattr(kernel.tempfile, "TemporaryFile", raiser(OSError(30, "Read-only")))
    with pytest.warns(RuntimeWarning, match=f"not kept in {tmp_path}"):
        assert kernel.cache_folder() is None


def test_without_a_folder_kernels_are_compiled_in_memory(monkeypatch):
    kernel._folder_of.cache_clear()
    monkeypatch.setattr(kernel, "cache_folder", lambda: None)
    compiled = kernel.kernel(double)
    assert compiled(4) == 8
    assert compiled.stats.cache_path is None
    kernel._folder_of.cache_clear()


@pytest.mark.parametrize("damage", ["empty", "truncated", "zeroed", "random"])
@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_damaged_files_are_removed_in_a_sentence_and_made_anew(tmp_path, kind, damage):
    make_package(tmp_path, OURS)
    assert answer(tmp_path) == 2
    files = sorted((tmp_path / "cache").rglob(f"*.{kind}"))
    assert len(files) == 2
    for file in files:
        whole = file.read_bytes()
        noise = np.random.default_rng(1).bytes(len(whole))
        half = whole[: len(whole) // 2].removesuffix(b".")
        harmed = {"empty": b"", "truncated": half, "zeroed": bytes(len(whole)), "random": noise}
        file.write_bytes(harmed[damage])
    code = "import gamecore.toy.solution as s; print(s.caller())"
    done = subprocess.run([sys.executable, "-c", code], env=toy_environment(tmp_path),
                          capture_output=True, text=True, cwd=tmp_path)  # fmt: skip
    assert done.stdout == "2\n", done.stderr
    assert (
        f"damaged files of compiled kernels were removed from {tmp_path / 'cache'}" in done.stderr
    )
    assert "'gamecore compile --fresh' makes all of them anew" in done.stderr
    assert "Traceback" not in done.stderr
    assert answer(tmp_path) == 2  # no warning any more, which would be an error


@pytest.mark.parametrize("case", ["damaged", "full"])
def test_what_numba_stumbles_on_all_the_same_is_a_sentence(tmp_path, monkeypatch, case):
    """Damage in the middle of a file, or a disk that is full a moment later."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    kernel._folder_of.cache_clear()
    kernel.kernel(double)(1)
    for file in tmp_path.rglob("*.nbi"):
        file.write_bytes(b"\x80\x05garbage.")
    again = kernel.kernel(double)
    with monkeypatch.context() as patch:
        if case == "full":
            patch.setattr("builtins.open", raiser(OSError(28, "No space left on device")))
        with pytest.raises(Exception, match=r".") as stumbled:
            again(1)
    kernel._folder_of.cache_clear()
    said = kernel.cache_trouble(stumbled.value)
    assert said in (
        f"damaged compiled kernels in {tmp_path}: 'gamecore compile --fresh' makes them anew",
        f"cannot keep compiled kernels in {tmp_path}: No space left on device; "
        "set NUMBA_CACHE_DIR to another",
    )
    assert (case == "full") == ("No space" in said)


def test_the_key_has_no_blind_spot():
    """What experiments import inside functions only draws; the rest is seen by the key."""
    rooms = [f"gamecore.papers.{game}.experiments" for game in experiment.games()]
    seen = kernel.reached(*rooms)
    assert {"gamecore.papers.experiment", "gamecore.kernel", "gamecore.check"} <= set(seen)
    for module, file in seen.items():
        tree = ast.parse(file.read_bytes())
        outside = set(kernel._outside_functions(tree.body))
        for node in set(ast.walk(tree)) - outside:
            if isinstance(node, ast.ImportFrom | ast.Import):
                name = getattr(node, "module", None) or node.names[0].name
                hidden = (
                    name.startswith("gamecore") and kernel.source_file(name) not in seen.values()
                )
                assert not hidden or name.endswith(".draw"), f"{module} imports {name}"


def test_key_follows_imports_under_an_if_or_a_try_and_in_sub_folders(tmp_path, monkeypatch):
    package = tmp_path / "nested"
    (package / "deep" / "deeper").mkdir(parents=True)
    for folder in (package, package / "deep", package / "deep" / "deeper"):
        (folder / "__init__.py").touch()
    (package / "deep" / "deeper" / "rules.py").write_text("SIZE = 3\n")
    (package / "play.py").write_text(
        "try:\n    from nested.deep.deeper.rules import SIZE\nexcept ImportError:\n    SIZE = 0\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    __import__("nested")
    assert "nested.deep.deeper.rules" in kernel.reached("nested.play")
