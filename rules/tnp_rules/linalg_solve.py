"""numpy.linalg: inverses, determinants and linear equations."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf

from tnp_rules.forms import helper
from tnp_rules.linalg_arguments import _double, _linalg_argument, _or_linalg_error, _size, _square_matrices
from tnp_rules.support import _promoted


class SlogdetResult(NamedTuple):
    """Signs (phases) of determinants, and the logarithms of their absolute values."""

    sign: tf.Tensor
    logabsdet: tf.Tensor


@helper("numpy.linalg.inv")
def inv(a: Any) -> tf.Tensor:
    """tf.linalg.inv takes no integers; a singular matrix is its InvalidArgumentError (in a graph, still)."""
    x = _square_matrices(a)
    return tf.cast(_or_linalg_error("Singular matrix", tf.linalg.inv, _double(x)), x.dtype)


@helper("numpy.linalg.det")
def det(a: Any) -> tf.Tensor:
    """tf.linalg.det takes no integers."""
    x = _square_matrices(a)
    return tf.cast(tf.linalg.det(_double(x)), x.dtype)


@helper("numpy.linalg.slogdet")
def slogdet(a: Any) -> SlogdetResult:
    """tf.linalg.slogdet takes no integers, and gives a complex matrix a complex logarithm."""
    x = _square_matrices(a)
    sign, logarithm = tf.linalg.slogdet(_double(x))
    return SlogdetResult(tf.cast(sign, x.dtype), tf.cast(tf.math.real(logarithm), x.dtype.real_dtype))


@helper("numpy.linalg.solve")
def solve(a: Any, b: Any) -> tf.Tensor:
    """tf.linalg.solve takes no vector, no integers, and stacks of one shape only."""
    x, y = _promoted(_square_matrices(a), _linalg_argument(b))
    vector = y.shape.rank == 1
    if vector:
        y = y[:, tf.newaxis]
    if not x.shape[-1:].is_compatible_with(y.shape[-2:-1]):
        raise ValueError(f"solve: {y.shape} does not have the {x.shape[-1]} rows of the matrix")
    left, right = _of_one_stack(_double(x), _double(y))
    solution = tf.cast(_or_linalg_error("Singular matrix", tf.linalg.solve, left, right), x.dtype)
    return tf.squeeze(solution, -1) if vector else solution


@helper("numpy.linalg.tensorsolve")
def tensorsolve(a: Any, b: Any, axes: Any = None) -> tf.Tensor:
    """tf.linalg has no equations of tensors: they are those of the matrix that the axes flatten to."""
    x, y = _linalg_argument(a), _linalg_argument(b)
    if axes is not None:
        last = [axis % x.shape.rank for axis in axes]
        x = tf.transpose(x, [axis for axis in range(x.shape.rank) if axis not in last] + last)
    lengths = [_size(x, axis) for axis in range(x.shape.rank)]
    unknowns = lengths[-(x.shape.rank - y.shape.rank) :]
    count = math.prod(unknowns)
    if x.shape.is_fully_defined() and x.shape.num_elements() != count**2:
        raise np.linalg.LinAlgError(
            "Input arrays must satisfy the requirement prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim])"
        )
    return tf.reshape(solve(tf.reshape(x, [count, count]), tf.reshape(y, [-1])), unknowns)


@helper("numpy.linalg.tensorinv")
def tensorinv(a: Any, ind: Any = 2) -> tf.Tensor:
    """tf.linalg has no inverse of a tensor: it is that of the matrix that the axes flatten to."""
    if ind <= 0:
        raise ValueError("Invalid ind argument.")
    x = _linalg_argument(a)
    lengths = [_size(x, axis) for axis in range(x.shape.rank)]
    rows, columns = lengths[ind:], lengths[:ind]
    return tf.reshape(inv(tf.reshape(x, [math.prod(rows), math.prod(columns)])), rows + columns)


def _of_one_stack(x: tf.Tensor, y: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Broadcast two stacks of matrices against each other."""
    known = tf.broadcast_static_shape(x.shape[:-2], y.shape[:-2])
    if x.shape[:-2].is_fully_defined() and x.shape[:-2] == y.shape[:-2]:
        return x, y
    stack = known if known.is_fully_defined() else tf.broadcast_dynamic_shape(tf.shape(x)[:-2], tf.shape(y)[:-2])
    return (
        tf.broadcast_to(x, tf.concat([stack, tf.shape(x)[-2:]], 0)),
        tf.broadcast_to(y, tf.concat([stack, tf.shape(y)[-2:]], 0)),
    )
