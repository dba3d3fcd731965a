"""numpy.linalg: norms and condition numbers. tf.norm lacks the orders 0, -1, -2, -inf and "nuc", and integers."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.forms import helper
from tnp_rules.linalg_arguments import _double, _size, _square_matrices, _stacked_matrices
from tnp_rules.linalg_decompose import svdvals
from tnp_rules.reductions import _refuse_nothing
from tnp_rules.support import _axis_index, _float64_if_exact, _tensor


@helper("numpy.linalg.norm")
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False) -> tf.Tensor:
    """tf.norm lacks orders, takes no integers, and flattens where NumPy takes the matrix norm."""
    x = _float64_if_exact(_tensor(x))
    rank = x.shape.rank
    if axis is None and (ord is None or (rank == 2 and ord in ("f", "fro")) or (rank == 1 and ord == 2)):
        return _euclidean_norm(x, None, keepdims)
    if axis is None:
        axes = tuple(range(rank))
    else:
        axes = tuple(_axis_index(item, rank) for item in (axis if isinstance(axis, tuple) else (int(axis),)))
    if len(axes) == 1:
        return _vector_norm(x, ord, axes, keepdims)
    if len(axes) != 2:
        raise ValueError("Improper number of dimensions to norm.")
    if axes[0] == axes[1]:
        raise ValueError("Duplicate axes given.")
    return _matrix_norm(x, ord, axes, keepdims)


@helper("numpy.linalg.vector_norm")
def vector_norm(x: Any, *, axis: Any = None, keepdims: Any = False, ord: Any = 2) -> tf.Tensor:
    """tf.norm lacks orders, takes no integers, and makes a matrix norm of two axes."""
    x = _float64_if_exact(_tensor(x))
    if axis is None:
        return _vector_norm(x, ord, None, keepdims)
    axes = [_axis_index(item, x.shape.rank) for item in (axis if isinstance(axis, (tuple, list)) else [axis])]
    if len(set(axes)) < len(axes):
        raise ValueError("repeated axis")
    return _vector_norm(x, ord, axes, keepdims)


@helper("numpy.linalg.matrix_norm")
def matrix_norm(x: Any, *, keepdims: Any = False, ord: Any = "fro") -> tf.Tensor:
    """tf.norm lacks orders and takes no integers."""
    return norm(x, ord, (-2, -1), keepdims)


@helper("numpy.linalg.cond")
def cond(x: Any, p: Any = None) -> tf.Tensor:
    """tf.linalg has no condition number; a singular matrix has an infinite one, where tf.linalg.inv would raise."""
    x = _stacked_matrices(x)
    if 0 in x.shape[-2:]:
        raise np.linalg.LinAlgError("cond is not defined on empty arrays")
    if p is None or p in (2, -2):
        s = svdvals(x)
        ratio = s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    else:
        matrices = _double(_square_matrices(x))
        singular = tf.linalg.slogdet(matrices).sign == 0
        identity = tf.eye(_size(x, -1), dtype=matrices.dtype)
        inverse = tf.linalg.inv(tf.where(singular[..., tf.newaxis, tf.newaxis], identity, matrices))
        ratio = norm(matrices, p, (-2, -1)) * norm(inverse, p, (-2, -1))
        ratio = tf.cast(tf.where(singular, tf.constant(np.inf, ratio.dtype), ratio), x.dtype.real_dtype)
    undefined = tf.math.is_nan(ratio) & ~tf.reduce_any(tf.math.is_nan(tf.abs(x)), (-2, -1))
    return tf.where(undefined, tf.constant(np.inf, ratio.dtype), ratio)


def _euclidean_norm(x: tf.Tensor, axes: Any, keepdims: Any) -> tf.Tensor:
    squares = tf.square(tf.math.real(x))
    if x.dtype.is_complex:
        squares += tf.square(tf.math.imag(x))
    return tf.sqrt(tf.reduce_sum(squares, axes, keepdims))


def _vector_norm(x: tf.Tensor, order: Any, axes: Any, keepdims: Any) -> tf.Tensor:
    """Return the norm of all elements along the axes, None for all."""
    if order is None or order == 2:
        return _euclidean_norm(x, axes, keepdims)
    if isinstance(order, str):
        raise ValueError(f"Invalid norm order '{order}' for vectors")
    if order == 0:
        return tf.reduce_sum(tf.cast(x != 0, x.dtype.real_dtype), axes, keepdims)
    size = tf.abs(x)
    if order == np.inf:
        return _largest(size, axes, keepdims)
    if order == -np.inf:
        return _smallest(size, axes, keepdims)
    if order == 1:
        return tf.reduce_sum(size, axes, keepdims)
    power = tf.cast(tnp.asarray(order), size.dtype)
    return tf.reduce_sum(size**power, axes, keepdims) ** (1 / power)


def _matrix_norm(x: tf.Tensor, order: Any, axes: tuple[int, int], keepdims: Any) -> tf.Tensor:
    """Return the norm of the matrices whose rows and columns are the axes."""
    rows, columns = axes
    if order is None or order in ("f", "fro"):
        return _euclidean_norm(x, axes, keepdims)
    if order in (2, -2, "nuc"):
        s = svdvals(tnp.moveaxis(x, axes, (-2, -1)))
        reduction = tf.reduce_sum if order == "nuc" else _largest if order == 2 else _smallest
        result = reduction(s, -1, keepdims=False)
        if keepdims:
            for axis in sorted(axes):
                result = tf.expand_dims(result, axis)
        return result
    if order not in (1, -1, np.inf, -np.inf):
        raise ValueError("Invalid norm order for matrices.")
    summed, compared = axes if order in (1, -1) else (columns, rows)
    totals = tf.reduce_sum(tf.abs(x), summed, keepdims=True)
    result = (_largest if order > 0 else _smallest)(totals, compared, keepdims=True)
    return result if keepdims else tf.squeeze(result, axes)


def _largest(x: tf.Tensor, axes: Any, keepdims: Any) -> tf.Tensor:
    """Return the maximum, of nothing 0."""
    result = tf.reduce_max(x, axes, keepdims)
    return result if x.shape.num_elements() else tf.maximum(result, tf.zeros([], x.dtype))


def _smallest(x: tf.Tensor, axes: Any, keepdims: Any) -> tf.Tensor:
    """Return the minimum, an error for nothing."""
    _refuse_nothing(x, axes, "minimum")
    return tf.reduce_min(x, axes, keepdims)
