"""The order of complex numbers, which TensorFlow does not compare: by real part, then by imaginary part."""

from __future__ import annotations

import math
from typing import Any

import tensorflow as tf

from tnp_rules.statistic_arguments import _nan_positions


def _larger(x1: tf.Tensor, x2: tf.Tensor) -> tf.Tensor:
    """Return the larger of two elements of one dtype, NaN where there is one; of bools and complex numbers too."""
    if x1.dtype.is_bool:
        return x1 | x2
    if not x1.dtype.is_complex:
        return tf.maximum(x1, x2)
    return tf.where(_compare_parts(tf.greater, tf.greater_equal, x1, x2) | _nan_positions(x1), x1, x2)


def _smaller(x1: tf.Tensor, x2: tf.Tensor) -> tf.Tensor:
    """Return the smaller of two elements of one dtype, NaN where there is one; of bools and complex numbers too."""
    if x1.dtype.is_bool:
        return x1 & x2
    if not x1.dtype.is_complex:
        return tf.minimum(x1, x2)
    return tf.where(_compare_parts(tf.less, tf.less_equal, x1, x2) | _nan_positions(x1), x1, x2)


def _compare_parts(strictly: Any, finally_: Any, x1: tf.Tensor, x2: tf.Tensor) -> tf.Tensor:
    """Compare real parts, and imaginary ones where those are equal; NaN in any part compares as false."""
    real1, imag1, real2, imag2 = tf.math.real(x1), tf.math.imag(x1), tf.math.real(x2), tf.math.imag(x2)
    known = ~(tf.math.is_nan(imag1) | tf.math.is_nan(imag2))
    return (strictly(real1, real2) & known) | ((real1 == real2) & finally_(imag1, imag2))


def _complex_extreme(reduce: Any, x: tf.Tensor, axis: Any, keepdims: Any) -> tf.Tensor:
    """Reduce the real parts, then the imaginary parts of those that have the extreme one; of NaN it is NaN."""
    worst = tf.constant(-math.inf if reduce is tf.reduce_max else math.inf, x.dtype.real_dtype)
    nan = _nan_positions(x)
    real = tf.math.real(x)
    extreme = reduce(real, axis, keepdims=True)
    imaginary = reduce(tf.where(real == extreme, tf.math.imag(x), worst), axis, keepdims=True)
    undefined = tf.constant(math.nan, x.dtype.real_dtype)
    parts = (tf.where(tf.reduce_any(nan, axis, keepdims=True), undefined, one) for one in (extreme, imaginary))
    result = tf.complex(*parts)
    return result if keepdims else tf.squeeze(result, axis)


def _rank_of_extreme(search: Any, x: tf.Tensor, axis: Any) -> tf.Tensor:
    """Give 1 to the elements that tf.argmax or tf.argmin is to find, 0 to the others: NaN comes first."""
    extreme = _complex_extreme(tf.reduce_max if search is tf.math.argmax else tf.reduce_min, x, axis, keepdims=True)
    nan = _nan_positions(x)
    return tf.cast(nan | ((x == extreme) & ~tf.reduce_any(nan, axis, keepdims=True)), tf.uint8)
