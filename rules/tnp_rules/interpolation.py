"""Piecewise linear interpolation."""

from __future__ import annotations

import math
from typing import Any

import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.statistic_arguments import _length
from tnp_rules.support import _tensor


@helper("numpy.interp")
def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> tf.Tensor:
    """TensorFlow interpolates only on regular grids. As in NumPy the result is float64 or complex128."""
    x, xp = tf.cast(_tensor(x), tf.float64), tf.cast(_tensor(xp), tf.float64)
    fp = _tensor(fp)
    fp = tf.cast(fp, tf.complex128 if fp.dtype.is_complex else tf.float64)
    if (xp.shape.rank, fp.shape.rank) != (1, 1):
        raise ValueError("Data points must be 1-D sequences")
    if xp.shape[0] == 0:
        raise ValueError("array of sample points is empty")
    if not xp.shape.is_compatible_with(fp.shape):
        raise ValueError("fp and xp are not of the same length.")
    if period is not None:
        x, xp, fp = _wrapped(x, xp, fp, period)
        left = right = None
    below = fp[0] if left is None else tf.cast(_tensor(left), fp.dtype)
    above = fp[-1] if right is None else tf.cast(_tensor(right), fp.dtype)
    flat = tf.reshape(x, [-1])
    inside = _between_points(flat, xp, fp)
    result = tf.where(flat > xp[-1], above, tf.where(flat < xp[0], below, inside))
    return tf.reshape(result, tf.shape(x))


def _wrapped(x: tf.Tensor, xp: tf.Tensor, fp: tf.Tensor, period: Any) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    """Bring all points into one period, with a neighbour on each side."""
    if not tf.is_tensor(period) and period == 0:
        raise ValueError("period must be a non-zero value")
    period = tf.abs(tf.cast(_tensor(period), tf.float64))
    x, xp = tf.math.floormod(x, period), tf.math.floormod(xp, period)
    order = tf.argsort(xp)
    xp, fp = tf.gather(xp, order), tf.gather(fp, order)
    return x, tf.concat([xp[-1:] - period, xp, xp[:1] + period], 0), tf.concat([fp[-1:], fp, fp[:1]], 0)


def _between_points(x: tf.Tensor, xp: tf.Tensor, fp: tf.Tensor) -> tf.Tensor:
    """Interpolate inside the points; on a point the result is exactly its value."""
    position = tf.searchsorted(xp, x, side="right") - 1
    low = tf.clip_by_value(position, 0, _length(xp) - 1)
    high = tf.minimum(low + 1, _length(xp) - 1)
    x0, x1, f0, f1 = (tf.gather(values, at) for values, at in ((xp, low), (xp, high), (fp, low), (fp, high)))
    on_point = (x == x0) | (x1 == x0)
    step = tf.cast(tf.where(x1 == x0, tf.ones_like(x0), x1 - x0), fp.dtype)
    slope = (f1 - f0) / step
    line = slope * tf.cast(x - x0, fp.dtype) + f0
    backwards = slope * tf.cast(x - x1, fp.dtype) + f1  # where an infinity made NaN, NumPy tries from the other end
    line = tf.where(line == line, line, tf.where(f0 == f1, f0, backwards))  # noqa: PLR0124 (NaN)
    nan = tf.constant(math.nan, fp.dtype)
    return tf.where(tf.math.is_nan(x), nan, tf.where(on_point, f0, line))
