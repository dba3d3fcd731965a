"""What methods of arrays, containers, generators and contexts do with memory, by their names."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass

from tnp_migrate.analysis.copies import keep_named
from tnp_migrate.analysis.evaluation import Transfer
from tnp_migrate.analysis.foreign_objects import NO_ARRAYS
from tnp_migrate.analysis.graphs import Unseen
from tnp_migrate.analysis.heap import (
    ANY_ATTRIBUTE,
    ARRAY,
    MADE,
    OBJECT,
    OPAQUE,
    PAIR,
    SENT,
    STORED,
    Node,
    field,
    find,
    give_classes,
    is_of_known_origin,
    label_of,
    mark,
    unify,
)
from tnp_migrate.analysis.known_functions import take_items
from tnp_migrate.analysis.library_calls import Given
from tnp_migrate.analysis.library_functions import ITEM_METHODS, ITEMS_METHODS
from tnp_migrate.analysis.named_attributes import give_attribute_named, set_attribute_named
from tnp_migrate.analysis.records_made import make_by_base
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.numpy_facts import traits
from tnp_migrate.numpy_facts.signatures import kept_by, may_not_copy, method_outputs
from tnp_migrate.numpy_facts.values import NOTHING

_COPYING = frozenset({"copy", "__copy__", "flatten", "astype"})
_CONTAINERS = frozenset({"list", "dict", "set"})


@dataclass(frozen=True, eq=False)
class GivenTo(Given):
    """A call of a method, with what it is called on."""

    receiver: Node
    kind: str  # of the receiver


def call_method(state: Transfer, one: Instruction, call: ast.Call, func: ast.Attribute, result: Node) -> None:
    """Evaluate a call of a method that is not of the project."""
    given = GivenTo(state, one, call, func.attr, result, state.node(func.value), state.kind(func.value))
    if given.kind in NO_ARRAYS:
        return
    draws = given.name in traits.ONLY_GENERATORS_HAVE and given.name not in state.slots.index.methods
    if given.kind in ("array", "rng") or draws:
        _of_array(given, func)
        return
    for part in kept_by(call):
        _keep(given, part)
    handler = _HANDLERS.get(given.name)
    if handler is not None:
        handler(given)
    if given.kind not in _CONTAINERS:  # of which a copy holds the same arrays
        _give_array(given)
    own = given.name not in ITEM_METHODS and given.kind not in ("class", "instance")
    if own and is_of_known_origin(given.receiver):
        mark(result, MADE)


def _give_array(given: GivenTo) -> None:
    """Give what a method of arrays does, should it be called on one."""
    graph, result = given.state.graph, given.result
    gives = traits.ARRAY_METHODS.get(given.name, "array" if given.name[:2] == "__" else "unknown")
    if gives == "array" and find(given.receiver).flags & ARRAY:
        mark(result, ARRAY)
    elif gives in ("array", "tuple"):
        graph.computed.append((field(result, "[]") if gives == "tuple" else result, [given.receiver]))
    if given.name in _COPYING and not (given.name == "astype" and may_not_copy(given.call)):
        graph.copied.add(given.one.result)


def _of_array(given: GivenTo, func: ast.Attribute) -> None:
    state, result = given.state, given.result
    is_itself = given.name == "astype" and may_not_copy(given.call)
    parts = method_outputs(given.call)
    if given.name in traits.VIEW_METHODS or given.name == "__getitem__" or is_itself:
        parts = [*parts, func.value]
    for part in parts:
        unify(result, state.node(part))
    if not parts:
        state.graph.fresh.add(given.one.result)
        mark(result, MADE)
    if traits.ARRAY_METHODS.get(given.name, "array") == "array":
        mark(result, ARRAY)


def _keep(given: GivenTo, part: ast.expr) -> None:
    """Note that a container keeps an argument of a method of it, or the items of it."""
    state, node = given.state, given.state.node(part)
    mark(node, STORED)
    state.graph.stores.append((given.one, node))
    word = next((one.arg for one in given.call.keywords if one.value is part), None)
    if given.name in ("extend", "extendleft", "update") and word is None:
        items = field(node, "[]")
        mark(items, STORED)
        state.graph.stores.append((given.one, items))
        if given.name == "update":
            take_items(state.graph, given.receiver, node)
        else:
            unify(field(given.receiver, "[]"), items)
    elif state.kind(part) not in NO_ARRAYS:
        unify(field(given.receiver, label_of(word if given.name == "update" else None)), node)


def _item(given: GivenTo) -> None:
    args = given.call.args
    key = args[0].value if args and isinstance(args[0], ast.Constant) else None
    at = key if isinstance(key, int | str) and not isinstance(key, bool) and given.name != "pop" else None
    unify(given.result, field(given.receiver, label_of(at)))
    for node in given.nodes[1:] if given.name in ("get", "pop", "setdefault") else ():
        unify(given.result, node)
    if any(isinstance(one, ast.Attribute | ast.Subscript) for one in args[1:]):  # which an object holds as well
        given.state.graph.unseen.append(Unseen(given.one, given.result, given.nodes[1:]))
    if given.name in ("send", "asend"):
        for node in given.nodes:
            unify(field(given.receiver, SENT), node)
            given.state.graph.kept[given.one, node] = None


def _pairs(given: GivenTo) -> None:
    mark(given.result, OBJECT)
    pair = field(given.result, "[]")
    mark(pair, OBJECT | PAIR)
    unify(field(pair, "[1]"), field(given.receiver, "[]"))


def _items(given: GivenTo) -> None:
    is_object = find(given.receiver).flags & (ARRAY | OBJECT) == OBJECT
    if given.name not in _COPYING or given.kind in _CONTAINERS or is_object:
        mark(given.result, OBJECT)
        unify(field(given.result, "[]"), field(given.receiver, "[]"))
    elif given.kind == "unknown":
        given.state.take_items_of_container(given.one, given.receiver, given.result, read=True)


def _drawn(given: GivenTo) -> None:
    """Of a generator of Python's: an item of what it is given, or several."""
    for node in given.nodes:
        unify(given.result if given.name == "choice" else field(given.result, "[]"), field(node, "[]"))


