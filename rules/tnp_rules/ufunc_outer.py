"""`ufunc.outer`: every element of one array with every element of another."""

from __future__ import annotations

from typing import Any

import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.complex_order import _larger, _smaller
from tnp_rules.elementwise_comparison import greater, greater_equal, less, less_equal
from tnp_rules.elementwise_division import divmod
from tnp_rules.forms import helper
from tnp_rules.search import nonzero_mask
from tnp_rules.support import _divide, _power, _promoted, _tensor


def _outer_operands(A: Any, B: Any) -> tuple[tf.Tensor, tf.Tensor]:
    """Bring operands to one dtype, and give the first an axis for each of the second."""
    return _outer_shapes(*_promoted(_tensor(A), _tensor(B)))


def _outer_truths(A: Any, B: Any) -> tuple[tf.Tensor, tf.Tensor]:
    """Say which elements are true, of complex numbers too; the first operand gets an axis for each of the second."""
    return _outer_shapes(nonzero_mask(_tensor(A)), nonzero_mask(_tensor(B)))


def _outer_shapes(A: Any, B: Any) -> tuple[tf.Tensor, tf.Tensor]:
    """Give the first operand an axis for each of the second."""
    first, second = _tensor(A), _tensor(B)
    return tf.reshape(first, tf.concat([tf.shape(first), tf.ones(second.shape.rank, tf.int32)], 0)), second


@helper("numpy.add.outer")
def add_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return tnp.add(*_outer_operands(A, B))


@helper("numpy.subtract.outer")
def subtract_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return tnp.subtract(*_outer_operands(A, B))


@helper("numpy.multiply.outer")
def multiply_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return tnp.multiply(*_outer_operands(A, B))


@helper("numpy.divide.outer", "numpy.true_divide.outer")
def divide_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return _divide(*_outer_operands(A, B))


@helper("numpy.power.outer")
def power_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return _power(*_outer_operands(A, B))


@helper("numpy.maximum.outer")
def maximum_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return _larger(*_outer_operands(A, B))


@helper("numpy.minimum.outer")
def minimum_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return _smaller(*_outer_operands(A, B))


@helper("numpy.equal.outer")
def equal_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return tnp.equal(*_outer_operands(A, B))


@helper("numpy.not_equal.outer")
def not_equal_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return tnp.not_equal(*_outer_operands(A, B))


@helper("numpy.less.outer")
def less_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return less(*_outer_operands(A, B))


@helper("numpy.less_equal.outer")
def less_equal_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return less_equal(*_outer_operands(A, B))


@helper("numpy.greater.outer")
def greater_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return greater(*_outer_operands(A, B))


@helper("numpy.greater_equal.outer")
def greater_equal_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return greater_equal(*_outer_operands(A, B))


@helper("numpy.logical_and.outer")
def logical_and_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return tnp.logical_and(*_outer_truths(A, B))


@helper("numpy.logical_or.outer")
def logical_or_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return tnp.logical_or(*_outer_truths(A, B))


@helper("numpy.bitwise_and.outer")
def bitwise_and_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return tnp.bitwise_and(*_outer_operands(A, B))


@helper("numpy.bitwise_or.outer")
def bitwise_or_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return tnp.bitwise_or(*_outer_operands(A, B))


@helper("numpy.bitwise_xor.outer")
def bitwise_xor_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return tnp.bitwise_xor(*_outer_operands(A, B))


@helper("numpy.remainder.outer", "numpy.mod.outer")
def remainder_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return divmod(*_outer_operands(A, B))[1]
