"""NumPy's operations in place as functions: what was written to is given back."""

from __future__ import annotations

import builtins
import operator
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.index_positions import array_dimensions
from tnp_rules.runtime import to_numpy
from tnp_rules.updates import getitem, index_update

_OPERATORS = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "**": operator.pow, "@": operator.matmul, "&": operator.and_, "|": operator.or_,
    "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
}  # fmt: skip


def in_place(x: Any, value: Any) -> Any:
    """Give x the value of an operation in place: x keeps its dtype and shape, by NumPy's same-kind rule.

    A tensor gives a new tensor, an ndarray or a tf.Variable is written to; anything else is bound to the value.
    """
    if isinstance(x, np.ndarray) and not tf.is_symbolic_tensor(value):
        np.copyto(x, to_numpy(value), casting="same_kind")
        return x
    if isinstance(x, tf.Variable):
        x.assign(in_place(x.read_value(), value))
        return x
    if isinstance(x, list):
        x[:] = value
        return x
    if not isinstance(x, (tf.Tensor, np.ndarray)):
        return value
    x = tf.convert_to_tensor(x)
    value = tf.convert_to_tensor(value)
    check_same_kind(value.dtype, x.dtype)
    return index_update(x, ..., value)


def index_operate(x: Any, index: Any, symbol: str, value: Any) -> Any:
    """Store x[index] = x[index] + value, or another operation, as x[index] += value does.

    An index that occurs twice counts once, as NumPy has it (np.add.at counts all).
    """
    if isinstance(x, np.ndarray) and not tf.is_symbolic_tensor(value):
        value = to_numpy(value)
        current = x[to_numpy(index)]
        x[to_numpy(index)] = in_place(current, _OPERATORS[symbol](current, value))
        return x
    current = getitem(x, index)
    changed = _OPERATORS[symbol](current, value)
    # one element is a number, which NumPy binds anew and then stores, truncated
    single = isinstance(current, tf.Tensor) and current.shape.rank == 0
    return index_update(x, index, changed if single else in_place(current, changed))


def index_subtract(x: Any, index: Any, value: Any) -> Any:
    """Store x[index] -= value and give x back; an index that occurs twice counts once."""
    return index_operate(x, index, "-", value)


def index_multiply(x: Any, index: Any, value: Any) -> Any:
    """Store x[index] *= value and give x back; an index that occurs twice counts once."""
    return index_operate(x, index, "*", value)


def index_divide(x: Any, index: Any, value: Any) -> Any:
    """Store x[index] /= value and give x back; integers raise TypeError, as NumPy's do."""
    return index_operate(x, index, "/", value)


def check_same_kind(given: Any, wanted: Any) -> None:
    """Raise what NumPy raises where an operation in place would lose more than precision."""
    if not np.can_cast(given.as_numpy_dtype, wanted.as_numpy_dtype, "same_kind"):
        raise TypeError(f"Cannot cast output from {given.name} to {wanted.name} with casting rule 'same_kind'")


def add_at(x: Any, index: Any, value: Any) -> Any:
    """Add at each position as often as it occurs, as np.add.at does, and give x back."""
    if isinstance(x, np.ndarray) and not tf.is_symbolic_tensor(value):
        np.add.at(x, to_numpy(index), to_numpy(value))
        return x
    if _truncates_each_time(x, value):
        return tf.constant(add_at(x.numpy().copy(), index, value))
    flat, values = _picked_positions(x, index, value)
    return tf.reshape(tf.tensor_scatter_nd_add(tf.reshape(x, [-1]), flat, values), array_dimensions(x))


def subtract_at(x: Any, index: Any, value: Any) -> Any:
    """Subtract at each position as often as it occurs, as np.subtract.at does, and give x back."""
    if isinstance(x, np.ndarray) and not tf.is_symbolic_tensor(value):
        np.subtract.at(x, to_numpy(index), to_numpy(value))
        return x
    if _truncates_each_time(x, value):
        return tf.constant(subtract_at(x.numpy().copy(), index, value))
    flat, values = _picked_positions(x, index, value)
    return tf.reshape(tf.tensor_scatter_nd_sub(tf.reshape(x, [-1]), flat, values), array_dimensions(x))


