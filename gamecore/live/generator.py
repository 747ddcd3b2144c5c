"""NumPy's generator as kernels, for games that a page shares with Python.

A game played in Python draws from ``numpy.random.default_rng(seed)``: chance by ``integers``, and a
seed of its own for each decision of a named player. With these kernels a page draws the same, so
that the same seed and the same moves are the same game in both.

References
----------
* Melissa E. O'Neill, "PCG: a family of simple fast space-efficient statistically good algorithms
  for random number generation", 2014.
* NumPy Enhancement Proposal 19: streams of a bit generator do not change between versions.
"""

import numpy as np

from gamecore.kernel import kernel
from gamecore.live.seeds import seed

#: State and increment, 128 bits each with the low half first; whether half a draw is left; that.
SIZE = 6
_FACTOR_LOW, _FACTOR_HIGH = np.uint64(0x4385DF649FCCF645), np.uint64(0x2360ED051FC65DA4)
_ONE, _HALF, _LOW32 = np.uint64(1), np.uint64(32), np.uint64(0xFFFFFFFF)


@kernel
def generator(words, g):
    """Write the state of ``default_rng(seed)``; `words` are the seed's, 32 bits each.

    Parameters
    ----------
    words : numpy.ndarray
        ``uint32``, the lowest first.
    g : numpy.ndarray
        ``uint64[6]``.

    Examples
    --------
    >>> g = np.zeros(SIZE, np.uint64)
    >>> generator(np.array([7], np.uint32), g)
    >>> numpys = np.random.default_rng(7)
    >>> [int(below(g, 6)) for _ in range(5)] == numpys.integers(6, size=5).tolist()
    True
    """
    s = np.zeros(4, np.uint64)
    seed(words, s)
    g[2] = s[3] << _ONE | _ONE
    g[3] = s[2] << _ONE | s[3] >> np.uint64(63)
    g[0] = g[1] = g[4] = g[5] = np.uint64(0)
    _step(g)
    _add(g, s[1], s[0])
    _step(g)


@kernel
def _add(g, low, high):
    g[0] += low
    g[1] += high + np.uint64(g[0] < low)


@kernel
def _step(g):
    """Multiply the state, and add the increment, both modulo 2¹²⁸."""
    low, high = g[0], g[1]
    g[0] = low * _FACTOR_LOW
    g[1] = _high(low, _FACTOR_LOW) + low * _FACTOR_HIGH + high * _FACTOR_LOW
    _add(g, g[2], g[3])


@kernel
def _high(x, y):
    """Return the high half of a product of 64 by 64 bits."""
    x0, x1, y0, y1 = x & _LOW32, x >> _HALF, y & _LOW32, y >> _HALF
    middle = x1 * y0 + (x0 * y0 >> _HALF)
    other = x0 * y1 + (middle & _LOW32)
    return x1 * y1 + (middle >> _HALF) + (other >> _HALF)


@kernel
def draw(g):
    """Draw 64 bits."""
    _step(g)
    bits, turn = g[1] ^ g[0], g[1] >> np.uint64(58)
    return bits >> turn | bits << (np.uint64(64) - turn & np.uint64(63))


@kernel
def _draw32(g):
    """Draw 32 bits: half of a draw, the other half of which is kept for next time."""
    if g[4]:
        g[4] = np.uint64(0)
        return g[5]
    bits = draw(g)
    g[4], g[5] = _ONE, bits >> _HALF
    return bits & _LOW32


@kernel
def below(g, n):
    """Draw as ``integers(n)`` does, for 0 < `n` < 2³² (Lemire 2019)."""
    if n == 1:
        return 0
    wide = np.uint64(n)
    product = _draw32(g) * wide
    if product & _LOW32 < wide:
        threshold = (np.uint64(0x100000000) - wide) % wide
        while product & _LOW32 < threshold:
            product = _draw32(g) * wide
    return np.int64(product >> _HALF)


@kernel
def decision(g, s):
    """Write the state of kernels that a named player decides with, next of all.

    Examples
    --------
    >>> from gamecore import rng
    >>> g, s = np.zeros(SIZE, np.uint64), np.zeros(4, np.uint64)
    >>> generator(np.array([7], np.uint32), g)
    >>> decision(g, s)
    >>> bool((s == rng.state(int(np.random.default_rng(7).integers(2**63)))).all())
    True
    """
    bits = draw(g) >> _ONE
    words = np.empty(2, np.uint32)
    words[0], words[1] = np.uint32(bits & _LOW32), np.uint32(bits >> _HALF)
    seed(words, s)
