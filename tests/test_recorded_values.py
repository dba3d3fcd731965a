"""Values that are written down and made again: content, identity, shared memory; and what hostile graphs come to."""

from __future__ import annotations

import collections
import decimal
import enum
import fractions
import functools
import json
import math
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import numpy as np
import pytest

from tnp_migrate.proof.inside.buffers import Buffers
from tnp_migrate.proof.inside.decoding import LIBRARY, Decoder
from tnp_migrate.proof.inside.encoding import Encoder
from tnp_migrate.proof.inside.names import Names
from tnp_migrate.proof.inside.refusals import BadRecording, NotKept, Refused
from tnp_migrate.proof.inside.settings import Settings


class Colour(enum.Enum):
    RED = 1


class Point(NamedTuple):
    x: int
    y: list


@dataclass(frozen=True)
class Frozen:
    a: object


class Slots:
    __slots__ = ("a",)


class Table(dict):
    pass


def of_this_module(name: str) -> ModuleType | None:
    import sys

    return sys.modules[__name__] if name == __name__ else None


@pytest.fixture
def again(tmp_path: Path):
    settings = Settings(str(Path(__file__).parent), (), str(tmp_path))

    def through(value):
        encoder = Encoder(Buffers(tmp_path), settings)
        ref = encoder.ref(value)
        nodes = json.loads(json.dumps(encoder.finish()))
        return Decoder(nodes, Buffers(tmp_path), Names(of_this_module)).value(json.loads(json.dumps(ref)))

    return through


PLAIN = [
    *[
        None,
        True,
        0,
        -(10**400),
        1.5,
        float("inf"),
        "text \ud800",
        ...,
        2 + 3j,
        b"\0\1",
        bytearray(b"x"),
        slice(1, None, 2),
    ],
    *[
        range(3, 9, 2),
        decimal.Decimal("1.10"),
        fractions.Fraction(-3, 7),
        [1, [2, (3,)]],
        {"a": {1, 2}},
        frozenset({3}),
    ],
    *[
        collections.deque([1]),
        collections.Counter("aab"),
        collections.OrderedDict(b=1, a=2),
        collections.defaultdict(list),
    ],
    *[
        Colour.RED,
        Point(1, [2]),
        math.sqrt,
        np.add,
        np.mean,
        np.float64,
        np.dtype("<i2"),
        np.int8(-3),
        np.datetime64("2020"),
    ],
    *[np.random.randn, Frozen],
]


@pytest.mark.parametrize("value", PLAIN, ids=lambda value: type(value).__name__)
def test_value_is_the_same_again(again, value) -> None:
    found = again(value)
    assert type(found) is type(value)
    assert found == value


def test_whose_attribute_an_array_is_and_that_a_library_holds_it_is_told(tmp_path: Path) -> None:
    encoder = Encoder(Buffers(tmp_path), Settings(str(Path(__file__).parent), (), str(tmp_path)))
    inside = np.poly1d([1.0, 2.0])
    inside.parts = [np.zeros(3), Frozen(np.zeros(4))]
    refs = [encoder.ref(one) for one in (inside, Frozen(np.zeros(5)), np.zeros(6))]
    told = {}
    decoder = Decoder(
        json.loads(json.dumps(encoder.finish())),
        Buffers(tmp_path),
        Names(of_this_module),
        lambda array, slot: told.update({array.size: slot}),
    )
    decoder.many(json.loads(json.dumps(refs)))
    own = (f"{__name__}:Frozen", "a")
    assert told == {2: LIBRARY, 3: LIBRARY, 4: own, 5: own, 6: None}


def test_nan_and_the_sign_of_zero_are_kept(again) -> None:
    assert math.copysign(1, again(-0.0)) == -1
    assert math.isnan(again(math.nan))


ARRAYS = [
    *[np.arange(6.0).reshape(2, 3).T, np.zeros((0, 3)), np.array(5, "u1"), np.ones(3)[::-1], np.array([1 + 2j])],
    *[np.array(["ab", "c"]), np.array([(1, 2.0)], [("a", "i4"), ("b", "f8", (2,))]), np.broadcast_to(1.0, (3, 4))],
    *[np.array([None, [1], "x"], object), np.asfortranarray(np.eye(3)), np.arange(900.0)[::7], np.array([], object)],
]


