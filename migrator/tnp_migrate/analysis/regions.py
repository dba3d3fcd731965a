"""Which bodies touch the memory that a hold is about: they stay on NumPy together, where it is one memory.

Touching is making it, writing to it, putting it into an object, handing it out and holding on to what was handed out.
Who reads it at once does not touch it. From where a hold is seen one goes up to the callers that pass the memory in,
and from there down into all calls that get it.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from tnp_migrate.analysis.computed_arrays import mark_computed
from tnp_migrate.analysis.functions_as_values import Uses, uses_as_values
from tnp_migrate.analysis.graphs import Call, Graph
from tnp_migrate.analysis.heap import (
    AGAIN,
    ANY_ATTRIBUTE,
    ARRAY,
    BLIND,
    COUNTED,
    HAD_ACROSS,
    HELD,
    LIKELY,
    OBJECT,
    RESUMED,
    SHARED,
    WRITTEN,
    Node,
    find,
    is_anything,
    is_mixed,
    reachable,
)
from tnp_migrate.analysis.holds import note_unfollowed
from tnp_migrate.analysis.library_functions import LIBRARY
from tnp_migrate.analysis.solver import Solution
from tnp_migrate.analysis.views import array_parts

_CONTESTED = HELD | WRITTEN
_TWICE = AGAIN | SHARED
_HAD_WHEN_RESUMED = HAD_ACROSS | RESUMED


@dataclass(eq=False)
class Regions:
    """The graphs of a project, and those of libraries that they run, by what they touch."""

    solution: Solution
    graphs: list[Graph] = field(default_factory=list)
    callers: dict[Graph, list[tuple[Graph, Call]]] = field(default_factory=dict)
    touching: dict[Node, dict[Graph, None]] = field(default_factory=dict)
    callees: dict[Node, dict[Node, None]] = field(default_factory=dict)  # what nodes are where they are passed to
    _passed: dict[Graph, dict[Node, dict[tuple[Graph, Node], None]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Note who calls and who touches what."""
        mark_computed(self.solution.graphs.values())
        self.graphs = [*_run(self.solution.graphs.values())]
        for graph in self.graphs:
            note_unfollowed(graph)
            for call in graph.calls:
                self.callers.setdefault(call.callee, []).append((graph, call))
                for there, here in call.mapping:
                    if (inside := find(there)) is not (outside := find(here)):
                        self.callees.setdefault(outside, {})[inside] = None
        for graph in self.graphs:
            for node in self._touched(graph):
                self.touching.setdefault(node, {})[graph] = None

    def _touched(self, graph: Graph) -> Iterator[Node]:
        """What a body touches; what it makes and its callers alone have is theirs, who make an ndarray of that."""
        by_text = not self._is_value(graph) and all(_is_by_text(call, graph) for _, call in self.callers.get(graph, ()))
        private = graph.private if by_text or not graph.gives_own else ()
        made = (*graph.made, *graph.given_own)  # by itself, or for it alone
        yield from (find(graph.registers[register]) for register in made if register not in private)
        yield from (find(node) for write in graph.writes if not write.is_own for node in write.nodes)
        yield from (find(node) for _, node in graph.stores)
        yield from (find(graph.registers[register]) for register in graph.counted)
        yield from _given(graph) if not graph.gives_own or not by_text else ()
        yield from (find(hold.node) for hold in graph.holds)

    @cached_property
    def _values(self) -> Uses:
        return uses_as_values(self.solution.slots.index)

    def _is_value(self, graph: Graph) -> bool:
        """Whether a function is used as a value: what calls it then may be no text of the project's."""
        function = graph.function
        if function is None or function in self._values.functions:
            return True
        return function.owner is not None and function.node.name in self._values.attributes

    def contested(self) -> Iterator[tuple[Graph, Node]]:
        """The arrays that are written to somewhere and that something holds which a call has handed them out to."""
        held_twice = self._held_twice()
        for graph in self.graphs:
            for node in reachable([*graph.registers, *(hold.node for hold in graph.holds)]):
                by_name = ANY_ATTRIBUTE in node.fields and graph.is_held(node) and not is_anything(node)
                if is_mixed(node) and not by_name:
                    continue  # only what is reached by computed names is one node because of these
                seen = node.flags & (ARRAY | LIKELY)
                if (
                    node in graph.unfollowed
                    or node in held_twice
                    or (seen and _is_contested(node.flags))
                    or (seen and node.flags & BLIND and node.flags & _TWICE)
                    or (seen and node.flags & COUNTED)
                ):
                    yield graph, node
                for part in array_parts(node) if seen and node.fields else ():
                    if _is_contested(node.flags | part.flags):
                        yield from ((graph, one) for one in (node, part))  # a write to the one is one to the other

    def _held_twice(self) -> set[Node]:
        """The arrays that two variables of a module hold, and another module writes to; or a variable and an object.

        What a function writes to by the object it binds anew there.
        """
        variables = [(module, find(one)) for module, one in self.solution.slots.variables()]
        twice = {node: module for (module, node), times in Counter(variables).items() if times > 1}
        had = dict.fromkeys(node for _, node in variables)
        held = {find(one) for root in reachable(list(had)) for one in root.fields.values() if find(one) is not root}
        also = held & had.keys()
        wanted = WRITTEN | ARRAY | SHARED
        return {
            node
            for graph in self.graphs
            for node in graph.written()
            if twice.get(node, graph.module.name) != graph.module.name
            or (node in also and not isinstance(graph.body.node, ast.Module))
            if node.flags & (wanted | OBJECT) == wanted
        }

    def around(self, graph: Graph, node: Node) -> dict[Graph, None]:
        """The graphs that touch the memory of a node of a graph."""
        found: dict[Graph, None] = {}
        for one in self.alike(graph, node):
            found |= self.touching.get(one, {})
        return found

    def alike(self, graph: Graph, node: Node) -> dict[Node, None]:
        """The nodes that the memory of one is in the graphs that it comes from, and in those that get it."""
        found: dict[Node, None] = {}
        above: set[tuple[Graph, Node]] = set()
        pending = [(graph, find(node))]
        while pending:
            place = pending.pop()
            if place in above or (above and is_mixed(place[1])):
                continue
            above.add(place)
            pending += self._passed_in(*place)
            self._down(place[1], found)
        return found

    def _passed_in(self, graph: Graph, node: Node) -> list[tuple[Graph, Node]]:
        """What callers pass for a node."""
        if node.flags & SHARED:
            return []
        if graph not in self._passed:
            given = self._passed[graph] = {}
            for caller, call in self.callers.get(graph, ()):
                for there, here in call.mapping:
                    given.setdefault(find(there), {})[caller, find(here)] = None
        return [*self._passed[graph].get(node, ())]

    def _down(self, node: Node, found: dict[Node, None]) -> None:
        pending = [node]
        while pending:
            one = pending.pop()
            if one not in found and (one is node or not is_mixed(one)):
                found[one] = None
                pending += self.callees.get(one, ())


