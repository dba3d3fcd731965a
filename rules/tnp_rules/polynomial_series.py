"""`numpy.polynomial.polynomial`: coefficients with the lowest power first."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.convolution import convolve
from tnp_rules.forms import helper
from tnp_rules.linalg_eigen import eigvals
from tnp_rules.polynomial_arithmetic import _leading, _powers
from tnp_rules.polynomial_roots import _companion
from tnp_rules.sorting import order_keys, stable_order
from tnp_rules.statistic_arguments import _inexact_dtype, _length
from tnp_rules.support import _axis_index, _is_python_scalar, _promoted, _tensor


@helper("numpy.polynomial.polynomial.polyval")
def polynomial_polyval(x: Any, c: Any, tensor: Any = True) -> tf.Tensor:
    """`tf.math.polyval` wants a list with the highest power first; points get axes after those of `c`."""
    c, x = _coefficients_beside(x, c, tensor)
    c = tf.reverse(c, [0])
    y = c[0] + x * 0
    if c.shape[0] is None:
        return tf.foldl(lambda value, coefficient: coefficient + value * x, c[1:], y)
    for coefficient in tf.unstack(c)[1:]:
        y = coefficient + y * x
    return y


@helper("numpy.polynomial.polynomial.polyval2d")
def polynomial_polyval2d(x: Any, y: Any, c: Any) -> tf.Tensor:
    """TensorFlow has no polynomials of two variables."""
    x, y = _tensor(x), _tensor(y)
    if not x.shape.is_compatible_with(y.shape):
        raise ValueError("x, y are incompatible")
    return polynomial_polyval(y, polynomial_polyval(x, c), tensor=False)


@helper("numpy.polynomial.polynomial.polygrid2d")
def polynomial_polygrid2d(x: Any, y: Any, c: Any) -> tf.Tensor:
    """TensorFlow has no polynomials of two variables."""
    return polynomial_polyval(y, polynomial_polyval(x, c))


@helper(
    "numpy.polynomial.polynomial.polyadd",
    "numpy.polynomial.chebyshev.chebadd",
    "numpy.polynomial.legendre.legadd",
    "numpy.polynomial.hermite.hermadd",
    "numpy.polynomial.hermite_e.hermeadd",
    "numpy.polynomial.laguerre.lagadd",
)
def polynomial_polyadd(c1: Any, c2: Any) -> tf.Tensor:
    """TensorFlow has no polynomials. Zeros at the end are dropped: traced, the length is not known."""
    c1, c2 = _series(c1, c2)
    return _trimmed(_padded(c1, _length(c2)) + _padded(c2, _length(c1)))


@helper(
    "numpy.polynomial.polynomial.polysub",
    "numpy.polynomial.chebyshev.chebsub",
    "numpy.polynomial.legendre.legsub",
    "numpy.polynomial.hermite.hermsub",
    "numpy.polynomial.hermite_e.hermesub",
    "numpy.polynomial.laguerre.lagsub",
)
def polynomial_polysub(c1: Any, c2: Any) -> tf.Tensor:
    """TensorFlow has no polynomials. Zeros at the end are dropped: traced, the length is not known."""
    c1, c2 = _series(c1, c2)
    return _trimmed(_padded(c1, _length(c2)) - _padded(c2, _length(c1)))


@helper("numpy.polynomial.polynomial.polymul")
def polynomial_polymul(c1: Any, c2: Any) -> tf.Tensor:
    """TensorFlow has no polynomials. Zeros at the end are dropped: traced, the length is not known."""
    return _trimmed(convolve(*_series(c1, c2)))


@helper("numpy.polynomial.polynomial.polyder")
def polynomial_polyder(c: Any, m: Any = 1, scl: Any = 1, axis: Any = 0) -> tf.Tensor:
    """TensorFlow has no polynomials."""
    if m < 0:
        raise ValueError("The order of derivation must be non-negative")
    c = _as_points(c)
    axis = _axis_index(axis, c.shape.rank)
    c = _axis_to_front(c, axis)
    scale = tf.cast(_tensor(scl), c.dtype)
    if m >= _length(c):
        c = c[:1] * 0
    else:
        for _ in range(m):
            c = _one_each_row(tf.range(1, _length(c)), c) * (c[1:] * scale)
    return _axis_from_front(c, axis)


@helper("numpy.polynomial.polynomial.polyint")
def polynomial_polyint(
    c: Any,
    m: Any = 1,
    k: Any = [],  # noqa: B006 (NumPy's default)
    lbnd: Any = 0,
    scl: Any = 1,
    axis: Any = 0,
) -> tf.Tensor:
    """TensorFlow has no polynomials."""
    constants = list(k) if isinstance(k, (list, tuple)) else tf.unstack(tf.reshape(_tensor(k), [-1]))
    if m < 0:
        raise ValueError("The order of integration must be non-negative")
    if len(constants) > m:
        raise ValueError("Too many integration constants")
    if _tensor(lbnd).shape.rank != 0 or _tensor(scl).shape.rank != 0:
        raise ValueError("lbnd and scl must be scalars.")
    c = _as_points(c)
    axis = _axis_index(axis, c.shape.rank)
    c = _axis_to_front(c, axis)
    for i in range(m):
        constant = tf.cast(_tensor(constants[i] if i < len(constants) else 0), c.dtype)
        c = _antiderivative(c * tf.cast(_tensor(scl), c.dtype), constant, tf.cast(_tensor(lbnd), c.dtype))
    return _axis_from_front(c, axis)


def _antiderivative(c: tf.Tensor, constant: tf.Tensor, bound: tf.Tensor) -> tf.Tensor:
    """Integrate along the first axis; the zero polynomial stays one coefficient long."""
    higher = c / _one_each_row(tf.range(1, _length(c) + 1), c)
    value = polynomial_polyval(bound, tf.concat([c[:1] * 0, higher], 0))
    result = tf.concat([(constant - value)[tf.newaxis], higher], 0)
    return result[: 2 - tf.cast(tf.reduce_all(c == 0), tf.int32)] if _length(c) == 1 else result


@helper("numpy.polynomial.polynomial.polyvander")
def polynomial_polyvander(x: Any, deg: Any) -> tf.Tensor:
    """`tnp.vander` has the powers in the other order, of vectors only."""
    if deg < 0:
        raise ValueError("deg must be non-negative")
    return _powers(_as_points(x), int(deg) + 1)


@helper("numpy.polynomial.polynomial.polyroots")
def polynomial_polyroots(c: Any) -> tf.Tensor:
    """TensorFlow has no roots. Its eigenvalues are always complex: made real where NumPy's are, but not when traced.

    NumPy's dtype depends on the values, which a graph does not know.
    """
    (c,) = _series(c)
    c = _trimmed(c)
    if c.shape[0] is not None and c.shape[0] <= 2:
        return -c[:-1] / c[-1]
    found = eigvals(_companion(tf.reverse(c, [0])))
    return tf.gather(found, stable_order(order_keys(found)))


@helper("numpy.polynomial.polynomial.polyfromroots")
def polynomial_polyfromroots(roots: Any) -> tf.Tensor:
    """TensorFlow has no polynomials."""
    roots, _ = _promoted(_as_points(roots), np.float64(0))
    if roots.shape.rank != 1:
        raise ValueError("Coefficient array is not 1-d")
    c = tf.ones([1], roots.dtype)
    for root in tf.unstack(roots):
        c = tf.pad(c, [[1, 0]]) - tf.pad(root * c, [[0, 1]])
    return c


def _as_points(x: Any) -> tf.Tensor:
    x = _tensor(x)
    x = tf.cast(x, _inexact_dtype(x.dtype))
    return tf.reshape(x, [1]) if x.shape.rank == 0 else x


def _coefficients_beside(x: Any, c: Any, tensor: Any) -> list[tf.Tensor]:
    """Return coefficients and points in one dtype; points get axes after those of the coefficients."""
    c = _as_points(c)
    if _is_python_scalar(x):
        return _promoted(c, x)
    x = _tensor(x)
    if tensor:
        c = tf.reshape(c, [_length(c, i) for i in range(c.shape.rank)] + [1] * x.shape.rank)
    return _promoted(c, x)


def _series(*coefficients: Any) -> list[tf.Tensor]:
    """Return coefficient vectors in one inexact dtype."""
    series = _promoted(*[_as_points(c) for c in coefficients])
    for c in series:
        if c.shape.num_elements() == 0:
            raise ValueError("Coefficient array is empty")
        if c.shape.rank != 1:
            raise ValueError("Coefficient array is not 1-d")
    return series


def _trimmed(c: tf.Tensor) -> tf.Tensor:
    return c[: _length(c) - _leading(tf.reverse(c != 0, [0]))]


def _padded(c: tf.Tensor, size: Any) -> tf.Tensor:
    return tf.pad(c, [[0, tf.maximum(size - _length(c), 0)]])


def _one_each_row(values: tf.Tensor, like: tf.Tensor) -> tf.Tensor:
    """Return one number for each row of `like`."""
    return tf.reshape(tf.cast(values, like.dtype), [-1] + [1] * (like.shape.rank - 1))


def _axis_to_front(x: tf.Tensor, axis: int) -> tf.Tensor:
    return tf.transpose(x, [axis] + [i for i in range(x.shape.rank) if i != axis])


def _axis_from_front(x: tf.Tensor, axis: int) -> tf.Tensor:
    places = list(range(1, x.shape.rank))
    return tf.transpose(x, [*places[:axis], 0, *places[axis:]])
