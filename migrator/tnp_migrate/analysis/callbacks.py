"""Calls of what only the callers of a body know: conflicts of the body with what such a call keeps or hands out.

`def step(log): x = zeros(3); log(x); x += 1` is in conflict with a `log` that keeps `x`. Nothing in the body says
whether it does; nothing in the caller, who does, sees the write. So what would be a conflict is noted with the call,
goes up with it to the callers, and is held against what the call turns out to be.
"""

from __future__ import annotations

from collections.abc import Iterable

from tnp_migrate.analysis.graphs import Deferred, Effect, Graph, by_node
from tnp_migrate.analysis.heap import SHARED, Node, find, holders_of, is_array_or_unknown, reachable
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.ir.liveness import Liveness


def note_around(graph: Graph, live: Liveness, writes: list[Effect]) -> None:
    """Note what would be conflicts with calls that are not known yet."""
    if not graph.deferred:
        return
    leading = _Leading(graph)
    kept = ((call.instruction, node) for call in graph.calls for node in call.kept)
    stores = by_node((*graph.stores, *kept))
    written = dict.fromkeys(node for _, nodes, _ in writes for node in nodes)
    for one in graph.deferred:
        given, gives = reachable([node for _, node in one.arguments]), reachable([one.result])
        found = one.conflicts
        if not (written.keys().isdisjoint(given) and written.keys().isdisjoint(gives)):
            for instruction, nodes, _ in writes:
                mine, its = [node for node in nodes if node in given], [node for node in nodes if node in gives]
                if not (mine or its) or not live.may_follow(one.instruction, instruction):
                    continue
                found.if_kept |= dict.fromkeys(mine)
                found.if_had |= dict.fromkeys(its)
                for some, others in ((mine, gives), (its, given)):
                    new = [node for node in some if node not in found.if_given_back]
                    if new and leading.are_read(others, instruction, live):
                        found.if_given_back |= dict.fromkeys(new)
        for node in [node for node in gives if node in stores and node not in found.if_had]:
            if any(live.may_follow(one.instruction, store) for store in stores[node]):
                found.if_had[node] = None


class _Leading:
    """Which registers of a body lead to nodes."""

    def __init__(self, graph: Graph) -> None:
        self._having = graph.having()
        self._holders = holders_of(self._having)
        self._registers: dict[tuple[Node, ...], list[int]] = {}
        self._read: dict[tuple[tuple[Node, ...], int], bool] = {}

    def are_read(self, nodes: Iterable[Node], write: Instruction, live: Liveness) -> bool:
        """Whether what leads to one of some nodes is read after a write."""
        some = tuple(nodes)
        if some not in self._registers:
            self._registers[some] = self._leading_to(some)
        key = some, write.result
        if key not in self._read:
            self._read[key] = any(live.is_live_after(register, write) for register in self._registers[some])
        return self._read[key]

    def _leading_to(self, nodes: Iterable[Node]) -> list[int]:
        """The registers that lead to one of some nodes."""
        found = dict.fromkeys(nodes)
        pending = list(found)
        while pending:
            for holder in self._holders.get(pending.pop(), ()):
                if holder not in found:
                    found[holder] = None
                    pending.append(holder)
        return [register for node in found for register in self._having.get(node, ())]


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
