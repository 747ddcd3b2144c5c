"""Numbers in rising order, for kernels: what `numpy.unique` does for Python.

numba's own sorting keeps lists of Python's, which a page does not have.
"""

from gamecore.kernel import kernel


@kernel
def ranked(keys, ranks):
    """Write each key's place among the different keys, in rising order; return these."""
    different = keys.copy()
    _sort(different)
    count = 1
    for i in range(1, len(different)):
        if different[i] != different[i - 1]:
            different[count] = different[i]
            count += 1
    for i in range(len(keys)):
        ranks[i] = place_of(different, count, keys[i])
    return different[:count]


@kernel
def _sort(keys):
    """Put numbers in rising order by heapsort."""
    for top in range(len(keys) // 2 - 1, -1, -1):
        _sift(keys, top, len(keys))
    for size in range(len(keys) - 1, 0, -1):
        keys[0], keys[size] = keys[size], keys[0]
        _sift(keys, 0, size)


@kernel
def _sift(keys, top, size):
    """Let a key sink to its place in a heap."""
    while 2 * top + 1 < size:
        kid = 2 * top + 1
        if kid + 1 < size and keys[kid + 1] > keys[kid]:
            kid += 1
        if keys[top] >= keys[kid]:
            break
        keys[top], keys[kid] = keys[kid], keys[top]
        top = kid


@kernel
def place_of(ordered, count, key):
    """Return a key's place among numbers in rising order."""
    low, high = 0, count - 1
    while low < high:
        middle = (low + high) // 2
        if ordered[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low
