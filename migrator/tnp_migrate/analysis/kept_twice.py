"""Arrays that a method puts into two places of its object, where a method of such objects writes to one of them.

Nobody in the project has to call the two for one object: whoever uses the class may. It is
`self.best = self.current = np.zeros(3)` in one method, and `self.current += step` in another.
"""

from __future__ import annotations

from collections.abc import Iterator

from tnp_migrate.analysis.graphs import Graph
from tnp_migrate.analysis.heap import ANY_ATTRIBUTE, ARRAY, LIKELY, OBJECT, Node, find, is_mixed
from tnp_migrate.analysis.reachability import methods_by_family
from tnp_migrate.analysis.solver import Solution


def kept_twice(solution: Solution) -> Iterator[tuple[Graph, Node]]:
    """The graphs of both methods, with the array in each."""
    for family in methods_by_family(solution.graphs.values()).values():
        held = [(graph, find(one.node)) for graph in family for one in graph.holds if one.twice]
        placed = [(graph, node) for graph, node in held if _is_array(node)]
        writes = [(graph, node) for graph in family if placed for node in graph.written() if _is_array(node)]
        for graph, node in placed:
            names = _attributes(graph, node)
            for writer, written in writes:
                if names & _attributes(writer, written):
                    yield graph, node
                    yield writer, written


def _is_array(node: Node) -> bool:
    """Whether a node is an array and nothing else beside."""
    return bool(node.flags & (ARRAY | LIKELY)) and not node.flags & OBJECT and not is_mixed(node)


def _attributes(graph: Graph, node: Node) -> frozenset[str]:
    """The attributes of its object by which a method has an array, or what holds it."""
    fields = find(graph.itself).fields.items() if graph.itself is not None else ()
    named = [(label, held) for label, held in fields if label[0] == "." and label != ANY_ATTRIBUTE]
    return frozenset(label for label, held in named if node in (find(held), *map(find, find(held).fields.values())))
