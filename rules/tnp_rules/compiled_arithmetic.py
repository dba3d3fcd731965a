"""Operators and Python's own functions on traced values, in a compiled function: with NumPy's dtypes and bits."""

from __future__ import annotations

import builtins
import functools
import operator
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.compiled_inside import tensorflow_inside
from tnp_rules.compiled_parts import Part, dot_of_parts, on_parts
from tnp_rules.compiled_ties import note_tie, note_whole
from tnp_rules.compiled_tracing import (
    NotCompiled,
    as_tensor,
    bounds_of,
    code_of,
    is_mixed,
    is_number,
    is_weak,
    mark_code,
    mark_mixed,
    mark_weak,
    may_be_integer,
    tracing,
)
from tnp_rules.compiled_varying import traced_size
from tnp_rules.compiled_windows import traced_read, traced_update
from tnp_rules.updates_in_place import check_same_kind

_BINARY: dict[str, Any] = {
    "Add": operator.add, "Sub": operator.sub, "Mult": operator.mul, "Div": operator.truediv,
    "FloorDiv": operator.floordiv, "Mod": operator.mod, "Pow": operator.pow, "MatMult": operator.matmul,
    "BitAnd": operator.and_, "BitOr": operator.or_, "BitXor": operator.xor, "LShift": operator.lshift,
    "RShift": operator.rshift,
}  # fmt: skip
_COMPARISONS = {"Lt": "lt", "LtE": "le", "Gt": "gt", "GtE": "ge", "Eq": "eq", "NotEq": "ne"}
_SMALL = 2**31
_LARGE_INTEGER = 2.0**62
_BITS = 62
_AUGMENTED: dict[str, Any] = {
    "Add": operator.iadd, "Sub": operator.isub, "Mult": operator.imul, "BitAnd": operator.iand, "BitOr": operator.ior,
    "BitXor": operator.ixor,
}  # fmt: skip


def is_traced_value(value: Any) -> bool:
    """Say whether a value is a tensor of a graph, or a part of one."""
    return isinstance(value, Part) or bool(tf.is_symbolic_tensor(value))


def arithmetic(name: str, left: Any, right: Any) -> Any:
    """Compute `left + right`, or what else `name` is of Python's syntax."""
    operation: Any = _BINARY[name]
    if not is_traced_value(left) and not is_traced_value(right):
        return operation(left, right)
    if isinstance(left, Part) or isinstance(right, Part):
        if name == "MatMult":
            return dot_of_parts(left, right)
        return on_parts(lambda one, other: arithmetic(name, one, other), left, right)
    quick = _quick_power(left, right) if name == "Pow" else None
    if quick is not None:
        return quick
    if _may_be_weak(left) and _may_be_weak(right):
        if name in {"Pow", "LShift", "Div", "FloorDiv", "Mod"}:
            return _marked(name, _of_numbers(name, operation, left, right), left, right)
        return _marked(name, _fitting(name, operation(left, right), left, right), left, right)
    return operation(_beside(left, right), _beside(right, left))


def _quick_power(x: Any, exponent: Any) -> Any:
    """Give an array to the power of a number of Python as NumPy computes it: a square is a product; else None."""
    if type(exponent) not in (int, float) or not isinstance(x, tf.Tensor) or not x.shape.rank:
        return None
    if exponent == 2 and (x.dtype.is_floating or x.dtype.is_complex or (x.dtype.is_integer and type(exponent) is int)):
        return x * x
    return tf.sqrt(x) if exponent == 0.5 and x.dtype.is_floating else None


def _fitting(name: str, result: Any, left: Any, right: Any) -> Any:
    """Note where an integer of Python would need more than 64 bits; to count by small steps takes too long for that."""
    if name not in {"Add", "Sub", "Mult"} or not isinstance(result, tf.Tensor) or not result.dtype.is_integer:
        return result
    bounds = [bounds_of(one) for one in (left, right)]
    sizes = [builtins.max(builtins.abs(least), builtins.abs(most)) for least, most in filter(None, bounds)]
    small = [size for size in sizes if size < _SMALL]
    if len(small) == 2 or (small and name != "Mult"):
        return result
    one, other = (tf.cast(as_tensor(value), tf.float64) for value in (left, right))
    size = tf.abs(one * other) if name == "Mult" else tf.abs(one) + tf.abs(other)
    tracing.note_fault(~(size < _LARGE_INTEGER))
    return result


def _may_be_weak(value: Any) -> bool:
    return is_weak(value) or is_mixed(value)


def _marked(name: str, result: Any, *operands: Any) -> Any:
    """Note of a result of numbers that it is one of Python's, or which it is when the graph runs."""
    if not isinstance(result, tf.Tensor):
        return result
    integer = [one for one in operands if may_be_integer(one)]
    if name in _COMPARISONS:
        integer = []
    if integer and name not in {"Add", "Sub", "Mult", "USub", "UAdd"}:
        raise NotCompiled(
            "a number that is an integer in one trip and a float in another, divided or raised to a power"
        )
    codes = [code_of(one, result.dtype if integer else None) for one in operands]
    if not [code for code in codes if not isinstance(code, int)]:
        return mark_code(result, int(builtins.all(codes)), integer=False)
    codes = [tf.cast(code, tf.int8) for code in codes]
    plain = tf.reduce_all([code > 0 for code in codes])
    if not integer:
        return mark_mixed(result, plain)
    whole = tf.reduce_all([code > 1 for code in codes])
    return mark_mixed(result, tf.where(whole, 2, tf.cast(plain, tf.int32)), integer=True)


