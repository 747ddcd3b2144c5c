"""Five game-AI papers, recomputed: rules, exact solutions, players and experiments in numba.

A game is a module, ``gamecore.geister``; the replication of the papers is ``gamecore.papers``.
"""

import importlib
import types

__version__ = "0.8.0"


def __getattr__(name: str) -> types.ModuleType:
    """Import a game or another module of the package when it is first asked for.

    Examples
    --------
    >>> import gamecore
    >>> gamecore.rps.MOVES
    ('rock', 'paper', 'scissors')
    """
    try:
        return importlib.import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"{__name__}.{name}":
            raise
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
