"""What NumPy makes of the arguments of a draw: parameters broadcast to a size, a number where nothing asks for more."""

from __future__ import annotations

import functools
import operator
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.island_time import island_time
from tnp_rules.support import _tensor


class RandomDraw:
    """One draw: its parameters as float64 tensors, and the shape that they and `size` give.

    NumPy gives a Python number where no size and no array is passed. So does `result`, unless a tensor is passed, which
    may want a gradient, or a graph is being traced.
    """

    def __init__(self, size: Any, *parameters: Any) -> None:
        self.parameters = [_as_float64(parameter) for parameter in parameters]
        self.shape = drawn_shape(size, self.parameters)
        self.is_number = size is None and is_all_numbers(parameters)

    def result(self, drawn: tf.Tensor) -> Any:
        """Give what was drawn to code on tensors, or to NumPy code."""
        if self.is_number and tf.executing_eagerly():
            return drawn.numpy().item()
        return for_caller(drawn)


def is_all_numbers(parameters: Any) -> bool:
    """Whether nothing among the parameters is a tensor or has a dimension."""
    arrays = (tf.Tensor, tf.Variable, list, tuple)
    return not [one for one in parameters if isinstance(one, arrays) or np.ndim(one)]


def for_caller(drawn: Any) -> Any:
    """Code that stays on NumPy, and may store into what it gets, is given an ndarray."""
    return drawn.numpy() if island_time.depth and not tf.is_symbolic_tensor(drawn) else drawn


def _as_float64(parameter: Any) -> tf.Tensor:
    tensor = _tensor(parameter)
    if tensor.dtype.is_complex:
        raise TypeError("Cannot cast array data from dtype('complex128') to dtype('float64') according to 'safe'")
    return tf.cast(tensor, tf.float64)


def requested_size(size: Any) -> Any:
    """Give a size as a list, as a vector where it is known at run time only, and None where there is none."""
    if size is None:
        return None
    if tf.is_symbolic_tensor(size):
        return tf.reshape(tf.cast(size, tf.int32), [-1])
    parts = list(size) if isinstance(size, (list, tuple, tf.TensorShape)) or np.ndim(size) else [size]
    if [part for part in parts if tf.is_symbolic_tensor(part)]:
        return tf.stack([tf.cast(part, tf.int32) for part in parts])
    sizes = [operator.index(part) for part in parts]
    if [part for part in sizes if part < 0]:
        raise ValueError("negative dimensions are not allowed")
    return sizes


def drawn_shape(size: Any, tensors: Any) -> Any:
    """Broadcast parameters; a size has to hold them all, and may be larger."""
    wanted = requested_size(size)
    known = functools.reduce(tf.broadcast_static_shape, [one.shape for one in tensors], tf.TensorShape([]))
    if wanted is None:
        if known.is_fully_defined():
            return known.as_list()
        return functools.reduce(tf.broadcast_dynamic_shape, [tf.shape(one) for one in tensors])
    fits = not isinstance(wanted, list) or not known.is_fully_defined()
    if not fits and tf.broadcast_static_shape(known, tf.TensorShape(wanted)).as_list() != wanted:
        text = f"Output size {tuple(wanted)} is not compatible with broadcast dimensions of inputs {tuple(known)}"
        raise ValueError(f"{text}.")
    return wanted


def refuse_draw(wrong: Any, message: str) -> None:
    """Raise NumPy's ValueError where a parameter is out of range and its values are known."""
    if tf.is_symbolic_tensor(wrong):
        return
    if np.asarray(wrong).any():
        raise ValueError(message)


def require_non_negative(**parameters: Any) -> None:
    """Refuse what NumPy refuses."""
    for name, value in parameters.items():
        if not tf.is_symbolic_tensor(value):
            refuse_draw(np.asarray(value) < 0, f"{name} < 0")


def require_positive(**parameters: Any) -> None:
    """Refuse what NumPy refuses."""
    for name, value in parameters.items():
        if not tf.is_symbolic_tensor(value):
            refuse_draw(np.asarray(value) <= 0, f"{name} <= 0")


def require_probability(**parameters: Any) -> None:
    """Refuse what is no probability."""
    for name, value in parameters.items():
        if not tf.is_symbolic_tensor(value):
            array = np.asarray(value)
            refuse_draw(~((array >= 0) & (array <= 1)), f"{name} < 0, {name} > 1 or {name} contains NaNs")


def rows_of_draws(size: Any) -> tf.Tensor:
    """Give the dimensions that go before those of one draw, where a draw is a vector."""
    wanted = requested_size(size)
    return tf.zeros([0], tf.int32) if wanted is None else tf.cast(wanted, tf.int32)


def float_dtype(dtype: Any) -> Any:
    """Give one of the two dtypes that NumPy draws floats in."""
    found = dtype if isinstance(dtype, tf.DType) else tf.as_dtype(np.dtype(dtype))
    if found not in (tf.float32, tf.float64):
        raise TypeError(f"Unsupported dtype {found.name} for a draw of floats")
    return found
