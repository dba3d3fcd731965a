"""Abstract values: what is known of an expression without running it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Literal

ValueKind = Literal[
    "unknown", "array", "scalar", "shape", "str", "none", "list", "tuple", "dict", "set", "function", "class",
    "instance", "super", "module", "rng", "dtype", "file", "stores",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Value:
    """A value: of an array the dtype and rank where known. `sure` is False where the evidence is only likely.

    `element` is what a list, a dict or a set holds, and the dtype of a dict is `str` where its keys are text; `items`
    are a tuple's. `ref` is the function or class, the library of something unknown, or what a list is; an instance that
    is not `sure` may be one of a derived class, and what `super()` is not sure of may be another library's. `joins`
    is what may as well be a list or a tuple, which `+` joins. `axes` says of an array of unknown rank that it has one
    axis at least and is no number, `is_object` that it is no number, though it may have no axes, and `beside` of what
    may as well be one of Python's numbers, of which dtype it is as an array, `?` where that is not known. `size` counts
    the values in it, with itself.
    """

    kind: ValueKind
    dtype: str | None = None
    rank: int | None = None
    sure: bool = True
    items: tuple[Value, ...] | None = None
    element: Value | None = None
    ref: Any = None
    joins: bool = False
    axes: bool = False
    is_object: bool = False
    beside: str | None = None
    size: int = field(default=1, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Of what holds too much no more is known: `a = (a, a)` doubles what there is to know of `a`."""
        if self.items is not None:
            items = tuple(one if one.size <= _LARGE else UNKNOWN for one in self.items)
            object.__setattr__(self, "items", items)
            object.__setattr__(self, "size", 1 + sum(one.size for one in items))
        elif self.element is not None:
            element = self.element if self.element.size <= _LARGE else UNKNOWN
            object.__setattr__(self, "element", element)
            object.__setattr__(self, "size", 1 + element.size)

    @property
    def is_array(self) -> bool:
        """Whether this is an array, by proof or by likely evidence."""
        return self.kind == "array"

    @property
    def may_have_axes(self) -> bool:
        """Whether this is an array, and not known to be one without axes."""
        return self.kind == "array" and self.rank != 0

    @property
    def library(self) -> str | None:
        """Of something unknown, the library whose object it is, where that is known."""
        return self.ref if self.kind == "unknown" else None

    @property
    def has_axes(self) -> bool:
        """Whether this is an array with one axis at least, and not one of NumPy's numbers."""
        return self.is_array and (self.axes if self.rank is None else self.rank > 0)

    @property
    def is_number(self) -> bool:
        """Whether this is a number, which nothing can write to: Python's, or what NumPy gives for no axes."""
        return self.kind == "scalar" or (self.is_array and self.rank == 0 and not self.is_object)

    def __str__(self) -> str:
        """`array float64 2d`, the form that tests write on the line."""
        parts = [
            self.kind,
            *([self.dtype] if self.dtype else []),
            *([f"{self.rank}d"] if self.rank is not None else []),
        ]
        return " ".join([*parts, *([] if self.sure else ["likely"])])


_LARGE = 100  # values in one value, as deep as they stand
UNKNOWN = Value("unknown")
SCALAR = Value("scalar")
NONE = Value("none")
SEQUENCE = "sequence"  # as the `ref` of a list: a range or a deque, whose dtype tnp does not find out
# What no tensor holds, or none that tnp takes: the codes, and what an array of it is one of.
HOST_DTYPES = {
    "object": ("TNP409", "objects"), "str": ("TNP411", "text"), "structured": ("TNP410", "records"),
    "datetime": ("TNP412", "dates"), "matrix": ("TNP413", "np.matrix"), "masked": ("TNP414", "masked numbers"),
}  # fmt: skip
BUILTIN_HOST = {"object": "object", "str": "str", "bytes": "str"}  # Python's own names for such dtypes
HOLDING = frozenset({"list", "tuple", "dict", "set"})
NOTHING = frozenset("scalar str shape none dtype file".split())  # which hold no array, and are written to by nothing
CONTAINERS = HOLDING | {"str"}


@cache
def array(
    dtype: str | None = None,
    rank: int | None = None,
    *,
    sure: bool = True,
    axes: bool = False,
    is_object: bool = False,
) -> Value:
    """An array value; equal ones are one."""
    return Value("array", dtype, rank, sure, axes=axes and rank is None, is_object=is_object and not rank)


def join(one: Value | None, other: Value | None) -> Value:
    """What is known when a value is either of two: a None beside an array says nothing against the array."""
    if one is None or other is None:
        return one or other or UNKNOWN
    if one == other:
        return one
    found = _either(one, other)
    joins = any(value.joins or value.kind in ("list", "tuple") for value in (one, other))
    if found.is_array and (beside := _beside(one, other)) is not None:
        found = replace(found, beside=beside)
    return replace(found, joins=True) if joins and found.kind in ("unknown", "array") else found


