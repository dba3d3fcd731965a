"""Squares of complex numbers by the operator of tensors, where their dtype shows only when the program runs."""

from __future__ import annotations

import functools
from typing import Any

import tensorflow as tf


def let_complex_numbers_square() -> None:
    """Let `z ** 2` multiply, as NumPy does: TensorFlow takes logarithms, and `(-1+0j) ** 2` gets an imaginary part."""
    compute = tf.Tensor.__pow__
    if hasattr(compute, "squares_complex"):
        return

    @functools.wraps(compute)
    def power(x: Any, y: Any) -> Any:
        is_square = x.dtype.is_complex and isinstance(y, (int, float)) and y == 2
        return tf.square(x) if is_square else compute(x, y)

    power.squares_complex = True  # type: ignore[attr-defined]
    tf.Tensor.__pow__ = power
