"""Variables and attributes: what a name, a cell or an attribute gives, and what is bound to it."""

from __future__ import annotations

import ast
from typing import cast

from tnp_migrate.analysis.asked_writes import writes_anything
from tnp_migrate.analysis.bound_methods import (
    bind_common,
    bind_methods,
    bind_uncalled,
    give_any_function,
    held_by_proxy,
    is_of_any,
    methods_named,
    methods_of_held,
    run_by_class,
)
from tnp_migrate.analysis.class_attributes import give_of_classes, run_descriptor, run_properties, without_descriptors
from tnp_migrate.analysis.class_bindings import is_class_or_unknown
from tnp_migrate.analysis.common_methods import that_reads
from tnp_migrate.analysis.delegation import ask_for
from tnp_migrate.analysis.evaluation import Transfer, is_surely_array
from tnp_migrate.analysis.heap import (
    ARRAY,
    DELETER,
    FOREIGN,
    OBJECT,
    PASSED,
    SETTER,
    Node,
    field,
    find,
    give_bodies,
    is_array_alone,
    label_of,
    mark,
    namespace_of,
    unify,
)
from tnp_migrate.analysis.library_functions import CONTAINERS, is_called
from tnp_migrate.analysis.members import give_of_function
from tnp_migrate.analysis.partials import is_partial
from tnp_migrate.analysis.records_made import bind_field
from tnp_migrate.analysis.reflection import getter_of, module_meant
from tnp_migrate.ir.captures import Cell
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.libraries import has_no_arrays
from tnp_migrate.numpy_facts.values import NOTHING, UNKNOWN, Value
from tnp_migrate.program.attributes import is_variable
from tnp_migrate.program.classes import binds
from tnp_migrate.program.decorators import is_cached_property, is_property
from tnp_migrate.program.index import Function
from tnp_migrate.program.names import is_array_library, is_within
from tnp_migrate.program.namespaces import names_asked_of, object_of

# What leads from an object to its class, and from a class to its kin: the fields by which the class is reached.
TO_CLASSES = {
    "__class__": (),
    "__thisclass__": (),  # of `super()`
    "__self_class__": (),
    "__base__": (),
    "__bases__": ("[]",),
    "__mro__": ("[]",),
    "mro": ("()", "[]"),
    "__subclasses__": ("()", "[]"),
}
_ACCESSING = frozenset({"setter", "deleter"})


def same(state: Transfer, one: Instruction) -> None:
    """A copy, a join or an awaited value is the same object."""
    value = state.value(one.node)
    if value.kind in NOTHING and not _is_added(state, one):
        return
    for operand in one.operands:
        unify(state.registers[one.result], state.registers[operand])


def _is_added(state: Transfer, one: Instruction) -> bool:
    """Whether a variable gets what an operator has made of its number: that is known for what it was before."""
    made = state.body.instructions[one.operands[0]]
    return isinstance(made.node, ast.AugAssign) and state.kind(made.node.value) not in NOTHING


def awaited(state: Transfer, one: Instruction) -> None:
    """What is awaited gives what it has run to, here the coroutine itself."""
    same(state, one)
    state.method_of_classes("__await__", state.registers[one.operands[0]], [], Node(), one)


def parameter(state: Transfer, one: Instruction) -> None:
    """A parameter is what callers pass, or its default."""
    name = str(one.detail)
    unify(state.registers[one.result], state.graph.parameters[name])
    mark(state.registers[one.result], PASSED)
    node = state.body.node
    assert not isinstance(node, ast.Module)
    if node.args.vararg is not None and node.args.vararg.arg == name:
        mark(state.registers[one.result], OBJECT)
    if node.args.kwarg is not None and node.args.kwarg.arg == name:
        mark(state.registers[one.result], OBJECT)
    function = state.graph.function
    if function is None:
        return
    if function.owner is not None and function.takes_self and function.parameters[:1] == [name]:
        mark(state.registers[one.result], OBJECT)
    elif is_surely_array(function.arguments.get(name) or UNKNOWN):
        mark(state.registers[one.result], ARRAY)


def global_(state: Transfer, one: Instruction) -> None:
    """Read a global variable; a builtin is nobody's memory."""
    names = state.module.names
    known = str(one.detail) in names.scopes.module.bound or str(one.detail) in names.star_names
    given = None if is_called(state.module, one.node) else _library_function(state, one)
    if given is not None:
        unify(state.registers[one.result], given)
        return
    if _give_library_member(state, one):
        return
    function = state.slots.function_named(state.module, str(one.detail)) if known else None
    if function is not None:  # each place that names it has it for itself: a default is none of what others pass
        give_bodies(state.registers[one.result], [function])
        mark(state.registers[one.result], OBJECT)
    elif known and state.value(one.node).kind not in NOTHING:  # a builtin is nobody's memory
        unify(state.registers[one.result], state.slots.variable(state.module, str(one.detail)))
    elif not known:
        mark(state.registers[one.result], FOREIGN)