def _joined(given: GivenTo) -> None:
    """Of an operator that is called by its name: `xs.__add__(ys)`."""
    for node in (given.receiver, *given.nodes):
        given.state.take_items_of_container(given.one, node, given.result)


def _view(given: GivenTo) -> None:
    """Of what may be an array: the fields of views are its own then."""
    unify(given.result, field(given.receiver, ".T"))


def _memory(given: GivenTo) -> None:
    """Of a memoryview."""
    unify(given.result, given.receiver)
    given.state.graph.unseen.append(Unseen(given.one, given.result, [given.receiver]))


def _from_keys(given: GivenTo) -> None:
    mark(given.result, OBJECT)
    for node in given.nodes[1:]:
        unify(field(given.result, "[]"), node)


def _enter(given: GivenTo) -> None:
    for node in given.nodes:
        given.state.enter(node, given.result, given.one)
    given.state.graph.unseen.append(Unseen(given.one, given.result, [given.result]))


def _replace(given: GivenTo) -> None:
    unify(given.result, given.receiver)
    keep_named(given)


def _as_dict(given: GivenTo) -> None:
    unify(field(given.result, "[]"), field(given.receiver, "[]"))


def _make(given: GivenTo) -> None:
    """A record is made of the items of something."""
    mark(given.result, OBJECT | OPAQUE)
    for node in given.nodes:
        given.keep(given.result, field(node, "[]"))


def _set_item(given: GivenTo) -> None:
    """`dict.__setitem__(d, k, x)`."""
    for part in given.call.args[1:2]:
        if given.state.kind(part) not in NOTHING:
            given.keep(given.receiver, given.state.node(part))


def _attribute(given: GivenTo) -> None:
    """`object.__setattr__(x, "name", value)` is `setattr(x, "name", value)`, `__getattribute__` is `getattr`."""
    assert isinstance(given.call.func, ast.Attribute)
    sets = given.name == "__setattr__"
    bound = [given.call.func.value] if len(given.call.args) < (3 if sets else 2) else []  # else by the class
    _by_name(given, [*bound, *given.call.args], sets=sets)


