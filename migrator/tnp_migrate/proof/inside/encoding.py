"""Values as a graph of JSON nodes and buffers. Identity and shared memory are kept apart from equal content.

`[a, a[1:]]` -> `["r", 0]` with nodes `{0: list of r1, r2; 1: array, buffer 0 from byte 0; 2: array, buffer 0 from 8}`
"""

from __future__ import annotations

import collections
import ctypes
import decimal
import enum
import fractions
import functools
import hashlib
import io
import logging
import os
import sys
import threading
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from tnp_migrate.proof.inside.buffers import Buffers
from tnp_migrate.proof.inside.names import name_of
from tnp_migrate.proof.inside.refusals import NotKept
from tnp_migrate.proof.inside.settings import Settings

DEEPEST = 100
SEQUENCES: dict[type, str] = {
    list: "list",
    tuple: "tuple",
    set: "set",
    frozenset: "frozenset",
    collections.deque: "deque",
}
MAPPINGS: tuple[type, ...] = (dict, collections.OrderedDict, collections.defaultdict, collections.Counter)
_HEAP_TYPE = 1 << 9
RECORDER = os.path.join(os.path.dirname(__file__), "recorder.py")  # noqa: PTH118, PTH120
LOCKS = {type(threading.Lock()): "Lock", type(threading.RLock()): "RLock"}
Ref = list[Any]
Node = dict[str, Any]


def owner_of(array: Any) -> Any:
    """The array whose memory a view looks at."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def bounds_of(array: Any) -> tuple[int, int]:
    """The first address of an array's items, and the one after the last."""
    low = high = array.__array_interface__["data"][0]
    if array.size == 0:
        return low, low
    for size, stride in zip(array.shape, array.strides, strict=True):
        low, high = low + min(0, (size - 1) * stride), high + max(0, (size - 1) * stride)
    return low, high + array.itemsize


def code_digest(code: types.CodeType) -> str:
    """What a local function's code is known by."""
    return hashlib.blake2b(code.co_code + repr(code.co_names).encode(), digest_size=8).hexdigest()


