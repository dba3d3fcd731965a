"""Common divisors and multiples, which tnp has of signed integers only, where no argument is a list."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.support import _beside_each_other


@helper("numpy.gcd")
def gcd(x1: Any, x2: Any) -> tf.Tensor:
    """tnp.gcd takes no unsigned integers, and gives a list the dtype of the array beside it."""
    x1, x2, dtype = _magnitudes(x1, x2)
    return tf.cast(_greatest_divisor(x1, x2), dtype)


@helper("numpy.lcm")
def lcm(x1: Any, x2: Any) -> tf.Tensor:
    """tnp.lcm takes no unsigned integers, and gives a list the dtype of the array beside it."""
    x1, x2, dtype = _magnitudes(x1, x2)
    return tf.cast(tf.math.floordiv(x1, tf.maximum(_greatest_divisor(x1, x2), 1)) * x2, dtype)


def _magnitudes(x1: Any, x2: Any) -> tuple[tf.Tensor, tf.Tensor, tf.DType]:
    """Bring the magnitudes of integers to one unsigned dtype and one shape, and say what dtype they had."""
    x1, x2 = _beside_each_other(x1, x2)
    if not x1.dtype.is_integer:
        raise TypeError(f"common divisors are of integers, not of {x1.dtype.name}")
    shape = tf.broadcast_dynamic_shape(tf.shape(x1), tf.shape(x2))
    unsigned = {1: tf.uint8, 2: tf.uint16, 4: tf.uint32, 8: tf.uint64}[x1.dtype.size]
    first, second = (tf.cast(tf.broadcast_to(magnitude(x), shape), unsigned) for x in (x1, x2))
    return first, second, x1.dtype


def _greatest_divisor(x1: tf.Tensor, x2: tf.Tensor) -> tf.Tensor:
    """Take remainders until there are none: Euclid's way, all elements at once."""

    def step(x1: tf.Tensor, x2: tf.Tensor) -> list[tf.Tensor]:
        rest = tf.math.floormod(x1, tf.maximum(x2, 1))
        return [tf.where(x2 == 0, x1, x2), tf.where(x2 == 0, x2, rest)]

    return tf.while_loop(lambda _, x2: tf.reduce_any(x2 != 0), step, [x1, x2])[0]


def magnitude(x: tf.Tensor) -> tf.Tensor:
    """Return the magnitude of integers; TensorFlow has none of unsigned ones."""
    return x if x.dtype.is_unsigned else tf.abs(x)
