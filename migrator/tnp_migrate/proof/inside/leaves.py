"""What a call has done, taken apart to leaves that can be compared: numbers, arrays, and which places hold one object.

`{"return": (a, [1.0])}` -> `{"return": tuple of 2, "return[0]": array, "return[1]": list of 1, "return[1][0]": number}`
"""

from __future__ import annotations

import functools
import re
import sys
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tnp_migrate.proof.inside.encoding import MAPPINGS, SEQUENCES, slots_of

MOST = 30_000
_ADDRESS = re.compile(r"0x[0-9a-f]{6,}")
_NUMBERS = (bool, int, float, complex)
_FUNCTIONS = (
    *(types.FunctionType, types.BuiltinFunctionType, types.ModuleType, type, np.ufunc, functools.partial),
    type(np.linalg.inv),  # NumPy's own class of functions
)


@dataclass(frozen=True)
class Leaf:
    """One place of a result. `kind` is "array", "number", "symbol" (of a graph), "same" (as another place) or "other".

    `value` is an ndarray, a Python or NumPy number, a symbolic tensor, a path, or what two of them are compared by.
    """

    kind: str
    value: Any
    is_tensor: bool = False


def is_tensor(value: Any) -> bool:
    """Whether a value is TensorFlow's, without importing it."""
    tensorflow = sys.modules.get("tensorflow")
    return tensorflow is not None and isinstance(value, (tensorflow.Tensor, tensorflow.Variable))


def leaves_of(roots: Mapping[str, Any]) -> dict[str, Leaf]:
    """The leaves of some values, by path."""
    walk = _Walk()
    for name, value in roots.items():
        walk.add(name, value)
    return {path: walk.without_addresses(leaf) for path, leaf in walk.found.items()}


class _Walk:
    def __init__(self) -> None:
        self.found: dict[str, Leaf] = {}
        self._seen: dict[int, str] = {}
        self._alive: list[Any] = []

    def add(self, path: str, value: Any) -> None:
        if len(self.found) > MOST:
            return
        if is_tensor(value):
            eager = hasattr(value, "numpy") and sys.modules["tensorflow"].executing_eagerly()
            self.found[path] = Leaf("array", value.numpy(), is_tensor=True) if eager else Leaf("symbol", value)
            return
        cls = type(value)
        if cls in _NUMBERS or isinstance(value, np.generic):
            self.found[path] = Leaf("number", value)
            return
        if value is None or cls in (str, bytes):
            self.found[path] = Leaf("other", value)
            return
        if id(value) in self._seen and cls is not tuple and not isinstance(value, np.dtype):
            self.found[path] = Leaf("same", self._seen[id(value)])
            return
        self._seen[id(value)] = path
        self._alive.append(value)
        self._object(path, value, cls)

    def _object(self, path: str, value: Any, cls: type) -> None:
        if isinstance(value, np.ndarray):
            plain = value.view(np.ndarray)
            if value.dtype == object:
                self._container(path, f"objects {value.shape}", plain.ravel().tolist())
            else:
                self.found[path] = Leaf("array", plain.copy())
        elif isinstance(value, (set, frozenset)):
            self.found[path] = Leaf("other", (cls.__name__, sorted(map(repr, value))))
        elif cls in SEQUENCES or isinstance(value, (list, tuple)):
            self._container(path, cls.__name__, value)
        elif cls in MAPPINGS or isinstance(value, dict):
            self.found[path] = Leaf("other", (cls.__name__, len(value)))
            for place, (key, item) in enumerate(dict.items(value)):
                self.add(f"{path}[{key!r}]" if isinstance(key, (str, int)) else f"{path}[key {place}]", item)
        elif isinstance(value, _FUNCTIONS) or (callable(value) and not hasattr(value, "__dict__")):
            self.found[path] = Leaf("other", getattr(value, "__name__", cls.__name__))
        elif isinstance(value, types.MethodType):
            self.found[path] = Leaf("other", value.__func__.__name__)
        elif isinstance(value, (np.random.Generator, np.random.RandomState)):
            self.found[path] = Leaf("other", cls.__name__)
        else:
            self._instance(path, value, cls)
            return
        if hasattr(value, "__dict__") and cls not in (dict, list, tuple) and not isinstance(value, _FUNCTIONS):
            self._attributes(path, value)

    def _container(self, path: str, name: str, items: Any) -> None:
        self.found[path] = Leaf("other", (name, len(items)))
        for place, item in enumerate(items):
            self.add(f"{path}[{place}]", item)

    def _instance(self, path: str, value: Any, cls: type) -> None:
        filled = list(slots_of(value))
        if not hasattr(value, "__dict__") and not filled:
            self.found[path] = Leaf(
                "other", repr(value) if cls.__module__ != "builtins" or cls in (slice, range) else cls
            )
            return
        self.found[path] = Leaf("other", cls.__name__)
        self._attributes(path, value)

    def _attributes(self, path: str, value: Any) -> None:
        for name, item in _attributes_of(value):
            self.add(f"{path}.{name}", item)

    def without_addresses(self, leaf: Leaf) -> Leaf:
        """Addresses are never the same again: `id(x)` and `<Filter at 0x7f...>` are compared as what they stand for."""
        if leaf.kind == "number" and type(leaf.value) is int and leaf.value in self._seen:
            return Leaf("other", f"id of {self._seen[leaf.value]}")
        if leaf.kind == "other" and isinstance(leaf.value, str):
            return Leaf("other", _ADDRESS.sub("0x", leaf.value))
        return leaf


def _attributes_of(value: Any) -> Iterator[tuple[str, Any]]:
    own = getattr(value, "__dict__", {})
    for name in sorted(map(str, own)):
        yield name, own.get(name)
    for name in slots_of(value):
        yield name, getattr(value, name)
