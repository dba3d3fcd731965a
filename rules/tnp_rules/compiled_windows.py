"""Reads and stores at places that only the run of a graph knows, in a compiled function.

A key becomes a window: where it begins on each axis, and its static sizes. Where NumPy would raise, or a window would
be shorter, the trace notes a fault. XLA on a CPU copies an array at each trip of a loop where it cannot store into it
in place: a read of what was just stored gives the value, and no array is kept of before a store.
"""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.compiled_inside import tensorflow_inside
from tnp_rules.compiled_parts import Part, read_at_part
from tnp_rules.compiled_tracing import NotCompiled, bounds_of, distance, is_dynamic, same_value, tracing
from tnp_rules.compiled_varying import check_masks, selected
from tnp_rules.index_positions import full_index
from tnp_rules.updates import cast_stored, getitem, index_update

_LARGE_PART = 4  # of an array: a window that is at least a fourth of it


class Window:
    """Where a key points: `starts` and `sizes` by axis, the axes of single places, and the axis of which a part counts.

    `part` is None or (axis, first, behind the last).
    """

    def __init__(self, starts: list[Any], sizes: list[int], single: list[int], part: Any) -> None:
        self.starts, self.sizes, self.single, self.part = starts, sizes, single, part
        self.shape = [size for axis, size in enumerate(sizes) if axis not in single]

    def part_axis(self) -> int:
        """Give the axis of the part among those that the key leaves."""
        axis = self.part[0]
        return int(axis - len([one for one in self.single if one < axis]))

    def begin(self) -> Any:
        """Give the starts as one tensor."""
        return tf.stack([tf.cast(start, tf.int64) for start in self.starts])


def window_of(shape: Any, items: Any) -> Any:
    """Read a key of ints and slices with steps of one as a window; None for other keys."""
    if not shape.is_fully_defined() or [item for item in items if item is None]:
        return None
    starts: list[Any] = []
    sizes: list[int] = []
    single: list[int] = []
    part = None
    items = [item for item in full_index(items, shape.rank) if item is not Ellipsis]
    for axis, (item, size) in enumerate(zip(items, shape)):
        if isinstance(item, slice):
            if item.step not in {None, 1}:
                return None
            start, length, dynamic = _along_slice(item, size)
            if dynamic is not None:
                if part is not None:
                    raise NotCompiled("two slices of an array have lengths that depend on data")
                part = (axis, *dynamic)
            starts.append(start)
            sizes.append(length)
        elif _is_place(item):
            starts.append(_checked_place(item, size))
            sizes.append(1)
            single.append(axis)
        else:
            return None
    return Window(starts, sizes, single, part)


def _is_place(item: Any) -> bool:
    if isinstance(item, tf.Tensor):
        return bool(item.dtype.is_integer) and item.shape.rank == 0
    return isinstance(item, (int, np.integer)) and not isinstance(item, bool)


def _checked_place(item: Any, size: int) -> Any:
    """Count a place from the front; NumPy raises where it is none of the axis."""
    if not is_dynamic(item):
        item = int(item)
        if not -size <= item < size:
            raise IndexError(f"index {item} is out of bounds for an axis of size {size}")
        return item % size
    item = tf.cast(item, tf.int64)
    low, high = bounds_of(item) or (-size - 1, size)
    if low < -size or high >= size:
        tracing.note_fault((item < -size) | (item >= size))
    return item if low >= 0 else tf.where(item < 0, item + size, item)


def _along_slice(item: slice, size: int) -> tuple[Any, int, Any]:
    """Give where a slice begins, how long it is, and (first, behind the last) where only the run knows its length."""
    if not is_dynamic(item):
        first, last, _ = item.indices(size)
        return first, builtins.max(last - first, 0), None
    length = distance(item.start, item.stop) if is_dynamic(item.start) and is_dynamic(item.stop) else None
    if length is not None and length <= size:
        start = tf.cast(item.start, tf.int64)
        low, high = bounds_of(start) or (-1, size + 1)
        if low < 0 or high + length > size:
            tracing.note_fault((start < 0) | (start + length > size))
        return start, builtins.max(length, 0), None
    first = 0 if item.start is None else _clipped_bound(item.start, size)
    last = size if item.stop is None else _clipped_bound(item.stop, size)
    if not _is_ordered(first, last):
        last = tf.maximum(tf.cast(first, tf.int64), last)
    return 0, size, (first, last)


def _clipped_bound(bound: Any, size: int) -> Any:
    if not is_dynamic(bound):
        return builtins.max(bound + size, 0) if bound < 0 else builtins.min(int(bound), size)
    bound = tf.cast(bound, tf.int64)
    low, high = bounds_of(bound) or (-size - 1, size + 1)
    if low < 0:
        bound = tf.where(bound < 0, tf.maximum(bound + size, 0), bound)
    return bound if high <= size else tf.minimum(bound, size)


