"""NumPy's operations in place as functions: what was written to is given back."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.elementwise_bits import left_shift, right_shift
from tnp_rules.elementwise_division import divmod, floor_divide
from tnp_rules.index_positions import _whole_axis, array_dimensions, index_items
from tnp_rules.runtime import has_tensor, to_numpy
from tnp_rules.updates import cast_stored, getitem, host_values, index_update, is_traced

_OPERATORS = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "**": operator.pow, "@": operator.matmul, "&": operator.and_, "|": operator.or_,
    "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
}  # fmt: skip


def in_place(x: Any, value: Any) -> Any:
    """Give x the value of an operation in place: x keeps its dtype and shape, by NumPy's same-kind rule.

    A tensor gives a new tensor, an ndarray or a tf.Variable is written to; anything else is bound to the value.
    """
    if _is_written(x, value):
        np.copyto(x, host_values(value), casting="same_kind")
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
    value = cast_copied(value, x.dtype, "same_kind")
    if (value.shape.rank or 0) > (x.shape.rank or 0):  # which a store would take
        raise ValueError(f"non-broadcastable output operand with shape {x.shape} doesn't match {value.shape}")
    if value.dtype == x.dtype and value.shape == x.shape and x.shape.is_fully_defined():
        return value
    return index_update(x, ..., value)


def cast_copied(value: Any, dtype: Any, casting: Any) -> tf.Tensor:
    """Cast to the array's dtype as np.copyto does: what is no tensor yet, NumPy casts itself, with its own errors."""
    if has_tensor(value):
        value = tnp.asarray(value)
        if not np.can_cast(value.dtype.as_numpy_dtype, dtype.as_numpy_dtype, casting):
            raise TypeError(f"Cannot cast from {value.dtype.name} to {dtype.name} according to the rule '{casting}'")
        return cast_stored(value, dtype)
    cast = np.empty(np.shape(value), dtype.as_numpy_dtype)
    np.copyto(cast, value, casting=casting)
    return tf.constant(cast, dtype)


def index_operate(x: Any, index: Any, symbol: str, value: Any) -> Any:
    """Store x[index] = x[index] + value, or another operation, as x[index] += value does.

    An index that occurs twice counts once, as NumPy has it (np.add.at counts all).
    """
    operation = _OPERATORS[symbol]
    # what TensorFlow leaves undefined for some integers, or lacks for bools
    on_integers = {
        "+": tnp.add,
        "*": tnp.multiply,
        "//": floor_divide,
        "%": _remainder_of_integers,
        "<<": left_shift,
        ">>": right_shift,
    }
    return _operate(x, index, value, operation, on_integers.get(symbol, operation))


def _remainder_of_integers(x: Any, value: Any) -> Any:
    return divmod(x, value)[1]


def _operate(x: Any, index: Any, value: Any, operation: Any, on_integers: Any) -> Any:
    if _is_written(x, index, value):
        value = host_values(value)
        current = x[host_values(index)]
        x[host_values(index)] = in_place(current, operation(current, value))
        return x
    current = getitem(x, index)
    if not isinstance(current, tf.Tensor):
        return index_update(x, index, in_place(current, operation(current, value)))
    value = _operand(value, current.dtype)
    # one element is a number, which NumPy binds anew and then stores, truncated; with an ellipsis it is an array
    single = current.shape.rank == 0 and not [item for item in index_items(index) if item is Ellipsis]
    changed = (on_integers if _are_integers(current, value) else operation)(current, value)
    return index_update(x, index, changed if single else in_place(current, changed))


def _are_integers(current: Any, value: Any) -> bool:
    return current.dtype.as_numpy_dtype().dtype.kind in "iub" and np.dtype(_dtype_of(value)).kind in "iub"


def _dtype_of(value: Any) -> Any:
    return value.dtype.as_numpy_dtype if isinstance(value, (tf.Tensor, tf.Variable)) else np.asarray(value).dtype


