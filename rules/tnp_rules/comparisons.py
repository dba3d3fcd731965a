"""Comparisons of tensors with objects of other libraries."""

from __future__ import annotations

from typing import Any

import tensorflow as tf


def let_others_compare() -> None:
    """Let an object decide that tells NumPy so with `__array_ufunc__ = None`, such as pytest.approx(1.0).

    TensorFlow asks it in arithmetic only: compared with a tensor it is an operand without a dtype, and an error.
    """
    for name in ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"):
        compare = getattr(tf.Tensor, name)
        if not hasattr(compare, "lets_others"):
            setattr(tf.Tensor, name, _unless_other_decides(compare))


def _unless_other_decides(compare: Any) -> Any:
    def compare_or_defer(x: Any, y: Any) -> Any:
        return NotImplemented if getattr(type(y), "__array_ufunc__", compare) is None else compare(x, y)

    compare_or_defer.lets_others = True  # type: ignore[attr-defined]
    return compare_or_defer
