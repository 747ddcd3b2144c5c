"""The one jit decorator with its on-disk cache, and how a kernel uses every core.

numba's ``cache=True`` notices a changed function only in the file that holds it: a kernel that
calls a helper from another module would be served stale. Here the cache folder of a module's
kernels is named by a hash of that module and of all it imports, so a change in any of those files
starts afresh. Whoever writes a kernel needs `kernel`, and `in_threads` to use every core.
"""

import ast
import hashlib
import importlib.metadata
import importlib.util
import inspect
import os
import pickle
import shutil
import sys
import tempfile
import threading
import traceback
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
import platformdirs

PACKAGE = Path(__file__).parent
#: Packages whose versions can change what a kernel or an experiment computes.
NUMERICAL = ("numba", "llvmlite", "numpy", "scipy")
#: Bytes that must be free where compiled kernels are kept; all of them take less than this.
ROOM = 2**26
_decorating = threading.Lock()
Function = TypeVar("Function", bound=Callable)


@cache
def source_key(*modules: str) -> str:
    """Return a hash of the code that can change what these modules compute.

    It covers the modules, all that they import from their own packages and from gamecore, directly
    or not, and the versions of `NUMERICAL` packages. Imports inside a function do not count, nor
    do layout, comments and docstrings: the hash is taken over syntax trees.

    Parameters
    ----------
    *modules : str
        Full names, such as ``"gamecore.rps.rules"``.

    Returns
    -------
    str
        Sixteen hexadecimal digits.

    Examples
    --------
    >>> len(source_key("gamecore.rps.players"))
    16
    >>> source_key("gamecore.rps.players") == source_key("gamecore.rps.rules")
    False
    """
    digest = hashlib.sha256()
    for package in NUMERICAL:
        digest.update(f"{package}={importlib.metadata.version(package)};".encode())
    for module, file in sorted(reached(*modules).items()):
        digest.update(f"{module}:{_parsed(file, module)[0]};".encode())
    return digest.hexdigest()[:16]


def reached(*modules: str) -> dict[str, Path]:
    """Return the files of some modules and of all that they import from packages of ours.

    Examples
    --------
    >>> {"gamecore.bits", "gamecore.kernel"} <= set(reached("gamecore.bits"))
    True
    """
    found: dict[str, Path] = {}
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        file = source_file(module)
        if file is not None and module not in found:
            found[module] = file
            ours = {"gamecore", module.split(".")[0]}
            waiting += [name for name in _parsed(file, module)[1] if name.split(".")[0] in ours]
    return found


def source_file(module: str) -> Path | None:
    """Return a module's file, without importing it; None if there is none.

    Examples
    --------
    >>> source_file("gamecore.bits").name
    'bits.py'
    """
    top, *rest = module.split(".")
    origin = PACKAGE / "__init__.py" if top == "gamecore" else _origin(top)
    if origin is None or not rest:
        return origin
    place = origin.parent.joinpath(*rest)
    return next((f for f in (place.with_suffix(".py"), place / "__init__.py") if f.is_file()), None)


def _origin(top: str) -> Path | None:
    """Return the file of a package that somebody else's kernels are in."""
    file = getattr(sys.modules.get(top), "__file__", None)
    return Path(file) if file and file.endswith(".py") else None


@cache
def _parsed(file: Path, module: str) -> tuple[str, frozenset[str]]:
    """Return a file's syntax tree as text, without docstrings, and what it imports at its top."""
    tree = ast.parse(file.read_bytes())
    package = module if file.name == "__init__.py" else module.rpartition(".")[0]
    imported = set()
    for statement in _outside_functions(tree.body):
        if isinstance(statement, ast.Import):
            imported |= {alias.name for alias in statement.names}
        elif isinstance(statement, ast.ImportFrom):
            name = "." * statement.level + (statement.module or "")
            origin = importlib.util.resolve_name(name, package)
            for alias in statement.names:  # a module of a package, or a name that it defines
                part = f"{origin}.{alias.name}"
                imported.add(part if source_file(part) else origin)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            node.body = [s for s in node.body if not _is_text(s)]
    return ast.dump(tree), frozenset(imported)


