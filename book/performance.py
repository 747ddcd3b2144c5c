"""What the performance page shows: speed beside peers, growth of cost, next sizes, start-up.

The numbers were measured by the scripts in ``benchmarks/`` and lie in ``data/*.csv``; slopes and
extrapolations are computed here, from those files.
"""

import math
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from gamecore.papers.markup import Html, cell, head, table

#: A machine of the table of next sizes, and the time that its user is ready to wait.
MEMORY, CORES, DEADLINE = 64 * 2**30, 16, 7 * 86400
#: Costs this many times smaller than a solver's largest are overhead, and not fitted …
SPAN = 400
#: … nor are costs below these.
FLOOR = {"seconds": 1e-4, "bytes": 1e5}
#: Bytes of Triomineering's tables for each position: ten, in tables five ninths full on average.
_TABLE = 18
#: Solvers as the page calls them; others by their own name.
NAMES = {"pokemon": "Pokémon", "playouts": "Daifugo playouts"}
#: A law through no more points than this is said to be one.
FEW = 3


class PowerLaw(NamedTuple):
    """``factor · n ** slope``.

    Examples
    --------
    >>> PowerLaw(slope=2, factor=3, points=5).at(10)
    300
    """

    slope: float
    """How steep the line is in logarithms."""
    factor: float
    """The value at 1."""
    points: int
    """How many sizes it was fitted to."""

    def at(self, n: float) -> float:
        """Return the law's value at `n`."""
        return self.factor * n**self.slope

    def __str__(self) -> str:
        """Return the slope, with the number of points if they are few.

        Examples
        --------
        >>> print(PowerLaw(1.5, 1.0, points=4), PowerLaw(1.5, 1.0, points=2))
        1.50 1.50 (2 points)
        """
        return f"{self.slope:.2f}" + (f" ({self.points} points)" if self.points <= FEW else "")


def named(solver: str) -> str:
    """Return what a solver is called on the page.

    Examples
    --------
    >>> named("pokemon"), named("goofspiel")
    ('Pokémon', 'Goofspiel')
    """
    return NAMES.get(solver, solver.capitalize())


def power_law(n: ArrayLike, cost: ArrayLike) -> PowerLaw | None:
    """Fit a straight line to logarithms by least squares; None with fewer than two sizes.

    Examples
    --------
    >>> law = power_law([1, 10, 100], [2, 200, 20000])
    >>> round(law.slope, 6), round(law.at(1000))
    (2.0, 2000000)
    """
    n, cost = np.asarray(n, float), np.asarray(cost, float)
    points = len(np.unique(n))
    if points < 2:
        return None
    slope, constant = np.polyfit(np.log(n), np.log(cost), 1)
    return PowerLaw(float(slope), float(np.exp(constant)), points)


def fitted(growth: pd.DataFrame, solver: str, cost: str) -> pd.DataFrame:
    """Return the measured rows to which a solver's ``"seconds"`` or ``"bytes"`` are fitted.

    An analysis that only counted (kind ``"counts"``) took the same time, but less memory.

    Examples
    --------
    >>> from gamecore.papers.store import measured
    >>> len(fitted(measured("growth"), "geister", "seconds")) > 3
    True
    """
    kinds = ["measured", "counts"] if cost == "seconds" else ["measured"]
    rows = growth[(growth.solver == solver) & growth.kind.isin(kinds)]
    return rows[rows[cost] >= max(FLOOR[cost], rows[cost].max() / SPAN)]


def fit(growth: pd.DataFrame, solver: str, cost: str) -> PowerLaw | None:
    """Fit a power law to the rows that `fitted` returns.

    Examples
    --------
    >>> from gamecore.papers.store import measured
    >>> 0.9 < fit(measured("growth"), "geister", "seconds").slope < 1.3
    True
    """
    rows = fitted(growth, solver, cost)
    return power_law(rows.n, rows[cost])


def ratios(benchmarks: pd.DataFrame) -> Html:
    """Return the table of comparisons: what was run, both rates, the ratio and its interval.

    Examples
    --------
    >>> from gamecore.papers.store import measured
    >>> "times faster" in ratios(measured("benchmarks"))
    True
    """
    body = []
    for row in benchmarks.itertuples():
        known = not math.isnan(row.low)
        between = f" ({_plain(row.low)} – {_plain(row.high)})" if known else ""
        unit = row.unit if isinstance(row.unit, str) else "run"
        article = "an" if unit[0] in "aeiou" else "a"
        body.append(
            [head(row.name), cell(row.peer if isinstance(row.peer, str) else ""),
             cell(_plain(row.ratio) + between, number=True),
             cell(f"{seconds(row.ours_seconds)} {article} {unit}; "
                  f"{_plain(1 / row.ours_seconds)} a second")]
        )  # fmt: skip
    heads = ["what was run", "peer", "times faster", "ours"]
    caption = "Processor time of the peer over ours: median of pairs (and range)"
    wide = table(heads, body, caption).replace('<th scope="row">', '<th scope="row" class="wide">')
    return Html(wide)


