"""The error of an index that is out of range."""

from __future__ import annotations

from typing import Any

import tensorflow as tf


class TensorIndexError(tf.errors.InvalidArgumentError, IndexError):  # type: ignore[misc]
    """What TensorFlow raises, and what NumPy raises."""


def raise_index_errors() -> None:
    """Let tensors raise IndexError out of range, which ends an iteration by `__getitem__`, eagerly as NumPy does.

    In a graph the kernel finds it out when the graph runs, and raises InvalidArgumentError.
    """
    get_item = tf.Tensor.__getitem__
    if not hasattr(get_item, "raises_index_error"):
        tf.Tensor.__getitem__ = _with_index_error(get_item)


def _with_index_error(get_item: Any) -> Any:
    def get_item_in_range(tensor: Any, key: Any) -> Any:
        try:
            return get_item(tensor, key)
        except tf.errors.InvalidArgumentError as error:
            raise TensorIndexError(error.node_def, error.op, error.message) from None

    get_item_in_range.raises_index_error = True  # type: ignore[attr-defined]
    return get_item_in_range
