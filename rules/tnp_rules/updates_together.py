"""Many stores into one array, done at once: each store into a tensor copies the whole array."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.runtime import has_tensor
from tnp_rules.updates import _stored_value, check_element, index_update, is_traced


class Stores:
    """What a loop stores into x by stores[index] = value, kept for index_updates to do all of it at once.

    Values and indices are kept as they are at that moment. A list, a dict, whatever is no plain array of numbers, is
    stored into directly.
    """

    def __init__(self, x: Any) -> None:
        self.graph = tf.compat.v1.get_default_graph()
        is_array = isinstance(x, tf.Tensor) or (type(x) is np.ndarray and not x.dtype.hasobject)
        self.direct = None if is_array else x
        self.kept: list[tuple[Any, Any]] = []

    def __getitem__(self, index: Any) -> Any:
        raise NotImplementedError(
            "an array is filled in a loop or a branch that depends on a tensor: give Python's numbers to the loop, or "
            "store with tnh.index_update"
        )

    def __setitem__(self, index: Any, value: Any) -> None:
        if tf.compat.v1.get_default_graph() is not self.graph:  # what is traced there runs never or often
            _ = self[index]
        if self.direct is None:
            self.kept.append((_as_it_is_now(index), _as_it_is_now(value)))
        else:
            index_update(self.direct, index, value)


def index_updates(x: Any, stores: Stores) -> Any:
    """Do the stores that were kept, in their order, and return the array that holds them."""
    kept = stores.kept
    if isinstance(x, np.ndarray) and is_traced(kept):
        x = tf.constant(x)
    if isinstance(x, tf.Tensor) and kept:
        places = _places_on_axes([index for index, _ in kept], x.shape)
        if places is not None:
            axes, positions = places
            return _update_together(x, axes, positions, [value for _, value in kept])
    for index, value in kept:
        x = index_update(x, index, value)
    return x


def _as_it_is_now(value: Any) -> Any:
    """Copy what may be changed later."""
    if isinstance(value, (np.ndarray, np.void)):
        return value.copy()
    if isinstance(value, tf.Variable):
        return value.read_value()
    if type(value) in (list, tuple):
        return type(value)([_as_it_is_now(item) for item in value])
    fixed = (tf.Tensor, np.generic, int, float, complex, str, bytes, slice, type(None), type(...))
    return value if isinstance(value, fixed) else np.array(value)


def _places_on_axes(indices: list[Any], shape: Any) -> Any:
    """Read indices of ints and whole axes, all of one form: the axes that have ints, and the ints, one row a store.

    None for other indices.
    """
    if not shape.is_fully_defined():
        return None
    if shape.rank and not [index for index in indices if type(index) is not int]:
        return [0], np.array(indices, np.int64)[:, np.newaxis]
    axes: Any = None
    places = []
    for index in indices:
        items = list(index) if isinstance(index, tuple) else [index]
        if items and items[-1] is Ellipsis:
            del items[-1]
        items = [item.numpy() if _is_known_number(item) else item for item in items]
        kinds = ["number" if _is_position(item) else "axis" if _is_whole_axis(item) else "" for item in items]
        numbers = [axis for axis, kind in enumerate(kinds) if kind == "number"]
        if "" in kinds or not numbers or len(items) > shape.rank or axes not in (None, numbers):
            return None
        axes = numbers
        places.append([items[axis] for axis in numbers])
    return axes, np.array(places, np.int64)


def _is_position(item: Any) -> bool:
    return isinstance(item, (int, np.integer)) and not isinstance(item, bool)


def _is_whole_axis(item: Any) -> bool:
    return isinstance(item, slice) and item.start is None and item.stop is None and item.step is None


def _is_known_number(item: Any) -> bool:
    return isinstance(item, tf.Tensor) and not tf.is_symbolic_tensor(item) and not item.shape.rank


def _update_together(x: Any, axes: list[int], places: Any, values: list[Any]) -> tf.Tensor:
    """Store values[k] at places[k] of some axes: moved to the front, they take all values in one update."""
    rest = [axis for axis in range(x.shape.rank) if axis not in axes]
    order = [*axes, *rest]
    moved = order != list(range(len(order)))
    sizes = [x.shape[axis] for axis in axes]
    rows = _stacked(values, [x.shape[axis] for axis in rest], x.dtype)
    if _covers_in_order(places, sizes):
        made = tf.reshape(rows, [x.shape[axis] for axis in order])
    else:
        made = index_update(tf.transpose(x, order) if moved else x, tuple(places.T), rows)
    return tf.transpose(made, np.argsort(order)) if moved else made


def _stacked(values: list[Any], shape: list[int], dtype: Any) -> tf.Tensor:
    """Cast and broadcast each value as its store does, and put them one under the other."""
    if not [value for value in values if not _is_row(value, shape, dtype)]:
        return tf.stack(values)
    if has_tensor(values):
        if not shape:
            for value in values:
                check_element(value)
        return tf.stack([_stored_value(value, shape, dtype) for value in values])
    rows = np.empty([len(values), *shape], dtype.as_numpy_dtype)
    for row, value in enumerate(values):
        rows[row] = value
    return tf.constant(rows, dtype)


def _is_row(value: Any, shape: list[int], dtype: Any) -> bool:
    return isinstance(value, tf.Tensor) and value.dtype == dtype and value.shape == shape


def _covers_in_order(places: Any, sizes: list[int]) -> bool:
    """Say whether every position of some axes gets its value, one after the other."""
    return np.array_equal(places, np.stack([axis.ravel() for axis in np.indices(sizes)], -1))
