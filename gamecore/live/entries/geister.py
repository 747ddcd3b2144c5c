"""Geister in the page: 71 million positions solved, then games and mixtures of the players."""

import numpy as np

from gamecore import rng
from gamecore.geister.bitmatrix import BLOCK, Sides, end, layer
from gamecore.geister.bitmatrix import start as opened
from gamecore.geister.cfr import begin, best_response, go_on
from gamecore.geister.hidden import _sweep, pair_index
from gamecore.geister.leaves import Lookup
from gamecore.geister.matches import _PLACEMENTS, _PLACES, _play
from gamecore.geister.players import Scratch, Settings
from gamecore.geister.rules import GOALS, steps
from gamecore.geister.state import LIMIT
from gamecore.geister.tree import _NODES, COLOURINGS, LANES, PLIES, TREE, _Sketch, build
from gamecore.kernel import constant, kernel
from gamecore.live.seeds import seed
from gamecore.live.sums import fsum

CELLS = 16
#: Plies, and approaches by reds and by blues: places of counts whose squares are kept too.
MEANS = (1, 2, 3)
_BOARD = constant(steps(4, 4), np.int64)
_STARTS = constant(_PLACEMENTS, np.int64)


@kernel
def _has(mask, cell):
    return mask >> cell & 1 == 1


@kernel
def mirrored16(cells):
    """Return a set of cells of 4×4 with left and right exchanged."""
    within = (cells & 0x3333) << 2 | cells >> 2 & 0x3333
    return (within & 0x5555) << 1 | within >> 1 & 0x5555


@kernel
def placements(
    start, stop, rank, index, blues, reds, cell, without, last_blue, last_red, neighbours, starts,
    escapes, stands, on, each,
):  # fmt: skip
    """Give all placements of a side their rows and columns, as `bitmatrix.Placements` does."""
    count = 0
    for mask in range(1 << CELLS):
        rest = mask & (mask - 1)
        rank[mask] = -1
        if mask and rest & (rest - 1) == 0:
            rank[mask] = count
            count += 1
    index[:] = -1
    count = 0
    for size in range(4):
        for a in range(CELLS):
            for b in range(a + 1, CELLS) if size > 1 else range(a, a + 1):
                blue = 1 << a | 1 << b
                for c in range(CELLS):
                    for d in range(c + 1, CELLS) if size % 2 else range(c, c + 1):
                        red = 1 << c | 1 << d
                        if blue & red:
                            continue
                        image = index[rank[mirrored16(blue)], rank[mirrored16(red)]]
                        if image >= 0:
                            index[rank[blue], rank[red]] = image + 1
                        else:
                            blues[count], reds[count] = blue, red
                            index[rank[blue], rank[red]] = 2 * count
                            count += 1
    steps_found = 0
    for i in range(count):
        blue, red, place = blues[i], reds[i], 0
        own = blue | red
        last_blue[i] = last_red[i] = -1
        escapes[i] = blue & GOALS != 0
        stands[i] = 2 if index[rank[mirrored16(blue)], rank[mirrored16(red)]] & 1 else 1
        for k in range(cell.shape[1]):
            cell[i, k] = without[i, k] = -1
        for part in range(2):
            starts[2 * i + part] = steps_found
            pieces = mirrored16(own) if part else own
            block, word, column = 2 * i // BLOCK, 2 * i % BLOCK // 64, np.uint64(2 * i % 64 + part)
            for piece in range(CELLS):
                if _has(pieces, piece):
                    on[CELLS - 1 - piece, block, word] |= np.uint64(1) << column
                for way in range(4):
                    target = _BOARD[piece, way]
                    if target >= 0 and _has(own, piece) and not _has(own, target):
                        step = 1 << piece | 1 << target
                        moved = (blue ^ step, red) if _has(blue, piece) else (blue, red ^ step)
                        to = index[rank[moved[0]], rank[moved[1]]]
                        if to & 1 == part:
                            neighbours[steps_found] = to >> 1
                            steps_found += 1
            if part < stands[i]:
                each[block, word] |= np.uint64(1) << column
        for piece in range(CELLS):
            bit = 1 << piece
            if not own & bit:
                continue
            cell[i, place] = piece
            if blue == bit:
                last_blue[i] = piece
            elif red == bit:
                last_red[i] = piece
            else:
                without[i, place] = index[rank[blue & ~bit], rank[red & ~bit]]
            place += 1
    starts[2 * count] = steps_found


