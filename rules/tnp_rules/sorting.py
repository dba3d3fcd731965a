"""Partial, lexicographic and complex sorting."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.forms import helper
from tnp_rules.support import _axis_index, _flat_if_none, _raise_where, _tensor

SIGNED_BITS = {2: tf.int16, 4: tf.int32, 8: tf.int64}


def order_key(x: tf.Tensor) -> tf.Tensor:
    """Map real numbers to integers that compare as NumPy sorts.

    TensorFlow's sort and search compare floats, so a NaN lands anywhere; here all NaNs are equal and last,
    and -0.0 equals 0.0. Only the order of the bits of a float is used: one pass, no loss.
    """
    if x.dtype.is_bool:
        return tf.cast(x, tf.int32)
    if not x.dtype.is_floating:
        return x
    signed = SIGNED_BITS[x.dtype.size]
    plain = tf.where(x == 0, tf.zeros_like(x), x)
    bits = tf.bitcast(tf.where(tf.math.is_nan(x), tf.constant(np.nan, x.dtype), plain), signed)
    return tf.where(bits < 0, tf.bitwise.bitwise_xor(bits, tf.constant(signed.max, signed)), bits)


def order_keys(x: tf.Tensor) -> list[tf.Tensor]:
    """Give the keys by which NumPy sorts, the least significant one first: complex numbers need three."""
    if not x.dtype.is_complex:
        return [order_key(x)]
    real, imag = tf.math.real(x), tf.math.imag(x)
    key = order_key(real)
    return [order_key(imag), key, _nan_parts(real, imag, key.dtype)]


def _nan_parts(real: tf.Tensor, imag: tf.Tensor, dtype: Any) -> tf.Tensor:
    """Rank complex numbers as NumPy does: no NaN, then NaN imaginary, real, both."""
    return 2 * tf.cast(tf.math.is_nan(real), dtype) + tf.cast(tf.math.is_nan(imag), dtype)


def has_nan(x: tf.Tensor) -> tf.Tensor:
    """Say where a number is NaN, in one of its parts if it is complex; tf.math.is_nan takes real numbers only."""
    return x != x  # noqa: PLR0124 (only NaN differs from itself)


def stable_order(keys: Any) -> tf.Tensor:
    """Sort along the last axis by several keys, the last one first; gives positions as int64."""
    order = None
    for key in keys:
        if order is None:
            order = tf.argsort(key, stable=True)
        else:
            resorted = tf.argsort(_gather_last(key, order), stable=True)
            order = _gather_last(order, resorted)
    return tf.cast(order, tf.int64)


def _gather_last(x: tf.Tensor, positions: tf.Tensor) -> tf.Tensor:
    return tf.gather(x, positions, axis=-1, batch_dims=x.shape.rank - 1)


@helper("numpy.lexsort")
def lexsort(keys: Any, axis: Any = -1) -> tf.Tensor:
    """TensorFlow sorts by one key; stable sorts from the last key to the first one chain to a lexicographic one."""
    parts = keys if isinstance(keys, (list, tuple)) else tf.unstack(_tensor(keys))
    if not parts:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    parts = [_tensor(part) for part in parts]
    if parts[0].shape.rank == 0:
        return tf.zeros([], tf.int64)
    axis = _axis_index(axis, parts[0].shape.rank)
    moved = [key for part in parts for key in order_keys(tnp.moveaxis(part, axis, -1))]
    return tnp.moveaxis(stable_order(moved), -1, axis)


def _kth_in_range(kth: Any, size: Any) -> None:
    """Raise NumPy's error for a kth outside the axis, where its size is known while tracing."""
    if size is None:
        return
    if tf.is_symbolic_tensor(kth):
        _raise_where((size > 0) & ((kth < -size) | (kth >= size)), ValueError(f"kth out of bounds ({size})"))
        return
    for k in np.ravel(kth):
        if size and not -size <= k < size:
            raise ValueError(f"kth(={k}) out of bounds ({size})")


@helper("numpy.argpartition", "numpy.ndarray.argpartition")
def argpartition(a: Any, kth: Any, axis: Any = -1) -> tf.Tensor:
    """TensorFlow selects no kth element; a full sort fulfils all that NumPy promises about a partition."""
    a, axis = _flat_if_none(_tensor(a), axis)
    _kth_in_range(kth, a.shape[axis])
    return tnp.moveaxis(stable_order(order_keys(tnp.moveaxis(a, axis, -1))), -1, axis)


@helper("numpy.partition")
def partition(a: Any, kth: Any, axis: Any = -1) -> tf.Tensor:
    """TensorFlow selects no kth element; a full sort fulfils all that NumPy promises about a partition."""
    a, axis = _flat_if_none(_tensor(a), axis)
    order = argpartition(a, kth, axis)
    return tnp.moveaxis(_gather_last(tnp.moveaxis(a, axis, -1), tnp.moveaxis(order, axis, -1)), -1, axis)


@helper("numpy.sort_complex")
def sort_complex(a: Any) -> tf.Tensor:
    """TensorFlow sorts real numbers only; the result is complex64 for 8 and 16 bit integers, else complex128."""
    a = _tensor(a)
    ordered = _gather_last(a, stable_order(order_keys(a)))
    if a.dtype.is_complex:
        return ordered
    return tf.cast(ordered, tf.complex64 if a.dtype.is_integer and a.dtype.size <= 2 else tf.complex128)
