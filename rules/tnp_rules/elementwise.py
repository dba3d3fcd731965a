"""Elementwise functions.

Known differences that have no rule: bool, 8 and 16 bit integers in a floating ufunc (`np.sqrt`, `np.exp`, `np.sin`
...) give float16 or float32 in NumPy and float64 in tnp.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.forms import inline


@inline("numpy.degrees")
def degrees(x: Any) -> tf.Tensor:
    """Tnp has it under its other NumPy name."""
    return tnp.rad2deg(x)
