"""NumPy's universal functions that write: np.maximum.at, out= with where= and casting=, np.copyto, as functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.complex_order import _larger, _smaller
from tnp_rules.dtype_attributes import cast_tensor, numpy_dtype
from tnp_rules.elementwise_division import divmod
from tnp_rules.index_positions import array_dimensions
from tnp_rules.runtime import has_tensor, to_numpy
from tnp_rules.search import nonzero_mask
from tnp_rules.support import _divide, _floating, _is_exact, _is_python_scalar, _power, _promoted, _tensor
from tnp_rules.updates import _check_broadcast, _without_ones_in_front, getitem, is_traced
from tnp_rules.updates_in_place import _is_written, cast_copied


def copy_update(dst: Any, src: Any, casting: Any = "same_kind", where: Any = True) -> Any:
    """Copy src into dst where a mask is true, as np.copyto does, and give dst back."""
    if _is_written(dst, src, where):
        np.copyto(dst, to_numpy(src), casting=casting, where=to_numpy(where))
        return dst
    x = tf.convert_to_tensor(dst)
    value = cast_copied(src, x.dtype, casting)
    return _where_true(x, _without_ones_in_front(value, x.shape.rank), where)


def ufunc_update(
    x: Any, function: Any, *operands: Any, where: Any = True, casting: Any = "same_kind", dtype: Any = None
) -> Any:
    """Do what np.<function>(*operands, out=x, where=where) does, and give x back.

    Where the mask is false nothing is computed: there the operands are 1, whose derivatives nobody sees either.
    """
    if _is_written(x, operands, where):
        dtype = None if dtype is None else numpy_dtype(dtype)
        _ufunc_of_numpy(function)(*to_numpy(operands), out=x, where=to_numpy(where), casting=casting, dtype=dtype)
        return x
    x = tf.convert_to_tensor(x)
    given = [one if _is_python_scalar(one) else _tensor(one) for one in operands]
    if dtype is not None:
        given = [_operand_as(one, numpy_dtype(dtype), casting) for one in given]
    if where is not True:
        mask = _mask_for(where, x)
        given = [one if _is_python_scalar(one) else tf.where(mask, one, tf.ones_like(one)) for one in given]
    made = tf.convert_to_tensor(function(*_promoted(*given)))
    if dtype is not None and numpy_dtype(made.dtype) != numpy_dtype(dtype):
        raise TypeError(f"No loop matching the specified signature and casting was found for {function.__name__}")
    _check_cast(made.dtype, x.dtype, casting)
    if made.shape.rank > x.shape.rank:
        raise ValueError(f"non-broadcastable output operand with shape {tuple(x.shape)} doesn't match {made.shape}")
    return _where_true(x, cast_tensor(made, x.dtype), where)


def _ufunc_of_numpy(function: Any) -> Any:
    return function if isinstance(function, np.ufunc) else getattr(np, function.__name__)


def _operand_as(value: Any, dtype: Any, casting: Any) -> tf.Tensor:
    if _is_python_scalar(value):
        return tf.constant(np.asarray(value, dtype))
    _check_cast(value.dtype, tf.as_dtype(dtype), casting)
    return cast_tensor(value, tf.as_dtype(dtype))


def _check_cast(given: Any, wanted: Any, casting: Any) -> None:
    if not np.can_cast(given.as_numpy_dtype, wanted.as_numpy_dtype, casting):
        raise TypeError(f"Cannot cast array data from {given.name} to {wanted.name} according to the rule '{casting}'")


def _mask_for(where: Any, x: Any) -> Any:
    """Read a mask: a list is one whatever is in it, an array has to be of bools."""
    mask = where if isinstance(where, (tf.Tensor, tf.Variable)) else np.asarray(where)
    if isinstance(where, (list, tuple, int)) and not has_tensor(where):
        mask = mask.astype(bool)
    mask = tf.convert_to_tensor(mask)
    if not mask.dtype.is_bool:
        raise TypeError(f"Cannot cast array data from {mask.dtype.name} to bool according to the rule 'safe'")
    if mask.shape.rank > x.shape.rank:
        raise ValueError(f"could not broadcast where mask from shape {tuple(mask.shape)} into shape {tuple(x.shape)}")
    tf.broadcast_static_shape(mask.shape, x.shape)  # a ValueError, as in NumPy
    return mask


def _where_true(x: Any, value: Any, where: Any) -> tf.Tensor:
    """Take the value where the mask is true, else what x has."""
    _check_broadcast(value.shape, array_dimensions(x))
    spread = value if value.shape == x.shape and x.shape.is_fully_defined() else tf.broadcast_to(value, tf.shape(x))
    return spread if where is True else tf.where(_mask_for(where, x), spread, x)


def add_at(x: Any, index: Any, value: Any) -> Any:
    """Add at each position as often as it occurs, as np.add.at does, and give x back."""
    if _is_written(x, index, value) or _truncates_each_time(x, value):
        return ufunc_at(x, tnp.add, index, value)
    x = tf.convert_to_tensor(x)
    flat, values = _picked_positions(x, index, value)
    return tf.reshape(tf.tensor_scatter_nd_add(tf.reshape(x, [-1]), flat, values), array_dimensions(x))


def subtract_at(x: Any, index: Any, value: Any) -> Any:
    """Subtract at each position as often as it occurs, as np.subtract.at does, and give x back."""
    if _is_written(x, index, value) or _truncates_each_time(x, value):
        return ufunc_at(x, tnp.subtract, index, value)
    x = tf.convert_to_tensor(x)
    flat, values = _picked_positions(x, index, value)
    return tf.reshape(tf.tensor_scatter_nd_sub(tf.reshape(x, [-1]), flat, values), array_dimensions(x))


def _truncates_each_time(x: Any, value: Any) -> bool:
    """Say whether NumPy rounds after every single addition, which a sum of all of them would not."""
    given, wanted = [tf.convert_to_tensor(one).dtype.as_numpy_dtype for one in (value, x)]
    return not np.can_cast(given, wanted, "same_kind")


def _picked_positions(x: Any, index: Any, value: Any) -> Any:
    """Number the elements that an index picks, and spread the value over them."""
    numbers = tf.reshape(tf.range(tf.size(x, tf.int64)), tf.shape(x))
    picked = getitem(numbers, index)
    spread = tf.broadcast_to(tf.cast(tf.convert_to_tensor(value), x.dtype), tf.shape(picked))
    return tf.reshape(picked, [-1, 1]), tf.reshape(spread, [-1])


def ufunc_at(x: Any, function: Any, index: Any, *operand: Any) -> Any:
    """Do what np.<function>.at(x, index, operand) does, at each position as often as it occurs, and give x back."""
    if _is_written(x, index, operand):
        _ufunc_of_numpy(function).at(x, to_numpy(index), *to_numpy(operand))
        return x
    x = tf.convert_to_tensor(x)
    known = x.shape.is_fully_defined() and not is_traced(index)
    numbers = np.arange(x.shape.num_elements()).reshape(tuple(x.shape)) if known else tf.range(tf.size(x, tf.int64))
    picked = numbers[to_numpy(index)] if known else getitem(tf.reshape(numbers, tf.shape(x)), index)
    shape = np.shape(picked) if known else array_dimensions(picked)
    values = [_spread_operand(one, shape) for one in operand]
    places, flat = np.reshape(picked, -1) if known else tf.reshape(picked, [-1]), tf.reshape(x, [-1])
    if function.__name__ in {"maximum", "minimum"} and _extreme_is_exact(x, values):
        changed = _extremes_at(flat, places, values[0], function.__name__)
    else:
        changed = (_in_turns if known else _in_traced_turns)(function, flat, places, values)
    return tf.reshape(changed, tf.shape(x))


def _spread_operand(operand: Any, shape: Any) -> tf.Tensor:
    """Give each picked element its operand; a Python number is an array here, as np.add.at has it."""
    value = _tensor(operand)
    _check_broadcast(value.shape, shape)
    return tf.reshape(tf.broadcast_to(value, shape), [-1])


def _changed_elements(function: Any, elements: Any, values: Any) -> tf.Tensor:
    """Compute in the common dtype and store in the array's, whatever is lost: `at` checks no cast."""
    given = _promoted(elements, *values)
    if function.__name__.startswith("logical_"):
        given = [nonzero_mask(one) for one in given]
    function = _AS_NUMPY_HAS_IT.get(function.__name__, function)
    made = tf.convert_to_tensor(function(*given))
    if made.dtype.is_floating and _is_exact(given[0]) and len(given) == 1:  # tnp computes small integers in float64
        made = function(_floating(given[0]))
    return cast_tensor(made, elements.dtype)


