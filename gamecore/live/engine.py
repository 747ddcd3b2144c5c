"""A page without a browser: the modules in wasmtime, driven by the same description.

For tests and measurements; a page does the same in JavaScript.
"""

import importlib
import json
import math
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np


class Module:
    """An instance of a module, with memory of its own.

    Parameters
    ----------
    file : pathlib.Path
        The module.
    entries : dict
        The names of each entry's arguments.
    """

    def __init__(self, file: Path, entries: dict[str, list[str]]):
        wasmtime = importlib.import_module("wasmtime")  # who only looks at names may lack it
        self.entries, self.store = entries, wasmtime.Store()
        module = wasmtime.Module(self.store.engine, file.read_bytes())
        self.exports = wasmtime.Instance(self.store, module, []).exports(self.store)
        self.arrays: dict[str, tuple[int, np.dtype, tuple[int, ...]]] = {}
        self.scalars: dict[str, float] = {}
        self.prepared: list = []

    def set(self, name: str, value: Any) -> None:
        """Give a value a name: a number, an array, or what the description says of one."""
        if not isinstance(value, np.ndarray | dict):
            self.scalars[name] = value
            return
        if isinstance(value, dict):
            dtype, shape = np.dtype(value["type"]), tuple(value["shape"])
            content = np.array(value["values"], dtype) if "values" in value else None
            if "bytes" in value:
                content = np.array(value["bytes"], np.uint8)
        else:
            dtype, shape, content = value.dtype, value.shape, value
        if self.arrays.get(name, (0, None, None))[1:] != (dtype, shape):
            address = self.exports["allocate"](self.store, dtype.itemsize * math.prod(shape))
            if address == 0:
                raise MemoryError(f"no room for {name}")
            self.arrays[name] = address % 2**32, dtype, shape
        elif content is None:
            content = np.zeros(shape, dtype)
        if content is not None:
            data, address = np.ascontiguousarray(content).tobytes(), self.arrays[name][0]
            self.exports["memory"].write(self.store, data, address)

    def get(self, name: str) -> np.ndarray:
        """Return a copy of an array."""
        address, dtype, shape = self.arrays[name]
        size = dtype.itemsize * math.prod(shape)
        data = self.exports["memory"].read(self.store, address, address + size)
        return np.frombuffer(bytes(data), dtype).reshape(shape).copy()

    def call(self, entry: str, **more: float) -> None:
        """Call an entry; its arguments are found by name."""
        passed: list[float] = []
        for name in self.entries[entry]:
            if name in self.arrays:
                address, _, shape = self.arrays[name]
                passed += [address - 2**32 if address >= 2**31 else address, *shape]
            else:
                passed.append(float(more[name] if name in more else self.scalars[name]))
        where = self.exports[entry](self.store, *passed) % 2**32
        if where:
            memory = self.exports["memory"]
            at, size = np.frombuffer(bytes(memory.read(self.store, where, where + 8)), "<u4")
            kind, arguments, *_ = pickle.loads(memory.read(self.store, int(at), int(at + size)))
            raise kind(*(arguments or ()))

    def size(self) -> int:
        """Return the bytes of its memory."""
        return self.exports["memory"].data_len(self.store)


class Page:
    """The folder of modules, with what the files beside them say, put together in ``told``."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.told: dict[str, Any] = {"modules": {}, "experiments": {}, "play": {}}
        for file in sorted(folder.glob("*.json")):
            game = json.loads(file.read_bytes())
            self.told |= {"root": game["root"], "numba": game["numba"]}
            self.told["modules"][file.stem] = game["module"]
            self.told["experiments"] |= game["experiments"]
            self.told["play"][file.stem] = game["play"]

    def module(self, name: str) -> Module:
        """Return a new instance of a module."""
        return Module(self.folder / f"{name}.wasm", self.told["modules"][name]["entries"])

    def table(self, game: str) -> Module:
        """Return a new instance of a module, with all that is played with set."""
        module = self.module(game)
        for name, value in self.told["play"][game].items():
            module.set(name, value)
        return module

    def run(
        self,
        experiment: str,
        cell: int,
        chunk: int,
        games: int | None = None,
        *,
        root: int | None = None,
        module: Module | None = None,
    ) -> dict[str, Any]:
        """Recompute a chunk, or its first games; return its row.

        Parameters
        ----------
        experiment : str
            Its name.
        cell, chunk : int
            Their numbers.
        games : int, optional
            How many; by default all of the chunk's.
        root : int, optional
            Another root seed than that of the stored results.
        module : Module, optional
            An instance to go on with: what it has prepared is not made again.
        """
        told = self.told["experiments"][experiment]
        plan = told["shared"] | told["cells"][cell]
        module = self.module(told["module"]) if module is None else module
        words = [self.told["root"] if root is None else root, *plan["words"], chunk]
        for _ in steps(module, plan, words, games or told["games"]):
            pass
        return {
            name: plan["codes"][name][int(value)] if name in plan["codes"] else value
            for name, value in zip(plan["columns"], module.get("row").tolist(), strict=True)
        }


def steps(
    module: Module, plan: dict[str, Any], words: list[int], games: int
) -> Iterator[tuple[str, int, int]]:
    """Take the steps of a plan, saying after each call of what how much is done, and of how much.

    `words` are the root seed, the cell's words and the chunk.
    """
    values = {name[1:]: value for name, value in plan.items() if name.startswith("=")}
    asked = {name for entry, *_ in plan["prepare"] for name in module.entries[entry]}
    prepared = [plan["prepare"], {name: values[name] for name in asked if name in values}]
    is_ready = module.prepared == prepared
    for name, value in values.items():
        if not (is_ready and name in asked):
            module.set(name, value)
    module.set("games", games)
    module.set("row", np.zeros(len(plan["columns"])))
    module.set("s", np.zeros(4, np.uint64))
    module.set("words", np.array(words, np.uint32))
    module.call("seed")
    for entry, length, stretch, says in [*([] if is_ready else plan["prepare"]), *plan["steps"]]:
        size = length or games
        for start in range(0, size, stretch):
            stop = min(start + stretch, size)
            module.call(entry, start=start, stop=stop)
            yield says, stop, size
    module.prepared = prepared
