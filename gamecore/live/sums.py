"""Sums that are rounded once, as `math.fsum` makes them, for kernels.

References
----------
Jonathan R. Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric
predicates", Discrete & Computational Geometry 18, 1997.
"""

import numpy as np

from gamecore.kernel import kernel

_PARTS = 64  # doubles that do not overlap: there are at most 40


@kernel
def fsum(values):
    """Return the sum of some numbers, the nearest there is to the exact one.

    Examples
    --------
    >>> fsum(np.array([1e100, 1.0, -1e100, 0.1]))
    1.1
    """
    parts, count = np.empty(_PARTS), 0
    for k in range(len(values)):
        x, kept = values[k], 0
        for j in range(count):
            y = parts[j]
            if abs(x) < abs(y):
                x, y = y, x
            high = x + y
            low = y - (high - x)
            if low != 0.0:
                parts[kept] = low
                kept += 1
            x = high
        parts[kept] = x
        count = kept + 1
    if count == 0:
        return 0.0
    count -= 1
    high = parts[count]
    while count > 0:
        x = high
        count -= 1
        high = x + parts[count]
        low = parts[count] - (high - x)
        if low != 0.0:  # half-way cases are decided by what lies below
            if count > 0 and low * parts[count - 1] > 0.0:
                twice = low * 2.0
                x = high + twice
                if twice == x - high:
                    high = x
            break
    return high


@kernel
def fsum_products(x, y):
    """Return `fsum` of the products of two arrays, each product rounded first.

    Examples
    --------
    >>> fsum_products(np.array([0.5, 2.0]), np.array([4.0, 0.25]))
    2.5
    """
    products = np.empty(len(x))
    for k in range(len(x)):
        products[k] = x[k] * y[k]
    return fsum(products)
