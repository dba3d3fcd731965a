"""numpy.fft along one axis: tf.signal transforms the last axis, of complex or floating tensors, without scaling."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.linalg_arguments import _size
from tnp_rules.support import _axis_index, _tensor

# What is left to multiply with: tf.signal's forward transforms are unscaled, its inverse ones divide by the length.
_FORWARD = {"backward": None, "ortho": tf.math.rsqrt, "forward": tf.math.reciprocal}
_INVERSE = {"backward": None, "ortho": tf.math.sqrt, "forward": tf.identity}
_SWAPPED_NORM = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}


@helper("numpy.fft.fft")
def fft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None) -> tf.Tensor:
    """tf.signal.fft takes complex tensors and their last axis, and has neither length nor norm."""
    return _transform_axis(tf.signal.fft, _complex_signal(a), n, axis, _FORWARD, norm)


@helper("numpy.fft.ifft")
def ifft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None) -> tf.Tensor:
    """tf.signal.ifft takes complex tensors and their last axis, and has neither length nor norm."""
    return _transform_axis(tf.signal.ifft, _complex_signal(a), n, axis, _INVERSE, norm)


@helper("numpy.fft.rfft")
def rfft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None) -> tf.Tensor:
    """tf.signal.rfft takes floating tensors and their last axis, and has no norm."""
    return _transform_axis(tf.signal.rfft, _real_signal(a), n, axis, _FORWARD, norm)


@helper("numpy.fft.irfft")
def irfft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None) -> tf.Tensor:
    """tf.signal.irfft aborts the process for length 0, and has no gradient where it would have to crop or pad."""
    x = _tensor(a)
    half = x.dtype == tf.float16
    x = _complex_signal(x)
    position = _axis_index(axis, x.shape.rank)
    length = _transform_length(2 * (_size(x, position) - 1) if n is None else n)
    x = _last_axis_exchanged(_resized_axis(x, length // 2 + 1, position), position)
    y = tf.signal.irfft(x, tf.stack([length]))
    if norm is not None:
        y = _scaled(y, _INVERSE, norm, length)
    y = _last_axis_exchanged(y, position)
    return tf.cast(y, tf.float16) if half else y


@helper("numpy.fft.hfft")
def hfft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None) -> tf.Tensor:
    """tf.signal has no transform of a signal with Hermitian symmetry: it is an unscaled inverse of the conjugate."""
    x = _tensor(a)
    return irfft(tf.math.conj(x) if x.dtype.is_complex else x, n, axis, _swapped_norm(norm))


@helper("numpy.fft.ihfft")
def ihfft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None) -> tf.Tensor:
    """tf.signal has no inverse for Hermitian symmetry: it is the conjugate of a scaled forward transform."""
    return tf.math.conj(rfft(a, n, axis, _swapped_norm(norm)))


def _transform_axis(
    transform: Callable[..., tf.Tensor], x: tf.Tensor, n: Any, axis: Any, scales: Any, norm: Any
) -> tf.Tensor:
    """Apply a transform of the last axis to another axis, cropped or padded to n."""
    position = _axis_index(axis, x.shape.rank)
    length = _transform_length(_size(x, position) if n is None else n)
    x = _last_axis_exchanged(_resized_axis(x, length, position), position)
    y = transform(x)
    if norm is not None:
        y = _scaled(y, scales, norm, length)
    return _last_axis_exchanged(y, position)


def _last_axis_exchanged(x: tf.Tensor, axis: int) -> tf.Tensor:
    """Swap an axis with the last, which is where tf.signal works."""
    order = list(range(x.shape.rank))
    order[axis], order[-1] = order[-1], order[axis]
    return x if axis == x.shape.rank - 1 else tf.transpose(x, order)


def _complex_signal(a: Any) -> tf.Tensor:
    """NumPy keeps single precision and takes everything else to double."""
    x = _tensor(a)
    single = x.dtype in (tf.float16, tf.float32, tf.complex64)
    return tf.cast(x, tf.complex64 if single else tf.complex128)


def _real_signal(a: Any) -> tf.Tensor:
    """NumPy keeps single precision, takes everything else to double, and refuses complex signals."""
    x = _tensor(a)
    if x.dtype.is_complex:
        raise TypeError("a real transform takes no complex input")
    return tf.cast(x, tf.float32 if x.dtype in (tf.float16, tf.float32) else tf.float64)


def _transform_length(n: Any) -> Any:
    """Check a number of points: an int where it is known, a symbolic tensor where only the graph will know."""
    if tf.is_tensor(n) and not hasattr(n, "numpy"):
        known = tf.get_static_value(n)
        if known is None:
            return n
        n = int(known)
    length = range(n).stop  # takes every integer type, refuses floats
    if length < 1:
        raise ValueError(f"Invalid number of FFT data points ({length}) specified.")
    return length


def _resized_axis(x: tf.Tensor, length: Any, axis: int) -> tf.Tensor:
    """Crop an axis, or pad it with zeros at its end."""
    known = x.shape[axis]
    static = known is not None and not tf.is_tensor(length)
    if static and known == length:
        return x
    before, after = [[0, 0]] * axis, [[0, 0]] * (x.shape.rank - axis - 1)
    if not static or known > length:
        x = x[(slice(None),) * axis + (slice(length),)]
    return x if static and known >= length else tf.pad(x, [*before, [0, length - tf.shape(x)[axis]], *after])


def _scaled(y: tf.Tensor, scales: Any, norm: Any, length: Any) -> tf.Tensor:
    """Multiply with the factor that a norm asks for."""
    if norm not in scales:
        raise ValueError(f'Invalid norm value {norm}; should be "backward", "ortho" or "forward".')
    scale = scales[norm]
    return y if scale is None else y * tf.cast(scale(tf.cast(length, tf.float64)), y.dtype)


def _swapped_norm(norm: Any) -> str:
    """Exchange the direction that is scaled."""
    if norm not in _SWAPPED_NORM:
        raise ValueError(f'Invalid norm value {norm}; should be "backward", "ortho" or "forward".')
    return _SWAPPED_NORM[norm]