@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: f"{array.dtype.kind}{array.shape}")
def test_array_is_the_same_again(again, array) -> None:
    found = again(array)
    assert found.dtype == array.dtype
    assert found.strides == array.strides or array.dtype == object
    assert found.flags.writeable == array.flags.writeable
    np.testing.assert_array_equal(found, array)


def test_shared_memory_is_shared_and_equal_content_is_not(again) -> None:
    a = np.zeros(200)
    first, view, other, same = again([a, a[3:], np.zeros(200), a])
    assert same is first
    first[3] = 7
    assert view[0] == 7
    assert other[3] == 0


def test_values_may_hold_themselves(again) -> None:
    a: list = [1]
    a.append(a)
    found = again(a)
    assert found[1] is found


def test_instances_are_filled_and_not_run(again) -> None:
    one = Slots()
    one.a = np.ones(2)
    frozen, table = Frozen(one), Table(x=one)
    table.note = "here"
    found, own = again([frozen, table])
    assert found.a is own["x"]
    assert own.note == "here"
    assert type(own) is Table


def test_streams_go_on_where_they_were(again) -> None:
    for stream in (np.random.default_rng(3), np.random.RandomState(3)):
        stream.normal(size=3)
        assert again(stream).normal() == stream.normal()


def test_local_functions_are_found_in_the_users_own_file(again) -> None:
    scale = 3

    def times(x, add=1):
        return x * scale + add

    assert again(times)(2) == 7
    assert again(functools.partial(times, add=0))(2) == 6
    assert again([lambda x: x - scale])[0](5) == 2


@pytest.mark.parametrize(
    "value",
    [np.ma.array([1]), iter([1]), [].append, object.__new__(type("Local", (), {}))],
    ids=lambda value: type(value).__name__,
)
def test_what_cannot_be_kept_says_so(tmp_path: Path, value) -> None:
    encoder = Encoder(Buffers(tmp_path), Settings("/nowhere", (), str(tmp_path)))
    with pytest.raises(NotKept):
        encoder.ref(value)


def deep(levels: int) -> list:
    value: list = []
    for _ in range(levels):
        value = [value]
    return value


def test_limits_of_a_call_are_held(tmp_path: Path) -> None:
    settings = Settings("/nowhere", (), str(tmp_path), call_bytes=1000, call_nodes=20)
    with pytest.raises(NotKept, match="more than 20 objects"):
        Encoder(Buffers(tmp_path), settings).ref([[] for _ in range(30)])
    with pytest.raises(NotKept, match="deep"):
        Encoder(Buffers(tmp_path), Settings("/nowhere", (), "")).ref(deep(300))
    encoder = Encoder(Buffers(tmp_path), settings)
    encoder.ref(np.zeros(2000))
    with pytest.raises(NotKept, match="arrays of more than"):
        encoder.finish()


