"""Calls that come by an array in two ways: `f(s, s.m)`, `s.go(s.m)`, `f(TABLE)` of a function that reads `TABLE`.

What is written to by one of them is bound anew there, and what the body reads by the other is what was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tnp_migrate.analysis.graphs import Graph
from tnp_migrate.analysis.heap import WRITTEN, Node, find, is_array_or_unknown, is_mixed, is_slot, parts_of, reachable


def note_passed_twice(graph: Graph) -> None:
    """Hold what a call writes to by one of two ways that lead to it."""
    known: dict[Graph, _Reached] = {}
    for call in graph.calls:
        if call.callee not in known:
            known[call.callee] = _Reached(call.callee)
        of = known[call.callee]
        both = _common(call.here(of.written_slots), call.here(of.parameters))
        if of.written:
            read = [*call.here(of.slots), *map(find, of.variables)]
            both += _common(_parts(call.here(of.written)), _parts(read))
        both += [one for some, others in of.slots_apart for one in _common(call.here(some), call.here(others))]
        for node in dict.fromkeys(both):
            if is_array_or_unknown(node) and not is_mixed(node):
                graph.hold(node, call.instruction, call.instruction)


class _Reached:
    """What a body comes by: parameters, what their slots lead to, and variables; and what of it is written to."""

    def __init__(self, callee: Graph) -> None:
        given = dict.fromkeys(find(one) for one in callee.parameters.values())
        slots = [held for one in given for label, held in one.fields.items() if is_slot(label)]
        self.parameters = [*given]
        self.slots = [one for one in reachable([one for one in slots if find(one) not in given]) if one not in given]
        self.written = [one for one in given if one.flags & WRITTEN]
        self.written_slots = [one for one in self.slots if one.flags & WRITTEN]
        self.variables = callee.variables("cell", "global") if self.written else []
        self.slots_apart = [*_slots_apart(given)] if self.written_slots else []


def _slots_apart(given: Iterable[Node]) -> Iterator[tuple[list[Node], list[Node]]]:
    """What is written to in slots and items of a parameter, with those of another: `net.step([net.b, net.w])`.

    Slots of one name may be those of one object, in which each finds what the other has bound: `collide(a, a)`.
    """
    inside = {one: found for one in given if (found := _labelled(one))}
    for one, own in inside.items():
        written: dict[frozenset[str], list[Node]] = {}
        for node, labels in own.items():
            if node.flags & WRITTEN:
                written.setdefault(labels, []).append(node)
        for other, its in inside.items() if written else ():
            for labels, nodes in written.items() if other is not one else ():
                yield nodes, [node for node, by in its.items() if node not in own and by != labels]


def _labelled(start: Node) -> dict[Node, frozenset[str]]:
    """What slots and items of a node lead to, with the labels that do."""
    found: dict[Node, frozenset[str]] = {}
    pending = [start]
    while pending:
        for label, held in pending.pop().fields.items():
            node = find(held)
            if node is not start and (is_slot(label) or label[0] == "["):
                pending += [node] if node not in found else []
                found[node] = found.get(node, frozenset()) | {label}
    return found


def _common(some: list[Node], others: list[Node]) -> list[Node]:
    known = {*others} if some else ()
    return [one for one in some if one in known]


def _parts(nodes: list[Node]) -> list[Node]:
    return [part for one in nodes for part in parts_of(one)]
