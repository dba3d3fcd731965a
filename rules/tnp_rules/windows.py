"""Window functions. NumPy's are symmetric and float64; those of tf.signal are periodic and float32 unless told."""

from __future__ import annotations

import math
from typing import Any

import tensorflow as tf

from tnp_rules.forms import helper, inline
from tnp_rules.support import _tensor


@inline("numpy.hamming")
def hamming(M: Any) -> tf.Tensor:
    """Tf.signal has it, with other defaults."""
    return tf.signal.hamming_window(M, periodic=False, dtype=tf.float64)


@inline("numpy.hanning")
def hanning(M: Any) -> tf.Tensor:
    """Tf.signal has it, with another name and other defaults."""
    return tf.signal.hann_window(M, periodic=False, dtype=tf.float64)


@helper("numpy.blackman")
def blackman(M: Any) -> tf.Tensor:
    """TensorFlow has no Blackman window."""
    angle = math.pi * _window_positions(M)
    return 0.42 + 0.5 * tf.cos(angle) + 0.08 * tf.cos(2.0 * angle)


@helper("numpy.bartlett")
def bartlett(M: Any) -> tf.Tensor:
    """TensorFlow has no Bartlett window."""
    return 1.0 - tf.abs(_window_positions(M))


@helper("numpy.kaiser")
def kaiser(M: Any, beta: Any) -> tf.Tensor:
    """`tf.signal.kaiser_window` computes in float32 (wrong from the 8th digit on), whatever its dtype."""
    beta = tf.cast(_tensor(beta), tf.float64)
    inside = tf.sqrt(tf.maximum(1.0 - _window_positions(M) ** 2.0, 0.0))
    return tf.math.bessel_i0(beta * inside) / tf.math.bessel_i0(beta)


def _window_positions(size: Any) -> tf.Tensor:
    """Return `size` points from -1 to 1, or 0 where there is one."""
    size = tf.maximum(tf.cast(_tensor(size), tf.float64), 0.0)
    return (2.0 * tf.range(size) - (size - 1.0)) / tf.maximum(size - 1.0, 1.0)
