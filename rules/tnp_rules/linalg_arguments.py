"""What the array arguments of numpy.linalg and numpy.fft become before TensorFlow sees them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.support import _tensor


def _linalg_argument(a: Any) -> tf.Tensor:
    """numpy.linalg computes in the four dtypes of LAPACK: integers are promoted, half precision is refused."""
    x = _tensor(a)
    if x.dtype.is_integer or x.dtype.is_bool:
        return tf.cast(x, tf.float64)
    if x.dtype not in (tf.float32, tf.float64, tf.complex64, tf.complex128):
        raise TypeError(f"array type {x.dtype.name} is unsupported in linalg")
    return x


def _stacked_matrices(a: Any) -> tf.Tensor:
    """Return matrices in a LAPACK dtype."""
    x = _linalg_argument(a)
    if x.shape.rank is not None and x.shape.rank < 2:
        raise np.linalg.LinAlgError(f"{x.shape.rank}-dimensional array given. Array must be at least two-dimensional")
    return x


def _square_matrices(a: Any) -> tf.Tensor:
    """Return square matrices in a LAPACK dtype."""
    x = _stacked_matrices(a)
    if not x.shape[-1:].is_compatible_with(x.shape[-2:-1]):
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    return x


def _double(x: tf.Tensor) -> tf.Tensor:
    """NumPy computes single precision in double and rounds the result; in single, bad condition would show."""
    return tf.cast(x, tf.complex128 if x.dtype.is_complex else tf.float64)


def _or_linalg_error(message: str, operation: Callable[..., Any], *arguments: Any) -> Any:
    """Raise what NumPy raises where an eager operation finds its matrix singular or does not converge."""
    try:
        return operation(*arguments)
    except tf.errors.InvalidArgumentError as error:
        raise np.linalg.LinAlgError(message) from error


def _has_nan(x: tf.Tensor) -> tf.Tensor:
    """Look for NaN."""
    return tf.reduce_any(tf.math.is_nan(tf.abs(x)))


def _rounding_unit(dtype: tf.DType) -> float:
    """Return the distance from 1 to the next number, NumPy's base for tolerances."""
    return float(np.finfo(dtype.as_numpy_dtype).eps)


def _size(x: tf.Tensor, axis: int) -> Any:
    """Return the length of an axis: an int where tracing knows it, else a tensor."""
    known = x.shape[axis]
    return tf.shape(x)[axis] if known is None else known