class Encoder:
    """The nodes of one moment of a call. `earlier` is the encoder of the moment before: its objects keep their numbers.

    Raises `NotKept` from `ref` and `finish`, with the reason.
    """

    def __init__(self, buffers: Buffers, settings: Settings, earlier: Encoder | None = None) -> None:
        self._buffers, self._settings = buffers, settings
        self.numbers: dict[int, int] = {} if earlier is None else earlier.numbers
        self.alive: list[Any] = [] if earlier is None else earlier.alive  # so that no address is used twice
        self.nodes: dict[int, Node] = {}
        self.places: dict[int, int] = {} if earlier is None else earlier.places
        self._memory: dict[int, tuple[list[int], list[tuple[Node, int]]]] = {}
        self._depth = 0

    def ref(self, value: Any) -> Ref:
        """A value where it stands: plain ones themselves, others the number of their node."""
        cls = type(value)
        if value is None:
            return ["n"]
        if cls is bool:
            return ["b", value]
        if cls is int:
            if value > 1 << 32 and value in self.numbers:
                return ["id", self.numbers[value]]  # `self.key = id(self)`: the address of an object of this graph
            return ["i", hex(value)]
        if cls is float:
            return ["f", value.hex()]
        if cls is str:
            return ["s", value]
        if value is Ellipsis:
            return ["e"]
        number = self.numbers.get(id(value))
        if number is None:
            number = self.numbers[id(value)] = len(self.numbers)
            self.alive.append(value)
        if number not in self.nodes:
            self._add(number, value)
        return ["r", number]

    def refs(self, values: Iterable[Any]) -> list[Ref]:
        """Several values."""
        return [self.ref(value) for value in values]

    def pairs(self, items: Iterable[tuple[Any, Any]]) -> list[list[Ref]]:
        """Keys with their values."""
        return [[self.ref(key), self.ref(value)] for key, value in items]

    def finish(self) -> dict[int, Node]:
        """Write the memory of the arrays, and give all nodes."""
        total = 0
        for own, ((low, high), arrays) in self._memory.items():
            total += high - low
            if total > self._settings.call_bytes:
                raise NotKept(f"arrays of more than {self._settings.call_bytes >> 20} MB")
            key = self._buffers.put(ctypes.string_at(low, high - low) if high > low else b"")
            for node, address in arrays:
                node.update(buffer=key, at=address - low, memory=self.places.setdefault(own, len(self.places)))
        return self.nodes

    def _add(self, number: int, value: Any) -> None:
        self.nodes[number] = {}
        if len(self.nodes) > self._settings.call_nodes:
            raise NotKept(f"more than {self._settings.call_nodes} objects")
        self._depth += 1
        if self._depth > DEEPEST:
            raise NotKept(f"nested more than {DEEPEST} deep")
        self.nodes[number] = self._node(value, type(value))
        self._depth -= 1

    def _node(self, value: Any, cls: type) -> Node:
        if isinstance(value, np.ndarray):
            return self._array(value, cls)
        if cls in SEQUENCES:
            return {"t": SEQUENCES[cls], "v": self.refs(value)}
        if cls in MAPPINGS:
            node = {"t": "dict", "c": cls.__name__, "v": self.pairs(value.items())}
            return {**node, "f": self.ref(value.default_factory)} if cls is collections.defaultdict else node
        for classes, make in _MAKERS:
            if isinstance(value, classes):
                return make(self, value)
        if isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType, np.ufunc)) or _is_dispatcher(cls):
            return self._named(value, cls)
        return self._instance(value, cls)

    def _array(self, array: Any, cls: type) -> Node:
        if cls is not np.ndarray:
            raise NotKept(f"an array of the subclass `{cls.__name__}`")
        if array.dtype.hasobject:
            if array.dtype != object:
                raise NotKept("a structured array that holds objects")
            return {"t": "objects", "shape": array.shape, "v": self.refs(array.ravel().tolist())}
        own = owner_of(array)
        self.alive.append(own)
        low, high = bounds_of(array)
        whole, arrays = self._memory.setdefault(id(own) if own.base is None else id(own.base), ([low, high], []))
        whole[0], whole[1] = min(low, whole[0]), max(high, whole[1])
        node = {
            "t": "array",
            "dtype": np.lib.format.dtype_to_descr(array.dtype),
            "shape": array.shape,
            "strides": array.strides,
            "writeable": not array.__array_interface__["data"][1],  # `flags` warns of what was broadcast
        }
        arrays.append((node, array.__array_interface__["data"][0]))
        return node

    def _named(self, value: Any, cls: type) -> Node:
        code = getattr(value, "__code__", None)
        if code is not None and code.co_filename == RECORDER and code.co_name == "recorded":
            value = value.__wrapped__  # a decorator of the user's is given what the recorder stands around
        found = name_of(value)
        if found is not None:
            return {"t": "named", "module": self._module(found[0]), "path": found[1]}
        if isinstance(value, types.FunctionType):
            return self._local_function(value)
        raise NotKept(f"a {cls.__name__} that has no name: `{getattr(value, '__qualname__', value)}`")

    def _module(self, name: str) -> str:
        """A module by name; the program that was started is named by its file."""
        file = getattr(sys.modules.get("__main__"), "__file__", None)
        return f"@{self._settings.relative(file)}" if name in ("__main__", "__mp_main__") and file else name

    def _local_function(self, function: Any) -> Node:
        code = function.__code__
        place = self._settings.relative(code.co_filename)
        if place.startswith("..") or function.__module__ is None:
            raise NotKept(f"a local function of `{function.__module__}`: `{function.__qualname__}`")
        node = {} if function.__name__ == code.co_name else {"called": function.__name__}  # `functools.wraps`
        return {
            **node,
            "t": "code",
            "module": self._module(function.__module__),
            "name": code.co_name,
            "line": code.co_firstlineno,
            "digest": code_digest(code),
            "cells": self.refs(_content(cell, function) for cell in function.__closure__ or ()),
            "defaults": self.ref(function.__defaults__),
            "keywords": self.ref(function.__kwdefaults__),
        }

    def _instance(self, value: Any, cls: type) -> Node:
        found = name_of(cls)
        if found is None:
            raise NotKept(f"an instance of `{cls.__qualname__}`, a class that has no name")
        if not _is_plain(cls):
            raise NotKept(f"an instance of `{cls.__module__}.{cls.__qualname__}`, {_what(value)}")
        node = {
            "t": "instance",
            "module": self._module(found[0]),
            "path": found[1],
            "attributes": self.pairs(getattr(value, "__dict__", {}).items()),
            "slots": self.pairs((name, getattr(value, name)) for name in slots_of(value)),
        }
        if isinstance(value, dict):
            node["items"] = self.pairs(dict.items(value))
        if isinstance(value, (list, tuple)):
            node["list"] = self.refs(iter(value) if isinstance(value, tuple) else list.__iter__(value))
        return node

    def exception(self, error: BaseException) -> Node:
        """What is kept of an exception: its class by name, and the beginning of its text."""
        cls = type(error)
        return {"class": f"{cls.__module__}.{cls.__qualname__}", "text": str(error)[:300]}


