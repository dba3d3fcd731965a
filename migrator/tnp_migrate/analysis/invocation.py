"""Calls and instances: which bodies run, on what, and what an instance is made with."""

from __future__ import annotations

import ast
import builtins

from tnp_migrate.analysis.bound_methods import held_by_proxy, is_told_by_class, methods_of_held
from tnp_migrate.analysis.calls import Argument
from tnp_migrate.analysis.class_bindings import assigned_methods
from tnp_migrate.analysis.common_methods import MOST_GUESSED, that_calls
from tnp_migrate.analysis.effects import is_guess
from tnp_migrate.analysis.evaluation import Transfer, is_surely_array, with_receiver
from tnp_migrate.analysis.graphs import Deferred, Unseen
from tnp_migrate.analysis.heap import (
    ARRAY,
    FOREIGN,
    MADE,
    OBJECT,
    PASSED,
    SHARED,
    STORED,
    Node,
    field,
    find,
    give_bodies,
    give_classes,
    is_array_alone,
    is_slot,
    label_of,
    mark,
    reachable,
    unify,
)
from tnp_migrate.analysis.lending import calls_through, lend_arguments
from tnp_migrate.analysis.library import call_library
from tnp_migrate.analysis.open_attributes import may_be_replaced
from tnp_migrate.analysis.passing_on import hands_on
from tnp_migrate.analysis.records_made import make_record
from tnp_migrate.analysis.reflection import module_meant
from tnp_migrate.ir.instructions import Body, Instruction
from tnp_migrate.numpy_facts.values import NOTHING
from tnp_migrate.program.attributes import is_variable
from tnp_migrate.program.classes import has_computed_base, is_enumeration, is_of_library
from tnp_migrate.program.decorators import is_property, runs_alone
from tnp_migrate.program.fields import start_of
from tnp_migrate.program.index import Class, Function
from tnp_migrate.program.library_objects import given_to_library_object
from tnp_migrate.program.names import is_numpy, is_within

_CALL = "__call__"


def call(state: Transfer, one: Instruction) -> None:
    """A call runs bodies of the project, or does what a library does."""
    call = one.node
    assert isinstance(call, ast.Call)
    value = state.value(call.func)
    result = state.registers[one.result]
    if value.kind == "class":
        construct(state, one, value.ref, state.arguments(one))
        return
    made = state.value(call)
    if made.kind == "class" and isinstance(call.func, ast.Name) and call.func.id == "type":
        for each in made.ref.derived:
            unify(result, state.slots.class_of(each))
        return
    found = _reached(state, call, state.slots.callees(state.module, call))
    named = [one for one in found if not is_property(one)]  # which give what is called
    apart = [one for one in named if _is_told_by_class(state, call, one)]
    found = [each for each in named if each not in apart and not _is_assigned(state, one, call.func, each)]
    result_value = state.value(call)
    given = state.arguments(one)
    kept = Node() if result_value.kind in NOTHING else result
    if isinstance(call.func, ast.Attribute) and (len(found) > MOST_GUESSED or _is_array(state, call.func.value)):
        _call_common(state, one, call, given, kept)
        found = []
    if found:
        kind = state.value(call.func.value).kind if isinstance(call.func, ast.Attribute) else ""
        state.functions(found, given, kept, one, receiver=_receiver(state, call), kind=kind)
    if isinstance(call.func, ast.Attribute):
        _call_apart(state, one, apart, given, kept)
    qualified = state.module.names.of(call.func, state.body.scope)
    guess = isinstance(call.func, ast.Attribute) and state.kind(call.func.value) == "unknown"
    if not found or guess:
        state.graph.made.append(one.result)
        _import(state, call, result)
        if not _is_own_call(call):
            _call_outside(state, one, call, qualified)
    _call_unnamed(state, one, call, qualified, given, kept, is_bound=bool(found))
    called = qualified is not None and not is_within(state.slots.index.modules, qualified)
    decorated = not all(map(runs_alone, found))
    if not found or decorated or _may_be_another(state, call.func):  # what a decorator gives may do something else
        _call_later(state, one, call, given, kept)
        if isinstance(call.func, ast.Attribute) and not called:  # what its class has in the place of a method
            inside = given_to_library_object(state.module, call.func.value) or []  # whose methods it may call
            bases = map(state.node, (call.func.value, *inside))
            state.graph.deferred += [Deferred(base, given, kept, one, set(), call.func.attr) for base in bases]
    if is_surely_array(result_value) and not found:
        mark(result, ARRAY)
    name = qualified or (call.func.id if isinstance(call.func, ast.Name) else "")
    flags = find(state.registers[one.operands[0]]).flags
    elsewhere = called or flags & FOREIGN or flags & (PASSED | SHARED) == PASSED
    if not found and elsewhere and not is_numpy(name) and not hands_on(name):
        mark(result, FOREIGN)