def _give_library_member(state: Transfer, one: Instruction) -> bool:
    """Give a member of a module whose members are no arrays, and stay what they are; say whether it is one.

    Each place that names it has it for itself: what one object holds would be the other's else. The modules themselves
    are one wherever they are named: a program may bind a member of one, `np.sum = f`.
    """
    node = one.node
    qualified = state.module.names.of(node, state.body.scope) if node is not None else None
    if node is None or qualified is None or "." not in qualified or is_within(state.slots.index.modules, qualified):
        return False
    if not has_no_arrays(qualified) or isinstance(state.module.names.scopes.parent.get(node), ast.Attribute):
        return False
    if is_variable(state.slots.index, qualified.rpartition(".")[2]):
        return False
    mark(state.registers[one.result], OBJECT | FOREIGN)
    return True


def _library_function(state: Transfer, one: Instruction) -> Node | None:
    """The function that a name is that an import binds, or nothing does."""
    if not isinstance(one.node, ast.Name):
        return None
    qualified = state.module.names.of(one.node, state.body.scope)
    if qualified is None and one.node.id not in state.module.names.scopes.module.bound:
        qualified = f"builtins.{one.node.id}"
    return state.slots.library_function(qualified) if qualified is not None else None


def set_global(state: Transfer, one: Instruction) -> None:
    """Bind a global variable."""
    state.store(one, state.slots.variable(state.module, str(one.detail)), state.registers[one.operands[0]])


def cell(state: Transfer, one: Instruction) -> None:
    """Read a closure cell."""
    if state.value(one.node).kind not in NOTHING:
        unify(state.registers[one.result], state.slots.cell(*cast("Cell", one.detail)))


def set_cell(state: Transfer, one: Instruction) -> None:
    """Bind a closure cell."""
    state.store(one, state.slots.cell(*cast("Cell", one.detail)), state.registers[one.operands[0]])


def attribute(state: Transfer, one: Instruction) -> None:
    """Read an attribute: a view, a property's result, a bound method or a field."""
    holder, name, result = state.registers[one.operands[0]], str(one.detail), state.registers[one.result]
    value = state.value(one.node)
    base = getattr(one.node, "value", None)
    kind = state.kind(base) if base is not None else "unknown"
    qualified = state.module.names.of(one.node, state.body.scope) if isinstance(one.node, ast.Attribute) else None
    if isinstance(base, ast.Name) and base.id in CONTAINERS and state.body.scope.owner(base.id) is None:
        qualified = f"builtins.{base.id}.{name}"
    known = _named(state, one, qualified) if qualified else None
    getter = getter_of(state.slots.index, qualified) if qualified else None
    if getter is not None:
        state.functions([getter], [(0, Node())], result, one, receiver=None)
    known = known or variable_named(state, base, name)
    if known is not None and value.kind not in NOTHING:
        unify(result, known)
        return
    if value.kind in NOTHING and kind not in NOTHING and known is None and _is_written_by_getter(state, one):
        _run_getters(state, one, Node())
    if value.kind in NOTHING or kind in NOTHING or _give_library_member(state, one):
        return
    if base is not None and state.value(base).is_array and name in traits.VIEW_ATTRIBUTES:
        unify(result, holder)
        state.graph.made += [one.result] if name in traits.COPIED_ATTRIBUTES else []
        return
    if name == "__dict__":
        give_attributes(state, one, holder)
        return
    if name in TO_CLASSES:
        give_classes_by(state, name, holder, state.value(base), state.registers[one.result])
    in_class = isinstance(one.node, ast.Name)  # whose statements get its properties as they are
    if in_class or (base is not None and state.module.names.is_of_library(base)):
        unify(result, field(holder, f".{name}"))
        return
    methods, getters = _run_getters(state, one, result)
    plain = [method for method in methods if method not in getters and not _accesses(method)]
    plain = without_descriptors(state, one, plain, holder)
    if plain:
        bind_methods(state, plain, base, holder, result)
        if not is_variable(state.slots.index, name):
            return
    elif not is_called(state.module, one.node):
        bind_uncalled(state, one, kind, holder)
        bind_common(state, base, holder, name, result)
    give_of_function(name, holder, result, is_called=is_called(state.module, one.node))
    _held(state, one, holder, name, base)


