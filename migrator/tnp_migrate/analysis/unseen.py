"""Calls of which no text shows what they run: what they give back, write to and keep of what they are given.

The functional stage follows what a call does to its arguments by the name of its function. Where there is none, it
takes the result for new, binds nothing to what is written to, and knows no second holder of what is kept.
"""

from __future__ import annotations

from tnp_migrate.analysis.graphs import Effect, Graph, Unseen
from tnp_migrate.analysis.heap import Node, find, is_array_or_unknown, is_mixed, reachable
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.ir.liveness import Liveness


def note_unseen(graph: Graph, live: Liveness, writes: list[Effect]) -> None:
    """Note what unseen calls hand out, and as holds what they write to, and what is written to after they keep it."""
    for one in graph.unseen:
        passed = reachable(one.given)
        found = [node for node in reachable([one.result]) if node in passed and is_array_or_unknown(node)]
        if found:
            graph.handed.setdefault(one.instruction.result, []).extend(found)
        if one.call is not None:
            _note_written(graph, one, one.call.written)
            _note_kept(graph, one, one.call.kept)
    _note_written_after(graph, live, writes)


def _note_written(graph: Graph, one: Unseen, written: set[Node]) -> None:
    """Of objects that are passed the slots are bound: held is what is passed itself."""
    for node in dict.fromkeys(map(find, one.given)):
        if node in written and is_array_or_unknown(node):
            graph.hold(node, one.instruction, one.instruction)


def _note_kept(graph: Graph, one: Unseen, kept: list[Node]) -> None:
    given = reachable(one.given) if kept else {}
    for node in kept:
        if node in given and is_array_or_unknown(node) and not is_mixed(node):
            graph.kept[one.instruction, node] = None


def _note_written_after(graph: Graph, live: Liveness, writes: list[Effect]) -> None:
    """What is written to after an unseen call has put it into an object is not bound anew there."""
    kept: dict[Node, list[Instruction]] = {}
    for call, node in graph.kept:
        kept.setdefault(find(node), []).append(call)
    if not kept:
        return
    for instruction, nodes, _ in writes:
        for node in [one for one in kept if one in nodes and not is_mixed(one)]:
            before = [one for one in kept[node] if live.may_follow(one, instruction)]
            for call in before[:1]:
                graph.hold(node, call, instruction)
