"""numpy.linalg: eigenvalues and eigenvectors.

Signs (phases) of eigenvectors, and the order of the eigenvalues of general matrices, are free and differ from LAPACK's.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.linalg_arguments import _double, _or_linalg_error, _square_matrices


class EigResult(NamedTuple):
    """Eigenvalues, and normalised eigenvectors as columns."""

    eigenvalues: tf.Tensor
    eigenvectors: tf.Tensor


class EighResult(NamedTuple):
    """Ascending eigenvalues, and orthonormal eigenvectors as columns."""

    eigenvalues: tf.Tensor
    eigenvectors: tf.Tensor


@helper("numpy.linalg.eigh")
def eigh(a: Any, UPLO: Any = "L") -> EighResult:
    """tf.linalg.eigh reads the lower triangle only, and makes the eigenvalues of a complex matrix complex."""
    x = _square_matrices(a)
    values, vectors = _or_linalg_error("Eigenvalues did not converge", tf.linalg.eigh, _double(_lower_half(x, UPLO)))
    return EighResult(tf.cast(tf.math.real(values), x.dtype.real_dtype), tf.cast(vectors, x.dtype))


@helper("numpy.linalg.eigvalsh")
def eigvalsh(a: Any, UPLO: Any = "L") -> tf.Tensor:
    """tf.linalg.eigvalsh reads the lower triangle only, and makes the eigenvalues of a complex matrix complex."""
    x = _square_matrices(a)
    values = _or_linalg_error("Eigenvalues did not converge", tf.linalg.eigvalsh, _double(_lower_half(x, UPLO)))
    return tf.cast(tf.math.real(values), x.dtype.real_dtype)


@helper("numpy.linalg.eig")
def eig(a: Any) -> EigResult:
    """tf.linalg.eig is always complex; NumPy is real if all eigenvalues are, which only eager mode can tell."""
    x = _finite_matrices(a)
    values, vectors = tf.linalg.eig(_double(x))
    dtype = _eigen_dtype(x, values)
    return EigResult(_cast_or_real(values, dtype), _cast_or_real(vectors, dtype))


@helper("numpy.linalg.eigvals")
def eigvals(a: Any) -> tf.Tensor:
    """tf.linalg.eigvals is always complex; NumPy is real if all eigenvalues are, which only eager mode can tell."""
    x = _finite_matrices(a)
    values = tf.linalg.eigvals(_double(x))
    return _cast_or_real(values, _eigen_dtype(x, values))


def _lower_half(x: tf.Tensor, triangle: str) -> tf.Tensor:
    """Return matrices whose lower triangle is the one that NumPy reads."""
    if triangle.upper() not in ("L", "U"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    return x if triangle.upper() == "L" else tf.linalg.adjoint(x)


def _finite_matrices(a: Any) -> tf.Tensor:
    x = _square_matrices(a)
    finite = tf.math.is_finite(tf.math.real(x)) & tf.math.is_finite(tf.math.imag(x))
    if tf.executing_eagerly() and not tf.reduce_all(finite):
        raise np.linalg.LinAlgError("Array must not contain infs or NaNs")
    return x


def _eigen_dtype(x: tf.Tensor, values: tf.Tensor) -> tf.DType:
    """Return the dtype of NumPy's result."""
    if not x.dtype.is_complex and tf.executing_eagerly() and tf.reduce_all(tf.math.imag(values) == 0):
        return x.dtype
    return tf.complex128 if x.dtype.real_dtype == tf.float64 else tf.complex64


def _cast_or_real(values: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    return tf.cast(values if dtype.is_complex else tf.math.real(values), dtype)