def _is_ordered(first: Any, last: Any) -> bool:
    low, high = bounds_of(first), bounds_of(last)
    return low is not None and high is not None and bool(low[1] <= high[0])


def read_window(x: Any, window: Window) -> Any:
    """Read a window of an array."""
    if tracing.trips:
        return tracing.trips[-1].read(x, window)
    is_whole = window.sizes == x.shape.as_list() and not [one for one in window.starts if is_dynamic(one)]
    whole = x if is_whole and store_of(x) is None else _read_past_stores(x, window.starts, window.sizes)
    values = tf.reshape(whole, window.shape) if window.single else whole
    return values if window.part is None else Part(values, window.part_axis(), *window.part[1:])


def _read_past_stores(x: Any, starts: list[Any], sizes: list[int]) -> Any:
    # XLA would compute a large value a second time rather than read it.
    is_large = math.prod(sizes) * _LARGE_PART > x.shape.num_elements()
    array, store = x, None if is_large else store_of(x)
    while store is not None:
        array, value, at = store
        if list(value.shape) == sizes and builtins.all(same_value(one, other) for one, other in zip(at, starts)):
            return value
        if not are_apart(at, value.shape, starts, sizes):
            if set(value.shape) <= {1} and set(sizes) <= {1}:
                same = [tf.cast(one, tf.int64) == tf.cast(other, tf.int64) for one, other in zip(at, starts)]
                return tf.where(tf.reduce_all(tf.stack(same)), value, _read_past_stores(array, starts, sizes))
            break
        store = store_of(array)
    # Of the array as it is now: that of before and that of now together would be two, of which XLA copies one.
    read = tf.slice(x, tf.stack([tf.cast(start, tf.int64) for start in starts]), sizes)
    store = store_of(x)
    if store is not None and are_apart(store[2], store[1].shape, starts, sizes):
        tracing.beside.setdefault(id(x), (x, []))[1].append(read.op)
    return read


def store_of(x: Any) -> Any:
    """Give (array, value, starts) of the store that made an array; None where it was not made by one."""
    if not tf.is_symbolic_tensor(x) or x.op.type != "XlaDynamicUpdateSlice" or not x.shape.rank:
        return None
    base, value, at = x.op.inputs
    return (base, value, list(at.op.inputs)) if at.op.type == "Pack" else None


def are_apart(at: Any, sizes: Any, starts: Any, others: Any) -> bool:
    """Say whether two windows are known not to meet: one ends on some axis before the other begins."""
    for one, size, other, length in zip(at, sizes, starts, others):
        between = distance(one, other)
        if between is not None and (between >= size or -between >= length):
            return True
    return False


def store_window(x: Any, window: Window, value: Any) -> Any:
    """Store into a window of an array, and give the array that holds the value."""
    if tracing.trips:
        return tracing.trips[-1].store(x, window, value)
    value, mask = stored_value(window, value, x.dtype)
    if mask is not None:
        value = tf.where(mask, value, tf.reshape(_read_past_stores(x, window.starts, window.sizes), window.shape))
    return _stored(x, window, value)


def stored_value(window: Window, value: Any, dtype: Any) -> Any:
    """Give what is stored into a window, of its shape, and where it is stored; None where that is everywhere."""
    shape = window.shape
    if window.part is None:
        if isinstance(value, Part):
            raise NotCompiled("a slice whose length depends on data, stored into a whole one")
        return tf.broadcast_to(cast_stored(value, dtype), shape), None
    axis = window.part_axis()
    place = Part(tf.zeros(shape, dtype), axis, *window.part[1:])
    behind = place.from_end()
    if isinstance(value, Part):
        if value.mask is not None or value.from_end() != behind:
            raise NotCompiled("a selection stored into a slice whose length depends on data")
        if not same_value(value.length(), place.length()):
            tracing.note_fault(value.length() != place.length())
        value = cast_stored(value.shifted(place.low, shape[axis]).values, dtype)
    else:
        value = cast_stored(value, dtype)
        if value.shape.rank >= behind and value.shape[-behind] != 1:
            raise NotCompiled("a whole array stored into a slice whose length depends on data")
    return tf.broadcast_to(value, shape), place.chosen()