@kernel
def openings(
    start, stop, open_, won, won_rows, lost, lost_rows, last_blue, last_red, starts, neighbours,
    escapes, cell, without, stands, on, each, found,
):  # fmt: skip
    """Mark all positions as open, and the ends of games."""
    sides = Sides(starts, neighbours, escapes, cell, without, stands, on, each)
    for block in range(start, stop):
        found[0, 0] += opened(block, sides, open_)
        end(block, sides, last_red, won, won_rows)
        end(block, sides, last_blue, lost, lost_rows)


@kernel
def plies(
    start, stop, open_, won, won_rows, lost, lost_rows, planes, starts, neighbours, escapes, cell,
    without, stands, on, each, found,
):  # fmt: skip
    """Solve layers, wins and losses in turn, each in all blocks of columns.

    ``found[0]`` counts wins by depth, ``found[1]`` losses; before the first layer the number of all
    positions stands at depth 0.
    """
    blocks, sides = len(open_), Sides(starts, neighbours, escapes, cell, without, stands, on, each)
    for item in range(start, stop):
        depth, block = 1 + item // blocks, item % blocks
        is_win = depth % 2
        if depth > 1 and found[is_win, depth - 1] == 0:
            continue  # the layer before brought nothing
        if is_win:
            new = layer(block, depth, sides, lost, lost_rows, won, won_rows, open_, planes)
        else:
            new = layer(block, depth, sides, won, won_rows, lost, lost_rows, open_, planes)
        found[1 - is_win, depth] += new


@kernel
def counted(start, stop, found, row):
    """Write the numbers of positions, wins, losses and draws, then wins and losses by depth."""
    for kind in range(2):
        at = 4 + 24 * kind
        for depth in range(1 + kind, found.shape[1] - 1, 2):
            row[1 + kind] += found[kind, depth]
            row[at] = found[kind, depth]
            at += 1
    row[0] = found[0, 0]
    row[3] = row[0] - row[1] - row[2]


@kernel
def purples(start, stop, knowing, purple, pairs, board, found):
    """Solve the general problem on 6×6 ply by ply: wins whatever the colours are."""
    for depth in range(start + 1, stop + 1):
        if depth == 1 or found[0, depth - 1] + found[1, depth - 1] > 0:
            wins, others = _sweep(depth, knowing, purple, pairs, board, 6)
            found[0, depth], found[1, depth] = wins, others


@kernel
def walls(start, stop, purple, found, row):
    """Count sure wins, and where two purples may stand against a blue on f3 and a red on e1."""
    cells, blue, red = 36, 17, 4
    for depth in range(1, found.shape[1]):
        row[0] += found[0, depth]
        if found[0, depth]:
            row[2] = depth
    row[1] = cells * (cells - 1) * (cells - 2) * (cells - 3) // 2 - row[0]
    for p in range(cells):
        for q in range(p + 1, cells):
            if not (p in (red, 10, blue) or q in (red, 10, blue)):
                row[3] += purple[blue, red, pair_index(p, q, cells)] < 0


@kernel
def _tree():
    """Return a tree, as `gamecore.geister.tree.new_tree` makes it."""
    return np.zeros(1, TREE)


@kernel
def _sketch():
    n = _NODES
    return _Sketch(
        np.zeros(n, np.int64), np.zeros(n, np.int64),
        np.zeros((n, COLOURINGS), np.int64), np.zeros((n, COLOURINGS), np.int64),
    )  # fmt: skip


@kernel
def _nothing():
    """Return the table of CFR-A; see `gamecore.geister.leaves.no_table`."""
    none = np.zeros((0, 0, 0), np.uint64)
    return Lookup(none, none, np.zeros(0, np.int16), np.zeros((0, 0), np.int32), 0, 0)


