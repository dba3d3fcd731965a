"""Values from a graph of nodes. Nothing of the graph is run: names are looked up on a list, instances are filled.

Whatever a node says is checked before it is believed: keys, types, sizes and the places that arrays have in a buffer.
"""

from __future__ import annotations

import collections
import decimal
import enum
import fractions
import functools
import inspect
import logging
import math
import threading
import types
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tnp_migrate.proof.inside.buffers import Buffers
from tnp_migrate.proof.inside.encoding import DEEPEST, MAPPINGS, Node, Ref, code_digest
from tnp_migrate.proof.inside.names import Names
from tnp_migrate.proof.inside.refusals import BadRecording, Refused

LARGEST = 64 << 20  # bytes of one buffer
_BITS = ("MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64")
_MAPPINGS: dict[str, Any] = {cls.__name__: cls for cls in MAPPINGS}
_SEQUENCES: dict[str, Any] = {
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
    "deque": collections.deque,
}
_POSITIONS = hasattr(types.CodeType, "co_positions")  # Python 3.11
Hand = Callable[[Any, tuple[str, str] | None], Any]
LIBRARY = ("", "")  # the slot of all that an object of a library holds: ndarrays, in a translated program too


def as_recorded(array: Any, _slot: tuple[str, str] | None) -> Any:
    """Hand an array in as it was recorded."""
    return array


