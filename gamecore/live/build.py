"""From kernels to WebAssembly: a module for each game, and a JSON file that describes it.

``python -m gamecore.live.build`` writes them into ``book/_static/live``. This is the one place that
knows numba from inside. It runs when kernels change (`make test` finds out), and nothing imports
it.

How a kernel becomes part of a module: numba makes LLVM's language of it, here without optimising,
for its passes would already assume this machine's 64-bit addresses. That is declared to be code for
WebAssembly, joined with ``runtime.ll``, optimised, compiled and linked. Nothing of Python is left
in it, and arithmetic is IEEE 754's on both sides, so results are equal bit for bit.
"""

import gzip
import hashlib
import importlib
import json
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from numba.core.caching import Cache
from numba.core.codegen import CPUCodeLibrary
from numba.np.numpy_support import as_dtype

from gamecore.kernel import PACKAGE
from gamecore.live.link import linked
from gamecore.live.plan import GAMES, GameTable, Plan, Room, arguments, made, memory, source
from gamecore.live.seeds import seed
from gamecore.papers.experiment import ROOT, Cell, find, words_of

FOLDER = PACKAGE.parent / "book" / "_static" / "live"
TRIPLE = "wasm32-unknown-unknown"
LAYOUT = "e-m:e-p:32:32-p10:8:8-p20:8:8-i64:64-i128:128-n32:64-S128-ni:1:10:20"
EXTENSIONS = "+bulk-memory,+simd128,+sign-ext,+nontrapping-fptoint,+mutable-globals"
#: Functions of numba for which `runtime.ll` has others, and what names this machine.
_REPLACED = re.compile(r"^define [^\n]*@(NRT_(?:inc|dec)ref)\(.*?^}\n", re.M | re.S)
_HOST = re.compile(r'"target-(?:cpu|features)"="[^"]*"|^target (?:triple|datalayout) .*\n', re.M)


def open_numba() -> None:
    """Let numba neither optimise nor read or write its cache, and keep its code as text.

    For this process only: what it compiles from here on is of no other use.
    """

    def keep(library: Any) -> None:
        library.as_written = str(library._final_module)

    code: Any = CPUCodeLibrary
    code._optimize_functions, code._optimize_final_module = lambda *_: None, keep
    cache: Any = Cache
    cache.load_overload = cache.save_overload = lambda *_: None
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    warnings.simplefilter("ignore", numba.NumbaWarning)


def type_of(value: Any) -> Any:
    """Return numba's type of an argument."""
    if isinstance(value, np.ndarray):
        return numba.types.Array(numba.from_dtype(value.dtype), value.ndim, "C")
    return numba.types.float64 if isinstance(value, float) else numba.types.int64


def compiled(kernel: Any, types: list) -> str:
    """Return a kernel in LLVM's language, with an entry of its name that a page can call."""
    kernel.compile(tuple(types))
    found = kernel.overloads[tuple(types)]
    text = _REPLACED.sub(r"declare void @\1(ptr)\n", found.library.as_written)
    return _HOST.sub("", text) + _entry(kernel.__name__, found.fndesc.llvm_func_name, types)


def _entry(name: str, inner: str, types: list) -> str:
    """Return a function that takes what JavaScript has, and calls a kernel as numba does.

    A number comes as a double, whole or not; an array as its address and the lengths of its sides.
    The result is 0, or the address of numba's record of an exception, in which the address and the
    length of a pickle come first.
    """
    taken, lines, passed = [], [], ["ptr %result", "ptr %exception"]
    for k, kind in enumerate(types):
        if isinstance(kind, numba.types.Array):
            size = as_dtype(kind.dtype).itemsize
            sides: list[str] = []
            strides: list[str] = []
            stride = str(size)
            for d in reversed(range(kind.ndim)):
                lines.append(f"%side{k}.{d} = zext i32 %a{k}.{d} to i64")
                lines.append(f"%stride{k}.{d} = mul i64 {stride}, %side{k}.{d}")
                sides.insert(0, f"i64 %side{k}.{d}")
                strides.insert(0, f"i64 {stride}")
                stride = f"%stride{k}.{d}"
            lines.append(f"%items{k} = udiv i64 {stride}, {size}")
            taken += [f"ptr %a{k}", *(f"i32 %a{k}.{d}" for d in range(kind.ndim))]
            passed += ["ptr null", "ptr null", f"i64 %items{k}", f"i64 {size}", f"ptr %a{k}"]
            passed += sides + strides
        else:
            taken.append(f"double %a{k}")
            whole = kind == numba.types.int64
            lines += [f"%whole{k} = fptosi double %a{k} to i64"] * whole
            passed.append(f"i64 %whole{k}" if whole else f"double %a{k}")
    return f"""
define i32 @{name}({", ".join(taken)}) {{
  %result = alloca ptr
  %exception = alloca ptr
  {"".join(line + chr(10) for line in lines)}
  %status = call i32 @{inner}({", ".join(passed)})
  %raised = load ptr, ptr %exception
  %told = ptrtoint ptr %raised to i32
  %fine = icmp eq i32 %status, 0
  %answer = select i1 %fine, i32 0, i32 %told
  ret i32 %answer
}}
"""


def assembled(texts: Iterable[str], exports: list[str]) -> bytes:
    """Return one module of several kernels in LLVM's language."""
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(
        opt=3, reloc="static", codemodel="default", features=EXTENSIONS
    )
    whole = _parsed("")
    for text in texts:
        whole.link_in(_parsed(text))
    _keep(whole, exports)
    _optimise(whole, machine)  # counts of references go in pairs as long as they are calls
    whole.link_in(_parsed((PACKAGE / "live" / "runtime.ll").read_text()))
    _keep(whole, [*exports, "allocate", "__multi3"])
    _optimise(whole, machine)
    return linked(machine.emit_object(whole), [*exports, "allocate"])