def _remainder(x1: Any, x2: Any) -> tf.Tensor:
    return divmod(x1, x2)[1]


_AS_NUMPY_HAS_IT = {
    **dict.fromkeys(("mod", "remainder"), _remainder),
    **dict.fromkeys(("divide", "true_divide"), _divide),
    "maximum": _larger,
    "minimum": _smaller,
    "power": _power,
}


def _in_turns(function: Any, flat: Any, places: Any, values: Any) -> tf.Tensor:
    """Change elements in rounds: the first occurrence of each position, then the second, until there are no more."""
    touched, slots = np.unique(places, return_inverse=True)
    turns = _turns_of(slots)
    elements = tf.gather(flat, touched)
    in_order = np.split(np.argsort(turns, kind="stable"), np.cumsum(np.bincount(turns))[:-1])
    for rows in in_order:  # of nothing too, for its dtypes
        given = [tf.gather(one, rows) for one in values]
        made = _changed_elements(function, tf.gather(elements, slots[rows]), given)
        elements = tf.tensor_scatter_nd_update(elements, slots[rows][:, None], made)
    return tf.tensor_scatter_nd_update(flat, touched[:, None], elements)


def _turns_of(places: Any) -> Any:
    """Number the occurrences of each position: 0 for its first, 1 for its second."""
    order = np.argsort(places, kind="stable")
    ordered = places[order]
    turns = np.empty(len(places), np.int64)
    turns[order] = np.arange(len(places)) - np.searchsorted(ordered, ordered)
    return turns


