"""Joining arrays, where tnp takes a tensor for one array and not for the sequence of its rows."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.support import _axis_index, _np_dtype, _promoted, _tensor


@helper("numpy.concatenate", direct="sequence")
def concatenate(arrays: Any, axis: Any = 0, *, dtype: Any = None) -> tf.Tensor:
    """tnp.concatenate returns a tensor unchanged, and does not take `axis=None`."""
    parts = _rows(arrays)
    if not parts:
        raise ValueError("need at least one array to concatenate")
    if axis is None:
        parts, axis = [tf.reshape(part, [-1]) for part in parts], 0
    elif parts[0].shape.rank == 0:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    _check_joined(parts, axis)
    joined = tf.concat(_promoted(*parts), axis)
    return joined if dtype is None else tf.cast(joined, _np_dtype(dtype))


@helper("numpy.hstack", direct="items")
def hstack(tup: Any, *, dtype: Any = None) -> tf.Tensor:
    """tnp.hstack of nothing raises an IndexError, NumPy's a ValueError."""
    parts = [tf.reshape(part, [1]) if part.shape.rank == 0 else part for part in _rows(tup)]
    return concatenate(parts, 1 if parts and parts[0].shape.rank != 1 else 0, dtype=dtype)


@helper("numpy.stack", direct="items")
def stack(arrays: Any, axis: Any = 0, *, dtype: Any = None) -> tf.Tensor:
    """tnp.stack moves the first axis of a tensor instead of stacking its rows, and takes an empty list."""
    parts = _rows(arrays)
    if not parts:
        raise ValueError("need at least one array to stack")
    if [part for part in parts if part.shape.rank != parts[0].shape.rank or part.shape != parts[0].shape]:
        raise ValueError("all input arrays must have the same shape")
    along = _axis_index(axis, parts[0].shape.rank + 1)
    joined = tf.stack(_promoted(*parts), along)
    return joined if dtype is None else tf.cast(joined, _np_dtype(dtype))


def _rows(arrays: Any) -> Any:
    """Return the arrays to join; NumPy takes the rows of an array for them."""
    if isinstance(arrays, (list, tuple)):
        return [_tensor(array) for array in arrays]
    return tf.unstack(_tensor(arrays))


def _check_joined(parts: list[tf.Tensor], axis: int) -> None:
    """Raise NumPy's error where TensorFlow's would not be a ValueError."""
    rank = parts[0].shape.rank
    along = _axis_index(axis, rank)
    for part in parts:
        sizes = [one for place, one in enumerate(part.shape) if place != along]
        wanted = [one for place, one in enumerate(parts[0].shape) if place != along]
        known = [one for one in zip(sizes, wanted) if None not in one]
        if part.shape.rank != rank or [one for one in known if one[0] != one[1]]:
            raise ValueError("all the input array dimensions except for the concatenation axis must match exactly")
