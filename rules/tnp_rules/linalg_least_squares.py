"""numpy.linalg: rank, pseudoinverse and least squares, by singular values."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.forms import helper
from tnp_rules.linalg_arguments import (
    _double,
    _linalg_argument,
    _rounding_unit,
    _size,
    _square_matrices,
    _stacked_matrices,
)
from tnp_rules.linalg_decompose import _singular_values, _singular_vectors
from tnp_rules.support import _promoted, _tensor


@helper("numpy.linalg.matrix_rank")
def matrix_rank(A: Any, tol: Any = None, hermitian: Any = False, *, rtol: Any = None) -> tf.Tensor:
    """tf.linalg.matrix_rank is int32, takes no integers and no vectors, and does not know rtol."""
    if rtol is not None and tol is not None:
        raise ValueError("`tol` and `rtol` can't be both set.")
    x = _tensor(A)
    if x.shape.rank < 2:
        return tf.cast(tf.reduce_any(x != 0), tf.int64)
    x = _square_matrices(x) if hermitian else _stacked_matrices(x)
    s = tf.cast(_singular_values(x, hermitian), x.dtype.real_dtype)
    if tol is None:
        relative = _default_tolerance(x) if rtol is None else _trailing_axis(rtol)
        limit = tf.reduce_max(_double(s), -1, keepdims=True) * relative
    else:
        limit = _trailing_axis(tol)
    return tf.math.count_nonzero(_double(s) > limit, axis=-1)


@helper("numpy.linalg.pinv")
def pinv(a: Any, rcond: Any = None, hermitian: Any = False, *, rtol: Any = False) -> tf.Tensor:
    """tf.linalg.pinv has another default tolerance and does not use symmetry.

    `rtol=None` asks for a tolerance relative to the rounding unit; False is the mark of an `rtol` that is not given.
    """
    x = _square_matrices(a) if hermitian else _stacked_matrices(a)
    if rcond is not None and rtol is not False:
        raise ValueError("`rtol` and `rcond` can't be both set.")
    given = rcond if rtol is False else rtol
    if given is not None:
        relative = _trailing_axis(given)
    else:
        relative = tf.constant(1e-15, tf.float64) if rtol is False else _default_tolerance(x)
    return tf.cast(_pseudoinverse(_double(x), relative, hermitian), x.dtype)


@helper("numpy.linalg.lstsq")
def lstsq(a: Any, b: Any, rcond: Any = None) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor, tf.Tensor]:
    """tf.linalg.lstsq returns the solution only, and assumes full rank where it has a gradient."""
    x, y = _promoted(_linalg_argument(a), _linalg_argument(b))
    vector = y.shape.rank == 1
    if vector:
        y = y[:, tf.newaxis]
    for matrix in (x, y):
        if matrix.shape.rank != 2:
            raise np.linalg.LinAlgError(f"{matrix.shape.rank}-dimensional array given. Array must be two-dimensional")
    if not x.shape[:1].is_compatible_with(y.shape[:1]):
        raise np.linalg.LinAlgError("Incompatible dimensions")
    relative = _cutoff(x, rcond)
    solution = _solution(_double(x), _double(y), relative)
    residuals, rank, s = _quality(_double(x), _double(y), solution, relative)
    solution = tf.cast(tf.squeeze(solution, -1) if vector else solution, x.dtype)
    return solution, tf.cast(residuals, x.dtype.real_dtype), rank, tf.cast(s, x.dtype.real_dtype)


def least_squares(x: tf.Tensor, y: tf.Tensor, rcond: Any, *, full: Any) -> tuple[tf.Tensor, Any, Any, Any]:
    """Do what lstsq does for matrices in double precision; the last three only where `full`."""
    relative = _cutoff(x, rcond)
    solution = _solution(x, y, relative)
    if not full:
        return solution, None, None, None
    return solution, *_quality(x, y, solution, relative)


def _quality(x: tf.Tensor, y: tf.Tensor, solution: tf.Tensor, relative: tf.Tensor) -> tuple[Any, Any, Any]:
    """Return residuals, rank and singular values."""
    s = _singular_values(x, hermitian=False)
    rank = tf.math.count_nonzero(s > relative * tf.reduce_max(s), dtype=tf.int32)
    return _residuals(x, y, solution, rank), rank, s


def _solution(x: tf.Tensor, y: tf.Tensor, relative: tf.Tensor) -> tf.Tensor:
    """Solve by singular vectors, one after the other.

    A product with the pseudoinverse would be as near to the solution, but its residual would be far from the smallest
    one: 1e-7 instead of 1e-13 for a polynomial of degree 7 through whole numbers.
    """

    def with_gradient(a: tf.Tensor, b: tf.Tensor) -> Any:
        inverse, u, v = _inverse_parts(a, relative, hermitian=False)

        def gradient(upstream: tf.Tensor) -> Any:
            p = _pseudoinverse(a, relative, hermitian=False)  # anew, so that the gradient has a gradient
            wanted = tf.matmul(upstream, b, adjoint_b=True)
            return _gradient_of_inverse(a, p, wanted), tf.matmul(p, upstream, adjoint_a=True)

        return tf.matmul(v, inverse[:, tf.newaxis] * tf.matmul(u, b, adjoint_a=True)), gradient

    return tf.custom_gradient(with_gradient)(x, y)


def _pseudoinverse(x: tf.Tensor, relative: tf.Tensor, hermitian: Any) -> tf.Tensor:
    """Invert the singular values that are not negligible."""

    def with_gradient(a: tf.Tensor) -> Any:
        inverse, u, v = _inverse_parts(a, relative, hermitian)

        def gradient(upstream: tf.Tensor) -> tf.Tensor:
            return _gradient_of_inverse(a, invert(a), upstream)  # anew, so that the gradient has a gradient

        return tf.matmul(v * inverse[..., tf.newaxis, :], u, adjoint_b=True), gradient

    invert = tf.custom_gradient(with_gradient)
    return invert(x)


def _inverse_parts(a: tf.Tensor, relative: tf.Tensor, hermitian: Any) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    """Return the inverse singular values, zero for those that are negligible, and the vectors on both sides."""
    s, u, v = _singular_vectors(a, full_matrices=False, hermitian=hermitian)
    s = tf.where(s > relative * tf.reduce_max(s, -1, keepdims=True), s, 0.0)
    return tf.cast(tf.math.reciprocal_no_nan(s), v.dtype), u, v


def _gradient_of_inverse(a: tf.Tensor, p: tf.Tensor, upstream: tf.Tensor) -> tf.Tensor:
    """Return the gradient of a pseudoinverse `p` of `a` by Golub and Pereyra (1973), at constant rank.

    Through the singular vectors it would be wrong where singular values coincide, as those of an orthogonal matrix do.
    """
    q, g = tf.linalg.adjoint(p), tf.linalg.adjoint(upstream)
    rows = tf.matmul(g - tf.matmul(a, tf.matmul(p, g)), tf.matmul(p, q))
    columns = tf.matmul(tf.matmul(q, p), g - tf.matmul(tf.matmul(g, p), a))
    return rows + columns - tf.matmul(q, tf.matmul(upstream, q))


def _residuals(x: tf.Tensor, y: tf.Tensor, solution: tf.Tensor, rank: tf.Tensor) -> tf.Tensor:
    """Return the squared distances, none unless there are more equations than unknowns, at full rank."""
    rows, columns = _size(x, 0), _size(x, 1)
    squares = tf.reduce_sum(tf.math.square(tf.abs(y - tf.matmul(x, solution))), 0)
    if not tf.is_tensor(rows) and not tf.is_tensor(columns) and rows <= columns:
        return squares[:0]
    wanted = (rank == columns) & (rows > columns)
    return tf.boolean_mask(squares, tf.fill(tf.shape(squares), wanted))


def _cutoff(x: tf.Tensor, rcond: Any) -> tf.Tensor:
    """Return the relative size from which LAPACK counts a singular value, which replaces odd wishes by its own."""
    if rcond is None:
        return _default_tolerance(x)
    wish = tnp.asarray(rcond, np.float64)
    return tf.where((wish <= 0) | (wish >= 1), tf.constant(_rounding_unit(tf.float64) / 2, tf.float64), wish)


def _default_tolerance(x: tf.Tensor) -> tf.Tensor:
    """Return the rounding unit times the longer side."""
    longer = tf.maximum(_size(x, -2), _size(x, -1))
    return tf.cast(longer, tf.float64) * _rounding_unit(x.dtype.real_dtype)


def _trailing_axis(tolerance: Any) -> tf.Tensor:
    """Return one tolerance a matrix, to be compared with its singular values."""
    return tnp.asarray(tolerance, np.float64)[..., tf.newaxis]
