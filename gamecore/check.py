"""What a public function is given, checked before any kernel sees it.

Each function returns the value as kernels want it, or raises a ValueError whose sentence names the
argument, what it must be and what it was.
"""

import os
import re
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sized
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")
Seed = int | np.random.SeedSequence
#: As many games, iterations or rounds as a call may ask for.
MOST_ALLOWED = 10**9
#: As many things as a list may hold that a call is given.
MOST_LISTED = 10**6
#: How long a kernel may run before Python hears of Ctrl-C again, in seconds.
STRETCH = 0.2
#: Bytes that are not worth the half millisecond of asking how many there are.
_LITTLE = 2**20
#: Where Linux says what a container may use and does use, by either version of control groups.
_LIMITS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
)


def whole(number: Any, name: str, least: int = 0, most: int = MOST_ALLOWED) -> int:
    """Return a whole number within bounds; True, 2.0 and NaN are none.

    Examples
    --------
    >>> whole(np.int8(5), "games", 1)
    5
    >>> whole(0, "games", 1)
    Traceback (most recent call last):
    ...
    ValueError: games must be a whole number from 1 to 1,000,000,000, not 0
    """
    is_whole = isinstance(number, int | np.integer) and not isinstance(number, bool)
    if not is_whole or not least <= int(number) <= most:
        raise ValueError(
            f"{name} must be a whole number from {least:,} to {most:,}, not {short(number)}"
        )
    return int(number)


def real(number: Any, name: str, least: float, most: float) -> float:
    """Return a finite number within bounds.

    Examples
    --------
    >>> real(float("nan"), "delta", 0, 1)
    Traceback (most recent call last):
    ...
    ValueError: delta must be a number from 0 to 1, not nan
    """
    plain: float = np.nan  # as Python has it: a type of somebody's own may compare as it likes
    if isinstance(number, int | np.integer) and not isinstance(number, bool):
        plain = int(number)
    elif isinstance(number, float | np.floating):
        plain = float(number)
    if not least <= plain <= most:
        raise ValueError(f"{name} must be a number from {least:g} to {most:g}, not {short(number)}")
    return float(plain)


def flag(value: Any, name: str) -> bool:
    """Return what is true or false.

    Examples
    --------
    >>> flag("yes", "depths")
    Traceback (most recent call last):
    ...
    ValueError: depths must be True or False, not 'yes'
    """
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} must be True or False, not {short(value)}")
    return bool(value)


def one_of(value: T, name: str, allowed: Collection[T]) -> T:
    """Return what is among the allowed values, equal in type too.

    Examples
    --------
    >>> one_of("blue", "colour", ("red", "purple"))
    Traceback (most recent call last):
    ...
    ValueError: colour must be one of red, purple, not 'blue'
    """
    for known in allowed:
        if type(value) is type(known) and value == known:
            return known
    raise ValueError(f"{name} must be one of {', '.join(map(str, allowed))}, not {short(value)}")


def instance(value: Any, name: str, kind: type[T]) -> T:
    """Return a value of a certain type.

    Examples
    --------
    >>> instance(None, "games", list)
    Traceback (most recent call last):
    ...
    ValueError: games must be of type list, not None
    """
    if not isinstance(value, kind):
        raise ValueError(f"{name} must be of type {kind.__name__}, not {short(value)}")
    return value


def text(value: Any, name: str) -> str:
    """Return a text.

    Examples
    --------
    >>> text(None, "name")
    Traceback (most recent call last):
    ...
    ValueError: name must be of type str, not None
    """
    return instance(value, name, str)


def function(value: Any, name: str) -> Callable:
    """Return what can be called.

    Examples
    --------
    >>> function(3, "decide")
    Traceback (most recent call last):
    ...
    ValueError: decide must be a function, not 3
    """
    if not callable(value):
        raise ValueError(f"{name} must be a function, not {short(value)}")
    return value


def listed(values: Any, name: str, count: int | None = None) -> list:
    """Return a list of what a sequence or another collection holds, `count` things if given.

    Examples
    --------
    >>> listed("SH", "suits", 2)
    Traceback (most recent call last):
    ...
    ValueError: suits must be a sequence of 2, not 'SH'
    """
    fits = isinstance(values, Iterable) and not isinstance(values, str | bytes | Mapping)
    if fits and isinstance(values, Sized):
        try:
            number = len(values)
        except TypeError:  # an array of no dimension
            number = -1
        fits = 0 <= number <= (MOST_LISTED if count is None else count)
    found = list(values) if fits else []
    if not fits or count not in (None, len(found)):
        many = "" if count is None else f" of {count}"
        raise ValueError(f"{name} must be a sequence{many}, not {short(values)}")
    return found


