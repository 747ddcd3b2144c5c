"""What the paper says of its figures, as tests on a table of one number per set of features.

The same tests judge the claims after the number of iterations fixed in ``data/published``, show at
which other checkpoints they pass, and are put to the limits of full-width CFR+.
"""

from collections.abc import Mapping
from types import SimpleNamespace

import pandas as pd

from gamecore.goofspiel.tree import FEATURES
from gamecore.papers import published
from gamecore.papers.goofspiel.experiments import SETS
from gamecore.papers.goofspiel.readings import means, shares, with_feature

#: Under which heading ``data/published`` has the claims on a number.
COLUMNS = {"return": "return", "eps": "exploitability", "b1": "exploitability"}


def limits_of(number: str) -> dict[str, SimpleNamespace]:
    """Return the thresholds of the claims on a number, by claim.

    Parameters
    ----------
    number : {"return", "eps", "b1"}
        What the claims are about; ``b1`` has the thresholds of exploitability.

    Examples
    --------
    >>> limits_of("return")["c-alone-matters"].least
    0.3
    """
    asked = published.load("goofspiel")
    return {
        row.id.split("/")[2]: published.limits(row.id)
        for row in asked
        if row.limits and row.column == COLUMNS[number]
    }


def judged(
    m: Mapping[str, float], limits: Mapping[str, SimpleNamespace]
) -> dict[str, tuple[bool, str]]:
    """Put every claim about the figures to a table of one number per player.

    Parameters
    ----------
    m : mapping from player to number
        Expected return, or exploitability, of each of `SETS`.
    limits : mapping from claim to thresholds
        As `limits_of` returns them.

    Returns
    -------
    dict
        Per claim whether it passes, and what was found.

    Examples
    --------
    >>> m = dict.fromkeys(SETS, -0.8) | {"C": -0.5, "CODP": 0.0}
    >>> judged(m, limits_of("return"))["c-alone-matters"]
    (True, '0.375 of the gap')
    """
    G = dict(shares(m))
    found = {}

    def say(claim: str, passes: bool, words: str) -> None:
        found[claim] = bool(passes), words

    for name in ("CDP", "COD"):
        claim = f"{name.lower()}-almost-full"
        say(claim, G[name] >= limits[claim].least, f"{G[name]:.3f} of the gap")
    for name in "CD":
        claim = f"{name.lower()}-alone-matters"
        say(claim, G[name] >= limits[claim].least, f"{G[name]:.3f} of the gap")
    for name in "OP":
        claim = f"{name.lower()}-alone-hardly"
        say(claim, G[name] <= limits[claim].most, f"{G[name]:.3f} of the gap")
    for name, other in ("OP", "PO"):
        claim = f"{name.lower()}-only-with-c-or-d"
        gains = [G[with_feature(base, name)] - G[base] for base in "CD"]
        alone = [G[name], G["OP"] - G[other]]
        say(
            claim,
            max(gains) > limits[claim].least and max(alone) <= limits[claim].most,
            f"adds {gains[0]:.3f} to C and {gains[1]:.3f} to D, "
            f"{alone[0]:.3f} to the hand and {alone[1]:.3f} to {other}",
        )
    ranges = {}
    for name in FEATURES:
        gains = [G[with_feature(s, name)] - G[s] for s in SETS if name not in s]
        ranges[name] = max(gains) - min(gains)
    widest = max(ranges, key=lambda name: ranges[name])
    words = f"what {widest} adds varies by {ranges[widest]:.3f} of the gap"
    say("interaction", ranges[widest] >= limits["interaction"].least, words)
    words = ", ".join(f"{name} {G[name]:.3f}" for name in FEATURES)
    say("c-d-above-o-p", min(G["C"], G["D"]) > max(G["O"], G["P"]), words)
    for name in ("CO", "CP"):
        words = f"{m[name]:+.4f} against {m['CD']:+.4f}"
        say(f"{name.lower()}-above-cd", abs(m[name]) < abs(m["CD"]), words)
    added = G["CD"] - max(G["C"], G["D"])
    little = limits["correlated-add-little"].most
    say("correlated-add-little", added <= little, f"{added:.3f} of the gap")
    pairs = [(s, with_feature(s, name)) for s in SETS for name in FEATURES if name not in s]
    worse = {f"{b} after {a}": abs(m[b]) - abs(m[a]) for a, b in pairs}
    slack = limits["more-is-nearer-zero"].slack
    bad = [f"{pair} by {x:.3f}" for pair, x in worse.items() if x > slack]
    words = f"{len(bad)} of {len(pairs)} pairs worsen" + (f": {', '.join(bad)}" if bad else "")
    say("more-is-nearer-zero", not bad, words)
    return found


def passing(
    results: pd.DataFrame, number: str, limits: Mapping[str, SimpleNamespace]
) -> pd.DataFrame:
    """Return which claims pass at which checkpoint: True or False, one row per claim."""
    table = means(results, number)
    return pd.DataFrame({t: {k: v[0] for k, v in judged(table[t], limits).items()} for t in table})