def _run_getters(state: Transfer, one: Instruction, result: Node) -> tuple[list[Function], list[Function]]:
    """Run the properties that an attribute may be; give the methods of its name, and those of them that are run."""
    holder, name = state.registers[one.operands[0]], str(one.detail)
    base = getattr(one.node, "value", None)
    methods = methods_named(state, base, name) if base is not None and not is_array_alone(holder) else []
    getters = [method for method in methods if is_property(method) or is_cached_property(method)]
    run_by_class(state, one, holder, result)
    if base is None and state.slots.has_property(name):  # a pattern
        state.method_of_classes(name, holder, [], result, one)
    common = state.slots.bodies.get(that_reads(name))
    if common is not None and base is not None and not methods and is_of_any(state, base):
        state.call(common, [(0, holder)], result, one)
    if isinstance(getattr(one.node, "ctx", None), ast.Store) and not _has_setter(state, name):
        # `x.y += 1` raises for a plain property, which is for `x` to say whose class is known
        refusing = {*filter(is_property, getters)} if base is not None and state.kind(base) != "instance" else set()
        methods, getters = ([each for each in some if each not in refusing] for some in (methods, getters))
    if getters:
        state.functions(getters, [], result, one, receiver=holder)
        if any(len(getter.node.decorator_list) > 1 for getter in getters):
            state.method_of_classes(name, holder, [], result, one)
    return methods, getters


def _is_written_by_getter(state: Transfer, one: Instruction) -> bool:
    """Whether a property of the name of an attribute writes to arrays."""
    named = state.slots.index.methods.get(str(one.detail), ())
    getters = (one.node for one in named if is_property(one) or is_cached_property(one))
    bodies = [state.slots.bodies[one] for one in getters if one in state.slots.bodies]
    waiting = [body for body in bodies if state.waits_for(body)]
    return not waiting and any(writes_anything(state.graphs[body], state.slots.writing) for body in bodies)


def give_attributes(state: Transfer, one: Instruction, holder: Node) -> None:
    """Give what `vars(x)` and `x.__dict__` do: a dict of what the object holds."""
    result = state.registers[one.result]
    mark(holder, OBJECT)  # no array has either
    unify(result, namespace_of(holder))
    names = names_asked_of(state.module, one.node)
    for name in names or ():
        known = variable_named(state, object_of(one.node), name)
        if known is not None:
            unify(field(result, label_of(name)), known)
    if names is None:
        give_any_function(holder, field(result, "[]"))
    above = state.module.names.scopes.parent.get(one.node) if one.node is not None else None
    if not isinstance(getattr(above, "ctx", None), ast.Store):  # `x.__dict__[name] = value`
        labels = [label_of(name) for name in names] if names is not None else ["[]"]
        state.graph.handed.setdefault(one.result, []).extend(field(result, label) for label in labels)


def give_classes_by(state: Transfer, name: str, holder: Node, receiver: Value, result: Node) -> None:
    """Lead from an object or a class to the classes of its kin: by a tuple or list, or a method that gives one."""
    known = [receiver.ref] if receiver.kind in ("instance", "class", "super") else []
    for step in TO_CLASSES[name]:
        result = field(result, step)
    for owner in dict.fromkeys([*known, *find(holder).classes]):
        for related in owner.derived if name == "__class__" else owner.kin:
            unify(result, state.slots.class_of(related))


def _held(state: Transfer, one: Instruction, holder: Node, name: str, base: ast.AST | None) -> None:
    """What an object holds, what its class does for all its instances, or what a descriptor gives."""
    result, receiver = state.registers[one.result], state.value(base)
    unify(result, field(holder, f".{name}"))
    if name in ("value", "_value_") and is_partial(holder):  # of a member of an enumeration, which is no method
        unify(result, holder)
    _run_special(state, one, holder, receiver, name)
    is_method = name in state.slots.index.methods and not is_called(state.module, one.node)
    behind = held_by_proxy(state, base, holder, name) if is_method else []
    for methods, held in methods_of_held(state, behind, name):
        bind_methods(state, methods, base, held, result)
    give_of_classes(state, one, holder, receiver)


def _run_special(state: Transfer, one: Instruction, holder: Node, receiver: Value, name: str) -> None:
    """Run what the class of an object does where an attribute is read; a module of NumPy's has nothing of the kind."""
    if isinstance(one.node, ast.Attribute) and is_array_library(state.module.names.of(one.node, state.body.scope)):
        return
    is_found = receiver.kind == "instance" and binds(receiver.ref, name)
    for special in ("__getattribute__",) if is_found else ("__getattr__", "__getattribute__"):
        state.method_of_classes(special, holder, [Node()], state.registers[one.result], one)
    ask_for(state.graph, state.slots, one, holder, name, state.registers[one.result])