def _stored(x: Any, window: Window, value: Any) -> Any:
    inside = tensorflow_inside()
    if tracing.form == "xla":
        store = store_of(x)
        if store is not None and list(store[1].shape) == window.sizes:
            same = [same_value(one, other) for one, other in zip(store[2], window.starts)]
            x = _before_store(x, store[0]) if builtins.all(same) else x
        return inside.store_window(x, tf.reshape(value, window.sizes), window.begin())
    begin = window.begin()
    end = begin + tf.constant(window.sizes, tf.int64)
    made = tf.raw_ops.TensorStridedSliceUpdate(
        input=x, begin=begin, end=end, strides=tf.ones_like(begin), value=tf.reshape(value, window.sizes)
    )
    made.set_shape(x.shape)
    return made


def _before_store(x: Any, base: Any) -> Any:
    """Give the array of before a store that is overwritten whole, if all reads since can be of it: those beside it."""
    readers = tracing.beside.get(id(x), (x, []))[1]
    others = {id(one) for one in x.consumers()} - {id(one) for one in readers}
    if others or [one for one in readers if one.graph is not base.graph]:
        return x
    for reader in readers:
        tensorflow_inside().read_other(reader, base)
    return base


def traced_read(x: Any, key: Any) -> Any:
    """Read `x[key]` while a function is traced, as NumPy does."""
    if isinstance(x, tf.Variable):
        x = x.read_value()
    items = list(key) if isinstance(key, tuple) else [key]
    if len(items) == 1 and isinstance(items[0], Part) and isinstance(x, (np.ndarray, tf.Tensor)):
        return read_at_part(tf.convert_to_tensor(x), items[0])
    if isinstance(x, np.ndarray) and [item for item in items if is_dynamic(item)]:
        x = tf.constant(x)
    if not isinstance(x, tf.Tensor):
        return x[key]
    if len(items) == 1 and _is_traced_mask(items[0]) and items[0].shape.rank and tracing.form == "xla":
        mask = items[0]
        spread = tf.reshape(mask, list(mask.shape) + [1] * (x.shape.rank - mask.shape.rank))
        return Part(tf.where(spread, x, tf.ones([], x.dtype)), mask=mask)
    if len(items) == 1 and _is_traced_mask(items[0]) and items[0].shape.rank and tracing.form == "graph":
        return selected(x, items[0])
    if not [item for item in items if is_dynamic(item)]:
        if store_of(x) is None:
            return x[key]
        window = window_of(x.shape, items)
        return x[key] if window is None else read_window(x, window)
    if [item for item in items if item is None]:
        return _with_new_axes(x, items)
    window = window_of(x.shape, items)
    if window is not None:
        return read_window(x, window)
    check_masks(x, items)
    return tracing.checked(getitem, x, key)


def _is_traced_mask(item: Any) -> bool:
    return isinstance(item, tf.Tensor) and bool(item.dtype.is_bool) and bool(tf.is_symbolic_tensor(item))


def _with_new_axes(x: Any, items: list[Any]) -> Any:
    kept = tuple(item for item in items if item is not None)
    read = traced_read(x, kept)
    if isinstance(read, Part):
        raise NotCompiled("a new axis beside a slice whose length depends on data")
    at = 0
    taken = len([item for item in kept if item is not Ellipsis])
    for item in items:
        if item is None:
            read = tf.expand_dims(read, at)
        if item is Ellipsis:
            at += x.shape.rank - taken
        elif item is None or isinstance(item, slice):
            at += 1
        elif getattr(item, "shape", None) and len(item.shape):
            raise NotCompiled("a new axis beside an array of places")
    return read


def traced_update(x: Any, key: Any, value: Any) -> Any:
    """Store `x[key] = value` while a function is traced, and give the array that holds it."""
    items = list(key) if isinstance(key, tuple) else [key]
    if isinstance(x, np.ndarray):
        x = tf.constant(x)
    if not isinstance(x, tf.Tensor):
        return index_update(x, key, value)
    if len(items) == 1 and _is_traced_mask(items[0]) and items[0].shape.rank:
        return _masked_update(x, items[0], value, key)
    window = window_of(x.shape, items)
    if window is not None and 0 not in window.sizes:
        return store_window(x, window, value)
    if isinstance(value, Part):
        raise NotCompiled("a slice or selection whose length depends on data, stored at an array of places")
    check_masks(x, items)
    return tracing.checked(index_update, x, key, value)


def _masked_update(x: Any, mask: Any, value: Any, key: Any) -> Any:
    if not isinstance(value, Part):
        check_masks(x, [mask])
        return tracing.checked(index_update, x, key, value)
    if value.mask is None or not same_value(value.mask, mask) or value.values.shape != x.shape:
        raise NotCompiled("a selection by one mask, stored by another")
    return tf.where(value.chosen(), cast_stored(value.values, x.dtype), x)