class Decoder:
    """The values of one moment of a call.

    `hand` turns each array into what the replay hands in; it is told of which class's attribute the array is directly
    the value, if it is one, and of `LIBRARY` for what an object of a library holds. `number` does so with floats.
    Raises `BadRecording` and `Refused`.
    """

    def __init__(
        self,
        nodes: Mapping[str, Node],
        buffers: Buffers,
        names: Names,
        hand: Hand = as_recorded,
        number: Callable[[Any], Any] | None = None,
    ) -> None:
        self._nodes, self._buffers, self._names, self._hand, self._number = nodes, buffers, names, hand, number
        self._made: dict[int, Any] = {}
        self._memory: dict[int, tuple[str, bytearray]] = {}
        self._depth = 0
        self._in_library = False

    def value(self, ref: Ref, slot: tuple[str, str] | None = None) -> Any:
        """The value that stands at a place."""
        kind = ref[0] if isinstance(ref, list) and ref else None
        if kind in _PLAIN and len(ref) <= 2:
            try:
                found = _PLAIN[kind](*ref[1:])
                return found if self._number is None or kind != "f" else self._number(found)
            except (TypeError, ValueError, OverflowError):
                raise BadRecording(f"{str(ref)[:60]} is no value") from None
        if kind not in ("r", "id") or len(ref) != 2 or type(ref[1]) is not int:
            raise BadRecording(f"{str(ref)[:60]} is no value")
        number = ref[1]
        if number not in self._made:
            self._make(number, slot)
        return id(self._made[number]) if kind == "id" else self._made[number]

    def many(self, refs: Any) -> list[Any]:
        """Several values."""
        if not isinstance(refs, list):
            raise BadRecording(f"{str(refs)[:60]} is no list of values")
        return [self.value(ref) for ref in refs]

    def pairs(self, refs: Any) -> list[tuple[Any, Any]]:
        """Keys with their values."""
        if not isinstance(refs, list) or any(not isinstance(pair, list) or len(pair) != 2 for pair in refs):
            raise BadRecording(f"{str(refs)[:60]} is no list of pairs")
        return [(self.value(key), self.value(value)) for key, value in refs]

    def _make(self, number: int, slot: tuple[str, str] | None) -> None:
        node = self._nodes.get(str(number))
        if not isinstance(node, dict):
            raise BadRecording(f"there is no node {number}")
        self._depth += 1
        if self._depth > DEEPEST + 10:
            raise BadRecording(f"values are nested more than {DEEPEST} deep, or hold themselves")
        try:
            if node.get("t") == "array":
                self._made[number] = self._hand(self._array(node), LIBRARY if self._in_library else slot)
            else:
                self._fill(number, node)
        except (KeyError, TypeError, ValueError, OverflowError, AttributeError, IndexError, ArithmeticError) as error:
            raise BadRecording(f"node {number} ({node.get('t')}) is not what the recorder writes: {error!r}") from None
        self._depth -= 1

    def _fill(self, number: int, node: Node) -> None:
        """Make what may hold itself before its parts, everything else after them."""
        kind, made = node["t"], self._made
        if kind == "list":
            made[number] = []
            made[number].extend(self.many(node["v"]))
        elif kind == "dict":
            made[number] = found = _MAPPINGS[node["c"]]()
            if "f" in node:
                found.default_factory = self.value(node["f"])
            for key, value in self.pairs(node["v"]):
                found[key] = value
        elif kind == "instance":
            self._instance(number, node)
        elif kind in _SEQUENCES:
            made[number] = _SEQUENCES[kind](self.many(node["v"]))
        elif kind in _READERS:
            made[number] = _READERS[kind](self, node)
        else:
            raise BadRecording(f"there is no kind of node {str(kind)[:40]!r}")

    def _array(self, node: Node) -> Any:
        dtype, shape, strides = _dtype(node["dtype"]), _sizes(node["shape"]), _sizes(node["strides"])
        data = self._bytes(node["memory"], node["buffer"])
        if dtype.hasobject or len(shape) != len(strides) or min(shape, default=0) < 0 or type(node["at"]) is not int:
            raise BadRecording("an array has a shape, strides or a dtype that no array has")
        if math.prod(shape) * dtype.itemsize > LARGEST:  # strides of 0 make a large array of few bytes
            raise BadRecording(f"an array of shape {shape} is larger than a recorded call may be")
        array: Any = np.ndarray(shape, dtype, memoryview(data), node["at"], strides)  # raises where it does not fit
        array.flags.writeable = bool(node["writeable"])
        return array

    def _bytes(self, memory: int, key: str) -> bytearray:
        """Memory by its number: equal content is not shared memory."""
        if memory not in self._memory:
            self._memory[memory] = (key, self._buffers.get(key, LARGEST) or bytearray(1))
        if self._memory[memory][0] != key:
            raise BadRecording(f"memory {memory} has two contents")
        return self._memory[memory][1]

    def _instance(self, number: int, node: Node) -> None:
        value: Any
        cls: Any = self._names.find(node["module"], node["path"])
        if not isinstance(cls, type) or issubclass(cls, (type, BaseException)):
            raise BadRecording(f"`{node['module']}:{node['path']}` is no class of instances")
        if issubclass(cls, tuple):
            self._made[number] = value = tuple.__new__(cls, self.many(node["list"]))
        else:
            made: Any = next((one for one in (dict, list) if issubclass(cls, one)), object)
            self._made[number] = value = made.__new__(cls)
            if issubclass(cls, list):
                list.extend(value, self.many(node["list"]))
            for key, item in self.pairs(node.get("items", [])) if issubclass(cls, dict) else ():
                dict.__setitem__(value, key, item)
        outer, self._in_library = self._in_library, not self._names.are_of_the_project(node["module"])
        self._attributes(value, node)
        self._in_library = outer

    def _attributes(self, value: Any, node: Node) -> None:
        own = f"{node['module']}:{node['path']}"
        for name, ref in node["attributes"]:
            value.__dict__[self.value(name)] = self.value(ref, (own, self.value(name)))
        for name, ref in node["slots"]:
            slot = inspect.getattr_static(type(value), self.value(name))
            if not isinstance(slot, types.MemberDescriptorType):
                raise BadRecording(f"`{own}` has no slot {str(name)[:60]}")
            slot.__set__(value, self.value(ref, (own, self.value(name))))

    def named(self, node: Node) -> Any:
        """A function, class or ufunc by its name."""
        return self._names.find(node["module"], node["path"])

    def code(self, node: Node) -> Any:
        """A local function, from the code that the project's own file has at that place."""
        module = self._names.module(node["module"])
        found = _code_of(Path(str(module.__file__)), self._names.recorded_file(module), node)
        cells = tuple(types.CellType(value) for value in self.many(node["cells"]))
        if found is None or len(cells) != len(found.co_freevars):
            raise Refused(f"the local function `{node['name']}` of line {node['line']} is not found again")
        function = types.FunctionType(found, module.__dict__, found.co_name, self.value(node["defaults"]), cells)
        function.__kwdefaults__ = self.value(node["keywords"])
        function.__name__ = node.get("called", found.co_name)
        return function

    def stream(self, node: Node) -> Any:
        """A random stream in its state."""
        if node["bits"] not in _BITS:
            raise BadRecording(f"there is no bit generator {str(node['bits'])[:40]!r}")
        state = Decoder(self._nodes, self._buffers, self._names).value(node["v"])
        bits = getattr(np.random, node["bits"])()
        if node["t"] == "RandomState":
            stream = np.random.RandomState(bits)
            stream.set_state(state)
            return stream
        bits.state = state
        return np.random.Generator(bits)

    def method(self, node: Node) -> Any:
        """A method bound to an object of the graph, by the name that its class has for it."""
        own, name = self.value(node["self"]), node["name"]
        cls = own if isinstance(own, type) else type(own)
        if not isinstance(getattr(cls, str(name), None), (types.FunctionType, types.MethodType)):
            raise Refused(f"`{cls.__name__}.{str(name)[:60]}` is no method written in Python")
        return getattr(own, name)

    def partial(self, node: Node) -> Any:
        """A function with arguments that it has already."""
        function, given, keywords = self.many(node["v"])
        if not callable(function) or not isinstance(given, tuple) or not isinstance(keywords, dict):
            raise BadRecording("a partial of what is no function")
        return functools.partial(function, *given, **keywords)

    def draw(self, node: Node) -> Any:
        """A function of NumPy's hidden random stream."""
        found = getattr(np.random, node["name"])
        if not isinstance(getattr(found, "__self__", None), np.random.RandomState):
            raise Refused(f"`numpy.random.{node['name']}` does not draw")
        return found

    def objects(self, node: Node) -> Any:
        """An array of objects, item by item."""
        items, shape = self.many(node["v"]), _sizes(node["shape"])
        flat = np.empty(len(items), object)
        for place, item in enumerate(items):
            flat[place] = item
        return flat.reshape(shape)


