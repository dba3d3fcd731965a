"""Piecewise linear interpolation."""

from __future__ import annotations

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
    ends = (fp[0] if left is None else left, fp[-1] if right is None else right)
    below, above = (tf.cast(_tensor(end), fp.dtype) for end in ends)
    flat = tf.reshape(x, [-1])
    if fp.dtype.is_complex:  # each part by itself, as an infinity in one must not reach the other
        parts = ((tf.math.real, flat), (tf.math.imag, tf.zeros_like(flat)))
        result = tf.complex(*[_within_points(flat, xp, of(fp), of(below), of(above), nan) for of, nan in parts])
    else:
        result = _within_points(flat, xp, fp, below, above, flat)
    return tf.reshape(result, tf.shape(x))


def _wrapped(x: tf.Tensor, xp: tf.Tensor, fp: tf.Tensor, period: Any) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    """Bring all points into one period, with a neighbour on each side."""
    if not tf.is_tensor(period) and period == 0:
        raise ValueError("period must be a non-zero value")
    period = tf.abs(tf.cast(_tensor(period), tf.float64))
    x, xp = tf.math.floormod(x, period), tf.math.floormod(xp, period)
    xp, fp = tf.sort(xp), tf.gather(fp, tf.argsort(xp))
    return x, tf.concat([xp[-1:] - period, xp, xp[:1] + period], 0), tf.concat([fp[-1:], fp, fp[:1]], 0)


def _within_points(
    x: tf.Tensor, xp: tf.Tensor, fp: tf.Tensor, below: tf.Tensor, above: tf.Tensor, at_nan: tf.Tensor
) -> tf.Tensor:
    """Interpolate real values, with `below` and `above` outside of the points."""
    first, last = xp[0], xp[-1]
    if xp.shape[0] == 1:
        inside = tf.fill(tf.shape(x), fp[0])  # at NaN too
    else:
        low = tf.clip_by_value(tf.searchsorted(xp, x, side="right") - 1, 0, _length(xp) - 2)
        inside = tf.where(x == last, fp[-1], _on_line(x, xp, fp, low))
        inside = tf.where(tf.math.is_nan(x), at_nan, inside)
    return tf.where(x > last, above, tf.where(x < first, below, inside))


def _on_line(x: tf.Tensor, xp: tf.Tensor, fp: tf.Tensor, low: tf.Tensor) -> tf.Tensor:
    """Interpolate between the points `low` and `low + 1`; on a point the result is exactly its value."""
    x0, x1, f0, f1 = (tf.gather(values, at) for values in (xp, fp) for at in (low, low + 1))
    slope = (f1 - f0) / tf.where(x1 == x0, tf.ones_like(x0), x1 - x0)  # a point given twice is no NaN
    line = slope * (x - x0) + f0
    made = tf.reduce_any(tf.math.is_nan(line) & ~tf.math.is_nan(x))
    line = tf.cond(made, lambda: _where_nan(line, slope, x, xp, fp, low), lambda: line)
    return tf.where((x == x0) & tf.math.is_nan(line), f0, line)


def _where_nan(
    line: tf.Tensor, slope: tf.Tensor, x: tf.Tensor, xp: tf.Tensor, fp: tf.Tensor, low: tf.Tensor
) -> tf.Tensor:
    """Where an infinity made NaN, NumPy tries from the other end, and takes what both ends have."""
    f0, f1 = tf.gather(fp, low), tf.gather(fp, low + 1)
    backwards = slope * (x - tf.gather(xp, low + 1)) + f1
    backwards = tf.where(tf.math.is_nan(backwards) & (f0 == f1), f0, backwards)
    return tf.where(tf.math.is_nan(line), backwards, line)
