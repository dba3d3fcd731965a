"""Stores into arrays: x[index] = value as a function, because a tensor is a value and has no stores."""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.dtype_attributes import cast_tensor
from tnp_rules.index_positions import (
    array_dimensions,
    check_mask_shape,
    full_index,
    grid_indices,
    has_truth,
    has_wide_step,
    index_grid,
    index_items,
    index_slices,
    is_basic_index,
    picks_view,
    truths_as_masks,
)
from tnp_rules.index_traced import chosen_by_traced_slices, spread_over_axes
from tnp_rules.runtime import has_tensor


def index_update(x: Any, index: Any, value: Any) -> Any:
    """Store x[index] = value as NumPy does, and return the array that holds it.

    A tensor gives a new tensor, the store differentiable in x and value. Whatever can be stored into (ndarray,
    list, dict, tf.Variable, an object with __setitem__) is, and is returned itself.
    """
    if isinstance(x, np.ndarray) and (is_traced(index) or is_traced(value)):
        x = tf.constant(x)
    if not isinstance(x, tf.Tensor):
        return _store(x, index, value)
    items = index_items(index)
    if has_truth(items):
        axes, masks = truths_as_masks(items, x.shape.rank)
        return tf.squeeze(index_update(_with_axes(x, axes), masks, value), axes)
    if is_basic_index(items) and not (tf.is_symbolic_tensor(x) and has_wide_step(items)):
        return _update_slices(x, items, value)
    chosen = chosen_by_traced_slices(x, items) if tf.is_symbolic_tensor(x) else None
    if chosen is not None:
        spread = spread_over_axes(cast_stored(value, x.dtype), full_index(items, x.shape.rank))
        if spread is not None:
            return tf.where(chosen, spread, x)
    mask = _only_mask(items)
    if mask is not None:
        return _update_mask(x, mask, value)
    return _update_positions(x, items, value)


def view_update(x: Any, index: Any, value: Any) -> Any:
    """Store x[index] = value if x[index] is a view of x, and give x back: how x[index][...] = v comes to x.

    An array or a list as index picks a copy, which nothing else holds: x stays as it is. A list or a dict gives what it
    holds, as does a tuple, in whose place comes a new one. A slice of a list is a new list; other objects change what
    they give.
    """
    if isinstance(x, (np.ndarray, tf.Tensor, tf.Variable)):
        return index_update(x, index, value) if picks_view(index) else x
    if isinstance(x, (list, tuple)) and isinstance(index, slice):
        if [new for old, new in zip(x[index], value) if new is not old and isinstance(new, tf.Tensor)]:
            raise TypeError("an array in a slice of a list was written to: assign to an item of the list itself")
        return x
    if isinstance(x, tuple):
        made = index_update(list(x), index, value)
        return x._make(made) if hasattr(x, "_make") else tuple(made)
    return index_update(x, index, value) if isinstance(x, (list, dict)) or isinstance(value, tf.Tensor) else x


def index_apply(x: Any, index: Any, change: Any) -> Any:
    """Store x[index] = change(x[index]), the index evaluated once: the functional form of x[index] *= v."""
    return index_update(x, index, change(getitem(x, index)))


def getitem(x: Any, index: Any) -> Any:
    """Read x[index] as NumPy does.

    A tensor takes a nested list for a tuple, mixes up the axes of an int, a slice and an array, and does not check
    several index arrays against their own axes.
    """
    if isinstance(x, tf.Variable):
        x = x.read_value()
    if isinstance(x, np.ndarray) and is_traced(index):
        x = tf.constant(x)
    if not isinstance(x, tf.Tensor):
        return x[host_values(index) if _backed_by_numpy(x) else index]
    items = index_items(index)
    if has_truth(items):
        axes, masks = truths_as_masks(items, x.shape.rank)
        return getitem(_with_axes(x, axes), masks)
    if is_basic_index(items):
        return _read_slices(x, items)
    dims = array_dimensions(x)
    grid = index_grid(items, dims)
    if _selects_nothing(grid.shape):
        return tf.zeros(grid.shape, x.dtype)
    if len(items) == len(grid.coordinates) == 1:
        return tf.gather(x, tf.reshape(grid.coordinates[0], grid.shape[: len(grid.shape) - len(grid.rest)]))
    rows = tf.gather_nd(x, grid_indices(grid)) if grid.coordinates else x
    return tf.reshape(rows, grid.shape)


def _with_axes(x: Any, axes: list[int]) -> Any:
    for axis in axes:
        x = tf.expand_dims(x, axis)
    return x


def is_traced(values: Any) -> bool:
    """Say whether a tensor of a graph that is being traced stands anywhere in an index or a value."""
    if isinstance(values, (list, tuple)):
        return builtins.any(is_traced(value) for value in values)
    if isinstance(values, slice):
        return is_traced((values.start, values.stop, values.step))
    return bool(tf.is_symbolic_tensor(values))


def _backed_by_numpy(x: Any) -> bool:
    """Say whether an object takes ndarrays where TensorFlow's code holds tensors: ndarrays, frames, dict keys."""
    return isinstance(x, dict) or (hasattr(type(x), "__array__") and not isinstance(x, tf.Variable))