def _of_numbers(name: str, operation: Any, left: Any, right: Any) -> Any:
    """Compute with Python's numbers: a division by zero raises, a power or shift may have more bits than 64."""
    if name in {"Pow", "LShift"} and not _is_floating(left):
        return _raised(name, left, right)
    left, right = as_tensor(left), as_tensor(right)
    if name == "Pow":
        return operation(left, tf.cast(right, left.dtype))
    if tf.get_static_value(right) is None or not tf.get_static_value(right):
        tracing.note_fault(tf.equal(right, tf.zeros([], right.dtype)))
    common = tf.float64 if name == "Div" or _is_floating(left) or _is_floating(right) else tf.int64
    return operation(tf.cast(left, common), tf.cast(right, common))


def _raised(name: str, left: Any, right: Any) -> Any:
    """Give an integer of Python shifted or raised to a known power; noted where it needs too many bits."""
    if not isinstance(right, int) or isinstance(left, bool) or not 0 <= right < _BITS:
        raise NotCompiled(f"integers of Python that a loop makes large (`{name}`)")
    left = as_tensor(left)
    size = tf.abs(tf.cast(left, tf.float64))
    tracing.note_fault(~((size * 2.0**right if name == "LShift" else size**right) < _LARGE_INTEGER))
    if name == "LShift":
        return tf.bitwise.left_shift(left, tf.constant(right, left.dtype))
    return functools.reduce(operator.mul, [left] * right, tf.ones_like(left))


def _is_floating(value: Any) -> bool:
    return isinstance(value, float) or (isinstance(value, tf.Tensor) and bool(value.dtype.is_floating))


def _beside(value: Any, other: Any) -> Any:
    """Give a number the dtype that it takes beside a tensor, and hide it: XLA would compute another expression."""
    if not isinstance(other, tf.Tensor) or isinstance(value, bool):
        return value
    inexact = other.dtype.is_floating or other.dtype.is_complex
    if is_mixed(value):
        _check_mixed(value, other.dtype)
    if is_weak(value) and not is_weak(other):
        if isinstance(value, tf.Tensor):
            return _weak_beside(value, other.dtype, inexact=inexact)
        if not inexact or (isinstance(value, complex) and not other.dtype.is_complex):
            return value
        return hidden(tf.constant(value, other.dtype))
    if is_number(value) and (inexact or isinstance(value, (float, np.floating))):
        return hidden(as_tensor(value))
    return value


def _check_mixed(value: Any, dtype: Any) -> None:
    """Refuse a number of Python or NumPy beside an array whose dtype it would change as the one only."""
    if may_be_integer(value) and not (dtype.is_floating or dtype.is_complex):
        raise NotCompiled("a number that is an integer in one trip and a float in another, beside integers")
    given, other = (one.as_numpy_dtype for one in (value.dtype, dtype))
    plain = True if value.dtype.is_bool else 0 if value.dtype.is_integer else 0.0 if value.dtype.is_floating else 0j
    if np.result_type(given, other) != np.result_type(plain, other):
        raise NotCompiled("a number of Python in one trip and of NumPy in another, beside an array of fewer bits")


def _weak_beside(value: Any, dtype: Any, *, inexact: bool) -> Any:
    """Cast what stands for a number of Python to the dtype of an array; one that does not fit raises."""
    if inexact and (dtype.is_complex or not value.dtype.is_complex):
        return tf.cast(value, dtype)
    if not value.dtype.is_integer or not dtype.is_integer:
        return value
    if dtype != tf.int64:
        tracing.note_fault((value < dtype.min) | (value > builtins.min(dtype.max, 2**63 - 1)))
    return tf.cast(value, dtype)


def hidden(constant: Any) -> Any:
    """Keep XLA from computing with a constant beforehand: x / 100 is no x * 0.01 then."""
    if tracing.form != "xla":
        return constant
    tensor = tensorflow_inside().behind_barrier(input=[constant])[0]
    return mark_weak(tensor) if is_weak(constant) else tensor


def unary(name: str, value: Any) -> Any:
    """Compute `-value`, or what else `name` is of Python's syntax."""
    operations: dict[str, Any] = {"USub": operator.neg, "UAdd": operator.pos, "Invert": operator.invert}
    result = operations[name](value)
    return _marked(name, result, value) if _may_be_weak(value) else result


def compared(name: str, left: Any, right: Any) -> Any:
    """Compute `left < right`, or what else `name` is: a truth of Python's, where both are Python's numbers."""
    result = getattr(operator, _COMPARISONS[name])(left, right)
    if tf.is_symbolic_tensor(result) and not result.shape.rank:
        note_tie(left, right)
    if not is_traced_value(result) or not (_may_be_weak(left) and _may_be_weak(right)):
        return result
    return _marked(name, result, left, right)


