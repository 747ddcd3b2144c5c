"""What a leaf of the tree is worth if the game goes on: nothing, or the result with open colours.

References
----------
N. Kawakami, master's thesis, JAIST, 2021, section 5.3.
"""

from collections import namedtuple
from functools import cache

import numpy as np

from gamecore.geister.bitmatrix import BLOCK
from gamecore.geister.solution import Retrograde, retrograde
from gamecore.kernel import kernel

#: Solved positions for the kernels: draws, odd depths (wins), and the number of a placement by the
#: ranks of its blue and red masks. Without positions it values every leaf 0.
Lookup = namedtuple("Lookup", "open odd rank index")


def no_table() -> Lookup:
    """Return the table of CFR-A, which calls every unresolved leaf a draw."""
    none = np.zeros((0, 0, 0), np.uint64)
    return Lookup(none, none, np.zeros(0, np.int16), np.zeros((0, 0), np.int32))


@cache
def perfect_table() -> Lookup:
    """Return the table of CFR-B: 4×4 with up to 2 + 2 pieces a side, analysed once a process."""
    return table_of(retrograde(4, 4, 2, 2))


def table_of(solved: Retrograde) -> Lookup:
    """Return a solved 4×4 game as the table that leaves are looked up in."""
    if (solved.width, solved.height) != (4, 4) or any(d % 2 == 0 for d in solved.win_histogram):
        raise ValueError("leaves are looked up in an analysis of 4×4, where wins have odd depth")
    rank = np.full(1 << 16, -1, np.int16)
    sets = sorted({mask for masks in solved.placements.masks for mask in masks})
    rank[sets] = np.arange(len(sets))
    index = np.zeros((len(sets), len(sets)), np.int32)
    for (blue, red), i in solved.placements.index.items():
        index[rank[blue], rank[red]] = i
    return Lookup(solved.open, solved.planes[0].copy(), rank, index)  # the other planes may go


@kernel
def look(table, blue, red, their_blue, their_red):
    """Return 1, 0, −1 for a solved position; both sides' pieces in their own view."""
    row = table.index[table.rank[blue], table.rank[red]]
    column = table.index[table.rank[their_blue], table.rank[their_red]]
    block, word = column // BLOCK, column % BLOCK // 64
    bit = np.uint64(column % 64)
    if table.open[block, row, word] >> bit & np.uint64(1):
        return 0.0
    return 1.0 if table.odd[block, row, word] >> bit & np.uint64(1) else -1.0
