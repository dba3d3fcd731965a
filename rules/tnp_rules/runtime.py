"""Values taken across the border between code on tensors and code that stays on NumPy."""

from __future__ import annotations

import builtins
import functools
from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp


def map_leaves(convert: Any, value: Any, with_keys: bool = False) -> Any:
    """Convert what stands in nested tuples, namedtuples, lists and dicts; unchanged, a container is itself."""
    if isinstance(value, dict):
        of_key = convert if with_keys else lambda key: key
        return rebuilt(value, {of_key(key): map_leaves(convert, item, with_keys) for key, item in value.items()})
    if isinstance(value, (list, tuple)):
        return rebuilt(value, [map_leaves(convert, item, with_keys) for item in value])
    return convert(value)


def rebuilt(container: Any, items: Any) -> Any:
    """Give a container of the same type with other items: a dict's by its keys; with the same ones it is itself."""
    if isinstance(container, dict):
        if _same_items(items.values(), container.values()) and _same_items(items, container):
            return container
        copied = container.copy()
        if type(copied) is not type(container):  # dict.copy of a subclass, such as SciPy's results with attributes
            copied = type(container)(copied)
        copied.clear()  # a key that is equal would stay
        copied.update(items)
        return copied
    if _same_items(items, container):
        return container
    return type(container)(*items) if hasattr(container, "_fields") else type(container)(items)


def _same_items(new: Any, old: Any) -> bool:
    return builtins.all(left is right for left, right in zip(new, old))


def to_numpy(value: Any) -> Any:
    """Turn tensors into writable ndarrays, 0-d ones into NumPy scalars; everything else is returned as it is.

    A tensor that stands in several places gives one ndarray, as NumPy would have it. Keys of dicts are numbers too.
    What `d.items()` and `d.values()` give are views of what the dict has.
    """
    made: dict[int, Any] = {}

    def convert(leaf: Any) -> Any:
        for view in ("items", "values"):
            if isinstance(leaf, type(getattr({}, view)())):
                return getattr(map_leaves(convert, leaf.mapping.copy(), with_keys=True), view)()
        if not isinstance(leaf, (tf.Tensor, tf.Variable)):
            return leaf
        if id(leaf) not in made:
            made[id(leaf)] = leaf.numpy()
        return made[id(leaf)]

    return map_leaves(convert, value, with_keys=True)


def giving_numpy(function: Any) -> Any:
    """Give a function what it returns as NumPy has it: for those who call it with numbers, such as a data frame."""

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        return to_numpy(function(*args, **kwargs))

    return called


def to_tensor(value: Any) -> Any:
    """Turn ndarrays of numbers and bools into tensors; everything else, NumPy scalars too, is returned as it is."""
    return map_leaves(_leaf_to_tensor, value)


def _leaf_to_tensor(value: Any) -> Any:
    if type(value) is not np.ndarray or value.dtype.kind not in "biufc" or value.dtype.itemsize > 16:
        return value
    return tf.constant(value if value.dtype.isnative else value.astype(value.dtype.newbyteorder("=")))


def unstacked(value: Any) -> Any:
    """Give the items of a tensor, sliced all at once; what is no tensor or has no known length is returned as it is.

    Going through a tensor itself slices it anew for each item, and is refused by graphs outside `for` statements.
    """
    known = isinstance(value, (tf.Tensor, tf.Variable)) and value.shape.rank and value.shape[0] is not None
    return tf.unstack(value) if known else value


def quotient(x: Any, y: Any) -> Any:
    """Divide as NumPy's `/`: bools and integers in float64, where TensorFlow divides small ones in float32."""
    if has_tensor([x, y]) and _is_whole(x) and _is_whole(y):
        return tnp.asarray(x, tnp.float64) / tnp.asarray(y, tnp.float64)
    return x / y


def _is_whole(x: Any) -> bool:
    if isinstance(x, (tf.Tensor, tf.Variable)):
        return bool(x.dtype.is_integer or x.dtype.is_bool)
    return isinstance(x, int) or (isinstance(x, (np.ndarray, np.generic)) and x.dtype.kind in "bui")


def array(value: Any, dtype: Any = None) -> Any:
    """Make an array of what may be no numbers, or not all of one dtype, as NumPy does.

    tnp.array makes bytes of text, raises for objects, and packs no tensors of several dtypes.
    """
    wanted = None if dtype is None else np.dtype(getattr(dtype, "as_numpy_dtype", dtype))
    if not has_tensor(value):
        return to_tensor(np.array(value, wanted))
    found: dict[Any, None] = {}
    if wanted is None:
        map_leaves(lambda leaf: found.setdefault(_leaf_dtype(leaf)), value)
        wanted = np.result_type(*found)

    def convert(leaf: Any) -> Any:
        if not isinstance(leaf, (tf.Tensor, tf.Variable)):
            return np.asarray(leaf).astype(wanted)
        return leaf if leaf.dtype == wanted else tf.cast(leaf, wanted)

    return tnp.array(map_leaves(convert, value), dtype=wanted)


def _leaf_dtype(leaf: Any) -> Any:
    known = isinstance(leaf, (tf.Tensor, tf.Variable))
    return leaf.dtype.as_numpy_dtype if known else np.asarray(leaf).dtype


def has_tensor(value: Any) -> bool:
    """Say whether a tensor stands anywhere in nested tuples, lists and dicts."""
    if isinstance(value, dict):
        return has_tensor(list(value.values()))
    if isinstance(value, (list, tuple)):
        return builtins.any(has_tensor(item) for item in value)
    return isinstance(value, (tf.Tensor, tf.Variable))


def shape_tuple(shape: Any) -> Any:
    """Turn a tf.TensorShape into the tuple that NumPy's shapes are; everything else is returned as it is."""
    return tuple(shape) if isinstance(shape, tf.TensorShape) else shape
