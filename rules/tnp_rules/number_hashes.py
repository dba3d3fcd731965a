"""Hashes of tensors without axes, which stand where NumPy has numbers."""

from __future__ import annotations

from typing import Any

import tensorflow as tf


def hash_numbers() -> None:
    """Let tensors without axes be keys of dicts, items of sets and arguments of cached functions, by their value.

    So are NumPy's numbers. Tensors with axes have no hash, like arrays.
    """
    kind: Any = type(tf.constant(0))  # whose hash is its own since TensorFlow 2.21
    refuse = kind.__hash__
    if hasattr(refuse, "hashes_numbers"):
        return

    def hash_number(x: tf.Tensor) -> int:
        return refuse(x) if x.shape.rank else hash(x.numpy())

    hash_number.hashes_numbers = True  # type: ignore[attr-defined]
    kind.__hash__ = hash_number
