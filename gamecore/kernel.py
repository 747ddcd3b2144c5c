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
import sys
import threading
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
import platformdirs

PACKAGE = Path(__file__).parent
_decorating = threading.Lock()
Function = TypeVar("Function", bound=Callable)


@cache
def source_key(*modules: str) -> str:
    """Return a hash of the code that can change what these modules compute.

    It covers the modules, all that they import from their own packages and from gamecore, directly
    or not, and the versions of numba and numpy. Imports inside a function do not count, nor do
    layout, comments and docstrings: the hash is taken over syntax trees.

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
    for package in ("numba", "numpy"):
        digest.update(f"{package}={importlib.metadata.version(package)};".encode())
    for module, file in sorted(reached(*modules).items()):
        digest.update(f"{module}:{_parsed(file, module)[0]};".encode())
    return digest.hexdigest()[:16]


def reached(*modules: str) -> dict[str, Path]:
    """Return the files of some modules and of all that they import from packages of ours.

    Examples
    --------
    >>> sorted(reached("gamecore.bits"))
    ['gamecore.bits', 'gamecore.kernel']
    """
    found: dict[str, Path] = {}
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        file = _file(module)
        if file is not None and module not in found:
            found[module] = file
            ours = {"gamecore", module.split(".")[0]}
            waiting += [name for name in _parsed(file, module)[1] if name.split(".")[0] in ours]
    return found


def _file(module: str) -> Path | None:
    """Return a module's file, without importing it; None if there is none."""
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
    for statement in tree.body:
        if isinstance(statement, ast.Import):
            imported |= {alias.name for alias in statement.names}
        elif isinstance(statement, ast.ImportFrom):
            name = "." * statement.level + (statement.module or "")
            origin = importlib.util.resolve_name(name, package)
            for (
                alias
            ) in statement.names:  # a module of a package, or a name that the package defines
                part = f"{origin}.{alias.name}"
                imported.add(part if _file(part) else origin)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            node.body = [s for s in node.body if not _is_text(s)]
    return ast.dump(tree), frozenset(imported)


def _is_text(statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def cache_folder() -> Path | None:
    """Return the folder that holds compiled kernels, None if there is none that can be trusted.

    It is ``NUMBA_CACHE_DIR`` if that is set, else one in the user's own cache directory. numba runs
    whatever code it finds there: a folder that others may write to is refused, with a warning, and
    kernels are then compiled anew in every process.

    Examples
    --------
    >>> cache_folder() is None or cache_folder().is_dir()
    True
    """
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(chosen)
    folder = Path(platformdirs.user_cache_dir("gamecore", appauthor=False)) / "kernels"
    why = ""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.stat()
        if hasattr(os, "getuid") and (found.st_uid != os.getuid() or found.st_mode & 0o022):
            why = "another user could have written to it"
        elif not os.access(folder, os.W_OK):
            why = "it cannot be written to"
    except OSError as error:
        why = str(error)
    if why:
        text = f"compiled kernels are not kept in {folder}: {why}; set NUMBA_CACHE_DIR"
        warnings.warn(text, RuntimeWarning, stacklevel=2)
        return None
    return folder


def kernel(function: Function) -> Function:
    """Compile a function with numba: no Python objects, no GIL, cached, exact arithmetic.

    Parameters
    ----------
    function : callable
        The kernel. What its module imports decides when it is compiled anew. Arrays that it takes
        from the module are constants to it and must be read-only: see `constant`.

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
    folder = cache_folder() if Path(inspect.getfile(function)).is_file() else None
    if folder is None:
        dispatcher: Any = numba.njit(nogil=True)(function)
    else:
        module = function.__module__
        with _decorating:
            before = numba.config.CACHE_DIR  # type: ignore[attr-defined]
            numba.config.CACHE_DIR = str(folder / f"{module}-{source_key(module)}")  # type: ignore[attr-defined]
            try:
                dispatcher = numba.njit(nogil=True, cache=True)(function)
            finally:
                numba.config.CACHE_DIR = before  # type: ignore[attr-defined]
    typed = dispatcher.get_call_template
    dispatcher.get_call_template = lambda args, kws: typed(
        [numba.types.unliteral(arg) for arg in args],
        {name: numba.types.unliteral(arg) for name, arg in kws.items()},
    )
    return dispatcher


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
    pieces = min(size, 16 * cores)  # more than cores, since some stretches are quicker than others
    stretches = [(size * k // pieces, size * (k + 1) // pieces) for k in range(pieces)]
    with ThreadPoolExecutor(cores) as pool:
        for _ in pool.map(lambda stretch: function(*stretch, *arguments), stretches):
            pass  # an exception in a thread is raised here
