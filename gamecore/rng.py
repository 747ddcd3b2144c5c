"""Random numbers inside kernels: xoshiro256** on a ``uint64[4]`` state.

Every generator is seeded from a NumPy ``SeedSequence``, so streams are independent by construction
and a result depends on its seed alone, not on threads, machines or NumPy's version of a
distribution. Nothing here calls libm: ``log``, ``exp`` and ``cos`` differ in the last bit between
processors, and stored results must be equal everywhere.

Make a state with `state` in Python, hand it to a kernel, and draw from it there.

References
----------
* D. Blackman and S. Vigna, "Scrambled linear pseudorandom number generators", ACM Transactions on
  Mathematical Software 47(4), 2021.
* D. Lemire, "Fast random integer generation in an interval", ACM Transactions on Modeling and
  Computer Simulation 29(1), 2019.
* C. F. F. Karney, "Sampling exactly from the normal distribution", ACM Transactions on Mathematical
  Software 42(1), 2016.
* Donald E. Knuth, The Art of Computer Programming, volume 2, section 3.4.2 (shuffling).
"""

import numpy as np

from gamecore import check
from gamecore.kernel import kernel

_LOW32 = np.uint64(0xFFFFFFFF)


def state(seed: int | np.random.SeedSequence) -> np.ndarray:
    """Return a fresh generator state for kernels.

    Parameters
    ----------
    seed : int or numpy.random.SeedSequence
        Where the stream starts; a non-negative integer is wrapped in a ``SeedSequence``.

    Returns
    -------
    numpy.ndarray
        ``uint64[4]``, changed in place by every draw.

    Examples
    --------
    >>> s = state(1)
    >>> [int(below(s, 6)) for _ in range(5)]
    [4, 0, 2, 1, 5]
    """
    known = check.seed(seed)
    sequence = np.random.SeedSequence(known) if isinstance(known, int) else known
    return sequence.generate_state(4, np.uint64)


@kernel
def next_uint64(s):
    """Draw 64 random bits: xoshiro256** of Blackman and Vigna (2021).

    Examples
    --------
    >>> s = state(1)
    >>> next_uint64(s).bit_length() <= 64, next_uint64(s) != next_uint64(s)
    (True, True)
    """
    result, s[0], s[1], s[2], s[3] = _advance(s[0], s[1], s[2], s[3])
    return result


@kernel
def _advance(a, b, c, d):
    """Return a number and the state after it."""
    x = b * np.uint64(5)
    result = ((x << np.uint64(7)) | (x >> np.uint64(57))) * np.uint64(9)
    t = b << np.uint64(17)
    c ^= a
    d ^= b
    return result, a ^ d, b ^ c, c ^ t, (d << np.uint64(45)) | (d >> np.uint64(19))


@kernel
def fill(s, numbers):
    """Fill a ``uint64`` array by what `next_uint64` draws, in less than half the time.

    Examples
    --------
    >>> numbers = np.empty(3, np.uint64)
    >>> fill(state(1), numbers)
    >>> int(numbers[0]) == next_uint64(state(1))
    True
    """
    a, b, c, d = s[0], s[1], s[2], s[3]  # not in memory, where `numbers` might lie as well
    for k in range(len(numbers)):
        numbers[k], a, b, c, d = _advance(a, b, c, d)
    s[0], s[1], s[2], s[3] = a, b, c, d


@kernel
def below(s, n):
    """Draw an integer from 0 to `n` − 1 without bias, 0 < `n` < 2³² (Lemire 2019).

    Examples
    --------
    >>> dice = state(1)
    >>> [below(dice, 6) + 1 for _ in range(5)]
    [5, 1, 3, 2, 6]
    """
    bound = np.uint64(n)
    product = (next_uint64(s) >> np.uint64(32)) * bound
    if (product & _LOW32) < bound:
        threshold = ((_LOW32 ^ bound) + np.uint64(1)) % bound  # (2³² − n) mod n
        while (product & _LOW32) < threshold:
            product = (next_uint64(s) >> np.uint64(32)) * bound
    return np.int64(product >> np.uint64(32))


@kernel
def uniform(s):
    """Draw a float from [0, 1) with 53 random bits.

    Examples
    --------
    >>> s = state(1)
    >>> draws = [uniform(s) for _ in range(1000)]
    >>> 0 <= min(draws) < 0.01, 0.99 < max(draws) < 1
    (True, True)
    """
    return np.float64(next_uint64(s) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@kernel
def bernoulli_exp(s, x):
    """Return True with probability exp(−x), 0 ≤ x ≤ 1, by comparisons alone.

    Von Neumann's trick (1951; Karney 2016): the run x > u₁ > u₂ > … has even length with
    probability exp(−x).

    Examples
    --------
    >>> s = state(1)
    >>> heads = sum(bernoulli_exp(s, 0.5) for _ in range(10_000))
    >>> round(heads / 10_000, 1), round(np.exp(-0.5).item(), 1)
    (0.6, 0.6)
    """
    even = True
    while True:
        u = uniform(s)
        if u >= x:
            return even
        x = u
        even = not even


@kernel
def normal(s):
    """Draw a standard normal by algorithm N of Karney (2016): uniforms and comparisons only.

    Examples
    --------
    >>> s = state(1)
    >>> draws = np.array([normal(s) for _ in range(10_000)])
    >>> bool(abs(draws.mean()) < 0.05), bool(abs(draws.std() - 1) < 0.05)
    (True, True)
    """
    while True:
        k = 0
        while bernoulli_exp(s, 0.5):  # k with probability proportional to exp(−k/2)
            k += 1
        accepted = True
        for _ in range(k * (k - 1)):  # … then to exp(−k²/2)
            if not bernoulli_exp(s, 0.5):
                accepted = False
                break
        if not accepted:
            continue
        x = uniform(s)
        for _ in range(k):  # the fraction x with probability exp(−x(2k + x)/2)
            if not bernoulli_exp(s, x):
                accepted = False
                break
        if accepted and bernoulli_exp(s, 0.5 * x * x):
            y = k + x
            return y if next_uint64(s) >> np.uint64(63) else -y


@kernel
def shuffle(s, items):
    """Put a one-dimensional array in random order, in place (Fisher and Yates; Knuth 3.4.2).

    Examples
    --------
    >>> cards = np.arange(5)
    >>> shuffle(state(1), cards)
    >>> sorted(cards.tolist())
    [0, 1, 2, 3, 4]
    """
    for i in range(len(items) - 1, 0, -1):
        j = below(s, i + 1)
        items[i], items[j] = items[j], items[i]


@kernel
def choice(s, weights):
    """Draw an index with probability proportional to `weights` (non-negative, not all zero).

    Examples
    --------
    >>> s = state(1)
    >>> {choice(s, np.array([0.0, 3.0, 1.0])) for _ in range(100)}
    {1, 2}
    """
    total = 0.0
    for i in range(len(weights)):
        total += weights[i]
    left = uniform(s) * total
    last = 0
    for i in range(len(weights)):
        if weights[i] > 0.0:
            last = i  # rounding may leave a crumb: then the last possible index is meant
            left -= weights[i]
            if left < 0.0:
                return i
    return last
