"""numpy.fft along several axes."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tnp_rules.fft import (
    _FORWARD,
    _INVERSE,
    _complex_signal,
    _resized_axis,
    _scaled,
    _transform_length,
    fft,
    ifft,
    irfft,
    rfft,
)
from tnp_rules.forms import helper
from tnp_rules.linalg_arguments import _size
from tnp_rules.support import _axis_index, _tensor


@helper("numpy.fft.fft2")
def fft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None) -> tf.Tensor:
    """tf.signal.fft2d takes complex tensors and their last two axes, and has neither lengths nor norm."""
    return fftn(a, s, axes, norm)


@helper("numpy.fft.ifft2")
def ifft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None) -> tf.Tensor:
    """tf.signal.ifft2d takes complex tensors and their last two axes, and has neither lengths nor norm."""
    return ifftn(a, s, axes, norm)


@helper("numpy.fft.rfft2")
def rfft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None) -> tf.Tensor:
    """tf.signal.rfft2d takes floating tensors and their last two axes, and has no norm."""
    return rfftn(a, s, axes, norm)


@helper("numpy.fft.irfft2")
def irfft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None) -> tf.Tensor:
    """tf.signal.irfft2d takes complex tensors and their last two axes, and has no norm."""
    return irfftn(a, s, axes, norm)


@helper("numpy.fft.fftn")
def fftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> tf.Tensor:
    """tf.signal.fftnd has no CPU kernel; fft2d and fft3d do two or three axes at once."""
    x = _tensor(a)
    return _transform_axes(x, *_axes_and_lengths(x, s, axes), norm=norm, inverse=False)


@helper("numpy.fft.ifftn")
def ifftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> tf.Tensor:
    """tf.signal.ifftnd has no CPU kernel; ifft2d and ifft3d do two or three axes at once."""
    x = _tensor(a)
    return _transform_axes(x, *_axes_and_lengths(x, s, axes), norm=norm, inverse=True)


@helper("numpy.fft.rfftn")
def rfftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> tf.Tensor:
    """tf.signal.rfftnd has no CPU kernel: a real transform of the last axis, then a complex one of the others."""
    x = _tensor(a)
    positions, lengths = _axes_and_lengths(x, s, axes)
    x = rfft(x, lengths[-1], positions[-1], norm)
    return _transform_axes(x, positions[:-1], lengths[:-1], norm=norm, inverse=False)


@helper("numpy.fft.irfftn")
def irfftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> tf.Tensor:
    """tf.signal.irfftnd has no CPU kernel: a complex inverse of all axes but the last, then a real one."""
    x = _tensor(a)
    positions, lengths = _axes_and_lengths(x, s, axes)
    length = 2 * (lengths[-1] - 1) if s is None else lengths[-1]
    x = _transform_axes(x, positions[:-1], lengths[:-1], norm=norm, inverse=True)
    return irfft(x, length, positions[-1], norm)


def _axes_and_lengths(x: tf.Tensor, s: Any, axes: Any) -> tuple[list[int], list[Any]]:
    """Return axes counted from the front, and the lengths to crop or pad them to."""
    if axes is None:
        axes = range(x.shape.rank) if s is None else range(-len(s), 0)
    positions = [_axis_index(axis, x.shape.rank) for axis in axes]
    lengths = [-1] * len(positions) if s is None else list(s)
    if len(lengths) != len(positions):
        raise ValueError("Shape and axes have different lengths.")
    return positions, [
        _size(x, position) if not tf.is_tensor(length) and length == -1 else length
        for position, length in zip(positions, lengths)
    ]


def _transform_axes(x: tf.Tensor, positions: list[int], lengths: list[Any], *, norm: Any, inverse: bool) -> tf.Tensor:
    """Transform axes at once where TensorFlow can, else one after the other; an axis may be named repeatedly."""
    count = len(positions)
    if count not in (2, 3) or len(set(positions)) < count:
        for position, length in reversed(list(zip(positions, lengths))):
            x = (ifft if inverse else fft)(x, length, position, norm)
        return x
    x = _complex_signal(x)
    sizes = []
    for position, given in zip(positions, lengths):
        length = _transform_length(given)
        x = _resized_axis(x, length, position)
        sizes.append(length)
    order = [axis for axis in range(x.shape.rank) if axis not in positions] + sorted(positions)
    back = sorted(range(len(order)), key=order.__getitem__)
    if order == sorted(order):
        x = _transform_last_axes(x, count, inverse)
    else:
        x = tf.transpose(_transform_last_axes(tf.transpose(x, order), count, inverse), back)
    for length in sizes if norm is not None else []:
        x = _scaled(x, _INVERSE if inverse else _FORWARD, norm, length)
    return x


def _transform_last_axes(x: tf.Tensor, count: int, inverse: bool) -> tf.Tensor:
    if count == 2:
        return tf.signal.ifft2d(x) if inverse else tf.signal.fft2d(x)
    return tf.signal.ifft3d(x) if inverse else tf.signal.fft3d(x)