ARRAY = {
    "t": "array",
    "dtype": "<f8",
    "shape": [2],
    "strides": [8],
    "writeable": True,
    "buffer": "=" + "00" * 16,
    "at": 0,
    "memory": 0,
}
NUMPY = {"t": "named", "module": "numpy"}
HOSTILE = [
    {**ARRAY, "shape": [3]},
    {**ARRAY, "at": -8},
    {**ARRAY, "at": 9},
    {**ARRAY, "strides": [-8]},
    {**ARRAY, "strides": [1 << 40]},
    {**ARRAY, "shape": [1 << 50], "strides": [0]},
    {**ARRAY, "shape": [-1]},
    {**ARRAY, "shape": [2.0]},
    {**ARRAY, "shape": [True]},
    {**ARRAY, "dtype": "|O"},
    {**ARRAY, "dtype": [["a", "|O"]]},
    {**ARRAY, "dtype": "import os"},
    {**ARRAY, "buffer": "../../../etc/passwd"},
    {**ARRAY, "buffer": "/etc/passwd"},
    {**ARRAY, "buffer": "0" * 40},
    {**ARRAY, "buffer": "=zz"},
    {**ARRAY, "buffer": 3},
    {},
    {"t": "pickle", "v": "00"},
    {"t": "named", "module": "os", "path": "system"},
    {"t": "named", "module": "builtins", "path": "eval"},
    {"t": "named", "module": "builtins", "path": "__import__"},
    {"t": "named", "module": "antigravity", "path": "x"},
    {"t": "named", "module": "subprocess", "path": "Popen"},
    {**NUMPY, "path": "load"},
    {**NUMPY, "path": "fromfile"},
    {**NUMPY, "path": "testing.runstring"},
    {**NUMPY, "path": "linalg"},
    {**NUMPY, "path": "mean.__globals__"},
    {**NUMPY, "path": "ndarray.__class__"},
    {"t": "named", "module": "numpy.testing", "path": "rundocs"},
    {"t": "named", "module": "operator", "path": "methodcaller"},
    {"t": "named", "module": __name__, "path": "Path.unlink"},
    {"t": "named", "module": __name__, "path": "json.dumps"},
    {"t": "module", "v": "os"},
    {"t": "module", "v": "../evil"},
    {"t": "instance", "module": "builtins", "path": "type", "attributes": [], "slots": []},
    {"t": "instance", "module": __name__, "path": "Slots", "attributes": [], "slots": [[["s", "__class__"], ["n"]]]},
    {"t": "method", "self": ["s", "text"], "name": "format"},
    {"t": "method", "self": ["r", 0], "name": "__init__"},
    {"t": "draw", "name": "seed.__self__"},
    {
        "t": "code",
        "module": "os",
        "name": "x",
        "line": 1,
        "digest": "",
        "cells": [],
        "defaults": ["n"],
        "keywords": ["n"],
    },
    {"t": "Generator", "bits": "SeedSequence", "v": ["n"]},
    {"t": "scalar", "dtype": "|O", "v": "0000000000000000"},
    {"t": "scalar", "dtype": "<f8", "v": "00"},
    {"t": "Decimal", "v": []},
    {"t": "Fraction", "v": "1e999999999"},
    {"t": "member", "class": ["s", "x"], "name": "y"},
    {"t": "tuple", "v": [["r", 0]]},
    {"t": "tuple", "v": 5},
    {"t": "dict", "c": "eval", "v": []},
    {"t": "objects", "shape": [5], "v": []},
    {"t": "complex", "v": [1, 2]},
    {"t": "logger"},
]


@pytest.mark.parametrize("node", HOSTILE, ids=lambda node: str(node)[:50])
def test_hostile_node_is_an_error(tmp_path: Path, node) -> None:
    with pytest.raises((BadRecording, Refused)):
        Decoder({"0": node}, Buffers(tmp_path), Names(of_this_module)).value(["r", 0])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "ref", [[], ["r"], ["r", "0"], ["r", 7], ["r", -1], ["x", 1], None, "r", ["i", {}], ["f", "x"], ["s", 1]], ids=str
)
def test_hostile_reference_is_an_error(tmp_path: Path, ref) -> None:
    with pytest.raises(BadRecording):
        Decoder({}, Buffers(tmp_path), Names(of_this_module)).value(ref)


def test_deep_nesting_is_an_error(tmp_path: Path) -> None:
    nodes = {str(place): {"t": "list", "v": [["r", place + 1]]} for place in range(5000)}
    with pytest.raises(BadRecording, match="deep"):
        Decoder(nodes, Buffers(tmp_path), Names(of_this_module)).value(["r", 0])


def test_buffer_with_other_bytes_than_its_name_says_is_an_error(tmp_path: Path) -> None:
    key = Buffers(tmp_path).put(b"x" * 1000)
    place = tmp_path / "arrays" / key[:2] / f"{key}.npy"
    np.save(place, np.zeros(1000, np.uint8))
    with pytest.raises(BadRecording, match="other bytes"):
        Buffers(tmp_path).get(key, 5000)
    place.unlink()
    place.symlink_to("/etc/passwd")
    with pytest.raises(BadRecording, match="not there"):
        Buffers(tmp_path).get(key, 5000)
    place.unlink()
    np.save(place, np.array([{}], object))
    with pytest.raises(BadRecording, match="cannot be read"):
        Buffers(tmp_path).get(key, 5000)