def _sizes(given: Any) -> tuple[int, ...]:
    if not isinstance(given, list) or len(given) > 64 or any(type(size) is not int for size in given):
        raise BadRecording(f"{str(given)[:60]} is no shape")
    return tuple(given)


def _dtype(description: Any) -> Any:
    """A dtype from its description. JSON makes lists of the tuples that fields are described by."""
    if isinstance(description, list):
        fields = [tuple(_tuples(part) for part in field) for field in description]
        return np.lib.format.descr_to_dtype(fields)
    return np.lib.format.descr_to_dtype(description)


def _tuples(part: Any) -> Any:
    if isinstance(part, list) and part and isinstance(part[0], list):
        return [tuple(_tuples(one) for one in field) for field in part]
    return tuple(part) if isinstance(part, list) else part


def _scalar(_: Decoder, node: Node) -> Any:
    dtype = _dtype(node["dtype"])
    if dtype.hasobject:
        raise BadRecording("a number of dtype object")
    return np.frombuffer(bytes.fromhex(node["v"]), dtype)[0]


def _property(names: Names, node: Node) -> Any:
    owner, _, name = node["path"].rpartition(".")
    found = inspect.getattr_static(names.find(node["module"], owner), name)
    if not isinstance(found, property):
        raise Refused(f"`{node['module']}:{node['path']}` is no property")
    return found


def _member(cls: Any, name: str) -> Any:
    if not isinstance(cls, type) or not issubclass(cls, enum.Enum):
        raise BadRecording("a member of what is no enumeration")
    return cls[name]


def _code_of(file: Path, recorded: Path, node: Node) -> types.CodeType | None:
    """The code of a local function: the one of its name that has the place which the recorded one has among these."""
    before = _codes(recorded, node["name"])
    same = [place for place, code in enumerate(before) if code_digest(code) == node["digest"]]
    lines = [place for place in same or range(len(before)) if before[place].co_firstlineno == node["line"]]
    places = lines or same
    found = _codes(file, node["name"])
    return found[places[0]] if places and len(found) == len(before) else None


def _codes(file: Path, name: str) -> list[types.CodeType]:
    """The codes of a name in a file, in the order of their lines."""
    pending, found = [compile(file.read_bytes(), str(file), "exec", dont_inherit=True)], []
    while pending:
        code = pending.pop()
        pending += [one for one in code.co_consts if isinstance(one, types.CodeType)]
        found += [code] if code.co_name == name else []
    return sorted(found, key=lambda code: (code.co_firstlineno, [*(code.co_positions() if _POSITIONS else ())][:1]))


_PLAIN: dict[Any, Callable[..., Any]] = {
    "n": lambda: None,
    "e": lambda: Ellipsis,
    "b": bool,
    "i": lambda value: int(value, 16),
    "f": float.fromhex,
    "s": lambda value: value if isinstance(value, str) else _raise(),
}
_READERS: dict[str, Callable[[Decoder, Node], Any]] = {
    "scalar": _scalar,
    "objects": Decoder.objects,
    "complex": lambda _, node: complex(*map(float.fromhex, node["v"])),
    "bytes": lambda _, node: bytes.fromhex(node["v"]),
    "bytearray": lambda _, node: bytearray.fromhex(node["v"]),
    "slice": lambda decoder, node: slice(*decoder.many(node["v"])),
    "range": lambda _, node: range(*node["v"]),
    "dtype": lambda _, node: _dtype(node["v"]),
    "module": lambda decoder, node: decoder._names.module(node["v"]),  # noqa: SLF001  # the decoder's own table
    "RandomState": Decoder.stream,
    "Generator": Decoder.stream,
    "Decimal": lambda _, node: decimal.Decimal(node["v"]),
    "Fraction": lambda _, node: fractions.Fraction(*map(int, node["v"][:4000].split("/"))),
    "member": lambda decoder, node: _member(decoder.value(node["class"]), node["name"]),
    "method": Decoder.method,
    "partial": Decoder.partial,
    "named": Decoder.named,
    "code": Decoder.code,
    "property": lambda decoder, node: _property(decoder._names, node),  # noqa: SLF001
    "draw": Decoder.draw,
    "logger": lambda _, node: logging.getLogger(str(node["v"])),
    "lock": lambda _, node: threading.RLock() if node["v"] == "RLock" else threading.Lock(),
}


def _raise() -> str:
    raise BadRecording("a text that is none")
