"""Geister in the page: a game against a player of the thesis, and the table of solved positions.

A page keeps a game as its seed, its choice of colours and its moves, and asks for it to be played
anew every time: so a move is taken back by leaving it out, and any worker can be asked. Arrays of
the solution are empty at first. A page that solves the board, with the steps of table 6.1, does so
in a worker where they have room, and there are `DEPTHS` planes.
"""

import numpy as np

from gamecore.geister.bitmatrix import BLOCK, locate
from gamecore.geister.leaves import Lookup
from gamecore.geister.matches import _APPROACHER, _BLUES, _ENDING, _PLACES, _PLIES, COUNTS, _play
from gamecore.geister.players import _CFR_A, USUAL, Scratch, Settings, think
from gamecore.geister.rules import ESCAPE, GOALS, target_of, turned16
from gamecore.geister.state import ENDINGS
from gamecore.geister.tree import COLOURINGS, LANES
from gamecore.geister.view import LIMIT
from gamecore.kernel import kernel
from gamecore.live.entries.geister import _STARTS, _nothing, _sketch, _tree, mirrored16
from gamecore.live.generator import below, decision, generator
from gamecore.live.plan import GameTable, Room
from gamecore.live.tables.geister_tsume import KERNELS, VALUES

#: Planes that hold all depths of 4×4; most moves of a position, those of any colouring included.
DEPTHS, MOVES = 6, 17
#: The ending of a game that goes on, which may become a draw; those that win; what is on a cell.
_GOING = ENDINGS.index("draw")
_WINS = tuple(k for k, ending in enumerate(ENDINGS) if ending.endswith("win"))  # of the first side
_EMPTY, _BLUE, _RED, _THEIR_BLUE, _THEIR_RED = range(5)
#: A ply that is neither the first nor the last: where positions are that were set up.
_MIDDLE = 2


@kernel
def _settings(order, cells, how):
    return Settings(
        order, cells, how[0], how[1], how[2], (how[3], how[4], how[5]), how[6], how[7] == 1,
        how[8] == 1,
    )  # fmt: skip


@kernel
def _memory(open_, planes, rank, index):
    perfect = Lookup(open_, planes[0], rank, index, 2, 2)
    return Scratch(_tree(), _sketch(), _nothing(), perfect, np.zeros((3, 2, LANES)), np.zeros(32))


@kernel
def _legal(blue, red, legal):
    """Write the moves of a side as `rules.moves_of` orders them; return their number."""
    own, found = blue | red, 0
    for cell in range(16):
        if blue & GOALS & 1 << cell:
            legal[found] = 5 * cell + ESCAPE
            found += 1
        for way in range(4):
            target = target_of(cell, way)
            if own >> cell & 1 and target >= 0 and not own >> target & 1:
                legal[found] = 5 * cell + way
                found += 1
    return found


@kernel
def _is_legal(side, move, board, legal):
    found = False
    for k in range(_legal(board[side], board[2 + side], legal)):
        found = found or legal[k] == move
    return found


