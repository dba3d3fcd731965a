"""Calls of what only the callers of a body know: conflicts of the body with what such a call keeps or hands out.

`def step(log): x = zeros(3); log(x); x += 1` is in conflict with a `log` that keeps `x`. Nothing in the body says
whether it does; nothing in the caller, who does, sees the write. So what would be a conflict is noted with the call,
goes up with it to the callers, and is held against what the call turns out to be.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from tnp_migrate.analysis.conflicts import Conflicts
from tnp_migrate.analysis.graphs import Deferred, Effect, Graph, Having
from tnp_migrate.analysis.heap import SHARED, Node, find, is_array_or_unknown, reachable
from tnp_migrate.analysis.reachability import Reachable, contained_in, holders_of
from tnp_migrate.analysis.stores import by_node, is_given_alone
from tnp_migrate.ir.instructions import Instruction
from tnp_migrate.ir.liveness import Liveness


def note_around(graph: Graph, live: Liveness, writes: list[Effect], having: Having) -> None:
    """Note what would be conflicts with calls that are not known yet."""
    if not graph.deferred:
        return
    around = _Around(graph, live, writes, having)
    if around.does_anything:
        for one in graph.deferred:
            around.note(one)


class _Around:
    """What a body does around calls that are not known yet: many of those are of one place, with the same operands."""

    def __init__(self, graph: Graph, live: Liveness, writes: list[Effect], having: Having) -> None:
        kept = ((call.instruction, node) for call in graph.calls for node in call.kept)
        self._graph = graph
        self._live = live
        self._inside = Reachable()
        self._leading = _Leading(live, having, self._inside)
        self._writes = by_node((instruction, node) for instruction, nodes, _ in writes for node in nodes)
        outside = reachable(graph.parameters.values())
        stores = [(one, node) for one, node in graph.stores if not is_given_alone(graph, one, outside)]
        self._stores = by_node((*stores, *kept))
        self.does_anything = bool(self._writes or self._stores)
        self._later: dict[tuple[Node, Instruction, bool], list[Instruction]] = {}
        self._known: dict[tuple[Instruction, frozenset[Node], Node], Conflicts] = {}

    def note(self, one: Deferred) -> None:
        """Note what would be conflicts with a call."""
        arguments, result = [find(node) for _, node in one.arguments], find(one.result)
        for place in self._graph.places(one):
            key = place, frozenset(arguments), result
            if key not in self._known:
                self._known[key] = self._conflicts(place, arguments, result)
            one.conflicts.add(self._known[key])

    def _conflicts(self, call: Instruction, arguments: list[Node], result: Node) -> Conflicts:
        given, gives = self._inside.of(arguments), self._inside.of([result])
        mine, its = self._written_later(given, call), self._written_later(gives, call)
        stored = {node for node in gives if node in self._stores and self._after(call, node, stores=True)}
        given_back: list[Node] = []
        for some, roots in ((mine, frozenset({result})), (its, frozenset(arguments))):
            if some:
                are_read = self._leading.to(roots).are_read
                given_back += [node for node, after in some.items() if any(map(are_read, after))]
        return Conflicts(
            (*mine,),
            tuple(node for node in gives if node in its or node in stored),
            (*dict.fromkeys(given_back),),
        )

    def _written_later(self, nodes: Iterable[Node], call: Instruction) -> dict[Node, list[Instruction]]:
        """Of some nodes those that are written to after a call, and where."""
        return {node: after for node in nodes if node in self._writes and (after := self._after(call, node))}

    def _after(self, call: Instruction, node: Node, *, stores: bool = False) -> list[Instruction]:
        """The writes to a node, or the stores of it, that may follow a call."""
        key = node, call, stores
        if key not in self._later:
            known = self._stores if stores else self._writes
            self._later[key] = self._live.following(call, known[node])
        return self._later[key]


class _Leading:
    """Which registers of a body lead to nodes."""

    def __init__(self, live: Liveness, having: Having, inside: Reachable) -> None:
        self._live = live
        self._inside = inside
        self._having = having
        self._known: dict[frozenset[Node], _Registers] = {}

    @cached_property
    def _holders(self) -> dict[Node, list[Node]]:
        return holders_of(self._having)

    def to(self, roots: frozenset[Node]) -> _Registers:
        """The registers that lead to something that is reached from some roots."""
        if roots not in self._known:
            self._known[roots] = _Registers(self._live, self._leading_to(self._inside.of(roots)))
        return self._known[roots]

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


class _Registers:
    """Some registers of a body."""

    def __init__(self, live: Liveness, registers: list[int]) -> None:
        self._live = live
        self._registers = registers
        self._read: dict[Instruction, bool] = {}

    def are_read(self, write: Instruction) -> bool:
        """Whether one of them is read after a write."""
        known = self._read.get(write)
        if known is None:
            known = self._read[write] = any(self._live.is_live_after(one, write) for one in self._registers)
        return known


def note_called_back(graph: Graph) -> None:
    """Hold what is in conflict with what calls of callees have turned out to be."""
    for one in graph.deferred:
        if one.depth and one.calls:
            for node in _conflicts(one):
                if is_array_or_unknown(node):
                    graph.hold(node, one.instruction, one.instruction)


def _conflicts(one: Deferred) -> dict[Node, None]:
    """What a call has turned out to be in conflict with; most calls have nothing that it could be."""
    mine = one.conflicts
    found: dict[Node, None] = {}
    if mine.if_kept:
        kept = contained_in(node for call in one.calls for node in call.kept)
        found |= {node: None for node in map(find, mine.if_kept) if node in kept}
    if mine.if_had:
        had = reachable([one.function])
        found |= {node: None for node in map(find, mine.if_had) if node in had or node.flags & SHARED}
    if mine.if_given_back:
        given, gives = reachable([node for _, node in one.arguments]), reachable([one.result])
        found |= {node: None for node in map(find, mine.if_given_back) if node in given and node in gives}
    return found
