"""Objects whose constructor a decorator makes: what their fields hold, and what runs when they are made or bound."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from tnp_migrate.analysis.calls import Argument
from tnp_migrate.analysis.evaluation import Transfer
from tnp_migrate.analysis.graphs import Deferred
from tnp_migrate.analysis.heap import (
    CONVERTER,
    DEFAULT,
    FACTORY,
    MAKER,
    OPAQUE,
    STORED,
    VALIDATOR,
    Node,
    field,
    find,
    label_of,
    mark,
    unify,
)
from tnp_migrate.analysis.library_functions import CONTAINERS
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.numpy_facts.values import UNKNOWN
from tnp_migrate.program.classes import is_of_library
from tnp_migrate.program.fields import Field, field_named, fields_of, has_factory, is_record
from tnp_migrate.program.index import Class

_OBJECT = 0  # the place where a function gets the object
_CONTAINERS = CONTAINERS | {"UserList", "deque"}
_DICTS = frozenset({"dict", "OrderedDict"})  # which keep what they are given by name under that
_OF_NUMBERS = frozenset("int float complex bool str len".split())  # which keep nothing of what they convert


def make_record(state: Transfer, one: Instruction, owner: Class, made: Node, given: list[Argument]) -> None:
    """Give a new object what is passed for its fields, else their defaults, and run what looks at them."""
    state.graph.constructing.add(one)
    fields = fields_of(owner)
    taken = _take(state, one, owner, made, given, fields)
    known = {each.parameter for each in fields if each.parameter is not None}
    open_ended = any(not isinstance(place, int) and place not in known for place, _ in given)
    for each in fields:
        if each.declared is None:  # what the class binds to its name, all its objects have
            continue
        has_converter = "converter" in each.words
        held = field(made, f".{each.name}")
        raw = Node() if has_converter else held
        for node in taken.get(each.name, ()):
            unify(raw, node)
        if each.name not in taken or open_ended:
            _give_default(state, one, each, made, raw)
        _convert(state, one, each, raw, held)
        _check(state, one, each, made, held)
    passed_on: list[Argument] = [
        (each.name, node) for each in fields if each.passed_on for node in taken.get(each.name, ())
    ]
    _run_around(state, one, owner, made, passed_on)


def make_another(state: Transfer, one: Instruction, like: Node, made: Node) -> None:
    """Run what looks at the fields of an object that is made like another one: `evolve(x, y=1)`, `replace(x, y=1)`."""
    for owner in find(like).classes:
        if is_record(owner):
            state.graph.constructing.add(one)
            for each in fields_of(owner):
                if each.declared is not None:
                    held = field(made, f".{each.name}")
                    _convert(state, one, each, held, held)
                    _check(state, one, each, made, held)
            _run_around(state, one, owner, made, [])


def make_by_base(state: Transfer, one: Instruction, call: ast.Call) -> bool:
    """Run the constructor that a decorator has made, as `super().__init__(x)` or `B.__init__(self, x)` calls it."""
    assert isinstance(call.func, ast.Attribute)
    method, known, given = state.graph.function, state.value(call.func.value), state.arguments(one)
    own = method.owner if method is not None else None
    receiver = state.graph.parameters.get(method.parameters[0]) if method is not None and method.parameters else None
    owner = own if call.func.attr == "__attrs_init__" else None
    if known.kind == "class" and given and given[0][0] == _OBJECT:
        owner, receiver = known.ref, given[0][1]
        given = [(place - 1 if isinstance(place, int) else place, node) for place, node in given[1:]]
    elif known.kind == "super" and own is not None:
        owner = next((each for each in own.lineage[1:] if "__init__" in each.methods or is_record(each)), None)
    if owner is None or receiver is None or not is_record(owner):
        return False
    make_record(state, one, owner, receiver, given)
    return True


def _run_around(state: Transfer, one: Instruction, owner: Class, made: Node, passed_on: list[Argument]) -> None:
    """Run the methods that a constructor calls which a decorator makes."""
    around: list[tuple[str, list[Argument]]] = [("__attrs_pre_init__", []), ("__attrs_post_init__", [])]
    for name, passed in [*around, ("__post_init__", passed_on)]:
        state.functions([each for each in [owner.method(name)] if each is not None], passed, Node(), one, receiver=made)


def bind_field(state: Transfer, one: Instruction, name: str, holder: Node, value: Node) -> None:
    """Run what a class of `attrs` does where a field of its objects is bound anew."""
    for owner in state.slots.classes_binding(name):
        each = field_named(owner, name)
        if each is not None and each.checked:
            held = field(holder, f".{name}")
            _convert(state, one, each, value, held)
            _check(state, one, each, holder, held)


def _take(
    state: Transfer, one: Instruction, owner: Class, made: Node, given: list[Argument], fields: tuple[Field, ...]
) -> dict[str, list[Node]]:
    """An instance of a class without a constructor takes what is passed for its fields, or the items of it."""
    by_place = [each for each in fields if each.parameter is not None and each.by_place]
    by_name = {each.parameter: each for each in fields if each.parameter is not None}
    names = [each.name for each in fields]
    has_items = not any(map(is_record, owner.lineage))
    is_by_name = owner.maker is None and any(_derives(one, _DICTS) for one in owner.lineage)
    taken: dict[str, list[Node]] = {}
    for place, node in _unpacked(given, by_place, by_name) if not has_items else given:
        mark(node, STORED)
        state.graph.stores.append((one, node))
        by_number = by_place[place : place + 1] if isinstance(place, int) else []
        each = next(iter(by_number), None) if isinstance(place, int) else by_name.get(place or "")
        if each is not None:
            taken.setdefault(each.name, []).append(node)
            if each.declared is None:
                unify(field(made, f".{each.name}"), node)
            if has_items:
                unify(field(made, f"[{names.index(each.name)}]"), node)
                unify(field(made, label_of(each.name)), node)  # of a TypedDict
        elif isinstance(place, str) and place != "**" and is_by_name:
            unify(field(made, label_of(place)), node)
        elif isinstance(place, int) and any(map(_is_container, owner.lineage)):
            unify(field(made, "[]"), field(node, "[]"))
        elif owner.maker is None:  # which says what becomes of it
            mark(made, OPAQUE)
            unify(field(made, "[]"), node)
            unify(field(made, "[]"), field(node, "[]"))
            if isinstance(place, str) and is_of_library(owner):
                unify(field(made, f".{place}"), node)
    return taken


def _unpacked(given: list[Argument], by_place: list[Field], by_name: Mapping[str, Field]) -> list[Argument]:
    """What is passed, with the items of `*x` and `**x` for the fields that no other argument is for."""
    found: list[Argument] = [(place, node) for place, node in given if place is not None and place != "**"]
    names = {place for place, _ in found if isinstance(place, str)}
    names |= {each.parameter or "" for each in by_place[: len(found) - len(names)]}
    left = [name for name in by_name if name not in names]
    found += [(name, field(node, label_of(name))) for place, node in given if place == "**" for name in left]
    stars = [node for place, node in given if place is None]
    left = [each.parameter or "" for each in by_place if each.parameter not in names]
    keys = range(len(left)) if len(stars) == 1 else [None] * len(left)
    return found + [(name, field(node, label_of(key))) for node in stars for name, key in zip(left, keys, strict=True)]


def _is_container(owner: Class) -> bool:
    """Whether a class is derived from one of Python's containers, which take the items of what they are given."""
    return _derives(owner, _CONTAINERS)


