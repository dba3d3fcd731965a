"""`convolve` and `correlate` of sequences."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.statistic_arguments import _length
from tnp_rules.support import _promoted, _tensor

# Above this many products, a convolution kernel beats adding up the shifted products.
_SHIFTED_PRODUCTS = 1 << 16
_SHORT = 8  # so few products are added up one by one


@helper("numpy.convolve")
def convolve(a: Any, v: Any, mode: Any = "full") -> tf.Tensor:
    """TensorFlow's convolution is for float images, pads with zeros (infinity times 0), and is TF32 on GPUs."""
    a, v = (tf.reshape(x, [-1]) for x in _sequences(a, v))
    if _is_shorter(a, v):
        a, v = v, a
    return _mode_part(_convolve_full(a, v), a, v, mode, shift=(_length(v) - 1) // 2)


@helper("numpy.correlate")
def correlate(a: Any, v: Any, mode: Any = "valid") -> tf.Tensor:
    """TensorFlow has no correlation of sequences; complex `v` is conjugated."""
    a, v = _sequences(a, v)
    if () in (a.shape, v.shape):
        raise ValueError("object of too small depth for desired array")
    v = tf.reverse(tf.math.conj(v) if v.dtype.is_complex else v, [0])
    if _is_shorter(a, v):
        return _mode_part(_convolve_full(v, a), v, a, mode, shift=_length(a) // 2)
    return _mode_part(_convolve_full(a, v), a, v, mode, shift=(_length(v) - 1) // 2)


def _sequences(a: Any, v: Any) -> list[tf.Tensor]:
    pair = _promoted(_tensor(a), _tensor(v))
    if [x for x in pair if x.shape.rank > 1]:
        raise ValueError("object too deep for desired array")
    if [x for x in pair if x.shape == (0,)]:
        raise ValueError("array argument cannot be empty")
    return pair


def _is_shorter(a: tf.Tensor, v: tf.Tensor) -> bool:
    return None not in (a.shape[0], v.shape[0]) and a.shape[0] < v.shape[0]


def _mode_part(full: tf.Tensor, a: tf.Tensor, v: tf.Tensor, mode: Any, *, shift: Any) -> tf.Tensor:
    """Cut what the mode asks for out of the full convolution; `shift` is where "same" begins."""
    if mode == "full":
        return full
    if mode == "same":
        return full[shift : shift + _length(a)]
    if mode == "valid":
        return full[_length(v) - 1 : _length(a)]
    raise ValueError("Use one of 'valid', 'same', or 'full' for convolve/correlate mode")


def _convolve_full(a: tf.Tensor, v: tf.Tensor) -> tf.Tensor:
    dtype = a.dtype
    if not (dtype.is_floating or dtype.is_complex):
        work = tf.uint64 if dtype == tf.uint64 else tf.int64
        return tf.cast(_sum_shifted_products(tf.cast(a, work), tf.cast(v, work)), dtype)
    if None in (a.shape[0], v.shape[0]) or v.shape[0] <= _SHORT or a.shape[0] * v.shape[0] <= _SHIFTED_PRODUCTS:
        return _sum_shifted_products(a, v)
    finite = tf.math.is_finite(tf.math.real(v)) & tf.math.is_finite(tf.math.imag(v))
    return tf.cond(tf.reduce_all(finite), lambda: _convolve_by_kernel(a, v), lambda: _sum_shifted_products(a, v))


def _sum_shifted_products(a: tf.Tensor, v: tf.Tensor) -> tf.Tensor:
    """Add up the rows of the outer product, each one place further right than the row above.

    Exact for integers, and infinities meet only what NumPy lets them meet. Takes len(a) * len(v) memory.
    """
    n, m = _length(a), _length(v)
    if isinstance(m, int) and m <= _SHORT:
        return tf.add_n([tf.pad(a * v[place], [[place, m - 1 - place]]) for place in range(m)])
    rows = tf.pad(v[:, tf.newaxis] * a[tf.newaxis, :], [[0, 0], [0, m]])
    shifted = tf.reshape(tf.reshape(rows, [-1])[: m * (n + m - 1)], [m, n + m - 1])
    return tf.reduce_sum(shifted, 0)


def _convolve_by_kernel(a: tf.Tensor, v: tf.Tensor) -> tf.Tensor:
    """Convolve in float64, complex numbers as two channels."""
    dtype = a.dtype
    border = _length(v) - 1
    if dtype.is_complex:
        signal = tf.stack([tf.math.real(a), tf.math.imag(a)], -1)
        real, imag = tf.math.real(v), tf.math.imag(v)
        kernel = tf.stack([tf.stack([real, imag], -1), tf.stack([-imag, real], -1)], 1)
    else:
        signal, kernel = a[:, tf.newaxis], v[:, tf.newaxis, tf.newaxis]
    padded = tf.pad(tf.cast(signal, tf.float64), [[border, border], [0, 0]])
    flipped = tf.cast(tf.reverse(kernel, [0]), tf.float64)
    result = tf.nn.conv1d(padded[tf.newaxis], flipped, stride=1, padding="VALID")[0]
    if dtype.is_complex:
        return tf.cast(tf.complex(result[:, 0], result[:, 1]), dtype)
    return tf.cast(result[:, 0], dtype)
