"""Removing, inserting and repeating elements along an axis."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.forms import helper
from tnp_rules.search import nonzero_mask
from tnp_rules.support import _axis_index, _flat_if_none, _raise_where, _tensor


def _known_index(obj: Any) -> Any:
    """Read an index whose values are there; the size of the result depends on them, so they are needed on the host."""
    return obj.numpy() if isinstance(obj, (tf.Tensor, tf.Variable)) else obj


@helper("numpy.delete")
def delete(arr: Any, obj: Any, axis: Any = None) -> tf.Tensor:
    """tnp has no delete: NumPy says which positions are left, and tf.gather takes them.

    An index computed under tf.function is not known: then the result's length is dynamic.
    """
    arr, axis = _flat_if_none(_tensor(arr), axis)
    size = arr.shape[axis]
    if not tf.is_symbolic_tensor(obj) and size is not None:
        return _without(arr, _known_index(obj), axis)
    positions = tf.range(tf.shape(arr, tf.int64)[axis])
    if isinstance(obj, slice):
        gone = tf.reshape(positions[obj], [-1, 1])
    elif _tensor(obj).dtype.is_bool:
        return tf.boolean_mask(arr, ~_tensor(obj), axis=axis)
    else:
        gone, size = tf.reshape(tf.cast(obj, tf.int64), [-1, 1]), tf.size(positions, tf.int64)
        _raise_where((gone < -size) | (gone >= size), IndexError(f"index is out of bounds for axis {axis}"))
        gone = tf.math.floormod(gone, size)
    hits = tf.scatter_nd(gone, tf.ones_like(gone[:, 0]), tf.shape(positions, tf.int64))
    return tf.boolean_mask(arr, hits == 0, axis=axis)


def _without(arr: tf.Tensor, obj: Any, axis: int) -> tf.Tensor:
    """Leave out known positions: a run of them by joining what is before and behind it, which is cheaper."""
    if isinstance(obj, (int, np.integer)) and not isinstance(obj, bool):
        place = range(arr.shape[axis])[obj]
        return _without_run(arr, place, place + 1, axis)
    if isinstance(obj, slice) and obj.step is None:
        return _without_run(arr, *obj.indices(arr.shape[axis])[:2], axis)
    positions = np.arange(arr.shape[axis])
    left = np.delete(positions, obj)
    first = int(np.searchsorted(left - positions[: left.size], 1))  # as many are left before the first that is gone
    behind = first + positions.size - left.size
    if first < left.size and left[first] != behind:
        return tf.gather(arr, left, axis=axis)
    return _without_run(arr, first, behind, axis)


def _without_run(arr: tf.Tensor, first: int, behind: int, axis: int) -> tf.Tensor:
    if behind <= first:
        return tf.identity(arr)
    before, _, after = tf.split(arr, [first, behind - first, arr.shape[axis] - behind], axis)
    return tf.concat([before, after], axis)


@helper("numpy.insert")
def insert(arr: Any, obj: Any, values: Any, axis: Any = None) -> tf.Tensor:
    """tnp has no insert: one place splits the array; several are merged by a stable sort of old and new positions."""
    arr, axis = _flat_if_none(_tensor(arr), axis)
    size = tf.shape(arr, tf.int64)[axis] if arr.shape[axis] is None else arr.shape[axis]
    positions = _insert_positions(obj, size, axis)
    values = tf.cast(_tensor(values), arr.dtype)
    values = tf.reshape(values, tf.concat([[1] * (arr.shape.rank - values.shape.rank), tf.shape(values)], 0))
    if not len(positions.shape):
        values = tnp.moveaxis(values, 0, axis)
    single = math.prod(positions.shape) == 1 if None not in positions.shape else False
    added = tf.shape(values)[axis] if single else tf.size(positions)
    values = _spread(values, tf.tensor_scatter_nd_update(tf.shape(arr), [[axis]], [added]))
    if single:
        place = tf.reshape(positions, []) if tf.is_tensor(positions) else positions.item()
        before, after = tf.split(arr, [place, size - place], axis)
        return tf.concat([before, values, after], axis)
    order = tf.argsort(tf.concat([positions, tf.range(tf.cast(size, tf.int64))], 0), stable=True)
    return tf.gather(tf.concat([values, arr], axis), order, axis=axis)


def _spread(values: tf.Tensor, shape: tf.Tensor) -> tf.Tensor:
    """Broadcast to a shape, as an assignment does: leading axes of one may be too many, a known misfit raises."""
    surplus = values.shape.rank - shape.shape[0]
    if surplus > 0 and math.prod(values.shape[:surplus]) == 1:
        values = tf.squeeze(values, list(range(surplus)))
    if not tf.is_symbolic_tensor(shape):
        wanted = tuple(shape.numpy().tolist())
        if np.broadcast_shapes(tuple(values.shape), wanted) != wanted:
            raise ValueError(f"could not broadcast input array from shape {tuple(values.shape)} into shape {wanted}")
    return tf.broadcast_to(values, shape)


def _insert_positions(obj: Any, size: Any, axis: int) -> Any:
    """Give the positions before which to insert, from 0 to the size: an ndarray where they are known."""
    if tf.is_symbolic_tensor(obj) or not isinstance(size, int):
        return _positions_before(obj, size, axis)
    with tf.init_scope():
        return _positions_before(obj, size, axis).numpy()


def _positions_before(obj: Any, size: Any, axis: int) -> tf.Tensor:
    positions = tf.range(tf.cast(size, tf.int64))[obj] if isinstance(obj, slice) else _tensor(obj)
    if positions.shape.rank > 1:
        raise ValueError("index array argument obj to insert must be one dimensional or scalar")
    if positions.dtype.is_bool:
        positions = tf.where(tf.reshape(positions, [-1]))[:, 0]
    if not positions.dtype.is_integer and positions.shape.num_elements() != 0:
        kind = TypeError if positions.shape.num_elements() == 1 else IndexError
        raise kind("arrays used as indices must be of integer (or boolean) type")
    positions = tf.cast(positions, tf.int64)
    error = IndexError(f"index {obj} is out of bounds for axis {axis} with size {size}")
    _raise_where((positions < -size) | (positions > size), error)
    return tf.where(positions < 0, positions + size, positions)


@helper("numpy.resize")
def resize(a: Any, new_shape: Any) -> tf.Tensor:
    """tf.image.resize interpolates; NumPy's repeats the elements until the new shape is full."""
    flat = tnp.ravel(a)
    shape = (new_shape,) if not np.ndim(new_shape) else tuple(new_shape)
    if np.any(np.less(shape, 0)):
        raise ValueError("all elements of `new_shape` must be non-negative")
    if not flat.shape[0] and flat.shape[0] is not None:
        return tf.zeros(shape, flat.dtype)
    places = tf.math.floormod(tf.range(math.prod(shape)), tf.size(flat))  # tf.tile lacks unsigned integers
    return tf.reshape(tf.gather(flat, places), shape)


@helper("numpy.trim_zeros")
def trim_zeros(filt: Any, trim: Any = "fb", axis: Any = None) -> Any:
    """tnp has no trim_zeros; the length depends on the data. A list gives a list, as in NumPy."""
    if isinstance(filt, (list, tuple)):
        return np.trim_zeros(filt, trim, axis)
    filt = _tensor(filt)
    if trim.lower() not in ("fb", "bf", "f", "b"):
        raise ValueError(f"unexpected character(s) in `trim`: {trim!r}")
    rank = filt.shape.rank
    axes = range(rank) if axis is None else [_axis_index(each, rank) for each in np.ravel(axis)]
    kept = tf.where(nonzero_mask(filt))
    empty = tf.equal(tf.shape(kept)[0], 0)
    none = tf.zeros([rank], tf.int64)
    first = tf.where(empty, none, tf.reduce_min(kept, axis=0)) if "f" in trim.lower() else none
    sizes = tf.shape(filt, tf.int64)
    last = tf.where(empty, none, tf.reduce_max(kept, axis=0) + 1)
    last = last if "b" in trim.lower() else tf.where(empty, none, sizes)
    picked = [slice(first[each], last[each]) if each in axes else slice(None) for each in range(rank)]
    return filt[tuple(picked)]
