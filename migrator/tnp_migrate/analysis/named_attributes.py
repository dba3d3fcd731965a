"""Attributes that are read and bound by a name that is given as text: `getattr`, `setattr` and their like."""

from __future__ import annotations

import ast

from tnp_migrate.analysis.array_stores import is_bound_by_class
from tnp_migrate.analysis.bound_methods import (
    bind_any_method,
    bind_common,
    bind_library_methods,
    bind_methods,
    give_any_function,
    methods_named,
)
from tnp_migrate.analysis.class_bindings import is_class_or_unknown
from tnp_migrate.analysis.common_methods import PROPERTIES
from tnp_migrate.analysis.delegation import ask_for
from tnp_migrate.analysis.evaluation import Transfer
from tnp_migrate.analysis.graphs import Deferred, Unseen
from tnp_migrate.analysis.heap import ANY_ATTRIBUTE, OBJECT, PAIR, Node, field, find, mark, unify
from tnp_migrate.analysis.library_calls import Given
from tnp_migrate.analysis.library_functions import LIBRARY
from tnp_migrate.analysis.members import hold_member
from tnp_migrate.analysis.places import TO_CLASSES, give_classes_by, run_setters, variable_named
from tnp_migrate.analysis.reflection import pattern_of
from tnp_migrate.analysis.stores import keep_beside
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.numpy_facts import traits
from tnp_migrate.program.decorators import is_property
from tnp_migrate.program.nodes import text_in


def give_attribute_named(given: Given) -> None:
    """`getattr(x, "name")`, under whatever name."""
    name = _name_given(given)
    if name is not None:
        unify(given.result, attribute_named(given.state, given.one, given.call.args[0], name))
        if name in traits.VIEW_ATTRIBUTES:
            given.state.graph.unseen.append(Unseen(given.one, given.result, given.nodes[:1]))
    else:
        give_any_function(given.nodes[0], given.result)
        called = given.state.module.names.scopes.parent.get(given.call)
        if isinstance(called, ast.Call) and called.func is given.call and len(given.nodes) > 1:  # as no array is
            bind_any_method(given.state, given.call.args[0], given.call.args[1], called, given.result)
        else:
            given.state.graph.picked.append((given.nodes[0], given.result))
            pattern = pattern_of(given.call.args[1]).pattern if len(given.nodes) > 1 else ".*"
            hold_member(
                given.nodes[0], given.result, LIBRARY if given.state.module.name == LIBRARY else given.call, pattern
            )
            _run_properties(given, pattern)
            if given.state.kind(given.call.args[0]) in ("array", "unknown"):
                unify(given.result, field(given.nodes[0], ".T"))  # a view, if it is an array
    for default in given.nodes[2:]:
        unify(given.result, default)
        given.state.graph.unseen.append(Unseen(given.one, given.result, [default]))


def _run_properties(given: Given, pattern: str) -> None:
    """Run what an object has as properties, which a computed name may be of, as far as they write to anything."""
    given.state.graph.deferred.append(Deferred(given.nodes[0], [], Node(), given.one, set(), f"{PROPERTIES}{pattern}"))


def give_members(given: Given) -> None:
    """`inspect.getmembers(x)`: the names of the attributes, with what they hold."""
    pair = field(given.result, "[]")
    mark(given.result, OBJECT)
    mark(pair, OBJECT | PAIR)
    unify(field(pair, "[1]"), field(given.nodes[0], ANY_ATTRIBUTE))
    give_any_function(given.nodes[0], field(pair, "[1]"))
    hold_member(given.nodes[0], field(pair, "[1]"), given.call, ".*")
    _run_properties(given, ".*")


def attribute_named(state: Transfer, one: Instruction, holder: ast.expr, name: str) -> Node:
    """What `getattr(x, "name")` gives: of a module its function, of an object what its property does."""
    qualified = state.module.names.of(holder, state.body.scope)
    function = state.slots.library_function(f"{qualified}.{name}") if qualified is not None else None
    if function is not None:
        return function
    known = variable_named(state, holder, name)
    if known is not None:
        return known
    node = state.node(holder)
    found = field(node, f".{name}")
    if name in TO_CLASSES:
        give_classes_by(state, name, node, state.value(holder), found)
    named = methods_named(state, holder, name)
    methods = [each for each in named if not is_property(each)]
    state.functions([each for each in named if is_property(each)], [], found, one, receiver=node)
    for special in ("__getattr__", "__getattribute__"):
        state.method_of_classes(special, node, [Node()], found, one)
    ask_for(state.graph, state.slots, one, node, name, found)
    if methods:
        bind_methods(state, methods, holder, node, found)
    else:
        bind_library_methods(state, state.kind(holder), node, name, found)
        bind_common(state, holder, node, name, found)
    return found


def set_attribute_named(given: Given) -> None:
    """`setattr(x, "name", value)`, under whatever name."""
    name, (holder, value) = _name_given(given), (given.nodes[0], given.nodes[-1])
    mark(holder, OBJECT)
    keep_beside(value)
    if is_class_or_unknown(given.state.module, given.call.args[0]):
        given.state.slots.bindings.append((holder, name, value))
    given.state.graph.stores.append((given.one, value))
    if name is not None:
        if name in traits.STORED_ATTRIBUTES and given.state.kind(given.call.args[0]) == "array":
            given.state.write(given.one, given.call.args[0])
            given.state.graph.hold(holder, given.one, given.one)
        elif name in traits.STORED_PARTS and not is_bound_by_class(given.state.slots.index, name):
            given.state.write(given.one, given.call.args[0])
        variable = variable_named(given.state, given.call.args[0], name)
        unify(field(holder, f".{name}") if variable is None else variable, value)
        run_setters(given.state, given.one, given.call.args[0], holder, name, value)
    elif not find(value).bodies:
        unify(field(holder, ANY_ATTRIBUTE), value)


def _name_given(given: Given) -> str | None:
    return text_in(given.call.args[1]) if len(given.nodes) > 1 else None
