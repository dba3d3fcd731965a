"""What the rules share: NumPy's conversions and promotions, done on tensors."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf


def _is_python_scalar(x: Any) -> bool:
    """Tell the scalars that NumPy lets take the dtype of the other operand; `np.float64` is a float, but not one."""
    return isinstance(x, (bool, int, float, complex)) and not isinstance(x, np.generic)


def _tensor(x: Any) -> tf.Tensor:
    """Convert as `np.asarray` does: exact floats, and nested NumPy scalars and tensors promoted together."""
    if tf.is_tensor(x):
        return tf.convert_to_tensor(x)
    if isinstance(x, (list, tuple)) and [part for part in tf.nest.flatten(x) if tf.is_tensor(part)]:
        return tf.stack(_promoted(*[_tensor(part) for part in x]))
    return tf.convert_to_tensor(np.asanyarray(x))  # which masked arrays refuse


def _raise_where(condition: Any, error: Exception) -> None:
    """Raise NumPy's error where a condition is true; in a graph, where that is not known yet, check when it runs."""
    wrong = tf.reduce_any(condition)
    if tf.is_symbolic_tensor(wrong):
        tf.debugging.Assert(~wrong, [str(error)])
    elif bool(wrong):
        raise error


def _np_dtype(dtype: Any) -> Any:
    """Return the NumPy dtype of any spelling: `float`, "f4", `tf.float32`."""
    return np.dtype(dtype.as_numpy_dtype if isinstance(dtype, tf.DType) else dtype)


def _promoted(*values: Any) -> list[tf.Tensor]:
    """Bring operands to the dtype NumPy 2 gives them, Python scalars adapting (NEP 50); a misfit raises as there."""
    parts = [value if _is_python_scalar(value) else _tensor(value) for value in values]
    common = np.result_type(*[part if _is_python_scalar(part) else _np_dtype(part.dtype) for part in parts])
    return [tf.constant(np.asarray(p, common)) if _is_python_scalar(p) else tf.cast(p, common) for p in parts]


def _is_exact(x: tf.Tensor) -> bool:
    """Tell integers and bools."""
    return bool(x.dtype.is_integer or x.dtype.is_bool)


def _floating(x: tf.Tensor) -> tf.Tensor:
    """Cast integers and bools to the dtype that NumPy's floating functions compute them in."""
    if not _is_exact(x):
        return x
    return tf.cast(x, {1: tf.float16, 2: tf.float32}.get(x.dtype.size, tf.float64))


def _floating_operands(*values: Any) -> list[tf.Tensor]:
    """Promote the operands of a binary floating function: int8 and uint8 both fit float16, though they give int16.

    Beside a Python float they are float64, and so is a bool beside a Python int, which makes it int64.
    """
    kinds = {type(value) for value in values if _is_python_scalar(value)}
    bools = [value for value in values if not _is_python_scalar(value) and _tensor(value).dtype.is_bool]
    if not kinds & {float, complex} and not (int in kinds and bools):
        values = tuple(value if _is_python_scalar(value) else _floating(_tensor(value)) for value in values)
    return [_floating(part) for part in _beside_each_other(*values)]


def _beside_each_other(x1: Any, x2: Any) -> list[tf.Tensor]:
    """Promote two operands, and raise NumPy's error where their shapes do not broadcast."""
    x1, x2 = _promoted(x1, x2)
    tf.broadcast_static_shape(x1.shape, x2.shape)
    return [x1, x2]


def _float64_if_exact(x: tf.Tensor) -> tf.Tensor:
    """Cast as `mean`, `var` and `average` do, whose small integers become float64 as well."""
    return tf.cast(x, tf.float64) if _is_exact(x) else x


def _axis_index(axis: Any, rank: int) -> int:
    """Return an axis counted from the front."""
    if not -rank <= axis < rank:
        raise np.exceptions.AxisError(axis, rank)
    return int(axis) % rank


