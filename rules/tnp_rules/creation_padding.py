"""`np.pad`: tnp has three of the eleven modes, and wants every width spelled out."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.support import _tensor

PAD_STATISTICS = ("maximum", "mean", "median", "minimum")
PAD_SETTINGS = {  # the modes, and the parameter that each of them takes
    "constant": "constant_values", "linear_ramp": "end_values", "empty": "", "edge": "", "wrap": "",
    "reflect": "reflect_type", "symmetric": "reflect_type", **dict.fromkeys(PAD_STATISTICS, "stat_length"),
}  # fmt: skip


@helper("numpy.pad")
def pad(
    array: Any,
    pad_width: Any,
    mode: Any = "constant",
    *,
    stat_length: Any = None,
    constant_values: Any = None,
    end_values: Any = None,
    reflect_type: Any = None,
) -> tf.Tensor:
    """tnp.pad knows constant, reflect and symmetric, and ignores `reflect_type`."""
    x = _tensor(array)
    rank = x.shape.rank
    widths = _pad_widths(pad_width, rank)
    if mode not in ("constant", "edge", "wrap", "empty") or not (
        constant_values is None and end_values is None and reflect_type is None and stat_length is None
    ):
        given = {
            "constant_values": constant_values, "end_values": end_values, "reflect_type": reflect_type,
            "stat_length": stat_length,
        }  # fmt: skip
        _check_pad_settings(mode, given)
    value = constant_values if mode == "constant" else end_values
    value = 0 if value is None else value
    if mode == "constant" and np.ndim(value) == 0:
        return tf.pad(x, widths, constant_values=tf.cast(_tensor(value), x.dtype))
    settings = _per_edge(value, rank, x.dtype) if mode in ("constant", "linear_ramp", "empty") else None
    lengths = None if stat_length is None else _counts_per_edge(stat_length, rank)
    if mode in ("maximum", "minimum") and lengths is not None and (lengths == 0).any() and 0 not in x.shape:
        raise ValueError("stat_length of 0 yields no value for padding")
    for axis in range(rank):
        before, after = (int(width) for width in widths[axis])
        if before or after:
            values = None if settings is None else settings[axis]
            length = None if lengths is None else lengths[axis]
            x = _pad_axis(x, axis, (before, after), mode, values, length, reflect_type)
    return x


def _pad_widths(pad_width: Any, rank: int) -> Any:
    if isinstance(pad_width, dict):
        pairs = {axis % rank: width for axis, width in pad_width.items()}
        pad_width = [pair if np.ndim(pair) else (pair, pair) for pair in (pairs.get(axis, 0) for axis in range(rank))]
    if np.asarray(pad_width).dtype.kind != "i":
        raise TypeError("`pad_width` must be of integral type.")
    return _counts_per_edge(pad_width, rank)


def _check_pad_settings(mode: Any, given: Any) -> None:
    """Refuse what NumPy refuses: an unknown mode, and a parameter that belongs to another mode."""
    if callable(mode):
        raise TypeError("np.pad with a function pads in place, which tensors cannot")
    if mode not in PAD_SETTINGS:
        raise ValueError(f"mode '{mode}' is not supported")
    foreign = {name for name, value in given.items() if value is not None and name != PAD_SETTINGS[mode]}
    if foreign:
        raise ValueError(f"unsupported keyword arguments for mode '{mode}': {foreign}")


def _counts_per_edge(counts: Any, rank: int) -> Any:
    """Broadcast lengths to one before and one after each axis."""
    counts = np.broadcast_to(np.round(np.asarray(counts)).astype(np.int64), (rank, 2))
    if (counts < 0).any():
        raise ValueError("index can't contain negative values")
    return counts


def _pad_axis(
    x: tf.Tensor, axis: int, width: tuple[int, int], mode: str, values: Any, length: Any, reflect_type: Any
) -> tf.Tensor:
    if x.shape[axis] == 0 and mode not in ("constant", "empty"):
        raise ValueError(f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'")
    if mode in ("edge", "reflect", "symmetric", "wrap"):
        return _pad_by_index(x, axis, width, mode, reflect_type)
    if mode in ("constant", "empty"):
        edges = [_filled(x, axis, width[side], values[side]) for side in (0, 1)]
    elif mode == "linear_ramp":
        edges = [_ramp(x, axis, width[side], values[side], side) for side in (0, 1)]
    else:
        edges = [
            tf.repeat(_statistic(x, axis, mode, None if length is None else int(length[side]), side), count, axis=axis)
            for side, count in enumerate(width)
        ]
    return tf.concat([edges[0], x, edges[1]], axis)


def _per_edge(values: Any, rank: int, dtype: Any) -> Any:
    """Broadcast a setting to one value before and one after each axis."""
    return [tf.unstack(row) for row in tf.unstack(tf.broadcast_to(tf.cast(_tensor(values), dtype), (rank, 2)))]


def _pad_by_index(x: tf.Tensor, axis: int, width: tuple[int, int], mode: str, reflect_type: Any) -> tf.Tensor:
    """Gather the padding from the array; odd reflection turns it about the edge value, once a period."""
    size = x.shape[axis]
    place = np.arange(-width[0], size + width[1])
    if mode == "edge" or (size == 1 and mode == "reflect"):
        return tf.gather(x, np.clip(place, 0, size - 1), axis=axis)
    period = size - 1 if mode == "reflect" else size
    turn, within = np.divmod(place, period)
    if mode != "wrap":
        far = size - 1 if mode == "symmetric" else period
        within = np.where(turn % 2 == 1, far - within, within)
    padded = tf.gather(x, within, axis=axis)
    if mode == "wrap" or not reflect_type or reflect_type == "even":
        return padded
    shape = [-1 if one == axis else 1 for one in range(x.shape.rank)]
    first, last = tf.gather(x, [0], axis=axis), tf.gather(x, [size - 1], axis=axis)
    odd = np.reshape(turn % 2 == 1, shape)
    whole = tf.constant(np.reshape(turn + turn % 2, shape), x.dtype)
    return tf.where(odd, whole * (last - first) + 2 * first - padded, whole * (last - first) + padded)


def _filled(x: tf.Tensor, axis: int, count: int, value: tf.Tensor) -> tf.Tensor:
    return tf.fill([count if one == axis else size for one, size in enumerate(x.shape)], value)


def _ramp(x: tf.Tensor, axis: int, count: int, end: tf.Tensor, side: int) -> tf.Tensor:
    """Go from the edge value to the end value in equal steps, the edge left out."""
    wide = x if x.dtype.is_floating or x.dtype.is_complex else tf.cast(x, tf.float64)
    edge = tf.gather(wide, [0 if side == 0 else x.shape[axis] - 1], axis=axis)
    steps = np.arange(count) if side == 0 else np.arange(count)[::-1]
    shape = [-1 if one == axis else 1 for one in range(x.shape.rank)]
    fraction = tf.constant(np.reshape(steps / np.maximum(count, 1), shape), wide.dtype)
    end = tf.cast(end, wide.dtype)
    ramp = end + fraction * (edge - end)
    return tf.cast(ramp if wide is x else tf.math.floor(ramp), x.dtype)


def _statistic(x: tf.Tensor, axis: int, mode: str, length: Any, side: int) -> tf.Tensor:
    """Reduce the values next to an edge; integers are rounded."""
    size = x.shape[axis]
    length = size if length is None else int(np.minimum(length, size))
    start = 0 if side == 0 else size - length
    part = tf.gather(x, np.arange(start, start + length), axis=axis)
    if mode in ("maximum", "minimum"):
        return (tf.reduce_max if mode == "maximum" else tf.reduce_min)(part, axis, keepdims=True)
    wide = part if x.dtype.is_floating or x.dtype.is_complex else tf.cast(part, tf.float64)
    if mode == "mean" or length == 0:
        value = tf.reduce_mean(wide, axis, keepdims=True)
    else:
        middle = tf.gather(tf.sort(wide, axis), [(length - 1) // 2, length // 2], axis=axis)
        value = tf.reduce_mean(middle, axis, keepdims=True)
    return value if x.dtype.is_floating or x.dtype.is_complex else tf.cast(tf.round(value), x.dtype)
