"""Games in the page: their kernels are the package's, on both engines, bit for bit."""

import random
from importlib import import_module

import pytest

from gamecore.live.plan import GAMES
from tests.tables import Native, Wasm


@pytest.mark.parametrize("game", GAMES)
def test_tables_are_equal_bit_for_bit(game):
    walk = import_module(f"tests.play.{game}").walk
    native, wasm = Native(game), Wasm(game)
    for seed in range(10):
        assert walk(native, random.Random(seed)) == walk(wasm, random.Random(seed)), seed


@pytest.mark.parametrize("game", GAMES)
def test_every_kernel_of_a_table_is_walked(game):
    called, native = set(), Native(game)
    ask = native.call
    native.call = lambda entry, *rest, **more: called.add(entry) or ask(entry, *rest, **more)
    for seed in range(10):
        import_module(f"tests.play.{game}").walk(native, random.Random(seed))
    assert called == set(native.kernels)