def _in_traced_turns(function: Any, flat: Any, places: Any, values: Any) -> tf.Tensor:
    """Do the same for positions that only the run knows: rows that have no turn change a spare element."""
    count, size = tf.size(places, tf.int64), tf.size(flat, tf.int64)
    order = tf.argsort(places, stable=True)
    ordered = tf.gather(places, order)
    first = tf.searchsorted(ordered, ordered, out_type=tf.int64)
    turns = tf.scatter_nd(tf.cast(order, tf.int64)[:, None], tf.range(count) - first, count[None])

    def change(turn: Any, elements: Any) -> Any:
        slots = tf.where(turns == turn, places, size)
        made = _changed_elements(function, tf.gather(elements, slots), values)
        return turn + 1, tf.tensor_scatter_nd_update(elements, slots[:, None], made)

    rounds = tf.reduce_max(tf.concat([turns, [-1]], 0)) + 1
    spare = tf.concat([flat, tf.ones([1], flat.dtype)], 0)
    _, changed = tf.while_loop(lambda turn, _: turn < rounds, change, (tf.constant(0, tf.int64), spare))
    return changed[:-1]


def _extreme_is_exact(x: Any, values: Any) -> bool:
    """Say whether the order in which maxima are taken, and casting before it, make no difference."""
    kinds = np.dtype(x.dtype.as_numpy_dtype).kind
    return kinds in "iuf" and len(values) == 1 and np.can_cast(values[0].dtype.as_numpy_dtype, x.dtype.as_numpy_dtype)


def _extremes_at(flat: Any, places: Any, values: Any, name: Any) -> tf.Tensor:
    """Take maxima or minima in one scatter, which leaves out NaNs: they are put where NumPy has them."""
    scatter = tf.tensor_scatter_nd_max if name == "maximum" else tf.tensor_scatter_nd_min
    places, values = places[:, None], tf.cast(values, flat.dtype)
    if not flat.dtype.is_floating:
        return scatter(flat, places, values)
    lost = tf.math.is_nan(values)
    worst = tf.constant(-np.inf if name == "maximum" else np.inf, flat.dtype)
    found = scatter(flat, places, tf.where(lost, worst, values))
    spoilt = tf.tensor_scatter_nd_max(tf.cast(tf.math.is_nan(flat), tf.int32), places, tf.cast(lost, tf.int32))
    return tf.where(spoilt > 0, tf.constant(np.nan, flat.dtype), found)