def negated(value: Any) -> Any:
    """Compute `not value`, which is a truth of Python's."""
    return mark_weak(tf.logical_not(truth_of(value))) if is_traced_value(value) else not value


def augmented(name: str, left: Any, right: Any) -> Any:
    """Compute what `left += right` binds `left` to."""
    if is_traced_value(left) or is_traced_value(right) or name not in _AUGMENTED:
        return arithmetic(name, left, right)
    return _AUGMENTED[name](left, right)


def traced_operate(name: str, x: Any, key: Any, value: Any) -> Any:
    """Store `x[key] += value`, or with another operation, while a function is traced."""
    current = traced_read(x, key)
    changed = arithmetic(name, current, value)
    single = isinstance(current, tf.Tensor) and not current.shape.rank
    if not single and hasattr(changed, "dtype") and hasattr(current, "dtype"):
        check_same_kind(changed.dtype, current.dtype)
    return traced_update(x, key, changed)


def truth_of(value: Any) -> Any:
    """Give the truth of a traced number as a boolean."""
    if isinstance(value, tf.Tensor) and tf.is_symbolic_tensor(value) and not value.dtype.is_bool:
        if value.shape.rank != 0:
            raise NotCompiled("the truth of an array")
        return tf.not_equal(value, tf.zeros([], value.dtype))
    return value


def largest(*values: Any, **given: Any) -> Any:
    """Do what Python's max does: the first of what is equal, and with NaN what comparing it gives."""
    return _extreme(builtins.max, operator.gt, values, given)


def smallest(*values: Any, **given: Any) -> Any:
    """Do what Python's min does."""
    return _extreme(builtins.min, operator.lt, values, given)


def _extreme(function: Any, is_beyond: Any, values: Any, given: Any) -> Any:
    items = values[0] if len(values) == 1 and isinstance(values[0], (list, tuple)) else values
    if given or not [item for item in items if is_traced_value(item)]:
        return function(*values, **given)
    if len(items) < 2 or [item for item in items if isinstance(item, Part) or len(np.shape(item))]:
        raise NotCompiled(f"Python's {function.__name__} of an array whose values only the run knows")
    kinds = {getattr(item, "dtype", None) for item in items if not is_weak(item)}
    if len(kinds) > 1:
        raise NotCompiled(f"Python's {function.__name__} of numbers of different dtypes")
    tensors = [as_tensor(item) for item in items]
    common = next(iter(kinds), None) or tensors[0].dtype
    if [one for one in tensors if one.dtype != common and not (one.dtype.is_integer and is_weak(one))]:
        raise NotCompiled(f"Python's {function.__name__} of numbers of different dtypes")
    codes = [code_of(item, common) for item in items]
    integer = builtins.any(may_be_integer(item) for item in items) or 2 in [
        one for one in codes if isinstance(one, int)
    ]
    best, code = tf.cast(tensors[0], common), codes[0]
    for one, other in zip(tensors[1:], codes[1:]):
        one = tf.cast(one, common)  # noqa: PLW2901
        beyond = is_beyond(one, best)
        best = tf.where(beyond, one, best)
        if not (isinstance(code, int) and isinstance(other, int) and code == other):
            code = tf.where(beyond, tf.cast(other, tf.int8), tf.cast(code, tf.int8))
    return mark_code(best, code, integer=integer)


def traced_abs(value: Any) -> Any:
    """Do what Python's abs does."""
    return _marked("UAdd", builtins.abs(value), value) if _may_be_weak(value) else builtins.abs(value)


def traced_int(value: Any = 0, *rest: Any) -> Any:
    """Do what Python's int does: rounded towards zero; what is not finite raises."""
    if rest or not is_traced_value(value):
        return int(value, *rest)
    value = single_number(value)
    if value.dtype.is_floating:
        note_whole(value)
        tracing.note_fault(~(tf.abs(value) < 2.0**62))
        value = tf.where(tf.abs(value) < 2.0**62, value, tf.zeros_like(value))
    return mark_weak(tf.cast(value, tf.int64))


def traced_float(value: Any = 0.0) -> Any:
    """Do what Python's float does."""
    return mark_weak(tf.cast(single_number(value), tf.float64)) if is_traced_value(value) else float(value)


def traced_bool(value: Any = False) -> Any:
    """Do what Python's bool does."""
    return truth_of(single_number(value)) if is_traced_value(value) else bool(value)


def single_number(value: Any) -> Any:
    """Give the one number of an array, as Python's float takes it."""
    if isinstance(value, Part) or not value.shape.is_fully_defined() or value.shape.num_elements() != 1:
        raise NotCompiled("a number made of an array")
    if value.dtype.is_complex:
        raise NotCompiled("a real number made of a complex one")
    return tf.reshape(value, [])


def traced_len(value: Any) -> Any:
    """Do what Python's len does."""
    if isinstance(value, tf.Tensor):
        if not value.shape.rank:
            raise NotCompiled("the length of what is no array, or of which the axes are not known")
        return traced_size(value, 0) if value.shape[0] is None else int(value.shape[0])
    return len(value)
