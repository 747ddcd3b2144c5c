"""Geister: bit matrices against memory's speed, NumPy and plain Python; CFR against plain CFR."""

import numpy as np

from benchmarks import gather, side_by_side
from gamecore.geister import Position, Retrograde, mixture, retrograde
from gamecore.geister.bitmatrix import BLOCK, ROWS
from gamecore.geister.rules import steps
from tests.reference import geister as reference

_STREAM = 1 << 25  # words in each of two arrays of 256 MB: more than any cache holds


def compare() -> list[dict]:
    """Return the seconds of both sides on the same problem; results are equal first."""
    return gather(_against_memory, _against_numpy, _against_python, _against_plain_cfr)


def traffic(solved: Retrograde) -> int:
    """Return the bytes that plain passes over all positions would move to and from memory.

    Every depth reads the replies that it rests on, and reads and writes the open positions. Nine
    matrices are cleared at the start. What is found and its depth come on top; rows without news
    are passed over, which saves.
    """
    matrix = solved.placements.blocks**2 * ROWS * BLOCK // 8
    depths = max(solved.win_histogram | solved.loss_histogram) + 1  # the last one finds nothing
    return matrix * (3 * depths + 9)


def _against_memory() -> dict:
    solved = retrograde(4, 4, 2, 2)
    moved, total = traffic(solved), solved.total
    source, target = np.ones(_STREAM, np.uint64), np.zeros(_STREAM, np.uint64)
    return side_by_side(
        f"retrograde analysis of 4×4 with 2+2 a side ({total:,} positions, "
        f"{moved / total:.0f} bytes for each in plain passes), against copying as many bytes",
        lambda: retrograde(4, 4, 2, 2, workers=1), lambda: np.copyto(target, source),
        against="memory bandwidth, a STREAM copy by one thread", unit="position",
        units=(total, 2 * source.nbytes / moved * total),
    )  # fmt: skip


def numpy_analysis(width: int, height: int) -> tuple[dict[int, int], dict[int, int]]:
    """Solve one blue and one red a side by value iteration over dense NumPy arrays.

    The state is (blue, red, their blue, their red); every layer looks at all replies of all states.
    """
    n, step = width * height, steps(width, height)
    blue, red, their_blue, their_red = (a.ravel() for a in np.indices((n, n, n, n), np.int32))
    sets = (blue, red, their_blue, their_red)
    real = np.ones(n**4, bool)
    for i in range(4):
        for j in range(i):
            real &= sets[i] != sets[j]
    won_now, lost_now = n**4, n**4 + 1  # two more entries: the replier has lost, or won, at once
    replies = np.full((8, n**4), -1, np.int32)
    for way in range(4):
        for piece, other in ((0, 1), (1, 0)):
            target = step[sets[piece], way]
            legal = (target >= 0) & (target != sets[other])
            pieces = [blue, red]
            pieces[piece] = target
            turned = [n - 1 - cell for cell in (their_blue, their_red, *pieces)]
            after = ((turned[0] * n + turned[1]) * n + turned[2]) * n + turned[3]
            after = np.where(target == their_blue, won_now, after)
            after = np.where(target == their_red, lost_now, after)
            replies[2 * way + piece] = np.where(legal, after, -1)
    absent = replies < 0
    value = np.zeros(n**4 + 2, np.int16)  # +d a win in d plies, −d a loss
    lost, won = np.zeros(n**4 + 2, bool), np.zeros(n**4 + 2, bool)
    lost[won_now], won[lost_now] = True, True
    escapes = real & ((blue == 0) | (blue == width - 1))
    wins, losses = {}, {}
    for depth in range(1, 200):
        open_ = real & (value[:-2] == 0)
        win = open_ & (lost[replies] & ~absent).any(0)
        if depth == 1:
            win |= escapes
        loss = open_ & ~win & (won[replies] | absent).all(0)
        if not win.any() and not loss.any():
            break
        value[:-2][win], value[:-2][loss] = depth, -depth
        won[:-2] |= win
        lost[:-2] |= loss
        wins.update({depth: int(win.sum())} if win.any() else {})
        losses.update({depth: int(loss.sum())} if loss.any() else {})
    return wins, losses


def _against_numpy() -> dict:
    return side_by_side(
        "retrograde analysis of 5×5 with 1+1 a side, against value iteration over all positions",
        lambda: retrograde(5, 5, 1, 1, workers=1), lambda: numpy_analysis(5, 5),
        against="numpy, plain value iteration", unit="position", units=(303_600, 303_600),
        equal=lambda ours, theirs: (ours.win_histogram, ours.loss_histogram) == theirs,
    )  # fmt: skip


def _against_python() -> dict:
    total = retrograde(3, 3, 2, 1).total
    return side_by_side(
        "retrograde analysis of 3×3 with 2+1 a side",
        lambda: retrograde(3, 3, 2, 1, workers=1),
        lambda: reference.brute_force_retrograde(3, 3, 2, 1),
        against="plain Python", unit="position", units=(total, total),
        equal=lambda ours, slow: ours.win_histogram == slow.histogram(reference.WIN)
        and ours.loss_histogram == slow.histogram(reference.LOSS),
    )  # fmt: skip


def _against_plain_cfr() -> dict:
    """Compare mixtures after five iterations; time a move's thousand, five of them by the peer."""
    position = Position.of("b3 c4", "c3 a4", "b2 c1", "d2 a1")
    cells = [frozenset(c for c in range(16) if mask >> c & 1) for mask in position.masks]
    board, plain = reference.Board(4, 4), reference.Position(*cells)
    ours = mixture(position, "draw", 5).moves[position.blue]
    slow = reference.cfr(board, plain, 3, 5)[0, plain.blue, ()]
    for move, share in ours.items():
        assert abs(share - slow[move.cell, move.direction]) < 1e-9
    return side_by_side(
        "a CFR-A move: 1000 iterations on a tree of three plies, five of them by the peer",
        lambda: mixture(position, "draw", 1000), lambda: reference.cfr(board, plain, 3, 5),
        against="plain Python", unit="move", units=(1, 5 / 1000),
    )  # fmt: skip