def _call_apart(
    state: Transfer, one: Instruction, methods: list[Function], given: list[Argument], result: Node
) -> None:
    """Call methods that something has only if it is of their class, where nothing followed says what it is.

    It is not taken for one of their objects, but what these write to by their attributes is what it has under them.
    """
    receiver = state.registers[state.body.receiver(one)]
    if not methods or find(receiver).classes or find(receiver).flags & (ARRAY | PASSED):
        return
    apart = Node()
    state.functions([each for each in methods if each.takes_self], given, result, one, receiver=apart)
    for label, held in [*find(apart).fields.items()]:
        if is_slot(label):
            unify(field(receiver, label), held)


def _is_told_by_class(state: Transfer, call: ast.Call, function: Function) -> bool:
    """Whether what is called runs a function only if it turns out to be of its class, or bound to an object of it."""
    if not isinstance(call.func, ast.Attribute):  # a method by another name
        return function.takes_self
    return is_guess(state.module, call) and is_told_by_class(state, function)


def _is_assigned(state: Transfer, one: Instruction, func: ast.expr, function: Function) -> bool:
    """Whether what is called may be a function in the place of a method: `Model.step = f`, which gets the object."""
    is_method = isinstance(func, ast.Attribute) and func.attr in assigned_methods(state.slots.index)
    is_bound = isinstance(func, ast.Name) and "self" in find(state.registers[one.operands[0]]).fields
    return not function.takes_self and (is_method or is_bound)


def _call_outside(state: Transfer, one: Instruction, call: ast.Call, qualified: str | None) -> None:
    """Call something that is not of the project, which may call what it is given."""
    if not calls_through(state, one, call, qualified):
        call_library(state, one, call, qualified)
    receiver = state.node(call.func.value) if isinstance(call.func, ast.Attribute) and not qualified else None
    lend_arguments(state, one, call, receiver)


def _call_common(state: Transfer, one: Instruction, call: ast.Call, given: list[Argument], result: Node) -> None:
    """Call the methods of a name that many classes have; an array has methods of its own."""
    assert isinstance(call.func, ast.Attribute)
    body, receiver = state.slots.bodies.get(that_calls(call.func.attr)), _receiver(state, call)
    if body is not None and not _is_array(state, call.func.value):
        state.call(body, given if receiver is None else with_receiver(receiver, given), result, one)


def _of_unbound(state: Transfer, func: ast.expr, qualified: str | None) -> list[Body]:
    """The functions that a name may be which no text binds, but `exec`, `globals().update` or `setattr` of a module."""
    if isinstance(func, ast.Name):
        name, bound = func.id, state.body.scope.owner(func.id) is not None or hasattr(builtins, func.id)
    else:
        home, _, name = (qualified or "").rpartition(".")
        module = state.slots.index.modules.get(home)
        bound = module is None or name in module.names.scopes.module.bound
    return [] if bound else state.slots.named.get(name, [])


def _call_unnamed(
    state: Transfer,
    one: Instruction,
    call: ast.Call,
    qualified: str | None,
    given: list[Argument],
    result: Node,
    *,
    is_bound: bool,
) -> None:
    """Call the methods of what an object stands for: `Proxy(x).step()`; and what a name may be that no text binds."""
    if isinstance(call.func, ast.Attribute):
        name = call.func.attr
        behind = held_by_proxy(state, call.func.value, state.node(call.func.value), name)
        state.graph.deferred += [Deferred(held, given, result, one, set(), name) for held in behind]
        for methods, held in methods_of_held(state, behind, name):
            common = state.slots.bodies.get(that_calls(name)) if len(methods) > MOST_GUESSED else None
            if common is None:
                state.functions(methods, given, result, one, receiver=held)
            else:
                state.call(common, with_receiver(held, given), result, one)
        owner = state.value(call.func.value)
        if owner.kind == "instance" and owner.ref.method(call.func.attr) is None and has_computed_base(owner.ref):
            methods = state.slots.index.methods.get(call.func.attr, [])
            state.functions(methods, given, result, one, receiver=state.node(call.func.value))
    made = Node(OBJECT)
    give_bodies(made, () if is_bound else _of_unbound(state, call.func, qualified))
    if made.bodies:
        state.graph.deferred.append(Deferred(made, given, result, one, is_written=True))


def _import(state: Transfer, call: ast.Call, result: Node) -> None:
    """`importlib.import_module("pkg.model")` and `__import__` give a module."""
    module = module_meant(state.slots.index, state.module, state.body.scope, call)
    if module is not None:
        unify(result, state.slots.module_object(module))


