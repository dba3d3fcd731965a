"""Calls of which no text shows what they run: what they give back, write to and keep of what they are given.

The functional stage follows what a call does to its arguments by the name of its function. Where there is none, it
takes the result for new, binds nothing to what is written to, and knows no second holder of what is kept.
"""

from __future__ import annotations

from collections.abc import Container

from tnp_migrate.analysis.graphs import Graph, Unseen
from tnp_migrate.analysis.heap import Node, find, is_array_or_unknown, is_mixed
from tnp_migrate.analysis.reachability import Reachable


def note_unseen(graph: Graph) -> None:
    """Note what unseen calls hand out and keep, and as holds what they write to."""
    inside = Reachable()  # one instruction may run many bodies with the same arguments
    for one in graph.unseen:
        passed = inside.of(one.given)
        found = [node for node in inside.of([one.result]) if node in passed and is_array_or_unknown(node)]
        if found:
            graph.handed.setdefault(one.instruction.result, []).extend(found)
        if one.call is not None:
            _note_written(graph, one, one.call.written)
            _note_kept(graph, one, one.call.kept, passed)


def _note_written(graph: Graph, one: Unseen, written: dict[Node, None]) -> None:
    """Of objects that are passed the slots are bound: held is what is passed itself."""
    for node in dict.fromkeys(map(find, one.given)):
        if node in written and is_array_or_unknown(node):
            graph.hold(node, one.instruction, one.instruction)


def _note_kept(graph: Graph, one: Unseen, kept: list[Node], given: Container[Node]) -> None:
    for node in kept:
        if node in given and is_array_or_unknown(node) and not is_mixed(node):
            graph.kept[one.instruction, node] = None
