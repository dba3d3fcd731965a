"""Which methods a name may be of an object, by what is known of its class."""

from __future__ import annotations

from tnp_migrate.numpy_facts.values import Value
from tnp_migrate.program.index import Function


def methods_meant(receiver: Value, name: str) -> list[Function]:
    """The methods that a name may be of an object, or of `super()`: those of derived classes, too."""
    if receiver.kind == "instance" and receiver.sure:
        return receiver.ref.definitions(name)  # type: ignore[no-any-return]
    if receiver.kind not in ("instance", "super") and (receiver.kind != "class" or receiver.sure):
        return []
    found: list[Function] = receiver.ref.methods_of(name, receiver.ref if receiver.kind == "super" else None)
    return found


def is_own_method(receiver: Value, name: str) -> bool:
    """Whether a name is a method of an object of the project, whose body says what it keeps."""
    return receiver.kind == "instance" and receiver.ref.method(name) is not None


def methods_called(receiver: Value, name: str, called: Value) -> list[Function]:
    """The methods that a call on an object may run: not those that only raise, where derived classes have others."""
    found = methods_meant(receiver, name)
    if called.kind != "unknown" and called.ref not in found:
        return []
    return [one for one in found if not one.only_raises] or found
