"""Values that are no counts, and calls that must end in a sentence for people."""

import inspect
from collections.abc import Callable, Iterable

import numpy as np
import pytest

ODD = [
    float("nan"),
    float("inf"),
    2**63,
    -1,
    None,
    "x",
    True,
    1.0,
    [],
    {},
    b"x",
    np.float64(2),
    2.5,
]


def refused(calls: Iterable[Callable]) -> None:
    """Make every call; it must end in a sentence, not in the words of numpy or numba."""
    for call in calls:
        try:
            with pytest.raises(ValueError, match=" ") as error:
                call()
        except BaseException:
            print(inspect.getsource(call))
            raise
        assert len(str(error.value).split()) > 3
        foreign = ("numba", "Traceback", "dtype", "axis")
        assert not any(word in str(error.value) for word in foreign)
