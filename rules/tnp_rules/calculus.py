"""Differences and interpolation."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.statistic_arguments import _inexact_dtype
from tnp_rules.support import _axes_tuple, _np_dtype, _promoted, _tensor

_NO_BOOL_SUBTRACT = "numpy boolean subtract, the `-` operator, is not supported"


@helper("numpy.ediff1d")
def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> tf.Tensor:
    """TensorFlow has no difference with ends."""
    ary = tf.reshape(_tensor(ary), [-1])
    if ary.dtype.is_bool:
        raise TypeError(_NO_BOOL_SUBTRACT)
    ends = []
    for name, given in (("to_begin", to_begin), ("to_end", to_end)):
        if given is None:
            ends.append(ary[:0])
            continue
        end = _tensor(given)
        if not np.can_cast(_np_dtype(end.dtype), _np_dtype(ary.dtype), "same_kind"):
            raise TypeError(f"dtype of `{name}` must be compatible with input `ary` under the `same_kind` rule.")
        ends.append(tf.cast(tf.reshape(end, [-1]), ary.dtype))
    steps = ary[1:] - ary[:-1]
    return steps if to_begin is None and to_end is None else tf.concat([ends[0], steps, ends[1]], 0)


@helper("numpy.gradient")
def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: Any = 1) -> Any:
    """TensorFlow has no finite differences; NumPy gives a tuple where there is more than one axis."""
    f = _tensor(f)
    axes = _axes_tuple(axis, f.shape.rank)
    if f.dtype.is_bool:
        raise TypeError(_NO_BOOL_SUBTRACT)
    if edge_order > 2:
        raise ValueError("'edge_order' greater than 2 not supported")
    out_dtype = _inexact_dtype(f.dtype)
    f = tf.cast(f, out_dtype)
    spacings = _spacings(varargs, f, axes)
    results = []
    for one, spacing in zip(axes, spacings, strict=True):
        if f.shape[one] is not None and f.shape[one] < edge_order + 1:
            raise ValueError("Shape of array too small to calculate a numerical gradient, "
                             "at least (edge_order + 1) elements are required.")  # fmt: skip
        values, h = _promoted(f, spacing)
        slope = _slopes(values, h, edge_order) if one == 0 else _slopes_along(one, values, h, edge_order)
        results.append(tf.cast(slope, out_dtype))
    return results[0] if len(results) == 1 else tuple(results)


def _spacing(one: Any) -> Any:
    return one if isinstance(one, (int, float)) else _tensor(one)


def _spacings(given: Any, f: tf.Tensor, axes: Any) -> list[Any]:
    """Return the distances along each axis: one number, or one for each interval."""
    if not given:
        return [1.0] * len(axes)
    if len(given) == 1 and _tensor(given[0]).shape.rank == 0:
        given = given * len(axes)
    if len(given) != len(axes):
        raise TypeError("invalid number of arguments")
    spacings: list[Any] = []
    for one, axis in zip(given, axes, strict=True):
        points = _spacing(one)
        if tf.is_tensor(points) and points.shape.rank == 1:
            if not points.shape.is_compatible_with(f.shape[axis : axis + 1]):
                raise ValueError("when 1d, distances must match the length of the corresponding dimension")
            points = tf.cast(points, _inexact_dtype(points.dtype))
            points = points[1:] - points[:-1]
        elif tf.is_tensor(points) and points.shape.rank > 1:
            raise ValueError("distances must be either scalars or 1d")
        spacings.append(points)
    return spacings


def _slopes_along(axis: int, f: tf.Tensor, h: tf.Tensor, edge_order: Any) -> tf.Tensor:
    order = [axis] + [i for i in range(f.shape.rank) if i != axis]
    slope = _slopes(tf.transpose(f, order), h, edge_order)
    return tf.transpose(slope, [order.index(i) for i in range(len(order))])


def _slopes(f: tf.Tensor, h: tf.Tensor, edge_order: Any) -> tf.Tensor:
    """Take differences along the first axis: central inside, one-sided at the ends."""
    if h.shape.rank == 0:
        inside = (f[2:] - f[:-2]) / (2.0 * h)
        h = tf.fill([2], h)  # the first two and the last two are asked for
    else:
        column = tf.reshape(h, [-1] + [1] * (f.shape.rank - 1))
        left, right = column[:-1], column[1:]
        inside = (
            -right / (left * (left + right)) * f[:-2]
            + (right - left) / (left * right) * f[1:-1]
            + left / (right * (left + right)) * f[2:]
        )
    if edge_order == 1:
        first = (f[1:2] - f[:1]) / h[0]
        last = (f[-1:] - f[-2:-1]) / h[-1]
    else:
        first = _parabola_slope(f[:1], f[1:2], f[2:3], h[0], h[1])
        last = -_parabola_slope(f[-1:], f[-2:-1], f[-3:-2], h[-1], h[-2])
    return tf.concat([first, inside, last], 0)


def _parabola_slope(f0: tf.Tensor, f1: tf.Tensor, f2: tf.Tensor, h1: tf.Tensor, h2: tf.Tensor) -> tf.Tensor:
    """Return the slope at the first of three points whose distances are `h1` and `h2`."""
    return -(2.0 * h1 + h2) / (h1 * (h1 + h2)) * f0 + (h1 + h2) / (h1 * h2) * f1 - h1 / (h2 * (h1 + h2)) * f2
