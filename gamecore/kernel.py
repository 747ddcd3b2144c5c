"""The one jit decorator with its on-disk cache, and how a kernel uses every core.

numba's ``cache=True`` notices a changed function only in the file that holds it: a kernel that
calls a helper from another module would be served stale. Here the cache directory itself is named
by a hash of everything a game's kernels can call, so a change in any of those files starts afresh.
Whoever writes a kernel needs `kernel`, and `in_threads` to use every core; the rest is machinery.
"""

import ast
import hashlib
import importlib.metadata
import os
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import config

from gamecore.parts import link_parts

PACKAGE = Path(__file__).parent
#: Shared rooms that kernels call. A change in one of them outdates every game's compiled code.
SHARED_ROOMS = ("kernel", "parts", "rng", "bits", "hashtable", "matrixgame")
_decorating = threading.Lock()
Function = TypeVar("Function", bound=Callable)


@cache
def source_key(game: str) -> str:
    """Return a hash of the code that can change what `game`'s kernels compute.

    It covers the shared rooms, the game's own files and the versions of numba and numpy. Layout,
    comments and docstrings do not count: the hash is taken over syntax trees.

    Parameters
    ----------
    game : str
        A sub-package of gamecore, or ``""`` for the shared rooms alone.

    Returns
    -------
    str
        Sixteen hexadecimal digits.

    Examples
    --------
    >>> len(source_key("rps")), source_key("rps") == source_key("")
    (16, False)
    """
    files = [PACKAGE / f"{room}.py" for room in SHARED_ROOMS]
    files += sorted((PACKAGE / game).glob("*.py")) if game else []
    digest = hashlib.sha256()
    for package in ("numba", "numpy"):
        digest.update(f"{package}={importlib.metadata.version(package)};".encode())
    for file in files:
        digest.update(file.name.encode())
        digest.update(_code(file).encode())
    return digest.hexdigest()[:16]


def _code(file: Path) -> str:
    """Return a file's syntax tree as text, without docstrings (statements that are a string)."""
    tree = ast.parse(file.read_bytes())
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            node.body = [s for s in node.body if not _is_text(s)]
    return ast.dump(tree)


def _is_text(statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


@cache
def cache_base() -> Path:
    """Return the writable folder that holds compiled kernels.

    ``NUMBA_CACHE_DIR`` if set, else ``.cache/numba`` in the checkout, else (a read-only install)
    a folder for this user under the system's temporary directory.

    Examples
    --------
    >>> chosen = os.environ.get("NUMBA_CACHE_DIR")
    >>> cache_base() == Path(chosen or PACKAGE.parent / ".cache" / "numba")
    True
    """
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(chosen)
    folder = PACKAGE.parent / ".cache" / "numba"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except OSError:
        pass
    return Path(tempfile.gettempdir()) / f"gamecore-numba-{os.getuid()}"


def kernel(function: Function) -> Function:
    """Compile a function with numba: no Python objects, no GIL, cached, exact arithmetic.

    Parameters
    ----------
    function : callable
        The kernel. Its module decides which game's cache it belongs to.

    Notes
    -----
    ``numba.config.CACHE_DIR`` is set only while decorating: left set, it would also move, and so
    recompile, the kernels of other packages. ``fastmath`` is never used: ties in the papers'
    algorithms are decided by the last bit, and results must be the same on every machine.

    What kernels call and what Python calls is compiled by `gamecore.parts`, faster than by numba.

    Examples
    --------
    >>> from calendar import isleap
    >>> compiled = kernel(isleap)  # as a decorator: @kernel above the function
    >>> compiled(2028), compiled(2100)
    (True, False)
    """
    rooms = function.__module__.split(".")
    game = rooms[1] if len(rooms) > 2 else ""
    with _decorating:
        before = config.CACHE_DIR  # type: ignore[attr-defined]
        folder = cache_base() / f"{game or 'shared'}-{source_key(game)}"
        config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
        try:
            dispatcher: Any = numba.njit(nogil=True, cache=True)(function)
            link_parts(dispatcher)
        finally:
            config.CACHE_DIR = before  # type: ignore[attr-defined]
    return dispatcher


def threads() -> int:
    """Return how many threads an exact solution may use: ``NUMBA_NUM_THREADS``, or every core.

    Examples
    --------
    >>> threads() >= 1
    True
    """
    return config.NUMBA_NUM_THREADS  # type: ignore[attr-defined]


def in_threads(function: Callable, size: int, *arguments: Any) -> None:
    """Call ``function(start, stop, *arguments)`` on stretches of ``range(size)``, in threads.

    For a kernel whose items are independent of each other: the result is the same for any number
    of cores. numba's ``prange`` would do the same, but takes three times as long to compile, and
    aborts the process when two threads enter it at once under its fallback threading layer.

    Parameters
    ----------
    function : callable
        A kernel; kernels release the GIL.
    size : int
        How many items there are.
    *arguments
        Passed on.

    Examples
    --------
    >>> import numpy as np
    >>> def count(start, stop, out):
    ...     out[start:stop] += 1
    >>> seen = np.zeros(1000)
    >>> in_threads(count, 1000, seen)
    >>> bool((seen == 1).all())
    True
    """
    cores = threads()
    pieces = min(size, 16 * cores)  # more than cores, since some stretches are quicker than others
    stretches = [(size * k // pieces, size * (k + 1) // pieces) for k in range(pieces)]
    with ThreadPoolExecutor(cores) as pool:
        for _ in pool.map(lambda stretch: function(*stretch, *arguments), stretches):
            pass  # an exception in a thread is raised here
