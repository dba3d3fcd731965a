"""Making arrays: ranges, grids, and copies of a shape.

Known differences that have no rule: NaN or a value out of range becomes some integer in tnp and raises in NumPy;
ranges from tensors of a traced function raise, for NumPy counts them. `tnp_migrate.numpy_facts.limits` has more.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.forms import helper, inline
from tnp_rules.polynomial_arithmetic import _powers
from tnp_rules.statistic_arguments import _length
from tnp_rules.support import _tensor


@inline("numpy.arange")
def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = None) -> tf.Tensor:
    """tnp.arange computes Python floats in float32; the numbers are made by NumPy, as any constant is."""
    if step != 1:
        return tnp.asarray(np.arange(start, stop, step), dtype=dtype)
    if stop is None:
        return tnp.arange(start, dtype=dtype)
    return tnp.asarray(np.arange(start, stop), dtype=dtype)


@helper("numpy.linspace", direct="parameters")
def linspace(
    start: Any, stop: Any, num: Any = 50, endpoint: Any = True, retstep: Any = False, dtype: Any = None, axis: Any = 0
) -> Any:
    """tnp.linspace ignores `dtype`, for which NumPy rounds down to integers."""
    result = tnp.linspace(start, stop, num=num, endpoint=endpoint, retstep=retstep, axis=axis)
    if dtype is None:
        return result
    values, step = result if retstep else (result, None)
    wanted = tf.as_dtype(np.dtype(getattr(dtype, "as_numpy_dtype", dtype)))
    values = tf.cast(tf.floor(values) if wanted.is_integer else values, wanted)
    return (values, step) if retstep else values


@inline("numpy.logspace")
def logspace(
    start: Any, stop: Any, num: Any = 50, endpoint: Any = True, base: Any = 10.0, dtype: Any = None, axis: Any = 0
) -> tf.Tensor:
    """tnp.logspace ignores `dtype`."""
    if dtype is None:
        return tnp.logspace(start, stop, num=num, endpoint=endpoint, base=base, axis=axis)
    return tnp.asarray(tnp.logspace(start, stop, num=num, endpoint=endpoint, base=base, axis=axis), dtype=dtype)


@inline("numpy.geomspace")
def geomspace(
    start: Any, stop: Any, num: Any = 50, endpoint: Any = True, dtype: Any = None, axis: Any = 0
) -> tf.Tensor:
    """tnp.geomspace has an inexact last value, which an integer `dtype` would cut to one less."""
    return tnp.asarray(np.geomspace(start, stop, num, endpoint=endpoint, axis=axis), dtype=dtype)


@inline("numpy.eye")
def eye(N: Any, M: Any = None, k: Any = 0, dtype: Any = float) -> tf.Tensor:
    """tnp.eye takes `M=0` for `M=None`."""
    if M == 0:
        return tnp.zeros((N, 0), dtype=dtype)
    return tnp.eye(N, M=M, k=k, dtype=dtype)


@inline("numpy.zeros_like")
def zeros_like(a: Any, dtype: Any = None, shape: Any = None) -> tf.Tensor:
    """tnp.zeros_like has no `shape`."""
    if shape is None:
        return tnp.zeros_like(a, dtype=dtype)
    if dtype is None:
        return tnp.zeros(shape, dtype=tnp.asarray(a).dtype)
    return tnp.zeros(shape, dtype=dtype)


@inline("numpy.ones_like")
def ones_like(a: Any, dtype: Any = None, shape: Any = None) -> tf.Tensor:
    """tnp.ones_like has no `shape`."""
    if shape is None:
        return tnp.ones_like(a, dtype=dtype)
    if dtype is None:
        return tnp.ones(shape, dtype=tnp.asarray(a).dtype)
    return tnp.ones(shape, dtype=dtype)


@inline("numpy.full_like")
def full_like(a: Any, fill_value: Any, dtype: Any = None, shape: Any = None) -> tf.Tensor:
    """tnp.full_like has no `shape`."""
    if shape is None:
        return tnp.full_like(a, fill_value, dtype=dtype)
    if dtype is None:
        return tnp.full(shape, fill_value, dtype=tnp.asarray(a).dtype)
    return tnp.full(shape, fill_value, dtype=dtype)


@inline("numpy.diag_indices")
def diag_indices(n: Any, ndim: Any = 2) -> Any:
    """tnp.diag_indices gives int32."""
    return (tnp.arange(n),) * ndim


@inline("numpy.expand_dims")
def expand_dims(a: Any, axis: Any) -> tf.Tensor:
    """tnp.expand_dims takes one axis; NumPy says where the new ones are for a tuple of them."""
    if axis == 0:
        return tnp.expand_dims(a, 0)
    if axis == 1:
        return tnp.expand_dims(a, 1)
    if axis == 2:
        return tnp.expand_dims(a, 2)
    if axis == -1:
        return tnp.expand_dims(a, -1)
    if axis == -2:
        return tnp.expand_dims(a, -2)
    return tf.reshape(a, np.expand_dims(np.broadcast_to(0, tnp.shape(a)), axis).shape)


@helper("numpy.meshgrid")
def meshgrid(*xi: Any, sparse: Any = False, indexing: Any = "xy") -> tuple[tf.Tensor, ...]:
    """tnp.meshgrid has no `sparse`, gives a list, and promotes its arguments to one dtype."""
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    rank = len(xi)
    axes = list(range(rank))
    if indexing == "xy" and rank > 1:
        axes[:2] = [1, 0]
    grids = [
        tf.reshape(_tensor(x), [-1 if place == axis else 1 for place in range(rank)])
        for x, axis in zip(xi, axes, strict=True)
    ]
    if sparse or not grids:
        return tuple(grids)
    shape = functools.reduce(tf.broadcast_dynamic_shape, [tf.shape(grid) for grid in grids])
    return tuple(tf.broadcast_to(grid, shape) for grid in grids)


@helper("numpy.vander")
def vander(x: Any, N: Any = None, increasing: Any = False) -> tf.Tensor:
    """tnp.vander keeps int32 and float32; NumPy makes them int64 and float64."""
    x = _tensor(x)
    if x.shape.rank != 1:
        raise ValueError("x must be a one-dimensional array or sequence.")
    x = tf.cast(x, np.promote_types(x.dtype.as_numpy_dtype, int))
    columns = _length(x) if N is None else N
    if tf.is_tensor(columns):  # the gradient of cumprod takes no zeros
        return tf.math.cumprod(tf.tile(x[:, None], [1, columns]), 1, exclusive=True, reverse=not increasing)
    powers = _powers(x, columns)
    return powers if increasing else tf.reverse(powers, [1])


@helper("numpy.tril", direct="matrix")
def tril(m: Any, k: Any = 0) -> tf.Tensor:
    """tnp.tril does not take bools, nor a vector for a matrix of equal rows."""
    m = _tensor(m)
    return tf.where(_columns_beyond(m, k), tf.zeros_like(m), m)


@helper("numpy.triu", direct="matrix")
def triu(m: Any, k: Any = 0) -> tf.Tensor:
    """tnp.triu does not take bools, nor a vector for a matrix of equal rows."""
    m = _tensor(m)
    return tf.where(_columns_beyond(m, k - 1), m, tf.zeros_like(m))


def _columns_beyond(m: tf.Tensor, k: Any) -> tf.Tensor:
    """Tell the elements to the right of the k-th diagonal."""
    rows, columns = tf.shape(m)[-1 if m.shape.rank == 1 else -2], tf.shape(m)[-1]
    return tf.range(columns) > tf.range(rows)[:, None] + k
