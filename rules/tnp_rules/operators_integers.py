"""Operators of tensors of small and of unsigned integers, where their dtype shows only when the program runs."""

from __future__ import annotations

import functools
from typing import Any

import tensorflow as tf

from tnp_rules.linalg_products import matmul
from tnp_rules.runtime import _is_whole
from tnp_rules.support import _power, _promoted

_RANGED = ("add", "sub", "mul", "floordiv", "mod", "and", "or", "xor")


def let_small_integers_compute() -> None:
    """Let small and unsigned integers have NumPy's quotients in float64, powers and products of matrices.

    TensorFlow lacks the last two, divides in float32, and wraps a Python integer that does not fit the dtype: NumPy
    raises.
    """
    ways = {**dict.fromkeys(_RANGED, _in_range), "truediv": _divided, "pow": _to_power, "matmul": _multiplied}
    for name, way in ways.items():
        for method in (f"__{name}__", f"__r{name}__"):
            compute = getattr(tf.Tensor, method)
            if not hasattr(compute, "takes_small_integers"):
                setattr(tf.Tensor, method, _with_integers(compute, way, is_reversed=method.startswith("__r")))


def _with_integers(compute: Any, way: Any, *, is_reversed: bool) -> Any:
    @functools.wraps(compute)
    def compute_with_integers(x: Any, y: Any) -> Any:
        if isinstance(y, (list, tuple)) or not (x.dtype.is_integer or x.dtype is tf.bool):
            return compute(x, y)
        found = way(*((y, x) if is_reversed else (x, y)))
        return compute(x, y) if found is None else found

    compute_with_integers.takes_small_integers = True  # type: ignore[attr-defined]
    return compute_with_integers


def _in_range(x: Any, y: Any) -> Any:
    """Raise where a Python integer does not fit the dtype beside it."""
    number, dtype = (y, x.dtype) if isinstance(x, tf.Tensor) else (x, y.dtype)
    if type(number) is int and dtype != tf.bool and not dtype.min <= number <= dtype.max:
        raise OverflowError(f"Python integer {number} out of bounds for {dtype.name}")


def _divided(x: Any, y: Any) -> Any:
    return tf.cast(x, tf.float64) / tf.cast(y, tf.float64) if _is_whole(x) and _is_whole(y) else None


def _to_power(x: Any, y: Any) -> Any:
    if not (_is_whole(x) and _is_whole(y)):
        return None
    base, exponent = _promoted(x, y)
    return _power(base, exponent) if base.dtype.is_unsigned else None


def _multiplied(x: Any, y: Any) -> Any:
    return matmul(x, y) if _is_whole(x) and _is_whole(y) else None
