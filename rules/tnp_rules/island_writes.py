"""Augmented assignments where ndarrays and tensors meet: Python binds a name anew where NumPy writes.

A tensor has no `x += y`: Python binds `x` to `x + y`, and what else held the array does not see the write. An ndarray
leaves `a += t` to the tensor as well, which gives another tensor.
"""

from __future__ import annotations

import dis
import operator
import sys
import types
from typing import Any

import numpy as np
import tensorflow as tf


def watch_writes(function: Any) -> None:
    """Let `x += y` in the text of an island raise where `x` is a tensor, and write where `x` is an ndarray.

    A tensor comes there by what no border sees: an attribute, a property, a global, what an unknown call returns. One
    without dimensions stands for a number, which NumPy binds anew too.
    """
    if not hasattr(tf.Tensor, "island_code"):
        tf.Tensor.island_code = {}  # by id: the code, the name of its function; shared by all helper modules
        for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor"):
            setattr(tf.Tensor, f"__i{name}__", _refuse_in_islands)
            reflected, in_place = f"__r{name}__", getattr(operator, f"i{name}")
            setattr(tf.Tensor, reflected, _writing_if_augmented(getattr(tf.Tensor, reflected), in_place))
    pending = [getattr(function, "__code__", None)]
    while pending:
        code = pending.pop()
        if isinstance(code, types.CodeType):
            tf.Tensor.island_code[id(code)] = (code, function.__qualname__)
            pending += code.co_consts


def _refuse_in_islands(tensor: Any, _: Any) -> Any:
    _check_no_island(tensor, sys._getframe(1))  # noqa: SLF001 - inspect.currentframe would hold itself, and all locals
    return NotImplemented


def _check_no_island(tensor: Any, frame: Any) -> None:
    known: Any = tf.Tensor
    _, name = known.island_code.get(id(frame.f_code), (None, None))
    if name is not None and tensor.shape.rank != 0:
        raise TypeError(
            f"line {frame.f_lineno}: {name} stays on NumPy and writes in place to what is a tensor here: what "
            "else holds the array would not see it. Make the array with NumPy, or bind it anew, as x = x + y"
        )


def written(value: Any) -> Any:
    """Give what an island passes to a function that writes to it: of a tensor that gives another one, and raises."""
    if isinstance(value, tf.Tensor):
        _check_no_island(value, sys._getframe(1))  # noqa: SLF001
    return value


def _writing_if_augmented(reflected: Any, in_place: Any) -> Any:
    def write_or_compute(tensor: Any, array: Any) -> Any:
        if not isinstance(array, np.ndarray) or tf.is_symbolic_tensor(tensor) or not _is_augmented(sys._getframe(1)):  # noqa: SLF001
            return reflected(tensor, array)
        return in_place(array, np.asarray(tensor))

    return write_or_compute


def _is_augmented(frame: Any) -> bool:
    """Whether a frame stands at an augmented assignment: an instruction of its own, since Python 3.11 an argument."""
    code, at = frame.f_code.co_code, frame.f_lasti
    name = dis.opname[code[at]]
    return name.startswith("INPLACE_") or bool(name == "BINARY_OP" and code[at + 1] >= 13)
