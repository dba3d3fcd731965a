"""Least squares fits of polynomials."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.linalg_least_squares import least_squares, lstsq
from tnp_rules.polynomial_arithmetic import _powers
from tnp_rules.statistic_arguments import _inexact_dtype, _length
from tnp_rules.support import _np_dtype, _promoted, _tensor


@helper("numpy.polyfit")
def polyfit(x: Any, y: Any, deg: Any, rcond: Any = None, full: Any = False, w: Any = None, cov: Any = False) -> Any:
    """TensorFlow has no polynomial fit, and its `lstsq` has no gradient where it is as accurate as NumPy's."""
    x, y = _tensor(x), _tensor(y)
    _check_fit(x, y, deg)
    order = int(deg) + 1
    if rcond is None:
        rcond = _rounding_limit(x)
    lhs, rhs = _promoted(x, y, np.float64(0))[:2]
    lhs = tf.reverse(_powers(lhs, order), [1])
    columns = rhs[:, tf.newaxis] if y.shape.rank == 1 else rhs
    if w is not None:
        weights = tf.cast(_fit_weights(w, y), lhs.dtype)[:, tf.newaxis]
        lhs, columns = lhs * weights, columns * weights
    scale = tf.sqrt(tf.reduce_sum(lhs * lhs, 0))
    lhs /= scale
    c, residuals, rank, s = least_squares(lhs, columns, rcond, full=full or cov)
    c /= scale[:, tf.newaxis]
    c = c[:, 0] if y.shape.rank == 1 else c
    if full:
        return c, residuals, rank, s, rcond
    if not cov:
        return c
    base = tf.linalg.inv(tf.matmul(lhs, lhs, transpose_a=True)) / (scale[:, tf.newaxis] * scale)
    if cov == "unscaled":
        factor = tf.ones([1], base.dtype)
    else:
        if isinstance(_length(x), int) and _length(x) <= order:
            raise ValueError("the number of data points must exceed order to scale the covariance matrix")
        factor = residuals / tf.cast(_length(x) - order, residuals.dtype)
    return c, base * factor if y.shape.rank == 1 else base[:, :, tf.newaxis] * factor


def _rounding_limit(x: tf.Tensor) -> tf.Tensor:
    """Return the relative size below which NumPy drops a singular value, in the precision of `x`."""
    real = tf.as_dtype(_inexact_dtype(x.dtype).real_dtype)
    return tf.cast(_length(x), real) * tf.constant(np.finfo(_np_dtype(real)).eps, real)


def _check_fit(x: tf.Tensor, y: tf.Tensor, deg: Any) -> None:
    if deg < 0:
        raise ValueError("expected deg >= 0")
    if x.shape.rank != 1:
        raise TypeError("expected 1D vector for x")
    if x.shape[0] == 0:
        raise TypeError("expected non-empty vector for x")
    if y.shape.rank not in (1, 2):
        raise TypeError("expected 1D or 2D array for y")
    if not x.shape[:1].is_compatible_with(y.shape[:1]):
        raise TypeError("expected x and y to have same length")


def _fit_weights(w: Any, y: tf.Tensor) -> tf.Tensor:
    weights = _tensor(w)
    if weights.shape.rank != 1:
        raise TypeError("expected a 1-d array for weights")
    if not weights.shape.is_compatible_with(y.shape[:1]):
        raise TypeError("expected w and y to have the same length")
    return weights


@helper("numpy.polynomial.polynomial.polyfit")
def polynomial_polyfit(x: Any, y: Any, deg: Any, rcond: Any = None, full: Any = False, w: Any = None) -> Any:
    """TensorFlow has no polynomial fit; here the lowest power is first, and `deg` may list the powers."""
    return _fit_series(_powers_to, x, y, deg, rcond, full, w)


def _powers_to(x: tf.Tensor, deg: int) -> tf.Tensor:
    return _powers(x, deg + 1)


def _fit_series(basis: Any, x: Any, y: Any, deg: Any, rcond: Any, full: Any, w: Any) -> Any:
    """Fit a series in the polynomials that `basis` gives at points, up to a degree; `deg` may list the degrees."""
    x, y = _tensor(x), _tensor(y)
    degrees = np.asarray(deg)
    if degrees.ndim > 1 or degrees.dtype.kind not in "iu" or degrees.size == 0:
        raise TypeError("deg must be an int or non-empty 1-D array of int")
    _check_fit(x, y, degrees.min())
    powers = np.arange(int(degrees) + 1) if degrees.ndim == 0 else np.sort(degrees)
    x, y = (tf.cast(part, _inexact_dtype(part.dtype)) for part in (x, y))
    if rcond is None:
        rcond = _rounding_limit(x)
    weights = None if w is None else _fit_weights(w, y)
    dtype = _promoted(x, y, *(() if w is None else (weights, 0.0)))[0].dtype
    wide = tf.complex128 if dtype.is_complex else tf.float64
    lhs = tf.gather(basis(tf.cast(x, wide), int(powers[-1])), powers, axis=1)
    rhs = tf.cast(y, wide)[:, tf.newaxis] if y.shape.rank == 1 else tf.cast(y, wide)
    if weights is not None:
        weights = tf.cast(weights, wide)[:, tf.newaxis]
        lhs, rhs = lhs * weights, rhs * weights
    scale = tf.sqrt(tf.reduce_sum(tf.square(tf.abs(lhs)), 0))
    scale = tf.cast(tf.where(scale == 0, tf.ones_like(scale), scale), wide)
    c, residuals, rank, s = lstsq(lhs / scale, rhs, rcond)
    c = tf.cast(c / scale[:, tf.newaxis], dtype)
    if degrees.ndim:
        c = tf.scatter_nd(powers[:, np.newaxis], c, [powers[-1] + 1, _length(c, 1)])
    c = c[:, 0] if y.shape.rank == 1 else c
    real = tf.as_dtype(dtype.real_dtype)
    return (c, [tf.cast(residuals, real), rank, tf.cast(s, real), rcond]) if full else c
