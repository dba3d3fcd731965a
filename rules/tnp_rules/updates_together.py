"""Many stores into one array, done at once: each store into a tensor copies the whole array."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.index_positions import index_items, is_basic_index
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
    places = _places([index for index, _ in kept], x.shape) if kept and isinstance(x, tf.Tensor) else None
    if places is None:
        for index, value in kept:
            x = index_update(x, index, value)
        return x
    rows = tf.reshape(_stacked([value for _, value in kept], places.shape[1:], x.dtype), [-1])
    return tf.reshape(_placed_rows(tf.reshape(x, [-1]), places.ravel(), rows), x.shape)


def _places(indices: list[Any], shape: Any) -> Any:
    """Number the items that each store writes to, one row a store; None where that is not known, or not one form."""
    if not shape.is_fully_defined():
        return None
    numbers = np.arange(shape.num_elements()).reshape(shape)
    if not [index for index in indices if type(index) is not int]:
        return numbers[np.array(indices)]
    items = [index_items(index) for index in indices]
    if [one for one in items if not is_basic_index(one)]:
        return None
    places = [numbers[tuple(one)] for one in items]
    return np.stack(places) if len({place.shape for place in places}) == 1 else None


def _placed_rows(x: Any, places: Any, rows: Any) -> Any:
    """Put rows[k] at places[k], of equal places the last."""
    if np.array_equal(places, np.arange(x.shape[0])):
        return rows
    if 8 * len(places) < x.shape[0]:
        return index_update(x, places, rows)
    last = np.full(x.shape[0], -1)
    last[places] = np.arange(len(places))
    return tf.where(last >= 0, tf.gather(rows, np.maximum(last, 0)), x)  # many times as fast as a scatter


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


def _stacked(values: list[Any], shape: tuple[int, ...], dtype: Any) -> tf.Tensor:
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


def _is_row(value: Any, shape: tuple[int, ...], dtype: Any) -> bool:
    return isinstance(value, tf.Tensor) and value.dtype == dtype and value.shape == shape
