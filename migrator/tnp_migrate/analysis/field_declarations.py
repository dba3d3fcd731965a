"""What a class says of its fields by calls: `dataclasses.field`, `attr.ib`, and what those are given."""

from __future__ import annotations

import ast

from tnp_migrate.analysis.heap import CONVERTER, DEFAULT, FACTORY, MAKER, OBJECT, VALIDATOR, field, mark, unify
from tnp_migrate.analysis.library_calls import Given

_OF_FIELD = {
    "default": DEFAULT,
    "default_factory": FACTORY,
    "factory": FACTORY,
    "converter": CONVERTER,
    "validator": VALIDATOR,
}


def declare_field(given: Given) -> None:
    """`field(default=x)` of a dataclass, `field(default_factory=f)`; `attr.ib(x, f)`."""
    mark(given.result, OBJECT)
    by_place = zip(("default", "validator"), given.call.args, strict=False)
    for word, value in [*by_place, *((word.arg, word.value) for word in given.call.keywords)]:
        label, node = _OF_FIELD.get(word or ""), given.state.node(value)
        if label is not None:
            several = isinstance(value, (ast.List, ast.Tuple)) and label in (CONVERTER, VALIDATOR)
            unify(field(given.result, label), field(node, "[]") if several else node)


def give_factory(given: Given) -> None:
    """`Factory(f)` of `attrs`, which may give `f` the object: `Factory(f, takes_self=True)`."""
    mark(given.result, OBJECT)
    for node in given.nodes[:1]:
        unify(field(given.result, MAKER if len(given.nodes) > 1 or given.call.keywords else FACTORY), node)


def give_combined(given: Given) -> None:
    """`optional(f)`, `pipe(f, g)` of `attrs`: what runs the functions that it is given."""
    for node in (*given.nodes, *(given.state.node(word.value) for word in given.call.keywords)):
        unify(given.result, node)
