"""What a leaf of the tree is worth if the game goes on: nothing, or the result with open colours.

References
----------
N. Kawakami, master's thesis, JAIST, 2021, section 5.3.
"""

from collections import namedtuple
from functools import cache

import numpy as np

from gamecore import check
from gamecore.geister.bitmatrix import BLOCK, ROWS, WORDS, locate
from gamecore.geister.solution import Retrograde, retrograde
from gamecore.kernel import kernel

#: Solved positions for the kernels: draws, odd depths (wins), the column of a placement by the
#: ranks of its blue and red masks, and the most blues and reds of a side. Without positions it
#: values every leaf 0.
Lookup = namedtuple("Lookup", "open odd rank index max_blue max_red")


def no_table() -> Lookup:
    """Return the table of CFR-A, which calls every unresolved leaf a draw."""
    none = np.zeros((0, 0, 0), np.uint64)
    return Lookup(none, none, np.zeros(0, np.int16), np.zeros((0, 0), np.int32), 0, 0)


@cache
def perfect_table() -> Lookup:
    """Return the table of CFR-B: 4×4 with up to 2 + 2 pieces a side, analysed once a process."""
    return table_of(retrograde(4, 4, 2, 2))


def table_of(solved: Retrograde) -> Lookup:
    """Return a solved 4×4 game as the table that leaves are looked up in."""
    check.instance(solved, "solved", Retrograde)
    if (solved.width, solved.height) != (4, 4) or any(d % 2 == 0 for d in solved.win_histogram):
        raise ValueError("leaves are looked up in an analysis of 4×4, where wins have odd depth")
    rank = np.full(1 << 16, -1, np.int16)
    sets = sorted({mask for masks in solved.placements.masks for mask in masks})
    rank[sets] = np.arange(len(sets))
    index = np.zeros((len(sets), len(sets)), np.int32)
    blues, reds = np.array(solved.placements.masks).T
    index[rank[blues], rank[reds]] = solved.placements.columns
    if not len(solved.planes):
        raise ValueError("leaves are looked up by depth: it must have been kept (depths=True)")
    odd = solved.planes[0].copy()  # the other planes may go
    return Lookup(solved.open, odd, rank, index, solved.max_blue, solved.max_red)


def check_table(table: Lookup, blues: int, reds: int) -> Lookup:
    """Return a table that has all positions of so many blues and reds, or raise a ValueError."""
    arrays = {"open": (np.uint64, 3), "odd": (np.uint64, 3), "rank": (np.int16, 1)}
    for name, (dtype, axes) in (arrays | {"index": (np.int32, 2)}).items():
        array = check.instance(
            getattr(check.instance(table, "table", Lookup), name), name, np.ndarray
        )
        if array.dtype != dtype or array.ndim != axes or not array.size:
            raise ValueError(f"table must be made by perfect_table(); its {name} is not")
    blocks, numbers = len(table.open), len(table.index)
    if (
        table.open.shape != (blocks, blocks * ROWS, WORDS)
        or table.odd.shape != table.open.shape
        or table.index.shape != (numbers, numbers)
        or not 0 <= table.index.min() <= table.index.max() < blocks * BLOCK
        or len(table.rank) != 1 << 16
        or not -1 <= table.rank.min() <= table.rank.max() < numbers
    ):
        raise ValueError("table must be made by perfect_table(): it lacks positions that it names")
    has_room = check.whole(table.max_blue, "max_blue of the table") >= blues
    if not has_room or check.whole(table.max_red, "max_red of the table") < reds:
        raise ValueError(f"table has no positions with {blues} blues and {reds} reds a side")
    return table


@kernel
def spot(table, blue, red, their_blue, their_red):
    """Return where a position's bit is: block, row, word and its place; each in its own view."""
    row = table.index[table.rank[blue], table.rank[red]]
    column = table.index[table.rank[their_blue], table.rank[their_red]]
    return locate(row, column)


@kernel
def look(table, blue, red, their_blue, their_red):
    """Return 1, 0, −1 for a solved position; both sides' pieces in their own view."""
    block, row, word, bit = spot(table, blue, red, their_blue, their_red)
    if table.open[block, row, word] >> bit & np.uint64(1):
        return 0.0
    return 1.0 if table.odd[block, row, word] >> bit & np.uint64(1) else -1.0
