"""What a compiled function is called with: what is static, by which forms are told apart, and what is computed with."""

from __future__ import annotations

import builtins
import inspect
import types
from typing import Any

import numpy as np
import tensorflow as tf

from tnp_rules.compiled_inside import EAGER, dtype_number_of, sizes_of
from tnp_rules.runtime import map_leaves

_NATIVE_NUMBERS = frozenset([np.dtype(char) for char in "?bBhHiIlLqQefdFD"])  # in this machine's byte order
_MUTABLE_BYTES = 65536  # of an array that is read from a global: more is not compared at each call


class NotDescribed(Exception):
    """A value of which a trace could not tell whether it has changed."""


class Same:
    """A value that is told apart by what it is, not by what it holds."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)

    def __repr__(self) -> str:
        return f"<{getattr(self.value, '__qualname__', None) or getattr(self.value, '__name__', type(self.value))}>"


class Hole:
    """The place of an array among what a function is called with, and the name of the argument that it came by."""

    def __init__(self, name: str) -> None:
        self.name = name


def describe(values: Any, arrays: list[Any], parts: list[Any]) -> None:
    """Add what values are told apart by to `parts`, and the arrays in them to `arrays`, both in their order.

    All parts stand in one row, whatever is nested in what: tensors begin with the number of their dtype, all else with
    its type, which says what follows. Each call of a compiled function does this, so tensors are done here. Raises
    NotDescribed for objects of other classes than Python's and NumPy's.
    """
    for value in values:
        kind = type(value)
        if kind is EAGER:
            arrays.append(value)
            parts.append(dtype_number_of(value))
            parts.append(sizes_of(value))
        else:
            parts.append(kind)
            _DESCRIBERS.get(kind, _describe_other)(value, arrays, parts)


def _describe_array(value: Any, arrays: list[Any], parts: list[Any]) -> None:
    if value.dtype not in _NATIVE_NUMBERS:
        raise NotDescribed("an array of objects, text or another byte order")
    arrays.append(value)
    parts.append(value.dtype.char)
    parts.append(value.shape)


def _describe_items(value: Any, arrays: list[Any], parts: list[Any]) -> None:
    parts.append(len(value))
    describe(value, arrays, parts)


def _describe_dict(value: Any, arrays: list[Any], parts: list[Any]) -> None:
    parts.append(len(value))
    for key in value:
        if type(key) is str:
            parts.append(key)
        else:
            _describe_whole((key,), parts)
    describe(value.values(), arrays, parts)


def _describe_whole(values: Any, parts: list[Any]) -> None:
    """Describe values of which a form keeps the numbers: no hole is in the place of an array there."""
    numbers: list[Any] = []
    describe(values, numbers, parts)
    parts.extend([np.asarray(one).tobytes() for one in numbers])


def _describe_float(value: float, _: Any, parts: list[Any]) -> None:
    # The text tells 0.0 from -0.0, and NaN is not equal to itself; for all others it would cost more than the rest.
    parts.append(value if value < 0.0 or value > 0.0 else value.hex())


def _describe_complex(value: complex, _: Any, parts: list[Any]) -> None:
    parts.append(value.real.hex())
    parts.append(value.imag.hex())


def _describe_slice(value: Any, _: Any, parts: list[Any]) -> None:
    _describe_whole((value.start, value.stop, value.step), parts)


def _describe_value(value: Any, _: Any, parts: list[Any]) -> None:
    parts.append(value)


_DESCRIBERS: dict[Any, Any] = {
    np.ndarray: _describe_array,
    tuple: _describe_items,
    list: _describe_items,
    dict: _describe_dict,
    float: _describe_float,
    complex: _describe_complex,
    slice: _describe_slice,
    **dict.fromkeys((int, bool, str, bytes, type(None), type(...)), _describe_value),
}


def _describe_other(value: Any, arrays: list[Any], parts: list[Any]) -> None:
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        describe(value, arrays, parts)
    elif isinstance(value, np.generic) and value.dtype.kind in "fc":
        arrays.append(value)
    elif isinstance(value, np.generic) and value.dtype.kind in "biu":
        parts.append(value.item())
    elif isinstance(value, (types.FunctionType, types.BuiltinFunctionType, np.ufunc, type, tf.DType, np.dtype)):
        parts.append(Same(value))
    else:
        raise NotDescribed(f"an object of the class {type(value).__qualname__}")


def describe_global(value: Any) -> Any:
    """Give what a variable of a module is told apart by: what cannot change by what it is, else by what it holds."""
    if isinstance(value, (types.ModuleType, types.FunctionType, type, tf.Tensor, tf.DType)) or callable(value):
        return Same(value)
    if isinstance(value, np.ndarray):
        if value.nbytes > _MUTABLE_BYTES:
            raise NotDescribed("a large array in a variable of a module, which may be written to")
        return value.tobytes(), value.dtype, value.shape
    if isinstance(value, (list, tuple)):
        return type(value), tuple([describe_global(item) for item in value])
    if isinstance(value, dict):
        return dict, tuple([(describe_global(key), describe_global(item)) for key, item in value.items()])
    parts: list[Any] = []
    _describe_whole((value,), parts)
    return tuple(parts)


class Variables:
    """The variables of modules that a function reads, with what each is told apart by as it was last seen."""

    def __init__(self, function: Any) -> None:
        self.read = variables_read(function)
        self.held: list[Any] = [self] * len(self.read)
        self.described: list[Any] = [None] * len(self.read)
        self.key: tuple[Any, ...] = ()
        self.numbers: dict[tuple[Any, ...], int] = {}
        self.number = 0

    def describe(self) -> int:
        """Give a number for what they are told apart by now, which is in `key`.

        What cannot change without being another object is not looked into.
        """
        for place, (variables, name) in enumerate(self.read):
            value = variables.get(name)
            if value is self.held[place]:
                continue
            described = describe_global(value)
            self.held[place] = self if _may_change(value) else value
            if described != self.described[place]:
                self.described[place] = described
                self.key = tuple(self.described)
                self.number = self.numbers.setdefault(self.key, len(self.numbers) + 1)
        return self.number


def _may_change(value: Any) -> bool:
    """Whether a value may hold something else later, and be the same object."""
    if isinstance(value, tuple):
        return builtins.any(_may_change(item) for item in value)
    return isinstance(value, (list, dict, np.ndarray))


def holes_of(names: Any, values: Any) -> list[Any]:
    """Give arguments with holes in the places of arrays, as `describe` finds them."""

    def hole(name: str) -> Any:
        def put(leaf: Any) -> Any:
            is_array = type(leaf) in (EAGER, np.ndarray) or (isinstance(leaf, np.generic) and leaf.dtype.kind in "fc")
            return Hole(name) if is_array else leaf

        return put

    return [map_leaves(hole(name), value) for name, value in zip(names, values)]


def filled(holes: list[Any], arrays: Any) -> list[Any]:
    """Give arguments with arrays in the places of holes."""
    left = iter(arrays)

    def fill(leaf: Any) -> Any:
        return next(left) if type(leaf) is Hole else leaf

    return [map_leaves(fill, one) if isinstance(one, (list, tuple, dict)) else fill(one) for one in holes]


def hole_names(holes: list[Any]) -> list[str]:
    """Name the argument that each array came by."""
    names: list[str] = []
    for one in holes:
        map_leaves(lambda leaf: names.append(leaf.name) if isinstance(leaf, Hole) else None, one)
    return names


def variables_read(function: Any) -> list[tuple[dict[str, Any], str]]:
    """List the variables of modules that a function and the project's functions that it calls read."""
    found: dict[tuple[int, str], tuple[dict[str, Any], str]] = {}
    pending, seen = [function], set()
    while pending:
        one = pending.pop()
        one = getattr(one, "compiled_from", one)
        if not inspect.isfunction(one) or one in seen:
            continue
        seen.add(one)
        for name in names_in_code(one.__code__):
            value = one.__globals__.get(name)
            if name not in one.__globals__ or isinstance(value, types.ModuleType):
                continue
            found[id(one.__globals__), name] = (one.__globals__, name)
            if _is_project(value, function):
                pending.append(value)
    return list(found.values())


def names_in_code(code: Any) -> set[str]:
    """Give the names of variables of the module and of attributes that code reads, that of functions in it included."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if inspect.iscode(constant):
            names |= names_in_code(constant)
    return names


def _is_project(value: Any, function: Any) -> bool:
    """Whether a function belongs to the program, and not to a library: its module is of the same top package."""
    module = (getattr(value, "__module__", None) or "").partition(".")[0]
    libraries = {"tensorflow", "keras", "numpy", __name__.partition(".")[0]}
    return module not in libraries and callable(value) and value is not function
