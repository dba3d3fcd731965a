"""Cross products."""

from __future__ import annotations

from typing import Any

import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.forms import helper
from tnp_rules.linalg_products import _with_last_axis
from tnp_rules.support import _promoted, _tensor


@helper("numpy.cross")
def cross(a: Any, b: Any, axisa: Any = -1, axisb: Any = -1, axisc: Any = -1, axis: Any = None) -> tf.Tensor:
    """tnp.cross takes no complex vectors, and fails on some shapes that broadcast."""
    if axis is not None:
        axisa = axisb = axisc = axis
    x, y = _promoted(_tensor(a), _tensor(b))
    x, y = _with_last_axis(x, axisa), _with_last_axis(y, axisb)
    if x.shape[-1] not in (2, 3, None) or y.shape[-1] not in (2, 3, None):
        raise ValueError(f"Both input arrays must be (arrays of) 3-dimensional vectors, not {x.shape} and {y.shape}.")
    tf.broadcast_static_shape(x.shape[:-1], y.shape[:-1])  # a ValueError, as in NumPy
    x0, x1, *x2 = tf.unstack(x, x.shape[-1] or 3, axis=-1)
    y0, y1, *y2 = tf.unstack(y, y.shape[-1] or 3, axis=-1)
    last = x0 * y1 - x1 * y0
    if not x2 and not y2:
        return last
    first = (x1 * y2[0] if y2 else 0) - (x2[0] * y1 if x2 else 0)
    second = (x2[0] * y0 if x2 else 0) - (x0 * y2[0] if y2 else 0)
    return tnp.moveaxis(tf.stack([first, second, last], -1), -1, axisc)


@helper("numpy.linalg.cross")
def linalg_cross(x1: Any, x2: Any, *, axis: Any = -1) -> tf.Tensor:
    """tnp has numpy.cross, which also takes vectors of length 2."""
    x, y = _tensor(x1), _tensor(x2)
    if x.shape[axis] not in (3, None) or y.shape[axis] not in (3, None):
        raise ValueError(f"Both input arrays must be (arrays of) 3-dimensional vectors, not {x.shape} and {y.shape}.")
    return cross(x, y, axis=axis)
