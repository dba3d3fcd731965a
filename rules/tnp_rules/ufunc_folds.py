"""Reductions and running values of universal functions that TensorFlow has for two operands only."""

from __future__ import annotations

import functools
import math
from typing import Any

import tensorflow as tf

from tnp_rules.elementwise_division import fmax, fmin
from tnp_rules.elementwise_divisors import gcd, lcm, magnitude
from tnp_rules.elementwise_floats import hypot
from tnp_rules.forms import helper
from tnp_rules.support import _axis_index, _floating, _reduced_axes, _tensor
from tnp_rules.ufunc_methods import _fold_bits, _running


@helper("numpy.logaddexp.reduce")
def logaddexp_reduce(array: Any, axis: Any = 0, keepdims: Any = False) -> tf.Tensor:
    """The reduction has a name of its own in TensorFlow."""
    x = _floating(_tensor(array))
    return tf.reduce_logsumexp(x, _reduced_axes(axis, x.shape.rank), keepdims)


@helper("numpy.logaddexp.accumulate")
def logaddexp_accumulate(array: Any, axis: Any = 0) -> tf.Tensor:
    """The running sum has a name of its own in TensorFlow, where it leaves NaN out."""
    x = _floating(_tensor(array))
    along = _axis_index(axis, x.shape.rank)
    bad = tf.cumsum(tf.cast(tf.math.is_nan(x), tf.int32), along) > 0
    return tf.where(bad, tf.constant(math.nan, x.dtype), tf.math.cumulative_logsumexp(x, along))


@helper("numpy.hypot.reduce")
def hypot_reduce(array: Any, axis: Any = 0, keepdims: Any = False) -> tf.Tensor:
    """TensorFlow combines two tensors at a time."""
    return _fold_bits(hypot, tf.abs(_floating(_tensor(array))), axis, keepdims, of_nothing=0)


@helper("numpy.gcd.reduce")
def gcd_reduce(array: Any, axis: Any = 0, keepdims: Any = False) -> tf.Tensor:
    """TensorFlow combines two tensors at a time."""
    return _fold_bits(gcd, magnitude(_tensor(array)), axis, keepdims, of_nothing=0)


@helper("numpy.lcm.reduce")
def lcm_reduce(array: Any, axis: Any = 0, keepdims: Any = False) -> tf.Tensor:
    """TensorFlow combines two tensors at a time."""
    x = _tensor(array)
    axes = _reduced_axes(axis, x.shape.rank)
    if len(axes) > 1:
        raise ValueError("reduction operation 'lcm' is not reorderable, so at most one axis may be specified")
    for one in axes:  # in NumPy's order, for overflows; a lone element stays as it is, its sign as well
        if x.shape[one] == 0:
            raise ValueError("zero-size array to reduction operation lcm which has no identity")
        x = tf.expand_dims(functools.reduce(lcm, tf.unstack(x, axis=one)), one)
    return x if keepdims else tf.squeeze(x, axes)


@helper("numpy.fmax.reduce")
def fmax_reduce(array: Any, axis: Any = 0, keepdims: Any = False) -> tf.Tensor:
    """TensorFlow combines two tensors at a time, and its maximum does not ignore NaN."""
    return _fold_bits(fmax, array, axis, keepdims)


@helper("numpy.fmin.reduce")
def fmin_reduce(array: Any, axis: Any = 0, keepdims: Any = False) -> tf.Tensor:
    """TensorFlow combines two tensors at a time, and its minimum does not ignore NaN."""
    return _fold_bits(fmin, array, axis, keepdims)


@helper("numpy.fmax.accumulate")
def fmax_accumulate(array: Any, axis: Any = 0) -> tf.Tensor:
    """TensorFlow has no running maximum."""
    return _running(fmax, array, axis)


@helper("numpy.fmin.accumulate")
def fmin_accumulate(array: Any, axis: Any = 0) -> tf.Tensor:
    """TensorFlow has no running minimum."""
    return _running(fmin, array, axis)
