"""Bit matrices: vectors of eight, transposing, and how placements hang together."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore.geister.bitmatrix import BLOCK, ROWS, WORDS, Placements, _transpose
from gamecore.geister.rules import cells_of, steps
from gamecore.geister.solution import Retrograde, check_size
from gamecore.kernel import kernel
from gamecore.vector import count, load, some, spread, store, where

words = st.integers(0, 2**64 - 1) | st.just(0)
doubles = st.integers(-(10**9), 10**9).map(lambda n: n / 1009) | st.just(0.0)  # none overflows


@kernel
def _combined(matrix, shift, out):
    a, b = load(matrix, 0), load(matrix, 1)
    store(out, 0, a & b)
    store(out, 1, a | b)
    store(out, 2, a ^ b)
    store(out, 3, a << spread(shift))
    store(out, 4, a >> spread(shift))
    return count(a), count(b), some(a), some(b)


@settings(deadline=None)  # the first compiles
@given(st.lists(words, min_size=2 * WORDS, max_size=2 * WORDS), st.integers(0, 63))
def test_vectors_are_eight_words_compiled_or_not(numbers, shift):
    matrix = np.array(numbers, np.uint64).reshape(2, WORDS)
    compiled, plain = np.zeros((5, WORDS), np.uint64), np.zeros((5, WORDS), np.uint64)
    strided = np.repeat(matrix, 3, axis=0)[1::3]  # rows need not touch
    told = _combined(strided, np.uint64(shift), compiled)
    assert told == getattr(_combined, "py_func", _combined)(matrix, np.uint64(shift), plain)
    assert np.array_equal(compiled, plain)
    assert told[0] == sum(n.bit_count() for n in numbers[:WORDS])


@kernel
def _calculated(matrix, x, out):
    a, b = load(matrix, 0), load(matrix, 1)
    store(out, 0, a + b)
    store(out, 1, a - b)
    store(out, 2, a * spread(x))
    store(out, 3, a / where(b, b, spread(1.0)))
    store(out, 4, where(a, b, a))
    return some(a), some(b)


@settings(deadline=None)
@given(st.lists(doubles, min_size=2 * WORDS, max_size=2 * WORDS), doubles)
def test_vectors_are_eight_doubles_compiled_or_not(numbers, x):
    matrix = np.array(numbers).reshape(2, WORDS)
    compiled, plain = np.zeros((5, WORDS)), np.zeros((5, WORDS))
    told = _calculated(matrix, x, compiled)
    assert told == getattr(_calculated, "py_func", _calculated)(matrix, x, plain)
    assert compiled.tobytes() == plain.tobytes()
    assert told[0] == any(numbers[:WORDS])


def packed(bits):
    return np.packbits(bits, axis=-1, bitorder="little").view(np.uint64)


@pytest.mark.parametrize("share", [0, 0.0001, 0.01, 0.5])
def test_blocks_are_transposed_by_bits_or_by_squares(share):
    """Few pairs are moved bit by bit, more of them as squares; both add to what is there."""
    generator = np.random.default_rng(5)
    found, before = (generator.random((2, ROWS, BLOCK)) < p for p in (share, 0.1))
    target, touched = np.zeros((2, 2 * ROWS, WORDS), np.uint64), np.zeros((2, 2 * ROWS), bool)
    target[:, ROWS:] = packed(before)
    _transpose(1, packed(found).reshape(2 * ROWS, WORDS), target, touched)
    turned = found.reshape(2, ROWS, ROWS, 2).transpose(0, 2, 1, 3).reshape(2, ROWS, BLOCK)
    assert np.array_equal(target[:, ROWS:], packed(before | turned))
    assert np.array_equal(touched[:, ROWS:], turned.any(2))
    assert not target[:, :ROWS].any()
    assert not touched[:, :ROWS].any()


@pytest.mark.parametrize(
    "board", [(2, 2, 1, 1), (3, 4, 2, 1), (2, 5, 1, 2), (4, 4, 2, 2), (9, 8, 1, 1)]
)
def test_placements_are_in_order_and_hang_together(board):
    width, height = board[:2]
    sides, board_steps = Placements(*board), steps(width, height)
    masks, index = sides.masks, sides.index
    assert [index[pair] for pair in masks] == list(range(len(masks)))

    def order(pair):
        blue, red = (list(cells_of(mask)) for mask in pair)
        return len(blue) + len(red), len(blue), blue, red

    assert masks == sorted(masks, key=order)

    def mirrored(pair):
        return tuple(
            sum(1 << c // width * width + width - 1 - c % width for c in cells_of(mask))
            for mask in pair
        )

    columns = {pair: int(column) for pair, column in zip(masks, sides.columns, strict=True)}
    assert sorted(sides.rows) == sorted({min(index[p], index[mirrored(p)]) for p in masks})
    kernels, board_cells = sides.sides(), width * height
    on, each = (np.unpackbits(t.view(np.uint8), axis=-1, bitorder="little") for t in kernels[-2:])
    on, each = on.reshape(board_cells, -1), each.ravel()
    assert each.sum() == len(masks)
    for row in random.Random(2).sample(range(len(sides.rows)), min(300, len(sides.rows))):
        blue, red = pair = masks[sides.rows[row]]
        image = mirrored(pair)
        assert columns[pair] == 2 * row
        assert columns[image] == 2 * row + (image != pair)
        assert sides.stands[row] == 1 + (image != pair)
        assert [*each[2 * row : 2 * row + 2]] == [1, image != pair]
        for column, (blues, reds) in ((2 * row, pair), (2 * row + 1, image)):
            seen = {board_cells - 1 - cell for cell in cells_of(blues | reds)}
            assert set(np.flatnonzero(on[:, column])) == seen
        expected = [
            tuple(mask ^ (1 << a | 1 << int(b)) if mask >> a & 1 else mask for mask in pair)
            for a in cells_of(blue | red) for b in board_steps[a]
            if b >= 0 and not (blue | red) >> int(b) & 1
        ]  # fmt: skip
        first, images, last = sides.starts[2 * row : 2 * row + 3]
        near = [2 * k for k in sides.neighbours[first:images]]
        near += [2 * k + 1 for k in sides.neighbours[images:last]]
        assert sorted(near) == sorted(columns[pair] for pair in expected)
        assert (
            len({pair[0] | pair[1] for pair in expected}) > 1
        )  # there are always two cells to go to
        assert sides.escapes[row] == bool(blue & (1 | 1 << width - 1))
        for cell, rest in zip(sides.cell[row], sides.without[row], strict=True):
            if cell >= 0:
                left = tuple(mask & ~(1 << int(cell)) for mask in (blue, red))
                assert rest == columns.get(left, -1)


def test_a_board_takes_no_more_memory_than_it_says():
    for board in ((2, 2, 1, 1), (3, 4, 2, 1), (5, 3, 2, 2), (4, 4, 2, 2), (3, 9, 1, 1)):
        solved = Retrograde(Placements(*board), *board[2:], depths=True)
        arrays = 3 * solved.open.nbytes + solved.planes.nbytes
        assert arrays < check_size(*board) < 1.3 * arrays + 10**6
