"""Order statistics that skip NaN."""

from __future__ import annotations

import math
from typing import Any

import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.quantile_methods import _order_statistic
from tnp_rules.quantiles import _any_outside_unit, _as_quantiles, _middle_value, _nan_where, _sorted_samples
from tnp_rules.statistic_arguments import (
    _inexact_dtype,
    _nan_positions,
    _raise_value_error,
    _samples_last,
    _with_axes_kept,
)
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
        ordered, count = _sorted_valid(samples)
        middle = tf.stack([tf.maximum(count - 1, 0) // 2, count // 2], -1)
        pair = tf.gather(ordered, middle, axis=-1, batch_dims=samples.shape.rank - 1)
        result = _nan_where(_none_valid(ordered, count), _middle_value(pair[..., 0], pair[..., 1]))
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
    return _nan_quantile(a, _as_quantiles(q), axis, method, keepdims, weak=type(q) in (int, float))


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
    weak = type(q) in (int, float)
    q = _tensor(q)
    _raise_value_error(_any_outside_unit(q), "Quantiles must be in the range [0, 1]")
    return _nan_quantile(a, q, axis, method, keepdims, weak=weak)


def _nan_quantile(a: Any, q: tf.Tensor, axis: Any, method: Any, keepdims: Any, *, weak: bool) -> tf.Tensor:
    a = _tensor(a)
    axes = _axes_tuple(axis, a.shape.rank)
    samples = _samples_last(a, axes)
    if a.shape.num_elements() == 0:  # as NumPy, without the axes of q
        result = tf.fill(tf.shape(samples)[:-1], tf.constant(math.nan, _inexact_dtype(a.dtype)))
        return _with_axes_kept(result, axes) if keepdims else result
    ordered, count = _sorted_valid(samples)
    result = _nan_where(_none_valid(ordered, count), _order_statistic(ordered, count, q, method, weak))
    return _with_axes_kept(result, axes, q.shape.rank) if keepdims else result


def _sorted_valid(samples: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Sort the last axis with NaN at the end, and count what is not NaN."""
    ordered, _ = _sorted_samples(samples)
    return ordered, tf.math.count_nonzero(tf.logical_not(_nan_positions(samples)), -1)


def _none_valid(ordered: tf.Tensor, count: tf.Tensor) -> Any:
    """Tell the rows that are all NaN; None for a dtype that has no NaN."""
    return count == 0 if ordered.dtype.is_floating else None
