"""The places of a running program that hold arrays: names, attributes, items, cells, defaults, what caches keep.

A place is a path such as `m._w`, `stores.C[0]`, `get.c['k']` (a cell) or `get.(0)` (a default). One array may be in
many places, and one place may be reached by many paths.
"""

from __future__ import annotations

import functools
import gc
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from types import FunctionType, GeneratorType, MethodType, SimpleNamespace
from typing import Any

import numpy as np

DEEPEST = 8
MOST = 20_000
_CACHED = type(functools.lru_cache(lambda: None))


def places(roots: Iterable[tuple[str, Any]], modules: Iterable[str]) -> Iterator[tuple[str, Any]]:
    """The paths from the roots to arrays and tensors; only objects of the program's own classes are looked into."""
    own, left = frozenset(modules), MOST
    stack = [(path, value, ()) for path, value in roots]
    while stack and left:
        path, value, around = stack.pop()
        left -= 1
        if is_array(value):
            yield path, value
        elif id(value) not in around and len(around) < DEEPEST:
            inside = (*around, id(value))
            stack += [(path + step, part, inside) for step, part in parts(value, own)]


def is_array(value: Any) -> bool:
    """Whether a value is an array of numbers or a tensor."""
    if isinstance(value, np.ndarray):
        return value.dtype != object
    return type(value).__module__.startswith("tensorflow") and hasattr(value, "numpy") and hasattr(value, "shape")


def parts(value: Any, own: frozenset[str]) -> Iterator[tuple[str, Any]]:
    """What a value holds, each with the step that leads there."""
    if isinstance(value, Mapping) and hasattr(value, "items"):
        yield from ((f"[{key!r}]", part) for key, part in list(value.items()))
    elif isinstance(value, list | tuple | deque) or (isinstance(value, np.ndarray) and value.ndim):
        yield from ((f"[{index}]", part) for index, part in enumerate(list(value)))
    elif isinstance(value, FunctionType):
        yield from of_function(value)
    elif isinstance(value, _CACHED):
        yield from of_cache(value)
    elif isinstance(value, MethodType):
        yield from (("", value.__self__), ("", value.__func__))
    elif isinstance(value, staticmethod | classmethod):
        yield "", value.__func__
    elif isinstance(value, property):
        yield "", value.fget
    elif isinstance(value, functools.partial):
        yield from (("", value.func), ("", value.args), ("", value.keywords))
    elif isinstance(value, GeneratorType):
        yield from ((f".{name}", part) for name, part in (value.gi_frame.f_locals if value.gi_frame else {}).items())
    if is_own(value, own):
        yield from ((f".{name}", part) for name, part in attributes(value))


def is_own(value: Any, own: frozenset[str]) -> bool:
    """Whether a value is a class or an object of the program."""
    kind = value if isinstance(value, type) else type(value)
    return kind.__module__ in own or kind is SimpleNamespace


def attributes(value: Any) -> Iterator[tuple[str, Any]]:
    """The attributes of an object or a class that hold something, slots too."""
    held = dict(getattr(value, "__dict__", {}))
    if not isinstance(value, type):
        slots = [getattr(kind, "__slots__", ()) for kind in type(value).__mro__]
        names = [name for some in slots for name in ((some,) if isinstance(some, str) else some)]
        held |= {name: getattr(value, name) for name in names if hasattr(value, name) and name != "__dict__"}
    return ((name, part) for name, part in held.items() if not name.startswith("__"))


def of_function(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """What a function keeps: cells, defaults, attributes; what a wrapper wraps stands in its place."""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield f".{name}", cell.cell_contents
        except ValueError:  # an empty cell
            continue
    yield from ((f".({index})", part) for index, part in enumerate(function.__defaults__ or ()))
    yield from ((f".({name})", part) for name, part in (function.__kwdefaults__ or {}).items())
    yield from (("" if name == "__wrapped__" else f".{name}", part) for name, part in vars(function).items())


def of_cache(function: Any) -> Iterator[tuple[str, Any]]:
    """What `functools.cache` keeps, by its keys, and what a bounded `lru_cache` keeps, by its position."""
    yield "", function.__wrapped__
    held = [one for one in gc.get_referents(function) if one is not getattr(function, "__dict__", None)]
    for one in held:
        if isinstance(one, dict):
            links = {key: result for key, result in one.items() if type(result).__name__ != "_lru_list_elem"}
            yield from ((f".cache[{key!r}]", result) for key, result in links.items())
    yield from ((f".cache[{index}]", one) for index, one in enumerate(filter(is_array, held)))
