"""Stores: what is put into objects, containers, and variables that outlive the call."""

from __future__ import annotations

from collections.abc import Container, Iterable

from tnp_migrate.analysis.graphs import Graph, ItemStore
from tnp_migrate.analysis.heap import AGAIN, BLIND, HAD_ACROSS, SHARED, STORED, Node, field, find, mark, unify
from tnp_migrate.ir.instructions import Instruction


def put_into(graph: Graph, one: Instruction, place: Node, value: Node) -> None:
    """Put something into an object, or into a variable that outlives the call."""
    mark(value, STORED)
    graph.stores.append((one, value))
    unify(place, value)


def keep_beside(value: Node) -> None:
    """Note that something is put where no text shows it, beside what has had it before."""
    mark(value, STORED | AGAIN | HAD_ACROSS)


def put_item(graph: Graph, one: ItemStore) -> None:
    """Put an item into what has turned out to be a container."""
    place = field(one.holder, one.label)
    mark(one.value, BLIND if one.blind else 0)
    if one.again:  # who has the container sees what is bound there, and nothing else has got it
        mark(one.value, STORED)
        unify(place, one.value)
        return
    put_into(graph, one.instruction, place, one.value)
    graph.put.append(one)


def by_node(placed: Iterable[tuple[Instruction, Node]]) -> dict[Node, list[Instruction]]:
    """By a node the instructions that put it somewhere."""
    found: dict[Node, list[Instruction]] = {}
    for instruction, node in placed:
        found.setdefault(find(node), []).append(instruction)
    return found


def filled_by(graph: Graph, store: Instruction) -> int:
    """The register of what a store puts something into: of a method, what that is read from."""
    return graph.body.receiver(store) if store.operation == "call" else store.operands[0]


def is_given_alone(graph: Graph, store: Instruction, outside: Container[Node]) -> bool:
    """Whether a store fills a container that is none of what is `outside`: it ends with the body, or the body gives it.

    Callers know then whether they have it when something is written to that is in it.
    """
    if not store.operands or store.operation not in ("append", "set_item", "call"):
        return False
    into = find(graph.registers[filled_by(graph, store)])
    return into not in outside and not into.flags & SHARED
