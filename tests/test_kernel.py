"""The compile cache never serves stale code, and leaves other packages' caches alone."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core import config

import gamecore
from gamecore import kernel

PACKAGE = Path(gamecore.__file__).parent
HELPER = "from gamecore.kernel import kernel\n\n@kernel\ndef helper():\n    return {}\n"
CALLER = (
    "import {jit_module}\nfrom gamecore.toy.rules import helper\n\n"
    "@{jit}\ndef caller():\n    return helper() + 1\n"
)


def make_package(folder: Path, caller: str) -> None:
    target = folder / "gamecore"
    (target / "toy").mkdir(parents=True)
    for room in (*kernel.SHARED_ROOMS, "__init__"):
        shutil.copy(PACKAGE / f"{room}.py", target)
    (target / "toy" / "__init__.py").touch()
    (target / "toy" / "rules.py").write_text(HELPER.format(1))
    (target / "toy" / "solve.py").write_text(caller)


def run_python(folder: Path, code: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("NUMBA_CACHE_DIR", None)
    done = subprocess.run([sys.executable, "-c", code], env=environment, cwd=folder,
                          capture_output=True, text=True, check=True)  # fmt: skip
    return done.stdout


def answer(folder: Path) -> int:
    code = "import gamecore, gamecore.toy.solve as s; print(gamecore.__file__, s.caller())"
    origin, value = run_python(folder, code).split()
    assert Path(origin).is_relative_to(folder)  # the copy, not the real package
    return int(value)


def change_helper(folder: Path, value: int) -> None:
    (folder / "gamecore" / "toy" / "rules.py").write_text(HELPER.format(value))


def test_changed_helper_in_another_module_is_not_served_stale(tmp_path):
    make_package(
        tmp_path, CALLER.format(jit_module="gamecore.kernel", jit="gamecore.kernel.kernel")
    )
    assert answer(tmp_path) == 2
    assert answer(tmp_path) == 2  # from the cache
    assert list((tmp_path / ".cache" / "numba").rglob("*.nbc"))
    change_helper(tmp_path, 10)
    assert answer(tmp_path) == 11


def test_plain_numba_would_serve_it_stale(tmp_path):
    """The control: without our decorator on the caller, the change goes unnoticed."""
    make_package(tmp_path, CALLER.format(jit_module="numba", jit="numba.njit(cache=True)"))
    assert answer(tmp_path) == 2
    change_helper(tmp_path, 10)
    assert answer(tmp_path) == 2


def test_source_key_sees_code_but_not_comments(tmp_path, monkeypatch):
    copy = tmp_path / "gamecore"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(kernel, "PACKAGE", copy)
    fresh = kernel.source_key.__wrapped__
    before = fresh("rps")
    rng = copy / "rng.py"
    text = rng.read_text()
    rng.write_text("# a remark\n" + text.replace("Draw 64 random bits", "Draw bits"))
    assert fresh("rps") == before
    rng.write_text(text.replace("17", "18"))
    assert fresh("rps") != before
    rng.write_text(text)
    rules = copy / "rps" / "rules.py"
    rules.write_text(rules.read_text().replace("+ 4", "+ 5"))
    assert fresh("rps") != before
    assert fresh("") == fresh("")


def test_decorator_restores_numba_configuration():
    before = config.CACHE_DIR

    @kernel.kernel
    def double(x):
        return 2 * x

    assert before == config.CACHE_DIR
    assert double(21) == 42
    assert double.targetoptions.get("nogil")
    assert not double.targetoptions.get("fastmath")


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
        if file.name not in ("kernel.py", "solve.py"):
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
    assert list(raise_by.parts.ready) == [(numba.int64, numba.int64)]


@kernel.kernel
def countdown(n):
    return 0 if n == 0 else 1 + countdown(n - 1)


@kernel.kernel
def checked(n):
    if n < 0:
        raise ValueError("below zero")
    return np.full(n, 0.5)


@kernel.kernel
def checked_twice(n):
    return checked(n) + checked(countdown(n))


def test_what_only_kernels_call_is_not_made_ready_for_python():
    assert checked_twice(2).tolist() == [1.0, 1.0]
    assert countdown.parts.ready
    assert not countdown.signatures
    assert countdown(3) == 3
    assert countdown.signatures == [(numba.int64,)]


def test_short_parts_are_inlined_whatever_llvm_thinks_of_them():
    """Left to LLVM, `shuffle` called `below` ten million times instead, and took twice as long."""
    raise_thrice(4)
    [part] = raise_by.parts.ready.values()
    assert "alwaysinline" in str(part.library._final_module)


def test_an_exception_rises_through_the_kernels_above():
    for call in (checked_twice, checked):
        with pytest.raises(ValueError, match="below zero"):
            call(-1)


def test_parts_and_kernels_load_from_the_cache_in_any_order(tmp_path):
    """Constants of the wrapper for Python must not be lost to a kernel that was loaded before."""
    make_package(
        tmp_path, CALLER.format(jit_module="gamecore.kernel", jit="gamecore.kernel.kernel")
    )
    rules = "import numpy as np\n" + HELPER.format("np.zeros(3)")
    (tmp_path / "gamecore" / "toy" / "rules.py").write_text(rules)
    for first, second in (("caller", "helper"), ("caller", "helper"), ("helper", "caller")):
        code = f"import gamecore.toy.solve as s; print(s.{first}().sum(), s.{second}().sum())"
        assert sorted(run_python(tmp_path, code).split()) == ["0.0", "3.0"]


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


def test_read_only_checkout_falls_back(monkeypatch, tmp_path):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr(kernel, "PACKAGE", tmp_path / "gamecore")
    monkeypatch.setattr(os, "access", lambda *a: False)
    assert "gamecore-numba-" in kernel.cache_base.__wrapped__().name
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert kernel.cache_base.__wrapped__() == tmp_path


@pytest.fixture(autouse=True)
def _fresh_caches():
    yield
    kernel.cache_base.cache_clear()
