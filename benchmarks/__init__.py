"""Speed beside the peers: ``make bench`` runs every ``compare()`` of this folder."""

import importlib
import sys


def measure(module: str) -> list[dict]:
    """Return one module's comparisons; a missing peer is skipped by name."""
    try:
        compare = importlib.import_module(f"benchmarks.{module}").compare
        return [{"module": module, **row} for row in compare()]
    except ImportError as error:
        print(f"{module}: skipped, {error.name} is not installed", file=sys.stderr)
        return []