@kernel
def geister_game(
    words, chosen, plies, who, leaves, moves, legal, g, s, board, counts, order, cells, how, open_,
    planes, rank, index, told, mixed, colourings, mix,
):  # fmt: skip
    """Play a game: deal what colours were not chosen, make the moves, and go on if asked.

    Parameters
    ----------
    words, chosen : numpy.ndarray
        The seed; for each side which of the six ways to have two blues, −1 if chance chooses.
    plies, moves : int, numpy.ndarray
        How many moves were made, and which.
    who : int
        The player who makes the next move, drawing as in Python; −1 for none.
    leaves : int
        Mix the next move as CFR-A (0) or CFR-B (1) does; −1 if that is not asked.
    told : numpy.ndarray
        What `_mix` tells, and whether the game is over.
    """
    generator(words, g)
    for side in range(2):
        board[_BLUES + side] = _STARTS[chosen[side] if chosen[side] >= 0 else below(g, 6)]
    kept, memory = _settings(order, cells, how), _memory(open_, planes, rank, index)
    counts[_PLIES], over = 0, False
    for ply in range(-1, plies + (who >= 0)):  # the first only puts the pieces up
        if ply == plies:
            if over:
                break
            for _ in range(1 + plies // 2):  # it has made every other move
                decision(g, s)
        elif ply >= 0 and (over or not _is_legal(ply % 2, moves[ply], board, legal)):
            raise ValueError("one of the moves is not legal")
        over = _play(
            who, who, ply < plies, 0, board[_BLUES], board[_BLUES + 1], board, moves, counts,
            min(ply + 1, 1), s, kept, memory,
        )  # fmt: skip
    told[2] = over
    if leaves >= 0 and not over:
        _mix(leaves, plies % 2, board, kept, memory, told, mixed, colourings, mix)


@kernel
def _mix(leaves, side, board, kept, memory, told, mixed, colourings, mix):
    """Mix a side's moves as CFR does, for each colouring that its pieces might have.

    `told` has the numbers of moves and of colourings; `mixed` the moves, `colourings` the blues,
    the true ones first, and ``mix[colouring, move]`` the probabilities.
    """
    blue, red, their_blue = board[side], board[2 + side], turned16(board[1 - side])
    moves = think(_CFR_A + leaves, blue, red, their_blue, turned16(board[3 - side]), kept, memory)
    tree, place = memory.tree[0], 1
    told[0], told[1] = moves, tree.types[0]
    for a in range(moves):
        mixed[a] = 5 * tree.cell[a] + tree.way[a]
    for i in range(told[1]):
        blues, total = memory.sketch.own_blue[0, i], 0.0
        row = 0 if blues == blue else place
        place += row != 0
        colourings[row] = blues
        for a in range(moves):
            total += tree.average[a, i]
        for a in range(moves):
            mix[row, a] = tree.average[a, i] / total


@kernel
def geister_show(side, board, shown, legal, told):
    """Write what a side sees on each cell, its moves, and their number."""
    blue, red = board[side], board[2 + side]
    their_blue, their_red = turned16(board[1 - side]), turned16(board[3 - side])
    for cell in range(16):
        shown[cell] = (
            _BLUE * (blue >> cell & 1) + _RED * (red >> cell & 1)
            + _THEIR_BLUE * (their_blue >> cell & 1) + _THEIR_RED * (their_red >> cell & 1)
        )  # fmt: skip
    told[0] = _legal(blue, red, legal)


@kernel
def geister_set(shown, board):
    """Set up a position, whose first side is to move."""
    for k in range(4):
        board[k] = 0
    for cell in range(16):
        bit, back = 1 << cell, 1 << 15 - cell
        if shown[cell] == _BLUE:
            board[0] |= bit
        elif shown[cell] == _RED:
            board[2] |= bit
        elif shown[cell] == _THEIR_BLUE:
            board[1] |= back
        elif shown[cell] == _THEIR_RED:
            board[3] |= back
    board[4] = board[5] = -1
    board[_APPROACHER] = 0
    for k in range(4):
        if board[k] == 0:
            raise ValueError("each side needs at least one blue and one red")
        rest = board[k] & board[k] - 1
        if rest & rest - 1:
            raise ValueError("the table has at most two blues and two reds a side")


@kernel
def _worth(side, board, planes, rank, index):
    """Return in how many plies a side to move wins, or loses (negative); 0 in a draw."""
    if len(rank) == 0:
        return 0
    row = index[rank[board[side]], rank[board[2 + side]]]
    column = index[rank[board[1 - side]], rank[board[3 - side]]]
    block, row, word, bit = locate(row, column)
    depth = 0
    for k in range(len(planes)):
        depth |= np.int64(planes[k, block, row, word] >> bit & np.uint64(1)) << k
    return depth if depth % 2 else -depth  # 0 is a draw


@kernel
def geister_values(
    side, s, board, moves, legal, after, endings, worth, told, order, cells, how, open_, planes,
    rank, index,
):  # fmt: skip
    """Make each move of a position, and look up what it leads to, said of the side to move.

    `told` has the number of moves, what the position is worth, and the first of the best moves;
    `after` and `endings` are what each move leads to, and `worth` what it is worth. A number n is a
    win in n plies, −n a loss, 0 a draw; without a solution all are 0 but for moves that end a game.
    """
    kept, memory = _settings(order, cells, how), _memory(open_, planes, rank, index)
    row, best = np.empty(len(COUNTS), np.int64), -1000
    told[0] = _legal(board[side], board[2 + side], legal)
    told[1] = _worth(side, board, planes, rank, index)
    for k in range(told[0]):
        for i in range(_PLACES):
            after[k, i] = board[i]
        row[_PLIES], row[_ENDING], moves[_MIDDLE + side] = _MIDDLE + side, _GOING, legal[k]
        _play(0, 0, True, 0, 0, 0, after[k], moves, row, 1, s, kept, memory)
        endings[k] = row[_ENDING]
        if endings[k] == _GOING:
            reply = _worth(1 - side, after[k], planes, rank, index)
            worth[k] = -reply - 1 if reply > 0 else 1 - reply if reply < 0 else 0
        else:
            worth[k] = 1 if (endings[k] in _WINS) == (side == 0) else -1
        # Who wins hurries, who loses delays.
        good = 500 - worth[k] if worth[k] > 0 else -500 - worth[k] if worth[k] < 0 else 0
        if good > best:
            best, told[2] = good, legal[k]


@kernel
def geister_longest(planes, found, blues, reds, board):
    """Set up the first of the positions that are won in most plies."""
    depth = found.shape[1] - 1
    while found[0, depth] == 0:
        depth -= 1
    for row in range(len(blues)):
        for block in range(planes.shape[1]):
            for word in range(planes.shape[3]):
                bits = ~np.uint64(0)
                for k in range(len(planes)):
                    plane = planes[k, block, row, word]
                    bits &= plane if depth >> k & 1 else ~plane
                if bits:
                    column = block * BLOCK + 64 * word
                    while not bits & np.uint64(1):
                        bits >>= np.uint64(1)
                        column += 1
                    board[0], board[2] = blues[row], reds[row]
                    board[1], board[3] = blues[column >> 1], reds[column >> 1]
                    if column & 1:
                        board[1], board[3] = mirrored16(board[1]), mirrored16(board[3])
                    board[4] = board[5] = -1
                    board[_APPROACHER] = 0
                    return


TABLE = GameTable(
    [geister_game, geister_show, geister_set, geister_values, geister_longest, *KERNELS],
    {
        "who": -1, "plies": 0, "side": 0, "leaves": -1,
        "chosen": Room(np.int64, (2,)), "moves": Room(np.int64, (LIMIT,)),
        "board": Room(np.int64, (_PLACES,)), "counts": Room(np.int64, (len(COUNTS),)),
        "shown": Room(np.int64, (16,)), "legal": Room(np.int64, (MOVES,)),
        "after": Room(np.int64, (MOVES, _PLACES)), "endings": Room(np.int64, (MOVES,)),
        "told": Room(np.int64, (3,)), "worth": Room(np.int64, (MOVES,)),
        "mixed": Room(np.int64, (MOVES,)), "colourings": Room(np.int64, (COLOURINGS,)),
        "mix": Room(np.float64, (COLOURINGS, MOVES)),
        "order": np.array(USUAL.order), "cells": np.array(USUAL.cells),
        "how": np.array([USUAL.first, USUAL.depth, USUAL.beyond, *USUAL.weights, USUAL.iterations,
                         USUAL.chosen, USUAL.escape], np.int64),
        "open_": Room(np.uint64, (0, 0, 0)), "planes": Room(np.uint64, (1, 0, 0, 0)),
        "rank": Room(np.int16, (0,)), "index": Room(np.int32, (0, 0)),
        "found": Room(np.int64, (2, 0)), "blues": Room(np.int64, (0,)),
        "reds": Room(np.int64, (0,)), **VALUES,
    },
)  # fmt: skip
