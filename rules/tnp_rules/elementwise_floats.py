"""Logarithms, angles and comparisons of floats whose dtype or special values tnp gets wrong."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.support import _float64_if_exact, _floating, _floating_operands, _is_exact, _promoted, _tensor

_POWERS_OF_TEN = np.array([float(f"1e{place}") for place in range(-308, 309)])


@helper("numpy.log2")
def log2(x: Any) -> tf.Tensor:
    """tnp.log2 makes float32 float64, and misses whole powers by an ulp."""
    return _log_to_base(x, 2.0)


@helper("numpy.log10")
def log10(x: Any) -> tf.Tensor:
    """tnp.log10 makes float32 float64, and misses whole powers by an ulp: floor(log10(1000)) is 2."""
    return _log_to_base(x, 10.0)


def _log_to_base(x: Any, base: float) -> tf.Tensor:
    x = _floating(_tensor(x))
    if x.dtype.is_complex:
        logarithm = tf.math.log(x)
        parts = (part * (1 / math.log(base)) for part in (tf.math.real(logarithm), tf.math.imag(logarithm)))
        return tf.complex(*parts)  # apart: complex division makes NaN of the infinite logarithm of zero
    logarithm = tf.math.log(x) / tf.constant(math.log(base), x.dtype)
    whole = tf.round(logarithm)
    # Whole powers are looked up, for tf.pow takes as long as ten logarithms. NaN and infinities find some other number.
    limits = np.finfo(x.dtype.as_numpy_dtype)
    powers = _POWERS_OF_TEN if base == 10 else np.ldexp(1.0, np.arange(-1022, 1024))
    powers = powers[(powers >= limits.tiny) & (powers <= limits.max)]
    first = int(np.rint(np.log(powers[0]) / math.log(base)))
    place = tf.clip_by_value(tf.cast(whole, tf.int32) - first, 0, powers.size - 1)
    exact = tf.gather(tf.constant(powers, x.dtype), place) == x
    # The correction is a constant: the gradient stays that of the logarithm.
    return logarithm + tf.stop_gradient(tf.where(exact, whole - logarithm, tf.zeros([], x.dtype)))


@helper("numpy.logaddexp")
def logaddexp(x1: Any, x2: Any) -> tf.Tensor:
    """tnp.logaddexp has a gradient for one only of two equal arguments."""
    x1, x2 = _floating_operands(x1, x2)
    equal = x1 == x2  # equal infinities too, whose gap is NaN
    gap = -tf.abs(tf.where(equal, tf.zeros_like(x1), x1 - x2))
    return tf.where(equal, x1 / 2 + x2 / 2 + math.log(2.0), tf.maximum(x1, x2) + tf.math.log1p(tf.math.exp(gap)))


@helper("numpy.logaddexp2")
def logaddexp2(x1: Any, x2: Any) -> tf.Tensor:
    """tnp.logaddexp2 makes float32 float64."""
    x1, x2 = _floating_operands(x1, x2)
    gap = -tf.abs(x1 - x2)
    apart = tf.maximum(x1, x2) + tf.math.log1p(tf.math.exp(gap * math.log(2.0))) / math.log(2.0)
    return tf.where(x1 == x2, x1 / 2 + x2 / 2 + 1, apart)  # equal infinities too, whose gap is NaN


@helper("numpy.sinc")
def sinc(x: Any) -> tf.Tensor:
    """tnp.sinc has NaN for a gradient at 0."""
    x = _float64_if_exact(_tensor(x))
    tiny = np.finfo(x.dtype.as_numpy_dtype).eps
    angle = tf.constant(math.pi, x.dtype) * tf.where(x == 0, tf.constant(tiny, x.dtype), x)
    return tf.sin(angle) / angle


@helper("numpy.hypot")
def hypot(x1: Any, x2: Any) -> tf.Tensor:
    """tnp.hypot squares its arguments as they are: 3e200 overflows, int32 wraps."""
    x1, x2 = _floating_operands(x1, x2)
    largest = tf.maximum(tf.abs(x1), tf.abs(x2))
    infinite = tf.math.is_inf(x1) | tf.math.is_inf(x2)
    scale = tf.where((largest == 0) | infinite, tf.ones_like(largest), largest)
    length = scale * tf.sqrt(tf.square(x1 / scale) + tf.square(x2 / scale))
    return tf.where(infinite, tf.constant(math.inf, x1.dtype), length)


@helper("numpy.arctan2")
def arctan2(x1: Any, x2: Any) -> tf.Tensor:
    """tnp.arctan2 does not take integers."""
    return tf.math.atan2(*_floating_operands(x1, x2))


@helper("numpy.angle")
def angle(z: Any, deg: Any = False) -> tf.Tensor:
    """tnp.angle computes in float32, and gives 0 for NaN and for -0.0."""
    z = _tensor(z)
    z = tf.cast(z, tf.float64) if z.dtype.is_bool else _floating(z)
    real, imaginary = (tf.math.real(z), tf.math.imag(z)) if z.dtype.is_complex else (z, tf.zeros_like(z))
    result = tf.math.atan2(imaginary, real)
    return result * (180 / math.pi) if deg else result


@helper("numpy.isinf", direct="float")
def isinf(x: Any) -> tf.Tensor:
    """tnp.isinf gives the Python value False for integers and complex numbers, and raises on lists."""
    x = _tensor(x)
    if x.dtype.is_complex:
        return tf.math.is_inf(tf.math.real(x)) | tf.math.is_inf(tf.math.imag(x))
    return tf.math.is_inf(x) if x.dtype.is_floating else tf.zeros_like(x, tf.bool)


@helper("numpy.isposinf", direct="float")
def isposinf(x: Any) -> tf.Tensor:
    """tnp.isposinf gives the Python value False for integers, and raises on lists."""
    x = _tensor(x)
    return _infinite_real(x) & (x > 0)


@helper("numpy.isneginf", direct="float")
def isneginf(x: Any) -> tf.Tensor:
    """tnp.isneginf gives the Python value False for integers, and raises on lists."""
    x = _tensor(x)
    return _infinite_real(x) & (x < 0)


def _infinite_real(x: tf.Tensor) -> tf.Tensor:
    if x.dtype.is_complex:
        raise TypeError(f"the sign of an infinity is not defined for {x.dtype.name}")
    return tf.math.is_inf(x) if x.dtype.is_floating else tf.zeros_like(x, tf.bool)


@helper("numpy.isclose")
def isclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> tf.Tensor:
    """tnp.isclose compares integers exactly, and says that inf is not close to inf."""
    a, b = _promoted(a, b)
    tf.broadcast_static_shape(a.shape, b.shape)  # raises ValueError where TensorFlow's operators do not
    if _is_exact(a):
        a, b = tf.cast(a, tf.float64), tf.cast(b, tf.float64)
    size = tf.abs(b)
    rtol, scaled = _promoted(rtol, size)
    atol, scaled = _promoted(atol, rtol * scaled)
    distance, limit = _promoted(tf.abs(a - b), atol + scaled)
    close = (distance <= limit) & tf.math.is_finite(size) | (a == b)
    return close | (tf.not_equal(a, a) & tf.not_equal(b, b)) if equal_nan else close


@helper("numpy.allclose")
def allclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> tf.Tensor:
    """tnp.allclose compares integers exactly, and says that inf is not close to inf."""
    return tf.reduce_all(isclose(a, b, rtol, atol, equal_nan))
