"""Division with remainder, and integers by zero, by the operators of tensors."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.elementwise_division import _divide_with_remainder

_DIVISIONS = ("__floordiv__", "__rfloordiv__", "__mod__", "__rmod__")


def let_numbers_divide() -> None:
    """Let `//` of floats give NumPy's quotients, and `//` and `%` of integers give 0 over 0.

    TensorFlow floors the rounded quotient: 1.0 // 0.1 is 10 there, and 9 in NumPy and Python. Integers over 0 raise, or
    GPUs make something up, where NumPy warns. A kernel of a CPU finds the zero out, so that nothing is lost where there
    is none. Elsewhere zeros are looked for.
    """
    for name in _DIVISIONS:
        divide = getattr(tf.Tensor, name)
        if not hasattr(divide, "divides_by_zero"):
            setattr(tf.Tensor, name, _with_zeros(divide, name))


def _with_zeros(divide: Any, name: str) -> Any:
    place = 0 if "floordiv" in name else 1

    @functools.wraps(divide)
    def divide_by_zeros(x: Any, y: Any) -> Any:
        if place == 0 and _are_floats(x, y):
            return _divide_with_remainder(*((y, x) if "__r" in name else (x, y)))[0]
        numbers = isinstance(y, (bool, int, float, complex)) and y != 0 and "__r" not in name
        if numbers or not (x.dtype.is_integer or x.dtype is tf.bool):
            return divide(x, y)
        try:
            if tf.executing_eagerly() and "CPU" in x.device:
                return divide(x, y)
        except tf.errors.InvalidArgumentError as error:
            if "division by zero" not in error.message:
                raise
        if not isinstance(y, (int, np.ndarray, np.generic, tf.Tensor, tf.Variable)):
            return divide(x, y)
        return _divide_with_remainder(*((y, x) if "__r" in name else (x, y)))[place]

    divide_by_zeros.divides_by_zero = True  # type: ignore[attr-defined]
    return divide_by_zeros


def _are_floats(x: Any, y: Any) -> bool:
    """Say whether a tensor and a number, an array or a tensor are divided as real floats."""
    if isinstance(y, complex) or x.dtype.is_complex or x.dtype == tf.bool:
        return False
    if isinstance(y, (bool, int, float)):
        return x.dtype.is_floating or isinstance(y, float)
    if not isinstance(y, (np.ndarray, np.generic, tf.Tensor, tf.Variable)):
        return False
    other = tf.as_dtype(y.dtype) if y.dtype != object else tf.bool
    return not other.is_complex and other != tf.bool and (x.dtype.is_floating or other.is_floating)
