"""Sets of cards as 64-bit integers, and the tables that kernels need for them.

Card ``4 · rank + suit`` is one bit: ranks 0 (the 3) to 12 (the 2), suits ♦ ♣ ♥ ♠, the joker bit 52.
Everything is a non-negative ``int64``: numba turns a mixture of signed and unsigned into floats.
"""

from itertools import combinations

import numpy as np

JOKER = 1 << 52
PLAIN = JOKER - 1  # the 52 cards that are not the joker
DIAMOND_THREE, SPADE_THREE = 1, 8
#: Repeats a set of suits at every rank.
EVERY_RANK = sum(1 << 4 * rank for rank in range(13))


def _subsets() -> tuple[np.ndarray, np.ndarray]:
    """Return the subsets of each set of suits by size, in list order, and their number."""
    listed, number = np.zeros((16, 5, 6), np.int64), np.zeros((16, 5), np.int64)
    for suits in range(16):
        held = [suit for suit in range(4) if suits >> suit & 1]
        for size in range(1, 5):
            for i, chosen in enumerate(combinations(held, size)):
                listed[suits, size, i] = sum(1 << suit for suit in chosen)
                number[suits, size] = i + 1
    return listed, number


SUBSETS, SUBSET_COUNT = _subsets()
