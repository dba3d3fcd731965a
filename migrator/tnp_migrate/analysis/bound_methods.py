"""Methods that are read and not called: objects that are bound to what they are read from."""

from __future__ import annotations

import ast

from tnp_migrate.analysis.argument_binding import accepts, takes
from tnp_migrate.analysis.class_bindings import assigned_methods
from tnp_migrate.analysis.common_methods import BY_PATTERN, MOST_GUESSED, that_calls
from tnp_migrate.analysis.evaluation import Transfer
from tnp_migrate.analysis.graphs import Deferred
from tnp_migrate.analysis.heap import (
    FUNCTIONS,
    INSTANCE,
    MANY_KINDS,
    OBJECT,
    SHARED,
    Node,
    field,
    find,
    give_bodies,
    is_array_alone,
    is_array_or_unknown,
    mark,
    unify,
)
from tnp_migrate.analysis.library_functions import methods_like
from tnp_migrate.analysis.partials import arguments_of, is_partial
from tnp_migrate.analysis.reflection import pattern_of
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.values import HOLDING, NOTHING
from tnp_migrate.program.attributes import is_variable
from tnp_migrate.program.classes import makes_up
from tnp_migrate.program.decorators import is_property
from tnp_migrate.program.index import Function
from tnp_migrate.program.library_objects import given_to_library_object
from tnp_migrate.program.special_methods import OPERATORS

_OF_ARRAYS = frozenset().union(
    traits.ARRAY_METHODS, traits.MUTATING_METHODS, traits.VIEW_METHODS, traits.ARRAY_ATTRIBUTES, traits.VIEW_ATTRIBUTES
)
_SPECIAL = frozenset({*OPERATORS.values(), "__getitem__", "__len__", "__iter__", "__contains__"})  # which arrays have


def methods_named(state: Transfer, base: ast.AST, name: str) -> list[Function]:
    """The methods of the project that an attribute may be."""
    receiver = state.value(base)
    if receiver.kind == "super":
        return receiver.ref.methods_of(name, receiver.ref)  # type: ignore[no-any-return]
    if receiver.kind in ("instance", "class"):
        return state.slots.receivers.methods_of(receiver.ref, name, state.method_of_self(base))
    if (receiver.kind in HOLDING and receiver.sure) or state.is_plain_array(base):
        return []
    methods = state.slots.index.methods.get(name, [])
    if methods and given_to_library_object(state.module, base) is not None:
        return []
    if len(methods) > MOST_GUESSED:  # see `common_methods`
        return []
    methods = [one for one in methods if not is_told_by_class(state, one)]
    parent = state.module.names.scopes.parent
    attribute = parent.get(base)
    call = parent.get(attribute) if attribute is not None else None
    if isinstance(call, ast.Call) and call.func is attribute:
        return [one for one in methods if accepts(one, call)]
    return methods


def is_told_by_class(state: Transfer, method: Function) -> bool:
    """Whether something unknown has a method only if it turns out to be of its class: arrays have one of that name.

    `self.data.fill(x)` in a method `fill` would be a call of itself, and the array one of its objects. Nor is what a
    method asks for its own name one of its objects by that alone: `self.data.value`, if `self.data` has that.
    """
    name = method.node.name
    return name in _OF_ARRAYS or method is state.graph.function


def run_by_class(state: Transfer, one: Instruction, holder: Node, result: Node) -> None:
    """Run what the class of an object, should it turn out to have one, has under such a name as a property."""
    name, own = str(one.detail), state.graph.function
    if (name in _OF_ARRAYS and state.slots.has_property(name)) or (
        own is not None and own.node.name == name and is_property(own)
    ):
        state.method_of_classes(name, holder, [], result, one)


def is_of_any(state: Transfer, base: ast.expr) -> bool:
    """Whether nothing says of which class an object is."""
    return state.value(base).kind not in ("super", "instance", "class") and not is_array_alone(state.node(base))


def bind_methods(state: Transfer, methods: list[Function], base: ast.AST | None, holder: Node, result: Node) -> None:
    """Give methods of the project, bound to what they are read from, unless that is their class."""
    mark(result, OBJECT)
    bodies = state.slots.bodies
    give_bodies(result, [bodies[method.node] for method in methods if method.node in bodies])
    if state.value(base).kind != "class" or any(one.takes_class for one in methods):
        unify(field(result, "self"), holder)


def held_by_proxy(state: Transfer, base: ast.AST | None, holder: Node, name: str) -> list[Node]:
    """What an object holds whose class may make up an attribute of it."""
    receiver = state.value(base)
    owners = [receiver.ref] if receiver.kind == "instance" else [*find(holder).classes]
    is_proxy = receiver.kind != "super" and any(makes_up(owner, name) for owner in owners)
    return list(dict.fromkeys(map(find, find(holder).fields.values()))) if is_proxy else []


