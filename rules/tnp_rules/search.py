"""Searching: sorted positions, nonzero positions, choices by index and by condition."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.forms import helper, inline
from tnp_rules.joining import sequence_items, to_common_dtype
from tnp_rules.sorting import order_key
from tnp_rules.support import _promoted, _raise_where, _tensor


@helper("numpy.searchsorted", "numpy.ndarray.searchsorted")
def searchsorted(a: Any, v: Any, side: str = "left", sorter: Any = None) -> tf.Tensor:
    """tf.searchsorted puts NaN first, wants equal dtypes and gives int32."""
    a, v = to_common_dtype([a, v])
    if a.shape.rank != 1:
        raise ValueError("object of too small depth for desired array" if a.shape.rank == 0 else "object too deep")
    if sorter is not None:
        a = tf.gather(a, sorter)
    found = tf.searchsorted(order_key(a), order_key(tf.reshape(v, [-1])), side, tf.int64)
    return tf.reshape(found, tf.shape(v))


@helper("numpy.digitize")
def digitize(x: Any, bins: Any, right: bool = False) -> tf.Tensor:
    """tf.searchsorted takes ascending edges only; NumPy's may descend."""
    x, bins = _tensor(x), _tensor(bins)
    if x.dtype.is_complex:
        raise TypeError("x may not be complex")
    _check_monotonic(bins)
    side = "left" if right else "right"
    # last < first is false for one edge, for none and for equal edges
    falls = tf.reduce_any(order_key(bins[-1:]) < order_key(bins[:1]))
    found = searchsorted(tf.where(falls, tf.reverse(bins, [0]), bins), x, side)
    return tf.where(falls, tf.size(bins, tf.int64) - found, found)


def _check_monotonic(bins: tf.Tensor) -> None:
    """Raise NumPy's error for unordered edges."""
    if bins.shape.rank != 1:
        raise ValueError("object of too small depth for desired array" if bins.shape.rank == 0 else "object too deep")
    edges = tf.cast(bins, tf.int32) if bins.dtype.is_bool else bins
    rises, falls = tf.reduce_all(edges[1:] >= edges[:-1]), tf.reduce_all(edges[1:] <= edges[:-1])
    _raise_where(~(rises | falls), ValueError("bins must be monotonically increasing or decreasing"))


def nonzero_mask(a: tf.Tensor) -> tf.Tensor:
    """Say where an array is not zero; a NaN and a purely imaginary number are not."""
    return a if a.dtype.is_bool else tf.not_equal(a, tf.zeros([], a.dtype))


@helper("numpy.nonzero", "numpy.ndarray.nonzero")
def nonzero(a: Any) -> tuple[tf.Tensor, ...]:
    """tnp.nonzero gives a list, loses imaginary parts and takes a scalar."""
    a = _tensor(a)
    if a.shape.rank == 0:
        raise ValueError("Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead.")
    return tuple(tf.unstack(tf.where(nonzero_mask(a)), axis=1))


@inline("numpy.where")
def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    """tnp.where of a condition alone gives a list, which NumPy arrays take for one index array."""
    if x is None:
        return (*tf.unstack(tf.where(condition), axis=1),)
    return tnp.where(condition, x, y)


@inline("numpy.argwhere")
def argwhere(a: Any) -> tf.Tensor:
    """tf.where of one argument is NumPy's argwhere."""
    return tf.where(a)


@inline("numpy.flatnonzero")
def flatnonzero(a: Any) -> tf.Tensor:
    """tf.where gives a column of positions."""
    return tf.where(tf.reshape(a, [-1]))[:, 0]


@helper("numpy.extract")
def extract(condition: Any, arr: Any) -> tf.Tensor:
    """tf.boolean_mask wants a bool mask of the array's own shape; NumPy's may be numbers, and shorter."""
    return tf.gather(tnp.ravel(arr), tf.where(nonzero_mask(tnp.ravel(condition)))[:, 0])


@helper("numpy.choose", "numpy.ndarray.choose")
def choose(a: Any, choices: Any, mode: str = "raise") -> tf.Tensor:
    """tf.gather indexes one array; NumPy picks each element from its own, after broadcasting them all.

    Indices out of range raise only where their values are known.
    """
    a, choices = _tensor(a), _promoted(*sequence_items(choices))
    if not (a.dtype.is_integer or a.dtype.is_bool):
        raise TypeError("Cannot cast array data to dtype('int64') according to the rule 'safe'")
    index, *choices = tnp.broadcast_arrays(tf.cast(a, tf.int64), *choices)
    index = choice_index(index, len(choices), mode)
    stacked = tf.stack(choices, axis=-1)
    return tf.gather(stacked, index[..., tf.newaxis], batch_dims=index.shape.rank)[..., 0]


def choice_index(index: tf.Tensor, size: Any, mode: str) -> tf.Tensor:
    """Bring indices into range as NumPy's modes do; "raise" checks them."""
    if mode == "wrap":
        return tf.math.floormod(index, size)
    if mode == "clip":
        return tf.clip_by_value(index, 0, size - 1)
    if mode != "raise":
        raise ValueError("clipmode not understood")
    _raise_where((index < 0) | (index >= size), ValueError("invalid entry in choice array"))
    return index


@helper("numpy.piecewise")
def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> tf.Tensor:
    """tnp has no piecewise: each function sees its own elements only, and the last true condition wins.

    How many elements a function sees depends on the data: not for jit_compile.
    """
    x = _tensor(x)
    flat = tf.reshape(x, [-1])
    masks = _piece_masks(x, condlist)
    if len(masks) == len(funclist) - 1:
        masks.append(~tf.reduce_any(masks, axis=0))
    elif len(masks) != len(funclist):
        raise ValueError(f"{len(masks)} conditions go with as many functions or one more, not {len(funclist)}")
    result = tf.zeros_like(flat)
    for mask, function in zip(masks, funclist):
        positions = tf.where(mask)
        if not callable(function):
            piece = function
        elif tf.executing_eagerly() and not positions.shape[0]:
            continue
        else:
            piece = function(tf.gather_nd(flat, positions), *args, **kw)
        piece = tf.broadcast_to(tf.cast(_tensor(piece), x.dtype), tf.shape(positions)[:1])
        result = tf.tensor_scatter_nd_update(result, positions, piece)
    return tf.reshape(result, tf.shape(x))


def _piece_masks(x: tf.Tensor, condlist: Any) -> list[tf.Tensor]:
    """Read NumPy's condition list, a single condition included, as flat masks."""
    one = np.isscalar(condlist) or not len(tnp.shape(condlist))
    if not one and x.shape.rank:
        first = condlist[0]
        one = not (isinstance(first, (list, tuple)) or len(tnp.shape(first)))
    conditions = [condlist] if one else sequence_items(condlist)
    masks = [_tensor(condition) for condition in conditions]
    return [tf.reshape(tf.broadcast_to(nonzero_mask(mask), tf.shape(x)), [-1]) for mask in masks]