def _is_contested(flags: int) -> bool:
    return flags & _CONTESTED == _CONTESTED or flags & _HAD_WHEN_RESUMED == _HAD_WHEN_RESUMED


def _run(graphs: Iterable[Graph]) -> dict[Graph, None]:
    """The bodies of a project, and of those of libraries the ones that they run, by whatever calls lie between."""
    found = {one: None for one in graphs if one.module.name != LIBRARY}
    pending = [*found]
    while pending:
        new = {call.callee: None for call in pending.pop().calls if call.callee not in found}
        found |= new
        pending += new
    return found


def _given(graph: Graph) -> dict[Node, None]:
    """What a body gives, and what that holds; what an instance has its methods have put there, and not who gives it."""
    found = dict.fromkeys(map(find, graph.results))
    pending = [*found]
    while pending:
        one = pending.pop()
        if one.classes and not one.flags & ARRAY:
            continue
        new = {held: None for held in map(find, one.fields.values()) if held not in found}
        found |= new
        pending += new
    return found


def _is_by_text(call: Call, callee: Graph) -> bool:
    """Whether the text calls a function where a call runs it, and not something that it has been handed to."""
    node = call.instruction.node if call.instruction.operation == "call" else None
    if not isinstance(node, ast.Call) or callee.function is None:
        return False
    name = callee.function.node.name
    return name == "__call__" or name == getattr(node.func, "attr", getattr(node.func, "id", ""))
