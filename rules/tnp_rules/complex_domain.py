"""`numpy.emath`: functions whose results become complex where real numbers leave their domain.

NumPy decides by the values, which a graph does not know: traced, results are complex unless the values are constants.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.elementwise_floats import log2, log10
from tnp_rules.forms import helper
from tnp_rules.support import _floating, _power, _promoted, _tensor


@helper("numpy.emath.sqrt")
def emath_sqrt(x: Any) -> tf.Tensor:
    """TensorFlow's root of a negative real number is NaN."""
    return tf.sqrt(_floating(_complex_if_negative(x)))


@helper("numpy.emath.log")
def emath_log(x: Any) -> tf.Tensor:
    """TensorFlow's logarithm of a negative real number is NaN."""
    return tf.math.log(_floating(_complex_if_negative(x)))


@helper("numpy.emath.log2")
def emath_log2(x: Any) -> tf.Tensor:
    """TensorFlow's logarithm of a negative real number is NaN."""
    return log2(_complex_if_negative(x))


@helper("numpy.emath.log10")
def emath_log10(x: Any) -> tf.Tensor:
    """TensorFlow's logarithm of a negative real number is NaN."""
    return log10(_complex_if_negative(x))


@helper("numpy.emath.logn")
def emath_logn(n: Any, x: Any) -> tf.Tensor:
    """TensorFlow has the natural logarithm only, and NaN for negative real numbers."""
    above, below = _promoted(emath_log(x), emath_log(n))
    return above / below


@helper("numpy.emath.power")
def emath_power(x: Any, p: Any) -> tf.Tensor:
    """TensorFlow's power of a negative real base is NaN, and integers cannot have a negative exponent."""
    x, p = _complex_if_negative(x), _tensor(p)
    if p.dtype.is_integer and _may_hold(np.less, p, 0):
        p = tf.cast(p, tf.float64)
    x, p = _promoted(x, p)
    return _power(x, p)


@helper("numpy.emath.arccos")
def emath_arccos(x: Any) -> tf.Tensor:
    """TensorFlow's inverse cosine of a real number is NaN outside -1 to 1."""
    return tf.math.acos(_floating(_complex_if_beyond_one(x)))


@helper("numpy.emath.arcsin")
def emath_arcsin(x: Any) -> tf.Tensor:
    """TensorFlow's inverse sine of a real number is NaN outside -1 to 1."""
    return tf.math.asin(_floating(_complex_if_beyond_one(x)))


@helper("numpy.emath.arctanh")
def emath_arctanh(x: Any) -> tf.Tensor:
    """TensorFlow's inverse hyperbolic tangent of a real number is NaN outside -1 to 1."""
    return tf.math.atanh(_floating(_complex_if_beyond_one(x)))


def _complex_if_negative(x: Any) -> tf.Tensor:
    x = _tensor(x)
    real = x.dtype.is_floating or (x.dtype.is_integer and not x.dtype.is_unsigned)
    return _made_complex(x) if real and _may_hold(np.less, x, 0) else x


def _complex_if_beyond_one(x: Any) -> tf.Tensor:
    x = _tensor(x)
    real = x.dtype.is_floating or x.dtype.is_integer
    return _made_complex(x) if real and _may_hold(lambda known, bound: np.abs(known) > bound, x, 1) else x


def _made_complex(x: tf.Tensor) -> tf.Tensor:
    """Cast to the complex dtype that NumPy chooses: single precision for float32 and short integers only."""
    single = x.dtype == tf.float32 or (x.dtype.is_integer and x.dtype.size <= 2)
    return tf.cast(x, tf.complex64 if single else tf.complex128)


def _may_hold(comparison: Any, x: tf.Tensor, bound: int) -> bool:
    """Say whether a comparison holds for any element; one that a graph does not know may."""
    known = tf.get_static_value(x)
    return known is None or bool(np.any(comparison(known, bound)))
