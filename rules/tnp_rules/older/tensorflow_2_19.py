"""What TensorFlow up to 2.19 does otherwise than 2.20."""

from __future__ import annotations

from typing import Any

import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.forms import helper


@helper("numpy.transpose", direct="counted", until="tensorflow 2.20")
def transpose(a: Any, axes: Any = None) -> tf.Tensor:
    """An eager transpose with a negative axis ends the process."""
    a = tnp.asarray(a)
    if axes is None:
        return tnp.transpose(a)
    axes = (axes,) if isinstance(axes, int) else axes
    return tnp.transpose(a, [axis + len(a.shape) if axis < 0 else axis for axis in axes])


@helper("numpy.ndarray.transpose", until="tensorflow 2.20")
def ndarray_transpose(a: Any, *axes: Any) -> tf.Tensor:
    """An eager transpose with a negative axis ends the process; Tensor.transpose takes the axes as one tuple only."""
    return transpose(a, axes[0] if len(axes) == 1 else axes or None)
