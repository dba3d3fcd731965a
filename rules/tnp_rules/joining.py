"""Joining arrays: columns, blocks, rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.forms import helper
from tnp_rules.support import _tensor


def to_common_dtype(arrays: Any) -> list[tf.Tensor]:
    """Convert to tensors of the dtype that NumPy promotes to; tnp lets a list keep the other operand's dtype."""
    tensors = [_tensor(array) for array in arrays]
    dtype = np.result_type(*[tensor.dtype.as_numpy_dtype for tensor in tensors])
    return [tf.cast(tensor, dtype) for tensor in tensors]


def join_arrays(arrays: Any, axis: int = 0) -> tf.Tensor:
    """Concatenate after NumPy's promotion."""
    return tf.concat(to_common_dtype(arrays), axis)


def sequence_items(values: Any, count: Any = None) -> list[Any]:
    """Give the items of a sequence or the slices of a tensor along its first axis, while tracing as well.

    The count says how many there are where the tensor's shape does not.
    """
    return list(values) if isinstance(values, (list, tuple)) else tf.unstack(_tensor(values), count)


def check_same_sizes(tensors: Any, axis: int) -> None:
    """Raise NumPy's error where static shapes show that arrays do not fit beside each other."""
    for tensor in tensors:
        if tensor.shape.rank != tensors[0].shape.rank:
            raise ValueError("all the input array dimensions except for the concatenation axis must match exactly")
        for position, (size, first) in enumerate(zip(tensor.shape, tensors[0].shape)):
            if position != axis % tensor.shape.rank and None not in (size, first) and size != first:
                raise ValueError("all the input array dimensions except for the concatenation axis must match exactly")


@helper("numpy.column_stack")
def column_stack(tup: Any) -> tf.Tensor:
    """tnp has no column_stack: vectors become columns, then all are joined side by side."""
    columns = [_tensor(array) for array in sequence_items(tup)]
    if not columns:
        raise ValueError("need at least one array to concatenate")
    columns = [tf.reshape(column, [-1, 1]) if column.shape.rank < 2 else column for column in columns]
    check_same_sizes(columns, 1)
    return join_arrays(columns, axis=1)


@helper("numpy.block")
def block(arrays: Any) -> tf.Tensor:
    """tnp has no block: the innermost lists are joined along the last axis, each outer level one axis before."""
    depth = _block_depth(arrays)
    return _join_block(arrays, depth, int(np.max([depth, *_block_ranks(arrays)])))


def _block_depth(arrays: Any) -> int:
    if isinstance(arrays, tuple):
        raise TypeError("arrays is a tuple. Only lists can be used to arrange blocks.")
    if not isinstance(arrays, list):
        return 0
    if not arrays:
        raise ValueError("List at arrays cannot be empty")
    depths = [_block_depth(item) for item in arrays]
    if len(set(depths)) > 1:
        raise ValueError("List depths are mismatched.")
    return 1 + depths[0]


def _block_ranks(arrays: Any) -> list[int]:
    if not isinstance(arrays, list):
        return [len(tnp.shape(arrays))]
    return [rank for item in arrays for rank in _block_ranks(item)]


def _join_block(arrays: Any, depth: int, rank: int) -> tf.Tensor:
    if not isinstance(arrays, list):
        array = _tensor(arrays)
        return tf.reshape(array, tf.concat([[1] * (rank - array.shape.rank), tf.shape(array)], 0))
    parts = [_join_block(item, depth - 1, rank) for item in arrays]
    check_same_sizes(parts, -depth)
    return join_arrays(parts, axis=-depth)
