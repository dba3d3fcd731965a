"""The class of arrays, where a program asks for it by name: in tuples of types, in patterns, for `singledispatch`."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf


class _EveryArray(type):
    """The class of a class that ndarrays and tensors are instances of."""

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, (np.ndarray, tf.Tensor, tf.Variable))

    def __subclasscheck__(cls, kind: Any) -> bool:
        return issubclass(kind, (np.ndarray, tf.Tensor, tf.Variable))


class ndarray(metaclass=_EveryArray):  # noqa: N801 (NumPy's name)
    """Stands for np.ndarray where types are compared: tensors are arrays as well.

    A tuple `(np.ndarray, tf.Tensor)` would do for `isinstance`, but not in a pattern or for `singledispatch`.
    """