def _derives(owner: Class, names: frozenset[str]) -> bool:
    return not names.isdisjoint(ast.unparse(one).rpartition(".")[2] for one in owner.node.bases)


def _give_default(state: Transfer, one: Instruction, each: Field, made: Node, into: Node) -> None:
    """A field that is not given has its default, or what a function makes, which may be given the object."""
    declared = _declared(state, each)
    default = each.words.get("default")
    makers = [declared]
    if default is not None:
        is_factory = has_factory(each)
        makers += [field(declared, DEFAULT)] if is_factory or isinstance(default, ast.Name) else []
        if not is_factory:
            unify(into, field(declared, DEFAULT))
    for maker in makers:
        state.graph.deferred.append(Deferred(field(maker, FACTORY), [], into, one))
        state.graph.deferred.append(Deferred(field(maker, MAKER), [(_OBJECT, made)], into, one))


def _convert(state: Transfer, one: Instruction, each: Field, value: Node, held: Node) -> None:
    """A converter is given the value: the field holds what it gives.

    What a library's gives may be on NumPy or on tensors as the statements of the class are, which share it then.
    """
    converter = each.words.get("converter")
    if converter is None or (isinstance(converter, ast.Name) and converter.id in _OF_NUMBERS):
        return
    declared = _declared(state, each)
    known = each.owner.module.values.get(converter, UNKNOWN)
    if not isinstance(converter, ast.Lambda) and known.kind not in ("function", "class"):
        unify(held, value)
        unify(held, declared)
    state.graph.deferred.append(Deferred(field(declared, CONVERTER), [(0, value)], held, one))


def _check(state: Transfer, one: Instruction, each: Field, made: Node, held: Node) -> None:
    """A validator is given the object, what is known of the field, and the value."""
    given: list[Argument] = [(_OBJECT, made), (1, Node()), (2, held)]
    state.graph.deferred.append(Deferred(field(_declared(state, each), VALIDATOR), given, Node(), one))
    if "validator" in each.words and "deep_" in ast.unparse(each.words["validator"]):  # which looks at its items
        given = [*given[:-1], (2, field(held, "[]"))]
        state.graph.deferred.append(Deferred(field(_declared(state, each), VALIDATOR), given, Node(), one))


def _declared(state: Transfer, each: Field) -> Node:
    """What stands in the class for a field: its default, and the functions that make and look at its values."""
    return field(state.slots.class_of(each.owner), f".{each.name}")
