"""Calls of which no text shows what they run: what they give back, write to and keep of what they are given.

The functional stage follows what a call does to its arguments by the name of its function. Where there is none, it
takes the result for new, binds nothing to what is written to, and knows no second holder of what is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container

from tnp_migrate.analysis.graphs import Call, Graph, Unseen
from tnp_migrate.analysis.heap import SHARED, Node, find, is_array_or_unknown, is_mixed, reachable
from tnp_migrate.analysis.library_functions import LIBRARY
from tnp_migrate.analysis.reachability import Reachable
from tnp_migrate.ir.liveness import Liveness


def note_hidden(graph: Graph) -> None:
    """Note that new objects hand out what they hold of their arguments by others: but what is made for them alone."""
    used = Counter(each for one in graph.body.instructions for each in one.operands) if graph.hidden else {}
    for one, nodes in graph.hidden:
        others = [each for each in one.operands[1:] if used[each] > 1 or each not in graph.fresh]
        had = reachable([graph.registers[each] for each in others])
        shown = [node for node in nodes if find(node) in had]
        if shown:
            graph.handed.setdefault(one.result, []).extend(shown)


def note_unseen(graph: Graph, live: Liveness) -> None:
    """Note what unseen calls hand out and keep, and as holds what they write to."""
    inside = Reachable()  # one instruction may run many bodies with the same arguments
    for one in graph.unseen:
        passed = inside.of(one.given)
        found = [node for node in inside.of([one.result]) if node in passed and is_array_or_unknown(node)]
        if found:
            graph.handed.setdefault(one.instruction.result, []).extend(found)
        if one.call is not None:
            _note_written(graph, one, one.call, live, inside)
            if one.instruction.operation != "set_attribute":
                _note_kept(graph, one, one.call.kept, passed)


def _note_written(graph: Graph, one: Unseen, call: Call, live: Liveness, inside: Reachable) -> None:
    """Of objects that are passed the slots are bound: held is what is passed itself, and had by something later.

    NumPy's own functions take no tensor to write to, whoever has it.
    """
    written, is_numpy = call.written, call.callee.module.name == LIBRARY
    for node in dict.fromkeys(map(find, one.given)):
        is_new = node in written and is_array_or_unknown(node) and not graph.is_held(node)
        if is_new and (is_numpy or _is_had_after(graph, one, node, live, inside)):
            graph.hold(node, one.instruction, one.instruction)


def _is_had_after(graph: Graph, one: Unseen, node: Node, live: Liveness, inside: Reachable) -> bool:
    """Whether anything leads to an array after a call: what outlives the body, or a register that is read later."""
    outer = [*graph.parameters.values(), *graph.variables("cell", "global"), *graph.results]
    if node.flags & SHARED or node in inside.of(outer):
        return True
    return any(
        node in inside.of([root]) and live.is_live_after(register, one.instruction)
        for register, root in enumerate(graph.registers)
    )


def _note_kept(graph: Graph, one: Unseen, kept: list[Node], given: Container[Node]) -> None:
    for node in kept:
        if node in given and is_array_or_unknown(node) and not is_mixed(node):
            graph.kept[one.instruction, node] = None