def slopes(growth: pd.DataFrame) -> Html:
    """Return the slopes of time and memory of every solver, with the sizes that were measured.

    A slope through two or three points says so.

    Examples
    --------
    >>> growth = pd.DataFrame({
    ...     "solver": "toy", "kind": "measured", "size": ["a", "b", "c"],
    ...     "n": [1e3, 1e4, 1e5], "seconds": [1.0, 10.0, 100.0], "bytes": [0.0, 0.0, 0.0]})
    >>> "1.00 (3 points)" in slopes(growth), "too little" in slopes(growth)
    (True, True)
    """
    body = []
    for solver in growth[growth.kind != "counted"].solver.unique():
        rows = growth[(growth.solver == solver) & (growth.kind != "counted")]
        laws = [fit(growth, solver, cost) for cost in ("seconds", "bytes")]
        body.append(
            [head(named(solver)), cell("; ".join(rows.sort_values("n")["size"])),
             *(cell(str(law) if law else "too little", number=True) for law in laws)]
        )  # fmt: skip
    return table(["solver", "sizes", "time", "memory"], body, "Slopes on logarithmic axes")


def next_sizes(growth: pd.DataFrame) -> pd.DataFrame:
    """Extrapolate to the next size of each solver that has not been run.

    A machine has `MEMORY` bytes and `CORES` cores; enough of them hold everything in memory and
    finish by the `DEADLINE`, if the work divides without loss.

    Returns
    -------
    pandas.DataFrame
        Columns solver, size, n, bytes, core_seconds, machines, and of the law of time the number
        of points and how many times as far as the last of them it is used.

    Examples
    --------
    >>> growth = pd.DataFrame({
    ...     "solver": "toy", "kind": ["measured", "measured", "counted"], "size": ["a", "b", "c"],
    ...     "n": [1e3, 1e4, 1e6], "seconds": [1.0, 10.0, None], "bytes": [1e9, 1e10, None]})
    >>> found = next_sizes(growth).iloc[0]
    >>> found["size"], round(found.core_seconds), int(found.machines)  # a terabyte, 64 GB each
    ('c', 1000, 15)
    """
    found = []
    for row in growth[growth.kind == "counted"].itertuples():
        n, needed = row.n, row.bytes
        time, memory = (fit(growth, row.solver, cost) for cost in ("seconds", "bytes"))
        if time is None or memory is None:
            continue
        if math.isnan(needed):
            needed = memory.at(n)
        machines = math.ceil(max(needed / MEMORY, time.at(n) / (CORES * DEADLINE)))
        beyond = n / fitted(growth, row.solver, "seconds").n.max()
        found.append((row.solver, row.size, n, needed, time.at(n), machines, time.points, beyond))
    names = ["solver", "size", "n", "bytes", "core_seconds", "machines"]
    return pd.DataFrame(found, columns=[*names, "points", "beyond"])


def next_table(growth: pd.DataFrame) -> Html:
    """Return `next_sizes` as a table.

    Examples
    --------
    >>> growth = pd.DataFrame({
    ...     "solver": "toy", "kind": ["measured", "measured", "counted"], "size": ["a", "b", "c"],
    ...     "n": [1e3, 1e4, 1e6], "seconds": [1.0, 10.0, None], "bytes": [1e9, 1e10, None]})
    >>> "Toy c" in next_table(growth), "2 points, 100 times as far" in next_table(growth)
    (True, True)
    """
    body = [
        [head(f"{named(row.solver)} {row.size}"),
         cell(large(row.n), number=True),
         cell(size(row.bytes), number=True), cell(duration(row.core_seconds), number=True),
         cell(large(row.machines), number=True),
         cell(f"{row.points} points, {_plain(row.beyond)} times as far")]
        for row in next_sizes(growth).itertuples()
    ]  # fmt: skip
    heads = ["", "positions or states", "memory", "one core's time", "machines", "time by a law of"]
    caption = f"Machines of {MEMORY >> 30} GB and {CORES} cores that finish within a week"
    return table(heads, body, caption)


