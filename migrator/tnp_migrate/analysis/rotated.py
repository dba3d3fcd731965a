"""Variables that have what an attribute had before a call lets it change places with others of its object.

The functional stage reads such an attribute anew after a call that writes to it: it is another array then.
"""

from __future__ import annotations

from collections.abc import Iterator

from tnp_migrate.analysis.assigned_attributes import source_of
from tnp_migrate.analysis.graphs import Graph, Having
from tnp_migrate.analysis.heap import Node, find, is_array_or_unknown
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.ir.liveness import Liveness
from tnp_migrate.program.rotations import rotated_beside


def rotated(graph: Graph) -> Iterator[Node]:
    """What a body, or what it calls, moves from one attribute to another."""
    for one in graph.body.instructions:
        if one.operation == "set_attribute" and one.node is not None:
            is_swap = bool(rotated_beside(graph.module, one.node))
            if is_swap or _is_of_another(graph, one):
                yield find(graph.registers[one.operands[1]])
    for call in graph.calls:
        yield from call.here(call.callee.rotated)


def _is_of_another(graph: Graph, store: Instruction) -> bool:
    """Whether an attribute is bound to what another one has, or to a part of that."""
    source = source_of(graph, store.operands[1])
    moves = source is not None and source[1] != store.detail
    return moves and is_array_or_unknown(find(graph.registers[store.operands[1]]))


def note_rotated(graph: Graph, live: Liveness, having: Having) -> None:
    """Hold what a call moves while a variable has it that is read later."""
    for call in graph.calls:
        write = call.instruction
        for node in dict.fromkeys(call.here(call.callee.rotated)):
            others = (one for one in having.get(node, ()) if one != write.result)
            if any(live.is_live_after(one, write) for one in others):
                graph.hold(node, write, write)
