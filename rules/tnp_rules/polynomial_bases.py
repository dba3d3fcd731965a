"""Series in orthogonal polynomials: values by Clenshaw's recurrence, Vandermonde matrices, weights."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.polynomial_fit import _fit_series
from tnp_rules.polynomial_series import _as_points, _coefficients_beside


@helper("numpy.polynomial.chebyshev.chebval")
def chebyshev_chebval(x: Any, c: Any, tensor: Any = True) -> tf.Tensor:
    """TensorFlow has no Chebyshev series."""
    return _clenshaw(x, c, tensor, lambda _: 1, lambda x, _: 2 * x, lambda x: x)


@helper("numpy.polynomial.legendre.legval")
def legendre_legval(x: Any, c: Any, tensor: Any = True) -> tf.Tensor:
    """TensorFlow has no Legendre series."""
    return _clenshaw(x, c, tensor, lambda n: (n - 1) / n, lambda x, n: x * ((2 * n - 1) / n), lambda x: x)


@helper("numpy.polynomial.hermite.hermval")
def hermite_hermval(x: Any, c: Any, tensor: Any = True) -> tf.Tensor:
    """TensorFlow has no Hermite series; these are the physicists' polynomials."""
    return _clenshaw(x, c, tensor, lambda n: 2 * (n - 1), lambda x, _: 2 * x, lambda x: 2 * x)


@helper("numpy.polynomial.hermite_e.hermeval")
def hermite_e_hermeval(x: Any, c: Any, tensor: Any = True) -> tf.Tensor:
    """TensorFlow has no Hermite series; these are the probabilists' polynomials."""
    return _clenshaw(x, c, tensor, lambda n: n - 1, lambda x, _: x, lambda x: x)


@helper("numpy.polynomial.laguerre.lagval")
def laguerre_lagval(x: Any, c: Any, tensor: Any = True) -> tf.Tensor:
    """TensorFlow has no Laguerre series."""
    return _clenshaw(x, c, tensor, lambda n: (n - 1) / n, lambda x, n: ((2 * n - 1) - x) / n, lambda x: 1 - x)


def _clenshaw(x: Any, c: Any, tensor: Any, back: Any, forward: Any, last: Any) -> tf.Tensor:
    """Sum a series backwards: the recurrence's factors are `back` and `forward`, the polynomial of degree 1 is `last`.

    The number of coefficients has to be known when this is traced.
    """
    c, x = _coefficients_beside(x, c, tensor)
    terms = tf.unstack(c)
    if len(terms) == 1:
        return terms[0] + 0 * x
    lower, upper = terms[-2], terms[-1]
    for degree in range(len(terms) - 1, 1, -1):
        lower, upper = terms[degree - 2] - upper * back(degree), lower + upper * forward(x, degree)
    return lower + upper * last(x)


@helper("numpy.polynomial.chebyshev.chebvander")
def chebyshev_chebvander(x: Any, deg: Any) -> tf.Tensor:
    """TensorFlow has no Chebyshev series."""
    return _basis(x, deg, lambda x: x, lambda x, one, two, _: one * (2 * x) - two)


@helper("numpy.polynomial.legendre.legvander")
def legendre_legvander(x: Any, deg: Any) -> tf.Tensor:
    """TensorFlow has no Legendre series."""
    return _basis(x, deg, lambda x: x, lambda x, one, two, n: (one * x * (2 * n - 1) - two * (n - 1)) / n)


@helper("numpy.polynomial.hermite.hermvander")
def hermite_hermvander(x: Any, deg: Any) -> tf.Tensor:
    """TensorFlow has no Hermite series; these are the physicists' polynomials."""
    return _basis(x, deg, lambda x: 2 * x, lambda x, one, two, n: one * (2 * x) - two * (2 * (n - 1)))


@helper("numpy.polynomial.hermite_e.hermevander")
def hermite_e_hermevander(x: Any, deg: Any) -> tf.Tensor:
    """TensorFlow has no Hermite series; these are the probabilists' polynomials."""
    return _basis(x, deg, lambda x: x, lambda x, one, two, n: one * x - two * (n - 1))


@helper("numpy.polynomial.laguerre.lagvander")
def laguerre_lagvander(x: Any, deg: Any) -> tf.Tensor:
    """TensorFlow has no Laguerre series."""
    return _basis(x, deg, lambda x: 1 - x, lambda x, one, two, n: (one * (2 * n - 1 - x) - two * (n - 1)) / n)


def _basis(x: Any, deg: Any, first: Any, following: Any) -> tf.Tensor:
    """Give the polynomials of degree 0 to `deg` at the points, along a new last axis."""
    if int(deg) != deg or deg < 0:
        raise ValueError("deg must be non-negative")
    x = _as_points(x)
    found = [tf.ones_like(x) + x * 0, first(x)]
    for degree in range(2, int(deg) + 1):
        found.append(following(x, found[-1], found[-2], degree))
    return tf.stack(found[: int(deg) + 1], -1)


@helper("numpy.polynomial.chebyshev.chebfit")
def chebyshev_chebfit(x: Any, y: Any, deg: Any, rcond: Any = None, full: Any = False, w: Any = None) -> Any:
    """TensorFlow has no fit of series."""
    return _fit_series(chebyshev_chebvander, x, y, deg, rcond, full, w)


@helper("numpy.polynomial.legendre.legfit")
def legendre_legfit(x: Any, y: Any, deg: Any, rcond: Any = None, full: Any = False, w: Any = None) -> Any:
    """TensorFlow has no fit of series."""
    return _fit_series(legendre_legvander, x, y, deg, rcond, full, w)


@helper("numpy.polynomial.hermite.hermfit")
def hermite_hermfit(x: Any, y: Any, deg: Any, rcond: Any = None, full: Any = False, w: Any = None) -> Any:
    """TensorFlow has no fit of series."""
    return _fit_series(hermite_hermvander, x, y, deg, rcond, full, w)


@helper("numpy.polynomial.hermite_e.hermefit")
def hermite_e_hermefit(x: Any, y: Any, deg: Any, rcond: Any = None, full: Any = False, w: Any = None) -> Any:
    """TensorFlow has no fit of series."""
    return _fit_series(hermite_e_hermevander, x, y, deg, rcond, full, w)


@helper("numpy.polynomial.laguerre.lagfit")
def laguerre_lagfit(x: Any, y: Any, deg: Any, rcond: Any = None, full: Any = False, w: Any = None) -> Any:
    """TensorFlow has no fit of series."""
    return _fit_series(laguerre_lagvander, x, y, deg, rcond, full, w)