def _operand(value: Any, dtype: Any) -> Any:
    """Read a Python number as NumPy does beside an array: a bool is a number, an int has to fit."""
    if isinstance(value, bool):
        return tf.constant(value) if dtype.is_bool else int(value)
    if type(value) is int and dtype.is_integer and not dtype.min <= value <= dtype.max:
        raise OverflowError(f"Python integer {value} out of bounds for {dtype.name}")
    return value


def _is_written(x: Any, *given: Any) -> bool:
    """Say whether NumPy's own store does it: an ndarray, and nothing that only a graph knows."""
    return isinstance(x, np.ndarray) and not is_traced(given)


def index_add(x: Any, index: Any, value: Any) -> Any:
    """Store x[index] += value and give x back; an index that occurs twice counts once (np.add.at counts all)."""
    return _operate(x, index, value, operator.add, tnp.add)


def index_swap(x: Any, first: Any, second: Any) -> Any:
    """Do what x[first], x[second] = x[second], x[first] does, and give x back.

    Elements change places. Rows are views to NumPy: the first is overwritten before it is read, and both become the
    second (x[[i, j]] = x[[j, i]] exchanges rows).
    """
    if not isinstance(x, (tf.Tensor, tf.Variable)):
        first, second = (to_numpy(first), to_numpy(second)) if isinstance(x, np.ndarray) else (first, second)
        x[first], x[second] = x[second], x[first]
        return x
    one, other = getitem(x, first), getitem(x, second)
    x = index_update(x, first, other)
    return index_update(x, second, one if one.shape.rank == 0 else other)


def index_subtract(x: Any, index: Any, value: Any) -> Any:
    """Store x[index] -= value and give x back; an index that occurs twice counts once."""
    return _operate(x, index, value, operator.sub, operator.sub)


def index_multiply(x: Any, index: Any, value: Any) -> Any:
    """Store x[index] *= value and give x back; an index that occurs twice counts once."""
    return _operate(x, index, value, operator.mul, tnp.multiply)


def index_divide(x: Any, index: Any, value: Any) -> Any:
    """Store x[index] /= value and give x back; integers raise TypeError, as NumPy's do."""
    return _operate(x, index, value, operator.truediv, operator.truediv)


def check_same_kind(given: Any, wanted: Any) -> None:
    """Raise what NumPy raises where an operation in place would lose more than precision."""
    if not np.can_cast(given.as_numpy_dtype, wanted.as_numpy_dtype, "same_kind"):
        raise TypeError(f"Cannot cast output from {given.name} to {wanted.name} with casting rule 'same_kind'")


def diagonal_update(x: Any, val: Any, wrap: bool = False) -> Any:
    """Fill the main diagonal as np.fill_diagonal does, and give x back."""
    if _is_written(x, val):
        np.fill_diagonal(x, to_numpy(val), wrap)
        return x
    x = tf.convert_to_tensor(x)
    dims = array_dimensions(x)
    if len(dims) < 2:
        raise ValueError("array must be at least 2-d")
    if len(dims) > 2 and [size for size in x.shape if size not in {None, x.shape[0]}]:
        raise ValueError("All dimensions of input must be of equal length")
    rows = tf.range(tf.cast(dims[0], tf.int64))
    period = tf.cast(dims[1], tf.int64) + 1
    columns = rows % period if wrap and len(dims) == 2 else rows
    numbers = rows - rows // period if wrap and len(dims) == 2 else rows
    hit = tf.ones([1] * len(dims), tf.bool)
    for axis in range(1, len(dims)):
        positions = tf.range(tf.cast(dims[axis], tf.int64))
        along = tf.reshape(positions, [-1] + [1] * (len(dims) - 1 - axis))
        hit &= tf.reshape(columns, [-1] + [1] * (len(dims) - 1)) == along
    values = _repeated(val, numbers, x.dtype)
    return tf.where(hit, tf.reshape(values, [-1] + [1] * (len(dims) - 1)), x)


