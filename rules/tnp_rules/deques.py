"""Deques given where arrays are wanted, `np.mean(window)`, which TensorFlow takes if they hold no tensors."""

from __future__ import annotations

import collections
from typing import Any

import tensorflow as tf


def take_deques() -> None:
    """Let TensorFlow take deques of tensors, such as the last ten of something, as it takes lists of them."""
    if not hasattr(tf.Tensor, "takes_deques"):
        tf.register_tensor_conversion_function((collections.deque, collections.UserList), _converted_deque, priority=50)
        tf.Tensor.takes_deques = True


def _converted_deque(value: Any, dtype: Any = None, name: Any = None, as_ref: bool = False) -> tf.Tensor:
    """Convert what a deque holds; tensors of one dtype only make a tensor, as in lists."""
    return tf.convert_to_tensor(list(value), dtype)
