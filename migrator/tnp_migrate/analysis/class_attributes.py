"""What an object has of its classes: variables that all instances share, functions, and what descriptors give."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tnp_migrate.analysis.class_bindings import assigned_methods, functions_assigned
from tnp_migrate.analysis.evaluation import Transfer
from tnp_migrate.analysis.fixed_attributes import property_called
from tnp_migrate.analysis.graphs import Deferred
from tnp_migrate.analysis.heap import GETTER, Node, field, give_bodies, unify
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.numpy_facts.values import UNKNOWN, Value
from tnp_migrate.program.fields import field_named
from tnp_migrate.program.index import Class, Function
from tnp_migrate.program.nodes import bound_in


def give_of_classes(state: Transfer, one: Instruction, holder: Node, receiver: Value) -> None:
    """Give what the classes of an object have under a name: what all instances share, or what a descriptor gives."""
    name, result = str(one.detail), state.registers[one.result]
    owners = owners_of(state, receiver, name)
    if any(owners.get(each) for each in _inherited(state, one, receiver, owners)):
        state.graph.of_classes.add(one.result)
    described = [owner for owner in owners if descriptor(state, owner, name) is not None]
    for owner in described:
        run_descriptor(state, one, owner, name, "__get__", [holder, Node()], result)
    methods_of = {} if receiver.kind == "class" else assigned_methods(state.slots.index).get(name, {})
    if receiver.kind != "instance":  # a class gives them as they are
        known = [state.slots.bodies.get(each.node) for each in functions_assigned(state.slots.index, name)]
        give_bodies(result, [body for body in known if body is not None])
    for owner in owners if not described else ():
        if owner in methods_of and not owners[owner]:  # bound to the object where it is read, or called as its method
            continue
        if receiver.kind != "class" and field_named(owner, name) is not None:  # which each object holds by itself
            continue
        bound = field(state.slots.class_of(owner), f".{name}")
        if property_called(owner, name) is None:
            unify(result, bound)
        else:
            state.graph.deferred.append(Deferred(field(bound, GETTER), [(0, holder)], result, one))


def _inherited(state: Transfer, one: Instruction, receiver: Value, owners: Iterable[Class]) -> list[Class]:
    """The classes of which an object, or a class, has an attribute that it would have for itself if it were bound."""
    if receiver.kind != "class":
        return [*owners]
    base = getattr(one.node, "value", None)
    is_named = base is not None and state.module.names.of(base, state.body.scope) is not None
    meant = [receiver.ref] if is_named else receiver.ref.derived
    return [each for each in owners if any(each in kind.lineage and each is not kind for kind in meant)]


def owners_of(state: Transfer, receiver: Value, name: str) -> dict[Class, bool]:
    """The classes that bind an attribute, which all instances share, and whether that may be an array."""
    binding = state.slots.classes_binding(name)
    if receiver.kind not in ("instance", "class", "super"):
        return binding
    kin = [one for each in receiver.ref.derived for one in each.lineage]
    return {one: binding[one] for one in kin if one in binding}


def descriptor(state: Transfer, owner: Class, name: str) -> Class | None:
    """The class of the project that says what reading an attribute gives: `x = Checked()` in the body of its owner."""
    if "__get__" not in state.slots.index.methods and "__set__" not in state.slots.index.methods:
        return None
    for one in bound_in(owner.node, name):
        if isinstance(one, ast.expr):
            value = owner.module.value(one) or UNKNOWN
            is_one = value.kind == "instance" and (value.ref.method("__get__") or value.ref.method("__set__"))
            return value.ref if is_one else None
        if one.decorator_list:
            made = owner.module.value(one.decorator_list[0]) or UNKNOWN
            return made.ref if made.kind == "class" and made.ref.method("__get__") else None
    return None


def without_descriptors(state: Transfer, one: Instruction, methods: list[Function], holder: Node) -> list[Function]:
    """Methods but for those that a decorator has put a descriptor in the place of, which is run."""
    name, left = str(one.detail), []
    for method in methods:
        if method.owner is not None and descriptor(state, method.owner, name) is not None:
            run_descriptor(state, one, method.owner, name, "__get__", [holder, Node()], state.registers[one.result])
        else:
            left.append(method)
    return left


def run_descriptor(
    state: Transfer, one: Instruction, owner: Class, name: str, special: str, given: list[Node], result: Node
) -> None:
    """Run a method of the descriptor that a class has under a name, if it has one."""
    described = descriptor(state, owner, name)
    method = described.method(special) if described is not None else None
    if method is not None:
        receiver = field(state.slots.class_of(owner), f".{name}")
        state.functions([method], list(enumerate(given)), result, one, receiver=receiver)


def run_properties(state: Transfer, one: Instruction, name: str, label: str, given: list[Node]) -> None:
    """Run what the properties of a name that calls have made do where one is bound or deleted."""
    for owner in state.slots.classes_binding(name):
        if property_called(owner, name) is not None:
            function = field(field(state.slots.class_of(owner), f".{name}"), label)
            state.graph.deferred.append(Deferred(function, [*enumerate(given)], Node(), one))
