"""Arrays of indices: grids, triangles, flat and multi-dimensional positions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.joining import sequence_items
from tnp_rules.search import nonzero
from tnp_rules.support import _raise_where, _tensor


@helper("numpy.indices")
def indices(dimensions: Any, dtype: Any = int, sparse: bool = False) -> Any:
    """tnp has no indices: tf.meshgrid of a range for each dimension."""
    dtype = tf.as_dtype(np.dtype(dtype))
    ranges = [tf.cast(tf.range(size, dtype=tf.int64), dtype) for size in tuple(dimensions)]
    if sparse:
        return tuple(open_grid(ranges))
    return tf.stack(tf.meshgrid(*ranges, indexing="ij")) if ranges else tf.zeros([0], dtype)


def open_grid(vectors: Any) -> list[tf.Tensor]:
    """Give each vector an axis of its own, so that together they broadcast to a grid."""
    rank = len(vectors)
    return [tf.reshape(vector, [1] * axis + [-1] + [1] * (rank - axis - 1)) for axis, vector in enumerate(vectors)]


@helper("numpy.fromfunction")
def fromfunction(function: Any, shape: Any, *, dtype: Any = float, **kwargs: Any) -> Any:
    """tnp has no fromfunction: the function sees whole coordinate arrays, as in NumPy."""
    return function(*tf.unstack(indices(shape, dtype)), **kwargs)


@helper("numpy.diag_indices_from")
def diag_indices_from(arr: Any) -> tuple[tf.Tensor, ...]:
    """tnp has no diag_indices_from."""
    arr = _tensor(arr)
    if arr.shape.rank < 2:
        raise ValueError("input array must be at least 2-d")
    if arr.shape.is_fully_defined() and len(set(arr.shape)) > 1:
        raise ValueError("All dimensions of input must be of equal length")
    return (tf.range(tf.shape(arr, tf.int64)[0]),) * int(arr.shape.rank)


@helper("numpy.tril_indices")
def tril_indices(n: Any, k: Any = 0, m: Any = None) -> tuple[tf.Tensor, ...]:
    """tnp has no tril_indices; from known sizes the indices are constants, of static shape."""
    if isinstance(n, int) and isinstance(m, (int, type(None))):
        return tuple(tf.unstack(tf.constant(np.asarray(np.tril_indices(n, k, m), np.int64))))
    return _positions(_diagonal_numbers(n, m) <= k)


@helper("numpy.triu_indices")
def triu_indices(n: Any, k: Any = 0, m: Any = None) -> tuple[tf.Tensor, ...]:
    """tnp has no triu_indices; from known sizes the indices are constants, of static shape."""
    if isinstance(n, int) and isinstance(m, (int, type(None))):
        return tuple(tf.unstack(tf.constant(np.asarray(np.triu_indices(n, k, m), np.int64))))
    return _positions(_diagonal_numbers(n, m) >= k)


def _diagonal_numbers(n: Any, m: Any) -> tf.Tensor:
    """Number the diagonals of a matrix whose sizes may be known at run time only."""
    rows = tf.range(tf.cast(n, tf.int64))
    columns = rows if m is None else tf.range(tf.cast(m, tf.int64))
    return columns - rows[:, tf.newaxis]


def _positions(mask: tf.Tensor) -> tuple[tf.Tensor, ...]:
    return tuple(tf.unstack(tf.where(mask), axis=1))


@helper("numpy.tril_indices_from")
def tril_indices_from(arr: Any, k: Any = 0) -> tuple[tf.Tensor, ...]:
    """tnp has no tril_indices_from."""
    return tril_indices(*_matrix_sizes(arr, k))


@helper("numpy.triu_indices_from")
def triu_indices_from(arr: Any, k: Any = 0) -> tuple[tf.Tensor, ...]:
    """tnp has no triu_indices_from."""
    return triu_indices(*_matrix_sizes(arr, k))


def _matrix_sizes(arr: Any, k: Any) -> tuple[Any, Any, Any]:
    arr = _tensor(arr)
    if arr.shape.rank != 2:
        raise ValueError("input array must be 2-d")
    n, m = arr.shape if arr.shape.is_fully_defined() else tf.unstack(tf.shape(arr, tf.int64))
    return n, k, m


@helper("numpy.mask_indices")
def mask_indices(n: Any, mask_func: Any, k: Any = 0) -> tuple[tf.Tensor, ...]:
    """tnp has no mask_indices; the function sees a tensor of ones."""
    return nonzero(mask_func(tf.ones([n, n], tf.int64), k))


def _known_sizes(shape: Any) -> list[int]:
    return [int(size) for size in (np.ravel(shape) if not isinstance(shape, tf.TensorShape) else shape)]


def _integer_index(index: Any) -> tf.Tensor:
    index = _tensor(index)
    if not index.dtype.is_integer:
        raise TypeError("only int indices permitted")
    return tf.cast(index, tf.int64)


@helper("numpy.unravel_index")
def unravel_index(indices: Any, shape: Any) -> tuple[tf.Tensor, ...]:
    """tf.unravel_index takes vectors only."""
    rest, sizes = _integer_index(indices), _known_sizes(shape)
    size = math.prod(sizes)
    _raise_where((rest < 0) | (rest >= size), ValueError(f"index is out of bounds for array with size {size}"))
    found = []
    for length in reversed(sizes):
        found.append(tf.math.floormod(rest, length))
        rest = tf.math.floordiv(rest, length)
    return tuple(reversed(found))


@helper("numpy.ravel_multi_index")
def ravel_multi_index(multi_index: Any, dims: Any, mode: Any = "raise") -> tf.Tensor:
    """tnp has no ravel_multi_index."""
    sizes = _known_sizes(dims)
    parts = sequence_items(multi_index, len(sizes))
    modes = [mode] * len(sizes) if isinstance(mode, str) else mode
    if len(parts) != len(sizes):
        raise ValueError(f"parameter multi_index must be a sequence of length {len(sizes)}")
    flat = tf.zeros([], tf.int64)
    for part, size, each in zip(parts, sizes, modes):
        flat = flat * size + _index_in_size(_integer_index(part), size, each)
    return flat


def _index_in_size(index: tf.Tensor, size: int, mode: str) -> tf.Tensor:
    if mode == "wrap":
        return tf.math.floormod(index, size)
    if mode == "clip":
        return tf.clip_by_value(index, 0, size - 1)
    if mode != "raise":
        raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got '{mode}')")
    _raise_where((index < 0) | (index >= size), ValueError("invalid entry in coordinates array"))
    return index


@helper("numpy.ix_")
def ix_(*args: Any) -> tuple[tf.Tensor, ...]:
    """tnp.ix_ takes no empty list, which NumPy reads as integers."""
    vectors = []
    for arg in args:
        vector = _tensor(arg)
        if vector.shape.rank != 1:
            raise ValueError("Cross index must be 1 dimensional")
        if vector.shape[0] == 0 and isinstance(arg, (list, tuple, range)):
            vector = tf.cast(vector, tf.int64)
        vectors.append(tf.where(vector)[:, 0] if vector.dtype.is_bool else vector)
    return tuple(open_grid(vectors))


@helper("numpy.broadcast_shapes")
def broadcast_shapes(*args: Any) -> tuple[int, ...]:
    """NumPy's own, on the shapes of tensors, which are tf.TensorShape: iterated, not indexed by NumPy."""
    return np.broadcast_shapes(*[shape if isinstance(shape, int) else tuple(shape) for shape in args])


@helper("numpy.ndindex")
def ndindex(*shape: Any) -> Any:
    """np.ndindex does not take the tf.TensorShape that a tensor's `shape` is."""
    return np.ndindex(*[tuple(size) if isinstance(size, tf.TensorShape) else size for size in shape])


@helper("numpy.ndenumerate")
def ndenumerate(arr: Any) -> Any:
    """np.ndenumerate would copy a tensor to the host, and fails under tf.function; elements stay tensors."""
    arr = _tensor(arr)
    return zip(np.ndindex(*tuple(arr.shape)), tf.unstack(tf.reshape(arr, [-1]), num=arr.shape.num_elements()))
