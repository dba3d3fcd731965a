"""Order statistics that skip NaN."""

from __future__ import annotations

import math
from typing import Any

import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.quantile_methods import _kth_smallest, _order_statistic
from tnp_rules.quantiles import _check_quantile, _fractions, _nan_as_infinity, _nan_where, _percentages
from tnp_rules.statistic_arguments import _inexact_dtype, _length, _nan_positions, _samples_last, _with_axes_kept
from tnp_rules.support import _axes_tuple, _tensor


@helper("numpy.nanmedian")
def nanmedian(a: Any, axis: Any = None, overwrite_input: Any = False, keepdims: Any = False) -> tf.Tensor:
    """TensorFlow has no median. `overwrite_input` only allows what is not needed."""
    del overwrite_input
    a = _tensor(a)
    axes = _axes_tuple(axis, a.shape.rank)
    samples = _samples_last(a, axes)
    if samples.shape[-1] == 0:
        result = tf.fill(tf.shape(samples)[:-1], tf.constant(math.nan, _inexact_dtype(a.dtype)))
    else:
        filled, count = _valid_samples(samples)
        shape = tf.shape(count)
        count = tf.reshape(count, [-1])
        middle = tf.stack([tf.maximum(count - 1, 0) // 2, count // 2], -1)
        pair = _kth_smallest(tf.reshape(filled, [-1, _length(filled, -1)]), middle)
        result = tf.reduce_mean(tf.cast(pair, _inexact_dtype(a.dtype)), -1)
        result = tf.reshape(_nan_where(_none_valid(filled, count), result), shape)
    return _with_axes_kept(result, axes) if keepdims else result


@helper("numpy.nanpercentile")
def nanpercentile(
    a: Any,
    q: Any,
    axis: Any = None,
    overwrite_input: Any = False,
    method: Any = "linear",
    keepdims: Any = False,
) -> tf.Tensor:
    """TensorFlow has no percentile. `overwrite_input` only allows what is not needed."""
    del overwrite_input
    return _nan_quantile(a, _percentages(q), axis, method, keepdims, weak=type(q) in (int, float))


@helper("numpy.nanquantile")
def nanquantile(
    a: Any,
    q: Any,
    axis: Any = None,
    overwrite_input: Any = False,
    method: Any = "linear",
    keepdims: Any = False,
) -> tf.Tensor:
    """TensorFlow has no quantile. `overwrite_input` only allows what is not needed."""
    del overwrite_input
    return _nan_quantile(a, _fractions(q), axis, method, keepdims, weak=type(q) in (int, float))


def _nan_quantile(a: Any, q: Any, axis: Any, method: Any, keepdims: Any, *, weak: bool) -> tf.Tensor:
    a = _tensor(a)
    axes = _axes_tuple(axis, a.shape.rank)
    _check_quantile(a, method)
    samples = _samples_last(a, axes)
    if a.shape.num_elements() == 0:  # as NumPy, without the axes of q
        result = tf.fill(tf.shape(samples)[:-1], tf.constant(math.nan, _inexact_dtype(a.dtype)))
        return _with_axes_kept(result, axes) if keepdims else result
    filled, count = _valid_samples(samples)
    result = _nan_where(_none_valid(filled, count), _order_statistic(filled, count, q, method, weak))
    result = tf.cast(result, tf.bool) if a.dtype.is_bool else result
    return _with_axes_kept(result, axes, len(q.shape)) if keepdims else result


def _valid_samples(samples: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Replace NaN by what sorts to the end, and count what is not NaN."""
    filled, _ = _nan_as_infinity(samples)
    return filled, tf.math.count_nonzero(tf.logical_not(_nan_positions(samples)), -1)


def _none_valid(filled: tf.Tensor, count: tf.Tensor) -> Any:
    """Tell the rows that are all NaN; None for a dtype that has no NaN."""
    return count == 0 if filled.dtype.is_floating else None
