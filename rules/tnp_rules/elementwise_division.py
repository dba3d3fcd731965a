"""Division with remainder, and the pairwise maximum and minimum that skip NaN."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tnp_rules.complex_order import _larger, _smaller
from tnp_rules.forms import helper
from tnp_rules.statistic_arguments import _nan_positions
from tnp_rules.support import _beside_each_other, _has_sign, _is_exact, _with_sign_of


@helper("numpy.floor_divide")
def floor_divide(x1: Any, x2: Any) -> tf.Tensor:
    """TensorFlow floors the rounded quotient: 1.5 // 0.001 is 1500 there and 1499 in NumPy."""
    return _divide_with_remainder(x1, x2)[0]


@helper("numpy.divmod")
def divmod(x1: Any, x2: Any) -> tuple[tf.Tensor, tf.Tensor]:
    """TensorFlow floors the rounded quotient: 1.5 // 0.001 is 1500 there and 1499 in NumPy."""
    return _divide_with_remainder(x1, x2)


@helper("numpy.mod", "numpy.remainder", direct="divisor")
def mod(x1: Any, x2: Any) -> tf.Tensor:
    """TensorFlow raises for integers modulo zero, where NumPy gives 0."""
    return _divide_with_remainder(x1, x2)[1]


def _divide_with_remainder(x1: Any, x2: Any) -> tuple[tf.Tensor, tf.Tensor]:
    """Compute NumPy's quotient from the exact remainder; integers over 0 give 0."""
    x1, x2 = _division_operands(x1, x2)
    if x1.dtype.is_integer:
        zero = x2 == 0
        divisor = tf.where(zero, tf.ones_like(x2), x2)
        quotient, remainder = tf.math.floordiv(x1, divisor), tf.math.floormod(x1, divisor)
        return tuple(tf.where(zero, tf.zeros_like(part), part) for part in (quotient, remainder))
    remainder = _remainder_towards_zero(x1, x2)
    quotient = tf.round((x1 - remainder) / x2)
    crossed = (remainder != 0) & ((remainder < 0) != (x2 < 0))
    quotient = tf.where(crossed, quotient - 1, quotient)
    quotient = tf.where(quotient == 0, _with_sign_of(quotient, x1 / x2), quotient)
    remainder = tf.where(crossed, remainder + x2, remainder)
    remainder = tf.where(remainder == 0, _with_sign_of(remainder, x2), remainder)
    return tf.where(x2 == 0, x1 / x2, quotient), remainder


@helper("numpy.fmod")
def fmod(x1: Any, x2: Any) -> tf.Tensor:
    """The remainder with the sign of the dividend; integers over 0 give 0."""
    x1, x2 = _division_operands(x1, x2)
    if x1.dtype.is_floating:
        return _remainder_towards_zero(x1, x2)
    zero = x2 == 0
    remainder = tf.math.floormod(x1, tf.where(zero, tf.ones_like(x2), x2))
    crossed = (remainder != 0) & ((x1 < 0) != (x2 < 0))
    return tf.where(zero, tf.zeros_like(remainder), tf.where(crossed, remainder - x2, remainder))


def _division_operands(x1: Any, x2: Any) -> list[tf.Tensor]:
    x1, x2 = _beside_each_other(x1, x2)
    return [tf.cast(x1, tf.int8), tf.cast(x2, tf.int8)] if x1.dtype.is_bool else [x1, x2]


def _remainder_towards_zero(x1: tf.Tensor, x2: tf.Tensor) -> tf.Tensor:
    """C's fmod: of magnitudes, where TensorFlow's floormod is exact."""
    negative = _has_sign(x1)
    remainder = tf.math.floormod(tf.where(negative, -x1, x1), tf.abs(x2))  # tf.abs has no gradient at 0
    return tf.where(negative, -remainder, remainder)


@helper("numpy.fmax")
def fmax(x1: Any, x2: Any) -> tf.Tensor:
    """The maximum that prefers a number to NaN."""
    x1, x2 = _beside_each_other(x1, x2)
    if _is_exact(x1):
        return _larger(x1, x2)
    return tf.where(_nan_positions(x1), x2, tf.where(_nan_positions(x2), x1, _larger(x1, x2)))


@helper("numpy.fmin")
def fmin(x1: Any, x2: Any) -> tf.Tensor:
    """The minimum that prefers a number to NaN."""
    x1, x2 = _beside_each_other(x1, x2)
    if _is_exact(x1):
        return _smaller(x1, x2)
    return tf.where(_nan_positions(x1), x2, tf.where(_nan_positions(x2), x1, _smaller(x1, x2)))
