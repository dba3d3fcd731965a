"""Order statistics: `median`, `percentile`, `quantile`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.quantile_methods import _STEP_METHODS, _kth_smallest, _order_statistic
from tnp_rules.statistic_arguments import (
    _inexact_dtype,
    _length,
    _nan_positions,
    _samples_last,
    _with_axes_kept,
)
from tnp_rules.support import _axes_tuple, _raise_where, _tensor


@helper("numpy.median")
def median(a: Any, axis: Any = None, overwrite_input: Any = False, keepdims: Any = False) -> tf.Tensor:
    """TensorFlow has no median; `tf.sort` leaves NaN anywhere. `overwrite_input` only allows what is not needed."""
    del overwrite_input
    a = _tensor(a)
    axes = _axes_tuple(axis, a.shape.rank)
    samples, has_nan = _nan_as_infinity(_samples_last(a, axes))
    size = _length(samples, -1)
    if isinstance(size, int) and size == 0:
        result = tf.fill(tf.shape(samples)[:-1], tf.constant(math.nan, _inexact_dtype(a.dtype)))
    else:
        middle = tf.cast(_kth_smallest(samples, _middle_places(size)), _inexact_dtype(a.dtype))
        result = _nan_where(has_nan, tf.reduce_mean(middle, -1))
    return _with_axes_kept(result, axes) if keepdims else result


def _middle_places(size: Any) -> Any:
    places = [(size - 1) // 2, size // 2]
    return np.array(places) if isinstance(size, int) else tf.stack(places)


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
    return _quantile(a, _percentages(q), axis, method, keepdims, weak=type(q) in (int, float))


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
    return _quantile(a, _fractions(q), axis, method, keepdims, weak=type(q) in (int, float))


def _quantile(a: Any, q: Any, axis: Any, method: Any, keepdims: Any, *, weak: bool) -> tf.Tensor:
    a = _tensor(a)
    axes = _axes_tuple(axis, a.shape.rank)
    _check_quantile(a, method)
    samples, has_nan = _nan_as_infinity(_samples_last(a, axes))
    if samples.shape[-1] == 0 and samples.shape[:-1].num_elements() != 0:
        raise IndexError("index -1 is out of bounds for axis 0 with size 0")
    result = _nan_where(has_nan, _order_statistic(samples, _length(samples, -1), q, method, weak))
    result = tf.cast(result, tf.bool) if a.dtype.is_bool else result
    return _with_axes_kept(result, axes, len(q.shape)) if keepdims else result


def _check_quantile(a: tf.Tensor, method: Any) -> None:
    if a.dtype.is_complex:
        raise TypeError("a must be an array of real numbers")
    if a.dtype.is_bool and method not in _STEP_METHODS:
        raise TypeError("numpy boolean subtract, the `-` operator, is not supported")


def _percentages(q: Any) -> Any:
    """Divide percentages by 100 in the dtype that NumPy divides in."""
    if not tf.is_tensor(q):
        q = np.true_divide(q, 100)
    elif q.dtype.is_integer:
        q = tf.cast(q, tf.float64) / 100
    else:
        q /= 100
    return _fractions(q, "Percentiles must be in the range [0, 100]")


def _fractions(q: Any, message: str = "Quantiles must be in the range [0, 1]") -> Any:
    """Check quantiles; those that are not tensors stay on NumPy, and so does the arithmetic on them."""
    if tf.is_tensor(q):
        _raise_where(tf.math.logical_not(tf.reduce_all((q >= 0) & (q <= 1))), ValueError(message))
        return tf.convert_to_tensor(q)
    q = np.asarray(q)
    if not ((q >= 0) & (q <= 1)).all():
        raise ValueError(message)
    return q


def _nan_as_infinity(samples: tf.Tensor) -> tuple[tf.Tensor, Any]:
    """Make samples sortable, and tell which rows had NaN; None where none can."""
    if samples.dtype.is_complex:
        raise TypeError("complex numbers have no order statistics in TensorFlow")
    if samples.dtype.is_bool:
        return tf.cast(samples, tf.uint8), None
    if not samples.dtype.is_floating:
        return samples, None
    nan = _nan_positions(samples)
    return tf.where(nan, tf.constant(math.inf, samples.dtype), samples), tf.reduce_any(nan, -1)


def _nan_where(condition: Any, result: tf.Tensor) -> tf.Tensor:
    if condition is None:
        return result
    return tf.where(condition, tf.constant(math.nan, result.dtype), result)
