"""Reductions: parameters that tnp lacks, and results that it gets wrong.

Known differences that have no rule: float16 sums are not widened as NumPy's are, and those of
`tnp_migrate.numpy_facts.limits`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.complex_order import _complex_extreme, _larger, _smaller
from tnp_rules.forms import helper, inline
from tnp_rules.support import (
    _axes_tuple,
    _float64_if_exact,
    _is_exact,
    _np_dtype,
    _promoted,
    _raise_where,
    _reduced_axes,
    _tensor,
)


@inline("numpy.sum")
def sum(a: Any, axis: Any = None, dtype: Any = None, keepdims: Any = False, where: Any = None) -> tf.Tensor:
    """tnp.sum has no `where`."""
    if where is None:
        return tnp.sum(a, axis=axis, dtype=dtype, keepdims=keepdims)
    return tnp.sum(tnp.where(where, a, 0), axis=axis, dtype=dtype, keepdims=keepdims)


@inline("numpy.prod")
def prod(a: Any, axis: Any = None, dtype: Any = None, keepdims: Any = False, where: Any = None) -> tf.Tensor:
    """tnp.prod has no `where`."""
    if where is None:
        return tnp.prod(a, axis=axis, dtype=dtype, keepdims=keepdims)
    return tnp.prod(tnp.where(where, a, 1), axis=axis, dtype=dtype, keepdims=keepdims)


def _refuse_nothing(a: Any, axis: Any, name: str) -> None:
    """Raise for a reduction without identity over no elements, where the sizes are known."""
    sizes = a.shape if hasattr(a, "shape") else np.shape(a)
    sizes = sizes.rank and tuple(sizes) if isinstance(sizes, tf.TensorShape) else sizes
    if sizes and 0 in (sizes if axis is None else [sizes[int(one)] for one in np.ravel(axis)]):
        raise ValueError(f"zero-size array to reduction operation {name} which has no identity")


def _refuse_where(where: Any, name: str) -> None:
    """Raise for a mask that may leave nothing of a reduction without identity."""
    if where is not True:
        raise ValueError(f"reduction operation '{name}' does not have an identity, so `where` needs `initial`")


def _with_initial(a: Any, axis: Any, initial: Any, where: Any) -> tuple[tf.Tensor, tf.Tensor]:
    """Give the first value the dtype of the array, and to what is not asked for; misfits are NumPy's errors."""
    a = _tensor(a)
    _reduced_axes(axis, a.shape.rank)
    dtype = a.dtype.as_numpy_dtype
    initial = tf.cast(initial, a.dtype) if tf.is_tensor(initial) else tf.constant(np.asarray(initial, dtype))
    if where is None:
        return a, initial
    tf.broadcast_static_shape(_tensor(where).shape, a.shape)
    return tnp.where(where, a, initial), initial


def _extreme_of(a: Any, axis: Any, keepdims: Any, *, largest: bool) -> tf.Tensor:
    """Call tnp.max or tnp.min, which take no complex numbers."""
    a = _tensor(a)
    axis = axis if a.shape.rank else _reduced_axes(axis, 0) or None
    if not a.dtype.is_complex:
        return (tnp.max if largest else tnp.min)(a, axis=axis, keepdims=keepdims)
    return _complex_extreme(tf.reduce_max if largest else tf.reduce_min, a, axis, keepdims)


@helper("numpy.max", "numpy.amax")
def max(a: Any, axis: Any = None, keepdims: Any = False, initial: Any = None, where: Any = None) -> tf.Tensor:
    """tnp.max of nothing is -inf where NumPy raises; it has neither `initial` nor `where`, which needs it."""
    if initial is None:
        if where is not None:
            _refuse_where(where, "maximum")
        _refuse_nothing(a, axis, "maximum")
        return _extreme_of(a, axis, keepdims, largest=True)
    a, initial = _with_initial(a, axis, initial, where)
    return _larger(_extreme_of(a, axis, keepdims, largest=True), initial)


@helper("numpy.min", "numpy.amin")
def min(a: Any, axis: Any = None, keepdims: Any = False, initial: Any = None, where: Any = None) -> tf.Tensor:
    """tnp.min of nothing is inf where NumPy raises; it has neither `initial` nor `where`, which needs it."""
    if initial is None:
        if where is not None:
            _refuse_where(where, "minimum")
        _refuse_nothing(a, axis, "minimum")
        return _extreme_of(a, axis, keepdims, largest=False)
    a, initial = _with_initial(a, axis, initial, where)
    return _smaller(_extreme_of(a, axis, keepdims, largest=False), initial)


@inline("numpy.all")
def all(a: Any, axis: Any = None, keepdims: Any = False, where: Any = None) -> tf.Tensor:
    """tnp.all has no `where`."""
    if where is None:
        return tnp.all(a, axis=axis, keepdims=keepdims)
    return tnp.all(tnp.where(where, a, True), axis=axis, keepdims=keepdims)


