"""`numpy.polynomial.polynomial`: division, powers, several variables; coefficients with the lowest power first."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tnp_rules.convolution import convolve
from tnp_rules.forms import helper
from tnp_rules.polynomial_arithmetic import _leading
from tnp_rules.polynomial_series import (
    _coefficients_beside,
    _series,
    _trimmed,
    polynomial_polyval,
    polynomial_polyvander,
)
from tnp_rules.statistic_arguments import _length
from tnp_rules.support import _promoted, _raise_where, _tensor


@helper(
    "numpy.polynomial.polynomial.polyline",
    "numpy.polynomial.chebyshev.chebline",
    "numpy.polynomial.legendre.legline",
    "numpy.polynomial.hermite_e.hermeline",
)
def polynomial_polyline(off: Any, scl: Any) -> tf.Tensor:
    """TensorFlow has no polynomials. A slope of zero leaves one coefficient; one that is traced must not be zero."""
    slope = tf.get_static_value(_tensor(scl))
    if slope is None:
        _raise_where(_tensor(scl) == 0, ValueError("the slope of a traced line is zero"))
    return _tensor([off] if slope is not None and slope == 0 else [off, scl])


@helper("numpy.polynomial.polynomial.polymulx")
def polynomial_polymulx(c: Any) -> tf.Tensor:
    """TensorFlow has no polynomials. Zeros at the end are dropped: traced, the length is not known."""
    (c,) = _series(c)
    c = _trimmed(c)
    return tf.pad(c, [[1, 0]])[: _length(c) + tf.cast(c[-1] != 0, tf.int32)]


@helper("numpy.polynomial.polynomial.polydiv")
def polynomial_polydiv(c1: Any, c2: Any) -> tuple[tf.Tensor, tf.Tensor]:
    """TensorFlow has no polynomials. Traced, the last coefficients must not be zero."""
    rest, divisor = (_known_trimmed(c) for c in _series(c1, c2))
    scale, steps = divisor[-1], _length(rest) - _length(divisor)
    _raise_where(scale == 0, ZeroDivisionError("division by a polynomial that is zero"))
    if steps < 0:
        return rest[:1] * 0, rest
    quotient = []
    for power in range(steps, -1, -1):
        quotient.append(rest[-1] / scale)
        rest = (rest - tf.pad(quotient[-1] * divisor, [[power, 0]]))[:-1]
    return tf.stack(quotient[::-1]), _trimmed(rest) if _length(divisor) > 1 else quotient[-1][tf.newaxis] * 0


@helper("numpy.polynomial.polynomial.polypow")
def polynomial_polypow(c: Any, pow: Any, maxpower: Any = None) -> tf.Tensor:
    """TensorFlow has no polynomials. Traced, the last coefficient must not be zero."""
    c, power = _known_trimmed(_series(c)[0]), int(pow)
    if power != pow or power < 0:
        raise ValueError("Power must be a non-negative integer.")
    if maxpower is not None and power > maxpower:
        raise ValueError("Power is too large")
    product = tf.ones([1], c.dtype)
    for _ in range(power):
        product = convolve(product, c)
    return product


@helper(
    "numpy.polynomial.polynomial.polytrim",
    "numpy.polynomial.chebyshev.chebtrim",
    "numpy.polynomial.legendre.legtrim",
    "numpy.polynomial.hermite.hermtrim",
    "numpy.polynomial.hermite_e.hermetrim",
    "numpy.polynomial.laguerre.lagtrim",
    "numpy.polynomial.polyutils.trimcoef",
)
def polynomial_polytrim(c: Any, tol: Any = 0) -> tf.Tensor:
    """TensorFlow has no polynomials. Traced, the length is not known."""
    if tol < 0:
        raise ValueError("tol must be non-negative")
    (c,) = _series(c)
    significant = tf.abs(c) > tf.cast(tol, c.dtype.real_dtype)
    trimmed = c[: _length(c) - _leading(tf.reverse(significant, [0]))]
    return tf.where(tf.reduce_any(significant), trimmed, trimmed * 0)


@helper("numpy.polynomial.polynomial.polyvalfromroots")
def polynomial_polyvalfromroots(x: Any, r: Any, tensor: Any = True) -> tf.Tensor:
    """TensorFlow has no polynomials."""
    if not tensor and _tensor(x).shape.rank >= (_tensor(r).shape.rank or 1):
        raise ValueError("x.ndim must be < r.ndim when tensor == False")
    roots, x = _coefficients_beside(x, r, tensor)
    return tf.reduce_prod(x - roots, 0)


@helper("numpy.polynomial.polynomial.polycompanion")
def polynomial_polycompanion(c: Any) -> tf.Tensor:
    """TensorFlow has no polynomials. Traced, the last coefficient must not be zero."""
    c = _known_trimmed(_series(c)[0])
    if _length(c) < 2:
        raise ValueError("Series must have maximum degree of at least 1.")
    below = tf.pad(tf.eye(_length(c) - 2, dtype=c.dtype), [[1, 0], [0, 0]])
    return tf.concat([below, -c[:-1, tf.newaxis] / c[-1]], 1)


@helper("numpy.polynomial.polynomial.polyval3d")
def polynomial_polyval3d(x: Any, y: Any, z: Any, c: Any) -> tf.Tensor:
    """TensorFlow has no polynomials of three variables."""
    x, y, z = (_tensor(one) for one in (x, y, z))
    if not (x.shape.is_compatible_with(y.shape) and x.shape.is_compatible_with(z.shape)):
        raise ValueError("x, y, z are incompatible")
    return polynomial_polyval(z, polynomial_polyval(y, polynomial_polyval(x, c), tensor=False), tensor=False)


@helper("numpy.polynomial.polynomial.polygrid3d")
def polynomial_polygrid3d(x: Any, y: Any, z: Any, c: Any) -> tf.Tensor:
    """TensorFlow has no polynomials of three variables."""
    return polynomial_polyval(z, polynomial_polyval(y, polynomial_polyval(x, c)))


@helper("numpy.polynomial.polynomial.polyvander2d")
def polynomial_polyvander2d(x: Any, y: Any, deg: Any) -> tf.Tensor:
    """TensorFlow has no polynomials of two variables."""
    return _products_of_powers((x, y), deg)


@helper("numpy.polynomial.polynomial.polyvander3d")
def polynomial_polyvander3d(x: Any, y: Any, z: Any, deg: Any) -> tf.Tensor:
    """TensorFlow has no polynomials of three variables."""
    return _products_of_powers((x, y, z), deg)


def _products_of_powers(points: Any, deg: Any) -> tf.Tensor:
    """Give every product of powers of the variables along one new last axis, the last variable's varying fastest."""
    if len(deg) != len(points):
        raise ValueError(f"Expected {len(points)} dimensions of degrees, got {len(deg)}")
    first, *others = (polynomial_polyvander(x, int(d)) for x, d in zip(_promoted(*map(_tensor, points)), deg))
    for one in others:
        first = first[..., :, tf.newaxis] * one[..., tf.newaxis, :]
        shape = [_length(first, axis) for axis in range(first.shape.rank - 2)]
        first = tf.reshape(first, [*shape, first.shape[-2] * first.shape[-1]])
    return first


def _known_trimmed(c: tf.Tensor) -> tf.Tensor:
    """Drop zeros at the end; in a graph, whose lengths cannot hang on values, a zero there is an error."""
    if tf.get_static_value(c) is not None:
        return _trimmed(c)
    if c.shape[0] != 1:
        _raise_where(c[-1] == 0, ValueError("the last coefficient of a traced polynomial is zero"))
    return c