def _named(state: Transfer, one: Instruction, qualified: str) -> Node | None:
    """What a qualified name leads to: something of the project, or a function of a library that is no callee here."""
    known = state.slots.qualified(qualified)
    return known or (None if is_called(state.module, one.node) else state.slots.library_function(qualified))


def _has_setter(state: Transfer, name: str) -> bool:
    return any(map(_accesses, state.slots.index.methods.get(name, ())))


def named_in(state: Transfer, base: ast.AST, name: str) -> Node | None:
    """What a name is in the variables of a module: `globals()["f"]`, `sys.modules["pkg.model"].f`."""
    meant = module_meant(state.slots.index, state.module, state.body.scope, base)
    return state.slots.looked_up(meant, name) if meant is not None else None


def variable_named(state: Transfer, base: ast.AST | None, name: str) -> Node | None:
    """What an attribute is of a module of the project: the variable, however the module is got."""
    if base is None:
        return None
    qualified = state.module.names.of(base, state.body.scope) if isinstance(base, ast.Name | ast.Attribute) else None
    found = state.slots.qualified(f"{qualified}.{name}") if qualified is not None else None
    return found or named_in(state, base, name)


def set_attribute(state: Transfer, one: Instruction) -> None:
    """Bind an attribute, run its setter, or write to an array by it."""
    holder, name, value = state.registers[one.operands[0]], str(one.detail), state.registers[one.operands[1]]
    target = getattr(one.node, "value", None)
    kind = state.kind(target) if name in traits.STORED_ATTRIBUTES and target is not None else ""
    if kind == "array":
        state.write_register(one, one.operands[0])
        return
    if kind == "unknown":
        state.graph.stored_attributes.append(one)
    variable = variable_named(state, target, name)
    if name == "__dict__":
        mark(holder, OBJECT)
        unify(namespace_of(holder), value)  # which another object may have as well
    of_class = one.node is not None and not isinstance(one.node, ast.Attribute)  # its own statements bind it
    if not of_class and target is not None and is_class_or_unknown(state.module, target):
        state.slots.bindings.append((holder, name, value))
    if of_class or not run_setters(state, one, target, holder, name, value):
        state.store(one, field(holder, f".{name}") if variable is None else variable, value)


def run_setters(state: Transfer, one: Instruction, base: ast.AST | None, holder: Node, name: str, value: Node) -> bool:
    """Run what a class of the project does when an attribute of its instances is bound; say if it surely does."""
    mark(holder, OBJECT)
    setters = _accessors(state, base, name, "setter")
    if setters:
        state.functions(setters, [(0, value)], Node(), one, receiver=holder)
    for owner in state.slots.classes_binding(name) if "__set__" in state.slots.index.methods else ():
        run_descriptor(state, one, owner, name, "__set__", [holder, value], Node())
    run_properties(state, one, name, SETTER, [holder, value])
    bind_field(state, one, name, holder, value)
    state.method_of_classes("__setattr__", holder, [Node(), value], Node(), one)
    return bool(setters) and base is not None and state.kind(base) == "instance"


def delete_attribute(state: Transfer, one: Instruction) -> None:
    """Run what a class of the project does when an attribute of its instances is deleted."""
    holder, name = state.registers[one.operands[0]], str(one.detail)
    base = getattr(one.node, "value", None)
    deleters = _accessors(state, base, name, "deleter")
    if deleters:
        state.functions(deleters, [], Node(), one, receiver=holder)
    for owner in state.slots.classes_binding(name) if "__delete__" in state.slots.index.methods else ():
        run_descriptor(state, one, owner, name, "__delete__", [holder], Node())
    run_properties(state, one, name, DELETER, [holder])
    state.method_of_classes("__delattr__", holder, [Node()], Node(), one)


def _accessors(state: Transfer, base: ast.AST | None, name: str, kind: str) -> list[Function]:
    """What binding or deleting an attribute may run."""
    if base is None or state.kind(base) not in ("instance", "class", "super"):
        methods = state.slots.index.methods.get(name, [])
    else:
        methods = methods_named(state, base, f"{name}.{kind}")
    return [one for one in methods if _accesses(one, kind)]


def _accesses(method: Function, *kinds: str) -> bool:
    """Whether a method is what binding or deleting a property runs."""
    decorators = method.node.decorator_list
    return any(isinstance(one, ast.Attribute) and one.attr in (kinds or _ACCESSING) for one in decorators)