def methods_of_held(state: Transfer, held: list[Node], name: str) -> list[tuple[list[Function], Node]]:
    """The methods of what a proxy holds, and what holds them.

    A name that many classes have methods of says nothing of which is meant: then what the held object is says it.
    """
    methods = state.slots.index.methods.get(name, [])
    many = len(methods) > MOST_GUESSED
    own = {
        one: [each for owner in one.classes for each in owner.methods_of(name)] if many else methods
        for one in held
        if methods
    }
    return [(run, one) for one, run in own.items() if one.classes or one.flags & INSTANCE]


def bind_common(state: Transfer, base: ast.expr | None, holder: Node, name: str, result: Node) -> None:
    """Give the method of a name that many classes have, bound to what it is read from."""
    body = state.slots.bodies.get(that_calls(name))
    is_object = state.value(base).kind not in ("super", "class", "module")
    is_assigned = is_object and name in assigned_methods(state.slots.index)
    if body is not None and base is not None and (is_assigned or is_of_any(state, base)):
        give_bodies(result, [body])
        unify(field(result, "self"), holder)


def bind_uncalled(state: Transfer, one: Instruction, kind: str, holder: Node) -> None:
    """Bind a method of an array or a container that is read and not called: `total = x.sum`, `put = xs.append`.

    Nothing binds it anew when the array that it has is written to.
    """
    result = state.registers[one.result]
    bind_library_methods(state, kind, holder, str(one.detail), result)
    if "self" in find(result).fields and is_array_or_unknown(find(holder)):
        state.graph.kept[one, find(holder)] = None


def bind_library_methods(state: Transfer, kind: str, holder: Node, name: str, result: Node) -> None:
    """Give methods of arrays and containers, bound to what they are read from."""
    known = "array" if is_array_alone(holder) else kind
    likes = [] if is_variable(state.slots.index, name) else methods_like(name, known)
    give_bodies(result, [state.slots.bodies[like] for like in likes])
    if likes or ((name in traits.ARRAY_METHODS or name in _SPECIAL) and known in ("array", "unknown")):
        mark(result, OBJECT)
        unify(field(result, "self"), holder)


def bind_any_method(state: Transfer, base: ast.expr, name: ast.expr, call: ast.Call, result: Node) -> None:
    """Give what a computed name may be of, for a call of it: `getattr(self, f"step_{kind}")(x)`.

    Of an array it may be a method that writes to it.
    """
    receiver = state.value(base)
    if receiver.kind == "array":
        give_bodies(result, [state.slots.bodies["method_writes"]])
        unify(field(result, "self"), state.node(base))
    fits = pattern_of(name)
    given = [*call.args, *(word.value for word in call.keywords)]
    if receiver.kind not in ("instance", "class"):
        if receiver.kind == "unknown":  # what its class turns out to be says it
            instruction = state.body.instructions[state.body.registers[call]]
            asked = f"{BY_PATTERN}{fits.pattern}"
            arguments = state.arguments(instruction)
            state.graph.deferred.append(
                Deferred(state.node(base), arguments, state.node(call), instruction, set(), asked)
            )
        return
    if given and all(state.kind(one) in NOTHING for one in given):
        return  # what all methods of a class give is as good as nothing known
    names = {each for one in receiver.ref.lineage for each in one.methods if each.isidentifier()}
    meant = [one for each in sorted(names) if fits.fullmatch(each) for one in methods_named(state, base, each)]
    places = [place for place, _ in state.arguments(state.body.instructions[state.body.registers[call]])]
    plain = [one for one in meant if not is_property(one) and takes(one, places)]
    if plain:
        bind_methods(state, plain, base, state.node(base), result)


def give_any_function(holder: Node, result: Node) -> None:
    """Take what a computed name gives for any function that an object, or a module, holds.

    Very many are kept apart from it: what it is beside says something of arrays. Those of a module are in one node.
    """
    fields = [*find(holder).fields.values()]
    for partial in filter(is_partial, fields):
        for given in arguments_of(partial):
            unify(field(result, "()"), given)
    bodies = {body: None for held in fields for body in find(held).bodies}
    if len(bodies) <= MANY_KINDS:
        give_bodies(result, bodies)
    else:
        if find(holder).flags & SHARED:
            unify(field(result, FUNCTIONS), field(holder, f"{FUNCTIONS} held"))
        give_bodies(field(result, FUNCTIONS), bodies)
