"""Common divisors and multiples, which tnp has of signed integers only, where no argument is a list."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.support import _beside_each_other


@helper("numpy.gcd")
def gcd(x1: Any, x2: Any) -> tf.Tensor:
    """tnp.gcd takes no unsigned integers, and gives a list the dtype of the array beside it."""
    return _greatest_divisor(*_integers(x1, x2))


@helper("numpy.lcm")
def lcm(x1: Any, x2: Any) -> tf.Tensor:
    """tnp.lcm takes no unsigned integers, and gives a list the dtype of the array beside it."""
    x1, x2 = _integers(x1, x2)
    return tf.math.floordiv(x1, tf.maximum(_greatest_divisor(x1, x2), 1)) * x2


def _integers(x1: Any, x2: Any) -> tuple[tf.Tensor, tf.Tensor]:
    """Bring the magnitudes of integers to one dtype and one shape."""
    x1, x2 = (_magnitude(x) for x in _beside_each_other(x1, x2))
    if not x1.dtype.is_integer:
        raise TypeError(f"common divisors are of integers, not of {x1.dtype.name}")
    shape = tf.broadcast_dynamic_shape(tf.shape(x1), tf.shape(x2))
    return tf.broadcast_to(x1, shape), tf.broadcast_to(x2, shape)


def _greatest_divisor(x1: tf.Tensor, x2: tf.Tensor) -> tf.Tensor:
    """Take remainders until there are none: Euclid's way, all elements at once."""

    def step(x1: tf.Tensor, x2: tf.Tensor) -> list[tf.Tensor]:
        rest = tf.math.floormod(x1, tf.maximum(x2, 1))
        return [tf.where(x2 == 0, x1, x2), tf.where(x2 == 0, x2, rest)]

    return tf.while_loop(lambda _, x2: tf.reduce_any(x2 != 0), step, [x1, x2])[0]


def _magnitude(x: tf.Tensor) -> tf.Tensor:
    return x if x.dtype.is_unsigned or x.dtype.is_bool else tf.abs(x)
