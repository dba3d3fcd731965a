"""Where an operation in a graph goes on and NumPy raises, or gives something else: a tensor that is true there.

Under XLA and on a GPU places out of range are clipped or left out, the inverse of a singular matrix is made of rounding
errors, maxima and minima leave NaN out, and floats that an integer cannot hold become the nearest that it can. A kernel
of a CPU raises for a place out of range, but not where nothing needs what it gives.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.compiled_inside import is_on_cpu_alone, tensorflow_inside


def _out_of_range(places: Any, sizes: Any) -> Any:
    """Say whether places, whose last axis goes with the sizes, are outside; False where it is known that none is."""
    known, bounds = tf.get_static_value(places), tf.get_static_value(sizes)
    if known is not None and bounds is not None:
        return bool(np.any((known < 0) | (known >= bounds)))
    sizes = tf.cast(sizes, places.dtype)
    return tf.reduce_any((places < 0) | (places >= sizes))


def _sizes_of(array: Any) -> Any:
    return array.shape.as_list() if array.shape.is_fully_defined() else tf.unstack(tf.shape(array, tf.int64))


def _gathered(operation: Any) -> Any:
    array, places, axis = operation.inputs
    along = tf.get_static_value(axis)
    return _out_of_range(places, _sizes_of(array)[int(along)])


def _at_rows(operation: Any) -> Any:
    array, rows, *_ = operation.inputs
    return _out_of_range(rows, tf.stack(_sizes_of(array)[: rows.shape[-1]]))


def _scattered(operation: Any) -> Any:
    rows, _, shape = operation.inputs
    return _out_of_range(rows, shape[: rows.shape[-1]])


def _nearly_singular(operation: Any) -> Any:
    """NumPy raises for a pivot that is zero; by rotations it comes out as some rounding units of the largest.

    XLA's own inverse is made of the same rotations, and they are computed once.
    """
    matrix = operation.inputs[0]
    pivots = tf.abs(tf.linalg.diag_part(tf.linalg.qr(tf.stop_gradient(matrix)).r))
    units = 10 * matrix.shape[-1] * float(np.finfo(pivots.dtype.as_numpy_dtype).eps)
    return tf.reduce_any(tf.reduce_min(pivots, -1) <= units * tf.reduce_max(pivots, -1))


def _negative_power(operation: Any) -> Any:
    number, power = operation.inputs
    return _out_of_range(power, [power.dtype.max]) if number.dtype.is_integer else False


def _keep_nan(operation: Any) -> Any:
    """Have both operands be NaN where one is, which no way of comparing them leaves out; of unlike ones say it."""
    one, other = operation.inputs
    if one.dtype.is_floating and one.shape != other.shape:
        unknown = [each for each in (one, other) if tf.get_static_value(each) is None]
        return tf.reduce_any(tf.stack([tf.reduce_any(tf.math.is_nan(each)) for each in unknown] or [False]))
    if one.dtype.is_floating:
        one = tf.where(tf.math.is_nan(other), other, one)
        tensorflow_inside().read_other(operation, one, 0)
        tensorflow_inside().read_other(operation, tf.where(tf.math.is_nan(one), one, other), 1)
    return False


def _of_none(operation: Any) -> Any:
    """Numbers of which there may be none have no extreme, and NumPy raises."""
    values = operation.inputs[0]
    return False if values.shape.is_fully_defined() else tf.equal(tf.size(values), 0)


def _lost_nan(extreme: float, operation: Any) -> Any:
    """Put the extreme in the place of NaN: then a result that is not the extreme has left none out."""
    values, none = operation.inputs[0], _of_none(operation)
    if not values.dtype.is_floating:
        return none
    tensorflow_inside().read_other(
        operation, tf.where(tf.math.is_nan(values), tf.cast(extreme, values.dtype), values), 0
    )
    return tf.reduce_any(operation.outputs[0] == tf.cast(extreme, values.dtype)) | none


def _does_not_fit(operation: Any) -> Any:
    """NumPy, which warns, gives what the processor does there."""
    (value,), made = operation.inputs, operation.outputs[0].dtype
    if not value.dtype.is_floating or not made.is_integer:
        return False
    low, high = float(made.min) - 1, float(made.max) + 1
    return ~tf.reduce_all((value > tf.constant(low, value.dtype)) & (value < tf.constant(high, value.dtype)))


def _outside_of_axis(operation: Any) -> Any:
    """Look at single places of axes whose sizes only the run knows."""
    values, begin = operation.inputs[:2]
    places, mask = tf.get_static_value(begin), operation.get_attr("shrink_axis_mask")
    shifted = operation.get_attr("ellipsis_mask") or operation.get_attr("new_axis_mask")
    if values.shape.is_fully_defined() or places is None or shifted:
        return False
    sizes = tf.shape(values, tf.int64)
    found = [(sizes[axis], int(one)) for axis, one in enumerate(places) if mask >> axis & 1]
    return tf.reduce_any(tf.stack([(one >= size) | (one < -size) for size, one in found])) if found else False


def faults_of(form: str) -> dict[str, Any]:
    """Give what is to be looked at in a graph of a form, by operation."""
    return UNDER_XLA if form == "xla" or not is_on_cpu_alone() else IN_GRAPHS


IN_GRAPHS: dict[str, Any] = {
    "GatherV2": _gathered,
    "GatherNd": _at_rows,
    "ScatterNd": _scattered,
    **dict.fromkeys([f"TensorScatter{one}" for one in ("Update", "Add", "Sub", "Max", "Min")], _at_rows),
    "Pow": _negative_power,
    "StridedSlice": _outside_of_axis,
    **dict.fromkeys(["Max", "Min", "ArgMax", "ArgMin"], _of_none),
}
UNDER_XLA: dict[str, Any] = {
    **IN_GRAPHS,
    "MatrixInverse": _nearly_singular,
    "MatrixSolve": _nearly_singular,
    "Maximum": _keep_nan,
    "Minimum": _keep_nan,
    "Max": functools.partial(_lost_nan, np.inf),
    "Min": functools.partial(_lost_nan, -np.inf),
    "Cast": _does_not_fit,
}
