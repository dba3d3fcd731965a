"""Arithmetic of bools by the operators of tensors, where their dtype shows only when the program runs."""

from __future__ import annotations

import functools
from typing import Any

import tensorflow as tf

# What NumPy computes with where both operands are bools: TensorFlow has no kernels for them.
_COUNTED_AS = {"floordiv": tf.int8, "mod": tf.int8, "pow": tf.int8, "truediv": tf.float64}


def let_bools_compute() -> None:
    """Let `+`, `/`, `//`, `%` and `**` take bools as NumPy does."""
    for name in ("add", *_COUNTED_AS):
        for method in (f"__{name}__", f"__r{name}__"):
            if not hasattr(getattr(tf.Tensor, method), "takes_bools"):
                setattr(tf.Tensor, method, _with_bools(name, method))


def let_bools_have_magnitudes() -> None:
    """Let `abs` take bools and unsigned integers as NumPy does."""
    magnitude = tf.Tensor.__abs__
    if not hasattr(magnitude, "takes_bools"):
        tf.Tensor.__abs__ = _magnitude_of_signless(magnitude)


def _with_bools(name: str, method: str) -> Any:
    compute, is_power = getattr(tf.Tensor, method), method == "__pow__"

    @functools.wraps(compute)
    def compute_with_bools(x: Any, y: Any) -> Any:
        if x.dtype is not tf.bool:
            return compute(x, y)
        if y.dtype == bool if hasattr(y, "dtype") else isinstance(y, bool):
            if name == "add":
                return tf.logical_or(x, y)
            counted = tf.cast(x, _COUNTED_AS[name]), tf.cast(y, _COUNTED_AS[name])
            return getattr(tf.Tensor, method)(*counted)  # which may divide by zero
        if is_power and isinstance(y, int) and y == 2 and x.shape.rank:
            return tf.cast(x, tf.int8)  # the square of an array keeps the smallest integers, that of a number does not
        return compute(x, y)

    compute_with_bools.takes_bools = True  # type: ignore[attr-defined]
    return compute_with_bools


def _magnitude_of_signless(magnitude: Any) -> Any:
    @functools.wraps(magnitude)
    def magnitude_or_itself(x: Any) -> Any:
        return x if x.dtype is tf.bool or x.dtype.is_unsigned else magnitude(x)

    magnitude_or_itself.takes_bools = True  # type: ignore[attr-defined]
    return magnitude_or_itself
