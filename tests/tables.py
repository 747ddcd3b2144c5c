"""A game's table for tests: its kernels in Python, or its module in wasmtime, asked alike."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from gamecore.kernel import PACKAGE
from gamecore.live.engine import Page
from gamecore.live.plan import arguments, made

FOLDER = PACKAGE.parent / "book" / "_static" / "live"


class Asked(ABC):
    """What a page asks of a table."""

    @abstractmethod
    def run(self, entry: str, given: Mapping[str, float]) -> None:
        """Call a kernel."""

    @abstractmethod
    def put(self, arrays: Mapping[str, Any]) -> None:
        """Fill arrays."""

    @abstractmethod
    def get(self, *names: str) -> dict[str, list]:
        """Return arrays as plain numbers."""

    def call(
        self,
        entry: str,
        given: Mapping[str, float] | None = None,
        get: Sequence[str] = (),
        set: Mapping[str, Any] | None = None,
    ) -> dict[str, list]:
        """Fill arrays, call a kernel, and return other arrays."""
        self.put(set or {})
        self.run(entry, given or {})
        return self.get(*get)


class Native(Asked):
    """The kernels as Python calls them."""

    def __init__(self, game: str):
        table = import_module(f"gamecore.live.tables.{game}").TABLE
        self.kernels = {kernel.__name__: kernel for kernel in table.kernels}
        self.known = made(table.all())

    def run(self, entry: str, given: Mapping[str, float]) -> None:
        known, kernel = self.known | dict(given), self.kernels[entry]
        kernel(*(known[name] for name in arguments(kernel)))

    def put(self, arrays: Mapping[str, Any]) -> None:
        for name, numbers in arrays.items():
            self.known[name].ravel()[:] = numbers

    def get(self, *names: str) -> dict[str, list]:
        return {name: self.known[name].ravel().tolist() for name in names}


class Wasm(Asked):
    """The page's module."""

    def __init__(self, game: str):
        self.module = Page(FOLDER).table(game)

    def run(self, entry: str, given: Mapping[str, float]) -> None:
        self.module.call(entry, **given)

    def put(self, arrays: Mapping[str, Any]) -> None:
        for name, numbers in arrays.items():
            _, dtype, shape = self.module.arrays[name]
            self.module.set(name, np.array(numbers, dtype).reshape(shape))

    def get(self, *names: str) -> dict[str, list]:
        return {name: self.module.get(name).ravel().tolist() for name in names}
