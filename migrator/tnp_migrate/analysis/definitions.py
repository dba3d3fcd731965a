"""Functions, classes, imports and results: what a body makes and gives."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import cast

from tnp_migrate.analysis.calls import Argument
from tnp_migrate.analysis.evaluation import Transfer
from tnp_migrate.analysis.graphs import Deferred
from tnp_migrate.analysis.heap import (
    FOREIGN,
    MAKER,
    OBJECT,
    OPAQUE,
    SENT,
    VALIDATOR,
    Node,
    field,
    label_of,
    mark,
    unify,
)
from tnp_migrate.analysis.invocation import construct
from tnp_migrate.analysis.parametrized import parametrized
from tnp_migrate.analysis.reflection import modules_as_values
from tnp_migrate.ir.instructions import Body, Instruction
from tnp_migrate.numpy_facts.values import NOTHING
from tnp_migrate.program.classes import is_enumeration
from tnp_migrate.program.fields import field_named, makes_attrs
from tnp_migrate.program.nodes import text_in

_OF_FIELD = {"default": MAKER, "validator": VALIDATOR}
# Decorators whose result runs the function anew each time, and gives what that gives.
_TRANSPARENT = frozenset(
    "property staticmethod classmethod abstractmethod abstractproperty setter getter deleter wraps contextmanager "
    "asynccontextmanager overload override final dataclass total_ordering jit njit vectorize guvectorize fixture "
    "parametrize mark deprecated island function singledispatch register cached".split()
) - {"cached"}


def function(state: Transfer, one: Instruction) -> None:
    """A function is an object that holds its defaults."""
    body, names = cast("tuple[Body, tuple[str, ...]]", one.detail)
    unify(state.registers[one.result], state.slots.function(body))
    for name, operand in zip(names, one.operands, strict=True):
        default = state.slots.has_default(body, name)
        if default is not None:
            state.store(one, default, state.registers[operand])


def class_(state: Transfer, one: Instruction) -> None:
    """A class is an object of which there is one."""
    owner = state.module.classes.get(one.node) if one.node is not None else None
    if owner is None:
        return
    unify(state.registers[one.result], state.slots.class_of(owner))
    words = [word.arg for word in owner.node.keywords]
    nodes = [state.registers[register] for register in one.operands[len(one.operands) - len(words) :]]
    given: list[Argument] = [
        ("**" if word is None else word, node) for word, node in zip(words, nodes, strict=True) if word != "metaclass"
    ]
    for name in [one for one in owner.scope.bound if is_enumeration(owner) and one not in owner.methods]:
        member = field(state.registers[one.result], f".{name}")
        unify(field(member, ".value"), member)
        unify(field(state.registers[one.result], "[]"), member)
    hooks = [base.methods["__init_subclass__"] for base in owner.lineage[1:] if "__init_subclass__" in base.methods]
    made = state.slots.class_of(owner)
    state.functions(hooks[:1], given, Node(), one, receiver=made)
    metaclass = next((each.metaclass for each in owner.lineage if each.metaclass is not None), None)
    makers = [metaclass.method(name) for name in ("__new__", "__init__")] if metaclass is not None else []
    namespace = Node(OBJECT)
    for name in owner.scope.bound if any(makers) else ():
        unify(field(namespace, "[]"), field(made, f".{name}"))
    making: list[Argument] = [(0, Node()), (1, Node()), (2, namespace)]
    state.functions([maker for maker in makers if maker is not None], making, Node(), one, receiver=made)


def import_(state: Transfer, one: Instruction) -> None:
    """An import gives what it leads to."""
    node = one.node
    if isinstance(node, ast.alias):
        qualified = state.module.names.binding(node)
        module = state.slots.index.modules.get(qualified or "")
        known = state.slots.qualified(qualified) if qualified else None
        if module is not None and module in modules_as_values(state.slots.index):
            known = state.slots.module_object(module)
        if known is not None:
            unify(state.registers[one.result], known)
            return
    mark(state.registers[one.result], FOREIGN)


def enter(state: Transfer, one: Instruction) -> None:
    """A context manager gives what its `__enter__` does, or what a generator yields."""
    state.enter(state.registers[one.operands[0]], state.registers[one.result], one)


def exit_(state: Transfer, one: Instruction) -> None:
    """The end of a `with` runs `__exit__`."""
    for special in ("__exit__", "__aexit__"):
        state.method_of_classes(special, state.registers[one.operands[0]], [], Node(), one)


def decorated(state: Transfer, one: Instruction) -> None:
    """A decorator is called with the function; what it gives takes the function's name."""
    decorator, function = one.operands
    node = state.body.instructions[decorator].node
    head = node.func if isinstance(node, ast.Call) else node
    name = head.attr if isinstance(head, ast.Attribute) else getattr(head, "id", "")
    result = state.registers[one.result]
    if name == "register" and isinstance(head, ast.Attribute):  # `@area.register(Circle)`: a call of `area` may run it
        unify(state.node(head.value), state.registers[function])
    if isinstance(node, ast.Attribute) and name in _OF_FIELD and _is_field(state, node.value):
        unify(field(state.node(node.value), _OF_FIELD[name]), state.registers[function])
        unify(result, state.registers[function])
        return
    if isinstance(node, ast.expr) and makes_attrs(state.module.names, node):
        _declare_these(state, node, state.registers[function])
        unify(result, state.registers[function])
        return
    if name in _TRANSPARENT and state.value(head).kind != "function":
        unify(result, state.registers[function])
        if isinstance(node, ast.expr):
            _parametrize(state, one, node)
        return
    value = state.value(node)
    if value.kind == "class":
        construct(state, one, value.ref, [(0, state.registers[function])])
        return
    state.graph.deferred.append(Deferred(state.registers[decorator], [(0, state.registers[function])], result, one))
    state.decorated.append((decorator, function, one.result))


