"""dtypes where NumPy code meets tf.DType: attributes, comparison, and casts that wrap as NumPy's do.

What stays different: `isinstance(x.dtype, np.dtype)` is False, a tf.DType and an equal np.dtype have different hashes
(so neither finds the other in a dict or a set), `np.isdtype` refuses it, and `x.dtype == float` is False: see
`is_dtype`.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import tensorflow as tf


def give_dtypes_numpy_attributes() -> None:
    """Let a tf.DType stand where NumPy takes a dtype: np.zeros(2, x.dtype), np.finfo(x.dtype), x.dtype.kind.

    NumPy reads the attribute `dtype` of what it is given as a dtype.
    """
    tf.DType.dtype = property(numpy_dtype)
    if not hasattr(tf.DType.__repr__, "writes_as_numpy"):
        tf.DType.__str__ = _writing_as_numpy(tf.DType.__str__, str)
        tf.DType.__repr__ = _writing_as_numpy(tf.DType.__repr__, repr)
    for name in ("kind", "itemsize", "char", "type", "num", "str"):
        setattr(tf.DType, name, property(_read_attribute(name)))


def _writing_as_numpy(otherwise: Any, of_dtype: Any) -> Any:
    """Write "float64" and "dtype('float64')", as NumPy does; what it has no dtype for, TensorFlow writes."""

    @functools.wraps(otherwise)
    def write(dtype: Any) -> Any:
        known = numpy_dtype(dtype)
        return of_dtype(known) if known.kind in "biufc" else otherwise(dtype)

    write.writes_as_numpy = True  # type: ignore[attr-defined]
    return write


def _read_attribute(name: str) -> Any:
    return lambda dtype: getattr(numpy_dtype(dtype), name)


def numpy_dtype(dtype: Any) -> Any:
    """Give the np.dtype of a TensorFlow, NumPy or Python type, or of a name of one: float is float64."""
    return np.dtype(dtype.as_numpy_dtype if isinstance(dtype, tf.DType) else dtype)


def tensor_dtype(dtype: Any) -> tf.DType:
    """Give the tf.DType of what NumPy takes for a dtype; TensorFlow itself reads float as float32."""
    return dtype if isinstance(dtype, tf.DType) else tf.as_dtype(np.dtype(dtype))


def is_dtype(dtype: Any, other: Any) -> bool:
    """Compare as NumPy compares dtypes: x.dtype == float holds for float64 (TensorFlow takes float for float32)."""
    left = numpy_dtype(dtype) if isinstance(dtype, tf.DType) else dtype
    return bool(left == (numpy_dtype(other) if isinstance(other, tf.DType) else other))


def cast_tensor(x: Any, dtype: Any) -> tf.Tensor:
    """Cast a tensor to a tf.DType with NumPy's results.

    From floats to small or unsigned integers NumPy wraps, through a wider integer; TensorFlow's result depends on
    the device and on the position in the array.
    """
    if x.dtype == dtype:
        return x
    if dtype.is_bool:
        return tf.not_equal(x, tf.zeros([], x.dtype))
    if x.dtype.is_complex and not dtype.is_complex:
        x = tf.math.real(x)
    if x.dtype.is_floating and dtype in {tf.int8, tf.uint8, tf.int16, tf.uint16}:
        x = tf.cast(x, tf.int32)
    elif x.dtype.is_floating and dtype == tf.uint32:
        x = tf.cast(x, tf.int64)
    return tf.cast(x, dtype)
