"""The class of arrays, where a program asks for it by name, and NumPy's numbers, where it asks for their kind."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf


class _EveryArray(type):
    """The class of a class that ndarrays and tensors are instances of, but for tensors that stand for numbers."""

    def __instancecheck__(cls, value: Any) -> bool:
        if isinstance(value, tf.Tensor):
            return bool(value.shape.rank != 0)
        return isinstance(value, (np.ndarray, tf.Variable))

    def __subclasscheck__(cls, kind: Any) -> bool:
        return issubclass(kind, (np.ndarray, tf.Tensor, tf.Variable))

    def __eq__(cls, other: object) -> bool:
        """Equal np.ndarray, for `type_of(x) in KINDS`."""
        return other is cls or other is np.ndarray

    def __hash__(cls) -> int:
        return hash(np.ndarray)


class ndarray(metaclass=_EveryArray):  # noqa: N801 (NumPy's name)
    """Stands for np.ndarray where types are compared: tensors are arrays as well.

    One without axes is none: it stands where NumPy gives a number, `x.sum()` or `x[0]`.
    """


def as_number(value: Any) -> Any:
    """Give NumPy's number in place of a tensor without axes, everything else as it is: to ask for its kind.

    A tensor has `__len__` and is no float. In a graph, where its value is not known, it is 0.
    """
    if not isinstance(value, tf.Tensor) or value.shape.rank != 0:
        return value
    return value.numpy() if hasattr(value, "numpy") else value.dtype.as_numpy_dtype()


def type_of(value: Any) -> Any:
    """Give the class of what NumPy has in place of a tensor: np.ndarray, or that of a number for one without axes."""
    if not isinstance(value, tf.Tensor):
        return type(value)
    return np.ndarray if value.shape.rank != 0 else value.dtype.as_numpy_dtype
