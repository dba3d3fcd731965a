"""Which nodes are arrays because they are computed from arrays, wherever those come from.

While a body is evaluated nothing may be known yet of what its parameters hold, or the variables of modules: `x + 1` is
an array then if `x` turns out to be one. A summary says so of its results, and callers of what they pass.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator

from tnp_migrate.analysis.graphs import Graph
from tnp_migrate.analysis.heap import (
    ARRAY,
    LIKELY,
    MADE,
    OBJECT,
    SHARED,
    Node,
    find,
    is_of_known_origin,
    is_of_project,
    mark,
    parts_of,
)
from tnp_migrate.analysis.views import array_parts

Computed = tuple[Node, list[Node]]  # what has been made, and of what


def computed_inside(graph: Graph, inside: Container[Node]) -> Iterator[Computed]:
    """What of some nodes is computed from others of them, or from what outlives calls, by whatever steps."""
    made: dict[Node, list[Node]] = {}
    for result, given in graph.computed:
        made.setdefault(find(result), []).extend(map(find, given))
    for whole in list(made):
        for part in parts_of(whole)[1:]:
            made.setdefault(part, []).append(whole)
    for result, given_for in made.items():
        if result in inside:
            found: dict[Node, None] = {}
            seen = {result}
            pending = [*given_for]
            while pending:
                one = pending.pop()
                if one in inside or one.flags & (ARRAY | SHARED):
                    found[one] = None
                elif one not in seen:
                    seen.add(one)
                    pending += made.get(one, ())
            yield result, list(found)


def mark_computed(graphs: Collection[Graph]) -> None:
    """Mark what is computed from arrays, now that all arrays are known: by results, then by what calls pass."""
    for graph in graphs:
        _mark(graph)
    pending = dict.fromkeys(graphs)
    while pending:
        graph = next(iter(pending))
        del pending[graph]
        _mark(graph)
        for call in graph.calls:
            if call.callee.computed and _mark_passed(call.mapping):
                pending[call.callee] = None


def _mark(graph: Graph) -> None:
    new = True
    while new:
        new = False
        for one, given in graph.computed:
            result = find(one)
            if not _is_array(result) and any(_is_array(find(each)) for each in given):
                if result.flags & MADE:
                    mark(result, ARRAY)
                elif result.flags & OBJECT:
                    continue  # an item of a container
                _mark_likely(result)
                new = True


def _mark_passed(mapping: list[tuple[Node, Node]]) -> bool:
    """Mark what is an array for a caller; say whether there was any of which that was not known."""
    new = [find(there) for there, here in mapping if _is_array(find(here)) and not _is_array(find(there))]
    for node in new:
        _mark_likely(node)
    return bool(new)


def _mark_likely(node: Node) -> None:
    """Mark what may be an array, and what are its parts then."""
    node.flags |= LIKELY
    for part in array_parts(node):
        part.flags |= LIKELY


def _is_array(node: Node) -> bool:
    """Whether a node is an array, or may be any: nothing says where it comes from."""
    if node.flags & ARRAY or node.flags & (LIKELY | OBJECT) == LIKELY:
        return True
    return not node.flags & OBJECT and not is_of_known_origin(node) and not is_of_project(node)