def _parsed(text: str) -> Any:
    module = llvm.parse_assembly(text)
    module.triple, module.data_layout = TRIPLE, LAYOUT
    return module


def _keep(module: Any, names: list[str]) -> None:
    """Make all that is defined internal, but for some functions: what they do not need can go."""
    for value in (*module.functions, *module.global_variables):
        if not value.is_declaration and value.name not in names:
            value.linkage = "internal"


def _optimise(module: Any, machine: Any) -> None:
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    builder = llvm.create_pass_builder(machine, options)
    passes = builder.getModulePassManager()
    passes.add_refprune_pass()
    passes.run(module, builder)


Plans = dict[str, list[tuple[Cell, Plan]]]


def plans_of(game: str) -> Plans:
    """Return the plans of a game's experiments, cell by cell; some cells have none."""
    room = importlib.import_module(f"gamecore.live.plans.{game}")
    made = {name: [(c, plan(c)) for c in find(name).cells] for name, plan in room.PLANS.items()}
    return {name: [pair for pair in pairs if pair[1]] for name, pairs in made.items()}


def module(plans: Plans, table: GameTable) -> tuple[bytes, dict[str, list[str]]]:
    """Return a game's module, and the names of the arguments of its entries.

    Raises
    ------
    RuntimeError
        With the name of the kernel that cannot be compiled.
    """
    kernels: dict[str, Callable] = {}
    types: dict[str, list] = {}

    def take(kernel: Callable, known: Mapping[str, Any]) -> None:
        label = kernel.__name__
        asked = [type_of(known[one]) for one in arguments(kernel)]
        if (kernels.setdefault(label, kernel), types.setdefault(label, asked)) != (kernel, asked):
            raise RuntimeError(f"two kernels are called {label}, or one with two kinds of values")

    take(seed, {"words": np.zeros(1, np.uint32), "s": np.zeros(1, np.uint64)})
    for name, pairs in plans.items():
        for _, plan in pairs:
            known = memory(plan, find(name).games)
            for step in (*plan.prepare, *plan.steps):
                take(step.kernel, known)
    known = made(table.all())
    for kernel in table.kernels:
        take(kernel, known)
    texts = {label: _tried(label, compiled, kernels[label], types[label]) for label in kernels}
    try:
        found = assembled(texts.values(), list(texts))
    except ValueError:  # each alone, to say which it is
        for label, text in texts.items():
            _tried(label, assembled, [text], [label])
        raise
    return found, {label: arguments(kernel) for label, kernel in kernels.items()}


def _tried(label: str, function: Callable, *arguments: Any) -> Any:
    try:
        return function(*arguments)
    except Exception as error:
        raise RuntimeError(f"{label} cannot be compiled for a page: {error}") from error


def described(plans: Plans) -> dict[str, Any]:
    """Return experiments as a page reads them; what all cells of one share is said once."""
    told = {}
    for name, pairs in plans.items():
        experiment, cells = find(name), [_plain(plan) for _, plan in pairs]
        shared = {k: v for k, v in cells[0].items() if all(cell.get(k) == v for cell in cells)}
        told[name] = {
            "module": name.split("/")[0], "games": experiment.games, "chunks": experiment.paper,
            "fingerprint": experiment.fingerprint, "shared": shared,
            "cells": [
                {"cell": cell, "words": words_of(experiment, cell),
                 **{k: v for k, v in own.items() if k not in shared}}
                for (cell, _), own in zip(pairs, cells, strict=True)
            ],
        }  # fmt: skip
    return told


def _plain(plan: Plan) -> dict[str, Any]:
    found: dict[str, Any] = {"columns": list(plan.columns), "codes": dict(plan.codes)}
    for name, steps in (("prepare", plan.prepare), ("steps", plan.steps)):
        found[name] = [[s.kernel.__name__, s.size, s.stretch, s.says] for s in steps]
    return found | {f"={name}": _written(value) for name, value in plan.values.items()}


def _written(value: Any) -> Any:
    """Return a value for JSON: a number, or an array's type and sides, and what is in it."""
    if not isinstance(value, Room | np.ndarray):
        return value
    told = {"type": np.dtype(value.dtype).str, "shape": list(value.shape)}
    if isinstance(value, np.ndarray):  # records are told as their bytes
        records = value.dtype.names is not None
        told |= {"bytes": list(value.tobytes())} if records else {"values": value.ravel().tolist()}
    return told


def main(games: Iterable[str]) -> None:
    """Build the modules of some games, and describe each in a file of its own."""
    open_numba()
    FOLDER.mkdir(parents=True, exist_ok=True)
    for game in games:
        plans = plans_of(game)
        table = importlib.import_module(f"gamecore.live.tables.{game}").TABLE
        found, entries = module(plans, table)
        (FOLDER / f"{game}.wasm").write_bytes(found)
        size = {"bytes": len(found), "gzipped": len(gzip.compress(found, mtime=0))}
        told = {"source": source(game), "sha256": hashlib.sha256(found).hexdigest(), **size}
        page = {"root": ROOT, "numba": numba.__version__, "module": told | {"entries": entries}}
        page["experiments"] = described(plans)
        page["play"] = {name: _written(value) for name, value in table.all().items()}
        text = json.dumps(page, ensure_ascii=False, separators=(",", ":"))
        (FOLDER / f"{game}.json").write_text(text + "\n", encoding="utf-8")
        print(f"{game}: {len(found):,} bytes, {size['gzipped']:,} gzipped")


if __name__ == "__main__":
    main(sys.argv[1:] or GAMES)
