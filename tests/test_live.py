"""The page's modules, in a WebAssembly engine: the same numbers as Python's, bit for bit."""

import gzip
import hashlib
import json
import math
import random
import statistics
import subprocess
import sys
import time

import numpy as np
import pytest

from book import live
from gamecore import rng
from gamecore.kernel import PACKAGE
from gamecore.live.build import described, plans_of
from gamecore.live.engine import Module, Page
from gamecore.live.generator import SIZE, below, decision, generator
from gamecore.live.link import linked
from gamecore.live.plan import GAMES, source
from gamecore.live.seeds import seed, spawn
from gamecore.live.sums import fsum
from gamecore.papers.experiment import compute, find, prepared
from gamecore.papers.store import stored

PAGE = Page(PACKAGE.parent / "book" / "_static" / "live")
EXPERIMENTS = PAGE.told["experiments"]
#: Inputs for each entry kernel, and the seconds after which slow ones have had enough.
INPUTS, PATIENCE = 200, 10.0
by_game = pytest.mark.parametrize("game", GAMES)


@by_game
def test_modules_are_in_step_with_the_kernels(game):
    told = PAGE.told["modules"][game]
    built = (PAGE.folder / f"{game}.wasm").read_bytes()
    assert told["sha256"] == hashlib.sha256(built).hexdigest()
    assert told["source"] == source(game), f"make live GAMES={game}"


@by_game
def test_descriptions_are_in_step_with_the_plans(game):
    """As JSON writes them."""
    made = json.loads(json.dumps(described(plans_of(game))))
    told = {name: one for name, one in EXPERIMENTS.items() if one["module"] == game}
    assert made == told, f"make live GAMES={game}"


def test_modules_are_small():
    sizes = [len(gzip.compress((PAGE.folder / f"{game}.wasm").read_bytes())) for game in GAMES]
    assert max(sizes) < 200_000
    assert statistics.median(sizes) < 40_000


def test_printed_numbers_stand_beside_their_own():
    """In some cell of each exact experiment all of the paper's numbers are ours, rounded."""
    shown = {}
    for game in live.descriptions().values():
        for name, told in game["experiments"].items():
            if live.drawn(told, game["module"]["entries"]):
                continue
            found, equal = live.stored_rows(name, told, exact=True), []
            for k, printed in enumerate(found["printed"]):
                columns = {**told["shared"], **told["cells"][k]}["columns"]
                ours = dict(zip(columns, found["rows"][k][0], strict=True))
                equal.append(all(abs(ours[c] - printed[c]) <= 0.005 for c in printed))
            shown[name] = max(map(len, found["printed"]))
            assert any(equal), name
    assert {name for name in shown if shown[name]} == {
        "geister/table-6.1", "geister/section-4.2", "pokemon/matrix-1"
    }  # fmt: skip


def test_every_module_is_listed():
    assert set(PAGE.told["modules"]) == set(GAMES)
    assert {file.stem for file in PAGE.folder.glob("*.wasm")} == set(GAMES)


def test_seeds_are_those_of_numpy():
    generator, s = np.random.default_rng(1), np.zeros(4, np.uint64)
    for _ in range(200):
        words = generator.integers(0, 2**32, generator.integers(1, 14), dtype=np.uint32)
        sequence = np.random.SeedSequence(words.tolist())
        seed(words, s)
        assert (s == sequence.generate_state(4, np.uint64)).all()
        if len(words) >= 4:  # shorter ones are padded before they spawn
            spawn(words, 3, s)
            assert (s == sequence.spawn(4)[3].generate_state(4, np.uint64)).all()


def test_generator_is_numpys():
    """Chance and decisions of a game in any order, with seeds of one and two words."""
    chooser, g, s = random.Random(1), np.zeros(SIZE, np.uint64), np.zeros(4, np.uint64)
    for _ in range(50):
        known = chooser.randrange(2 ** chooser.choice([1, 20, 32, 63]))
        generator(np.array([known & 0xFFFFFFFF, known >> 32], np.uint32), g)
        numpys = np.random.default_rng(known)
        for _ in range(100):
            n = chooser.choice([1, 2, 3, 53, 90, 1000, 2**31, 2**31 + 1, 3 * 10**9, 2**32 - 2])
            if chooser.random() < 0.5:
                decision(g, s)
                assert (s == rng.state(int(numpys.integers(2**63)))).all()
            else:
                assert below(g, n) == numpys.integers(n)


def test_sums_are_rounded_once():
    generator = np.random.default_rng(1)
    for _ in range(200):
        numbers = generator.normal(size=50) * 2.0 ** generator.integers(-60, 60, 50)
        numbers = np.concatenate([numbers, -numbers[:25], [2.0**53, 1.0, 2.0**-60]])
        assert fsum(numbers) == math.fsum(numbers)


def entries_of(told: dict) -> set[str]:
    plans = [told["shared"] | cell for cell in told["cells"]]
    return {step[0] for plan in plans for step in plan["steps"]}