def _is_own_call(call: ast.Call) -> bool:
    """`f.__call__(x)`."""
    return isinstance(call.func, ast.Attribute) and call.func.attr == _CALL


def _call_later(state: Transfer, one: Instruction, call: ast.Call, given: list[Argument], result: Node) -> None:
    """Call what turns out to be a function."""
    function = _called(state, call) if _is_own_call(call) else state.registers[one.operands[0]]
    if "()" in find(function).fields:  # what a cached function gives
        held = field(function, "()")
        unify(result, held)
        state.graph.unseen.append(Unseen(one, result, [held]))
    state.graph.deferred.append(Deferred(function, given, result, one, is_written=True))


def _may_be_another(state: Transfer, func: ast.expr) -> bool:
    """Whether what is called may be no method or function of its name, but what is bound in its place."""
    index = state.slots.index
    if isinstance(func, ast.Name):
        return may_be_replaced(index, state.module, func.id)
    return isinstance(func, ast.Attribute) and (func.attr == _CALL or is_variable(index, func.attr))


def _called(state: Transfer, call: ast.Call) -> Node:
    """The `f` of `f.__call__(x)`."""
    assert isinstance(call.func, ast.Attribute)
    qualified = state.module.names.of(call.func.value, state.body.scope)
    return (state.slots.library_function(qualified) if qualified else None) or state.node(call.func.value)


def _reached(state: Transfer, call: ast.Call, found: list[Function]) -> list[Function]:
    """Of what a call may run, the methods that `self` can have where it stands."""
    func = call.func
    method = state.method_of_self(func.value) if isinstance(func, ast.Attribute) else None
    if method is None or method.owner is None or not isinstance(func, ast.Attribute):
        return found
    had = state.slots.receivers.methods_of(method.owner, func.attr, method)
    return [one for one in found if one in had or one not in method.owner.methods_of(func.attr)]


def _is_array(state: Transfer, place: ast.expr) -> bool:
    """Whether an expression gives an array, and surely no instance."""
    known = state.value(place).kind
    return known == "array" or (known == "unknown" and is_array_alone(state.node(place)))


def _receiver(state: Transfer, call: ast.Call) -> Node | None:
    """What a method is called on; None for functions, and for methods that are called through their class."""
    if not isinstance(call.func, ast.Attribute):
        return None
    kind = state.value(call.func.value).kind
    if kind == "super":
        method = state.graph.function or state.module.function_around(call)
        name = method.parameters[0] if method is not None and method.parameters else ""
        return state.graph.parameters.get(name, Node(OBJECT))
    return state.node(call.func.value) if kind != "module" else None


def construct(state: Transfer, one: Instruction, owner: Class, given: list[Argument]) -> None:
    """Make an instance: its constructor runs, or its fields take what is passed."""
    result = state.registers[one.result]
    mark(result, OBJECT | MADE | (FOREIGN if is_of_library(owner) else 0))
    give_classes(result, [owner])
    state.functions([each for each in [owner.method("__del__")] if each is not None], [], Node(), one, receiver=result)
    if is_enumeration(owner):
        unify(result, field(state.slots.class_of(owner), "[]"))
    if owner.maker is not None:
        state.functions([owner.maker], given, result, one, receiver=state.slots.class_of(owner))
    maker = owner.method("__new__")
    if maker is not None:  # which may give an instance that it has made before
        state.functions([maker], given, result, one, receiver=state.slots.class_of(owner))
    start = start_of(owner)
    if start is not None:
        state.functions([start], given, Node(), one, receiver=result)
        _note_hidden(state, one, given, own=start.owner is owner)
    else:
        make_record(state, one, owner, result, given)


def record(state: Transfer, one: Instruction) -> None:
    """Make a record, which holds each field by its name and by its place."""
    result = state.registers[one.result]
    mark(result, OBJECT | MADE)
    for place, (name, node) in enumerate(state.graph.parameters.items()):
        mark(node, STORED)
        state.graph.stores.append((one, node))
        unify(field(result, f".{name}"), node)
        unify(field(result, label_of(place)), node)


def _note_hidden(state: Transfer, one: Instruction, given: list[Argument], *, own: bool) -> None:
    """Note arguments that an instance holds by another object, or by the constructor of a class that its own inherits.

    What its own constructor binds to its attributes the text shows.
    """
    made = find(state.registers[one.result])
    near = {made, *(find(held) for held in made.fields.values())} if own else {made}
    inside = reachable([made])
    deep = [
        node for _, node in given if find(node) in inside and find(node) not in near and not find(node).flags & OBJECT
    ]
    if deep:
        state.graph.hidden.append((one, deep))
