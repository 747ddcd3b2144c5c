"""Tsume-Geister in the page: the search is the judge, the defence, and the help.

Part of the table of `gamecore.live.tables.geister`. ``tsume_told`` is written by every kernel:

0. in how many plies the reader wins from here; 0 if not (within ``tsume_limit``) or if it is over;
1. the reader's best move, the defence's reply, or −1 if there is none;
2. 1 if the reader has won, −1 if the reader has lost, else 0;
3. in how many plies the defence wins from before its reply, where it soon does, else 0;
4. how many moves are in ``tsume_moves``.
"""

from collections.abc import Callable

import numpy as np

from gamecore.geister.forced import (
    CELLS,
    FACTS,
    GOES_ON,
    ILLEGAL,
    NEAR,
    WON,
    choose,
    moves_of,
    play,
    surroundings,
)
from gamecore.kernel import kernel
from gamecore.live.plan import Room

TOLD = 5


@kernel
def geister_tsume_begin(tsume_board, tsume_near, tsume_facts, tsume_after, tsume_moves, tsume_told):
    """Begin with a board, the reader to move: forget what was found on others, list the moves."""
    surroundings(tsume_board[5], tsume_board[6], tsume_near)
    for k in range(len(tsume_facts)):
        tsume_facts[k] = 0
    for k in range(TOLD):
        tsume_told[k] = 0
    tsume_told[1] = -1
    tsume_told[4] = moves_of(tsume_board, tsume_near, tsume_after, tsume_moves)


@kernel
def geister_tsume_best(
    tsume_limit, tsume_board, tsume_near, tsume_facts, tsume_after, tsume_moves, tsume_told
):
    """Tell the reader's best move, and list all moves."""
    chosen = np.zeros(2, np.int64)
    choose(tsume_board, tsume_limit + 1, tsume_near, tsume_facts, tsume_after, chosen)
    tsume_told[0], tsume_told[1], tsume_told[2], tsume_told[3] = chosen[1], chosen[0], 0, 0
    tsume_told[4] = moves_of(tsume_board, tsume_near, tsume_after, tsume_moves)


@kernel
def geister_tsume_move(
    tsume_move, tsume_limit, tsume_board, tsume_near, tsume_facts, tsume_after, tsume_moves,
    tsume_told,
):  # fmt: skip
    """Make the reader's move, judge it, and let the defence reply."""
    ends = play(tsume_board, tsume_move, tsume_near, tsume_after)
    if ends == ILLEGAL:
        raise ValueError("that is not a move here")
    for k in range(len(tsume_board)):
        tsume_board[k] = tsume_after[k]
    tsume_told[0], tsume_told[1], tsume_told[3], tsume_told[4] = 0, -1, 0, 0
    tsume_told[2] = 1 if ends == WON else 0 if ends == GOES_ON else -1
    if ends != GOES_ON:
        return
    chosen = np.zeros(2, np.int64)
    choose(tsume_board, tsume_limit, tsume_near, tsume_facts, tsume_after, chosen)
    ends = play(tsume_board, chosen[0], tsume_near, tsume_after)
    for k in range(len(tsume_board)):
        tsume_board[k] = tsume_after[k]
    tsume_told[0] = max(0, chosen[1] - 1)
    tsume_told[1], tsume_told[3] = chosen[0], max(0, -chosen[1])
    tsume_told[2] = -1 if ends == WON else 0 if ends == GOES_ON else 1
    if ends == GOES_ON:
        tsume_told[4] = moves_of(tsume_board, tsume_near, tsume_after, tsume_moves)


KERNELS: list[Callable] = [geister_tsume_begin, geister_tsume_best, geister_tsume_move]
VALUES = {
    "tsume_move": 0, "tsume_limit": 0, "tsume_board": Room(np.int64, (8,)),
    "tsume_near": Room(np.int64, (NEAR,)), "tsume_facts": Room(np.int64, (FACTS,)),
    "tsume_after": Room(np.int64, (8,)), "tsume_moves": Room(np.int64, (5 * CELLS,)),
    "tsume_told": Room(np.int64, (TOLD,)),
}  # fmt: skip
