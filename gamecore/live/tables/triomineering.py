"""Triomineering in the page: a player thinks before one's eyes, is judged exactly, and plays.

A decision's search goes on from stretch to stretch: what it knows in between is carried over in
``kept``, one row of numbers, and each stretch concludes on a copy. So stretches of any length end
in what one search of all playouts does.
"""

import numpy as np

from gamecore.kernel import kernel
from gamecore.live.boards import (
    boards_of,
    emptied,
    full,
    moves_of,
    new_stack,
    payoffs_of,
    value_of,
)
from gamecore.live.entries.triomineering import _all_moves, _settings
from gamecore.live.generator import decision, generator
from gamecore.live.plan import GameTable, Room
from gamecore.matrixgame import equilibrium
from gamecore.triomineering import nash, rules
from gamecore.triomineering.memory import make_memory
from gamecore.triomineering.players import Player, orbits, settings_of
from gamecore.triomineering.rounds import h_shortfall, v_shortfall
from gamecore.triomineering.rules import Position
from gamecore.triomineering.search import (
    PAIRS,
    World,
    _add_logarithms,
    bandits_needed,
    choose,
    conclude,
    search,
    world_of,
)

#: Boards have three rows and columns at least, and so many together at most: they have up to 36
#: cells, and are solved in a tenth of a second.
LEAST, TOTAL = 3, 12
SIZES = [(m, n) for m in range(LEAST, TOTAL) for n in range(LEAST, TOTAL - m + 1)]
MOST_PLAYOUTS = 100_000
_CELLS = max(m * n for m, n in SIZES)
#: Room for positions: the 6×6 board, which needs most, takes a third of it.
_ROOM, _MIXED = 1 << 15, 1 << 11
_V, _H = 1, 2  # marks of a cell that is filled, by both if they overlap


