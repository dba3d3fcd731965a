"""Order statistics: `median`, `percentile`, `quantile`."""

from __future__ import annotations

import math
from typing import Any

import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.quantile_methods import _order_statistic
from tnp_rules.statistic_arguments import (
    _inexact_dtype,
    _length,
    _nan_positions,
    _raise_value_error,
    _samples_last,
    _with_axes_kept,
)
from tnp_rules.support import _axes_tuple, _tensor


@helper("numpy.median")
def median(a: Any, axis: Any = None, overwrite_input: Any = False, keepdims: Any = False) -> tf.Tensor:
    """TensorFlow has no median; `tf.sort` leaves NaN anywhere. `overwrite_input` only allows what is not needed."""
    del overwrite_input
    a = _tensor(a)
    axes = _axes_tuple(axis, a.shape.rank)
    ordered, has_nan = _sorted_samples(_samples_last(a, axes))
    size = _length(ordered, -1)
    if isinstance(size, int) and size == 0:
        result = tf.fill(tf.shape(ordered)[:-1], tf.constant(math.nan, _inexact_dtype(a.dtype)))
    else:
        result = _nan_where(has_nan, _middle_value(ordered[..., (size - 1) // 2], ordered[..., size // 2]))
    return _with_axes_kept(result, axes) if keepdims else result


@helper("numpy.percentile")
def percentile(
    a: Any,
    q: Any,
    axis: Any = None,
    overwrite_input: Any = False,
    method: Any = "linear",
    keepdims: Any = False,
) -> tf.Tensor:
    """TensorFlow has no percentile. `overwrite_input` only allows what is not needed."""
    del overwrite_input
    return _quantile(a, _as_quantiles(q), axis, method, keepdims, weak=type(q) in (int, float))


@helper("numpy.quantile")
def quantile(
    a: Any,
    q: Any,
    axis: Any = None,
    overwrite_input: Any = False,
    method: Any = "linear",
    keepdims: Any = False,
) -> tf.Tensor:
    """TensorFlow has no quantile. `overwrite_input` only allows what is not needed."""
    del overwrite_input
    weak = type(q) in (int, float)
    q = _tensor(q)
    _raise_value_error(_any_outside_unit(q), "Quantiles must be in the range [0, 1]")
    return _quantile(a, q, axis, method, keepdims, weak=weak)


def _quantile(a: Any, q: tf.Tensor, axis: Any, method: Any, keepdims: Any, *, weak: bool) -> tf.Tensor:
    a = _tensor(a)
    axes = _axes_tuple(axis, a.shape.rank)
    ordered, has_nan = _sorted_samples(_samples_last(a, axes))
    if ordered.shape[-1] == 0 and ordered.shape[:-1].num_elements() != 0:
        raise IndexError("index -1 is out of bounds for axis 0 with size 0")
    result = _nan_where(has_nan, _order_statistic(ordered, _length(ordered, -1), q, method, weak))
    return _with_axes_kept(result, axes, q.shape.rank) if keepdims else result


def _as_quantiles(q: Any) -> tf.Tensor:
    """Divide percentages by 100 in the dtype that NumPy divides in."""
    q = _tensor(q)
    q = tf.cast(q, _inexact_dtype(q.dtype)) / 100
    _raise_value_error(_any_outside_unit(q), "Percentiles must be in the range [0, 100]")
    return q


def _any_outside_unit(q: tf.Tensor) -> tf.Tensor:
    return tf.reduce_any(tf.logical_not((q >= 0) & (q <= 1)))  # NaN is outside too


def _sorted_samples(samples: tf.Tensor) -> tuple[tf.Tensor, Any]:
    """Sort the last axis, NaN as infinity at the end; tell which rows have NaN, None where none can."""
    if samples.dtype.is_complex:
        raise TypeError("a must be an array of real numbers")
    if samples.dtype.is_bool:  # no kernel sorts bool
        return tf.cast(tf.sort(tf.cast(samples, tf.uint8)), tf.bool), None
    if not samples.dtype.is_floating:
        return tf.sort(samples), None
    nan = _nan_positions(samples)
    return tf.sort(tf.where(nan, tf.constant(math.inf, samples.dtype), samples)), tf.reduce_any(nan, -1)


def _nan_where(condition: Any, result: tf.Tensor) -> tf.Tensor:
    if condition is None:
        return result
    return tf.where(condition, tf.constant(math.nan, result.dtype), result)


def _middle_value(low: tf.Tensor, high: tf.Tensor) -> tf.Tensor:
    """Average as `np.mean` does: integers in float64."""
    dtype = _inexact_dtype(low.dtype)
    return (tf.cast(low, dtype) + tf.cast(high, dtype)) / 2
