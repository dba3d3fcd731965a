"""What attributes hold of the objects that they are read from, and what binding one says of it."""

from __future__ import annotations

from functools import reduce

from tnp_migrate.analysis.field_values import bound
from tnp_migrate.analysis.frames import Frame, of_method
from tnp_migrate.analysis.invocations import set_property
from tnp_migrate.analysis.open_attributes import attributes_without_class, is_open
from tnp_migrate.analysis.open_containers import as_filled
from tnp_migrate.numpy_facts.results import attribute
from tnp_migrate.numpy_facts.values import SCALAR, UNKNOWN, Value, foreign, join
from tnp_migrate.program.classes import method_of_class
from tnp_migrate.program.dispatch import methods_meant
from tnp_migrate.program.index import Class

_OF_TABLES = frozenset("loc iloc at iat".split())  # attributes that only tables have, of whatever they are read from


def read_attribute(frame: Frame, receiver: Value, name: str) -> Value:
    """What an attribute gives of an object: a field, what a property returns, or a method."""
    if receiver.kind == "array":
        return attribute(receiver, name)
    if receiver.kind == "instance" and name == "__class__":
        return Value("class", ref=receiver.ref)
    if receiver.kind == "scalar" and name in ("real", "imag"):
        return SCALAR
    if receiver.kind in ("instance", "class"):
        owner: Class = receiver.ref
        if (held := _held(frame, owner.lineage if receiver.sure else owner.kin, owner, name)) is not None:
            return held
        own = method_of_class(owner, name) if receiver.kind == "class" else owner.method(name)
        method = own or next(iter(methods_meant(receiver, name)), None)
        if method is not None:
            return of_method(frame, method)
    if receiver.kind == "super" and receiver.sure:
        return next((of_method(frame, one) for one in methods_meant(receiver, name)), UNKNOWN)
    if name == "shape" and receiver.kind == "unknown" and _only_arrays_have(frame, "shape"):
        return Value("shape", sure=False)
    if name == "__dict__":
        return Value("dict")
    if receiver.kind == "unknown" and name in _OF_TABLES:
        return foreign("pandas")
    return receiver if receiver.library is not None else UNKNOWN


def _only_arrays_have(frame: Frame, name: str) -> bool:
    """Whether no text gives something else an attribute that arrays have; what classes define is followed."""
    bound = frame.trace.read(frame.index, "attributes", name)
    if bound is not None and bound.kind in ("array", "unknown"):
        return False
    return name not in attributes_without_class(frame.index)


def _held(frame: Frame, classes: list[Class], owner: Class, name: str) -> Value | None:
    """What an attribute holds by all that the text binds to it, in some classes and of objects of unknown ones."""
    given = [frame.trace.read(one, "attributes", name) for one in classes]
    held = reduce(join, [one for one in given if one is not None], None)
    held = as_filled(frame, name, held) if held is not None else None
    elsewhere = frame.trace.read(frame.index, "attributes", name)
    if held is None or held.kind == "array":
        return held
    if is_open(frame.index, owner, name) or (held.kind == "instance" and held.ref.method("__get__")):
        return UNKNOWN
    return held if elsewhere is None else join(held, elsewhere)


def bind_attribute(frame: Frame, receiver: Value, name: str, value: Value) -> None:
    """Note what is assigned to an attribute of an object, or of one of an unknown class."""
    if receiver.kind not in ("instance", "class", "unknown") or set_property(frame, receiver, name, value):
        return
    if receiver.kind == "class" and value.kind == "function":  # a method from now on, which gets an instance
        value = UNKNOWN
    value = bound(frame, receiver.ref, name, value) if receiver.kind == "instance" else value
    frame.trace.write(frame.index if receiver.kind == "unknown" else receiver.ref, "binding", name, "join", value)
