"""Writes to a part of an array, to all of it in flat order, and to its shape and order, as functions."""

from __future__ import annotations

import builtins
import math
import operator
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.index_positions import array_dimensions
from tnp_rules.runtime import to_numpy
from tnp_rules.updates import getitem, index_update, is_traced
from tnp_rules.updates_in_place import _is_empty, _is_written, _repeated


def real_update(x: Any, value: Any) -> Any:
    """Store x.real = value, and give x back; the real part of a real array is the array itself."""
    if _is_written(x, value):
        x.real = to_numpy(value)
        return x
    x = tf.convert_to_tensor(x)
    if not x.dtype.is_complex:
        return index_update(x, ..., value)
    return tf.complex(index_update(tf.math.real(x), ..., value), tf.math.imag(x))


def imag_update(x: Any, value: Any) -> Any:
    """Store x.imag = value, and give x back; a real array has no imaginary part to store into."""
    if _is_written(x, value):
        x.imag = to_numpy(value)
        return x
    x = tf.convert_to_tensor(x)
    if not x.dtype.is_complex:
        raise TypeError("array does not have imaginary part to set")
    return tf.complex(tf.math.real(x), index_update(tf.math.imag(x), ..., value))


def flat_index_update(x: Any, index: Any, value: Any) -> Any:
    """Store x.flat[index] = value, and give x back; too few values are taken again from the first."""
    if _is_written(x, index, value):
        x.flat[to_numpy(index)] = to_numpy(value)
        return x
    x = tf.convert_to_tensor(x)
    flat = tf.reshape(x, [-1])
    picked = getitem(tf.range(tf.size(x, tf.int64)), index)
    if len(picked.shape) == 0:
        return tf.reshape(index_update(flat, picked, value), tf.shape(x))
    if _is_empty(value):
        return x
    picked = tf.reshape(picked, [-1])
    stored = index_update(flat, picked, _repeated(value, tf.range(tf.size(picked, tf.int64)), x.dtype))
    return tf.reshape(stored, tf.shape(x))


def flat_fill(x: Any, values: Any) -> Any:
    """Store x.flat = values, again from the first where they are too few, and give x back."""
    if _is_written(x, values):
        x.flat = to_numpy(values)
        return x
    x = tf.convert_to_tensor(x)
    if _is_empty(values):
        return x
    return tf.reshape(_repeated(values, tf.range(tf.size(x, tf.int64)), x.dtype), tf.shape(x))


def resized(x: Any, *shape: Any) -> Any:
    """Give what x.resize(shape) makes of x: its elements in a new shape, zeros where there are too few."""
    shape = shape[0] if len(shape) == 1 else shape
    dims = (shape,) if np.ndim(shape) == 0 else tuple(shape)
    if not is_traced(dims) and [size for size in dims if size < 0]:
        raise ValueError("negative dimensions not allowed")
    if isinstance(x, np.ndarray):
        made = np.zeros(dims, x.dtype)
        count = builtins.min(x.size, made.size)
        made.reshape(-1)[:count] = x.reshape(-1)[:count]
        return made
    count = tf.reduce_prod(tf.cast(tf.stack(dims), tf.int64)) if is_traced(dims) else math.prod(dims)
    flat = tf.reshape(x, [-1])[:count]
    return tf.reshape(tf.pad(flat, [[0, count - tf.size(flat, tf.int64)]]), dims)


def shuffled(x: Any, shuffle: Any, axis: Any = 0) -> Any:
    """Shuffle x with a generator's own `shuffle`, and so with its stream of numbers, and give x back.

    A tensor is taken in the order that the shuffle gives to numbers; whatever can be shuffled in place is. A graph of
    known sizes has the order drawn while it is traced, as all numbers that NumPy draws there.
    """
    given = {"axis": axis} if axis else {}
    if isinstance(x, tf.Variable):
        x.assign(shuffled(x.read_value(), shuffle, axis))
        return x
    if not isinstance(x, tf.Tensor):
        shuffle(x, **given)
        return x
    dims = array_dimensions(x)
    axis = operator.index(axis) % len(dims)
    owner: Any = getattr(shuffle, "__self__", None)
    if isinstance(getattr(owner, "generator", None), tf.random.Generator):  # of the helper module, which can be traced
        return tf.gather(tf.reshape(x, dims), owner.permutation(dims[axis]), axis=axis)

    def draw(sizes: Any) -> Any:
        # rows of numbers: what random.shuffle does to rows, which are views, it does to these
        rows = np.arange(sizes[axis]).reshape([-1 if along == axis else 1 for along in range(len(sizes))])
        shuffle(rows if np.prod(sizes) else np.empty(sizes), **given)
        return rows.reshape(-1)

    if not x.shape.is_fully_defined():
        order = tf.ensure_shape(tf.numpy_function(draw, [tf.shape(x, tf.int64)], tf.int64), [x.shape[axis]])
    else:
        order = draw(np.array(x.shape.as_list()))
    return tf.gather(tf.reshape(x, dims), order, axis=axis)  # the reshape makes its gradient dense
