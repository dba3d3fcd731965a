"""Nodes and weights of Gaussian quadrature."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.forms import helper


@helper("numpy.polynomial.legendre.leggauss")
def legendre_leggauss(deg: Any) -> tuple[tf.Tensor, tf.Tensor]:
    """TensorFlow has no quadrature. The nodes depend on the degree alone: constants, which NumPy computes."""
    nodes, weights = np.polynomial.legendre.leggauss(int(deg))
    return tf.constant(nodes), tf.constant(weights)


@helper("numpy.polynomial.hermite.hermgauss")
def hermite_hermgauss(deg: Any) -> tuple[tf.Tensor, tf.Tensor]:
    """TensorFlow has no quadrature. The nodes depend on the degree alone: constants, which NumPy computes."""
    nodes, weights = np.polynomial.hermite.hermgauss(int(deg))
    return tf.constant(nodes), tf.constant(weights)


@helper("numpy.polynomial.chebyshev.chebgauss")
def chebyshev_chebgauss(deg: Any) -> tuple[tf.Tensor, tf.Tensor]:
    """TensorFlow has no quadrature. The nodes depend on the degree alone: constants, which NumPy computes."""
    nodes, weights = np.polynomial.chebyshev.chebgauss(int(deg))
    return tf.constant(nodes), tf.constant(weights)


@helper("numpy.polynomial.laguerre.laggauss")
def laguerre_laggauss(deg: Any) -> tuple[tf.Tensor, tf.Tensor]:
    """TensorFlow has no quadrature. The nodes depend on the degree alone: constants, which NumPy computes."""
    nodes, weights = np.polynomial.laguerre.laggauss(int(deg))
    return tf.constant(nodes), tf.constant(weights)
