"""Clipping values and taking elements."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.complex_order import _larger, _smaller
from tnp_rules.forms import helper
from tnp_rules.search import nonzero_mask
from tnp_rules.support import _axis_index, _is_python_scalar, _promoted, _tensor


@helper("numpy.clip")
def clip(a: Any, a_min: Any = None, a_max: Any = None, *, min: Any = None, max: Any = None) -> tf.Tensor:
    """tnp.clip lacks `min=` and `max=`, and wraps a bound that does not fit the dtype, as -1 for uint8.

    Where the lower bound is above the upper one, it lets the lower one win.
    """
    low, high = a_min if min is None else min, a_max if max is None else max
    x = _tensor(a)
    if low is not None:
        x, low = _promoted(x, low if _fits(low, x, -1) else x.dtype.min)
        x = _larger(x, low)
    if high is not None:
        x, high = _promoted(x, high if _fits(high, x, 1) else x.dtype.max)
        x = _smaller(x, high)
    return x


def _fits(bound: Any, x: tf.Tensor, side: int) -> bool:
    """Tell a Python integer beyond what any element reaches: NumPy's clip takes that one for no bound."""
    if not _is_python_scalar(bound) or not isinstance(bound, int) or not x.dtype.is_integer:
        return True
    return bool(bound >= x.dtype.min if side < 0 else bound <= x.dtype.max)


@helper("numpy.take")
def take(a: Any, indices: Any, axis: Any = None, *, mode: Any = "raise") -> tf.Tensor:
    """tnp.take clips: index -1 is the first element. Eagerly the range is checked, which waits for the device."""
    a, indices = _tensor(a), _tensor(indices)
    if axis is None:
        a, axis = tf.reshape(a, [-1]), 0
    elif a.shape.rank == 0:  # an element of its own
        a = tf.reshape(a, [1])
    axis = _axis_index(axis, a.shape.rank)
    if not indices.dtype.is_integer:
        if np.size(indices) > 0 and not indices.dtype.is_bool:
            raise TypeError(f"cannot take at positions of dtype {indices.dtype.name}")
        indices = tf.cast(indices, tf.int64)
    indices = tf.cast(indices, tf.int64)
    size = tf.shape(a, tf.int64)[axis]
    if a.shape[axis] == 0 and indices.shape.num_elements():
        shape = [*a.shape[:axis], *indices.shape, *a.shape[axis + 1 :]]
        if 0 not in (a.shape[:axis] if mode == "raise" else shape):
            raise IndexError("cannot do a non-empty take from an empty axes.")
        return tf.zeros(shape, a.dtype)
    if mode == "clip":
        return tf.gather(a, tf.clip_by_value(indices, 0, size - 1), axis=axis)
    if mode == "wrap":
        return tf.gather(a, tf.math.floormod(indices, size), axis=axis)
    if mode != "raise":
        raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got {mode!r})")
    if tf.executing_eagerly():
        lowest, highest = tf.reduce_min(indices), tf.reduce_max(indices)
        if lowest < -size or highest >= size:
            raise IndexError(f"index out of bounds for axis {axis} with size {int(size)}")
        if lowest >= 0:
            return tf.gather(a, indices, axis=axis)
    else:
        _check_constants(tf.get_static_value(indices), a.shape[axis])
    return tf.gather(a, tf.where(indices < 0, indices + size, indices), axis=axis)


@helper("numpy.compress")
def compress(condition: Any, a: Any, axis: Any = None) -> tf.Tensor:
    """tnp.compress wants as many conditions as there are elements, and takes no numbers for them."""
    condition = _tensor(condition)
    if condition.shape.rank != 1:
        raise ValueError("condition must be a 1-d array")
    return take(a, tf.where(nonzero_mask(condition))[:, 0], axis)


def _check_constants(indices: Any, size: int | None) -> None:
    """In a graph, no device but the CPU looks at indices: those that are known while it is traced are checked here."""
    if indices is not None and size is not None and np.any((indices < -size) | (indices >= size)):
        raise IndexError(f"index out of bounds for an axis with size {size}")