def _declare_these(state: Transfer, decorator: ast.expr, made: Node) -> None:
    """A class has the fields that its decorator is given: `attr.s(these={"x": attr.ib()})`."""
    for word in decorator.keywords if isinstance(decorator, ast.Call) else ():
        keys = word.value.keys if word.arg == "these" and isinstance(word.value, ast.Dict) else ()
        for name in [text for key in keys if (text := text_in(key)) is not None]:
            unify(field(made, f".{name}"), field(state.node(word.value), label_of(name)))


def _is_field(state: Transfer, node: ast.expr) -> bool:
    """Whether a name is that of a field of the class whose statements are evaluated."""
    owner = state.module.classes.get(state.module.names.scopes.around(node).node)
    return owner is not None and isinstance(node, ast.Name) and field_named(owner, node.id) is not None


def _parametrize(state: Transfer, one: Instruction, decorator: ast.expr) -> None:
    """pytest calls a test with the values that a decorator gives it."""
    given = parametrized(state.module.names, decorator, state.body.scope)
    if given is None:
        return
    item = field(state.node(given.values), "[]")
    places = range(len(given.names))
    nodes = [field(item, label_of(place)) for place in places] if given.in_tuples else [item]
    test = state.registers[one.operands[1]]
    state.graph.deferred.append(Deferred(test, [*zip(given.names, nodes, strict=False)], Node(), one))


def return_(state: Transfer, one: Instruction) -> None:
    """A result is what the body gives, if it is no generator."""
    node = one.node.value if isinstance(one.node, ast.Return) else one.node
    if node is not None and state.kind(node) in NOTHING:
        return
    given = state.registers[one.operands[0]]
    if not state.body.yields:
        state.graph.give(given)
        return
    mark(state.graph.result, OBJECT)
    unify(field(state.graph.result, "()"), given)


def yield_(state: Transfer, one: Instruction) -> None:
    """A generator holds what it yields."""
    mark(state.graph.result, OBJECT)
    if one.detail != "from":
        unify(state.registers[one.result], field(state.graph.result, SENT))
    for operand in one.operands:
        node = state.registers[operand]
        if one.detail == "from":
            state.method_of_classes("__iter__", node, [], Node(), one)
            unify(field(state.graph.result, "[]"), field(node, "[]"))
            unify(state.registers[one.result], field(node, "()"))
        else:
            state.store(one, field(state.graph.result, "[]"), node)


def raise_(state: Transfer, one: Instruction) -> None:
    """An exception is on its way to a handler of the body, or of what calls it."""
    node = state.body.instructions[one.operands[0]].node
    if state.value(node).kind != "class":
        unify(state.graph.raised, state.registers[one.operands[0]])
    else:  # of which Python makes an instance without arguments
        state.graph.deferred.append(Deferred(state.registers[one.operands[0]], [], Node(), one))


def exception(state: Transfer, one: Instruction) -> None:
    """A handler gets what was raised, by the body or by what it calls."""
    result = state.registers[one.result]
    unify(result, state.graph.raised)
    if isinstance(one.node, ast.ExceptHandler) and "StopIteration" in ast.unparse(one.node.type or one.node):
        for generator in _generators_run(state):
            unify(field(result, ".value"), field(generator, "()"))


def _generators_run(state: Transfer) -> Iterator[Node]:
    """What the calls of a body take a next item of."""
    for one in state.body.instructions:
        if isinstance(one.node, ast.Call):
            func, given = one.node.func, one.node.args
            if isinstance(func, ast.Attribute) and func.attr in ("send", "__next__"):
                yield state.node(func.value)
            elif isinstance(func, ast.Name) and func.id == "next" and len(given) == 1:
                yield state.node(given[0])


def unknown(state: Transfer, one: Instruction) -> None:
    """Something may be held by what it is computed from."""
    result = state.registers[one.result]
    for operand in one.operands:
        mark(state.registers[operand], OPAQUE)
        unify(field(state.registers[operand], "[]"), result)
    mark(result, OPAQUE)