def _axes_tuple(axis: Any, rank: int) -> tuple[int, ...]:
    """Return the axes of a reduction, counted from the front."""
    if axis is None:
        return tuple(range(rank))
    axes = tuple(_axis_index(one, rank) for one in (axis if isinstance(axis, tuple) else (axis,)))
    if len(set(axes)) < len(axes):
        raise ValueError("duplicate value in 'axis'")
    return axes


def _reduced_axes(axis: Any, rank: int) -> tuple[int, ...]:
    """Return the axes that a universal function reduces: 0 and -1 are none of an array without axes."""
    return () if rank == 0 and axis in (0, -1) else _axes_tuple(axis, rank)


def _flat_if_none(x: tf.Tensor, axis: Any) -> tuple[tf.Tensor, int]:
    """Do what NumPy does with `axis=None` in functions that work along one axis."""
    if axis is None:
        return tf.reshape(x, [-1]), 0
    return x, _axis_index(axis, x.shape.rank)


def _has_sign(x: tf.Tensor) -> tf.Tensor:
    """Tell negative numbers, -0.0 and NaNs with a sign among them, which `x < 0` does not."""
    if x.dtype.is_floating:
        return tf.bitcast(x, {2: tf.int16, 4: tf.int32, 8: tf.int64}[x.dtype.size]) < 0
    if x.dtype.is_bool or x.dtype.is_unsigned:
        return tf.zeros_like(x, tf.bool)
    return x < 0


def _with_sign_of(x: tf.Tensor, sign: tf.Tensor) -> tf.Tensor:
    """Return the magnitude of `x` with the sign of `sign`, zeros included."""
    return tf.where(tf.equal(_has_sign(x), _has_sign(sign)), x, -x)


def _negative(x: tf.Tensor) -> tf.Tensor:
    """Negate; TensorFlow has no kernel for unsigned integers, nor for 0 - x, of which a graph makes the same."""
    return tf.bitwise.invert(x) + 1 if x.dtype.is_unsigned else -x


def _divide(x1: tf.Tensor, x2: tf.Tensor) -> tf.Tensor:
    """Divide as NumPy does: small integers in float64 too, and a complex number by zero part by part."""
    x1, x2 = _float64_if_exact(x1), _float64_if_exact(x2)
    if not x1.dtype.is_complex:
        return x1 / x2
    size = tf.abs(x2)
    return tf.where(size == 0, tf.complex(tf.math.real(x1) / size, tf.math.imag(x1) / size), x1 / x2)


def _power(x: tf.Tensor, p: tf.Tensor) -> tf.Tensor:
    """Raise to a power; TensorFlow has no power of unsigned integers, and 0j ** 0 is NaN there."""
    if x.dtype.is_bool:
        x, p = tf.cast(x, tf.int8), tf.cast(p, tf.int8)
    if x.dtype.is_unsigned:
        return tf.cast(tf.pow(tf.cast(x, tf.int64), tf.cast(p, tf.int64)), x.dtype)
    if not x.dtype.is_complex:
        known = tf.get_static_value(p)
        if x.dtype.is_integer and (known is None or np.any(known < 0)):
            _raise_where((tf.size(x) > 0) & (p < 0), ValueError("Integers to negative integer powers are not allowed."))
        return tf.pow(x, p)
    zero, nothing = x == 0, tf.zeros([], x.dtype)
    undefined = tf.constant(complex(np.nan, np.nan), x.dtype)
    at_zero = tf.where(p == 0, tf.ones([], x.dtype), tf.where(tf.math.real(p) > 0, nothing, undefined))
    return tf.where(zero, at_zero, tf.pow(tf.where(zero, tf.ones_like(x), x), p))


def _truncated(x: tf.Tensor) -> tf.Tensor:
    """Round floats towards zero; TensorFlow has no such function."""
    return tf.where(x < 0, tf.math.ceil(x), tf.math.floor(x))
