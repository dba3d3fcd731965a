"""What the array arguments of numpy.linalg and numpy.fft become before TensorFlow sees them."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp


def _array_argument(a: Any) -> tf.Tensor:
    """Nested data gets NumPy's dtype (Python floats are float64), unless tensors in it carry gradients."""
    if tf.is_tensor(a):
        return tf.convert_to_tensor(a)
    if isinstance(a, (list, tuple)) and builtins.any(tf.is_tensor(item) for item in tf.nest.flatten(a)):
        return tnp.asarray(a)
    return tf.convert_to_tensor(np.asarray(a))


def _linalg_argument(a: Any) -> tf.Tensor:
    """numpy.linalg computes in the four dtypes of LAPACK: integers are promoted, half precision is refused."""
    x = _array_argument(a)
    if x.dtype.is_integer or x.dtype.is_bool:
        return tf.cast(x, tf.float64)
    if x.dtype not in (tf.float32, tf.float64, tf.complex64, tf.complex128):
        raise TypeError(f"array type {x.dtype.name} is unsupported in linalg")
    return x


def _stacked_matrices(a: Any) -> tf.Tensor:
    """Return matrices in a LAPACK dtype."""
    x = _linalg_argument(a)
    if x.shape.rank is not None and x.shape.rank < 2:
        raise np.linalg.LinAlgError(
            f"{x.shape.rank}-dimensional array given. Array must be at least two-dimensional"
        )
    return x


def _square_matrices(a: Any) -> tf.Tensor:
    """Return square matrices in a LAPACK dtype."""
    x = _stacked_matrices(a)
    if not x.shape[-1:].is_compatible_with(x.shape[-2:-1]):
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    return x


def _common_dtype(*tensors: tf.Tensor) -> tuple[tf.Tensor, ...]:
    """Cast to the dtype that NumPy would compute in."""
    dtype = tf.as_dtype(np.result_type(*[x.dtype.as_numpy_dtype for x in tensors]))
    return tuple(tf.cast(x, dtype) for x in tensors)


def _or_linalg_error(message: str, operation: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Raise what NumPy raises where an eager operation finds its matrix singular or does not converge."""
    try:
        return operation(*arguments, **options)
    except tf.errors.InvalidArgumentError as error:
        raise np.linalg.LinAlgError(message) from error


def _real(x: tf.Tensor) -> tf.Tensor:
    """Return the real part: of a real tensor, itself."""
    return tf.math.real(x)


def _rounding_unit(dtype: tf.DType) -> float:
    """Return the distance from 1 to the next number, NumPy's base for tolerances."""
    return float(np.finfo(dtype.as_numpy_dtype).eps)


def _size(x: tf.Tensor, axis: int) -> Any:
    """Return the length of an axis: an int where tracing knows it, else a tensor."""
    known = x.shape[axis]
    return tf.shape(x)[axis] if known is None else known


def _nonnegative_axis(axis: Any, rank: int) -> int:
    """Count an axis from the front, refuse what lies outside."""
    position: int = range(axis).stop  # takes every integer type, refuses floats
    if not -rank <= position < rank:
        raise np.exceptions.AxisError(position, rank)
    return position % rank