@inline("numpy.any")
def any(a: Any, axis: Any = None, keepdims: Any = False, where: Any = None) -> tf.Tensor:
    """tnp.any has no `where`."""
    if where is None:
        return tnp.any(a, axis=axis, keepdims=keepdims)
    return tnp.any(tnp.where(where, a, False), axis=axis, keepdims=keepdims)


@inline("numpy.count_nonzero")
def count_nonzero(a: Any, axis: Any = None, keepdims: Any = False) -> tf.Tensor:
    """tnp.count_nonzero has no `keepdims`."""
    if keepdims == False:  # noqa: E712 (the translator reads the constant)
        return tnp.count_nonzero(a, axis=axis)
    return tf.math.count_nonzero(a, axis=axis, keepdims=keepdims)


@helper("numpy.trace", direct="inexact")
def trace(a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1, dtype: Any = None) -> tf.Tensor:
    """tnp.trace sums small integers in their own dtype: int8 overflows."""
    return tnp.sum(tnp.diagonal(_tensor(a), offset, axis1, axis2), axis=-1, dtype=dtype)


@helper("numpy.var")
def var(
    a: Any, axis: Any = None, dtype: Any = None, ddof: Any = 0, keepdims: Any = False, *, correction: Any = None
) -> tf.Tensor:
    """tnp.var raises for `ddof` without `dtype`, and takes one axis only with it."""
    a = _tensor(a)
    a = _float64_if_exact(a) if dtype is None or a.dtype.is_complex else tf.cast(a, _np_dtype(dtype))
    if correction is not None:
        if ddof != 0:
            raise ValueError("ddof and correction can't be provided simultaneously.")
        ddof = correction
    axes = _axes_tuple(axis, a.shape.rank)
    sizes = tf.gather(tf.shape(a, tf.int64), tf.constant(axes, tf.int64))
    deviation = a - tf.reduce_mean(a, axis=axes, keepdims=True)
    square = tf.square(tf.abs(deviation) if a.dtype.is_complex else deviation)
    total = tf.reduce_sum(square, axis=axes, keepdims=keepdims)
    freedom = tf.cast(tf.reduce_prod(sizes), tf.float64) - ddof
    result = total / tf.cast(tf.maximum(freedom, 0.0), total.dtype)
    return result if dtype is None else tf.cast(result, _np_dtype(dtype))


@helper("numpy.std", direct="float")
def std(
    a: Any, axis: Any = None, dtype: Any = None, ddof: Any = 0, keepdims: Any = False, *, correction: Any = None
) -> tf.Tensor:
    """tnp.std has neither `ddof` nor `dtype`."""
    return tf.sqrt(var(a, axis, dtype, ddof, keepdims, correction=correction))


@helper("numpy.average")
def average(a: Any, axis: Any = None, weights: Any = None, returned: Any = False, *, keepdims: Any = False) -> Any:
    """tnp.average takes one axis, and has no `keepdims`."""
    a = _tensor(a)
    if weights is None:
        a = _float64_if_exact(a)
        axes = _axes_tuple(axis, a.shape.rank)
        mean = tf.reduce_mean(a, axis=axes, keepdims=keepdims)
        count = tf.reduce_prod(tf.gather(tf.shape(a), tf.constant(axes, tf.int32)))
        return (mean, tf.cast(tf.fill(tf.shape(mean), count), mean.dtype)) if returned else mean
    a, weights = _promoted(a, _weights_along(a, _tensor(weights), axis))
    if _is_exact(a):
        a, weights = tf.cast(a, tf.float64), tf.cast(weights, tf.float64)
    axes = _axes_tuple(axis, a.shape.rank)
    scale = tf.reduce_sum(weights, axis=axes, keepdims=keepdims)
    _raise_where(scale == 0, ZeroDivisionError("Weights sum to zero, can't be normalized"))
    mean = tf.reduce_sum(a * weights, axis=axes, keepdims=keepdims) / scale
    return (mean, tf.broadcast_to(scale, tf.shape(mean))) if returned else mean


def _weights_along(a: tf.Tensor, weights: tf.Tensor, axis: Any) -> tf.Tensor:
    """Give weights the shape of the array, to which they belong whole or along the averaged axes."""
    if weights.shape == a.shape:
        return weights
    if axis is None:
        raise TypeError("Axis must be specified when shapes of a and weights differ.")
    axes = _axes_tuple(axis, a.shape.rank)
    if tuple(weights.shape) != tuple(a.shape[one] for one in axes):
        raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
    ordered = tf.transpose(weights, [int(place) for place in np.argsort(axes)])
    shape = [size if one in axes else 1 for one, size in enumerate(a.shape)]
    return tf.broadcast_to(tf.reshape(ordered, shape), a.shape)
