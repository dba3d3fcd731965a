"""Elementwise functions that tnp has under another name, or lacks.

What stays different without a rule, because plain tnp reads better and few programs meet it, stands in
`tnp_migrate.numpy_facts.limits` and on the coverage page. Beside that, `np.sign` makes NaN of complex infinities,
`np.sqrt` on the branch cut does not look at the sign of a zero imaginary part, and subnormal numbers are taken for
zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.forms import helper, inline
from tnp_rules.support import _floating, _floating_operands, _power, _promoted, _tensor


@inline("numpy.radians")
def radians(x: Any) -> tf.Tensor:
    """Tnp has it under its other NumPy name."""
    return tnp.deg2rad(x)


@inline("numpy.degrees")
def degrees(x: Any) -> tf.Tensor:
    """Tnp has it under its other NumPy name, which does not take lists."""
    return tnp.rad2deg(tnp.asarray(x))


@inline("numpy.rad2deg", direct="wide")
def rad2deg(x: Any) -> tf.Tensor:
    """tnp.rad2deg multiplies whatever it gets, so a list raises."""
    return tnp.rad2deg(tnp.asarray(x))


@inline("numpy.matrix_transpose")
def matrix_transpose(x: Any) -> tf.Tensor:
    """In TensorFlow it belongs to linear algebra, and makes 32 bits of Python numbers."""
    return tf.linalg.matrix_transpose(tnp.asarray(x))


@inline("numpy.astype")
def astype(x: Any, dtype: Any) -> tf.Tensor:
    """Tnp has only the method, which takes `float` for float32."""
    return tnp.asarray(x, dtype=dtype)


@inline("numpy.unstack")
def unstack(x: Any, axis: Any = 0) -> tuple[tf.Tensor, ...]:
    """TensorFlow gives a list, NumPy a tuple."""
    return (*tf.unstack(x, axis=axis),)


@helper("numpy.float_power")
def float_power(x1: Any, x2: Any) -> tf.Tensor:
    """tnp.float_power keeps integers and float32; NumPy computes in float64 at least."""
    x1, x2, _ = _promoted(x1, x2, np.float64(0))
    tf.broadcast_static_shape(x1.shape, x2.shape)  # a ValueError, as in NumPy
    return _power(x1, x2)


@helper("numpy.fabs", direct="float")
def fabs(x: Any) -> tf.Tensor:
    """tnp.fabs is `abs`: it keeps integers."""
    return tf.abs(_floating(_tensor(x)))


@helper("numpy.reciprocal", direct="inexact")
def reciprocal(x: Any) -> tf.Tensor:
    """TensorFlow has no reciprocal of integers; NumPy truncates it."""
    x = _tensor(x)
    if x.dtype.is_bool:
        return tf.cast(x, tf.int8)
    if x.dtype.is_complex:
        return tf.where(x == 0, tf.constant(complex(np.nan, np.nan), x.dtype), tf.math.reciprocal(x))
    if not x.dtype.is_integer:
        return tf.math.reciprocal(x)
    one = tf.where(tf.abs(x) == 1, x, tf.zeros_like(x)) if not x.dtype.is_unsigned else tf.cast(x == 1, x.dtype)
    with np.errstate(divide="ignore", invalid="ignore"):  # of 0 it is some number, by dtype and platform
        return tf.where(x == 0, tf.constant(np.reciprocal(np.zeros((), x.dtype.as_numpy_dtype))), one)


@helper("numpy.heaviside")
def heaviside(x1: Any, x2: Any) -> tf.Tensor:
    """tnp.heaviside gives `x2` for NaN."""
    x1, x2 = _floating_operands(x1, x2)
    step = tf.where(x1 == 0, x2, tf.cast(x1 > 0, x1.dtype))
    return tf.where(tf.math.is_nan(x1), x1, step)


@helper("numpy.i0")
def i0(x: Any) -> tf.Tensor:
    """The Bessel function is in tf.math."""
    x = _tensor(x)
    if x.dtype.is_complex:
        raise TypeError("i0 not supported for complex values")
    found = tf.math.bessel_i0(tf.cast(x, tf.float64))
    return tf.cast(found, x.dtype) if x.dtype.is_floating else found


@helper("numpy.nan_to_num")
def nan_to_num(x: Any, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> tf.Tensor:
    """TensorFlow has no such function; the limits of the dtype stand for the infinities."""
    x = _tensor(x)
    if x.dtype.is_complex:
        parts = [nan_to_num(part, nan, posinf, neginf) for part in (tf.math.real(x), tf.math.imag(x))]
        return tf.complex(*parts)
    if not x.dtype.is_floating:
        return x
    limits = np.finfo(x.dtype.as_numpy_dtype)
    high = tf.cast(_tensor(limits.max if posinf is None else posinf), x.dtype)
    low = tf.cast(_tensor(limits.min if neginf is None else neginf), x.dtype)
    result = tf.where(tf.math.is_nan(x), tf.cast(_tensor(nan), x.dtype), x)
    return tf.where(tf.math.is_inf(x), tf.where(x > 0, high, low), result)


@helper("numpy.real_if_close")
def real_if_close(a: Any, tol: Any = 100) -> tf.Tensor:
    """The dtype depends on the values, so they are looked at: eager only."""
    a = _tensor(a)
    if not a.dtype.is_complex:
        return a
    imaginary = tf.math.imag(a)
    if tol > 1:
        tol = tol * np.finfo(imaginary.dtype.as_numpy_dtype).eps
    return tf.math.real(a) if bool(tf.reduce_all(tf.abs(imaginary) < tf.cast(tol, imaginary.dtype))) else a
