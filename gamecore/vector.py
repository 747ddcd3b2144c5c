"""Eight words or doubles at once: what kernels do to 512 bits as one value, in a vector register.

numba's loops over eight words become eight instructions each; a `load` here is one. A kernel takes
vectors from rows of eight, combines words by ``& | ^ << >>`` and doubles by ``+ - * /``, and puts
them back. Without compiling, a vector is an array of eight, and all of it is NumPy.
"""

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, overload, register_model

WIDTH = 8  # words or doubles
_WORD, _BYTE = ir.IntType(64), ir.IntType(8)
_BITS = ir.IntType(64 * WIDTH)  # eight words as one integer


class _Vector(types.Type):
    def __init__(self, name: str, element: Any) -> None:
        super().__init__(name)
        self.llvm = ir.VectorType(element, WIDTH)


_WORDS, _DOUBLES = _Vector("Words", _WORD), _Vector("Doubles", ir.DoubleType())


@register_model(_Vector)
class _Model(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, kind.llvm)


def load(matrix: np.ndarray, row: int) -> np.ndarray:
    """Return a row of a matrix of eight columns, words or doubles.

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


def spread(value: float) -> np.ndarray:
    """Return a vector whose words or doubles are all the same.

    Examples
    --------
    >>> spread(3)
    array([3, 3, 3, 3, 3, 3, 3, 3], dtype=uint64)
    >>> spread(0.5)
    array([0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5])
    """
    return np.full(WIDTH, value, np.float64 if isinstance(value, float) else np.uint64)


def count(vector: np.ndarray) -> int:
    """Return how many bits are set in words.

    Examples
    --------
    >>> count(spread(7))
    24
    """
    return int(np.bitwise_count(vector).sum())


def some(vector: np.ndarray) -> bool:
    """Say whether any word or double is not 0.

    Examples
    --------
    >>> some(spread(0)), some(spread(4)), some(spread(-0.0))
    (False, True, False)
    """
    return bool(vector.any())


def where(above: np.ndarray, vector: np.ndarray, otherwise: np.ndarray) -> np.ndarray:
    """Return a vector's doubles where another's are above 0, and those of a third elsewhere.

    Examples
    --------
    >>> where(np.arange(8.0) - 5.0, spread(1.0), spread(0.0))
    array([0., 0., 0., 0., 0., 0., 1., 1.])
    """
    return np.where(above > 0.0, vector, otherwise)


def _place(context: Any, builder: Any, signature: Any, values: Any, vector: _Vector) -> Any:
    """Return the address of a row: `values` begin with a matrix and the row's number."""
    matrix = context.make_array(signature.args[0])(context, builder, values[0])
    offset = builder.mul(values[1], builder.extract_value(matrix.strides, 0))
    first = builder.bitcast(matrix.data, _BYTE.as_pointer())
    return builder.bitcast(builder.gep(first, [offset]), vector.llvm.as_pointer())


@intrinsic
def _load(typingctx, matrix, row):
    vector = _WORDS if matrix.dtype == types.uint64 else _DOUBLES

    def emit(context, builder, signature, values):
        return builder.load(_place(context, builder, signature, values, vector), align=8)

    return vector(matrix, types.intp), emit


@intrinsic
def _store(typingctx, matrix, row, vector):
    def emit(context, builder, signature, values):
        builder.store(values[2], _place(context, builder, signature, values, vector), align=8)
        return context.get_dummy_value()

    return types.void(matrix, types.intp, vector), emit


@intrinsic
def _spread(typingctx, value):
    vector = _DOUBLES if isinstance(value, types.Float) else _WORDS

    def emit(context, builder, signature, values):
        anything = ir.Constant(vector.llvm, ir.Undefined)
        first = builder.insert_element(anything, values[0], ir.IntType(32)(0))
        return builder.shuffle_vector(first, anything, ir.VectorType(ir.IntType(32), WIDTH)(None))

    return vector(types.float64 if vector is _DOUBLES else types.uint64), emit


@intrinsic
def _count(typingctx, vector):
    def emit(context, builder, signature, values):
        declared = builder.module.declare_intrinsic
        kind = _WORDS.llvm
        each = declared("llvm.ctpop.v8i64", (), ir.FunctionType(kind, [kind]))
        total = declared("llvm.vector.reduce.add.v8i64", (), ir.FunctionType(_WORD, [kind]))
        return builder.call(total, [builder.call(each, values)])

    return types.int64(vector), emit


@intrinsic
def _some(typingctx, vector):
    def emit(context, builder, signature, values):
        if vector is _WORDS:
            return builder.icmp_unsigned("!=", builder.bitcast(values[0], _BITS), _BITS(0))
        lanes = builder.fcmp_unordered("!=", values[0], vector.llvm(None))
        return builder.icmp_unsigned("!=", builder.bitcast(lanes, _BYTE), _BYTE(0))

    return types.boolean(vector), emit


@intrinsic
def _where(typingctx, above, vector, otherwise):
    def emit(context, builder, signature, values):
        lanes = builder.fcmp_ordered(">", values[0], above.llvm(None))
        return builder.select(lanes, values[1], values[2])

    return _DOUBLES(above, vector, otherwise), emit


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


@overload(where)
def _(above, vector, otherwise):
    return lambda above, vector, otherwise: _where(above, vector, otherwise)


overload(spread)(lambda value: lambda value: _spread(value))  # type: ignore[call-arg]
overload(count)(lambda vector: lambda vector: _count(vector))  # type: ignore[call-arg]
overload(some)(lambda vector: lambda vector: _some(vector))  # type: ignore[call-arg]


def _instruction(function: Any, name: str, kind: _Vector) -> None:
    """Let kernels combine two vectors, lane by lane, by an instruction of LLVM's builder."""

    @intrinsic
    def combine(typingctx, a, b):
        return kind(a, b), lambda context, builder, _, values: getattr(builder, name)(*values)

    @overload(function)
    def _(a, b):
        return (lambda a, b: combine(a, b)) if {a, b} == {kind} else None


for _function, _name, _kind in (
    (operator.and_, "and_", _WORDS), (operator.or_, "or_", _WORDS), (operator.xor, "xor", _WORDS),
    (operator.lshift, "shl", _WORDS), (operator.rshift, "lshr", _WORDS),
    (operator.add, "fadd", _DOUBLES), (operator.sub, "fsub", _DOUBLES),
    (operator.mul, "fmul", _DOUBLES), (operator.truediv, "fdiv", _DOUBLES),
):  # fmt: skip
    _instruction(_function, _name, _kind)
