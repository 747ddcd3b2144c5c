"""Eight words at once: what kernels do to 512 bits as one value, in a vector register.

numba's loops over eight words become eight instructions each; a `load` here is one. A kernel takes
vectors from rows of eight words, combines them with ``& | ^ << >>`` and puts them back. Without
compiling, a vector is an array of eight words, and all of it is NumPy.
"""

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, overload, register_model

WIDTH = 8  # words
_WORD = ir.IntType(64)
_LLVM = ir.VectorType(_WORD, WIDTH)
_BITS = ir.IntType(64 * WIDTH)  # the same, as one integer


class _Vector(types.Type):
    def __init__(self) -> None:
        super().__init__("Vector")


_VECTOR = _Vector()


@register_model(_Vector)
class _Model(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _LLVM)


def load(matrix: np.ndarray, row: int) -> np.ndarray:
    """Return a row of a matrix of eight columns.

    Examples
    --------
    >>> load(np.arange(16, dtype=np.uint64).reshape(2, 8), 1)
    array([ 8,  9, 10, 11, 12, 13, 14, 15], dtype=uint64)
    """
    return matrix[row].copy()


def store(matrix: np.ndarray, row: int, vector: np.ndarray) -> None:
    """Put a vector into a row of a matrix of eight columns.

    Examples
    --------
    >>> matrix = np.zeros((2, 8), np.uint64)
    >>> store(matrix, 1, spread(5))
    >>> int(matrix[0].sum()), int(matrix[1].sum())
    (0, 40)
    """
    matrix[row] = vector


def spread(word: int) -> np.ndarray:
    """Return a vector whose words are all the same.

    Examples
    --------
    >>> spread(3)
    array([3, 3, 3, 3, 3, 3, 3, 3], dtype=uint64)
    """
    return np.full(WIDTH, word, np.uint64)


def count(vector: np.ndarray) -> int:
    """Return how many bits are set.

    Examples
    --------
    >>> count(spread(7))
    24
    """
    return int(np.bitwise_count(vector).sum())


def some(vector: np.ndarray) -> bool:
    """Say whether any bit is set.

    Examples
    --------
    >>> some(spread(0)), some(spread(4))
    (False, True)
    """
    return bool(vector.any())


def _place(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """Return the address of a row: `values` begin with a matrix and the row's number."""
    matrix = context.make_array(signature.args[0])(context, builder, values[0])
    offset = builder.mul(values[1], builder.extract_value(matrix.strides, 0))
    first = builder.bitcast(matrix.data, ir.IntType(8).as_pointer())
    return builder.bitcast(builder.gep(first, [offset]), _LLVM.as_pointer())


@intrinsic
def _load(typingctx, matrix, row):
    def emit(context, builder, signature, values):
        return builder.load(_place(context, builder, signature, values), align=8)

    return _VECTOR(matrix, types.intp), emit


@intrinsic
def _store(typingctx, matrix, row, vector):
    def emit(context, builder, signature, values):
        builder.store(values[2], _place(context, builder, signature, values), align=8)
        return context.get_dummy_value()

    return types.void(matrix, types.intp, vector), emit


@intrinsic
def _spread(typingctx, word):
    def emit(context, builder, signature, values):
        anything = ir.Constant(_LLVM, ir.Undefined)
        first = builder.insert_element(anything, values[0], ir.IntType(32)(0))
        return builder.shuffle_vector(first, anything, ir.VectorType(ir.IntType(32), WIDTH)(None))

    return _VECTOR(types.uint64), emit


@intrinsic
def _count(typingctx, vector):
    def emit(context, builder, signature, values):
        declared = builder.module.declare_intrinsic
        each = declared("llvm.ctpop.v8i64", (), ir.FunctionType(_LLVM, [_LLVM]))
        total = declared("llvm.vector.reduce.add.v8i64", (), ir.FunctionType(_WORD, [_LLVM]))
        return builder.call(total, [builder.call(each, values)])

    return types.int64(vector), emit


@intrinsic
def _some(typingctx, vector):
    def emit(context, builder, signature, values):
        return builder.icmp_unsigned("!=", builder.bitcast(values[0], _BITS), _BITS(0))

    return types.boolean(vector), emit


@overload(load)
def _(matrix, row):
    def compiled(matrix, row):
        matrix[row, WIDTH - 1]  # looks at bounds, if numba is told to
        return _load(matrix, row)

    return compiled


@overload(store)
def _(matrix, row, vector):
    def compiled(matrix, row, vector):
        matrix[row, WIDTH - 1]
        _store(matrix, row, vector)

    return compiled


overload(spread)(lambda word: lambda word: _spread(word))  # type: ignore[call-arg]
overload(count)(lambda vector: lambda vector: _count(vector))  # type: ignore[call-arg]
overload(some)(lambda vector: lambda vector: _some(vector))  # type: ignore[call-arg]


def _instruction(function: Any, name: str) -> None:
    """Let kernels combine two vectors, word by word, by an instruction of LLVM's builder."""

    @intrinsic
    def combine(typingctx, a, b):
        return _VECTOR(a, b), lambda context, builder, _, values: getattr(builder, name)(*values)

    @overload(function)
    def _(a, b):
        return (lambda a, b: combine(a, b)) if {a, b} == {_VECTOR} else None


for _function, _name in (
    (operator.and_, "and_"), (operator.or_, "or_"), (operator.xor, "xor"),
    (operator.lshift, "shl"), (operator.rshift, "lshr"),
):  # fmt: skip
    _instruction(_function, _name)
