"""Arrays made of buffers, text and iterators, and packed bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.forms import helper, inline
from tnp_rules.support import _axis_index, _tensor

BIT_WEIGHTS = {"big": [128, 64, 32, 16, 8, 4, 2, 1], "little": [1, 2, 4, 8, 16, 32, 64, 128]}


@inline("numpy.frombuffer")
def frombuffer(buffer: Any, dtype: Any = None, count: int = -1, offset: int = 0) -> tf.Tensor:
    """The bytes are on the host: NumPy reads them."""
    return tnp.asarray(np.frombuffer(buffer, dtype, count, offset))


@inline("numpy.fromstring")
def fromstring(string: Any, dtype: Any = float, count: int = -1, *, sep: str) -> tf.Tensor:
    """The text is on the host: NumPy reads it."""
    return tnp.asarray(np.fromstring(string, dtype, count, sep=sep))


@helper("numpy.fromiter")
def fromiter(iter: Any, dtype: Any, count: int = -1) -> tf.Tensor:
    """tnp has no fromiter; the iterator runs on the host, and may yield tensors."""
    items = list(iter) if count < 0 else [item for _, item in zip(range(count), iter)]
    if count > len(items):
        raise ValueError(f"iterator too short: Expected {count} but iterator had only {len(items)} items.")
    return tnp.asarray(items, dtype)


@helper("numpy.packbits")
def packbits(a: Any, /, axis: Any = None, bitorder: str = "big") -> tf.Tensor:
    """tf.io.decode_raw knows no bits: weigh and add up each eight."""
    a = _tensor(a)
    if not (a.dtype.is_bool or a.dtype.is_integer):
        raise TypeError("Expected an input array of integer or boolean data type")
    a = tf.reshape(a, [-1]) if axis is None else tnp.moveaxis(a, _axis_index(axis, a.shape.rank), -1)
    bits = tf.cast(tf.cast(a, tf.bool), tf.int32)
    bits = tf.pad(bits, [[0, 0]] * (bits.shape.rank - 1) + [[0, -tf.shape(bits)[-1] % 8]])
    groups = tf.reshape(bits, tf.concat([tf.shape(bits)[:-1], [tf.shape(bits)[-1] // 8, 8]], 0))
    packed = tf.cast(tf.reduce_sum(groups * _bit_weights(bitorder), axis=-1), tf.uint8)
    return packed if axis is None else tnp.moveaxis(packed, -1, axis)


@helper("numpy.unpackbits")
def unpackbits(a: Any, /, axis: Any = None, count: Any = None, bitorder: str = "big") -> tf.Tensor:
    """tf.io.decode_raw knows no bits: test each byte for eight weights. A count cuts, or fills with zeros."""
    a = _tensor(a)
    if a.dtype != tf.uint8:
        raise TypeError("Expected an input array of unsigned byte data type")
    a = tf.reshape(a, [-1]) if axis is None else tnp.moveaxis(a, _axis_index(axis, a.shape.rank), -1)
    weights = tf.cast(_bit_weights(bitorder), tf.uint8)
    bits = tf.cast(tf.bitwise.bitwise_and(a[..., tf.newaxis], weights) != 0, tf.uint8)
    bits = tf.reshape(bits, tf.concat([tf.shape(a)[:-1], [tf.shape(a)[-1] * 8]], 0))
    if count is not None:
        if count < 0 and bits.shape[-1] is not None and -count > bits.shape[-1]:
            raise ValueError("-count larger than number of elements")
        bits = bits[..., :count]
    if count is not None and count > 0:
        bits = tf.pad(bits, [[0, 0]] * (bits.shape.rank - 1) + [[0, count - tf.shape(bits)[-1]]])
    return bits if axis is None else tnp.moveaxis(bits, -1, axis)


def _bit_weights(bitorder: str) -> tf.Tensor:
    if bitorder not in BIT_WEIGHTS:
        raise ValueError("'bitorder' must be either 'little' or 'big'")
    return tf.constant(BIT_WEIGHTS[bitorder])
