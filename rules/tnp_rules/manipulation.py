"""Moving, reversing and comparing whole arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.forms import helper, inline
from tnp_rules.support import _axes_tuple, _axis_index, _tensor

KEPT_REQUIREMENTS = set("C CONTIGUOUS C_CONTIGUOUS A ALIGNED W WRITEABLE O OWNDATA E ENSUREARRAY".split())


@helper("numpy.rollaxis")
def rollaxis(a: Any, axis: int, start: int = 0) -> tf.Tensor:
    """NumPy's older form of moveaxis: `start` is a place before the axis is taken out."""
    a = _tensor(a)
    rank = a.shape.rank
    axis = _axis_index(axis, rank)
    if not -rank <= start <= rank:
        raise np.exceptions.AxisError(f"'start' arg requires {-rank} <= start < {rank + 1}, but {start} was passed in")
    start = start + rank if start < 0 else start
    return tnp.moveaxis(a, axis, start - 1 if axis < start else start)


@helper("numpy.transpose", direct="counted")
def transpose(a: Any, axes: Any = None) -> tf.Tensor:
    """A transpose with an axis counted from the end has no gradient, does not compile, and ends TensorFlow 2.19."""
    a = tnp.asarray(a)
    if axes is None or tf.is_tensor(axes):
        return tnp.transpose(a, axes)
    order = _axes_tuple(tuple(np.atleast_1d(axes)), a.shape.rank)
    return tnp.transpose(a, order) if order else a


@inline("numpy.flip")
def flip(m: Any, axis: Any = None) -> tf.Tensor:
    """tnp.flip takes no tuple of axes."""
    if axis is None:
        return tnp.flip(m)
    if axis == 0:
        return tnp.flip(m, axis=0)
    if axis == 1:
        return tnp.flip(m, axis=1)
    if axis == -1:
        return tnp.flip(m, axis=-1)
    return tf.reverse(tnp.asarray(m), np.atleast_1d(axis))


@inline("numpy.roll")
def roll(a: Any, shift: Any, axis: Any = None) -> tf.Tensor:
    """tnp.roll does not broadcast one shift to several axes.

    With no axis, or one that stands in the call, it does not add up several shifts either: that raises.
    """
    if axis is None:
        return tnp.roll(a, shift)
    if axis == 0:
        return tnp.roll(a, shift, axis=0)
    if axis == 1:
        return tnp.roll(a, shift, axis=1)
    if axis == -1:
        return tnp.roll(a, shift, axis=-1)
    return tf.roll(tnp.asarray(a), *tnp.broadcast_arrays(shift, axis))


@inline("numpy.take_along_axis")
def take_along_axis(arr: Any, indices: Any, axis: Any = -1) -> tf.Tensor:
    """tnp.take_along_axis has no default axis."""
    return tnp.take_along_axis(arr, indices, axis)


@inline("numpy.array_equal")
def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> tf.Tensor:
    """tnp.array_equal has no `equal_nan`."""
    if equal_nan == False:  # noqa: E712 (the form of a ladder)
        return tnp.array_equal(a1, a2)
    return tnp.array_equal(tnp.equal(a1, a1), tnp.equal(a2, a2)) & tnp.array_equal(
        tnp.where(tnp.equal(a1, a1), a1, 0), tnp.where(tnp.equal(a2, a2), a2, 0)
    )


@helper("numpy.array_equiv")
def array_equiv(a1: Any, a2: Any) -> tf.Tensor:
    """tnp has no array_equiv: shapes that do not broadcast are not equivalent, no error."""
    a1, a2 = _tensor(a1), _tensor(a2)
    try:
        tf.broadcast_static_shape(a1.shape, a2.shape)
    except ValueError:
        return tf.constant(False)
    return tnp.all(tnp.equal(a1, a2))


@helper("numpy.require")
def require(a: Any, dtype: Any = None, requirements: Any = None) -> tf.Tensor:
    """A tensor is contiguous, aligned and owns its data; only Fortran order cannot be had."""
    flags = [requirements] if isinstance(requirements, str) else requirements or []
    for flag in flags:
        name = flag.upper()
        if name in ("F", "FORTRAN", "F_CONTIGUOUS"):
            raise ValueError("a tensor is stored in C order")
        if name not in KEPT_REQUIREMENTS:
            raise KeyError(name)
    return tnp.asarray(a, dtype)


@helper("numpy.asarray_chkfinite")
def asarray_chkfinite(a: Any, dtype: Any = None) -> tf.Tensor:
    """tnp has no asarray_chkfinite; under tf.function the check is an assertion in the graph."""
    a = tnp.asarray(a, dtype)
    if not (a.dtype.is_floating or a.dtype.is_complex):
        return a
    parts = [tf.math.real(a), tf.math.imag(a)] if a.dtype.is_complex else [a]
    if tf.is_symbolic_tensor(a):
        with tf.control_dependencies([tf.debugging.assert_all_finite(part, "infs or NaNs") for part in parts]):
            return tf.identity(a)
    if not tf.reduce_all([tf.reduce_all(tf.math.is_finite(part)) for part in parts]):
        raise ValueError("array must not contain infs or NaNs")
    return a
