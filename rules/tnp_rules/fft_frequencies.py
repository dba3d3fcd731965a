"""The frequencies that belong to the points of a transform, and the order in which they stand."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.forms import helper, inline


@inline("numpy.fft.fftshift")
def fftshift(x: Any, axes: Any = None) -> tf.Tensor:
    """tf.signal.fftshift would make single precision of Python floats."""
    return tf.signal.fftshift(tnp.asarray(x), axes)


@inline("numpy.fft.ifftshift")
def ifftshift(x: Any, axes: Any = None) -> tf.Tensor:
    """tf.signal.ifftshift would make single precision of Python floats."""
    return tf.signal.ifftshift(tnp.asarray(x), axes)


@helper("numpy.fft.fftfreq")
def fftfreq(n: Any, d: Any = 1.0) -> tf.Tensor:
    """tf.signal has no frequencies; integer steps times 1 / (n d), as NumPy, to the last bit."""
    step = _frequency_step(n, d)
    steps = tf.concat([tf.range((n - 1) // 2 + 1), tf.range(-(n // 2), 0)], 0)
    return tf.cast(steps, tf.float64) * step


@helper("numpy.fft.rfftfreq")
def rfftfreq(n: Any, d: Any = 1.0) -> tf.Tensor:
    """tf.signal has no frequencies; integer steps times 1 / (n d), as NumPy, to the last bit."""
    step = _frequency_step(n, d)
    return tf.cast(tf.range(n // 2 + 1), tf.float64) * step


def _frequency_step(n: Any, d: Any) -> tf.Tensor:
    integer = n.dtype.is_integer if tf.is_tensor(n) else isinstance(n, (int, np.integer))
    if not integer:
        raise ValueError("n should be an integer")
    return tf.cast(tnp.asarray(1.0 / (n * d)), tf.float64)
