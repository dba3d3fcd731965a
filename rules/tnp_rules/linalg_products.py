"""Products of arrays whose operands TensorFlow's matrix kernels refuse: bool, most integers, odd ranks."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.forms import helper, inline
from tnp_rules.support import _axis_index, _promoted, _tensor


@helper("numpy.dot", direct="arrays")
def dot(a: Any, b: Any) -> tf.Tensor:
    """tnp.dot takes no bool and no 8 or 16 bit integers, and gives a list or a number an array's dtype."""
    x, y, dtype = _product_operands(a, b)
    if x.shape.rank == 0 or y.shape.rank == 0:
        return _product_result(x * y, dtype)
    _check_aligned(x, y, -1, -2 if y.shape.rank > 1 else -1)
    return _product_result(_aligned_product(x, y), dtype)


@helper("numpy.vdot", direct="arrays")
def vdot(a: Any, b: Any) -> tf.Tensor:
    """tnp.vdot takes no bool and no 8 or 16 bit integers, and gives a list or a number an array's dtype."""
    x, y, dtype = _product_operands(a, b)
    x, y = tf.reshape(x, [-1]), tf.reshape(y, [-1])
    _check_aligned(x, y, 0, 0)
    return _product_result(tf.reduce_sum(tf.math.conj(x) * y), dtype)


@helper("numpy.inner", direct="arrays")
def inner(a: Any, b: Any) -> tf.Tensor:
    """tnp.inner takes no bool and no 8 or 16 bit integers, and gives a list or a number an array's dtype."""
    x, y, dtype = _product_operands(a, b)
    if x.shape.rank == 0 or y.shape.rank == 0:
        return _product_result(x * y, dtype)
    _check_aligned(x, y, -1, -1)
    if y.shape.rank == 2:
        return _product_result(_aligned_product(x, tf.transpose(y)), dtype)
    return _product_result(tf.tensordot(x, y, [[-1], [-1]]), dtype)


@helper("numpy.matmul", direct="arrays")
def matmul(x1: Any, x2: Any) -> tf.Tensor:
    """tnp.matmul takes no bool and no 8 or 16 bit integers, and gives a list or a number an array's dtype."""
    x, y, dtype = _product_operands(x1, x2)
    if x.shape.rank == 0 or y.shape.rank == 0:
        raise ValueError("matmul: an operand does not have enough dimensions")
    _check_aligned(x, y, -1, -2 if y.shape.rank > 1 else -1)
    tf.broadcast_static_shape(x.shape[:-2], y.shape[:-2])  # a ValueError, as in NumPy
    if x.shape.rank > 1 and y.shape.rank > 1:
        return _product_result(tf.matmul(x, y), dtype)
    if y.shape.rank > 1:
        return _product_result(tf.linalg.matvec(y, x, transpose_a=True), dtype)
    return _product_result(_aligned_product(x, y), dtype)


@helper("numpy.linalg.vecdot")
def linalg_vecdot(x1: Any, x2: Any, *, axis: Any = -1) -> tf.Tensor:
    """TensorFlow has products of vectors for flat operands only."""
    x, y, dtype = _product_operands(x1, x2)
    _check_aligned(x, y, axis, axis)
    if axis < 0:
        return _product_result(tf.reduce_sum(tf.math.conj(x) * y, axis), dtype)
    products = tf.math.conj(_with_last_axis(x, axis)) * _with_last_axis(y, axis)
    return _product_result(tf.reduce_sum(products, -1), dtype)


@helper("numpy.tensordot", direct="arrays")
def tensordot(a: Any, b: Any, axes: Any = 2) -> tf.Tensor:
    """tnp.tensordot takes no bool and no 8 or 16 bit integers, and gives a list or a number an array's dtype."""
    x, y, dtype = _product_operands(a, b)
    rank = x.shape.rank
    if not isinstance(axes, (tuple, list)):
        if axes > builtins.min(rank, y.shape.rank):
            raise IndexError(f"{axes} axes cannot be summed over shapes {x.shape} and {y.shape}")
        axes = (range(rank - axes, rank), range(axes))
    left, right = [_axis_list(part) for part in axes]
    if len(left) != len(right):
        raise ValueError("shape-mismatch for sum")
    for one, other in zip(left, right):
        _check_aligned(x, y, one, other)
    return _product_result(tf.tensordot(x, y, [left, right]), dtype)


@inline("numpy.outer", direct="arrays")
def outer(a: Any, b: Any) -> tf.Tensor:
    """tnp.outer gives a list of Python floats the dtype of the other operand."""
    return tnp.outer(tnp.asarray(a), tnp.asarray(b))


@inline("numpy.kron", direct="arrays")
def kron(a: Any, b: Any) -> tf.Tensor:
    """tnp.kron gives a list of Python floats the dtype of the other operand."""
    return tnp.kron(tnp.asarray(a), tnp.asarray(b))


def _product_operands(a: Any, b: Any) -> tuple[tf.Tensor, tf.Tensor, tf.DType]:
    """Return operands in a dtype that matrix kernels take, and the dtype of the product."""
    x, y = _promoted(_tensor(a), _tensor(b))
    wide = _kernel_dtype(x.dtype)
    return tf.cast(x, wide), tf.cast(y, wide), x.dtype


def _kernel_dtype(dtype: tf.DType) -> tf.DType:
    """Return a dtype of matrix kernels in which a product can be computed: modulo a power of two, integers agree."""
    if not dtype.is_integer and not dtype.is_bool:
        return dtype
    return tf.int32 if dtype.size < 4 else tf.int64 if dtype.is_unsigned else dtype


def _product_result(product: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    """Undo the widening: a sum of conjunctions is their disjunction."""
    return product != 0 if dtype.is_bool else tf.cast(product, dtype)


def _check_aligned(x: tf.Tensor, y: tf.Tensor, axis: int, other: int) -> None:
    """Refuse axes of different length, as NumPy does."""
    if x.shape.rank is None or y.shape.rank is None:
        return
    if not -x.shape.rank <= axis < x.shape.rank or not -y.shape.rank <= other < y.shape.rank:
        raise np.exceptions.AxisError(f"no axis {axis} or {other} in shapes {x.shape} and {y.shape}")
    left, right = x.shape[axis], y.shape[other]
    if left is not None and right is not None and left != right:
        raise ValueError(f"shapes {x.shape} and {y.shape} not aligned: {left} (dim {axis}) != {right} (dim {other})")


def _aligned_product(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Sum over the last axis of x and the last but one of y, by the cheapest operation."""
    if y.shape.rank == 1:
        return tf.linalg.matvec(x, y) if x.shape.rank > 1 else tf.reduce_sum(x * y)
    if x.shape.rank == 2 and y.shape.rank == 2:
        return tf.matmul(x, y)
    return tf.tensordot(x, y, [[-1], [-2]])


def _axis_list(axes: Any) -> list[int]:
    return [int(axis) for axis in axes] if isinstance(axes, (tuple, list, range)) else [int(axes)]


def _with_last_axis(x: tf.Tensor, axis: int) -> tf.Tensor:
    return tnp.moveaxis(x, _axis_index(axis, x.shape.rank), -1)
