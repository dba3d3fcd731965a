"""Arrays that a body makes and puts into two places: what is written to by the one of them the other has as well.

A place counts that callers reach, that outlives calls, or whose array something else that has it writes to later.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator
from dataclasses import replace
from functools import partial

from tnp_migrate.analysis.assigned_attributes import binds_what_it_had
from tnp_migrate.analysis.collected import collected_again
from tnp_migrate.analysis.displayed_twice import displayed_twice
from tnp_migrate.analysis.filled_twice import filled_twice
from tnp_migrate.analysis.graphs import Graph
from tnp_migrate.analysis.heap import (
    OBJECT,
    STORED,
    Node,
    find,
    reachable,
)
from tnp_migrate.analysis.placements import Origin, Placement
from tnp_migrate.analysis.placing import Placing
from tnp_migrate.ir.instructions import CallShape, Instruction

_SHOWN = frozenset({"set_attribute", "set_item", "append", "function"})  # whose text says what has the array
_UNFOLLOWED = frozenset({"phi", "either", "call", "display", "operator"})  # what gives one of several things, or a view
_STORING = frozenset("set_attribute set_item set_global set_cell append augmented function".split())


def note_two_places(graph: Graph, *, cells_last: bool) -> None:
    """Hold what a body makes and puts into two places; `cells_last` says that functions keep the cells of the body."""
    placing = Placing(graph, cells_last=cells_last)
    for node, first, other in _twice(placing):
        graph.hold(node, first, other, twice=True)
    for store in placing.assigned.moved():
        graph.hold(graph.registers[store.operands[1]], store, store, twice=True)
    graph.rebound = _rebound(graph)
    _note_given_twice(graph, placing)


def _twice(placing: Placing) -> Iterator[tuple[Node, Instruction, Instruction]]:
    """The arrays that are put into two places, and the instructions that do so."""
    found: dict[tuple[object, Node], dict[object, Instruction]] = {}
    parts: dict[tuple[object, Node], dict[Node, None]] = {}
    for one in placing.placements():
        origin = placing.origin(one.register, one.node)
        is_default = any(map(placing.has_default, origin.passed))
        is_variable = origin.is_variable and not isinstance(placing.graph.body.node, ast.Module)
        if is_default or is_variable or (origin.is_had and (origin.taken_by or _is_hidden(placing, one, origin))):
            yield one.node, origin.taken_by or one.instruction, one.instruction
        for maker in (*origin.makers, *origin.passed):
            node = placing.whole(one.node, maker)
            places = found.setdefault((maker, node), {})
            places.setdefault(one.place, one.instruction)
            parts.setdefault((maker, node), {})[one.node] = None
            if one.is_many or (maker in origin.makers and placing.repeats(one, maker)):
                places.setdefault((one.place, "again"), one.instruction)
    for key, places in found.items():
        first, *others = places.values()
        yield from ((node, first, others[0]) for node in parts[key] if others)


def _is_hidden(placing: Placing, one: Placement, origin: Origin) -> bool:
    """Whether another body finds an array in a place of which the text that fills it does not show whose it is.

    What a call reaches by an object, and not as an argument, its own body puts there; what `*x` and `**x` hold is
    given as arguments.
    """
    if one.is_unseen:
        return True
    operation = one.instruction.operation
    if operation == "call":
        given = placing.node(one.register)
        return given is one.node or (one.register in _unpacked(one.instruction) and one.node in placing.held(given))
    if one.instruction.fills:
        return _is_put_somewhere(placing, one.instruction, one.node)
    read = _read_from(placing.graph, one.register).operation
    return operation not in _SHOWN or read in _UNFOLLOWED or (origin.in_variable and read != "attribute")


def _unpacked(call: Instruction) -> list[int]:
    """The operands of a call that stand behind stars."""
    return [call.operands[1:][at] for at in call.detail.unpacked] if isinstance(call.detail, CallShape) else []


def _read_from(graph: Graph, register: int) -> Instruction:
    """What a register has its value from; what items are taken from that the body has just made: `[x, y][0]`."""
    read = one = graph.body.behind_copies(register)
    seen = {one.result}
    while one.operation in ("item", "unpack", "next", "iterate"):
        one = graph.body.behind_copies(one.operands[0])
        if one.result in seen:
            break
        seen.add(one.result)
    return one if one.operation in _UNFOLLOWED else read


def _is_put_somewhere(placing: Placing, made: Instruction, node: Node) -> bool:
    """Whether a container with an array that an instruction makes, or a part of it that has the array, goes on.

    It goes into something, or to a function of the project.
    """
    called = {call.instruction for call in placing.graph.calls}
    seen, pending = {made.result}, [made.result]
    while pending:
        using = placing.users.get(pending.pop(), ())
        if any(one.operation in _STORING or one in called for one in using):
            return True
        for one in using:
            if one.result not in seen and (one.operation == "attribute" or placing.leads(one.result, node)):
                seen.add(one.result)
                pending.append(one.result)
    return False


def _note_given_twice(graph: Graph, placing: Placing) -> None:
    """Note what callers get in two places of the objects that a body gives, and hold it where this one writes to it."""
    inside = reachable(graph.results)
    note = partial(_note_twice, placing, inside)
    for node, put in collected_again(placing):
        note(node, put)
    for one in displayed_twice(placing):
        note(one.node, one.instruction, lasts=placing.lasts(one.into))
    for one in filled_twice(placing):  # what lasts is held by what puts it there
        note(one.node, one.instruction)
    if any(one.flags & OBJECT for one in inside):
        is_of_objects = any(one.classes for one in inside)  # what lists hold of variables their text shows
        twice = _twice(replace(placing, gives=True))
        given = dict.fromkeys(node for node, first, other in twice if is_of_objects or _is_repeated(first, other))
        graph.given_twice += [node for node in given if node in inside and not graph.is_held(node)]
    for call in graph.calls:
        for node in call.here(call.callee.given_twice):
            note(node, call.instruction)


def _note_twice(placing: Placing, inside: Container[Node], node: Node, at: Instruction, *, lasts: bool = False) -> None:
    """Hold what is in two places from an instruction on, where these last or a write follows; or callers get both."""
    write = placing.first_write(node, at)
    if write is not None or lasts:
        placing.graph.hold(node, at, write or at, twice=True)
    elif node in inside:
        placing.graph.given_twice.append(node)


def _is_repeated(first: Instruction, other: Instruction) -> bool:
    """Whether one operator fills both places: `[z] * 2`."""
    return first is other and first.operation == "operator"


def _rebound(graph: Graph) -> frozenset[Node]:
    """What a body, or what it calls, binds to attributes and puts nowhere else: it has made that for this attribute.

    Or the attribute has had it: `self.x -= 1`.
    """
    own = {find(node) for store, node in graph.stores if _is_for_attribute(graph, store)}
    moved = {find(node) for store, node in graph.stores if not _is_for_attribute(graph, store)}
    moved.update(find(node) for _, node in graph.kept)
    for call in graph.calls:
        for there, here in call.flagged(STORED):
            (own if there in call.callee.rebound else moved).add(find(here))
    return frozenset(own - moved)


def _is_for_attribute(graph: Graph, store: Instruction) -> bool:
    if store.operation != "set_attribute":
        return False
    return graph.body.behind_copies(store.operands[1]).result in graph.fresh or binds_what_it_had(graph, store)
