"""Operators between tensors and lists, tuples, Python's bools or objects, and between tensors of unlike shapes."""

from __future__ import annotations

import functools
import operator
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.operators_order import _COMPARING
from tnp_rules.runtime import to_tensor
from tnp_rules.support import _tensor

_ARITHMETIC = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor")
_NO_NUMBERS = (str, bytes, bytearray, dict, set, frozenset)
_KNOWN_ROOTS = frozenset({"tensorflow", "builtins", "numpy", "keras", "collections"})
_OWN = __name__.removesuffix("operators_lists")  # of the helper module, which has all, or of the rules' package


def let_lists_compute() -> None:
    """Let operators make arrays of lists, numbers of True and False, and raise for shapes that `==` cannot compare.

    TensorFlow gives a list the dtype of the tensor beside it, and `==` of unlike shapes is one False there. With other
    objects, a timedelta or one of the project's, NumPy computes what it computes: an array of objects, or their result.
    A text is repeated by an integer, and equal to no number.
    """
    for name in _ARITHMETIC:
        for method in (f"__{name}__", f"__r{name}__"):
            if not hasattr(getattr(tf.Tensor, method), "takes_lists"):
                setattr(tf.Tensor, method, _with_lists(method))
    for method in _COMPARING:
        if not hasattr(getattr(tf.Tensor, method), "takes_lists"):
            setattr(tf.Tensor, method, _with_equal_shapes(_with_lists(method)))


def _with_lists(method: str) -> Any:
    compute, repeats = getattr(tf.Tensor, method), "mul" in method

    @functools.wraps(compute)
    def compute_with_lists(x: Any, y: Any) -> Any:
        if isinstance(y, (list, tuple)):
            if repeats and x.shape.rank == 0 and x.dtype.is_integer and tf.executing_eagerly():
                return y * int(x)  # as an integer of NumPy's repeats a list
            return getattr(tf.Tensor, method)(x, _tensor(y))
        if isinstance(y, _NO_NUMBERS) and hasattr(x, "numpy") and x.dtype is not tf.string:
            return _with_no_number(method, x.numpy(), y)
        if _is_for_numpy(y) and hasattr(x, "numpy"):
            return to_tensor(getattr(x.numpy(), method)(y))
        return compute(x, int(y) if isinstance(y, bool) and x.dtype is not tf.bool else y)

    compute_with_lists.takes_lists = True  # type: ignore[attr-defined]
    return compute_with_lists


def _with_no_number(method: str, x: Any, y: Any) -> Any:
    """Repeat a text, compare with it, or raise, as a number or an array of NumPy's does."""
    is_reversed = method not in _COMPARING and method[2] == "r"
    compute = getattr(operator, f"__{method[3:]}" if is_reversed else method)
    found = compute(y, x) if is_reversed else compute(x, y)
    return to_tensor(found) if isinstance(found, (np.ndarray, np.generic)) else found


def _is_for_numpy(y: Any) -> bool:
    """Tell an object that is none of TensorFlow's, no number, no array, and takes no part in NumPy's own protocols."""
    kind = type(y)
    if kind.__module__.partition(".")[0] in _KNOWN_ROOTS or kind.__module__.startswith(_OWN):
        return False
    known = isinstance(y, (int, float, complex, np.ndarray, np.generic, str, bytes, tf.Tensor, tf.Variable, type, list))
    return not known and not hasattr(kind, "__tf_tensor__") and not hasattr(kind, "__array_ufunc__")


def _with_equal_shapes(compare: Any) -> Any:
    @functools.wraps(compare)
    def compare_shapes_that_fit(x: Any, y: Any) -> Any:
        found = compare(x, y)
        if tf.is_tensor(found) and found.shape.rank == 0 and x.shape.rank:  # or it has the axes of an operand
            tf.broadcast_static_shape(x.shape, tf.convert_to_tensor(y).shape)
        return found

    return compare_shapes_that_fit
