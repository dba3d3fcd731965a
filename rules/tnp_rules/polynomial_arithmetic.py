"""Arithmetic of polynomials given by coefficients, the highest power first."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tnp_rules.convolution import convolve
from tnp_rules.forms import helper
from tnp_rules.statistic_arguments import _inexact_dtype, _length, _nan_positions
from tnp_rules.support import _promoted, _tensor


@helper("numpy.polyadd")
def polyadd(a1: Any, a2: Any) -> Any:
    """TensorFlow has no polynomials."""
    left, right = _same_length(_coefficients(a1), _coefficients(a2))
    total = left | right if left.dtype.is_bool else left + right
    return _polynomial_like(total, a1, a2)


@helper("numpy.polysub")
def polysub(a1: Any, a2: Any) -> Any:
    """TensorFlow has no polynomials."""
    left, right = _same_length(_coefficients(a1), _coefficients(a2))
    if left.dtype.is_bool:
        raise TypeError("numpy boolean subtract, the `-` operator, is not supported")
    return _polynomial_like(left - right, a1, a2)


@helper("numpy.polymul")
def polymul(a1: Any, a2: Any) -> Any:
    """TensorFlow has no polynomials. As in NumPy, zeros that lead a factor are dropped."""
    left, right = _coefficients(a1), _coefficients(a2)
    product = convolve(left, right)
    return _polynomial_like(product[_leading_zeros(left) + _leading_zeros(right) :], a1, a2)


@helper("numpy.polydiv")
def polydiv(u: Any, v: Any) -> Any:
    """TensorFlow has no polynomials. The remainder's length depends on its values, so it is unknown when traced."""
    dividend, divisor = _promoted(_coefficients(u), _coefficients(v))
    dtype = _inexact_dtype(dividend.dtype)
    rest, divisor = tf.cast(dividend, dtype), tf.cast(divisor, dtype)
    steps = _length(rest) - _length(divisor) + 1
    scale = 1.0 / divisor[0]
    quotient = []
    for k in range(steps):
        factor = scale * rest[k]
        quotient.append(factor)
        rest -= tf.pad(factor * divisor, [[k, steps - 1 - k]])
    ratio = tf.stack(quotient) if quotient else tf.zeros([1], dtype)
    significant = (tf.abs(rest) > 1e-8) | _nan_positions(rest)  # what `np.allclose(rest, 0)` denies
    rest = rest[_leading(significant) :]
    return _polynomial_like(ratio, u, v), _polynomial_like(rest, u, v)


@helper("numpy.polyder")
def polyder(p: Any, m: Any = 1) -> Any:
    """TensorFlow has no polynomials. As in NumPy, float32 becomes float64 (the powers are int64)."""
    if int(m) < 0:
        raise ValueError("Order of derivative must be positive (see polyint)")
    y = _coefficients(p)
    for _ in range(int(m)):
        y = y[:-1]
        y, powers = _promoted(y, tf.range(_length(y), 0, -1, dtype=tf.int64))
        y *= powers
    return _polynomial_like(y, p)


@helper("numpy.polyint")
def polyint(p: Any, m: Any = 1, k: Any = None) -> Any:
    """TensorFlow has no polynomials."""
    m = int(m)
    if m < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    constants = tf.zeros([m], tf.float64) if k is None else tf.reshape(_tensor(k), [-1])
    if constants.shape[0] == 1 and m > 1:
        constants = tf.cast(constants, _inexact_dtype(constants.dtype)) * tf.ones([m], _inexact_dtype(constants.dtype))
    if constants.shape[0] < m:
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or >m.")
    y = _coefficients(p)
    for i in range(m):
        y, powers = _promoted(y, tf.range(_length(y), 0, -1, dtype=tf.int64))
        y = tf.cast(y, _inexact_dtype(y.dtype)) / tf.cast(powers, _inexact_dtype(y.dtype))
        y = tf.concat(_promoted(y, constants[i : i + 1]), 0)
    return _polynomial_like(y, p)


@helper("numpy.polyval")
def polyval(p: Any, x: Any) -> Any:
    """`tnp.polyval` takes no `poly1d`, and a Python number or list as `x` leaves float32 coefficients float32."""
    c = _tensor(getattr(p, "coeffs", p))
    if c.shape.rank == 0:
        raise TypeError("iteration over a 0-d array")
    if hasattr(x, "coeffs"):
        result = 0
        for one in tf.unstack(c):
            result = result * x + one
        return result
    c, x = _promoted(c, _tensor(x))
    if c.shape[0] is None:
        return tf.foldl(lambda y, one: y * x + one, c, tf.zeros_like(x))
    y = tf.zeros_like(x)
    for one in tf.unstack(c):
        y = y * x + one
    return y


def _coefficients(p: Any) -> tf.Tensor:
    """Return the coefficients of an array or of a `poly1d`, translated or NumPy's."""
    p = _tensor(getattr(p, "coeffs", p))
    return tf.reshape(p, [1]) if p.shape.rank == 0 else p


def _polynomial_like(coefficients: tf.Tensor, *operands: Any) -> Any:
    """Return a `poly1d` where an operand was one: of its class, so that arrays do not need that class."""
    for operand in operands:
        if hasattr(operand, "coeffs"):
            return type(operand)(coefficients)
    return coefficients


def _same_length(a1: tf.Tensor, a2: tf.Tensor) -> list[tf.Tensor]:
    a1, a2 = _promoted(a1, a2)
    n1, n2 = _length(a1), _length(a2)
    longest = tf.maximum(n1, n2) if tf.is_tensor(n1) or tf.is_tensor(n2) else [n1, n2][n2 > n1]
    return [tf.pad(a1, [[longest - n1, 0]]), tf.pad(a2, [[longest - n2, 0]])]


def _powers(x: tf.Tensor, count: int) -> tf.Tensor:
    """Return the powers from 0 on along a new last axis; products, since `0j ** 0` is NaN in TensorFlow."""
    powers, step = tf.ones_like(x)[..., tf.newaxis], x[..., tf.newaxis]
    while powers.shape[-1] < count:
        powers = tf.concat([powers, powers * step], -1)
        step *= step
    return powers[..., :count]


def _leading_zeros(c: tf.Tensor) -> Any:
    """Count the zeros in front, all but one where there is nothing else."""
    return _leading(c != 0) if c.shape[0] != 0 else 0


def _leading(significant: tf.Tensor) -> Any:
    """Return the first true position, the last position where none is true; a Python integer where it is known."""
    last = tf.concat([significant[:-1], [True]], 0)
    first = tf.argmax(tf.cast(last, tf.int32))  # the first of equal values
    known = tf.get_static_value(first)
    return first if known is None else int(known)
