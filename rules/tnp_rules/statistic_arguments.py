"""What functions over samples share: reduced axes, dtypes of sums, NaN positions, errors that depend on values."""

from __future__ import annotations

from typing import Any

import tensorflow as tf


def _inexact_dtype(dtype: tf.DType) -> tf.DType:
    """Return a floating or complex dtype as it is and float64 for any other."""
    return dtype if dtype.is_floating or dtype.is_complex else tf.float64


def _accumulator_dtype(dtype: tf.DType) -> tf.DType:
    """Return the dtype in which NumPy adds up elements: narrow integers and bool widen to 64 bits."""
    if dtype.is_floating or dtype.is_complex:
        return dtype
    return tf.uint64 if dtype.is_unsigned else tf.int64


def _nan_positions(x: tf.Tensor) -> tf.Tensor:
    """Tell where `x` is NaN; TensorFlow has no `is_nan` of integers and complex numbers."""
    if x.dtype.is_complex:
        return tf.math.is_nan(tf.math.real(x)) | tf.math.is_nan(tf.math.imag(x))
    return tf.math.is_nan(x) if x.dtype.is_floating else tf.zeros_like(x, tf.bool)


def may_hold_nan(x: tf.Tensor) -> tf.Tensor:
    """Say whether floats may hold a NaN, in one pass: their sum is NaN then, and for opposite infinities."""
    return tf.math.is_nan(tf.reduce_sum(x))


def _samples_last(x: tf.Tensor, axes: Any) -> tf.Tensor:
    """Move the reduced axes to the end and merge them into one."""
    if len(x.shape) == 1 and len(axes) == 1:
        return x
    kept = [i for i in range(len(x.shape)) if i not in axes]
    moved = tf.transpose(x, kept + list(axes))
    size = moved.shape[len(kept) :].num_elements()
    size = tf.reduce_prod(tf.shape(moved)[len(kept) :]) if size is None else size
    return tf.reshape(moved, [_length(moved, i) for i in range(len(kept))] + [size])


def _with_axes_kept(result: tf.Tensor, axes: Any, leading: int = 0) -> tf.Tensor:
    """Put the reduced axes back with length 1, after `leading` axes that the reduction added."""
    for axis in sorted(axes):
        result = tf.expand_dims(result, axis + leading)
    return result


def _length(x: tf.Tensor, axis: int = 0) -> Any:
    """Return the length of an axis: a Python integer where it is known."""
    return tf.shape(x)[axis] if x.shape[axis] is None else x.shape[axis]
