"""Indices of tensors: numbers out of range, lists, no positions at all, one truth for all."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.support import _tensor


class TensorIndexError(tf.errors.InvalidArgumentError, IndexError):  # type: ignore[misc]
    """What TensorFlow raises, and what NumPy raises."""


def raise_index_errors() -> None:
    """Let tensors raise IndexError out of range, which ends an iteration by `__getitem__`, eagerly as NumPy does.

    In a graph the kernel finds it out when the graph runs, and raises InvalidArgumentError. A list of lists is an array
    to NumPy; a tensor would take it for a tuple. An empty list or tuple among the indices, and a truth without
    dimensions, are read as NumPy reads them. `range(x[0])` of a float raises TypeError.
    """
    get_item = tf.Tensor.__getitem__
    kind: Any = type(tf.constant(0))
    if not hasattr(get_item, "raises_index_error"):
        tf.Tensor.__getitem__ = _with_index_error(get_item)
        kind.__index__ = lambda tensor: operator.index(tensor.numpy())


def _with_index_error(get_item: Any) -> Any:
    def get_item_in_range(tensor: Any, key: Any) -> Any:
        try:
            return get_item(tensor, _listed_index(key) if type(key) is list else key)
        except tf.errors.InvalidArgumentError as error:
            raise TensorIndexError(error.node_def, error.op, error.message) from None
        except (IndexError, NotImplementedError, TypeError, ValueError):
            if _is_one_truth(key):
                return tf.boolean_mask(tensor[None], tf.reshape(key, [1]))
            plain = _with_empty_positions(key)
            if plain is key:
                raise
            return get_item(tensor, plain)

    get_item_in_range.raises_index_error = True  # type: ignore[attr-defined]
    return get_item_in_range


def _listed_index(key: list[Any]) -> Any:
    return _tensor(key) if key else np.zeros(0, np.int64)


def _is_one_truth(key: Any) -> bool:
    """Tell a truth without dimensions, which puts an axis of one item, or of none, before the others."""
    if isinstance(key, (bool, np.bool_)):
        return True
    return isinstance(key, (np.ndarray, tf.Tensor)) and key.dtype == bool and len(key.shape) == 0


def _with_empty_positions(key: Any) -> Any:
    """Put positions for the empty sequences of a key, whose dtype TensorFlow cannot tell."""
    items = key if isinstance(key, tuple) else (key,)
    empty = [isinstance(item, (list, tuple)) and len(item) == 0 for item in items]
    if True not in empty:
        return key
    return tuple(tf.zeros([0], tf.int64) if is_empty else item for item, is_empty in zip(items, empty))
