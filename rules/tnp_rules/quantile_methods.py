"""Where a quantile lies between sorted samples, and its interpolation, in NumPy's order of operations."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.statistic_arguments import _inexact_dtype, _length
from tnp_rules.support import _np_dtype, _tensor

# Hyndman and Fan's alpha and beta: the quantile q of n samples is at n q + alpha + q (1 - alpha - beta) - 1.
_PLOTTING_POSITIONS = {
    "interpolated_inverted_cdf": (0.0, 1.0),
    "hazen": (0.5, 0.5),
    "weibull": (0.0, 0.0),
    "median_unbiased": (1 / 3.0, 1 / 3.0),
    "normal_unbiased": (3 / 8.0, 3 / 8.0),
}
_STEP_METHODS = ("inverted_cdf", "closest_observation", "lower", "higher", "nearest")


# Each selection is a pass over the samples; from this many on, sorting them is faster.
_FEW_SELECTIONS = 12


def _order_statistic(samples: tf.Tensor, count: Any, q: Any, method: Any, weak: Any) -> tf.Tensor:
    """Interpolate between samples in order along the last axis; `count` is their number, or one for each row.

    The axes of `q` come first in the result. `weak` tells that `q` was a Python number, which does not promote.
    """
    shape = [_length(samples, i) for i in range(samples.shape.rank - 1)]
    known = samples.shape[:-1].num_elements()
    rows = tf.reshape(samples, [-1 if known is None else known, _length(samples, -1)])
    q = _tensor(q) if tf.is_tensor(count) else q
    xp = tnp if tf.is_tensor(q) else np
    exact = _np_dtype(q.dtype).kind in "iu"  # 0 and 1 only: NumPy does not interpolate by default
    flat = xp.reshape(q, [-1])
    flat = flat if not exact else tf.cast(flat, tf.float64) if xp is tnp else flat.astype(float)
    n = count
    if xp is tnp:
        n = tf.cast(tf.reshape(count, [-1, 1]) if len(np.shape(count)) else count, flat.dtype)
    if exact and method in ("linear", "averaged_inverted_cdf"):
        method = "lower"
    if method in _STEP_METHODS:
        result = _kth_smallest(rows, xp.maximum(xp.minimum(_step_index(n, flat, method, xp), n - 1), 0))
    else:
        position = _sample_position(n, flat, method, xp)
        below = xp.floor(position)
        pair = xp.concatenate([below, xp.where(position < 0, below, below + 1)], -1)
        left, right = tf.split(_kth_smallest(rows, xp.maximum(xp.minimum(pair, n - 1), 0)), 2, -1)
        result = _interpolated(left, right, _fraction(position, below, method, xp), weak)
    return tf.reshape(tf.transpose(result), [_length(q, i) for i in range(len(q.shape))] + shape)


def _kth_smallest(samples: tf.Tensor, index: Any) -> tf.Tensor:
    """Return the samples at places in the order of the last axis; the places of each row if `index` has rows.

    Selection is a tenth of the cost of sorting, but has a kernel on CPUs only.
    """
    if len(index.shape) == 2 and samples.shape[0] == 1:
        index = tf.reshape(index, [-1])
    if len(index.shape) == 2:
        return tf.gather(tf.sort(samples), tf.cast(index, tf.int64), batch_dims=1)
    if tf.executing_eagerly() and "CPU" in samples.device:
        places = np.asarray(index, np.int64)
        kth, back = np.unique(places, return_inverse=True)
        if kth.size <= _FEW_SELECTIONS:
            found = [tf.raw_ops.NthElement(input=samples, n=np.int32(k), reverse=False) for k in kth]
            return tf.stack([found[i] for i in back], -1)
    return tf.gather(tf.sort(samples), tf.cast(index, tf.int64), axis=-1)


def _step_index(n: Any, q: Any, method: Any, xp: Any) -> Any:
    """Return the index by a method that does not interpolate; `xp` is NumPy, or tnp if `n` or `q` are tensors."""
    if method == "inverted_cdf":
        return xp.ceil(n * q - 1)
    if method == "closest_observation":
        position = n * q - 1 - 0.5
        below = xp.floor(position)
        return xp.where((position == below) & (below % 2 == 1), below, below + 1)
    if method == "nearest":
        return xp.around((n - 1) * q)
    return xp.floor((n - 1) * q) if method == "lower" else xp.ceil((n - 1) * q)


def _sample_position(n: Any, q: Any, method: Any, xp: Any) -> Any:
    """Return where between the sorted samples the quantile is."""
    if method == "linear":
        return (n - 1) * q
    if method == "midpoint":
        return 0.5 * (xp.floor((n - 1) * q) + xp.ceil((n - 1) * q))
    if method == "averaged_inverted_cdf":
        return n * q - 1
    if method not in _PLOTTING_POSITIONS:
        raise ValueError(f"{method!r} is not a valid method")
    alpha, beta = _PLOTTING_POSITIONS[method]
    return n * q + (alpha + q * (1 - alpha - beta)) - 1


def _fraction(position: Any, below: Any, method: Any, xp: Any) -> Any:
    fraction = position - below
    if method == "averaged_inverted_cdf":
        return xp.where(fraction == 0, xp.ones_like(fraction) / 2, xp.ones_like(fraction))
    if method == "midpoint":
        return xp.where(fraction == 0, xp.zeros_like(fraction), xp.ones_like(fraction) / 2)
    return fraction


def _interpolated(left: tf.Tensor, right: tf.Tensor, fraction: Any, weak: Any) -> tf.Tensor:
    """Interpolate from the nearer side."""
    dtype = _inexact_dtype(left.dtype)
    if not weak:
        dtype = tf.as_dtype(np.result_type(left.dtype.as_numpy_dtype, _np_dtype(fraction.dtype)))
    step = tf.cast(right - left, dtype)  # in the samples' own dtype: integers wrap as NumPy's do
    from_left = tf.cast(left, dtype) + step * tf.cast(fraction, dtype)
    from_right = tf.cast(right, dtype) - step * tf.cast(1 - fraction, dtype)
    return tf.where(fraction >= 0.5, from_right, from_left)
