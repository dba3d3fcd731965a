"""Comparisons of complex numbers, of bools, and with integers beyond a dtype; `-x` of unsigned integers."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.elementwise_comparison import _compared
from tnp_rules.support import _negative

_ORDER = {"__lt__": tf.less, "__le__": tf.less_equal, "__gt__": tf.greater, "__ge__": tf.greater_equal}
_COMPARING = {"__eq__": tf.equal, "__ne__": tf.not_equal, **_ORDER}


def let_complex_numbers_compare() -> None:
    """Let `<` and its kin take complex numbers by real part, then by imaginary part, and False before True."""
    for name, kernel in _ORDER.items():
        compare = getattr(tf.Tensor, name)
        if not hasattr(compare, "orders_complex"):
            setattr(tf.Tensor, name, _with_complex(compare, kernel))


def _with_complex(compare: Any, kernel: Any) -> Any:
    @functools.wraps(compare)
    def compare_complex(x: Any, y: Any) -> Any:
        known = isinstance(y, (bool, int, float, complex, list, np.ndarray, np.generic, tf.Tensor, tf.Variable))
        return _compared(kernel, x, y) if known and (_has_no_order(x) or _has_no_order(y)) else compare(x, y)

    compare_complex.orders_complex = True  # type: ignore[attr-defined]
    return compare_complex


def _has_no_order(x: Any) -> bool:
    if isinstance(x, (tf.Tensor, tf.Variable)):
        return bool(x.dtype.is_complex or x.dtype.is_bool)
    return isinstance(x, complex) or (isinstance(x, (np.ndarray, np.generic)) and x.dtype.kind in "cb")


def let_integers_compare() -> None:
    """Let comparisons with Python's integers be true or false by value: TensorFlow wraps -1 to 255 beside uint8."""
    for name, kernel in _COMPARING.items():
        compare = getattr(tf.Tensor, name)
        if not hasattr(compare, "knows_ranges"):
            setattr(tf.Tensor, name, _with_ranges(compare, kernel))


def _with_ranges(compare: Any, kernel: Any) -> Any:
    @functools.wraps(compare)
    def compare_by_value(x: Any, y: Any) -> Any:
        is_beyond = type(y) is int and x.dtype.is_integer and not x.dtype.min <= y <= x.dtype.max
        return _compared(kernel, x, y) if is_beyond else compare(x, y)

    compare_by_value.knows_ranges = True  # type: ignore[attr-defined]
    return compare_by_value


def let_unsigned_integers_negate() -> None:
    """Let `-x` of unsigned integers wrap around, as NumPy does: TensorFlow does not negate them."""
    negate = tf.Tensor.__neg__
    if hasattr(negate, "takes_unsigned"):
        return

    @functools.wraps(negate)
    def negative(x: Any) -> Any:
        return _negative(x) if x.dtype.is_integer and x.dtype.is_unsigned else negate(x)

    negative.takes_unsigned = True  # type: ignore[attr-defined]
    tf.Tensor.__neg__ = negative
