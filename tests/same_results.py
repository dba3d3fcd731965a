"""Decide whether a translated program gave NumPy's answer: value, dtype and shape."""

import math
import types
from collections.abc import Mapping
from typing import Any

import numpy as np

# A translation may sum in another order; it may not lose precision.
RELATIVE = {"float64": 1e-9, "float32": 2e-5, "float16": 5e-3, "complex128": 1e-9, "complex64": 2e-5, "bfloat16": 2e-2}
PYTHON_NUMBERS = {bool, int, float, complex}  # np.float64 is a float too, and has a dtype
EPSILON = {"float64": 2.3e-16, "float32": 1.2e-7, "float16": 1e-3, "complex128": 2.3e-16, "complex64": 1.2e-7}


def assert_same(expected: Any, actual: Any, where: str = "result", *, slack: float = 1.0) -> None:
    """Raise AssertionError naming the first place where `actual` is not NumPy's `expected`.

    A tensor counts as the ndarray, `tf.DType` as the dtype, `TensorShape` as the tuple. Two 0-d values compare by
    dtype where both have one, otherwise by kind. `slack` multiplies the tolerances, for devices with other kernels.
    """
    actual = as_numpy(actual)
    if is_scalar(expected) or isinstance(expected, np.ndarray):
        assert_same_array(expected, actual, where, slack)
    elif isinstance(expected, Mapping):
        assert isinstance(actual, Mapping), f"{where}: expected a mapping, got {type(actual).__name__}"
        assert list(expected) == list(actual), f"{where}: keys {list(expected)} became {list(actual)}"
        for key in expected:
            assert_same(expected[key], actual[key], f"{where}[{key!r}]", slack=slack)
    elif isinstance(expected, list | tuple):
        kind = "list" if isinstance(expected, list) else "tuple"
        assert isinstance(actual, list if kind == "list" else tuple), f"{where}: {kind} became {type(actual).__name__}"
        assert len(expected) == len(actual), f"{where}: {len(expected)} items became {len(actual)}"
        for index, (left, right) in enumerate(zip(expected, actual, strict=True)):
            assert_same(left, right, f"{where}[{index}]", slack=slack)
    elif isinstance(expected, type):
        name = getattr(actual, "__name__", actual)
        assert name == expected.__name__, f"{where}: class {expected.__name__} became {name}"
    elif isinstance(expected, types.BuiltinMethodType) and isinstance(expected.__self__, np.ndarray):
        name = getattr(actual, "__name__", actual)
        assert name == expected.__name__, f"{where}: method {expected.__name__} became {name}"
        assert_same(expected.__self__, getattr(actual, "__self__", None), f"{where}.__self__", slack=slack)
    else:
        assert_same_object(expected, actual, where, slack)


def assert_same_object(expected: Any, actual: Any, where: str, slack: float) -> None:
    """Compare anything that is neither array, scalar nor container: by attributes when it has some, else by `==`."""
    if type(expected).__eq__ is object.__eq__ and hasattr(expected, "__dict__"):
        assert type(expected).__name__ == type(actual).__name__, f"{where}: {expected!r} became {actual!r}"
        assert_same(vars(expected), vars(actual), where, slack=slack)
        return
    same = expected == actual
    assert isinstance(same, bool), f"{where}: {expected!r} == {actual!r} is not a bool"
    assert same, f"{where}: {expected!r} became {actual!r}"


def assert_same_array(expected: Any, actual: Any, where: str, slack: float) -> None:
    """Compare two arrays or scalars."""
    assert is_scalar(actual) or isinstance(actual, np.ndarray), f"{where}: {expected!r} became {actual!r}"
    left, right = np.asarray(expected), np.asarray(actual)
    assert left.shape == right.shape, f"{where}: shape {left.shape} became {right.shape}"
    if type(expected) in PYTHON_NUMBERS or type(actual) in PYTHON_NUMBERS:
        kinds = left.dtype.kind.replace("u", "i"), right.dtype.kind.replace("u", "i")
        assert kinds[0] == kinds[1], f"{where}: {expected!r} of kind {kinds[0]} became {actual!r} of kind {kinds[1]}"
    else:
        assert left.dtype == right.dtype, f"{where}: dtype {left.dtype} became {right.dtype}"
    name = min(left.dtype.name, right.dtype.name, key=lambda dtype: EPSILON.get(dtype, 0.0) * -1)
    if name not in RELATIVE:
        assert np.array_equal(left, right), f"{where}: {left!r} became {right!r}"
        return
    relative = RELATIVE[name] * slack
    finite = np.abs(left[np.isfinite(left)])
    absolute = 16 * slack * EPSILON.get(name, 1e-2) * max(1.0, float(finite.max()) if finite.size else 0.0)
    close = np.isclose(right, left, rtol=relative, atol=absolute, equal_nan=True)
    assert close.all(), f"{where}: {left!r} became {right!r}"


def is_scalar(value: Any) -> bool:
    """Python and NumPy numbers and booleans; strings are compared as objects."""
    return isinstance(value, bool | int | float | complex | np.number | np.bool)


def as_numpy(value: Any) -> Any:
    """Return NumPy's form of a TensorFlow value, without importing TensorFlow."""
    module = type(value).__module__
    if not module.startswith("tensorflow"):
        return value
    if type(value).__name__ == "TensorShape":
        return tuple(value.as_list())
    if type(value).__name__ == "DType":
        return np.dtype(value.as_numpy_dtype)
    return value.numpy() if hasattr(value, "numpy") else value


def largest_difference(expected: Any, actual: Any) -> float:
    """Return the largest absolute difference of two equal-shaped arrays; NaN in the same place counts as 0."""
    left, right = np.asarray(expected, dtype=complex), np.asarray(as_numpy(actual), dtype=complex)
    if left.shape != right.shape:
        return math.inf
    apart = np.where((left == right) | (np.isnan(left) & np.isnan(right)), 0, np.abs(left - right))
    return float(apart.max(initial=0.0))
