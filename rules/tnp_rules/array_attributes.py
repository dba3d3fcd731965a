"""Attributes of an ndarray that a tensor lacks or has in another type."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.forms import inline


@inline("numpy.ndarray.mT")
def ndarray_mT(a: Any) -> tf.Tensor:  # noqa: N802 (NumPy's name)
    """A tensor has T only, which turns all axes round."""
    return tf.linalg.matrix_transpose(a)


@inline("numpy.ndarray.real")
def ndarray_real(a: Any) -> tf.Tensor:
    """In TensorFlow it is a function only."""
    return tnp.real(a)


@inline("numpy.ndarray.imag")
def ndarray_imag(a: Any) -> tf.Tensor:
    """In TensorFlow it is a function only."""
    return tnp.imag(a)


@inline("numpy.ndarray.flat")
def ndarray_flat(a: Any) -> tf.Tensor:
    """A tensor has no iterator over its elements; read, it is the flattened tensor."""
    return tnp.ravel(a)


@inline("numpy.ndarray.itemsize")
def ndarray_itemsize(a: Any) -> int:
    """TensorFlow's dtype knows its size in bytes."""
    return tf.as_dtype(a.dtype).size  # type: ignore[no-any-return]


@inline("numpy.ndarray.size")
def ndarray_size(a: Any) -> int:
    """Tensor.size is a NumPy scalar, a float for a 0-d tensor, and None or a graph value while tracing."""
    return int(np.prod(a.shape))


@inline("numpy.ndarray.nbytes")
def ndarray_nbytes(a: Any) -> int:
    """A tensor does not tell; it has its elements in their dtype's size."""
    return int(np.prod(a.shape)) * tf.as_dtype(a.dtype).size  # type: ignore[no-any-return]
