"""Objects whose constructor a decorator makes: what their fields hold, and what runs when they are made or bound."""

from __future__ import annotations

import ast

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
_OF_NUMBERS = frozenset("int float complex bool str len".split())  # which keep nothing of what they convert


def make_record(state: Transfer, one: Instruction, owner: Class, made: Node, given: list[Argument]) -> list[Argument]:
    """Give a new object what is passed for its fields, else their defaults; return what `__post_init__` gets."""
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
    return [(each.name, node) for each in fields if each.passed_on for node in taken.get(each.name, ())]


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
    taken: dict[str, list[Node]] = {}
    for place, node in given:
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
        elif isinstance(place, int) and any(map(_is_container, owner.lineage)):
            unify(field(made, "[]"), field(node, "[]"))
        elif owner.maker is None:  # which says what becomes of it
            mark(made, OPAQUE)
            unify(field(made, "[]"), node)
            unify(field(made, "[]"), field(node, "[]"))
            if isinstance(place, str) and is_of_library(owner):
                unify(field(made, f".{place}"), node)
    return taken


def _is_container(owner: Class) -> bool:
    """Whether a class is derived from one of Python's containers, which take the items of what they are given."""
    bases = {ast.unparse(one).rpartition(".")[2] for one in owner.node.bases}
    return not bases.isdisjoint((*CONTAINERS, "UserList", "deque"))


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


def _declared(state: Transfer, each: Field) -> Node:
    """What stands in the class for a field: its default, and the functions that make and look at its values."""
    return field(state.slots.class_of(each.owner), f".{each.name}")
