"""Sets as 64-bit integers: the counting and searching that kernels need for them.

Each function takes signed or unsigned integers of 64 bits. A kernel should keep to one of the two:
numba turns a mixture into floats.
"""

from numba import types
from numba.extending import intrinsic

from gamecore.kernel import kernel


def _whole(x: types.Type) -> types.Type:
    """Return the 64-bit type that an argument is taken as; smaller integers are widened."""
    return types.uint64 if x == types.uint64 else types.int64


@intrinsic
def popcount(typingctx, x):
    """Return how many bits are set.

    Examples
    --------
    >>> import numba
    >>> numba.njit(lambda x: popcount(x))(0b10110)  # only inside kernels
    3
    """

    def code(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(_whole(x)), code


@intrinsic
def lowest(typingctx, x):
    """Return the index of the lowest set bit; the argument must not be 0.

    Examples
    --------
    >>> import numba
    >>> numba.njit(lambda x: lowest(x))(0b10110)
    1
    """

    def code(context, builder, signature, arguments):
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.int64(_whole(x)), code


@intrinsic
def highest(typingctx, x):
    """Return the index of the highest set bit; the argument must not be 0.

    Examples
    --------
    >>> import numba
    >>> numba.njit(lambda x: highest(x))(0b10110)
    4
    """

    def code(context, builder, signature, arguments):
        zeros = builder.ctlz(arguments[0], context.get_constant(types.boolean, True))
        return builder.sub(context.get_constant(types.int64, 63), zeros)

    return types.int64(_whole(x)), code


@kernel
def nth(x, n):
    """Return the index of the n-th lowest set bit, counted from 0; there must be that many.

    Examples
    --------
    >>> nth(0b10110, 2)
    4
    """
    for _ in range(n):
        x ^= x & -x
    return lowest(x)
