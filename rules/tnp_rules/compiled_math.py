"""Functions on traced numbers of Python's: those of its math module give its numbers, and raise out of their domain.

Those of NumPy's, which stay as they are written where they are given numbers, give NumPy's numbers.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tnp_rules.compiled_arithmetic import is_traced_value, single_number
from tnp_rules.compiled_ties import note_whole
from tnp_rules.compiled_tracing import mark_weak, tracing


def _traced_math(function: Any, operation: Any, *values: Any) -> Any:
    """Compute with float64; where what comes out is not finite, Python may raise."""
    if not [value for value in values if is_traced_value(value)]:
        return function(*values)
    result = operation(*[_float64_operand(value) for value in values])
    tracing.note_fault(~tf.math.is_finite(result))
    return mark_weak(result)


def _float64_operand(value: Any) -> Any:
    return tf.cast(single_number(value), tf.float64) if is_traced_value(value) else tf.constant(value, tf.float64)


def _traced_whole(function: Any, operation: Any, value: Any) -> Any:
    """Round to a whole number, an integer of Python."""
    if not is_traced_value(value):
        return function(value)
    number = tf.cast(single_number(value), tf.float64)
    note_whole(number)
    result = operation(number)
    tracing.note_fault(~(tf.abs(result) < 2.0**62))
    return mark_weak(tf.cast(tf.where(tf.abs(result) < 2.0**62, result, tf.zeros_like(result)), tf.int64))


def _traced_numpy(function: Any, operation: Any, *values: Any, **kwargs: Any) -> Any:
    """Compute as NumPy does with numbers."""
    is_traced = [value for value in values if is_traced_value(value)] and not kwargs
    return operation(*values) if is_traced else function(*values, **kwargs)


MATH_MEANINGS: list[tuple[Any, Any]] = [
    *[
        (function, functools.partial(_traced_math, function, operation))
        for function, operation in (
            (math.sqrt, tf.sqrt),
            (math.exp, tf.exp),
            (math.log, tf.math.log),
            (math.log1p, tf.math.log1p),
            (math.expm1, tf.math.expm1),
            (math.sin, tf.sin),
            (math.cos, tf.cos),
            (math.tan, tf.tan),
            (math.asin, tf.asin),
            (math.acos, tf.acos),
            (math.atan, tf.atan),
            (math.atan2, tf.math.atan2),
            (math.sinh, tf.sinh),
            (math.cosh, tf.cosh),
            (math.tanh, tf.tanh),
            (math.fabs, tf.abs),
        )
    ],
    *[
        (getattr(np, name), functools.partial(_traced_numpy, getattr(np, name), getattr(tnp, name)))
        for name in (
            "sqrt exp expm1 log log1p log2 log10 sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh "
            "arctanh hypot arctan2 deg2rad rad2deg".split()
        )
    ],
    (math.floor, functools.partial(_traced_whole, math.floor, tf.floor)),
    (math.ceil, functools.partial(_traced_whole, math.ceil, tf.math.ceil)),
]
