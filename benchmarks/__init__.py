"""Speed beside the peers: ``make bench`` runs every ``compare()`` of this folder."""

import importlib
import statistics
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

#: Pairs of timings. The median lies between the least and the greatest of six with 97 % confidence.
REPEATS = 6
_OWN = ("gamecore", "benchmarks", "tests")


def side_by_side(
    name: str,
    ours: Callable[[], Any],
    peer: Callable[[], Any],
    *,
    against: str,
    unit: str,
    units: tuple[float, float] = (1, 1),
    equal: Callable[[Any, Any], bool] | None = None,
    repeats: int = REPEATS,
    clock: Callable[[], float] = time.process_time,
) -> dict:
    """Warm both sides, compare their results, then time them in turn.

    Parameters
    ----------
    name : str
        What was run, in words.
    ours, peer : callable
        The same work on the same inputs.
    against : str
        The peer; a package's name is given its version.
    unit : str
        What the times are for: ``"iteration"``, ``"playout"``, …
    units : tuple of float
        How many of them one call of ours and of the peer makes; a slow peer may make fewer.
    equal : callable, optional
        Says whether the two results agree; without it the caller has compared them before.
    repeats : int
        Pairs of timings.
    clock : callable
        Processor seconds by default, so that a busy machine favours neither side.

    Returns
    -------
    dict
        Median seconds per unit of both sides, the median over pairs of peer / ours, and as an
        interval for it the least and the greatest of the pairs.
    """
    results = ours(), peer()
    assert equal is None or equal(*results), f"{name}: results differ: {results}"
    pairs = [
        (_timed(ours, clock) / units[0], _timed(peer, clock) / units[1]) for _ in range(repeats)
    ]
    ratios = [theirs / mine for mine, theirs in pairs]
    return {
        "name": name,
        "peer": _versioned(against),
        "unit": unit,
        "ours_seconds": statistics.median(mine for mine, _ in pairs),
        "peer_seconds": statistics.median(theirs for _, theirs in pairs),
        "ratio": statistics.median(ratios),
        "low": min(ratios),
        "high": max(ratios),
        "repeats": repeats,
    }


def gather(*comparisons: Callable[[], dict]) -> list[dict]:
    """Run comparisons one after the other; one whose peer is missing is skipped by name."""
    rows = []
    for comparison in comparisons:
        try:
            rows.append(comparison())
        except ImportError as error:
            _skip(error)
    return rows


def measure(module: str) -> list[dict]:
    """Return one module's comparisons."""
    try:
        compare = importlib.import_module(f"benchmarks.{module}").compare
        return [{"module": module, **row} for row in compare()]
    except ImportError as error:
        _skip(error)
        return []


def _skip(error: ImportError) -> None:
    peer = (error.name or "").partition(".")[0]
    if peer in (*_OWN, ""):
        raise error
    print(f"skipped: {peer} is not installed (pip install -e '.[bench]')", file=sys.stderr)


def _versioned(package: str) -> str:
    first, _, rest = package.partition(",")
    try:
        return f"{first} {version(first)}" + (f",{rest}" if rest else "")
    except importlib.metadata.PackageNotFoundError:
        return package


def _timed(work: Callable[[], Any], clock: Callable[[], float]) -> float:
    start = clock()
    work()
    return clock() - start
