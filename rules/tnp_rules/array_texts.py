"""What tensors write of themselves where a text is made out of sight of the code that is translated."""

from __future__ import annotations

import functools
from typing import Any

import tensorflow as tf


def write_as_arrays() -> None:
    """Let tensors write themselves as NumPy's arrays and numbers do: in dataclasses, errors and `"{!r}".format`.

    In `f"{x}"` TensorFlow itself writes them so.
    """
    kind: Any = type(tf.constant(0))
    if not hasattr(kind.__repr__, "writes_as_array"):
        kind.__str__, kind.__repr__ = _written(kind.__str__, str), _written(kind.__repr__, repr)


def _written(otherwise: Any, of_array: Any) -> Any:
    @functools.wraps(otherwise)
    def write(x: Any) -> Any:
        known = x.dtype.is_numpy_compatible and x.dtype is not tf.string
        return of_array(x.numpy()) if known else otherwise(x)

    write.writes_as_array = True  # type: ignore[attr-defined]
    return write
