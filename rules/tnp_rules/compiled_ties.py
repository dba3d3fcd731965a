"""Decisions that the rounding of floats may turn, in a compiled function: where a graph meets one, NumPy answers.

A graph adds in another order than NumPy, XLA fuses products with sums, and both have an `exp` of their own. What comes
out differs in last digits, which is allowed; but `s < t` of two numbers that NumPy takes for equal is another truth
then, and another branch. So a comparison of computed numbers that are as close as rounding, and a number of that kind
that is made whole so close to the next integer, is noted as a fault when the graph runs.
"""

from __future__ import annotations

import builtins
from typing import Any

import tensorflow as tf

from tnp_rules.compiled_tracing import outermost, tracing

_CLOSE = {tf.float16: 2.0**-7, tf.float32: 2.0**-17, tf.float64: 2.0**-40}
_LOOKED_AT = 200  # operations of an expression: what is longer is taken for rounded
# What gives one of its operands' numbers, or a part of them: rounded if they are.
_MOVES = frozenset(
    "Abs BroadcastTo Cast ConcatV2 ExpandDims GatherV2 GatherNd Identity Max Maximum Min Minimum Neg Pack "
    "PreventGradient Reshape ReverseV2 SelectV2 Slice Squeeze StopGradient StridedSlice TensorStridedSliceUpdate "
    "Transpose XlaDynamicUpdateSlice XlaOptimizationBarrier".split()
)
_ROUNDED_ONCE = frozenset("Add AddV2 Div Mul RealDiv Sqrt Sub".split())  # as IEEE 754 says: the same bits everywhere


def note_tie(left: Any, right: Any) -> None:
    """Note that NumPy may find another truth, where two single numbers are compared that are as close as rounding."""
    dtype = _doubtful_dtype(left, right)
    if dtype is not None:
        one, other = tf.cast(left, dtype), tf.cast(right, dtype)
        size = _magnitude(left, one) + _magnitude(right, other)
        tracing.note_fault(tf.abs(one - other) <= _CLOSE[dtype] * size)


def note_whole(value: Any) -> None:
    """Note that NumPy may find another integer, where a number that is made whole is that close to one."""
    dtype = _doubtful_dtype(value)
    if dtype is not None:
        tracing.note_fault(tf.abs(value - tf.round(value)) <= _CLOSE[dtype] * _magnitude(value, value))


def _doubtful_dtype(*values: Any) -> Any:
    """Give the dtype of the floats among some single numbers, where one may have other last digits than NumPy's."""
    tensors = [one for one in values if isinstance(one, tf.Tensor)]
    floats = [one for one in tensors if one.dtype in _CLOSE]
    inexact = [one for one in tensors if not (one.dtype.is_integer or one.dtype.is_bool)]
    if not tracing.answered or len(floats) < len(inexact) or [one for one in tensors if one.shape.rank != 0]:
        return None
    seen: set[int] = set()
    doubtful = [one for one in floats if is_rounded(one, seen)]
    return builtins.max([one.dtype for one in floats], key=lambda dtype: dtype.size) if doubtful else None


def _magnitude(value: Any, number: Any) -> Any:
    """How large the numbers are that a number was made of: a difference alone says nothing of its rounding."""
    made = [number]
    if tf.is_symbolic_tensor(value) and value.op.type in {"Add", "AddV2", "Sub"}:
        made += [tf.cast(one, number.dtype) for one in value.op.inputs]
    return tf.add_n([tf.abs(one) for one in made])


def is_rounded(value: Any, seen: set[int]) -> bool:
    """Say whether a tensor of floats may have other last digits than NumPy's; arguments have not, carried ones may."""
    if not tf.is_symbolic_tensor(value) or not (value.dtype.is_floating or value.dtype.is_complex):
        return False
    value = outermost(value)
    if not tf.is_symbolic_tensor(value) or id(value) in seen:
        return False
    seen.add(id(value))
    operation = value.op
    if operation.type in {"Const", "Placeholder"}:
        return operation.type == "Placeholder" and value.graph is not tracing.graph
    if len(seen) > _LOOKED_AT or operation.type not in _MOVES | _ROUNDED_ONCE:
        return True
    is_sum = operation.type in {"Add", "AddV2", "Sub"} and tracing.form == "xla"
    if is_sum and [one for one in operation.inputs if _is_product(one)]:
        return True
    return builtins.any(is_rounded(one, seen) for one in operation.inputs)


def _is_product(value: Any) -> bool:
    """Whether XLA may compute a sum together with a product that stands in it, without the rounding between."""
    value = outermost(value)
    while value.op.type in {"Identity", "Neg", "Reshape", "Slice", "StridedSlice", "Squeeze", "ExpandDims"}:
        value = outermost(value.op.inputs[0])
        if not tf.is_symbolic_tensor(value):
            return False
    return bool(value.op.type == "Mul")
