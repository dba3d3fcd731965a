"""`ufunc.outer` of more functions: those that rules stand for, and the less used of tnp's."""

from __future__ import annotations

from typing import Any

import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.elementwise import float_power, heaviside
from tnp_rules.elementwise_bits import copysign, left_shift, nextafter, right_shift
from tnp_rules.elementwise_division import floor_divide, fmax, fmin, fmod
from tnp_rules.elementwise_divisors import gcd, lcm
from tnp_rules.elementwise_floats import arctan2, hypot, logaddexp, logaddexp2
from tnp_rules.forms import helper
from tnp_rules.ufunc_outer import _outer_operands, _outer_shapes, _outer_truths


@helper("numpy.arctan2.outer")
def arctan2_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return arctan2(*_outer_shapes(A, B))


@helper("numpy.copysign.outer")
def copysign_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return copysign(*_outer_shapes(A, B))


@helper("numpy.float_power.outer")
def float_power_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return float_power(*_outer_shapes(A, B))


@helper("numpy.floor_divide.outer")
def floor_divide_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return floor_divide(*_outer_operands(A, B))


@helper("numpy.fmax.outer")
def fmax_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return fmax(*_outer_operands(A, B))


@helper("numpy.fmin.outer")
def fmin_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return fmin(*_outer_operands(A, B))


@helper("numpy.fmod.outer")
def fmod_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return fmod(*_outer_operands(A, B))


@helper("numpy.heaviside.outer")
def heaviside_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return heaviside(*_outer_shapes(A, B))


@helper("numpy.hypot.outer")
def hypot_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return hypot(*_outer_shapes(A, B))


@helper("numpy.left_shift.outer")
def left_shift_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return left_shift(*_outer_operands(A, B))


@helper("numpy.logaddexp2.outer")
def logaddexp2_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return logaddexp2(*_outer_shapes(A, B))


@helper("numpy.nextafter.outer")
def nextafter_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return nextafter(*_outer_shapes(A, B))


@helper("numpy.right_shift.outer")
def right_shift_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return right_shift(*_outer_operands(A, B))


@helper("numpy.gcd.outer")
def gcd_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return gcd(*_outer_operands(A, B))


@helper("numpy.lcm.outer")
def lcm_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return lcm(*_outer_operands(A, B))


@helper("numpy.logical_xor.outer")
def logical_xor_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return tnp.logical_xor(*_outer_truths(A, B))


@helper("numpy.logaddexp.outer")
def logaddexp_outer(A: Any, B: Any) -> tf.Tensor:
    """A tnp function has no `outer`."""
    return logaddexp(*_outer_shapes(A, B))
