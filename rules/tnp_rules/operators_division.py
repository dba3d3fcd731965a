"""Division by zero between integers, by the operators of tensors."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.elementwise_division import _divide_with_remainder

_DIVISIONS = ("__floordiv__", "__rfloordiv__", "__mod__", "__rmod__")


def let_integers_divide_by_zero() -> None:
    """Let `//` and `%` of integers give 0 over 0, as NumPy does beside a warning; TensorFlow raises, or GPUs make up.

    A kernel of a CPU finds the zero out, so that nothing is lost where there is none. Elsewhere zeros are looked for.
    """
    for name in _DIVISIONS:
        divide = getattr(tf.Tensor, name)
        if not hasattr(divide, "divides_by_zero"):
            setattr(tf.Tensor, name, _with_zeros(divide, name))


def _with_zeros(divide: Any, name: str) -> Any:
    place = 0 if "floordiv" in name else 1

    @functools.wraps(divide)
    def divide_by_zeros(x: Any, y: Any) -> Any:
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
