"""A chunk's seed, in the page: NumPy's ``SeedSequence`` as a kernel.

The page knows the words that an experiment's seed is made of (`gamecore.papers.experiment.compute`)
and starts the generator from them, as ``gamecore run`` does.

References
----------
* Melissa E. O'Neill, "Developing a seed_seq alternative", 2015.
* NumPy Enhancement Proposal 19, and ``numpy/random/bit_generator.pyx``.
"""

import numpy as np

from gamecore.kernel import kernel

_ENTROPY, _OUTPUT = (0x43B0D7E5, 0x931E8875), (0x8B51F9DD, 0x58F38DED)  # first factor, its factor
_MIX = 0xCA01F9DD, 0x4973F715
_WORD = 0xFFFFFFFF
_POOL = 4


@kernel
def seed(words, s):
    """Write the generator's state that `gamecore.rng.state` makes of ``SeedSequence(words)``.

    Parameters
    ----------
    words : numpy.ndarray
        ``uint32``: the root seed, eight words of the cell's hash, the chunk.
    s : numpy.ndarray
        ``uint64[4]``.

    Examples
    --------
    >>> from gamecore import rng
    >>> s = np.zeros(4, np.uint64)
    >>> seed(np.array([2026, 7], np.uint32), s)
    >>> bool((s == rng.state(np.random.SeedSequence([2026, 7]))).all())
    True
    """
    pool, factor = np.zeros(_POOL, np.int64), _ENTROPY[0]
    for i in range(_POOL):
        pool[i], factor = _hashed(np.int64(words[i]) if i < len(words) else 0, factor, _ENTROPY[1])
    for i in range(_POOL):
        for j in range(_POOL):
            if i != j:
                word, factor = _hashed(pool[i], factor, _ENTROPY[1])
                pool[j] = _mixed(pool[j], word)
    for i in range(_POOL, len(words)):
        for j in range(_POOL):
            word, factor = _hashed(np.int64(words[i]), factor, _ENTROPY[1])
            pool[j] = _mixed(pool[j], word)
    factor = _OUTPUT[0]
    for i in range(4):
        low, factor = _hashed(pool[2 * i % _POOL], factor, _OUTPUT[1])
        high, factor = _hashed(pool[(2 * i + 1) % _POOL], factor, _OUTPUT[1])
        s[i] = np.uint64(high) << np.uint64(32) | np.uint64(low)


@kernel
def _hashed(word, factor, growth):
    """Return a word hashed by a factor, and the next factor."""
    word ^= factor
    factor = factor * growth & _WORD
    word = word * factor & _WORD
    return word ^ word >> 16, factor


@kernel
def _mixed(x, y):
    word = (_MIX[0] * x - _MIX[1] * y) & _WORD
    return word ^ word >> 16


@kernel
def spawn(words, child, s):
    """Write the state of a child: what ``SeedSequence(words).spawn(…)[child]`` makes.

    Examples
    --------
    >>> from gamecore import rng
    >>> s = np.zeros(4, np.uint64)
    >>> spawn(np.array([2026, 1, 2, 3], np.uint32), 5, s)
    >>> bool((s == rng.state(np.random.SeedSequence([2026, 1, 2, 3]).spawn(6)[5])).all())
    True
    """
    more = np.empty(len(words) + 1, np.uint32)
    for i in range(len(words)):
        more[i] = words[i]
    more[len(words)] = child
    seed(more, s)
