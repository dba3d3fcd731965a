"""Products of stacked vectors and matrices, which tnp lacks."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.linalg_products import _check_aligned
from tnp_rules.support import _promoted


@helper("numpy.vecdot")
def vecdot(x1: Any, x2: Any, *, axis: Any = -1) -> tf.Tensor:
    """The first vector is conjugated; a vector of one element does not stand for a longer one."""
    x1, x2 = _promoted(x1, x2)
    _check_aligned(x1, x2, axis, axis)
    return tf.reduce_sum(_conjugate(x1) * x2, axis=axis)


@helper("numpy.matvec")
def matvec(x1: Any, x2: Any) -> tf.Tensor:
    """tf.linalg.matvec does not broadcast the stacks."""
    x1, x2 = _promoted(x1, x2)
    _check_aligned(x1, x2, -1, -1)
    return tf.squeeze(tf.matmul(x1, x2[..., None]), -1)


@helper("numpy.vecmat")
def vecmat(x1: Any, x2: Any) -> tf.Tensor:
    """The vector is conjugated."""
    x1, x2 = _promoted(x1, x2)
    _check_aligned(x1, x2, -1, -2)
    return tf.squeeze(tf.matmul(_conjugate(x1)[..., None, :], x2), -2)


def _conjugate(x: tf.Tensor) -> tf.Tensor:
    return tf.math.conj(x) if x.dtype.is_complex else x
