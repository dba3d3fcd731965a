"""Operators that tensors lack, where the tensor stands on the right: `1 << x`, `divmod(7, x)`."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tnp_rules.elementwise_bits import left_shift, right_shift
from tnp_rules.elementwise_division import divmod


def divmod_by(x2: Any, x1: Any) -> tuple[tf.Tensor, tf.Tensor]:
    """Divide a number by a tensor."""
    return divmod(x1, x2)


def left_shift_by(x2: Any, x1: Any) -> tf.Tensor:
    """Shift a number by as many bits as a tensor says."""
    return left_shift(x1, x2)


def right_shift_by(x2: Any, x1: Any) -> tf.Tensor:
    """Shift a number by as many bits as a tensor says."""
    return right_shift(x1, x2)
