"""Weight functions of orthogonal polynomials, and points that depend on a number alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.support import _float64_if_exact, _floating, _negative, _tensor


@helper("numpy.polynomial.chebyshev.chebweight")
def chebyshev_chebweight(x: Any) -> tf.Tensor:
    """TensorFlow has no orthogonal polynomials."""
    x = _float64_if_exact(_tensor(x))
    return 1.0 / (tf.sqrt(1.0 + x) * tf.sqrt(1.0 - x))


@helper("numpy.polynomial.legendre.legweight")
def legendre_legweight(x: Any) -> tf.Tensor:
    """TensorFlow has no orthogonal polynomials."""
    x = _tensor(x)
    return x * 0.0 + 1.0 if x.dtype.is_floating or x.dtype.is_complex else tf.ones_like(x, tf.float64)


@helper("numpy.polynomial.hermite.hermweight")
def hermite_hermweight(x: Any) -> tf.Tensor:
    """TensorFlow has no orthogonal polynomials."""
    return tf.exp(_floating(_negative(_square(x))))


@helper("numpy.polynomial.hermite_e.hermeweight")
def hermite_e_hermeweight(x: Any) -> tf.Tensor:
    """TensorFlow has no orthogonal polynomials."""
    return tf.exp(-0.5 * _float64_if_exact(_square(x)))


def _square(x: Any) -> tf.Tensor:
    """Square numbers as NumPy does: bools as small integers, unsigned ones in their own dtype."""
    x = _tensor(x)
    x = tf.cast(x, tf.int8) if x.dtype.is_bool else x
    return x * x


@helper("numpy.polynomial.laguerre.lagweight")
def laguerre_lagweight(x: Any) -> tf.Tensor:
    """TensorFlow has no orthogonal polynomials."""
    return tf.exp(_floating(_negative(_tensor(x))))


@helper("numpy.polynomial.hermite_e.hermegauss")
def hermite_e_hermegauss(deg: Any) -> tuple[tf.Tensor, tf.Tensor]:
    """TensorFlow has no quadrature. The nodes depend on the degree alone: constants, which NumPy computes."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(int(deg))
    return tf.constant(nodes), tf.constant(weights)


@helper("numpy.polynomial.chebyshev.chebpts1")
def chebyshev_chebpts1(npts: Any) -> tf.Tensor:
    """The points depend on their number alone: constants, which NumPy computes."""
    return tf.constant(np.polynomial.chebyshev.chebpts1(npts))


@helper("numpy.polynomial.chebyshev.chebpts2")
def chebyshev_chebpts2(npts: Any) -> tf.Tensor:
    """The points depend on their number alone: constants, which NumPy computes."""
    return tf.constant(np.polynomial.chebyshev.chebpts2(npts))