@kernel
def matches(
    start, stop, first, second, every, order, cells, how, open_, planes, rank, index, s, counts, row
):
    """Play on; `row` has the sums that `gamecore.papers.geister.experiments.summary` makes."""
    kept = Settings(
        order, cells, how[0], how[1], how[2], (how[3], how[4], how[5]), how[6], how[7] == 1,
        how[8] == 1,
    )  # fmt: skip
    perfect = Lookup(open_, planes[0], rank, index, 2, 2)
    memory = Scratch(_tree(), _sketch(), _nothing(), perfect, np.zeros((3, 2, LANES)), np.zeros(32))
    board, moves = np.empty(_PLACES, np.int64), np.empty(LIMIT, np.int64)
    for game in range(start, stop):
        if every:
            mine, theirs = game // 2 % 36 // 6, game // 2 % 6
        else:
            mine, theirs = rng.below(s, 6), rng.below(s, 6)
        for k in range(len(counts)):
            counts[k] = 0
        _play(
            first, second, False, game % 2, _STARTS[mine], _STARTS[theirs], board, moves, counts,
            LIMIT, s, kept, memory,
        )  # fmt: skip
        ending, chaser, after = counts[0], counts[9], counts[8] == 1
        row[ending] += 1.0
        for k in range(1, 9):
            row[6 + k] += counts[k]
        for k in range(3):
            row[15 + k] += counts[MEANS[k]] * counts[MEANS[k]]
        won = ending in (0, 2, 4)
        drawn = ending == 6
        row[18] += 2 * (won and after) + (after and drawn)
        row[19] += after and ending == 5
        row[20] += chaser >= 0
        row[21] += chaser == 1
        row[22] += counts[10]


@kernel
def mixtures(
    start, stop, leaves, iterations, chosen, open_, planes, rank, index, s, gains, games, row
):
    """Measure NashConv of CFR's trees of random positions; see `strategy.mixture`."""
    perfect = Lookup(open_, planes[0], rank, index, 2, 2)
    trees, sketch, levels = _tree(), _sketch(), np.zeros((3, 2, LANES))
    shares, order = np.empty((2, LANES)), np.empty(16, np.int64)
    if start == 0:  # the same positions in every cell
        always = np.empty(1, np.uint32)
        always[0] = 7
        seed(always, s)
    for game in range(start, stop):
        tree = trees[0]  # here, for the array must outlive it
        for k in range(16):
            order[k] = k
        rng.shuffle(s, order)
        own = 1 << order[0] | 1 << order[1] | 1 << order[2] | 1 << order[3]
        other = 1 << order[4] | 1 << order[5] | 1 << order[6] | 1 << order[7]
        if leaves:
            build(tree, sketch, own, 2, other, 2, PLIES, perfect)
        else:
            build(tree, sketch, own, 2, other, 2, PLIES, _nothing())
        begin(tree, levels)
        go_on(tree, iterations, chosen != 0, levels, True)
        for side in range(2):
            for i in range(LANES):
                shares[side, i] = levels[2, side, i] / iterations
        gains[game] = best_response(tree, 0, chosen != 0, shares)
        gains[game] += best_response(tree, 1, chosen != 0, shares)
    if stop == games:
        row[0] = fsum(gains[:games])
        for game in range(games):
            row[2] = gains[game] if game == 0 else max(row[2], gains[game])
            gains[game] *= gains[game]
        row[1] = fsum(gains[:games])


@kernel
def first_position(start, stop, blue, iterations, row):
    """Write how many moves CFR-A has before the first, and how far from even it mixes them."""
    trees, sketch, levels = _tree(), _sketch(), np.zeros((3, 2, LANES))
    build(trees[0], sketch, 0xF000, 2, 0xF, 2, PLIES, _nothing())
    begin(trees[0], levels)
    go_on(trees[0], iterations, True, levels, True)
    i = 0
    while sketch.own_blue[0, i] != blue:
        i += 1
    total, low, high, moves = 0.0, np.inf, -np.inf, trees[0].start[1]
    for a in range(moves):
        total += trees[0].average[a, i]
    for a in range(moves):
        if trees[0].legal[a, i] > 0.0:
            share = trees[0].average[a, i] / total
            low, high = min(low, share), max(high, share)
            row[0] += 1.0
    row[1] = high - low
