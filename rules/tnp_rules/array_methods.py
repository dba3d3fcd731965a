"""Methods of an ndarray that a tensor lacks or has with other parameters.

They are rewritten to the function where the receiver is known to be an array, and attached to tf.Tensor where it is
not. Known differences that have no rule: `astype` from floats to 8 and 16 bit or unsigned integers wraps in NumPy,
while TensorFlow's result for values out of range depends on the device.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.dtype_attributes import tensor_dtype
from tnp_rules.elementwise_rounding import round
from tnp_rules.elementwise_selection import clip, compress, take
from tnp_rules.forms import helper, inline
from tnp_rules.manipulation import transpose
from tnp_rules.support import _promoted


@inline("numpy.ndarray.astype")
def ndarray_astype(a: Any, dtype: Any, *, copy: Any = True) -> tf.Tensor:
    """Tensor.astype takes float for float32, no int, no "f4", no `copy`, which a tensor has no use for."""
    return tnp.asarray(a, dtype=dtype)


@helper("numpy.ndarray.view")
def ndarray_view(a: Any, *args: Any) -> tf.Tensor:
    """A tensor shares its bytes with nothing; as a value, the same bytes in another dtype are tf.bitcast."""
    a = tnp.asarray(a)
    if not args or args[0] is np.ndarray:
        return a
    dtype = tensor_dtype(args[0])
    if dtype.size != a.dtype.size:  # NumPy makes other axes of it
        return tf.constant(a.numpy().view(dtype.as_numpy_dtype))
    if a.dtype.is_bool:
        a = tf.cast(a, tf.uint8)
    if dtype.is_bool:
        return tf.not_equal(tf.bitcast(a, tf.uint8), 0)
    return a if a.dtype == dtype else tf.bitcast(a, dtype)


@inline("numpy.ndarray.copy")
def ndarray_copy(a: Any) -> tf.Tensor:
    """Nothing can change a tensor, so it has no `copy`."""
    return tnp.copy(a)


@inline("numpy.ndarray.conj", "numpy.ndarray.conjugate")
def ndarray_conj(a: Any) -> tf.Tensor:
    """In TensorFlow it is a function only."""
    return tnp.conj(a)


@helper("numpy.ndarray.clip")
def ndarray_clip(a: Any, min: Any = None, max: Any = None) -> tf.Tensor:
    """Tensor.clip wants both bounds, as a_min and a_max, and wraps one that the dtype does not hold."""
    return clip(a, min, max)


@helper("numpy.ndarray.take")
def ndarray_take(a: Any, indices: Any, axis: Any = None, *, mode: Any = "raise") -> tf.Tensor:
    """In TensorFlow it is a function only, which takes index -1 for the first element."""
    return take(a, indices, axis, mode=mode)


@helper("numpy.ndarray.round")
def ndarray_round(a: Any, decimals: Any = 0) -> tf.Tensor:
    """tnp.round goes wrong for negative decimals; integers are rounded in float64 and stay integers."""
    return round(a, decimals)


@inline("numpy.ndarray.repeat")
def ndarray_repeat(a: Any, repeats: Any, axis: Any = None) -> tf.Tensor:
    """In TensorFlow it is a function only."""
    return tnp.repeat(a, repeats, axis=axis)


@helper("numpy.ndarray.compress")
def ndarray_compress(a: Any, condition: Any, axis: Any = None) -> tf.Tensor:
    """In TensorFlow it is a function only, which takes the condition first."""
    return compress(condition, a, axis)


@inline("numpy.ndarray.diagonal")
def ndarray_diagonal(a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> tf.Tensor:
    """In TensorFlow it is a function only."""
    return tnp.diagonal(a, offset=offset, axis1=axis1, axis2=axis2)


@inline("numpy.ndarray.dot")
def ndarray_dot(a: Any, other: Any) -> tf.Tensor:
    """In TensorFlow it is a function only."""
    return tnp.dot(a, other)


@inline("numpy.ndarray.squeeze")
def ndarray_squeeze(a: Any, axis: Any = None) -> tf.Tensor:
    """In TensorFlow it is a function only."""
    return tnp.squeeze(a, axis=axis)


@inline("numpy.ndarray.swapaxes")
def ndarray_swapaxes(a: Any, axis1: Any, axis2: Any) -> tf.Tensor:
    """In TensorFlow it is a function only."""
    return tnp.swapaxes(a, axis1, axis2)


@helper("numpy.ndarray.transpose")
def ndarray_transpose(a: Any, *axes: Any) -> tf.Tensor:
    """Tensor.transpose takes the axes as one tuple only, counted from the front."""
    return transpose(a, axes[0] if len(axes) == 1 else axes or None)


@helper("numpy.ndarray.item")
def ndarray_item(a: Any, *args: Any) -> Any:
    """A Python number is on the host: this reads the tensor, which cannot be done while tracing."""
    return tnp.asarray(a).numpy().item(*args)


def contains(a: Any, x: Any) -> bool:
    """Tell whether an element is equal, as `x in a` does: a tensor has no such method."""
    return bool(tf.reduce_any(tf.equal(*_promoted(a, x))))


@helper("numpy.ndarray.tobytes")
def ndarray_tobytes(a: Any) -> bytes:
    """Bytes are on the host: this reads the tensor, which cannot be done while tracing."""
    return bytes(tnp.asarray(a).numpy().tobytes())


@helper("numpy.ndarray.tostring")
def ndarray_tostring(a: Any) -> bytes:
    """NumPy 2.3 has removed it: the old name of `tobytes`."""
    return ndarray_tobytes(a)