def _orbits() -> np.ndarray:
    """Return [rows − 3, side, group, image]: mirrored first moves on square boards, then −1."""
    found = np.full((TOTAL // 2 - LEAST + 1, 2, _CELLS // 4, 4), -1)
    for k in range(len(found)):
        for side in range(2):
            groups = orbits(Position.empty(LEAST + k, LEAST + k), Position.seats[side])
            for i, group in enumerate(groups):
                found[k, side, i, : len(group)] = group
    return found


def _kept() -> int:
    """Return how many numbers a search knows at most; see `_carried`."""
    most = 0
    for m, n in SIZES:
        v, h = (m - 2) * n, m * (n - 2)
        images = 2 if m == n else 1  # groups of odd boards leave room for images that are the same
        most = max(most, 9 * v * h + 5 * (v + h) + images * v * h * (1 + 4 * max(v, h)))
    return most


@kernel
def _look(rows, columns, free, legal, result):
    """Write which moves are legal, and the result."""
    board = boards_of(rows, columns)[0]
    v, h = rules.v_moves(free[0], columns), rules.h_moves(free[0], board.fits)
    result[0] = rules.result(v != 0, h != 0)
    for cell in range(rows * columns):
        bit = np.uint64(1) << np.uint64(cell)
        legal[0, cell] = result[0] < 0 and v & bit != 0
        legal[1, cell] = result[0] < 0 and h & bit != 0


@kernel
def triomineering_begin(rows, columns, free, filled, legal, result):
    """Empty the board."""
    free[0] = full(rows, columns)
    for cell in range(len(filled)):
        filled[cell] = legal[0, cell] = legal[1, cell] = 0
    _look(rows, columns, free, legal, result)


@kernel
def triomineering_lay(v, h, rows, columns, free, filled, legal, result):
    """Lay both pieces of a round; a move that is not legal is refused."""
    cells = rows * columns
    if not (0 <= v < cells and 0 <= h < cells and legal[0, v] and legal[1, h]):
        raise ValueError("that move is not legal here")
    upright, lying = rules.v_piece(v, columns), rules.h_piece(h)
    for cell in range(cells):
        bit = np.uint64(1) << np.uint64(cell)
        filled[cell] |= (_V if upright & bit else 0) | (_H if lying & bit else 0)
    free[0] = rules.step(free[0], v, h, columns)
    _look(rows, columns, free, legal, result)


@kernel
def triomineering_solve(
    rows, columns, free, keys, known, used, mixed, values, payoffs, value, exact, against, sure
):
    """Solve the position: its value to V, and what each move is worth to its own side.

    By the cell of the move: its probability in an equilibrium, what it brings against the other's
    mixture in that equilibrium, and what it brings at least.
    """
    boards, stack = boards_of(rows, columns), new_stack()
    tables = emptied(keys, known, used, mixed, rows, columns)
    v, h = moves_of(free[0], 0, 0, boards[0])
    A = payoffs_of(free[0], boards, tables, stack, mixed, values)
    value[0] = value_of(free[0], boards, tables, stack, mixed, values)
    _, row, column = equilibrium(A)
    for cell in range(exact.shape[1]):
        for side in range(2):
            exact[side, cell] = against[side, cell] = sure[side, cell] = 0.0
    for i in range(len(v)):
        exact[0, v[i]], sure[0, v[i]] = row[i], 1.0
    for j in range(len(h)):
        exact[1, h[j]], sure[1, h[j]] = column[j], 1.0
    for i in range(len(v)):
        for j in range(len(h)):
            payoffs[v[i], h[j]] = A[i, j]
            against[0, v[i]] += A[i, j] * column[j]
            against[1, h[j]] += (1.0 - A[i, j]) * row[i]
            sure[0, v[i]] = min(sure[0, v[i]], A[i, j])
            sure[1, h[j]] = min(sure[1, h[j]], 1.0 - A[i, j])


@kernel
def _world(rows, columns, free, side, groups):
    """Return what a player searches; see `gamecore.triomineering.players.first_world`."""
    board = boards_of(rows, columns)[0]
    world = world_of(free[0], columns, board.fits, side == 0)
    if rows != columns or free[0] != full(rows, columns):
        return world
    group, count = groups[rows - LEAST, side], 0
    while count < len(group) and group[count, 0] >= 0:
        count += 1
    sizes, width = np.zeros(count, np.int64), 0
    for i in range(count):
        while sizes[i] < group.shape[1] and group[i, sizes[i]] >= 0:
            sizes[i] += 1
        width = max(width, sizes[i])
    images = np.empty((count, width), np.int64)
    for i in range(count):
        for k in range(width):
            images[i, k] = group[i, k % sizes[i]]
    return World(
        world.free, columns, world.fits, world.vertical, images, sizes, world.theirs, world.payoffs
    )


@kernel
def _least(world, method):
    """Return after how many playouts a player has tried all that it tries first."""
    return len(world.sizes) * (len(world.theirs) if method >= PAIRS else 1)


@kernel
def triomineering_open(
    method, playouts, c, reading, reading_rounds, rows, columns, side, decided, words, player,
    free, groups, g, s, kept, logs,
):  # fmt: skip
    """Begin a side's decision, after so many `decided` ones of a seed's game."""
    player[0], player[1], player[2] = method, playouts, c
    player[5], player[7] = reading, reading_rounds[reading]
    if playouts >= len(logs) or playouts < _least(
        _world(rows, columns, free, side, groups), method
    ):
        raise ValueError("it first tries all its moves, MSUCB all pairs: give it more playouts")
    if logs[2] == 0.0:
        _add_logarithms(logs)
    generator(words, g)
    for _ in range(decided + 1):
        decision(g, s)
    for k in range(len(kept)):
        kept[k] = 0.0


@kernel
def _carry(array, kept, at, back):
    """Copy an array out of `kept`, or back into it; return where it ends."""
    items = array.ravel()
    for k in range(len(items)):
        if back:
            kept[at + k] = items[k]
        else:
            items[k] = kept[at + k]
    return at + len(items)


@kernel
def _carried(memory, kept, back):
    """Copy what a search must know to go on; the rest of its memory it makes anew."""
    found, bandits = memory.found, memory.bandits
    at = _carry(found.visits, kept, 0, back)
    at = _carry(found.own, kept, at, back)
    at = _carry(found.other, kept, at, back)
    at = _carry(memory.own, kept, at, back)
    at = _carry(memory.other, kept, at, back)
    at = _carry(memory.scratch.p, kept, at, back)
    at = _carry(memory.scratch.q, kept, at, back)
    at = _carry(memory.own_tables, kept, at, back)
    at = _carry(memory.tables, kept, at, back)
    at = _carry(bandits.plays, kept, at, back)
    at = _carry(bandits.visits, kept, at, back)
    at = _carry(bandits.totals, kept, at, back)
    at = _carry(bandits.means, kept, at, back)
    _carry(bandits.widths, kept, at, back)


@kernel
def _memory(world, settings, kept):
    bandits, arms = bandits_needed(world, settings)
    memory = make_memory(len(world.sizes), len(world.theirs), bandits, arms)
    _carried(memory, kept, False)
    return memory


@kernel
def triomineering_think(
    start, stop, rows, columns, side, player, free, groups, s, kept, logs, payoffs, value, thought,
    lost,
):  # fmt: skip
    """Go on thinking; write visits, mean utilities and the mixture by cell, and what it loses.

    Of mirrored moves that are searched as one, each gets its part of the visits. There is a mixture
    once all has been tried that is tried first, until then `lost` is −1.
    """
    world, settings = _world(rows, columns, free, side, groups), _settings(player, 0)
    memory = _memory(world, settings, kept)
    search(world, settings, logs, s, memory, start, stop)
    _carried(memory, kept, True)
    conclude(settings, memory)  # on this copy: the search goes on from what was kept
    v, h = moves_of(free[0], 0, 0, boards_of(rows, columns)[0])
    own = v if side == 0 else h
    mixture = _all_moves(world, memory.found.policy, len(own))
    ready = stop >= _least(world, settings.method)
    for k in range(3):
        for cell in range(thought.shape[1]):
            thought[k, cell] = 0.0
    for i in range(len(world.sizes)):
        visits, total = 0, 0.0
        for j in range(len(world.theirs)):
            visits += memory.found.visits[i, j]
            total += memory.found.own[i, j]
        for k in range(world.sizes[i]):
            thought[0, world.images[i, k]] = visits / world.sizes[i]
            thought[1, world.images[i, k]] = total / visits if visits else 0.0
    A = np.empty((len(v), len(h)))
    for i in range(len(v)):
        for j in range(len(h)):
            A[i, j] = payoffs[v[i], h[j]]
    lost[0] = -1.0
    if ready:
        for k in range(len(own)):
            thought[2, own[k]] = mixture[k]
        if side == 0:
            lost[0] = v_shortfall(A, value[0], mixture)
        else:
            lost[0] = h_shortfall(A, value[0], mixture)


@kernel
def triomineering_choose(rows, columns, side, player, free, groups, s, kept, chosen):
    """Draw the move to which a search has come; a single move needs none."""
    world, settings = _world(rows, columns, free, side, groups), _settings(player, 0)
    memory = _memory(world, settings, kept)
    if len(world.sizes) > 1:
        conclude(settings, memory)
    else:
        memory.found.policy[0] = 1.0
    chosen[0] = choose(world, memory.found.policy, s)


TABLE = GameTable(
    [
        triomineering_begin, triomineering_lay, triomineering_solve, triomineering_open,
        triomineering_think, triomineering_choose,
    ],
    {
        "rows": 6, "columns": 6, "side": 0, "decided": 0, "v": 0, "h": 0,
        "method": 0, "playouts": 1, "c": 0.5, "reading": 0,
        "reading_rounds": np.array([nash.ROUNDS[name] for name in nash.READINGS]),
        "player": np.array(settings_of(Player()), float), "groups": _orbits(),
        "free": Room(np.uint64, (1,)), "filled": Room(np.int32, (_CELLS,)),
        "legal": Room(np.int32, (2, _CELLS)), "result": Room(np.int32, (1,)),
        "keys": Room(np.uint64, (2, _ROOM)), "known": Room(np.int16, (2, _ROOM)),
        "used": Room(np.int64, (2, 2)), "mixed": Room(np.uint64, (_MIXED,)),
        "values": Room(np.float64, (_MIXED,)), "payoffs": Room(np.float64, (_CELLS, _CELLS)),
        "value": Room(np.float64, (1,)), "exact": Room(np.float64, (2, _CELLS)),
        "against": Room(np.float64, (2, _CELLS)), "sure": Room(np.float64, (2, _CELLS)),
        "kept": Room(np.float64, (_kept(),)), "logs": Room(np.float64, (MOST_PLAYOUTS + 1,)),
        "thought": Room(np.float64, (3, _CELLS)), "lost": Room(np.float64, (1,)),
        "chosen": Room(np.int64, (1,)),
    },
)  # fmt: skip
