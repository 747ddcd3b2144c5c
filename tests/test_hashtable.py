"""Open addressing against a dict."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore import hashtable
from gamecore.hashtable import EMPTY, KNOWN, REST, TAKEN

KEYS = st.integers(0, 2**64 - 2) | st.integers(0, 40)
#: Keys of which many are equal but for their rest, and those of all 64 bits.
LONG = st.tuples(st.integers(0, 2**64 - 1) | st.integers(0, 9) | st.just(2**64 - 1),
                 st.integers(0, 2**10 - 1) | st.integers(0, 3))  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(KEYS, st.floats(0, 1), max_size=190))
def test_keys_behave_like_a_dict(items):
    keys, values = hashtable.new_keys(256), np.zeros(256)
    for key, value in items.items():
        place = hashtable.find(keys, np.uint64(key))
        assert keys[place] == EMPTY
        keys[place], values[place] = key, value
    for key, value in items.items():
        place = hashtable.find(keys, np.uint64(key))
        assert (keys[place], values[place]) == (key, value)
    for absent in set(range(60)) - items.keys():
        assert keys[hashtable.find(keys, np.uint64(absent))] == EMPTY


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(LONG, st.integers(0, KNOWN), max_size=200))
def test_keys_with_a_rest_behave_like_a_dict(items):
    keys, notes = np.zeros(4, np.uint64), np.zeros(4, np.int16)
    for used, ((key, rest), known) in enumerate(items.items(), 1):
        place = hashtable.find_noted(keys, notes, np.uint64(key), rest)
        assert notes[place] == 0
        keys[place], notes[place] = key, known | TAKEN | rest << REST
        if used > 0.75 * len(keys):
            keys, notes = hashtable.enlarge(keys, notes)
    assert np.count_nonzero(notes) == len(items)
    for (key, rest), known in items.items():
        place = hashtable.find_noted(keys, notes, np.uint64(key), rest)
        assert (keys[place], notes[place] >> REST, notes[place] & KNOWN) == (key, rest, known)
    for absent in {(key, 0) for key in range(20)} - items.keys():
        assert notes[hashtable.find_noted(keys, notes, np.uint64(absent[0]), absent[1])] == 0


@pytest.mark.parametrize("capacity", [0, 3, -8, 100])
def test_capacity_is_a_power_of_two(capacity):
    with pytest.raises(ValueError, match="power of two"):
        hashtable.new_keys(capacity)
