"""Methods of universal functions, which tnp functions do not have. `at` mutates, so it is not a rule."""

from __future__ import annotations

import math
from typing import Any

import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.complex_order import _larger, _smaller
from tnp_rules.forms import helper, inline
from tnp_rules.reductions import max, min
from tnp_rules.reductions_running import _widened, cumprod, cumsum
from tnp_rules.search import nonzero_mask
from tnp_rules.support import _axis_index, _raise_where, _reduced_axes, _tensor


@inline("numpy.add.reduce")
def add_reduce(array: Any, axis: Any = 0, dtype: Any = None, keepdims: Any = False) -> tf.Tensor:
    """The reduction has a name of its own."""
    return tnp.sum(array, axis=axis, dtype=dtype, keepdims=keepdims)


@inline("numpy.multiply.reduce")
def multiply_reduce(array: Any, axis: Any = 0, dtype: Any = None, keepdims: Any = False) -> tf.Tensor:
    """The reduction has a name of its own."""
    return tnp.prod(array, axis=axis, dtype=dtype, keepdims=keepdims)


@helper("numpy.maximum.reduce")
def maximum_reduce(array: Any, axis: Any = 0, *, keepdims: Any = False, initial: Any = None) -> tf.Tensor:
    """The reduction has a name of its own, and of nothing it is an error."""
    return max(array, axis=axis, keepdims=keepdims, initial=initial)


@helper("numpy.minimum.reduce")
def minimum_reduce(array: Any, axis: Any = 0, *, keepdims: Any = False, initial: Any = None) -> tf.Tensor:
    """The reduction has a name of its own, and of nothing it is an error."""
    return min(array, axis=axis, keepdims=keepdims, initial=initial)


@inline("numpy.logical_and.reduce")
def logical_and_reduce(array: Any, axis: Any = 0, keepdims: Any = False) -> tf.Tensor:
    """The reduction has a name of its own."""
    return tnp.all(array, axis=axis, keepdims=keepdims)


@inline("numpy.logical_or.reduce")
def logical_or_reduce(array: Any, axis: Any = 0, keepdims: Any = False) -> tf.Tensor:
    """The reduction has a name of its own."""
    return tnp.any(array, axis=axis, keepdims=keepdims)


@helper("numpy.logical_xor.reduce")
def logical_xor_reduce(array: Any, axis: Any = 0, keepdims: Any = False) -> tf.Tensor:
    """True where an odd number of elements is."""
    x = nonzero_mask(_tensor(array))
    odd = tf.math.floormod(tf.math.count_nonzero(x, _reduced_axes(axis, x.shape.rank), keepdims), 2)
    return odd == 1


@helper("numpy.bitwise_and.reduce")
def bitwise_and_reduce(array: Any, axis: Any = 0, keepdims: Any = False) -> tf.Tensor:
    """TensorFlow combines two tensors at a time."""
    return _fold_bits(_combine_and, array, axis, keepdims, of_nothing=-1)


@helper("numpy.bitwise_or.reduce")
def bitwise_or_reduce(array: Any, axis: Any = 0, keepdims: Any = False) -> tf.Tensor:
    """TensorFlow combines two tensors at a time."""
    return _fold_bits(_combine_or, array, axis, keepdims, of_nothing=0)


@helper("numpy.bitwise_xor.reduce")
def bitwise_xor_reduce(array: Any, axis: Any = 0, keepdims: Any = False) -> tf.Tensor:
    """TensorFlow combines two tensors at a time."""
    return _fold_bits(_combine_xor, array, axis, keepdims, of_nothing=0)


def _combine_and(a: tf.Tensor, b: tf.Tensor) -> tf.Tensor:
    return tf.logical_and(a, b) if a.dtype.is_bool else tf.bitwise.bitwise_and(a, b)


def _combine_or(a: tf.Tensor, b: tf.Tensor) -> tf.Tensor:
    return tf.logical_or(a, b) if a.dtype.is_bool else tf.bitwise.bitwise_or(a, b)


def _combine_xor(a: tf.Tensor, b: tf.Tensor) -> tf.Tensor:
    return tf.math.logical_xor(a, b) if a.dtype.is_bool else tf.bitwise.bitwise_xor(a, b)


def _fold_bits(combine: Any, array: Any, axis: Any, keepdims: Any, of_nothing: Any = None) -> tf.Tensor:
    """Fold halves onto each other: log2(n) steps instead of n."""
    x = _tensor(array)
    axes = _reduced_axes(axis, x.shape.rank)
    for one in axes:
        if x.shape[one] == 0:
            if of_nothing is None:
                raise ValueError("zero-size array to reduction operation which has no identity")
            sizes = tf.unstack(tf.shape(x))
            x = tf.fill([*sizes[:one], 1, *sizes[one + 1 :]], tf.cast(of_nothing, x.dtype))
        while x.shape[one] > 1:
            half = x.shape[one] // 2
            first, second, rest = tf.split(x, [half, half, x.shape[one] % 2], one)
            x = tf.concat([combine(first, second), rest], one)
    return x if keepdims else tf.squeeze(x, axes)


