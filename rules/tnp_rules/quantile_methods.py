"""Where a quantile lies between sorted samples, and its interpolation, in NumPy's order of operations."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.statistic_arguments import _inexact_dtype, _length

# Hyndman and Fan's alpha and beta: the quantile q of n samples is at n q + alpha + q (1 - alpha - beta) - 1.
_PLOTTING_POSITIONS = {
    "interpolated_inverted_cdf": (0.0, 1.0),
    "hazen": (0.5, 0.5),
    "weibull": (0.0, 0.0),
    "median_unbiased": (1 / 3.0, 1 / 3.0),
    "normal_unbiased": (3 / 8.0, 3 / 8.0),
}
_STEP_METHODS = ("inverted_cdf", "closest_observation", "lower", "higher", "nearest")


def _order_statistic(ordered: tf.Tensor, count: Any, q: tf.Tensor, method: Any, weak: Any) -> tf.Tensor:
    """Interpolate between samples sorted along the last axis; `count` is one number, or one for each row.

    The axes of `q` come first in the result. `weak` tells that `q` was a Python number, which does not promote.
    """
    shape = [_length(ordered, i) for i in range(ordered.shape.rank - 1)]
    known = ordered.shape[:-1].num_elements()
    rows = tf.reshape(ordered, [-1 if known is None else known, _length(ordered, -1)])
    by_row = tf.is_tensor(count) and count.shape.rank > 0
    flat = tf.reshape(q, [-1])
    if flat.dtype.is_integer and method in ("linear", "averaged_inverted_cdf"):  # 0 or 1: no interpolation
        index = (tf.cast(count, flat.dtype) - 1) * flat
        result = _take_from_rows(rows, index, by_row)
    else:
        flat = tf.cast(flat, _inexact_dtype(flat.dtype))
        counts = tf.cast(tf.reshape(count, [-1, 1]) if by_row else count, flat.dtype)
        result = _between_samples(rows, counts, flat, method, weak, by_row)
    q_shape = [_length(q, i) for i in range(q.shape.rank)]
    return tf.reshape(tf.transpose(result), q_shape + shape)


def _between_samples(
    rows: tf.Tensor, counts: tf.Tensor, q: tf.Tensor, method: Any, weak: Any, by_row: Any
) -> tf.Tensor:
    last = counts - 1
    if method in _STEP_METHODS:
        return _take_from_rows(rows, tf.minimum(_step_index(counts, q, method), last), by_row)
    position = _sample_position(counts, q, method)
    below = tf.floor(position)
    left = _take_from_rows(rows, tf.minimum(below, last), by_row)
    right = _take_from_rows(rows, tf.minimum(tf.where(position < 0, below, below + 1), last), by_row)
    return _interpolated(left, right, _fraction(position, below, method), weak)


def _take_from_rows(rows: tf.Tensor, index: tf.Tensor, by_row: Any) -> tf.Tensor:
    index = tf.cast(tf.maximum(index, 0), tf.int64)
    return tf.gather(rows, index, batch_dims=1) if by_row else tf.gather(rows, index, axis=1)


def _step_index(n: tf.Tensor, q: tf.Tensor, method: Any) -> tf.Tensor:
    """Return the index by a method that does not interpolate."""
    if method == "inverted_cdf":
        return tf.math.ceil(n * q - 1)
    if method == "closest_observation":
        position = n * q - 1 - 0.5
        below = tf.floor(position)
        return tf.where((position == below) & (tf.math.floormod(below, 2) == 1), below, below + 1)
    if method == "nearest":
        return tf.round((n - 1) * q)
    return tf.floor((n - 1) * q) if method == "lower" else tf.math.ceil((n - 1) * q)


def _sample_position(n: tf.Tensor, q: tf.Tensor, method: Any) -> tf.Tensor:
    """Return where between the sorted samples the quantile is."""
    if method == "linear":
        return (n - 1) * q
    if method == "midpoint":
        return 0.5 * (tf.floor((n - 1) * q) + tf.math.ceil((n - 1) * q))
    if method == "averaged_inverted_cdf":
        return n * q - 1
    if method not in _PLOTTING_POSITIONS:
        raise ValueError(f"{method!r} is not a valid method")
    alpha, beta = _PLOTTING_POSITIONS[method]
    return n * q + (alpha + q * (1 - alpha - beta)) - 1


def _fraction(position: tf.Tensor, below: tf.Tensor, method: Any) -> tf.Tensor:
    fraction = position - below
    if method == "averaged_inverted_cdf":
        return tf.where(fraction == 0, tf.constant(0.5, fraction.dtype), tf.ones_like(fraction))
    if method == "midpoint":
        return tf.where(fraction == 0, tf.zeros_like(fraction), tf.constant(0.5, fraction.dtype))
    return fraction


def _interpolated(left: tf.Tensor, right: tf.Tensor, fraction: tf.Tensor, weak: Any) -> tf.Tensor:
    """Interpolate from the nearer side."""
    if left.dtype.is_bool:
        raise TypeError("numpy boolean subtract, the `-` operator, is not supported")
    dtype = _inexact_dtype(left.dtype)
    if not weak:
        dtype = tf.as_dtype(np.result_type(left.dtype.as_numpy_dtype, fraction.dtype.as_numpy_dtype))
    step = tf.cast(right - left, dtype)  # in the samples' own dtype: integers wrap as NumPy's do
    from_left = tf.cast(left, dtype) + step * tf.cast(fraction, dtype)
    from_right = tf.cast(right, dtype) - step * tf.cast(1 - fraction, dtype)
    return tf.where(fraction >= 0.5, from_right, from_left)
