"""Calls of what only the callers of a body know: conflicts of the body with what such a call keeps or hands out.

`def step(log): x = zeros(3); log(x); x += 1` is in conflict with a `log` that keeps `x`. Nothing in the body says
whether it does; nothing in the caller, who does, sees the write. So what would be a conflict is noted with the call,
goes up with it to the callers, and is held against what the call turns out to be.
"""

from __future__ import annotations

from tnp_migrate.analysis.graphs import Deferred, Effect, Graph
from tnp_migrate.analysis.heap import SHARED, Node, find, is_array_or_unknown, reachable
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.ir.liveness import Liveness


def note_around(graph: Graph, live: Liveness, writes: list[Effect]) -> None:
    """Note what would be conflicts with calls that are not known yet."""
    leading = _Leading(graph)
    stores = [(one, {find(node)}) for one, node in graph.stores]
    stores += [(call.instruction, set(call.kept)) for call in graph.calls]
    for one in graph.deferred:
        given = reachable([node for _, node in one.arguments])
        gives = reachable([one.result])
        found = one.conflicts
        for instruction, nodes, _ in writes:
            if not live.may_follow(one.instruction, instruction):
                continue
            mine = [node for node in nodes if node in given]
            its = [node for node in nodes if node in gives]
            found.if_kept |= dict.fromkeys(mine)
            found.if_had |= dict.fromkeys(its)
            if mine and leading.is_read(gives, instruction, live):
                found.if_given_back |= dict.fromkeys(mine)
            if its and leading.is_read(given, instruction, live):
                found.if_given_back |= dict.fromkeys(its)
        for instruction, nodes in stores:
            its = [node for node in nodes if node in gives]
            if its and live.may_follow(one.instruction, instruction):
                found.if_had |= dict.fromkeys(its)


class _Leading:
    """Which registers of a body lead to nodes."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._inside: dict[Node, dict[Node, None]] = {}

    def is_read(self, nodes: dict[Node, None], write: Instruction, live: Liveness) -> bool:
        """Whether what leads to one of some nodes is read after a write."""
        for register, node in enumerate(self.graph.registers):
            root = find(node)
            if root not in self._inside:
                self._inside[root] = reachable([root])
            if not self._inside[root].keys().isdisjoint(nodes) and live.is_live_after(register, write):
                return True
        return False


def note_called_back(graph: Graph) -> None:
    """Hold what is in conflict with what calls of callees have turned out to be."""
    for one in graph.deferred:
        if one.depth and one.calls:
            for node in _conflicts(one):
                if is_array_or_unknown(node):
                    graph.hold(node, one.instruction, one.instruction)


def _conflicts(one: Deferred) -> dict[Node, None]:
    kept = {node for call in one.calls for node in call.kept}
    had = reachable([one.function])
    given = reachable([node for _, node in one.arguments])
    gives = reachable([one.result])
    kept_ones = [node for node in map(find, one.conflicts.if_kept) if node in kept]
    had_ones = [node for node in map(find, one.conflicts.if_had) if node in had or node.flags & SHARED]
    both = [node for node in map(find, one.conflicts.if_given_back) if node in given and node in gives]
    return dict.fromkeys([*kept_ones, *had_ones, *both])
