"""Order: NumPy puts NaN last when it sorts, and takes it for the largest and the smallest value."""

from __future__ import annotations

import math
from typing import Any

import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.complex_order import _rank_of_extreme
from tnp_rules.forms import helper
from tnp_rules.sorting import order_keys, stable_order
from tnp_rules.statistic_arguments import may_hold_nan
from tnp_rules.support import _flat_if_none, _tensor


@helper("numpy.argmax")
def argmax(a: Any, axis: Any = None, *, keepdims: Any = False) -> tf.Tensor:
    """tnp.argmax skips NaN; NumPy returns the first one."""
    return _position(tf.math.argmax, a, axis, keepdims)


@helper("numpy.argmin")
def argmin(a: Any, axis: Any = None, *, keepdims: Any = False) -> tf.Tensor:
    """tnp.argmin skips NaN; NumPy returns the first one."""
    return _position(tf.math.argmin, a, axis, keepdims)


def _position(search: Any, a: Any, axis: Any, keepdims: Any) -> tf.Tensor:
    a = _tensor(a)
    x, along = _flat_if_none(a, axis)
    if x.shape[along] == 0:
        raise ValueError("attempt to get the position of an extreme value in an empty sequence")
    if x.dtype.is_bool:
        x = tf.cast(x, tf.uint8)
    if x.dtype.is_complex:
        x, search = _rank_of_extreme(search, x, along), tf.math.argmax
    found = search(x, along)
    if x.dtype.is_floating:
        found = tf.cond(may_hold_nan(x), lambda: _first_nan_or(found, x, along), lambda: found)
    if not keepdims:
        return found
    return tf.reshape(found, [1] * a.shape.rank) if axis is None else tf.expand_dims(found, along)


def _first_nan_or(found: tf.Tensor, x: tf.Tensor, along: int) -> tf.Tensor:
    bad = tf.math.is_nan(x)
    return tf.where(tf.reduce_any(bad, along), tf.math.argmax(tf.cast(bad, tf.uint8), along), found)


@helper("numpy.sort")
def sort(a: Any, axis: Any = -1, kind: Any = None, *, stable: Any = None) -> tf.Tensor:
    """tnp.sort leaves a leading NaN first, and takes neither bools nor any `kind` but quicksort."""
    _check_kind(kind, stable)
    x, along = _flat_if_none(_tensor(a), axis)
    if x.dtype.is_bool:
        return tf.cast(tf.sort(tf.cast(x, tf.uint8), along), tf.bool)
    if x.dtype.is_complex:
        return tnp.take_along_axis(x, argsort(x, along), along)
    if not x.dtype.is_floating:
        return tf.sort(x, along)
    bad = tf.math.is_nan(x)
    ordered = tf.sort(tf.where(bad, tf.constant(math.inf, x.dtype), x), along)
    last = tf.sort(tf.cast(bad, tf.uint8), along) == 1
    return tf.where(last, tf.constant(math.nan, x.dtype), ordered)


@helper("numpy.argsort")
def argsort(a: Any, axis: Any = -1, kind: Any = None, *, stable: Any = None) -> tf.Tensor:
    """tnp.argsort leaves a leading NaN first, and takes no `kind` but quicksort and stable."""
    _check_kind(kind, stable)
    x, along = _flat_if_none(_tensor(a), axis)
    if x.dtype.is_complex:
        return tnp.moveaxis(stable_order(order_keys(tnp.moveaxis(x, along, -1))), -1, along)
    return tf.cast(tf.argsort(_order_as_integer(x), along, stable=True), tf.int64)


def _order_as_integer(x: tf.Tensor) -> tf.Tensor:
    """Map floats to integers of the same order, the two zeros together and NaN after infinity."""
    if x.dtype.is_bool:
        return tf.cast(x, tf.uint8)
    if not x.dtype.is_floating:
        return x
    if x.dtype.size == 2:
        x = tf.cast(x, tf.float32)
    integer = tf.int32 if x.dtype.size == 4 else tf.int64
    x = tf.where(tf.math.is_nan(x), tf.constant(math.nan, x.dtype), x)
    bits = tf.bitcast(tf.where(x == 0, tf.zeros_like(x), x), integer)
    return tf.where(bits < 0, tf.bitwise.bitwise_xor(bits, tf.constant(integer.max, integer)), bits)


def _check_kind(kind: Any, stable: Any) -> None:
    """All kinds are served by TensorFlow's sort, which is stable; NumPy looks at their first letter."""
    if kind is not None and kind[:1].lower() not in ("q", "m", "h", "s"):
        raise ValueError(f"sort kind must be one of 'quick', 'heap', or 'stable' (got {kind!r})")
    if kind is not None and stable is not None:
        raise ValueError("`kind` and `stable` parameters can't be provided at the same time.")
