"""numpy.lib.stride_tricks: windows as a copy. `as_strided` reinterprets memory, which tensors do not expose."""

from __future__ import annotations

from typing import Any

import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.forms import helper
from tnp_rules.support import _axis_index, _tensor


@helper("numpy.lib.stride_tricks.sliding_window_view")
def sliding_window_view(x: Any, window_shape: Any, axis: Any = None) -> tf.Tensor:
    """tf.signal.frame has windows along one axis; tensors have no strides, so the windows are gathered, not views."""
    x = _tensor(x)
    given = window_shape if isinstance(window_shape, (tuple, list)) else (window_shape,)
    window = [range(length).stop for length in given]  # takes every integer type, refuses floats
    rank = x.shape.rank
    wanted = range(rank) if axis is None else axis if isinstance(axis, (tuple, list)) else (axis,)
    axes = [_axis_index(one, rank) for one in wanted]  # an axis may come twice
    if len(window) != len(axes):
        raise ValueError(f"window_shape and axis must have the same length: {window_shape} and {axis}.")
    if [length for length in window if length < 0]:
        raise ValueError("`window_shape` cannot contain negative values")
    for length, position in zip(window, axes):
        known = x.shape[position]
        if known is not None and known < length:
            raise ValueError("window shape cannot be larger than input array shape")
        starts = tf.range(tf.shape(x)[position] - length + 1)
        x = tf.gather(x, starts[:, tf.newaxis] + tf.range(length), axis=position)
        x = tnp.moveaxis(x, position + 1, -1)
    return x