def _repeated(values: Any, numbers: Any, dtype: Any) -> tf.Tensor:
    """Take the values with these numbers, from the first again after the last, as NumPy's put and its kin do."""
    values = tf.reshape(cast_stored(values, dtype), [-1])
    return tf.gather(values, numbers % tf.size(values, tf.int64))


def flat_update(x: Any, ind: Any, v: Any, mode: Any = "raise") -> Any:
    """Store values at flat positions as np.put does, and give x back."""
    if _is_written(x, ind, v):
        np.put(x, to_numpy(ind), to_numpy(v), mode)
        return x
    x = tf.convert_to_tensor(x)
    positions = tf.reshape(ind, [-1]) if is_traced(ind) else np.asarray(to_numpy(ind)).reshape(-1)
    if positions.shape[0] == 0 or _is_empty(v):
        return x
    numbers = tf.range(tf.size(positions, tf.int64))
    size = tf.size(x, tf.int64)
    if mode == "wrap":
        positions = tf.cast(positions, tf.int64) % size
    elif mode == "clip":
        positions = tf.clip_by_value(tf.cast(positions, tf.int64), 0, size - 1)
    stored = index_update(tf.reshape(x, [-1]), positions, _repeated(v, numbers, x.dtype))
    return tf.reshape(stored, tf.shape(x))


def mask_update(x: Any, mask: Any, values: Any) -> Any:
    """Store values where a mask is true, each at its own place, as np.putmask does, and give x back."""
    if _is_written(x, mask, values):
        np.putmask(x, to_numpy(mask), to_numpy(values))
        return x
    x = tf.convert_to_tensor(x)
    return x if _is_empty(values) else _update_where(x, mask, values, tf.range(tf.size(x, tf.int64)))


def place_update(arr: Any, mask: Any, vals: Any) -> Any:
    """Store values one after the other where a mask is true, as np.place does, and give arr back."""
    if _is_written(arr, mask, vals):
        np.place(arr, to_numpy(mask), to_numpy(vals))
        return arr
    if _is_empty(vals):
        if not is_traced(mask) and np.any(to_numpy(mask)):
            raise ValueError("Cannot insert from an empty array!")
        return arr
    hits = tf.cast(tf.reshape(tf.cast(mask, tf.bool), [-1]), tf.int64)
    return _update_where(tf.convert_to_tensor(arr), mask, vals, tf.maximum(tf.cumsum(hits) - 1, 0))


def _is_empty(values: Any) -> bool:
    return bool(tf.convert_to_tensor(values).shape.num_elements() == 0)


def _update_where(x: Any, mask: Any, values: Any, numbers: Any) -> tf.Tensor:
    if hasattr(values, "dtype") and not np.can_cast(_dtype_of(values), x.dtype.as_numpy_dtype, "safe"):
        raise TypeError(f"Cannot cast array data from {values.dtype} to {x.dtype.name} according to the rule 'safe'")
    spread = tf.reshape(_repeated(values, numbers, x.dtype), tf.shape(x))
    return tf.where(tf.reshape(tf.cast(mask, tf.bool), tf.shape(x)), spread, x)


def along_axis_update(arr: Any, indices: Any, values: Any, axis: Any) -> Any:
    """Store values at indices along an axis as np.put_along_axis does, and give arr back."""
    if _is_written(arr, indices, values):
        np.put_along_axis(arr, to_numpy(indices), to_numpy(values), axis)
        return arr
    arr = tf.convert_to_tensor(arr)
    places = indices if is_traced(indices) else np.asarray(to_numpy(indices))
    if axis is None:
        return tf.reshape(index_update(tf.reshape(arr, [-1]), places, values), tf.shape(arr))
    dims = array_dimensions(arr)
    if len(places.shape) != len(dims):
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    grid = [_whole_axis(dim).reshape([-1] + [1] * (len(dims) - 1 - along)) for along, dim in enumerate(dims)]
    grid[axis] = places
    return index_update(arr, tuple(grid), values)
