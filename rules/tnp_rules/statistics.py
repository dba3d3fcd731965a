"""Counts and running totals."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.reductions import max, min
from tnp_rules.statistic_arguments import _accumulator_dtype
from tnp_rules.support import _axis_index, _np_dtype, _raise_where, _tensor


@helper("numpy.cumulative_sum")
def cumulative_sum(x: Any, *, axis: Any = None, dtype: Any = None, include_initial: Any = False) -> tf.Tensor:
    """`tf.cumsum` does not widen integers and has no initial zero."""
    return _cumulative(tf.cumsum, tf.zeros, x, axis, dtype, include_initial)


@helper("numpy.cumulative_prod")
def cumulative_prod(x: Any, *, axis: Any = None, dtype: Any = None, include_initial: Any = False) -> tf.Tensor:
    """`tf.math.cumprod` does not widen integers and has no initial one."""
    return _cumulative(tf.math.cumprod, tf.ones, x, axis, dtype, include_initial)


def _cumulative(scan: Any, start: Any, x: Any, axis: Any, dtype: Any, include_initial: Any) -> tf.Tensor:
    x = _tensor(x)
    x = tf.reshape(x, [1]) if x.shape.rank == 0 else x
    if axis is None and x.shape.rank > 1:
        raise ValueError("For arrays which have more than one dimension ``axis`` argument is required.")
    axis = _axis_index(axis or 0, x.shape.rank)
    result = scan(tf.cast(x, _accumulator_dtype(x.dtype) if dtype is None else _np_dtype(dtype)), axis)
    if not include_initial:
        return result
    shape = tf.concat([tf.shape(x)[:axis], [1], tf.shape(x)[axis + 1 :]], 0)
    return tf.concat([start(shape, result.dtype), result], axis)


@helper("numpy.bincount")
def bincount(x: Any, weights: Any = None, minlength: Any = 0) -> tf.Tensor:
    """`tf.math.bincount` counts in int32, has no gradient for the weights and ignores negative numbers."""
    x = _tensor(x)
    if x.shape == (0,):
        x = tf.cast(x, tf.int64)
    if x.dtype.is_floating or x.dtype.is_complex:
        raise TypeError("Cannot cast array data from a floating dtype to int64 according to the rule 'safe'")
    if x.shape.rank != 1:
        raise ValueError("object of too small depth or too deep for desired array")
    x = tf.cast(x, tf.int64)
    _raise_where(_tensor(minlength) < 0, ValueError("'minlength' must not be negative"))
    _raise_where(tf.reduce_min(x) < 0, ValueError("'list' argument must have no negative elements"))
    counted = tf.ones_like(x) if weights is None or x.shape == (0,) else tf.cast(_tensor(weights), tf.float64)
    if not counted.shape.is_compatible_with(x.shape):
        raise ValueError("The weights and list don't have the same length.")
    size = tf.maximum(tf.cast(minlength, tf.int64), tf.reduce_max(x) + 1)
    return tf.math.unsorted_segment_sum(counted, x, size)


@helper("numpy.ptp", "numpy.ndarray.ptp")
def ptp(a: Any, axis: Any = None, keepdims: Any = False) -> tf.Tensor:
    """tnp.ptp of nothing is -inf, where NumPy raises."""
    a = _tensor(a)
    return max(a, axis, keepdims) - min(a, axis, keepdims)