def numbers(values: Any, name: str, shape: tuple[int | None, ...]) -> np.ndarray:
    """Return an array of finite numbers of a shape; None stands for any length but 0.

    Examples
    --------
    >>> numbers([[1, 2], [3, float("inf")]], "payoffs", (None, 2))
    Traceback (most recent call last):
    ...
    ValueError: payoffs must be finite numbers, not nan or infinity
    """
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "iuf":
            raise TypeError
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be an array of numbers, not {short(values)}") from None
    fits = len(array.shape) == len(shape) and all(
        length == wanted or (wanted is None and length)
        for length, wanted in zip(array.shape, shape, strict=True)
    )
    if not fits:
        wanted = " × ".join("any" if length is None else str(length) for length in shape)
        raise ValueError(f"{name} must be an array of {wanted} numbers, not of {array.shape}")
    memory(2 * 8 * array.size, f"an array of {array.size:,} numbers as {name}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite numbers, not nan or infinity")
    return array.astype(np.float64)


def probabilities(values: Any, name: str, count: int | None = None) -> np.ndarray:
    """Return probabilities that sum to 1, up to rounding; `count` of them if given.

    Examples
    --------
    >>> probabilities([0.5, 0.25], "mixture")
    Traceback (most recent call last):
    ...
    ValueError: mixture must be probabilities that sum to 1, not to 0.75
    """
    array = numbers(values, name, (count,))
    if (array < 0).any() or abs(array.sum() - 1) > 1e-9:
        what = "with one below 0" if (array < 0).any() else f"to {array.sum():.6g}"
        raise ValueError(f"{name} must be probabilities that sum to 1, not {what}")
    return array


def seed(value: Any) -> Seed:
    """Return a seed: a whole number from 0, or a SeedSequence.

    Examples
    --------
    >>> seed(-1)
    Traceback (most recent call last):
    ...
    ValueError: seed must be a whole number from 0, or a SeedSequence, not -1
    """
    if isinstance(value, np.random.SeedSequence):
        return value
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 0:
        raise ValueError(
            f"seed must be a whole number from 0, or a SeedSequence, not {short(value)}"
        )
    return int(value)


def memory(needed: int, what: str) -> None:
    """Refuse what does not fit into the memory that this process may still take.

    Examples
    --------
    >>> memory(2**60, "such a table")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ValueError: such a table needs 1,073,741,824.0 GB, more than the ... GB available
    """
    available = available_memory() if needed > _LITTLE else needed
    if needed > available:
        raise ValueError(
            f"{what} needs {needed / 2**30:,.1f} GB, more than the {available / 2**30:,.1f} GB "
            "available"
        )


def available_memory() -> int:
    """Return the bytes that this process may still take: of the machine, its container and limits.

    Examples
    --------
    >>> available_memory() > 2**20
    True
    """
    import psutil

    available = psutil.virtual_memory().available
    for of_limit, of_use in _LIMITS:
        try:
            limit, used = (int(Path(file).read_text()) for file in (of_limit, of_use))
            statistics = Path(of_use).with_name("memory.stat").read_text()
        except (OSError, ValueError):  # not there, or "max": no limit
            continue
        cached = re.search(r"^inactive_file (\d+)$", statistics, re.MULTILINE)
        available = min(available, max(0, limit - used + int(cached[1] if cached else 0)))
    if os.name == "posix":
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit != resource.RLIM_INFINITY:
            available = min(available, max(0, limit - psutil.Process().memory_info().vms))
    return available


def stretches(total: int) -> Iterator[tuple[int, int]]:
    """Yield parts of ``range(total)`` one after the other, each of about a fifth of a second.

    Python hears of Ctrl-C only when no kernel runs. What may take long is therefore done in such
    parts, by a kernel that goes on where it ended: the result is the same.

    Examples
    --------
    >>> parts = list(stretches(1000))
    >>> parts[0], parts[-1][1], sum(end - begin for begin, end in parts)
    ((0, 1), 1000, 1000)
    """
    begin, size = 0, 1.0
    while begin < total:
        end = min(total, begin + int(size))
        started = time.perf_counter()
        yield begin, end
        took = time.perf_counter() - started
        size = max(1.0, size * min(4.0, STRETCH / max(took, 1e-9)))  # at most four times as many
        begin = end


def short(value: Any) -> str:
    """Return a value as text that fits in a sentence, whatever it is.

    Examples
    --------
    >>> short("x" * 100)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"
    """
    try:
        text = repr(value)
    except Exception:  # somebody's own class
        text = f"something of type {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:57]}…"