def _slot(given: GivenTo) -> None:
    """`Box.v.__set__(x, value)` is `setattr(x, "v", value)`, and `Box.v.__get__(x)` is `getattr(x, "v")`."""
    assert isinstance(given.call.func, ast.Attribute)
    slot, arguments, sets = given.call.func.value, given.call.args, given.name == "__set__"
    if isinstance(slot, ast.Attribute) and arguments and slot.attr not in given.state.slots.index.methods:
        _by_name(given, [arguments[0], ast.Constant(slot.attr), *(arguments[1:2] if sets else [])], sets=sets)


def _by_name(given: GivenTo, arguments: list[ast.expr], *, sets: bool) -> None:
    """Do what `setattr` or `getattr` does with some arguments."""
    name, act = ("setattr", set_attribute_named) if sets else ("getattr", give_attribute_named)
    call = ast.Call(ast.Name(name, ast.Load()), arguments, [])
    act(Given(given.state, given.one, call, name, given.result))


def _new(given: GivenTo) -> None:
    """`C.__new__(C)` makes an instance."""
    mark(given.result, OBJECT | MADE)
    for part in given.call.args[:1]:
        owner = given.state.value(part)
        if owner.kind == "class":
            give_classes(given.result, [owner.ref])


def _register(given: GivenTo) -> None:
    """`area.register(Circle, f)`: a call of `area` may run `f`."""
    register_dispatched(given.state, given.call.func, given.call.args[1:])


def register_dispatched(state: Transfer, method: ast.expr, functions: list[ast.expr]) -> None:
    """Note functions that a call of what `singledispatch` has made may run: `area.register(Circle)(f)`."""
    dispatcher = method.value if isinstance(method, ast.Attribute) and method.attr == "register" else None
    for function in functions if dispatcher is not None and state.kind(dispatcher) in ("function", "unknown") else ():
        if dispatcher is not None and find(state.node(dispatcher)).bodies:
            unify(state.node(dispatcher), state.node(function))


def _start(given: GivenTo) -> None:
    """`super().__init__(...)` of a class of a library: the instance takes items of what is given, or it itself.

    What is given by a word an attribute of that name may have, as in a `SimpleNamespace`.
    """
    words = given.call.keywords
    if make_by_base(given.state, given.one, given.call):
        return
    parts = [
        *((one, isinstance(one, ast.Starred), None) for one in given.call.args),
        *((word.value, word.arg is None, ANY_ATTRIBUTE if word.arg is None else f".{word.arg}") for word in words),
    ]
    for part, is_unpacked, label in parts:
        if given.state.kind(part) in NO_ARRAYS:
            continue
        node = given.state.node(part)
        known = is_unpacked or find(node).flags & OBJECT
        given.keep(given.receiver, field(node, "[]") if known else node)
        if label is not None:
            unify(field(given.receiver, label), field(node, "[]") if is_unpacked else node)


_HANDLERS: dict[str, Callable[[GivenTo], None]] = {
    **dict.fromkeys(traits.VIEW_METHODS, _view),
    **dict.fromkeys(ITEM_METHODS, _item),
    **dict.fromkeys(ITEMS_METHODS, _items),
    **dict.fromkeys("__add__ __radd__ __iadd__ __or__ __ior__ __mul__ __rmul__ __imul__ new_child".split(), _joined),
    **dict.fromkeys("choice choices sample".split(), _drawn),
    **dict.fromkeys(("cast", "toreadonly"), _memory),
    **dict.fromkeys(("enter_context", "enter_async_context"), _enter),
    "items": _pairs, "fromkeys": _from_keys, "_replace": _replace, "_asdict": _as_dict, "_make": _make,
    "__setitem__": _set_item, "__setattr__": _attribute, "__getattribute__": _attribute,
    "__set__": _slot, "__get__": _slot,
    "__init__": _start, "__attrs_init__": _start, "__new__": _new, "register": _register,
}  # fmt: skip
