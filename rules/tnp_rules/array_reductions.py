"""Reducing and ordering methods of an ndarray, which a tensor lacks or has with fewer parameters.

Parameters behind `out`, which TensorFlow cannot have, are keyword-only: as a method of a tensor, NumPy computes
where its position would mean another parameter (`or_numpy`).
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.forms import helper, inline
from tnp_rules.reductions import max, min, std, trace, var
from tnp_rules.reductions_order import argmax, argmin, argsort
from tnp_rules.reductions_running import cumprod, cumsum


@inline("numpy.ndarray.sum")
def ndarray_sum(a: Any, axis: Any = None, dtype: Any = None, *, keepdims: Any = False, where: Any = True) -> tf.Tensor:
    """In TensorFlow it is a function only, without `where`."""
    if where is True:
        return tnp.sum(a, axis=axis, dtype=dtype, keepdims=keepdims)
    return tnp.sum(tnp.where(where, a, 0), axis=axis, dtype=dtype, keepdims=keepdims)


@inline("numpy.ndarray.prod")
def ndarray_prod(a: Any, axis: Any = None, dtype: Any = None, *, keepdims: Any = False, where: Any = True) -> tf.Tensor:
    """In TensorFlow it is a function only, without `where`."""
    if where is True:
        return tnp.prod(a, axis=axis, dtype=dtype, keepdims=keepdims)
    return tnp.prod(tnp.where(where, a, 1), axis=axis, dtype=dtype, keepdims=keepdims)


@inline("numpy.ndarray.mean")
def ndarray_mean(a: Any, axis: Any = None, dtype: Any = None, *, keepdims: Any = False, where: Any = True) -> tf.Tensor:
    """Tensor.mean has no `where`; the means over what it leaves are sums divided by counts."""
    if where is True:
        return tnp.mean(a, axis=axis, dtype=dtype, keepdims=keepdims)
    return tnp.sum(tnp.where(where, a, 0), axis=axis, dtype=dtype, keepdims=keepdims) / tnp.sum(
        tnp.broadcast_to(where, a.shape), axis=axis, dtype=dtype, keepdims=keepdims
    )


@helper("numpy.ndarray.max")
def ndarray_max(
    a: Any, axis: Any = None, *, keepdims: Any = False, initial: Any = None, where: Any = True
) -> tf.Tensor:
    """Tensor.max of nothing is not an error; it has neither `initial` nor `where`, which needs it."""
    if where is True:
        return max(a, axis=axis, keepdims=keepdims, initial=initial)
    return max(a, axis=axis, keepdims=keepdims, initial=initial, where=where)


@helper("numpy.ndarray.min")
def ndarray_min(
    a: Any, axis: Any = None, *, keepdims: Any = False, initial: Any = None, where: Any = True
) -> tf.Tensor:
    """Tensor.min of nothing is not an error; it has neither `initial` nor `where`, which needs it."""
    if where is True:
        return min(a, axis=axis, keepdims=keepdims, initial=initial)
    return min(a, axis=axis, keepdims=keepdims, initial=initial, where=where)


@inline("numpy.ndarray.all")
def ndarray_all(a: Any, axis: Any = None, *, keepdims: Any = False, where: Any = True) -> tf.Tensor:
    """In TensorFlow it is a function only, without `where`."""
    if where is True:
        return tnp.all(a, axis=axis, keepdims=keepdims)
    return tnp.all(tnp.where(where, a, True), axis=axis, keepdims=keepdims)


@inline("numpy.ndarray.any")
def ndarray_any(a: Any, axis: Any = None, *, keepdims: Any = False, where: Any = True) -> tf.Tensor:
    """In TensorFlow it is a function only, without `where`."""
    if where is True:
        return tnp.any(a, axis=axis, keepdims=keepdims)
    return tnp.any(tnp.where(where, a, False), axis=axis, keepdims=keepdims)


@helper("numpy.ndarray.var")
def ndarray_var(a: Any, axis: Any = None, dtype: Any = None, *, ddof: Any = 0, keepdims: Any = False) -> tf.Tensor:
    """In TensorFlow it is a function only, which raises for `ddof` without `dtype`."""
    return var(a, axis, dtype, ddof, keepdims)


@helper("numpy.ndarray.std")
def ndarray_std(a: Any, axis: Any = None, dtype: Any = None, *, ddof: Any = 0, keepdims: Any = False) -> tf.Tensor:
    """In TensorFlow it is a function only, which has neither `ddof` nor `dtype`."""
    return std(a, axis, dtype, ddof, keepdims)


@helper("numpy.ndarray.trace")
def ndarray_trace(a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1, dtype: Any = None) -> tf.Tensor:
    """In TensorFlow it is a function only, which sums small integers in their own dtype."""
    return trace(a, offset, axis1, axis2, dtype)


@helper("numpy.ndarray.cumsum")
def ndarray_cumsum(a: Any, axis: Any = None, dtype: Any = None) -> tf.Tensor:
    """In TensorFlow it is a function only, which raises on bools and turns unsigned integers into int64."""
    return cumsum(a, axis, dtype)


@helper("numpy.ndarray.cumprod")
def ndarray_cumprod(a: Any, axis: Any = None, dtype: Any = None) -> tf.Tensor:
    """In TensorFlow it is a function only, which raises on bools and turns unsigned integers into int64."""
    return cumprod(a, axis, dtype)


@helper("numpy.ndarray.argmax")
def ndarray_argmax(a: Any, axis: Any = None, *, keepdims: Any = False) -> tf.Tensor:
    """In TensorFlow it is a function only, which skips NaN."""
    return argmax(a, axis, keepdims=keepdims)


@helper("numpy.ndarray.argmin")
def ndarray_argmin(a: Any, axis: Any = None, *, keepdims: Any = False) -> tf.Tensor:
    """In TensorFlow it is a function only, which skips NaN."""
    return argmin(a, axis, keepdims=keepdims)


@helper("numpy.ndarray.argsort")
def ndarray_argsort(a: Any, axis: Any = -1, kind: Any = None, *, stable: Any = None) -> tf.Tensor:
    """In TensorFlow it is a function only, which leaves a leading NaN first."""
    return argsort(a, axis, kind, stable=stable)
