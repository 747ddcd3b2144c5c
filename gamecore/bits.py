"""Sets as 64-bit integers: the counting and searching that kernels need for them.

Each function takes signed or unsigned integers of 64 bits. A kernel should keep to one of the two:
numba turns a mixture into floats. In kernels each is a single instruction of the processor.
"""

from collections.abc import Callable

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from gamecore import check
from gamecore.kernel import kernel

_ALL = (1 << 64) - 1


def popcount(x: int) -> int:
    """Return how many bits are set.

    Examples
    --------
    >>> popcount(0b10110)
    3
    """
    return _set(x).bit_count()


def lowest(x: int) -> int:
    """Return the index of the lowest set bit; the argument must not be 0.

    Examples
    --------
    >>> lowest(0b10110)
    1
    """
    x = _set(x, 1)
    return (x & -x).bit_length() - 1


def highest(x: int) -> int:
    """Return the index of the highest set bit; the argument must not be 0.

    Examples
    --------
    >>> highest(0b10110)
    4
    """
    return _set(x, 1).bit_length() - 1


def reversed_bits(x: int) -> int:
    """Return the 64 bits in the opposite order.

    Examples
    --------
    >>> reversed_bits(0b110) == 0b11 << 61
    True
    """
    return int(f"{_set(x):064b}"[::-1], 2)


def _set(x: int, least: int = 0) -> int:
    """Return a set of 64 bits without a sign, of so many elements at least."""
    found = check.whole(x, "a set of bits", -(1 << 63), _ALL) & _ALL
    if found < least:
        raise ValueError("a set of bits must have one that is set, not be 0")
    return found


def _instruction(function: Callable, emit: Callable) -> None:
    """Let kernels have a function as what `emit` makes of LLVM's builder and a 64-bit integer."""

    @intrinsic
    def instruction(typingctx, x):
        whole = types.uint64 if x == types.uint64 else types.int64  # smaller ones are widened
        returned = whole if function is reversed_bits else types.int64
        return returned(whole), lambda context, builder, signature, values: emit(builder, *values)

    overload(function)(lambda x: lambda x: instruction(x))  # type: ignore[call-arg]


_YES = ir.IntType(1)(1)  # the argument is not 0
_instruction(popcount, lambda builder, x: builder.ctpop(x))
_instruction(lowest, lambda builder, x: builder.cttz(x, _YES))
_instruction(highest, lambda builder, x: builder.sub(x.type(63), builder.ctlz(x, _YES)))
_instruction(reversed_bits, lambda builder, x: builder.bitreverse(x))


@kernel
def nth(x, n):
    """Return the index of the n-th lowest set bit, counted from 0; there must be that many.

    Examples
    --------
    >>> nth(0b10110, 2)
    4
    """
    for i in range(4):  # without a branch, which for a random n is predicted wrong
        x = x ^ (x & -x) if i < n else x
    for _ in range(4, n):
        x ^= x & -x
    return lowest(x)
