"""Arrays built by subscripting: r_, c_, mgrid and ogrid."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.joining import check_same_sizes
from tnp_rules.support import _tensor


def _host_number(value: Any) -> Any:
    """Read a bound of a slice: the numbers of a grid are computed on the host, to NumPy's last bit."""
    if tf.is_symbolic_tensor(value):
        raise TypeError("the bounds of a grid have to be known while tracing")
    return value.numpy() if isinstance(value, (tf.Tensor, tf.Variable)) else value


def _host_slice(item: Any) -> Any:
    if not isinstance(item, slice):
        return item
    return slice(_host_number(item.start), _host_number(item.stop), _host_number(item.step))


@helper("numpy.r_")
class r_:  # noqa: N801 (NumPy's name)
    """Joins what stands in the brackets along an axis; slices count and directives ("0,2", "c") set the axis.

    tnp has nothing that is subscripted to build an array.
    """

    axis, ndmin, trans1d = 0, 1, -1

    def __class_getitem__(cls, key: Any) -> tf.Tensor:
        """Build the array for the items in the brackets."""
        items = list(key) if isinstance(key, tuple) else [key]
        axis, ndmin, trans1d, matrix = cls.axis, cls.ndmin, cls.trans1d, ""
        if items and isinstance(items[0], str):
            axis, ndmin, trans1d, matrix = _directive(items.pop(0), axis, ndmin, trans1d)
        if not items:
            raise ValueError("need at least one array to concatenate")
        if [item for item in items if isinstance(item, str)]:
            raise ValueError("special directives must be the first entry.")
        parts = [_concatenated_part(item, ndmin, trans1d) for item in items]
        tensors = _parts_of_one_dtype(parts, ndmin)
        check_same_sizes(tensors, axis)
        result = tf.concat(tensors, axis)
        if matrix and result.shape.rank == 1:
            return tf.reshape(result, [-1, 1] if matrix == "c" else [1, -1])
        return result


@helper("numpy.c_")
class c_(r_):  # noqa: N801 (NumPy's name)
    """Joins what stands in the brackets along the last axis, vectors as columns; tnp has nothing like it."""

    axis, ndmin, trans1d = -1, 2, 0


def _directive(text: str, axis: int, ndmin: int, trans1d: int) -> tuple[int, int, int, str]:
    """Read the string that may stand first in the brackets: "r", "c", "axis", "axis,ndmin" or "axis,ndmin,trans1d"."""
    if text in ("r", "c"):
        return axis, ndmin, trans1d, text
    try:
        numbers = [int(part) for part in text.split(",")]
    except ValueError as error:
        raise ValueError(f"unknown special directive {text!r}") from error
    given = (axis, ndmin, trans1d)
    axis, ndmin, trans1d = (numbers + list(given[len(numbers) :]))[:3]
    return axis, ndmin, trans1d, ""


def _concatenated_part(item: Any, ndmin: int, trans1d: int) -> Any:
    """Make an array of one item; Python and NumPy scalars stay, for their dtype counts differently."""
    if isinstance(item, slice):
        item = _host_slice(item)
        start = 0 if item.start is None else item.start
        step = 1 if item.step is None else item.step
        if isinstance(step, (complex, np.complexfloating)):
            item = np.linspace(start, item.stop, int(np.abs(step)))
        else:
            item = np.arange(start, item.stop, step)
        return _with_rank(tf.constant(item), ndmin, trans1d)
    if isinstance(item, (bool, int, float, complex, np.generic)):
        return item
    return _with_rank(_tensor(item), ndmin, trans1d)


def _with_rank(tensor: tf.Tensor, ndmin: int, trans1d: int) -> tf.Tensor:
    """Add leading axes up to `ndmin`, then move the array's own axes to where `trans1d` says."""
    rank = tensor.shape.rank
    added = ndmin - rank
    if added <= 0:
        return tensor
    tensor = tf.reshape(tensor, tf.concat([[1] * added, tf.shape(tensor)], 0))
    if trans1d == -1:
        return tensor
    first = trans1d if trans1d >= 0 else trans1d + added + 1
    axes = list(range(ndmin))
    return tf.transpose(tensor, axes[:first] + axes[added:] + axes[first:added])


def _parts_of_one_dtype(parts: Any, ndmin: int) -> list[tf.Tensor]:
    known = [part.dtype.as_numpy_dtype if isinstance(part, tf.Tensor) else part for part in parts]
    dtype = tf.as_dtype(np.result_type(*known))
    tensors = []
    for part in parts:
        if isinstance(part, tf.Tensor):
            tensors.append(tf.cast(part, dtype))
        else:
            tensors.append(tf.constant(np.full([1] * ndmin, part, dtype.as_numpy_dtype)))
    return tensors


@helper("numpy.mgrid")
class mgrid:  # noqa: N801 (NumPy's name)
    """A dense grid; tnp has none. Its axes are NumPy's numbers, spread over the grid on the device."""

    def __class_getitem__(cls, key: Any) -> tf.Tensor:
        """Build the grid for one slice, or for a tuple of them."""
        axes = np.ogrid[_host_slices(key)]
        if not isinstance(axes, tuple):
            return tf.constant(axes)
        if not axes:
            return tf.zeros([0], tf.int64)
        shape = [axis.size for axis in axes]
        if 0 in shape:  # an axis that ends before it begins is an error
            return tf.constant(np.mgrid[_host_slices(key)])
        return tf.stack([tf.broadcast_to(tf.constant(axis), shape) for axis in axes])


@helper("numpy.ogrid")
class ogrid:  # noqa: N801 (NumPy's name)
    """An open grid, as tensors; tnp has none. Its axes are NumPy's numbers."""

    def __class_getitem__(cls, key: Any) -> Any:
        """Build the axes for one slice, or for a tuple of them."""
        axes = np.ogrid[_host_slices(key)]
        return tuple(tf.constant(axis) for axis in axes) if isinstance(axes, tuple) else tf.constant(axes)


def _host_slices(key: Any) -> Any:
    return tuple(_host_slice(item) for item in key) if isinstance(key, tuple) else _host_slice(key)
