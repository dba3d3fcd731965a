"""Comparisons of integers, which NumPy decides by their values, whatever the dtypes."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tnp_rules.complex_order import _compare_parts
from tnp_rules.forms import helper
from tnp_rules.support import _is_python_scalar, _promoted, _tensor


@helper("numpy.equal", direct="float")
def equal(x1: Any, x2: Any) -> tf.Tensor:
    """tnp.equal wraps a Python integer that does not fit the dtype, and makes floats of int64 beside uint64."""
    return _compared(tf.equal, x1, x2)


@helper("numpy.not_equal", direct="float")
def not_equal(x1: Any, x2: Any) -> tf.Tensor:
    """tnp.not_equal wraps a Python integer that does not fit the dtype, and makes floats of int64 beside uint64."""
    return _compared(tf.not_equal, x1, x2)


@helper("numpy.less", direct="float")
def less(x1: Any, x2: Any) -> tf.Tensor:
    """tnp.less wraps a Python integer that does not fit the dtype, and makes floats of int64 beside uint64."""
    return _compared(tf.less, x1, x2)


@helper("numpy.less_equal", direct="float")
def less_equal(x1: Any, x2: Any) -> tf.Tensor:
    """tnp.less_equal wraps a Python integer that does not fit the dtype, and makes floats of int64 beside uint64."""
    return _compared(tf.less_equal, x1, x2)


@helper("numpy.greater", direct="float")
def greater(x1: Any, x2: Any) -> tf.Tensor:
    """tnp.greater wraps a Python integer that does not fit the dtype, and makes floats of int64 beside uint64."""
    return _compared(tf.greater, x1, x2)


@helper("numpy.greater_equal", direct="float")
def greater_equal(x1: Any, x2: Any) -> tf.Tensor:
    """tnp.greater_equal wraps a Python integer that does not fit the dtype, and makes floats of int64 beside uint64."""
    return _compared(tf.greater_equal, x1, x2)


def _compared(compare: Any, x1: Any, x2: Any) -> tf.Tensor:
    x1, x2 = _beside_what_fits(x1, x2)
    x2, x1 = _beside_what_fits(x2, x1)
    if not _is_python_scalar(x1) and not _is_python_scalar(x2):
        x1, x2 = _as_one_sign(_tensor(x1), _tensor(x2))
        x2, x1 = _as_one_sign(x2, x1)
    x1, x2 = _promoted(x1, x2)
    tf.broadcast_static_shape(x1.shape, x2.shape)  # raises ValueError where TensorFlow's operators do not
    if x1.dtype.is_bool and compare not in (tf.equal, tf.not_equal):
        x1, x2 = tf.cast(x1, tf.uint8), tf.cast(x2, tf.uint8)
    if x1.dtype.is_complex and compare not in (tf.equal, tf.not_equal):
        return _compare_parts(tf.greater if compare in (tf.greater, tf.greater_equal) else tf.less, compare, x1, x2)
    return compare(x1, x2)


def _beside_what_fits(x: Any, number: Any) -> tuple[Any, Any]:
    """Let 0 stand for every element beside 1 or -1 for a Python integer beyond the range of their dtype."""
    if not isinstance(number, int) or _is_python_scalar(x):
        return x, number
    x = _tensor(x)
    if not x.dtype.is_integer or x.dtype.min <= number <= x.dtype.max:
        return x, number
    return tf.zeros_like(x, tf.int8), 1 if number > 0 else -1


def _as_one_sign(x: tf.Tensor, y: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Make uint64 of signed integers beside uint64, 0 beside 1 standing for a negative one."""
    if x.dtype != tf.uint64 or not y.dtype.is_integer or y.dtype.is_unsigned:
        return x, y
    negative = y < 0
    one, zero = tf.ones([], tf.uint64), tf.zeros([], tf.uint64)
    return tf.where(negative, one, x), tf.where(negative, zero, tf.cast(y, tf.uint64))