def host_values(values: Any) -> Any:
    """Give an index or a value as NumPy takes it: a tensor in it as its own array, without axes as a number."""
    if not has_tensor(values):
        return values
    return tf.nest.map_structure(lambda one: one.numpy() if has_tensor(one) else one, values)


def _store(x: Any, index: Any, value: Any) -> Any:
    if isinstance(x, tf.Variable):
        x.assign(index_update(x.read_value(), index, value))
    elif isinstance(x, dict):
        x[host_values(index)] = value
    elif _backed_by_numpy(x):
        x[host_values(index)] = host_values(value)
    else:
        x[index] = value
    return x


def _read_slices(x: Any, items: Any) -> tf.Tensor:
    array_dimensions(x)
    slices = index_slices(items, x.shape)
    read = tf.strided_slice(
        x,
        slices.begin,
        slices.end,
        slices.strides,
        begin_mask=slices.begin_mask,
        end_mask=slices.end_mask,
        shrink_axis_mask=slices.shrink_mask,
    )
    for axis, item in enumerate(_kept_items(items, x.shape.rank)):
        if item is None:
            read = tf.expand_dims(read, axis)
    return read


def _kept_items(items: Any, rank: int) -> list[Any]:
    """List the slices and new axes, which stand for the dimensions of the result."""
    return [item for item in full_index(items, rank) if item is None or isinstance(item, slice)]


def _update_slices(x: Any, items: Any, value: Any) -> tf.Tensor:
    array_dimensions(x)
    slices = index_slices(items, x.shape)
    shape = slices.shape if None not in slices.shape else array_dimensions(_read_slices(x, items))
    if not slices.shape and not [item for item in items if item is Ellipsis]:
        check_element(value)
    value = _stored_value(value, shape, x.dtype)
    if _selects_nothing(slices.shape):
        return x
    if None in items:
        kept = zip(shape, _kept_items(items, x.shape.rank))
        value = tf.reshape(value, [size for size, item in kept if item is not None])
    return tf.raw_ops.TensorStridedSliceUpdate(
        input=x,
        begin=slices.begin,
        end=slices.end,
        strides=slices.strides,
        value=value,
        begin_mask=slices.begin_mask,
        end_mask=slices.end_mask,
        shrink_axis_mask=slices.shrink_mask,
    )


def _only_mask(items: Any) -> Any:
    """Give the mask of x[mask] and x[mask, ...], else None."""
    if not items or not hasattr(items[0], "dtype") or items[0].dtype not in (np.dtype(bool), tf.bool):
        return None
    for item in items[1:]:
        if item is not Ellipsis and not (isinstance(item, slice) and item == slice(None)):
            return None
    return items[0]


def _update_mask(x: Any, mask: Any, value: Any) -> tf.Tensor:
    dims = array_dimensions(x)
    width = len(mask.shape)
    full_index([mask], len(dims))
    check_mask_shape(mask, dims, 0)
    if _selects_nothing(mask.shape) and list(mask.shape) != list(dims[:width]):
        return x
    rest = dims[width:]
    chosen = tf.convert_to_tensor(mask)
    if rest:
        chosen = tf.reshape(chosen, array_dimensions(chosen) + [1] * len(rest))
    value = cast_stored(value, x.dtype)
    if not rest and value.shape.rank > 1:
        raise TypeError("NumPy boolean array indexing assignment requires a 0 or 1-dimensional input")
    value = _without_ones_in_front(value, len(rest) + 1)
    if value.shape.rank > len(rest) and value.shape[0] == 1:
        value = _without_ones_in_front(value, len(rest))
    if value.shape.rank > len(rest):
        value = _values_at_hits(mask, value)
    _check_broadcast(value.shape, [*dims[:width], *rest] if value.shape.rank > len(rest) else rest)
    return tf.where(chosen, value, x)


def _values_at_hits(mask: Any, value: Any) -> tf.Tensor:
    """Place the k-th value where the mask is true for the k-th time; what stands elsewhere is not used."""
    if len(mask.shape) == 0:
        raise ValueError(f"could not broadcast input array from shape {tuple(value.shape)} into a single element")
    count = value.shape[0] if value.shape[0] is not None else tf.shape(value, tf.int64)[0]
    if isinstance(mask, np.ndarray):
        order = np.cumsum(mask).reshape(mask.shape) - 1
    else:
        order = tf.reshape(tf.cumsum(tf.cast(tf.reshape(mask, [-1]), tf.int64)) - 1, tf.shape(mask))
    hits = np.count_nonzero(mask) if isinstance(mask, np.ndarray) else tf.math.count_nonzero(mask)
    message = "NumPy boolean array indexing assignment cannot assign the input values: not one for each true element"
    fits = (hits == count) | (count == 1)
    if tf.is_symbolic_tensor(fits):
        tf.debugging.Assert(fits, [message, count, hits])
    elif not fits:
        raise ValueError(message)
    rest = array_dimensions(value)[1:]
    spare = tf.zeros([1, *rest], value.dtype)  # a mask may be true nowhere
    values = tf.reshape(tf.concat([value, spare], 0), [_row_count(value) + 1, *rest])
    highest = tf.maximum(tf.cast(count, tf.int64) - 1, 0)
    return tf.gather(values, tf.clip_by_value(tf.cast(order, tf.int64), 0, highest))


