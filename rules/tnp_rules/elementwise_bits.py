"""Functions that take floats apart or look at bits: sign, exponent, neighbours, shifts."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.support import _beside_each_other, _floating, _floating_operands, _has_sign, _tensor, _with_sign_of


@helper("numpy.signbit")
def signbit(x: Any) -> tf.Tensor:
    """tnp.signbit compares with 0, which misses -0.0."""
    return _has_sign(_tensor(x))


@helper("numpy.copysign")
def copysign(x1: Any, x2: Any) -> tf.Tensor:
    """TensorFlow has none."""
    x1, x2 = _floating_operands(x1, x2)
    return _with_sign_of(x1, x2)


@helper("numpy.nextafter", direct="float")
def nextafter(x1: Any, x2: Any) -> tf.Tensor:
    """tnp.nextafter takes float32 and float64 only."""
    return _next_number(*_floating_operands(x1, x2))


def _next_number(x1: tf.Tensor, x2: tf.Tensor) -> tf.Tensor:
    """Step to the next number; TensorFlow cannot in half precision, where it is the next bits."""
    if x1.dtype != tf.float16:
        return tf.math.nextafter(x1, x2)
    bits = tf.bitcast(x1, tf.int16)
    beside = tf.bitcast(tf.where((x1 < x2) == (x1 > 0), bits + 1, bits - 1), tf.float16)
    smallest = _with_sign_of(tf.fill(tf.shape(x1 + x2), tf.constant(2.0**-24, tf.float16)), x2)
    found = tf.where(x1 == 0, smallest, beside)
    return tf.where(x1 == x2, x2, tf.where(tf.math.is_nan(x1 + x2), x1 + x2, found))


@helper("numpy.spacing")
def spacing(x: Any) -> tf.Tensor:
    """TensorFlow has none: the step away from zero, upwards in half precision."""
    x = _floating(_tensor(x))
    infinity = tf.fill(tf.shape(x), tf.constant(np.inf, x.dtype))
    return _next_number(x, infinity if x.dtype == tf.float16 else _with_sign_of(infinity, x)) - x


@helper("numpy.frexp")
def frexp(x: Any) -> tuple[tf.Tensor, tf.Tensor]:
    """TensorFlow has none: the exponent is read from the bits of the float64."""
    x = _floating(_tensor(x))
    wide = tf.cast(x, tf.float64)
    tiny = tf.abs(wide) < np.finfo(np.float64).tiny
    bits = tf.bitcast(tf.where(tiny, wide * 2.0**54, wide), tf.int64)
    stored = tf.bitwise.right_shift(bits, tf.constant(52, tf.int64))
    stored = tf.bitwise.bitwise_and(stored, tf.constant(0x7FF, tf.int64))
    whole = (wide == 0) | ~tf.math.is_finite(wide)
    exponent = tf.where(whole, tf.zeros([], tf.int64), stored - 1022 - 54 * tf.cast(tiny, tf.int64))
    return ldexp(x, -exponent), tf.cast(exponent, tf.int32)


@helper("numpy.ldexp")
def ldexp(x1: Any, x2: Any) -> tf.Tensor:
    """TensorFlow has none; in three steps, because one power of two may overflow where the result does not."""
    x1, x2 = _floating(_tensor(x1)), _tensor(x2)
    tf.broadcast_static_shape(x1.shape, x2.shape)  # a ValueError, as in NumPy
    exponent = tf.clip_by_value(tf.cast(x2, tf.int64), -2200, 2200)
    third = exponent // 3
    factor = _power_of_two(third)
    scaled = tf.cast(x1, tf.float64) * factor * factor * _power_of_two(exponent - 2 * third)
    return tf.cast(scaled, x1.dtype)


def _power_of_two(exponent: tf.Tensor) -> tf.Tensor:
    """Make floats of their exponents, -1022 to 1023; tf.pow takes ten times as long."""
    return tf.bitcast(tf.bitwise.left_shift(exponent + 1023, tf.constant(52, tf.int64)), tf.float64)


@helper("numpy.bitwise_count")
def bitwise_count(x: Any) -> tf.Tensor:
    """TensorFlow counts the bits of the two's complement, NumPy those of the magnitude."""
    x = _tensor(x)
    if x.dtype.is_bool:
        return tf.cast(x, tf.uint8)
    return tf.raw_ops.PopulationCount(x=x if x.dtype.is_unsigned else tf.abs(x))


@helper("numpy.left_shift")
def left_shift(x1: Any, x2: Any) -> tf.Tensor:
    """A shift by the width or more is undefined in TensorFlow and 0 in NumPy."""
    known = isinstance(x2, int) and 0 <= x2 < 8
    x1, x2, width = _shift_operands(x1, x2)
    if known:
        return tf.bitwise.left_shift(x1, x2)
    in_range = (x2 >= 0) & (x2 < width)
    shifted = tf.bitwise.left_shift(x1, tf.where(in_range, x2, tf.zeros([], x2.dtype)))
    return tf.where(in_range, shifted, tf.zeros([], shifted.dtype))


@helper("numpy.right_shift")
def right_shift(x1: Any, x2: Any) -> tf.Tensor:
    """A shift by the width or more is undefined in TensorFlow; in NumPy only the sign remains."""
    known = isinstance(x2, int) and 0 <= x2 < 8
    x1, x2, width = _shift_operands(x1, x2)
    if known:
        return tf.bitwise.right_shift(x1, x2)
    in_range = (x2 >= 0) & (x2 < width)
    shifted = tf.bitwise.right_shift(x1, tf.where(in_range, x2, tf.zeros([], x2.dtype)))
    return tf.where(in_range, shifted, tf.zeros_like(shifted) if x1.dtype.is_unsigned else -tf.cast(x1 < 0, x1.dtype))


def _shift_operands(x1: Any, x2: Any) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    """Return the operands and the number of bits; bools are shifted as int8."""
    x1, x2 = _beside_each_other(x1, x2)
    if x1.dtype.is_bool:
        x1, x2 = tf.cast(x1, tf.int8), tf.cast(x2, tf.int8)
    return x1, x2, tf.constant(8 * x1.dtype.size, x1.dtype)