def same(found: object, expected: object) -> bool:
    return found == expected or (found != found and expected != expected)


@pytest.fixture(scope="module")
def modules():
    """Instances by what they have prepared, so that a solution is made once."""
    pytest.importorskip("wasmtime")
    return {}


def instance(modules: dict, told: dict, number: int) -> Module:
    plan = told["shared"] | told["cells"][number]
    key = told["module"], str(plan["prepare"]), str(plan.get("=planes"))
    if key not in modules or modules[key].size() > 2**29:  # arrays of other sizes have piled up
        modules[key] = PAGE.module(told["module"])
    return modules[key]


@pytest.mark.parametrize("name", list(EXPERIMENTS))
def test_rows_are_equal_to_pythons(name, modules):
    """Random cells, chunks and root seeds; hundreds of them for each entry kernel that is quick."""
    told, experiment, generator = EXPERIMENTS[name], find(name), random.Random(name)
    sharing = sum(bool(entries_of(one) & entries_of(told)) for one in EXPERIMENTS.values())
    tables, games = prepared(experiment), 10 if name == "pokemon/nine-positions" else 1
    end = time.monotonic() + PATIENCE / sharing
    for _ in range(-(-INPUTS // sharing)):
        number, chunk = generator.randrange(len(told["cells"])), generator.randrange(10**6)
        cell, root = told["cells"][number]["cell"], generator.randrange(2**32)
        module = instance(modules, told, number)
        row = PAGE.run(name, number, chunk, games, root=root, module=module)
        expected = compute(experiment, cell, chunk, games, root, tables)
        assert set(row) == set(expected) - set(cell) - {"chunk", "games"}
        for column, value in row.items():
            assert same(value, expected[column]), (cell, chunk, root, column)
        if time.monotonic() > end:
            break


def test_the_battle_is_solved_alike(modules):
    """Every value of every turn, and every transition."""
    solution = find("pokemon/matrix-1").prepare()
    told = EXPERIMENTS["pokemon/matrix-1"]
    module = instance(modules, told, 0)
    PAGE.run("pokemon/matrix-1", 0, 0, module=module)
    assert np.array_equal(module.get("values"), solution.values, equal_nan=True)
    assert np.array_equal(module.get("table"), solution.table)


def test_all_positions_of_geister_are_counted_alike(modules):
    row = PAGE.run("geister/table-6.1", 0, 0)
    expected = stored("geister/table-6.1").iloc[0]
    assert all(expected[name] == value for name, value in row.items())


def test_an_altered_module_is_found_out(modules, tmp_path):
    """Another factor in the generator, in one byte."""
    factor, other = b"\x42\x09\x7e", b"\x42\x0b\x7e"  # i64.const 9 or 11, i64.mul
    built = (PAGE.folder / "rps.wasm").read_bytes()
    assert factor in built
    altered = tmp_path / "rps.wasm"
    altered.write_bytes(built.replace(factor, other))
    wrong = Module(altered, PAGE.told["modules"]["rps"]["entries"])
    right = PAGE.run("rps/practice", 0, 0)
    assert PAGE.run("rps/practice", 0, 0, module=wrong) != right


def test_an_exception_has_its_name_and_message(modules):
    module = PAGE.module("triomineering")
    for name, value in EXPERIMENTS["triomineering/outcomes"]["shared"].items():
        if name.startswith("="):
            module.set(name[1:], value)
    module.set("keys", np.zeros((2, 4), np.uint64))  # too little room
    module.set("row", np.zeros(2))
    with pytest.raises(MemoryError, match="full"):
        module.call("outcome", start=0, stop=1, rows=7, columns=7)


def test_memory_is_given_back(modules):
    """What kernels take, they leave for the next call."""
    module = PAGE.module("daifugo")
    PAGE.run("daifugo/variants", 0, 0, 1, module=module)
    before = module.size()
    for chunk in range(20):
        PAGE.run("daifugo/variants", 0, chunk, 1, module=module)
    assert module.size() == before


def test_a_kernel_that_cannot_be_compiled_is_named():
    """In a process of its own: building changes numba."""
    code = """
import numpy as np
from gamecore.kernel import kernel
from gamecore.live import build
build.open_numba()
@kernel
def sorts(numbers):
    numbers[:] = np.sort(numbers)
text = build.compiled(sorts, [build.type_of(np.zeros(3))])
build._tried("sorts", build.assembled, [text], ["sorts"])
"""
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "RuntimeError: sorts cannot be compiled for a page" in made.stderr


def test_the_linker_names_what_is_missing():
    """A module with one import, of a function."""
    names = b"\x03env\x04sqrt\x00\x00"
    imports = b"\x02" + bytes([len(names) + 1]) + b"\x01" + names
    symbols = b"\x02\x08\x01\x00"
    custom = b"\x07linking" + symbols
    with pytest.raises(ValueError, match="nobody defines sqrt"):
        linked(b"\0asm\1\0\0\0" + imports + b"\x00" + bytes([len(custom)]) + custom, [])
