"""A game's table for tests: its kernels in Python, or its module in wasmtime, asked alike."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from gamecore.kernel import PACKAGE
from gamecore.live.engine import Page
from gamecore.live.plan import arguments, made

FOLDER = PACKAGE.parent / "book" / "_static" / "live"


class Native:
    """The kernels as Python calls them."""

    def __init__(self, game: str):
        table = import_module(f"gamecore.live.tables.{game}").TABLE
        self.kernels = {kernel.__name__: kernel for kernel in table.kernels}
        self.known = made(table.all())

    def call(
        self,
        entry: str,
        given: Mapping[str, float] | None = None,
        get: Sequence[str] = (),
        set: Mapping[str, Any] | None = None,
    ) -> dict[str, list]:
        for name, numbers in (set or {}).items():
            self.known[name].ravel()[:] = numbers
        known = self.known | dict(given or {})
        kernel = self.kernels[entry]
        kernel(*(known[name] for name in arguments(kernel)))
        return self.get(*get)

    def get(self, *names: str) -> dict[str, list]:
        return {name: self.known[name].ravel().tolist() for name in names}

    def put(self, arrays: Mapping[str, Sequence]) -> None:
        for name, numbers in arrays.items():
            self.known[name].ravel()[:] = numbers


class Wasm:
    """The page's module."""

    def __init__(self, game: str):
        self.module = Page(FOLDER).table(game)

    def call(
        self,
        entry: str,
        given: Mapping[str, float] | None = None,
        get: Sequence[str] = (),
        set: Mapping[str, Any] | None = None,
    ) -> dict[str, list]:
        self.put(set or {})
        self.module.call(entry, **(given or {}))
        return self.get(*get)

    def get(self, *names: str) -> dict[str, list]:
        return {name: self.module.get(name).ravel().tolist() for name in names}

    def put(self, arrays: Mapping[str, Sequence]) -> None:
        for name, numbers in arrays.items():
            _, dtype, shape = self.module.arrays[name]
            self.module.set(name, np.array(numbers, dtype).reshape(shape))
