"""numpy.linalg: eigenvalues and eigenvectors.

Signs (phases) of eigenvectors are free. Those of general matrices, and the order of the eigenvalues, are LAPACK's, as
NumPy's are; those of Hermitian matrices are TensorFlow's, which has kernels for accelerators there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.linalg_arguments import _double, _or_linalg_error, _square_matrices
from tnp_rules.support import _raise_where


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
    values, vectors = _lapack_eig(x)
    dtype = _eigen_dtype(x, values)
    return EigResult(_cast_or_real(values, dtype), _cast_or_real(vectors, dtype))


@helper("numpy.linalg.eigvals")
def eigvals(a: Any) -> tf.Tensor:
    """tf.linalg.eigvals is always complex; NumPy is real if all eigenvalues are, which only eager mode can tell."""
    x = _finite_matrices(a)
    values, _ = _lapack_eig(x)
    return _cast_or_real(values, _eigen_dtype(x, values))


@tf.custom_gradient  # type: ignore[untyped-decorator]
def _lapack_eig(x: tf.Tensor) -> Any:
    """Ask NumPy on the host, where tf.linalg.eig runs as well, but with another order and other phases."""
    dtype = tf.complex128 if x.dtype.real_dtype == tf.float64 else tf.complex64

    def on_host(a: Any) -> Any:
        return [part.astype(dtype.as_numpy_dtype) for part in np.linalg.eig(a)]

    values, vectors = tf.numpy_function(on_host, [x], [dtype, dtype], stateful=False)
    values, vectors = tf.ensure_shape(values, x.shape[:-1]), tf.ensure_shape(vectors, x.shape)

    def gradient(by_values: Any, by_vectors: Any) -> tf.Tensor:
        adjoint = tf.linalg.adjoint(vectors)
        gaps = values[..., tf.newaxis, :] - values[..., tf.newaxis]
        product = adjoint @ by_vectors
        free = tf.linalg.diag(tf.cast(tf.math.real(tf.linalg.diag_part(product)), dtype))
        inner = tf.math.conj(tf.math.divide_no_nan(tf.ones_like(gaps), gaps)) * (product - adjoint @ vectors @ free)
        made = tf.linalg.solve(adjoint, (tf.linalg.diag(by_values) + inner) @ adjoint)
        return tf.cast(made if x.dtype.is_complex else tf.math.real(made), x.dtype)

    return (values, vectors), gradient


def _lower_half(x: tf.Tensor, triangle: str) -> tf.Tensor:
    """Return matrices whose lower triangle is the one that NumPy reads."""
    if triangle.upper() not in ("L", "U"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    return x if triangle.upper() == "L" else tf.linalg.adjoint(x)


def _finite_matrices(a: Any) -> tf.Tensor:
    x = _square_matrices(a)
    finite = tf.math.is_finite(tf.math.real(x)) & tf.math.is_finite(tf.math.imag(x))
    _raise_where(~finite, np.linalg.LinAlgError("Array must not contain infs or NaNs"))
    return x


def _eigen_dtype(x: tf.Tensor, values: tf.Tensor) -> tf.DType:
    """Return the dtype of NumPy's result."""
    if not x.dtype.is_complex and tf.executing_eagerly() and tf.reduce_all(tf.math.imag(values) == 0):
        return x.dtype
    return tf.complex128 if x.dtype.real_dtype == tf.float64 else tf.complex64


def _cast_or_real(values: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    return tf.cast(values if dtype.is_complex else tf.math.real(values), dtype)
