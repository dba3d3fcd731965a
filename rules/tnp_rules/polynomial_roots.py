"""Roots of polynomials, and polynomials from roots."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.linalg_eigen import eigvals
from tnp_rules.polynomial_arithmetic import _coefficients, _leading
from tnp_rules.statistic_arguments import _inexact_dtype, _length
from tnp_rules.support import _tensor


@helper("numpy.roots")
def roots(p: Any) -> tf.Tensor:
    """TensorFlow has no roots. Its eigenvalues are always complex: made real where NumPy's are, but not when traced.

    NumPy's dtype depends on the values, which a graph does not know.
    """
    p = _coefficients(p)
    if p.shape.rank != 1:
        raise ValueError("Input must be a rank-1 array.")
    p = tf.cast(p, _inexact_dtype(p.dtype))
    known = tf.get_static_value(p)
    if p.shape[0] == 0 or (known is not None and not known.any()):
        return tf.zeros([0], tf.float64)
    first = _leading(p != 0)
    trailing = _leading(tf.reverse(p != 0, [0]))
    if p.shape[0] == 1:
        return tf.zeros([0], tf.float64)
    core = p[first : _length(p) - trailing]
    if core.shape[0] == 1:
        return tf.zeros([trailing], tf.float64)
    found = eigvals(_companion(core))
    return tf.concat([found, tf.zeros([trailing], found.dtype)], 0)


def _companion(p: tf.Tensor) -> tf.Tensor:
    size = _length(p) - 1
    return tf.concat([-p[tf.newaxis, 1:] / p[0], tf.eye(size, dtype=p.dtype)[: size - 1]], 0)


@helper("numpy.poly")
def poly(seq_of_zeros: Any) -> Any:
    """TensorFlow has no polynomials. Traced, complex zeros give complex coefficients even if they are conjugate.

    NumPy's dtype depends on the values, which a graph does not know; eagerly they are looked at on the host.
    """
    zeros = _tensor(seq_of_zeros)
    zeros = tf.reshape(zeros, [1]) if zeros.shape.rank == 0 else zeros
    rank, size = zeros.shape.rank, zeros.shape[0]
    if rank == 1 and size == 0:
        return 1.0
    if rank > 2 or (rank == 2 and (size != zeros.shape[1] or size == 0)):
        raise ValueError("input must be 1d or non-empty square 2d array.")
    zeros = tf.cast(zeros, _inexact_dtype(zeros.dtype))
    real_matrix = rank == 2 and not zeros.dtype.is_complex
    zeros = eigvals(zeros) if rank == 2 else zeros
    a = tf.ones([1], zeros.dtype)
    for zero in tf.unstack(zeros):
        a = tf.pad(a, [[0, 1]]) - tf.pad(zero * a, [[1, 0]])
    return tf.math.real(a) if a.dtype.is_complex and (real_matrix or _is_conjugate(zeros)) else a


def _is_conjugate(zeros: tf.Tensor) -> bool:
    """Tell zeros that come in conjugate pairs; not known in a graph."""
    if not zeros.dtype.is_complex or not tf.executing_eagerly():
        return False
    values = zeros.numpy().astype(complex)
    return bool(np.array_equal(np.sort(values), np.sort(values.conj())))
