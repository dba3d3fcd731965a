"""numpy.linalg: products, powers and parts of matrices."""

from __future__ import annotations

import builtins
import functools
from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.forms import helper, inline
from tnp_rules.linalg_products import dot, matmul, tensordot
from tnp_rules.linalg_solve import inv
from tnp_rules.support import _np_dtype, _promoted, _tensor


@helper("numpy.linalg.matmul")
def linalg_matmul(x1: Any, x2: Any) -> tf.Tensor:
    """It is numpy.matmul; tf.linalg.matmul neither promotes nor takes vectors."""
    return matmul(x1, x2)


@helper("numpy.linalg.tensordot")
def linalg_tensordot(x1: Any, x2: Any, *, axes: Any = 2) -> tf.Tensor:
    """It is numpy.tensordot."""
    return tensordot(x1, x2, axes)


@helper("numpy.linalg.outer")
def linalg_outer(x1: Any, x2: Any) -> tf.Tensor:
    """tnp.outer flattens where this refuses."""
    x, y = _promoted(_tensor(x1), _tensor(x2))
    if x.shape.rank != 1 or y.shape.rank != 1:
        raise ValueError(f"Input arrays must be one-dimensional, but they are {x.shape} and {y.shape}.")
    return tnp.outer(x, y)


@inline("numpy.linalg.diagonal")
def linalg_diagonal(x: Any, *, offset: Any = 0) -> tf.Tensor:
    """tf.linalg.diag_part is for the last two axes too, but promotes no list of Python floats."""
    return tnp.diagonal(x, offset, -2, -1)


@helper("numpy.linalg.trace")
def linalg_trace(x: Any, *, offset: Any = 0, dtype: Any = None) -> tf.Tensor:
    """tf.linalg.trace has no offset and adds up integers in their own dtype, where NumPy widens."""
    x = _tensor(x)
    if x.shape.rank < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    diagonal = tnp.diagonal(x, offset, -2, -1)
    if dtype is None:
        dtype = np.sum(np.zeros(0, diagonal.dtype.as_numpy_dtype)).dtype
    return tf.reduce_sum(tf.cast(diagonal, _np_dtype(dtype)), -1)


@inline("numpy.linalg.matrix_transpose")
def linalg_matrix_transpose(x: Any) -> tf.Tensor:
    """tf.linalg.matrix_transpose would make single precision of Python floats."""
    return tf.linalg.matrix_transpose(tnp.asarray(x))


@helper("numpy.linalg.matrix_power")
def matrix_power(a: Any, n: Any) -> tf.Tensor:
    """tf.linalg has no powers; integers stay integers unless the exponent is negative."""
    if isinstance(n, float):
        raise TypeError("exponent must be an integer")
    exponent = range(n).stop
    x = _tensor(a)
    if x.shape.rank < 2:
        raise np.linalg.LinAlgError(f"{x.shape.rank}-dimensional array given. Array must be at least two-dimensional")
    if not x.shape[-1:].is_compatible_with(x.shape[-2:-1]):
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    if exponent == 0:
        return tf.cast(tf.linalg.set_diag(tf.zeros_like(x, tf.int32), tf.ones(tf.shape(x)[:-1], tf.int32)), x.dtype)
    if exponent < 0:
        x, exponent = inv(x), -exponent
    result = None
    while exponent:
        if exponent % 2:
            result = x if result is None else matmul(result, x)
        exponent //= 2
        x = matmul(x, x) if exponent else x
    return result


@helper("numpy.linalg.multi_dot")
def multi_dot(arrays: Any) -> tf.Tensor:
    """tf.linalg multiplies two matrices; the order with the fewest multiplications is chosen here, as in NumPy."""
    factors = [_tensor(array) for array in arrays]
    if len(factors) < 2:
        raise ValueError("Expecting at least two arrays.")
    if len(factors) == 2:
        return dot(*factors)
    row, column = factors[0].shape.rank == 1, factors[-1].shape.rank == 1
    if row:
        factors[0] = factors[0][tf.newaxis, :]
    if column:
        factors[-1] = factors[-1][:, tf.newaxis]
    for factor in factors:
        if factor.shape.rank != 2:
            raise np.linalg.LinAlgError(f"{factor.shape.rank}-dimensional array given. Array must be two-dimensional")
    result = _product_in_order(factors)
    result = tf.squeeze(result, 0) if row else result
    return tf.squeeze(result, -1) if column else result


def _product_in_order(factors: list[tf.Tensor]) -> tf.Tensor:
    """Multiply a chain of matrices in the cheapest order, from the left where tracing does not know the shapes."""
    lengths = [factor.shape[0] for factor in factors] + [factors[-1].shape[1]]
    if None in lengths:
        return functools.reduce(dot, factors)
    count = len(factors)
    cost = [[0] * count for _ in factors]
    cuts = [[0] * count for _ in factors]
    for span in range(1, count):
        for first in range(count - span):
            last = first + span
            ends = lengths[first] * lengths[last + 1]
            choices = [(cost[first][i] + cost[i + 1][last] + ends * lengths[i + 1], i) for i in range(first, last)]
            cost[first][last], cuts[first][last] = builtins.min(choices)
    return _product_between(factors, cuts, 0, count - 1)


def _product_between(factors: list[tf.Tensor], cuts: list[list[int]], first: int, last: int) -> tf.Tensor:
    if first == last:
        return factors[first]
    cut = cuts[first][last]
    return dot(_product_between(factors, cuts, first, cut), _product_between(factors, cuts, cut + 1, last))
