"""Geister: bit-matrix retrograde analysis against NumPy and plain Python, CFR against plain CFR."""

import time

import numpy as np

from gamecore.geister import Position, mixture, retrograde
from gamecore.geister.rules import steps
from tests.reference import geister as reference


def compare() -> list[dict]:
    """Return the seconds of both sides on the same problem; results are equal first."""
    return [_against_numpy(), _against_python(), _against_plain_cfr()]


def _row(name: str, ours, peer, repeat: int) -> dict:
    """Time both sides by this thread's processor time, best of several."""

    def best(call, times: int) -> float:
        taken = []
        for _ in range(times):
            start = time.process_time()
            call()
            taken.append(time.process_time() - start)
        return min(taken)

    ours_seconds, peer_seconds = best(ours, repeat), best(peer, 1)
    return {
        "name": name, "ours_seconds": ours_seconds, "peer_seconds": peer_seconds,
        "ratio": peer_seconds / ours_seconds,
    }  # fmt: skip


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
    solved = retrograde(5, 5, 1, 1)
    assert numpy_analysis(5, 5) == (solved.win_histogram, solved.loss_histogram)
    return _row(
        "retrograde analysis of 5×5 with 1+1 a side, against NumPy value iteration",
        lambda: retrograde(5, 5, 1, 1, workers=1), lambda: numpy_analysis(5, 5), 5,
    )  # fmt: skip


def _against_python() -> dict:
    solved, slow = retrograde(3, 3, 2, 1), reference.brute_force_retrograde(3, 3, 2, 1)
    assert solved.win_histogram == slow.histogram(reference.WIN)
    assert solved.loss_histogram == slow.histogram(reference.LOSS)
    return _row(
        "retrograde analysis of 3×3 with 2+1 a side, against plain Python",
        lambda: retrograde(3, 3, 2, 1, workers=1),
        lambda: reference.brute_force_retrograde(3, 3, 2, 1), 5,
    )  # fmt: skip


def _against_plain_cfr() -> dict:
    position = Position.of("b3 c4", "c3 a4", "b2 c1", "d2 a1")
    cells = [frozenset(c for c in range(16) if mask >> c & 1) for mask in position[:4]]
    board, plain = reference.Board(4, 4), reference.Position(*cells)
    ours = mixture(position, "draw", 5).moves[position.blue]
    slow = reference.cfr(board, plain, 3, 5)[0, plain.blue, ()]
    for move, share in ours.items():
        assert abs(share - slow[tuple(move)]) < 1e-9
    return _row(
        "five CFR iterations on a tree of three plies, against plain extensive-form CFR",
        lambda: mixture(position, "draw", 5), lambda: reference.cfr(board, plain, 3, 5), 20,
    )  # fmt: skip
