"""Attributes that a body binds: to what, and what moves from one of them to another."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

from tnp_migrate.analysis.graphs import Graph
from tnp_migrate.analysis.heap import VIEWS, Node, find, is_array_or_unknown, parts_of
from tnp_migrate.ir.instructions import Body, Instruction
from tnp_migrate.numpy_facts.libraries import has_no_arrays
from tnp_migrate.numpy_facts.traits import VIEW_METHODS

Place = tuple[int, object]  # the register of an object, and the name of an attribute


@dataclass(eq=False)
class Assigned:
    """The attributes that a body binds."""

    graph: Graph

    @cached_property
    def stores(self) -> dict[Place, list[Instruction]]:
        """By an attribute what binds it."""
        found: dict[Place, list[Instruction]] = {}
        for one in self.graph.body.instructions:
            if one.operation == "set_attribute":
                found.setdefault(_place(self.graph, one), []).append(one)
        return found

    def before(self, read: Instruction) -> list[int]:
        """What an attribute that is read may have been bound to by then."""
        if read.operation != "attribute":
            return []
        stores = self.stores.get(_place(self.graph, read), ())
        return [one.operands[1] for one in stores if _runs_before(self.graph.body, one, read)]

    def moved(self) -> Iterator[Instruction]:
        """What binds an attribute to what another one has, and keeps, or puts into a third one."""
        moved: dict[Place, dict[Place, Instruction]] = {}
        kept: set[Place] = set()
        for place, stores in self.stores.items():
            for store in stores:
                read = _read_from(self.graph, store.operands[1])
                if read is not None and is_array_or_unknown(self._node(store)):
                    source = _place(self.graph, read)
                    moved.setdefault(source, {}).setdefault(place, store)
                    if source != place and self._is_kept(source, read):
                        kept.add(source)
        for source, places in moved.items():
            if len(places) > 1 or source in kept:
                yield from places.values()

    def _is_kept(self, place: Place, read: Instruction) -> bool:
        """Whether an attribute that is read may still have at the end what it has there."""
        body = self.graph.body
        bound = [one for one in self.stores.get(place, ()) if not binds_what_it_had(self.graph, one)]
        if any(one.block == read.block and one.result > read.result for one in bound):
            return False
        ends = {read.block, *behind(body, read.block, {one.block for one in bound})}
        return any(not body.blocks[number].successors for number in ends)

    def _node(self, store: Instruction) -> Node:
        return find(self.graph.registers[store.operands[1]])


def _place(graph: Graph, one: Instruction) -> Place:
    return graph.body.behind_copies(one.operands[0]).result, one.detail


def binds_what_it_had(graph: Graph, store: Instruction) -> bool:
    """Whether a slot is bound to its own array: to what an operator has made of it in place, `d[k] += v`, `x.a += v`.

    Or an attribute is bound to the same array or a part of it: `x.a = np.asarray(x.a)`.
    """
    value = store.operands[-1]
    if store.node is None and graph.body.instructions[value].operation == "augmented":
        return True
    return store.operation == "set_attribute" and source_of(graph, value) == _place(graph, store)


def source_of(graph: Graph, register: int) -> Place | None:
    """The attribute that a register has been read from, or a part of what that has."""
    read = _read_from(graph, register)
    return None if read is None else _place(graph, read)


def _read_from(graph: Graph, register: int) -> Instruction | None:
    """What reads the attribute that a register has, or a part of what that has."""
    read, node = graph.body.behind_copies(register), find(graph.registers[register])
    while (whole := _whole(graph, read, node)) is not None and node in parts_of(graph.registers[whole]):
        read = graph.body.behind_copies(whole)
    return read if read.operation == "attribute" and not _is_no_array(graph, read) else None


def _whole(graph: Graph, read: Instruction, node: Node) -> int | None:
    """What an instruction may give a part of, or the whole: `x[0]`, `x.T`, `x.ravel()`, `asarray(x)`."""
    if read.operation == "item" or (read.operation == "attribute" and f".{read.detail}" in VIEWS):
        return read.operands[0]
    if read.operation != "call" or not isinstance(read.node, ast.Call):
        return None
    if graph.module.names.of(read.node.func, graph.body.scope) is not None:
        given = [one for one in read.operands[1:] if node in parts_of(graph.registers[one])]
        return given[0] if len(given) == 1 else None
    is_view = isinstance(read.node.func, ast.Attribute) and read.node.func.attr in VIEW_METHODS
    return graph.body.receiver(read) if is_view else None


def _is_no_array(graph: Graph, read: Instruction) -> bool:
    """Whether an attribute is a member of a library's module."""
    qualified = graph.module.names.of(read.node, graph.body.scope) if read.node is not None else None
    return qualified is not None and has_no_arrays(qualified)


def _runs_before(body: Body, one: Instruction, other: Instruction) -> bool:
    is_same = one.block == other.block and one.result < other.result
    return is_same or other.block in behind(body, one.block, ())


def behind(body: Body, start: int, without: Collection[int]) -> set[int]:
    """The blocks that may run behind one of them before any of some others does."""
    seen: set[int] = set()
    pending = [*body.blocks[start].successors] if start not in without else []
    while pending:
        number = pending.pop()
        if number not in seen and number not in without:
            seen.add(number)
            pending += body.blocks[number].successors
    return seen
