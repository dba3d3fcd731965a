"""Arguments that become attributes of objects whose methods write to them in place: `self.x = x`, then `self.x += 1`.

Which methods an object has, its class says: what those of another class write to is no matter of a call that makes
this one, though one base keeps the argument for both.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from tnp_migrate.analysis.handed_back import Root
from tnp_migrate.analysis.summaries import Summary
from tnp_migrate.numpy_facts.values import UNKNOWN
from tnp_migrate.program.attributes import meets
from tnp_migrate.program.index import Class, Function, Module

Kept = dict[str, frozenset[Class]]


def note_kept(summary: Summary, summaries: Mapping[Function | Module, Summary]) -> None:
    """Note the parameters that become attributes to which methods write, with the classes that have such a method."""
    summary.kept, summary.kept_surely = {}, {}
    for name, attributes in _held_parameters(summary).items():
        for kept, surely in ((summary.kept, False), (summary.kept_surely, True)):
            writers = frozenset(_writers(summary, attributes, summaries, surely=surely))
            if writers:
                kept[name] = writers


def kept_at(module: Module, call: ast.Call, function: Function, kept: Kept) -> set[str]:
    """The parameters of a method that a call, in a module, keeps in an object with a method that writes to them."""
    if not kept:
        return set()
    owner = _class_of_object(module, call, function)
    classes = owner.kin if owner is not None else None
    return {name for name, writers in kept.items() if classes is None or not writers.isdisjoint(classes)}


def _held_parameters(summary: Summary) -> dict[str, list[str]]:
    """The parameters of a method that become attributes, with the keys of these."""
    found: dict[str, list[str]] = {}
    for key, held in summary.aliases.items() if summary.function is not None and summary.function.owner else ():
        for kind, name in held if key.startswith(".") else ():
            if kind == "parameter":
                found.setdefault(name, []).append(key[1:])
    return found


def _writers(
    summary: Summary, attributes: list[str], summaries: Mapping[Function | Module, Summary], *, surely: bool
) -> Iterable[Class]:
    """The classes that have a method which writes to one of some attributes, given by their keys."""
    owner = summary.function.owner if summary.function is not None else None
    for one in owner.kin if owner is not None else ():
        methods = [summaries[each] for each in one.methods.values() if each in summaries]
        written = (each.surely if surely else each.mutated for each in methods)
        if any(_is_one_of(root, attributes) for roots in written for root in roots):
            yield one


def _is_one_of(root: Root, attributes: list[str]) -> bool:
    return root[0] == "attribute" and any(meets(root[1], one) for one in attributes)


def _class_of_object(module: Module, call: ast.Call, function: Function) -> Class | None:
    """The class, or a base of the class, of the object that a call makes or has a method of; None where unknown."""
    called = module.value(call.func) or UNKNOWN
    if called.kind == "class":
        return _below(called.ref, function)
    if not isinstance(call.func, ast.Attribute):
        return None
    receiver = module.value(call.func.value) or UNKNOWN
    if receiver.kind in ("instance", "super"):
        return _below(receiver.ref, function)
    given = module.value(call.args[0]) or UNKNOWN if receiver.kind == "class" and call.args else UNKNOWN
    return _below(given.ref, function) if given.kind == "instance" else None  # `Base.__init__(self, x)`


def _below(owner: Class, function: Function) -> Class | None:
    """A class if it has a method, its own or one of a base: an object is one of it, or of what derives from it."""
    return owner if function.owner in owner.lineage else None
