"""Questions about dtypes and shapes, which NumPy answers itself once tensors and tf.DType are spelled for it."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.forms import helper, inline


def _for_numpy(value: Any) -> Any:
    """Return what NumPy reads as a dtype: a tensor's or a tf.DType's; other values as they are."""
    if tf.is_tensor(value):
        value = value.dtype
    return np.dtype(value.as_numpy_dtype) if isinstance(value, tf.DType) else value


@helper("numpy.issubdtype")
def issubdtype(arg1: Any, arg2: Any) -> bool:
    """tnp.issubdtype does not take a tf.DType."""
    return np.issubdtype(_for_numpy(arg1), _for_numpy(arg2))


@helper("numpy.iinfo")
def iinfo(int_type: Any) -> np.iinfo[Any]:
    """tnp.iinfo does not take a tf.DType."""
    return np.iinfo(_for_numpy(int_type))


@helper("numpy.result_type")
def result_type(*arrays_and_dtypes: Any) -> np.dtype[Any]:
    """tnp.result_type gives a tf.DType."""
    return np.result_type(*[_for_numpy(value) for value in arrays_and_dtypes])


@helper("numpy.can_cast")
def can_cast(from_: Any, to: Any, casting: Any = "safe") -> bool:
    """Tnp has none, and NumPy's does not take a tf.DType."""
    return np.can_cast(_for_numpy(from_), _for_numpy(to), casting)


@helper("numpy.isscalar")
def isscalar(element: Any) -> bool:
    """A 0-d tensor stands for NumPy's scalar, of which TensorFlow has no kind of its own."""
    return bool(element.shape.rank == 0) if tf.is_tensor(element) else np.isscalar(element)


@helper("numpy.iterable")
def iterable(y: Any) -> bool:
    """A 0-d tensor has `__iter__`, so NumPy's test says yes to it."""
    return bool(y.shape.rank != 0) if tf.is_tensor(y) else np.iterable(y)


@helper("numpy.shape")
def shape(a: Any) -> tuple[int, ...]:
    """tnp.shape gives a TensorShape, which multiplies, prints and compares differently."""
    return tuple(a.shape) if tf.is_tensor(a) else np.shape(a)


@inline("numpy.size")
def size(a: Any, axis: Any = None) -> Any:
    """tnp.size has no `axis`."""
    if axis is None:
        return tnp.size(a)
    return tnp.shape(a)[axis]
