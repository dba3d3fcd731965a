"""Reductions and scans that skip NaN."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.complex_order import _complex_extreme, _larger, _rank_of_extreme, _smaller
from tnp_rules.forms import helper
from tnp_rules.statistic_arguments import _accumulator_dtype, _nan_positions, may_hold_nan
from tnp_rules.support import _axes_tuple, _flat_if_none, _np_dtype, _raise_where, _reduced_axes, _tensor


@helper("numpy.nanmax")
def nanmax(a: Any, axis: Any = None, keepdims: Any = False, initial: Any = None, where: Any = True) -> tf.Tensor:
    """TensorFlow's maximum does not skip NaN."""
    return _nan_extreme(tf.reduce_max, -math.inf, _tensor(a), axis, keepdims, initial, where)


@helper("numpy.nanmin")
def nanmin(a: Any, axis: Any = None, keepdims: Any = False, initial: Any = None, where: Any = True) -> tf.Tensor:
    """TensorFlow's minimum does not skip NaN."""
    return _nan_extreme(tf.reduce_min, math.inf, _tensor(a), axis, keepdims, initial, where)


def _nan_extreme(
    reduce: Any, worst: Any, a: tf.Tensor, axis: Any, keepdims: Any, initial: Any, where: Any
) -> tf.Tensor:
    if a.dtype.is_bool:  # no kernel compares bool
        start = None if initial is None else np.uint8(bool(initial))
        return tf.cast(_nan_extreme(reduce, worst, tf.cast(a, tf.uint8), axis, keepdims, start, where), tf.bool)
    axes = _reduced_axes(axis, a.shape.rank)
    if initial is None:
        if where is not True:
            raise ValueError("reduction operation does not have an identity, so to use a where mask one has to "
                             "specify 'initial'")  # fmt: skip
        if 0 in [a.shape[i] for i in axes] and a.shape.num_elements() == 0:
            raise ValueError("zero-size array to reduction operation which has no identity")
    else:
        initial = tf.cast(_tensor(initial), a.dtype)
        if where is not True:
            tf.broadcast_static_shape(_tensor(where).shape, a.shape)  # a ValueError, as in NumPy
            a = tf.where(where, a, initial)
    if a.dtype.is_floating:  # most arrays hold no NaN
        result = tf.cond(
            may_hold_nan(a),
            lambda: _reduced_valid(reduce, worst, a, axes, keepdims),
            lambda: reduce(a, axes, keepdims),
        )
    elif a.dtype.is_complex:
        result = _complex_extreme_of_valid(reduce, worst, a, axes, keepdims)
    else:
        result = reduce(a, axes, keepdims)
    if initial is None:
        return result
    start = tf.broadcast_to(initial, tf.shape(result))
    return (_larger if reduce is tf.reduce_max else _smaller)(tf.where(_nan_positions(result), start, result), start)


def _complex_extreme_of_valid(reduce: Any, worst: Any, a: tf.Tensor, axes: Any, keepdims: Any) -> tf.Tensor:
    nan = _nan_positions(a)
    result = _complex_extreme(reduce, tf.where(nan, tf.constant(worst, a.dtype), a), axes, keepdims)
    return tf.where(tf.reduce_all(nan, axes, keepdims), tf.constant(complex(math.nan, math.nan), a.dtype), result)


def _reduced_valid(reduce: Any, worst: Any, a: tf.Tensor, axes: Any, keepdims: Any) -> tf.Tensor:
    """Skip NaN; where there is nothing else the result is NaN."""
    nan = tf.math.is_nan(a)
    result = reduce(tf.where(nan, tf.constant(worst, a.dtype), a), axes, keepdims)
    return tf.where(tf.reduce_all(nan, axes, keepdims), tf.constant(math.nan, a.dtype), result)


@helper("numpy.nanargmax")
def nanargmax(a: Any, axis: Any = None, *, keepdims: Any = False) -> tf.Tensor:
    """`tf.argmax` of a slice with NaN is arbitrary. Traced, an all-NaN slice is an error when the graph runs."""
    return _nan_extreme_index(tf.argmax, -math.inf, _tensor(a), axis, keepdims)


@helper("numpy.nanargmin")
def nanargmin(a: Any, axis: Any = None, *, keepdims: Any = False) -> tf.Tensor:
    """`tf.argmin` of a slice with NaN is arbitrary. Traced, an all-NaN slice is an error when the graph runs."""
    return _nan_extreme_index(tf.argmin, math.inf, _tensor(a), axis, keepdims)


