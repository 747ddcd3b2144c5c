"""Sets of cards as 64-bit integers, and the tables and counting that kernels need for them.

Card ``4 · rank + suit`` is one bit: ranks 0 (the 3) to 12 (the 2), suits ♦ ♣ ♥ ♠, the joker bit 52.
Everything is a non-negative ``int64``: numba turns a mixture of signed and unsigned into floats.
"""

from itertools import combinations

import numpy as np
from numba import types
from numba.extending import intrinsic

from gamecore.kernel import kernel

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


@intrinsic
def popcount(typingctx, x):
    """Return how many bits are set."""

    def code(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), code


@intrinsic
def lowest(typingctx, x):
    """Return the index of the lowest set bit; the argument must not be 0."""

    def code(context, builder, signature, arguments):
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.int64(types.int64), code


@intrinsic
def _leading_zeros(typingctx, x):
    def code(context, builder, signature, arguments):
        return builder.ctlz(arguments[0], context.get_constant(types.boolean, True))

    return types.int64(types.int64), code


@kernel
def highest(x):
    """Return the index of the highest set bit; the argument must not be 0."""
    return 63 - _leading_zeros(x)


@kernel
def nth_bit(x, n):
    """Return the n-th lowest set bit of `x` as a mask, counting from 0."""
    for _ in range(n):
        x &= x - 1
    return x & -x
