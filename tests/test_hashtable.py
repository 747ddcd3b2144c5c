"""Open addressing against a dict."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import hashtable

KEYS = st.integers(0, 2**64 - 2) | st.integers(0, 40)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(KEYS, st.floats(0, 1)), max_size=200))
def test_behaves_like_a_dict(items):
    keys, values, used, expected = hashtable.new_keys(4), np.zeros(4), 0, {}
    for key, value in items:
        place = hashtable.find(keys, np.uint64(key))
        used += keys[place] == hashtable.EMPTY
        keys[place], values[place] = key, value
        expected[key] = value
        if used > 0.75 * len(keys):
            keys, values = hashtable.rehash(keys, values)
    assert used == len(expected) == (keys != hashtable.EMPTY).sum()
    for key, value in expected.items():
        place = hashtable.find(keys, np.uint64(key))
        assert keys[place] == key
        assert values[place] == value
    for absent in set(range(60)) - expected.keys():
        assert keys[hashtable.find(keys, np.uint64(absent))] == hashtable.EMPTY


@pytest.mark.parametrize("capacity", [0, 3, -8, 100])
def test_capacity_is_a_power_of_two(capacity):
    with pytest.raises(ValueError, match="power of two"):
        hashtable.new_keys(capacity)
