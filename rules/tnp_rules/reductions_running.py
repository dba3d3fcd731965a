"""Running sums, differences and what is built on them."""

from __future__ import annotations

from typing import Any

import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.forms import helper
from tnp_rules.support import _axis_index, _flat_if_none, _float64_if_exact, _np_dtype, _promoted, _tensor


@helper("numpy.cumsum", direct="inexact")
def cumsum(a: Any, axis: Any = None, dtype: Any = None) -> tf.Tensor:
    """tnp.cumsum raises on bools, and turns unsigned integers into int64 and uint64 into float64."""
    x, along = _flat_if_none(_widened(_tensor(a), dtype), axis)
    return tf.math.cumsum(x, along)


@helper("numpy.cumprod", direct="inexact")
def cumprod(a: Any, axis: Any = None, dtype: Any = None) -> tf.Tensor:
    """tnp.cumprod raises on bools, and turns unsigned integers into int64 and uint64 into float64."""
    x, along = _flat_if_none(_widened(_tensor(a), dtype), axis)
    return tf.math.cumprod(x, along)


def _widened(x: tf.Tensor, dtype: Any) -> tf.Tensor:
    """Cast to the dtype that NumPy sums in: integers to 64 bits of the same kind."""
    if dtype is not None:
        return tf.cast(x, _np_dtype(dtype))
    if x.dtype.is_unsigned:
        return tf.cast(x, tf.uint64)
    return tf.cast(x, tf.int64) if x.dtype.is_integer or x.dtype.is_bool else x


@helper("numpy.diff", direct="wide")
def diff(a: Any, n: Any = 1, axis: Any = -1, prepend: Any = None, append: Any = None) -> tf.Tensor:
    """tnp.diff has neither `prepend` nor `append`."""
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n!r}")
    if n == 0:
        return a
    a = _tensor(a)
    if a.shape.rank == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    axis = _axis_index(axis, a.shape.rank)
    edges = [_edge(value, a, axis) for value in (prepend, append)]
    parts = [*edges[0], a, *edges[1]]
    return tnp.diff(tf.concat(_promoted(*parts), axis) if len(parts) > 1 else a, n, axis)


def _edge(value: Any, a: tf.Tensor, axis: int) -> list[tf.Tensor]:
    """Return what to join to the array; a scalar stands for a slice of it."""
    if value is None:
        return []
    value = _tensor(value)
    if value.shape.rank == 0:
        value = tf.broadcast_to(value, [1 if one == axis else size for one, size in enumerate(a.shape)])
    return [value]


@helper("numpy.trapezoid")
def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: Any = -1) -> tf.Tensor:
    """TensorFlow has none outside of probability."""
    y = _tensor(y)
    along = _axis_index(axis, y.shape.rank)
    if x is None:
        step = dx
    else:
        step = tnp.diff(_tensor(x), axis=-1 if _tensor(x).shape.rank == 1 else along)
        if _tensor(x).shape.rank == 1:
            step = tf.reshape(step, [-1 if one == along else 1 for one in range(y.shape.rank)])
    lead = (slice(None),) * along
    before, after = y[(*lead, slice(None, -1))], y[(*lead, slice(1, None))]
    step, heights = _promoted(step, before + after)
    return tf.reduce_sum(_float64_if_exact(step) * _float64_if_exact(heights) / 2.0, along)


@helper("numpy.unwrap")
def unwrap(p: Any, discont: Any = None, axis: Any = -1, *, period: Any = 6.283185307179586) -> tf.Tensor:
    """TensorFlow has none: jumps of more than half a period are taken out."""
    p = _tensor(p)
    along = _axis_index(axis, p.shape.rank)
    jumps = tnp.diff(p, axis=along)
    whole = p.dtype.is_integer and isinstance(period, int)
    jumps, turn = _promoted(jumps if whole else _float64_if_exact(jumps), period)
    half = turn // 2 if whole else turn / 2
    wrapped = tf.math.floormod(jumps + half, turn) - half
    if not whole or period % 2 == 0:  # a jump of half a period goes up
        wrapped = tf.where((wrapped == -half) & (jumps > 0), half, wrapped)
    limit = tf.cast(_tensor(period / 2 if discont is None else discont), tf.float64)
    small = tf.cast(tf.abs(jumps), tf.float64) < limit
    shift = tf.where(small, tf.zeros_like(jumps), wrapped - jumps)
    start = [[1, 0] if one == along else [0, 0] for one in range(p.shape.rank)]
    return tf.cast(p, jumps.dtype) + tf.math.cumsum(tf.pad(shift, start), along)