def _nan_extreme_index(search: Any, worst: Any, a: tf.Tensor, axis: Any, keepdims: Any) -> tf.Tensor:
    rank = a.shape.rank
    a = tf.cast(a, tf.uint8) if a.dtype.is_bool else a
    flat, one = _flat_if_none(a, axis)
    if flat.shape[one] == 0:
        raise ValueError("attempt to get an index of an empty sequence")
    if flat.dtype.is_floating:
        nan = _nan_positions(flat)
        _raise_where(tf.reduce_any(tf.reduce_all(nan, one)), ValueError("All-NaN slice encountered"))
        flat = tf.where(nan, tf.constant(worst, flat.dtype), flat)
    elif flat.dtype.is_complex:
        nan = _nan_positions(flat)
        _raise_where(tf.reduce_any(tf.reduce_all(nan, one)), ValueError("All-NaN slice encountered"))
        flat = _rank_of_extreme(search, tf.where(nan, tf.constant(worst, flat.dtype), flat), one)
        search = tf.argmax
    result = search(flat, one)
    if not keepdims:
        return result
    return tf.reshape(result, [1] * rank) if axis is None else tf.expand_dims(result, one)


@helper("numpy.nancumsum")
def nancumsum(a: Any, axis: Any = None, dtype: Any = None) -> tf.Tensor:
    """TensorFlow has no NaN-skipping scan, and its scan does not widen integers."""
    return _nan_scan(tf.cumsum, 0, _tensor(a), axis, dtype)


@helper("numpy.nancumprod")
def nancumprod(a: Any, axis: Any = None, dtype: Any = None) -> tf.Tensor:
    """TensorFlow has no NaN-skipping scan, and its scan does not widen integers."""
    return _nan_scan(tf.math.cumprod, 1, _tensor(a), axis, dtype)


def _nan_scan(scan: Any, neutral: Any, a: tf.Tensor, axis: Any, dtype: Any) -> tf.Tensor:
    if a.dtype.is_floating or a.dtype.is_complex:
        a = tf.where(_nan_positions(a), tf.constant(neutral, a.dtype), a)
    a = tf.cast(a, _accumulator_dtype(a.dtype) if dtype is None else _np_dtype(dtype))
    a = tf.reshape(a, [-1]) if a.shape.rank == 0 else a
    flat, one = _flat_if_none(a, axis)
    return scan(flat, one)


@helper("numpy.nanvar")
def nanvar(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    ddof: Any = 0,
    keepdims: Any = False,
    *,
    where: Any = True,
    mean: Any = None,
    correction: Any = None,
) -> tf.Tensor:
    """TensorFlow's variance does not skip NaN and has no degrees of freedom."""
    a = _tensor(a)
    inexact = a.dtype.is_floating or a.dtype.is_complex
    axes = _reduced_axes(axis, a.shape.rank) if inexact else _axes_tuple(axis, a.shape.rank)
    if correction is not None:
        if ddof != 0:
            raise ValueError("ddof and correction can't be provided simultaneously.")
        ddof = correction
    if dtype is not None and inexact and np.dtype(_np_dtype(dtype)).kind not in "fc":
        raise TypeError("If a is inexact, then dtype must be inexact")
    valid = tf.logical_not(_nan_positions(a)) & where
    x = tf.cast(a, (a.dtype if inexact else tf.float64) if dtype is None else _np_dtype(dtype))
    count = tf.reduce_sum(tf.cast(valid, x.dtype), axes, keepdims=True)
    zero = tf.zeros([], x.dtype)
    if mean is None:
        mean = tf.reduce_sum(tf.where(valid, x, zero), axes, keepdims=True) / count
    deviation = tf.where(valid, x - tf.cast(mean, x.dtype), zero)
    if inexact:  # NumPy stores the deviations, and their squares, in the array's own dtype
        deviation = tf.cast(deviation, a.dtype)
    square = tf.math.real(deviation * tf.math.conj(deviation)) if deviation.dtype.is_complex else tf.square(deviation)
    square = tf.cast(square, x.dtype.real_dtype)
    freedom = tf.math.real(count) - tf.cast(ddof, square.dtype)
    result = tf.reduce_sum(square, axes, keepdims=True) / tf.maximum(freedom, 0)
    if inexact:
        result = tf.where(freedom <= 0, tf.constant(math.nan, result.dtype), result)
    return result if keepdims else tf.squeeze(result, axes)


@helper("numpy.nanstd")
def nanstd(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    ddof: Any = 0,
    keepdims: Any = False,
    *,
    where: Any = True,
    mean: Any = None,
    correction: Any = None,
) -> tf.Tensor:
    """TensorFlow's standard deviation does not skip NaN and has no degrees of freedom."""
    return tf.sqrt(nanvar(a, axis, dtype, ddof, keepdims, where=where, mean=mean, correction=correction))
