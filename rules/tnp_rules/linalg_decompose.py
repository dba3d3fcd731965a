"""numpy.linalg: Cholesky, QR and singular values.

Signs (phases) of singular vectors are free and differ from LAPACK's.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.linalg_arguments import _double, _has_nan, _or_linalg_error, _square_matrices, _stacked_matrices
from tnp_rules.support import _raise_where


class QRResult(NamedTuple):
    """Orthonormal columns and an upper triangle."""

    Q: tf.Tensor
    R: tf.Tensor


class SVDResult(NamedTuple):
    """Left vectors, singular values, and the adjoint of the right vectors."""

    U: tf.Tensor
    S: tf.Tensor
    Vh: tf.Tensor


@helper("numpy.linalg.cholesky")
def cholesky(a: Any, *, upper: Any = False) -> tf.Tensor:
    """tf.linalg.cholesky gives NaN where the matrix is not positive definite: an error here."""
    x = _square_matrices(a)
    factor = tf.linalg.cholesky(_double(tf.linalg.adjoint(x) if upper else x))
    pivots = tf.linalg.diag_part(factor)
    fails = _has_nan(pivots / pivots) & ~_has_nan(x)  # the kernel of complex numbers leaves zeros
    _raise_where(fails, np.linalg.LinAlgError("Matrix is not positive definite"))
    factor = tf.linalg.band_part(factor, -1, 0)  # after a failure the upper triangle is uninitialised
    return tf.cast(tf.linalg.adjoint(factor) if upper else factor, x.dtype)


@helper("numpy.linalg.qr")
def qr(a: Any, mode: Any = "reduced") -> Any:
    """tf.linalg.qr names its modes otherwise, and keeps the Householder vectors of mode "raw" to itself."""
    mode = {"f": "reduced", "full": "reduced"}.get(mode, mode)
    if mode == "raw":
        raise NotImplementedError("mode 'raw': tf.linalg.qr does not give its Householder vectors")
    if mode not in ("reduced", "complete", "r"):
        raise ValueError(f"Unrecognized mode '{mode}'")
    x = _stacked_matrices(a)
    q, r = tf.linalg.qr(_double(x), full_matrices=mode == "complete")
    r = tf.cast(r, x.dtype)
    return r if mode == "r" else QRResult(tf.cast(q, x.dtype), r)


@helper("numpy.linalg.svd")
def svd(a: Any, full_matrices: Any = True, compute_uv: Any = True, hermitian: Any = False) -> Any:
    """tf.linalg.svd puts the values first, returns V instead of its adjoint, and does not use symmetry."""
    x = _square_matrices(a) if hermitian else _stacked_matrices(a)
    if not compute_uv:
        return tf.cast(_singular_values(x, hermitian), x.dtype.real_dtype)
    s, u, v = _singular_vectors(x, full_matrices, hermitian)
    return SVDResult(tf.cast(u, x.dtype), tf.cast(s, x.dtype.real_dtype), tf.cast(tf.linalg.adjoint(v), x.dtype))


@helper("numpy.linalg.svdvals")
def svdvals(x: Any) -> tf.Tensor:
    """tf.linalg.svd computes them without vectors; it takes no integers."""
    return svd(x, compute_uv=False)


def _singular_values(x: tf.Tensor, hermitian: Any) -> tf.Tensor:
    """Return singular values in double precision, largest first."""
    if hermitian:
        values = _or_linalg_error("Eigenvalues did not converge", tf.linalg.eigvalsh, _double(x))
        return tf.sort(tf.abs(values), axis=-1, direction="DESCENDING")
    s = tf.linalg.svd(_double(x), compute_uv=False)
    _raise_where(_has_nan(s) & _has_nan(x), np.linalg.LinAlgError("SVD did not converge"))
    return s


def _singular_vectors(x: tf.Tensor, full_matrices: Any, hermitian: Any) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    """Return s, U and V in double precision."""
    if not hermitian:
        s, u, v = tf.linalg.svd(_double(x), full_matrices=bool(full_matrices))
        _raise_where(_has_nan(s) & _has_nan(x), np.linalg.LinAlgError("SVD did not converge"))
        return s, u, v
    values, vectors = _or_linalg_error("Eigenvalues did not converge", tf.linalg.eigh, _double(x))
    values = tf.math.real(values)
    order = tf.argsort(tf.abs(values), axis=-1, direction="DESCENDING")
    stack = x.shape.rank - 2
    values = tf.gather(values, order, axis=-1, batch_dims=stack)
    vectors = tf.linalg.matrix_transpose(
        tf.gather(tf.linalg.matrix_transpose(vectors), order, axis=-2, batch_dims=stack)
    )
    signs = tf.cast(tf.where(values < 0, -tf.ones_like(values), tf.ones_like(values)), vectors.dtype)  # 0 has one too
    return tf.abs(values), vectors, vectors * signs[..., tf.newaxis, :]
