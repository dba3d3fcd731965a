"""Rounding: TensorFlow's functions want floats, NumPy's keep integers."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.support import _floating, _has_sign, _is_exact, _tensor, _truncated, _with_sign_of


@helper("numpy.floor", direct="float")
def floor(x: Any) -> tf.Tensor:
    """tnp.floor makes integers float64."""
    x = _tensor(x)
    return x if _is_exact(x) else tf.math.floor(x)


@helper("numpy.ceil", direct="float")
def ceil(x: Any) -> tf.Tensor:
    """tnp.ceil makes integers float64."""
    x = _tensor(x)
    return x if _is_exact(x) else tf.math.ceil(x)


@helper("numpy.trunc", "numpy.fix")
def trunc(x: Any) -> tf.Tensor:
    """Tnp has no trunc, and its fix makes integers float64."""
    x = _tensor(x)
    return x if _is_exact(x) else _truncated(x)


@helper("numpy.rint")
def rint(x: Any) -> tf.Tensor:
    """Tnp has none; unlike floor it turns integers into floats in NumPy too."""
    x = _floating(_tensor(x))
    if x.dtype.is_complex:
        return tf.complex(tf.round(tf.math.real(x)), tf.round(tf.math.imag(x)))
    return tf.round(x)


@helper("numpy.round", "numpy.around")
def round(a: Any, decimals: Any = 0) -> tf.Tensor:
    """tnp.round scales by float32(10**decimals), so negative decimals go wrong: 15 becomes 19."""
    a = _tensor(a)
    if a.dtype.is_complex:
        return tf.complex(_round_real(tf.math.real(a), decimals), _round_real(tf.math.imag(a), decimals))
    if a.dtype.is_bool:
        return tf.cast(a, tf.float16)
    if not a.dtype.is_integer:
        return _round_real(a, decimals)
    return a if decimals >= 0 else tf.cast(_round_real(tf.cast(a, tf.float64), decimals), a.dtype)


def _round_real(x: tf.Tensor, decimals: int) -> tf.Tensor:
    """Round floats; NumPy scales by the power of ten that is a whole number."""
    if decimals == 0:
        return tf.round(x)
    scale = tf.constant(10.0 ** (decimals if decimals > 0 else -decimals), x.dtype)
    return tf.round(x * scale) / scale if decimals > 0 else tf.round(x / scale) * scale


@helper("numpy.modf")
def modf(x: Any) -> tuple[tf.Tensor, tf.Tensor]:
    """TensorFlow has none; both parts carry the sign, and the fraction of an infinity is 0."""
    x = _floating(_tensor(x))
    whole = _truncated(x)
    fraction = tf.where(_has_sign(x), -(whole - x), x - whole)  # -0.0 with the slope 1
    return tf.where(tf.math.is_inf(x), _with_sign_of(tf.zeros_like(x), x), fraction), whole
