"""Products of stacked vectors and matrices, which tnp lacks."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.linalg_products import _check_aligned, _product_operands, _product_result


@helper("numpy.vecdot")
def vecdot(x1: Any, x2: Any, *, axis: Any = -1) -> tf.Tensor:
    """The first vector is conjugated; a vector of one element does not stand for a longer one."""
    x1, x2, dtype = _product_operands(x1, x2)
    _check_aligned(x1, x2, axis, axis)
    return _product_result(tf.reduce_sum(tf.math.conj(x1) * x2, axis=axis), dtype)


@helper("numpy.matvec")
def matvec(x1: Any, x2: Any) -> tf.Tensor:
    """tf.linalg.matvec does not broadcast the stacks."""
    x1, x2, dtype = _product_operands(x1, x2)
    _check_aligned(x1, x2, -1, -1)
    return _product_result(tf.squeeze(tf.matmul(x1, x2[..., None]), -1), dtype)


@helper("numpy.vecmat")
def vecmat(x1: Any, x2: Any) -> tf.Tensor:
    """The vector is conjugated."""
    x1, x2, dtype = _product_operands(x1, x2)
    _check_aligned(x1, x2, -1, -2)
    return _product_result(tf.squeeze(tf.matmul(tf.math.conj(x1)[..., None, :], x2), -2), dtype)
