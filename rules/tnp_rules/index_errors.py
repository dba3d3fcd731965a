"""What tensors raise where an index is out of range, and how they read lists."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.support import _tensor


class TensorIndexError(tf.errors.InvalidArgumentError, IndexError):  # type: ignore[misc]
    """What TensorFlow raises, and what NumPy raises."""


def raise_index_errors() -> None:
    """Let tensors raise IndexError out of range, which ends an iteration by `__getitem__`, eagerly as NumPy does.

    In a graph the kernel finds it out when the graph runs, and raises InvalidArgumentError. A list of lists is an array
    to NumPy; a tensor would take it for a tuple.
    """
    get_item = tf.Tensor.__getitem__
    if not hasattr(get_item, "raises_index_error"):
        tf.Tensor.__getitem__ = _with_index_error(get_item)


def _with_index_error(get_item: Any) -> Any:
    def get_item_in_range(tensor: Any, key: Any) -> Any:
        try:
            return get_item(tensor, _listed_index(key) if type(key) is list else key)
        except tf.errors.InvalidArgumentError as error:
            raise TensorIndexError(error.node_def, error.op, error.message) from None

    get_item_in_range.raises_index_error = True  # type: ignore[attr-defined]
    return get_item_in_range


def _listed_index(key: list[Any]) -> Any:
    return _tensor(key) if key else np.zeros(0, np.int64)
