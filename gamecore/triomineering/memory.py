"""What a search knows: visits, utilities, tables and bandits, made by kernels and in Python.

In Python too, because a kernel that is interrupted while it hands a named tuple back to Python ends
the process: a search that can be interrupted works in memory that Python has made.
"""

from typing import NamedTuple

import numpy as np

from gamecore.kernel import kernel
from gamecore.triomineering.nash import Scratch, make_scratch, new_scratch


class Searched(NamedTuple):
    """What a search leaves behind."""

    visits: np.ndarray  # [i, j]
    own: np.ndarray  # [i, j]: summed utilities
    other: np.ndarray
    policy: np.ndarray  # [i]


class Bandits(NamedTuple):
    """MSUCB1.5's statistics of own second moves: one bandit for each pair and image."""

    plays: np.ndarray  # [bandit]
    visits: np.ndarray  # [bandit, arm]
    totals: np.ndarray
    means: np.ndarray
    widths: np.ndarray


class Memory(NamedTuple):
    """What a search knows between two stretches of its playouts."""

    found: Searched
    own: np.ndarray  # [:, i]: statistics of own moves, apart: visits, totals, means, widths
    other: np.ndarray  # [:, j]: and of the other's
    scratch: Scratch  # the mixtures from which pairs are drawn …
    own_tables: np.ndarray  # … [:, j, i]: means, widths and UCB values of pairs …
    tables: np.ndarray  # … [:, i, j]: and the other's
    bandits: Bandits


def _new_bandits(count, arms):
    return Bandits(
        np.zeros(count, np.int64),
        np.zeros((count, arms)), np.zeros((count, arms)),
        np.zeros((count, arms)), np.zeros((count, arms)),
    )  # fmt: skip


def _fresh(m, n, scratch, bandits):
    found = Searched(np.zeros((m, n), np.int64), np.zeros((m, n)), np.zeros((m, n)), np.zeros(m))
    own, other = np.zeros((4, m)), np.zeros((4, n))
    return Memory(found, own, other, scratch, np.zeros((3, n, m)), np.zeros((3, m, n)), bandits)


_make_bandits, _make_fresh = kernel(_new_bandits), kernel(_fresh)


def new_memory(m: int, n: int, bandits: int, arms: int) -> Memory:
    """Return memory for a search of `m` own and `n` other moves that is about to begin."""
    return _fresh(m, n, new_scratch(m, n), _new_bandits(bandits, arms))


@kernel
def make_memory(m, n, bandits, arms):
    """Return the same as `new_memory`, for kernels."""
    return _make_fresh(m, n, make_scratch(m, n), _make_bandits(bandits, arms))
