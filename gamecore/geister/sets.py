"""Sets of small numbers as bits of an array, walked up and down in order by kernels."""

from gamecore.bits import highest, lowest
from gamecore.kernel import kernel

_BITS = 32  # used of a word, whose sign is then no trouble


def words(size: int) -> int:
    """Return how many words a set of numbers below `size` takes."""
    return size // _BITS + 1


@kernel
def has(members, x):
    """Say whether a set has a member."""
    return members[x // _BITS] >> x % _BITS & 1 == 1


@kernel
def add(members, x):
    """Take something into a set."""
    members[x // _BITS] |= 1 << x % _BITS


@kernel
def remove(members, x):
    """Take something out of a set."""
    members[x // _BITS] &= ~(1 << x % _BITS)


@kernel
def following(members, x):
    """Return the least member that is not less than x, −1 if there is none."""
    word, left = x // _BITS, -1 << x % _BITS
    while word < len(members):
        left &= members[word]
        if left:
            return _BITS * word + lowest(left)
        word, left = word + 1, -1
    return -1


@kernel
def preceding(members, x):
    """Return the greatest member that is less than x, −1 if there is none."""
    word, left = x // _BITS, (1 << x % _BITS) - 1
    while word >= 0:
        left &= members[word]
        if left:
            return _BITS * word + highest(left)
        word, left = word - 1, -1
    return -1
