"""Calls that come by an array in two ways: `f(s, s.m)`, `s.go(s.m)`, `f(TABLE)` of a function that reads `TABLE`.

What is written to by one of them is bound anew there, and what the body reads by the other is what was.
"""

from __future__ import annotations

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


def _common(some: list[Node], others: list[Node]) -> list[Node]:
    known = {*others} if some else ()
    return [one for one in some if one in known]


def _parts(nodes: list[Node]) -> list[Node]:
    return [part for one in nodes for part in parts_of(one)]