def _outside_functions(statements: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield what runs when a module is imported, also what stands under an if or a try."""
    for statement in statements:
        yield statement
        for part in ("body", "orelse", "finalbody", "handlers"):
            if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
                yield from _outside_functions(getattr(statement, part, []))


def _is_text(statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def cache_folder() -> Path | None:
    """Return the folder that holds compiled kernels, None if there is none that can be trusted.

    It is ``NUMBA_CACHE_DIR`` if that is set, else one in the user's own cache directory. numba runs
    whatever code it finds there: a folder of ours that others may write to is refused, with a
    warning, and so is any that cannot be written to or whose disk is full; kernels are then
    compiled anew in every process. One that the user has chosen is trusted.

    Examples
    --------
    >>> cache_folder() is None or cache_folder().is_dir()
    True
    """
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    own = Path(platformdirs.user_cache_dir("gamecore", appauthor=False)) / "kernels"
    folder = Path(chosen) if chosen else own
    why = ""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.stat()
        is_strange = hasattr(os, "getuid") and (
            found.st_uid != os.getuid() or bool(found.st_mode & 0o022)
        )
        if is_strange and not chosen:
            why = "another user could have written to it"
        elif shutil.disk_usage(folder).free < ROOM:
            why = "its disk is full"
        else:  # else numba would, without a word, keep them beside the source
            tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        why = error.strerror or str(error)
    if why:
        _warn(f"compiled kernels are not kept in {folder}: {why}; set NUMBA_CACHE_DIR to another")
        return None
    return folder


@cache
def _folder_of(module: str) -> Path | None:
    """Return where a module's kernels are kept, rid of damaged files: numba would stumble on them.

    Each file is a pickle, which begins with one certain byte and ends with another: that tells what
    is empty, cut off, zeroed or random without reading all of it.
    """
    base = cache_folder()
    if base is None:
        return None
    folder = base / f"{module}-{source_key(module)}"
    damaged = [file for file in folder.rglob("*.nb[ci]") if not _is_whole(file)]
    for file in damaged:
        file.unlink(missing_ok=True)
    if damaged:
        text = f"{len(damaged)} damaged files of compiled kernels were removed from {folder}"
        again = "they are compiled again; 'gamecore compile --fresh' makes all of them anew"
        _warn(f"{text}: {again}")
    return folder


@cache
def _warn(text: str) -> None:
    """Say something once in a process, not once for every module that has kernels."""
    warnings.warn(text, RuntimeWarning, stacklevel=4)


def _is_whole(file: Path) -> bool:
    try:
        with file.open("rb") as stream:
            first = stream.read(1)
            stream.seek(-1 if first else 0, os.SEEK_END)
            return (first, stream.read(1)) == (pickle.PROTO, pickle.STOP)
    except FileNotFoundError:  # somebody else has just removed it
        return True


def cache_trouble(error: BaseException) -> str | None:
    """Return a sentence on an error that comes from reading or keeping compiled kernels.

    Examples
    --------
    >>> cache_trouble(ValueError("games must be positive")) is None
    True
    """
    if "caching.py" not in "".join(traceback.format_exception(error)):
        return None
    folder = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("gamecore", False)
    if isinstance(error, OSError):
        why = error.strerror or str(error)
        return f"cannot keep compiled kernels in {folder}: {why}; set NUMBA_CACHE_DIR to another"
    return f"damaged compiled kernels in {folder}: 'gamecore compile --fresh' makes them anew"


def kernel(function: Function, forceinline: bool = False) -> Function:
    """Compile a function with numba: no Python objects, no GIL, cached, exact arithmetic.

    Parameters
    ----------
    function : callable
        The kernel. What its module imports decides when it is compiled anew. Arrays that it takes
        from the module are constants to it and must be read-only: see `constant`.
    forceinline : bool
        See `inlined`.

    Notes
    -----
    ``numba.config.CACHE_DIR`` is set only while decorating: left set, it would also move, and so
    recompile, the kernels of other packages. ``fastmath`` is never used: ties in the papers'
    algorithms are decided by the last bit, and results must be the same on every machine.

    numba would compile a kernel once more for every literal that another kernel passes to it, 0 and
    1 and True each; here a literal counts as a value of its type. With ``NUMBA_DISABLE_JIT=1``
    kernels are the plain Python functions that they are written as, integers wrapping as in numba.

    Examples
    --------
    >>> from calendar import isleap
    >>> compiled = kernel(isleap)  # as a decorator: @kernel above the function
    >>> compiled(2028), compiled(2100)
    (True, False)
    """
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return np.errstate(over="ignore")(function)
    is_in_file = Path(inspect.getfile(function)).is_file()
    folder = _folder_of(function.__module__) if is_in_file else None
    if folder is None:
        dispatcher: Any = numba.njit(nogil=True, forceinline=forceinline)(function)
    else:
        with _decorating:
            before = numba.config.CACHE_DIR  # type: ignore[attr-defined]
            numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
            try:
                dispatcher = numba.njit(nogil=True, cache=True, forceinline=forceinline)(function)
            finally:
                numba.config.CACHE_DIR = before  # type: ignore[attr-defined]
    typed = dispatcher.get_call_template
    dispatcher.get_call_template = lambda args, kws: typed(
        [numba.types.unliteral(arg) for arg in args],
        {name: numba.types.unliteral(arg) for name, arg in kws.items()},
    )
    return dispatcher


def inlined(function: Function) -> Function:
    """Compile a kernel as `kernel` does, and into every kernel that calls it.

    A call costs some nanoseconds, and LLVM saves them only for the smallest of functions. Where a
    step of a hot loop takes no longer than its call, it may say so.

    Examples
    --------
    >>> @inlined
    ... def half(n):
    ...     return n // 2
    >>> half(6)
    3
    """
    return kernel(function, forceinline=True)


def constant(values: Any, dtype: Any = None) -> np.ndarray:
    """Return a read-only array, for kernels to take from their module.

    numba reads such an array once, when it compiles, and keeps it with the compiled code. Changed
    later, it would be another array to Python than to kernels.

    Examples
    --------
    >>> primes = constant([2, 3, 5])
    >>> primes[0] = 4
    Traceback (most recent call last):
    ...
    ValueError: assignment destination is read-only
    """
    array = np.array(values, dtype)
    array.flags.writeable = False
    return array


def threads() -> int:
    """Return how many threads an exact solution may use: ``NUMBA_NUM_THREADS``, or every core.

    Examples
    --------
    >>> threads() >= 1
    True
    """
    return numba.config.NUMBA_NUM_THREADS  # type: ignore[attr-defined]


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
    >>> def count(start, stop, out):
    ...     out[start:stop] += 1
    >>> seen = np.zeros(1000)
    >>> in_threads(count, 1000, seen)
    >>> bool((seen == 1).all())
    True
    """
    cores = threads()
    # More than cores, since some stretches are quicker than others, and short, for Ctrl-C.
    pieces = min(size, max(16 * cores, size >> 14))
    stretches = [(size * k // pieces, size * (k + 1) // pieces) for k in range(pieces)]
    pool = ThreadPoolExecutor(cores)
    try:
        for _ in pool.map(lambda stretch: function(*stretch, *arguments), stretches):
            pass  # an exception in a thread is raised here
    finally:
        pool.shutdown(cancel_futures=True)