@helper("numpy.add.accumulate")
def add_accumulate(array: Any, axis: Any = 0, dtype: Any = None) -> tf.Tensor:
    """The running sum has a name of its own."""
    return cumsum(array, axis, dtype)


@helper("numpy.multiply.accumulate")
def multiply_accumulate(array: Any, axis: Any = 0, dtype: Any = None) -> tf.Tensor:
    """The running product has a name of its own."""
    return cumprod(array, axis, dtype)


@helper("numpy.maximum.accumulate")
def maximum_accumulate(array: Any, axis: Any = 0) -> tf.Tensor:
    """TensorFlow has no running maximum."""
    return _running(_larger, array, axis)


@helper("numpy.minimum.accumulate")
def minimum_accumulate(array: Any, axis: Any = 0) -> tf.Tensor:
    """TensorFlow has no running minimum."""
    return _running(_smaller, array, axis)


@helper("numpy.logical_and.accumulate")
def logical_and_accumulate(array: Any, axis: Any = 0) -> tf.Tensor:
    """TensorFlow has no running `and`."""
    return _running(tf.logical_and, nonzero_mask(_tensor(array)), axis)


@helper("numpy.logical_or.accumulate")
def logical_or_accumulate(array: Any, axis: Any = 0) -> tf.Tensor:
    """TensorFlow has no running `or`."""
    return _running(tf.logical_or, nonzero_mask(_tensor(array)), axis)


def _running(combine: Any, array: Any, axis: Any) -> tf.Tensor:
    """Combine with what lies 1, 2, 4 ... before: log2(n) steps, for operations where overlap does not matter."""
    x = _tensor(array)
    along = _axis_index(axis, x.shape.rank)
    size, step = x.shape[along], 1
    while step < size:
        head, tail = tf.split(x, [step, size - step], along)
        before, _ = tf.split(x, [size - step, step], along)
        x = tf.concat([head, combine(tail, before)], along)
        step *= 2
    return x


@helper("numpy.add.reduceat")
def add_reduceat(array: Any, indices: Any, axis: Any = 0, dtype: Any = None) -> tf.Tensor:
    """Sums between neighbouring indices; where the next is not greater, the element itself."""
    x = _widened(_tensor(array), dtype)
    return _between_indices(tf.math.segment_sum, x, indices, axis)


@helper("numpy.multiply.reduceat")
def multiply_reduceat(array: Any, indices: Any, axis: Any = 0, dtype: Any = None) -> tf.Tensor:
    """Products between neighbouring indices; where the next is not greater, the element itself."""
    x = _widened(_tensor(array), dtype)
    return _between_indices(tf.math.segment_prod, x, indices, axis)


@helper("numpy.maximum.reduceat")
def maximum_reduceat(array: Any, indices: Any, axis: Any = 0) -> tf.Tensor:
    """Maxima between neighbouring indices; where the next is not greater, the element itself."""
    return _extremes_between(tf.math.segment_max, _tensor(array), indices, axis)


@helper("numpy.minimum.reduceat")
def minimum_reduceat(array: Any, indices: Any, axis: Any = 0) -> tf.Tensor:
    """Minima between neighbouring indices; where the next is not greater, the element itself."""
    return _extremes_between(tf.math.segment_min, _tensor(array), indices, axis)


def _extremes_between(reduce: Any, x: tf.Tensor, indices: Any, axis: Any) -> tf.Tensor:
    """Take bools for the numbers 0 and 1, and let NaN win, as TensorFlow does not."""
    if not x.dtype.is_floating:
        found = _between_indices(reduce, tf.cast(x, tf.uint8) if x.dtype.is_bool else x, indices, axis)
        return tf.cast(found, x.dtype)
    nan = tf.math.is_nan(x)
    spoilt = _between_indices(tf.math.segment_max, tf.cast(nan, tf.int32), indices, axis) > 0
    worst = tf.constant(-math.inf if reduce is tf.math.segment_max else math.inf, x.dtype)
    found = _between_indices(reduce, tf.where(nan, worst, x), indices, axis)
    return tf.where(spoilt, tf.constant(math.nan, x.dtype), found)


def _between_indices(reduce: Any, x: tf.Tensor, indices: Any, axis: Any) -> tf.Tensor:
    """Reduce the runs that start at the indices as segments."""
    along = _axis_index(axis, x.shape.rank)
    starts = tf.cast(_tensor(indices), tf.int64)
    size = tf.shape(x, tf.int64)[along]
    _raise_where((starts < 0) | (starts >= size), IndexError(f"index out-of-bounds in reduceat [0, {x.shape[along]})"))
    stops = tf.maximum(tf.concat([starts[1:], [size]], 0), starts + 1)
    runs = tf.ragged.range(starts, stops)
    rows = tnp.moveaxis(x, along, 0)
    return tnp.moveaxis(reduce(tf.gather(rows, runs.flat_values), runs.value_rowids()), 0, along)