def _truncates_each_time(x: Any, value: Any) -> bool:
    """Say whether NumPy rounds after every single addition: it is asked to do so itself then, on the host."""
    given = tf.convert_to_tensor(value).dtype.as_numpy_dtype
    return not np.can_cast(given, x.dtype.as_numpy_dtype, "same_kind") and not tf.is_symbolic_tensor(x)


def _picked_positions(x: Any, index: Any, value: Any) -> Any:
    """Number the elements that an index picks, and spread the value over them."""
    numbers = tf.reshape(tf.range(tf.size(x, tf.int64)), tf.shape(x))
    picked = getitem(numbers, index)
    value = tf.convert_to_tensor(value)
    check_same_kind(value.dtype, x.dtype)
    spread = tf.broadcast_to(tf.cast(value, x.dtype), tf.shape(picked))
    return tf.reshape(picked, [-1, 1]), tf.reshape(spread, [-1])


def diagonal_update(x: Any, val: Any, wrap: bool = False) -> Any:
    """Fill the main diagonal as np.fill_diagonal does, and give x back."""
    if isinstance(x, np.ndarray) and not tf.is_symbolic_tensor(val):
        np.fill_diagonal(x, to_numpy(val), wrap)
        return x
    return index_update(
        tf.reshape(x, [-1]), _diagonal_positions(x, wrap), _repeated_until(val, len(_diagonal_positions(x, wrap)))
    ).reshape(x.shape)


def _diagonal_positions(x: Any, wrap: bool) -> np.ndarray[Any, Any]:
    dims = array_dimensions(x)
    if len(dims) < 2:
        raise ValueError("array must be at least 2-d")
    if len(dims) > 2 and len(set(dims)) > 1:
        raise ValueError("All dimensions of input must be of equal length")
    step = dims[1] + 1 if len(dims) == 2 else 1 + builtins.sum(dims[0] ** power for power in range(1, len(dims)))
    end = int(np.prod(dims)) if wrap or len(dims) > 2 else builtins.min(dims[1] * dims[1], int(np.prod(dims)))
    return np.arange(0, end, step)


def _repeated_until(values: Any, count: int) -> Any:
    """Repeat values until there are enough, as NumPy's put and its kin do."""
    values = tf.reshape(tf.convert_to_tensor(values), [-1])
    size = int(values.shape[0])
    return tf.gather(values, np.arange(count) % size) if size else values


def flat_update(x: Any, ind: Any, v: Any) -> Any:
    """Store values at flat positions as np.put does, and give x back."""
    if isinstance(x, np.ndarray) and not tf.is_symbolic_tensor(v):
        np.put(x, to_numpy(ind), to_numpy(v))
        return x
    positions = np.asarray(to_numpy(ind)).reshape(-1)
    if not len(positions):
        return x
    return index_update(tf.reshape(x, [-1]), positions, _repeated_until(v, len(positions))).reshape(x.shape)


def mask_update(x: Any, mask: Any, values: Any) -> Any:
    """Store values where a mask is true, each at its own place, as np.putmask does, and give x back."""
    if isinstance(x, np.ndarray) and not tf.is_symbolic_tensor(values):
        np.putmask(x, to_numpy(mask), to_numpy(values))
        return x
    spread = tf.reshape(_repeated_until(values, int(np.prod(array_dimensions(x)))), tf.shape(x))
    return tf.where(tf.reshape(tf.cast(mask, tf.bool), tf.shape(x)), tf.cast(spread, x.dtype), x)


def place_update(arr: Any, mask: Any, vals: Any) -> Any:
    """Store values one after the other where a mask is true, as np.place does, and give arr back."""
    if isinstance(arr, np.ndarray) and not tf.is_symbolic_tensor(vals):
        np.place(arr, to_numpy(mask), to_numpy(vals))
        return arr
    return flat_update(arr, np.flatnonzero(to_numpy(mask)), vals)


def along_axis_update(arr: Any, indices: Any, values: Any, axis: Any) -> Any:
    """Store values at indices along an axis as np.put_along_axis does, and give arr back."""
    if isinstance(arr, np.ndarray) and not tf.is_symbolic_tensor(values):
        np.put_along_axis(arr, to_numpy(indices), to_numpy(values), axis)
        return arr
    places = np.asarray(to_numpy(indices))
    if axis is None:
        return index_update(tf.reshape(arr, [-1]), places, values).reshape(arr.shape)
    grid = list(np.ogrid[tuple([slice(size) for size in places.shape])])
    grid[axis] = places
    return index_update(arr, tuple(grid), values)