def _beside(one: Value, other: Value) -> str | None:
    """The dtype of arrays of which one of two values may be, if it may be one of Python's numbers too."""
    arrays = [value for value in (one, other) if value.is_array]
    if not any(value.kind == "scalar" or value.beside for value in (one, other)):
        return None
    dtypes = {value.beside or value.dtype or "?" for value in arrays}
    return dtypes.pop() if len(dtypes) == 1 else "?"


def _either(one: Value, other: Value) -> Value:
    if one.kind == "none" or other.kind == "none":
        found = other if one.kind == "none" else one
        return replace(found, sure=False) if found.kind == "array" else found if found.kind != "scalar" else UNKNOWN
    if one.kind == other.kind == "array":
        same_dtype = one.dtype if one.dtype == other.dtype else _host_if_either(one, other)
        rank = one.rank if one.rank == other.rank else None
        both = all(each.is_object or each.has_axes for each in (one, other))
        axes = one.has_axes and other.has_axes
        return array(same_dtype, rank, sure=one.sure and other.sure, axes=axes, is_object=both)
    if "array" in (one.kind, other.kind):
        known = array(_host_if_either(one, other), sure=False)
        return known if {one.kind, other.kind} & {"scalar", "unknown", "list"} else UNKNOWN
    if one.kind == other.kind:
        if one.kind == "tuple" and one.items and other.items and len(one.items) == len(other.items):
            return Value("tuple", items=tuple(map(join, one.items, other.items)))
        if one.kind in CONTAINERS:
            if one.element is not None and other.element is not None:
                return Value(one.kind, element=join(one.element, other.element), ref=one.ref or other.ref)
            element = _likely(one.element or other.element)  # one is empty, or unknown
            return Value(one.kind, element=element, ref=one.ref or other.ref)
        if one.ref is other.ref:
            return Value(one.kind, sure=one.sure and other.sure, ref=one.ref)
        return _of_common_base(one, other) if one.kind == "instance" else UNKNOWN
    return UNKNOWN


def _of_common_base(one: Value, other: Value) -> Value:
    """What instances of two classes are instances of, if these have a base in common."""
    common = [base for base in one.ref.lineage if base in other.ref.lineage]
    return Value("instance", sure=False, ref=common[0]) if common else UNKNOWN


def _likely(value: Value | None) -> Value | None:
    return replace(value, sure=False) if value is not None and value.is_array else value


def _host_if_either(one: Value, other: Value) -> str | None:
    """What no tensor holds stays so where it may as well be numbers."""
    return next((dtype for dtype in HOST_DTYPES if dtype in (one.dtype, other.dtype)), None)


def foreign(library: str) -> Value:
    """An object of another library."""
    return Value("unknown", ref=library)


def iterated(value: Value) -> Value:
    """What iterating over a value gives: of a dict its keys, of a file its lines."""
    if value.kind == "file":
        return Value("str")
    if value.kind == "dict":
        return Value("str") if value.dtype == "str" else UNKNOWN
    return element_of(value)


def with_item(holder: Value, stored: Value, depth: int = 0) -> Value:
    """What a list or dict is when something is stored in it, or in an item of it `depth` levels below."""
    if holder.kind not in ("dict", "list"):
        return holder
    if stored.is_array and holder.kind == "list":
        stored = replace(stored, sure=False)
    item = with_item(holder.element or UNKNOWN, stored, depth - 1) if depth else stored
    return Value(holder.kind, element=join(holder.element, item) if holder.element else item)


def element_of(value: Value) -> Value:
    """What indexing a value with an integer gives, or with a key."""
    if value.kind == "array":
        return replace(value, rank=value.rank - 1 if value.rank else None, joins=False, axes=False, is_object=False)
    if value.kind == "shape":
        return SCALAR
    if value.kind == "str":
        return value
    if value.kind == "tuple" and value.items:
        found: Value | None = None
        for item in value.items:
            found = join(found, item)
        return found or UNKNOWN
    return value.element or (value if value.kind == "unknown" else UNKNOWN)


def parts_of(value: Value, stars: list[bool]) -> list[Value]:
    """What each of the targets gets that a value is unpacked to; one with a star gets a list."""
    items, count = value.items or (), len(stars)
    if True not in stars:
        return list(items) if len(items) == count else [iterated(value)] * count
    star = stars.index(True)
    behind = count - star - 1
    if not items or len(items) < count - 1:
        return [Value("list", element=iterated(value)) if starred else iterated(value) for starred in stars]
    rest: Value | None = None
    for one in items[star : len(items) - behind]:
        rest = join(rest, one)
    return [*items[:star], Value("list", element=rest), *items[len(items) - behind :]]
