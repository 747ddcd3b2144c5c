"""Daifugo in the page: series of games between four players."""

import numpy as np

from gamecore.daifugo.matches import _series
from gamecore.kernel import kernel


@kernel
def series(
    start, stop, seats, helpers, rules, carry_over, deck, ranks, played, moves, tables, thought,
    scratch, s, row,
):  # fmt: skip
    """Play on; `row` counts places by seat, and how the games went."""
    first = np.int64(tables[0].order[0])
    if start == 0:
        first = -1
        for k in range(4):
            scratch[0].random[k] = s[k]
    elif carry_over:  # the kernel takes ranks over only between games of one call
        for place in range(4):
            ranks[place] = tables[0].order[place]
    now = played[: stop - start]
    _series(
        seats, helpers, rules[0], carry_over, deck, ranks, now, moves, tables, thought[0],
        scratch[0],
    )  # fmt: skip
    for k in range(stop - start):
        for place in range(4):
            row[4 * now[k].order[place] + place] += 1.0
        row[16] += carry_over and now[k].order[0] == first
        row[17] += now[k].drawn
        row[18] += now[k].turns
        row[19] += now[k].playouts
        first = now[k].order[0]
