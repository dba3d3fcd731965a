"""Covariance and correlation matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.statistic_arguments import _length
from tnp_rules.support import _np_dtype, _promoted, _raise_where, _tensor


@helper("numpy.cov")
def cov(
    m: Any,
    y: Any = None,
    rowvar: Any = True,
    bias: Any = False,
    ddof: Any = None,
    fweights: Any = None,
    aweights: Any = None,
    *,
    dtype: Any = None,
) -> tf.Tensor:
    """TensorFlow has no covariance of samples."""
    if ddof is not None and ddof != int(ddof):
        raise ValueError("ddof must be integer")
    x = _variables(m, y, rowvar, dtype)
    if x.shape[0] == 0:
        return tf.zeros([0, 0], tf.float64)
    ddof = (0 if bias else 1) if ddof is None else ddof
    real = tf.as_dtype(x.dtype.real_dtype)
    weights = _sample_weights(fweights, aweights, x)
    if weights is None:
        freedom = tf.cast(_length(x, 1) - ddof, real)
        mean = tf.reduce_mean(x, 1, keepdims=True)
        weighted = x - mean
    else:
        total = tf.reduce_sum(weights)
        freedom = total - ddof * (1.0 if aweights is None else tf.reduce_sum(weights * _tensor(aweights)) / total)
        freedom = tf.cast(total if ddof == 0 else freedom, real)
        weights = tf.cast(weights, x.dtype)
        mean = tf.reduce_sum(x * weights, 1, keepdims=True) / tf.cast(total, x.dtype)
        weighted = (x - mean) * weights
    scale = 1 / tf.maximum(freedom, 0)
    return tf.squeeze(tf.matmul(x - mean, weighted, adjoint_b=True) * tf.cast(scale, x.dtype))


def _variables(m: Any, y: Any, rowvar: Any, dtype: Any) -> tf.Tensor:
    """Return all variables as rows, in at least float64 unless told otherwise."""
    arrays = [_tensor(m)] if y is None else [_tensor(m), _tensor(y)]
    if [x for x in arrays if x.shape.rank > 2]:
        raise ValueError("an argument has more than 2 dimensions")
    if dtype is None:
        *arrays, _ = _promoted(*arrays, np.float64(0))
    else:
        arrays = [tf.cast(x, _np_dtype(dtype)) for x in arrays]
    rows: list[tf.Tensor] = []
    for x in arrays:
        row = tf.reshape(x, [1, -1]) if x.shape.rank < 2 else x
        as_columns = not rowvar and x.shape.rank == 2 and (not rows or row.shape[0] != 1)
        rows.append(tf.transpose(row) if as_columns else row)
    if rows[0].shape[0] == 0:
        return rows[0]
    return tf.concat(rows, 0)


def _sample_weights(fweights: Any, aweights: Any, x: tf.Tensor) -> Any:
    """Return the product of the weights, None where there are none."""
    product = None
    for name, given in (("fweights", fweights), ("aweights", aweights)):
        if given is None:
            continue
        weights = tf.cast(_tensor(given), tf.float64)
        if name == "fweights":
            _raise_where(weights != tf.round(weights), TypeError("fweights must be integer"))
        if weights.shape.rank > 1:
            raise RuntimeError(f"cannot handle multidimensional {name}")
        if weights.shape[0] != x.shape[1]:
            raise RuntimeError(f"incompatible numbers of samples and {name}")
        _raise_where(tf.reduce_any(weights < 0), ValueError(f"{name} cannot be negative"))
        product = weights if product is None else product * weights
    return product


@helper("numpy.corrcoef")
def corrcoef(x: Any, y: Any = None, rowvar: Any = True, *, dtype: Any = None) -> tf.Tensor:
    """TensorFlow has no correlation coefficients."""
    c = cov(x, y, rowvar, dtype=dtype)
    if c.shape.rank == 0:
        return c / c
    deviation = tf.cast(tf.sqrt(tf.math.real(tf.linalg.diag_part(c))), c.dtype)
    c = c / deviation[:, tf.newaxis] / deviation[tf.newaxis, :]
    if c.dtype.is_complex:
        return tf.complex(tf.clip_by_value(tf.math.real(c), -1, 1), tf.clip_by_value(tf.math.imag(c), -1, 1))
    return tf.clip_by_value(c, -1, 1)