def startup_table(startup: pd.DataFrame) -> Html:
    """Return start-up times of every game, with a filled and with an empty compile cache.

    Examples
    --------
    >>> startup = pd.DataFrame({
    ...     "game": ["rps"], "first": ["a match"], "warm_import": [0.5], "warm_result": [0.6],
    ...     "cold_import": [0.5], "cold_result": [1.25]})
    >>> "1.25" in startup_table(startup)
    True
    """
    body = [
        [head(row.game), cell(row.first), *(cell(f"{value:.2f}", True) for value in row[3:7])]
        for row in startup[
            ["game", "first", "warm_import", "warm_result", "cold_import", "cold_result"]
        ].itertuples()
    ]  # fmt: skip
    heads = ["game", "first result", "import", "to result", "import, cold", "to result, cold"]
    return table(heads, body, "Processor seconds from the start of Python")


def kernel_table(kernels: pd.DataFrame, count: int = 5) -> Html:
    """Return the kernels that take longest to compile, without what they call.

    Examples
    --------
    >>> kernels = pd.DataFrame({"kernel": ["rng.below", "rng.normal"], "seconds": [0.1, 0.5]})
    >>> "rng.below" in kernel_table(kernels, count=1)
    False
    """
    slowest = kernels.sort_values("seconds", ascending=False).head(count)
    body = [[head(r.kernel), cell(f"{r.seconds:.2f}", number=True)] for r in slowest.itertuples()]
    return table(["kernel", "seconds"], body, f"The {count} slowest kernels to compile")


def seconds(value: float) -> str:
    """Return a time with three digits in a unit that suits it.

    Examples
    --------
    >>> seconds(3.312e-8), seconds(0.25)
    ('33.1 ns', '250 ms')
    """
    power = min(max(-math.floor(math.log10(value) / 3), 0), 3)
    return f"{value * 1000**power:.3g} {['s', 'ms', 'µs', 'ns'][power]}"


def duration(value: float) -> str:
    """Return a long time in seconds, minutes, hours, days or years.

    Examples
    --------
    >>> duration(5400), duration(1e10)
    ('1.5 hours', '317 years')
    """
    for name, length in (("years", 31_557_600), ("days", 86400), ("hours", 3600), ("minutes", 60)):
        if value >= length:
            return f"{_plain(value / length)} {name}"
    return f"{_plain(value)} seconds"


