"""Slices whose bounds are values of a graph: which elements they choose, without a shape that depends on a value.

XLA compiles neither a strided update nor a range with such bounds; it does compile a comparison of positions.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tnp_rules.index_positions import array_dimensions, checked_coordinates, full_index, is_basic_index


def chosen_by_traced_slices(x: Any, items: Any) -> Any:
    """Say which elements an index of ints and slices chooses; None where it has other parts or no traced bound."""
    traced = [item for item in items if isinstance(item, slice) and not is_basic_index([item])]
    others = [
        item for item in items if not isinstance(item, (slice, int)) and item is not Ellipsis and not _scalar(item)
    ]
    if not traced or others:
        return None
    dims = array_dimensions(x)
    chosen = tf.ones([1] * len(dims), tf.bool)
    axis = 0
    for item in full_index(items, len(dims)):
        if item is Ellipsis:
            continue
        positions = tf.range(tf.cast(dims[axis], tf.int64))
        if isinstance(item, slice):
            inside = _inside_slice(positions, item, tf.cast(dims[axis], tf.int64))
        else:
            inside = positions == tf.convert_to_tensor(checked_coordinates(item, dims[axis], axis), tf.int64)
        chosen &= tf.reshape(inside, [1] * axis + [-1] + [1] * (len(dims) - axis - 1))
        axis += 1
    return chosen


def _scalar(item: Any) -> bool:
    return isinstance(item, tf.Tensor) and bool(item.dtype.is_integer) and item.shape.rank == 0


def _inside_slice(positions: Any, item: slice, size: Any) -> Any:
    """Compare positions with the bounds, counted and clipped as Python's slice.indices does."""
    step = tf.cast(1 if item.step is None else item.step, tf.int64)
    last = tf.where(step > 0, size, size - 1)
    first = tf.where(step > 0, tf.zeros_like(size), -tf.ones_like(size))
    start = tf.where(step > 0, first, last) if item.start is None else _clipped(item.start, size, first, last)
    stop = tf.where(step > 0, last, first) if item.stop is None else _clipped(item.stop, size, first, last)
    forwards = (positions >= start) & (positions < stop)
    backwards = (positions <= start) & (positions > stop)
    return tf.where(step > 0, forwards, backwards) & (tf.math.floormod(positions - start, tf.abs(step)) == 0)


def _clipped(bound: Any, size: Any, first: Any, last: Any) -> Any:
    bound = tf.cast(bound, tf.int64)
    return tf.clip_by_value(tf.where(bound < 0, bound + size, bound), first, last)


def spread_over_axes(value: Any, items: Any) -> Any:
    """Reshape a value to the axes of the array; None unless it is known to be the same along every part of an axis."""
    sizes = list(value.shape)
    shape: list[Any] = []
    for item in reversed([item for item in items if item is not Ellipsis]):
        size = sizes.pop() if sizes and isinstance(item, slice) else 1
        if size is None or (size != 1 and item != slice(None)):
            return None
        shape.insert(0, size)
    return None if [size for size in sizes if size != 1] else tf.reshape(value, shape)
