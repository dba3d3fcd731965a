"""Copies of objects: shallow ones have the arrays of the original, deep ones share what the original's parts share."""

from __future__ import annotations

from tnp_migrate.analysis.graphs import Unseen
from tnp_migrate.analysis.heap import (
    ARRAY,
    HELD,
    INSTANCE,
    LIKELY,
    MADE,
    OBJECT,
    SHARED,
    Node,
    field,
    find,
    reachable,
    unify,
)
from tnp_migrate.analysis.library_calls import Given
from tnp_migrate.analysis.records_made import make_another

_OF_COPY = ARRAY | OBJECT | HELD | LIKELY | INSTANCE


def give_copy(given: Given) -> None:
    """What a copy holds is the same, only not what is bound to it later."""
    if given.state.kind(given.call.args[0]) != "array":
        unify(given.result, given.nodes[0])
        given.state.graph.copied_objects.append((given.one.result, given.nodes[0]))
        given.state.take_items_of_container(given.one, given.nodes[0], given.result, read=True)


def give_itself(given: Given) -> None:
    """`typing.cast(kind, x)`, `typing.assert_type(x, kind)`: `x` itself."""
    node = given.nodes[-1 if given.name == "cast" else 0]
    unify(given.result, node)
    given.state.graph.unseen.append(Unseen(given.one, given.result, [node]))


def give_deep_copy(given: Given) -> None:
    """`copy.deepcopy(x)`: new objects and arrays, which share what those of `x` share."""
    state, first = given.state, given.nodes[0]
    if state.kind(given.call.args[0]) == "array":
        return
    inside = reachable([first])
    copies = {one: one if one.flags & SHARED else Node(one.flags & _OF_COPY | MADE) for one in inside}
    for one, copy in copies.items():
        if copy is not one:
            copy.bodies, copy.classes, copy.members = one.bodies, one.classes, one.members
            copy.fields = {label: copies[find(held)] for label, held in one.fields.items()}
    unify(given.result, copies[find(first)])


def give_replaced(given: Given) -> None:
    """`dataclasses.replace(x, name=value)`."""
    give_copy(given)
    keep_named(given)
    make_another(given.state, given.one, given.nodes[0], given.result)


def keep_named(given: Given) -> None:
    """Note that what a call gives holds what is given by name, under these names."""
    for word in given.call.keywords:
        node = given.state.node(word.value)
        given.keep(given.result, node)
        if word.arg is not None:
            unify(field(given.result, f".{word.arg}"), node)
            if given.name == "evolve":  # of `attrs`, which names a private field without what makes it so
                unify(field(given.result, f"._{word.arg}"), node)