def slots_of(value: Any) -> Iterator[str]:
    """The names of the slots that are filled."""
    for cls in type(value).__mro__:
        names = cls.__dict__.get("__slots__", ())
        for name in (names,) if isinstance(names, str) else names:
            if name not in ("__dict__", "__weakref__") and hasattr(value, name):
                yield name


def _content(cell: Any, function: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        raise NotKept(f"`{function.__qualname__}`, whose variables are not bound yet") from None


def _is_dispatcher(cls: type) -> bool:
    return cls.__name__ == "_ArrayFunctionDispatcher"


def _is_plain(cls: type) -> bool:
    """Whether instances are what their attributes and slots are: all of the class is written in Python."""
    made_in_c = [
        one for one in cls.__mro__ if not one.__flags__ & _HEAP_TYPE and one not in (object, dict, list, tuple)
    ]
    return not made_in_c and cls.__flags__ & _HEAP_TYPE != 0 and not issubclass(cls, type)


def _what(value: Any) -> str:
    if isinstance(value, io.IOBase):
        return "an open file"
    if isinstance(value, collections.abc.Iterator):
        return "a generator or iterator"
    return "which is not written in Python"


def _scalar(_: Encoder, value: Any) -> Node:
    if value.dtype.hasobject:
        raise NotKept("a record that holds objects")
    return {"t": "scalar", "dtype": np.lib.format.dtype_to_descr(value.dtype), "v": np.asarray(value).tobytes().hex()}


def _stream(encoder: Encoder, value: Any) -> Node:
    legacy = isinstance(value, np.random.RandomState)
    state = value.get_state(legacy=False) if legacy else value.bit_generator.state
    return {"t": type(value).__name__, "bits": state["bit_generator"], "v": encoder.ref(state)}


def _number(_: Encoder, value: Any) -> Node:
    return {"t": type(value).__name__, "v": str(value)}


def _method(encoder: Encoder, value: Any) -> Node:
    """`np.random.randn` is a method of the hidden stream."""
    if getattr(np.random, value.__name__, None) == value:
        return {"t": "draw", "name": value.__name__}
    return {"t": "method", "self": encoder.ref(value.__self__), "name": value.__func__.__name__}


def _partial(encoder: Encoder, value: Any) -> Node:
    return {"t": "partial", "v": encoder.refs((value.func, value.args, value.keywords))}


def _builtin(encoder: Encoder, value: Any) -> Node:
    """A function that is written in C; `[].append` is a method of an object, as `np.random.rand` is in old NumPy."""
    own = value.__self__
    if isinstance(own, types.ModuleType) or own is None:
        return encoder._named(value, type(value))  # noqa: SLF001  # the encoder's own table
    if isinstance(own, np.random.RandomState):
        return _method(encoder, value)
    raise NotKept(f"a method of `{type(own).__name__}`: `{value.__name__}`")


def _property(encoder: Encoder, value: Any) -> Node:
    """A property is found again in its class, by the name of the function that it calls."""
    if not isinstance(value.fget, types.FunctionType) or "." not in value.fget.__qualname__:
        raise NotKept("a property that has no name")
    return {"t": "property", "module": encoder._module(value.fget.__module__), "path": value.fget.__qualname__}  # noqa: SLF001


def _member(encoder: Encoder, value: Any) -> Node:
    """A member of an enumeration is found again by its name: there is only one of it."""
    return {"t": "member", "class": encoder.ref(type(value)), "name": value.name}


_MAKERS: tuple[tuple[Any, Callable[[Encoder, Any], Node]], ...] = (
    (np.generic, _scalar),
    (complex, lambda _, value: {"t": "complex", "v": [value.real.hex(), value.imag.hex()]}),
    ((bytes, bytearray), lambda _, value: {"t": type(value).__name__, "v": value.hex()}),
    (slice, lambda encoder, value: {"t": "slice", "v": encoder.refs((value.start, value.stop, value.step))}),
    (range, lambda _, value: {"t": "range", "v": [value.start, value.stop, value.step]}),
    (np.dtype, lambda _, value: {"t": "dtype", "v": np.lib.format.dtype_to_descr(value)}),
    (types.ModuleType, lambda encoder, value: {"t": "module", "v": encoder._module(value.__name__)}),  # noqa: SLF001
    ((np.random.RandomState, np.random.Generator), _stream),
    ((decimal.Decimal, fractions.Fraction), _number),
    (enum.Enum, _member),
    (property, _property),
    (types.MethodType, _method),
    (functools.partial, _partial),
    (types.BuiltinMethodType, _builtin),
    (logging.Logger, lambda _, value: {"t": "logger", "v": value.name}),
    (tuple(LOCKS), lambda _, value: {"t": "lock", "v": LOCKS[type(value)]}),
)