def _update_positions(x: Any, items: Any, value: Any) -> tf.Tensor:
    dims = array_dimensions(x)
    grid = index_grid(items, dims)
    value = _stored_value(value, grid.shape, x.dtype)
    if _selects_nothing(grid.shape):
        return x
    indices = grid_indices(grid)
    wanted = [_row_count(indices), *grid.rest]
    rows = value if _is_shape(value, wanted) else tf.reshape(value, wanted)
    if grid.may_repeat and isinstance(indices, np.ndarray):
        last = _last_occurrences(indices, dims[: len(grid.coordinates)])
        if len(last) < len(indices):
            # the reshape makes the gradient of the gather dense
            indices, rows = indices[last], tf.gather(tf.reshape(value, wanted), last)
    elif grid.may_repeat:
        return _update_last(x, indices, rows, dims[: len(grid.coordinates)], grid.rest)
    return tf.tensor_scatter_nd_update(x, indices, rows)


def _row_count(rows: Any) -> Any:
    return len(rows) if isinstance(rows, np.ndarray) else array_dimensions(rows)[0]


def _last_occurrences(indices: Any, dims: Any) -> Any:
    """Number the rows that a later one does not overwrite: a scatter gives equal positions no order on a GPU.

    On the CPU too its gradient would go to all of them.
    """
    numbers = np.arange(len(indices))
    last = np.empty(math.prod(dims), np.int64)
    positions = np.ravel_multi_index(tuple(indices.T), dims)
    last[positions] = numbers
    return numbers[last[positions] == numbers]


def _update_last(x: Any, indices: Any, rows: Any, indexed: Any, rest: Any) -> tf.Tensor:
    """Store where positions may repeat: the highest row number wins, which no order of execution changes."""
    numbers = tf.range(1, tf.shape(indices, tf.int64)[0] + 1)
    winner = tf.tensor_scatter_nd_max(tf.zeros(indexed, tf.int64), indices, numbers)
    spare = tf.zeros([1, *rest], rows.dtype)
    stored = tf.gather(tf.reshape(tf.concat([spare, rows], 0), [_row_count(rows) + 1, *rest]), winner)
    return tf.where(tf.reshape(winner > 0, [*indexed] + [1] * len(rest)), stored, x)


def _stored_value(value: Any, shape: Any, dtype: Any) -> tf.Tensor:
    """Cast and broadcast a value to what a store takes; dimensions of 1 in front are dropped, as NumPy does."""
    value = cast_stored(value, dtype)
    value = _without_ones_in_front(value, len(shape))
    _check_broadcast(value.shape, shape)
    if _is_shape(value, shape):
        return value
    return tf.broadcast_to(value, shape)


def check_element(value: Any) -> None:
    """Raise as NumPy does for an array that is stored into one element; before NumPy 2.4 one number in it was taken."""
    shape = getattr(value, "shape", ())
    rank = shape.rank if isinstance(shape, tf.TensorShape) else len(shape)
    if rank or isinstance(value, (list, tuple)):
        np.zeros(1)[0] = np.zeros([1] * rank) if rank else [0]


def _is_shape(value: Any, shape: Any) -> bool:
    """Say whether a tensor is known to have this shape, some of whose dimensions may be tensors."""
    if value.shape.rank != len(shape):
        return False
    return builtins.all(isinstance(wanted, int) and size == wanted for size, wanted in zip(value.shape, shape))


def _without_ones_in_front(value: Any, rank: int) -> tf.Tensor:
    """Drop dimensions of 1 that the target does not have; one that is not 1 stays, and is an error."""
    surplus = value.shape.rank - rank
    if surplus <= 0 or [size for size in value.shape[:surplus] if size not in {1, None}]:
        return value
    return tf.reshape(value, array_dimensions(value)[surplus:])


def _selects_nothing(shape: Any) -> bool:
    return bool([size for size in shape if isinstance(size, int) and size == 0])


def _check_broadcast(given: Any, wanted: Any) -> None:
    fits = len(given) <= len(wanted)
    for size, target in zip(reversed(given), reversed(wanted)):
        fits = fits and (size in {1, None} or not isinstance(target, int) or size == target)
    if not fits:
        shown = tuple([size if isinstance(size, int) else None for size in wanted])
        raise ValueError(f"could not broadcast input array from shape {tuple(given)} into shape {shown}")


def cast_stored(value: Any, dtype: Any) -> tf.Tensor:
    """Cast to the array's dtype by NumPy's rules for a store: what is no tensor yet, NumPy casts itself."""
    if isinstance(value, tf.Variable):
        value = value.read_value()
    if has_tensor(value) and not isinstance(value, tf.Tensor):
        value = tnp.asarray(value)
    if not isinstance(value, tf.Tensor):
        cast = np.empty(np.shape(value), dtype.as_numpy_dtype)
        cast[...] = value
        return tf.constant(cast, dtype)
    return cast_tensor(value, dtype)