def size(value: float) -> str:
    """Return a number of bytes in MB, GB, TB or PB (powers of 1024).

    Examples
    --------
    >>> size(3 * 2**30)
    '3 GB'
    """
    power = min(max(int(math.log2(value) // 10), 2), 5)
    return f"{_plain(value / 1024**power)} {['MB', 'GB', 'TB', 'PB'][power - 2]}"


def large(value: float) -> str:
    """Return a count in words.

    Examples
    --------
    >>> large(99_487_717_560), large(12)
    ('99.5 billion', '12')
    """
    for name, power in (("trillion", 1e12), ("billion", 1e9), ("million", 1e6)):
        if value >= power:
            return f"{_plain(value / power)} {name}"
    return _plain(value)


def _plain(value: float) -> str:
    """Return three significant digits without an exponent."""
    digits = max(0, 2 - math.floor(math.log10(abs(value)))) if value else 0
    rounded = round(value, 2 - math.floor(math.log10(abs(value)))) if value else 0.0
    text = f"{rounded:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def cluster_table(measured: pd.DataFrame) -> Html:
    """Return throughput by the number of workers; what only Dask costs is empty without it.

    Examples
    --------
    >>> from gamecore.papers.store import measured
    >>> "no Dask, 2" in cluster_table(measured("cluster"))
    True
    """
    body = []
    for row in measured.itertuples():
        chunk = 1000 * row.chunk_seconds / row.chunks
        dask = [f"{row.idle_ms:.0f}", f"{row.ready_seconds:.0f}"] if row.workers else ["", ""]
        numbers = [f"{row.wall_seconds:.1f}", f"{row.games / row.wall_seconds:,.0f}",
                   f"{chunk:.0f}", f"{row.overhead_ms:.1f}", f"{row.overhead_ms / chunk:.0%}",
                   *dask]  # fmt: skip
        kind = f"{row.workers} × {row.threads}" if row.workers else f"no Dask, {row.threads}"
        body.append([head(kind), *(cell(number, True) for number in numbers)])
    heads = ["processes × threads", "seconds", "games a second", "a chunk, ms",
             "beside it, ms", "share", "idling, ms a second", "ready after, s"]  # fmt: skip
    return table(heads, body, "Throughput on one machine")


def reproduction_table(report: pd.DataFrame) -> Html:
    """Return what ``gamecore run --check --report`` wrote: each experiment's size, time and fit.

    Examples
    --------
    >>> report = pd.DataFrame({"experiment": ["toy/one"], "extra": [False], "rows": [3],
    ...     "games": [300], "cpu_seconds": [61.0], "wall_seconds": [31.0], "differ": [0]})
    >>> "bit for bit" in reproduction_table(report)
    True
    """
    body = [
        [
            head(row.experiment), cell("study" if row.extra else "paper"),
            cell(f"{row.games:,}", True), cell(f"{row.rows:,}", True),
            cell(duration(row.cpu_seconds), True),
            cell("equal, bit for bit" if row.differ == 0 else f"{row.differ} rows differ"),
        ]
        for row in report.itertuples()
    ]  # fmt: skip
    heads = ["experiment", "asked by", "games", "rows", "one core's time", "compared with stored"]
    return table(heads, body, "Recomputed from nothing, compared with the stored rows")


def reproduced_on(report: pd.DataFrame, machines: int) -> tuple[float, float]:
    """Return the seconds of a reproduction on machines of `CORES` cores: in turn, and all at once.

    No experiment ends before a chunk does, for which its mean is taken; Dask's own cost, and tables
    that each worker makes, come on top.

    Examples
    --------
    >>> report = pd.DataFrame({"cpu_seconds": [160.0, 40.0], "rows": [16, 2]})
    >>> reproduced_on(report, machines=1), reproduced_on(report, machines=4)
    ((30.0, 20.0), (30.0, 20.0))
    """
    chunk = report.cpu_seconds / report.rows
    each = report.cpu_seconds / (machines * CORES)
    return float(np.maximum(each, chunk).sum()), float(max(each.sum(), chunk.max()))


def beyond_table(
    growth: pd.DataFrame, boards: pd.DataFrame, layers: pd.DataFrame, report: pd.DataFrame,
    stored: int, machines: tuple[int, ...] = (1, 4, 16),
) -> Html:  # fmt: skip
    """Return the plan for what is next: what it holds, what it moves, how long it takes, and why.

    Parameters
    ----------
    growth, boards, layers, report : pandas.DataFrame
        ``growth``, ``triomineering-larger``, ``geister-6x6`` and ``reproduction``, as measured.
    stored : int
        Bytes of all stored rows, which is what workers send back.
    machines : tuple of int
        How many to plan the reproduction for.

    Examples
    --------
    >>> from gamecore.papers.store import measured
    >>> files = ("growth", "triomineering-larger", "geister-6x6", "reproduction")
    >>> "Goofspiel N = 8" in beyond_table(*map(measured, files), stored=2**22)
    True
    """
    cards = next_sizes(growth).set_index("solver").loc["goofspiel"]
    hardest = boards.loc[boards.positions.idxmax()]
    pace = hardest.positions / hardest.seconds
    pair = layers[["bytes", "solving", "disk", "wall"]].sum() / 2
    pair *= layers.all_blocks.iloc[0] / layers.blocks.iloc[0]
    rows = [
        (f"Goofspiel {cards['size']}, exact", size(cards.bytes), "nothing: one machine",
         f"{duration(cards.core_seconds)} of one core",
         "memory, while equal successors are merged"),
        (f"Triomineering, as hard as {hardest.rows}×{hardest.columns}",
         f"{size(_TABLE * hardest.positions)} in tables", "nothing: one search",
         f"{duration(hardest.seconds)} of one core, {large(pace)} positions a second",
         "one core: a search and its matrix games follow one another"),
        ("Geister 6×6, 2+2, a layer", size(3 * layers.matrix.iloc[0]) + " on disk",
         f"{size(pair.bytes)} to and from the disk",
         f"{duration(pair.wall)}, {duration(pair.solving)} of it solving", "the disk"),
    ]  # fmt: skip
    for number in machines:
        in_turn, at_once = reproduced_on(report, number)
        rows.append(
            (f"the whole reproduction on {number} machine{'s' if number > 1 else ''}",
             "", size(stored),
             f"{duration(in_turn)} one after the other, {duration(at_once)} all at once",
             "cores" if at_once > 1.01 * (report.cpu_seconds / report.rows).max()
             else "the longest chunk")
        )  # fmt: skip
    body = [[head(first), *map(cell, rest)] for first, *rest in rows]
    heads = ["", "holds", "moves", "takes", "bottleneck"]
    return table(heads, body, f"Planned from measured rates; a machine has {CORES} cores")
